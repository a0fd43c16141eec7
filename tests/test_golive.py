"""Going live: addresses, what others show of a page, headers, the page for lost readers, the workflows."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, expect

from posenc.web import options, policy
from posenc.web.address import page_address, site_address
from posenc.web.bundle import fingerprinted, single_file
from posenc.web.golive import day, headers, live, sitemap
from tests.browser import violations, want_plots, watch
from tests.checkout import ROOT
from tests.rendered import BASE_URL, pages, rendered

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NAMESPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


class Head(HTMLParser):
    """What a page says of itself: its <meta> by name or property, and its <link> by rel."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        key = found.get("property") or found.get("name") or found.get("rel")
        if tag in ("meta", "link") and key:
            self.said[key] = found.get("content") or found.get("href") or ""


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/", "https://example.org/"),
        ("https://example.org/posenc", "https://example.org/posenc/"),
        ("https://example.org/a/b///", "https://example.org/a/b/"),
        ("HTTPS://Example.ORG:8443/Posenc/", "https://example.org:8443/Posenc/"),
        ("http://localhost:8000/", "http://localhost:8000/"),
        ("https://[::1]:8000/x", "https://[::1]:8000/x/"),
        ("https://xn--bcher-kva.example/%C3%BC/", "https://xn--bcher-kva.example/%C3%BC/"),
        ("https://user.github.io/repo-1.2_3~x", "https://user.github.io/repo-1.2_3~x/"),
    ],
)
def test_an_address_is_brought_to_one_form(given: str, kept: str) -> None:
    assert site_address(given) == kept
    assert site_address(kept) == kept


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ("", "an absolute address"),
        ("example.org/posenc", "an absolute address"),
        ("//example.org/", "an absolute address"),
        ("/posenc/", "an absolute address"),
        ("https://", "an absolute address"),
        ("ftp://example.org/", "an absolute address"),
        ("javascript:alert(1)", "an absolute address"),
        ("https://me:secret@example.org/", "without a name or password"),
        ("https://example.org/?page=1", "without a query"),
        ("https://example.org/?", "without a query"),
        ("https://example.org/#top", "without a fragment"),
        ("https://example.org/a b/", "free of spaces"),
        (" https://example.org/", "free of spaces"),
        ("https://example.org/\n", "free of spaces"),
        ("https://bücher.example/", "free of spaces and signs that are not %-encoded"),
        ('https://example.org/">', "free of spaces and signs"),
        ("https://example.org/%zz/", "free of spaces and signs"),
        ("https://exa_mple..org/", "of a host in ASCII letters"),
        ("https://example.org:99999/", "an address (Port out of range"),
        ("https://[::1/", "an address ("),
        ("https://example.org/a/../b/", "free of empty, . and .. folders"),
        ("https://example.org/a//b/", "free of empty, . and .. folders"),
        ("https://example.org/site/index.html", "the address of the folder, not of a page"),
    ],
)
def test_a_wrong_address_is_refused_with_the_argument_the_value_and_the_rule(given: str, rule: str) -> None:
    with pytest.raises(ValueError, match=rf"base_url must be {re.escape(rule)}.*, got {re.escape(repr(given))}"):
        site_address(given)


def test_the_first_page_has_the_folder_s_own_address() -> None:
    assert page_address(BASE_URL, "index.html") == BASE_URL
    assert page_address(BASE_URL, "instrument.html") == BASE_URL + "instrument.html"


@pytest.mark.parametrize("name", ["index.html", "instrument.html"])
def test_a_page_with_an_address_tells_others_how_to_show_it(name: str) -> None:
    html = pages(rendered(BASE_URL))[name]
    said, title = Head(html).said, re.search(r"<title>([^<]*)</title>", html)
    assert title is not None
    assert said["canonical"] == said["og:url"] == page_address(BASE_URL, name)
    assert said["og:type"] == "website"
    assert said["twitter:card"] == "summary_large_image"
    assert said["og:image"] == said["twitter:image"] == BASE_URL + "card.png"
    for kind in ("og", "twitter"):
        assert said[f"{kind}:title"] == title[1]
        assert said[f"{kind}:description"] == said["description"]
        assert len(said[f"{kind}:image:alt"]) > 40


