"""The numbers of one table: the single home of 16, 64, 10000, 5, 40 and 1e-9."""

from dataclasses import dataclass
from typing import Any

from posenc import checks


@dataclass(frozen=True, slots=True)
class Config:
    """What is built and how it is judged.

    d_model: columns of the table, even; n_positions: rows, for positions start … start + n_positions − 1;
    base: B in ω_i = 1 / B^(2i/d_model); probes: two rows that the pages mark;
    tolerance: largest error that the proof lets pass.
    """

    d_model: int = 16
    n_positions: int = 64
    base: float = 10000.0
    probes: tuple[int, int] = (5, 40)
    tolerance: float = 1e-9
    start: int = 0

    def __post_init__(self) -> None:
        start, n_positions = checks.span(self.start, self.n_positions)
        kept = {
            "d_model": checks.width("d_model", self.d_model),
            "n_positions": n_positions,
            "base": checks.real("base", self.base, positive=True),
            "probes": _two_rows(self.probes, n_positions),
            "tolerance": checks.real("tolerance", self.tolerance, positive=True),
            "start": start,
        }
        for name, value in kept.items():  # whatever kind of number came in, Python's own is kept
            object.__setattr__(self, name, value)

    @property
    def n_pairs(self) -> int:
        return self.d_model // 2


def _two_rows(probes: Any, n_positions: int) -> tuple[int, int]:
    if not isinstance(probes, (tuple, list)) or len(probes) != 2:
        raise checks.failure("probes", probes, "two row numbers")
    for probe in probes:
        if checks.integer("probes", probe, 0) >= n_positions:
            raise ValueError(f"probes must be below n_positions = {n_positions}, got {probe}")
    return int(probes[0]), int(probes[1])
