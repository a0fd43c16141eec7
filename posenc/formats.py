"""Does the encoding survive a number format? Found by making the tables, not assumed.

Two ways to go low: the table is computed high and each value stored low, or the positions themselves are held low and
the table is computed from what is left of them. The second is the dangerous one: whole positions run together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from posenc import book, checks
from posenc.arrays import Floats, vector
from posenc.config import Config
from posenc.engine import encode, frequencies, rotation

Format = Literal["float64", "float32", "bfloat16", "float16"]
Held = Literal["values", "positions"]
Way = Literal["float64", "float32", "bfloat16", "engine"]

FORMATS: tuple[Format, ...] = get_args(Format)
WAYS: tuple[Way, ...] = get_args(Way)
_BFLOAT16_BITS = 8  # of the significand, the hidden one counted


@dataclass(frozen=True, slots=True)
class Survival:
    """What became of a table: the worst error of a value, the worst residual of a shift by one position, how many
    rows are distinct, and the first two positions whose rows became the same.

    A position beyond the format's range has no row; error and shift are then NaN."""

    format: Format
    held: Held
    error: float
    shift: float
    n_distinct: int
    n_positions: int
    collision: tuple[int, int] | None


def precision(
    n_positions: int = 4096,
    d_model: int = Config().d_model,
    base: float = Config().base,
    formats: Sequence[Format] = FORMATS,
) -> tuple[Survival, ...]:
    """Every format, held both ways, for positions 0 … n_positions − 1."""
    n_positions = checks.integer("n_positions", n_positions, 1)
    if not isinstance(formats, (list, tuple)):
        raise checks.failure("formats", formats, f"a list of {', '.join(FORMATS)}")
    positions = np.arange(n_positions, dtype=np.float64)
    exact = encode(positions, d_model, base)
    omega = frequencies(d_model, base)
    survivals = []
    for kind in formats:
        kept = rounded(positions, kind)
        tables: dict[Held, Floats] = {
            "values": rounded(exact, kind),
            "positions": exact if np.array_equal(kept, positions) else _rows_of(kept, d_model, base),
        }
        for held, table in tables.items():
            collision, n_distinct = _collisions(table)
            survivals.append(
                Survival(
                    format=kind,
                    held=held,
                    error=float(np.max(np.abs(table - exact))),
                    shift=_step_residual(table, omega),
                    n_distinct=n_distinct,
                    n_positions=n_positions,
                    collision=collision,
                )
            )
    return tuple(survivals)


def errors(positions: Sequence[int], d_model: int, base: float) -> dict[Way, Floats]:
    """Worst error at each position, over its row, against the formula by the book in extended precision: of the
    formula as it is usually typed, in float64 and in float32; of positions held in bfloat16; and of this engine.
    Shape (n,) each; NaN where a format has no number for an angle."""
    steps = vector("positions", positions, limit=checks.MAX_POSITION)
    exact = book.rows(steps, checks.width("d_model", d_model), checks.real("base", base, positive=True))

    def worst(table: Floats) -> Floats:
        return np.asarray(np.max(np.abs(table - exact), axis=1))

    return {
        "float64": worst(_typed(steps, d_model, base, np.float64)),
        "float32": worst(_typed(steps, d_model, base, np.float32)),
        "bfloat16": worst(_rows_of(rounded(steps, "bfloat16"), d_model, base)),
        "engine": worst(encode(steps, d_model, base)),
    }


def rounded(values: Floats, kind: Format) -> Floats:
    """Each value rounded to the nearest of a format, ties to even, and given back as float64; ∞ beyond its range."""
    if kind not in FORMATS:
        raise checks.failure("formats", kind, f"one of {', '.join(FORMATS)}")
    if kind == "bfloat16":  # NumPy has none; its range is float32's, wide enough for what is rounded here
        significand, exponent = np.frexp(values)
        return np.asarray(np.ldexp(np.rint(np.ldexp(significand, _BFLOAT16_BITS)), exponent - _BFLOAT16_BITS))
    with np.errstate(over="ignore"):
        return values.astype(kind).astype(np.float64)


def _rows_of(positions: Floats, d_model: int, base: float) -> Floats:
    """The rows of held positions, neighbours often alike: those are computed once. ∞ has none."""
    table = np.full((len(positions), d_model), np.nan)
    finite = np.isfinite(positions)
    steps = positions[finite]
    new = np.append(True, steps[1:] != steps[:-1])[: len(steps)]
    table[finite] = encode(steps[new], d_model, base)[np.cumsum(new) - 1]
    return table


def _step_residual(table: Floats, omega: Floats) -> float:
    """Largest entry of PE(pos + 1) − R_1 PE(pos). With a pair as one number, sin + i·cos, R_1 is one product."""
    if len(table) == 1:
        return 0.0
    blocks = rotation(1, omega)
    turn = blocks[:, 0, 0] - 1j * blocks[:, 0, 1]
    rows = table.view(np.complex128)
    residual = rows[1:] - rows[:-1] * turn
    return float(np.max(np.abs(residual.view(np.float64))))


def _typed(positions: Floats, d_model: int, base: float, dtype: type[np.floating]) -> Floats:
    """The formula as it stands in most code: exp(−ln(base)·2i/d), times the position, all in one format."""
    column = np.arange(0, d_model, 2).astype(dtype)
    table = np.empty((len(positions), d_model))
    with np.errstate(over="ignore", invalid="ignore"):
        omega = np.exp(column * dtype(-np.log(base) / d_model))
        angle = positions.astype(dtype)[:, None] * omega
        table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


def _collisions(table: Floats) -> tuple[tuple[int, int] | None, int]:
    """The first row that stands a second time, with its earlier twin, and the number of distinct rows."""
    seen: dict[bytes, int] = {}
    first = None
    for position, row in enumerate(table + 0.0):
        earlier = seen.setdefault(row.tobytes(), position)
        if earlier != position and first is None:
            first = (earlier, position)
    return first, len(seen)
