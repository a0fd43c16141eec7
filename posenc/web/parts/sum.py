"""Part 5: word and place added, and whether they can be read apart."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode
from posenc.web import picture
from posenc.web.format import count, fixed, general, percent
from posenc.web.parts.setting import SEED, Setting
from posenc.web.strips import cells

WIDTHS, TRIALS = (16, 64, 128, 512), 1500
KINDS = (0, 1, 2, 3, 0, 4, 2, 5)  # the sentence: which of the random words stands where, so which comes twice
TOLD = 2  # the word whose numbers are told at first
DECIMALS = 4  # as the words have, so that what is told adds up


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    readings = _readings(setting.config)
    return {
        "room.narrow": count(readings[0].d_model),
        "room.wide": count(readings[-1].d_model),
        "room.narrow-exact": percent(readings[0].exact),
        "room.wide-exact": percent(readings[-1].exact),
        "room.trials": count(TRIALS),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figures as the build draws them."""
    start, limit = setting.config.probes[0], _limit(setting)
    words, places = _words(setting), _places(setting)
    told = words[TOLD, 0], places[TOLD, 0], words[TOLD, 0] + places[TOLD, 0]
    chance = lab.blind(setting.config.n_positions)
    return {
        "rows": [
            {
                "slot": count(start + at),
                "strips": [cells(row, limit) for row in (word, place, word + place)],
                "kind": kind,
            }
            for at, (kind, word, place) in enumerate(zip(KINDS, words, places, strict=True))
        ],
        "told": {"row": TOLD, "column": 0, "slot": count(start + TOLD), "values": [fixed(x, DECIMALS) for x in told]},
        "limit": (general(-limit), f"+{general(limit)}"),
        "scale": picture.colorscale(),
        "readings": [_line("", chance), *(_line(count(each.d_model), each) for each in _readings(setting.config))],
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"words": setting.words(max(KINDS) + 1).tolist(), "kinds": list(KINDS), "limit": _limit(setting)}


def _words(setting: Setting) -> Floats:
    """A row for each word; the same word has the same row wherever it stands."""
    return np.asarray(setting.words(max(KINDS) + 1)[list(KINDS)])


def _places(setting: Setting) -> Floats:
    start, config = setting.config.probes[0], setting.config
    return encode(range(start, start + len(KINDS)), config.d_model, config.base)


def _limit(setting: Setting) -> float:
    """One colour scale that holds every word, place and sum, wherever the sentence begins: in halves."""
    return math.ceil(2 * (float(np.abs(_words(setting)).max()) + 1)) / 2


def _line(width: str, reading: lab.Reading) -> dict[str, str]:
    return {
        "width": width,
        "exact": percent(reading.exact),
        "near": percent(reading.near),
        "share": f"{100 * reading.exact:.1f}",
        "near_share": f"{100 * reading.near:.1f}",
    }


@lru_cache
def _readings(config: Config) -> tuple[lab.Reading, ...]:
    return tuple(lab.reading_room(WIDTHS, config, trials=TRIALS, seed=SEED))
