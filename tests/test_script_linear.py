"""linear.js and slices.js, run in the browser: the proof in n steps, against Python's, without holding up the page."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Page

from posenc import Config, linear, proof, prove
from posenc.arrays import Floats
from posenc.claims import Invariant
from posenc.faults import raw_index
from tests.browser import slowness, tasks
from tests.saboteurs import ALL, SABOTEURS, Saboteur, doubled, edited, rows_taken, true_table
from tests.test_script_proof import METHODS, PLACED, ROUNDING, as_json


def config_of(n_positions: int, d_model: int, base: float = 10000.0) -> Config:
    return Config(d_model=d_model, n_positions=n_positions, base=base, probes=(0, 0))


SHORT = [config_of(1, 2), config_of(2, 6), config_of(64, 16), config_of(90, 30, 0.5), config_of(256, 8, 2.0)]
LONG = [
    config_of(257, 16),
    config_of(257, 2),
    config_of(600, 30, 2.0),
    config_of(600, 6, 0.5),
    config_of(600, 16, 1.0),
    config_of(1000, 4, 1e7),
    config_of(2048, 32),
]
MIDDLING = config_of(300, 16)
LONG_TASK = 50  # ms, beyond which a page feels held up
LARGEST = as_json(config_of(2048, 512))

FINISH = """
const finish = (work) => {
    let step = work.next();
    while (!step.done) step = work.next();
    return step.value;
};
"""
IN_SLICES = f"""([room, table, config]) => {{
    {FINISH}
    return finish(posenc[room].slices(table.map((row) => Float64Array.from(row)), config));
}}"""


def in_slices(scripts: Page, room: str, table: Floats, config: Config) -> dict[str, dict[str, Any]]:
    claims = scripts.evaluate(IN_SLICES, [room, table.tolist(), as_json(config)])
    assert tuple(claim["name"] for claim in claims) == ALL
    return {claim["name"]: claim for claim in claims}


def rounding(name: str, config: Config) -> float:
    """What float64 rounds in the script's angles, p·ω and k·ω with an ω that is itself rounded, and Python's does not;
    and how often it counts in a bound."""
    angle = 4 * config.n_positions * max(1.0, 1 / config.base) * 2.0**-53
    times = {"shift": 2.0, "distinct": 3 * math.sqrt(config.n_pairs)}
    return max(ROUNDING, times.get(name, 1.0) * angle)


def assert_same(script: dict[str, dict[str, Any]], claims: tuple[Invariant, ...], config: Config) -> None:
    for claim in claims:
        theirs = script[claim.name]
        judged = (theirs["holds"], theirs["relation"], theirs["bound"], METHODS[theirs["method"]])
        assert judged == (claim.holds, claim.relation, claim.bound, claim.method), claim.name
        near = pytest.approx(claim.measured, rel=ROUNDING, abs=rounding(claim.name, config), nan_ok=True)
        assert theirs["measured"] == near, claim.name


def placed(claim: Invariant) -> dict[str, int | None]:
    return {"position": claim.where.position, "k": claim.where.k, "pair": claim.where.pair}


def python_s(table: Floats, config: Config) -> tuple[Invariant, ...]:
    """The long proof; where its bound of `distinct` breaks, of all pairs, as the script compares them."""
    claims = linear.prove(table, config).invariants
    with np.errstate(invalid="ignore", over="ignore"):
        return tuple(proof.distinct(table, config) if claim.method == linear.SORTED_ROWS else claim for claim in claims)


# ---- the proof ----


@pytest.mark.parametrize("config", [*SHORT, *LONG], ids=str)
def test_the_long_proof_of_the_script_is_python_s(scripts: Page, config: Config) -> None:
    table = true_table(config)
    script = in_slices(scripts, "linear", table, config)
    claims = linear.prove(table, config).invariants
    assert_same(script, claims, config)
    assert all(claim["holds"] for claim in script.values())
    assert script["distinct"]["where"] == placed(claims[2])


@pytest.mark.parametrize("config", SHORT, ids=str)
def test_a_short_table_is_proved_in_slices_by_all_pairs(scripts: Page, config: Config) -> None:
    table = true_table(config)
    assert_same(in_slices(scripts, "proof", table, config), prove(table, config).invariants, config)


@pytest.mark.parametrize("config", LONG, ids=str)
def test_a_long_table_is_proved_by_bounds_and_says_so(scripts: Page, config: Config) -> None:
    table = true_table(config)
    claims = in_slices(scripts, "proof", table, config)
    assert_same(claims, linear.prove(table, config).invariants, config)
    assert [claims[name]["method"] for name in ("distinct", "shift")] == ["linear-distance", "linear-shift"]
    assert config.n_positions > scripts.evaluate("posenc.proof.ALL_PAIRS_UP_TO") == SHORT[-1].n_positions


@pytest.mark.parametrize("config", [config_of(64, 16), config_of(200, 4), config_of(90, 30, 2.0)], ids=str)
def test_the_script_s_bounds_bound_what_all_pairs_measure(scripts: Page, config: Config) -> None:
    table = true_table(config)
    every, few = (in_slices(scripts, room, table, config) for room in ("proof", "linear"))
    assert few["distinct"]["measured"] <= every["distinct"]["measured"]
    assert few["shift"]["measured"] >= every["shift"]["measured"] / 2  # all pairs round k·ω as often as the bound does
    for name in ("bounded", "length", "ladder"):
        assert {**few[name], "ms": 0} == {**every[name], "ms": 0}


def test_the_bound_covers_what_the_browser_rounds_in_its_angles(scripts: Page) -> None:
    """Row p of the browser's own table and its R_p are rounded alike, and leave nothing over; yet neither is exact."""
    config = config_of(2048, 16, 1.5)
    measured, omega, last = scripts.evaluate(
        f"""(config) => {{
            {FINISH}
            const table = finish(posenc.linear.buildSlices(config));
            const shift = finish(posenc.linear.slices(table, config)).find(({{ name }}) => name === "shift");
            const omega = posenc.engine.frequencies(config.d_model, config.base);
            return [shift.measured, Array.from(omega), table.slice(-100).map((row) => Array.from(row))];
        }}""",
        as_json(config),
    )
    with mpmath.workdps(60):
        residual = max(
            math.hypot(row[2 * pair] - mpmath.sin(angle), row[2 * pair + 1] - mpmath.cos(angle))
            for position, row in enumerate(last, start=2048 - 100)
            for pair, angle in enumerate(mpmath.mpf(position) * frequency for frequency in omega)
        )
    assert residual > 10 * linear.SLACK
    assert 2 * residual <= measured <= config.tolerance


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.name)
def test_a_saboteur_brings_down_the_same_in_the_script_s_long_proof(scripts: Page, saboteur: Saboteur) -> None:
    table = saboteur.build(MIDDLING)
    script = in_slices(scripts, "proof", table, MIDDLING)
    claims = python_s(table, MIDDLING)
    assert tuple(name for name in ALL if not script[name]["holds"]) == saboteur.fallen
    assert_same(script, claims, MIDDLING)
    if saboteur.name in PLACED:
        broken = [claim for claim in claims if not claim.holds]
        assert [script[claim.name]["where"] for claim in broken] == [placed(claim) for claim in broken]


