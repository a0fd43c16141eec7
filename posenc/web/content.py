"""The words: reads content/<lang>/*.md, finds every slip in them, and turns them into HTML.

A document has front matter (`key: value` lines between two `---`), a lead, and sections that begin with
`## Title {#id}`. A slot, `[[ name ]]`, stands for a number, a formula, a figure or a link.
"""

import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import markdown
from markdown.extensions.attr_list import AttrListExtension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableExtension
from markupsafe import Markup, escape

EXCERPT = 80  # characters of a long line that a message shows

Resolve = Callable[[str], str]

SLOT = re.compile(r"\[\[\s*(.*?)\s*\]\]")
_WORDED = re.compile(r"(term:[a-z0-9-]+)\s*\|.*\w.*")  # a term with the words that the sentence has for it
_NAME = re.compile(r"[a-z][a-z0-9-]*([.:][a-z0-9][a-z0-9-]*)*")
_FIELD = re.compile(r"([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*): +(\S.*?) *")
_HEADING = re.compile(r"## +(\S.*?) +\{#([a-z0-9-]+)\} *")
# One converter for all texts, its extensions as instances: looking them up by name, and making it anew, is slow.
_MARKDOWN = markdown.Markdown(extensions=[AttrListExtension(), SaneListExtension(), TableExtension()])
_STRAY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ufffd]")
_STEERING = re.compile(rf"{_STRAY.pattern}|[\u202a-\u202e\u2066-\u2069]")
_BY_NUMBER = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,60})|([0-9]{1,60}))")
_STRAYS = {
    "\ufffd": "a character was lost here",
    "\u202d": "this turns what follows round",
    "\u202e": "this turns what follows round",
}
_UNSEEN = "a character that nobody can see"
_PLAIN = re.compile(r"[^\W\d](?:[^\W_]|[ ,;.?()/·…×√‘’“”\u00a0%–−±=≤≥-])*(?<!\s)")
_TAG = re.compile(r"<[^>]*>")
_BEFORE_BADGE = re.compile(r"\s+\[\[\s*claim:")
_ALONE = re.compile(r"<p>\s*\[\[\s*((figure|formula|question):[a-z0-9-]+)\s*\]\]\s*</p>")


@dataclass(frozen=True, slots=True)
class Problem:
    """One slip, where it stands, and what may have been meant."""

    path: Path
    line: int
    column: int
    message: str
    source: tuple[str, ...] = ()  # the line before, if there is one, the line, and the line after

    def record(self) -> dict[str, Any]:
        """The slip for a program."""
        return {"file": self.path.as_posix(), "line": self.line, "column": self.column, "message": self.message}

    def __str__(self) -> str:
        shown = [f"{self.path}:{self.line}:{self.column}: error: {self.message}"]
        gutter = len(str(self.line + 1))
        for number, line in enumerate(self.source, start=max(self.line - 1, 1)):
            column = self.column if number == self.line else 1
            excerpt, caret = _excerpt(line, column)
            shown.append(f"  {number:{gutter}} | {excerpt}".rstrip())
            if number == self.line:
                shown.append(f"  {' ' * gutter} | {' ' * caret}^")
        return "\n".join(shown)


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of a line that has a column, counted from 1, and where that is in it, counted from 0."""
    first = max(column - 1 - EXCERPT // 2, 0) if len(line) > EXCERPT else 0
    part = _STEERING.sub("\ufffd", line[first : first + EXCERPT])  # a terminal would obey them
    before = "…" if first else ""
    after = "…" if first + EXCERPT < len(line) else ""
    return f"{before}{part}{after}", len(before) + column - 1 - first


class ContentError(Exception):
    """Everything that is wrong with the words, not the first thing only."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    body: str
    line: int
    length: int  # in lines, without its heading

    @property
    def text(self) -> str:
        """Heading and body."""
        return f"{self.title}\n{self.body}"


