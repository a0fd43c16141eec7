"""A reader's own table in the instrument: read in the page, said in the command line's words, shown and judged."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from posenc.check.judge import diagnose
from posenc.check.readers import read
from posenc.check.sentences import lines, say, verdict
from posenc.web.bundle import single_file
from tests import kinds
from tests.browser import violations, watch
from tests.rendered import rendered
from tests.test_check_readers import TORCH

KINDS = {kind.name: kind for kind in kinds.KINDS}
SHOWN = ("vaswani", "t2t", "pad0", "odd-zero", "float16", "edited", "precedence", "one-nan", "raw", "learned", "mae")
COMMAND = "python3 -m posenc check FILE"
ROUNDING = re.compile(r"(length|shift|ladder): (?:0|\d\.\d × 10⁻¹[⁰-⁹¹²³])(?=, must be)")
"""What is left of a claim that holds is the sines' last digit, which numpy and a browser have each their own of."""
SLOWEST = 20_000  # ms that an answer may take on a machine that is at work on other things
CALM = 700  # ms after which all is said that is to be said
DROP = """({ name, text, at, type }) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], name));
    const event = new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true });
    document.querySelector(at).dispatchEvent(event);
    return event.defaultPrevented;
}"""
ZEROS = "[[0,0],[0,0],[0,0]]"


