"""Languages: a folder of content/ becomes a folder of the site, held to the source, and nothing else changes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from playwright.sync_api import Page

from posenc.claims import CLAIMS
from posenc.config import Config
from posenc.engine import encode
from posenc.proof import prove
from posenc.web import bundle, content, format, golive, languages
from posenc.web.content import ContentError, Document
from posenc.web.pages import FILES, check, render
from posenc.web.publish import publish
from posenc.web.watch import SOURCES, Tree, differences
from posenc.web.words import DOCUMENTS, Words, translation_slips
from posenc.web.words import read as read_all
from tests import pseudo
from tests.checkout import ROOT, Checkout, copy, snapshot

BASE_URL = "https://example.org/posenc/"
TAGS = ("en-XA", "ar-XB")
Files = dict[str, bytes]
# What a language does not translate: code and formulas, and names that are code.
UNTRANSLATED = {"script", "style", "code", "pre", "math"}
NAMES = re.compile(r"mulberry32|FNV-1a|b?float\d\d|[0-9a-f]{64}")
CODE = re.compile(  # the mode; texts of errors; a diagnosis's values, which content/en/check.md has the words for
    r"use strict$|\$\{failed\}: \$\{error|\$\{rows\.length\} rows of"
    r"|accepted with an oddity$|not a sinusoidal encoding$"
)
LABELS = ("aria-label", "alt", "title", "placeholder", "aria-description", "aria-roledescription")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    made = copy(tmp_path_factory.mktemp("languages") / "posenc")
    pseudo.write(made.root)
    return made


def rendered(root: Path, base_url: str | None = None, warn: list[str] | None = None) -> Files:
    config = Config()
    table = encode(range(config.n_positions), config.d_model, config.base)
    told = None if warn is None else warn.append
    site = render(root, config, table, prove(table, config), base_url=base_url, plotly=b"//", warn=told)
    check(site, told)
    return golive.grounded(site.files, golive.lost_style(ROOT), golive.theme(ROOT))


@pytest.fixture(scope="module")
def files(checkout: Checkout) -> Files:
    return rendered(checkout.root, BASE_URL)


def english_letters(html: str) -> Iterator[str]:
    """Every text and label of a page in which two plain letters stand together, but for names that are code."""

    def within(element: ElementTree.Element) -> Iterator[str]:
        if str(element.tag).split("}")[-1] in UNTRANSLATED or element.get("lang") == "en":
            return
        yield from (element.get(label, "") for label in LABELS)
        if element.get("name") == "description":
            yield element.get("content", "")
        yield element.text or ""
        for child in element:
            yield from within(child)
            yield child.tail or ""

    page = html5lib.parse(html, namespaceHTMLElements=False)
    texts = [*within(page.find("body")), *within(page.find("head"))]
    page_data = page.find(".//script[@id='data']")
    if page_data is not None:
        texts += [re.sub(r"\{\w+\}", "", text) for text in json.loads(page_data.text)["strings"].values()]
    yield from (text for text in texts if re.search("[A-Za-z]{2}", NAMES.sub("", text)))


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("file", FILES.values())
def test_a_folder_of_words_becomes_a_folder_of_pages_with_no_english_left(files: Files, tag: str, file: str) -> None:
    page = files[f"{tag}/{file}"].decode()
    direction = pseudo.LANGUAGE[tag]["language.dir"]
    assert page.startswith(f'<!doctype html>\n<html lang="{tag}" dir="{direction}">')
    assert list(english_letters(page)) == []


def test_a_word_left_in_a_template_is_found(files: Files) -> None:
    page = files["en-XA/index.html"].decode()
    spoilt = {
        "in a text": page.replace("</h1>", " Slot</h1>", 1),
        "in a label": page.replace('aria-label="', 'aria-label="of ', 1),
        "in a script’s text": page.replace('"strings":{', '"strings":{"x":"at {pos}",', 1),
    }
    assert {name: len(list(english_letters(html))) for name, html in spoilt.items()} == dict.fromkeys(spoilt, 1)


def test_no_prose_stands_in_the_scripts() -> None:
    assert [found for path in scripts() for found in prose(path.read_text("utf-8"))] == []


def test_prose_in_a_script_is_found() -> None:
    assert prose('  const a = "a-b", b = `x-${b}`; say(box, ".a b", "Two words");') == ["Two words"]
    assert prose("  place.textContent = `Slot ${n} is here`;") == ["Slot ${n} is here"]
    assert prose('  throw new Error("no such thing"); // it is so\n  console.warn("as it is");') == []


def scripts() -> list[Path]:
    return sorted((ROOT / "templates" / "js").rglob("*.js"))


def prose(script: str) -> list[str]:
    """Texts of a script that have two words or more, but for errors and what a selector, a drawing or code is."""
    code = re.sub(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", "", script, flags=re.DOTALL)
    code = re.sub(r"(?:Error|Exception|failure|console\.\w+)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "", code)
    code = re.sub(r"(?:querySelector|querySelectorAll|closest|find|draw|say|must)\([^\"`\n]*([\"`]).*?\1", "", code)
    texts = [found[2] for found in re.finditer(r"""([\"`])((?:(?!\1)[^\\\n]|\\.)*)\1""", code)]
    return [
        text
        for text in texts
        if re.search(r"(?<![\w.-])[A-Za-z]{2,} (?:[a-z]{2,}|\$\{)", text) and not CODE.match(text)
    ]


