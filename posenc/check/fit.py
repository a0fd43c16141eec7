"""From measured waves to a model: which ladder, base, start, step and sign make these phases?

A frequency is known only modulo a turn per row, so a step or a start x is found from the slow pairs to the fast ones:
the slowest gives x coarsely and without doubt, each faster one makes it finer (`unwound`). Every candidate is then held
against all pairs (`consistent`) and against the cells of the table; nothing is believed because it was fitted.

Stages, the first that explains the table wins: the named ladders in steps of one; the known slips; a base that nobody
named; then the same in other steps; then a rotated vector, whose pairs keep their own lengths and first phases.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from posenc.arrays import Floats
from posenc.check.ladders import BROKEN, KNOWN, SINGLE, Base, Ladder
from posenc.check.models import Model, lost, predicted, slack
from posenc.check.storage import Storage
from posenc.check.waves import ROUND, STILL, Waves, spread, wrap

MOST = 0.9
"""Share of cells that a model must make again to be believed; the others are then edits, and are told."""

MOST_STEP, MOST_POSITION, MOST_OMEGA = 1e4, 2.0**40, 2.0**50
"""Beyond these nothing is believed: waves slow enough would explain any phase."""

INTERPOLATED = range(2, 65)
_NICE_DIGITS = range(1, 7)
_FAR_TURNS = 256  # of the slowest wave, after which a start is still looked for
_ALIKE = 0.7  # share of pairs whose length must be that of the middle one
_SLIP, _ANGLE = 1e-2, 1e-7  # of a length or an angle; below these pairs may be alike
_TRIED, _BY_CHANCE = 1e3, 1e-2  # ladders with numbers; what may be left to chance
_LOW = 1e-9  # relative error of phases below which it is no matter how far rows are
_FOLLOWED = 64  # waves that lead from the slowest to the fastest
_BY_CHANCE_A_ROW = 0.1
_FASTEST = 6  # waves by which whole starts are looked for
_SMALL_STARTS = 4096  # a table of one pair knows its start modulo a turn only; this far it is looked for


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known before fitting: the bases to try, how values were stored, the tolerance of a cell, the rows that
    are not set aside, the number of columns and the widths that an exponent may have been divided by."""

    bases: tuple[Base, ...]
    stored: Storage
    tolerance: float
    rows: Floats
    columns: int
    widths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """One ladder with numbers, still without step and start."""

    ladder: Ladder
    base: float
    width: float
    omega: Floats


Stage = Callable[[Waves, Setting], Iterator[Model]]


def explained(
    table: Floats, measured: list[Waves], setting: Setting, stages: "tuple[Stage, ...] | None" = None
) -> Model | None:
    """The first stage's best model that makes at least MOST of the cells again: the one that makes most of them, and
    of those that make as many the least odd."""
    for stage in STAGES if stages is None else stages:
        found: list[tuple[tuple[float, ...], Model]] = []
        for waves in measured:
            if waves.circular < ROUND or waves.steady < ROUND:
                continue
            for model in stage(waves, setting):
                share = agreement(table, model, setting)
                if share >= MOST:
                    found.append(((-share, *_oddness(model, setting)), model))
        if found:
            return min(found, key=lambda pair: pair[0])[1]
    return None


def agreement(table: Floats, model: Model, setting: Setting) -> float:
    """The share of cells that the model makes again, on rows spread over the table."""
    some = spread(len(table))
    rows = setting.rows[some]
    apart = np.abs(table[some] - predicted(model, rows, setting.columns))
    allowed = slack(model, rows, setting.columns, setting.stored, setting.tolerance)
    return float(np.mean(apart <= allowed))


def _oddness(model: Model, setting: Setting) -> tuple[int, ...]:
    """Starts at 0 come before whole starts before others, upwards before downwards, plus before minus."""
    last = model.start + model.step * float(setting.rows[-1])
    whole = abs(model.start - round(model.start)) < 1e-9
    first_is_zero = abs(model.start) < 1e-9 or abs(last) < 1e-9
    far = int(min(abs(min(model.start, last)), 1e6))
    strange = int(model.ladder.free_units and not _round_unit(model, setting))
    return (
        strange,
        _digits(model.base),
        0 if first_is_zero else 1 if whole else 2,
        int(model.scale < 0),
        far,
        int(model.step < 0),
    )


def _digits(base: float) -> int:
    """How many digits a base needs; 9 stands for more than six."""
    return next((digits for digits in _NICE_DIGITS if float(f"{base:.{digits - 1}e}") == base), 9)


