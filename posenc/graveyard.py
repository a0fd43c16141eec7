"""Dead claims about the encoding, each with the numbers that refute it at the given width, base and two positions.

A claim is refuted by its own numbers, so there are tables at which one stands: with one pair, or base 1, nothing turns
slower than anything else. `refuted` says whether it fell here. templates/js/graveyard.js mirrors this module for the
claims whose numbers depend on the table.
"""

import math
from dataclasses import dataclass

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.faults import FAULTS

REACH = 255
"""Offsets in which a likeness that grows again is looked for."""

SEEN = 1e-3
"""By how much a likeness must have grown to be seen as grown: three decimals."""

FAR = 10_000
OTHER_BASES = (2.0, 100.0, Config().base, 1e6)
BERT, GPT2 = (512, 768), (1024, 768)
"""Positions and width of the tables that bert-base and gpt2 learn (google-research/bert, openai/gpt-2)."""

WORDS, ORDER, SEED = 5, (3, 0, 4, 1, 2), 3


@dataclass(frozen=True, slots=True)
class Grave:
    """One claim: the numbers of its counter-example by name (int: counted), and whether they refute it."""

    name: str
    numbers: dict[str, float | int]
    refuted: bool


def graves(config: Config) -> tuple[Grave, ...]:
    """The claims whose numbers depend on the table, in the order of their graves."""
    omega = frequencies(config.d_model, config.base)
    return (
        slow_first(config, omega),
        cosine(config, omega),
        column(config),
        limit(config, omega),
        unique(config, omega),
        decay(omega),
        length(config, omega),
        search(config),
        angle(config, omega),
        rotates(config),
        halves(config),
    )


def slow_first(config: Config, omega: Floats) -> Grave:
    """ "The low dimensions change slowly." One step turns the first pair by ω_0, the last by the last ω: degrees."""
    first, last = np.degrees(omega[[0, -1]]).tolist()
    return Grave("slow", {"first": first, "last": last}, last < first)


def cosine(config: Config, omega: Floats) -> Grave:
    """ "The cosine has exponent 2(i + 1)." Then row 1 is not as long as √(d/2)."""
    one = FAULTS["cosine"].rows(np.array([1.0]), config)
    length, true = float(np.linalg.norm(one)), math.sqrt(config.n_pairs)
    return Grave("cosine", {"length": length, "true": true}, abs(length - true) > config.tolerance)


def column(config: Config) -> Grave:
    """ "i counts the columns." Then the first pair's sine and cosine part, turning by 1 and B^(−2/d): degrees."""
    sine, cosine = math.degrees(1), math.degrees(config.base ** (-2 / config.d_model))
    return Grave("column", {"sine": sine, "cosine": cosine}, abs(sine - cosine) > config.tolerance)


def limit(config: Config, omega: Floats) -> Grave:
    """ "The wavelengths reach 2π · B." The longest is 2π · B^((d − 2)/d)."""
    longest, limit = 2 * math.pi / float(omega.min()), 2 * math.pi * config.base
    return Grave("limit", {"longest": longest, "limit": limit}, longest < limit * (1 - config.tolerance))


def unique(config: Config, omega: Floats) -> Grave:
    """ "Rows are unique because of 10000, or up to 10000." Rows 0 and 10000 apart, and the closest of the worked
    example's positions with base 2."""
    far = _distance(omega, FAR)
    two = _closest(config.d_model, OTHER_BASES[0])
    return Grave("unique", {"far": far, "two": two}, min(far, two) > config.tolerance)


def decay(omega: Floats) -> Grave:
    """ "Likeness falls with distance." The first offset that a later one outdoes, and the farthest that does."""
    alike = np.mean(np.cos(np.arange(1, REACH + 1)[:, None] * omega), axis=1)
    later = np.maximum.accumulate(alike[::-1])[::-1]
    near = np.flatnonzero(later[1:] >= alike[:-1] + SEEN)
    if not len(near):
        return Grave("decay", _ends(alike, 0, REACH - 1), refuted=False)
    first = int(near[0])
    last = int(np.flatnonzero(alike >= alike[first] + SEEN)[-1])
    return Grave("decay", _ends(alike, first, last), refuted=True)


