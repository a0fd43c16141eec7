"""Known bugs that no ladder tells: tables of another make. A new bug is a new value in SHAPES or in MADE.

SHAPES know a table by what it plainly is. MADE make the table that a slip makes, to be compared cell by cell.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posenc.arrays import Floats
from posenc.check.ladders import paper, tensor2tensor

Numbers = dict[str, float | int]


@dataclass(frozen=True, slots=True)
class Shape:
    """Known by itself: `told` gives the numbers of a table that is one, None for any other. `standing` is what it
    deserves: rejected, or foreign for what is no sinusoidal encoding at all."""

    key: str
    told: Callable[[Floats, float], Numbers | None]
    standing: str = "rejected"


@dataclass(frozen=True, slots=True)
class Made:
    """Known by making it: (positions, columns, base) → table."""

    key: str
    make: Callable[[Floats, int, float], Floats]


def _all_zero(table: Floats, tolerance: float) -> Numbers | None:
    return None if np.any(table) else {}


def _constant(table: Floats, tolerance: float) -> Numbers | None:
    return {} if len(table) > 1 and np.all(np.abs(table - table[0]) <= tolerance) else None


def _raw(table: Floats, tolerance: float) -> Numbers | None:
    """Every column the position, or the position over something."""
    if len(table) < 3 or table.shape[1] < 2 or np.any(np.abs(table - table[:, :1]) > tolerance):
        return None
    if not _linear(table[:, :1], tolerance)[0]:
        return None
    return {"step": float(table[-1, 0] - table[0, 0]) / (len(table) - 1), "largest": float(np.abs(table).max())}


def _angles(table: Floats, tolerance: float) -> Numbers | None:
    if len(table) < 4 or table.shape[1] < 2 or np.abs(table).max() < 1.5:
        return None
    return {"largest": float(np.abs(table).max())} if np.all(_linear(table, tolerance)) else None


def _linear(table: Floats, tolerance: float) -> np.ndarray:
    """Which columns grow in equal steps; float32 may have rounded large ones."""
    slope = (table[-1] - table[0]) / (len(table) - 1)
    line = table[0] + slope * np.arange(len(table))[:, None]
    return np.asarray(
        np.all(np.abs(table - line) <= 4 * tolerance * np.maximum(1, np.abs(line)), axis=0) & (slope != 0)
    )


def _one_hot(table: Floats, tolerance: float) -> Numbers | None:
    ones = np.abs(table - 1) <= tolerance
    zeros = np.abs(table) <= tolerance
    if not np.all(ones | zeros) or ones.sum(axis=1).max() > 1:
        return None
    held = np.argmax(ones[ones.any(axis=1)], axis=1)
    return {} if len(held) > 2 and len(np.unique(held)) > 2 else None


SHAPES: tuple[Shape, ...] = (
    Shape("all-zeros", _all_zero),
    Shape("constant-rows", _constant),
    Shape("raw-index", _raw),
    Shape("angles", _angles),
    Shape("one-hot", _one_hot, "foreign"),
)


def _angle(positions: Floats, omega: Floats) -> Floats:
    return np.asarray(positions[:, None] * omega)


def _interleaved(sines: Floats, cosines: Floats, columns: int) -> Floats:
    table = np.empty((len(sines), 2 * sines.shape[1]))
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table[:, :columns]


def _both(key: str, of: Callable[[Floats, Floats, int, float], tuple[Floats, Floats]]) -> tuple[Made, ...]:
    """A slip in the paper's layout and in halves, on the paper's and on tensor2tensor's ladder."""

    def made(halves: bool, ladder: Callable[[int, float, float], Floats]) -> Made:
        def make(positions: Floats, columns: int, base: float) -> Floats:
            pairs = (columns + 1) // 2
            sides = of(positions, ladder(pairs, columns, base), columns, base)
            return np.hstack(sides)[:, :columns] if halves else _interleaved(*sides, columns)

        return Made(key, make)

    return tuple(made(halves, ladder) for ladder in (paper, tensor2tensor) for halves in (False, True))


