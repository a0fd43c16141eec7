"""From a model that makes the table again to the diagnosis: what it is called, what is odd, what cannot be told."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posenc.arrays import Floats
from posenc.check.aside import Kept, within
from posenc.check.conventions import ROTARY, named
from posenc.check.diagnosis import Diagnosis, Found, Nearest, Note, Verdict
from posenc.check.fit import Setting
from posenc.check.ladders import BASES, BROKEN, CONFUSABLE, KNOWN, Base, base_standing, paper
from posenc.check.measure import invariants
from posenc.check.models import Model, lost, predicted, slack
from posenc.check.positions import Order
from posenc.check.storage import Storage
from posenc.check.waves import side

_TIMESTEPS = (900, 1000)  # where a schedule of 1000 diffusion steps begins
_TIGHT = 0.995
_COMPUTED = 8  # times the tolerance: what computing in float32 may add to a table that is nearly as it was stored


@dataclass(frozen=True, slots=True)
class Case:
    """One table with what is known before judging. `wanted` is the base that it should have, if it was given."""

    table: Floats
    stored: Storage
    tolerance: float
    bases: tuple[Base, ...]
    wanted: float | None

    def facts(self) -> tuple[tuple[int, int], str, int, float]:
        """What every diagnosis begins with: shape, storage, its decimals, tolerance."""
        rows, columns = self.table.shape
        return (rows, columns), self.stored.key, self.stored.places, self.tolerance


def reading(case: Case, aside: Kept, setting: Setting, model: Model, order: Order | None) -> Diagnosis:
    """The diagnosis of a table that the model makes again, all but a few of its cells."""
    table = within(case.table, aside.rows, aside.columns)
    made = predicted(model, setting.rows, setting.columns)
    apart = np.abs(table - made)
    allowed = slack(model, setting.rows, setting.columns, case.stored, case.tolerance)
    if (
        case.stored.phase > 1e-9 and np.mean(apart <= case.tolerance) >= _TIGHT
    ):  # stored in a low format, but computed in a high one
        allowed = np.minimum(allowed, _COMPUTED * case.tolerance)
    wrong = apart > allowed
    bug = _bug(case, model, setting, order) or _edits(table, made, apart, wrong, aside)
    noted = tuple(_noted(case, aside, setting, model, order, table, allowed))
    oddities = tuple(note for note in noted if note.standing == "oddity")
    rejected = next((note for note in noted if note.standing == "rejected"), None)
    bug = bug or rejected
    key = _key(model, aside, case, setting)
    verdict: Verdict = "rejected" if bug else "accepted with an oddity" if oddities else "accepted"
    reference = _reference(model, case)
    expected = made if reference is model else predicted(reference, setting.rows, setting.columns)
    return Diagnosis(
        verdict,
        bug.key if bug else key,
        *case.facts(),
        convention=Found(
            key,
            model.layout.key,
            model.ladder.key,
            model.base if _has_base(model) else None,
            model.width,
            float(model.start),
            float(model.step),
            float(model.scale),
        ),
        bug=bug,
        oddities=oddities,
        notes=tuple(note for note in noted if note.standing == "accepted"),
        ambiguities=tuple(_ambiguities(model, setting, case)),
        invariants=_invariants(table, expected, setting, model, float(allowed.max())),
        nearest=_nearest(table, expected, aside, reference, case),
    )


def _key(model: Model, aside: Kept, case: Case, setting: Setting) -> str:
    if model.offsets is not None:
        return ROTARY
    zero = np.setdiff1d(np.arange(len(case.table)), aside.rows)
    unit = abs(abs(model.scale) - math.sqrt(2 / len(aside.columns))) <= 2 * case.tolerance and setting.columns != 2
    layout = model.layout.key
    return named(layout, model.ladder.key, padded=zero.tolist() == [1], unit=unit)


def _has_base(model: Model) -> bool:
    return model.ladder.takes_base and len(model.omega) > 1


# --- bugs of a model


def _bug(case: Case, model: Model, setting: Setting, order: Order | None) -> Note | None:
    if model.ladder.standing == "rejected":
        return Note(model.ladder.key, {"base": model.base, "width": model.width}, "rejected")
    if order is not None and order.standing == "rejected":
        return Note(order.key, order.numbers, "rejected")
    if case.wanted is not None and _has_base(model) and abs(model.base / case.wanted - 1) > 1e-6:
        return Note("other-base", {"base": model.base, "wanted": case.wanted}, "rejected")
    return None


def _edits(
    table: Floats,
    made: Floats,
    apart: Floats,
    wrong: np.ndarray,
    aside: Kept,
) -> Note | None:
    """Cells that the model does not make: single ones, or whole rows or columns."""
    if not wrong.any():
        return None
    row, column = np.unravel_index(int(np.argmax(apart)), apart.shape)
    numbers: dict[str, float | int | str] = {
        "count": int(np.count_nonzero(wrong)),
        "row": int(aside.rows[row]),
        "column": int(aside.columns[column]),
        "difference": float(apart[row, column]),
        "value": float(table[row, column]),
        "expected": float(made[row, column]),
    }
    rows = np.count_nonzero(np.any(wrong, axis=1))
    columns = np.count_nonzero(np.any(wrong, axis=0))
    if (
        len(table) > 3
        and columns > 1
        and np.count_nonzero(wrong) >= 0.4 * rows * table.shape[1]
        and rows < columns * len(table) / 4
    ):
        return Note("wrong-rows", numbers | {"rows": int(rows)}, "rejected")
    if rows > 1 and np.count_nonzero(wrong) >= 0.4 * columns * len(table) and len(table) > 3:
        return Note("wrong-columns", numbers | {"columns": int(columns)}, "rejected")
    return Note("edited-cells", numbers, "rejected")


# --- what is worth saying


def _noted(
    case: Case, aside: Kept, setting: Setting, model: Model, order: Order | None, table: Floats, allowed: Floats
) -> Iterator[Note]:
    yield from _set_aside(case, aside, model)
    yield from _columns(model, aside)
    if order is not None:
        if order.standing != "rejected":
            yield Note(order.key, order.numbers, "oddity")
    else:
        yield from _steps(model, setting)
    yield from _scale(model, setting, case)
    if _has_base(model) and model.ladder.standing != "rejected" and case.wanted is None:
        base = base_standing(model.base)
        if base.standing != "accepted":
            yield Note(base.key, {"base": model.base}, "oddity")
    if model.ladder.standing == "oddity":
        yield Note("frequencies-float32", {}, "oddity")
    if case.stored.key in ("bfloat16", "float16"):
        yield Note(f"stored-{case.stored.key}", {}, "oddity")
    elif case.stored.key == "float32":
        yield Note("stored-float32")
    elif case.stored.key in ("decimals", "digits"):
        yield Note(
            f"stored-{case.stored.key}",
            {"places": case.stored.places},
            "oddity" if case.stored.places < 3 else "accepted",
        )
    yield from _twins(table, allowed, order)
    yield from _vector(model, case)


def _set_aside(case: Case, aside: Kept, model: Model) -> Iterator[Note]:
    rows = np.setdiff1d(np.arange(len(case.table)), aside.rows)
    if len(rows):
        usual = rows.tolist() == [1] and model.ladder.key.startswith("tensor2tensor")
        numbers = {"count": len(rows), "row": int(rows[0])}
        yield Note("zero-rows", numbers, "accepted" if usual else "oddity")
    columns = np.setdiff1d(np.arange(case.table.shape[1]), aside.columns)
    if len(columns):
        last = columns.tolist() == [case.table.shape[1] - 1] and case.table.shape[1] % 2
        numbers = {"count": len(columns), "column": int(columns[0])}
        yield Note("zero-columns", numbers, "accepted" if last else "oddity")


def _columns(model: Model, aside: Kept) -> Iterator[Note]:
    if model.layout.key == "permuted":
        yield Note("permuted")
    if model.layout.alone is not None:
        numbers: dict[str, float | int | str] = {"column": int(aside.columns[model.layout.alone]), "width": model.width}
        key = "sine-alone-odd" if model.width == len(aside.columns) else "sine-alone-even"
        yield Note(key, numbers, "oddity")


def _steps(model: Model, setting: Setting) -> Iterator[Note]:
    step, size = model.step, abs(model.step)
    last = model.start + step * float(setting.rows[-1])
    span = size * float(setting.rows[-1] - setting.rows[0])
    rows = len(setting.rows)
    if step < 0:
        yield Note("negative" if last < -1e-9 else "downwards", {"start": model.start, "last": last})
    if model.ladder.free_units:
        yield Note("coordinates", {"start": model.start, "last": last, "step": step})
    elif size == 1:
        if model.start not in (0.0, 1.0) and step > 0:
            yield Note("starts", {"start": model.start, "last": last})
        elif model.start == 1.0:
            yield Note("starts", {"start": 1, "last": last})
    else:
        yield _stride(model, span, last, rows)


def _stride(model: Model, span: float, last: float, rows: int) -> Note:
    """Positions in other steps than one: what is usual, and what is a slip."""
    size, far = abs(model.step), max(abs(model.start), abs(last))
    told: dict[str, float | int | str] = {"step": size, "last": far}
    if abs(span - 1) < 1e-6 or abs(span + size - 1) < 1e-6 or abs(span - 0.999) < 1e-9:
        return Note("unit-time", told, "oddity")
    if _near(size, math.pi / 180) or _near(size, 180 / math.pi):
        return Note("degrees", told, "rejected")
    if _full_turn(size, rows):
        return Note("normalised", told)
    if _near(size, 2 * math.pi):
        return Note("two-pi", told, "oddity")
    if size < 1:
        whole = _near(1 / size, round(1 / size))
        return Note("interpolated", {"factor": 1 / size, "step": size}, "accepted" if whole else "oddity")
    if _TIMESTEPS[0] <= far <= _TIMESTEPS[1] and (size > 2 or size != round(size)):
        return Note("timesteps", {"start": model.start, "last": last, "step": model.step})
    if size == round(size):
        return Note("positions-multiplied", {"step": int(size)}, "rejected")
    return Note("other-step", told, "oddity")


def _near(x: float, y: float) -> bool:
    return abs(x - y) <= 1e-5 * abs(y)


def _full_turn(size: float, rows: int) -> bool:
    """Positions over their number, times 2π, as DETR normalises them."""
    return any(_near(size * count, 2 * math.pi) for count in (rows, rows - 1) if count > 0)


def _scale(model: Model, setting: Setting, case: Case) -> Iterator[Note]:
    if model.amplitudes is not None:
        return
    size, width = abs(model.scale), setting.columns
    slip = 2 * case.tolerance
    if model.scale < 0:
        yield Note("minus", {}, "oddity")
    if abs(size - 1) <= slip:
        return
    numbers: dict[str, float | int | str] = {"scale": size}
    if size >= 2 - slip and abs(size - round(size)) <= slip and not (_near(size, math.sqrt(width)) and size > 3):
        yield Note("added-twice", {"times": round(size)}, "rejected")
    elif abs(size - math.sqrt(2 / width)) <= slip:
        yield Note("unit-length", numbers)
    elif abs(size - math.sqrt(width)) <= slip:
        yield Note("times-root-width", numbers, "oddity")
    elif abs(size - 1 / math.sqrt(width)) <= slip:
        yield Note("over-root-width", numbers, "oddity")
    else:
        yield Note("scaled", numbers, "oddity")


def _twins(table: Floats, allowed: Floats, order: Order | None) -> Iterator[Note]:
    """The first and the last row alike: a whole turn of every wave."""
    if order is None and len(table) > 2 and np.all(np.abs(table[0] - table[-1]) <= allowed[0] + allowed[-1]):
        yield Note("ends-alike", {"last": len(table) - 1}, "oddity")


def _vector(model: Model, case: Case) -> Iterator[Note]:
    if model.offsets is None or model.amplitudes is None:
        return
    size = float(np.median(model.amplitudes))
    alike = np.all(np.abs(model.amplitudes - size) <= 4 * case.tolerance)
    first = model.offsets - model.offsets[0]
    level = np.all(np.abs(np.sin(first / 2)) <= 4 * case.tolerance / size)
    if alike and level:
        yield Note("rotated-constant", {"size": size})
    elif alike and abs(size - 1) <= 4 * case.tolerance:
        yield Note("phases-differ", {}, "rejected")
    else:
        yield Note("rotated-vector", {}, "oddity")


# --- what cannot be told


def _ambiguities(model: Model, setting: Setting, case: Case) -> Iterator[Note]:
    pairs = len(model.omega)
    if pairs == 1 and model.ladder.takes_base:
        yield Note("one-pair")
        return
    far = max(abs(float(model.start)), float(np.max(np.abs(model.at(setting.rows)))), 1.0)
    allowed = 2 * case.tolerance / max(abs(model.scale), 1e-12) + lost(case.stored.phase, model.omega) * far + 1e-9

    def alike(omega: Floats) -> bool:
        return bool(np.all(np.abs(omega - model.omega) <= allowed / far))

    seen = {(model.ladder.key.removesuffix("-float32"), model.base)}
    for ladder in (*KNOWN[:6], *(slip for slip in BROKEN if slip.key in CONFUSABLE)):
        for base in BASES if ladder.takes_base and ladder.standing == "accepted" else BASES[:1]:
            if (ladder.key, base.value) in seen or (ladder.key == model.ladder.key and not ladder.takes_base):
                continue
            if alike(ladder.omega(pairs, setting.widths[0], base.value)):
                seen.add((ladder.key, base.value))
                kind = "other-ladder" if ladder.standing == "accepted" else "known-slip"
                yield Note(kind, {"ladder": ladder.key, "base": base.value})
    known = any(base.value == model.base for base in BASES)
    if not known and pairs > 1 and model.ladder.key in ("paper", "tensor2tensor"):
        rungs = {"paper": model.width / 2, "tensor2tensor": pairs - 1.0}
        other = "tensor2tensor" if model.ladder.key == "paper" else "paper"
        same = model.base ** (rungs[other] / rungs[model.ladder.key])
        yield Note("other-ladder", {"ladder": other, "base": float(f"{same:.5g}")})
    if model.ladder.key == "paper" and model.base > 1 and model.base != BASES[0].value:
        width = model.width * math.log(BASES[0].value) / math.log(model.base)
        whole = 2 * round(width / 2)
        if whole > model.width and alike(paper(pairs, whole, BASES[0].value)):
            yield Note("cut-from", {"base": BASES[0].value, "width": whole, "columns": setting.columns})
    if abs(abs(model.scale) - 2) < 1e-9 and setting.columns == 4:
        yield Note("two-is-root-four")
    if len(setting.rows) < 4:
        yield Note("few-rows", {"rows": len(setting.rows)})


# --- measured


def _reference(model: Model, case: Case) -> Model:
    """The known table that a model should be: itself, or the paper's ladder where its own is a slip."""
    wanted = case.wanted if case.wanted is not None else model.base
    if model.ladder.standing != "rejected" and (not _has_base(model) or wanted == model.base):
        return model
    rungs = len(model.omega)
    ladder = KNOWN[0] if model.ladder.standing == "rejected" else model.ladder
    base = wanted if ladder.takes_base else model.base
    return Model(
        model.layout,
        ladder,
        base,
        model.width,
        ladder.omega(rungs, model.width, base),
        model.scale,
        model.start,
        model.step,
        positions=model.positions,
    )


