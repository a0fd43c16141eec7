"""The five invariants of the encoding, measured on a given table.

Four of them hold for any ladder of frequencies; only `ladder` says that the frequencies are the paper's.
A NaN anywhere breaks all five: NumPy's max and min carry it into `measured`, and no comparison with NaN
holds.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import frequencies, rotate


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a worst case; what does not apply is None."""

    position: int | None = None
    k: int | None = None
    pair: int | None = None

    def __str__(self) -> str:
        parts = {"position": self.position, "k =": self.k, "pair": self.pair}
        return ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)


@dataclass(frozen=True, slots=True)
class Invariant:
    """A claim, the number that was measured for it, the bound that number must keep, and its worst place."""

    name: str
    claim: str
    measured: float
    relation: Literal["<=", ">="]
    bound: float
    where: Where

    @property
    def holds(self) -> bool:
        return self.measured <= self.bound if self.relation == "<=" else self.measured >= self.bound

    def __str__(self) -> str:
        place = str(self.where) or "nowhere to measure"
        return (
            f"{self.name}: {self.claim}; measured {self.measured:.3g}, "
            f"must be {self.relation} {self.bound:.3g}; worst at {place}"
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """All invariants of one table."""

    config: Config
    invariants: tuple[Invariant, ...]

    @property
    def broken(self) -> tuple[Invariant, ...]:
        return tuple(invariant for invariant in self.invariants if not invariant.holds)

    @property
    def holds(self) -> bool:
        return not self.broken

    def require(self) -> None:
        """Raise BrokenInvariant unless every invariant holds."""
        if not self.holds:
            raise BrokenInvariant(self.broken)


class BrokenInvariant(Exception):  # noqa: N818 - it is what it says
    """At least one invariant does not hold; `invariants` are those that fell."""

    def __init__(self, invariants: tuple[Invariant, ...]) -> None:
        self.invariants = invariants
        super().__init__("\n".join(f"broken invariant {invariant}" for invariant in invariants))


def prove(table: ArrayLike, config: Config) -> Proof:
    """Measure every invariant on `table`, rows for positions 0 … n − 1, shape (n_positions, d_model)."""
    table = np.asarray(table, dtype=np.float64)
    if table.shape != (config.n_positions, config.d_model):
        raise ValueError(f"table must have shape {(config.n_positions, config.d_model)}, got {table.shape}")
    with np.errstate(invalid="ignore", over="ignore"):
        return Proof(config, tuple(check(table, config) for check in CHECKS))


def bounded(table: Floats, config: Config) -> Invariant:
    size = np.abs(table)
    position, column = _worst(size)
    where = Where(position=position, pair=column // 2)
    return Invariant(
        "bounded", "every value lies in [−1, 1]", float(size[position, column]), "<=", 1.0, where
    )


def length(table: Floats, config: Config) -> Invariant:
    """Each pair has sin² + cos² = 1, so a row has length √(d/2)."""
    error = np.abs(np.sqrt(np.sum(table**2, axis=1)) - math.sqrt(config.n_pairs))
    (position,) = _worst(error)
    claim = "every row has length √(d/2)"
    return Invariant("length", claim, float(error[position]), "<=", config.tolerance, Where(position))


def distinct(table: Floats, config: Config) -> Invariant:
    """Euclidean distance of the closest two rows; with one row there is no pair: ∞."""
    claim = "no two rows are alike"
    if config.n_positions == 1:
        unmatched = math.inf if np.isfinite(table).all() else math.nan
        return Invariant("distinct", claim, unmatched, ">=", config.tolerance, Where())
    closest, places = [], []
    for k in range(1, config.n_positions):
        distance = np.sqrt(np.sum((table[k:] - table[:-k]) ** 2, axis=1))
        position = int(np.argmin(distance))  # the first NaN, if there is one
        closest.append(distance[position])
        places.append(Where(position, k))
    worst = int(np.argmin(closest))
    return Invariant("distinct", claim, float(closest[worst]), ">=", config.tolerance, places[worst])


def shift(table: Floats, config: Config) -> Invariant:
    """Largest entry of PE(pos + k) − R_k PE(pos) over all pairs of rows; R_k comes from k and ω alone.

    The idle shift k = 0 is kept: it is what a table of one row is measured by.
    """
    omega = frequencies(config.d_model, config.base)
    largest, places = [], []
    for k in range(config.n_positions):
        residual = np.abs(table[k:] - rotate(table[: len(table) - k], k, omega))
        position, column = _worst(residual)
        largest.append(residual[position, column])
        places.append(Where(position, k, column // 2))
    worst = int(np.argmax(largest))
    return Invariant(
        "shift",
        "PE(pos + k) = Rₖ PE(pos) for every pos and k in range",
        float(largest[worst]),
        "<=",
        config.tolerance,
        places[worst],
    )


def ladder(table: Floats, config: Config) -> Invariant:
    error = np.abs(table - np.array([_by_the_book(pos, config) for pos in range(config.n_positions)]))
    position, column = _worst(error)
    return Invariant(
        "ladder",
        "the frequencies are the paper’s: each cell is sin or cos of pos · ωᵢ by the book",
        float(error[position, column]),
        "<=",
        config.tolerance,
        Where(position, pair=column // 2),
    )


CHECKS: tuple[Callable[[Floats, Config], Invariant], ...] = (bounded, length, distinct, shift, ladder)


def fingerprint(table: Floats) -> str:
    """SHA-256 of the table as text, for another program to check.

    Each value with nine decimals (the tolerance of the proof; −0 written as 0), commas between columns,
    a newline after every row, UTF-8.
    """
    rows = (",".join(f"{value:.9f}" for value in row) for row in np.round(table, 9) + 0.0)
    return hashlib.sha256("".join(f"{row}\n" for row in rows).encode()).hexdigest()


def _by_the_book(position: int, config: Config) -> list[float]:
    """A row from the paper's two formulas with the standard library alone: shares nothing with the engine."""
    row = []
    for i in range(config.d_model // 2):
        angle = position / config.base ** (2 * i / config.d_model)
        row += [math.sin(angle), math.cos(angle)]
    return row


def _worst(error: Floats) -> tuple[int, ...]:
    """Index of the largest entry; argmax takes the first NaN, if there is one, for the largest."""
    return tuple(int(index) for index in np.unravel_index(np.argmax(error), error.shape))
