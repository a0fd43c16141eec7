"""Tells what a person typed from what the build made: every digit in the words and in the templates' text is swapped
for a character of its own before the pages are built, so that what was built says of each digit where it came from.
Slots are marked with their names on the way."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from posenc.config import Config
from posenc.engine import encode
from posenc.proof import prove
from posenc.web import explainer, instrument, pages
from tests.checkout import ROOT

DIGITS = "0123456789⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉½⅓⅔¼¾"
CHECK = "check.md"  # of its numbers all that are of a table are filled in; the others name programs and their bugs
FIRST = 0xF0000  # a plane of 65,534 characters that mean nothing
OPEN, NAMED, CLOSE = "\ue000", "\ue001", "\ue002"  # a slot: OPEN name NAMED what stands there CLOSE
TYPED = re.compile(f"[{chr(FIRST)}-{chr(FIRST + 0xFFFD)}]")
MARK = re.compile(f"{OPEN}[^{NAMED}]*{NAMED}|{CLOSE}")
# What is no text: slots, placeholders, anchors and attributes, the targets of links, elements, character references,
# and the examples of how the language writes numbers.
IN_WORDS = re.compile(
    r"^number\.[a-z]+: .*$|\[\[.*?\]\]|\{[^{}\n]*\}|\]\([^)\n]*\)|<[^>\n]*>|&#?\w+;|^\d+\. |^[a-z][\w.-]*:(?= )",
    re.MULTILINE,
)
IN_TEMPLATES = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(?:\{\{.*?\}\}|\{%.*?%\}|[^>])*>|&#?\w+;", re.DOTALL)
IN_SNIPPETS = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a digit was typed."""

    path: Path
    line: int
    digit: str


@dataclass(frozen=True, slots=True)
class Built:
    """The pages of a project in which every typed digit is known."""

    pages: dict[str, str]
    places: list[Place] = field(repr=False)

    def place(self, sign: str) -> Place:
        return self.places[ord(sign) - FIRST]

    def read(self, text: str) -> str:
        """The text as a reader sees it."""
        return TYPED.sub(lambda found: self.place(found[0]).digit, MARK.sub("", text))


def build(folder: Path, edit: Callable[[Path], None] = lambda root: None) -> Built:
    """The project's pages, after an edit of its words or templates in a copy of them."""
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    edit(folder)
    places: list[Place] = []
    for path, protected in _sources(folder):
        _swap(path, folder, protected, places)
    config = Config()
    table = encode(range(config.n_positions), config.d_model, config.base)
    with pytest.MonkeyPatch.context() as patch:
        for module in (explainer, instrument):
            patch.setattr(module, "numbers", _marked(module))
        files = pages.render(folder, config, table, prove(table, config)).files
    return Built({name: data.decode() for name, data in files.items() if name.endswith(".html")}, places)


def _sources(root: Path) -> Iterator[tuple[Path, re.Pattern[str]]]:
    words = sorted((root / "content").rglob("*.md"))
    yield from ((path, IN_WORDS) for path in words if path.name != CHECK)
    yield from ((path, IN_SNIPPETS) for path in sorted((root / "templates" / "snippets").iterdir()))
    for path in sorted((root / "templates").rglob("*.html")):
        if "serve" not in path.parts:  # the author's own server, no page of the site
            yield path, IN_TEMPLATES


def _swap(path: Path, root: Path, protected: re.Pattern[str], places: list[Place]) -> None:
    text = path.read_text("utf-8")
    kept = {at for found in protected.finditer(text) for at in range(*found.span())}
    signs = list(text)
    for at, sign in enumerate(text):
        if sign in DIGITS and at not in kept:
            places.append(Place(path.relative_to(root), text.count("\n", 0, at) + 1, sign))
            signs[at] = chr(FIRST + len(places) - 1)
    path.write_text("".join(signs), "utf-8", newline="\n")


def _marked(module: ModuleType) -> Callable[..., dict[str, str]]:
    numbers = module.numbers
    return lambda *bench: {
        name: type(value)(f"{OPEN}{name}{NAMED}{value}{CLOSE}") for name, value in numbers(*bench).items()
    }
