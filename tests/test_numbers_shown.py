"""No number on the finished pages was typed: each came from the build, or stands in the list of REASONS below.

The pages are built from words and templates in which every typed digit was swapped for a character of its own
(tests/typed.py). Whatever of these characters is left in a built page was typed: in its text, its labels, the texts of
its scripts. Numbers in the attributes of elements are geometry, and are not looked at.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.typed import MARK, TYPED, Built, build

# Why a digit may be typed: the text in which it may, as a reader sees it. One line is one block of the page.
REASONS = {
    "an arXiv id": r"(?<=arXiv[ :])\d{4}\.\d{5}|(?<=eprint        = \")1706\.03762",
    "a year of a source": r"\((?:19|20)\d\d\)|\bal\., \d{4}\b|\bal\. \d{4}\b|Need, 2017:|vaswani2017|\"2017\"",
    "a section, table or figure of a source": r"\bsection \d(?:\.\d)?\b|\btable \d\b|\bfigure 1\b|= \"30\"",
    "an issue of a project": r"[\w-] #\d+\b",
    "a number format": r"\b(?:bfloat16|float16|float32|float64)\b|jax_enable_x64\b",
    "a name": r"\b(?:SHA-256|GPT-2|gpt-2|T5|python3|tensor2tensor|UNI-D2)\b",
    "the title of a part": r"^(?:.*: )?Why not number them 1, 2, 3\?$",
    "a dead claim, quoted": r"“10000 (?:is magic|was found)|up to 10000 · 2π.”|“The i in 2i/d|exponent 2\(i \+ 1\).”"
    r"|because of the 10000, or up to position 10000.”",
    "a faulty formula, named": r"\bcosine at 2\(i \+ 1\)|\bi for 2i\b|PE\(pos \+ 1\)|\bcounted from 1\b|\bhave 2i\b",
    "a constant of a formula": r"\b2π|\(pos,2.i(?:\+1)?\)|=1B2.i/d|=0,1,…,d/2−1|=2.π(?:ωi|·B2.i/d|.n\b)|n=0(?=\()"
    r"|√2(?= =)|√\(d/2\)",
    "the first frequency": r"\bω = 1\b(?!/)",
    "the band and the middle of its colours": r"\[−1, 1\]|−1 … \+1|−1 through 0 to \+1",
    "the first position": r"\b[Pp]ositions? 0\b|\bRows 0 and\b",
    "where an axis begins, or its middle": r"^0$|^0(?=slot|gap)",
    "a rule of the trial": r"\|value\|, at most 1$|rows, not 0$|neighbour, above 0$|widest of all k, 0$",
    "the length of a unit": r"\ball of length 1\b|\(pos, 1\)|\ba single 1\b",
    "a base of one": r"\bbase (?:below|of) 1\b",
    "an index of a program": r"arange\(0, d_model, 2[,)]|tf\.range\(0, d_model, 2,|pe\[:, [01]::2\]|axis=-1\b",
}
INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|code|em|i|math|mfrac|mi|mn|mo|mrow|mspace|mstyle|msub|msubsup|msup|mtable|mtd|mtr|munder"
    r"|small|span|strong|sub|sup|var)\b[^>]*>"
)
CROSS = re.compile(r'(<a class="cross"[^>]*>)(.*?)</a>')
ATTRIBUTE = re.compile(r'[\w-]+="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Found:
    """A run of typed digits on a built page: where it was typed, what it says there, and by what right."""

    page: str
    path: Path
    line: int
    number: str
    text: str
    reason: str | None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.number!r} was typed, in “{self.text}” of {self.page}"


def lines(page: str) -> Iterator[str]:
    """The text of a page, block by block, and every label and script's text in it."""
    for tag in re.findall(r"<[^>]*>", page):
        yield from (html.unescape(value) for value in ATTRIBUTE.findall(tag) if TYPED.search(value))
    text = re.sub(r"<[^>]*>", "\n", INLINE.sub("", CROSS.sub(r"\1\n\2\n</a>", page)))
    yield from html.unescape(text).replace('","', '"\n"').split("\n")


