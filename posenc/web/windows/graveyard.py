"""Window 2: dead claims, and the other bases. templates/js/graveyard.js writes the same numbers for another state."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc import exhibits
from posenc import graveyard as dead
from posenc.config import Config
from posenc.engine import frequencies, wavelengths
from posenc.graveyard import FAR, OTHER_BASES, REACH, SEEN, Grave
from posenc.web import format
from posenc.web.windows.written import NONE, length

GRAVES = (
    "slow",
    "cosine",
    "column",
    "limit",
    "unique",
    "decay",
    "length",
    "invariant",
    "learned",
    "search",
    "angle",
    "rotates",
    "halves",
)
"""The claims that lie beside the first three, in the order of the page."""


def numbers(config: Config) -> dict[str, str]:
    """Every number of the counter-examples, by the key of the places that show it."""
    return {
        **live(config),
        **_words(dead.learned()),
        "grave.invariant-seats": format.measured(dead.invariant().numbers["seats"]),
        "grave.invariant-words": format.sci(dead.invariant().numbers["words"], 0),
        "grave.words": format.count(dead.WORDS),
        "grave.rows": format.count(Config().n_positions),
        "grave.far": format.count(FAR),
        "grave.two": format.plain(OTHER_BASES[0]),
    }


def live(config: Config) -> dict[str, str]:
    """Those that depend on the table: what posenc.graveyard gives in the browser."""
    return {key: text for grave in dead.graves(config) for key, text in _words(grave).items()}


def figure(config: Config) -> dict[str, Any]:
    """The figure as the build draws it: the claims with whether their numbers refute them here, and the bases."""
    sample = exhibits.sample(config)
    refuted = {grave.name: grave.refuted for grave in (*dead.graves(config), dead.invariant(), dead.learned())}
    return {
        "graves": {name: refuted[name] for name in GRAVES},
        "bases": [_with_base(sample, base, config.base) for base in _bases(config)],
        "sample_rows": sample.n_positions,
    }


def data() -> dict[str, Any]:
    """What was chosen for the counter-examples."""
    rows, bases, base = Config().n_positions, list(OTHER_BASES), Config().base
    return {"rows": rows, "bases": bases, "base": base, "far": FAR, "reach": REACH, "seen": SEEN}


def _words(grave: Grave) -> dict[str, str]:
    return {f"grave.{grave.name}-{what}": _written(what, value) for what, value in grave.numbers.items()}


def _written(what: str, value: float) -> str:
    """Likeness with the three decimals that it was compared at, what is counted as it is, all else as measured."""
    if what.endswith("likeness"):
        return format.fixed(value, 3)
    return format.plain(value) if isinstance(value, int) else format.measured(value)


@dataclass(frozen=True, slots=True)
class Reproof:
    """One base: the longest wavelength, the closest two rows, the shift's error, how many claims hold."""

    base: float
    built: bool
    longest: str
    nearest: str
    shift: float
    held: int


def _bases(config: Config) -> list[float]:
    return sorted({config.base, *OTHER_BASES})


def _with_base(sample: Config, base: float, built: float) -> Reproof:
    proof = exhibits.reproved(sample, base)
    measured = {invariant.name: invariant.measured for invariant in proof.invariants}
    longest = float(np.max(wavelengths(frequencies(sample.d_model, base))))
    return Reproof(
        base,
        base == built,
        length(longest),
        format.measured(measured["distinct"]) if sample.n_positions > 1 else NONE,
        measured["shift"],
        sum(invariant.holds for invariant in proof.invariants),
    )
