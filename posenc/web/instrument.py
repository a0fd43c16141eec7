"""What the instrument page shows: numbers for its words, data for its figures and for its script.

All of it is computed for the built configuration, except window 5, whose words need a small head and keep the width of
the worked example. What is measured is measured in posenc/; here it is written out. Windows that are more than a table
and its proof have modules of their own in posenc/web/windows.
"""

import math
from typing import Any

from markupsafe import Markup

from posenc import exhibits, linear
from posenc.arrays import Floats
from posenc.claims import ALL_PAIRS, EVERY_ROW
from posenc.config import Config
from posenc.engine import frequencies
from posenc.faults import FAULTS
from posenc.proof import Proof, fingerprint
from posenc.web import clocks, curves, format, now, state, windows
from posenc.web import heatmaps as pictures
from posenc.web.windows.wall import MOST_VALUES

AGREEMENT = 1e-11
"""How far the browser's table may be from Python's: it computes ω with its own power function, Math.pow."""

MOST_DIALS = 16
MOST_OWN = {"rows": 2048, "columns": 1024, "megabytes": 64}
"""Of a reader's own table, what the page promises to check, and the size of a file that it does not open."""
METHODS = {
    EVERY_ROW: "all-rows",
    ALL_PAIRS: "all-pairs",
    linear.SORTED_ROWS: "all-pairs",
    linear.SHIFT_BOUND: "linear-shift",
    linear.DISTANCE_BOUND: "linear-distance",
}
"""The words' keys for what a number stands on; templates/js/proof.js gives the same ones."""


def numbers(config: Config, table: Floats, proof: Proof) -> dict[str, str | Markup]:
    """Every slot of the page's words."""
    measured = {invariant.name: invariant.measured for invariant in proof.invariants}
    n = config.n_positions
    return {
        **now.numbers(now.start(fields(config))),
        "bench.last": format.count(n - 1),
        "bench.width": format.count(config.d_model),
        "bench.pairs": format.count(config.n_pairs),
        "bench.row-pairs": format.count(n * (n - 1) // 2),
        "proof.shift": format.measured(measured["shift"]),
        **windows.wall.numbers(config),
        **windows.graveyard.numbers(config),
        **windows.lineage.numbers(),
        **windows.formats.numbers(config),
    }


def figures(config: Config, table: Floats) -> dict[str, Any]:
    """Raw data for the windows' templates."""
    return {
        "row": now.row(now.start(fields(config))),
        "turn": now.turn(now.start(fields(config))),
        "ahead": now.residual(now.start(fields(config))),
        "methods": METHODS,
        "last_turns": _turns(config),
        "fingerprint": fingerprint(table),
        "first_rows": pictures.ROWS_AT_FIRST,
        "probes": [clocks.hands(table[probe][: 2 * MOST_DIALS]) for probe in config.probes],
        "compared": exhibits.compared(config, table),
        "yours": MOST_OWN,
        "unique": exhibits.unique_rows(table),
        "agreement": AGREEMENT,
        **windows.wall.figure(config, table),
        **windows.graveyard.figure(config),
        **windows.model.figure(config),
        **windows.lineage.figure(),
        **windows.tamper.figure(config),
        **windows.formats.figure(config),
    }


def _turns(config: Config) -> str:
    """How far the last pair comes round over the table."""
    last = float(frequencies(config.d_model, config.base)[-1])
    return format.measured((config.n_positions - 1) * last / math.tau)


def data(config: Config, table: Floats) -> dict[str, Any]:
    """What the page's script needs and cannot compute from the configuration."""
    return {
        "agreement": AGREEMENT,
        "first_rows": pictures.ROWS_AT_FIRST,
        "most_dials": MOST_DIALS,
        "most_values": MOST_VALUES,
        "yours": MOST_OWN,
        "graveyard": windows.graveyard.data(),
        "lineage": windows.lineage.data(),
        **windows.tamper.data(config),
    }


def fields(config: Config) -> tuple[state.Field, ...]:
    """What the reader can change."""
    return (*state.shared(config), state.choice("tamper", "tamper", ("none", *FAULTS)))


def heatmaps(config: Config, table: Floats, text: pictures.Text) -> dict[str, Any]:
    """The plots of the page, by name: the panel, and the errors of window 8."""
    return {"panel": pictures.panel(config, table, text), "precision": curves.precision(config, text)}
