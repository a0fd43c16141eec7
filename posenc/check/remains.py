"""What remains when no model makes the table: bugs of another make, wrong parts, drift, added words, or nothing."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from posenc.arrays import Floats
from posenc.check.bugs import Made
from posenc.check.conventions import CONVENTIONS
from posenc.check.diagnosis import Diagnosis, Nearest, Note
from posenc.check.ladders import KNOWN
from posenc.check.measure import invariants
from posenc.check.models import Model, predicted
from posenc.check.reading import Case
from posenc.check.waves import Indices, layouts, side, spread, waves

GUESSES = (
    "under-words",
    "wrong-rows",
    "wrong-columns",
    "edited-cells",
    "unknown-ladder",
    "not-finite",
)
"""Bugs that are less than certain: the transpose is not taken for one of these."""

STARTS = (0, 1, 2)
DRIFT = 0.05
"""The root of the mean squared difference up to which a table is called a drifted one."""

_MATCHING = 0.9
_PARTLY = 0.5
_FEWEST_DROPPED = 0.02
_PREFILTER = 8  # rows compared first, of wide tables half as many
_WIDE = 128
_SAMPLED = 2**16  # cells
_SURE, _FAIRLY = 5.0, 3.0  # standard errors
_ALIKE = 1 + 1e-9  # sums of squares that differ by less are the same


@dataclass(frozen=True, slots=True)
class Known:
    """A known table of the same size: its name, and how it is made."""

    key: str
    model: Model

    def rows(self, rows: Floats, columns: int) -> Floats:
        return predicted(self.model, rows, columns)


def known_tables(case: Case) -> Iterator[Known]:
    """The named conventions at the first starts, on the first base."""
    width = case.table.shape[1]
    base = case.bases[0].value
    for convention in CONVENTIONS:
        if convention.padded or convention.unit:
            continue
        layout = next((each for each in layouts(width) if each.key == convention.layout), None)
        ladder = next(each for each in KNOWN if each.key == convention.ladder)
        if layout is None or not len(layout.sines):
            continue
        omega = ladder.omega(len(layout.sines) + (layout.alone is not None), width, base)
        for start in STARTS:
            yield Known(convention.key, Model(layout, ladder, base, float(width), omega, 1.0, float(start), 1.0))


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows of the table, at most 192 of them and fewer of wide ones, beside the same rows of all known tables."""

    rows: Indices
    table: Floats
    known: tuple[tuple[Known, Floats], ...]

    @classmethod
    def of(cls, case: Case) -> "Sample":
        columns = case.table.shape[1]
        rows = spread(len(case.table), min(192, max(_SAMPLED // columns, 32)))
        places = rows.astype(np.float64)
        known = tuple((each, each.rows(places, columns)) for each in known_tables(case))
        return cls(rows, case.table[rows], known)

    def closest(self) -> Known:
        """The nearest known table; of tables that rounding alone tells apart the first."""
        squares = [float(np.sum((self.table - rows) ** 2)) for _, rows in self.known]
        least = min(squares) * _ALIKE
        return next(
            (known for (known, _), sum_ in zip(self.known, squares, strict=True) if sum_ <= least), self.known[0][0]
        )


def _whole(case: Case, known: Known) -> Floats:
    return known.rows(np.arange(len(case.table), dtype=np.float64), case.table.shape[1])


def not_finite(case: Case, judged: Callable[[Case], Diagnosis]) -> Diagnosis:
    """NaN and ∞. Which columns they fill tells the bug; the rows without any tell the rest."""
    table = case.table
    bad = ~np.isfinite(table)
    row, column = (int(place) for place in np.argwhere(bad)[0])
    numbers: dict[str, float | int | str] = {"count": int(bad.sum()), "row": row, "column": column}
    whole = np.all(bad, axis=0)
    width = table.shape[1]
    key = "not-finite"
    if width == 2 and np.isnan(table).all():
        key = "one-pair-divides"
    elif 0 < np.count_nonzero(~whole) <= 2 and whole.sum() >= 2 and np.array_equal(bad.any(axis=0), whole):
        key = "negative-base"
    elif whole.all():
        key = "all-not-finite"
    bug = Note(key, numbers, "rejected")
    rest = np.flatnonzero(~bad.any(axis=1))
    empty = Diagnosis("rejected", key, *case.facts(), bug=bug)
    if key != "not-finite":
        return replace(empty, invariants=_plain(case))
    nearest, convention = None, None
    if len(rest) >= 4:
        run = max(np.split(rest, np.flatnonzero(np.diff(rest) != 1) + 1), key=len)
        part = judged(replace(case, table=np.ascontiguousarray(table[run])))
        nearest, convention = part.nearest, part.convention
        if nearest is not None:
            nearest = replace(nearest, row=nearest.row + int(run[0]))
    return replace(empty, nearest=nearest, convention=convention, invariants=_plain(case))


def made_by(case: Case, bug: Made) -> Diagnosis | None:
    """The diagnosis if the bug makes this table."""
    table = case.table
    height, width = table.shape
    if width < 2 or height < 2:
        return None
    few = np.arange(min(height, _PREFILTER if width <= _WIDE else _PREFILTER // 2), dtype=np.float64)
    for base in case.bases[:2]:
        for start in STARTS:
            made = bug.make(few + start, width, base.value)
            if made.shape[1] != width or _share(table[: len(few)], made, case.tolerance) < _PARTLY:
                continue
            made = bug.make(np.arange(height, dtype=np.float64) + start, width, base.value)
            if _share(table, made, _computed(case, height)) >= _MATCHING:
                note = Note(bug.key, {"base": base.value, "start": start}, "rejected")
                return against_nearest(case, Diagnosis("rejected", bug.key, *case.facts(), bug=note))
    return None


def _computed(case: Case, height: int) -> float:
    return case.tolerance + case.stored.phase * height


def single_row(case: Case) -> Diagnosis | None:
    """The conventions that make this one row."""
    fits = [known for known in known_tables(case) if np.all(np.abs(_whole(case, known) - case.table) <= case.tolerance)]
    if not fits:
        return None
    first = fits[0]
    others = tuple(
        Note("other-convention", {"convention": key})
        for key in dict.fromkeys(known.key for known in fits)
        if key != first.key
    )
    made = Diagnosis("accepted", first.key, *case.facts(), ambiguities=(Note("few-rows", {"rows": 1}), *others))
    return against_nearest(case, made)


def what_remains(case: Case) -> Diagnosis:
    """Wrong parts of a known table, a drifted one, one with words added, circles on no ladder; else nothing known."""
    if case.table.shape[1] < 2:
        note = Note("one-column", {}, "rejected")
        return Diagnosis("not a sinusoidal encoding", note.key, *case.facts(), notes=(note,))
    sample = Sample.of(case)
    for found in (_wrong_parts(case, sample), _under_words(case, sample), _unknown_ladder(case)):
        if found is not None:
            return against_nearest(case, found, sample)
    spread = float(np.std(case.table))
    note = Note("looks-learned", {"mean": float(np.mean(case.table)), "spread": spread}, "rejected")
    foreign = Diagnosis("not a sinusoidal encoding", "unknown", *case.facts(), notes=(note,))
    return against_nearest(case, foreign, sample)


def wrong_parts(case: Case) -> Diagnosis | None:
    """A known table with wrong cells, rows or columns, beside the nearest."""
    sample = Sample.of(case)
    found = _wrong_parts(case, sample)
    return None if found is None else against_nearest(case, found, sample)


def _wrong_parts(case: Case, sample: Sample) -> Diagnosis | None:
    allowed = _computed(case, len(case.table))
    best, some = max(sample.known, key=lambda pair: _share(sample.table, pair[1], allowed))
    if _share(sample.table, some, allowed) < _PARTLY or _trivial(sample.table, some, allowed):
        return None
    rows = _whole(case, best)
    apart = np.abs(case.table - rows)
    wrong = apart > allowed
    if not wrong.any():
        return None
    row, column = (int(place) for place in np.unravel_index(int(np.argmax(apart)), apart.shape))
    numbers: dict[str, float | int | str] = {
        "count": int(wrong.sum()),
        "row": row,
        "column": column,
        "difference": float(apart[row, column]),
        "value": float(case.table[row, column]),
        "expected": float(rows[row, column]),
        "rows": int(wrong.any(axis=1).sum()),
        "columns": int(wrong.any(axis=0).sum()),
    }
    whole_columns = wrong.sum() >= 0.5 * wrong.any(axis=0).sum() * len(wrong)
    whole_rows = wrong.sum() >= 0.5 * wrong.any(axis=1).sum() * wrong.shape[1]
    key = "edited-cells"
    if whole_columns and wrong.any(axis=0).sum() < wrong.shape[1]:
        key = "wrong-columns"
    elif whole_rows and wrong.any(axis=1).sum() < len(wrong):
        key = "wrong-rows"
    return Diagnosis("rejected", key, *case.facts(), bug=Note(key, numbers, "rejected"))


def _trivial(table: Floats, known: Floats, allowed: float) -> bool:
    """Whether only still columns agree: ones, which any table may hold."""
    moving = np.std(known, axis=0) > 0.1
    return not moving.any() or _share(table[:, moving], known[:, moving], allowed) < _PARTLY / 2


def dropped(case: Case) -> Diagnosis | None:
    """A known table with cells set to zero here and there, and the others scaled alike: dropout was applied."""
    zero = case.table == 0
    share = float(zero.mean())
    if not _FEWEST_DROPPED <= share <= 1 - _FEWEST_DROPPED or case.table.shape[1] < 2:
        return None
    sample = Sample.of(case)
    there = sample.table != 0
    for known, rows in sample.known:
        large = there & (np.abs(rows) > 0.1)
        if not large.any():
            continue
        factor = float(np.median(sample.table[large] / rows[large]))
        if factor <= 0:
            continue
        allowed = 2 * factor * _computed(case, len(case.table))
        if np.mean(np.abs(sample.table - factor * rows)[there] <= allowed) >= _MATCHING:
            lost = float(np.mean(zero & (np.abs(_whole(case, known)) > allowed)))
            if lost >= _FEWEST_DROPPED and np.mean(zero.any(axis=1)) > _PARTLY and not zero.all(axis=0).any():
                note = Note("dropped-out", {"share": 100 * lost, "factor": factor}, "rejected")
                return against_nearest(case, Diagnosis("rejected", note.key, *case.facts(), bug=note), sample)
    return None


def _under_words(case: Case, sample: Sample) -> Diagnosis | None:
    """A known table times about 1, and something added: little of it is drift, much of it words.

    The factor a = Σxp / Σp² is one number for the whole table; z is how many standard errors it is from 0.
    """
    best = sample.closest()
    known = next(rows for each, rows in sample.known if each is best)
    table = sample.table
    factor, z = _factor(table, known)
    _, moving = _factor(table - table.mean(axis=0), known - known.mean(axis=0))
    if not (z > _SURE and moving > _FAIRLY and 0.5 < factor < 1.6):
        return None
    rest = case.table - _whole(case, best)
    spread_of = float(np.sqrt(np.mean(rest**2)))
    numbers = {"spread": spread_of, "largest": float(np.abs(rest).max())}
    if spread_of > DRIFT:
        return Diagnosis("rejected", "under-words", *case.facts(), bug=Note("under-words", numbers, "rejected"))
    note = Note("drifted", numbers, "oddity")
    return Diagnosis("accepted with an oddity", best.key, *case.facts(), oddities=(note,))


def _factor(table: Floats, known: Floats) -> tuple[float, float]:
    size = float(np.sum(known**2))
    factor = float(np.sum(table * known)) / size if size else 0.0
    rest = float(np.sqrt(np.mean((table - factor * known) ** 2)))
    return factor, abs(factor) * math.sqrt(size) / max(rest, 1e-12)


def _unknown_ladder(case: Case) -> Diagnosis | None:
    """Pairs that turn in equal steps, at frequencies that no known ladder has."""
    if len(case.table) < 4 or case.table.shape[1] % 2:
        return None
    for layout in layouts(case.table.shape[1])[0::2]:
        measured = waves(case.table, layout, case.tolerance, 0)
        if measured is not None and measured.circular >= _MATCHING and measured.steady >= _MATCHING:
            numbers = {"fastest": float(np.abs(measured.step).max()), "slowest": float(np.abs(measured.step).min())}
            note = Note("unknown-ladder", numbers, "rejected")
            return Diagnosis("rejected", note.key, *case.facts(), bug=note)
    return None


# --- the nearest


def against_nearest(case: Case, found: Diagnosis, sample: Sample | None = None) -> Diagnosis:
    """The same diagnosis with the nearest known table and the invariants, measured as that table would have them."""
    if case.table.shape[1] < 2:
        return found
    best = (sample or Sample.of(case)).closest()
    expected = _whole(case, best)
    apart = np.abs(case.table - expected)
    row, column = (int(place) for place in np.unravel_index(int(np.argmax(apart)), apart.shape))
    nearest = Nearest(
        best.key,
        best.model.base,
        best.model.start,
        float(apart[row, column]),
        row,
        column,
        float(case.table[row, column]),
        float(expected[row, column]),
        float(np.mean(apart <= case.tolerance)),
    )
    return replace(found, nearest=nearest, invariants=_measured(case, best, expected))


def _measured(case: Case, best: Known, expected: Floats):  # type: ignore[no-untyped-def]
    layout = best.model.layout
    pairs = len(layout.sines)
    columns = np.stack([layout.sines, layout.cosines], axis=1).ravel()

    def normal(values: Floats) -> Floats:
        return np.asarray(values[:, side(columns)])

    positions = best.model.at(np.arange(len(case.table), dtype=np.float64))
    return invariants(normal(case.table), positions, best.model.omega[:pairs], normal(expected), case.tolerance)


def _plain(case: Case):  # type: ignore[no-untyped-def]
    """The invariants as the first known table would have them."""
    first = next(known_tables(case), None)
    return () if first is None else _measured(case, first, _whole(case, first))


def _share(table: Floats, other: Floats, allowed: float) -> float:
    return float(np.mean(np.abs(table - other) <= allowed))
