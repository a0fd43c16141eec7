"""The heatmaps of both pages: plain Plotly figures, each with a picture that stands in for it.

Plotly draws the cells and the hover label alone. Axis labels, scale and probe marks are the page's own
(templates/figures/heatmap.html), so that they are there before Plotly comes, without it, and on paper.
"""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from markupsafe import Markup

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import frequencies, wavelengths
from posenc.web import format, picture
from posenc.web.format import fill
from posenc.web.script import finite, script_json

Text = Callable[[str], str]
Ticks = tuple[tuple[int, str], ...]

MARGINS = {"left": 44, "right": 44, "top": 2, "bottom": 22}  # px around every plot, and around its picture
ROWS_AT_FIRST = 32
SIMILAR_POSITIONS = 64
DECIMALS = 4  # of the values in a figure, and of those in its hover label
PANEL_HEIGHT = 448  # px: a whole number for each of 32 and of 64 rows
ROW_HEIGHT = 28  # px, where there is room
MOST_TICKS = 8
LIMIT = 1.0  # of every colour scale
LABEL_HEIGHT = 16  # px: labels closer than this step aside
MOST_NUMBERS = 64  # rows and columns of a table of numbers; templates/js/numbers.js goes on from there
WHOLE_NUMBERS = 1024  # cells of a table that is written out at once; of larger ones the rows shown at first


@dataclass(frozen=True, slots=True)
class Mark:
    """A framed row and its name at the edge, in SVG's measures; heatmap.js mirrors `marks`."""

    position: int
    place: Literal["row", "below", "twin"]
    y: str
    height: str
    label_y: str
    label_dy: str
    label: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a heatmap shows, as a table to be read: a head, and what is said below it, for every column."""

    summary: str
    caption: str
    part: str  # which part of the whole is shown, and why
    corner: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    chosen: int  # the row of the first mark


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A figure and all that the page shows around it; `rows` is how many of its rows show at first."""

    name: str
    label: str
    figure: dict[str, Any]
    picture: str
    below: str  # which cells lie below zero, for paper without colours
    note: str
    off_scale: str  # {off} and {cells} are left for the script to fill
    numbers: Numbers
    cell: str  # the cell under the cursor, in words
    cursor: tuple[int, int]  # its row and its column
    rows: int
    n_rows: int
    n_columns: int
    limit: float
    x_title: str
    y_title: str
    x_ticks: Ticks
    y_ticks: Ticks
    height: int | None = None  # px; None: as high as it is wide
    probes: tuple[int, ...] = ()
    pair: int | None = None  # the pair that is marked, where the plot follows the page's state

    @property
    def json(self) -> Markup:
        return script_json({**self.figure, "off_scale": self.off_scale})

    @property
    def marks(self) -> list[Mark]:
        return marks(self.probes, self.rows, self.height or PANEL_HEIGHT)

    @property
    def scale(self) -> list[list[float | str]]:
        return picture.colorscale()

    @property
    def ends(self) -> tuple[str, str]:
        return format.general(-self.limit), f"+{format.general(self.limit)}"


