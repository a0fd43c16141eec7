"""Judging a table, step by step. Each step either answers or hands on:

 1. finite        NaN and ∞ are a bug of their own; the rows without them tell the rest.
 2. storage       the lowest format in which all but a few values are representable gives the tolerance of a cell.
 3. plain shapes  zeros, constant rows, the raw index, angles, one-hot (bugs.py SHAPES).
 4. set aside     rows and columns that are zero throughout (aside.py).
 5. waves         columns in pairs: the four usual layouts, else any order by squares that cancel; a step and a first
                  phase for each pair (waves.py).
 6. ladder        the named ladders, known slips, a base of its own, other steps, a rotated vector (fit.py); the model
                  must make the cells again.
 7. positions     pairs on circles but not in equal steps: each row's position by a known ladder (positions.py).
 8. grid          columns of x and of y, each judged as a table of its own (grids.py).
 9. made bugs     tables that known slips make, cell by cell (bugs.py MADE); then rows of tokens on top, dropout,
                  values computed in float32 and kept in float64.
10. transpose     the same steps on the table turned over.
11. remains       a known table with wrong cells, a drifted one, one under words; else no sinusoidal encoding
                  (remains.py).
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from posenc import checks
from posenc.arrays import Floats, real
from posenc.check import remains
from posenc.check.aside import Kept, kept, within
from posenc.check.bugs import MADE, SHAPES
from posenc.check.conventions import GRIDS
from posenc.check.diagnosis import Diagnosis, Note, Verdict
from posenc.check.fit import LATE, Setting, agreement, explained, placeable
from posenc.check.grids import Grid, axes, grid
from posenc.check.ladders import BASES, KNOWN, Base, base_standing
from posenc.check.models import Model
from posenc.check.positions import Order, order_of, recovered
from posenc.check.reading import Case, reading
from posenc.check.storage import COMPUTED_LOW, storage
from posenc.check.waves import ROUND, Layout, Waves, layouts, matched, oriented, read_as, read_other_way, waves
from posenc.config import Config

MAX_CELLS = 2**25
_PARTS = ("wrong-rows", "wrong-columns", "edited-cells")
_COMPUTED_BEFORE = ("float64", "decimals", "digits")
_LEAST_BELOW = 4  # rows
_TOKENS = (1, 2)  # a class token, and one of distillation


def diagnose(array: ArrayLike, *, base: float | None = None, tolerance: float | None = None) -> Diagnosis:
    """Which convention is this table, or which bug?

    array: positions in rows, columns in any order, shape (n, d); (1, n, d) and (n, 1, d) are squeezed. base: the one
    that the table should have, when that is known. tolerance: what a cell may be off even in float64 (1e-9); for
    lower formats the format itself decides.
    """
    table = _table(array)
    least = Config().tolerance if tolerance is None else checks.real("tolerance", tolerance, positive=True)
    wanted = None if base is None else checks.real("base", base, positive=True)
    with np.errstate(over="ignore", invalid="ignore"):  # of values that no encoding has
        return judged(_case(table, wanted, least))


def _table(array: ArrayLike) -> Floats:
    values = real("array", array)
    shape = values.shape
    while values.ndim > 2 and 1 in values.shape:
        values = values.squeeze(values.shape.index(1))
    if values.ndim != 2 or not values.size:
        raise ValueError(f"array must have shape (positions, columns), got shape {shape}")
    if values.size > MAX_CELLS:
        raise ValueError(f"array must have at most {MAX_CELLS:,} cells, got shape {shape}")
    return values.astype(np.float64)


def _case(table: Floats, wanted: float | None, least: float) -> Case:
    stored = storage(table)
    scale = _scale(table) if stored.relative else 1.0
    bases = BASES if wanted is None else (base_standing(wanted),)
    return Case(table, stored, stored.tolerance(scale, least), bases, wanted)


def _scale(table: Floats) -> float:
    """The size that nine of ten values keep within, but for zeros."""
    told = np.abs(table[np.isfinite(table) & (table != 0)])
    return 1.02 * float(np.quantile(told, 0.9)) if len(told) else 1.0


def judged(case: Case) -> Diagnosis:
    """The first step that has an answer."""
    if not np.isfinite(case.table).all():
        return remains.not_finite(case, judged)
    found = _recognised(case)
    if found is None or found.name in _PARTS:
        found = _with_tokens(case, found) or remains.dropped(case) or found
    if found is None and case.stored.key in _COMPUTED_BEFORE:
        found = _computed_low(case)
    if found is None:
        over = _recognised(replace(case, table=np.ascontiguousarray(case.table.T)))
        if over is not None and (over.accepted or (over.bug is not None and over.bug.key not in remains.GUESSES)):
            found = _turned_back(over, case)
    return found or remains.what_remains(case)


def _with_tokens(case: Case, found: Diagnosis | None) -> Diagnosis | None:
    """Rows of another making on top, such as a class token's, over a table that begins at position 0, or a grid."""
    for count in _TOKENS:
        below = replace(case, table=case.table[count:])
        if len(below.table) < _LEAST_BELOW or not case.table[:count].any():
            return None
        if found is None:
            rest = next(_in_grids(below), None)
        elif (
            found.bug is not None
            and found.bug.numbers.get("rows") == count
            and found.bug.numbers["row"] in range(count)
        ):
            rest = next(_in_waves(below), None)
        else:
            continue
        if rest is None or not rest.accepted or rest.convention is None:
            continue
        if found is None or rest.convention.start == 0:
            return _with_rows_on_top(rest, case, count)
    return None


