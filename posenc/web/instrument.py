"""What the instrument page shows: numbers for its words, data for its figures and for its script.

All of it is computed for the built configuration, except window 5, whose five words need a small head
and keep the width of the worked example.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from markupsafe import Markup

from posenc.arrays import Floats
from posenc.attention import Head, attend, seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode, frequencies, rotate, wavelengths
from posenc.faults import raw_index
from posenc.proof import Invariant, Proof, Where, fingerprint, prove
from posenc.web import clocks, format
from posenc.web import heatmaps as pictures

Text = Callable[[str], str]

OTHER_BASES = (2.0, 100.0, Config().base, 1e6)
WORDS = ("a", "b", "c", "d", "e")
ORDER = (3, 0, 4, 1, 2)  # which word takes each seat; every word leaves its own
SEED = 3
FIRST_ROWS = 32
MOST_DIALS = 16
MOST_RULES = 12
MOST_TICKS = 160
MOST_VALUES = 6
NONE = "—"


def numbers(config: Config, table: Floats, proof: Proof) -> dict[str, str | Markup]:
    checks = _by_name(proof)
    n, probe = config.n_positions, config.probes[1]
    return {
        "bench.last": format.count(n - 1),
        "bench.width": format.count(config.d_model),
        "bench.pairs": format.count(config.n_pairs),
        "bench.row-pairs": format.count(n * (n - 1) // 2),
        "lineage.width": format.count(Config().d_model),
        "lineage.words": format.count(len(WORDS)),
        "proof.shift": format.measured(checks["shift"].measured),
        "proof.distinct": format.measured(checks["distinct"].measured),
        "grave.mirror": format.measured(_mirror(table)),
        "wall.root-two": format.measured(math.sqrt(2)),
        "wall.step": format.measured(_scaled(1, n)),
        "wall.probe": format.count(probe),
        "wall.same-slot": format.measured(_scaled(probe, n)),
        "wall.same-slot-longer": format.measured(_scaled(probe, 2 * n)),
        "wall.twice": format.count(2 * n),
    }


def figures(config: Config, table: Floats) -> dict[str, Any]:
    """Raw data for the windows' templates, and the functions that write it out."""
    sample = _sample(config)
    wavelength = wavelengths(frequencies(config.d_model, config.base))
    return {
        "plain": _plain,
        "bound": _bound,
        "error": _error,
        "where": _where,
        "fill": _fill,
        "by_name": _by_name,
        "shortest": _length(float(np.min(wavelength))),
        "longest": _length(float(np.max(wavelength))),
        "fingerprint": fingerprint(table),
        "first_rows": FIRST_ROWS,
        "ladder": _slope(config),
        "ruler": _ruler(config),
        "lineage": _lineage(ORDER),
        "words": WORDS,
        "probes": [clocks.hands(table[probe][: 2 * MOST_DIALS]) for probe in config.probes],
        "distance": float(np.linalg.norm(table[config.probes[1]] - table[config.probes[0]])),
        "turned": _turned(config, table),
        "unique": len(np.unique(np.round(table, 9), axis=0)),
        "wall": _wall(config, table),
        "rows": [_rows(config, table, probe) for probe in config.probes],
        "bases": [_with_base(sample, base) for base in _bases(config)],
        "tampered": prove(raw_index(sample), sample).invariants,
        "sample_rows": sample.n_positions,
    }


