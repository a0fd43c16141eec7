"""Small seeded experiments behind the claims that are measured, not proved. A few milliseconds each.

Every function names its assumptions. What is random is seeded, so two runs give the same numbers up to
the last bits of the machine's linear algebra.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc import attention
from posenc.arrays import Floats
from posenc.attention import Head
from posenc.config import Config
from posenc.engine import encode, frequencies, rotate

ROUNDING = 1e-12
"""What exact arithmetic calls zero may measure up to this much in float64 at the sizes used here."""


class Surprise(Exception):  # noqa: N818 - not a programming error: a measurement that denies what is written
    """An experiment came out otherwise than the pages say."""


def negligible(name: str, error: float) -> float:
    """The bound that a page may state for `error`, or a Surprise when the error does not keep it."""
    if not error <= ROUNDING:
        raise Surprise(f"{name} should vanish up to rounding ({ROUNDING:g}), measured {error!r}")
    return ROUNDING


# --- order: attention and the seats of its words


@dataclass(frozen=True, slots=True)
class Retelling:
    """One head's outputs for some words, and for the same words in another order, both listed by word."""

    first: Floats
    second: Floats

    @property
    def differences(self) -> Floats:
        """Largest change of each word's output, shape (n_words,)."""
        return np.asarray(np.abs(self.first - self.second).max(axis=1))


def retelling(
    words: Floats, encoding: Floats, order: Sequence[int], head: Head, *, placed: bool, causal: bool
) -> Retelling:
    """Attention over `words` as they come and in `order`; with `placed`, each seat's encoding is added."""
    seats = list(order)
    places = encoding[: len(words)] if placed else np.zeros_like(words)
    first = attention.attend(words + places, head, causal=causal)
    moved = attention.attend(words[seats] + places, head, causal=causal)
    second = np.empty_like(moved)
    second[seats] = moved
    return Retelling(first, second)


# --- count: what a raw number weighs


@dataclass(frozen=True, slots=True)
class Lengths:
    """Euclidean lengths at one slot and width."""

    raw: float
    word: float
    encoding: float


def lengths(slot: int, d_model: int) -> Lengths:
    """A slot number copied into every column, a word of unit variance (in expectation), and the encoding."""
    return Lengths(slot * math.sqrt(d_model), math.sqrt(d_model), math.sqrt(d_model / 2))


# --- stack: how far apart slots are


def distances(omega: Floats, n_offsets: int) -> Floats:
    """D(k) for k = 1 … n_offsets: distance of two rows k apart, D(k)² = Σ 4 sin²(ω_i k / 2)."""
    k = np.arange(1, n_offsets + 1)[:, None]
    return np.asarray(np.sqrt(np.sum(4 * np.sin(k * omega / 2) ** 2, axis=1)))


def clashes(config: Config) -> list[float]:
    """The closest two rows of the table when only the first 1, 2, … pairs are kept."""
    omega = frequencies(config.d_model, config.base)
    k = np.arange(1, config.n_positions)[:, None]
    squares = np.cumsum(4 * np.sin(k * omega / 2) ** 2, axis=1)
    return [math.sqrt(least) for least in squares.min(axis=0)]


@dataclass(frozen=True, slots=True)
class Margin:
    """The closest that two rows come within some offsets, and the offset where they do."""

    d_model: int
    distance: float
    k: int


def margins(widths: Sequence[int], base: float, n_offsets: int) -> list[Margin]:
    """The margin within `n_offsets` for each width, by the formula of D(k)."""
    found = []
    for d_model in widths:
        apart = distances(frequencies(d_model, base), n_offsets)
        closest = int(np.argmin(apart))
        found.append(Margin(d_model, float(apart[closest]), closest + 1))
    return found


def tie(first: int, second: int) -> float:
    """The frequency whose sine is equally high at two slots, once rising and once falling: π / (p + q)."""
    return math.pi / (first + second)


# --- sum: can word and place be read apart?


@dataclass(frozen=True, slots=True)
class Reading:
    """How often the slot was read back from word + encoding: exactly, and to within one slot."""

    d_model: int
    exact: float
    near: float


def reading_room(widths: Sequence[int], config: Config, *, trials: int, seed: int) -> list[Reading]:
    """Read the slot back out of the sum, for each width.

    Words are random, every column of variance 1; slots are drawn evenly from the table; the reader knows
    the table but not the words and names the slot whose row is nearest. The words of a narrow width are
    the first columns of the widest one's.
    """
    random = np.random.default_rng(seed)
    slots = random.integers(0, config.n_positions, trials)
    words = random.standard_normal((trials, max(widths)))
    found = []
    for d_model in widths:
        table = encode(np.arange(config.n_positions), d_model, config.base)
        alike = words[:, :d_model] @ table.T + (table @ table.T)[slots]  # the sums, row by row, with the table's rows
        read = np.argmax(alike, axis=1)  # rows are equally long: nearest is most alike
        miss = np.abs(read - slots)
        found.append(Reading(d_model, float(np.mean(miss == 0)), float(np.mean(miss <= 1))))
    return found


def blind(n_positions: int) -> Reading:
    """What a reader scores who names any slot of n at random."""
    return Reading(0, 1 / n_positions, (3 * n_positions - 2) / n_positions**2)


# --- turn: the map that carries a slot to a later one


