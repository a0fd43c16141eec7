"""The check's steps in the browser against Python's, one by one: storage, waves, ladders, models, positions."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc.arrays import Floats
from posenc.check.aside import kept
from posenc.check.conventions import BY_LADDER, CONVENTIONS, EXPECTABLE, GRIDS, ROTARY, named
from posenc.check.fit import LATE, STAGES, agreement, explained
from posenc.check.judge import _case, _setting, _usual
from posenc.check.ladders import BASES, BROKEN, CONFUSABLE, KNOWN, SINGLE, base_standing
from posenc.check.models import predicted, slack
from posenc.check.positions import order_of, recovered
from posenc.check.storage import storage
from posenc.check.waves import Layout, layouts, matched, oriented, waves
from posenc.formats import FORMATS, rounded
from tests import kinds
from tests.across import differences, sent, sent_values
from tests.kinds import KINDS, Table

SIZES = ((64, 16), (8, 4))
TABLES: list[tuple[str, Floats]] = [
    (f"{kind.name} {n}×{d}", np.asarray(kind.make(n, d, 10000.0), dtype=np.float64))
    for n, d in SIZES
    for kind in KINDS
    if kind.at(n, d)
]
FINITE = [(name, table) for name, table in TABLES if np.isfinite(table).all() and table.any()]


def asked(page: Page, body: str, tables: list[Any], *rest: Any) -> list[Any]:
    """`body`, a function of a table, for each of many tables at once."""
    script = f"([tables, ...rest]) => {{ const of = {body}; return tables.map((each) => of(across(each), ...rest)); }}"
    found: list[Any] = page.evaluate(script, [[sent(table) for table in tables], *rest])
    return found


def test_the_script_rounds_to_formats_as_numpy_does(check: Page) -> None:
    random = np.random.default_rng(1)
    spread = random.standard_normal(2000) * 10.0 ** random.integers(-9, 6, 2000)
    halves = np.arange(-300, 301) / 2048 + 1
    few = [0.0, -0.0, 1.0, 2.0**-24, 2.0**-25, 3 * 2.0**-26, 65519.0, 65520.0, -1e9, 257.0, 259.0, 1e-40, math.inf]
    values = np.array([*spread, *halves, *few, *(halves * 2.0**-15)])
    for kind in FORMATS:
        found = check.evaluate(
            "([sent, kind]) => Array.from(posenc.check.numbers.rounded(across(sent)[0], kind))",
            [sent_values(values), kind],
        )
        np.testing.assert_array_equal(found, rounded(values, kind), err_msg=kind)


def test_the_script_rounds_to_decimals_and_digits_as_python_does(check: Page) -> None:
    random = np.random.default_rng(2)
    odd = [0.125, 0.375, -0.125, 2.5, 3.5, -2.5, 0.5, 2.675, 1e22, 1.0, 0.0, 1234567.5, 8.5e-5, 12345678912345.678]
    values = [*odd, *(random.standard_normal(300) * 10.0 ** random.integers(-6, 7, 300)).tolist()]
    found = check.evaluate(
        """(values) => {
            const { decimal, printed, pythonRound, rint, significant } = posenc.check.numbers;
            const places = [0, 1, 2, 3, 4, 5, 6, 7];
            return values.map((value) => [
                rint(value),
                printed(Math.fround(value)),
                ...places.map((count) => pythonRound(value, count)),
                ...places.map((count) => decimal(value, count)),
                ...places.map((count) => significant(value, count + 1)),
            ]);
        }""",
        values,
    )
    for value, numbers in zip(values, found, strict=True):
        assert numbers == [
            float(np.rint(value)),
            float(str(np.float32(value))),
            *(round(value, places) for places in range(8)),
            *(float(np.round(value, places)) for places in range(8)),
            *(float(f"{value:.{places}e}") for places in range(8)),
        ], value


def test_the_script_has_numpy_s_medians_quantiles_and_orders(check: Page) -> None:
    random = np.random.default_rng(3)
    lists = [random.integers(0, 5, n).astype(float) / 3 for n in (1, 2, 3, 10, 101, 1000)]
    found = check.evaluate(
        """(lists) => lists.map((sent) => {
            const values = across(sent)[0];
            const { argmax, argmin, argsort, counted, median, quantile, spaced } = posenc.check.numbers;
            const { kinds, often } = counted(values);
            return [
                [median(values), quantile(values, 0.9), quantile(values, 0.35)],
                [argsort(values), [argmax(values), argmin(values)], kinds, often, spaced(values.length, 24)],
            ];
        })""",
        [sent_values(values) for values in lists],
    )
    for values, (numbers, orders) in zip(lists, found, strict=True):
        assert numbers == pytest.approx([np.median(values), np.quantile(values, 0.9), np.quantile(values, 0.35)])
        several, often = np.unique(values, return_counts=True)
        spread = np.unique(np.linspace(0, len(values) - 1, min(24, len(values))).astype(int))
        assert orders == [
            np.argsort(values, kind="stable").tolist(),
            [int(np.argmax(values)), int(np.argmin(values))],
            several.tolist(),
            often.tolist(),
            spread.tolist(),
        ]


def stored() -> list[tuple[str, Table]]:
    """Tables in every format that is told, and some between two."""
    made: list[tuple[str, Table]] = []
    for name in ("vaswani", "learned", "times-root-d", "integers"):
        kind = next(kind for kind in KINDS if kind.name == name)
        table = kind.make(50, 8, 10000.0)
        low = np.asarray(table, dtype=np.float32)
        made += [(f"{name} {kind}", rounded(table, kind)) for kind in FORMATS]
        made += [(f"{name} {places} decimals", np.round(table, places)) for places in (1, 3, 4, 6, 7, 8, 9, 11, 12, 13)]
        made += [(f"{name} {places} digits", written(table, f".{places}e")) for places in (1, 2, 4, 6, 7, 8, 9, 10)]
        made += [
            (f"{name} {places} decimals float32", np.round(table, places).astype("f4").astype(float))
            for places in (2, 5)
        ]
        made.append((f"{name} as float32 prints", np.array([[float(str(each)) for each in row] for row in low])))
        made.append((f"{name} float32 to 7 decimals", np.round(low.astype(float), 7)))
        edited = low.astype(float)
        edited[3, 1] += 1e-9
        made.append((f"{name} float32 edited", edited))
    return made


def written(table: Table, how: str) -> Table:
    return np.array([[float(format(value, how)) for value in row] for row in table.tolist()])


def test_the_script_tells_every_storage_as_python_does(check: Page) -> None:
    tables: list[tuple[str, Table]] = [*TABLES, *stored()]
    body = """(table) => {
        const stored = posenc.check.storage.storage(table);
        const { toleranceOf } = posenc.check.storage;
        return { ...stored, tolerance: toleranceOf(stored, 1.5, 1e-9) };
    }"""
    for (name, table), found in zip(tables, asked(check, body, [table for _, table in tables]), strict=True):
        kept = storage(np.asarray(table, dtype=np.float64))
        expected = {field: getattr(kept, field) for field in ("key", "places", "absolute", "relative", "phase")}
        expected["tolerance"] = kept.tolerance(1.5, 1e-9)
        assert found == pytest.approx(expected), name


def test_the_script_sets_the_same_rows_and_columns_aside(check: Page) -> None:
    tables = [*TABLES, ("zeros between", np.diag([1.0, 0, 2, 3, 0, 0, 4, 5, 0])), ("none", np.zeros((3, 2)))]
    for (name, table), found in zip(
        tables,
        asked(check, "(table) => [...posenc.check.aside.kept(table)]", [table for _, table in tables]),
        strict=True,
    ):
        expected = [
            {"rows": each.rows.tolist(), "columns": each.columns.tolist(), "run": each.run.tolist()}
            for each in kept(np.asarray(table, dtype=np.float64))
        ]
        assert found == expected, name


LADDERS = """([ladders, sizes]) => ladders.flatMap((name) => posenc.check.ladders[name].map((ladder) => ({
    key: ladder.key,
    standing: ladder.standing,
    takes_base: ladder.takesBase,
    free_units: ladder.freeUnits,
    phase: ladder.phase,
    omega: sizes.map((size) => Array.from(ladder.omega(...size))),
})))"""


def test_the_script_has_every_ladder_with_its_frequencies(check: Page) -> None:
    sizes = [(1, 2, 10000.0), (8, 16, 10000.0), (9, 17, 1000.0), (32, 64, 500000.0), (5, 12, 20.0)]
    found = check.evaluate(LADDERS, [["KNOWN", "SINGLE", "BROKEN"], sizes])
    assert len(found) == len((*KNOWN, *SINGLE, *BROKEN))
    for ladder, told in zip((*KNOWN, *SINGLE, *BROKEN), found, strict=True):
        for field in ("key", "standing", "takes_base", "free_units", "phase"):
            assert told[field] == getattr(ladder, field), ladder.key
        for size, omega in zip(sizes, told["omega"], strict=True):
            np.testing.assert_allclose(omega, ladder.omega(*size), rtol=1e-13, err_msg=ladder.key)


def test_the_script_has_python_s_bases_and_conventions(check: Page) -> None:
    tried = [(layout, ladder) for layout in ("interleaved", "halves", "cos-halves", "x") for ladder in LADDER_KEYS]
    flags = [(padded, unit) for padded in (False, True) for unit in (False, True)]
    bases, confusable, expectable, constants, names = check.evaluate(
        """([bases, tried, flags]) => {
            const { BASES, CONFUSABLE, baseStanding } = posenc.check.ladders;
            const { BY_LADDER, CONVENTIONS, EXPECTABLE, GRIDS, ROTARY, named } = posenc.check.conventions;
            return [
                [...BASES, ...bases.map(baseStanding)],
                CONFUSABLE,
                EXPECTABLE,
                [BY_LADDER, GRIDS, ROTARY, CONVENTIONS],
                tried.map(([layout, ladder]) => flags.map(([padded, unit]) => named(layout, ladder, { padded, unit }))),
            ];
        }""",
        [[10000.0, 777.0], tried, flags],
    )
    several = [*BASES, base_standing(10000.0), base_standing(777.0)]
    assert bases == [{"value": base.value, "standing": base.standing, "key": base.key} for base in several]
    assert confusable == list(CONFUSABLE)
    assert expectable == list(EXPECTABLE)
    fields = ("key", "layout", "ladder", "padded", "unit")
    conventions = [{field: getattr(each, field) for field in fields} for each in CONVENTIONS]
    assert constants == [BY_LADDER, GRIDS, ROTARY, conventions]
    assert names == [
        [named(layout, ladder, padded=padded, unit=unit) for padded, unit in flags] for layout, ladder in tried
    ]


LADDER_KEYS = [ladder.key for ladder in KNOWN]

MEASURED = """(table) => {
    const check = posenc.check;
    const tolerance = check.storage.toleranceOf(check.storage.storage(table), 1, 1e-9);
    const [aside] = check.aside.kept(table);
    const block = check.numbers.part(table, aside.run, aside.columns);
    const shown = (waves) => waves && {
        key: waves.layout.key,
        sines: waves.layout.sines,
        cosines: waves.layout.cosines,
        alone: waves.layout.alone,
        amplitude: Array.from(waves.amplitude),
        step: Array.from(waves.step),
        phase: Array.from(waves.phase),
        steady: waves.steady,
        circular: waves.circular,
    };
    const found = check.waves.layouts(block[0].length)
        .map((layout) => check.waves.waves(block, layout, tolerance, aside.run[0]));
    const best = found.find((waves) => waves);
    const turned = best ? [false, true].map((down) => check.waves.oriented(best, block, tolerance, down)) : [];
    const pairs = check.waves.matched(block, tolerance);
    return [...found.map(shown), ...turned, pairs && check.waves.waves(block, pairs, tolerance, aside.run[0]) !== null];
}"""


def measured(table: Table) -> list[Any]:
    """What MEASURED tells, by Python."""
    tolerance = storage(table).tolerance(1, 1e-9)
    aside = next(iter(kept(table)))
    block = table[np.ix_(aside.run, aside.columns)]
    first = int(aside.run[0])

    def placed(layout: Layout) -> dict[str, Any]:
        return {
            "key": layout.key,
            "sines": layout.sines.tolist(),
            "cosines": layout.cosines.tolist(),
            "alone": layout.alone,
        }

    found = [waves(block, layout, tolerance, first) for layout in layouts(block.shape[1])]
    best = next((each for each in found if each is not None), None)
    turned = [] if best is None else [placed(oriented(best, block, tolerance, down)) for down in (False, True)]
    pairs = matched(block, tolerance)
    return [
        *(
            each
            and {
                **placed(each.layout),
                "amplitude": each.amplitude.tolist(),
                "step": each.step.tolist(),
                "phase": each.phase.tolist(),
                "steady": each.steady,
                "circular": each.circular,
            }
            for each in found
        ),
        *turned,
        pairs and waves(block, pairs, tolerance, first) is not None,
    ]


def test_the_script_measures_the_same_waves(check: Page) -> None:
    found = asked(check, MEASURED, [table for _, table in FINITE])
    assert {
        name: apart
        for (name, table), told in zip(FINITE, found, strict=True)
        if (apart := differences(told, measured(table), turns=True))
    } == {}


EXPLAINED = """(table) => {
    const check = posenc.check;
    const stored = check.storage.storage(table);
    const tolerance = check.storage.toleranceOf(stored, 1, 1e-9);
    const [aside] = check.aside.kept(table);
    const block = check.numbers.part(table, aside.run, aside.columns);
    const rest = check.numbers.part(table, aside.rows, aside.columns);
    const columns = aside.columns.length;
    const layouts = check.waves.layouts(columns);
    const usual = [0, 2].filter((i) => i < layouts.length).flatMap((i) => {
        const waves = check.waves.waves(block, layouts[i], tolerance, aside.run[0]);
        return waves ? [waves, check.waves.readOtherWay(waves, layouts[i + 1].key)] : [];
    });
    const rows = Float64Array.from(aside.rows);
    const width = table[0].length;
    const widths = [...new Set([columns, width, width + (width % 2)])];
    const setting = { bases: check.ladders.BASES, stored, tolerance, rows, columns, widths };
    return [check.fit.STAGES, check.fit.LATE].map((stages) => {
        const model = check.fit.explained(rest, usual, setting, stages);
        return model && {
            layout: model.layout.key,
            ladder: model.ladder.key,
            base: model.base,
            width: model.width,
            scale: model.scale,
            start: model.start,
            step: model.step,
            rotated: model.offsets !== null,
            agreement: check.fit.agreement(rest, model, setting),
            last: Array.from(check.models.predicted(model, rows, columns).at(-1)),
            slack: Array.from(check.models.slack(model, rows, columns, stored, tolerance).at(-1)),
        };
    });
}"""


def modelled(table: Table) -> list[Any]:
    """What EXPLAINED tells, by Python."""
    case = _case(table, None, 1e-9)
    tolerance = case.stored.tolerance(1, 1e-9)
    aside = next(iter(kept(table)))
    setting = _setting(replace(case, tolerance=tolerance), aside)
    rest = table[np.ix_(aside.rows, aside.columns)]
    usual = _usual(table[np.ix_(aside.run, aside.columns)], tolerance, int(aside.run[0]))
    found = []
    for stages in (STAGES, LATE):
        model = explained(rest, usual, setting, stages)
        found.append(
            model
            and {
                "layout": model.layout.key,
                "ladder": model.ladder.key,
                "base": model.base,
                "width": model.width,
                "scale": model.scale,
                "start": model.start,
                "step": model.step,
                "rotated": model.offsets is not None,
                "agreement": agreement(rest, model, setting),
                "last": predicted(model, setting.rows, setting.columns)[-1].tolist(),
                "slack": slack(model, setting.rows, setting.columns, case.stored, tolerance)[-1].tolist(),
            }
        )
    return found


def test_the_script_explains_tables_by_the_same_models(check: Page) -> None:
    found = asked(check, EXPLAINED, [table for _, table in FINITE])
    assert {
        name: apart
        for (name, table), told in zip(FINITE, found, strict=True)
        if (apart := differences(told, modelled(table)))
    } == {}


def rows_of() -> list[list[float]]:
    """Positions in every order that has a name, and in none."""
    random = np.random.default_rng(4)
    line = np.arange(40.0)
    return [
        line.tolist(),
        np.minimum(line, 25).tolist(),
        np.minimum(line, 25 + 0.0).tolist(),
        kinds.bfloat16(250 + line).tolist(),
        rounded(2040 + line, "float16").tolist(),
        (line % 13).tolist(),
        (line // 3).tolist(),
        (line // 2 * 0.5).tolist(),
        np.delete(line, 17).tolist(),
        np.insert(line, 17, 16.0).tolist(),
        [*line[:9], 100.0, *line[10:30], -4.5, *line[31:]],
        random.permutation(line).tolist(),
        (random.permutation(line) * 0.25 + 3).tolist(),
        random.integers(0, 30, 40).astype(float).tolist(),
        random.standard_normal(40).tolist(),
        (line + 1e-8 * random.standard_normal(40)).tolist(),
        (7 - 2 * line).tolist(),
        [5.0, 5.0, 5.0, 5.0],
        [0.0, 1.0, 2.0, 0.0, 1.0],
        [-1.0, 0.0, -0.0, 1.0],
    ]


def test_the_script_names_the_order_of_rows_as_python_does(check: Page) -> None:
    found = check.evaluate(
        """(lists) => lists.map((list) => posenc.check.positions.orderOf(Float64Array.from(list), 1e-7))""",
        rows_of(),
    )
    for positions, told in zip(rows_of(), found, strict=True):
        order = order_of(np.array(positions), 1e-7)
        expected = {"key": order.key, "standing": order.standing, "numbers": dict(order.numbers)}
        assert differences(told, expected) == [], positions
    assert {each["key"] for each in found} >= {
        "clamped",
        "positions-bfloat16",
        "positions-float16",
        "restarted",
        "jump",
        "repeated-rows",
        "misplaced-rows",
        "shuffled-rows",
        "repeated-positions",
        "irregular-positions",
    }


def test_the_script_recovers_positions_from_phases(check: Page) -> None:
    positions = np.array([0, 3, 17.5, 1000, 999, 4, -6])
    omega = kinds.omega_paper(16, 10000.0)
    theta = np.arctan2(np.sin(np.outer(positions, omega)), np.cos(np.outer(positions, omega)))
    for error in (1e-9, 1e-3, 0.1):
        found = check.evaluate(
            """([theta, omega, error]) =>
                Array.from(posenc.check.positions.recovered(across(theta), across(omega)[0], error))""",
            [sent(theta), sent_values(omega), error],
        )
        np.testing.assert_allclose(found, recovered(theta, omega, error), rtol=1e-9, atol=1e-9)
