"""Part 2: a slot number copied into a word drowns it."""

from typing import Any

from posenc import experiments as lab
from posenc.web import format
from posenc.web.format import fixed
from posenc.web.parts.setting import Setting
from posenc.web.state import Field

START, LAST = 5000, 20_000
WIDTH = 512  # the paper's own width
VISIBLE = 10  # words that lie end to end along the magnified drawing


def fields() -> tuple[Field, ...]:
    """What the reader can change: the slot that is counted to."""
    return (Field("count", "slot", START, 0, LAST),)


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    late = lab.lengths(START, WIDTH)
    return {
        "count.slot": format.count(START),
        "count.width": format.count(WIDTH),
        "count.raw": format.count(round(late.raw)),
        "count.word": fixed(late.word, 1),
        "count.waves": format.count(round(late.encoding)),
        "count.visible": format.count(VISIBLE),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    late = lab.lengths(START, WIDTH)
    named = (("raw", late.raw), ("word", late.word), ("encoding", late.encoding))
    longest, full = max(late.raw, late.word), VISIBLE * late.word
    return {
        "bars": [
            {
                "name": name,
                "value": fixed(value, 1),
                "share": f"{100 * value / longest:.3f}",
                "near": f"{min(100 * value / full, 100):.3f}",
            }
            for name, value in named
        ],
        "widths": _widths(late.raw / full),
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"width": WIDTH, "visible": VISIBLE}


def _widths(times: float) -> str:
    """How many drawings the top bar would need, end to end."""
    return fixed(times, 0 if times >= 100 else 1)
