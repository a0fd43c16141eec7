"""Exact phases: pos·ω_i modulo one turn, for every position of at most 2^53.

A float64 product pos·ω is wrong by up to half a unit of its last place, and that unit grows with the position:
near 10^7 the phase is off by 1e-9. So a phase is held as a whole number instead. One full turn is 2^64 units
of a uint64, whose overflow is then the reduction modulo a turn, without error and without a division. ω_i / 2π,
the turns per position, carries 128 binary places (two such integers), computed once in long arithmetic:

    pos · ω_i / 2π  =  pos · high · 2^-64  +  pos · low · 2^-128     (mod 1)

The first product wraps exactly; of the second only the carry counts. The result is right to 2 units, 7e-19 radians.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from posenc import checks
from posenc.arrays import Floats

Units = NDArray[np.int64]  # 2^-64 turns, from −½ to ½ of a turn
Spacing = Literal["paper", "tensor2tensor"]

_TWO_PI = Decimal("6.28318530717958647692528676655900576839433879875021164194988918461563281257")
_TURN_HIGH = int(_TWO_PI * 2**18) / 2**18  # the first 21 bits of 2π
_TURN_LOW = float(_TWO_PI - Decimal(_TURN_HIGH))
_DIGITS = 60  # of the long arithmetic, beside those before the point: 2^-128 is 39 of them
_32 = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The frequencies of all pairs: ω_i rounded to float64, and ω_i / 2π as whole + high·2^-64 + low·2^-128."""

    omega: Floats
    whole: NDArray[np.uint64]
    high: NDArray[np.uint64]
    low: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.omega)


def ladder(d_model: int, base: float, spacing: Spacing = "paper") -> Ladder:
    """The frequencies ω_i = base^(−i / steps): steps is d/2 in the paper, d/2 − 1 in tensor2tensor."""
    if not isinstance(spacing, str) or spacing not in get_args(Spacing):
        raise checks.failure("ladder", spacing, f"one of {', '.join(get_args(Spacing))}")
    return _ladder(checks.width("d_model", d_model), checks.real("base", base, positive=True), spacing)


@lru_cache(maxsize=16)
def _ladder(d_model: int, base: float, spacing: Spacing) -> Ladder:
    n_pairs = d_model // 2
    steps = n_pairs if spacing == "paper" else max(n_pairs - 1, 1)
    with localcontext(prec=_DIGITS + abs(Decimal(base).adjusted())):
        omega = list(_frequencies(n_pairs, steps, Decimal(base)))
        turns = [int(frequency / _TWO_PI * 2**128) for frequency in omega]
    rounded = np.array([float(frequency) for frequency in omega])
    if not np.isfinite(rounded).all():
        raise ValueError(f"base must keep every frequency finite, got {base!r}")
    rounded.flags.writeable = False  # it is shared by all who ask

    def limb(shift: int) -> NDArray[np.uint64]:
        return np.array([turn >> shift & (2**64 - 1) for turn in turns], dtype=np.uint64)

    return Ladder(rounded, limb(128), limb(64), limb(0))


def phases(positions: NDArray[np.int64], rungs: Ladder) -> Units:
    """Phase of each whole position for each pair, shape (n, pairs)."""
    size = np.abs(positions).astype(np.uint64)[:, None]
    forward = size * rungs.high + _upper(size, rungs.low)
    return np.where(positions[:, None] < 0, -forward.view(np.int64), forward.view(np.int64))


def fraction_phases(fractions: Floats, rungs: Ladder) -> Units:
    """Phase of the part of a position after its point, 0 ≤ fraction < 1, for each pair; right to 2 units·ω."""
    parts = (fractions * 2.0**64).astype(np.uint64)[:, None]
    return (parts * rungs.whole + _upper(parts, rungs.high)).view(np.int64)


def sin_cos(phase: Units) -> tuple[Floats, Floats]:
    """Sine and cosine of a phase, each right to about one unit in the last place of 1.

    The angle is 2π·phase as an unevaluated sum of two floats: `near` rounds it, `rest` is what rounding lost,
    and sin(near + rest) = sin(near) + rest·cos(near) to well below the last place.
    """
    upper = (phase >> 32) * 2.0**-32
    lower = (phase & 0xFFFFFFFF) * 2.0**-64
    exact = upper * _TURN_HIGH  # 32 and 21 bits: no rounding
    small = upper * _TURN_LOW + lower * float(_TWO_PI)
    near = exact + small
    rest = small - (near - exact)
    sin, cos = np.sin(near), np.cos(near)
    return sin + rest * cos, cos - rest * sin


def _frequencies(n_pairs: int, steps: int, base: Decimal) -> Iterator[Decimal]:
    """ω_i in long arithmetic: one power, the others by multiplying."""
    ratio = (base.ln() / -steps).exp()
    omega = Decimal(1)
    for _ in range(n_pairs):
        yield omega
        omega *= ratio


def _upper(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The upper 64 bits of the 128-bit product a·b, from four products of halves."""
    a1, a0, b1, b0 = a >> _32, a & _LOWER, b >> _32, b & _LOWER
    cross = a1 * b0 + (a0 * b0 >> _32)
    other = a0 * b1 + (cross & _LOWER)
    return np.asarray(a1 * b1 + (cross >> _32) + (other >> _32))
