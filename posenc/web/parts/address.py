"""Part 7: one slot's whole address."""

import math
from typing import Any

import numpy as np

from posenc.proof import Proof
from posenc.web.clocks import hands
from posenc.web.format import count, fixed
from posenc.web.parts.setting import Setting
from posenc.web.strips import cells


def numbers(setting: Setting, proof: Proof) -> dict[str, str]:
    """What the words of the part say in figures."""
    measured = {invariant.name: invariant for invariant in proof.invariants}
    return {
        "address.slot": count(setting.config.probes[0]),
        "address.length": fixed(math.sqrt(setting.config.n_pairs), 2),
        "address.closest": fixed(measured["distinct"].measured, 2),
    }


def figure(setting: Setting) -> dict[str, Any]:
    """The figure as the build draws it."""
    slot = setting.config.probes[0]
    row = setting.table[slot]
    apart = np.linalg.norm(setting.table - row, axis=1)
    apart[slot] = math.inf
    return {
        "slot": slot,
        "last": setting.config.n_positions - 1,
        "hands": hands(row),
        "cells": cells(row, 1.0),
        "least": fixed(float(row.min()), 3),
        "most": fixed(float(row.max()), 3),
        "length": fixed(float(np.linalg.norm(row)), 4),
        "nearest": ", ".join(map(count, np.flatnonzero(apart <= apart.min() + setting.config.tolerance).tolist())),
        "distance": fixed(float(apart.min()), 4),
    }