@dataclass(frozen=True, slots=True)
class Document:
    """One content file, parsed but not yet rendered."""

    path: Path
    lines: tuple[str, ...]
    fields: dict[str, str]
    places: dict[str, int]  # the fields' lines
    lead: str
    sections: dict[str, Section]

    def problem(self, line: int, column: int, message: str) -> Problem:
        return Problem(self.path, line, column, message, self.lines[max(line - 2, 0) : line + 1])

    def slots(self) -> Iterator[tuple[str, int, int]]:
        """Every slot's name with the line and column where it stands."""
        for number, line in enumerate(self.lines, start=1):
            for match in SLOT.finditer(line):
                yield slot_name(match[1]), number, match.start() + 1

    def line_of(self, key: str) -> int:
        return self.places[key]


def read(path: Path, shown: Path) -> Document:
    """Parse a content file; `shown` is the path that messages name."""
    return parse(shown, tuple(text(path, shown).split("\n")))


def text(path: Path, shown: Path) -> str:
    """A file's text with \n at the ends of its lines; `shown` is the path that messages name."""
    try:
        read = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ContentError([Problem(shown, 1, 1, "the file is missing")]) from None
    except IsADirectoryError:
        raise ContentError([Problem(shown, 1, 1, "this is a folder, and must be a file")]) from None
    except UnicodeDecodeError as error:
        before = path.read_bytes()[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ContentError([Problem(shown, line, column, "this byte is not UTF-8")]) from None
    return read.replace("\r\n", "\n")


def slot_name(slot: str) -> str:
    """What a slot stands for, without the words that the sentence has for it."""
    return _WORDED.sub(r"\1", slot)


def require_sections(document: Document, wanted: tuple[str, ...]) -> Iterator[Problem]:
    """Every wanted section is there, in that order, and no other."""
    found = tuple(document.sections)
    for name in wanted:
        if name not in found:
            yield document.problem(len(document.lines), 1, f"section {{#{name}}} is missing")
    for name, section in document.sections.items():
        if name not in wanted:
            yield document.problem(section.line, 1, f"unknown section {{#{name}}}{hint(name, wanted)}")
    if set(found) == set(wanted) and found != wanted:
        first = next(a for a, b in zip(found, wanted, strict=True) if a != b)
        yield document.problem(document.sections[first].line, 1, f"sections must come as {', '.join(wanted)}")


def require_slots(document: Document, known: Iterable[str]) -> Iterator[Problem]:
    """Every slot is well formed and known."""
    known = tuple(known)
    yield from require_closed(document)
    for name, line, column in document.slots():
        if not _NAME.fullmatch(name):
            yield document.problem(line, column, f"[[ {name} ]] is not a slot name")
        elif name not in known:
            yield document.problem(line, column, f"unknown slot [[ {name} ]]{hint(name, known)}")


def require_closed(document: Document) -> Iterator[Problem]:
    """A slot opens and closes on one line, and a figure or a question has that line for itself, once."""
    seen: set[str] = set()
    for number, line in enumerate(document.lines, start=1):
        rest = SLOT.sub(lambda match: " " * len(match[0]), line)
        if "[[" in rest:
            yield document.problem(number, rest.index("[[") + 1, "a slot is [[ name ]] on one line")
        figure = re.search(r"\[\[\s*(figure|question):", line)
        if figure and not SLOT.fullmatch(line.strip()):
            yield document.problem(number, figure.start() + 1, f"a {figure[1]} stands alone on its line")
        elif figure and line.strip() in seen:
            yield document.problem(number, figure.start() + 1, f"this {figure[1]} stands here twice")
        seen.add(line.strip())


def completed(document: Document, source: Document) -> Document:
    """The document with what it lacks taken from its source, and nothing that the source does not have."""
    fields = {key: document.fields.get(key, text) for key, text in source.fields.items()}
    sections = {name: document.sections.get(name, section) for name, section in source.sections.items()}
    return Document(document.path, document.lines, fields, document.places, document.lead or source.lead, sections)


def hint(name: str, known: Iterable[str]) -> str:
    """What may have been meant, as the end of a message; empty when nothing is near."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def block(text: str, resolve: Resolve) -> Markup:
    """Markdown with slots as HTML; a figure, a formula or a question alone in its paragraph stands on its own."""
    html = _converted(text)
    html = _ALONE.sub(lambda match: f'<div class="{match[2]}-block">[[ {match[1]} ]]</div>', html)
    return fill(html, resolve)


def inline(text: str, resolve: Resolve) -> Markup:
    """One line of Markdown with slots, without the paragraph around it."""
    if _PLAIN.fullmatch(text):  # most labels: Markdown would change nothing
        return fill(text, resolve)
    html = _converted(text)
    return fill(html.removeprefix("<p>").removesuffix("</p>"), resolve)


@cache
def _converted(text: str) -> str:
    """Markdown as HTML, slots as they stand; both pages have the glossary and the site's own texts."""
    html: str = _MARKDOWN.reset().convert(text)
    return html


def plain(text: str, resolve: Resolve) -> str:
    """The words alone, for attributes and scripts."""
    return Markup(_TAG.sub("", fill(str(escape(text)), resolve))).unescape()  # not striptags: it loses no-break spaces


def fill(html: str, resolve: Resolve) -> Markup:
    """Every slot by what it stands for, escaped unless it is markup; a badge stays on the line of its claim."""
    html = _BEFORE_BADGE.sub("\u00a0[[ claim:", html)
    return Markup(SLOT.sub(lambda match: str(escape(resolve(match[1]))), html))


def parse(path: Path, lines: tuple[str, ...]) -> Document:
    document = Document(path, lines, {}, {}, "", {})
    problems = [
        document.problem(number, column, f"{_STRAYS.get(stray, _UNSEEN)} (U+{ord(stray):04X})")
        for number, line in enumerate(lines, start=1)
        for column, stray in _strays(line)
    ]
    end = _front_matter(document, problems)
    lead, sections = _sections(document, end, problems)
    if problems:
        raise ContentError(problems)
    return Document(path, lines, document.fields, document.places, lead, sections)


def _strays(line: str) -> Iterator[tuple[int, str]]:
    """Characters that no text may have, as they stand or by their numbers, and their columns."""
    for found in _STRAY.finditer(line):
        yield found.start() + 1, found[0]
    for found in _BY_NUMBER.finditer(line):
        code = int(found[1], 16) if found[1] else int(found[2])
        stray = chr(code) if code <= sys.maxunicode and not 0xD800 <= code <= 0xDFFF else "\ufffd"
        if _STRAY.fullmatch(stray):
            yield found.start() + 1, stray


def _front_matter(document: Document, problems: list[Problem]) -> int:
    """Reads the fields into the document; returns the number of the line that closes them."""
    lines = document.lines
    if not lines or lines[0] != "---" or "---" not in lines[1:]:
        problems.append(document.problem(1, 1, "the file must begin with front matter between two lines of ---"))
        return 0
    end = lines.index("---", 1)
    for number, line in enumerate(lines[1:end], start=2):
        if not line.strip() or line.startswith("#"):
            continue
        match = _FIELD.fullmatch(line)
        if not match:
            problems.append(document.problem(number, 1, "a line of front matter is `key: value`"))
        elif match[1] in document.fields:
            problems.append(document.problem(number, 1, f"the key {match[1]} stands here a second time"))
        else:
            document.fields[match[1]] = match[2]
            document.places[match[1]] = number
    return end + 1


def _sections(document: Document, start: int, problems: list[Problem]) -> tuple[str, dict[str, Section]]:
    heads: list[tuple[int, str, str]] = []
    for number, line in enumerate(document.lines[start:], start=start + 1):
        if not line.startswith("## "):
            continue
        match = _HEADING.fullmatch(line)
        if not match:
            problems.append(document.problem(number, 1, "a section begins with `## Title {#id}`"))
        elif any(match[2] == head[2] for head in heads):
            problems.append(document.problem(number, 1, f"a second section {{#{match[2]}}}"))
        else:
            heads.append((number, match[1], match[2]))
    ends = [*(head[0] - 1 for head in heads[1:]), len(document.lines)][: len(heads)]
    sections = {
        name: Section(name, title, "\n".join(document.lines[number:end]).strip(), number, end - number)
        for (number, title, name), end in zip(heads, ends, strict=True)
    }
    lead = document.lines[start : heads[0][0] - 1 if heads else None]
    return "\n".join(lead).strip(), sections
