"""Rows and columns that are set aside before judging: those that are zero throughout."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posenc.arrays import Floats
from posenc.check.waves import Indices


@dataclass(frozen=True, slots=True)
class Kept:
    """Rows and columns that remain, and the longest run of rows without a gap."""

    rows: Indices
    columns: Indices
    run: Indices


def kept(table: Floats) -> Iterator[Kept]:
    """What to judge: all but zero rows and columns; a zero column may also be the sine of a wave too slow to move,
    if there are as many columns that stand still."""
    rows = np.flatnonzero(np.any(table, axis=1))
    zero = ~np.any(table, axis=0)
    columns = np.flatnonzero(~zero)
    run = longest_run(rows)
    everything = Kept(rows, np.arange(table.shape[1]), run)
    if not zero.any():
        yield everything
        return
    still = np.all(np.abs(table[rows] - table[rows[:1]]) <= 1e-9, axis=0) & ~zero
    if np.count_nonzero(still) >= np.count_nonzero(zero):
        yield everything
        yield Kept(rows, columns, run)
    else:
        yield Kept(rows, columns, run)
        yield everything


def within(table: Floats, rows: Indices, columns: Indices) -> Floats:
    """These rows and columns; the table itself where they are all of it."""
    return table if table.shape == (len(rows), len(columns)) else np.asarray(table[np.ix_(rows, columns)])


def longest_run(rows: Indices) -> Indices:
    """The longest run of consecutive numbers, the first of equals."""
    cuts = np.flatnonzero(np.diff(rows) != 1) + 1
    return max(np.split(rows, cuts), key=len)
