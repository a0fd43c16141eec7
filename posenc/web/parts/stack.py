"""Part 4: many waves, and how far apart they keep two slots."""

import math
from typing import Any

from posenc import experiments as lab
from posenc.web.format import count, fixed, sci
from posenc.web.parts.curves import curve, scale
from posenc.web.parts.setting import Setting, below

SLOTS, SPAN, OFFSETS = (3, 300), 320, 20_000
DECIMALS = 4


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    config, omega = setting.config, setting.omega
    near, far = SLOTS
    tie = lab.tie(near, far)
    lone, full = lab.margins((2, config.d_model), config.base, OFFSETS)
    enough = _enough(lab.clashes(config))
    below("the tie", abs(math.sin(near * tie) - math.sin(far * tie)))
    return {
        "stack.near": count(near),
        "stack.far": count(far),
        "stack.sum": count(near + far),
        "stack.low": fixed(math.sin(near * omega[-1]), 4),
        "stack.high": fixed(math.sin(far * omega[-1]), 4),
        "stack.fast": fixed(_apart(omega[0]), 2),
        "stack.lone-offset": count(lone.k),
        "stack.lone": sci(lone.distance, 1),
        "stack.offsets": count(OFFSETS),
        "stack.full": fixed(full.distance, 2),
        "stack.enough": count(enough),
        "stack.early": fixed(float(lab.distances(omega[: enough + 1], OFFSETS).min()), 2),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    clash = lab.clashes(setting.config)
    rows = [
        {
            "wavelength": fixed(2 * math.pi / omega, 1),
            "curve": curve(omega, SPAN),
            "heights": _heights(omega),
            "apart": fixed(_apart(omega), 4),
            "clash": fixed(clash[pair], DECIMALS),
            "share": round(100 * clash[pair] / clash[-1], 2),
        }
        for pair, omega in enumerate(setting.omega.tolist())
    ]
    return {"span": SPAN, "slots": SLOTS, "rows": rows, "last": rows[-1], "scale": scale(-1.2, 1.2, (1, 0, -1))}


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figure is given."""
    return {"slots": list(SLOTS), "span": SPAN, "tie": lab.tie(*SLOTS)}


def _enough(clash: list[float]) -> int:
    """The first pair after which the closest slots come no farther apart, as far as the column shows."""
    shown = [fixed(distance, DECIMALS) for distance in clash]
    return shown.index(shown[-1])


def _apart(omega: float) -> float:
    near, far = SLOTS
    return abs(math.sin(far * omega) - math.sin(near * omega))


def _heights(omega: float) -> list[dict[str, Any]]:
    return [
        {"slot": slot, "y": round(-math.sin(slot * omega), 4), "shown": fixed(math.sin(slot * omega), 4)}
        for slot in SLOTS
    ]
