"""All words of one language: read together, checked against what the pages expect, and handed out by key.

A translation is held to the source: the same keys and sections, with the same slots and placeholders.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import product
from pathlib import Path

from markupsafe import Markup

from posenc.web import content, glossary, languages
from posenc.web.check import Fault
from posenc.web.content import ContentError, Document, Problem
from posenc.web.languages import SOURCE
from posenc.web.state import Field
from posenc.web.strings import WANTED

PARTS = ("order", "count", "wave", "stack", "sum", "turn", "address", "coda", "next")
ASKED = PARTS[:7]
"""The parts with a question."""
WINDOWS = tuple(f"window-{number}" for number in range(9))
STATUSES = ("proved", "checked", "measured", "cited", "hypothesis", "picture", "chosen")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MARKED = re.compile(r"\{[#:.\w][^{}]*\}|\[\[.*?\]\]")  # a placeholder, an attribute, a slot
RIGHT_OPTION = re.compile(r"question\.[a-z]+\.right")
"""The keys whose value is no text: which of a question's options is right."""
TEMPLATE_SLOTS = ("figure", "formula", "phrase")


@dataclass(frozen=True, slots=True)
class Words:
    """All content files of one language: a field for each."""

    site: Document
    figures: Document
    explainer: Document
    instrument: Document
    glossary: Document
    check: Document
    used: set[tuple[Path, str]] = field(default_factory=set, init=False)

    def documents(self) -> tuple[Document, ...]:
        return tuple(getattr(self, name) for name in DOCUMENTS)

    def pages(self) -> tuple[Document, ...]:
        """Those that are read as pages, the first to be read first."""
        return self.explainer, self.instrument

    def place(self, message: str, *needles: str) -> Problem | None:
        """A slip at the first place of the words that has one of these pieces of text, and in it the last of them;
        what stands in braces by right is looked through last."""
        for needle, marked in product(filter(None, needles), (False, True)):
            for document in self.documents():
                for number, line in enumerate(document.lines, start=1):
                    searched = line if marked else _MARKED.sub(lambda found: " " * len(found[0]), line)
                    if needle in searched:
                        wrong = searched.index(needle) + max(needle.rfind(needles[-1]), 0)
                        return document.problem(number, wrong + 1, message)
        return None


DOCUMENTS = tuple(each.name for each in fields(Words) if each.init)


def read(root: Path, warn: Callable[[str], None] | None = None) -> dict[str, Words]:
    """All content files by language, the source first, or a ContentError with the slips of all of them. A draft is
    warned of a file that a translation has not begun, and has the source's in its place."""
    tags, problems = languages.tags(root)
    found: dict[str, dict[str, Document]] = {}
    for tag in tags:
        found[tag] = {}
        folder = Path("content") / tag
        problems += [
            Problem(folder / path.name, 1, 1, "no page takes its words from this file")
            for path in sorted((root / folder).iterdir())
            if path.name not in {f"{name}.md" for name in DOCUMENTS} and not path.name.startswith(".")
        ]
        for name in DOCUMENTS:
            shown = folder / f"{name}.md"
            try:
                found[tag][name] = content.read(root / shown, shown)
            except ContentError as error:
                if warn and tag != SOURCE and name in found[SOURCE] and not (root / shown).exists():
                    _tell(list(error.problems), warn)
                    found[tag][name] = found[SOURCE][name]
                else:
                    problems += error.problems
        if "site" in found[tag]:
            problems += languages.problems(found[tag]["site"])
    if problems:
        raise ContentError([*problems, *_further_slips(found)])
    return {tag: Words(**documents) for tag, documents in found.items()}


def _further_slips(found: Mapping[str, Mapping[str, Document]]) -> Iterator[Problem]:
    """What more is to be mended in the translations whose files can all be read."""
    whole = {tag: Words(**documents) for tag, documents in found.items() if len(documents) == len(DOCUMENTS)}
    for tag, words in whole.items():
        if tag != SOURCE and SOURCE in whole:
            yield from translation_slips(words, whole[SOURCE])


def require_right(
    every: Mapping[str, Words],
    root: Path,
    numbers: Mapping[str, Mapping[str, str]],
    fields: Mapping[str, Iterable[Field]],
    common: Mapping[str, str],
    warn: Callable[[str], None] | None,
) -> None:
    """Sections and slots of the source are as the templates expect them, and every translation has the same; in a
    draft slots and translations are warned of."""
    words = every[SOURCE]
    shared = {*_shared_slots(root), *(f"term:{name}" for name in words.glossary.sections)}
    forms: set[str] = set()
    must = [
        *content.require_sections(words.explainer, PARTS),
        *content.require_sections(words.instrument, WINDOWS),
        *(problem for name, wanted in WANTED.items() for problem in _strings_right(getattr(words, name), wanted)),
    ]
    should = [
        *content.require_slots(words.site, shared | set(common)),
        *content.require_slots(words.figures, shared),
        *content.require_slots(words.explainer, shared | set(_own_slots(numbers["explainer"], fields["explainer"]))),
        *content.require_slots(words.instrument, shared | set(_own_slots(numbers["instrument"], fields["instrument"]))),
        *content.require_slots(words.glossary, shared),
        *glossary.require_terms(words.glossary, words.pages(), forms),
        *(problem for tag, other in every.items() if tag != SOURCE for problem in translation_slips(other, words)),
    ]
    words.used.update((words.glossary.path, key) for key in forms)
    _tell([] if warn else must + should, warn)
    _tell(must, None)
    _tell(should, warn)


