"""proof.js, run in the browser, against the Python proof: clean, sabotaged and tampered with."""

import math
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Error, Page

from posenc import Config, Proof, linear, prove
from posenc.arrays import Floats
from posenc.claims import ALL_PAIRS, EVERY_ROW
from posenc.faults import raw_index
from tests.browser import slowness
from tests.saboteurs import ALL, SABOTEURS, Saboteur, edited, true_table

CONFIG = Config()
CONFIGS = [
    Config(),
    Config(d_model=2),
    Config(d_model=2, n_positions=1, probes=(0, 0)),
    Config(d_model=6, n_positions=2, probes=(0, 1)),
    Config(d_model=64, n_positions=200, base=2.0),
    Config(d_model=30, n_positions=50, base=0.5),
    Config(base=1e7, tolerance=1e-13),
]
# Sums and sines are rounded in another order than NumPy's, each by no more than the size of the numbers.
ROUNDING = 1e-12
# Nearly equal errors may lie in different places; a fault leaves one place, or the same first of several.
PLACED = (
    "raw index",
    "one cell moved by 1e-6",
    "one cell of 2",
    "one cell NaN",
    "one cell ∞",
    "one cell −∞",
    "all NaN",
)
METHODS = {
    "all-rows": EVERY_ROW,
    "all-pairs": ALL_PAIRS,
    "linear-shift": linear.SHIFT_BOUND,
    "linear-distance": linear.DISTANCE_BOUND,
}
BUDGET_MS = 400  # for the most that all pairs are compared of, beyond which a click would feel late


def as_json(config: Config) -> dict[str, Any]:
    return {
        "d_model": config.d_model,
        "n_positions": config.n_positions,
        "base": config.base,
        "tolerance": config.tolerance,
    }


def proved_by_script(scripts: Page, table: Floats, config: Config) -> dict[str, dict[str, Any]]:
    proof = scripts.evaluate(
        "([table, config]) => posenc.proof.prove(table, config)", [table.tolist(), as_json(config)]
    )
    broken = [claim["name"] for claim in proof["broken"]]
    assert broken == [claim["name"] for claim in proof["invariants"] if not claim["holds"]]
    assert proof["holds"] == (not broken)
    return {claim["name"]: claim for claim in proof["invariants"]}


def assert_same(script: dict[str, dict[str, Any]], proof: Proof, *, placed: bool) -> None:
    assert tuple(script) == ALL
    for claim in proof.invariants:
        theirs = script[claim.name]
        assert (theirs["holds"], theirs["relation"], theirs["bound"]) == (
            claim.holds,
            claim.relation,
            claim.bound,
        )
        assert METHODS[theirs["method"]] == claim.method
        assert theirs["measured"] == pytest.approx(claim.measured, rel=ROUNDING, abs=ROUNDING, nan_ok=True), claim.name
        if placed and not claim.holds:
            place = {"position": claim.where.position, "k": claim.where.k, "pair": claim.where.pair}
            assert theirs["where"] == place, claim.name


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_script_proves_what_python_proves(scripts: Page, config: Config) -> None:
    table = true_table(config)
    assert_same(proved_by_script(scripts, table, config), prove(table, config), placed=False)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_script_proves_its_own_table_and_it_is_python_s(scripts: Page, config: Config) -> None:
    fallen, agreement = scripts.evaluate(
        """([theirs, config]) => {
            const positions = Array.from({ length: config.n_positions }, (_, position) => position);
            const table = posenc.engine.encode(positions, config.d_model, config.base);
            const proof = posenc.proof.prove(table, config);
            return [proof.broken.map((claim) => claim.name), posenc.proof.agreement(table, theirs)];
        }""",
        [true_table(config).tolist(), as_json(config)],
    )
    assert fallen == [claim.name for claim in prove(true_table(config), config).broken]
    assert agreement <= 1e-11


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_script_s_tamper_brings_down_what_python_s_does(scripts: Page, config: Config) -> None:
    script = scripts.evaluate("(config) => posenc.proof.prove(posenc.faults.rawIndex(config), config)", as_json(config))
    claims = {claim["name"]: claim for claim in script["invariants"]}
    assert_same(claims, prove(raw_index(config), config), placed=False)


def test_the_tamper_leaves_distinct_standing_and_nothing_else(scripts: Page) -> None:
    claims = proved_by_script(scripts, raw_index(CONFIG), CONFIG)
    assert [name for name in ALL if claims[name]["holds"]] == ["distinct"]
    assert claims["bounded"]["measured"] == 63


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.name)
def test_a_saboteur_brings_down_the_same_in_the_script(scripts: Page, saboteur: Saboteur) -> None:
    table = saboteur.build(CONFIG)
    claims = proved_by_script(scripts, table, CONFIG)
    assert tuple(name for name in ALL if not claims[name]["holds"]) == saboteur.fallen
    assert_same(claims, prove(table, CONFIG), placed=saboteur.name in PLACED)


def test_the_places_compared_are_those_of_saboteurs_that_exist() -> None:
    assert set(PLACED) <= {saboteur.name for saboteur in SABOTEURS}


