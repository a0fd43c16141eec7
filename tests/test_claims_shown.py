"""Whatever a page claims says how it is known: `data-claim`, seen as a badge or carried by the element.

A claim element is, on the finished pages,
- every caption, of a figure or of a table;
- every claim of the witness, every grave, every cell of the trial, every answer to a question;
- every paragraph, list item, reading and table cell that holds a number which the build computed.

Its status is a badge in it, the data-claim of itself or of what it stands in, or a badge in the caption of its figure
or table. Not claims: what the reader set, what the build was set to, and the numbers that are the names of windows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest

from posenc.web.words import STATUSES
from tests.typed import CLOSE, MARK, NAMED, OPEN, Built, build

PAGES = ("index.html", "instrument.html")
CAPTIONS = {"figure": "figcaption", "table": "caption"}
READINGS = ("p", "li", "dd", "td")
BLOCKS = {*READINGS, "ol", "ul", "dl", "table", "figure"}
UNREAD = ("svg", "script", "noscript")  # drawings, data, and what stands in for scripts
# Slots for what was set, not found: the state at first, the build's own table, the assumptions of an experiment.
SET = re.compile(
    r"(?:config|bench|random|precision)\..*|lineage\.(?:words|width|base)|now\.(?:d|n|last|base|pos|second|k|pairs?)"
)
SLOT = re.compile(f"{OPEN}([^{NAMED}]*){NAMED}([^{CLOSE}]*){CLOSE}")
COMPUTED = re.compile(r"[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]")  # typed digits are other characters


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim element, what makes it one, and its status; None where it has none."""

    page: str
    kind: str
    text: str
    statuses: tuple[str, ...]


class Page:
    """One built page as a tree."""

    def __init__(self, built: Built, name: str) -> None:
        self.built, self.name = built, name
        self.root: Element = html5lib.parse(built.pages[name], namespaceHTMLElements=False)
        self.parent = {child: parent for parent in self.root.iter() for child in parent}

    def claims(self) -> Iterator[Claim]:
        for element in self.root.iter():
            kind = self._kind(element)
            if kind and not self._is_set(element):
                text = " ".join(self.built.read(self._text(element)).split())
                yield Claim(self.name, kind, text, tuple(self._statuses(element)))

    def _kind(self, element: Element) -> str:
        kinds = {
            "caption": element.tag in CAPTIONS.values(),
            "witness": element.get("data-invariant") is not None or element.get("id") == "agreement",
            "grave": element.get("data-grave") is not None or self._buries(element),
            "trial": element.get("data-trial") is not None,
            "answer": element.tag == "p"
            and self._within(element, "details")
            and self._within(element, "div", "question"),
            "number": element.tag in READINGS and not self._holds_blocks(element) and self._computed(element),
        }
        return next((kind for kind, it_is in kinds.items() if it_is), "")

    def _buries(self, element: Element) -> bool:
        """The first graves are paragraphs of the words: **“The claim.”** and what became of it."""
        quoted = len(element) and element[0].tag == "strong" and (element[0].text or "").startswith("“")
        return element.tag == "p" and bool(quoted) and not self._within(element, "li", "grave")

    def _is_set(self, element: Element) -> bool:
        """What the reader set, what the build was set to, a list of windows."""
        names = {(each.tag, each.get("id")) for each in self._line(element)}
        return ("div", "state-bar") in names or element.get("data-built") is not None or self._within(element, "nav")

    def _statuses(self, element: Element) -> Iterator[str]:
        yield from _badges(element)
        for each in self._line(element):
            yield from filter(None, [each.get("data-claim")])
            for caption in each.iter(CAPTIONS[each.tag]) if each.tag in CAPTIONS else ():
                yield from _badges(caption)

    def _computed(self, element: Element) -> bool:
        text = SLOT.sub(lambda slot: "" if SET.fullmatch(slot[1]) else slot[2], self._text(element))
        return bool(COMPUTED.search(MARK.sub("", text)))

    def _text(self, element: Element) -> str:
        """What is read in an element, without the numbers of the windows that it links."""
        pieces = [element.text or ""]
        for child in element:
            silent = child.tag in UNREAD or child.get("class") == "cross"
            pieces += ["" if silent else self._text(child), child.tail or ""]
        return "".join(pieces)

    def _holds_blocks(self, element: Element) -> bool:
        return any(each.tag in BLOCKS for each in element.iter() if each is not element)

    def _within(self, element: Element, tag: str, name: str = "") -> bool:
        return any(each.tag == tag and name in (each.get("class") or "") for each in self._line(element))

    def _line(self, element: Element | None) -> Iterator[Element]:
        """The element and all that it stands in."""
        while element is not None:
            yield element
            element = self.parent.get(element)


