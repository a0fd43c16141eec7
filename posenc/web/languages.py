"""The languages of the site: which folders of content/ hold one, and what its site.md says of it.

Numbers are described by examples, as a writer would write them: `number.written: −12,345.6`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from posenc.web.content import Document, Problem
from posenc.web.format import Style

SOURCE = "en"
"""The language that the others are translations of; its pages stand at the root of the site."""

DIRECTIONS = ("ltr", "rtl")
_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*")
_WRITTEN = re.compile(r"(?P<minus>\D+)12(?P<group>\D*)345(?P<decimal>\D+)6")
_POWER = re.compile(r"(?P<lead>\D*)2\D+5(?P<times_ten>\D+10)³")
_PERCENT = re.compile(r"(?P<before>\D*)50(?P<after>\D*)")
_TWO = re.compile(r"(?P<before>\D*)3(?P<between>\D+)5(?P<after>\D*)")


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the site, its own name for itself, and how it writes numbers."""

    tag: str
    name: str
    direction: str
    style: Style

    def place(self, file: str) -> str:
        """Where a page of this language stands in the site."""
        return file if self.tag == SOURCE else f"{self.tag}/{file}"


def tags(root: Path) -> tuple[list[str], list[Problem]]:
    """The folders that hold a language, the source first, and what else lies in content/."""
    found, strays = [SOURCE], []
    for path in sorted((root / "content").iterdir()):
        shown = Path("content") / path.name
        if path.name.startswith(".") or path.name == SOURCE:
            continue
        if not path.is_dir():
            strays.append(Problem(shown, 1, 1, "words stand in a folder for each language, content/en"))
        elif not _TAG.fullmatch(path.name):
            strays.append(Problem(shown, 1, 1, "a folder here is named by its language, such as de, pt-BR or zh-Hant"))
        elif not any(not inside.name.startswith(".") for inside in path.iterdir()):
            strays.append(Problem(shown, 1, 1, "the folder of this language is empty"))
        else:
            found.append(path.name)
    return found, strays


@dataclass(frozen=True, slots=True)
class _Example:
    """A key, how its example looks in English, and the pattern of all such."""

    key: str
    english: str
    pattern: re.Pattern[str]


_EXAMPLES = (
    _Example("number.written", "−12,345.6", _WRITTEN),
    _Example("number.power", "2.5 × 10³", _POWER),
    _Example("number.percent", "50 %", _PERCENT),
    _Example("number.list", "3, 5", _TWO),
    _Example("number.span", "3 … 5", _TWO),
    _Example("number.steps", "3 → 5", _TWO),
)
KEYS = ("language.name", "language.dir", "number.nan", "number.infinity", *(example.key for example in _EXAMPLES))


def problems(site: Document) -> Iterator[Problem]:
    """What site.md does not say of its language, or says in a way that is not understood."""
    for key in KEYS:
        if key not in site.fields:
            yield site.problem(1, 1, f"the key {key} is missing, which says what this language is like")
    for example in _EXAMPLES:
        if example.key in site.fields and not example.pattern.fullmatch(site.fields[example.key]):
            yield _slip(site, example.key, f"shows how this language writes {example.english}, with Latin digits")
    if site.fields.get("language.dir", DIRECTIONS[0]) not in DIRECTIONS:
        yield _slip(site, "language.dir", f"is {' or '.join(DIRECTIONS)}")


def language(tag: str, site: Document) -> Language:
    """What site.md says of its language; `problems` must have found none."""
    words = site.fields
    found = {example.key: example.pattern.fullmatch(words[example.key]) for example in _EXAMPLES}
    parts = {key: match.groupdict() for key, match in found.items() if match}
    written, power, percent = (parts[f"number.{key}"] for key in ("written", "power", "percent"))
    listed, span, steps = (parts[f"number.{key}"] for key in ("list", "span", "steps"))
    style = Style(
        decimal=_kept(written["decimal"]),
        group=_kept(written["group"]),
        minus=_kept(written["minus"]),
        lead=power["lead"],
        times_ten=_kept(power["times_ten"]),
        percent=_kept(f"{percent['before']}{{number}}{percent['after']}"),
        nan=words["number.nan"],
        infinity=words["number.infinity"],
        comma=listed["between"],
        span=f"{span['before']}{{low}}{span['between']}{{high}}{span['after']}",
        steps=f"{steps['before']}{{before}}{steps['between']}{{after}}{steps['after']}",
    )
    return Language(tag, words["language.name"], words["language.dir"], style)


def _kept(text: str) -> str:
    """A number never splits over two lines."""
    return text.replace(" ", "\u00a0")


def _slip(site: Document, key: str, message: str) -> Problem:
    return site.problem(site.line_of(key), len(key) + 3, f"{key} {message}")
