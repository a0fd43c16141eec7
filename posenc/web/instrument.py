"""What the instrument page shows: numbers for its words, data for its figures and for its script.

All of it is computed for the built configuration, except window 5, whose words need a small head and
keep the width of the worked example. What is measured is measured in posenc/; here it is written out.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from posenc import exhibits
from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import Head, seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode, frequencies, wavelengths
from posenc.formats import Survival, precision
from posenc.proof import Proof, fingerprint
from posenc.rivals import SHIFTED, Rival, rivals, scaled, step
from posenc.web import clocks, curves, format, state
from posenc.web import heatmaps as pictures

AGREEMENT = 1e-11
"""How far the browser's table may be from Python's: it computes ω with its own power function, Math.pow."""

FORMAT_ROWS = 4096
"""Positions on which number formats are tried: float16 holds the first 2,049 of them exactly."""

OTHER_BASES = (2.0, 100.0, Config().base, 1e6)
WORDS = ("a", "b", "c", "d", "e")
ORDER = (3, 0, 4, 1, 2)  # which word takes each seat; every word leaves its own
SEED = 3
MOST_DIALS = 16
MOST_RULES = 12
MOST_TICKS = 160
MOST_VALUES = 6
NONE = "—"


def numbers(config: Config, table: Floats, proof: Proof) -> dict[str, str | Markup]:
    """Every slot of the page's words."""
    measured = {invariant.name: invariant.measured for invariant in proof.invariants}
    n, probe = config.n_positions, config.probes[1]
    return {
        "bench.last": format.count(n - 1),
        "bench.width": format.count(config.d_model),
        "bench.pairs": format.count(config.n_pairs),
        "bench.row-pairs": format.count(n * (n - 1) // 2),
        "lineage.width": format.count(Config().d_model),
        "lineage.base": format.count(int(Config().base)),
        "lineage.words": format.count(len(WORDS)),
        "lineage.last": format.count(len(WORDS) - 1),
        "precision.rows": format.count(FORMAT_ROWS),
        "precision.width": format.count(curves.width(config)),
        "precision.base": format.count(int(config.base)) if config.base.is_integer() else format.measured(config.base),
        "precision.run": format.count(curves.NEAR),
        "precision.floor": format.sci(curves.FLOOR),
        "proof.shift": format.measured(measured["shift"]),
        "wall.root-two": format.measured(math.sqrt(2)),
        "wall.step": format.measured(step(n)) if n > 1 else NONE,
        "wall.probe": format.count(probe),
        "wall.same-slot": _share(probe, n),
        "wall.same-slot-longer": _share(probe, 2 * n),
        "wall.twice": format.count(2 * n),
    }


def figures(config: Config, table: Floats) -> dict[str, Any]:
    """Raw data for the windows' templates."""
    omega = frequencies(config.d_model, config.base)
    wavelength = wavelengths(omega)
    sample = exhibits.sample(config)
    return {
        "shortest": _length(float(np.min(wavelength))),
        "longest": _length(float(np.max(wavelength))),
        "fingerprint": fingerprint(table),
        "first_rows": pictures.ROWS_AT_FIRST,
        "ladder": _slope(config),
        "last_omega": format.measured(float(omega[-1])),
        "ruler": _ruler(config),
        "lineage": _lineage(ORDER),
        "words": WORDS,
        "probes": [clocks.hands(table[probe][: 2 * MOST_DIALS]) for probe in config.probes],
        "compared": exhibits.compared(config, table),
        "unique": exhibits.unique_rows(table),
        "wall": [_scheme(rival) for rival in rivals(table)],
        "shifted": min(config.n_positions, SHIFTED),
        "rows": [_rows(config, table, probe) for probe in config.probes],
        "bases": [_with_base(sample, base, config.base) for base in _bases(config)],
        "tampered": exhibits.tampered(sample).invariants,
        "sample_rows": sample.n_positions,
        "agreement": AGREEMENT,
        "formats": _formats(precision(FORMAT_ROWS, curves.width(config), config.base)),
    }


def data(config: Config, table: Floats) -> dict[str, Any]:
    """What the page's script needs and cannot compute from the configuration."""
    words, head = _small()
    return {
        "agreement": AGREEMENT,
        "first_rows": pictures.ROWS_AT_FIRST,
        "most_dials": MOST_DIALS,
        "most_values": MOST_VALUES,
        "lineage": {
            "words": words.tolist(),
            "names": list(WORDS),
            "head": {"w_q": head.w_q.tolist(), "w_k": head.w_k.tolist(), "w_v": head.w_v.tolist()},
            "order": list(ORDER),
            "base": Config().base,
        },
    }


def fields(config: Config) -> tuple[state.Field, ...]:
    """What the reader can change."""
    return state.shared(config)


def heatmaps(config: Config, table: Floats, text: pictures.Text) -> dict[str, Any]:
    """The plots of the page, by name: the panel, and the errors of window 6."""
    return {"panel": pictures.panel(config, table, text), "precision": curves.precision(config, text)}


# Window 3: the ruler


@dataclass(frozen=True, slots=True)
class Rule:
    """One pair's row of the ruler: a tick, in percent of its length, at each whole wavelength."""

    pair: int
    wavelength: str
    ticks: tuple[float, ...]
    solid: bool
    turns: str


def _ruler(config: Config) -> dict[str, Any]:
    """Ticks from position 0; never shorter than two turns of the first pair, never longer than twenty."""
    first = 2 * np.pi
    span = float(np.clip(config.n_positions - 1, np.ceil(2 * first), np.ceil(20 * first)))
    wavelength = wavelengths(frequencies(config.d_model, config.base))
    pairs = np.unique(np.linspace(0, config.n_pairs - 1, min(config.n_pairs, MOST_RULES)).round().astype(int))
    return {
        "span": format.count(round(span)),
        "rules": [_rule(int(pair), float(wavelength[pair]), span) for pair in pairs],
    }


def _rule(pair: int, wavelength: float, span: float) -> Rule:
    solid = span / wavelength > MOST_TICKS
    ticks = () if solid else np.arange(0, span + 1e-9, wavelength) / span * 100
    placed = tuple(round(float(tick), 3) for tick in ticks)
    return Rule(pair, _length(wavelength), placed, solid, format.measured(span / wavelength))


def _slope(config: Config) -> str:
    if config.n_pairs == 1:
        return "single"
    if config.base == 1:
        return "level"
    return "falls" if config.base > 1 else "rises"


# Window 5: a few words, seated in two orders


@dataclass(frozen=True, slots=True)
class Lineage:
    """Per seat, the largest change of its word's output when the words change seats.

    Without the encoding it is zero but for the last bits, which differ from machine to machine: `bare`
    is the bound that it was found to keep.
    """

    order: tuple[int, ...]
    bare: str
    placed: Floats
    masked: Floats


def _small() -> tuple[Floats, Head]:
    d_model = Config().d_model
    return seeded_words(len(WORDS), d_model, SEED), seeded_head(d_model, SEED)


def _lineage(order: tuple[int, ...]) -> Lineage:
    words, head = _small()
    seats = encode(np.arange(len(WORDS)), words.shape[1], Config().base)

    def moved(*, placed: bool, causal: bool) -> Floats:
        told = lab.retelling(words, seats, order, head, placed=placed, causal=causal)
        return told.differences[list(order)]

    bare = lab.negligible("the change of an unplaced word", float(moved(placed=False, causal=False).max()))
    return Lineage(
        order,
        bare=format.sci(bare, 0),
        placed=moved(placed=True, causal=False),
        masked=moved(placed=False, causal=True),
    )


# Window 1: four ways to say a place


@dataclass(frozen=True, slots=True)
class Scheme:
    """A rival as the table writes it; `shift` stays a number, None where the proof measures it."""

    name: str
    columns: str
    largest: str
    lengths: str
    nearest: str
    farthest: str
    shift: float | None


def _scheme(rival: Rival) -> Scheme:
    nearest, farthest = map(_short, rival.apart) if rival.apart else (NONE, NONE)
    return Scheme(
        rival.name,
        format.count(rival.columns),
        _short(rival.largest),
        _range(*rival.lengths),
        nearest,
        farthest,
        rival.shift,
    )


def _rows(config: Config, table: Floats, position: int) -> dict[str, Any]:
    """The actual row of one position in each scheme, the long ones cut."""
    return {
        "raw": format.count(position),
        "scaled": _share(position, config.n_positions),
        "sinusoid": "  ".join(format.fixed(float(value), 3) for value in table[position][:MOST_VALUES]),
        "cut": config.d_model > MOST_VALUES,
    }


def _share(position: int, n: int) -> str:
    return format.measured(float(scaled(position, n)))


# Window 2: other bases


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
        _length(longest),
        format.measured(measured["distinct"]) if sample.n_positions > 1 else NONE,
        measured["shift"],
        sum(invariant.holds for invariant in proof.invariants),
    )