def sided(css: str) -> list[str]:
    """Paddings and margins that say left and right apart; around plots, which keep their sides, they may."""
    bare = re.sub(r"\((?!--plot)[^()]*\)", "", css)
    found = re.findall(r"\b(?:padding|margin): *[^ ;]+ +([^ ;]+) +[^ ;]+ +([^ ;]+) *[;}]", bare)
    return [f"{right} {left}" for right, left in found if right != left and "plot-" not in right]


def test_the_style_sheets_speak_of_start_and_end() -> None:
    sheets = sorted((ROOT / "templates" / "css").glob("*.css"))
    assert [found for path in sheets for found in sided(path.read_text("utf-8"))] == [
        ".5rem 0"
    ]  # the plate is a drawing
    assert sided("a { padding: 1rem 0 1rem 2rem; }") == ["0 2rem"]


def test_the_source_stands_at_the_root_and_assets_and_proof_are_shared(files: Files) -> None:
    pages = [f"{folder}{file}" for folder in ("", *(f"{tag}/" for tag in TAGS)) for file in FILES.values()]
    assert {name for name in files if name.endswith(".html")} == {*pages, "404.html"}
    assert not any(name.count("/") and not name.startswith("assets/") for name in set(files) - set(pages))
    for tag in TAGS:
        assert b'href="../proof.json"' in files[f"{tag}/index.html"]
        assert b'src="../assets/format.js"' in files[f"{tag}/index.html"]


