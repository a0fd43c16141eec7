"""Part 6: a step of k slots is the same turn everywhere, and what else could carry the hands ahead."""

import math
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.engine import encode, rotate
from posenc.web import state
from posenc.web.format import count, fixed, sci
from posenc.web.heatmaps import SIMILAR_POSITIONS
from posenc.web.now import MOST_DIALS, degrees
from posenc.web.parts.curves import scale
from posenc.web.parts.setting import Setting, below
from posenc.web.state import STEP

__all__ = ["data", "degrees", "fields", "figure", "numbers"]

FIT_FAR = 1000
LIKE_OFFSETS = (2, 19)
MAPS = ("turn", "free", "ridge", "paired")
WRONG = 0.05  # of a hand's length: a tip that lands farther away is seen to be wrong
STEPS_SHOWN = 63  # of the dial's stair, the last ones


def fields() -> tuple[state.Field, ...]:
    """What the reader can change: the map that carries the hands, and whether a word is added."""
    return state.choice("map", "map", MAPS), state.toggle("word", "word")


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    config, omega = setting.config, setting.omega
    word = setting.words(1)[0]
    near, far = LIKE_OFFSETS
    return {
        "turn.first-angle": f"{fixed(math.degrees(omega[0]), 1)}°",
        "turn.last-angle": f"{fixed(math.degrees(omega[-1]), 3)}°",
        "turn.word": fixed(lab.turned_word(word, config, config.probes[0], STEP), 2),
        "turn.word-length": fixed(float(np.linalg.norm(word)), 2),
        **_fit_numbers(setting),
        "like.near-offset": count(near),
        "like.far-offset": count(far),
        "like.near": fixed(lab.likeness(omega, near), 3),
        "like.far": fixed(lab.likeness(omega, far), 3),
        "like.lowest": fixed(min(_heights(setting)), 3),
        "like.k": fixed(lab.likeness(omega, STEP), 3),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figures as the build draws them."""
    config, omega = setting.config, setting.omega
    starts = (*config.probes, FIT_FAR)
    here = encode(starts, config.d_model, config.base)
    there = encode([slot + STEP for slot in starts], config.d_model, config.base)
    residual = float(np.abs(rotate(here, STEP, omega) - there).max())
    fit = lab.fit_errors(config, STEP, FIT_FAR)
    below_bound = below("the residual of one turn", residual)
    return {
        "starts": [
            {
                "name": name,
                "slot": count(slot),
                "before": _tips(row),
                "after": _tips(later),
                "landing": count(slot + STEP),
            }
            for name, slot, row, later in zip(("pos", "second", "far"), starts, here, there, strict=True)
        ],
        "turn": _tips(encode([STEP], config.d_model, config.base)[0]),
        "angles": [degrees(STEP * each) for each in omega[:MOST_DIALS].tolist()],
        "bound": below_bound,
        "maps": [
            {"name": "turn", "miss": below_bound, "share": "0.0"},
            {"name": "free", "miss": fixed(fit.free, 1), "share": _share(fit.free)},
            {"name": "ridge", "miss": fixed(fit.ridge, 2), "share": _share(fit.ridge)},
            {"name": "paired", "miss": below("the error of the paired fit", fit.paired), "share": "0.0"},
        ],
        "stair": stair(STEP),
        "like": _likeness(setting),
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figures is given."""
    maps = lab.fitted_maps(setting.config, STEP)
    return {
        "bound": lab.ROUNDING,
        "wrong": WRONG,
        "far": FIT_FAR,
        "k": STEP,
        "steps": STEPS_SHOWN,
        "word": setting.words(1)[0].tolist(),
        "maps": {"free": maps.free.tolist(), "ridge": maps.ridge.tolist()},
        "decimals": {"free": 1, "ridge": 2},
        "like": list(LIKE_OFFSETS),
    }


def stair(k: int) -> dict[str, Any]:
    """The dial: a stair seen from above, a step a slot, each one radian on. The script draws it the same way."""
    size, way = abs(k), 1 if k >= 0 else -1
    first = max(0, size - STEPS_SHOWN)

    def place(step: float) -> tuple[float, float]:
        reach = 18 + 26 * (step - first) / max(size - first, 7)
        return reach * math.sin(way * step) + 0.0, -reach * math.cos(way * step)

    line = [place(first + each / 8) for each in range((size - first) * 8 + 1)]
    steps = [place(step) for step in range(first, size + 1)]
    return {
        "path": "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in line),
        "steps": "".join(f"M{x:.2f} {y:.2f}h.001" for x, y in steps),
        "hand": "M0 0L{:.2f} {:.2f}".format(*steps[-1]),
    }


def _tips(row: Floats) -> list[tuple[str, str]]:
    """The tips of the hands, dial by dial, as templates/macros/dials.html draws them."""
    hands = zip(row[0::2].tolist(), row[1::2].tolist(), strict=True)
    return [
        (f"{10 + 20 * pair + 7.5 * sin:.2f}", f"{10 - 7.5 * cos:.2f}")
        for pair, (sin, cos) in enumerate(hands)
        if pair < MOST_DIALS
    ]


def _share(miss: float) -> str:
    """Percent of the length of a bar that is full at a miss of one and a half, in whole ones: the fit is ill-posed."""
    return f"{min(round(100 * miss / 1.5), 100):.1f}"


def _heights(setting: Setting) -> list[float]:
    """The likeness of two slots, by their gap."""
    return [lab.likeness(setting.omega, gap) for gap in range(min(setting.config.n_positions, SIMILAR_POSITIONS))]


def _likeness(setting: Setting) -> dict[str, Any]:
    """The likeness of two slots by their gap, as a curve; slots that are compared in the heatmap."""
    heights = _heights(setting)
    span = len(heights) - 1
    low = -1 if min(heights) < 0 else 0
    return {
        "span": span,
        "curve": "M" + "L".join(f"{gap} {-height + 0.0:.3f}" for gap, height in enumerate(heights)),
        "level": f"{-heights[LIKE_OFFSETS[0]]:.3f}",
        "named": [(gap, f"{-heights[gap]:.3f}", fixed(heights[gap], 3)) for gap in LIKE_OFFSETS],
        "k": (STEP, f"{-heights[STEP]:.3f}"),
        "low": low,
        "scale": scale(low, 1, (1, 0, low)[: 2 - low]),
        "cell": setting.config.probes,
    }


def _fit_numbers(setting: Setting) -> dict[str, str]:
    fit = lab.fit_errors(setting.config, STEP, FIT_FAR)
    return {
        "fit.k": count(STEP),
        "fit.far": count(FIT_FAR),
        "fit.free": fixed(fit.free, 1),
        "fit.cut": sci(lab.FINE_CUT, 0),
        "fit.coarse": fixed(fit.coarse, 1),
        "fit.coarse-cut": sci(lab.COARSE_CUT, 0),
        "fit.ridge": fixed(fit.ridge, 2),
        "fit.penalty": sci(lab.PENALTY, 0),
        "fit.paired": below("the error of the paired fit", fit.paired),
    }
