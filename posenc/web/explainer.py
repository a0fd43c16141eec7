"""What the explainer shows: its numbers, its figures, and the data of its scripts, all from one Config.

Each part of the page has a module of its own in posenc/web/parts.
"""

import math
from collections.abc import Callable
from typing import Any

from posenc.arrays import Floats
from posenc.config import Config
from posenc.proof import Proof
from posenc.web import heatmaps as plots
from posenc.web import now, parts, picture, state
from posenc.web.clocks import hands
from posenc.web.format import count, fixed
from posenc.web.parts.setting import SEED, Setting

PLATE_SLOTS = 16


def numbers(config: Config, table: Floats, proof: Proof) -> dict[str, str]:
    """Every slot of the page's words."""
    setting = Setting(config, table)
    return {
        "config.width": count(config.d_model),
        "config.pairs": count(config.n_pairs),
        "config.slots": count(config.n_positions),
        "config.base": count(int(config.base)),
        **now.numbers(now.start(fields(config))),
        "random.seed": str(SEED),
        "random.spread": fixed(1 / math.sqrt(config.d_model), 2),
        **parts.order.numbers(setting),
        **parts.count.numbers(setting),
        **parts.wave.numbers(setting),
        **parts.stack.numbers(setting),
        **parts.sum.numbers(setting),
        **parts.turn.numbers(setting),
        **parts.address.numbers(setting, proof),
        **parts.coda.numbers(setting),
        **parts.questions.numbers(setting),
    }


def figures(config: Config, table: Floats) -> dict[str, Any]:
    """Every figure as it stands before a script touches it."""
    setting = Setting(config, table)
    return {
        "row": now.row(now.start(fields(config))),
        "plate": [hands(row) for row in table[:PLATE_SLOTS]],
        "order": parts.order.figure(setting),
        "count": parts.count.figure(setting),
        "wave": parts.wave.figure(setting),
        "stack": parts.stack.figure(setting),
        "sum": parts.sum.figure(setting),
        "turn": parts.turn.figure(setting),
        "address": parts.address.figure(setting),
        "coda": parts.coda.figure(setting),
    }


def data(config: Config, table: Floats) -> dict[str, Any]:
    """What the page's script cannot compute for itself: random words and matrices, and what was chosen."""
    setting = Setting(config, table)
    return {
        "colours": list(picture.STOPS),
        "order": parts.order.data(setting),
        "count": parts.count.data(setting),
        "wave": parts.wave.data(setting),
        "stack": parts.stack.data(setting),
        "sum": parts.sum.data(setting),
        "turn": parts.turn.data(setting),
        "coda": parts.coda.data(setting),
    }


def fields(config: Config) -> tuple[state.Field, ...]:
    """What the reader can change."""
    return (
        *state.shared(config),
        *parts.order.fields(),
        *parts.count.fields(),
        *parts.stack.fields(config),
        *parts.turn.fields(),
        *parts.coda.fields(),
    )


def heatmaps(config: Config, table: Floats, text: Callable[[str], str]) -> dict[str, plots.Heatmap]:
    """The heatmaps by name: the likeness of all positions, and the whole table."""
    shown = (
        plots.similarity(config, table, text),
        plots.panel(config, table, text, "whole", config.n_positions),
    )
    return {heatmap.name: heatmap for heatmap in shown}