def typed(built: Built) -> Iterator[Found]:
    """Every run of typed digits on the pages."""
    for page, source in built.pages.items():
        for line in filter(TYPED.search, lines(source)):
            yield from _runs(built, page, MARK.sub("", line).replace("\u00a0", " "))


def _runs(built: Built, page: str, line: str) -> Iterator[Found]:
    text = built.read(line)
    assert len(line) == len(text)
    allowed = [(reason, match.span()) for reason, way in REASONS.items() for match in re.finditer(way, text)]
    for run in re.finditer(f"{TYPED.pattern}+", line):
        start, end = run.span()
        rights = (reason for reason, (first, last) in allowed if first <= start and end <= last)
        place = built.place(run[0][0])
        around = text[max(start - 40, 0) : end + 40].strip()
        yield Found(page, place.path, place.line, text[start:end], around, next(rights, None))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Found]:
    return list(typed(build(tmp_path_factory.mktemp("typed"))))


def test_every_number_on_the_pages_comes_from_the_build_or_has_a_reason(found: list[Found]) -> None:
    assert [str(one) for one in found if one.reason is None] == []


def test_every_reason_is_needed(found: list[Found]) -> None:
    assert set(REASONS) - {one.reason for one in found} == set()


def test_typed_digits_are_found_on_both_pages(found: list[Found]) -> None:
    assert {one.page for one in found} == {"index.html", "instrument.html"}
    assert {one.path.parts[0] for one in found} == {"content", "templates"}


SABOTEURS = {
    "in prose": ("content/en/explainer.md", "You need no mathematics", "The table has 63 rows. You need no", "63"),
    "in front matter": ("content/en/explainer.md", "How often a reader", "How often of 64 a reader", "64"),
    "in a label": ("content/en/explainer.md", "plate.label: A plate", "plate.label: A plate of 128", "128"),
    "in a script’s text": ("content/en/explainer.md", "few: Fewer than two", "few: Fewer than 2", "2"),
    "in a hover label": ("content/en/figures.md", "panel.hover: position", "panel.hover: the 16 of position", "16"),
    "beside a slot": ("content/en/explainer.md", "length of [[ count.raw ]]", "length of 1[[ count.raw ]]", "1"),
    "as a power": ("content/en/instrument.md", "in this text and", "in this text of 10⁶ and", "10⁶"),
    "in an allowed word’s place": ("content/en/instrument.md", "“10000 was found", "10000 was found", "10000"),
    "on the other page’s title": ("content/en/explainer.md", "## Coda {#coda}", "## Coda 8 {#coda}", "8"),
    "in a template": ("templates/figures/margin.html", "<caption>", "<caption>12 ", "12"),
    "in a formula": ("templates/formulas/wavelength.html", "<mn>2</mn>", "<mn>3</mn>", "3"),
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> list[Found]:
    """What is found when all saboteurs have been at work."""

    def edit(root: Path) -> None:
        for name, old, new, _ in SABOTEURS.values():
            text = (root / name).read_text("utf-8")
            assert old in text, f"{name} no longer holds {old!r}: the saboteur must be mended"
            (root / name).write_text(text.replace(old, new, 1), "utf-8", newline="\n")

    return list(typed(build(tmp_path_factory.mktemp("planted"), edit)))


@pytest.mark.parametrize("where", SABOTEURS)
def test_a_typed_number_is_found_and_its_file_and_line_are_named(planted: list[Found], where: str) -> None:
    name, old, _, number = SABOTEURS[where]
    (line,) = (at for at, text in enumerate((ROOT / name).read_text("utf-8").split("\n"), 1) if old in text)
    told = [str(one) for one in planted if one.reason is None]
    assert any(each.startswith(f"{name}:{line}: {number!r} was typed, in “") for each in told), told


def test_nothing_else_is_found_when_a_number_is_typed(planted: list[Found], found: list[Found]) -> None:
    numbers = sorted({number for *_, number in SABOTEURS.values()})
    assert sorted({one.number for one in planted if one.reason is None}) == numbers