# Window 6: number formats


@dataclass(frozen=True, slots=True)
class Kept:
    """One format, held one way, as the table writes it; a format that keeps every row apart has no collision."""

    format: str
    error: str
    shift: str
    distinct: str
    collision: tuple[str, str] | None


def _formats(found: tuple[Survival, ...]) -> dict[str, list[Kept]]:
    return {held: [_kept(one) for one in found if one.held == held] for held in ("values", "positions")}


def _kept(survival: Survival) -> Kept:
    first, second = map(format.count, survival.collision or (0, 0))
    return Kept(
        survival.format,
        _short(survival.error),
        _short(survival.shift),
        format.count(survival.n_distinct),
        (first, second) if survival.collision else None,
    )


# How numbers are written here


def _length(x: float) -> str:
    """A wavelength: fewer decimals the longer it is."""
    if not 1e-3 <= x < 1e9:
        return format.sci(x)
    return format.fixed(x, 3 if x < 100 else 1 if x < 1e5 else 0)


def _short(x: float) -> str:
    """At most four significant places, for narrow columns; what would end in .000 is whole."""
    if 1e-2 <= abs(x) < 100:
        return format.fixed(x, 3).removesuffix(".000")
    if 100 <= abs(x) < 1e6:
        return format.fixed(x, 1).removesuffix(".0")
    return "0" if x == 0 else format.sci(x, 0)


def _range(low: float, high: float) -> str:
    ends = dict.fromkeys((_short(low), _short(high)))  # written alike, they are one number
    return " … ".join(ends)
