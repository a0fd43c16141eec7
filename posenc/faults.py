"""Planted faults: tables that are not the encoding, each a slip that is made, or nearly made, in earnest.

A fault is told by its rows: positions in, one row each out, whatever the length of the table. templates/js/faults.js
mirrors them. Which invariants fall on each is not written here: it is measured (posenc/exhibits.py).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.formats import rounded

Rows = Callable[[Floats, Config], Floats]


@dataclass(frozen=True, slots=True)
class Fault:
    """A table by its rows; `mend` names the column that belongs in each place, where only the order is strange."""

    name: str
    rows: Rows
    mend: Callable[[Config], NDArray[np.intp]] | None = None

    def table(self, config: Config) -> Floats:
        """The rows for the positions of `config`, shape (n_positions, d_model)."""
        return self.rows(config.start + np.arange(config.n_positions, dtype=np.float64), config)


def raw_index(config: Config) -> Floats:
    """PE = pos: every column holds the position itself, shape (n_positions, d_model)."""
    return FAULTS["raw"].table(config)


def _raw(positions: Floats, config: Config) -> Floats:
    return np.repeat(positions[:, None], config.d_model, axis=1)


def _cosine(positions: Floats, config: Config) -> Floats:
    """The cosine of pair i at exponent 2(i + 1)."""
    rows = encode(positions, config.d_model, config.base)
    omega = frequencies(config.d_model, config.base)
    rows[:, 1::2] = np.cos(positions[:, None] * omega * config.base ** (-2 / config.d_model))
    return rows


def _exponent(positions: Floats, config: Config) -> Floats:
    """Exponent i/d for 2i/d: the first half of an encoding twice as wide."""
    return encode(positions, 2 * config.d_model, config.base)[:, : config.d_model].copy()


def _sine(positions: Floats, config: Config) -> Floats:
    """The sine in the cosine's place too."""
    rows = encode(positions, config.d_model, config.base)
    rows[:, 1::2] = rows[:, 0::2]
    return rows


def _from_one(positions: Floats, config: Config) -> Floats:
    """Positions counted from 1."""
    return encode(positions + 1, config.d_model, config.base)


def _halves(positions: Floats, config: Config) -> Floats:
    """All sines, then all cosines."""
    rows = encode(positions, config.d_model, config.base)
    return np.hstack([rows[:, 0::2], rows[:, 1::2]])


def _back_in_pairs(config: Config) -> NDArray[np.intp]:
    return np.arange(config.d_model).reshape(2, -1).T.ravel()


def _bfloat16(positions: Floats, config: Config) -> Floats:
    """Positions rounded to bfloat16 before the encoding sees them."""
    return encode(rounded(positions, "bfloat16"), config.d_model, config.base)


FAULTS: dict[str, Fault] = {
    fault.name: fault
    for fault in (
        Fault("raw", _raw),
        Fault("cosine", _cosine),
        Fault("exponent", _exponent),
        Fault("sine", _sine),
        Fault("from-one", _from_one),
        Fault("halves", _halves, _back_in_pairs),
        Fault("bfloat16", _bfloat16),
    )
}
"""In the order in which a page offers them."""
