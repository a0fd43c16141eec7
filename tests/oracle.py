"""Sixty-digit arithmetic: what every float is measured against. Shares nothing with the engine or with the book."""

from collections.abc import Iterable

import mpmath
import numpy as np
from mpmath import mpf

from posenc.arrays import Floats

mpmath.mp.dps = 60


def frequency(pair: int, d_model: int, base: float, spacing: str = "paper") -> mpf:
    steps = d_model // 2 if spacing == "paper" else max(d_model // 2 - 1, 1)
    return mpf(base) ** (-mpf(pair) / steps)


def error(
    rows: Floats, positions: Iterable[float], pairs: Iterable[int], d_model: int, base: float, spacing: str = "paper"
) -> float:
    """Largest error of the given pairs' sines and cosines in interleaved rows."""
    worst = mpf(0)
    pairs = list(pairs)
    omega = {pair: frequency(pair, d_model, base, spacing) for pair in pairs}
    for row, position in zip(np.asarray(rows, dtype=np.float64), positions, strict=True):
        for pair in pairs:
            angle = mpf(position) * omega[pair]
            sin, cos = mpf(float(row[2 * pair])), mpf(float(row[2 * pair + 1]))
            worst = max(worst, abs(sin - mpmath.sin(angle)), abs(cos - mpmath.cos(angle)))
    return float(worst)


def some_pairs(d_model: int, how_many: int = 12) -> list[int]:
    """The first two, the last, and others spread between them."""
    n = d_model // 2
    return sorted({0, min(1, n - 1), n - 1, *range(0, n, max(1, n // how_many))})
