"""Part 1: one attention head reads the same words in two orders."""

import math
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import weights
from posenc.web import state
from posenc.web.format import count, fixed
from posenc.web.parts.setting import SEED, Setting, below
from posenc.web.strips import cells

ORDER = (2, 1, 0)  # the second sentence: the first one's words, from last to first
LEAST, MOST, LETTERS = 2, 8, 12  # words that a reader may type, and letters of each
HASH, GENERATOR = "FNV-1a", "mulberry32"  # what gives a typed word its numbers, in templates/js/words.js


def fields() -> tuple[state.Field, ...]:
    """What the reader can change: whether words have a place, and whether the future is hidden."""
    return state.toggle("placed", "placed"), state.toggle("mask", "mask")


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""

    def change(placed: bool, causal: bool) -> float:
        return float(_retelling(setting, placed=placed, causal=causal).differences.max())

    return {
        "order.same": _same(setting),
        "order.places": count(round(-math.log10(lab.ROUNDING))),
        "order.placed": fixed(change(True, False), 2),
        "order.masked": fixed(change(False, True), 2),
        "order.hash": HASH,
        "order.generator": GENERATOR,
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    told, scale = _retelling(setting, placed=False, causal=False), _scale(setting)
    first = range(len(ORDER))
    words = setting.words(len(ORDER))
    return {
        "rows": [
            {
                "slots": (word, ORDER.index(word)),
                "first": cells(told.first[word], scale),
                "second": cells(told.second[word], scale),
                "difference": fixed(float(told.differences[word]), 2),
            }
            for word in first
        ],
        "change": _same(setting),
        "weights": {
            "first": {"order": list(first), "rows": _looks(weights(words, setting.head))},
            "second": {"order": list(ORDER), "rows": _looks(weights(words[list(ORDER)], setting.head))},
        },
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    head = setting.head
    return {
        "words": setting.words(len(ORDER)).tolist(),
        "order": list(ORDER),
        "head": {"w_q": head.w_q.tolist(), "w_k": head.w_k.tolist(), "w_v": head.w_v.tolist()},
        "scale": _scale(setting),
        "bound": lab.ROUNDING,
        "seed": SEED,
        "limits": {"least": LEAST, "most": MOST, "letters": LETTERS},
    }


def _retelling(setting: Setting, *, placed: bool, causal: bool) -> lab.Retelling:
    words = setting.words(len(ORDER))
    return lab.retelling(words, setting.table, ORDER, setting.head, placed=placed, causal=causal)


def _same(setting: Setting) -> str:
    """The bound on the change of an answer that asks nobody's place."""
    unplaced = _retelling(setting, placed=False, causal=False)
    return below("the change of an order-blind output", float(unplaced.differences.max()))


def _looks(shares: Floats) -> list[list[dict[str, Any]]]:
    """Every weight in percent, and as the opacity of its cell."""
    return [[{"shown": fixed(100 * share, 0), "opacity": f"{share:.2f}"} for share in row] for row in shares.tolist()]


def _scale(setting: Setting) -> float:
    """One colour scale for all choices: the largest output of the first; beyond it the colour is full."""
    return round(float(np.abs(_retelling(setting, placed=False, causal=False).first).max()), 3)
