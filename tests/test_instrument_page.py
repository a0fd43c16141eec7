"""The instrument in a real browser, opened from disk with the network cut."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from posenc import precision
from posenc.web import instrument, windows
from tests.browser import SETTLED, rest, watched
from tests.checkout import ROOT, Checkout
from tests.kept import Kept, link

CALM = 400  # ms by the page's own clock, after which all is said that is to be said
NAMES = ["bounded", "length", "distinct", "shift", "ladder"]
FALLEN = ["bounded", "length", "shift", "ladder"]
Build = Callable[..., Path]

# Everything on the bench but what differs from run to run: clock, count of runs, and how the panel is drawn.
SHOWN = """() => {
    const copy = document.getElementById("bench").cloneNode(true);
    const timed = '[data-live^="ms-"], [data-live="runs"], .heatmap-graph, .curves-graph, .heatmap-live';
    for (const part of copy.querySelectorAll(timed)) { part.remove(); }
    for (const box of copy.querySelectorAll("[data-heatmap], [data-curves]")) { delete box.dataset.state; }
    for (const picture of copy.querySelectorAll("image")) { picture.removeAttribute("href"); }
    return copy.innerHTML;
}"""
CELLS = "document.getElementById('panel').data[0].z"
# How wide the page is, with what the witness says: as it stands, and with the switch thrown, which is put back.
BOTH_WIDTHS = f"""async () => {{
    const seen = [];
    for (const wanted of ["holds", "broken"]) {{
        const {{ dataset }} = document.getElementById("window-7");
        for (let tries = 0; tries < 200 && dataset.verdict !== wanted; tries += 1) {{ await {SETTLED}; }}
        seen.push([dataset.verdict, document.documentElement.scrollWidth]);
        document.getElementById("tamper").click();
    }}
    return seen;
}}"""
TOGETHER = """async () => {
    document.getElementById("tamper").click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return {
        state: document.getElementById("state").textContent,
        bar: document.querySelector('#bar [data-live="state"]').textContent,
        tally: document.querySelector('#bar [data-live="tally"]').textContent,
        witness: document.getElementById("window-7").dataset.verdict,
        verdict: document.querySelector("#verdict strong").textContent,
        table: document.querySelector("#verdict span").textContent,
        live: document.querySelector('[data-live="live"]').textContent,
        offScale: !document.querySelector("#window-0 .heatmap-off").hidden,
    };
}"""


@pytest.fixture
def loaded(tab: Page, site: Path) -> Page:
    return opened(tab, site)


@pytest.fixture
def bench(instrument: Page) -> Page:
    return instrument


@pytest.fixture(scope="module")
def drawn(window: BrowserContext, site: Path) -> Iterator[Page]:
    """The instrument with all its plots drawn by Plotly."""
    with watched(window, (site / "instrument.html").as_uri(), plots=True) as page:
        page.locator('[data-curves="precision"]').scroll_into_view_if_needed()
        for plot in ('[data-curves="precision"]', '[data-heatmap="panel"]'):
            expect(page.locator(plot)).to_have_attribute("data-state", "plot", timeout=30_000)
        yield page


@pytest.fixture
def plotted(drawn: Page) -> Iterator[Page]:
    """The same for one test, which may turn the switch, the size, the medium and the pointer."""
    Kept(drawn, []).face()
    expect(drawn.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    yield drawn
    drawn.evaluate("""document.querySelector('[data-do="reset"]').click()""")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    @cache
    def run(*flags: str) -> Path:
        out = tmp_path_factory.mktemp("other") / "site"
        built = Checkout(ROOT).attempt("--out", str(out), *flags)
        assert built.returncode == 0, built.stdout + built.stderr
        return out

    return run


def opened(page: Page, site: Path, anchor: str = "") -> Page:
    page.goto((site / "instrument.html").as_uri() + anchor)
    expect(page.locator("#window-7")).not_to_have_attribute("data-verdict", "checking")
    return page


def fallen(page: Page) -> list[str]:
    rows: list[str] = page.locator('[data-invariant][data-holds="false"]').evaluate_all(
        "rows => rows.map((row) => row.dataset.invariant)"
    )
    return rows


def hushed(page: Page) -> None:
    """All is said that was to be said, and forgotten."""
    rest(page, CALM)
    page.evaluate("document.getElementById('announce').replaceChildren()")


def sized(page: Page, d_model: int, n_positions: int) -> None:
    """A table of another size, once the witness has spoken of it."""
    link(page, f"?d={d_model}&n={n_positions}")
    counted = f"{n_positions:,} of {n_positions:,} unique"
    expect(page.locator('#bar [data-live="unique-short"]')).to_have_text(counted, timeout=30_000)
    expect(page.locator("#window-7")).to_have_attribute("data-verdict", "holds", timeout=30_000)


def runs(page: Page) -> int:
    return int(page.locator("#runs").get_attribute("data-runs") or 0)


def test_every_window_has_its_number_and_title(bench: Page) -> None:
    titles = {
        3: "The model",
        5: "The lineage",
        7: "The witness",
        4: "Data in",
        0: "The panel, lit",
        8: "Data out",
        1: "The adversary wall",
        2: "The graveyard",
        6: "The tamper",
    }
    for number, title in titles.items():
        heading = bench.locator(f"#window-{number} > .window-head h2")
        expect(heading).to_be_visible()
        expect(heading).to_have_text(f"{number} {title}")
        assert bench.locator(f'#window-{number} a[href^="index.html#"]').count() >= 1


def test_nothing_scrolls_sideways(bench: Page) -> None:
    for width in (256, 320, 700, 768, 1100, 1280, 1440, 1920):
        bench.set_viewport_size({"width": width, "height": 800})
        clean, tampered = bench.evaluate(BOTH_WIDTHS)
        assert clean == ["holds", min(clean[1], width)]
        assert tampered == ["broken", min(tampered[1], width)]


def test_no_formula_is_wider_than_its_place(bench: Page) -> None:
    for width in (320, 360, 700, 768, 830, 1100, 1280, 1440):
        bench.set_viewport_size({"width": width, "height": 800})
        wide: list[str] = bench.locator(".formula-block").evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
        )
        assert wide == [], width


def test_an_anchor_is_never_covered_by_the_bar(page: Page, site: Path) -> None:
    for width in (256, 320, 700, 1440):
        page.set_viewport_size({"width": width, "height": 700})
        for anchor in ("window-8", "window-6", "dtype"):
            opened(page, site, f"#{anchor}")
            tops: list[float] = page.evaluate(
                """(anchor) => [
                document.getElementById(anchor).getBoundingClientRect().top,
                document.getElementById("bar").getBoundingClientRect().bottom,
            ]""",
                anchor,
            )
            assert tops[0] >= tops[1], (width, anchor)


def test_the_windows_are_listed_by_team_and_number(bench: Page) -> None:
    listed = bench.locator(".windows p[data-team]")
    assert [line.locator("a").evaluate_all("all => all.map((a) => a.hash)") for line in listed.all()] == [
        ["#window-3", "#window-5", "#window-7"],
        ["#window-0", "#window-4", "#window-8"],
        ["#window-1", "#window-2", "#window-6"],
    ]


def test_navigation_stands_above_its_page_on_the_widest_screen(bench: Page) -> None:
    bench.set_viewport_size({"width": 1920, "height": 900})
    lefts = bench.evaluate("""[".pages a", ".bench-opening h1", "#window-3"].map(
        (place) => document.querySelector(place).getBoundingClientRect().left)""")
    assert max(lefts) - min(lefts) < 1
    tops = bench.locator("#window-3 .readouts > div").evaluate_all("all => all.map((one) => one.offsetTop)")
    assert [tops.count(top) for top in sorted(set(tops))] == [2, 2]


def test_on_a_desktop_the_machine_stands_between_the_teams_and_is_wider(bench: Page) -> None:
    bench.set_viewport_size({"width": 1440, "height": 900})
    boxes = [bench.locator(f"#window-{number}").bounding_box() for number in (3, 4, 1)]
    blue, machine, red = (box for box in boxes if box)
    assert blue["x"] < machine["x"] < red["x"]
    assert machine["width"] > blue["width"]
    for team, numbers in (("blue", (3, 5, 7)), ("machine", (4, 0, 8)), ("red", (1, 6))):
        column = [bench.locator(f"#window-{number}").bounding_box() for number in numbers]
        assert len({box["x"] for box in column if box}) == 1, team
    both = [bench.locator(place).bounding_box() for place in ("#tamper", "#verdict")]
    tops = [box["y"] for box in both if box]
    assert max(tops) - min(tops) < 700  # the switch and what it turns red are on one screen


def test_the_clean_encoding_holds_in_the_browser(loaded: Page) -> None:
    expect(loaded.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    rows: list[str] = loaded.locator("[data-invariant]").evaluate_all("r => r.map((x) => x.dataset.invariant)")
    assert rows == NAMES
    assert fallen(loaded) == []
    assert float(loaded.locator("#agreement").get_attribute("data-measured") or "nan") <= 1e-11
    expect(loaded.locator("#state")).to_have_text("clean")
    expect(loaded.locator("#live")).to_contain_text("64 positions → 64 unique encodings")
    expect(loaded.locator("#announce")).to_contain_text("hold")


def test_the_tamper_changes_everything_in_one_frame_and_exactly_four_claims_fall(bench: Page) -> None:
    hushed(bench)
    shown: dict[str, Any] = bench.evaluate(TOGETHER)
    for _ in range(5):  # a busy machine may need another slice: it says “checking…” until then
        if shown["witness"] != "checking":
            break
        expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken")
        bench.locator("#tamper").uncheck()
        expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "holds")
        shown = bench.evaluate(TOGETHER)
    assert shown == {
        "state": "tampered",
        "bar": "tampered",
        "tally": "1 of 5 hold",
        "witness": "broken",
        "verdict": "bounded, length, shift and ladder fell; distinct holds",
        "table": "the table is not Python’s",
        "live": "1 of 5 hold",
        "offScale": True,
    }
    assert fallen(bench) == FALLEN
    expected = bench.locator('#damage [data-expected="fell"] th').all_text_contents()
    assert expected == FALLEN
    expect(bench.locator("#announce")).to_contain_text("fell")


def test_the_switch_off_again_restores_the_first_state(plotted: Page) -> None:
    before, cells = plotted.evaluate(SHOWN), plotted.evaluate(CELLS)
    plotted.locator("#tamper").check()
    expect(plotted.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    assert plotted.evaluate(SHOWN) != before
    assert plotted.evaluate(CELLS)[63] == [63] * 16
    plotted.locator("#tamper").uncheck()
    expect(plotted.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    plotted.wait_for_timeout(400)
    assert plotted.evaluate(SHOWN) == before
    assert plotted.evaluate(CELLS) == cells
    expect(plotted.locator("#window-7")).to_have_attribute("data-verdict", "holds")


def test_the_switch_works_from_the_keyboard_and_runs_the_witness_once(bench: Page) -> None:
    before = runs(bench)
    bench.locator("#tamper").focus()
    bench.keyboard.press("Space")
    expect(bench.locator("#state")).to_have_text("tampered")
    rest(bench, 100)
    assert runs(bench) == before + 1


def test_the_witness_runs_on_every_click_and_announces_only_changes(bench: Page) -> None:
    hushed(bench)
    said = bench.evaluate_handle("""() => {
        const said = { times: 0 };
        new MutationObserver(() => { said.times += 1; })
            .observe(document.getElementById("announce"), { childList: true });
        return said;
    }""")
    before = runs(bench)
    for done, place in enumerate(("#window-3 h2", "#window-1 h2", "#window-8 h2"), start=1):
        bench.locator(place).click()
        expect(bench.locator("#runs")).to_have_attribute("data-runs", str(before + done))
    rest(bench, CALM)
    assert said.evaluate("said => said.times") == 0
    bench.locator("#tamper").click()
    expect(bench.locator("#runs")).to_have_attribute("data-runs", str(before + 4))
    rest(bench, CALM)
    assert said.evaluate("said => said.times") == 1


def test_a_probe_takes_what_is_a_position_and_says_what_is_not(bench: Page) -> None:
    probe, said = bench.locator("#input-pos"), bench.locator("[data-said]")
    for typed, taken in (("9999", "63"), ("-3", "0"), ("7.6", "8"), ("", "8"), ("12", "12")):
        probe.fill(typed)
        probe.blur()
        expect(probe).to_have_value(taken)
        expect(said).to_have_text("" if typed == taken else re.compile(rf"\b{taken}\b"))
        expect(bench.locator('#window-0 [data-mark="0"]')).to_have_attribute("data-position", taken)


def test_the_probes_move_their_rows_hands_and_distance(bench: Page) -> None:
    before = bench.locator('[data-probe="b"] line').first.get_attribute("x2")
    bench.locator("#input-pos2").fill("5")
    expect(bench.locator("#probe-distance")).to_have_text("0")
    expect(bench.locator("#probe-turned")).to_have_text("0")
    expect(bench.locator("#tags")).to_contain_text("a single 1, in column 5 of 64")
    assert bench.locator('[data-probe="b"] line').first.get_attribute("x2") != before


def test_the_panel_shows_thirty_two_rows_or_all(bench: Page) -> None:
    cells = bench.locator("#window-0 .heatmap-cells")
    expect(cells).to_have_attribute("viewBox", "0 0 16 32")
    bench.locator("#rows-all").check()
    expect(cells).to_have_attribute("viewBox", "0 0 16 64")
    bench.locator("#rows-first").check()
    expect(cells).to_have_attribute("viewBox", "0 0 16 32")


def test_shuffled_words_keep_their_answers_without_the_encoding(bench: Page) -> None:
    first = bench.locator("#lineage tbody").inner_text()
    bench.locator("#shuffle").click()
    assert bench.locator("#lineage tbody").inner_text() != first
    expect(bench.locator("#lineage-bare")).to_have_text(re.compile("^(0|.*10⁻¹⁶)$"))  # the order is drawn at random
    assert float(bench.locator("#lineage-placed").inner_text()) > 0.1


def test_everything_that_is_said_of_the_panel_follows_the_switch(plotted: Page) -> None:
    said = """() => ({
        columns: document.getElementById("panel").data[0].x,
        label: document.getElementById("panel").getAttribute("aria-label"),
        caption: document.querySelector("#window-0 figcaption").textContent,
    })"""
    before = plotted.evaluate(said)
    assert "wavelength" in before["columns"][4]
    plotted.locator("#tamper").check()
    expect(plotted.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    after = plotted.evaluate(said)
    assert after["columns"][4] == "dimension 4, PE = pos"
    assert len(set(after["columns"])) == 16
    for word in ("wavelength", "sine", "swings"):
        assert word not in str(after), word
    plotted.locator("#tamper").uncheck()
    expect(plotted.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    plotted.wait_for_timeout(400)
    assert plotted.evaluate(said) == before


def test_off_the_scale_is_said_once(bench: Page) -> None:
    bench.locator("#tamper").check()
    expect(bench.locator("#window-0 .heatmap-off")).to_contain_text("992 of 1,024 values")
    assert bench.locator("#window-0").inner_text().count("beyond") == 1


def test_the_lineage_says_who_computed_it(loaded: Page, site: Path) -> None:
    assert "Computed by the build." in (site / "instrument.html").read_text("utf-8")
    expect(loaded.locator("#lineage caption")).to_contain_text("Computed in this browser.")
    expect(loaded.locator("#lineage caption")).not_to_contain_text("build")


def test_every_window_says_how_it_knows(bench: Page) -> None:
    for number in range(9):
        assert bench.locator(f"#window-{number} .claim").count() >= 1, number
    assert bench.locator("#window-1 li .claim").count() == 6


def test_the_witness_shows_the_matrix_that_no_position_enters(bench: Page) -> None:
    formulas = bench.locator("#window-7 .proofs math").all_text_contents()
    assert "[" in formulas[0]
    assert "k" in formulas[0]
    assert "pos" not in formulas[0]
    assert "sin" in formulas[1]


def test_a_click_on_any_label_runs_the_witness_once(bench: Page) -> None:
    for label in ("label:has(#tamper)", "label:has(#rows-all)", "label[for=input-pos]"):
        before = runs(bench)
        bench.locator(label).click(position={"x": 2, "y": 8} if "input" in label else {"x": 60, "y": 8})
        rest(bench, 100)
        assert runs(bench) == before + 1, label
    expect(bench.locator("#state")).to_have_text("tampered")


def test_a_run_compares_the_tables_once_and_a_probe_encodes_no_table(bench: Page) -> None:
    done = bench.evaluate_handle("""() => {
        const { agreementSlices } = posenc.proof;
        const { encode } = posenc.engine;
        const done = { compared: 0, encoded: 0, restore: () => {
            posenc.proof.agreementSlices = agreementSlices;
            posenc.engine.encode = encode;
        } };
        posenc.proof.agreementSlices = (...tables) => { done.compared += 1; return agreementSlices(...tables); };
        posenc.engine.encode = (positions, ...rest) => {
            done.encoded = Math.max(done.encoded, positions.length);
            return encode(positions, ...rest);
        };
        return done;
    }""")
    bench.locator("#input-pos").fill("7")
    expect(bench.locator('[data-live="now.pos"]').first).to_have_text("7")
    assert done.evaluate("done => done.encoded") == 2, "the two rows that are compared"
    before = runs(bench)
    bench.locator("#window-3 h2").click()
    expect(bench.locator("#runs")).to_have_attribute("data-runs", str(before + 1))
    assert done.evaluate("done => done.compared") == 1
    done.evaluate("done => done.restore()")


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_switch_stays_under_the_pointer(bench: Page, width: int) -> None:
    bench.set_viewport_size({"width": width, "height": 900})
    rest(bench, 100)
    place = "document.getElementById('tamper').getBoundingClientRect().top + scrollY"
    before = bench.evaluate(place)
    bench.evaluate("document.getElementById('tamper').click()")
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    assert bench.evaluate(place) == pytest.approx(before, abs=0.5)


def test_no_table_hides_a_column_that_its_window_speaks_of(bench: Page) -> None:
    for width in (360, 768, 1440):
        bench.set_viewport_size({"width": width, "height": 900})
        expect(bench.locator(".bases th", has_text="closest rows")).to_be_visible()
        wall = bench.locator("#window-1 .scroll")
        assert wall.evaluate("wall => wall.scrollWidth <= wall.clientWidth"), width
        gaps: list[float] = bench.locator(".bases tr").evaluate_all("""rows => rows.flatMap((row) => {
            const cells = [...row.cells].filter((cell) => cell.offsetWidth > 0);
            return cells.slice(1).map((cell) => parseFloat(getComputedStyle(cell).paddingLeft));
        })""")
        assert min(gaps) >= 9, width


def test_powers_in_tables_are_large_enough_to_read(bench: Page) -> None:
    for width in (360, 768, 1440):
        bench.set_viewport_size({"width": width, "height": 900})
        sizes: list[list[Any]] = bench.locator(".window td, .claims dd").evaluate_all("""cells => cells
            .filter((cell) => /[⁰¹²³⁴-⁹⁻]/.test(cell.textContent))
            .map((cell) => [parseFloat(getComputedStyle(cell).fontSize), getComputedStyle(cell).fontFamily])""")
        assert sizes
        assert min(size for size, _ in sizes) >= 12
        assert not [family for _, family in sizes if "mono" in family]


def test_no_reading_of_the_bar_stands_unnamed(bench: Page) -> None:
    for width in (360, 768, 1279, 1440):
        bench.set_viewport_size({"width": width, "height": 900})
        shown = bench.locator(".reading:visible")
        names = shown.evaluate_all("all => all.map((one) => getComputedStyle(one.querySelector('dt')).display)")
        assert names
        assert "none" not in names, width
        for name in ("state", "verdict"):
            box = bench.locator(f'[data-reading="{name}"] dt').bounding_box()
            assert box
            assert box["width"] > 20, (width, name)


def test_the_clocks_stand_on_the_right_at_every_width(bench: Page) -> None:
    for width in (320, 360, 1440):
        bench.set_viewport_size({"width": width, "height": 900})
        gaps: list[float] = bench.locator(".window-head").evaluate_all("""heads => heads.map((head) =>
            head.getBoundingClientRect().right - head.querySelector(".clocks").getBoundingClientRect().right)""")
        assert max(map(abs, gaps)) < 1, width


def test_paper_tears_no_claim(bench: Page) -> None:
    bench.emulate_media(media="print")
    expect(bench.locator("#rows")).to_be_hidden()
    for part in (".claims > li", ".damage", ".readouts", ".wall"):
        expect(bench.locator(part).first).to_have_css("break-inside", "avoid")


@pytest.mark.parametrize(
    "flags",
    [
        ("--d-model", "2", "--positions", "1", "--probes", "0", "0"),
        ("--positions", "2", "--probes", "0", "1"),
    ],
    ids=["one position", "two positions"],
)
def test_one_is_never_spoken_of_as_many(tab: Page, build: Build, flags: tuple[str, ...]) -> None:
    opened(tab, build(*flags))
    for _ in range(2):
        names = tab.locator("[aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)")
        said = " ".join([tab.locator("main").inner_text(), *names]).replace("\u00a0", " ")
        many = r"(?:\b1|\b0) (?:positions|pairs|rows|dimensions|values|encodings|unique encodings)\b|∞ apart"
        assert not re.findall(many, said)
        tab.locator("#tamper").click()


@pytest.mark.parametrize(
    ("flags", "fell"),
    [
        (("--d-model", "2", "--positions", "1", "--probes", "0", "0"), ["length", "ladder"]),
        (("--d-model", "8", "--positions", "100", "--base", "2"), FALLEN),
        (("--d-model", "64", "--positions", "128"), FALLEN),
    ],
    ids=["2 by 1", "8 by 100, base 2", "64 by 128"],
)
def test_any_configuration_is_witnessed(tab: Page, build: Build, flags: tuple[str, ...], fell: list[str]) -> None:
    opened(tab, build(*flags))
    assert fallen(tab) == []
    assert float(tab.locator("#agreement").get_attribute("data-measured") or "nan") <= 1e-11
    before = tab.evaluate(SHOWN)
    tab.locator("#tamper").check()
    expect(tab.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    assert fallen(tab) == fell
    assert tab.locator('#damage [data-expected="fell"] th').all_text_contents() == fell
    tab.locator("#tamper").uncheck()
    expect(tab.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    tab.wait_for_timeout(400)
    assert tab.evaluate(SHOWN) == before
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320


def test_without_scripts_the_builds_numbers_stand_and_say_whose_they_are(unscripted: Page) -> None:
    assert "by the build" in unscripted.locator('[data-live="word-shift"]').inner_text()
    assert "the numbers below are the build’s own" in unscripted.locator("#witness noscript").inner_text()
    assert unscripted.locator('[data-invariant][data-holds="true"]').count() == len(NAMES)
    expect(unscripted.locator('[data-live="measured-distinct"]')).to_have_text("1.0147")
    expect(unscripted.locator("#verdict")).to_be_hidden()
    expect(unscripted.locator("#tamper")).to_be_disabled()
    expect(unscripted.locator("#window-0 .heatmap-cells image")).to_be_visible()


def test_the_first_words_wait_for_the_browser(site: Path) -> None:
    page = (site / "instrument.html").read_text("utf-8")
    assert 'data-verdict="checking"' in page
    assert "checking…" in page
    assert "booting…" in page


# A witness that cannot be deceived, and one that says when it could not look


def without(page: Page, *scripts: str) -> None:
    for script in scripts:
        page.route(f"**/{script}.*js", lambda route: route.abort())


def with_data(page: Page, site: Path, change: Callable[[Any], None]) -> None:
    """Opens the instrument with other data than the build wrote."""
    html = (site / "instrument.html").read_text("utf-8")
    block = re.search(r'id="data">(.*?)</script>', html, re.S)
    assert block
    data = json.loads(block[1])
    change(data)
    changed = html[: block.start(1)] + json.dumps(data).replace("<", "\\u003c") + html[block.end(1) :]
    page.route("**/instrument.html", lambda route: route.fulfill(body=changed, content_type="text/html; charset=utf-8"))
    page.goto((site / "instrument.html").as_uri())
    expect(page.locator("#window-7")).not_to_have_attribute("data-verdict", "checking")


def assert_nothing_is_claimed(page: Page) -> None:
    """The honest state of a witness that could not run."""
    expect(page.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    expect(page.locator("#verdict")).to_contain_text("the witness could not run: ")
    assert fallen(page) == NAMES
    live = '[data-live^="word-"], [data-live^="now-"], [data-live="tally"], [data-live="live"], [data-live="state"]'
    assert set(page.locator(live).all_text_contents()) == {"not checked"}
    for name in (*NAMES, "agreement"):
        expect(page.locator(f'[data-live="measured-{name}"]')).to_have_text("—")
    expect(page.locator("#agreement")).to_have_attribute("data-holds", "false")
    expect(page.locator("#stale-0")).to_be_visible()
    for place in ("#bar", "#live", "#witness .claims"):
        assert not re.search(r"\bholds?\b", page.locator(place).first.inner_text()), place


def cell(value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        data["table"][12][3] = value

    return change


def base_of_100(data: Any) -> None:
    data["config"]["base"] = 100
    (field,) = (field for field in data["state"] if field["name"] == "base")
    field["start"] = 100


@pytest.mark.parametrize(
    "change",
    [cell(0.5), cell(None), cell("0.5"), base_of_100],
    ids=["another number", "null", "a string", "another base"],
)
def test_a_table_that_is_not_pythons_breaks_the_verdict_and_none_of_the_five(
    failing: Page, site: Path, change: Callable[[Any], None]
) -> None:
    with_data(failing, site, change)
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    expect(failing.locator("#agreement")).to_have_attribute("data-holds", "false")
    expect(failing.locator('[data-live="word-agreement"]')).to_have_text("fell")
    assert fallen(failing) == []
    expect(failing.locator("#verdict span")).to_have_text("the table is not Python’s")
    expect(failing.locator('#bar [data-live="tally"]')).to_have_text("5 of 5, table differs")
    expect(failing.locator('[data-statement="agreement"]')).to_have_attribute("data-holds", "false")


def test_the_agreement_is_judged_by_the_bound_that_is_shown(bench: Page) -> None:
    row = bench.locator("#agreement")
    expect(row).to_have_attribute("data-holds", "true")
    expect(row.locator(".word")).to_have_text("holds")
    expect(row).to_contain_text("must be ≤ 1.0 × 10⁻¹¹")
    assert float(row.get_attribute("data-measured") or "nan") <= instrument.AGREEMENT == 1e-11
    bench.locator("#tamper").check()
    expect(row).to_have_attribute("data-holds", "false")
    assert row.get_attribute("data-invariant") is None
    assert fallen(bench) == FALLEN


def dropped_row(data: Any) -> None:
    del data["table"][12]


def no_key(*path: str) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for name in path[:-1]:
            data = data[name]
        del data[path[-1]]

    return change


@pytest.mark.parametrize(
    "change",
    [dropped_row, no_key("config"), no_key("strings", "tally"), no_key("strings", "verdict.holds"), no_key("table")],
    ids=["a row dropped", "no config", "no tally", "no verdict", "no table"],
)
def test_data_that_cannot_be_worked_with_takes_every_claim_back(
    failing: Page, site: Path, change: Callable[[Any], None]
) -> None:
    with_data(failing, site, change)
    assert_nothing_is_claimed(failing)
    expect(failing.locator("#tamper")).to_be_disabled()


@pytest.mark.parametrize("script", ["engine", "proof", "format"])
def test_without_a_script_that_it_needs_the_witness_says_that_it_could_not_run(
    failing: Page, site: Path, script: str
) -> None:
    without(failing, script)
    opened(failing, site)
    assert_nothing_is_claimed(failing)
    expect(failing.locator("#tamper")).to_be_disabled()


@pytest.mark.parametrize("script", ["attention", "clocks", "plots", "heatmap", "curves"])
def test_without_a_script_that_it_does_not_need_the_witness_goes_on(failing: Page, site: Path, script: str) -> None:
    without(failing, script)
    opened(failing, site)
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    failing.locator("#tamper").check()
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    assert fallen(failing) == FALLEN
    failing.locator("#input-pos").fill("7")
    failing.locator("#shuffle").click()
    stale = [number for number in (0, 1, 4, 5) if failing.locator(f"#stale-{number}").is_visible()]
    assert stale == {"attention": [5], "clocks": [4], "heatmap": [0]}.get(script, [])
    failing.locator("#tamper").uncheck()
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "holds")


def test_without_its_script_the_page_shows_the_builds_results_as_the_builds(failing: Page, site: Path) -> None:
    without(failing, "instrument")
    failing.goto((site / "instrument.html").as_uri())
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "checking")
    expect(failing.locator("#verdict")).to_contain_text("What stands below is the build’s")
    words = failing.locator("#witness .word").all_text_contents()
    assert words == ["holds, by the build"] * 5 + ["not checked"]
    expect(failing.locator('#bar [data-live="tally"]')).to_have_text("5 of 5 hold, by the build")
    expect(failing.locator("#unserved")).to_be_visible()
    assert failing.locator("#bench :is(input, button):enabled").count() == 0


def test_an_engine_that_fails_later_takes_every_claim_back_and_may_recover(failing: Page, site: Path) -> None:
    opened(failing, site)
    shown = failing.evaluate(SHOWN)
    failing.evaluate("""() => {
        window.__encode = posenc.engine.encode;
        posenc.engine.encode = () => { throw new Error("no encoding today"); };
    }""")
    failing.locator("#window-3 h2").click()
    assert_nothing_is_claimed(failing)
    expect(failing.locator("#verdict")).to_contain_text("no encoding today")
    failing.evaluate("() => { posenc.engine.encode = window.__encode; }")
    failing.locator("#window-3 h2").click()
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    failing.wait_for_timeout(400)
    assert failing.evaluate(SHOWN) == shown


def test_a_fault_that_cannot_be_planted_is_not_shown_as_clean(failing: Page, site: Path) -> None:
    opened(failing, site)
    failing.evaluate("() => { posenc.faults.rows.raw = () => { throw new Error('no fault'); }; }")
    failing.locator("#tamper").check()
    assert_nothing_is_claimed(failing)
    failing.locator("#tamper").uncheck()
    expect(failing.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    expect(failing.locator("#state")).to_have_text("clean")


def test_while_a_large_table_is_checked_nothing_holds_and_nothing_fell(bench: Page) -> None:
    sized(bench, 512, 2048)
    seen = bench.evaluate_handle("""() => {
        const seen = [];
        const rows = [...document.querySelectorAll("[data-invariant], #agreement, [data-statement], [data-now]")];
        new MutationObserver(() => {
            const { verdict } = document.getElementById("window-7").dataset;
            seen.push([verdict, ...new Set(rows.map((row) => row.dataset.holds))]);
        }).observe(document.getElementById("window-7"), { attributes: true, attributeFilter: ["data-verdict"] });
        return seen;
    }""")
    bench.locator("#tamper").check()
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken", timeout=30_000)
    changes = seen.json_value()
    assert changes[0] == ["checking", "checking"]
    assert changes[-1][0] == "broken"
    assert "checking" not in changes[-1]
    assert fallen(bench) == FALLEN


# Smaller promises


def test_what_was_said_of_a_probe_is_gone_when_another_is_typed(bench: Page) -> None:
    probe, said = bench.locator("#input-pos"), bench.locator("[data-said]")
    probe.fill("9999")
    probe.blur()
    expect(said).to_contain_text("9999")
    probe.focus()
    bench.keyboard.press("Control+A")
    bench.keyboard.type("777")
    expect(said).to_have_text("")


def test_what_a_fault_should_break_does_not_look_broken_before_it_is_planted(bench: Page) -> None:
    expected = bench.locator("#damage td:nth-child(2)")
    assert expected.all_text_contents() == ["should fall", "should fall", "should hold", "should fall", "should fall"]
    red = bench.evaluate("getComputedStyle(document.querySelector('.switch')).borderTopColor")
    assert red not in expected.evaluate_all("cells => cells.map((cell) => getComputedStyle(cell).color)")


def test_without_scripts_nothing_is_asked_of_the_reader(unscripted: Page, site: Path) -> None:
    shown = unscripted.locator("main").inner_text()
    for words in ("move the two probes", "Watch it happen", "at every click", "Shuffle"):
        assert words not in shown, words
        assert words in (site / "instrument.html").read_text("utf-8"), words


def test_paper_tears_no_window_from_its_heading_and_no_picture_from_its_words(bench: Page) -> None:
    bench.emulate_media(media="print")
    bench.set_viewport_size({"width": 718, "height": 1000})
    for part in (".window-head", ".window h3", ".window caption"):
        expect(bench.locator(part).first).to_have_css("break-after", "avoid")
    expect(bench.locator("#window-0")).to_have_css("break-inside", "avoid")
    tall = bench.locator("#window-0").bounding_box()
    assert tall
    assert tall["height"] < 1000  # so it can stay whole
    expect(bench.locator("#bench")).to_have_css("display", "block")  # grids and flex boxes are cut anywhere
    expect(bench.locator(".switch label")).to_be_hidden()
    expect(bench.locator("#state")).to_be_visible()


# Does it survive your dtype?


def test_reset_takes_back_what_is_no_part_of_the_state(bench: Page) -> None:
    before = bench.locator("#window-5 tbody").first.text_content()
    bench.locator("#rows-all").check()
    bench.locator("#stretch").check()
    bench.locator("#shuffle").click()
    assert bench.locator("#window-5 tbody").first.text_content() != before
    bench.evaluate("posenc.state.set({ pos: 9 }, { rested: true })")
    bench.locator('[data-do="reset"]').click()
    expect(bench.locator("#rows-first")).to_be_checked()
    expect(bench.locator("#stretch")).not_to_be_checked()
    assert bench.locator("#window-5 tbody").first.text_content() == before
    assert bench.evaluate("posenc.heatmap('panel').size().rows") == 32


def test_nothing_below_the_live_verdict_moves_when_the_witness_has_run(tab: Page, site: Path) -> None:
    tab.route("**/instrument.*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    tab.goto((site / "instrument.html").as_uri())
    before = tab.locator("#live").bounding_box()
    tab.unroute("**/instrument.*.js")
    tab.goto((site / "instrument.html").as_uri())
    expect(tab.locator("#runs")).to_have_attribute("data-runs", "1")
    after = tab.locator("#live").bounding_box()
    assert before
    assert after
    assert before["height"] == after["height"]


def test_the_table_of_formats_says_what_the_library_finds(bench: Page) -> None:
    for survival in precision(windows.formats.FORMAT_ROWS, 16):
        row = bench.locator(f'#formats [data-held="{survival.held}"] [data-format="{survival.format}"]')
        cells = row.locator("td").all_text_contents()
        assert cells[2] == f"{survival.n_distinct:,}"
        assert cells[3] == (" =\u00a0".join(f"{n:,}" for n in survival.collision) if survival.collision else "none")
    lost = bench.locator("#formats .lost td:last-child").all_text_contents()
    assert lost == ["256 =\u00a0257", "2,048 =\u00a02,049"]


def test_the_errors_are_drawn_by_the_build_and_then_by_plotly_in_the_same_place(plotted: Page, site: Path) -> None:
    static = (site / "instrument.html").read_text("utf-8")
    assert static.count('class="curves-mark"') >= 4 * 10
    for width in (360, 768, 1440):
        plotted.set_viewport_size({"width": width, "height": 900})
        plotted.wait_for_timeout(300)
        drawn: list[list[float]] = plotted.evaluate("""() => {
            const centre = (mark) => {
                const { left, right, top, bottom } = mark.getBoundingClientRect();
                return [(left + right) / 2, (top + bottom) / 2];
            };
            const of = (place) => [...document.querySelectorAll(place)].map(centre);
            return [of(".curves-drawn .curves-mark"), of("#precision .point")].map((all) => all.flat());
        }""")
        assert len(drawn[0]) == len(drawn[1]) == 2 * 4 * 10
        assert drawn[0] == pytest.approx(drawn[1], abs=1.5), width


def test_the_plots_hover_label_names_way_positions_and_error(plotted: Page) -> None:
    plotted.locator('[data-curves="precision"]').scroll_into_view_if_needed()
    mark = plotted.locator("#precision .trace:nth-child(3) .point").nth(5).bounding_box()
    assert mark
    plotted.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    label = plotted.locator("#precision .hovertext")
    expect(label).to_contain_text("bfloat16 positions")
    expect(label).to_contain_text("positions 1,000 … 1,015")
    expect(label).to_contain_text("worst error")


def test_the_plot_is_told_apart_in_light_and_dark_and_never_by_colour_alone(plotted: Page) -> None:
    for scheme in ("light", "dark"):
        plotted.emulate_media(color_scheme=scheme)
        inks: list[str] = plotted.locator("#precision .js-line").evaluate_all(
            "lines => lines.map((line) => getComputedStyle(line).stroke)"
        )
        names: list[str] = plotted.locator(".curves-names path:first-child").evaluate_all(
            "lines => lines.map((line) => getComputedStyle(line).stroke)"
        )
        assert inks == names
        assert len(set(inks)) == 4
    shapes = plotted.locator("#precision .trace .point:first-child").evaluate_all(
        "marks => marks.map((mark) => mark.getAttribute('d'))"
    )
    assert len(set(shapes)) == 4


RECORD = """() => {
    const record = { seen: [], on: true };
    const look = () => {
        const panel = posenc.heatmap("panel");
        const verdict = document.getElementById("window-7").dataset.verdict;
        record.seen.push([verdict, panel.read(3, 0).value, posenc.state.now.tamper]);
        if (record.on) { requestAnimationFrame(() => setTimeout(look)); }
    };
    look();
    return record;
}"""


@pytest.mark.parametrize("size", [(16, 64), (64, 256), (512, 2048)], ids=str)
def test_no_frame_shows_a_planted_fault_beside_the_verdict_of_the_table_before(
    bench: Page, size: tuple[int, int]
) -> None:
    sized(bench, *size)
    record = bench.evaluate_handle(RECORD)
    bench.locator("#tamper").check()
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken", timeout=30_000)
    seen = record.evaluate(f"async (record) => {{ await {SETTLED}; record.on = false; return record.seen; }}")
    assert ["broken", 3, "raw"] in seen
    assert not [frame for frame in seen if frame[0] == "holds" and frame[1] == 3]


def test_a_number_half_typed_is_gone_with_back(bench: Page) -> None:
    bench.locator("#input-pos").fill("12")
    bench.locator("#input-pos").press("Enter")
    expect(bench).to_have_url(re.compile(r"\?pos=12$"))
    bench.locator("#input-pos").fill("33")
    expect(bench).to_have_url(re.compile(r"\?pos=33$"))
    bench.go_back()
    expect(bench.locator("#input-pos")).to_have_value("12")
    bench.locator("#input-pos").blur()
    expect(bench).to_have_url(re.compile(r"\?pos=12$"))


def test_what_the_other_page_has_chosen_travels_along(tab: Page, site: Path) -> None:
    tab.goto((site / "instrument.html").as_uri() + "?d=32&mask=on&tamper=sine&evil=%3Cb%3E")
    link = tab.locator('nav.pages a[href^="index.html"]')
    expect(link).to_have_attribute("href", "index.html?d=32&tamper=sine&mask=on")
    link.click()
    expect(tab.locator('nav.pages a[href^="instrument.html"]')).to_have_attribute(
        "href", "instrument.html?d=32&mask=on&tamper=sine"
    )
    tab.locator("#address-pos").fill("9")
    tab.locator("#address-pos").press("Enter")
    expect(tab).to_have_url(re.compile(r"\?d=32&pos=9&mask=on&tamper=sine$"))


@pytest.mark.parametrize("script", ["explainer", "engine", "views"])
def test_an_explainer_whose_scripts_did_not_come_says_so_and_its_controls_are_off(
    failing: Page, site: Path, script: str
) -> None:
    without(failing, script)
    failing.goto((site / "index.html").as_uri())
    expect(failing.locator("#unserved")).to_be_visible()
    assert failing.locator("[data-bind]:enabled").count() == 0


def test_a_reset_brings_back_the_fault_that_was_chosen_at_first(instrument: Page) -> None:
    expected = "[...document.querySelectorAll('[data-expected]')].map((line) => line.dataset.expected)"
    first = instrument.evaluate(expected)
    instrument.locator("#fault-sine").check()
    link(instrument, "?pos=7")
    assert instrument.evaluate(expected) != first
    instrument.locator('[data-do="reset"]').click()
    expect(instrument.locator("#fault-raw")).to_be_checked()
    assert instrument.evaluate(expected) == first