def _round_unit(model: Model, setting: Setting) -> bool:
    """Whether coordinates go through 1 or 2 in so many rows, or in whole steps."""
    spans = [abs(model.step) * count for count in (1, setting.rows[-1], setting.rows[-1] + 1)]
    return any(abs(span - round(span)) < 1e-6 and 1 <= round(span) <= 2 for span in spans)


def slow_to_fast(omega: Floats) -> list[int]:
    """Which waves to follow, the slowest first; of many only some, evenly chosen, with the first and the last."""
    order = [index for index in np.argsort(omega, kind="stable").tolist() if omega[index] > STILL]
    return [order[place] for place in spread(len(order), _FOLLOWED).tolist()] if len(order) > _FOLLOWED else order


def unwound(angles: Floats, omega: Floats, error: float) -> float:
    """The x with ω_i·x ≡ angle_i (mod 2π) for all i, from the slowest wave to the fastest.

    A wave so slow that `error` in its angle leaves the next one's turn in doubt is passed over.
    """
    order = slow_to_fast(omega)
    if not order:
        return 0.0
    first = 0
    while first + 1 < len(order) and error / omega[order[first]] * omega[order[first + 1]] > 1:
        first += 1
    x = float(angles[order[first]] / omega[order[first]])
    for index in order[first + 1 :]:
        away = float(angles[index]) - float(omega[index]) * x
        x += (away - 2 * math.pi * round(away / (2 * math.pi))) / float(omega[index])
    return x


def consistent(waves: Waves, omega: Floats, model: Model, setting: Setting, phases: bool = True) -> bool:
    """Steps, and first phases, of all pairs are those of the model, as far as cells can tell."""
    last = float(setting.rows[-1])
    far = max(abs(model.start), abs(model.start + model.step * last))
    if abs(model.step) > MOST_STEP or far > MOST_POSITION:
        return False
    allowed = _allowed(waves, omega, model, setting, far)
    if np.any(np.abs(wrap(waves.step - omega * model.step)) * max(last, 1) > 2 * allowed):
        return False
    turned = waves.phase + (math.pi if model.scale < 0 else 0.0)
    return not phases or not np.any(np.abs(wrap(turned - omega * model.start)) > allowed)


def _allowed(waves: Waves, omega: Floats, model: Model, setting: Setting, far: float) -> Floats:
    """How far the first phase of each pair may be off."""
    phase = 2 * max(setting.stored.phase, model.ladder.phase) + 1e-15
    return np.asarray(6 * setting.tolerance / waves.amplitude + lost(phase, omega) * far)


def believable(waves: Waves, omega: Floats, model: Model, setting: Setting) -> bool:
    """Whether a start so far away is more than a coincidence: of so many whole positions, and so many ladders tried,
    none would fit all pairs by chance. Slips are believed at whole and half positions only."""
    start = abs(model.start)
    if model.ladder.standing == "rejected" and abs(2 * start - round(2 * start)) > 1e-6:
        return False
    if start < _SMALL_STARTS:
        return True
    share = np.minimum(_allowed(waves, omega, model, setting, start) / math.pi, 1)
    return bool(math.log(start * _TRIED) + float(np.sum(np.log(share))) < math.log(_BY_CHANCE))


def placeable(waves: Waves, omega: Floats, model: Model, setting: Setting, far: float) -> bool:
    """Whether positions as far as that, one for each row, are more than a coincidence: the fastest pair may have any
    phase then, the others tell whether a position fits."""
    share = np.minimum(_allowed(waves, omega, model, setting, far) / math.pi, 1)
    share[int(np.argmax(omega))] = 1
    return bool(math.log(max(far, 1)) + float(np.sum(np.log(share))) < math.log(_BY_CHANCE_A_ROW))


# --- what is tried


def _named(ladders: tuple[Ladder, ...], bases: tuple[Base, ...], waves: Waves, setting: Setting) -> Iterator[Try]:
    rungs = len(waves.layout.sines) + (waves.layout.alone is not None)
    for ladder in ladders:
        seen: set[bytes] = set()
        for base in bases if ladder.takes_base else bases[:1]:
            for width in setting.widths:
                omega = ladder.omega(rungs, width, base.value)
                if np.all(omega < MOST_OMEGA) and omega.tobytes() not in seen:
                    seen.add(omega.tobytes())
                    yield Try(ladder, base.value, width, omega)


