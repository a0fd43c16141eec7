"""The glossary: its terms are linked where a page first says them, and its entries are told in the order of meeting.

A page is read in this order: its lead, then part by part, each figure and question with its own sentences. Labels and
titles are no sentences: a link cannot stand in most of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from posenc.web.content import SLOT, Document, Problem

SENTENCES = ("ask", "a", "b", "c", "answer", "caption", "hint")
"""The keys of a figure or a question that hold sentences, in the order in which they are read."""
OPENING = "plate.caption"
"""The caption that is read with the lead."""
_LINK = re.compile(r"\[\[\s*term:([a-z0-9-]+)\s*(?:\|[^\]]*)?\]\]")
_BLOCK = re.compile(r"\[\[\s*((?:figure|question):[a-z0-9-]+)\s*\]\]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A term as a page shows it; `met` is the slot of the part or window that first links it, or nothing."""

    id: str
    title: str
    definition: str
    met: str


def link(glossary: Document, slot: str) -> Markup:
    """What `term:pair` or `term:pair|pairs` stands for, without its kind: a link that the entry describes."""
    term, _, words = (each.strip() for each in slot.partition("|"))
    if not words and term in glossary.sections:
        words = _words(glossary, term)[0]
    html = '<a class="term" href="#term-{0}" aria-describedby="term-{0}-is">{1}</a>'
    return Markup(html).format(term, words or term)


def entries(glossary: Document, pages: Iterable[Document]) -> list[Entry]:
    """Every entry by its title, with the first place of the first page that links it."""
    met: dict[str, str] = {}
    for page in pages:
        for place, number, start in _reading(page):
            for found in _LINK.finditer(page.lines[number - 1], start):
                met.setdefault(found[1], place)
    sections = sorted(glossary.sections.values(), key=lambda section: section.title.casefold())
    return [Entry(each.id, each.title, each.body, met.get(each.id, "")) for each in sections]


def require_terms(glossary: Document, pages: Iterable[Document], used: set[str]) -> Iterator[Problem]:
    """Each page links a term once, where it first says it; each term is linked by some page, and has a definition.
    Keys that were read go into `used`."""
    forms = {term: _forms(glossary, term, used) for term in glossary.sections}
    linked: set[str] = set()
    for page in pages:
        yield from _misplaced(page, forms, linked)
    for term, section in glossary.sections.items():
        if term not in linked:
            yield glossary.problem(section.line, 1, f"no page links the term {term} in a sentence")
        if not section.body or "\n\n" in section.body:
            yield glossary.problem(section.line, 1, f"the term {term} is defined in one paragraph")


def _forms(glossary: Document, term: str, used: set[str]) -> re.Pattern[str]:
    used.add(f"forms.{term}")
    words = "|".join(map(re.escape, _words(glossary, term)))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


def _words(glossary: Document, term: str) -> list[str]:
    """The words that say a term, the plainest first: those of its key `forms.…`, or its title."""
    return [word.strip() for word in glossary.fields.get(f"forms.{term}", glossary.sections[term].title).split(",")]


def _misplaced(page: Document, forms: Mapping[str, re.Pattern[str]], linked: set[str]) -> Iterator[Problem]:
    here: dict[str, int] = {}
    told: set[str] = set()
    for _, number, start in _reading(page):
        line = page.lines[number - 1]
        links = {found.start(): found[1] for found in _LINK.finditer(line, start)}
        words = SLOT.sub(lambda found: " " * len(found[0]), line)
        unsaid = (form for term, form in forms.items() if term not in here and term not in told)
        if not links and not any(form.search(words, start) for form in unsaid):
            continue
        said = {found.start(): term for term, form in forms.items() for found in form.finditer(words, start)}
        for at in sorted({*links, *said}):
            term = links.get(at) or said[at]
            if at in links and term in here:
                yield page.problem(number, at + 1, f"the term {term} is linked once, and was in line {here[term]}")
            elif at in links:
                here[term] = number
            elif term not in here and term not in told:
                told.add(term)
                yield page.problem(number, at + 1, f"first word of the term {term}: link it, [[ term:{term}|… ]]")
    linked |= set(here)
    for name, number, column in page.slots():
        term = name.removeprefix("term:")
        if term != name and term in forms and term not in here:
            yield page.problem(number, column, f"the term {term} is linked only where no sentence is read")


def _reading(page: Document) -> Iterator[tuple[str, int, int]]:
    """Every line of sentences as it is read: the slot of its part or window, its number, and where its words begin."""
    titles = {section.line: section.id for section in page.sections.values()}
    first = min(titles, default=len(page.lines) + 1)
    place = ""
    for number in range(page.lines.index("---", 1) + 2, len(page.lines) + 1):
        if number == first and OPENING in page.fields:
            yield place, page.line_of(OPENING), len(OPENING) + 1
        if number in titles:
            name = titles[number]
            place = name.replace("-", ":", 1) if name.startswith("window-") else f"part:{name}"
            continue
        block = _BLOCK.fullmatch(page.lines[number - 1].strip())
        keys = [f"{block[1].replace(':', '.')}.{each}" for each in SENTENCES] if block else []
        for key in filter(page.fields.__contains__, keys):
            yield place, page.line_of(key), len(key) + 1
        if not block:
            yield place, number, 0
