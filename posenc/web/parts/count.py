"""Part 2: a slot number copied into a word drowns it."""

from typing import Any

from posenc import experiments as lab
from posenc.web import format
from posenc.web.format import fixed
from posenc.web.parts.setting import Setting

SLOTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
FIRST = SLOTS.index(5000)
WIDTH = 512  # the paper's own width


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    late = lab.lengths(SLOTS[FIRST], WIDTH)
    return {
        "count.slot": format.count(SLOTS[FIRST]),
        "count.width": format.count(WIDTH),
        "count.raw": format.count(round(late.raw)),
        "count.word": fixed(late.word, 1),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    late = lab.lengths(SLOTS[FIRST], WIDTH)
    longest = max(late.raw, late.word, late.encoding)
    return {
        "slot": format.count(SLOTS[FIRST]),
        "first": FIRST,
        "last": len(SLOTS) - 1,
        "bars": [
            {"name": name, "value": fixed(value, 1), "share": round(100 * value / longest, 3)}
            for name, value in (("raw", late.raw), ("word", late.word), ("encoding", late.encoding))
        ],
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"slots": list(SLOTS), "width": WIDTH}
