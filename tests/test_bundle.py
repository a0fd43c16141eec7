"""The other packings of the site: names by content, compressed copies, a page to a file."""

import gzip
import hashlib
import re

import pytest

from posenc.web import bundle, policy
from posenc.web.bundle import DeadReference, fingerprinted, gzipped, single_file, styled
from tests.rendered import pages, rendered

POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src 'self'\">"
)
PAGE = f"""<html><head>{POLICY}
<link rel="stylesheet" href="assets/site.css">
<script defer src="assets/page.js"></script>
</head><body class="x" data-plotly="assets/plotly.min.js">
<p>the text src="assets/page.js" stays, and <a href="other.html#x">so do links</a>, <a href="proof.json">proof</a></p>
<script type="application/json" id="data">{{}}</script>
</body></html>
"""
FILES = {
    "assets/site.css": b"p { color: red }",
    "assets/page.js": b"run();",
    "assets/plotly.min.js": b"var Plotly = 1;",
    "assets/font.woff2": b"font",
    "proof.json": b'{"holds": true}',
    "index.html": PAGE.encode(),
}


def site(**changes: bytes | str) -> dict[str, bytes]:
    """The small site with some files changed: `page_js` stands for assets/page.js."""
    names = {"page_js": "assets/page.js", "site_css": "assets/site.css", "index": "index.html"}
    return {**FILES, **{names[key]: text.encode() if isinstance(text, str) else text for key, text in changes.items()}}


def test_scripts_and_styles_are_named_by_their_content_and_nothing_else_is() -> None:
    named = fingerprinted(FILES)
    digest = hashlib.sha256(b"run();").hexdigest()[:8]
    assert named[f"assets/page.{digest}.js"] == b"run();"
    assert {re.sub(r"\.[0-9a-f]{8}(?=\.)", "", name) for name in named} == set(FILES)
    assert {"assets/font.woff2", "proof.json", "index.html"} <= set(named)
    assert fingerprinted(FILES) == named


def test_pages_ask_for_the_new_names_and_their_text_stays() -> None:
    named = fingerprinted(FILES)
    html = named["index.html"].decode()
    asked = re.findall(r'(?:defer src|stylesheet" href|data-plotly)="([^"]*)"', html)
    assert len(asked) == 3
    assert set(asked) == {name for name in named if bundle.FINGERPRINT.search(name)}
    assert 'the text src="assets/page.js" stays' in html


def test_a_changed_byte_changes_that_name_and_no_other() -> None:
    before, after = fingerprinted(FILES), fingerprinted(site(page_js="run(1);"))
    gone, come = set(before) - set(after), set(after) - set(before)
    assert [name[:12] for name in (*gone, *come)] == ["assets/page."] * 2


def test_a_page_in_a_folder_asks_for_the_same_assets() -> None:
    named = fingerprinted({**FILES, "de/index.html": b'<script defer src="../assets/page.js"></script>'})
    asked = re.search(rb'src="\.\./([^"]*)"', named["de/index.html"])
    assert asked is not None
    assert asked[1].decode() in named


@pytest.mark.parametrize("attribute", ["src", "href", "data-plotly"])
def test_a_reference_to_an_asset_that_does_not_exist_is_an_error(attribute: str) -> None:
    page = f'<p {attribute}="assets/gone.js">'
    with pytest.raises(DeadReference, match=r"index\.html: assets/gone\.js is no file of the site"):
        fingerprinted(site(index=page))


def test_the_real_site_has_all_that_its_pages_ask_for() -> None:
    named = fingerprinted(rendered())
    for html in pages(named).values():
        for asked in re.findall(r'"(assets/[^"]*)"', html):
            assert asked in named
            assert bundle.FINGERPRINT.search(asked)


