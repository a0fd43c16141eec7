"""All words of one language: read together, checked against what the pages expect, and handed out by key."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from posenc.web import content
from posenc.web.check import Fault
from posenc.web.content import ContentError, Document, Problem
from posenc.web.state import Field
from posenc.web.strings import WANTED

PARTS = ("order", "count", "wave", "stack", "sum", "turn", "address", "coda", "next")
ASKED = PARTS[:7]
"""The parts with a question."""
WINDOWS = tuple(f"window-{number}" for number in range(9))
STATUSES = ("proved", "checked", "measured", "cited", "hypothesis", "picture", "chosen")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
TEMPLATE_SLOTS = ("figure", "formula", "phrase")


@dataclass(frozen=True, slots=True)
class Words:
    """All content files of one language."""

    site: Document
    figures: Document
    explainer: Document
    instrument: Document
    used: set[tuple[Path, str]] = field(default_factory=set, init=False)

    def documents(self) -> tuple[Document, ...]:
        return self.site, self.figures, self.explainer, self.instrument

    def place(self, needle: str, message: str) -> Problem:
        """A slip at the first place where the words hold a piece of text."""
        for document in self.documents():
            for number, line in enumerate(document.lines, start=1):
                if needle and needle in line:
                    return document.problem(number, line.index(needle) + 1, message)
        return Problem(Path("templates"), 1, 1, message)


def read(root: Path) -> Words:
    """All content files, or a ContentError with the slips of all of them."""
    names = ("site", "figures", "explainer", "instrument")
    folder = Path("content") / "en"
    problems = [
        Problem(folder / path.name, 1, 1, "no page takes its words from this file")
        for path in sorted((root / folder).iterdir())
        if path.name not in {f"{name}.md" for name in (*names, "check")} and not path.name.startswith(".")
    ]
    documents: list[Document] = []
    for name in names:
        shown = folder / f"{name}.md"
        try:
            documents.append(content.read(root / shown, shown))
        except ContentError as error:
            problems += error.problems
    if problems:
        raise ContentError(problems)
    return Words(*documents)


def require_right(
    words: Words,
    root: Path,
    numbers: Mapping[str, Mapping[str, str]],
    fields: Mapping[str, Iterable[Field]],
    common: Mapping[str, str],
    warn: Callable[[str], None] | None,
) -> None:
    """Sections and slots of every document are as the templates expect them; in a draft slots are warned of."""
    shared = set(_shared_slots(root))
    must = [
        *content.require_sections(words.explainer, PARTS),
        *content.require_sections(words.instrument, WINDOWS),
        *_strings_right(words.site, WANTED["site"]),
        *_strings_right(words.explainer, WANTED["explainer"]),
        *_strings_right(words.instrument, WANTED["instrument"]),
    ]
    should = [
        *content.require_slots(words.site, shared | set(common)),
        *content.require_slots(words.figures, shared),
        *content.require_slots(words.explainer, shared | set(_own_slots(numbers["explainer"], fields["explainer"]))),
        *content.require_slots(words.instrument, shared | set(_own_slots(numbers["instrument"], fields["instrument"]))),
    ]
    _tell([] if warn else must + should, warn)
    _tell(must, None)
    _tell(should, warn)


def _tell(problems: list[Problem], warn: Callable[[str], None] | None) -> None:
    if problems and warn is None:
        raise ContentError(problems)
    for problem in problems:
        if warn is not None:
            warn(str(problem).replace(" error: ", " warning: ", 1))


def _strings_right(document: Document, wanted: Mapping[str, frozenset[str]]) -> Iterator[Problem]:
    """The scripts' texts are there, no others, and each has only the placeholders that its script fills."""
    there = {key.removeprefix("script."): key for key in document.fields if key.startswith("script.")}
    for name in wanted:
        if name not in there:
            yield document.problem(1, 1, f"the page's script needs the key script.{name}, which is missing")
    for name, key in there.items():
        line = document.line_of(key)
        if name not in wanted:
            yield document.problem(line, 1, f"no script uses the key {key}{content.hint(name, wanted)}")
            continue
        for found in PLACEHOLDER.finditer(document.lines[line - 1]):
            if found[1] not in wanted[name]:
                allowed = ", ".join(f"{{{each}}}" for each in sorted(wanted[name])) or "none"
                yield document.problem(line, found.start() + 1, f"unknown placeholder {found[0]}; {key} has {allowed}")


def _shared_slots(root: Path) -> Iterator[str]:
    for kind in TEMPLATE_SLOTS:
        for path in sorted((root / "templates" / f"{kind}s").glob("*.html")):
            yield f"{kind}:{path.stem}"
    yield from (f"claim:{status}" for status in STATUSES)
    yield from (f"window:{name.removeprefix('window-')}" for name in WINDOWS)
    yield from (f"part:{name}" for name in PARTS)
    yield from (f"question:{name}" for name in ASKED)


def _own_slots(numbers: Mapping[str, str], fields: Iterable[Field]) -> Iterator[str]:
    """The numbers of one page, as they were built or kept up to date, and those that its reader can set."""
    yield from numbers
    yield from (f"live:{name}" for name in numbers)
    yield from (f"bind:{field.name}" for field in fields if not field.choices)


def require_all_used(words: Words, warn: Callable[[str], None] | None) -> None:
    """Every key was asked for by a template; those of scripts are held to what the scripts declare."""
    problems = [
        document.problem(document.line_of(key), 1, f"nothing uses the key {key}")
        for document in words.documents()
        for key in document.fields
        if (document.path, key) not in words.used and not key.startswith("script.")
    ]
    _tell(problems, warn)


def require_sound(words: Words, faults: Iterable[Fault], warn: Callable[[str], None] | None) -> None:
    """The finished pages hold together; a fault is shown in the words if it can be found there."""

    def place(fault: Fault) -> Problem:
        found = words.place(fault.needle, fault.message)
        if found.source:
            return found
        return Problem(Path("templates") / fault.page, 1, 1, f"on the finished page {fault.page}: {fault.message}")

    _tell([place(fault) for fault in faults], warn)


def texts(
    words: Words, document: Document, resolve: content.Resolve
) -> tuple[Callable[[str], Markup], Callable[[str], str]]:
    """`text` and `label` of the templates: a front-matter value as HTML, or as words alone."""
    sources = (document, *(shared for shared in (words.site, words.figures) if shared is not document))

    def value(key: str) -> str:
        for source in sources:
            if key in source.fields:
                words.used.add((source.path, key))
                return source.fields[key]
        known = [name for source in sources for name in source.fields]
        places = ", ".join(source.path.as_posix() for source in sources[1:])
        message = f"the key {key} is missing here and in {places}{content.hint(key, known)}"
        raise ContentError([document.problem(1, 1, message)])

    return lambda key: content.inline(value(key), resolve), lambda key: content.plain(value(key), resolve)


def strings(words: Words, document: Document, resolve: content.Resolve) -> dict[str, str]:
    """The texts of a page's scripts: what both pages say, and what this one does."""
    return {
        key.removeprefix("script."): content.plain(value, resolve)
        for key, value in (words.site.fields | document.fields).items()
        if key.startswith("script.")
    }
