"""Both pages on paper, A4 and Letter, through Chromium's own PDF: short, whole, light, and with what folds open."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdfium2 import PdfDocument

SIZES = {"A4": (182, 210), "Letter": (187.9, 215.9)}  # mm: between the margins, and the sheet
MOST_PAGES = 14
PAGES = {"index.html": "?pos=11", "instrument.html": "?pos=11"}

# Texts that reach over the edge of the column in which they begin; what spans the columns has the page's edge.
OVER_THE_EDGE = """(main) => {
  const style = getComputedStyle(main);
  const { left, width } = main.getBoundingClientRect();
  const gap = parseFloat(style.columnGap);
  const column = (width - gap) / 2;
  const over = [];
  const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const holder = node.parentElement;
    if (!node.data.trim() || !holder.checkVisibility() || holder.closest(".visually-hidden, script")) continue;
    const spans = holder.closest(".opening, .parts, .glossary");
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const start = rect.left - left;
      const edge = spans || start > column + gap - 2 ? width : column;
      if (rect.right - left > edge + 1 || start < -1) over.push(node.data.trim().slice(0, 40));
    }
  }
  return over;
}"""
# Text that is read, and not looked at in a drawing, a table or a badge, below 8.5 points.
SMALL = """() => {
  const small = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    const aside = holder.closest("svg, math, sup, sub, table, pre, script, .claim, .plate, .angles, .hash")
      ?? holder.closest(".visually-hidden, .heatmap, .heatmap-scale");
    if (walk.currentNode.data.trim() && holder.checkVisibility() && !aside) {
      const points = parseFloat(getComputedStyle(holder).fontSize) * 0.75;
      if (points < 8.5) small.push([points, holder.className, walk.currentNode.data.trim().slice(0, 40)]);
    }
  }
  return small;
}"""
# What is shown as text, but for formulas and drawings, whose texts a PDF has in an order of its own.
TEXTS = """() => {
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    const aside = holder.closest("svg, math, script, .visually-hidden");
    if (walk.currentNode.data.trim() && holder.checkVisibility({ visibilityProperty: true }) && !aside) {
      texts.push(walk.currentNode.data);
    }
  }
  return texts;
}"""
BROKEN = 40  # characters: a shorter text is found anywhere in two pieces
# Every figure's signs beside its numbers: where the mask lets through, and where the number is below zero.
SIGNS = """async (box) => {
  const image = new Image();
  image.src = box.querySelector(".heatmap-below image").getAttribute("href");
  await image.decode();
  const sheet = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = sheet.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const { z } = JSON.parse(box.querySelector("script").textContent).data[0];
  return z.flat().filter((value, at) => (value < 0) !== (data[4 * at] > 127)).length;
}"""


FOLDS = "[...document.querySelectorAll('main details')].map((details) => details.open)"


@dataclass(frozen=True, slots=True)
class Print:
    """A page as it was printed, and what stood on it."""

    sheets: dict[str, list[str]]
    missing: list[str]
    titles: list[str]
    answers: list[str]
    links: list[str]
    light: bytes
    dark: bytes


def run_on(text: str) -> str:
    """Text as paper and page have it alike: without spaces, which a PDF places as it likes, and with the hyphens at
    the ends of lines, which its reader marks."""
    return re.sub(r"[\s\u00ad]", "", text.replace("ﬁ", "fi").replace("ﬂ", "fl").replace("\ufffe", "-"))


def undated(pdf: bytes) -> bytes:
    return re.sub(rb"/(CreationDate|ModDate) \(.*?\)", b"", pdf)


def sheets(pdf: bytes) -> list[str]:
    """The text of each sheet; what lies beyond its edges is not in it."""
    return [run_on(sheet.get_textpage().get_text_range()) for sheet in PdfDocument(pdf)]


def missing(page: Page, sheets: list[str]) -> list[str]:
    """The texts that are shown in print and are on no sheet, in one piece or broken in two by a sheet's end."""
    page.emulate_media(media="print")
    texts: list[str] = page.evaluate(TEXTS)
    page.emulate_media(media="screen")
    whole = "".join(re.sub(r"^\d+/\d+", "", sheet) for sheet in sheets)

    def there(text: str) -> bool:
        cuts = range(1, len(text))
        return text in whole or any(text[:cut] in whole and text[cut:] in whole for cut in cuts if len(text) > BROKEN)

    return [text for text in texts if not there(run_on(text))]


