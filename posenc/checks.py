"""Checks at the public edge: each returns the value it was given, or raises ValueError
naming the argument, the value and what is allowed."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def _fail(name: str, value: object, allowed: str) -> ValueError:
    return ValueError(f"{name} must be {allowed}, got {value!r}")


def integer(name: str, value: Any, minimum: int) -> int:
    """A whole number of at least `minimum`; 16.0 and True are not whole numbers here."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < minimum:
        raise _fail(name, value, f"an integer of at least {minimum}")
    return int(value)


def width(name: str, value: Any) -> int:
    """An even whole number of at least 2."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise _fail(name, value, "an even integer of at least 2")
    if value < 2 or value % 2:
        raise _fail(name, value, "an even integer of at least 2")
    return int(value)


def real(name: str, value: Any, *, positive: bool = False) -> float:
    """A finite number, above zero when `positive`."""
    allowed = "a finite number above 0" if positive else "a finite number"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise _fail(name, value, allowed)
    try:
        number = float(value)
    except OverflowError:
        raise _fail(name, value, allowed) from None
    if not math.isfinite(number) or (positive and number <= 0):
        raise _fail(name, value, allowed)
    return number


def vector(name: str, value: ArrayLike) -> Floats:
    """A one-dimensional array of at least one finite number, as float64."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise _fail(name, value, "a one-dimensional sequence of numbers") from None
    if array.dtype.kind not in "iuf" or array.ndim != 1:
        raise _fail(name, value, "a one-dimensional sequence of real numbers")
    if array.size < 1:
        raise _fail(name, value, "at least one number long")
    floats = array.astype(np.float64)
    if not np.isfinite(floats).all():
        first = int(np.flatnonzero(~np.isfinite(floats))[0])
        raise ValueError(f"{name} must be finite numbers, got {array[first]!r} at index {first}")
    return floats
