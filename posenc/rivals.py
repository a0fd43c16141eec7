"""Four ways to say a place, measured side by side: what each of them keeps and what it gives up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posenc.arrays import Floats
from posenc.config import Config

SHIFTED = Config().n_positions
"""The shifts of the three rivals, and all of one-hot, are measured on so many first positions at most."""


@dataclass(frozen=True, slots=True)
class Rival:
    """One scheme: the widths, lengths and distances of its rows, and its own shift.

    largest: of all |values|; lengths: the shortest and the longest row; apart: the nearest and the
    farthest two rows, None with one row; shift: the largest error of its shift operator, None where
    the proof measures it.
    """

    name: str
    columns: int
    largest: float
    lengths: tuple[float, float]
    apart: tuple[float, float] | None
    shift: float | None


def rivals(table: Floats) -> list[Rival]:
    """Raw index, one-hot, index scaled to 0 … 1, and the encoding itself, over as many positions."""
    n = len(table)
    index = np.arange(n, dtype=np.float64)
    return [_line("raw", index, 1.0), _one_hot(n), _line("scaled", scaled(index, n), step(n)), _sinusoid(table)]


def scaled(position: ArrayLike, n: int) -> Floats:
    """Positions as shares of a text of n words: the first is 0, the last 1."""
    return np.asarray(np.asarray(position, dtype=np.float64) / max(n - 1, 1))


def step(n: int) -> float:
    """From one scaled position to the next."""
    return 1 / max(n - 1, 1)


def _line(name: str, values: Floats, step: float) -> Rival:
    """A single number per position: a shift is the shear (value, 1) → (value + k·step, 1)."""
    first = values[:SHIFTED]
    errors = [float(np.abs(first[k:] - (first[: len(first) - k] + k * step)).max()) for k in range(len(first))]
    size = np.abs(values)
    apart = (float(np.diff(values).min()), float(values[-1] - values[0])) if len(values) > 1 else None
    return Rival(name, 1, float(size.max()), (float(size.min()), float(size.max())), apart, max(errors))


def _one_hot(n: int) -> Rival:
    """A shift moves the 1 on; rows beyond the first are the same row with the 1 further on."""
    rows = np.eye(min(n, SHIFTED))
    errors = [float(np.abs(rows[k:] - np.roll(rows, k, axis=1)[: len(rows) - k]).max()) for k in range(len(rows))]
    return Rival("onehot", n, float(rows.max()), _lengths(rows), _apart(rows), max(errors))


def _sinusoid(table: Floats) -> Rival:
    return Rival("sinusoid", table.shape[1], float(np.abs(table).max()), _lengths(table), _apart(table), shift=None)


def _lengths(rows: Floats) -> tuple[float, float]:
    lengths = np.sqrt(np.sum(rows**2, axis=1))
    return float(lengths.min()), float(lengths.max())


def _apart(rows: Floats) -> tuple[float, float] | None:
    """From the first row to every other: in both schemes a distance depends on the offset alone, if at all."""
    if len(rows) == 1:
        return None
    distance = np.sqrt(np.sum((rows[1:] - rows[0]) ** 2, axis=1))
    return float(distance.min()), float(distance.max())
