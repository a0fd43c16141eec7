"""Part 8: scores of two words at one gap, place once added on top and once turned in."""

import math
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.web.format import count, fixed
from posenc.web.parts.curves import dots, scale
from posenc.web.parts.order import ORDER
from posenc.web.parts.setting import SEED, Setting, below
from posenc.web.state import STEP, Field

WORDS, GAP = (0, 2), STEP
DRAWS = 999


def fields() -> tuple[Field, ...]:
    """What the reader can change: which tables were drawn; those of number 0 are the page's own."""
    return (Field("draw", "tables", 0, 0, DRAWS),)


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    scores = _scores(setting)
    places = (setting.table @ setting.head.w_q) @ (setting.table @ setting.head.w_k).T
    widest = lab.widest_gap(scores.additive)
    return {
        "coda.gap": count(GAP),
        "coda.additive": fixed(lab.spread(scores.additive), 1),
        "coda.widest": count(widest),
        "coda.rotary": below("the spread of rotary scores", lab.spread(scores.rotary)),
        "coda.ahead": fixed(_mean(scores.rotary, GAP), 2),
        "coda.behind": fixed(_mean(scores.rotary, -GAP), 2),
        "coda.deviation": fixed(lab.deviation(places, GAP), 2),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    scores, n = _scores(setting), setting.config.n_positions
    low, high = _range(scores)
    return {
        "span": n,
        "scale": scale(low, high, (high, 0, low)),
        "box": f"-1 {-high} {n + 1} {high - low}",
        "all": {
            "additive": fixed(lab.spread(scores.additive), 2),
            "rotary": below("the spread of rotary scores", lab.spread(scores.rotary)),
        },
        "plots": [
            {
                "name": name,
                "dots": dots(np.diagonal(table, GAP).tolist()),
                "mean": fixed(_mean(table, GAP), 2),
                "spread": fixed(float(np.ptp(np.diagonal(table, GAP))), 2),
            }
            for name, table in (("additive", scores.additive), ("rotary", scores.rotary))
        ],
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    query, key = setting.words(len(ORDER))[list(WORDS)]
    return {
        "query": query.tolist(),
        "key": key.tolist(),
        "seed": SEED,
        "draws": DRAWS,
        "bound": lab.ROUNDING,
    }


def _scores(setting: Setting) -> lab.Scores:
    query, key = setting.words(len(ORDER))[list(WORDS)]
    return lab.scores(query, key, setting.table, setting.omega, setting.head)


def _mean(table: Floats, gap: int) -> float:
    return float(np.mean(np.diagonal(table, gap)))


def _range(scores: lab.Scores) -> tuple[int, int]:
    """Lowest and highest score of either scheme, to whole numbers: one scale for both plots."""
    both = np.stack([scores.additive, scores.rotary])
    return math.floor(both.min()), math.ceil(both.max())