def data(config: Config, table: Floats) -> dict[str, Any]:
    """What the page's script needs and cannot compute from the configuration."""
    words, head = _small()
    return {
        "first_rows": FIRST_ROWS,
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


def heatmaps(config: Config, table: Floats, text: Text) -> dict[str, Any]:
    return {"panel": pictures.panel(config, table, text)}


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


# Window 5: five words, seated in two orders


@dataclass(frozen=True, slots=True)
class Lineage:
    """Per word, the largest change of its output when the words change seats."""

    order: tuple[int, ...]
    bare: Floats
    placed: Floats
    masked: Floats


def _small() -> tuple[Floats, Head]:
    d_model = Config().d_model
    return seeded_words(len(WORDS), d_model, SEED), seeded_head(d_model, SEED)


def _lineage(order: tuple[int, ...]) -> Lineage:
    words, head = _small()
    seats = encode(np.arange(len(WORDS)), words.shape[1], Config().base)
    return Lineage(
        order,
        bare=_moved(words, 0 * seats, head, order),
        placed=_moved(words, seats, head, order),
        masked=_moved(words, 0 * seats, head, order, causal=True),
    )


def _moved(words: Floats, seats: Floats, head: Head, order: tuple[int, ...], *, causal: bool = False) -> Floats:
    chosen = list(order)
    before = attend(words + seats, head, causal=causal)[chosen]
    after = attend(words[chosen] + seats, head, causal=causal)
    return np.asarray(np.max(np.abs(after - before), axis=1))


# Window 4: the probes


def _turned(config: Config, table: Floats) -> float:
    a, b = config.probes
    turned = rotate(table[a], b - a, frequencies(config.d_model, config.base))
    return float(np.max(np.abs(table[b] - turned)))


# Window 1: four ways to say a place


@dataclass(frozen=True, slots=True)
class Scheme:
    """Measured over all rows; `shift` is the largest error of the scheme's own shift operator."""

    name: str
    columns: str
    largest: str
    lengths: str
    nearest: str
    farthest: str
    shift: str


def _wall(config: Config, table: Floats) -> list[Scheme]:
    n = config.n_positions
    index = np.arange(n, dtype=np.float64)
    sine_shift = max(_turn_error(config, table, k) for k in range(min(n, FIRST_ROWS)))
    return [
        _line_scheme("raw", index, 1.0),
        _one_hot(n),
        _line_scheme("scaled", _scaled(index, n), _scaled(1, n)),
        Scheme(
            "sinusoid",
            format.count(config.d_model),
            _short(float(np.max(np.abs(table)))),
            _range(np.linalg.norm(table, axis=1)),
            *_by_offset(table),
            _error(sine_shift),
        ),
    ]


def _line_scheme(name: str, value: Floats, step: float) -> Scheme:
    """A single number per position: a shift is the shear (value, 1) → (value + k·step, 1)."""
    n = len(value)
    error = max(float(np.max(np.abs(value[k:] - (value[: n - k] + k * step)))) for k in range(min(n, FIRST_ROWS)))
    gaps = (NONE, NONE) if n == 1 else (_short(float(np.min(np.diff(value)))), _short(float(value[-1] - value[0])))
    return Scheme(name, "1", _short(float(np.max(np.abs(value)))), _range(np.abs(value)), *gaps, _error(error))


def _one_hot(n: int) -> Scheme:
    """Measured on the first rows: the others are the same row with the 1 further on."""
    rows = np.eye(min(n, FIRST_ROWS))
    error = max(float(np.max(np.abs(rows[k:] - np.roll(rows, k, axis=1)[: len(rows) - k]))) for k in range(len(rows)))
    gap = np.linalg.norm(rows[1:] - rows[:1], axis=1)
    gaps = (NONE, NONE) if n == 1 else (_short(float(gap.min())), _short(float(gap.max())))
    return Scheme("onehot", format.count(n), "1", _range(np.linalg.norm(rows, axis=1)), *gaps, _error(error))


def _by_offset(table: Floats) -> tuple[str, str]:
    """Nearest and farthest pair; the distance of two rows depends on their offset alone."""
    if len(table) == 1:
        return NONE, NONE
    distance = np.linalg.norm(table[1:] - table[0], axis=1)
    return _short(float(distance.min())), _short(float(distance.max()))


def _turn_error(config: Config, table: Floats, k: int) -> float:
    turned = rotate(table[: len(table) - k], k, frequencies(config.d_model, config.base))
    return float(np.max(np.abs(table[k:] - turned)))


def _rows(config: Config, table: Floats, position: int) -> dict[str, Any]:
    """The actual row of one position in each scheme, the long ones cut."""
    return {
        "raw": format.count(position),
        "scaled": format.measured(_scaled(position, config.n_positions)),
        "sinusoid": "  ".join(format.fixed(float(value), 3) for value in table[position][:MOST_VALUES]),
        "cut": config.d_model > MOST_VALUES,
    }


def _scaled(position: Any, n: int) -> Any:
    """Position as a share of the text's length, 0 … 1."""
    return position / max(n - 1, 1)


# Windows 2 and 6: other bases, and the fault's expected damage


@dataclass(frozen=True, slots=True)
class Reproof:
    base: str
    built: bool
    longest: str
    nearest: str
    shift: str
    held: int


def _sample(config: Config) -> Config:
    """The same encoding with no more rows than the worked example: enough to re-prove in a blink."""
    return replace(config, n_positions=min(config.n_positions, Config().n_positions), probes=(0, 0))


def _bases(config: Config) -> list[float]:
    return sorted({config.base, *OTHER_BASES})


def _with_base(config: Config, base: float) -> Reproof:
    """A base that broke an invariant would stop the build: the page says that none does."""
    other = replace(config, base=base)
    proof = prove(encode(np.arange(other.n_positions), other.d_model, base), other)
    proof.require()
    measured = {invariant.name: invariant.measured for invariant in proof.invariants}
    longest = float(np.max(wavelengths(frequencies(other.d_model, base))))
    return Reproof(
        _plain(base),
        base == config.base,
        _length(longest),
        format.measured(measured["distinct"]),
        _error(measured["shift"]),
        sum(invariant.holds for invariant in proof.invariants),
    )


def _mirror(table: Floats) -> float:
    """Largest difference between the score of a row with the row k later and with the row k earlier."""
    middle = len(table) // 2
    reach = min(middle, len(table) - 1 - middle)
    score = table @ table[middle]
    steps = np.arange(reach + 1)
    return float(np.max(np.abs(score[middle + steps] - score[middle - steps])))


# How numbers are written here


def _fill(template: str, **values: object) -> str:
    """`{name}` in `template` replaced, as posenc.format.fill does in the browser."""
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", str(value))
    return template


def _plain(x: float) -> str:
    return format.count(int(x)) if x == int(x) and abs(x) < 1e15 else format.measured(x)


def _length(x: float) -> str:
    """A wavelength: fewer decimals the longer it is."""
    if not 1e-3 <= x < 1e9:
        return format.sci(x)
    return format.fixed(x, 3 if x < 100 else 1 if x < 1e5 else 0)


def _short(x: float) -> str:
    """At most four significant places, for narrow columns."""
    if x == round(x) and abs(x) < 1e6:
        return format.count(round(x))
    return format.fixed(x, 3) if 1e-2 <= abs(x) < 100 else format.sci(x, 0)


def _error(x: float) -> str:
    return "0" if x == 0 else format.sci(x, 0)


def _range(lengths: Floats) -> str:
    low, high = _short(float(np.min(lengths))), _short(float(np.max(lengths)))
    return low if low == high else f"{low} … {high}"


def _bound(x: float) -> str:
    return format.count(int(x)) if x == int(x) else format.measured(x)


def _where(where: Where, label: Text) -> str:
    """The place of a worst case in the page's words."""
    places = {"position": where.position, "k": where.k, "pair": where.pair}
    named = [
        _fill(label(f"script.where.{name}"), **{name: format.count(value)})
        for name, value in places.items()
        if value is not None
    ]
    return ", ".join(named) or label("script.where.none")


def _by_name(proof: Proof) -> dict[str, Invariant]:
    return {invariant.name: invariant for invariant in proof.invariants}
