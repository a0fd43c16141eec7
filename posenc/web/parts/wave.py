"""Part 3: one wave, and the second one that tells rising from falling."""

import math
from typing import Any

from posenc.engine import wavelengths
from posenc.web.format import count, fixed
from posenc.web.parts.curves import curve, scale
from posenc.web.parts.setting import Setting

PAIR, SPAN, MOMENT = 1, 40, 3


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    length = wavelengths(setting.omega)
    return {
        "wave.pair": count(PAIR),
        "wave.length": fixed(length[PAIR], 1),
        "wave.shortest": fixed(length[0], 2),
        "wave.longest": fixed(length[-1], 1),
        "wave.moment": count(MOMENT),
        "wave.rival": fixed(_rival(MOMENT, setting.omega[PAIR]), 2),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    omega = float(setting.omega[PAIR])
    return {
        "span": SPAN,
        "slot": MOMENT,
        "last": SPAN,
        "scale": scale(-1.15, 1.15, (1, 0, -1)),
        "sine": curve(omega, SPAN),
        "cosine": curve(omega, SPAN, math.pi / 2),
        "moments": [_moment(at, omega) for at in (MOMENT, _rival(MOMENT, omega))],
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"pair": PAIR, "span": SPAN}


def _rival(moment: float, omega: float) -> float:
    """The other moment of the same swing with the same sine; where the plot ends first, of the swing before."""
    turn = 2 * math.pi / omega
    mirrored = moment // turn * turn + (turn / 2 - moment) % turn
    return float(mirrored if mirrored <= SPAN else mirrored - turn)


def _moment(at: float, omega: float) -> dict[str, Any]:
    sin, cos = math.sin(at * omega), math.cos(at * omega)
    return {
        "at": round(at, 3),
        "shown": fixed(at, 2),
        "sine": fixed(sin, 3),
        "cosine": fixed(cos, 3),
        "sine_y": round(-sin, 4),
        "cosine_y": round(-cos, 4),
        "hands": [(round(sin, 4), round(cos, 4))],
    }
