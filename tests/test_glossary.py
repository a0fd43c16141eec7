"""The glossary: every term is linked where a page first says it, and is explained beside its link."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc.web import content, glossary, words
from posenc.web.languages import SOURCE
from tests.checkout import ROOT
from tests.played import address
from tests.rendered import pages, rendered

EXPLAINER, INSTRUMENT, GLOSSARY = (f"content/en/{name}.md" for name in ("explainer", "instrument", "glossary"))
WANTED = {"token", "slot", "pair", "frequency", "wavelength", "length", "rotation", "equivariant"}


def of(root: Path) -> words.Words:
    """The words of the source language."""
    return words.read(root)[SOURCE]


@pytest.fixture(scope="module")
def read() -> words.Words:
    return of(ROOT)


def problems(read: words.Words) -> list[str]:
    terms = {f"term:{name}" for name in read.glossary.sections}
    others = {name for page in read.pages() for name, _, _ in page.slots() if not name.startswith("term:")}
    found = [problem for page in read.pages() for problem in content.require_slots(page, terms | others)]
    return list(map(str, [*found, *glossary.require_terms(read.glossary, read.pages(), set())]))


def test_every_term_is_linked_once_where_it_is_first_said_and_none_lies_unused(read: words.Words) -> None:
    assert problems(read) == []
    assert set(read.glossary.sections) >= WANTED
    linked = {name for name, _, _ in read.explainer.slots() if name.startswith("term:")}
    assert len(linked) > 25


def test_every_term_but_those_of_the_lead_says_where_it_was_met_and_the_build_found_out(read: words.Words) -> None:
    met = {entry.id: entry.met for entry in glossary.entries(read.glossary, read.pages())}
    assert met["token"] == met["slot"] == met["pair"] == ""
    assert (met["attention"], met["score"], met["one-hot"]) == ("part:order", "part:turn", "window:1")
    assert list(met) == sorted(met, key=lambda term: read.glossary.sections[term].title.casefold())


FIRST = "*[[ term:shift ]]*"
SABOTEURS: dict[str, tuple[str, str, str, str]] = {
    "a first mention without its link": (EXPLAINER, FIRST, "*shift*", "first word of the term shift: link it"),
    "a mention before the link": (
        EXPLAINER,
        "Every slot has",
        "In a shift, every slot has",
        "first word of the term shift: link it",
    ),
    "a mention in a caption that is read before": (
        EXPLAINER,
        "figure.margin.caption: ",
        "figure.margin.caption: A rotation. ",
        "first word of the term rotation: link it",
    ),
    "a mention in a question": (EXPLAINER, "question.turn.ask: ", "question.turn.ask: A shift? ", "of the term shift"),
    "a link too many": (EXPLAINER, "Where you began", f"A {FIRST}: where you began", "the term shift is linked once"),
    "an unknown term": (EXPLAINER, "term:shift", "term:shif", "[[ term:shif ]]; did you mean term:shift?"),
    "a term without its name": (EXPLAINER, "term:shift", "term:shift|", "is not a slot name"),
    "a link in a label alone": (
        INSTRUMENT,
        "windows.label: The nine",
        "windows.label: [[ term:tie ]]",
        "the term tie is linked only where no sentence is read",
    ),
    "a term that no page links": (
        GLOSSARY,
        "## token",
        "## Idle {#idle}\n\nX.\n\n## token",
        "no page links the term idle",
    ),
    "a term without a definition": (GLOSSARY, "A shuffle: the same things in another order.", "", "in one paragraph"),
}


@pytest.mark.parametrize("saboteur", SABOTEURS)
def test_a_slip_of_a_term_is_told_with_its_file_and_line(tmp_path: Path, saboteur: str) -> None:
    name, old, new, said = SABOTEURS[saboteur]
    shutil.copytree(ROOT / "content", tmp_path / "content")
    text = (tmp_path / name).read_text("utf-8")
    assert text.count(old) == 1, f"{name} no longer holds {old!r} once: the saboteur must be mended"
    (tmp_path / name).write_text(text.replace(old, new), "utf-8", newline="\n")
    found = problems(of(tmp_path))
    assert any(re.match(rf"{name}:\d+:\d+: error: .*{re.escape(said)}", each) for each in found), found


def test_a_key_for_a_term_that_is_not_there_is_a_key_that_nothing_uses(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "content", tmp_path / "content")
    path = tmp_path / GLOSSARY
    path.write_text(path.read_text("utf-8").replace("forms.token:", "forms.tokn:"), "utf-8")
    used: set[str] = set()
    there = of(tmp_path)
    list(glossary.require_terms(there.glossary, there.pages(), used))
    assert set(there.glossary.fields) - used == {"forms.tokn"}


def test_a_term_stands_in_its_sentence_in_the_sentences_own_words(read: words.Words) -> None:
    assert ">pairs</a>" in glossary.link(read.glossary, "pair|pairs")
    assert glossary.link(read.glossary, "pair | a <pair> ").endswith(">a &lt;pair&gt;</a>")
    assert (
        glossary.link(read.glossary, "pair")
        == '<a class="term" href="#term-pair" aria-describedby="term-pair-is">pair</a>'
    )


def test_each_page_ends_with_the_whole_glossary(read: words.Words) -> None:
    for name in ("index.html", "instrument.html"):
        page = pages(rendered())[name]
        told = re.findall(r'<dt id="term-([\w-]+)"><dfn>(.*?)</dfn></dt>', page[page.rindex('id="glossary"') :])
        assert dict(told) == {term: section.title for term, section in read.glossary.sections.items()}


@pytest.fixture
def open_page(page: Page, site: Path) -> Page:
    page.goto(address(site))
    return page


def term(page: Page, name: str) -> Locator:
    return page.locator(f'a.term[href="#term-{name}"]')


def test_a_definition_shows_on_focus_and_hover_moves_nothing_and_is_put_away(open_page: Page) -> None:
    page, link, tip = open_page, term(open_page, "tie"), open_page.locator(".tip")
    definition = page.locator("#term-tie-is").text_content() or ""
    expect(link).to_have_accessible_description(definition)
    sizes = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    link.scroll_into_view_if_needed()
    before = (link.bounding_box(), page.evaluate(sizes))
    expect(tip).to_be_hidden()

    term(page, "resolution").focus()
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    expect(tip).to_have_text(definition)
    assert (link.bounding_box(), page.evaluate(sizes)) == before
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(tip).to_have_text(page.locator("#term-resolution-is").text_content() or "")
    page.evaluate("document.activeElement.blur()")
    expect(tip).to_be_hidden()

    link.hover()
    expect(tip).to_have_text(definition)
    box = tip.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + 9, steps=4)
    page.wait_for_timeout(400)
    expect(tip).to_be_visible()  # it stays while the pointer is on it
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    link.hover()
    page.mouse.move(1, 1)
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("width", [320, 1440])
def test_a_definition_keeps_within_the_window(open_page: Page, width: int) -> None:
    open_page.set_viewport_size({"width": width, "height": 500})
    links = open_page.locator("a.term")
    assert links.count() > 25
    for place in ("start", "end"):
        boxes: list[list[float]] = links.evaluate_all(
            """(links, block) => links.map((link) => {
                link.scrollIntoView({ block });
                link.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" }));
                const box = document.querySelector(".tip").getBoundingClientRect();
                return [box.left, document.documentElement.clientWidth - box.right, box.top, innerHeight - box.bottom];
            })""",
            place,
        )
        assert min(min(box) for box in boxes) >= 0


def test_the_first_touch_shows_and_the_second_follows(browser: Browser, site: Path) -> None:
    context = browser.new_context(offline=True, has_touch=True, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(address(site))
    link, tip = term(page, "attention"), page.locator(".tip")
    link.tap()
    expect(tip).to_be_visible()
    assert "#term" not in page.url
    page.locator("#order h2").tap()
    expect(tip).to_be_hidden()
    link.tap()
    link.tap()
    expect(tip).to_be_hidden()
    assert page.url.endswith("#term-attention")
    expect(page.locator("#term-attention")).to_be_in_viewport()
    context.close()


def test_without_scripts_a_term_is_a_link_to_its_entry(browser: Browser, site: Path) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    for name, path in (("tie", "index.html"), ("one-hot", "instrument.html")):
        page.goto((site / path).as_uri())
        assert page.locator(".tip").count() == 0
        term(page, name).click()
        expect(page.locator(f"#term-{name}")).to_be_in_viewport()
    context.close()
