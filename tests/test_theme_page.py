"""Colours: the system's, or those the reader chose, remembered and set before the first paint; and nothing moves."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import violations, watch
from tests.checkout import ROOT

PAGES = ("index.html", "instrument.html", "404.html")
LIGHT, DARK = "rgb(251, 250, 246)", "rgb(20, 22, 26)"
GROUND = "getComputedStyle(document.body).backgroundColor"
SHEET = (ROOT / "templates/css/tokens.css").read_text("utf-8")
PAIRS = dict(re.findall(r"(--[a-z-]+): (light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\))", SHEET))
# What is chosen when the body begins, whether any deferred script has run by then, and the ground at the first paint.
FIRST_FRAME = """
new MutationObserver((_, watching) => {
  if (document.body) {
    watching.disconnect();
    window.__first = [document.documentElement.dataset.theme, typeof posenc];
  }
}).observe(document, { childList: true, subtree: true });
new PerformanceObserver(() => { window.__painted ??= getComputedStyle(document.body).backgroundColor; })
  .observe({ type: "paint", buffered: true });
"""


PAINTED = """() => new Promise((done) => {
  const look = () => window.__painted ? done(window.__painted) : setTimeout(look, 20);
  look();
})"""


@pytest.fixture
def night(browser: Browser) -> Iterator[BrowserContext]:
    """A window of its own, with its own memory, on a dark system."""
    context = browser.new_context(offline=True, color_scheme="dark")
    context.route("**/plotly*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    yield context
    context.close()


def test_the_choice_is_kept_on_every_page_and_set_before_any_other_script(night: BrowserContext, site: Path) -> None:
    page = night.new_page()
    troubles = watch(page)
    page.add_init_script(FIRST_FRAME)
    page.goto((site / "index.html").as_uri())
    assert page.evaluate(GROUND) == DARK
    switch = page.get_by_label("Colours")
    expect(switch).to_be_enabled()
    switch.focus()
    page.keyboard.press("ArrowDown")  # from the system's to light
    assert page.evaluate(GROUND) == LIGHT
    for name in PAGES:
        page.goto((site / name).as_uri())
        assert page.evaluate("window.__first") == ["light", "undefined"], name
        assert page.evaluate(PAINTED) == LIGHT, name
    page.goto((site / "instrument.html").as_uri())
    expect(page.get_by_label("Colours")).to_have_value("light")
    page.emulate_media(color_scheme="light")
    page.get_by_label("Colours").select_option("dark")
    assert page.evaluate(GROUND) == DARK
    page.get_by_label("Colours").select_option("system")
    assert page.evaluate(GROUND) == LIGHT
    page.reload()
    expect(page.get_by_label("Colours")).to_have_value("system")
    assert page.evaluate("localStorage.length") == 0
    assert troubles + violations(page) == []


def test_what_is_chosen_in_one_window_is_worn_in_the_other(night: BrowserContext, site: Path) -> None:
    one, other = night.new_page(), night.new_page()
    for page in (one, other):
        page.goto((site / "index.html").as_uri())
    one.get_by_label("Colours").select_option("light")
    expect(other.get_by_label("Colours")).to_have_value("light")
    assert other.evaluate(GROUND) == LIGHT


def test_storage_that_throws_or_holds_nonsense_does_no_harm(night: BrowserContext, site: Path) -> None:
    page = night.new_page()
    troubles = watch(page)
    page.goto((site / "index.html").as_uri())
    page.evaluate("localStorage.setItem('posenc-theme', '<b>mauve')")
    page.reload()
    assert page.evaluate(GROUND) == DARK
    expect(page.get_by_label("Colours")).to_have_value("system")
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })")
    page.reload()
    page.get_by_label("Colours").select_option("light")
    assert page.evaluate(GROUND) == LIGHT
    assert page.evaluate("Boolean(posenc.alive)")
    assert troubles == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_both_schemes_is_told_once_and_worn(night: BrowserContext, site: Path, scheme: str) -> None:
    page = night.new_page()
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto((site / "404.html").as_uri())
    assert len(PAIRS) == 12
    for name, pair in PAIRS.items():
        wanted = re.findall("#[0-9a-f]{6}", pair)[scheme == "dark"]
        worn = page.evaluate(
            "name => { document.body.style.color = `var(${name})`; return getComputedStyle(document.body).color; }",
            name,
        )
        assert worn == f"rgb({', '.join(str(int(wanted[at : at + 2], 16)) for at in (1, 3, 5))})", name


def test_a_browser_without_light_dark_gets_the_light_half_of_every_colour() -> None:
    fallback = SHEET[SHEET.index("@supports not") :]
    assert dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{6});", fallback)) == {
        name: re.findall("#[0-9a-f]{6}", pair)[0] for name, pair in PAIRS.items()
    }


def test_every_page_has_a_script_before_its_style_and_the_switch_needs_scripts(browser: Browser, site: Path) -> None:
    for name in PAGES:
        html = (site / name).read_text("utf-8")
        assert html.index("posenc-theme") < html.index('rel="stylesheet"' if name != "404.html" else "<style>"), name
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    assert page.locator("#theme").is_hidden()
    context.close()


STILL = """() => new Promise((done) => {
  let frames = 0;
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (step) => { frames += 1; return ask(step); };
  const changes = [];
  const watching = new MutationObserver((all) => changes.push(...all));
  watching.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(() => done([frames, changes.length, document.getAnimations().length]), 700);
})"""
MOVING = """() => [...document.querySelectorAll("*")].filter((each) => {
  const style = getComputedStyle(each);
  const times = style.transitionDuration.split(", ").map(parseFloat);
  return style.scrollBehavior !== "auto" || style.animationName !== "none" || times.some((time) => time > 0);
}).map((each) => each.className)"""


@pytest.mark.parametrize("name", ["index.html", "instrument.html"])
def test_nothing_moves_by_itself_and_nothing_glides(page: Page, site: Path, name: str) -> None:
    page.goto((site / name).as_uri())
    page.wait_for_timeout(800)  # the witness' first run
    assert page.evaluate(STILL) == [0, 0, 0]
    assert page.evaluate(MOVING) == []
    page.evaluate("document.body.animate({ opacity: [0, 1] }, { duration: 1000, iterations: 9 })")
    assert page.evaluate("document.getAnimations().length") == 1, "it would be seen"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_drawings_wear_the_palette_and_cells_keep_their_numbers(
    explainer: Page, instrument: Page, scheme: str
) -> None:
    page = explainer
    for each in (explainer, instrument):
        each.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
    text = page.evaluate("getComputedStyle(document.body).color")
    page.get_by_label("Colours").select_option("light" if scheme == "dark" else "dark")
    assert page.evaluate("getComputedStyle(document.body).color") == text, "the palette is above the choice"
    for mark in ("#figure-wave .curve", ".clocks line", ".heatmap-line", "#figure-count .bars rect"):
        worn = "e => [getComputedStyle(e).stroke, getComputedStyle(e).fill]"
        assert text in page.locator(mark).first.evaluate(worn), mark
    cell = page.locator(".strip rect").first
    assert cell.evaluate("e => getComputedStyle(e).fill !== getComputedStyle(document.body).color")
    page.get_by_label("Colours").select_option("system")
    page = instrument
    page.bring_to_front()
    page.locator("#tamper").check()
    expect(page.locator("#verdict strong")).to_contain_text("fell")
    sign = "(e, before) => getComputedStyle(e, '::before').content"
    assert page.locator("#verdict strong").evaluate(sign) == '"✕ "'
    assert page.locator("[data-invariant=distinct] .word").evaluate(sign) == '"✓ "'
    assert page.locator("#tamper").evaluate("e => getComputedStyle(e).appearance") == "auto"
    page.locator("#tamper").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    for each in (explainer, instrument):
        each.emulate_media(forced_colors="none", color_scheme="light")