def _with_rows_on_top(rest: Diagnosis, case: Case, count: int) -> Diagnosis:
    nearest = None if rest.nearest is None else replace(rest.nearest, row=rest.nearest.row + count)
    oddities = (Note("token-rows", {"count": count}, "oddity"), *rest.oddities)
    return replace(rest, verdict="accepted with an oddity", oddities=oddities, shape=case.facts()[0], nearest=nearest)


def _computed_low(case: Case) -> Diagnosis | None:
    """Values that were computed in float32, and scaled or rounded afterwards."""
    tolerance = COMPUTED_LOW.tolerance(_scale(case.table), case.tolerance)
    if tolerance <= 2 * case.tolerance:
        return None
    found = next(_in_waves(replace(case, stored=COMPUTED_LOW, tolerance=tolerance)), None)
    if found is None or not found.accepted:
        return None
    oddities = (*found.oddities, Note("computed-float32", {}, "oddity"))
    key, places = case.stored.key, case.stored.places
    return replace(found, verdict="accepted with an oddity", oddities=oddities, storage=key, decimals=places)


def _recognised(case: Case) -> Diagnosis | None:
    """Steps 3 to 9: a convention or a bug by name."""
    for shape in SHAPES:
        numbers = shape.told(case.table, case.tolerance)
        if numbers is not None:
            return _shaped(case, shape.key, shape.standing, numbers)
    made = (remains.made_by(case, bug) for bug in MADE)
    return next(chain(_in_waves(case), _in_grids(case), (each for each in made if each is not None)), None)


def _shaped(case: Case, key: str, standing: str, numbers: dict[str, float | int]) -> Diagnosis:
    verdict: Verdict = "not a sinusoidal encoding" if standing == "foreign" else "rejected"
    bug = None if standing == "foreign" else Note(key, numbers, "rejected")
    notes = (Note(key, numbers, "rejected"),) if bug is None else ()
    return remains.against_nearest(case, Diagnosis(verdict, key, *case.facts(), bug=bug, notes=notes))


# --- one dimension


def _in_waves(case: Case) -> Iterator[Diagnosis]:
    asides = list(kept(case.table))
    for aside in asides:
        if len(aside.run) < 2 or len(aside.columns) < 2:
            if len(case.table) == 1:
                yield from _single_row(case, aside)
            continue
        model, setting = _model(case, aside)
        if model is not None:
            read = reading(case, aside, setting, model, None)
            yield remains.wrong_parts(case) or read if read.name == "phases-differ" else read
            return
    for aside in asides:
        for model, setting, order in _out_of_step(case, aside):
            parts = remains.wrong_parts(case)  # a wrong pair would move every position
            yield parts if parts and parts.name == "wrong-columns" else reading(case, aside, setting, model, order)
            return


def _setting(case: Case, aside: Kept) -> Setting:
    columns = len(aside.columns)
    whole = case.table.shape[1]
    widths = dict.fromkeys(float(width) for width in (columns, whole, whole + whole % 2))
    return Setting(case.bases, case.stored, case.tolerance, aside.rows.astype(np.float64), columns, tuple(widths))


def _model(case: Case, aside: Kept) -> tuple[Model | None, Setting]:
    setting = _setting(case, aside)
    table = within(case.table, aside.rows, aside.columns)
    block = within(case.table, aside.run, aside.columns)

    usual = _usual(block, case.tolerance, int(aside.run[0]))
    model = explained(table, usual, setting)
    if model is not None:
        return model, setting
    good = [each for each in usual if each.steady >= ROUND]
    if not good:
        pairs = matched(block, case.tolerance)
        any_order = None if pairs is None else waves(block, pairs, case.tolerance, int(aside.run[0]))
        good = [] if any_order is None else [any_order]
    others = [
        read_as(each, oriented(each, block, case.tolerance, downwards))
        for each in good[:1]
        for downwards in (False, True)
    ]
    model = explained(table, others, setting)
    return model or explained(table, usual, setting, LATE), setting


def _usual(block: Floats, tolerance: float, first: int) -> list[Waves]:
    """The waves of the usual layouts whose pairs stay on circles."""
    found = []
    all_layouts = layouts(block.shape[1])
    for layout, other in zip(all_layouts[0::2], all_layouts[1::2], strict=True):
        measured = waves(block, layout, tolerance, first)
        if measured is not None:
            found += [measured, read_other_way(measured, other.key)]
    return found


