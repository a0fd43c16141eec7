"""A page weighs little, is there before any script, keeps still, and asks for Plotly when a reader wants a plot."""

import gzip
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import slowness, tasks, want_plots
from tests.reader import PAGES

MOST_BYTES = 150_000  # gzipped: the page, its style and its own scripts
LONG_TASK = 50  # ms
TRIES = 8  # the machine may be at work on other things
ASKED = "document.querySelectorAll('script[src*=\"plotly\"]').length"
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
SHIFTS = """
window.__shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    const moved = entry.sources.map(({ node }) => node?.id || node?.className || "");
    window.__shifts.push([entry.value, ...moved].join(" "));
})).observe({ type: "layout-shift", buffered: true });
"""
BAR = """
window.__bar = [];
const look = () => {
    const bar = document.getElementById("bar");
    if (bar) window.__bar.push([bar.dataset.verdict ?? "", bar.offsetHeight]);
    requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@pytest.mark.parametrize("name", PAGES.values())
def test_a_page_with_its_style_and_scripts_weighs_at_most_150_kb(site: Path, name: str) -> None:
    html = (site / name).read_text("utf-8")
    own = [name, *re.findall(r'<(?:script defer src|link rel="stylesheet" href)="([^"]+)"', html)]
    assert len(own) > 10
    weights = {file: len(gzip.compress((site / file).read_bytes(), mtime=0)) for file in own}
    assert sum(weights.values()) <= MOST_BYTES, weights


def scroll(page: Page) -> None:
    page.locator("[data-state=picture]").first.scroll_into_view_if_needed()


def point(page: Page) -> None:
    page.locator(".heatmap-art").first.dispatch_event("pointerover")


def focus(page: Page) -> None:
    page.locator(".heatmap-frame[tabindex]").first.evaluate("(frame) => frame.focus({ preventScroll: true })")


def touch(page: Page) -> None:
    page.locator(".heatmap-art").first.dispatch_event("pointerdown", {"pointerType": "touch"})


@pytest.mark.parametrize("sign", [scroll, point, focus, touch])
def test_plotly_is_asked_for_once_and_with_the_first_sign_that_a_plot_is_wanted(
    page: Page, site: Path, sign: Callable[[Page], None]
) -> None:
    page.goto((site / "index.html").as_uri())
    page.wait_for_timeout(300)
    assert page.evaluate(ASKED) == 0, "nobody has asked for a plot"
    for _ in range(2):
        sign(page)
        page.evaluate(FRAMES)
        assert page.evaluate(ASKED) == 1


@pytest.mark.parametrize("name", PAGES.values())
def test_the_page_is_painted_and_its_first_figure_is_there_while_no_script_has_come(
    page: Page, site: Path, name: str
) -> None:
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))  # noqa: PLW0108 - asked for, and not answered
    page.goto((site / name).as_uri(), wait_until="commit")
    expect(page.locator("main figure, main .heatmap").first).to_be_visible()
    for _ in range(100):
        if page.evaluate("performance.getEntriesByName('first-contentful-paint').length"):
            break
        page.wait_for_timeout(50)
    assert page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1
    assert page.evaluate("document.readyState") == "loading" or page.evaluate("globalThis.posenc === undefined")
    assert page.locator("section h2").count() >= 9
    for route in held:
        route.fulfill(body="", content_type="text/javascript")
    page.wait_for_load_state()


@pytest.mark.plotly
@pytest.mark.parametrize("name", PAGES.values())
def test_nothing_shifts_while_the_page_loads_is_read_to_its_end_and_plotly_draws(
    page: Page, site: Path, name: str
) -> None:
    page.add_init_script(SHIFTS)
    for width in (360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto((site / name).as_uri())
        page.evaluate(FRAMES)
        page.wait_for_timeout(200)
        assert page.evaluate("window.__shifts") == [], width
    want_plots(page)
    expect(page.locator("[data-follow]")).to_have_attribute("data-state", "plot", timeout=30_000)
    end = page.evaluate("document.documentElement.scrollHeight")
    for y in range(0, end, 900):  # a screen at a time
        page.evaluate("(y) => scrollTo(0, y)", y)
        page.evaluate(FRAMES)
    assert page.evaluate("window.__shifts") == []
    page.set_viewport_size({"width": 1280, "height": 720})
    page.evaluate("document.querySelector('h2').style.marginTop = '90px'; scrollTo(0, 0)")
    page.evaluate(FRAMES)
    assert page.evaluate("window.__shifts") != [], "a shift would be seen"


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_the_bar_is_as_high_while_the_witness_is_at_work_as_before_and_after(
    page: Page, site: Path, width: int
) -> None:
    page.add_init_script(BAR)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto((site / "instrument.html").as_uri() + "?d=32&n=2048")  # long enough that a frame is painted meanwhile
    expect(page.locator("#runs")).to_have_attribute("data-runs", "1")
    page.evaluate(FRAMES)
    seen = dict(page.evaluate("window.__bar"))
    assert {"checking", "holds"} <= set(seen)
    assert len(set(seen.values())) == 1, seen


def load(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_timeout(700)


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES.values())
def test_no_task_is_longer_than_50_ms_before_the_reader_acts(
    browser: Browser, page: Page, site: Path, name: str
) -> None:
    """By the time that the thread was at work; where a million sines take longer than they should, so may a task."""
    longest: list[tuple[float, float]] = []
    for _ in range(TRIES):
        before = slowness(page)
        found = tasks(browser, page, partial(load, page, (site / name).as_uri()))
        assert len(found) > 20, "the trace has the page's tasks"
        longest.append((found[0], (before + slowness(page)) / 2))
        if longest[-1][0] <= LONG_TASK * longest[-1][1]:
            return
    raise AssertionError(f"ms of the longest task, and how much slower than undisturbed the machine was: {longest}")
