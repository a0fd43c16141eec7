"""The five invariants of a table whose oddities were set aside: rows upwards, pairs side by side, scale 1.

R_k is built from the table's own frequencies and positions; `ladder` compares with the known table that it should be.
Shift and distinct are bounded by n residuals from the first row, as in posenc/linear.py: for rows p, q with residuals
e_p, e_q, the shift between them is off by at most |e_p| + |e_q|, and their distance is at least that of the model less
both. Where that bound is too weak to tell, the rows themselves are compared, sorted along one direction.
"""

import math

import numpy as np

from posenc.arrays import Floats
from posenc.claims import ALL_PAIRS, EVERY_ROW, Invariant, Where, invariant
from posenc.config import Config
from posenc.linear import SHIFT_BOUND, SORTED_ROWS

_ALL_PAIRS_UP_TO = 2e7  # cells compared
_DIRECTION = 0.6180339887498949  # of the line along which rows are sorted: no pattern of columns follows it


def invariants(
    rows: Floats, positions: Floats, omega: Floats, reference: Floats, tolerance: float
) -> tuple[Invariant, ...]:
    """rows and reference have shape (n, 2m), sine beside cosine; omega has shape (m,)."""
    config = Config(d_model=max(rows.shape[1] // 2 * 2, 2), n_positions=len(rows), probes=(0, 0), tolerance=tolerance)
    with np.errstate(invalid="ignore", over="ignore"):
        return (
            _bounded(rows, positions, config),
            _length(rows, positions, config),
            _distinct(rows, positions, config),
            _shift(rows, positions, omega, config),
            _ladder(rows, reference, positions, config),
        )


def _at(positions: Floats, row: int, column: int | None = None) -> Where:
    position = positions[row]
    known = round(float(position)) if math.isfinite(position) and abs(position) < 2**53 else None
    return Where(known, pair=None if column is None else column // 2)


def _bounded(rows: Floats, positions: Floats, config: Config) -> Invariant:
    row, column = _worst(np.abs(rows))
    claim = invariant("bounded", abs(rows[row, column]), _at(positions, row, column), config)
    return Invariant(claim.name, claim.claim, claim.measured, "<=", 1 + 2 * config.tolerance, claim.where, EVERY_ROW)


def _length(rows: Floats, positions: Floats, config: Config) -> Invariant:
    error = np.abs(np.sqrt(_squares(rows)) - math.sqrt(rows.shape[1] // 2))
    row = int(np.argmax(error))
    measured = invariant("length", error[row], _at(positions, row), config)
    return _within(measured, math.sqrt(rows.shape[1]) * config.tolerance)


def _shift(rows: Floats, positions: Floats, omega: Floats, config: Config) -> Invariant:
    turn = (positions - positions[0])[:, None] * omega
    sine, cosine = np.sin(turn), np.cos(turn)
    residual = rows.copy()
    residual[:, 0::2] -= cosine * rows[0, 0::2] + sine * rows[0, 1::2]
    residual[:, 1::2] -= cosine * rows[0, 1::2] - sine * rows[0, 0::2]
    row, column = _worst(np.abs(residual))
    measured = invariant("shift", 2 * abs(residual[row, column]), _at(positions, row, column), config, SHIFT_BOUND)
    return _within(measured, 6 * config.tolerance)


def _ladder(rows: Floats, reference: Floats, positions: Floats, config: Config) -> Invariant:
    error = np.abs(rows - reference)
    row, column = _worst(error)
    return _within(invariant("ladder", error[row, column], _at(positions, row, column), config), 1.5 * config.tolerance)


def _distinct(rows: Floats, positions: Floats, config: Config) -> Invariant:
    n, width = rows.shape
    if n == 1:
        return invariant("distinct", math.inf if np.isfinite(rows).all() else math.nan, Where(), config, ALL_PAIRS)
    if n * n * width <= _ALL_PAIRS_UP_TO:
        distance, row, k = _closest(rows)
        return invariant("distinct", distance, _between(positions, row, row + k), config, ALL_PAIRS)
    line = rows @ np.cos(_DIRECTION * np.arange(1, width + 1) ** 2)
    order = np.argsort(line, kind="stable")
    apart = np.sqrt(_squares(np.diff(rows[order], axis=0)))
    place = int(np.argmin(apart))
    one, other = sorted((int(order[place]), int(order[place + 1])))
    return invariant("distinct", float(apart[place]), _between(positions, one, other), config, SORTED_ROWS)


def _closest(rows: Floats) -> tuple[float, int, int]:
    best = (math.inf, 0, 1)
    for k in range(1, len(rows)):
        apart = np.sqrt(_squares(rows[k:] - rows[:-k]))
        row = int(np.argmin(apart))
        if not apart[row] >= best[0]:
            best = (float(apart[row]), row, k)
        if math.isnan(best[0]):
            break
    return best


def _squares(rows: Floats) -> Floats:
    """The squared length of each row."""
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def _between(positions: Floats, one: int, other: int) -> Where:
    at = _at(positions, one)
    gap = float(positions[other] - positions[one])
    return Where(at.position, round(gap) if math.isfinite(gap) and gap == round(gap) else None)


def _within(claim: Invariant, bound: float) -> Invariant:
    """The same claim with the bound that the storage of the values allows."""
    return Invariant(claim.name, claim.claim, claim.measured, claim.relation, bound, claim.where, claim.method)


def _worst(error: Floats) -> tuple[int, int]:
    row, column = np.unravel_index(np.argmax(error), error.shape)
    return int(row), int(column)