def test_every_page_names_itself_in_every_language(files: Files) -> None:
    for tag in ("en", *TAGS):
        for file, address in (("index.html", ""), ("instrument.html", "instrument.html")):
            html = files[file if tag == "en" else f"{tag}/{file}"].decode()
            own = BASE_URL + ("" if tag == "en" else f"{tag}/") + address
            expected = {"en": "", "x-default": "", **{other: f"{other}/" for other in TAGS}}
            told = dict(re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', html))
            assert told == {other: f"{BASE_URL}{folder}{address}" for other, folder in expected.items()}
            assert f'<link rel="canonical" href="{own}">' in html
            assert f'<meta property="og:url" content="{own}">' in html


def test_the_menu_leads_to_the_same_page_by_links_that_work_from_disk(files: Files) -> None:
    def menu(page: str) -> list[tuple[str, str]]:
        within = re.search(r'<nav class="languages"[^>]*>(.*?)</nav>', files[page].decode(), re.DOTALL)
        assert within
        return re.findall(r'<a href="([^"]*)" lang="([^"]*)" hreflang="\2"', within[1])

    assert menu("instrument.html") == [
        ("instrument.html", "en"),
        ("ar-XB/instrument.html", "ar-XB"),
        ("en-XA/instrument.html", "en-XA"),
    ]
    assert menu("ar-XB/index.html") == [
        ("../index.html", "en"),
        ("index.html", "ar-XB"),
        ("../en-XA/index.html", "en-XA"),
    ]


def test_one_language_alone_has_no_menu_and_no_alternates(site: Path) -> None:
    for file in FILES.values():
        html = (site / file).read_text("utf-8")
        assert "hreflang" not in html
        assert 'class="languages"' not in html


def test_the_page_for_lost_readers_leads_to_every_language(files: Files) -> None:
    lost = files["404.html"].decode()
    assert '<html lang="en" dir="ltr">' in lost
    for tag in TAGS:
        assert f'<ul lang="{tag}" dir="{pseudo.LANGUAGE[tag]["language.dir"]}">' in lost
        assert f'href="{tag}/instrument.html"' in lost
    live = golive.live(files, BASE_URL)["404.html"].decode()
    assert f'href="{BASE_URL}ar-XB/"' in live


def test_the_sitemap_has_every_page_with_its_other_languages(files: Files) -> None:
    tree = ElementTree.fromstring(golive.live(files, BASE_URL)["sitemap.xml"])
    urls = {url[0].text: {link.get("hreflang"): link.get("href") for link in url[1:]} for url in tree}
    assert len(urls) == 2 * (1 + len(TAGS))
    for others in urls.values():
        assert set(others) == {"en", "x-default", *TAGS}
        assert set(others.values()) < set(urls)


def test_pages_in_folders_are_packed_as_those_at_the_root(files: Files) -> None:
    printed = bundle.fingerprinted(files)
    style = next(name for name in printed if re.fullmatch(r"assets/explainer\.\w{8}\.css", name))
    assert f'href="../{style}"'.encode() in printed["ar-XB/index.html"]
    headers = golive.headers(printed)["_headers"].decode()
    assert "\n/ar-XB/\n  Cache-Control: no-cache" in headers
    alone = bundle.single_file(files)
    assert not any(name.startswith("assets/") for name in alone)
    assert b"assets/" not in re.sub(rb"<script.*?</script>", b"", alone["en-XA/instrument.html"], flags=re.DOTALL)
    assert 'href="data:application/json;base64,' in alone["ar-XB/index.html"].decode()


def test_a_language_is_published_and_taken_back(files: Files, tmp_path: Path) -> None:
    out = tmp_path / "site"
    packed = bundle.gzipped(files)
    publish(packed, out)
    assert {"ar-XB/index.html", "ar-XB/index.html.gz", "en-XA/instrument.html"} <= set(snapshot(out))
    (out / "ar-XB" / "own.txt").write_text("a stranger's")
    publish({name: data for name, data in packed.items() if not name.startswith("ar-XB/")}, out)
    assert [path.name for path in (out / "ar-XB").iterdir()] == ["own.txt"]
    assert (out / "en-XA" / "index.html").exists()


# ---- what is wrong is told ----


def read_words(root: Path, tag: str) -> Words:
    shown = {name: Path("content") / tag / f"{name}.md" for name in DOCUMENTS}
    return Words(**{name: content.read(root / path, path) for name, path in shown.items()})


def edited(words: Words, name: str, old: str, new: str) -> Words:
    document: Document = getattr(words, name)
    text = "\n".join(document.lines)
    assert old in text, f"{document.path} no longer holds {old!r}"
    lines = tuple(text.replace(old, new, 1).split("\n"))
    documents = {each: getattr(words, each) for each in DOCUMENTS}
    return Words(**{**documents, name: content.parse(document.path, lines)})


SLIPS = {
    "a missing key": ("site", "\nskip: ", "\n# skip: ", "the key skip of content/en/site.md is missing"),
    "a surplus key": (
        "site",
        "\nskip: ",
        "\nskap: x\nskip: ",
        "content/en/site.md has no key skap; did you mean skip?",
    ),
    "a missing section": ("explainer", " {#wave}", " {#waves}", "section {#wave} is missing"),
    "a surplus section": ("explainer", " {#wave}", " {#waves}", "unknown section {#waves}; did you mean wave?"),
    "a missing slot": (
        "explainer",
        "[[ figure:wave ]]",
        "",
        "the slot [[ figure:wave ]] of the source is missing here",
    ),
    "a surplus slot": (
        "explainer",
        "\n[[ figure:wave ]]",
        "\n[[ wave.length ]]\n\n[[ figure:wave ]]",
        "the source has no slot [[ wave.length ]] here",
    ),
    "a slot missing in a text": ("instrument", "[[ lineage.words ]]", "x", "slot [[ lineage.words ]] of the source is"),
    "a missing placeholder": ("site", "“{asked}”", "x", "the placeholder {asked} of the source is missing"),
    "an unknown placeholder": (
        "site",
        "“{asked}”",
        "{asked} {aske}",
        "unknown placeholder {aske}; did you mean asked?",
    ),
    "a slot left open": ("explainer", "[[ figure:wave ]]", "[[ figure:wave", "a slot is [[ name ]] on one line"),
}


@pytest.fixture(scope="module")
def source() -> Words:
    return read_words(ROOT, "en")


@pytest.fixture(scope="module")
def translation(checkout: Checkout) -> Words:
    return read_words(checkout.root, "en-XA")


def test_a_whole_translation_has_no_slips(source: Words, translation: Words) -> None:
    assert list(translation_slips(translation, source)) == []


@pytest.mark.parametrize("slip", SLIPS)
def test_what_a_translation_lacks_or_has_too_much_is_told(slip: str, source: Words, translation: Words) -> None:
    name, old, new, message = SLIPS[slip]
    found = [str(problem) for problem in translation_slips(edited(translation, name, old, new), source)]
    assert any(message in text for text in found), found
    assert all(re.match(rf"content/en-XA/{name}\.md:\d+:\d+: error: ", text) for text in found)
    assert len(found) <= 3


def test_the_order_of_slots_is_the_language_s_own(source: Words, translation: Words) -> None:
    swapped = edited(translation, "site", "[[ explainer.size ]]", "[[ x ]]")
    swapped = edited(swapped, "site", "[[ instrument.size ]]", "[[ explainer.size ]]")
    swapped = edited(swapped, "site", "[[ x ]]", "[[ instrument.size ]]")
    assert list(translation_slips(swapped, source)) == []


def test_all_slips_of_all_languages_are_told_at_once_and_a_draft_takes_the_source_s_words(checkout: Checkout) -> None:
    warned: list[str] = []
    with (
        checkout.edited("content/en-XA/site.md", "\nskip: ", "\n# skip: "),
        checkout.edited("content/ar-XB/explainer.md", "[[ figure:wave ]]", ""),
        checkout.edited("content/ar-XB/explainer.md", "{#coda}", "{#codas}"),
    ):
        with pytest.raises(ContentError) as caught:
            rendered(checkout.root)
        files = rendered(checkout.root, warn=warned)
    named = {problem.path.as_posix() for problem in caught.value.problems}
    assert named == {"content/en-XA/site.md", "content/ar-XB/explainer.md"}
    assert len(caught.value.problems) == 4
    assert len(warned) == 4
    assert all(": warning: " in line for line in warned)
    assert "Skip to the content" in files["en-XA/index.html"].decode()
    assert 'id="coda"' in files["ar-XB/index.html"].decode()


def test_a_number_that_is_not_understood_hides_no_other_slip(checkout: Checkout) -> None:
    with (
        checkout.edited("content/en-XA/site.md", "\nnumber.percent: ", "\nnumber.percent: no "),
        checkout.edited("content/en-XA/site.md", "\nskip: ", "\n# skip: "),
        checkout.edited("content/ar-XB/explainer.md", "{#coda}", "{#codas}"),
        pytest.raises(ContentError) as caught,
    ):
        rendered(checkout.root)
    told = "\n".join(map(str, caught.value.problems))
    assert "the key skip of content/en/site.md is missing" in told
    assert "section {#coda} is missing" in told


def test_a_draft_takes_the_source_s_file_where_a_translation_has_none(checkout: Checkout) -> None:
    file = checkout.root / "content" / "en-XA" / "instrument.md"
    kept = file.read_bytes()
    file.unlink()
    warned: list[str] = []
    try:
        files = rendered(checkout.root, warn=warned)
    finally:
        file.write_bytes(kept)
    assert warned == ["content/en-XA/instrument.md:1:1: warning: the file is missing"]
    assert "<h1>The Positional Encoding" in files["en-XA/instrument.html"].decode()


STRAYS = {
    "a folder that is no language": ("German/site.md", "named by its language"),
    "a folder without words": ("de/.keep", "the folder of this language is empty"),
    "a file beside the folders": ("notes.md", "words stand in a folder for each language"),
    "a language without all files": ("de/site.md", "content/de/explainer.md:1:1: error: the file is missing"),
    "a file that no page takes": ("en/draft.md", "no page takes its words from this file"),
}


@pytest.mark.parametrize("stray", STRAYS)
def test_what_lies_astray_in_the_content_is_told(stray: str, tmp_path: Path) -> None:
    name, message = STRAYS[stray]
    english = tmp_path / "content" / "en"
    english.mkdir(parents=True)
    for document in DOCUMENTS:
        (english / f"{document}.md").write_bytes((ROOT / "content" / "en" / f"{document}.md").read_bytes())
    path = tmp_path / "content" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((ROOT / "content" / "en" / "site.md").read_bytes())
    with pytest.raises(ContentError, match=re.escape(message)):
        read_all(tmp_path)


# ---- numbers ----


def site_document(changes: dict[str, str]) -> Document:
    lines = (ROOT / "content" / "en" / "site.md").read_text("utf-8").split("\n")
    return content.parse(
        Path("content/en/site.md"),
        tuple(f"{key}: {changes[key]}" if (key := line.partition(":")[0]) in changes else line for line in lines),
    )


def styles() -> dict[str, format.Style]:
    return {tag: languages.language(tag, site_document(pseudo.LANGUAGE.get(tag, {}))).style for tag in ("en", *TAGS)}


def test_the_english_words_write_numbers_as_the_modules_do_by_themselves() -> None:
    assert styles()["en"] == format.ENGLISH


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("en", ["−12,345.60", "2.6\u00a0×\u00a010⁻¹⁵", "50\u00a0%", "3 … 5", "−3.5", "12", "not a number", "−∞"]),
        ("en-XA", ["−12\u202f345,60", "2,6·10⁻¹⁵", "50\u00a0%", "3 – 5", "−3,5", "12", "ñáñ", "−∞"]),
        (
            "ar-XB",
            [
                "\u200e−12.345,60",
                "\u200e2,6\u00a0×\u00a010⁻¹⁵",
                "\u200e50٪",
                "3 … 5",
                "\u200e−3,5",
                "12",
                "نان",
                "\u200e−∞",
            ],
        ),
    ],
)
def test_numbers_are_written_as_the_language_shows(tag: str, expected: list[str]) -> None:
    with format.writing(styles()[tag]):
        written = [
            *(format.fixed(-12345.6, 2), format.sci(2.609e-15), format.percent(0.5), format.span("3", "5")),
            *(format.general(-3.5), format.bare(format.fixed(12, 3))),
            *(format.measured(float("nan")), format.measured(float("-inf"))),
        ]
    assert written == expected
    assert format.style() is format.ENGLISH


