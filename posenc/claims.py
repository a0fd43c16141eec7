"""What is claimed of the encoding, as values: a claim, its measured number, its bound, and where the worst case is."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from posenc.config import Config

ALL_PAIRS = "every pair of rows"
EVERY_ROW = "every row"


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
    """A claim, the number that was measured for it, the bound that number must keep, and its worst place.

    method says what the number stands on: every row or pair, or a bound from fewer of them.
    """

    name: str
    claim: str
    measured: float
    relation: Literal["<=", ">="]
    bound: float
    where: Where
    method: str = EVERY_ROW

    @property
    def holds(self) -> bool:
        return self.measured <= self.bound if self.relation == "<=" else self.measured >= self.bound

    def brief(self) -> str:
        """Name and, where rounding is all that was measured, how little of it."""
        return f"{self.name} {self.measured:.1e}" if 0 < self.measured < 1e-3 else self.name

    def __str__(self) -> str:
        place = f"; worst at {self.where}" if str(self.where) else ""
        return (
            f"{self.name}: {self.claim}; measured {self.measured:.3g}, must be {self.relation} {self.bound:.3g}{place}"
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


def record(claim: Invariant) -> dict[str, Any]:
    """An invariant for JSON, which has no NaN and no ∞: null stands for both."""
    measured = claim.measured if math.isfinite(claim.measured) else None
    return {**asdict(claim), "measured": measured, "holds": claim.holds}


CLAIMS: dict[str, tuple[str, Literal["<=", ">="]]] = {
    "bounded": ("every value lies in [−1, 1]", "<="),
    "length": ("every row has length √(d/2)", "<="),
    "distinct": ("no two rows are alike", ">="),
    "shift": ("PE(pos + k) = Rₖ PE(pos) for every pos and k in range", "<="),
    "ladder": ("the frequencies are the paper’s: each cell is sin or cos of pos · ωᵢ by the book", "<="),
}


def invariant(name: str, measured: float, where: Where, config: Config, method: str = EVERY_ROW) -> Invariant:
    """The named claim with what was measured for it; its bound is 1 for `bounded`, else the tolerance."""
    claim, relation = CLAIMS[name]
    bound = 1.0 if name == "bounded" else config.tolerance
    return Invariant(name, claim, float(measured), relation, bound, where, method)
