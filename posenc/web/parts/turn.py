"""Part 6: a step of k slots is the same turn everywhere."""

import math
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.engine import encode, rotate
from posenc.web.clocks import hands
from posenc.web.format import count, fixed, sci
from posenc.web.parts.setting import Setting, below

SLOT, K, FIT_FAR = 7, 5, 1000
LIKE_OFFSETS = (2, 19)


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    config, omega = setting.config, setting.omega
    word = setting.words(1)[0]
    near, far = LIKE_OFFSETS
    return {
        "turn.slot": count(SLOT),
        "turn.k": count(K),
        "turn.landing": count(SLOT + K),
        "turn.first-angle": f"{fixed(math.degrees(omega[0]), 1)}°",
        "turn.last-angle": f"{fixed(math.degrees(omega[-1]), 3)}°",
        "turn.word": fixed(lab.turned_word(word, config, SLOT, K), 2),
        "turn.word-length": fixed(float(np.linalg.norm(word)), 2),
        **_fit_numbers(setting),
        "like.near-offset": count(near),
        "like.far-offset": count(far),
        "like.near": fixed(lab.likeness(omega, near), 3),
        "like.far": fixed(lab.likeness(omega, far), 3),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    config, table = setting.config, setting.table
    here, there = encode([SLOT, SLOT + K], config.d_model, config.base)
    residual = float(np.abs(rotate(here, K, setting.omega) - there).max())
    return {
        "slot": SLOT,
        "k": K,
        "landing": SLOT + K,
        "last": config.n_positions // 2 - 1,
        "before": hands(table[SLOT]),
        "turn": hands(table[K]),
        "after": hands(table[SLOT + K]),
        "angles": [degrees(K * omega) for omega in setting.omega.tolist()],
        "bound": below("the residual of one turn", residual),
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"bound": lab.ROUNDING}


def degrees(angle: float) -> str:
    """A turn in whole degrees, small ones with decimals; the script says it the same way."""
    turned = math.degrees(angle) % 360
    return f"{fixed(turned, 0 if turned >= 10 else 1 if turned >= 1 else 2)}°"


def _fit_numbers(setting: Setting) -> dict[str, str]:
    fit = lab.fitted_maps(setting.config, K, FIT_FAR)
    return {
        "fit.far": count(FIT_FAR),
        "fit.free": fixed(fit.free, 1),
        "fit.cut": sci(lab.FINE_CUT, 0),
        "fit.coarse": fixed(fit.coarse, 1),
        "fit.coarse-cut": sci(lab.COARSE_CUT, 0),
        "fit.ridge": fixed(fit.ridge, 2),
        "fit.penalty": sci(lab.PENALTY, 0),
        "fit.paired": below("the error of the paired fit", fit.paired),
    }
