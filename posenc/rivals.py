"""Six ways to say a place on trial: six properties, each a measured number and the bound that it must keep.

Every scheme is tried alike, by its rows alone, on one text of POSITIONS words: what a scheme is called, or meant to
do, plays no part. A NaN anywhere breaks what it touches: `holds` is the claim itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode

POSITIONS = Config().n_positions
"""The length of the text on which all are tried."""

SEED = 1
SLOWEST = 1 / Config().base
"""The frequency that the paper's ladder approaches."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One property of one scheme: the number that decides, its bound, and the numbers that a reader is shown."""

    name: str
    measured: float
    relation: Literal["<=", ">="]
    bound: float
    shown: tuple[float, ...]

    @property
    def holds(self) -> bool:
        return self.measured <= self.bound if self.relation == "<=" else self.measured >= self.bound


@dataclass(frozen=True, slots=True)
class Trial:
    """One scheme and what was found of it."""

    name: str
    findings: tuple[Finding, ...]

    @property
    def held(self) -> int:
        """How many of the properties hold."""
        return sum(finding.holds for finding in self.findings)


# --- the schemes: rows for a text of n words


def sinusoid(n: int, config: Config) -> Floats:
    """The encoding itself, at the width and base of `config`."""
    return encode(np.arange(n), config.d_model, config.base)


def raw_index(n: int, config: Config) -> Floats:
    """The position as one number."""
    return np.arange(n, dtype=np.float64)[:, None]


def scaled_index(n: int, config: Config) -> Floats:
    """The position as a share of the text."""
    return scaled(np.arange(n), n)[:, None]


def one_hot(n: int, config: Config) -> Floats:
    """A column for each position, with a single 1."""
    return np.eye(n)


def single_wave(n: int, config: Config) -> Floats:
    """Sine and cosine at ω = 1: the encoding's first pair alone, which is the same for every width and base."""
    return encode(np.arange(n), 2)


def random_table(n: int, config: Config) -> Floats:
    """Random directions, each row made as long as 1: of random tables the one that keeps most of the properties."""
    rows = np.random.default_rng(SEED).standard_normal((n, config.d_model))
    return np.asarray(rows / np.sqrt(np.sum(rows**2, axis=1, keepdims=True)))


SCHEMES: dict[str, Callable[[int, Config], Floats]] = {
    "sinusoid": sinusoid,
    "raw": raw_index,
    "scaled": scaled_index,
    "onehot": one_hot,
    "wave": single_wave,
    "random": random_table,
}


# --- the properties


def bounded(rows: Floats, config: Config) -> Finding:
    """Every value lies in [−1, 1]: the largest |value|, at most 1 (and what float64 rounds)."""
    largest = float(np.abs(rows).max())
    return Finding("bounded", largest, "<=", 1 + config.tolerance, (largest,))


def length(rows: Floats, config: Config) -> Finding:
    """All rows are equally long: longest less shortest."""
    lengths = np.sqrt(np.sum(rows**2, axis=1))
    shortest, longest = float(lengths.min()), float(lengths.max())
    return Finding("length", longest - shortest, "<=", config.tolerance, (shortest, longest))


def distinct(rows: Floats, config: Config) -> Finding:
    """No two rows are alike: the distance of the closest two, by the same bound as the proof's. How far apart is
    enough is for the reader to say, so the distance itself is shown."""
    closest = float(_apart(rows, *np.triu_indices(len(rows), 1)).min())
    return Finding("distinct", closest, ">=", config.tolerance, (closest,))


def graded(rows: Floats, config: Config) -> Finding:
    """A neighbour is nearer than any stranger: the closest two rows that are two or more positions apart, less the
    farthest two that are one apart. That distance grows with every further step would be more, and is not asked: the
    encoding does not do that either."""
    place = np.arange(len(rows) - 1)
    neighbours = _apart(rows, place, place + 1)
    strangers = _apart(rows, *np.triu_indices(len(rows), 2))
    gap = float(strangers.min() - neighbours.max())
    return Finding("graded", gap, ">=", config.tolerance, (gap,))


def shift(rows: Floats, config: Config) -> Finding:
    """A shift by k is one linear map that keeps lengths, the same for every position: the inner product of two rows
    k apart must be one number for each k, and the widest spread of those numbers is measured.

    Why this decides it. Rows r_0 … r_(n−1); fix k.
    If one orthogonal Q has r_(p+k) = Q r_p for all p < n − k, then ⟨r_(p+k), r_(q+k)⟩ = ⟨Q r_p, Q r_q⟩ = ⟨r_p, r_q⟩.
    If ⟨r_(p+k), r_(q+k)⟩ = ⟨r_p, r_q⟩ for all p, q < n − k, send Σ a_p r_p to Σ a_p r_(p+k). Both have the same
    length, as that is made of these products, so the map is well defined (what is zero goes to zero) and keeps
    lengths on the span of r_0 … r_(n−k−1). Its image has the same dimension, hence so have the complements of span
    and image, and any map between those that keeps lengths completes it to an orthogonal Q of the whole space.
    So there is such a Q for every k exactly when ⟨r_p, r_q⟩ depends on q − p alone. Nothing is fitted: a fit of a
    d×d map to few rows succeeds on any table.
    """
    spread = float(_diagonal_spreads(rows @ rows.T).max())
    return Finding("shift", spread, "<=", config.tolerance, (spread,))


def width(rows: Floats, longer: Floats) -> Finding:
    """A longer text needs no more columns: those for twice as many words less those for this one."""
    columns, more = rows.shape[1], longer.shape[1]
    return Finding("width", more - columns, "<=", 0, (columns, more))


def trials(config: Config) -> tuple[Trial, ...]:
    """Every scheme, on every property."""
    n = POSITIONS
    return tuple(tried(name, rows(n, config), rows(2 * n, config), config) for name, rows in SCHEMES.items())


def tried(name: str, rows: Floats, longer: Floats, config: Config) -> Trial:
    """One scheme by its rows for a text, and by those for a text twice as long."""
    checks = (bounded, length, distinct, graded, shift)
    return Trial(name, (*(check(rows, config) for check in checks), width(rows, longer)))


# --- what the words say beside


def scaled(position: ArrayLike, n: int) -> Floats:
    """Positions as shares of a text of n words: the first is 0, the last 1."""
    return np.asarray(np.asarray(position, dtype=np.float64) / max(n - 1, 1))


def step(n: int) -> float:
    """From one scaled position to the next."""
    return 1 / max(n - 1, 1)


@dataclass(frozen=True, slots=True)
class Clash:
    """The closest two rows of the single wave, how many positions apart they are, and how far two neighbours are."""

    distance: float
    offset: int
    neighbours: float


def clash(n: int = POSITIONS) -> Clash:
    """Where the single wave nearly comes round, in a text of n words."""
    apart = 2 * np.abs(np.sin(np.arange(1, n) / 2))
    closest = int(np.argmin(apart))
    return Clash(float(apart[closest]), closest + 1, float(apart[0]))


def _apart(rows: Floats, one: ArrayLike, other: ArrayLike) -> Floats:
    difference = rows[np.asarray(other)] - rows[np.asarray(one)]
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", difference, difference)))


def _diagonal_spreads(gram: Floats) -> Floats:
    """Largest less smallest entry of each diagonal, from the main one to the corner."""
    n = len(gram)
    first, k = np.arange(n)[:, None], np.arange(n)
    inside = first + k < n
    along = gram[first, np.minimum(first + k, n - 1)]
    return np.asarray(np.where(inside, along, -np.inf).max(axis=0) - np.where(inside, along, np.inf).min(axis=0))
