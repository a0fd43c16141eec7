"""Each page as one file, in a real browser, from disk, with the network cut and no other file beside it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from posenc.web.bundle import single_file
from tests.browser import violations, want_plots, watch
from tests.rendered import rendered

pytestmark = pytest.mark.plotly

FALLEN = ["bounded", "length", "shift", "ladder"]
POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src 'self'\">"
)
# How often the page had been painted when Plotly came to be.
PAINTS = """
let plotly;
Object.defineProperty(window, "Plotly", {
    get: () => plotly,
    set(value) { plotly = value; window.__paints = performance.getEntriesByType("paint").length; },
});
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two pages and nothing else."""
    folder = tmp_path_factory.mktemp("single") / "a b"
    folder.mkdir()
    files = single_file(rendered())
    for name in ("index.html", "instrument.html"):
        (folder / name).write_bytes(files[name])
    return folder


def drawn(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which Plotly has drawn; in the end nothing went wrong on it, and its policy refused nothing."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    page.add_init_script(PAINTS)
    page.goto(address)
    want_plots(page)
    for box in page.locator("[data-heatmap]").all():
        expect(box).to_have_attribute("data-state", "plot", timeout=30_000)
    yield page
    troubles += violations(page)
    context.close()
    assert troubles == []


@pytest.fixture(scope="module")
def explainer(browser: Browser, folder: Path) -> Iterator[Page]:
    yield from drawn(browser, (folder / "index.html").as_uri())


@pytest.fixture(scope="module")
def instrument(browser: Browser, folder: Path) -> Iterator[Page]:
    yield from drawn(browser, (folder / "instrument.html").as_uri())


@pytest.mark.parametrize("name", ["explainer", "instrument"])
def test_plotly_draws_from_within_the_file_after_the_page_was_painted(
    request: pytest.FixtureRequest, name: str
) -> None:
    page: Page = request.getfixturevalue(name)
    assert page.locator("[data-heatmap] .main-svg").count() > 0
    assert page.evaluate("window.__paints") > 0
    loaded: list[str] = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [address for address in loaded if not address.startswith("data:")] == []
    assert violations(page) == []


def test_the_witness_holds_and_the_tamper_breaks_four_claims(instrument: Page) -> None:
    expect(instrument.locator("#window-7")).to_have_attribute("data-verdict", "holds")
    instrument.locator("#tamper").check()
    expect(instrument.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    broken = instrument.locator('[data-invariant][data-holds="false"]')
    assert broken.evaluate_all("rows => rows.map((row) => row.dataset.invariant)") == FALLEN


def test_links_lead_from_one_file_to_the_other_and_the_proof_can_be_saved(page: Page, folder: Path) -> None:
    page.goto((folder / "index.html").as_uri())
    page.locator('a[href="instrument.html#window-7"]').first.click()
    expect(page.locator("#window-7")).to_be_visible()
    assert page.url.endswith("instrument.html#window-7")
    assert page.locator('nav.pages a[href="index.html"]').count() == 1
    with page.expect_download() as download:
        page.locator("footer a[download]").click()
    assert download.value.suggested_filename == "proof.json"
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["holds"] is True


def test_signs_that_would_end_or_hide_a_script_reach_it_unharmed(page: Page, tmp_path: Path) -> None:
    script = r"""
        // </script> and <!-- in a comment
        const strings = ["</script>", '</SCRIPT >', `<!-- <script> ${1}`];
        const patterns = [/<\/script>/.test("</script>"), /<!--/.test("<!--")];
        document.title = JSON.stringify([...strings, ...patterns]);
    """.replace("\n", "\r\n")
    css = "p::before { content: '</style>'; color: rgb(1, 2, 3); }"
    html = (
        f'<!doctype html><html lang="en"><head>{POLICY}<title>t</title><link rel="stylesheet" href="assets/a.css">'
        '<script defer src="assets/a.js"></script></head><body><p>ü</p></body></html>'
    )
    files = {"assets/a.js": b"\xef\xbb\xbf" + script.encode(), "assets/a.css": css.encode(), "a.html": html.encode()}
    (tmp_path / "a.html").write_bytes(single_file(files)["a.html"])
    page.goto((tmp_path / "a.html").as_uri())
    assert json.loads(page.title()) == ["</script>", "</SCRIPT >", "<!-- <script> 1", True, True]
    shown = page.evaluate(
        "[getComputedStyle(document.querySelector('p'), '::before')].map((s) => [s.content, s.color])[0]"
    )
    assert shown == ['"</style>"', "rgb(1, 2, 3)"]
    assert page.locator("body").inner_text() == "ü"
