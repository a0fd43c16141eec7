"""A row of numbers as coloured cells, in the heatmaps' colours; templates/js/explainer.js mirrors `colour`."""

import math

from posenc.arrays import Floats
from posenc.web.picture import STOPS


def cells(row: Floats, scale: float) -> list[str]:
    """The colour of each number: STOPS from −scale to +scale, full beyond."""
    return [colour(x / scale) for x in row.tolist()]


def colour(share: float) -> str:
    """The colour at −1 … 1, on straight lines between the stops. Three decimals: a last bit shows nothing."""
    place = (min(max(round(share, 3), -1), 1) + 1) / 2 * (len(STOPS) - 1)
    lower = min(math.floor(place), len(STOPS) - 2)
    part = place - lower
    ends = zip(_channels(STOPS[lower]), _channels(STOPS[lower + 1]), strict=True)
    return "#" + "".join(f"{math.floor(a + (b - a) * part + 0.5):02x}" for a, b in ends)


def _channels(stop: str) -> bytes:
    return bytes.fromhex(stop[1:])