def length(config: Config, omega: Floats) -> Grave:
    """ "It works for any length." The slowest pair's turn at the last position, and ten times as far on: degrees."""
    last = config.n_positions - 1
    later = 10 * config.n_positions
    slowest = math.degrees(float(omega.min()))
    seen, ahead = last * slowest, later * slowest
    return Grave("length", {"last": last, "seen": seen, "later": later, "ahead": ahead}, ahead < 360)


def search(config: Config) -> Grave:
    """ "10000 was found by experiment." Of the bases tried in the window, the one that keeps the closest two rows
    farthest apart, and how far; and how far 10000 does."""
    apart = [_closest(config.d_model, base) for base in OTHER_BASES]
    best = int(np.argmax(np.array(apart) > max(apart) - SEEN))  # the first of those that cannot be told apart
    own = apart[OTHER_BASES.index(Config().base)]
    numbers = {"best": int(OTHER_BASES[best]), "apart": apart[best], "own": own}
    return Grave("search", numbers, apart[best] > own)


def angle(config: Config, omega: Floats) -> Grave:
    """ "R_k turns the row by one angle." The first and the last pair's, for k from one probe to the other: degrees."""
    k = config.probes[1] - config.probes[0]
    first, last = (float(turn) for turn in np.degrees(k * omega[[0, -1]]) % 360)
    return Grave("angle", {"k": k, "first": first, "last": last}, abs(first - last) > config.tolerance)


def rotates(config: Config) -> Grave:
    """ "Adding the encoding rotates the word." A word whose every number is 1, alone and at the two probes: lengths."""
    word = math.sqrt(config.d_model)
    one, other = np.linalg.norm(1 + encode(config.probes, config.d_model, config.base), axis=1).tolist()
    a, b = config.probes
    numbers: dict[str, float | int] = {
        "width": config.d_model,
        "word": word,
        "a": a,
        "at-a": one,
        "b": b,
        "at-b": other,
    }
    return Grave("rotates", numbers, max(abs(one - word), abs(other - word)) > config.tolerance)


def halves(config: Config) -> Grave:
    """ "[sin … | cos …] is a bug." The score of the two probes' rows in the paper's order and in halves."""
    a, b = config.probes
    positions = np.array([a, b], dtype=np.float64)
    paired, halved = encode(positions, config.d_model, config.base), FAULTS["halves"].rows(positions, config)
    scores = [float(rows[0] @ rows[1]) for rows in (paired, halved)]
    numbers: dict[str, float | int] = {"a": a, "b": b, "paired": scores[0], "halved": scores[1]}
    return Grave("halves", numbers, abs(scores[0] - scores[1]) <= config.tolerance)


# --- two whose numbers depend on no table


def invariant() -> Grave:
    """ "Attention is permutation invariant." Of seeded random words, the largest change between the outputs of two
    orders: seat by seat, and word by word. Width and base of the worked example, no encoding, no mask."""
    example = Config()
    words, head = seeded_words(WORDS, example.d_model, SEED), seeded_head(example.d_model, SEED)
    told = lab.retelling(words, np.zeros_like(words), ORDER, head, placed=False, causal=False)
    by_seat = float(np.abs(told.second[list(ORDER)] - told.first).max())
    by_word = lab.negligible("the change of a word's output", float(told.differences.max()))
    return Grave("invariant", {"seats": by_seat, "words": by_word}, by_seat > by_word)


def learned() -> Grave:
    """ "BERT, T5 and GPT use sinusoids." How many numbers two of them learn for their positions."""
    bert, gpt2 = math.prod(BERT), math.prod(GPT2)
    return Grave("learned", {"bert": bert, "gpt2": gpt2}, min(bert, gpt2) > 0)


def _ends(alike: Floats, one: int, other: int) -> dict[str, float | int]:
    return {"near": one + 1, "near-likeness": alike[one], "far": other + 1, "far-likeness": alike[other]}


def _distance(omega: Floats, k: int) -> float:
    """Of two rows k apart: D(k)² = Σ 4 sin²(ω_i k / 2)."""
    return math.sqrt(float(np.sum(4 * np.sin(omega * k / 2) ** 2)))


def _closest(d_model: int, base: float) -> float:
    """The closest two of the worked example's positions, at this width and base."""
    return float(lab.distances(frequencies(d_model, base), Config().n_positions - 1).min())
