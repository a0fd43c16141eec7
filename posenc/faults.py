"""Planted faults: tables that are not the encoding."""

import numpy as np

from posenc.arrays import Floats
from posenc.config import Config


def raw_index(config: Config) -> Floats:
    """PE = pos: every column holds the position itself, shape (n_positions, d_model)."""
    return np.repeat(np.arange(config.n_positions, dtype=np.float64)[:, None], config.d_model, axis=1)
