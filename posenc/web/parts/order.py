"""Part 1: one attention head reads the same words in two orders."""

import math
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.web.format import count, fixed
from posenc.web.parts.setting import Setting, below
from posenc.web.strips import cells

ORDER = (2, 1, 0)  # the second sentence: the first one's words, from last to first


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""

    def change(placed: bool, causal: bool) -> float:
        return float(_retelling(setting, placed=placed, causal=causal).differences.max())

    return {
        "order.same": below("the change of an order-blind output", change(False, False)),
        "order.places": count(round(-math.log10(lab.ROUNDING))),
        "order.placed": fixed(change(True, False), 2),
        "order.masked": fixed(change(False, True), 2),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    told, scale = _retelling(setting, placed=False, causal=False), _scale(setting)
    return {
        "rows": [
            {
                "slots": (word, ORDER.index(word)),
                "first": cells(told.first[word], scale),
                "second": cells(told.second[word], scale),
                "difference": fixed(float(told.differences[word]), 2),
            }
            for word in range(len(ORDER))
        ]
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    head = setting.head
    return {
        "words": setting.words(len(ORDER)).tolist(),
        "order": list(ORDER),
        "head": {"w_q": head.w_q.tolist(), "w_k": head.w_k.tolist(), "w_v": head.w_v.tolist()},
        "scale": _scale(setting),
    }


def _retelling(setting: Setting, *, placed: bool, causal: bool) -> lab.Retelling:
    words = setting.words(len(ORDER))
    return lab.retelling(words, setting.table, ORDER, setting.head, placed=placed, causal=causal)


def _scale(setting: Setting) -> float:
    """One colour scale for all choices: the largest output of the first; beyond it the colour is full."""
    return round(float(np.abs(_retelling(setting, placed=False, causal=False).first).max()), 3)
