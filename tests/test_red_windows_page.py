"""Windows 1, 2 and 6 in a real browser: what stands on the page is what was measured, and it can be read anywhere."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from posenc.config import Config
from posenc.faults import FAULTS
from posenc.proof import prove
from posenc.rivals import SCHEMES, trials
from posenc.web.windows import graveyard

INVARIANTS = ["bounded", "length", "distinct", "shift", "ladder"]
WIDTHS = (320, 360, 768, 1100, 1440)


@pytest.fixture
def bench(instrument: Page) -> Page:
    return instrument


# The wall


def test_every_cell_of_the_trial_shows_a_number_and_its_verdict_in_a_word_and_a_mark(bench: Page) -> None:
    heads = bench.locator(".wall thead th").all_inner_texts()
    assert [head.replace("\u00ad", "") for head in heads] == [
        "sinusoid",
        "raw index",
        "scaled index",
        "one-hot",
        "single wave",
        "random table",
    ]
    found = trials(Config())
    rows: list[list[list[str]]] = bench.locator(".wall tbody tr:not(.property)").evaluate_all("""rows => rows.map(
        (row) => [...row.querySelectorAll("td")].map((cell) => {
            const [word, ...others] = cell.querySelectorAll(".trial-word");
            const mark = getComputedStyle(word, "::before").content;
            return [cell.dataset.trial, word.innerText, mark, cell.innerText, ...others];
        })
    )""")
    assert len(rows) == 6
    for place, row in enumerate(rows):
        verdicts = [trial.findings[place].holds for trial in found]
        assert len(row) == len(SCHEMES)
        assert [said for *said, _ in row] == [
            ["passes", "pass", '"✓ "'] if holds else ["fails", "fail", '"✕ "'] for holds in verdicts
        ]
        assert all(re.search(r"\d", text) for *_, text in row)
    held = bench.locator(".wall tfoot td").all_inner_texts()
    assert held == [f"{trial.held} of 6" for trial in found]


def test_the_trial_fits_its_window_at_every_width_and_no_number_is_torn(bench: Page) -> None:
    for width in WIDTHS:
        bench.set_viewport_size({"width": width, "height": 900})
        wall = bench.locator("#window-1 .scroll")
        assert wall.evaluate("wall => wall.scrollWidth <= wall.clientWidth"), width
        wide: list[str] = bench.locator(".wall td").evaluate_all("""cells => cells.filter((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1;
        }).map((cell) => cell.textContent)""")
        assert wide == [], width


def test_the_combination_is_said_to_be_the_sinusoids_own(bench: Page) -> None:
    said = bench.locator("#window-1 li").last.inner_text()
    assert "what is special is the combination. At this width it alone of these six passes all." in said


# The graveyard


def test_sixteen_claims_lie_here_the_first_three_first(bench: Page) -> None:
    seeds: list[str] = bench.locator("#window-2 p > strong").all_inner_texts()
    assert seeds[:3] == [
        "“Absolute position is all you get.”",
        "“10000 is magic, or required.”",
        "“Two far-apart positions look the same.”",
    ]
    assert bench.locator("#graves > li").evaluate_all("all => all.map((one) => one.dataset.grave)") == list(
        graveyard.GRAVES
    )
    assert len(seeds) == 3 + len(graveyard.GRAVES) == 16
    expect(bench.locator("#window-2 .chosen .claim, #window-2 .claim[data-claim=chosen]").first).to_be_visible()


def test_every_grave_shows_its_numbers_status_and_source_and_none_stands_open(bench: Page, unscripted: Page) -> None:
    shown = {key: [text] for key, text in graveyard.live(Config()).items()}
    for page in (bench, unscripted):
        live = page.locator("[data-live]").evaluate_all("all => all.map((one) => [one.dataset.live, one.innerText])")
        assert {key: [text for name, text in live if name == key] for key in shown} == shown
    graves = bench.locator("#graves > li").evaluate_all("""graves => graves.map((grave) => [
        grave.querySelectorAll(".claim").length,
        [...grave.querySelectorAll(".source")].map((one) => one.innerText.trim()),
        grave.innerText,
        [...grave.querySelectorAll(".standing")].map((one) => one.checkVisibility()),
    ])""")
    for claims, sources, text, standing in graves:
        assert claims >= 1
        assert len(sources) == 1
        assert sources[0]
        assert re.search(r"\d", text)
        assert standing == [False]


def test_a_claim_that_stands_is_said_to_stand(bench: Page) -> None:
    grave = bench.locator('[data-grave="slow"]')
    grave.evaluate("grave => grave.toggleAttribute('data-standing', true)")
    expect(grave.locator(".standing")).to_be_visible()
    expect(grave).to_contain_text("its numbers do not show it")
    grave.evaluate("grave => grave.toggleAttribute('data-standing', false)")


def test_on_a_desktop_the_graveyard_lies_below_all_columns_in_three(bench: Page) -> None:
    bench.set_viewport_size({"width": 1440, "height": 900})
    yard = bench.locator("#window-2").bounding_box()
    assert yard
    for number in (1, 6, 7, 8):
        box = bench.locator(f"#window-{number}").bounding_box()
        assert box
        assert box["y"] + box["height"] <= yard["y"] + 1, number
    lefts = {round(box["x"]) for box in (one.bounding_box() for one in bench.locator("#graves > li").all()) if box}
    assert 2 <= len(lefts) <= 3
    narrow = bench.locator("#graves > li").first.bounding_box()
    assert narrow
    assert narrow["width"] < 500


def test_no_table_of_the_graveyard_leaves_its_box(bench: Page) -> None:
    for width in (*WIDTHS, 1280, 1920):
        bench.set_viewport_size({"width": width, "height": 900})
        box, table = (bench.locator(place).bounding_box() for place in (".bases", ".bases table"))
        assert box
        assert table
        assert table["x"] + table["width"] <= box["x"] + box["width"], width


# The bench of faults


def test_the_raw_index_is_the_first_fault_and_the_one_chosen(bench: Page, site: Path) -> None:
    radios = bench.locator('input[type="radio"][name="fault"]')
    assert radios.evaluate_all("all => all.map((one) => one.value)") == list(FAULTS)
    assert radios.evaluate_all("all => all.map((one) => one.checked)") == [True] + [False] * (len(FAULTS) - 1)
    html = (site / "instrument.html").read_text("utf-8")
    assert len(re.findall(r'<input type="radio" name="fault"[^>]* disabled>', html)) == len(FAULTS)
    assert re.search(r'<input type="checkbox" role="switch" id="tamper" disabled>', html)


def test_each_fault_shows_exactly_the_verdicts_of_the_invariants_in_marks_and_words(bench: Page) -> None:
    assert bench.locator("#faults thead th").all_inner_texts()[1:] == INVARIANTS
    for name, fault in FAULTS.items():
        first = bench.locator(f'#faults [data-fault="{name}"] tr').first
        verdicts = [claim.holds for claim in prove(fault.table(Config()), Config()).invariants]
        words = first.locator("td").all_inner_texts()
        assert [word.strip() for word in words] == ["holds" if holds else "falls" for holds in verdicts], name
        marks = first.locator("td").evaluate_all("all => all.map((one) => getComputedStyle(one, '::before').content)")
        assert marks == ['"✓"' if holds else '"✕"' for holds in verdicts], name


def test_rounded_positions_and_halves_tell_the_rest_of_their_story(bench: Page) -> None:
    also = bench.locator("#faults tr.also")
    assert also.locator("th").all_inner_texts() == ["columns put back", "from position 257 on"]
    words = [[word.strip() for word in row.locator("td").all_inner_texts()] for row in also.all()]
    assert words == [["holds"] * 5, ["holds", "holds", "falls", "falls", "falls"]]


def test_every_fault_but_the_first_idea_says_where_it_was_met(bench: Page) -> None:
    for name in FAULTS:
        told = bench.locator(f'#faults [data-fault="{name}"] .told')
        links = told.locator("a").evaluate_all("all => all.map((one) => one.href)")
        assert links, name
        assert all(link.startswith("https://github.com/") for link in links) == (name != "raw")
        assert told.locator('.claim[data-claim="cited"]').count() == (name != "raw")


def test_the_bench_fits_its_window_at_every_width(bench: Page) -> None:
    for width in WIDTHS:
        bench.set_viewport_size({"width": width, "height": 900})
        table, body = (
            bench.locator("#faults table").bounding_box(),
            bench.locator("#window-6 .window-body").bounding_box(),
        )
        assert table
        assert body
        assert table["width"] <= body["width"] + 1, width
        assert bench.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_wall_graves_and_bench_stand_complete(unscripted: Page) -> None:
    assert unscripted.locator(".wall td").count() == 7 * len(SCHEMES)
    assert unscripted.locator("#graves > li").count() == len(graveyard.GRAVES)
    radios: list[bool] = unscripted.locator('input[name="fault"]').evaluate_all("all => all.map((one) => one.disabled)")
    assert radios == [True] * len(FAULTS)
    assert unscripted.locator("#faults [data-mark]").count() == 5 * (len(FAULTS) + 2)


def test_paper_keeps_every_grave_and_every_fault_whole(bench: Page) -> None:
    bench.emulate_media(media="print")
    expect(bench.locator("#graves > li").first).to_have_css("break-inside", "avoid")
    expect(bench.locator("#faults tbody").first).to_have_css("break-inside", "avoid")
    expect(bench.locator("#fault-raw")).to_be_hidden()
    expect(bench.locator("#faults [data-mark]").first).to_be_visible()
