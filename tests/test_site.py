"""The built files: every link and anchor leads somewhere, ids are unique, nothing comes from outside."""

import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import html5lib
import pytest
from playwright.sync_api import Browser

from posenc.web.golive import theme
from posenc.web.policy import digest
from tests.checkout import ROOT

PAGES = ("index.html", "instrument.html", "404.html")
PARTS = ("order", "count", "wave", "stack", "sum", "turn", "address", "coda", "next")


class Elements(HTMLParser):
    """Start tags with their attributes, in order, and the text inside chosen elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def values(self, attribute: str) -> list[str]:
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]

    def ids(self) -> list[str]:
        return self.values("id")


@cache
def elements(site: Path, page: str) -> Elements:
    return Elements((site / page).read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_ids_are_unique(site: Path, page: str) -> None:
    ids = elements(site, page).ids()
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("page", PAGES)
def test_every_reference_leads_somewhere_inside_the_site(site: Path, page: str) -> None:
    found = elements(site, page)
    ids = set(found.ids())
    for link in found.values("href") + found.values("src"):
        if link.startswith(("https://", "data:")):
            continue
        path, _, anchor = link.partition("#")
        assert not path.startswith("/"), link
        assert (site / (path or page)).is_file(), link
        if anchor:
            assert anchor in elements(site, path or page).ids(), link
    for name in ("aria-labelledby", "aria-describedby", "for", "aria-controls"):
        for value in found.values(name):
            assert set(value.split()) <= ids, f"{name}={value}"


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_loaded_from_outside(site: Path, page: str) -> None:
    for tag, attributes in elements(site, page).tags:
        for name in ("src", "srcset", "href"):
            if tag != "a" and name in attributes:
                assert not re.match(r"(https?:)?//", attributes[name]), (tag, attributes[name])
    for css in site.glob("assets/*.css"):
        assert not re.search(r"url\(|@import", css.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_the_policy_stands_first_and_the_markup_keeps_it(site: Path, page: str) -> None:
    found = elements(site, page)
    policy = next(a["content"] for t, a in found.tags if t == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy
    assert "style" not in {name for _, attributes in found.tags for name in attributes}
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    for tag, _ in found.tags:
        assert tag != "style" or page == "404.html"  # its own sheet, allowed by its hash in the policy
    loose = [a for tag, a in found.tags if tag == "script" and "src" not in a and a.get("type") != "application/json"]
    assert loose == [{}]
    inline = re.findall(r"<script>(.*?)</script>", (site / page).read_text("utf-8"), re.S)
    assert inline == [theme(ROOT)]
    assert digest(inline[0]) in policy


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_title_description_language_one_h1_and_ordered_headings(site: Path, page: str) -> None:
    html = (site / page).read_text("utf-8")
    assert re.search(r"<title>[^<]+</title>", html)
    assert re.search(r'<meta name="description" content="[^"]{20,}"', html)
    assert '<html lang="en" dir="ltr">' in html
    levels = [int(tag[1]) for tag, _ in elements(site, page).tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


@pytest.mark.parametrize("page", PAGES)
def test_no_slot_no_placeholder_and_no_lost_character_is_left(site: Path, page: str) -> None:
    html = (site / page).read_text("utf-8")
    prose = re.sub(r"<script.*?</script>", "", html, flags=re.S)
    assert "[[" not in prose
    assert "\ufffd" not in prose
    prose = re.sub(r"<pre.*?</pre>", "", prose, flags=re.S)  # programs have a None and braces of their own
    assert not re.search(r"\bnan\b|\binf\b|None|undefined", re.sub(r"<[^>]*>", " ", prose))


def test_all_windows_and_parts_are_there_and_linked_both_ways(site: Path) -> None:
    explainer, instrument = elements(site, "index.html"), elements(site, "instrument.html")
    assert set(PARTS) <= set(explainer.ids())
    assert {f"window-{number}" for number in range(9)} <= set(instrument.ids())
    assert {f"instrument.html#window-{number}" for number in range(9)} <= set(explainer.values("href"))
    html = (site / "index.html").read_text("utf-8")
    for part in PARTS:
        section = html[html.index(f'id="{part}"') :].split("</section>")[0]
        assert "instrument.html#window-" in section, part
    html = (site / "instrument.html").read_text("utf-8")
    for number in range(9):
        section = html[html.index(f'id="window-{number}"') :].split("</section>")[0]
        assert "index.html#" in section, number


def test_no_drawing_has_a_line_without_length(site: Path) -> None:
    """WebKit draws the round ends of one as large as the drawing is stretched."""
    pages = [path.read_text("utf-8") for path in site.glob("*.html")]
    scripts = [path.read_text("utf-8") for path in (ROOT / "templates" / "js").rglob("*.js")]
    assert "h.001" in "".join(pages)
    assert "h.001" in "".join(scripts)
    for text in (*pages, *scripts):
        assert not re.search(r"""[hv]0["'`M]""", text)


def test_no_cell_of_a_table_turns_its_writing() -> None:
    """WebKit would lay its text out from left to right, and upside down: what turns is an element in the cell."""
    sheets = [path.read_text("utf-8") for path in (ROOT / "templates" / "css").glob("*.css")]
    turned = [rule for sheet in sheets for rule in re.findall(r"([^{}]+)\{[^{}]*writing-mode", sheet)]
    assert turned
    assert not [rule for rule in turned if re.search(r"\bt[hd][^\s,]*(?:\([^)]*\))?\s*(?:,|$)", rule)]


def test_plotly_is_there_once(site: Path) -> None:
    scripts = [path for path in site.rglob("*.js") if path.stat().st_size > 1_000_000]
    assert [re.sub(r"\.[0-9a-f]{8}\.", ".", path.name) for path in scripts] == ["plotly.min.js"]


def test_the_pages_name_nothing_of_the_machine_that_built_them(site: Path) -> None:
    for path in site.rglob("*"):
        if path.suffix in (".html", ".json", ".css"):
            text = path.read_text("utf-8")
            assert str(site) not in text
            assert str(Path.home()) + "/" not in text


@pytest.mark.parametrize("page", PAGES)
def test_a_strict_html5_parser_finds_nothing_to_mend(site: Path, page: str) -> None:
    parser = html5lib.HTMLParser(strict=True)
    with (site / page).open("rb") as file:
        parser.parse(file)
    assert parser.errors == []


def test_a_strict_html5_parser_would_find_a_slip(site: Path) -> None:
    html = (site / "index.html").read_text("utf-8").replace("</main>", "</section></main>")
    with pytest.raises(html5lib.html5parser.ParseError):
        html5lib.HTMLParser(strict=True).parse(html)


@pytest.mark.parametrize("page", ["index.html", "instrument.html"])
def test_paper_is_light_though_the_screen_is_dark(site: Path, browser: Browser, page: str) -> None:
    ink = "getComputedStyle(document.body).color"
    context = browser.new_context(offline=True, color_scheme="dark")
    opened = context.new_page()
    opened.goto((site / page).as_uri())
    on_screen = opened.evaluate(ink)
    opened.emulate_media(media="print", color_scheme="dark")
    on_paper = opened.evaluate(ink)
    opened.emulate_media(media="screen", color_scheme="light")
    light = opened.evaluate(ink)
    context.close()
    assert on_paper == light != on_screen
