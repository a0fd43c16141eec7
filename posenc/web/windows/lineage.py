"""Window 5: a few words, seated in two orders. They need a small head, and keep the width of the worked example."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import Head, seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode
from posenc.web import format

WORDS = ("a", "b", "c", "d", "e")
ORDER = (3, 0, 4, 1, 2)  # which word takes each seat; every word leaves its own
SEED = 3


def numbers() -> dict[str, str]:
    """What the words of the window say in figures."""
    return {
        "lineage.width": format.count(Config().d_model),
        "lineage.base": format.count(int(Config().base)),
        "lineage.words": format.count(len(WORDS)),
        "lineage.last": format.count(len(WORDS) - 1),
    }


def figure() -> dict[str, Any]:
    """The figure as the build draws it."""
    return {"lineage": _lineage(ORDER), "words": WORDS}


def data() -> dict[str, Any]:
    """Random words and matrices, and the first order."""
    words, head = small()
    return {
        "words": words.tolist(),
        "names": list(WORDS),
        "head": {"w_q": head.w_q.tolist(), "w_k": head.w_k.tolist(), "w_v": head.w_v.tolist()},
        "order": list(ORDER),
        "base": Config().base,
    }


@dataclass(frozen=True, slots=True)
class Lineage:
    """Per seat, the largest change of its word's output when the words change seats.

    Without the encoding it is zero but for the last bits, which differ from machine to machine: `bare`
    is the bound that it was found to keep.
    """

    order: tuple[int, ...]
    bare: str
    placed: Floats
    masked: Floats


def small() -> tuple[Floats, Head]:
    """The window's seeded words, and the head that reads them."""
    d_model = Config().d_model
    return seeded_words(len(WORDS), d_model, SEED), seeded_head(d_model, SEED)


def _lineage(order: tuple[int, ...]) -> Lineage:
    words, head = small()
    seats = encode(np.arange(len(WORDS)), words.shape[1], Config().base)

    def moved(*, placed: bool, causal: bool) -> Floats:
        told = lab.retelling(words, seats, order, head, placed=placed, causal=causal)
        return told.differences[list(order)]

    bare = lab.negligible("the change of an unplaced word", float(moved(placed=False, causal=False).max()))
    return Lineage(
        order,
        bare=format.sci(bare, 0),
        placed=moved(placed=True, causal=False),
        masked=moved(placed=False, causal=True),
    )
