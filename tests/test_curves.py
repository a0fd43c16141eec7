"""The plot of errors: true numbers, one scale for all configurations, and the same in drawing and plot."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from plotly.graph_objects import Figure

from posenc.config import Config
from posenc.formats import WAYS, errors
from posenc.web import content
from posenc.web.curves import FLOOR, NEAR, PLACES, X_RANGE, Y_RANGE, Curves, Point, precision, width

ROOT = Path(__file__).resolve().parent.parent
FIELDS = content.read(ROOT / "content" / "en" / "instrument.md", Path("content/en/instrument.md")).fields
CONFIGS = [
    Config(),
    Config(d_model=2, n_positions=1, base=0.5, probes=(0, 0)),
    Config(d_model=512, n_positions=64),
    Config(d_model=64, base=1e-5),
    Config(d_model=6, n_positions=33, base=1e300, probes=(1, 32), tolerance=1e-20),
]


def text(key: str) -> str:
    return FIELDS[key]


def data(plot: Curves) -> Any:
    return plot.figure["data"]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_plotly_takes_the_figure(config: Config) -> None:
    plot = precision(config, text)
    figure = Figure(data=data(plot), layout=plot.figure["layout"])
    assert [trace.type for trace in figure.data] == ["scatter"] * len(WAYS)
    assert json.loads(plot.json) == plot.figure


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_scales_never_move_and_hold_all_that_is_plotted(config: Config) -> None:
    plot = precision(config, text)
    layout = plot.figure["layout"]
    for axis, limits in (("xaxis", X_RANGE), ("yaxis", Y_RANGE)):
        assert layout[axis]["type"] == "log"
        assert layout[axis]["range"] == list(limits)
        assert layout[axis]["fixedrange"] is True
    assert layout["dragmode"] is False
    for curve in plot.curves:
        for point in filter(None, curve.points):
            assert 0 <= point.x <= 100
            assert 0 <= point.y <= 100


def test_each_point_is_the_worst_of_its_run() -> None:
    plot = precision(Config(), text)
    for curve in plot.curves:
        for first, point in zip(PLACES, curve.points, strict=True):
            found = errors(range(first, first + NEAR), 16, 10000.0)[curve.way].max()
            assert point is not None
            assert point.error == pytest.approx(max(found, FLOOR), rel=0.05)


def test_the_numbers_are_those_that_are_known() -> None:
    by = {curve.way: dict(zip(PLACES, curve.points, strict=True)) for curve in precision(Config(), text).curves}

    def error(way: Any, place: int) -> float:
        point = by[way][place]
        assert isinstance(point, Point)
        return point.error

    assert error("bfloat16", 240) == FLOOR
    assert error("bfloat16", 256) > 0.5  # 257 is there, and bfloat16 takes it for 256
    assert all(error("engine", place) <= 2.5e-16 for place in PLACES)
    assert error("float32", 1_000_000) > 1e-3
    assert 1e-11 < error("float64", 1_000_000) < 1e-9


def test_drawing_and_plot_show_the_same_points() -> None:
    plot = precision(Config(), text)
    low, high = Y_RANGE
    for curve, trace in zip(plot.curves, data(plot), strict=True):
        assert trace["x"] == list(PLACES)
        for point, error in zip(curve.points, trace["y"], strict=True):
            assert point is not None
            assert high - point.y / 100 * (high - low) == pytest.approx(math.log10(error), abs=0.002)
        assert curve.path.count("L") == len(PLACES) - 1


def test_the_hover_label_names_the_way_the_positions_and_the_error() -> None:
    plot = precision(Config(), text)
    said = data(plot)[2]["text"][PLACES.index(256)]
    assert re.fullmatch(r"bfloat16 positions<br>positions 256 … 271<br>worst error 0\.\d\d", said)
    assert data(plot)[3]["text"][0].endswith("≤ 1.1\u00a0×\u00a010⁻¹⁶")
    assert all(trace["hovertemplate"] == "%{text}<extra></extra>" for trace in data(plot))


def test_a_place_without_a_number_is_left_out_and_named_so() -> None:
    """With so small a base float32 has no number for the last frequency."""
    float32 = precision(Config(d_model=64, base=1e-45), text).curves[1]
    assert None in float32.points
    assert "nan" not in float32.path


def test_the_table_beside_the_plot_has_a_row_for_every_run() -> None:
    rows = precision(Config(), text).rows
    assert [run for run, _ in rows] == [f"{first:,} … {first + NEAR - 1:,}" for first in PLACES]
    assert all(len(written) == len(WAYS) for _, written in rows)


def test_the_proofs_tolerance_is_marked_where_it_is_on_the_scale() -> None:
    bound = precision(Config(), text).bound
    assert bound == pytest.approx(100 * (1 + 9) / 17.5, abs=0.01)
    assert precision(Config(tolerance=1e-20), text).bound is None
    assert precision(Config(tolerance=100), text).bound is None


def test_ticks_are_powers_of_ten() -> None:
    plot = precision(Config(), text)
    assert [words for _, words in plot.x_ticks] == ["1", "10", "10²", "10³", "10⁴", "10⁵", "10⁶", "10⁷"]
    assert [words for _, words in plot.y_ticks] == ["10⁻¹⁶", "10⁻¹²", "10⁻⁸", "10⁻⁴", "1"]


def test_no_more_columns_are_tried_than_are_quick() -> None:
    assert [width(Config(d_model=d)) for d in (2, 16, 512)] == [2, 16, 32]


def test_the_same_configuration_gives_the_same_plot() -> None:
    assert precision(Config(), text).json == precision(Config(), text).json
