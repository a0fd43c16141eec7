"""The numbers of one table: the single home of 16, 64, 10000, 5, 40 and 1e-9."""

from dataclasses import dataclass

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
        checks.width("d_model", self.d_model)
        checks.integer("n_positions", self.n_positions, 1)
        object.__setattr__(self, "base", checks.real("base", self.base, positive=True))
        checks.span(self.start, self.n_positions)
        checks.real("tolerance", self.tolerance, positive=True)
        for probe in self.probes:
            if checks.integer("probes", probe, 0) >= self.n_positions:
                raise ValueError(f"probes must be below n_positions = {self.n_positions}, got {probe}")

    @property
    def n_pairs(self) -> int:
        return self.d_model // 2
