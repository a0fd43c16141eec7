"""A model: everything that makes a table, so that the table can be made again and compared cell by cell."""

from dataclasses import dataclass

import numpy as np

from posenc.arrays import Floats
from posenc.check.ladders import BASES, Ladder
from posenc.check.storage import Storage
from posenc.check.waves import Layout, side


@dataclass(frozen=True, slots=True)
class Model:
    """value = scale · sin or cos of (position · ω_i + offset_i), position = start + step · row.

    omega has one rung more than there are pairs when a sine stands alone. `amplitudes` and `offsets` are those of a
    rotated vector, else None. `positions` is given when they do not run in equal steps.
    """

    layout: Layout
    ladder: Ladder
    base: float
    width: float
    omega: Floats
    scale: float
    start: float
    step: float
    amplitudes: Floats | None = None
    offsets: Floats | None = None
    positions: Floats | None = None

    def at(self, rows: Floats) -> Floats:
        """Positions of rows, counted from 0."""
        if self.positions is not None:
            return np.asarray(self.positions[rows.astype(np.intp)])
        return np.asarray(self.start + self.step * rows)


def predicted(model: Model, rows: Floats, width: int) -> Floats:
    """The table that the model makes at these rows, shape (rows, width)."""
    made = np.zeros((len(rows), width))
    pairs = len(model.layout.sines)
    angle = model.at(rows)[:, None] * model.omega
    if model.offsets is not None:
        angle[:, :pairs] += model.offsets
    size = model.scale if model.amplitudes is None else model.amplitudes
    made[:, side(model.layout.sines)] = size * np.sin(angle[:, :pairs])
    made[:, side(model.layout.cosines)] = size * np.cos(angle[:, :pairs])
    if model.layout.alone is not None:
        made[:, model.layout.alone] = model.scale * np.sin(angle[:, pairs])
    return made


def lost(phase: float, omega: Floats) -> Floats:
    """By how much a phase may be off for each position, when ω was computed as exp(−e) in the format that `phase`
    tells of: the rounding of e itself makes the error of ω grow with e."""
    return np.asarray(phase * omega * (1 + np.abs(np.log(np.maximum(omega, 1e-300)))))


def slack(model: Model, rows: Floats, width: int, stored: Storage, tolerance: float) -> Floats:
    """How far each cell may be off: more where scale or base was measured, or phases were computed in float32."""
    times = 1.0 if abs(model.scale) == 1 and model.amplitudes is None else 1.5
    if model.ladder.takes_base and all(base.value != model.base for base in BASES):
        times = 3.0  # a base that was measured
    pairs = len(model.layout.sines)
    omega = np.zeros(width)
    omega[model.layout.sines] = omega[model.layout.cosines] = model.omega[:pairs]
    if model.layout.alone is not None:
        omega[model.layout.alone] = model.omega[pairs]
    each = abs(model.scale) * lost(max(stored.phase, model.ladder.phase), omega)
    return np.asarray(np.abs(model.at(rows))[:, None] * each + times * tolerance)
