"""Ladders: the frequencies that conventions and known bugs give to their pairs. A new one is a new value here.

A ladder is told by a function (pairs, width, base) → ω, radians per position, pair by pair in the order in which its
code writes them. `width` is the d of the exponent 2i/d, which is not always the number of columns.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from posenc.arrays import Floats
from posenc.formats import Format, rounded

Standing = Literal["accepted", "oddity", "rejected"]
Omega = Callable[[int, float, float], Floats]


@dataclass(frozen=True, slots=True)
class Ladder:
    """key names it in words and JSON; standing is what a table on it deserves; takes_base says whether base matters;
    free_units whether its positions are free to be no whole numbers (coordinates of a field rather than of a text);
    phase is the relative error that its frequencies may have whatever the table was stored in (see models.lost)."""

    key: str
    omega: Omega
    standing: Standing = "accepted"
    takes_base: bool = True
    free_units: bool = False
    phase: float = 0.0


@dataclass(frozen=True, slots=True)
class Base:
    """A base that models use; `key` names the note that goes with it, if any."""

    value: float
    standing: Standing = "accepted"
    key: str = ""


def _rungs(pairs: int) -> Floats:
    return np.arange(pairs, dtype=np.float64)


def _power(base: float, exponent: Floats) -> Floats:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.power(float(base), exponent))


def paper(pairs: int, width: float, base: float) -> Floats:
    return _power(base, -2 * _rungs(pairs) / width)


def tensor2tensor(pairs: int, width: float, base: float) -> Floats:
    return _power(base, -_rungs(pairs) / max(pairs - 1, 1))


def octaves(pairs: int, width: float, base: float) -> Floats:
    return _power(2, _rungs(pairs))


def octaves_pi(pairs: int, width: float, base: float) -> Floats:
    return np.minimum(octaves(pairs, width, base), 2.0**1000) * np.pi


def linear(pairs: int, width: float, base: float) -> Floats:
    return _rungs(pairs) + 1


def llama3(pairs: int, width: float, base: float) -> Floats:
    """Llama 3.1's scaling of the paper's ladder: slow waves eight times slower, the middle in between."""
    factor, low, high, length = 8.0, 1.0, 4.0, 8192.0
    omega = paper(pairs, width, base)
    turns = length * omega / (2 * np.pi)
    blend = np.clip((turns - low) / (high - low), 0, 1)
    return (1 - blend) * omega / factor + blend * omega


def held(kind: Format, of: Omega) -> Omega:
    """The frequencies of another ladder, kept in a lower format."""
    return lambda pairs, width, base: rounded(of(pairs, width, base), kind)


def _cached(pairs: int, width: float, base: float) -> Floats:
    """Every frequency twice, as cat((f, f)) leaves them in a rotary cache; as repeat_interleave, in _beside."""
    return np.tile(paper(pairs // 2, pairs, base), 2) if _doubles(pairs) else np.full(pairs, np.nan)


def _beside(pairs: int, width: float, base: float) -> Floats:
    return np.repeat(paper(pairs // 2, pairs, base), 2) if _doubles(pairs) else np.full(pairs, np.nan)


def _doubles(pairs: int) -> bool:
    """Fewer pairs would be told from no slip."""
    return pairs >= 4 and pairs % 2 == 0


def floored(divisor: float) -> Omega:
    """exp of −log(base) / d // 2, floored to a whole number before it is multiplied by 0, 2, 4 …"""

    def omega(pairs: int, width: float, base: float) -> Floats:
        whole = math.floor(-math.log(base) / (divisor * width) / 2)
        return np.asarray(np.exp(whole * 2 * _rungs(pairs)))

    return omega


def _swapped(pairs: int, width: float, base: float) -> Floats:
    return np.asarray((_rungs(pairs) / pairs) ** (1 / base))


def _swapped_to_one(pairs: int, width: float, base: float) -> Floats:
    return np.asarray((_rungs(pairs) / max(pairs - 1, 1)) ** (1 / base))