def _measured(waves: Waves, setting: Setting) -> Iterator[Try]:
    """The paper's and tensor2tensor's form with the base that the steps of the pairs tell, roundest first."""
    pairs = len(waves.layout.sines)
    size = np.abs(waves.step)
    error = 8 * setting.tolerance / float(np.median(waves.amplitude)) / max(float(setting.rows[-1]), 1)
    sure = size > 4 * error
    if pairs < 2 or not sure[0] or np.count_nonzero(sure) < 2:
        return
    rung = np.arange(pairs)[sure]
    size = size[sure]
    weight = size**2
    slope = float(np.sum(weight * rung * np.log(size / size[0])) / max(float(np.sum(weight * rung**2)), 1e-300))
    if slope >= -1e-9:
        return
    rungs = pairs + (waves.layout.alone is not None)
    for ladder in KNOWN[:2]:
        for width in setting.widths if ladder.key == "paper" else setting.widths[:1]:
            divisor = width / 2 if ladder.key == "paper" else max(rungs - 1, 1)
            exact = math.exp(min(-slope * divisor, 600))
            for base in [float(f"{exact:.{digits - 1}e}") for digits in _NICE_DIGITS] + [exact]:
                yield Try(ladder, base, width, ladder.omega(rungs, width, base))


def _straight(waves: Waves, setting: Setting) -> Iterator[Try]:
    """Frequencies in equal steps, whatever the step."""
    pairs = len(waves.layout.sines)
    size = np.abs(waves.step)
    if pairs < 3 or waves.layout.alone is not None or size[0] == 0:
        return
    omega = 1 + (size[-1] - size[0]) / (pairs - 1) / size[0] * np.arange(pairs)
    if np.all(omega > 0):
        ladder = next(known for known in KNOWN if known.key == "linear")
        yield Try(ladder, setting.bases[0].value, setting.widths[0], np.asarray(omega))


# --- from a ladder to models


def _models(tries: Iterator[Try], waves: Waves, setting: Setting, steps: str) -> Iterator[Model]:
    if _no_start(waves, setting):
        return
    scale = _round_scale(float(np.median(waves.amplitude)), setting)
    pairs = len(waves.layout.sines)
    for tried in tries:
        omega = tried.omega[:pairs]
        far = _about(waves, omega, tried.ladder.phase, setting)
        for step in _steps(waves, omega, setting, steps):
            model = Model(waves.layout, tried.ladder, tried.base, tried.width, tried.omega, scale, far, step)
            if consistent(waves, omega, model, setting, phases=False):
                for sign in (1.0, -1.0):
                    yield from _started(waves, omega, replace(model, scale=sign * scale), setting)


def _about(waves: Waves, omega: Floats, phase: float, setting: Setting) -> float:
    """How far away the first position may be, plus or minus: what phases lose in float32 grows with it."""
    if max(setting.stored.phase, phase) < _LOW:
        return 0.0
    error = 8 * setting.tolerance / float(np.median(waves.amplitude))
    return min(abs(unwound(wrap(2 * waves.phase), 2 * omega, error)), MOST_POSITION / 2)


def _no_start(waves: Waves, setting: Setting) -> bool:
    """Whether no first position can explain these pairs, whatever the ladder: many have another length than the rest,
    or all begin at one angle, which is neither 0 nor half a turn, though they turn at different speeds."""
    size = float(np.median(waves.amplitude))
    slip = 8 * setting.tolerance
    if np.mean(np.abs(waves.amplitude - size) <= slip + _SLIP * size) < _ALIKE:
        return True
    if len(waves.step) < 3 or slip > _SLIP * size or np.max(np.abs(wrap(waves.step - waves.step[0]))) < _SLIP:
        return False
    angle = waves.phase - waves.phase[0]
    alike = np.max(np.abs(wrap(angle))) * size <= slip + _ANGLE
    return bool(alike and abs(math.sin(float(waves.phase[0]))) * size > 4 * slip + _SLIP)


def _round_scale(scale: float, setting: Setting) -> float:
    """The factor that somebody may have chosen, if it is as near as the cells can tell."""
    width = setting.widths[0]
    chosen = (1.0, 2.0, 3.0, math.sqrt(2), 0.5, math.sqrt(2 / width), math.sqrt(width), 1 / math.sqrt(width))
    nearby = (*chosen, *(round(scale, places) for places in range(2, 8)))
    return next((each for each in nearby if abs(each - scale) <= 1.5 * setting.tolerance), scale)


def _steps(waves: Waves, omega: Floats, setting: Setting, kind: str) -> list[float]:
    if kind == "unit":
        return [1.0, -1.0]
    error = 8 * setting.tolerance / float(np.median(waves.amplitude)) / max(float(setting.rows[-1]), 1)
    fastest = int(np.argmax(omega))
    found: list[float] = []
    if omega[fastest] <= STILL:
        return found
    for exact in (float(waves.step[fastest] / omega[fastest]), unwound(waves.step, omega, error)):
        fine = max(error / float(omega[fastest]), 1e-12)
        for step in (*_rounder(exact, fine), exact):
            if step != 0 and step not in found:
                found.append(step)
    return found


