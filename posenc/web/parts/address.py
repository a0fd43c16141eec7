"""Part 7: all of it in one figure, held by one state: the table, and one slot's whole address."""

import math
from typing import Any

import numpy as np

from posenc.proof import Proof
from posenc.web import now
from posenc.web.clocks import hands
from posenc.web.format import count, fixed, listed
from posenc.web.parts.curves import curve
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
        "span": setting.config.n_positions - 1,
        "waves": [_wave(setting, pair, slot) for pair in now.waves(setting.config.n_pairs, 0)],
        "hands": hands(row),
        "cells": cells(row, 1.0),
        "least": fixed(float(row.min()), 3),
        "most": fixed(float(row.max()), 3),
        "length": fixed(float(np.linalg.norm(row)), 4),
        "nearest": listed(map(count, np.flatnonzero(apart <= apart.min() + setting.config.tolerance).tolist())),
        "distance": fixed(float(apart.min()), 4),
    }


def _wave(setting: Setting, pair: int, slot: int) -> dict[str, Any]:
    """One pair's sine over the table, and how high it stands at a slot."""
    omega = float(setting.omega[pair])
    height = math.sin(slot * omega)
    return {
        "pair": pair,
        "path": curve(omega, setting.config.n_positions - 1),
        "y": f"{-height + 0.0:.3f}",
        "height": fixed(height, 2),
    }