def test_a_compressed_copy_is_the_file_and_carries_neither_time_nor_name() -> None:
    text = b"the same words again and again, " * 40
    packed = gzipped({"a.html": text, "b.js": text, "c.png": text, "_headers": text, "tiny.txt": b"x"})
    assert set(packed) == {"a.html", "a.html.gz", "b.js", "b.js.gz", "c.png", "_headers", "tiny.txt"}
    assert gzip.decompress(packed["a.html.gz"]) == text
    assert packed["a.html.gz"][:10] == bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255])
    assert packed["a.html.gz"] == packed["b.js.gz"] == bundle.gzip(text)


def test_what_gzip_does_not_make_smaller_by_a_twentieth_gets_no_copy() -> None:
    dense = b"".join(hashlib.sha256(bytes([n])).digest() for n in range(200))
    assert set(gzipped({"dense.js": dense})) == {"dense.js"}
    padded = dense + b"a" * 500
    assert len(bundle.gzip(padded)) < 0.95 * len(padded)
    assert set(gzipped({"dense.js": padded})) == {"dense.js", "dense.js.gz"}


def test_a_single_file_holds_everything_and_allows_exactly_that() -> None:
    files = single_file(FILES)
    assert set(files) == {"index.html", "proof.json"}
    html = files["index.html"].decode()
    stated = policy.of_page("index.html", html)
    run = "try {\nrun();\n} catch (error) {\n  console.error(error);\n}"
    assert stated["script-src"] == [policy.digest(run), policy.digest("var Plotly = 1;")]
    assert stated["style-src"] == [policy.digest("p { color: red }")]
    assert "'self'" not in policy.write(stated)
    assert '<script type="application/json" id="data">{}</script>' in html
    assert '<script type="text/plain" id="plotly-source">var Plotly = 1;</script>\n<script>' + run + "</script>" in html
    assert html.index('id="data"') < html.index(f"<script>{run}"), "a script that ran deferred runs after the page"
    assert '<a href="other.html#x">' in html
    assert '<a href="data:application/json;base64,eyJob2xkcyI6IHRydWV9" download="proof.json">' in html


def test_a_single_file_that_would_still_ask_for_an_asset_is_an_error() -> None:
    page = PAGE.replace("<p>", '<img src="assets/font.woff2"><p>')
    with pytest.raises(DeadReference, match=r"index\.html: assets/font\.woff2 would be outside the file"):
        single_file(site(index=page))
    with pytest.raises(DeadReference, match=r"assets/gone\.js is no file of the site"):
        single_file(site(index=PAGE.replace("assets/page.js", "assets/gone.js")))


@pytest.mark.parametrize("css", ["@import 'more.css';", "p { background: url(a.png) }", "p { src: url( 'f.woff2') }"])
def test_a_style_that_would_load_more_is_an_error(css: str) -> None:
    with pytest.raises(ValueError, match=r"assets/site\.css would load another file"):
        single_file(site(site_css=css))
    single_file(site(site_css="p { background: url(data:image/png;base64,AA) }"))


def test_every_page_of_the_real_site_stands_alone() -> None:
    files = single_file(rendered())
    assert not any(name.startswith("assets/") for name in files)
    for name, html in pages(files).items():
        words = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", html, flags=re.DOTALL)
        targets = re.findall(r'\s(?:src|href|data-plotly)="([^"]*)"', words)
        assert {target.partition("#")[0] for target in targets if not target.startswith(("data:", "https:"))} <= {
            "",
            "index.html",
            "instrument.html",
        }
        assert html.count(f'id="{bundle.CARRIED.format("plotly")}"') == (name != "404.html"), "Plotly once per page"


def test_a_page_gets_a_style_of_its_own_that_its_policy_allows() -> None:
    html = styled("p.html", f"<head>{POLICY}</head>", "a { b: '</style>' }")
    assert r"<style>a { b: '\3c /style>' }</style>" in html
    style = html.split("<style>")[1].split("</style>")[0]
    assert policy.of_page("p.html", html)["style-src"] == ["'self'", policy.digest(style)]
    with pytest.raises(ValueError, match=r"p\.html must have one </head>, got 0"):
        styled("p.html", POLICY, "")
    with pytest.raises(ValueError, match=r"p\.html states no content policy"):
        styled("p.html", "<head></head>", "")
