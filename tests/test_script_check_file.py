"""The check as pages load it: one file, which judges by itself, in slices, and the largest table in a second."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from posenc.web.assets import LAZY_SCRIPTS, PAGE_SCRIPTS, SCRIPTS, assets
from tests.browser import watch
from tests.checkout import ROOT
from tests.conftest import SCRIPTS as FOLDER

BUDGET_MS = 1000  # for the largest table, after which a reader asks what is wrong
SINES_MS = 50  # for two million of them, on a machine with nothing else to do; a busier one has as much longer


def test_the_one_file_judges_by_itself(browser: Browser) -> None:
    """It needs slices.js, which every page has, and nothing else."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    page.add_script_tag(path=FOLDER / "slices.js")
    page.add_script_tag(content=assets(ROOT, b"")["assets/check.js"].decode())
    names = page.evaluate(
        """async () => {
            const text = Array.from({ length: 12 }, (_, p) => [Math.sin(p), Math.cos(p), Math.sin(p / 100),
                Math.cos(p / 100)].join(",")).join("\\n");
            const { rows } = await posenc.check.read("a.csv", text);
            return [posenc.check.diagnose(rows).name, (await posenc.check.diagnoseInSlices(rows)).name];
        }"""
    )
    context.close()
    assert names == ["vaswani", "vaswani"]
    assert troubles == []


def test_no_page_loads_the_file_before_it_is_wanted() -> None:
    listed = {*SCRIPTS, *(name for names in PAGE_SCRIPTS.values() for name in names)}
    assert not listed & {"check", *LAZY_SCRIPTS["check"]}
    files = {
        path.relative_to(ROOT / "templates" / "js").with_suffix("").as_posix() for path in (FOLDER / "check").iterdir()
    }
    assert files == set(LAZY_SCRIPTS["check"])


MAKE = """
const [n, d] = [2048, 1024];
const omega = (column) => 10000 ** (-2 * Math.floor(column / 2) / d);
const paper = (row, column) => (column % 2 ? Math.cos : Math.sin)(row * omega(column));
const order = Array.from({ length: d }, (_, column) => (column * 389) % d); // 389 and d have no common factor
let seed = 1;
const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5;
const kinds = {
    vaswani: paper,
    permuted: (row, column) => paper(row, order[column]),
    "not-finite": (row, column) => (row === 5 && column === 7 ? NaN : paper(row, column)),
    unknown: chance,
};
const made = (kind) => Array.from({ length: n }, (_, row) =>
    Float64Array.from({ length: d }, (_, column) => kinds[kind](row, column)));
"""

IN_SLICES = f"""async (kind) => {{
    {MAKE}
    const rows = made(kind);
    let rests = 0;
    const wait = () => new Promise((resolve) => setTimeout(() => {{ rests += 1; resolve(); }}));
    const {{ name }} = await posenc.check.diagnoseInSlices(rows, {{ wait }});
    return {{ name, rests }};
}}"""

AT_ONCE = f"""() => {{
    {MAKE}
    const rows = made("vaswani");
    const timed = (work) => {{
        const begin = performance.now();
        work();
        return performance.now() - begin;
    }};
    const angles = Float64Array.from({{ length: n * d }}, (_, place) => place / d);
    const runs = Array.from({{ length: 4 }}, () => [
        timed(() => posenc.check.diagnose(rows)),
        timed(() => angles.forEach((angle, place) => {{ angles[place] = Math.sin(angle) + place / d; }})),
    ]);
    return runs.reduce(([one, two], [judged, sines]) => [Math.min(one, judged), Math.min(two, sines)]);
}}"""


@pytest.mark.parametrize("kind", ["vaswani", "permuted", "not-finite", "unknown"])
def test_the_largest_tables_are_judged_in_slices(kind: str, check: Page) -> None:
    told = check.evaluate(IN_SLICES, kind)
    assert told["name"] == kind
    assert told["rests"] > 5  # in each of which the page may answer its reader


@pytest.mark.long
def test_the_largest_table_is_judged_in_a_second(check: Page, record_property: Any) -> None:
    judged, sines = check.evaluate(AT_ONCE)  # the least disturbed by whatever else the machine does
    record_property("ms", (judged, sines))
    assert judged <= max(BUDGET_MS, BUDGET_MS * sines / SINES_MS)


def test_judging_can_be_stopped(check: Page) -> None:
    stopped = check.evaluate(
        """async () => {
            const rows = Array.from({ length: 64 }, (_, p) => Float64Array.of(Math.sin(p), Math.cos(p)));
            const stop = new AbortController();
            const wait = async () => stop.abort();
            const work = posenc.check.diagnoseInSlices(rows, { signal: stop.signal, budget: 0, wait });
            return work.then(() => "done", (error) => error.name);
        }"""
    )
    assert stopped == "AbortError"
