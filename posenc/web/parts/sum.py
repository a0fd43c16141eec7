"""Part 5: word and place added, and whether they can be read apart."""

from functools import lru_cache
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.config import Config
from posenc.web.format import count
from posenc.web.parts.setting import SEED, Setting, percent

WIDTHS, TRIALS = (16, 64, 128, 512), 1500
START = 0


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    readings = _readings(setting.config)
    return {
        "sum.start": count(START),
        "room.narrow": count(readings[0].d_model),
        "room.wide": count(readings[-1].d_model),
        "room.narrow-exact": percent(readings[0].exact),
        "room.wide-exact": percent(readings[-1].exact),
        "room.trials": count(TRIALS),
        "room.chance": percent(1 / setting.config.n_positions),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    return {
        "start": START,
        "readings": [
            {
                "width": count(reading.d_model),
                "exact": percent(reading.exact),
                "near": percent(reading.near),
                "share": round(100 * reading.exact, 1),
                "near_share": round(100 * reading.near, 1),
            }
            for reading in _readings(setting.config)
        ],
    }


def addends(words: list[str], setting: Setting) -> tuple[Floats, Floats]:
    """A row for each word and a row for each place; the same word has the same row wherever it stands."""
    kinds = sorted({word.lower() for word in words})
    rows = setting.words(len(kinds))
    embedding = np.asarray([rows[kinds.index(word.lower())] for word in words])
    return embedding, setting.table[START : START + len(words)]


@lru_cache
def _readings(config: Config) -> tuple[lab.Reading, ...]:
    return tuple(lab.reading_room(WIDTHS, config, trials=TRIALS, seed=SEED))