def _rounder(x: float, fine: float) -> Iterator[float]:
    """Whole numbers, whole parts and short decimals as near as x was measured."""
    for nice in (round(x), *(1 / part if x > 0 else -1 / part for part in INTERPOLATED), round(x, 2), round(x, 3)):
        if nice and abs(nice - x) <= fine:
            yield float(nice)


def _started(waves: Waves, omega: Floats, model: Model, setting: Setting) -> Iterator[Model]:
    """The first position: from the phases, slow to fast, if that is a whole number; else the nearest whole one that
    fits; else what was found. Where steps are not whole, multiples of a step stand for whole numbers."""
    turned = wrap(waves.phase + (math.pi if model.scale < 0 else 0.0))
    error = 4 * setting.tolerance / float(np.median(waves.amplitude))
    exact = unwound(turned, omega, error)
    whole = [float(round(exact)), model.step * round(exact / model.step)]
    if len(omega) == 1:
        whole = [*_whole_starts(turned, omega, 3 * error), *whole]
    elif abs(model.step) == 1:
        whole += [*_whole_starts(turned, omega, 2 * error + 1e-9), *_far_starts(turned, omega, error)]
    for start in dict.fromkeys((*whole, float(round(exact, 4)), exact)):
        begun = replace(model, start=start + 0.0)
        if consistent(waves, omega, begun, setting) and believable(waves, omega, begun, setting):
            yield begun
            return


def _whole_starts(phase: Floats, omega: Floats, error: float) -> Iterator[float]:
    """Whole positions at which the fastest waves have these phases, nearest to 0 first."""
    whole = np.arange(-1, _SMALL_STARTS, dtype=np.float64)
    for index in np.argsort(-omega, kind="stable")[:_FASTEST].tolist():
        away = np.abs(wrap(phase[index] - omega[index] * whole))
        whole = whole[away <= error + 1e-6 * omega[index]]
    yield from sorted(whole.tolist(), key=abs)[:4]


def _far_starts(phase: Floats, omega: Floats, error: float) -> Iterator[float]:
    """Positions after some turns of the slowest wave, made finer wave by wave: the whole ones, nearest to 0 first."""
    order = slow_to_fast(omega)
    if not order:
        return
    x = (phase[order[0]] + 2 * math.pi * np.arange(-2, _FAR_TURNS)) / omega[order[0]]
    for index in order[1:]:
        x = x + wrap(phase[index] - omega[index] * x) / omega[index]
    whole = np.rint(x[(np.abs(x - np.rint(x)) <= error + 1e-6) & (np.abs(x) < MOST_POSITION)])
    yield from sorted(whole.tolist(), key=abs)[:8]


def _rotated(waves: Waves, setting: Setting) -> Iterator[Model]:
    """Steps on a ladder, lengths and first phases of the pairs' own: a vector turned by R_k."""
    if waves.layout.alone is not None or len(waves.layout.sines) < 2:
        return
    for tried in (*_named(KNOWN[:3], setting.bases, waves, setting), *_measured(waves, setting)):
        for step in (1.0, -1.0):
            model = Model(waves.layout, tried.ladder, tried.base, tried.width, tried.omega, 1.0, 0.0, step)
            if consistent(waves, tried.omega, model, setting, phases=False):
                yield replace(model, amplitudes=waves.amplitude, offsets=waves.phase)


def _stage(ladders: tuple[Ladder, ...], steps: str, most: int | None = None) -> Stage:
    def stage(waves: Waves, setting: Setting) -> Iterator[Model]:
        return _models(_named(ladders, setting.bases[:most], waves, setting), waves, setting, steps)

    return stage


def _few_pairs(waves: Waves, setting: Setting) -> Iterator[Model]:
    """With one or two pairs nearly every slip is some base's good table, and is taken for that."""
    if len(waves.layout.sines) <= 2:
        yield from _stage(KNOWN, "unit")(waves, setting)


STAGES: tuple[Stage, ...] = (
    _stage(KNOWN, "unit", 1),
    _stage(KNOWN[:1], "unit"),
    _few_pairs,
    _stage(SINGLE, "unit", 1),
    _stage(BROKEN, "unit", 1),
    _stage(KNOWN, "unit"),
    lambda waves, setting: _models(_measured(waves, setting), waves, setting, "unit"),
    _stage(KNOWN, "free", 1),
    lambda waves, setting: _models(_measured(waves, setting), waves, setting, "free"),
    lambda waves, setting: _models(_straight(waves, setting), waves, setting, "free"),
    _stage(KNOWN, "free"),
)
LATE: tuple[Stage, ...] = (_stage(BROKEN, "free", 1), _rotated)
"""Tried when no other order of columns explains the table either."""
