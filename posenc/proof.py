"""The five invariants of the encoding, measured on a given table.

Four of them hold for any ladder of frequencies; only `ladder` says that the frequencies are the paper's.
A NaN anywhere breaks all five: NumPy's max and min carry it into `measured`, and no comparison with NaN holds.

Here every pair of rows is compared, which costs n²/2 steps; above ALL_PAIRS_UP_TO rows `prove` takes the bound of
posenc/linear.py, which costs n, and the invariants say so in `method`.
"""

import hashlib
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from posenc import book, linear
from posenc.arrays import Floats, real
from posenc.claims import ALL_PAIRS, BrokenInvariant, Invariant, Proof, Where, invariant
from posenc.config import Config
from posenc.engine import frequencies, rotate

__all__ = ["BrokenInvariant", "Invariant", "Proof", "Where", "fingerprint", "prove"]

ALL_PAIRS_UP_TO = 512


def prove(table: ArrayLike, config: Config) -> Proof:
    """Measure every invariant on `table`, shape (n_positions, d_model), rows for start … start + n − 1."""
    table = real("table", table)
    if table.shape != (config.n_positions, config.d_model):
        raise ValueError(f"table must have shape {(config.n_positions, config.d_model)}, got {table.shape}")
    if config.n_positions > ALL_PAIRS_UP_TO:
        return linear.prove(table, config)
    with np.errstate(invalid="ignore", over="ignore"):
        rows = table.astype(np.float64)
        return Proof(config, tuple(check(rows, config) for check in CHECKS))


def bounded(table: Floats, config: Config) -> Invariant:
    size = np.abs(table)
    row, column = _worst(size)
    return invariant("bounded", size[row, column], _where(row, config, column=column), config)


def length(table: Floats, config: Config) -> Invariant:
    """Each pair has sin² + cos² = 1, so a row has length √(d/2)."""
    error = np.abs(np.sqrt(np.sum(table**2, axis=1)) - math.sqrt(config.n_pairs))
    (row,) = _worst(error)
    return invariant("length", error[row], _where(row, config), config)


def distinct(table: Floats, config: Config) -> Invariant:
    """Euclidean distance of the closest two rows; with one row there is no pair: ∞."""
    if config.n_positions == 1:
        unmatched = math.inf if np.isfinite(table).all() else math.nan
        return invariant("distinct", unmatched, Where(), config, ALL_PAIRS)
    closest, places = [], []
    for k in range(1, config.n_positions):
        distance = np.sqrt(np.sum((table[k:] - table[:-k]) ** 2, axis=1))
        row = int(np.argmin(distance))  # the first NaN, if there is one
        closest.append(distance[row])
        places.append(_where(row, config, k=k))
    worst = int(np.argmin(closest))
    return invariant("distinct", closest[worst], places[worst], config, ALL_PAIRS)


def shift(table: Floats, config: Config) -> Invariant:
    """Largest entry of PE(pos + k) − R_k PE(pos) over all pairs of rows; R_k comes from k and ω alone.

    The idle shift k = 0 is kept: it is what a table of one row is measured by.
    """
    omega = frequencies(config.d_model, config.base)
    largest, places = [], []
    for k in range(config.n_positions):
        residual = np.abs(table[k:] - rotate(table[: len(table) - k], k, omega))
        row, column = _worst(residual)
        largest.append(residual[row, column])
        places.append(_where(row, config, k=k, column=column))
    worst = int(np.argmax(largest))
    return invariant("shift", largest[worst], places[worst], config, ALL_PAIRS)


def ladder(table: Floats, config: Config) -> Invariant:
    positions = config.start + np.arange(config.n_positions, dtype=np.float64)
    error = np.abs(table - book.rows(positions, config.d_model, config.base))
    row, column = _worst(error)
    return invariant("ladder", error[row, column], _where(row, config, column=column), config)


CHECKS: tuple[Callable[[Floats, Config], Invariant], ...] = (bounded, length, distinct, shift, ladder)


def fingerprint(table: Floats) -> str:
    """SHA-256 of the table as text, for another program to check.

    Each value with nine decimals (the tolerance of the proof; −0 written as 0), commas between columns,
    a newline after every row, UTF-8.
    """
    rows = (",".join(f"{value:.9f}" for value in row) for row in np.round(table, 9) + 0.0)
    return hashlib.sha256("".join(f"{row}\n" for row in rows).encode()).hexdigest()


def _where(row: int, config: Config, k: int | None = None, column: int | None = None) -> Where:
    return Where(config.start + row, k, None if column is None else column // 2)


def _worst(error: Floats) -> tuple[int, ...]:
    """Index of the largest entry; argmax takes the first NaN, if there is one, for the largest."""
    return tuple(int(index) for index in np.unravel_index(np.argmax(error), error.shape))
