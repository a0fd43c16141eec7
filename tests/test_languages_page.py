"""The pages in two pseudo-languages, in a real browser: nothing is wider than the window, nothing turns back to
English, drawings and formulas run from left to right, and the menu keeps the reader's place."""

import re
from collections.abc import Iterator
from pathlib import Path

import html5lib
import pytest
from playwright.sync_api import Page, expect

from posenc.web import languages
from posenc.web.format import Style
from posenc.web.pages import FILES
from posenc.web.words import read
from tests import pseudo
from tests.checkout import copy

TAGS = tuple(pseudo.LANGUAGE)
WIDTHS = (1440, 768, 320)
NAMES = re.compile(r"mulberry32|FNV-1a|b?float\d\d|[0-9a-f]{64}|English")
DECIMAL_POINT = re.compile(r"(?<![\d.])\d{1,3}\.\d(?!\d\d(?!\d))")  # 19.869 has a group
SEEN = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (!parentElement.closest("script, style, noscript, code, pre, math, .js-plotly-plot")) texts.push(data);
  }
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"]) {
    document.querySelectorAll(`[${name}]`).forEach((element) => texts.push(element.getAttribute(name)));
  }
  return texts.filter((text) => text.trim());
}"""
DRAWN = "svg, math, canvas, pre, code, input[type=range], .heatmap-frame, .curves-frame, .plate, .scaled, .ends"
WRONG_WAY = """(drawn) => [...document.querySelectorAll(drawn)]
  .filter((element) => getComputedStyle(element).direction !== "ltr")
  .map((element) => element.outerHTML.slice(0, 80))"""
TOO_WIDE = "() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
LIVE = """() => Object.fromEntries([...document.querySelectorAll("[data-live], [data-state]")]
  .map((element) => [element.dataset.live ?? `state.${element.dataset.state}`, element.textContent]))"""


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = copy(tmp_path_factory.mktemp("spoken") / "posenc")
    pseudo.write(made.root)
    built = made.attempt()
    assert built.returncode == 0, built.stdout + built.stderr
    return made.site


@pytest.fixture(scope="module")
def styles(spoken: Path) -> dict[str, Style]:
    return {tag: languages.language(tag, words.site).style for tag, words in read(spoken.parent).items()}


def opened(page: Page, spoken: Path, name: str) -> Page:
    page.goto((spoken / name).as_uri())
    if name.endswith("instrument.html"):
        expect(page.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    return page


def english(page: Page) -> Iterator[str]:
    for text in page.evaluate(SEEN):
        if re.search("[A-Za-z]{2}", NAMES.sub("", text)):
            yield text


def pointed(page: Page) -> list[str]:
    """Numbers with a decimal point, where the language has a comma; arXiv ids and sections of sources have theirs."""
    allowed = re.compile(r"\d{4}\.\d{5}|\b[36]\.[1245]\b|2\.1\b")
    return [text for text in page.evaluate(SEEN) if DECIMAL_POINT.search(allowed.sub("", text))]


@pytest.mark.parametrize("file", FILES.values())
@pytest.mark.parametrize("tag", ["ar-XB", pytest.param("en-XA", marks=pytest.mark.long)])
def test_a_page_speaks_its_language_at_load_and_after(page: Page, spoken: Path, tag: str, file: str) -> None:
    static = html5lib.parse((spoken / tag / file).read_text("utf-8"), namespaceHTMLElements=False)
    written = {place.get("data-live"): "".join(place.itertext()) for place in static.iter() if place.get("data-live")}
    opened(page, spoken, f"{tag}/{file}")
    live = page.evaluate(LIVE)
    same = [name for name in live if name in written and name.startswith(("now.", "model.", "grave.", "address."))]
    assert len(same) > 10
    assert {name: live[name] for name in same} == {name: written[name] for name in same}  # scripts write as Python does

    wide = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wide[width] = page.evaluate(TOO_WIDE)
    assert wide == dict.fromkeys(WIDTHS, 0)
    assert page.evaluate(WRONG_WAY, DRAWN) == []

    page.evaluate(
        "posenc.state.set({d_model: 32, n_positions: 1500, base: 2500.5, pos: 1234, second: 3, k: -3}, {rested: true})"
    )
    page.evaluate("posenc.state.set({base: 3e8, pair: 99}, {rested: true})")
    if file == "instrument.html":
        page.locator("#tamper").check()
        expect(page.locator("#window-7")).to_have_attribute("data-verdict", "broken", timeout=20_000)
    page.wait_for_timeout(300)
    assert list(english(page)) == []
    assert pointed(page) == []
    expect(page.locator("[data-state=n_positions]")).to_have_text("1\u202f500" if tag == "en-XA" else "1.500")
    page.set_viewport_size({"width": 320, "height": 900})
    assert page.evaluate(TOO_WIDE) == 0


def test_a_word_of_english_a_point_and_a_drawing_that_is_turned_are_found(page: Page, spoken: Path) -> None:
    opened(page, spoken, "ar-XB/index.html")
    page.evaluate(
        """() => {
            document.querySelector("h1").append("slot");
            document.querySelector("h2").append("0.25");
            document.querySelector("svg").setAttribute("style", "");
            document.querySelector("svg").style.direction = "rtl";
            document.querySelector("main").style.minWidth = "200vw";
        }"""
    )
    assert len(list(english(page))) == 1
    assert len(pointed(page)) == 1
    assert len(page.evaluate(WRONG_WAY, DRAWN)) == 1
    assert page.evaluate(TOO_WIDE) > 0


def test_the_witness_falls_and_holds_again_in_the_page_s_words(page: Page, spoken: Path) -> None:
    opened(page, spoken, "ar-XB/instrument.html")
    verdict = page.locator("#verdict")
    before = verdict.inner_text()
    page.locator("#tamper").check()
    expect(page.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    words = pseudo.arabic("bounded"), pseudo.arabic("ladder")
    for word in words:
        expect(verdict).to_contain_text(word)
    page.locator("#tamper").uncheck()
    expect(page.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    assert verdict.inner_text() == before


def test_the_menu_keeps_the_part_and_the_state(page: Page, spoken: Path) -> None:
    opened(page, spoken, "en-XA/index.html")
    menu = page.locator("nav.languages a")
    assert menu.all_inner_texts() == ["English", *(pseudo.LANGUAGE[tag]["language.name"] for tag in sorted(TAGS))]
    way = page.locator("nav.languages a[lang=ar-XB]")
    way.focus()
    expect(way).to_have_attribute("href", "../ar-XB/index.html")
    page.evaluate("posenc.state.set({pos: 7, map: 'ridge'}, {rested: true})")
    page.locator("#turn").evaluate("(part) => part.scrollIntoView()")
    way.evaluate("(way) => way.click()")
    page.wait_for_url(re.compile(r"/ar-XB/index\.html\?pos=7&map=ridge#turn$"))
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert page.evaluate("posenc.state.now.pos") == 7
    assert abs(page.locator("#turn").bounding_box()["y"]) < 200  # type: ignore[index]
    page.locator("nav.languages a[lang=en]").evaluate("(way) => way.click()")
    page.wait_for_url(re.compile(r"site/index\.html\?pos=7&map=ridge#turn$"))


def test_the_links_between_pages_stay_in_the_language(page: Page, spoken: Path) -> None:
    opened(page, spoken, "ar-XB/index.html")
    page.locator("nav.pages a").nth(1).click()
    page.wait_for_url(re.compile(r"/ar-XB/instrument\.html"))
    expect(page.locator("html")).to_have_attribute("lang", "ar-XB")
    assert page.evaluate("document.body.dataset.plotly").startswith("../assets/plotly.min.")


@pytest.mark.plotly
def test_the_hover_label_has_the_language_s_decimal_sign(page: Page, spoken: Path) -> None:
    opened(page, spoken, "en-XA/instrument.html")
    box = page.locator("[data-heatmap=panel]")
    box.scroll_into_view_if_needed()
    expect(box).to_have_attribute("data-state", "plot", timeout=20_000)
    cells = box.locator(".heatmap-art").bounding_box()
    assert cells
    page.mouse.move(cells["x"] + 5, cells["y"] + cells["height"] * 0.11)
    page.mouse.move(cells["x"] + 8, cells["y"] + cells["height"] * 0.11)
    expect(box.locator(".hoverlayer")).to_contain_text(re.compile(r"\d,\d{4}"))