@pytest.fixture(scope="module")
def opened(browser: Browser, site: Path) -> Iterator[dict[str, Page]]:
    """Both pages as a reader has them who has moved to slot 11, Plotly left out."""
    context = browser.new_context(offline=True)
    pages = {}
    for name, query in PAGES.items():
        page = context.new_page()
        page.route("**/plotly*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
        page.goto((site / name).as_uri() + query)
        if name == "instrument.html":
            expect(page.locator("#runs")).to_have_attribute("data-runs", "1")
        pages[name] = page
    yield pages
    context.close()


@pytest.fixture(scope="module", params=PAGES)
def printed(request: pytest.FixtureRequest, opened: dict[str, Page]) -> Print:
    page = opened[request.param]
    page.emulate_media(media=None, color_scheme="light")
    pdfs = {size: page.pdf(format=size) for size in SIZES}
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(color_scheme="dark")
    dark = page.pdf(format="A4")
    page.evaluate("delete document.documentElement.dataset.theme")
    printed = {size: sheets(pdf) for size, pdf in pdfs.items()}
    return Print(
        printed,
        [text for each in printed.values() for text in missing(page, each)],
        page.locator(".part h2, .window-title").all_text_contents(),
        page.locator(".question details p").all_text_contents(),
        page.locator("main a[href^=http]").evaluate_all("all => all.map(a => a.getAttribute('href'))"),
        undated(pdfs["A4"]),
        undated(dark),
    )


def test_a_page_takes_at_most_fourteen_sheets_and_each_is_numbered(printed: Print) -> None:
    for size, sheets in printed.sheets.items():
        assert len(sheets) <= MOST_PAGES, size
        for number, text in enumerate(sheets, 1):
            assert f"{number}/{len(sheets)}" in text, size


def test_all_titles_answers_and_addresses_are_on_paper_as_the_reader_left_the_page(printed: Print) -> None:
    assert len(printed.titles) == 9
    assert printed.links
    for size, sheets in printed.sheets.items():
        text = "".join(re.sub(rf"{number}/{len(sheets)}", "", sheet) for number, sheet in enumerate(sheets, 1))
        for words in (*printed.titles, *printed.answers, *(f"({link})" for link in printed.links)):
            assert run_on(words) in text, (size, words)
        assert "slot11" in text or "position11" in text


def test_every_text_that_paper_should_have_is_on_a_sheet(printed: Print) -> None:
    assert printed.missing == []


def test_a_text_beyond_the_edge_is_missed(opened: dict[str, Page]) -> None:
    page = opened["instrument.html"]
    moved = page.locator("#window-8 p").first
    moved.evaluate("(text) => { text.style.translate = '-600px'; }")
    lost = missing(page, sheets(page.pdf(format="A4")))
    moved.evaluate("(text) => { text.style.translate = ''; }")
    assert any(text in (moved.text_content() or "") for text in lost)


def test_paper_has_the_colours_of_the_light_scheme_whatever_was_chosen(printed: Print) -> None:
    assert printed.light == printed.dark


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("size", ["A4", pytest.param("Letter", marks=pytest.mark.long)])
def test_on_paper_nothing_reaches_over_its_column_and_text_can_be_read(
    opened: dict[str, Page], name: str, size: str
) -> None:
    page = opened[name]
    page.set_viewport_size({"width": int(SIZES[size][0] / 25.4 * 96), "height": 980})
    page.emulate_media(media="print")
    columns = page.locator(".explainer main, .bench")
    assert columns.evaluate(OVER_THE_EDGE) == []
    assert page.evaluate(SMALL) == []
    page.emulate_media(media="screen")


def test_a_line_that_does_not_break_is_found_over_the_edge(opened: dict[str, Page]) -> None:
    page = opened["instrument.html"]
    page.set_viewport_size({"width": 688, "height": 980})
    page.emulate_media(media="print")
    assert page.locator(".bench").evaluate(OVER_THE_EDGE) == []
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("pre { white-space: pre !important; }");
      document.adoptedStyleSheets = [sheet];
    }""")
    assert page.locator(".bench").evaluate(OVER_THE_EDGE) != []
    page.evaluate("document.adoptedStyleSheets = []")
    page.emulate_media(media="screen")


@pytest.mark.parametrize("name", PAGES)
def test_on_paper_everything_is_open_and_nothing_can_be_pressed(opened: dict[str, Page], name: str) -> None:
    page = opened[name]
    page.emulate_media(media="print")
    folded = "details:not(.numbers, .along *) :is(p:not([hidden]), pre, td)"
    closed = """async (all) => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return all.filter((each) => !each.checkVisibility()).length;
    }"""
    assert page.locator(folded).evaluate_all(closed) == 0
    pressed = (
        "button:not(.stop), select, input[type=range], input[type=checkbox], input[type=text], .windows a, .pages a"
    )
    assert not [each for each in page.locator(pressed).all() if each.is_visible()]
    page.emulate_media(media="screen")


@pytest.mark.parametrize("name", PAGES)
def test_where_a_sheet_cannot_open_what_folds_a_script_does_and_folds_it_again(
    page: Page, site: Path, name: str
) -> None:
    page.add_init_script("CSS.supports = (condition) => !condition.includes('details-content');")
    page.goto((site / name).as_uri())
    page.locator("main summary").last.click()
    before = page.evaluate(FOLDS)
    assert {True, False} <= set(before)
    page.evaluate("['beforeprint', 'beforeprint'].forEach((name) => dispatchEvent(new Event(name)))")
    assert set(page.evaluate(FOLDS)) == {True}
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(FOLDS) == before


@pytest.mark.parametrize("name", PAGES)
def test_without_colours_a_dash_tells_what_lies_below_zero(opened: dict[str, Page], name: str) -> None:
    page = opened[name]
    boxes = page.locator("[data-heatmap]").all()
    assert boxes
    for box in boxes:
        dashes = box.locator("svg.heatmap-below")
        assert dashes.is_hidden()
        page.emulate_media(media="print")
        assert dashes.is_visible()
        assert box.evaluate(SIGNS) == 0
        page.emulate_media(media="screen")
    bluish = """(all) => all.filter((cell) => {
      const colour = cell.getAttribute("fill");
      return (colour.slice(1, 3) < colour.slice(5)) !== cell.matches(".below");
    }).length"""
    strips = page.locator(".strip rect, .row-strip rect")
    assert strips.evaluate_all(bluish) == 0
    if name == "index.html":
        assert page.locator(".below").count() > 50


def test_the_signs_follow_a_table_that_was_changed(opened: dict[str, Page]) -> None:
    page = opened["instrument.html"]
    page.evaluate("""() => {
      const heatmap = posenc.heatmap("panel");
      const z = JSON.parse(document.querySelector("[data-heatmap=panel] script").textContent).data[0].z;
      heatmap.update({ z: z.map((row) => row.map((value) => -value)) });
      dispatchEvent(new Event("beforeprint"));
    }""")
    turned = page.locator("[data-heatmap=panel]").evaluate(SIGNS)
    page.evaluate("""() => posenc.heatmap("panel").update({
      z: JSON.parse(document.querySelector("[data-heatmap=panel] script").textContent).data[0].z,
    })""")
    assert turned > 900  # all but the few that are zero
