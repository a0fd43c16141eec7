"""Part 3: one wave, and the second one that tells rising from falling."""

import math
from typing import Any

from posenc.engine import wavelengths
from posenc.web.format import count, fixed, measured
from posenc.web.parts.curves import curve, scale
from posenc.web.parts.setting import Setting

PAIR = 2  # of the example's pairs, the one that swings about once along its slots
SPAN = 63  # slots that the plot is long, or one swing where that is longer
ROD, ARC = 60, 35  # of the pendulum: its length, and how many degrees it swings to either side


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    length = wavelengths(setting.omega)
    slot, omega = setting.config.probes[0], float(setting.omega[PAIR])
    return {
        "wave.pair": count(PAIR),
        "wave.pairs": count(setting.config.n_pairs),
        "wave.length": fixed(length[PAIR], 1),
        "wave.shortest": fixed(length[0], 2),
        "wave.longest": fixed(length[-1], 1),
        "wave.moment": count(slot),
        "wave.rival": fixed(_rival(slot, omega), 2),
        "wave.speed": measured(omega),
        "wave.angle": measured(slot * omega),
        "wave.high": fixed(math.sin(slot * omega), 3),
        "wave.up": fixed(math.cos(slot * omega), 3),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it: its plot begins with the first slot."""
    omega = float(setting.omega[PAIR])
    slot = setting.config.probes[0]
    return {
        "span": SPAN,
        "scale": scale(-1.15, 1.15, (1, 0, -1)),
        "sine": curve(omega, SPAN),
        "cosine": curve(omega, SPAN, math.pi / 2),
        "moments": [_moment(at, omega) for at in (slot, _rival(slot, omega))],
        "arc": _bob(1),
        "rod": ROD,
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"pair": PAIR, "span": SPAN, "rod": ROD, "arc": ARC}


def _rival(moment: float, omega: float) -> float:
    """The nearest other moment with the same sine and the opposite cosine that lies in the plot with it."""
    turn = 2 * math.pi / omega
    first = moment // (SPAN + 1) * (SPAN + 1)
    after = moment + (turn / 2 - 2 * moment) % turn
    here = [at for at in (after - turn, after) if first <= at <= first + SPAN]
    return min(here, key=lambda at: abs(at - moment))


def _moment(at: float, omega: float) -> dict[str, Any]:
    sin, cos = math.sin(at * omega), math.cos(at * omega)
    return {
        "at": round(at, 3),
        "shown": fixed(at, 2),
        "sine": fixed(sin, 3),
        "cosine": fixed(cos, 3),
        "sine_y": f"{-sin:.4f}",
        "cosine_y": f"{-cos:.4f}",
        "hands": [(round(sin, 4), round(cos, 4))],
        "bob": _bob(sin),
        "way": "rising" if cos > 0 else "falling",
    }


def _bob(sine: float) -> tuple[str, str]:
    """Where the pendulum's bob hangs, seen from its pivot, y downwards."""
    lean = math.radians(ARC) * sine
    return f"{ROD * math.sin(lean):.2f}", f"{ROD * math.cos(lean):.2f}"