@pytest.mark.parametrize("config", LONG, ids=str)
def test_a_long_raw_index_falls_and_stays_distinct_by_its_rows(scripts: Page, config: Config) -> None:
    table = raw_index(config)
    script = in_slices(scripts, "proof", table, config)
    assert [name for name in ALL if script[name]["holds"]] == ["distinct"]
    assert script["distinct"]["method"] == "all-pairs"
    assert script["distinct"]["measured"] == pytest.approx(math.sqrt(config.d_model), rel=ROUNDING)
    assert script["distinct"]["measured"] >= linear.prove(table, config).invariants[2].measured > config.tolerance


def test_two_like_rows_of_a_long_table_are_found_and_placed(scripts: Page) -> None:
    closest = in_slices(scripts, "proof", rows_taken(doubled)(MIDDLING), MIDDLING)["distinct"]
    assert not closest["holds"]
    assert closest["where"] == {"position": 13, "k": 8, "pair": None}


@pytest.mark.parametrize("place", [(0, 0), (150, 7), (299, 15)])
def test_one_nan_breaks_all_five_in_the_script_s_long_proof(scripts: Page, place: tuple[int, int]) -> None:
    script = in_slices(scripts, "proof", edited(*place, math.nan)(MIDDLING), MIDDLING)
    assert [name for name in ALL if script[name]["holds"]] == []


