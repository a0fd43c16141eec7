"""What both pages show of a state: the script writes what the build writes, and at load it changes nothing."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from playwright.sync_api import BrowserContext, Page

from posenc.web import now
from posenc.web.now import State
from tests.browser import SETTLED
from tests.kept import Kept, opened

PAGES = ("index.html", "instrument.html")
EDGES = (
    State(16, 64, 10000.0, 5, 40, 5, 0),
    State(2, 1, 1.0, 0, 0, 0, 0),
    State(512, 2048, 1e7, 2047, 0, -2047, 255),
    State(512, 2048, 10000.0, 2047, 2046, 2047, 0),
    State(64, 100, 1.0, 99, 1, -99, 31),
    State(18, 64, 123.456, 7, 7, 0, 8),
)


@st.composite
def states(draw: st.DrawFn) -> State:
    d_model, n = 2 * draw(st.integers(1, 256)), draw(st.integers(1, 2048))
    base = draw(st.one_of(st.integers(1, 10**7).map(float), st.floats(1, 1e7)))
    slot = st.integers(0, n - 1)
    k = draw(st.integers(1 - n, n - 1))
    return State(d_model, n, base, draw(slot), draw(slot), k, draw(st.integers(0, d_model // 2 - 1)))


def record(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in State.__dataclass_fields__}


@pytest.fixture(scope="module")
def instrument(
    kept: dict[str, Kept], window: BrowserContext, site: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The page with both tables: it is the kept one, and stands as the test before left it."""
    with opened(kept, window, (site / "instrument.html").as_uri(), trusted=not request.session.testsfailed) as page:
        yield page


def near(script: str, build: str) -> bool:
    """The same, or a number that rounded the other way: Math.pow and numpy part in the last bit."""
    if script == build:
        return True
    one, other = (re.sub(r"[0-9]", "#", text) for text in (script, build))
    places = [int("".join(re.findall(r"\d", text)) or 0) for text in (script, build)]
    return one == other and abs(places[0] - places[1]) == 1


def set_state(page: Page, state: State) -> None:
    page.evaluate("(asked) => posenc.state.set(asked, { rested: true })", record(state))
    page.evaluate(SETTLED)


def rows(page: Page, selector: str) -> list[list[str]]:
    found: list[list[str]] = page.locator(f"{selector} tbody").first.evaluate(
        "(body) => [...body.children].map((line) => [...line.children].map((cell) => cell.textContent))"
    )
    return found


@given(state=states())
@example(state=EDGES[0])
@example(state=EDGES[1])
@example(state=EDGES[2])
@example(state=EDGES[3])
@example(state=EDGES[4])
@example(state=EDGES[5])
def test_the_script_writes_every_number_of_a_state_as_the_build_does(instrument: Page, state: State) -> None:
    script, build = instrument.evaluate("(state) => posenc.views.now(state)", record(state)), now.numbers(state)
    assert script.keys() == build.keys()
    assert {name: script[name] for name in build if not near(script[name], build[name])} == {}


@given(pairs=st.integers(1, 256), share=st.floats(0, 1))
def test_the_script_draws_the_waves_of_the_same_pairs(instrument: Page, pairs: int, share: float) -> None:
    pair = min(int(pairs * share), pairs - 1)
    script = instrument.evaluate("([pairs, pair]) => posenc.views.waves(pairs, pair)", [pairs, pair])
    assert script == now.waves(pairs, pair)
    assert pair in script
    assert script == sorted(set(script))


@pytest.mark.parametrize("state", EDGES, ids=str)
def test_the_script_writes_both_tables_as_the_build_does(instrument: Page, state: State) -> None:
    set_state(instrument, state)
    for selector, lines in (("[data-row]", now.row(state)), ("[data-turn]", now.turn(state))):
        shown, built = rows(instrument, selector), [[line.pair, *line.values] for line in lines]
        assert len(shown) == len(built)
        for script, build in zip(shown, built, strict=True):
            assert all(map(near, script, build)), (script, build)


# Every piece of text below an element, with the name of the place where it stands; but for what stands in for scripts,
# and what Plotly draws.
TEXTS = """(root) => {
    const unread = "script, noscript, .heatmap-graph, .curves-graph";
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
        node.nodeType === 1 && node.matches(unread) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === 3 && node.data.trim()) {
            const place = node.parentElement.closest("[data-live], [data-output], [id]");
            found.push([place?.dataset.live ?? place?.dataset.output ?? place?.id ?? "", node.data.trim()]);
        }
    }
    return found;
}"""
# What a page says otherwise once its scripts have run: the witness's own verdicts, what rounding left over, what just
# happened in this browser.
OTHERWISE = {
    "index.html": re.compile("just|along|contents"),  # measured here; the part at hand
    "instrument.html": re.compile(
        "(word|now|ms|measured|where|method|lineage-bare)-.*|lineage-(by|bare)|verdict(-table)?|tally|runs|announce"
        "|live|unique|range|turn|table|turn-measured|turn-error|probe-(turned|ahead)"
    ),
}


def said_otherwise(page: Page, built: str) -> list[tuple[str, str]]:
    """What the page says and the build did not, and the other way round."""
    before, after = page.evaluate(
        f"(html) => [new DOMParser().parseFromString(html, 'text/html'), document].map((at) => ({TEXTS})(at.body))",
        built,
    )
    counts = [Counter((name, text) for name, text in said) for said in (before, after)]
    return sorted((counts[0] - counts[1]) + (counts[1] - counts[0]))


@pytest.mark.plotly
@pytest.mark.parametrize("name", PAGES)
def test_at_load_no_painter_changes_what_the_build_wrote(page: Page, site: Path, name: str) -> None:
    built = (site / name).read_text("utf-8")
    page.goto((site / name).as_uri())
    page.locator(".heatmap[data-follow]").scroll_into_view_if_needed()
    page.locator('.heatmap[data-follow][data-state="plot"]').wait_for()
    otherwise = said_otherwise(page, built)
    assert [each for each in otherwise if not OTHERWISE[name].fullmatch(each[0])] == []
    assert otherwise, "the witness ran, and a change measured here is not the build’s"
    page.evaluate("document.querySelector('[data-live=\"now.hand\"]').textContent = '1°'")
    assert ("now.hand", "1°") in said_otherwise(page, built)