def _layer_normed(small: float) -> Callable[[Floats, Floats, int, float], tuple[Floats, Floats]]:
    """Each row less its mean, over its spread; `small` is what keeps the division finite."""

    def of(positions: Floats, omega: Floats, columns: int, base: float) -> tuple[Floats, Floats]:
        sines, cosines = np.sin(_angle(positions, omega)), np.cos(_angle(positions, omega))
        rows = np.hstack([sines, cosines])
        middle = rows.mean(axis=1, keepdims=True)
        size = np.sqrt(rows.var(axis=1, keepdims=True) + small)
        return (sines - middle) / size, (cosines - middle) / size

    return of


def _rope_mixed(positions: Floats, columns: int, base: float) -> Floats:
    """A vector of ones rotated with columns j and j + d/2 as pairs, by angles that belong to 2i and 2i + 1."""
    half = columns // 2
    angle = np.repeat(_angle(positions, paper(half, columns, base)), 2, axis=1)
    left, right = angle[:, :half], angle[:, half:]
    return np.hstack([np.cos(left) - np.sin(left), np.cos(right) + np.sin(right)])


def _rope_mixed_back(positions: Floats, columns: int, base: float) -> Floats:
    """The other way: neighbours as pairs, by angles that belong to j and j + d/2."""
    half = columns // 2
    angle = np.tile(_angle(positions, paper(half, columns, base)), 2)
    left, right = angle[:, 0::2], angle[:, 1::2]
    return _interleaved(np.cos(left) - np.sin(left), np.cos(right) + np.sin(right), columns)


def _rows_not_columns(positions: Floats, columns: int, base: float) -> Floats:
    angle = np.repeat(_angle(positions, paper((columns + 1) // 2, columns, base)), 2, axis=1)[:, :columns]
    table = np.sin(angle)
    table[1::2] = np.cos(angle[1::2])
    return table


def _swapped(positions: Floats, columns: int, base: float) -> Floats:
    """Position and dimension change places."""
    with np.errstate(over="ignore", under="ignore"):
        rate = float(base) ** (-2 * positions / columns)
    angle = rate[:, None] * np.arange((columns + 1) // 2)
    return _interleaved(np.sin(angle), np.cos(angle), columns)


MADE: tuple[Made, ...] = (
    *_both(
        "per-column-exponent", lambda p, w, d, b: (np.sin(_angle(p, w**2)), np.cos(_angle(p, w**2 * b ** (-2 / d))))
    ),
    *_both("per-column-exponent", lambda p, w, d, b: (np.sin(_angle(p, w)), np.cos(_angle(p, w * b ** (-1 / d))))),
    *_both("cosine-one-ahead", lambda p, w, d, b: (np.sin(_angle(p, w)), np.cos(_angle(p, w * b ** (-2 / d))))),
    *_both("same-wave-twice", lambda p, w, d, b: (np.sin(_angle(p, w)), np.sin(_angle(p, w)))),
    *_both("same-wave-twice", lambda p, w, d, b: (np.cos(_angle(p, w)), np.cos(_angle(p, w)))),
    *_both("cosine-of-sine", lambda p, w, d, b: (np.sin(_angle(p, w)), np.cos(np.sin(_angle(p, w))))),
    *_both("integers", lambda p, w, d, b: (np.trunc(np.sin(_angle(p, w))), np.trunc(np.cos(_angle(p, w))))),
    *_both("integers", lambda p, w, d, b: (np.rint(np.sin(_angle(p, w))), np.rint(np.cos(_angle(p, w))))),
    *_both("layer-normed", _layer_normed(1e-5)),
    *_both("layer-normed", _layer_normed(0.0)),
    Made("rope-mixed", _rope_mixed),
    Made("rope-mixed", _rope_mixed_back),
    Made("rows-not-columns", _rows_not_columns),
    Made("swapped", _swapped),
)
