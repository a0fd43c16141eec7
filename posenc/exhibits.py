"""What the instrument measures beside the invariants: the probes, the census, other bases, the faults."""

from dataclasses import dataclass, replace

import numpy as np

from posenc import linear
from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode, frequencies, rotate
from posenc.faults import Fault
from posenc.proof import Proof, prove

SEARCHED = 512
"""Rows in which the first wrong one of a fault is looked for; bfloat16 tells all positions up to 256 apart."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rows: their Euclidean distance, and the largest error of turning the first into the second."""

    distance: float
    turned: float


def compared(config: Config, table: Floats) -> Comparison:
    """The rows of the two probes."""
    a, b = config.probes
    turned = rotate(table[a], b - a, frequencies(config.d_model, config.base))
    distance = np.sqrt(np.sum((table[b] - table[a]) ** 2))
    return Comparison(float(distance), float(np.abs(table[b] - turned).max()))


def unique_rows(table: Floats) -> int:
    """How many rows there are when rows of the very same numbers count once; −0 is 0."""
    return len({row.tobytes() for row in table + 0.0})


def sample(config: Config) -> Config:
    """The same encoding with no more rows than the worked example: enough to prove it in a blink."""
    return replace(config, n_positions=min(config.n_positions, Config().n_positions), probes=(0, 0))


def reproved(config: Config, base: float) -> Proof:
    """The proof with another base. One that broke an invariant raises: the pages say that none does."""
    other = replace(config, base=base)
    proof = prove(encode(np.arange(other.n_positions), other.d_model, base), other)
    proof.require()
    return proof


@dataclass(frozen=True, slots=True)
class Damage:
    """What a fault does to the invariants.

    proof: at the length of the table. first: the first position whose row is not the encoding's, None where no row is
    wrong. later: the verdicts from that position on, None unless the table is too short to show them. mended: with
    the columns put back, None for faults of another kind.
    """

    name: str
    proof: Proof
    first: int | None
    later: Proof | None
    mended: Proof | None


def damage(fault: Fault, config: Config) -> Damage:
    """Measured on no more rows than the worked example, or on as many as it takes to show the first wrong one.

    That is enough for a longer table too, as what has fallen on some rows has fallen on more of them.
    """
    short = sample(config)
    first = first_wrong(fault, config)
    proof, later = _verdicts(fault.table(short), short), None
    if first is not None and first >= short.n_positions:
        grown = replace(short, n_positions=first + 1)
        later = _verdicts(fault.table(grown), grown)
        if first < config.n_positions:
            proof, later = later, None
    mended = None if fault.mend is None else _verdicts(fault.table(short)[:, fault.mend(short)], short)
    return Damage(fault.name, proof, first, later, mended)


def first_wrong(fault: Fault, config: Config) -> int | None:
    """The first position whose row is not the encoding's, looked for near the start first."""
    for rows in (sample(config).n_positions, max(SEARCHED, config.n_positions)):
        longer = replace(config, n_positions=rows, probes=(0, 0))
        positions = np.arange(longer.start, longer.start + rows)
        error = np.abs(fault.table(longer) - encode(positions, config.d_model, config.base))
        wrong = np.flatnonzero(~(error <= config.tolerance).all(axis=1))
        if len(wrong):
            return int(positions[wrong[0]])
    return None


def _verdicts(table: Floats, config: Config) -> Proof:
    """The invariants by the bound that costs n: of faults only the verdicts are told."""
    return linear.prove(table, config)
