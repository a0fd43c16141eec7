"""Beside every heatmap its numbers, as a table to be read: complete without scripts, and up to date with them."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from posenc.config import Config
from posenc.engine import encode
from posenc.web import content
from posenc.web.heatmaps import MOST_NUMBERS, WHOLE_NUMBERS, panel, similarity
from tests.browser import violations, watch
from tests.checkout import ROOT

PAGES = {"panel": "instrument.html", "whole": "index.html", "similarity": "index.html"}
FIELDS = {
    key: value
    for name in ("explainer", "figures", "instrument")
    for key, value in content.read(ROOT / "content" / "en" / f"{name}.md", Path(f"{name}.md")).fields.items()
}
REST = 500  # ms after which a table that is open was filled, and more
READ = """(name) => {
    const details = document.querySelector(`[data-heatmap="${name}"] [data-numbers]`);
    const text = (cell) => cell.textContent.trim().replace(/\\s+/g, " ");
    const rows = [...details.querySelectorAll("tbody tr")];
    return {
        part: text(details.querySelector("[data-part]")),
        caption: text(details.querySelector("caption")),
        heads: [...details.querySelectorAll("thead th[scope=col]")].map(text),
        names: rows.map((row) => text(row.querySelector("th[scope=row]"))),
        cells: rows.map((row) => [...row.querySelectorAll("td")].map(text)),
        chosen: rows.findIndex((row) => row.classList.contains("chosen")),
        marked: details.querySelectorAll(".chosen").length,
    };
}"""


def written(value: float) -> str:
    """By the book: four decimals, a real minus, and no nought below nought."""
    text = f"{abs(value):.4f}"
    return ("−" if value < 0 and float(text) else "") + text


def value(position: int, column: int, d: int = 16, base: float = 10_000) -> str:
    wave = math.cos if column % 2 else math.sin
    return written(wave(position / base ** (2 * (column // 2) / d)))


def score(gap: int, d: int = 16, base: float = 10_000) -> str:
    return written(sum(math.cos(gap / base ** (2 * pair / d)) for pair in range(d // 2)) / (d // 2))


def table(page: Page, name: str) -> dict[str, Any]:
    read: dict[str, Any] = page.evaluate(READ, name)
    return read


def open_it(page: Page, name: str) -> None:
    page.locator(f'[data-heatmap="{name}"] [data-numbers] summary').click()


@pytest.fixture(scope="module")
def still(browser: Browser, site: Path) -> Iterator[dict[str, Page]]:
    """Both pages of a reader without scripts."""
    context = browser.new_context(offline=True, java_script_enabled=False)
    pages = {}
    for name in set(PAGES.values()):
        pages[name] = context.new_page()
        pages[name].goto((site / name).as_uri())
    yield pages
    context.close()


@pytest.fixture
def played(browser: Browser, site: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.route("**/plotly*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    troubles = watch(page)
    page.goto((site / PAGES[request.param]).as_uri())
    yield page
    troubles += violations(page)
    context.close()
    assert troubles == []


def test_without_scripts_every_number_of_the_table_is_there_under_its_wave_and_beside_its_position(
    still: dict[str, Page],
) -> None:
    for name, (corner, probe) in {"panel": ("position", 5), "whole": ("slot", 5)}.items():
        shown = table(still[PAGES[name]], name)
        assert shown["heads"] == [corner, *(f"{column} {'cosine' if column % 2 else 'sine'}" for column in range(16))]
        assert shown["names"] == [str(position) for position in range(64)]
        assert shown["cells"] == [[value(position, column) for column in range(16)] for position in range(64)]
        assert (shown["chosen"], shown["marked"]) == (probe, 1)
        assert "0 to 63 of 64" in shown["part"]
        assert shown["caption"]


def test_without_scripts_every_score_is_there_by_its_gap(still: dict[str, Page]) -> None:
    shown = table(still["index.html"], "similarity")
    assert shown["heads"] == ["gap", "score"]
    assert shown["names"] == [str(gap) for gap in range(64)]
    assert shown["cells"] == [[score(gap)] for gap in range(64)]
    assert shown["chosen"] == 35


def test_of_a_larger_table_the_rows_that_show_at_first_are_written_and_the_page_says_which() -> None:
    config = Config(d_model=128, n_positions=512, probes=(5, 40))
    numbers = panel(config, encode(range(512), 128, 10_000), FIELDS.__getitem__).numbers
    assert (len(numbers.rows), len(numbers.columns)) == (32, MOST_NUMBERS)
    assert numbers.part == "Positions 0 to 31 of 512, dimensions 0 to 63 of 128."
    whole = Config(d_model=WHOLE_NUMBERS // 64, n_positions=64)
    assert len(panel(whole, encode(range(64), whole.d_model, 10_000), FIELDS.__getitem__).numbers.rows) == 64


def test_the_smallest_table_has_its_numbers_too() -> None:
    config = Config(d_model=2, n_positions=1, base=0.5, probes=(0, 0))
    rows = encode([0], 2, 0.5)
    assert panel(config, rows, FIELDS.__getitem__).numbers.rows == (("0", ("0.0000", "1.0000")),)
    assert similarity(config, rows, FIELDS.__getitem__).numbers.rows == (("0", ("1.0000",)),)


@pytest.mark.parametrize("played", ["panel", "whole"], indirect=True)
def test_the_script_writes_what_the_build_wrote_and_then_what_the_reader_asks_for(
    played: Page, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["played"]
    built = table(played, name)
    open_it(played, name)
    played.wait_for_timeout(REST)
    assert table(played, name) == built
    played.evaluate("posenc.state.set({ d_model: 8, n_positions: 20, base: 50, pos: 19, pair: 2 }, { rested: true })")
    played.wait_for_timeout(REST)
    shown = table(played, name)
    assert shown["cells"] == [[value(at, column, 8, 50) for column in range(8)] for at in range(20)]
    assert (shown["chosen"], len(shown["heads"])) == (19, 9)
    played.evaluate("posenc.state.set({ d_model: 512, n_positions: 2000, base: 10000, pos: 150, pair: 40 })")
    expect(played.locator(f"[data-heatmap={name}] .numbers tbody tr")).to_have_count(64, timeout=30_000)
    shown = table(played, name)
    assert shown["names"] == [str(position) for position in range(128, 192)]
    assert [head.split()[0] for head in shown["heads"][1:]] == [str(column) for column in range(64, 128)]
    assert shown["cells"][22] == [value(150, column, 512) for column in range(64, 128)]
    assert shown["chosen"] == 22
    assert "128 to 191 of 2,000" in shown["part"]
    assert "64 to 127 of 512" in shown["part"]


@pytest.mark.parametrize("played", ["similarity"], indirect=True)
def test_a_table_follows_only_while_it_is_open(played: Page) -> None:
    built = table(played, "similarity")
    played.evaluate("posenc.state.set({ d_model: 4, n_positions: 10, pos: 9, second: 2 }, { rested: true })")
    played.wait_for_timeout(REST)
    assert table(played, "similarity") == built
    open_it(played, "similarity")
    played.wait_for_timeout(REST)
    shown = table(played, "similarity")
    assert shown["cells"] == [[score(gap, 4)] for gap in range(10)]
    assert shown["chosen"] == 7
    assert shown["part"] == built["part"]


@pytest.mark.parametrize("played", ["panel"], indirect=True)
def test_a_tampered_table_shows_its_own_numbers_under_no_wave(played: Page) -> None:
    open_it(played, "panel")
    played.locator("#tamper").check()
    played.wait_for_timeout(REST)
    shown = table(played, "panel")
    assert shown["cells"] == [[f"{at}.0000"] * 16 for at in range(64)]
    assert shown["heads"] == ["position", *map(str, range(16))]
    assert "64 to" not in shown["part"]
