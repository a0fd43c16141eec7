"""Checks the finished pages before anything is written: what a slip in the words can break, no template would see."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

from posenc.web.content import hint

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
REFUSED = ("base", "style", "iframe", "object", "embed", "form")
REFERENCES = ("aria-labelledby", "aria-describedby", "aria-controls", "for", "headers")
# Marks of Markdown or of a slot that became nothing, with what follows, to find the line again.
_LEFT = re.compile(r"(\[\[|\]\]|[{}]|\*+|`+|\]\(|(?<!\w)_(?=\w)|[\ufffd\x00])[^\s*`]{0,12}")
_DATA = re.compile(r'(<script type="application/json"[^>]*>).*?</script>', re.DOTALL)
# Thousands of shapes of drawings, signs of formulas and cells of tables: nothing in them can be wrong, and reading them
# one by one takes time.
_HARMLESS = r"(?: (?!id|href|src|style|on|aria-[cdl]|title|alt|for|headers)[a-z0-9-]+=\"[^\"{<]*\")*"
_PLAIN = re.compile(
    rf"<(?:rect|line|circle|path|stop){_HARMLESS}/>"
    rf"|<(td|th|mo|mi|mn|em|strong|span|dfn|text|tspan){_HARMLESS}>[^<{{}}\[\]*`_&\ufffd\x00]*</\1>"
)
BEFORE = 8  # characters that tell a mark from the same mark elsewhere
ALLOWED_OUTSIDE = re.compile(r"https?://")
NEVER_LOADED = ("a", "canonical", "alternate")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong on a page, and pieces of text by which the words' line can be found, the surest first."""

    page: str
    message: str
    needles: tuple[str, ...]


@dataclass
class _Page(HTMLParser):
    """Tags, ids, links and the elements left open of one page."""

    name: str
    html: str
    ids: dict[str, None] = field(default_factory=dict)
    links: list[tuple[str, str, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    title: str = ""
    description: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(_PLAIN.sub(" ", _DATA.sub(r"\1</script>", self.html)))  # data is no markup, and most of the page
        self.close()
        for tag in self.open:
            self.fault(f"<{tag}> is never closed", f"<{tag}")
        if not self.title.strip():
            self.fault("the page has no title")
        if not self.description.strip():
            self.fault("the page has no description")
        if not self.language:
            self.fault("the page does not say its language")
        if self.levels.count(1) != 1:
            self.fault(f"the page has {self.levels.count(1)} headings of the first level, not one")
        for before, level in pairwise(self.levels):
            if level > before + 1:
                self.fault(f"a heading of level {level} follows one of level {before}", f"{'#' * level} ")

    def updatepos(self, i: int, j: int) -> int:
        return j  # faults are placed in the words, not on the page: nobody asks for lines and columns

    def fault(self, message: str, *needles: str) -> None:
        self.faults.append(Fault(self.name, message, needles))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag in HEADINGS:
            self.levels.append(int(tag[1]))
        elif tag == "html":
            self.language = dict(attrs).get("lang") or ""
        elif tag == "meta" and dict(attrs).get("name") == "description":
            self.description = dict(attrs).get("content") or ""
        elif tag == "script":
            allowed = {None, ""} if "src" in dict(attrs) else {"application/json"}
            if dict(attrs).get("type") not in allowed:
                self.fault("a script may not stand in the words", "<script")
        elif tag in REFUSED:
            self.fault(f"<{tag}> is refused by the content policy", f"<{tag}")
        rel = dict(attrs).get("rel") if tag == "link" else None
        for name, value in attrs:
            self.attribute(
                rel if rel in NEVER_LOADED else tag, name, value or ""
            )  # what a link only tells is not loaded

    def attribute(self, tag: str, name: str, value: str) -> None:
        if name == "id":
            if value in self.ids:
                self.fault(f'the id "{value}" stands a second time', f'id="{value}"')
            self.ids[value] = None
        elif name == "style" or name.startswith("on"):
            self.fault(f'<{tag} {name}="…"> is refused by the content policy', f"{name}=")
        elif name in ("aria-label", "alt", "title") and "{" in value:
            self.fault("'{' is left in a label", value[value.index("{") :][:12])
        elif name in ("href", "src", "srcset", "poster", "action") or name in REFERENCES:
            self.links.append((tag, name, value))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            if tag not in self.open:
                self.fault(f"</{tag}> closes nothing", f"</{tag}>")
                return
            self.fault(f"<{self.open[-1]}> is not closed before </{tag}>", f"<{self.open[-1]}")
            while self.open[-1] != tag:
                self.open.pop()
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "pre" in self.open or self.open[-1:] == ["script"]:
            return  # programs have braces and stars of their own
        if self.open and self.open[-1] == "title":
            self.title += data
        for found in _LEFT.finditer(data):
            start = max(data.rfind("\n", 0, found.start()) + 1, found.start() - BEFORE)
            self.fault(f"{found[1]!r} is left in the text", data[start : found.end()], found[0])


@dataclass(frozen=True, slots=True)
class Tally:
    """What was looked at, and every fault that was found."""

    links: int
    anchors: int
    outside: int
    faults: tuple[Fault, ...]


def tally(pages: Mapping[str, str], files: set[str]) -> Tally:
    """Checks the pages, given the names of all files of the site."""
    read = {name: _Page(name, html) for name, html in pages.items()}
    links = [(tag, link) for page in read.values() for tag, name, link in page.links if name not in REFERENCES]
    return Tally(
        links=len(links),
        anchors=sum("#" in link for _, link in links),
        outside=sum(tag not in NEVER_LOADED and bool(ALLOWED_OUTSIDE.match(link)) for tag, link in links),
        faults=tuple(_faults(read, files)),
    )


def _faults(read: Mapping[str, _Page], files: set[str]) -> Iterator[Fault]:
    for page in read.values():
        yield from page.faults
        for tag, name, value in page.links:
            if name in REFERENCES:
                for target in value.split():
                    if target not in page.ids:
                        yield Fault(page.name, f'{name}="{target}" names no id{hint(target, page.ids)}', (target,))
            else:
                yield from _link(page, tag, value, read, files)


def of_styles(sheets: Mapping[str, str], files: set[str]) -> Iterator[Fault]:
    """Every url() of the style sheets that is neither data nor a file of the site."""
    for name, text in sheets.items():
        for found in re.finditer(r"url\(\s*[\"']?([^)\"']*)|@import", text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[1] or "?"))
            if not (found[1] or "").startswith("data:") and target not in files:
                yield Fault(name, f"{found[0]} leads to no file of the site", (found[0],))


def _link(page: _Page, tag: str, link: str, read: Mapping[str, _Page], files: set[str]) -> Iterator[Fault]:
    if link.startswith("data:image/") and tag in ("link", "image", "img"):
        return
    if ALLOWED_OUTSIDE.match(link):
        if tag not in NEVER_LOADED:
            yield Fault(page.name, f"<{tag}> would load {link}: nothing comes from outside", (link,))
        return
    path, _, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), path)) if path else page.name
    if target not in files:
        yield Fault(page.name, f"the link {link} leads to no file{hint(path, files)}", (link,))
    elif anchor and target in read and anchor not in read[target].ids:
        yield Fault(page.name, f"the link {link} leads to no id{hint(anchor, read[target].ids)}", (link,))