@pytest.mark.parametrize("n_positions", [1, 64, 300])
@pytest.mark.parametrize("fault", ["", "posenc.faults.rows.raw"])
def test_slices_tell_how_much_is_done_and_what_each_check_took(scripts: Page, n_positions: int, fault: str) -> None:
    told, claims, took = scripts.evaluate(
        f"""(config) => {{
            {FINISH}
            const table = finish(posenc.linear.buildSlices(config{fault and ", " + fault}));
            const told = [];
            const start = performance.now();
            const work = posenc.proof.slices(table, config);
            let step = work.next();
            for (; !step.done; step = work.next()) told.push(step.value.done);
            return [told, step.value, performance.now() - start];
        }}""",
        as_json(config_of(n_positions, 64)),
    )
    assert told == sorted(told)
    assert told[0] >= 0
    assert told[-1] == pytest.approx(1)
    assert all(claim["ms"] >= 0 for claim in claims)
    assert sum(claim["ms"] for claim in claims) <= took + 1


# ---- the table ----


@pytest.mark.parametrize("config", [config_of(1, 2), config_of(64, 16), config_of(1000, 64, 2.0)], ids=str)
def test_a_table_built_in_slices_is_the_engine_s(scripts: Page, config: Config) -> None:
    assert scripts.evaluate(
        f"""(config) => {{
            {FINISH}
            const positions = Array.from({{ length: config.n_positions }}, (_, position) => position);
            const table = posenc.engine.encode(positions, config.d_model, config.base);
            const sliced = finish(posenc.linear.buildSlices(config));
            return sliced.length === table.length && sliced.every((row) => row instanceof Float64Array)
                && posenc.proof.agreement(sliced, table) === 0;
        }}""",
        as_json(config),
    )


def test_a_fault_is_built_in_slices_row_by_row(scripts: Page) -> None:
    built = scripts.evaluate(
        f"""(config) => {{
            {FINISH}
            const fault = (position, {{ d_model }}) => Array.from(Array(d_model), (_, column) => position - column);
            return finish(posenc.linear.buildSlices(config, fault)).map((row) => Array.from(row));
        }}""",
        as_json(MIDDLING),
    )
    assert built == np.subtract.outer(np.arange(300.0), np.arange(16.0)).tolist()


UNIQUE = f"(table) => {{ {FINISH} return finish(posenc.linear.uniqueSlices(table)); }}"


def test_rows_of_the_very_same_numbers_count_once(scripts: Page) -> None:
    random = np.random.default_rng(0)
    table = random.standard_normal((500, 6))[random.integers(0, 400, 1200)]
    table[7, 3] = np.nextafter(table[7, 3], 9)
    table[8] = table[8, ::-1]
    assert scripts.evaluate(UNIQUE, table.tolist()) == len(np.unique(table, axis=0))
    assert scripts.evaluate(UNIQUE, raw_index(MIDDLING).tolist()) == 300
    assert scripts.evaluate(UNIQUE, np.ones((300, 4)).tolist()) == 1


def test_zero_is_zero_and_nan_is_nan_to_the_count_of_rows(scripts: Page) -> None:
    assert scripts.evaluate(UNIQUE, [[0.0, 1.0], [-0.0, 1.0], [1.0, 0.0]]) == 2
    assert scripts.evaluate(UNIQUE, [[math.nan, 1.0], [math.nan, 1.0], [math.inf, 1.0], [-math.inf, 1.0]]) == 3
    payload = """() => {
        const odd = new Float64Array(new BigUint64Array([0x7ff8000000000001n, 0n]).buffer);
        return [[...odd], [NaN, 0]];
    }"""
    assert scripts.evaluate(UNIQUE, scripts.evaluate(payload)) == 1


# ---- the runner ----


COUNTING = "function* count(n) { for (let i = 1; i <= n; i += 1) yield { done: i / n }; return n; }"


def test_a_run_gives_what_the_work_returns_and_lets_the_page_turn(scripts: Page) -> None:
    result, turned, told = scripts.evaluate(
        f"""async () => {{
            {COUNTING}
            let turned = 0;
            const told = [];
            const progress = ({{ done }}) => told.push(done);
            const timer = setInterval(() => (turned += 1));
            const result = await posenc.slices.run(count(50), {{ budget: 0, progress }});
            const long = performance.now() + 60;
            await posenc.slices.run((function* () {{ while (performance.now() < long) yield; }})(), {{ budget: 2 }});
            clearInterval(timer);
            return [result, turned, told];
        }}"""
    )
    assert result == 50
    assert turned >= 2
    assert told == [i / 50 for i in range(1, 51)]