@pytest.mark.parametrize("tag", TAGS)
def test_the_script_writes_as_python_does_in_every_language(scripts: Page, tag: str) -> None:
    style = styles()[tag]
    values = [0.0, -0.0, 12345.678, -1234567.891, 2.609e-15, -3.5e9, 0.25, 999.9999, 1e22, float("nan"), float("-inf")]
    written = scripts.evaluate(
        """([values, style, english]) => {
            posenc.format.write(style);
            const { fixed, count, sci, measured, plain, listed } = posenc.format;
            const texts = values.map((x) => [fixed(x, 2), count(x), sci(x), measured(x)]);
            const list = listed(["3", "4", "5"]);
            posenc.format.write(english);
            return [texts, list];
        }""",
        [values, *({sign: getattr(each, sign) for sign in format.SCRIPTS_NEED} for each in (style, format.ENGLISH))],
    )
    with format.writing(style):
        texts = [[format.fixed(x, 2), format.fixed(x, 0), format.sci(x), format.measured(x)] for x in values]
        assert written == [texts, format.listed(["3", "4", "5"])]


BAD = {
    "number.written": "−12345",
    "number.power": "2.5e3",
    "number.percent": "percent",
    "number.list": "3 4",
    "language.dir": "right",
}


@pytest.mark.parametrize("key", BAD)
def test_an_example_that_is_not_understood_is_told_with_its_line(key: str) -> None:
    document = site_document({key: BAD[key]})
    (problem,) = languages.problems(document)
    assert document.lines[problem.line - 1].startswith(f"{key}: ")
    assert f"{key} " in problem.message


