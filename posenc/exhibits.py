"""What the instrument measures beside the invariants: the probes, the census, other bases, the fault."""

from dataclasses import dataclass, replace

import numpy as np

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode, frequencies, rotate
from posenc.faults import raw_index
from posenc.proof import Proof, prove


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


def tampered(config: Config) -> Proof:
    """What the fault PE = pos breaks."""
    return prove(raw_index(config), config)
