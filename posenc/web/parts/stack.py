"""Part 4: one wave under two slots, and how far apart many waves keep all slots."""

import math
from typing import Any

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import frequencies
from posenc.web.format import count, fixed, measured, sci
from posenc.web.parts import gears
from posenc.web.parts.curves import curve, scale
from posenc.web.parts.setting import Setting, below
from posenc.web.state import Field

SLOTS, SPAN, OFFSETS = (3, 300), 320, 20_000
DECIMALS = 4
CLOSE = 0.1  # heights no farther apart than this are called nearly the same
SLIDER = 100  # steps of the slider for each power of ten
MOST_ROWS = 16  # of the list of pairs


def fields(config: Config) -> tuple[Field, ...]:
    """What the reader can change: the speed of the lone wave, and the last pair that is kept."""
    slowest, fastest = _ends(frequencies(config.d_model, config.base))
    return (
        Field("omega", "omega", slowest, min(slowest, fastest), max(slowest, fastest), None),
        Field("kept", "kept", config.n_pairs - 1, within=("d_model", 2)),
    )


def numbers(setting: Setting) -> dict[str, str]:
    """What the words of the part say in figures."""
    config, omega = setting.config, setting.omega
    near, far = SLOTS
    tie = lab.tie(near, far)
    lone, full = lab.margins((2, config.d_model), config.base, OFFSETS)
    clash = lab.clashes(config)
    enough = _enough(clash)
    below("the tie", abs(math.sin(near * tie) - math.sin(far * tie)))
    return {
        "stack.near": count(near),
        "stack.far": count(far),
        "stack.sum": count(near + far),
        "stack.low": fixed(math.sin(near * omega[-1]), 5),
        "stack.high": fixed(math.sin(far * omega[-1]), 4),
        "stack.fast": fixed(_apart(omega[0]), 2),
        "stack.lone-offset": count(lone.k),
        "stack.lone": sci(lone.distance, 1),
        "stack.offsets": count(OFFSETS),
        "stack.full": fixed(full.distance, 2),
        "stack.enough": count(enough),
        "stack.early": fixed(float(lab.distances(omega[: enough + 1], OFFSETS).min()), 2),
        "margin.kept": count(config.n_pairs - 1),
        "margin.slots": count(config.n_positions),
        "margin.clash": fixed(clash[-1], DECIMALS),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figures as the build draws them."""
    omega = setting.omega.tolist()
    slowest, fastest = _ends(setting.omega)
    clash = lab.clashes(setting.config)
    rows = [
        {
            "wavelength": _swing(each),
            "curve": curve(each, SPAN),
            "clash": fixed(clash[pair], DECIMALS),
            "share": f"{100 * clash[pair] / clash[-1]:.2f}",
        }
        for pair, each in enumerate(omega[:MOST_ROWS])
    ]
    train = gears.train()
    return {
        "span": SPAN,
        "slots": SLOTS,
        "lone": _lone(slowest),
        "stops": [
            {"name": name, "omega": each, **_lone(each)}
            for name, each in (("slowest", slowest), ("tie", lab.tie(*SLOTS)), ("fastest", fastest))
        ],
        "slider": {"least": round(math.log10(slowest), 9), "most": round(math.log10(fastest), 9), "step": 1 / SLIDER},
        "scale": scale(-1.2, 1.2, (1, 0, -1)),
        "rows": rows,
        "gears": [(gear, gears.turned(gear, setting.config.probes[0])) for gear in train],
        "gears_view": gears.view(train),
    }


def data(setting: Setting) -> dict[str, Any]:
    """What the script of the figures is given."""
    return {
        "slots": list(SLOTS),
        "span": SPAN,
        "tie": lab.tie(*SLOTS),
        "close": CLOSE,
        "steps": SLIDER,
        "rows": MOST_ROWS,
        "gears": [[gear.teeth, gear.direction] for gear in gears.train()],
    }


def _ends(omega: Floats) -> tuple[float, float]:
    """The slowest and the fastest speed, without the last bits, which hang on the machine."""
    return float(f"{omega[-1]:.12g}"), float(f"{omega[0]:.12g}")


def _enough(clash: list[float]) -> int:
    """The first pair after which the closest slots come no farther apart, as far as the column shows."""
    shown = [fixed(distance, DECIMALS) for distance in clash]
    return shown.index(shown[-1])


def _apart(omega: float) -> float:
    near, far = SLOTS
    return abs(math.sin(far * omega) - math.sin(near * omega))


def _swing(omega: float) -> str:
    """Slots for one swing."""
    length = 2 * math.pi / omega
    return fixed(length, 1) if length < 1e5 else measured(length)


def _lone(omega: float) -> dict[str, Any]:
    """One wave, and how two slots stand on it."""
    apart = _apart(omega)
    if apart <= lab.ROUNDING:
        verdict = "tie"
    elif apart > CLOSE:
        verdict = "apart"
    else:
        verdict = "slow" if SLOTS[1] * omega < math.pi / 2 else "near"
    return {
        "speed": measured(omega),
        "swing": _swing(omega),
        "curve": curve(omega, SPAN),
        "heights": [
            {
                "slot": slot,
                "y": f"{-math.sin(slot * omega):.4f}",
                "shown": fixed(math.sin(slot * omega), 5),
                "way": "rising" if math.cos(slot * omega) > 0 else "falling",
            }
            for slot in SLOTS
        ],
        "apart": fixed(apart, 5),
        "verdict": verdict,
    }
