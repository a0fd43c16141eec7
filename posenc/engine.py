"""The sinusoidal positional encoding (Vaswani et al. 2017, arXiv:1706.03762, section 3.5).

    PE(pos, 2i)     = sin(pos · ω_i)
    PE(pos, 2i + 1) = cos(pos · ω_i)        ω_i = 1 / base^(2i / d_model),  i = 0 … d_model/2 − 1

Sine and cosine of a pair stand side by side and share one frequency. `i` always counts pairs, never
columns. Angles are radians; positions are plain numbers, so ω_i is in radians per position.
"""

import numpy as np
from numpy.typing import ArrayLike

from posenc import checks
from posenc.arrays import Floats, real, vector
from posenc.phases import Ladder, Units, fraction_phases, ladder, phases, sin_cos

_CELLS = 2**16  # cells computed at a time, to stay near the core


def frequencies(d_model: int, base: float = 10000.0) -> Floats:
    """Angular frequency ω_i = 1 / base^(2i / d_model) of each pair, shape (d_model/2,), in radians per position.

    The nearest float64 of each (posenc/phases.py); ω_0 is 1 and every next one the same fraction of the last.
    """
    return ladder(d_model, base).omega.copy()


def wavelengths(omega: ArrayLike) -> Floats:
    """Positions per full turn of each pair, 2π/ω_i, shape (d_model/2,)."""
    with np.errstate(divide="ignore", over="ignore"):
        lengths = np.asarray(2 * np.pi / vector("omega", omega))
    if not np.isfinite(lengths).all():
        raise ValueError(f"omega must keep every wavelength finite, got {omega!r}")
    return lengths


def encode(positions: ArrayLike, d_model: int, base: float = 10000.0) -> Floats:
    """One row per position, shape (n, d_model), float64.

    Positions are any real numbers from −2^53 to 2^53. Each value is right to 2.5e-16, far out as well as near:
    the phase pos·ω_i is reduced exactly before sine and cosine see it (posenc/phases.py).
    """
    positions = vector("positions", positions, limit=checks.MAX_POSITION)
    rungs = ladder(d_model, base)
    d_model = 2 * len(rungs)
    table = np.empty((len(positions), d_model))
    rows = max(_CELLS // d_model, 1)
    for first in range(0, len(positions), rows):
        piece = table[first : first + rows]
        piece[:, 0::2], piece[:, 1::2] = sin_cos(_phase(positions[first : first + rows], rungs))
    return table


def rotation(k: float, omega: ArrayLike) -> Floats:
    """The 2×2 blocks of R_k, shape (d_model/2, 2, 2), acting on (sine, cosine) of each pair.

    Built from k and ω alone: no position enters. Each block turns its pair clockwise by k·ω_i:
    PE(pos + k) = R_k PE(pos) for every pos (section 3.5, "for any fixed offset k").
    """
    angle = _angles("k", np.asarray(checks.real("k", k)), vector("omega", omega))
    blocks = np.empty((*angle.shape, 2, 2))
    blocks[..., 0, 0] = blocks[..., 1, 1] = np.cos(angle)
    blocks[..., 0, 1] = np.sin(angle)
    blocks[..., 1, 0] = -blocks[..., 0, 1]
    return blocks


def rotate(rows: ArrayLike, k: float, omega: ArrayLike) -> Floats:
    """R_k applied to each row; rows and result have shape (…, d_model)."""
    blocks = rotation(k, omega)
    rows = real("rows", rows).astype(np.float64)
    if rows.ndim < 1 or rows.shape[-1] != 2 * len(blocks):
        raise ValueError(f"rows must have {2 * len(blocks)} columns, one pair per frequency, got shape {rows.shape}")
    pairs = rows.reshape(*rows.shape[:-1], len(blocks), 2)
    return np.asarray(np.einsum("iab,...ib->...ia", blocks, pairs)).reshape(rows.shape)


def _phase(positions: Floats, rungs: Ladder) -> Units:
    """Phases of real positions: of their whole part and of what stands after the point."""
    whole = np.trunc(positions)
    units = phases(whole.astype(np.int64), rungs)
    part = np.abs(positions - whole)[:, None]
    if part.any():
        after = fraction_phases(part[:, 0], rungs)
        units = units + np.where(positions[:, None] < 0, -after, after)
    return units


def _angles(name: str, steps: Floats, omega: Floats) -> Floats:
    with np.errstate(over="ignore"):
        angle = steps * omega
    if not np.isfinite(angle).all():
        raise ValueError(f"{name} must keep {name}·ω finite, got {np.max(np.abs(steps))!r}")
    return np.asarray(angle)