def test_without_an_address_nothing_of_it_is_there() -> None:
    for html in pages(rendered()).values():
        assert not {key for key in Head(html).said if key.startswith(("og:", "twitter:", "canonical"))}


def test_an_address_changes_no_link_that_the_two_pages_follow() -> None:
    with_it, without = pages(live(rendered(BASE_URL), BASE_URL)), pages(rendered())
    for name in ("index.html", "instrument.html"):
        body, bare = with_it[name].split("<body")[1], without[name].split("<body")[1]
        cited = [line for line in body.splitlines() if line not in bare.splitlines()]
        assert [line.split()[0] for line in cited] == ["url"] * (name == "instrument.html"), "the page's own BibTeX"
        assert [line for line in body.splitlines() if line not in cited] == bare.splitlines()


def test_the_sitemap_and_robots_name_the_pages_and_no_date() -> None:
    files = live(rendered(BASE_URL), BASE_URL)
    root = ElementTree.fromstring(files["sitemap.xml"])
    assert [loc.text for loc in root.findall("s:url/s:loc", NAMESPACE)] == [BASE_URL, BASE_URL + "instrument.html"]
    assert root.findall("s:url/s:lastmod", NAMESPACE) == []
    assert files["robots.txt"].decode().splitlines()[-1] == f"Sitemap: {BASE_URL}sitemap.xml"
    assert files["card.png"].startswith(b"\x89PNG")
    assert live(rendered(BASE_URL), BASE_URL) == files


def test_the_sitemap_dates_the_pages_when_the_build_is_told_a_date() -> None:
    files = live(rendered(BASE_URL), BASE_URL, day("1700000000"))
    dates = ElementTree.fromstring(files["sitemap.xml"]).findall("s:url/s:lastmod", NAMESPACE)
    assert [date.text for date in dates] == ["2023-11-14"] * 2
    assert "<loc>https://example.org/a&amp;b/</loc>" in sitemap({"https://example.org/a&b/": []}, None)


@pytest.mark.parametrize("epoch", ["", "soon", "1.5", "9" * 30])
def test_a_date_that_is_none_is_refused(epoch: str) -> None:
    with pytest.raises(ValueError, match=f"SOURCE_DATE_EPOCH must be whole seconds since 1970, got {epoch!r}"):
        day(epoch)


def test_no_jekyll_runs_over_the_site() -> None:
    assert rendered()[".nojekyll"] == b""


def test_the_page_for_lost_readers_stands_alone_in_light_and_dark(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "404.html").write_bytes(rendered()["404.html"])
    grounds = set()
    for scheme in ("light", "dark"):
        context = browser.new_context(offline=True, color_scheme=scheme)
        page = context.new_page()
        troubles = watch(page)
        page.goto((tmp_path / "404.html").as_uri())
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert page.evaluate("performance.getEntriesByType('resource').length") <= 1, "its icon is data"
        assert troubles + violations(page) == []
        context.close()
    assert grounds == {"rgb(251, 250, 246)", "rgb(20, 22, 26)"}


def test_the_page_for_lost_readers_leads_home_from_any_depth_once_the_address_is_known() -> None:
    lost = live(rendered(BASE_URL), BASE_URL)["404.html"].decode()
    assert re.findall(r'<a href="([^"]*)"', lost) == [BASE_URL, BASE_URL + "instrument.html"]
    assert re.findall(r'<a href="([^"]*)"', rendered()["404.html"].decode()) == ["index.html", "instrument.html"]


def rules(files: dict[str, bytes]) -> dict[str, dict[str, str]]:
    """A _headers file, read as its hosts read it; no path has two rules."""
    found: dict[str, dict[str, str]] = {}
    for line in files["_headers"].decode().splitlines():
        if line.startswith("/"):
            assert line not in found
            found[line] = values = {}
        else:
            name, value = re.fullmatch(r"  ([\w-]+): (.+)", line).groups()  # type: ignore[union-attr]
            assert len(line) < 2000, "Cloudflare takes no longer line"
            values[name] = value
    return found


