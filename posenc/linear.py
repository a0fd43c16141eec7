"""The proof in n steps instead of n²/2, in bounded memory, for tables of any length.

Let s be the first position, and e_p = PE(p) − R_(p−s) PE(s) what the shift from the first row leaves over at row p: n
residuals, measured pair by pair. R keeps lengths, and R_a R_b = R_(a+b). Then for every two rows p < q, with k = q − p:

    shift     PE(q) − R_k PE(p) = e_q − R_k e_p,                    so its size is at most |e_q| + |e_p|;
    distinct  PE(q) − PE(p) = R_(p−s) (PE(s+k) − PE(s) − e_(s+k)) + e_q − e_p,
              so its size is at least |PE(s+k) − PE(s)| − |e_(s+k)| − |e_q| − |e_p|.

With E the largest |e|, 2E bounds the shift of all n²/2 pairs, and the least of n − 1 distances from the first row, less
3E, bounds the distance of any two. SLACK covers what float64 rounds while it measures. The largest |e_p| is itself the
shift of the pair (s, p): where the bound breaks by more than a factor of two, that pair is broken.

A table that breaks the bound of `distinct` may still have no two rows alike. If it is at hand, its rows are then
compared themselves, sorted along one direction: rows that are near are near along any.
"""

import itertools
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from posenc import book, tables
from posenc.arrays import Floats
from posenc.claims import Invariant, Proof, Where, invariant
from posenc.config import Config
from posenc.engine import encode

SLACK = 1e-15
"""What measuring one pair of e_p may round: three rounded sums of products below 1, and sines right to 1.5e-16."""

SHIFT_BOUND = "all pairs, bounded by n residuals"
DISTANCE_BOUND = "all pairs, bounded by n − 1 distances"
SORTED_ROWS = "all pairs, rows sorted"

_CELLS = 2**16  # cells measured at a time, to stay near the core
_DIRECTION_SEED = 0
_OUTSIZED, _FEW = 1e3, 100  # values far from any encoding, and how many such rows are compared one by one

Rows = Callable[[int, int], NDArray[np.floating]]
Found = tuple[float, Where]


@dataclass(frozen=True, slots=True)
class Tally:
    """The worst of some rows, each with its place; `nearest` is the least distance from the first row."""

    size: Found
    length: Found
    book: Found
    pair_residual: Found
    row_residual: Found
    nearest: Found

    def __add__(self, later: "Tally") -> "Tally":
        return Tally(
            size=_larger(self.size, later.size),
            length=_larger(self.length, later.length),
            book=_larger(self.book, later.book),
            pair_residual=_larger(self.pair_residual, later.pair_residual),
            row_residual=_larger(self.row_residual, later.row_residual),
            nearest=_smaller(self.nearest, later.nearest),
        )


def prove(table: NDArray[np.floating], config: Config) -> Proof:
    """The proof of a table that is at hand, shape (n_positions, d_model)."""
    invariants = _invariants(lambda first, last: table[first:last], config, lambda done: None)
    return Proof(
        config,
        tuple(
            _distinct_by_sorting(table, config) if claim.name == "distinct" and not claim.holds else claim
            for claim in invariants
        ),
    )


def prove_generated(
    config: Config, dtype: DTypeLike = np.float64, progress: Callable[[int], None] = lambda done: None
) -> Proof:
    """The proof of the table that `posenc.table` makes, row by row as it is made: it never stands in memory whole.

    progress is told how many rows are done.
    """

    def made(first: int, last: int) -> NDArray[np.floating]:
        return tables.table(last - first, config.d_model, config.base, config.start + first, dtype)

    return Proof(config, tuple(_invariants(made, config, progress)))


def _invariants(rows: Rows, config: Config, progress: Callable[[int], None]) -> Iterator[Invariant]:
    total = _tally(rows, config, progress)
    pairs = config.n_pairs
    residual, place = total.pair_residual
    distance, neighbours = total.nearest
    certain = distance - 3 * (total.row_residual[0] + SLACK * math.sqrt(pairs))
    yield invariant("bounded", *total.size, config)
    yield invariant("length", *total.length, config)
    yield invariant("distinct", certain, neighbours if distance < math.inf else Where(), config, DISTANCE_BOUND)
    yield invariant("shift", 2 * (residual + SLACK), place if residual > 0 else Where(), config, SHIFT_BOUND)
    yield invariant("ladder", *total.book, config)