def test_work_within_the_budget_takes_no_turn(scripts: Page) -> None:
    result = scripts.evaluate(
        f"""async () => {{
            {COUNTING}
            const wait = () => Promise.reject(new Error("waited"));
            return posenc.slices.run(count(5), {{ budget: 1000, wait }});
        }}"""
    )
    assert result == 5


def test_what_the_work_throws_the_run_is_rejected_with(scripts: Page) -> None:
    with pytest.raises(Error, match="RangeError: table must have 64 rows of 16 columns"):
        scripts.evaluate("(config) => posenc.slices.run(posenc.proof.slices([], config))", as_json(config_of(64, 16)))


def test_an_aborted_run_ends_between_two_slices(scripts: Page) -> None:
    name, seen = scripts.evaluate(
        """async () => {
            let seen = 0;
            const work = (function* () { for (; seen < 2e4; seen += 1) yield; })();
            const ending = new AbortController();
            const run = posenc.slices.run(work, { budget: 0, signal: ending.signal });
            setTimeout(() => ending.abort(), 5);
            const name = await run.then(() => "nothing", (error) => error.name);
            const before = seen;
            await new Promise((resolve) => setTimeout(resolve, 20));
            return [name, seen === before];
        }"""
    )
    assert (name, seen) == ("AbortError", True)


def test_a_newer_run_ends_the_one_before_and_only_that(scripts: Page) -> None:
    ended = scripts.evaluate(
        f"""async () => {{
            {COUNTING}
            const [one, other] = [posenc.slices.latest(), posenc.slices.latest()];
            const runs = [[one, 2e4], [other, 30], [one, 20]].map(([run, n]) => run(count(n), {{ budget: 0 }}));
            const results = await Promise.allSettled(runs);
            return results.map(({{ value, reason }}) => value ?? reason.name);
        }}"""
    )
    assert ended == ["AbortError", 30, 20]


# ---- no task is long ----


@pytest.mark.parametrize("fault", ["", "posenc.faults.rows.raw"])
def test_the_largest_table_is_built_and_proved_without_a_long_task(browser: Browser, scripts: Page, fault: str) -> None:
    work = f"""async (config) => {{
        const table = await posenc.slices.run(posenc.linear.buildSlices(config{fault and ", " + fault}));
        const claims = await posenc.slices.run(posenc.proof.slices(table, config));
        const unique = await posenc.slices.run(posenc.linear.uniqueSlices(table));
        const agreement = await posenc.slices.run(posenc.proof.agreementSlices(table, table));
        return [claims.filter(({{ holds }}) => holds).length, unique, agreement];
    }}"""
    found = []
    taken = tasks(browser, scripts, lambda: found.append(scripts.evaluate(work, LARGEST)))
    assert found == [[1 if fault else 5, 2048, 0]]
    assert len(taken) > 20, "the trace has the slices"
    assert taken[0] <= LONG_TASK


def test_the_trace_has_a_long_task(browser: Browser, scripts: Page) -> None:
    work = """() => new Promise((done) => setTimeout(() => {
        for (const end = performance.now() + 200; performance.now() < end;);
        done();
    }))"""
    assert tasks(browser, scripts, lambda: scripts.evaluate(work))[0] > LONG_TASK


@pytest.mark.parametrize("config", [LARGEST, as_json(config_of(256, 512)), as_json(config_of(2048, 2))], ids=str)
def test_every_stretch_between_two_rests_is_short(scripts: Page, config: dict[str, Any]) -> None:
    slow = slowness(scripts)
    stretches = scripts.evaluate(
        """(config) => {
            const timed = (work) => {
                const took = [];
                for (;;) {
                    const start = performance.now();
                    const { value, done } = work.next();
                    took.push(performance.now() - start);
                    if (done) return [value, took];
                }
            };
            const round = () => {
                const [table, ...took] = timed(posenc.linear.buildSlices(config));
                const works = [posenc.proof.slices(table, config), posenc.linear.uniqueSlices(table)];
                return [...took, ...works.map((work) => timed(work)[1])].flat();
            };
            const rounds = Array.from({ length: 5 }, round); // the least disturbed of each stretch
            return rounds[0].map((_, stretch) => Math.min(...rounds.map((took) => took[stretch])));
        }""",
        config,
    )
    assert max(stretches) <= 4 * slow  # half of what a slice may take
