"""Arrays at the public edge: each function returns float64, or raises ValueError naming argument, value and rule."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.checks import failure

Floats = NDArray[np.float64]


def vector(name: str, value: ArrayLike, limit: float = np.inf) -> Floats:
    """A one-dimensional array of at least one finite number, none larger than `limit` in size."""
    allowed = "a one-dimensional sequence of real numbers"
    array = real(name, value, allowed)
    if array.ndim != 1:
        raise failure(name, value, allowed)
    if array.size < 1:
        raise failure(name, value, "at least one number long")
    floats = array.astype(np.float64)
    array = floats if array.dtype.kind == "f" else array
    if not np.isfinite(floats).all():
        first = int(np.flatnonzero(~np.isfinite(floats))[0])
        raise ValueError(f"{name} must be finite numbers, got {array[first]} at index {first}")
    beyond = (array > limit) | (array < -limit)  # before the cast, which rounds large whole numbers
    if beyond.any():
        first = int(np.argmax(beyond))
        raise ValueError(f"{name} must be at most {limit:,} in size, got {array[first]} at index {first}")
    return floats


def real(name: str, value: ArrayLike, allowed: str = "an array of real numbers") -> NDArray[Any]:
    """An array of real numbers, NaN and ∞ among them, in the format it came in."""
    if np.any(getattr(value, "mask", False)):  # without loading numpy.ma
        raise ValueError(f"{name} must have no masked values, got some")
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise failure(name, value, allowed) from None
    if array.dtype.kind not in "iuf":
        raise failure(name, value, allowed)
    return array
