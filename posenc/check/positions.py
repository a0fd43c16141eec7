"""Positions row by row, for tables whose rows do not run in equal steps, and what their order tells."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posenc.arrays import Floats
from posenc.check.waves import STILL, wrap
from posenc.formats import rounded

MOST = 0.9


@dataclass(frozen=True, slots=True)
class Order:
    """What the positions are: a key, the verdict that it deserves and the numbers to tell."""

    key: str
    standing: str
    numbers: dict[str, float | int]


def recovered(theta: Floats, omega: Floats, error: float) -> Floats:
    """The position of each row from its phases, slowest wave first: each faster one makes it finer."""
    order = [index for index in np.argsort(omega, kind="stable").tolist() if omega[index] > STILL]
    if not order:
        return np.zeros(len(theta))
    first = 0
    while first + 1 < len(order) and error / omega[order[first]] * omega[order[first + 1]] > 1:
        first += 1
    position = theta[:, order[first]] / omega[order[first]]
    for index in order[first + 1 :]:
        position = position + wrap(theta[:, index] - omega[index] * position) / omega[index]
    return np.asarray(position)


def order_of(positions: Floats, fine: float) -> Order:
    """The first description that the positions fit; any others are irregular, which is all that can be said."""
    near = np.abs(positions - np.rint(positions)) <= max(fine, 1e-6)
    positions = np.where(near, np.rint(positions), positions)
    for describe in DESCRIPTIONS:
        found = describe(positions)
        if found is not None:
            return found
    return Order("irregular-positions", "oddity", {"least": float(positions.min()), "most": float(positions.max())})


def _line(positions: Floats) -> tuple[float, float]:
    """Start and step that most rows keep: the most frequent step, then the most frequent start."""
    steps, often = np.unique(np.round(np.diff(positions), 6), return_counts=True)
    moving = steps != 0
    steps, often = (steps[moving], often[moving]) if moving.any() else (steps, often)
    step = float(steps[np.argmax(often)]) if len(steps) else 0.0
    starts, often = np.unique(np.round(positions - step * np.arange(len(positions)), 6), return_counts=True)
    return float(starts[np.argmax(often)]), step


def _clamped(positions: Floats) -> Order | None:
    n = len(positions)
    last = positions[-1]
    run = int(np.argmax(positions[::-1] != last)) if np.any(positions != last) else n
    body = positions[: n - run + 1]
    if run < 2 or len(body) < 2 or len(set(np.round(np.diff(body), 6).tolist())) != 1:
        return None
    return Order("clamped", "rejected", {"row": n - run, "position": float(last)})


def _held(kind: str) -> Callable[[Floats], Order | None]:
    def describe(positions: Floats) -> Order | None:
        if np.any(positions != np.rint(positions)) or not np.any(np.diff(positions) == 0):
            return None
        first = positions[0]
        for start in range(int(first) - 8, int(first) + 9):
            line = start + np.arange(len(positions), dtype=np.float64)
            if np.array_equal(rounded(line, "bfloat16" if kind == "bfloat16" else "float16"), positions):
                row = int(np.argmax(np.diff(positions) == 0))
                numbers = {"start": start, "row": row + 1, "position": float(positions[row])}
                return Order(f"positions-{kind}", "rejected", numbers)
        return None

    return describe


def _reset(positions: Floats) -> Order | None:
    """Counted anew after some rows."""
    down = np.flatnonzero(np.diff(positions) < 0)
    if not len(down):
        return None
    length = int(down[0]) + 1
    line = positions[:length]
    if length < 2 or len(set(np.round(np.diff(line), 6).tolist())) != 1:
        return None
    again = np.resize(line, len(positions))
    return Order("restarted", "rejected", {"row": length}) if np.allclose(again, positions, atol=1e-6) else None


def _repeated(positions: Floats) -> Order | None:
    change = np.flatnonzero(np.diff(positions) != 0)
    if not len(change):
        return None
    times = int(change[0]) + 1
    if times < 2:
        return None
    held = positions[::times]
    steps = set(np.round(np.diff(held), 6).tolist())
    if len(steps) == 1 and np.array_equal(np.repeat(held, times)[: len(positions)], positions):
        return Order("repeated-rows", "rejected", {"times": times})
    return None


def _misplaced(positions: Floats) -> Order | None:
    start, step = _line(positions)
    wrong = np.flatnonzero(np.abs(positions - start - step * np.arange(len(positions))) > 1e-3)
    if step == 0 or not len(wrong) or len(wrong) > (1 - MOST) * len(positions) + 2:
        return None
    row = int(wrong[0])
    numbers = {"count": len(wrong), "row": row, "position": float(positions[row]), "expected": start + step * row}
    return Order("misplaced-rows", "rejected", numbers)


def _jump(positions: Floats) -> Order | None:
    """One step is another than all others: rows are missing, or stand twice."""
    steps = np.round(np.diff(positions), 6)
    kinds, often = np.unique(steps, return_counts=True)
    if len(kinds) != 2 or int(often.min()) != 1 or len(steps) < 4:
        return None
    rare = kinds[int(np.argmin(often))]
    row = int(np.argmax(steps == rare)) + 1
    numbers = {"row": row, "position": float(positions[row]), "before": float(positions[row - 1])}
    return Order("jump", "rejected", numbers)


def _shuffled(positions: Floats) -> Order | None:
    steps = np.diff(np.sort(positions))
    if len(steps) and np.allclose(steps, steps[0], atol=1e-6) and steps[0] > 0:
        return Order("shuffled-rows", "rejected", {"first": float(positions[0]), "second": float(positions[1])})
    return None


def _quantised(positions: Floats) -> Order | None:
    """Whole positions that stand more than once, unevenly."""
    if np.all(positions == np.rint(positions)) and len(np.unique(positions)) < len(positions):
        row = int(np.argmax(np.diff(positions) == 0))
        return Order("repeated-positions", "rejected", {"row": row + 1, "position": float(positions[row])})
    return None


DESCRIPTIONS: tuple[Callable[[Floats], Order | None], ...] = (
    _clamped,
    _held("bfloat16"),
    _held("float16"),
    _reset,
    _jump,
    _repeated,
    _misplaced,
    _shuffled,
    _quantised,
)
