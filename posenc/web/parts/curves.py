"""Waves and dots as SVG paths, y downwards; templates/js/explainer.js draws them the same way."""

import math
from collections.abc import Iterable

import numpy as np

from posenc.web.format import count

LEAST = 120  # points of a curve


def curve(omega: float, span: float, phase: float = 0.0) -> str:
    """The sine from 0 to `span`, a dozen points a swing or more; of many swings, which are small, to two decimals."""
    n = max(LEAST, round(span * omega / (2 * math.pi) * 12))
    digits = 3 if n == LEAST else 2
    x = np.arange(n + 1) * span / n
    y = -np.sin(x * omega + phase)
    return "M" + "L".join(f"{a:.2f} {b + 0.0:.{digits}f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))


def dots(heights: Iterable[float], start: int = 0) -> str:
    """One dot per slot: a stroke of no length with round ends, which stays round in a stretched plot."""
    return "".join(f"M{slot} {-height + 0.0:.3f}h.001" for slot, height in enumerate(heights, start))


def scale(low: float, high: float, levels: Iterable[int]) -> list[tuple[float, str]]:
    """Whole heights of a plot from `low` to `high`: percent from its top, and the number."""
    return [(round(100 * (high - level) / (high - low), 2), count(level)) for level in levels]
