"""The figures are what Plotly takes, keep their scale, and name every cell."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plotly.graph_objects import Figure

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode
from posenc.web import content, picture
from posenc.web.format import UnknownPlaceholder, fill
from posenc.web.heatmaps import Heatmap, Mark, marks, panel, similarity, ticks

ROOT = Path(__file__).resolve().parent.parent
WORDS = ("explainer", "figures", "instrument")
FIELDS = {
    key: value
    for name in WORDS
    for key, value in content.read(ROOT / "content" / "en" / f"{name}.md", Path(f"{name}.md")).fields.items()
}
CONFIGS = [
    Config(),
    Config(d_model=2, n_positions=1, base=0.5, probes=(0, 0)),
    Config(d_model=64, n_positions=1024, probes=(0, 1023)),
    Config(d_model=6, n_positions=33, base=1e300, probes=(1, 32)),
]


def text(key: str) -> str:
    return FIELDS[key]


def table_of(config: Config) -> Floats:
    return encode(range(config.n_positions), config.d_model, config.base)


def trace(heatmap: Heatmap) -> Any:
    return heatmap.figure["data"][0]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_plotly_takes_every_figure(config: Config) -> None:
    for heatmap in (
        panel(config, table_of(config), text),
        similarity(config, table_of(config), text),
    ):
        figure = Figure(data=heatmap.figure["data"], layout=heatmap.figure["layout"])
        assert figure.data[0].type == "heatmap"


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_panel_is_the_table_with_position_0_on_top_and_a_fixed_scale(config: Config) -> None:
    table = table_of(config)
    heatmap = panel(config, table, text)
    assert np.max(np.abs(np.array(trace(heatmap)["z"]) - table)) <= 0.5e-4 + 1e-12
    assert (trace(heatmap)["zmin"], trace(heatmap)["zmax"]) == (-1, 1)
    bottom, top = heatmap.figure["layout"]["yaxis"]["range"]
    assert (bottom, top) == (min(32, config.n_positions) - 0.5, -0.5)
    assert heatmap.figure["layout"]["xaxis"]["range"] == [-0.5, config.d_model - 0.5]
    assert len(trace(heatmap)["x"]) == len(set(trace(heatmap)["x"])) == config.d_model
    assert heatmap.height is not None
    assert heatmap.height % heatmap.rows == 0


def test_a_tampered_table_does_not_move_the_scale() -> None:
    config = Config()
    tampered = panel(config, table_of(config) * 63, text)
    assert (trace(tampered)["zmin"], trace(tampered)["zmax"], tampered.limit) == (-1, 1, 1)


def test_the_hover_label_names_position_dimension_wave_wavelength_and_value() -> None:
    heatmap = panel(Config(), table_of(Config()), text)
    hover = trace(heatmap)["hovertemplate"]
    assert all(field in hover for field in ("position %{y}", "%{x}", "value %{z:.4f}", "<extra></extra>"))
    assert trace(heatmap)["x"][0] == "dimension 0, sine<br>wavelength 6.2832"
    assert trace(heatmap)["x"][15] == "dimension 15, cosine<br>wavelength 19,869.18"


def test_similarity_is_the_cosine_of_two_rows_and_names_their_offset() -> None:
    config = Config()
    table = table_of(config)
    heatmap = similarity(config, table, text)
    for row, column in ((0, 0), (3, 50), (63, 1)):
        a, b = table[row], table[column]
        cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
        assert trace(heatmap)["z"][row][column] == pytest.approx(cosine, abs=1e-4)
        assert trace(heatmap)["customdata"][row][column] == column - row
    assert np.diag(np.array(trace(heatmap)["z"])).tolist() == [1.0] * 64
    assert all(field in trace(heatmap)["hovertemplate"] for field in ("%{x}", "%{y}", "%{customdata}", "%{z"))


def test_similarity_shows_at_most_64_positions() -> None:
    config = Config(d_model=4, n_positions=500)
    assert similarity(config, table_of(config), text).n_rows == 64


def test_a_swipe_scrolls_the_page_and_nothing_floats_over_the_plot() -> None:
    for heatmap in (panel(Config(), table_of(Config()), text), similarity(Config(), table_of(Config()), text)):
        layout = heatmap.figure["layout"]
        assert layout["dragmode"] is False
        assert layout["xaxis"]["fixedrange"] is layout["yaxis"]["fixedrange"] is True
        assert heatmap.figure["config"]["displayModeBar"] is False
        assert layout["paper_bgcolor"] == "rgba(0,0,0,0)"


def test_the_figure_has_the_colours_of_the_picture() -> None:
    heatmap = panel(Config(), table_of(Config()), text)
    assert trace(heatmap)["colorscale"] == picture.colorscale()
    assert heatmap.figure["layout"]["plot_bgcolor"] == picture.NOT_A_NUMBER
    assert heatmap.picture == picture.data_uri(trace(heatmap)["z"], 1)


def test_the_json_cannot_end_its_script_and_has_no_nan_and_no_minus_zero() -> None:
    table = np.array([[-1e-9, np.nan], [0.5, np.inf]])
    written = panel(Config(d_model=2, n_positions=2, probes=(0, 1)), table, text).json
    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written)["data"][0]["z"] == [[0.0, None], [0.5, None]]
    assert "-0.0" not in written


def test_no_attribute_waits_for_a_script_to_fill_it() -> None:
    heatmap = panel(Config(), table_of(Config()), text)
    assert json.loads(heatmap.json)["off_scale"] == heatmap.off_scale
    assert "{off}" in heatmap.off_scale
    assert "off_scale" not in (ROOT / "templates" / "figures" / "heatmap.html").read_text("utf-8")


def test_the_same_table_gives_the_same_heatmap() -> None:
    assert panel(Config(), table_of(Config()), text) == panel(Config(), table_of(Config()), text)
    assert panel(Config(), table_of(Config()), text).json == panel(Config(), table_of(Config()), text).json


def test_every_word_of_the_file_is_used_and_every_placeholder_filled() -> None:
    asked = set()

    def listen(key: str) -> str:
        asked.add(key)
        return text(key)

    config, table = Config(), table_of(Config())
    made = (
        panel(config, table, listen),
        panel(config, table, listen, "whole"),
        similarity(config, table, listen),
    )
    assert {key for key in asked if key.startswith("heatmap.")} == {key for key in FIELDS if key.startswith("heatmap.")}
    assert not [heatmap for heatmap in made if "{" in heatmap.label + heatmap.note]
    assert {heatmap.off_scale.count("{") for heatmap in made} == {2}  # the counts, which the script fills


def test_an_unknown_placeholder_is_an_error() -> None:
    with pytest.raises(UnknownPlaceholder, match="colour"):
        fill("a {colour}", color="red")


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 16, 64, 65, 1000, 32768])
def test_ticks_are_few_start_at_0_and_keep_an_even_step(count: int) -> None:
    places = [place for place, _ in ticks(count)]
    assert places[0] == 0
    assert places[-1] < count
    assert min(count, 4) <= len(places) <= 8


def test_a_probe_is_marked_on_its_row_and_one_out_of_view_below() -> None:
    on_row, below = marks((5, 40), 32, 448)
    assert (on_row.place, on_row.y, on_row.height, on_row.label) == ("row", "15.625%", "3.125%", "◂ 5")
    assert (below.place, below.label_y, below.label) == ("below", "100.000%", "▾ 40")


def test_labels_of_neighbouring_probes_step_aside_and_equal_probes_have_one() -> None:
    def steps(made: list[Mark]) -> list[str]:
        return [mark.label_dy for mark in made]

    assert steps(marks((5, 6), 64, 448)) == ["-0.25em", "0.95em"]
    assert steps(marks((6, 5), 64, 448)) == ["0.95em", "-0.25em"]
    assert steps(marks((50, 40), 32, 448)) == ["0.95em", "-0.25em"]
    assert steps(marks((5, 20), 64, 448)) == ["0.35em", "0.35em"]
    assert [mark.place for mark in marks((5, 5), 64, 448)] == ["row", "twin"]