def translation_slips(words: Words, source: Words) -> Iterator[Problem]:
    """Where a translation has less or more than its source."""
    for document, original in zip(words.documents(), source.documents(), strict=True):
        yield from content.require_closed(document)
        yield from _key_slips(document, original)
        yield from content.require_sections(document, tuple(original.sections))
        yield from _slot_slips(document, _leads(document), original.lead, document.lead)
        for name, section in original.sections.items():
            if name in document.sections:
                own = document.sections[name]
                lines = range(own.line, own.line + 1 + own.length)
                yield from _slot_slips(document, lines, section.text, own.text)


def _key_slips(document: Document, original: Document) -> Iterator[Problem]:
    line = 1
    for key, text in original.fields.items():
        if key not in document.fields:
            yield document.problem(line, 1, f"the key {key} of {original.path.as_posix()} is missing")
            continue
        line = document.line_of(key)
        yield from _slot_slips(document, range(line, line + 1), text, document.fields[key])
        if RIGHT_OPTION.fullmatch(key) and document.fields[key] != text:
            yield document.problem(line, len(key) + 3, f"the option of the source is {text}")
        wanted, there = set(PLACEHOLDER.findall(text)), set(PLACEHOLDER.findall(document.fields[key]))
        for name in sorted(wanted - there):
            yield document.problem(line, 1, f"the placeholder {{{name}}} of the source is missing")
        for found in PLACEHOLDER.finditer(document.lines[line - 1]):
            if found[1] not in wanted:
                message = f"unknown placeholder {found[0]}{content.hint(found[1], wanted)}"
                yield document.problem(line, found.start() + 1, message)
    for key in document.fields:
        if key not in original.fields:
            message = f"{original.path.as_posix()} has no key {key}{content.hint(key, original.fields)}"
            yield document.problem(document.line_of(key), 1, message)


def _leads(document: Document) -> range:
    """The lines between the front matter and the first section."""
    first = min((section.line for section in document.sections.values()), default=len(document.lines) + 1)
    return range(document.lines.index("---", 1) + 2, first)


def _slot_slips(document: Document, lines: range, source: str, text: str) -> Iterator[Problem]:
    """The slots of the source are all there, and no others; their order is the language's."""
    wanted, there = ({content.slot_name(slot) for slot in content.SLOT.findall(each)} for each in (source, text))
    for name in sorted(wanted - there):
        yield document.problem(lines.start, 1, f"the slot [[ {name} ]] of the source is missing here")
    for number in lines:
        for found in content.SLOT.finditer(document.lines[number - 1]):
            if content.slot_name(found[1]) not in wanted:
                message = f"the source has no slot [[ {found[1]} ]] here{content.hint(found[1], wanted)}"
                yield document.problem(number, found.start() + 1, message)


def completed(words: Words, source: Words) -> Words:
    """A draft's translation: what it lacks is the source's."""
    pairs = zip(DOCUMENTS, words.documents(), source.documents(), strict=True)
    return Words(**{name: content.completed(document, original) for name, document, original in pairs})


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
        if (document.path, key) not in words.used and not key.startswith("script.") and key not in languages.KEYS
    ]
    _tell(problems, warn)


def require_sound(every: Mapping[str, Words], faults: Iterable[Fault], warn: Callable[[str], None] | None) -> None:
    """The finished pages hold together; a fault is shown in the words of its language if it can be found there."""

    def place(fault: Fault) -> Problem:
        words = every.get(fault.page.rpartition("/")[0]) or every[SOURCE]
        nowhere = Problem(Path("templates") / fault.page, 1, 1, f"on the finished page {fault.page}: {fault.message}")
        return words.place(fault.message, *fault.needles) or nowhere

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
    """The texts of a page's scripts: what both pages say, and what this one does. Of the check, which is the
    instrument's, they are as they stand: its stars are those of programs."""
    check = words.check.fields if document is words.instrument else {}
    return {
        **{
            key.removeprefix("script."): content.plain(value, resolve)
            for key, value in (words.site.fields | document.fields).items()
            if key.startswith("script.")
        },
        **{key.removeprefix("script."): value for key, value in check.items()},
    }