def _out_of_step(case: Case, aside: Kept) -> Iterator[tuple[Model, Setting, Order]]:
    """Rows on the circles of a known ladder, each at a position of its own."""
    if len(aside.rows) < 4 or len(aside.columns) < 4:
        return
    setting = _setting(case, aside)
    table = within(case.table, aside.rows, aside.columns)
    for measured in _usual(table, case.tolerance, 0):
        layout = measured.layout
        theta = np.arctan2(table[:, layout.sines], table[:, layout.cosines])
        for ladder in KNOWN[:2]:
            for base in case.bases[:4]:
                model = _placed(theta, layout, ladder, base, measured, setting, case)
                if agreement(table, model, setting) >= ROUND:
                    assert model.positions is not None
                    far = float(np.abs(model.positions[aside.rows]).max())
                    if not placeable(measured, model.omega[: len(layout.sines)], model, setting, far):
                        continue
                    fine = 4 * case.tolerance
                    yield model, setting, order_of(model.positions[aside.rows], fine)
                    return


def _placed(theta: Floats, layout: Layout, ladder, base: Base, measured: Waves, setting: Setting, case: Case) -> Model:  # type: ignore[no-untyped-def]
    rungs = len(layout.sines) + (layout.alone is not None)
    omega = ladder.omega(rungs, setting.widths[0], base.value)
    scale = float(np.median(measured.amplitude))
    scale = 1.0 if abs(scale - 1) <= max(case.tolerance, 1e-6) else scale
    found = recovered(theta, omega[: len(layout.sines)], 8 * case.tolerance / scale)
    near = np.abs(found - np.rint(found)) <= max(4 * case.tolerance, 1e-6)
    positions = np.zeros(len(case.table))
    positions[setting.rows.astype(np.intp)] = np.where(near, np.rint(found), found)
    return Model(layout, ladder, base.value, setting.widths[0], omega, scale, 0.0, 1.0, positions=positions)


def _single_row(case: Case, aside: Kept) -> Iterator[Diagnosis]:
    """One row tells no frequency: it is compared with the named conventions at the first positions."""
    found = remains.single_row(case)
    if found is not None:
        yield found


# --- two dimensions


def _in_grids(case: Case) -> Iterator[Diagnosis]:
    rows = np.flatnonzero(np.any(case.table != 0, axis=1))
    for aside in kept(case.table):
        table = within(case.table, aside.run, aside.columns)
        found = grid(table, case.tolerance)
        if found is None:
            continue
        parts = [judged_axis(replace(case, table=np.ascontiguousarray(part))) for part in axes(table, found)]
        if all(part is not None for part in parts):
            yield _of_grid(case, aside, found, [part for part in parts if part is not None], len(rows))
            return


def judged_axis(case: Case) -> Diagnosis | None:
    """One axis of a grid: by waves alone."""
    return next(_in_waves(case), None)


def _of_grid(case: Case, aside: Kept, found: Grid, parts: list[Diagnosis], rows: int) -> Diagnosis:
    x, y = parts
    inner = x.convention.layout if x.convention else "interleaved"
    order = "blocks-halves" if found.order == "blocks" and "halves" in inner else found.order
    key = GRIDS.get(order, "grid")
    numbers: dict[str, float | int | str] = {"height": found.height, "width": found.width, "first": found.first}
    bug = x.bug or y.bug
    ambiguities = list(x.ambiguities)
    if bug is None and order == "blocks-halves" and found.first == "y":
        if found.height != found.width:
            bug = Note("grid-order", {"height": found.width, "width": found.height}, "rejected")
        ambiguities.append(Note("grid-order", {"height": found.height, "width": found.width}))
    oddities = {note.key: note for part in parts for note in part.oddities}
    notes = {note.key: note for part in parts for note in part.notes}
    padding = tuple(sorted(set(range(len(case.table))) - set(aside.run.tolist())))
    if padding:
        oddity = Note("zero-rows", {"count": len(padding), "row": padding[0]}, "accepted")
        notes["zero-rows"] = oddity
    verdict: Verdict = "rejected" if bug else "accepted with an oddity" if oddities else "accepted"
    convention = replace(x.convention, key=key) if x.convention else None
    return Diagnosis(
        verdict,
        bug.key if bug else key,
        *case.facts(),
        convention=convention,
        bug=bug,
        oddities=tuple(oddities.values()),
        notes=(Note("grid", numbers), *notes.values()),
        ambiguities=tuple(ambiguities),
        invariants=max(parts, key=lambda part: sum(not claim.holds for claim in part.invariants)).invariants,
        nearest=x.nearest,
    )


# --- turned over


def _turned_back(over: Diagnosis, case: Case) -> Diagnosis:
    """The diagnosis of the transpose, told of the table as it came."""
    nearest = over.nearest
    if nearest is not None:
        nearest = replace(nearest, row=nearest.column, column=nearest.row)
    oddities = (Note("transposed", {}, "oddity"), *over.oddities)
    verdict: Verdict = "accepted with an oddity" if over.accepted else over.verdict
    return replace(over, verdict=verdict, oddities=oddities, shape=case.facts()[0], nearest=nearest)
