"""Checks of single numbers at the public edge: each returns the value it was given, or raises ValueError
naming the argument, the value and what is allowed. Free of NumPy, so that --help and Config are cheap."""

import math
from numbers import Integral, Real
from typing import Any

MAX_POSITION = 2**53
"""The last position up to which float64 holds every whole number."""

MAX_WIDTH = 2**16
"""Far beyond any model; a wider table is a slip, and would only run out of memory."""


def failure(name: str, value: object, allowed: str) -> ValueError:
    """The error of an argument: its name, what is allowed, what was given."""
    return ValueError(f"{name} must be {allowed}, got {value!r}")


def integer(name: str, value: Any, minimum: int) -> int:
    """A whole number of at least `minimum`; 16.0 and True are not whole numbers here."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise failure(name, value, f"an integer of at least {minimum}")
    return int(value)


def width(name: str, value: Any) -> int:
    """An even whole number of at least 2."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 2 or value % 2:
        raise failure(name, value, "an even integer of at least 2")
    if int(value) > MAX_WIDTH:
        raise failure(name, value, f"at most {MAX_WIDTH:,}")
    return int(value)


def real(name: str, value: Any, *, positive: bool = False) -> float:
    """A finite number, above zero when `positive`."""
    allowed = "a finite number above 0" if positive else "a finite number"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise failure(name, value, allowed)
    try:
        number = float(value)
    except OverflowError:
        raise failure(name, value, allowed) from None
    if not math.isfinite(number) or (positive and number <= 0):
        raise failure(name, value, allowed)
    return number


def span(start: Any, n_positions: Any) -> tuple[int, int]:
    """start and n_positions as Python's own integers, which do not overflow; no position is beyond 2^53 in size."""
    n_positions = integer("n_positions", n_positions, 1)
    start = integer("start", start, -MAX_POSITION)
    if start + n_positions - 1 > MAX_POSITION:
        raise ValueError(
            f"n_positions must keep the last position, start + n_positions − 1, at most 2^53 = {MAX_POSITION:,}, "
            f"got {start + n_positions - 1:,}"
        )
    return start, n_positions