@pytest.fixture(scope="module")
def bench(browser: Browser, site: Path) -> Iterator[Page]:
    """One page for all tests that put back what they changed; no other request than those of the site's folder."""
    context = browser.new_context(offline=True, viewport={"width": 1440, "height": 900})
    context.route("**/plotly*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page = context.new_page()
    troubles = watch(page)
    page.goto((site / "instrument.html").as_uri())
    expect(page.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    yield page
    troubles += violations(page)
    context.close()
    assert troubles == []


@pytest.fixture
def own(tab: Page, site: Path) -> Page:
    tab.goto((site / "instrument.html").as_uri())
    expect(tab.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    return tab


def saved(folder: Path, name: str, table: Any) -> Path:
    """The table as a file of the name's kind."""
    path = folder / name
    if path.suffix == ".npy":
        np.save(path, table)
    elif path.suffix == ".json":
        path.write_text(json.dumps(np.asarray(table).tolist()), encoding="utf-8")
    else:
        np.savetxt(path, table, delimiter=",")
    return path


def give(page: Page, file: Path) -> None:
    page.set_input_files("#yours-file", file)


def paste(page: Page, text: str) -> None:
    page.fill("#yours-text", text)
    page.click("#yours-check")


def state(page: Page) -> Locator:
    return page.locator("#yours-state")


def answered(page: Page, name: str) -> list[str]:
    """What the page says of a table, line by line, when it has come to an answer."""
    expect(page.locator("#yours-name")).to_contain_text(f"{name}: ", timeout=SLOWEST)
    expect(state(page)).to_have_text("", timeout=SLOWEST)
    said: list[str] = page.locator("#yours-answer").evaluate("""(answer) => [
        answer.querySelector("#yours-name").textContent,
        [...answer.querySelector("#yours-verdict").children].map((each) => each.textContent).join(": "),
        ...Array.from(answer.querySelectorAll("dl > div"), ({ children: [term, said] }) =>
            `${term.textContent}: ${said.textContent}`),
    ]""")
    return [ROUNDING.sub(r"\1: rounding", line) for line in said]


def told(file: Path) -> list[str]:
    """What the command line says of it."""
    found = read(file, None)
    diagnosis = diagnose(found.array)
    rows, columns = diagnosis.shape
    first = verdict(diagnosis)
    left_out = [f"{say('label.read')}: {say(f'read.{found.without}')}"] if found.without else []
    said = [
        say("head", {"name": file.name, "rows": rows, "columns": columns}),
        f"{first.label}: {first.text}",
        *left_out,
        *(f"{line.label}: {line.text}" for line in lines(diagnosis)),
    ]
    return [ROUNDING.sub(r"\1: rounding", line) for line in said]


# ---- the words ----


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_says_what_the_command_line_says(bench: Page, tmp_path: Path, name: str) -> None:
    file = saved(tmp_path, f"{name}.npy", KINDS[name].make(50, 12, 10000.0))
    give(bench, file)
    assert answered(bench, file.name) == told(file)


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_text_is_read_as_on_the_command_line(bench: Page, tmp_path: Path, ending: str) -> None:
    file = saved(tmp_path, f"halves.{ending}", kinds.halves(40, 8))
    give(bench, file)
    assert answered(bench, file.name) == told(file)


def test_what_was_left_out_of_a_file_is_said(bench: Page, tmp_path: Path) -> None:
    file = tmp_path / "index.csv"
    rows = "\n".join(f"{at},{','.join(map(str, row))}" for at, row in enumerate(kinds.paper(20, 4).tolist()))
    file.write_text(f"pos,a,b,c,d\n{rows}\n", encoding="utf-8")
    give(bench, file)
    said = answered(bench, file.name)
    assert said == told(file)
    assert "read: without its header row and its index column" in said


def test_a_verdict_has_a_sign_and_a_word_beside_its_colour(bench: Page, tmp_path: Path) -> None:
    for name, sign in {"vaswani": '"✓ "', "pad0": '"✓ ! "', "precedence": '"✕ "', "learned": '"✕ "'}.items():
        give(bench, saved(tmp_path, f"{name}.npy", KINDS[name].make(24, 8, 10000.0)))
        answered(bench, f"{name}.npy")
        word = bench.locator("#yours-verdict strong")
        assert word.evaluate("word => getComputedStyle(word, '::before').content") == sign
        assert word.inner_text() == KINDS[name].verdict


# ---- the ways in ----


def test_pasted_text_is_checked(bench: Page) -> None:
    paste(bench, json.dumps(kinds.paper(16, 6).tolist()))
    assert answered(bench, "pasted text")[1].startswith("accepted: the paper’s encoding")


def test_a_file_is_dropped_in_its_box_and_nowhere_else(bench: Page) -> None:
    dropped = {"name": "zeros.json", "text": ZEROS, "at": "#yours-text", "type": "dragover"}
    assert bench.evaluate(DROP, dropped) is True
    expect(bench.locator("#yours-drop")).to_have_attribute("data-over", "")
    assert bench.evaluate(DROP, dropped | {"type": "drop"}) is True
    assert answered(bench, "zeros.json")[1].startswith("rejected: every value is 0")
    expect(bench.locator("#yours-drop")).not_to_have_attribute("data-over", "")
    elsewhere = {"name": "elsewhere.json", "text": ZEROS, "at": "#window-0", "type": "dragover"}
    assert bench.evaluate(DROP, elsewhere) is True
    assert bench.evaluate(DROP, elsewhere | {"type": "drop"}) is True, "the browser would open the file"
    expect(bench.locator("#yours-name")).to_contain_text("zeros.json")


def test_the_example_passes_all_but_the_ladder_and_can_be_edited(bench: Page) -> None:
    bench.click("#yours-example")
    said = answered(bench, "a broken example")
    assert said[1] == f"rejected: {say('bug.precedence')}"
    assert f"fix: {say('fix.precedence')}" in said
    claims = [line.split(": ")[:2] for line in said if line.startswith(("holds", "fell"))]
    assert claims == [["holds", name] for name in ("bounded", "length", "distinct", "shift")] + [["fell", "ladder"]]
    expect(bench.locator("#yours-lines code")).to_have_text(say("fix.precedence"))
    bench.fill("#yours-text", bench.input_value("#yours-text").replace("0,1,", "0,nan,", 1))
    bench.click("#yours-check")
    assert answered(bench, "pasted text")[1].startswith("rejected: NaN or ∞ in the table: 1")


def test_of_several_tables_one_is_chosen(bench: Page, tmp_path: Path) -> None:
    arrays: dict[str, Any] = {"pe": kinds.paper(20, 8), "a, <b>": np.zeros((4, 4))}
    np.savez(tmp_path / "two.npz", **arrays)
    give(bench, tmp_path / "two.npz")
    expect(state(bench)).to_have_text("two.npz holds several tables: choose one.")
    expect(bench.locator("#yours-answer")).to_be_hidden()
    assert bench.locator("#yours-array option").all_inner_texts() == ["choose one", "pe", "a, <b>"]
    bench.select_option("#yours-array", "a, <b>")
    assert answered(bench, "two.npz")[1].startswith("rejected: every value is 0")
    bench.select_option("#yours-array", "pe")
    expect(bench.locator("#yours-verdict strong")).to_have_text("accepted")
    give(bench, saved(tmp_path, "one.npy", kinds.paper(20, 8)))
    answered(bench, "one.npy")
    expect(bench.locator("#yours-choice")).to_be_hidden()


def test_it_is_done_by_keys_alone(own: Page) -> None:
    own.focus("#yours-file")
    own.keyboard.press("Tab")
    own.keyboard.insert_text(ZEROS)
    own.keyboard.press("Tab")
    own.keyboard.press("Enter")
    answered(own, "pasted text")
    own.wait_for_timeout(CALM)
    assert "pasted text: 3 × 2, rows × columns. rejected: every value is 0" in own.inner_text("#announce")
    own.keyboard.press("Tab")  # past the example
    own.keyboard.press("Tab")  # and the link to the witness
    own.keyboard.press("Tab")  # and to the panel
    own.keyboard.press("Tab")
    assert own.evaluate("document.activeElement.hasAttribute('data-back')")
    own.keyboard.press("Enter")
    expect(own.locator("#state")).to_have_text("clean")
    assert own.evaluate("document.activeElement.id") == "your-table"


# ---- the bench ----


def test_panel_witness_and_bar_show_the_table_until_the_formula_is_asked_for(own: Page, tmp_path: Path) -> None:
    table = kinds.paper(40, 6)
    table[3, 1] = 7.25
    give(own, saved(tmp_path, "<b>mine.npy", table))
    answered(own, "<b>mine.npy")
    expect(own.locator("#state")).to_have_text("your table")
    expect(own.locator("#bar [data-live=state]")).to_have_text("your table")
    expect(own.locator("#bar a[data-live=state]")).to_have_attribute("href", "#your-table")
    expect(own.locator("#window-0 .yours-note")).to_contain_text("Your own table is shown here, <b>mine.npy")
    expect(own.locator("#panel")).to_have_attribute("aria-label", re.compile("your own table. Positions: 40, dimensi"))
    expect(own.locator("[data-heatmap=panel] .heatmap-off")).to_contain_text("1 of 240")
    expect(own.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    expect(own.locator("[data-live=measured-bounded]")).to_have_text("7.2500")
    expect(own.locator("[data-live=where-bounded]")).to_have_text("position 3, pair 0")
    expect(own.locator("#live [data-live=unique]")).to_contain_text("40")
    own.evaluate("posenc.state.set({ pos: 3, pair: 0 })")
    own.focus("[data-heatmap=panel] .heatmap-frame")
    own.keyboard.press("ArrowRight")
    expect(own.locator("#panel-cell")).to_have_text("position 3, dimension 1, value 7.2500")
    expect(own.locator("#window-4 [data-formula-only]").first).to_be_visible()
    own.click("#window-0 .yours-note button")
    expect(own.locator("#state")).to_have_text("clean")
    expect(own.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    assert own.evaluate("location.search") == ""
    assert own.evaluate("document.activeElement.id") == "window-0-title"
    expect(own.locator(".yours-note").first).to_be_hidden()
    expect(own.locator("#yours-bench")).to_have_text("The other windows show the formula again.")


def test_a_second_table_of_the_same_size_replaces_the_first_in_every_window(bench: Page, tmp_path: Path) -> None:
    give(bench, saved(tmp_path, "right.npy", kinds.paper(20, 8)))
    answered(bench, "right.npy")
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    before = bench.get_attribute("[data-heatmap=panel] .heatmap-cells image", "href")
    give(bench, saved(tmp_path, "wrong.npy", -kinds.paper(20, 8)))
    answered(bench, "wrong.npy")
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    expect(bench.locator("[data-heatmap=panel] .heatmap-cells image")).not_to_have_attribute("href", before or "")
    bench.click("#window-7 .claim-text >> nth=0")  # a click proves the same table again
    expect(bench.locator("#state")).to_have_text("your table")


@pytest.mark.parametrize(
    "turn",
    [
        "posenc.state.set({ base: 100 })",
        "posenc.state.set({ d_model: 8 })",
        "document.getElementById('tamper').click()",
        "document.querySelector('[data-do=reset]').click()",
        "document.querySelector('[data-back]').click()",
    ],
)
def test_whoever_turns_a_knob_means_the_formula(bench: Page, tmp_path: Path, turn: str) -> None:
    bench.evaluate("posenc.state.set({ d_model: 16, n_positions: 64, base: 10000, tamper: 'none' })")
    give(bench, saved(tmp_path, "mine.npy", -kinds.paper(64, 16)))  # as large as the formula's table
    answered(bench, "mine.npy")
    expect(bench.locator("#state")).to_have_text("your table")
    bench.evaluate(turn)
    expect(bench.locator("#state")).to_have_text("tampered" if "tamper" in turn else "clean")
    expect(bench.locator("#window-0 .yours-note")).to_be_hidden()
    bench.evaluate("posenc.state.set({ d_model: 16, n_positions: 64, base: 10000, tamper: 'none' }, { rested: true })")
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "holds")


def test_a_table_that_the_bench_cannot_take_is_diagnosed_all_the_same(bench: Page, tmp_path: Path) -> None:
    for name, table in {
        "odd.npy": np.hstack([kinds.t2t(20, 8), np.zeros((20, 1))]),
        "wide.npy": kinds.paper(8, 600),
    }.items():
        give(bench, saved(tmp_path, name, table))
        assert answered(bench, name)[1].startswith("accepted")
        expect(bench.locator("#yours-bench")).to_contain_text("even widths up to 512, and up to 2,048 positions")
        expect(bench.locator("#state")).to_have_text("clean")


def test_the_link_says_that_it_carries_no_file(own: Page, tmp_path: Path) -> None:
    give(own, saved(tmp_path, "mine.npy", kinds.paper(20, 8)))
    answered(own, "mine.npy")
    assert own.evaluate("location.search") == "?d=8&n=20&pos2=19"
    own.evaluate("navigator.clipboard.writeText = async () => {}")
    own.click("[data-do=copy-link]")
    expect(own.locator("[data-said]")).to_contain_text("It carries no file")
    own.go_back()
    expect(own.locator("#state")).to_have_text("clean")


# ---- what is no table ----

HEADER = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }"
NONSENSE = {
    "empty.csv": (b"", "the file is empty"),
    "promise.npy": (HEADER.ljust(127) + b"\n", "cells; at most"),
    "binary.csv": (bytes(range(256)) * 40, "neither a format known here nor text"),
    "markup.csv": (b"0,1\n<img src=x onerror=alert(1)>,2\n", "'<img src=x onerror=alert(1)>' is not a number"),
    "<i>x</i>.json": (b'{"a": ', "<i>x</i>.json: this is not JSON"),
    "words.txt": (b"to be or not to be", "there are no numbers in it"),
    "ragged.csv": (b"1,2\n3\n", "row 2 has 1 values"),
    "model.pt": (TORCH, "run python3 -m posenc check model.pt"),
    "broken.npz": (b"PK\x03\x04 and then nothing", "what it packs is broken"),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_told_in_a_sentence_and_the_page_lives_on(bench: Page, name: str) -> None:
    content, sentence = NONSENSE[name]
    bench.set_input_files("#yours-file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})
    expect(state(bench)).to_contain_text(sentence)
    expect(state(bench)).to_have_attribute("data-mood", "bad")
    expect(bench.locator("#yours-answer")).to_be_hidden()
    assert bench.locator("#yours :is(img, i, script)").count() == 0
    paste(bench, ZEROS)
    answered(bench, "pasted text")


def test_numbers_that_are_none_are_an_answer(bench: Page, tmp_path: Path) -> None:
    give(bench, saved(tmp_path, "nothing.npy", np.full((12, 4), np.nan)))
    assert answered(bench, "nothing.npy")[1].startswith("rejected")
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken")


def test_a_file_that_is_too_large_is_not_opened(bench: Page, tmp_path: Path) -> None:
    with (tmp_path / "huge.npy").open("wb") as file:
        file.truncate(64_000_000)
    bench.evaluate(
        "() => { window.__read = File.prototype.arrayBuffer; File.prototype.arrayBuffer = () => { throw 1; }; }"
    )
    give(bench, tmp_path / "huge.npy")
    expect(state(bench)).to_have_text(
        f"huge.npy has 64 MB, and this page opens files of less than 64 MB. On the command line: {COMMAND}"
    )
    bench.evaluate("() => { File.prototype.arrayBuffer = window.__read; }")
    np.savez_compressed(tmp_path / "many.npz", pe=np.zeros((2049, 1024), dtype=np.float16))
    give(bench, tmp_path / "many.npz")
    expect(state(bench)).to_contain_text("the page checks at most 2097152")


def test_of_two_files_the_newest_counts(bench: Page, tmp_path: Path) -> None:
    bench.evaluate("""() => {
        const read = File.prototype.arrayBuffer;
        File.prototype.arrayBuffer = async function () {
            if (this.name === "slow.npy") { await new Promise((done) => setTimeout(done, 400)); }
            return read.call(this);
        };
    }""")
    give(bench, saved(tmp_path, "slow.npy", kinds.paper(20, 8)))
    expect(state(bench)).to_have_text("reading slow.npy…")
    give(bench, saved(tmp_path, "quick.npy", kinds.halves(20, 8)))
    answered(bench, "quick.npy")
    bench.wait_for_timeout(500)
    expect(bench.locator("#yours-name")).to_contain_text("quick.npy")
    expect(bench.locator("#window-0 .yours-note")).to_contain_text("quick.npy")


def test_rows_without_numbers_are_not_counted_as_unique(own: Page) -> None:
    paste(own, "\n".join(["nan, 1, 0, 1", "0.8, 0.5, 0.1, 1", "0.9, -0.4, 0.2, 1", "0.1, -1, 0.3, 1"]))
    answered(own, "pasted text")
    expect(own.locator('#bar [data-live="unique-short"]')).to_have_text("— of 4 unique")


def test_a_file_that_cannot_be_read_leaves_the_table_before_it_and_the_way_back(own: Page, tmp_path: Path) -> None:
    give(own, saved(tmp_path, "first.npy", kinds.paper(32, 8)))
    answered(own, "first.npy")
    broken = tmp_path / "broken.txt"
    broken.write_text("no numbers", encoding="utf-8")
    give(own, broken)
    expect(state(own)).to_contain_text("broken.txt")
    expect(own.locator("#yours [data-back]")).to_be_visible()
    expect(own.locator("#window-0 .yours-note")).to_contain_text("first.npy")


def test_a_large_table_shows_that_it_is_on_its_way(bench: Page, tmp_path: Path) -> None:
    bench.evaluate("""() => {
        window.__seen = [];
        new MutationObserver(() => window.__seen.push(document.getElementById("yours-state").textContent))
            .observe(document.getElementById("yours-state"), { childList: true });
    }""")
    give(bench, saved(tmp_path, "large.npy", kinds.paper(2048, 256).astype(np.float32)))
    expect(bench.locator("#yours-name")).to_contain_text("large.npy: 2048 × 256", timeout=SLOWEST)
    seen = bench.evaluate("window.__seen")
    assert seen[:2] == ["reading large.npy…", "checking 2,048 × 256…"]


# ---- where the page stands ----


def test_the_check_is_fetched_when_it_is_wanted_and_nothing_else_is(own: Page, tmp_path: Path) -> None:
    asked: list[str] = []
    own.on("request", lambda request: asked.append(request.url))
    own.wait_for_timeout(100)
    assert asked == []
    own.focus("#yours-text")
    own.wait_for_function("() => Boolean(posenc.check)")
    give(own, saved(tmp_path, "mine.npy", kinds.paper(20, 8)))
    answered(own, "mine.npy")
    names = [re.sub(r"^.*/|\.[0-9a-f]{8}", "", url) for url in asked if not url.startswith("data:")]
    assert [name for name in names if name != "plotly.min.js"] == ["check.js"]


def test_without_the_check_s_script_the_page_says_so_and_tries_again(failing: Page, site: Path) -> None:
    failing.route("**/check.*js", lambda route: route.abort())
    failing.goto((site / "instrument.html").as_uri())
    failing.click("#yours-example")
    expect(state(failing)).to_contain_text(f"cannot check yours. On the command line: {COMMAND}")
    failing.unroute("**/check.*js")
    failing.click("#yours-check")
    assert answered(failing, "pasted text")[1].startswith("rejected")


def test_a_page_that_is_a_single_file_has_the_check_in_itself(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "instrument.html").write_bytes(single_file(rendered())["instrument.html"])
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    page.goto((tmp_path / "instrument.html").as_uri())
    page.click("#yours-example")
    assert answered(page, "a broken example")[1].startswith("rejected")
    troubles += violations(page)
    context.close()
    assert troubles == []


def test_without_scripts_one_sentence_names_the_command(unscripted: Page) -> None:
    expect(unscripted.locator("#yours")).to_be_hidden()
    told = unscripted.locator("#your-table + p")
    expect(told).to_contain_text(COMMAND)
    assert "nothing leaves it" not in told.inner_text()


def test_paper_has_the_sentence_alone(bench: Page) -> None:
    bench.emulate_media(media="print")
    expect(bench.locator("#yours")).to_be_hidden()
    expect(bench.locator(".yours-note").first).to_be_hidden()
    expect(bench.locator("#your-table + p")).to_be_visible()
    bench.emulate_media(media="screen")


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), pytest.param(360, "dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_in_the_answer_and_nothing_is_too_small_or_too_wide(
    bench: Page, tmp_path: Path, width: int, scheme: Any
) -> None:
    bench.set_viewport_size({"width": width, "height": 900})
    bench.emulate_media(color_scheme=scheme)
    wrong = kinds.paper(24, 8)
    wrong[0] = 0
    for name, table in {"odd.npy": wrong, f"{'x' * 200}.npy": KINDS["precedence"].make(24, 8, 10000.0)}.items():
        give(bench, saved(tmp_path, name, table))
        answered(bench, name[:20] if len(name) < 20 else f"{name[:59]}…")
        parts = {"include": [["#yours"], ["#window-0 .yours-note"], ["#bar"]]}
        results = Axe().run(bench, context=parts, options={"resultTypes": ["violations"], "preload": False}).response
        assert [rule["id"] for rule in results["violations"]] == []
        sizes = bench.locator("#yours :is(button, input, select, textarea):visible").evaluate_all(
            "all => all.map((each) => [each.id, Math.min(each.offsetWidth, each.offsetHeight)])"
        )
        assert [each for each in sizes if each[1] < 24] == []
        assert bench.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bench.set_viewport_size({"width": 1440, "height": 900})
    bench.emulate_media(color_scheme="light")
