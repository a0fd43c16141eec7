"""In which format were the values stored? Decided by what can be represented in it, never by the size of an error.

A format is believed when all but a few cells are representable in it; the few are suspects of having been edited.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.arrays import Floats
from posenc.formats import Format, rounded

_STRAY, _STRAY_SHARE = 2, 0.005  # cells that need not be representable: they may have been edited
DECIMALS = range(1, 13)
_DIGITS = range(2, 11)
_SINGLE_DIGITS = 7  # from so many decimals on, values may be float32 as it is printed
_SAMPLE = 2048


@dataclass(frozen=True, slots=True)
class Storage:
    """key: float64, float32, float16, bfloat16, decimals, digits; places: how many decimals or digits.

    `absolute` and `relative` bound what storing alone does to a value; `phase` tells the relative error of a phase
    (models.lost) in the format that the table was computed in: mostly float32 where it is stored in less than float64.
    """

    key: str
    places: int = 0
    absolute: float = 0.0
    relative: float = 0.0
    phase: float = 0.0

    def tolerance(self, scale: float, least: float) -> float:
        """How far a value of size `scale` may be from the truth by its storage alone, and at least `least`."""
        return max(least, 1.02 * (self.absolute + self.relative * scale))


DOUBLE, SINGLE = 1e-15, 2.4e-7
FLOAT64 = Storage("float64", phase=DOUBLE)
FLOAT32 = Storage("float32", relative=2.0**-24, phase=SINGLE)
FLOAT16 = Storage("float16", absolute=2.0**-25, relative=2.0**-11, phase=SINGLE)
BFLOAT16 = Storage("bfloat16", relative=2.0**-8, phase=SINGLE)


COMPUTED_LOW = Storage("float64", relative=2.0**-23, phase=SINGLE)
"""float64 that holds what was computed in float32 and then scaled."""

PRINTED = Storage("float32", relative=1.2 * 2.0**-24, phase=SINGLE)


def _decimals(places: int, relative: float = 0.0) -> Storage:
    return Storage("decimals", places, absolute=0.5 * 10.0**-places, relative=relative, phase=SINGLE)


def storage(table: Floats) -> Storage:
    """The lowest format in which nearly all values are representable, float64 if there is none."""
    values = table.ravel()
    values = values[np.isfinite(values)]
    if not len(values) or np.all(values == np.rint(values)):
        return FLOAT64
    sample = values[:: max(len(values) // _SAMPLE, 1)]
    if _held(values, sample, "bfloat16"):
        return BFLOAT16
    if _held(values, sample, "float16"):
        return FLOAT16
    if _held(values, sample, "float32"):
        return _short_singles(values, sample)
    for places in DECIMALS:
        if places == _SINGLE_DIGITS and _most(_with_digits(sample, places - 1) == sample):
            return _few_digits(sample)
        if places == _SINGLE_DIGITS and _most(_printed(sample) == rounded(sample, "float32")):
            return PRINTED
        if _most(_with_decimals(sample, places) == sample) and _most(_with_decimals(values, places) == values):
            return _decimals(places)
    if _most(np.array([float(f"{value:.8e}") == value for value in sample.tolist()])):
        return _few_digits(sample)
    return FLOAT64


def _held(values: Floats, sample: Floats, kind: Format) -> bool:
    """Whether nearly all values are representable; a sample tells most tables apart."""
    return _most(rounded(sample, kind) == sample) and _most(rounded(values, kind) == values)


def _short_singles(values: Floats, sample: Floats) -> Storage:
    """float32, unless each is the single of a number with a few decimals."""
    for places in DECIMALS[:6]:
        if all(_most(rounded(_with_decimals(some, places), "float32") == some) for some in (sample, values)):
            return _decimals(places, 2.0**-24)
    return FLOAT32


def _few_digits(sample: Floats) -> Storage:
    """At most nine significant digits: float32 as it is printed, or fewer."""
    for places in _DIGITS:
        if _most(_with_digits(sample, places) == sample):
            if places >= 7 and np.all(rounded(sample, "float32") == _printed(sample)):
                break
            return Storage("digits", places, relative=0.5 * 10.0 ** (1 - places), phase=SINGLE)
    return PRINTED


def _printed(sample: Floats) -> Floats:
    """Values whose float32 prints as they stand; the others as NaN."""
    near = sample.astype(np.float32)
    return np.array(
        [float(single) if float(str(single)) == value else math.nan for single, value in zip(near, sample, strict=True)]
    )


def _with_digits(values: Floats, places: int) -> Floats:
    """Each value as it is written with so many significant digits."""
    return np.array([float(f"{value:.{places - 1}e}") for value in values.tolist()])


def _with_decimals(values: Floats, places: int) -> Floats:
    """Each value as the nearest float64 of its own text with so many decimals."""
    return np.asarray(np.rint(values * 10.0**places) / 10.0**places)


def _most(good: NDArray[np.bool_]) -> bool:
    return bool(np.count_nonzero(~good) <= max(_STRAY if len(good) > 15 else 0, _STRAY_SHARE * len(good)))
