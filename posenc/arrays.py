"""Arrays at the public edge."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.checks import failure

Floats = NDArray[np.float64]


def vector(name: str, value: ArrayLike, limit: float = np.inf) -> Floats:
    """A one-dimensional array of at least one finite number, none larger than `limit` in size, as float64."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise failure(name, value, "a one-dimensional sequence of numbers") from None
    if array.dtype.kind not in "iuf" or array.ndim != 1:
        raise failure(name, value, "a one-dimensional sequence of real numbers")
    if array.size < 1:
        raise failure(name, value, "at least one number long")
    floats = array.astype(np.float64)
    if not np.isfinite(floats).all():
        first = int(np.flatnonzero(~np.isfinite(floats))[0])
        raise ValueError(f"{name} must be finite numbers, got {array[first]!r} at index {first}")
    beyond = (array > limit) | (array < -limit)  # before the cast, which rounds large whole numbers
    if beyond.any():
        first = int(np.argmax(beyond))
        raise ValueError(f"{name} must be at most {limit:,} in size, got {array[first]!r} at index {first}")
    return floats