def _tally(rows: Rows, config: Config, progress: Callable[[int], None]) -> Tally:
    """Chunks aligned with the engine's own steps, on every core, added up in their order."""
    n = config.n_positions
    count = max(_CELLS // config.d_model, 1)
    first_cut = count - config.start % count
    starts = itertools.chain([0], range(first_cut, n, count))
    chunks = itertools.pairwise(itertools.chain(starts, [n]))
    origin = rows(0, 1)[0].astype(np.float64)

    def measure(chunk: tuple[int, int]) -> Tally:
        with np.errstate(invalid="ignore", over="ignore"):
            return _measure(rows(*chunk).astype(np.float64), chunk[0], origin, config)

    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    total: Tally | None = None
    with ThreadPoolExecutor(workers) as pool:
        while batch := list(itertools.islice(chunks, 4 * workers)):  # so many at a time: memory does not grow
            for (_, last), tally in zip(batch, pool.map(measure, batch), strict=True):
                total = tally if total is None else total + tally
                progress(last)
    assert total is not None
    return total


def _measure(rows: Floats, first: int, origin: Floats, config: Config) -> Tally:
    """The tally of consecutive rows, the first of them `first` rows after the table's own first."""
    k = np.arange(first, first + len(rows))
    residual = rows - _shifted(origin, k, config)
    squares = residual[:, 0::2] ** 2 + residual[:, 1::2] ** 2
    positions = (config.start + k).astype(np.float64)
    apart = np.sqrt(np.sum((rows - origin) ** 2, axis=1))
    if first == 0:
        apart[0] = math.inf if np.isfinite(apart[0]) else math.nan  # the first row from itself

    def at(row: int, column: int) -> Where:
        return Where(config.start + first + row, pair=column // 2)

    def of(row: int, _: int) -> Where:
        return Where(config.start + first + row)

    def shifted(row: int, column: int) -> Where:
        return Where(config.start, first + row, column)

    return Tally(
        size=_most(np.abs(rows), at),
        length=_most(np.abs(np.sqrt(np.sum(rows**2, axis=1)) - math.sqrt(config.n_pairs)), of),
        book=_most(np.abs(rows - book.rows(positions, config.d_model, config.base)), at),
        pair_residual=_most(np.sqrt(squares), shifted),
        row_residual=_most(np.sqrt(np.sum(squares, axis=1)), of),
        nearest=_least(apart, lambda row, _: Where(config.start, first + row)),
    )


def _shifted(origin: Floats, k: NDArray[np.int64], config: Config) -> Floats:
    """R_k applied to one row, for many k: R_k is made of sin kω and cos kω, from exact phases."""
    turns = encode(k, config.d_model, config.base)
    sin, cos = turns[:, 0::2], turns[:, 1::2]
    turned = np.empty_like(turns)
    turned[:, 0::2] = cos * origin[0::2] + sin * origin[1::2]
    turned[:, 1::2] = cos * origin[1::2] - sin * origin[0::2]
    return turned


def _distinct_by_sorting(table: NDArray[np.floating], config: Config) -> Invariant:
    """Two rows within the tolerance lie within it along any direction: only neighbours along one are compared.

    Where none lies so near, the least gap along that direction is a bound for all distances.
    """
    rows = table.astype(np.float64)
    if not np.isfinite(rows).all():
        return invariant("distinct", math.nan, Where(), config, SORTED_ROWS)
    with np.errstate(over="ignore"):  # far rows may be infinitely far
        best, where = _closest(rows, config)
    return invariant("distinct", best, where, config, SORTED_ROWS)


def _closest(rows: Floats, config: Config) -> Found:
    sizes = np.max(np.abs(rows), axis=1)
    outsized = np.flatnonzero(sizes > _OUTSIZED)
    if len(outsized) > _FEW:
        outsized = outsized[:0]
    best, where = math.inf, Where()
    for row in outsized:  # their heights would be too coarse to sort by
        apart = np.sqrt(np.sum((rows - rows[row]) ** 2, axis=1))
        apart[row] = math.inf
        nearest = int(np.argmin(apart))
        if apart[nearest] < best:
            best, where = float(apart[nearest]), _between(row, np.intp(nearest), config)
    kept = np.delete(np.arange(len(rows)), outsized)
    rounding = 8 * np.finfo(np.float64).eps * config.d_model * float(np.max(sizes[kept], initial=0.0))
    among, place = _closest_along_a_line(rows, kept, config.tolerance, rounding)
    if among < best:
        best, where = among, _between(*place, config) if place else Where()
    return best, where


def _closest_along_a_line(
    rows: Floats, kept: NDArray[np.intp], tolerance: float, rounding: float
) -> tuple[float, tuple[np.intp, np.intp] | None]:
    """A bound for the distance of any two of the kept rows, or the distance of two that are within the tolerance."""
    direction = np.random.default_rng(_DIRECTION_SEED).standard_normal(rows.shape[1])
    heights = rows[kept] @ (direction / np.linalg.norm(direction))
    line = np.argsort(heights, kind="stable")
    order, heights = kept[line], heights[line]
    if len(order) < 2:
        return math.inf, None
    near = tolerance + rounding
    gaps = np.diff(heights)
    row = int(np.argmin(gaps))
    if gaps[row] > near:
        return float(gaps[row]) - rounding, (order[row], order[row + 1])
    best, place = math.inf, None
    for gap in range(1, len(order)):
        (close,) = np.nonzero(heights[gap:] - heights[:-gap] <= near)
        if not len(close):
            break
        ones, others = order[close], order[close + gap]
        apart = np.sqrt(np.sum((rows[ones] - rows[others]) ** 2, axis=1))
        nearest = int(np.argmin(apart))
        if apart[nearest] < best:
            best, place = float(apart[nearest]), (ones[nearest], others[nearest])
        if best < tolerance:
            break
    return min(best, near), place


def _between(one: np.intp, other: np.intp, config: Config) -> Where:
    first, last = sorted((int(one), int(other)))
    return Where(config.start + first, last - first)


def _most(values: Floats, place: Callable[[int, int], Where]) -> Found:
    """The largest value, the first NaN if there is one, and its place by row and column."""
    index = np.unravel_index(np.argmax(values), values.shape)
    return float(values[index]), place(int(index[0]), int(index[-1]))


def _least(values: Floats, place: Callable[[int, int], Where]) -> Found:
    value, where = _most(-values, place)
    return -value, where


def _larger(one: Found, later: Found) -> Found:
    return later if not later[0] <= one[0] and not math.isnan(one[0]) else one


def _smaller(one: Found, later: Found) -> Found:
    return later if not later[0] >= one[0] and not math.isnan(one[0]) else one