def test_a_nan_is_the_worst_place_even_beside_larger_errors(scripts: Page) -> None:
    table = edited(40, 6, math.nan)(CONFIG)
    table[3, 2] = table[50, 9] = 99.0
    claims = proved_by_script(scripts, table, CONFIG)
    assert not any(claim["holds"] for claim in claims.values())
    assert_same(claims, prove(table, CONFIG), placed=True)


def test_a_nan_between_two_rows_is_found_behind_a_difference_that_is_larger_than_the_closest(scripts: Page) -> None:
    config = Config(d_model=4, n_positions=4, probes=(0, 1))
    table = np.array([[0, 0, 0, 0], [0, 0, 0, 0.1], [5, 0, 0, np.inf], [9, 0, 0, np.inf]])
    claims = proved_by_script(scripts, table, config)
    assert not claims["distinct"]["holds"]
    assert claims["distinct"]["where"] == {"position": 2, "k": 1, "pair": None}
    assert_same(claims, prove(table, config), placed=True)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_one_broken_cell_breaks_a_table_of_one_row_in_the_script(scripts: Page, value: float) -> None:
    alone = Config(d_model=2, n_positions=1, probes=(0, 0))
    claims = proved_by_script(scripts, np.array([[value, 1.0]]), alone)
    assert not any(claim["holds"] for claim in claims.values())


def test_a_cell_that_is_no_number_is_a_nan_and_not_a_zero(scripts: Page) -> None:
    broken = scripts.evaluate(
        """(config) => posenc.proof.prove([[null, 1]], config).broken.map((claim) => claim.name)""",
        as_json(Config(d_model=2, n_positions=1, probes=(0, 0))),
    )
    assert broken == list(ALL)


SABOTAGED_SOURCE = """([path, fault, config]) => {
    const [room, name] = path.split(".");
    const truth = posenc[room][name];
    posenc[room][name] = eval(fault)(truth);
    try {
        const positions = Array.from({ length: config.n_positions }, (_, position) => position);
        const table = posenc.engine.encode(positions, config.d_model, config.base);
        return posenc.proof.prove(table, config).broken.map((claim) => claim.name);
    } finally {
        posenc[room][name] = truth;
    }
}"""


@pytest.mark.parametrize(
    "fault",
    [
        "(truth) => (k, omega) => truth(k, omega).map(([upper, [sin, cos]]) => [upper, [-sin, cos]])",
        "(truth) => (k, omega) => truth(k, omega).map(([[cos, sin], lower]) => [[cos, -sin], lower])",
        "(truth) => (k, omega) => truth(1, omega)",
        "(truth) => (k, omega) => truth(k, omega).map((block) => block.map(() => [NaN, NaN]))",
    ],
)
def test_a_fault_in_the_script_s_rotation_is_seen_by_its_shift_alone(scripts: Page, fault: str) -> None:
    assert scripts.evaluate(SABOTAGED_SOURCE, ["engine.rotation", fault, as_json(CONFIG)]) == ["shift"]


def test_the_script_s_agreement_is_the_largest_difference(scripts: Page) -> None:
    differ = "([table, other]) => posenc.proof.agreement(table, other)"
    table = true_table(CONFIG)
    assert scripts.evaluate(differ, [table.tolist(), table.tolist()]) == 0
    moved = edited(10, 3, 0.25, by=True)(CONFIG)
    assert scripts.evaluate(differ, [table.tolist(), moved.tolist()]) == 0.25
    broken = edited(10, 3, math.nan)(CONFIG)
    broken[30, 3] = 99.0
    assert math.isnan(scripts.evaluate(differ, [table.tolist(), broken.tolist()]))
    assert math.isnan(scripts.evaluate(differ, [[[0.0, 1.0]], [[None, 1.0]]]))


@pytest.mark.parametrize("table", [[], [[0, 1, 0]], [[0, 1]] * 2, [[0, 1], [0]]])
def test_the_script_refuses_a_table_of_another_shape(scripts: Page, table: list[list[int]]) -> None:
    alone = as_json(Config(d_model=2, n_positions=1, probes=(0, 0)))
    with pytest.raises(Error, match="RangeError: table must have 1 rows of 2 columns, got "):
        scripts.evaluate("([table, config]) => { posenc.proof.prove(table, config); }", [table, alone])
    with pytest.raises(Error, match="RangeError: other must have 1 rows of 2 columns, got "):
        scripts.evaluate("(table) => { posenc.proof.agreement([[0, 1]], table); }", table)


def test_the_script_proves_a_large_table_between_two_breaths(scripts: Page) -> None:
    config = as_json(Config(d_model=512, n_positions=scripts.evaluate("posenc.proof.ALL_PAIRS_UP_TO")))
    slow = slowness(scripts)
    times = scripts.evaluate(
        """(config) => {
            const positions = Array.from({ length: config.n_positions }, (_, position) => position);
            const table = posenc.engine.encode(positions, config.d_model, config.base);
            return [1, 2, 3, 4].map(() => {
                const start = performance.now();
                posenc.proof.prove(table, config);
                return performance.now() - start;
            });
        }""",
        config,
    )
    assert min(times) <= BUDGET_MS * slow  # the least disturbed by whatever else the machine does
