"""The instrument in a real browser, opened from disk with the network cut."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import watch
from tests.conftest import ROOT

NAMES = ["bounded", "length", "distinct", "shift", "ladder"]
FALLEN = ["bounded", "length", "shift", "ladder"]
Build = Callable[..., Path]

# Everything on the bench but what differs from run to run: clock, count of runs, and how the panel is drawn.
SHOWN = """() => {
    const copy = document.getElementById("bench").cloneNode(true);
    const timed = '[data-live^="ms-"], [data-live="runs"], .heatmap-graph';
    for (const part of copy.querySelectorAll(timed)) { part.remove(); }
    for (const box of copy.querySelectorAll("[data-heatmap]")) { delete box.dataset.state; }
    for (const picture of copy.querySelectorAll("image")) { picture.removeAttribute("href"); }
    return copy.innerHTML;
}"""
CELLS = "document.getElementById('panel').data[0].z"
TOGETHER = """() => {
    document.getElementById("tamper").click();
    return {
        state: document.getElementById("state").textContent,
        bar: document.querySelector('#bar [data-live="state"]').textContent,
        tally: document.querySelector('#bar [data-live="tally"]').textContent,
        witness: document.getElementById("window-7").dataset.verdict,
        verdict: document.getElementById("verdict").textContent,
        live: document.querySelector('[data-live="live"]').textContent,
        offScale: !document.querySelector("#window-0 .heatmap-off").hidden,
    };
}"""


@pytest.fixture
def bench(page: Page, site: Path) -> Page:
    return opened(page, site)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    def run(*flags: str) -> Path:
        out = tmp_path_factory.mktemp("other") / "site"
        command = [sys.executable, str(ROOT / "build.py"), "--out", str(out), *flags]
        built = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert built.returncode == 0, built.stdout + built.stderr
        return out

    return run


def opened(page: Page, site: Path) -> Page:
    page.goto((site / "instrument.html").as_uri())
    expect(page.locator("#window-7")).not_to_have_attribute("data-verdict", "checking")
    return page


def fallen(page: Page) -> list[str]:
    rows: list[str] = page.locator('[data-invariant][data-holds="false"]').evaluate_all(
        "rows => rows.map((row) => row.dataset.invariant)"
    )
    return rows


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
    for width in (320, 700, 768, 1100, 1280, 1440):
        bench.set_viewport_size({"width": width, "height": 800})
        assert bench.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_desktop_the_machine_stands_between_the_teams_and_is_wider(bench: Page) -> None:
    bench.set_viewport_size({"width": 1440, "height": 900})
    boxes = [bench.locator(f"#window-{number}").bounding_box() for number in (3, 4, 1)]
    blue, machine, red = (box for box in boxes if box)
    assert blue["x"] < machine["x"] < red["x"]
    assert machine["width"] > blue["width"]
    ends = [bench.locator(f"#window-{number}").bounding_box() for number in (5, 8, 2)]
    bottoms = [box["y"] + box["height"] for box in ends if box]
    assert max(bottoms) - min(bottoms) < 400


def test_the_clean_encoding_holds_in_the_browser(bench: Page) -> None:
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    rows: list[str] = bench.locator("[data-invariant]").evaluate_all("r => r.map((x) => x.dataset.invariant)")
    assert rows == NAMES
    assert fallen(bench) == []
    assert float(bench.locator("#agreement").get_attribute("data-measured") or "nan") <= 1e-11
    expect(bench.locator("#state")).to_have_text("clean")
    expect(bench.locator("#live")).to_contain_text("64 positions → 64 unique encodings")


def test_the_tamper_changes_everything_in_one_frame_and_exactly_four_claims_fall(bench: Page) -> None:
    shown: dict[str, Any] = bench.evaluate(TOGETHER)
    assert shown == {
        "state": "tampered",
        "bar": "tampered",
        "tally": "1 of 5 hold",
        "witness": "broken",
        "verdict": "bounded, length, shift and ladder fell; distinct holds",
        "live": "1 of 5 hold",
        "offScale": True,
    }
    assert fallen(bench) == FALLEN
    expected = bench.locator('#damage [data-expected="fell"] th').all_text_contents()
    assert expected == FALLEN
    expect(bench.locator("#announce")).to_contain_text("fell")


def test_the_switch_off_again_restores_the_first_state(bench: Page) -> None:
    expect(bench.locator('[data-heatmap="panel"]')).to_have_attribute("data-state", "plot")
    before, cells = bench.evaluate(SHOWN), bench.evaluate(CELLS)
    bench.locator("#tamper").check()
    assert bench.evaluate(SHOWN) != before
    assert bench.evaluate(CELLS)[63] == [63] * 16
    bench.locator("#tamper").uncheck()
    assert bench.evaluate(SHOWN) == before
    assert bench.evaluate(CELLS) == cells
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "holds")


def test_the_switch_works_from_the_keyboard_and_runs_the_witness_once(bench: Page) -> None:
    before = runs(bench)
    bench.locator("#tamper").focus()
    bench.keyboard.press("Space")
    expect(bench.locator("#state")).to_have_text("tampered")
    assert runs(bench) == before + 1


def test_the_witness_runs_on_every_click_and_announces_only_changes(bench: Page) -> None:
    bench.evaluate("""() => {
        window.__said = 0;
        new MutationObserver(() => { window.__said += 1; })
            .observe(document.getElementById("announce"), { childList: true });
    }""")
    before = runs(bench)
    for place in ("#window-3 h2", "#window-1 h2", "#window-8 h2"):
        bench.locator(place).click()
    assert runs(bench) == before + 3
    assert bench.evaluate("window.__said") == 0
    bench.locator("#tamper").click()
    assert runs(bench) == before + 4
    assert bench.evaluate("window.__said") == 1


def test_a_probe_takes_what_is_a_position_and_says_what_is_not(bench: Page) -> None:
    probe, said = bench.locator("#probe-a"), bench.locator("#probe-said")
    for typed, taken in (("9999", "63"), ("-3", "0"), ("7.6", "8"), ("", "8"), ("12", "12")):
        probe.fill(typed)
        probe.blur()
        expect(probe).to_have_value(taken)
        expect(said).to_have_text("" if typed == taken else re.compile(rf"\b{taken}\b"))
        expect(bench.locator('#window-0 [data-mark="0"]')).to_have_attribute("data-position", taken)


def test_the_probes_move_their_rows_hands_and_distance(bench: Page) -> None:
    before = bench.locator('[data-probe="b"] line').first.get_attribute("x2")
    bench.locator("#probe-b").fill("5")
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
    expect(bench.locator("#lineage-bare")).to_contain_text("10⁻¹⁶")
    assert float(bench.locator("#lineage-placed").inner_text()) > 0.1


@pytest.mark.parametrize(
    ("flags", "fell"),
    [
        (("--d-model", "2", "--positions", "1", "--probes", "0", "0"), ["length", "ladder"]),
        (("--d-model", "8", "--positions", "100", "--base", "2"), FALLEN),
        (("--d-model", "64", "--positions", "128"), FALLEN),
    ],
    ids=["2 by 1", "8 by 100, base 2", "64 by 128"],
)
def test_any_configuration_is_witnessed(page: Page, build: Build, flags: tuple[str, ...], fell: list[str]) -> None:
    opened(page, build(*flags))
    assert fallen(page) == []
    assert float(page.locator("#agreement").get_attribute("data-measured") or "nan") <= 1e-11
    before = page.evaluate(SHOWN)
    page.locator("#tamper").check()
    assert fallen(page) == fell
    assert page.locator('#damage [data-expected="fell"] th').all_text_contents() == fell
    page.locator("#tamper").uncheck()
    assert page.evaluate(SHOWN) == before
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_without_scripts_the_builds_numbers_stand_and_say_whose_they_are(browser: Browser, site: Path) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    troubles = watch(page)
    page.goto((site / "instrument.html").as_uri())
    assert "the numbers below are the build’s own" in page.locator("#witness noscript").inner_text()
    assert page.locator('[data-invariant][data-holds="true"]').count() == len(NAMES)
    expect(page.locator('[data-live="measured-distinct"]')).to_have_text("1.0147")
    expect(page.locator("#verdict")).to_be_hidden()
    expect(page.locator("#tamper")).to_be_disabled()
    expect(page.locator("#window-0 .heatmap-cells image")).to_be_visible()
    context.close()
    assert troubles == []


def test_the_first_words_wait_for_the_browser(site: Path) -> None:
    page = (site / "instrument.html").read_text("utf-8")
    assert 'data-verdict="checking"' in page
    assert "checking…" in page
    assert "booting…" in page
