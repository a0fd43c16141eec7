"""Two-dimensional encodings, flattened row by row: some columns tell x, the others y.

Row r of the table belongs to the place (y, x) = (r // W, r % W). A column of x repeats every W rows; a column of y
keeps its value for W rows. Each kind is then a table of its own: W rows of x columns, H rows of y columns.
"""

from dataclasses import dataclass

import numpy as np

from posenc.arrays import Floats
from posenc.check.waves import Indices

LEAST = 4  # rows and columns of a grid
_KEPT, _HALF = 0.9, 0.5


@dataclass(frozen=True, slots=True)
class Grid:
    """Height, width, which columns tell which, and the order: `blocks` for all of one axis before the other,
    `fours` for sin x, cos x, sin y, cos y; `first` is the axis of the first column, `extra` columns fit neither."""

    height: int
    width: int
    x: Indices
    y: Indices
    order: str
    first: str


def grid(table: Floats, tolerance: float) -> Grid | None:
    """The grid that explains every column, if there is one; the squarest, if there are several."""
    rows, columns = table.shape
    if columns < 4:
        return None
    found = []
    for width in range(LEAST, rows // LEAST + 1):
        if rows % width == 0:
            one = _of(table, width, tolerance)
            if one is not None:
                found.append(one)
    return min(found, key=lambda each: abs(each.height - each.width), default=None)


def _of(table: Floats, width: int, tolerance: float) -> Grid | None:
    rows, columns = table.shape
    height = rows // width
    cells = table.reshape(height, width, columns)
    if not _likely(cells, tolerance):
        return None
    along_y = np.median(cells, axis=0)
    along_x = np.median(cells, axis=1)
    is_x = np.mean(np.abs(cells - along_y) <= 2 * tolerance, axis=(0, 1)) >= _KEPT
    is_y = np.mean(np.abs(cells - along_x[:, None, :]) <= 2 * tolerance, axis=(0, 1)) >= _KEPT
    if not np.all(is_x | is_y):
        return None
    sure_x, sure_y = is_x & ~is_y, is_y & ~is_x
    if not sure_x.any() or not sure_y.any():
        return None
    column = np.arange(columns)
    for order, axis in (("blocks", column >= columns // 2), ("fours", column // 2 % 2 == 1)):
        for first in ("x", "y"):
            x = axis == (first == "y")
            if not np.any(sure_x & ~x) and not np.any(sure_y & x):
                return Grid(height, width, np.flatnonzero(x), np.flatnonzero(~x), order, first)
    if np.any(is_x & is_y):
        return None
    return Grid(height, width, np.flatnonzero(is_x), np.flatnonzero(is_y), "mixed", "x" if is_x[0] else "y")


def _likely(cells: Floats, tolerance: float) -> bool:
    """By the first two rows of the grid: every column repeats from one to the next, or stays in the first."""
    repeats = np.mean(np.abs(cells[1] - cells[0]) <= 2 * tolerance, axis=0)
    stays = np.mean(np.abs(cells[0] - cells[0, :1]) <= 2 * tolerance, axis=0)
    return bool(np.all(np.maximum(repeats, stays) >= _HALF))


def axes(table: Floats, found: Grid) -> tuple[Floats, Floats]:
    """The table of x and the table of y."""
    cells = table.reshape(found.height, found.width, table.shape[1])
    return np.asarray(np.median(cells, axis=0)[:, found.x]), np.asarray(np.median(cells, axis=1)[:, found.y])