def panel(config: Config, table: Floats, text: Text, name: str = "panel", rows: int = ROWS_AT_FIRST) -> Heatmap:
    """The encoding: positions down, dimensions across; so many rows show at first."""
    rows = min(config.n_positions, rows)
    pos = config.probes[0]
    column = pseudo_html(text(f"heatmap.{name}.column"))
    waves = [pseudo_html(text(f"heatmap.wave.{wave}")) for wave in ("sine", "cosine")]
    lengths = [format.measured(length) for length in wavelengths(frequencies(config.d_model, config.base))]
    columns = [
        fill(
            column,
            br="<br>",
            dimension=str(dimension),
            wave=waves[dimension % 2],
            wavelength=lengths[dimension // 2],
        )
        for dimension in range(config.d_model)
    ]
    hover = _hover(text(f"heatmap.{name}.hover"), position="%{y}", column="%{x}")
    trace = {"x": columns, "y": list(range(config.n_positions)), "hovertemplate": hover}
    return _heatmap(
        name,
        table,
        text,
        trace=trace,
        rows=rows,
        height=rows * min(ROW_HEIGHT, PANEL_HEIGHT // rows),
        x_axis={"type": "category"},  # the categories are what the hover label says of a column
        note=text(f"heatmap.{name}.note"),
        probes=config.probes,
        pair=0,
        numbers=_numbers(config, table, text, name, rows),
        cursor=(pos, 0),
        cell=fill(
            text("script.cell"),
            position=format.count(pos),
            dimension="0",
            wave=text("script.wave.sine"),
            wavelength=lengths[0],
            value=format.fixed(float(table[pos, 0]), DECIMALS),
        ),
    )


def similarity(config: Config, table: Floats, text: Text) -> Heatmap:
    """Cosine similarity of the first positions with each other: PE·PEᵀ / (d/2)."""
    first = table[:SIMILAR_POSITIONS]
    position = np.arange(len(first))
    trace = {
        "x": position.tolist(),
        "y": position.tolist(),
        "customdata": (position - position[:, None]).tolist(),
        "hovertemplate": _hover(text("heatmap.similarity.hover"), row="%{y}", column="%{x}", offset="%{customdata}"),
    }
    values = first @ first.T / config.n_pairs
    row, column = (min(probe, len(first) - 1) for probe in config.probes)
    gap = abs(column - row)
    return _heatmap(
        "similarity",
        values,
        text,
        trace=trace,
        note=text("heatmap.similarity.note"),
        numbers=Numbers(
            summary=text("heatmap.numbers"),
            caption=text("heatmap.similarity.numbers"),
            part=text("heatmap.similarity.part"),
            corner=text("heatmap.similarity.gap"),
            columns=((text("heatmap.similarity.score"), ""),),
            rows=tuple((format.count(k), (format.fixed(float(values[0, k]), DECIMALS),)) for k in position.tolist()),
            chosen=gap,
        ),
        cursor=(row, column),
        cell=fill(
            text("script.like.cell"),
            row=format.count(row),
            column=format.count(column),
            gap=format.count(gap),
            value=format.fixed(float(values[0, gap]), DECIMALS),
        ),
    )


def _numbers(config: Config, table: Floats, text: Text, name: str, rows: int) -> Numbers:
    """All of a small table; of a larger one the rows that show at first."""
    columns = min(config.d_model, MOST_NUMBERS)
    whole = config.n_positions <= MOST_NUMBERS and config.n_positions * config.d_model <= WHOLE_NUMBERS
    shown = config.n_positions if whole else min(rows, MOST_NUMBERS)
    waves = text("script.wave.sine"), text("script.wave.cosine")
    return Numbers(
        summary=text("heatmap.numbers"),
        caption=text(f"heatmap.{name}.numbers"),
        part=fill(
            text("script.numbers.part"),
            first="0",
            last=format.count(shown - 1),
            rows=format.count(config.n_positions),
            left="0",
            right=format.count(columns - 1),
            columns=format.count(config.d_model),
        ),
        corner=text(f"heatmap.{name}.y"),
        columns=tuple((format.count(dimension), waves[dimension % 2]) for dimension in range(columns)),
        rows=tuple(
            (format.count(position), tuple(format.fixed(value, DECIMALS) for value in row))
            for position, row in enumerate(table[:shown, :columns].tolist())
        ),
        chosen=config.probes[0],
    )


def ticks(count: int) -> Ticks:
    """Every 1st, 2nd, 4th … cell, at most MOST_TICKS of them: even steps keep to sine columns."""
    step = 1
    while step * MOST_TICKS < count:
        step *= 2
    return tuple((index, str(index)) for index in range(0, count, step))


def marks(probes: Sequence[int], rows: int, height: float) -> list[Mark]:
    """One mark per probe: on its row, or below the last row that shows; the same row twice has one mark."""
    centres = [(probe + 0.5) / rows if probe < rows else 1.0 for probe in probes]
    made = []
    for index, probe in enumerate(probes):
        inside = probe < rows
        gaps = [centres[index] - centre for at, centre in enumerate(centres) if at != index]
        crowd = [gap for gap in gaps if abs(gap) * height < LABEL_HEIGHT]
        lower = any(gap > 0 or (gap == 0 and probe > min(probes)) for gap in crowd)
        made.append(
            Mark(
                position=probe,
                place="twin" if probe in probes[:index] else "row" if inside else "below",
                y=_percent(probe / rows),
                height=_percent(1 / rows),
                label_y=_percent(centres[index]),
                label_dy=("0.95em" if lower else "-0.25em") if crowd else "0.35em",
                label=f"{'◂' if inside else '▾'} {probe}",
            )
        )
    return made


def _heatmap(
    name: str,
    values: Floats,
    text: Text,
    *,
    trace: dict[str, Any],
    note: str,
    numbers: Numbers,
    cell: str,
    cursor: tuple[int, int],
    rows: int | None = None,
    height: int | None = None,
    x_axis: dict[str, Any] | None = None,
    probes: tuple[int, ...] = (),
    pair: int | None = None,
) -> Heatmap:
    values = np.round(values, DECIMALS) + 0.0
    n_rows, n_columns = values.shape
    rows = n_rows if rows is None else rows
    size = format.general(LIMIT)
    data = {"type": "heatmap", "z": _cells(values), **trace, **_scale()}
    return Heatmap(
        name=name,
        label=fill(text(f"heatmap.{name}.label"), rows=str(n_rows), columns=str(n_columns), limit=size),
        figure={
            "data": [data],
            "layout": _layout(n_columns, rows, x_axis or {}),
            "config": {"displayModeBar": False, "doubleClick": False, "showTips": False},
        },
        picture=picture.data_uri(values, LIMIT),
        below=picture.below_uri(values),
        note=note,
        numbers=numbers,
        cell=cell,
        cursor=cursor,
        off_scale=fill(text("heatmap.off"), off="{off}", cells="{cells}", limit=size),
        rows=rows,
        n_rows=n_rows,
        n_columns=n_columns,
        limit=LIMIT,
        x_title=text(f"heatmap.{name}.x"),
        y_title=text(f"heatmap.{name}.y"),
        x_ticks=ticks(n_columns),
        y_ticks=ticks(rows),
        height=height,
        probes=probes,
        pair=pair,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3f}%"


def _cells(values: Floats) -> list[list[float | None]]:
    """Plotly leaves a cell empty where there is no number."""
    return [[finite(value) for value in row] for row in values.tolist()]


def _scale() -> dict[str, Any]:
    return {
        "zmin": -LIMIT,
        "zmax": LIMIT,
        "zauto": False,
        "zsmooth": False,
        "colorscale": picture.colorscale(),
        "showscale": False,
    }


def _layout(columns: int, rows: int, x_axis: dict[str, Any]) -> dict[str, Any]:
    """Bare: the first row is on top, and a swipe over it scrolls the page."""
    bare = {"visible": False, "fixedrange": True, "autorange": False}
    numbers = {"type": "linear", "hoverformat": "d"}
    signs = format.style()
    return {
        "separators": (signs.decimal + signs.group)[:2],
        "margin": {**{side[0]: size for side, size in MARGINS.items()}, "pad": 0},
        "xaxis": {**bare, **(x_axis or numbers), "range": [-0.5, columns - 0.5]},
        "yaxis": {**bare, **numbers, "range": [rows - 0.5, -0.5]},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": picture.NOT_A_NUMBER,  # shows through cells without a number
        "dragmode": False,
        "hovermode": "closest",
        "showlegend": False,
        "font": {"family": "system-ui, sans-serif", "size": 13},
        "hoverlabel": {"align": "left"},
    }


def _hover(template: str, **fields: str) -> str:
    value = f"%{{z:.{DECIMALS}f}}"
    # <extra> is the trace's name in a box of its own, wanted nowhere
    return fill(pseudo_html(template), br="<br>", value=value, **fields) + "<extra></extra>"


def pseudo_html(text: str) -> str:
    """Plotly reads <, > and & in texts as markup."""
    return html.escape(text, quote=False)