FINE_CUT, COARSE_CUT, PENALTY = 1e-14, 1e-12, 1e-4


@dataclass(frozen=True, slots=True)
class Maps:
    """Maps from a row to the one k slots later, each (d_model, d_model), applied from the right."""

    free: Floats
    coarse: Floats
    ridge: Floats


def fitted_maps(config: Config, k: int) -> Maps:
    """Fit PE(pos) ↦ PE(pos + k) on the table's own rows.

    free: least squares over all d×d entries, singular values below FINE_CUT of the largest dropped;
    coarse: the same below COARSE_CUT, for the fit is ill-conditioned: what is dropped decides the result;
    ridge: least squares with PENALTY on the squared entries.
    Rounded, so that a page can carry the very same numbers: that moves no error by as much as is told of it.
    """
    table = encode(np.arange(config.n_positions), config.d_model, config.base)
    before, after = table[:-k], table[k:]
    free, coarse = (np.linalg.lstsq(before, after, rcond=cut)[0] for cut in (FINE_CUT, COARSE_CUT))
    gram = before.T @ before + PENALTY * np.eye(config.d_model)
    ridge = np.linalg.solve(gram, before.T @ after)
    return Maps(_rounded(free, 10), _rounded(coarse, 10), _rounded(ridge, 4))


@dataclass(frozen=True, slots=True)
class Fit:
    """Largest error at a far slot of maps fitted on near ones."""

    free: float
    coarse: float
    ridge: float
    paired: float


def fit_errors(config: Config, k: int, far: int) -> Fit:
    """The fitted maps at slot `far`, and `paired`: least squares with two unknowns a pair, its cosine and its sine."""
    table = encode(np.arange(config.n_positions), config.d_model, config.base)
    start, goal = encode([far, far + k], config.d_model, config.base)
    maps = fitted_maps(config, k)
    return Fit(
        free=_largest(start @ maps.free - goal),
        coarse=_largest(start @ maps.coarse - goal),
        ridge=_largest(start @ maps.ridge - goal),
        paired=_largest(_turned(start, _fitted_turns(table[:-k], table[k:])) - goal),
    )


def _rounded(matrix: NDArray[np.floating], decimals: int) -> Floats:
    return matrix.astype(np.float64).round(decimals) + 0.0  # never −0


def _fitted_turns(before: Floats, after: Floats) -> Floats:
    """Cosine and sine of each pair's turn by least squares, shape (d_model/2, 2); each row has length 1."""
    sin, cos, later_sin, later_cos = before[:, 0::2], before[:, 1::2], after[:, 0::2], after[:, 1::2]
    cosine = np.mean(sin * later_sin + cos * later_cos, axis=0)
    sine = np.mean(cos * later_sin - sin * later_cos, axis=0)
    return np.stack([cosine, sine], axis=1)


def _turned(row: Floats, turns: Floats) -> Floats:
    sin, cos = row[0::2], row[1::2]
    turned = np.empty_like(row)
    turned[0::2] = turns[:, 0] * sin + turns[:, 1] * cos
    turned[1::2] = -turns[:, 1] * sin + turns[:, 0] * cos
    return turned


def turned_word(word: Floats, config: Config, slot: int, k: int) -> float:
    """How far R_k (E + PE(slot)) lies from E + PE(slot + k): the word should not have turned."""
    here, there = encode([slot, slot + k], config.d_model, config.base)
    turned = rotate(word + here, k, frequencies(config.d_model, config.base))
    return float(np.linalg.norm(turned - (word + there)))


# --- address: likeness of two slots


def likeness(omega: Floats, offset: float) -> float:
    """Cosine similarity of two rows `offset` apart: the mean of cos(ω_i · offset), the same for ±offset."""
    return float(np.mean(np.cos(omega * offset)))


# --- coda: added on top, or lived in


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one query word at each slot against one key word at each slot, shape (n, n)."""

    additive: Floats
    rotary: Floats


def scores(query: Floats, key: Floats, table: Floats, omega: Floats, head: Head) -> Scores:
    """The same two words and matrices, position once added to the words and once turned into q and k.

    Row: the query's slot; column: the key's. Scores are q · k before scaling and softmax.
    """
    n = len(table)
    slots = range(n)
    additive = ((query + table) @ head.w_q) @ ((key + table) @ head.w_k).T
    queries = np.array([rotate(query @ head.w_q, m, omega) for m in slots])
    keys = np.array([rotate(key @ head.w_k, m, omega) for m in slots])
    return Scores(np.asarray(additive), np.asarray(queries @ keys.T))


def spread(table: Floats) -> float:
    """The widest range of scores at one offset."""
    return float(_ranges(table).max())


def widest_gap(table: Floats) -> int:
    """The offset at which the scores range widest: how far the key's slot lies ahead of the query's."""
    return int(np.argmax(_ranges(table).round(9))) + 1 - len(table)


def deviation(table: Floats, offset: int) -> float:
    """Standard deviation of the scores at one offset."""
    return float(np.std(np.diagonal(table, offset)))


def _ranges(table: Floats) -> Floats:
    """Highest less lowest score at each offset, from 1 − n to n − 1."""
    return np.array([np.ptp(np.diagonal(table, k)) for k in range(1 - len(table), len(table))])


def _largest(error: Floats) -> float:
    return float(np.abs(error).max())