def _invariants(table: Floats, expected: Floats, setting: Setting, model: Model, tolerance: float):  # type: ignore[no-untyped-def]
    """Oddities set aside: columns in pairs, rows upwards, scale 1; a rotated vector keeps its own lengths."""
    pairs = len(model.layout.sines)
    size = np.full(pairs, model.scale) if model.amplitudes is None else model.amplitudes
    columns = np.stack([model.layout.sines, model.layout.cosines], axis=1).ravel()

    def normal(values: Floats) -> Floats:
        rows = values[:, side(columns)]
        return rows if np.all(size == 1) else np.asarray(rows / np.repeat(size, 2))

    positions = model.at(setting.rows)
    if np.any(np.diff(positions) < 0):
        upwards = np.argsort(positions, kind="stable")
        table, expected, positions = table[upwards], expected[upwards], positions[upwards]
    least = float(np.min(np.abs(size)))
    return invariants(normal(table), positions, model.omega[:pairs], normal(expected), tolerance / least)


def _nearest(table: Floats, expected: Floats, aside: Kept, reference: Model, case: Case) -> Nearest:
    apart = np.abs(table - expected)
    row, column = np.unravel_index(int(np.argmax(apart)), apart.shape)
    return Nearest(
        named(reference.layout.key, reference.ladder.key, padded=False, unit=False),
        reference.base,
        float(reference.start),
        float(apart[row, column]),
        int(aside.rows[row]),
        int(aside.columns[column]),
        float(table[row, column]),
        float(expected[row, column]),
        float(np.mean(apart <= case.tolerance)),
    )