def test_drawings_and_data_are_the_same_in_every_language(files: Files) -> None:
    def drawn(page: str) -> list[str]:
        return re.findall(r'\s(?:d|points|viewBox|transform|x|y|x1|x2|y1|y2|cx|cy|r|width|height)="([^"]*)"', page)

    for file in FILES.values():
        pages = [files[file].decode(), *(files[f"{tag}/{file}"].decode() for tag in TAGS)]
        assert drawn(pages[0])
        assert all(drawn(page) == drawn(pages[0]) for page in pages)
        data = [json.loads(re.findall(r'id="data">(.*?)</script>', page)[0]) for page in pages]
        for key in ("config", "omega", "table", "state", "extra"):
            assert all(each[key] == data[0][key] for each in data)


def test_what_the_pages_say_of_a_claim_is_the_claim() -> None:
    words = content.read(ROOT / "content" / "en" / "instrument.md", Path("instrument.md")).fields
    assert {name: words[f"figure.witness.claim.{name}"] for name in CLAIMS} == {
        name: claim for name, (claim, _) in CLAIMS.items()
    }
    assert {name: words[f"script.invariant.{name}"] for name in CLAIMS} == {name: name for name in CLAIMS}


def test_the_pseudo_language_is_two_fifths_longer_and_keeps_what_is_not_for_translators() -> None:
    english = "".join((ROOT / "content" / "en" / f"{name}.md").read_text("utf-8") for name in DOCUMENTS)
    longer = len(pseudo.document(english, "en-XA")) / len(english)
    assert 1.2 < longer < 1.6
    line = "At [[ live:now.pos ]], *see* [the paper](https://arxiv.org/abs/1), {name}: <span>of</span> `code`"
    kept = pseudo.translated(line, pseudo.accented)
    for part in ("[[ live:now.pos ]]", "](https://arxiv.org/abs/1)", "{name}", "<span>", "</span>", "`code`"):
        assert part in kept
    assert "\u202e" not in pseudo.translated(line, pseudo.arabic)


def test_the_server_notices_a_new_language(tmp_path: Path) -> None:
    tree = Tree(tmp_path, SOURCES)
    (tmp_path / "content" / "en").mkdir(parents=True)
    before = tree.snapshot()
    (tmp_path / "content" / "de").mkdir()
    (tmp_path / "content" / "de" / "site.md").write_text("---\n---\n")
    assert differences(before, tree.snapshot()) == ["content/de/site.md"]
