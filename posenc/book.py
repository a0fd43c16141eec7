"""The paper's two formulas by the book, in extended precision: the oracle of the proof.

Shares no code and no method with the engine. A number is an unevaluated sum of two floats (Dekker 1971), the frequency
of each pair is a power taken by `decimal`, and 2π is subtracted as often as it goes, as a sum of three floats. The
result is right to about 2e-16 for every position of at most 2^53, where the plain float64 formula is off by 1e-10 at
a million and by 1e-9 at ten million.
"""

from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np

from posenc.arrays import Floats

_TWO_PI = Decimal("6.2831853071795864769252867665590057683943387987502116419498891846156328125724179972")
_SPLIT = 2.0**27 + 1


def rows(positions: Floats, d_model: int, base: float) -> Floats:
    """PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i + 1) = cos of the same; shape (n, d_model)."""
    omega, omega_rest = _frequencies(d_model, base)
    angle, rest = _product(positions[:, None], omega)
    near, far = _remainder(angle, rest + positions[:, None] * omega_rest)
    sin, cos = np.sin(near), np.cos(near)
    table = np.empty((len(positions), d_model))
    table[:, 0::2] = sin + far * cos
    table[:, 1::2] = cos - far * sin
    return table


@lru_cache(maxsize=4)
def _frequencies(d_model: int, base: float) -> tuple[Floats, Floats]:
    """1 / base^(2i/d_model) as sums of two floats."""
    with localcontext(prec=50):
        exact = [Decimal(base) ** (Decimal(-2 * i) / d_model) for i in range(d_model // 2)]
        near = [float(omega) for omega in exact]
        rest = [float(omega - Decimal(part)) for omega, part in zip(exact, near, strict=True)]
    return np.array(near), np.array(rest)


def _remainder(angle: Floats, rest: Floats) -> tuple[Floats, Floats]:
    """angle + rest less the nearest multiple of 2π, as a sum of two floats."""
    turns = np.rint(angle / _PARTS[0])
    whole, whole_rest = _product(turns, _PARTS[0])
    part, part_rest = _product(turns, _PARTS[1])
    total, lost = _sum(angle - whole, rest)  # the difference of two near floats is exact
    for term in (-whole_rest, -part):
        total, more = _sum(total, term)
        lost = lost + more
    return _sum(total, lost - part_rest - turns * _PARTS[2])


def _three_floats(x: Decimal) -> tuple[float, float, float]:
    with localcontext(prec=80):
        first = float(x)
        second = float(x - Decimal(first))
        return first, second, float(x - Decimal(first) - Decimal(second))


_PARTS = _three_floats(_TWO_PI)


def _sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """a + b and what its rounding lost (Knuth)."""
    total = a + b
    seen = total - a
    return total, (a - (total - seen)) + (b - seen)


def _product(a: Floats, b: Floats | float) -> tuple[Floats, Floats]:
    """a·b and what its rounding lost (Dekker, with Veltkamp's splitting)."""
    product = a * b
    a1, a2 = _halves(a)
    b1, b2 = _halves(b)
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2


def _halves(a: Floats | float) -> tuple[Floats, Floats]:
    scaled = np.asarray(a * _SPLIT)
    upper = scaled - (scaled - a)
    return upper, a - upper
