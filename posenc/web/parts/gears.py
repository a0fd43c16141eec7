"""A train of meshed gears: a picture of waves, each slower than the one before. templates/js/parts/stack.js turns it.

Angles are as SVG takes them: in degrees, clockwise from the right. Each gear turns against the one before.
"""

import math
from dataclasses import dataclass

TEETH = (12, 38, 120)  # nearly 1 : √10 : 10, as the first three speeds of the worked example are
MODULE = 1.7  # a gear's diameter for each of its teeth
BEARINGS = (128, 14)  # where the second gear stands from the first, and the third from the second
FILLED = 0.9  # of a pitch's two halves, how much the tooth fills


@dataclass(frozen=True, slots=True)
class Gear:
    """Where a gear stands, and its teeth, drawn as the dashes of a ring, turned so that they mesh."""

    teeth: int
    x: float
    y: float
    radius: float
    phase: float
    direction: int


def train() -> list[Gear]:
    """The gears with all hands at twelve, the first one's centre at (0, 0)."""
    gears = [_gear(TEETH[0], 0.0, 0.0, 0.0, 1)]
    for teeth, bearing in zip(TEETH[1:], BEARINGS, strict=True):
        gears.append(_meshed(gears[-1], teeth, bearing))
    return gears


def turned(gear: Gear, pos: float) -> str:
    """The gear's turn at a slot, in degrees: the first turns by one radian a slot, the others as teeth make it."""
    return f"{gear.direction * math.degrees(pos * TEETH[0] / gear.teeth) % 360:.2f}"


def view(gears: list[Gear]) -> str:
    """The box that holds them all."""
    reach = [gear.radius + MODULE + 1 for gear in gears]
    left = min(gear.x - r for gear, r in zip(gears, reach, strict=True))
    right = max(gear.x + r for gear, r in zip(gears, reach, strict=True))
    top = min(gear.y - r for gear, r in zip(gears, reach, strict=True))
    bottom = max(gear.y + r for gear, r in zip(gears, reach, strict=True))
    return f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"


def _gear(teeth: int, x: float, y: float, tooth: float, direction: int) -> Gear:
    """`tooth`: the angle of the middle of one tooth."""
    start = tooth - FILLED / 2 * 180 / teeth
    return Gear(teeth, round(x, 2), round(y, 2), round(teeth * MODULE / 2, 2), round(start, 3), direction)


def _meshed(gear: Gear, teeth: int, bearing: float) -> Gear:
    """The next gear: where the two meet, a tooth of one stands in a gap of the other."""
    pitch, own = 360 / gear.teeth, 360 / teeth
    tooth = gear.phase + FILLED / 2 * 180 / gear.teeth
    past = (bearing - tooth) / pitch % 1
    apart = (gear.teeth + teeth) * MODULE / 2
    x = gear.x + apart * math.cos(math.radians(bearing))
    y = gear.y + apart * math.sin(math.radians(bearing))
    return _gear(teeth, x, y, bearing + 180 - own * (0.5 - past), -gear.direction)