def _badges(element: Element) -> list[str]:
    return [status for each in element.iter() if (status := each.get("data-claim")) is not None]


def all_claims(built: Built) -> list[Claim]:
    return [claim for name in PAGES for claim in Page(built, name).claims()]


def without(claims: list[Claim]) -> list[Claim]:
    """The claims that do not say how they are known, or say it in no known word."""
    return [claim for claim in claims if not claim.statuses or not set(claim.statuses) <= set(STATUSES)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("claims"))


@pytest.fixture(scope="module")
def claims(built: Built) -> list[Claim]:
    return all_claims(built)


def test_every_claim_says_how_it_is_known(claims: list[Claim]) -> None:
    assert without(claims) == []


def test_every_kind_of_claim_is_there(claims: list[Claim]) -> None:
    found = [(claim.page, claim.kind) for claim in claims]
    assert found.count(("instrument.html", "witness")) == 6
    assert found.count(("instrument.html", "grave")) == 16
    assert found.count(("instrument.html", "trial")) == 36
    assert found.count(("index.html", "answer")) == 7
    for page in PAGES:
        assert found.count((page, "caption")) >= 5
        assert found.count((page, "number")) >= 40


def test_every_status_is_in_use_and_listed_at_the_foot_of_each_page(built: Built) -> None:
    for name in PAGES:
        statuses = _badges(Page(built, name).root)
        assert set(statuses) == set(STATUSES)
        assert tuple(statuses[-len(STATUSES) :]) == STATUSES


def test_a_badge_says_its_status_in_a_word_and_nothing_else(built: Built) -> None:
    for name in PAGES:
        badges = [each for each in Page(built, name).root.iter() if each.get("class") == "claim"]
        assert badges
        assert {(badge.get("data-claim"), badge.text) for badge in badges} == {(each, each) for each in STATUSES}


@dataclass(frozen=True, slots=True)
class Saboteur:
    """A badge or a data-claim that is taken away, and a claim that is found then, by its kind and first words."""

    path: str
    told: str
    kind: str
    words: str

    @property
    def untold(self) -> str:
        return re.sub(r' data-claim="\w+"| \[\[ claim:\w+ \]\]', "", self.told)


WORDS, BENCH = "content/en/explainer.md", "content/en/instrument.md"
WITNESS, MODEL = "templates/figures/witness.html", "templates/figures/model.html"
SABOTEURS = (
    Saboteur(WORDS, "No two columns are alike. [[ claim:checked ]]", "caption", "What this page is about."),
    Saboteur(BENCH, "at this width (positions: {rows}) [[ claim:checked ]]", "caption", "Re-proved by the build"),
    Saboteur(BENCH, "no Rₖ joins the two. [[ claim:checked ]]", "grave", "“The i in 2i/d counts columns.”"),
    Saboteur(WORDS, "[[ question.round ]] away. [[ claim:checked ]]", "answer", "Those of its neighbours"),
    Saboteur(WORDS, "only [[ turn.last-angle ]]. [[ claim:checked ]]", "number", "Each pair has its own angle."),
    Saboteur(BENCH, "no shift is shared. [[ claim:measured ]]", "number", "Random table."),
    Saboteur(BENCH, "on a text of {rows} positions [[ claim:checked ]]", "trial", "1 pass"),
    Saboteur(WITNESS, '="{{ invariant.name }}" data-claim="checked"', "witness", "bounded holds"),
    Saboteur(MODEL, '<dl class="readouts two" data-claim="checked">', "number", "19,869.2"),
)
NO_STATUS = ("templates/row.html", 'data-claim="checked"', 'data-claim="certain"')


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> list[Claim]:
    """The claims without a status when all saboteurs have been at work."""

    def edit(root: Path) -> None:
        for name, old, new in [*((each.path, each.told, each.untold) for each in SABOTEURS), NO_STATUS]:
            text = (root / name).read_text("utf-8")
            assert old in text, f"{name} no longer holds {old!r}: the saboteur must be mended"
            (root / name).write_text(text.replace(old, new, 1), "utf-8", newline="\n")

    return without(all_claims(build(tmp_path_factory.mktemp("sabotaged"), edit)))


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: f"{saboteur.kind} {saboteur.words}")
def test_a_claim_without_its_status_is_found(left: list[Claim], saboteur: Saboteur) -> None:
    assert any(claim.kind == saboteur.kind and claim.text.startswith(saboteur.words) for claim in left)


def test_cells_stand_or_fall_with_the_caption_of_their_table(left: list[Claim]) -> None:
    bases = [claim.text for claim in left if claim.kind == "number" and claim.text.endswith("/ 5")]
    assert len(bases) == 4


def test_a_status_that_nobody_knows_is_none(left: list[Claim]) -> None:
    assert {"certain" in claim.statuses for claim in left if claim.statuses} == {True}
