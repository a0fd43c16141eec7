"""The explainer is easy to read: its prose, measured by textstat as Flesch-Kincaid grades, and the length of sentences.

textstat would fetch a dictionary of syllables over the network. Without one it counts by hyphenation, which it brings
along, and which finds a few syllables too few: on this page up to 0.7 of a grade, for which a whole grade is kept.
"""

import importlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import chain

import html5lib
import nltk
import pytest
import textstat

from posenc.web.words import PARTS
from tests.rendered import pages, rendered

Element = ET.Element
GRADE, KEPT = 9.0, 1.0
LONGEST = 32  # words of a sentence
PARAGRAPH = 15  # words from which a paragraph or caption has a grade of its own; below, one long word decides
UNREAD = ("math", "svg", "table", "input", "button")
BLOCKS = ("p", "li", "legend", "label", "dd")
NUMBER = re.compile(r"(?:[−-]?\d[\d,.]*\d|[−-]?\d)(?:\s*×\s*10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?[°%]?")


@pytest.fixture(scope="module", autouse=True)
def by_hyphenation() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        counting = importlib.import_module("textstat.backend.counts._count_syllables")
        patch.setattr(counting, "get_cmudict", lambda language: None)
        patch.setattr(nltk, "download", lambda *what, **how: pytest.fail(f"textstat would download {what}"))
        yield


@pytest.fixture(scope="module")
def html() -> str:
    return pages(rendered())["index.html"]


def classes(element: Element) -> set[str]:
    return set((element.get("class") or "").split())


def prose(html: str) -> dict[str, list[str]]:
    """Paragraphs, captions, questions and their answers by part; the lead is `opening`. Not read: formulas, numbers,
    badges, tables, the controls of figures, references, and what is the same in every part."""
    root = html5lib.parse(html, namespaceHTMLElements=False)
    parts = {"opening": next(each for each in root.iter("header") if "opening" in classes(each))}
    parts |= {each.get("id") or "": each for each in root.iter("section") if "part" in classes(each)}
    return {name: [text for each in _blocks(part) if (text := _text(each))] for name, part in parts.items()}


def _blocks(element: Element) -> Iterator[Element]:
    """What is read of an element, block by block; a figure is read for its captions alone."""
    for child in element:
        if child.tag in BLOCKS:
            yield child
        elif child.tag == "figure" or "figure-block" in classes(child):
            for caption in child.iter("figcaption"):
                yield from [each for each in caption if each.tag == "p"] or [caption]
        elif not classes(child) & {"onward", "part-mark"} and child.tag not in ("ul", "noscript"):
            yield from _blocks(child)


def _text(element: Element) -> str:
    text = NUMBER.sub("", _words(element).replace("\u00a0", " ").replace("’", "'"))
    text = re.sub(r"arXiv\s*|[“”]|\(\s*\)", "", text).replace(" — ", ", ")
    text = re.sub(r"\s+", " ", re.sub(r"\s+([.,;:!?)])", r"\1", text)).strip()
    return text if not text or text[-1] in ".!?" else f"{text}."


def _words(element: Element) -> str:
    pieces = [element.text or ""]
    for child in element:
        silent = child.tag in UNREAD or "claim" in classes(child)
        pieces += ["" if silent else _words(child), child.tail or ""]
    return "".join(pieces)


def grade(texts: list[str]) -> float:
    return float(textstat.flesch_kincaid_grade(" ".join(texts))) + KEPT


def sentences(texts: list[str]) -> list[str]:
    return [each for text in texts for each in re.split(r"(?<=[.!?])['”)]*\s+", text)]


def hard(html: str) -> list[str]:
    """What is too hard to read, each with its grade or number of words."""
    found = prose(html)
    whole = list(chain.from_iterable(found.values()))
    groups = {"the page": whole, **{f"part {name}": texts for name, texts in found.items()}}
    groups |= {f"paragraph {text[:40]}…": [text] for text in whole if len(text.split()) >= PARAGRAPH}
    graded = [f"{name}: grade {grade(texts):.1f}" for name, texts in groups.items() if not grade(texts) <= GRADE]
    long = [f"{len(each.split())} words: {each}" for each in sentences(whole) if len(each.split()) > LONGEST]
    return graded + long


def test_the_page_each_part_and_each_paragraph_is_at_or_below_grade_nine_and_no_sentence_is_long(html: str) -> None:
    assert hard(html) == []


def test_what_is_read_is_the_prose_of_every_part(html: str) -> None:
    found = prose(html)
    assert tuple(found) == ("opening", *PARTS)
    assert all(sum(len(text.split()) for text in texts) > 50 for texts in found.values())
    whole = " ".join(chain.from_iterable(found.values()))
    for words in (
        "A language model reads numbers",
        "What this page is about.",
        "Every hand has turned",
        "Walk slots ahead, once",
        "Each hand by an angle of its own",
        "Each by an angle of its own",
        "The middle row is the turn",
        "Turn the stair",
    ):
        assert words in whole, words
    assert not re.search(r"\d|\[\[", whole)
    assert not re.search(r"\b(measured|cited|hypothesis)[.]|Before:", whole)  # badges, and the way onward


HARD = (
    "Notwithstanding considerable computational sophistication, multidimensional representational architectures "
    "necessitate unambiguous characterisation of sequential positionality, whatever individual practitioners believe."
)
LONG = "Go " + "on and " * LONGEST + "on."


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("<p>You need no mathematics", f"<p>{HARD}</p><p>You need", "paragraph Notwithstanding"),
        ("<p>The heart of", f"<p>{LONG}</p><p>The heart of", f"{2 * LONGEST + 2} words: Go on"),
        ("Turn the stair", " ".join([HARD] * 6), "paragraph On top are three starts"),
        ("<p>A language model", f"<p>{' '.join([HARD] * 300)}</p><p>A language model", "the page: grade"),
        ("<p>A language model", f"<p>{' '.join([HARD] * 300)}</p><p>A language model", "part opening: grade"),
    ],
)
def test_a_hard_or_a_long_sentence_is_found(html: str, old: str, new: str, found: str) -> None:
    assert html.replace(old, new) != html, f"the page no longer holds {old!r}: the saboteur must be mended"
    assert any(each.startswith(found) for each in hard(html.replace(old, new))), hard(html.replace(old, new))


def test_definitions_of_the_glossary_are_at_or_below_grade_nine_too(html: str) -> None:
    root = html5lib.parse(html, namespaceHTMLElements=False)
    told = [_text(each) for each in root.iter("dd") if (each.get("id") or "").startswith("term-")]
    assert len(told) > 25
    assert grade(told) <= GRADE
    assert [each for each in told if not 1 <= textstat.sentence_count(each) <= 4] == []
