"""Both pages and the one for lost readers in a narrow window and under a thumb, and without scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

PAGES = ("index.html", "instrument.html", "404.html")
OPEN_ALL = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
LARGE_TEXT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { font-size: 200%; }");
  document.adoptedStyleSheets = [sheet];
}"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Targets below 24 × 24, but for those in the run of a sentence, which WCAG 2.5.8 leaves out.
SMALL_TARGETS = """() => {
  const targets = "a[href], button, input, select, summary, [tabindex='0'], label:has(input)";
  const sentence = (each) => each.matches("a, .scrub") && each.closest("p, figcaption, td, li, dd")
    && !each.closest(".windows, .parts, .pages, .reading, body > main > ul");
  return [...document.querySelectorAll(targets)]
    .filter((each) => !(each.matches("input") && each.closest("label")) && each.checkVisibility())
    .filter((each) => !each.matches(".skip") && !sentence(each))
    .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 23.9 || height < 23.9)
    .map(([what, { width, height }]) => `${what} ${width} × ${height}`);
}"""
FIGURES = {
    "index.html": (
        "#figure-wave .plot", "#figure-wave .moments .clocks", "#figure-stack .plot.chosen", "#figure-sum .addends",
        "#figure-turn .stair", "#figure-turn .dials", "#figure-address .heatmap-frame",
        "#figure-likeness .heatmap-frame",
        "#figure-address .waves", "#figure-order .strip", "p.sentence .scrub",
    ),
    "instrument.html": ("[data-heatmap=panel] .heatmap-frame", ".curves-frame", ".rules", ".probe svg"),
}  # fmt: skip


PUT_BACK = """() => {
  document.adoptedStyleSheets = [];
  document.querySelectorAll("details[open]").forEach((each) => { each.open = false; });
  document.querySelector('[data-do="reset"]')?.click();
  scrollTo({ left: 0, top: 0, behavior: "instant" });
}"""


@pytest.fixture(scope="module")
def phones(browser: Browser, site: Path) -> Iterator[dict[str, Page]]:
    context = browser.new_context(offline=True, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    context.route("**/plotly*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    pages = {name: context.new_page() for name in PAGES}
    for name, page in pages.items():
        page.goto((site / name).as_uri())
    yield pages
    context.close()


@pytest.fixture
def phone(phones: dict[str, Page], name: str) -> Iterator[Page]:
    """The page of this name on a phone; what a test opens, turns and enlarges is put back."""
    page = phones[name]
    page.bring_to_front()
    yield page
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(PUT_BACK)


@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_window_never_scrolls_sideways_and_every_target_is_large_enough(phone: Page, name: str) -> None:
    phone.evaluate(OPEN_ALL)
    assert phone.evaluate(SIDEWAYS) == 0, "320 px, which is 1280 px at 400 %"
    assert phone.evaluate(SMALL_TARGETS) == []
    sliders = "all => all.filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().height)"
    heights = phone.locator("input[type=range]").evaluate_all(sliders)
    assert all(height >= 32 for height in heights)
    assert len(heights) > 3 or name == "404.html"


@pytest.mark.parametrize("name", PAGES)
def test_text_of_twice_the_size_does_not_scroll_sideways(page: Page, site: Path, name: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((site / name).as_uri())
    page.evaluate(OPEN_ALL)
    page.evaluate(LARGE_TEXT)
    assert page.evaluate(SIDEWAYS) == 0


@pytest.mark.parametrize("name", PAGES)
def test_text_of_twice_the_size_fits_a_phone(phone: Page) -> None:
    phone.set_viewport_size({"width": 360, "height": 640})
    phone.evaluate(LARGE_TEXT)
    assert phone.evaluate(SIDEWAYS) == 0


@pytest.mark.parametrize("name", FIGURES)
def test_a_swipe_over_a_figure_scrolls_the_page_and_changes_nothing(phone: Page, name: str) -> None:
    hand = phone.context.new_cdp_session(phone)
    before = phone.evaluate("JSON.stringify(posenc.state.now)")
    for figure in FIGURES[name]:
        target = phone.locator(figure).first
        target.evaluate("e => e.scrollIntoView({ block: 'center' })")
        box = target.bounding_box()
        assert box
        at = {"x": box["x"] + box["width"] / 3, "y": min(box["y"] + box["height"] / 2, 500)}
        top = phone.evaluate("scrollY")
        hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        for step in range(1, 9):
            point = {"x": at["x"] + step, "y": at["y"] - 15 * step}
            hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        phone.wait_for_timeout(60)
        assert phone.evaluate("scrollY") - top > 60, figure
        assert phone.evaluate("JSON.stringify(posenc.state.now)") == before, figure


@pytest.mark.parametrize("name", ["index.html"])
def test_a_thumb_to_the_side_moves_what_it_holds(phone: Page) -> None:
    hand = phone.context.new_cdp_session(phone)
    plot = phone.locator("#figure-wave .plot").first
    plot.evaluate("e => e.scrollIntoView({ block: 'center' })")
    box = plot.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": box["x"] + 40, "y": y}]})
    for step in range(1, 9):
        point = {"x": box["x"] + 40 + 15 * step, "y": y}
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.wait_for_function("posenc.state.now.pos > 20")


BARE = """() => [...document.querySelectorAll(".figure-block, [data-heatmap], .curves, .play")].filter((each) =>
  ![...each.querySelectorAll("svg, table, dl, ol, ul, p, image")].some((part) => {
    const { width, height } = part.getBoundingClientRect();
    return part.checkVisibility() && width > 20 && height > 10;
  })).map((each) => each.id || each.className)"""
IDLE = """() => [...document.querySelectorAll("button, input, select, textarea, [tabindex='0'], [role=slider]")]
  .filter((each) => each.checkVisibility() && !each.disabled && !each.matches("pre, .scroll, .question input"))
  .map((each) => each.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("name", ["index.html", "instrument.html"])
def test_without_scripts_every_figure_shows_something_and_no_control_pretends(
    browser: Browser, site: Path, name: str
) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((site / name).as_uri())
    parts = page.locator(".part, .window")
    assert parts.count() == 9
    assert all(part.is_visible() for part in parts.all())
    assert page.evaluate(BARE) == []
    assert page.evaluate(IDLE) == []
    assert page.locator("input[type=range]:visible").count() == 0, "a slider stands where its number is, or not at all"
    if name == "instrument.html":
        assert page.locator(".build-verdict").get_by_text("5 of 5 hold").is_visible()
    assert page.locator("noscript").first.is_visible()
    context.close()
