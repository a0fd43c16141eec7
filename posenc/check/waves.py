"""Columns as waves: which belong together, and how fast and from where each pair turns.

Two columns are sine and cosine of one wave when their squares add to a constant. The pair is then a point on a circle,
and its phase θ_r = atan2(sine, cosine) grows by the same δ (mod 2π) from row to row: θ_r = φ + δ·r. No fit of a matrix
anywhere: δ is the median of wrapped differences, refined over ever longer lags.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.arrays import Floats

Indices = NDArray[np.intp]
TURN = 2 * math.pi
ROUND = 0.7
"""Share of rows at which every pair must lie on its circle, in equal steps, to be tried at all."""

STILL = 1e-15
"""Radians per position below which a wave tells nothing."""

_MEASURED = 192  # rows on which waves are measured
_CELLS, _LEAST = 2**15, 48  # phases that are followed at a time, and of how many rows at least
_COARSE = 1e-3  # radians by which a phase may leave its line: more than any format's rounding, less than any slip
_SAMPLED = 24  # rows by which columns are paired
_HALF = 0.5
_FEW, _ROUNDS = 8, 64  # partners looked at for each column, and how often
_BLOCK = 256  # columns compared with all others at a time


@dataclass(frozen=True, slots=True)
class Layout:
    """Where sines and cosines stand; `alone` is a column of sines without a partner, or None."""

    key: str
    sines: Indices
    cosines: Indices
    alone: int | None = None

    def turned(self, key: str) -> "Layout":
        """The same pairs read the other way round."""
        return Layout(key, self.cosines, self.sines, self.alone)

    def ordered(self, order: Indices) -> "Layout":
        return Layout(self.key, self.sines[order], self.cosines[order], self.alone)


@dataclass(frozen=True, slots=True)
class Waves:
    """Amplitude, step δ and first phase φ of each pair; `steady` is the least share of rows at which a pair keeps them.

    `circular` is the least share of rows at which a pair keeps its amplitude.
    """

    layout: Layout
    amplitude: Floats
    step: Floats
    phase: Floats
    steady: float
    circular: float


def wrap(angle: Floats) -> Floats:
    """The same angle between −π and π."""
    return np.asarray(angle - TURN * np.rint(angle / TURN))


def side(columns: Indices) -> slice | Indices:
    """The same columns as a slice where they stand evenly: to read and write them so is ten times as fast."""
    steps = np.diff(columns)
    if len(columns) < 2 or steps[0] <= 0 or np.any(steps != steps[0]):
        return columns
    return slice(int(columns[0]), int(columns[-1]) + 1, int(steps[0]))


def layouts(width: int) -> list[Layout]:
    """The four usual orders of columns, each before its turned one; with an odd width the last sine stands alone."""
    pairs, odd = divmod(width, 2)
    column = np.arange(width)
    even = column[: 2 * pairs]
    interleaved = Layout("interleaved", even[0::2], even[1::2], width - 1 if odd else None)
    halves = Layout("halves", column[:pairs], column[pairs + odd :], pairs if odd else None)
    found = [interleaved, interleaved.turned("cos-first")]
    if width > 2:
        found += [halves, halves.turned("cos-halves")]
    return found


def circular(table: Floats, layout: Layout, tolerance: float) -> float:
    """The least share of rows, over all pairs, whose squares add to the pair's own constant."""
    squares = table[:, side(layout.sines)] ** 2 + table[:, side(layout.cosines)] ** 2
    if not squares.size:
        return 0.0
    middle = np.median(squares, axis=0)
    slack = 4 * tolerance * np.sqrt(middle) + 4 * tolerance**2
    near = np.abs(squares - middle) <= slack
    return float(np.min(np.mean(near, axis=0))) if np.all(middle > slack) else 0.0


def oriented(measured: Waves, table: Floats, tolerance: float, downwards: bool) -> Layout:
    """The same pairs, fastest first, each so turned that it steps upwards (or downwards); one that hardly steps has
    its cosine where the values are larger."""
    layout = measured.layout
    order = np.argsort(-np.abs(measured.step), kind="stable")
    sines, cosines = layout.sines[order], layout.cosines[order]
    step = measured.step[order]
    still = np.abs(step) * len(table) * np.median(measured.amplitude) < 8 * tolerance + _COARSE
    larger = np.mean(np.abs(table[:, sines]), axis=0) > np.mean(np.abs(table[:, cosines]), axis=0)
    swap = np.where(still, larger, step > 0 if downwards else step < 0)
    return Layout("permuted", np.where(swap, cosines, sines), np.where(swap, sines, cosines), layout.alone)


def matched(table: Floats, tolerance: float) -> Layout | None:
    """Pairs in any order of columns: two belong together when their squares add to the same constant everywhere.

    Over all cells of an encoding the mean of the squares is half that constant.

    The best partners are taken first. Which of two is the sine is not known yet.
    """
    rows, width = table.shape
    if width < 4 or rows < 4:
        return None
    chosen = np.unique(np.linspace(0, rows - 1, min(_SAMPLED, rows)).astype(int))
    squares = table[chosen] ** 2
    if _alone(squares, tolerance):
        return None
    constant = 2 * float(squares.mean()) if width % 2 == 0 else float(squares.max())
    squares = squares - constant / 2
    partners = _partners(squares)
    if len(partners) < width // 2:
        return None
    sines, cosines = (np.array(side) for side in zip(*partners, strict=True))
    left = sorted(set(range(width)) - set(sines.tolist()) - set(cosines.tolist()))
    return Layout("permuted", sines, cosines, left[0] if left else None)