def test_headers_guard_every_path_and_say_how_long_each_file_keeps() -> None:
    files = fingerprinted(live(rendered(BASE_URL), BASE_URL))
    found = rules(headers(files))
    everywhere = found.pop("/*")
    assert everywhere["X-Content-Type-Options"] == "nosniff"
    assert {"Referrer-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy"} <= set(everywhere)
    assert "Cache-Control" not in everywhere, "these hosts would join the two values"
    assert {path for path, values in found.items() if values == {"Cache-Control": "no-cache"}} == {
        "/",
        *(f"/{name}{ending}" for name in ("index", "instrument", "404") for ending in ("", ".html")),
    }
    kept = {path for path, values in found.items() if "immutable" in values["Cache-Control"]}
    assert kept == {f"/{name}" for name in files if name.startswith("assets/")}


@pytest.mark.parametrize("packed", [fingerprinted, single_file])
def test_the_header_s_policy_allows_what_each_page_s_own_allows_and_no_frame(packed: object) -> None:
    assert callable(packed)
    files = packed(rendered())
    stated = policy.parse(rules(headers(files))["/*"]["Content-Security-Policy"])
    assert stated.pop("frame-ancestors") == ["'none'"]
    assert stated["default-src"] == ["'none'"]
    for name, html in pages(files).items():
        for directive, sources in policy.of_page(name, html).items():
            assert set(sources) - {"'none'"} <= set(stated[directive]), (name, directive)
    assert "'unsafe-inline'" not in policy.write(stated)
    assert "'unsafe-eval'" not in policy.write(stated)


def test_a_page_without_a_policy_or_with_a_lax_one_gets_no_headers() -> None:
    with pytest.raises(ValueError, match=r"a\.html states no content policy"):
        headers({"a.html": b"<head></head>"})
    with pytest.raises(ValueError, match="a policy must begin with default-src 'none', got 'script-src \\*'"):
        policy.union([policy.parse("script-src *")])


@pytest.mark.plotly
def test_the_fingerprinted_site_runs_from_disk(page: Page, tmp_path: Path) -> None:
    for name, data in fingerprinted(rendered(BASE_URL)).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    page.goto((tmp_path / "instrument.html").as_uri())
    expect(page.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    want_plots(page)
    expect(page.locator("[data-heatmap]").first).to_have_attribute("data-state", "plot", timeout=30_000)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_ask_for_little_and_name_what_they_use(path: Path) -> None:
    text = path.read_text("utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+|\./\.github/workflows/\w+\.yml", name) for name in used), used
    assert re.search(r"^permissions:\n  contents: read\n\n", text, re.MULTILINE)
    assert set(re.findall(r"^ +([\w-]+): write$", text, re.MULTILINE)) <= {"pages", "id-token"}
    assert not re.search(r"https?://|npmjs|pypi|secrets\.", text)
    assert not re.search(r"run:.*\$\{\{", text), "a value from outside comes by a variable, never in the command"


def test_workflows_and_readme_use_flags_that_exist() -> None:
    known = {f"--{setting.name}" for setting in options.SETTINGS} | {"--tamper", "--check", "--serve", "--open"}
    for path in (*WORKFLOWS, ROOT / "README.md"):
        for command in re.findall(r"python3 build\.py([^\n`#]*)", path.read_text("utf-8")):
            assert set(re.findall(r"--[\w-]+", command)) <= known | {"--help"}, (path.name, command)


def test_main_is_deployed_only_after_the_tests_and_with_the_small_bundle() -> None:
    text = (ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8")
    assert re.search(r"branches: \[main\]", text)
    needs = dict(re.findall(r"^  (\w+):\n    needs: (\w+)$", text, re.MULTILINE))
    assert needs == {"build": "test", "deploy": "build"}
    assert "uses: ./.github/workflows/build.yml" in text
    assert "--plotly" in text
    assert "plotly.js-cartesian-dist-min@$version" in text
    tests = (ROOT / ".github" / "workflows" / "build.yml").read_text("utf-8")
    assert re.findall(r"run: (python3 .*)", tests) == ["python3 build.py", "python3 -m tests"]
    assert "workflow_call:" in tests
