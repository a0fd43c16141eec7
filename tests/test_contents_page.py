"""The way through the pages: contents that follow the reader, and links from part to part and window to window."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from posenc.web import content
from posenc.web.words import PARTS
from tests.checkout import ROOT
from tests.played import address, settle
from tests.rendered import pages, rendered

WORDS = {name: content.read(ROOT / f"content/en/{name}.md", Path(name)) for name in ("explainer", "instrument", "site")}
TITLES = [section.title for section in WORDS["explainer"].sections.values()]
BEFORE, NEXT = (WORDS["site"].fields[f"onward.{way}"] for way in ("previous", "next"))
# Where the reader is, by every sign that the page gives: the list beside the text, or the line over it.
SIGNS = """() => {
    const inside = ({ top, bottom, width }) => width > 0 && bottom > 0 && top < innerHeight;
    const shown = (element) => element.checkVisibility() && inside(element.getBoundingClientRect());
    return [...document.querySelectorAll("[data-at], [aria-current='location']")]
        .filter(shown).map((element) => element.textContent);
}"""


@pytest.fixture
def open_page(page: Page, site: Path) -> Page:
    page.goto(address(site))
    return page


def go(page: Page, part: str, where: str = "start") -> None:
    """Brings the part's beginning or end into the middle of the window, as scrolling does."""
    target = f"#{part} h2" if where == "start" else f"#{part} .onward"
    page.locator(target).evaluate("(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.evaluate("scrollBy({ top: innerHeight / 5, behavior: 'instant' })" if where == "start" else "0")
    settle(page)
    settle(page)


def read(page: Page, within: str) -> list[str]:
    found: list[str] = page.locator(f"{within} li[data-read] > a").all_text_contents()
    return found


def test_beside_the_text_the_part_at_hand_is_marked_and_told_and_nothing_moves_or_is_covered(open_page: Page) -> None:
    page = open_page
    page.set_viewport_size({"width": 1440, "height": 900})
    tops = "[...document.querySelectorAll('#contents li, .part')].map((e) => [e.offsetTop, e.offsetHeight])"
    before = page.evaluate(tops)
    assert page.evaluate(SIGNS) == []
    for number, (part, title) in enumerate(zip(PARTS, TITLES, strict=True), 1):
        go(page, part)
        told = f"Part {number} of {len(PARTS)}"
        page.wait_for_function("(told) => document.querySelector('#contents p').textContent === told", arg=told)
        assert page.evaluate(SIGNS) == [told, title]
        expect(page.locator("#contents")).to_be_in_viewport()
        assert page.evaluate(
            "document.querySelector('#contents > div').getBoundingClientRect().right"
        ) <= page.evaluate(
            "Math.min(...[...document.querySelectorAll('main > section *')]"
            ".map((e) => e.getBoundingClientRect()).filter((box) => box.width > 1).map((box) => box.left))"
        )
    assert page.evaluate(tops) == before
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.wait_for_function("() => !document.querySelector('#contents [aria-current]')")
    assert page.evaluate(SIGNS) == []


def test_a_part_is_read_when_its_end_was_seen_and_not_when_a_link_jumped_past_it(open_page: Page) -> None:
    page = open_page
    go(page, "turn")
    expect(page.locator("#contents [aria-current]")).to_have_text(TITLES[5])
    assert read(page, "#contents") == []
    page.locator("#contents a", has_text="Coda").evaluate("(link) => link.click()")
    expect(page.locator("#contents [aria-current]")).to_have_text("Coda")
    assert read(page, "#contents") == []
    go(page, "wave", "end")
    expect(page.locator("#contents li[data-read]")).to_have_count(1)
    assert read(page, "#contents") == read(page, "#along") == [TITLES[2]]
    item = page.locator("#contents li[data-read]")
    assert (item.text_content() or "").endswith(f" {WORDS['explainer'].fields['script.contents.read']}")
    mark = "(item) => getComputedStyle(item, '::after').content"
    assert item.evaluate(mark).startswith('"✓"')


@pytest.mark.parametrize("width", [360, 768])
def test_where_there_is_no_room_one_line_tells_the_part_and_opens_the_list(open_page: Page, width: int) -> None:
    page = open_page
    page.set_viewport_size({"width": width, "height": 740})
    line, summary = page.locator("#along"), page.locator("#along summary")
    settle(page)
    height = page.evaluate("document.documentElement.scrollHeight")
    expect(line).to_be_hidden()
    go(page, "stack")
    expect(line).to_be_visible()
    expect(page.locator("#along [aria-current]")).to_have_text(TITLES[3])
    assert page.evaluate(SIGNS) == [f"Part 4 of {len(PARTS)}", TITLES[3]]
    box = line.bounding_box()
    assert box is not None
    assert (box["y"], box["width"]) == (0, width)
    assert 24 <= box["height"] <= 44
    assert page.evaluate("document.documentElement.scrollHeight") == height
    summary.focus()
    page.keyboard.press("Enter")
    expect(line.locator("li").last).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(line.locator("li").last).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    line.get_by_role("link", name=TITLES[6]).click()
    expect(line.locator("li").last).to_be_hidden()
    expect(page.locator("#along [aria-current]")).to_have_text(TITLES[6])
    heading = page.locator("#address .part-mark").bounding_box()
    assert heading is not None
    assert heading["y"] > box["height"]
    page.set_viewport_size({"width": width, "height": 300})
    expect(line).to_be_hidden()


def test_without_scripts_the_contents_are_a_list_of_links_and_nothing_more(still: Page) -> None:
    links = still.locator("#contents ol a")
    assert links.all_text_contents() == TITLES
    assert [link.get_attribute("href") for link in links.all()] == [f"#{part}" for part in PARTS]
    assert still.evaluate(SIGNS) == []
    expect(still.locator("#along")).to_be_hidden()


def test_on_paper_the_contents_are_a_list_without_marks_and_nothing_leads_onward(open_page: Page) -> None:
    page = open_page
    page.set_viewport_size({"width": 1440, "height": 900})
    go(page, "wave", "end")
    expect(page.locator("#contents li[data-read]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.locator("#contents ol")).to_be_visible()
    for hidden in ("#along", ".parts-told", ".onward", ".glossary .met"):
        assert not any(each.is_visible() for each in page.locator(hidden).all())
    marks = "[...document.querySelectorAll('#contents li, #contents a')].flatMap((e) => ['::before', '::after'].map("
    assert set(
        page.evaluate(f"{marks}(at) => getComputedStyle(e, at).display === 'none' || getComputedStyle(e, at).content))")
    ) <= {True, "none"}
    assert page.evaluate("getComputedStyle(document.getElementById('contents')).position") == "static"


def onward(html: str, section: str) -> list[tuple[str, str, str]]:
    """(word, address, title) of the links at the end of a part or window."""
    end = html[html.index(f'id="{section}"') :].split("</section>", maxsplit=1)[0].split('<div class="onward">')[1]
    return re.findall(r'<p[^>]*><span>(.*?)</span> <a href="(.*?)"[^>]*>(.*?)</a></p>', end)


def test_every_part_leads_to_its_neighbours_by_name_and_the_last_to_the_instrument() -> None:
    html = pages(rendered())["index.html"]
    for number, part in enumerate(PARTS):
        expected = [(BEFORE, f"#{PARTS[number - 1]}", TITLES[number - 1])] if number else []
        if number + 1 < len(PARTS):
            expected.append((NEXT, f"#{PARTS[number + 1]}", TITLES[number + 1]))
        else:
            expected.append((NEXT, "instrument.html", WORDS["site"].fields["nav.instrument"]))
        assert onward(html, part) == expected


def test_every_window_leads_to_its_neighbours_by_number_and_title() -> None:
    html = pages(rendered())["instrument.html"]
    titles = [WORDS["instrument"].sections[f"window-{number}"].title for number in range(9)]
    for number in range(9):
        expected = [(BEFORE, f"#window-{number - 1}", titles[number - 1])] if number else []
        expected += [(NEXT, f"#window-{number + 1}", titles[number + 1])] if number < 8 else []
        assert onward(html, f"window-{number}") == expected