def _alone(squares: Floats, tolerance: float) -> bool:
    """Whether two of the first columns keep to a circle with no other column, not even at half of the rows."""
    alone = 0
    for one in range(min(_FEW, squares.shape[1])):
        sums = np.delete(squares, one, axis=1) + squares[:, one, None]
        middle = np.median(sums, axis=0)
        slack = 4 * tolerance * np.sqrt(middle) + 4 * tolerance**2
        near = np.mean(np.abs(sums - middle) <= slack, axis=0)
        alone += not np.any((near >= _HALF) & (middle > slack))
    return alone > 1


def _partners(squares: Floats) -> list[tuple[int, int]]:
    """Pairs by how well they cancel, each column once; who finds all its nearest taken looks again among the rest."""
    left = np.arange(squares.shape[1])
    pairs: list[tuple[int, int]] = []
    for _ in range(_ROUNDS):
        taken: set[int] = set()
        for _, one, other in _nearest(squares[:, left]):
            if one not in taken and other not in taken:
                taken |= {one, other}
                pairs.append((int(left[one]), int(left[other])))
        left = np.delete(left, sorted(taken))
        if len(left) < 2:
            return pairs
    return pairs + list(zip(left[0::2].tolist(), left[1::2].tolist(), strict=False))


def _nearest(squares: Floats) -> list[tuple[float, int, int]]:
    """Each column with the few that cancel it best, the best of all first."""
    width = squares.shape[1]
    few = min(_FEW, width - 1)
    sizes = np.sum(squares**2, axis=0)
    found: set[tuple[float, int, int]] = set()
    for first in range(0, width, _BLOCK):
        block = squares[:, first : first + _BLOCK]
        apart = sizes[first : first + _BLOCK, None] + sizes[None, :] + 2 * block.T @ squares
        own = np.arange(block.shape[1])
        apart[own, first + own] = np.inf
        best = np.argpartition(apart, few - 1, axis=1)[:, :few]
        exact = np.sum((block[:, :, None] + squares[:, best]) ** 2, axis=0)
        for row, (others, costs) in enumerate(zip(best.tolist(), exact.tolist(), strict=True)):
            one = first + row
            found |= {(cost, min(one, other), max(one, other)) for other, cost in zip(others, costs, strict=True)}
    return sorted(found)


def waves(table: Floats, layout: Layout, tolerance: float, first: int) -> Waves | None:
    """Amplitudes and phases of all pairs, measured on rows without a gap, row `first` and on; φ is that at row 0.

    None if the pairs of this layout do not stay on circles.
    """
    some = spread(len(table))
    round_share = circular(table[some], layout, tolerance)
    if round_share < ROUND:
        return None
    sines, cosines = table[:, side(layout.sines)], table[:, side(layout.cosines)]
    amplitude = np.sqrt(np.median(sines[some] ** 2 + cosines[some] ** 2, axis=0))
    theta = np.arctan2(sines, cosines)
    step = _steps(theta)
    straight = theta[some] - step * some[:, None].astype(np.float64)
    middle = np.arctan2(np.mean(np.sin(straight), axis=0), np.mean(np.cos(straight), axis=0))
    rest = wrap(straight - middle)
    offset = np.median(rest, axis=0)
    near = np.abs(wrap(rest - offset)) * amplitude <= 4 * tolerance + _COARSE * amplitude
    phase = wrap(middle + offset - step * first)
    return Waves(layout, amplitude, wrap(step), phase, float(np.min(np.mean(near, axis=0))), round_share)


def spread(n: int, most: int = _MEASURED) -> Indices:
    """At most so many rows of n, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.intp))


def read_other_way(waves: Waves, key: str) -> Waves:
    """The same waves with sine and cosine changing places: θ becomes π/2 − θ."""
    phase = wrap(math.pi / 2 - waves.phase)
    return Waves(waves.layout.turned(key), waves.amplitude, -waves.step, phase, waves.steady, waves.circular)


def read_as(measured: Waves, layout: Layout) -> Waves:
    """The same waves in another order of the same pairs, some of them with sine and cosine changing places."""
    place = {int(column): pair for pair, column in enumerate(measured.layout.sines)}
    place |= {int(column): pair for pair, column in enumerate(measured.layout.cosines)}
    order = np.array([place[int(column)] for column in layout.sines], dtype=np.intp)
    turned = layout.sines != measured.layout.sines[order]
    step = np.where(turned, -1, 1) * measured.step[order]
    phase = np.where(turned, wrap(math.pi / 2 - measured.phase[order]), measured.phase[order])
    return Waves(layout, measured.amplitude[order], step, phase, measured.steady, measured.circular)


def _steps(theta: Floats) -> Floats:
    """δ of each pair: from row to row, then over 2, 4, 8 … rows, each time so much finer."""
    n = len(theta)
    step = np.zeros(theta.shape[1])
    lag = 1
    most = max(min(_MEASURED, _CELLS // max(theta.shape[1], 1)), _LEAST)
    while lag <= max(n // 2, 1) and lag < n:
        early = spread(n - lag, most)
        rest = theta[early + lag] - theta[early] - lag * step
        middle = np.arctan2(np.mean(np.sin(rest), axis=0), np.mean(np.cos(rest), axis=0))
        step = step + (middle + np.median(wrap(rest - middle), axis=0)) / lag
        lag *= 2
    return step