def _truncated(pairs: int, width: float, base: float) -> Floats:
    return np.asarray(1 / np.floor(_power(base, 2 * _rungs(pairs) / width) + 1e-12))


KNOWN: tuple[Ladder, ...] = (
    Ladder("paper", paper),
    Ladder("tensor2tensor", tensor2tensor),
    Ladder("llama3", llama3),
    Ladder("octaves-pi", octaves_pi, takes_base=False, free_units=True),
    Ladder("octaves", octaves, takes_base=False, free_units=True),
    Ladder("linear", linear, takes_base=False, free_units=True),
    Ladder("paper-float32", held("float32", paper), "oddity"),
    Ladder("tensor2tensor-float32", held("float32", tensor2tensor), "oddity"),
    Ladder("rope-cache", _cached),
    Ladder("rope-cache", _beside),
)

SINGLE: tuple[Ladder, ...] = (
    Ladder("paper-float32", paper, "oddity", phase=2.4e-7),
    Ladder("tensor2tensor-float32", tensor2tensor, "oddity", phase=2.4e-7),
)
"""Frequencies computed in float32, each with an error of its own, under sines of a higher precision."""

BROKEN: tuple[Ladder, ...] = tuple(
    Ladder(key, omega, "rejected")
    for key, omega in (
        ("one-frequency", lambda pairs, width, base: np.ones(pairs)),
        ("exponent-doubled", lambda pairs, width, base: _power(base, -4 * _rungs(pairs) / width)),
        ("exponent-halved", lambda pairs, width, base: _power(base, -_rungs(pairs) / width)),
        ("exponent-from-one", lambda pairs, width, base: _power(base, -2 * (_rungs(pairs) + 1) / width)),
        ("exponent-undivided", lambda pairs, width, base: _power(base, -2 * _rungs(pairs))),
        ("exponent-undivided", lambda pairs, width, base: _power(base, -_rungs(pairs))),
        ("multiplied", lambda pairs, width, base: _power(base, 2 * _rungs(pairs) / width)),
        ("multiplied", lambda pairs, width, base: _power(base, _rungs(pairs) / max(pairs - 1, 1))),
        ("precedence", floored(1)),
        ("precedence", floored(2)),
        ("precedence", lambda pairs, width, base: np.exp(-2 * _rungs(pairs))),
        ("power-swapped", _swapped),
        ("power-swapped", _swapped_to_one),
        ("wrong-logarithm", lambda pairs, width, base: np.exp(-2 * math.log10(base) * _rungs(pairs) / width)),
        ("wrong-logarithm", lambda pairs, width, base: np.exp(-2 * math.log2(base) * _rungs(pairs) / width)),
        ("denominator-truncated", _truncated),
        ("frequencies-bfloat16", held("bfloat16", paper)),
        ("frequencies-bfloat16", held("bfloat16", tensor2tensor)),
        ("frequencies-float16", held("float16", paper)),
        ("frequencies-float16", held("float16", tensor2tensor)),
    )
)
"""Slips in the frequencies alone: tables on them stay bounded, distinct and turn by an exact R_k."""

CONFUSABLE = ("exponent-doubled", "exponent-halved", "exponent-from-one", "multiplied", "one-frequency")
"""Slips whose table may be another base's good one, and is then told beside it."""

BASES: tuple[Base, ...] = (
    Base(10000.0),
    Base(500000.0),
    Base(1000000.0),
    Base(1000.0, "oddity", "missing-zero"),
    Base(100.0, "oddity", "exponent-halved"),
    Base(100000.0, "oddity", "one-zero-more"),
    Base(20.0, "oddity", "small-base"),
    Base(5000000.0),
    Base(10000000.0),
)
"""In the order in which they are tried."""


def base_standing(base: float) -> Base:
    """The known base of that value, or an unusual one."""
    return next((known for known in BASES if known.value == base), Base(base, "oddity", "unusual-base"))
