"""The plot of errors against position, both on logarithmic scales: a plain Plotly figure and the drawing under it.

As with the heatmaps, Plotly draws the curves and the hover label alone; scales, names and the rest are the page's own
(templates/figures/precision.html), so that they are there before Plotly comes, without it, and on paper.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from posenc.arrays import Floats
from posenc.config import Config
from posenc.formats import WAYS, Way, errors
from posenc.web import format
from posenc.web.format import fill
from posenc.web.heatmaps import MARGINS, pseudo_html
from posenc.web.script import script_json

Text = Callable[[str], str]

NEAR = 16
"""At each place the worst of so many positions in a row is shown: one alone may be exact by luck."""
PLACES = (1, 10, 100, 240, 256, 1_000, 5_000, 65_536, 1_000_000, 10_000_000)
"""First positions of the runs; bfloat16 holds 240 … 255 exactly and 257 not."""
MOST_COLUMNS = 32
NONE = "—"
FLOOR = 2.0**-53
"""Half a unit in the last place of 1: nearer than that no float64 is to what it stands for."""
X_RANGE = (-0.25, 7.25)  # powers of ten, as Plotly counts along a logarithmic axis
Y_RANGE = (-16.5, 1.0)
HEIGHT = 320  # px
_SYMBOLS = {"float64": "circle", "float32": "square", "bfloat16": "diamond", "engine": "triangle-up"}
_DASHES = {"float64": "2px,3px", "float32": "7px,4px", "bfloat16": "solid", "engine": "solid"}


@dataclass(frozen=True, slots=True)
class Point:
    """The worst error of a run of positions, as written and as drawn: in percent from the plot's left and top."""

    first: int
    error: float
    written: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """One way to compute the encoding: its name on the page and its points; a place without a number has none."""

    way: Way
    name: str
    points: tuple[Point | None, ...]

    @property
    def path(self) -> str:
        """The curve as an SVG path in percent; it breaks where there is no number."""
        steps, pen = [], "M"
        for point in self.points:
            if point is not None:
                steps.append(f"{pen}{point.x:g} {point.y:g}")
            pen = "M" if point is None else "L"
        return "".join(steps)


@dataclass(frozen=True, slots=True)
class Curves:
    """A figure and all that the page shows around it."""

    name: str
    label: str
    figure: dict[str, Any]
    curves: tuple[Curve, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    bound: float | None  # where the proof's tolerance lies, in percent from the top, if it is on the scale
    height: int = HEIGHT

    @property
    def rows(self) -> list[tuple[str, list[str]]]:
        """The same as a table: the run of positions, and each curve's error."""
        return [
            (_run(place), [NONE if point is None else point.written for point in points])
            for place, *points in zip(PLACES, *(curve.points for curve in self.curves), strict=True)
        ]

    @property
    def json(self) -> Markup:
        return script_json(self.figure)


def width(config: Config) -> int:
    """How many columns are tried: enough to see it, few enough to be quick."""
    return min(config.d_model, MOST_COLUMNS)


def precision(config: Config, text: Text) -> Curves:
    """Error against position of the ways to compute the encoding, at the built base."""
    columns = width(config)
    runs = np.add.outer(np.array(PLACES), np.arange(NEAR))
    found = errors(runs.ravel().tolist(), columns, config.base)
    names = {way: text(f"figure.precision.{way}") for way in WAYS}
    curves = tuple(Curve(way, names[way], _points(found[way].reshape(runs.shape).max(axis=1))) for way in WAYS)
    hover = pseudo_html(text("figure.precision.hover"))
    bound = _y(config.tolerance)
    return Curves(
        name="precision",
        label=text("figure.precision.label"),
        figure={
            "data": [_trace(curve, hover) for curve in curves],
            "layout": _layout(),
            "config": {"displayModeBar": False, "doubleClick": False, "showTips": False},
        },
        curves=curves,
        x_ticks=tuple((_x(10.0**power), _power(power)) for power in range(8)),
        y_ticks=tuple((_y(10.0**power), _power(power)) for power in range(-16, 1, 4)),
        bound=bound if 0 < bound < _y(FLOOR) else None,
    )


def _points(worst: Floats) -> tuple[Point | None, ...]:
    return tuple(_point(first, error) for first, error in zip(PLACES, worst.tolist(), strict=True))


def _point(first: int, error: float) -> Point | None:
    """Two digits: more would differ from machine to machine."""
    if not math.isfinite(error):
        return None
    if error <= FLOOR:
        return Point(first, FLOOR, f"{format.style().lead}≤ {format.sci(FLOOR)}", _x(first), _y(FLOOR))
    error = float(f"{error:.1e}")
    written = format.sci(error) if error < 1e-3 else format.fixed(error, max(1 - math.floor(math.log10(error)), 0))
    return Point(first, error, written, _x(first), _y(error))


def _x(position: float) -> float:
    return _percent((math.log10(position) - X_RANGE[0]) / (X_RANGE[1] - X_RANGE[0]))


def _y(error: float) -> float:
    """From the top; what lies beyond the scale stands at its end."""
    return _percent((Y_RANGE[1] - min(math.log10(error), Y_RANGE[1])) / (Y_RANGE[1] - Y_RANGE[0]))


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _power(power: int) -> str:
    return "1" if power == 0 else "10" + (format.superscript(power) if power != 1 else "")


def _run(first: int) -> str:
    return format.span(format.count(first), format.count(first + NEAR - 1))


def _trace(curve: Curve, hover: str) -> dict[str, Any]:
    """Colours are the style sheet's, for light and dark."""
    points = curve.points
    said = (
        None
        if point is None
        else fill(hover, br="<br>", name=pseudo_html(curve.name), run=_run(point.first), error=point.written)
        for point in points
    )
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": curve.name,
        "x": list(PLACES),
        "y": [None if point is None else point.error for point in points],
        "text": list(said),
        "hovertemplate": "%{text}<extra></extra>",
        "cliponaxis": False,
        "line": {"dash": _DASHES[curve.way], "width": 2},
        "marker": {"symbol": _SYMBOLS[curve.way], "size": 8},
    }


def _layout() -> dict[str, Any]:
    bare = {"type": "log", "visible": False, "fixedrange": True, "autorange": False}
    return {
        "margin": {**{side[0]: size for side, size in MARGINS.items()}, "pad": 0},
        "xaxis": {**bare, "range": list(X_RANGE)},
        "yaxis": {**bare, "range": list(Y_RANGE)},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": False,
        "hovermode": "closest",
        "showlegend": False,
        "font": {"family": "system-ui, sans-serif", "size": 13},
        "hoverlabel": {"align": "left"},
    }
