"""Fixtures: the built site, one browser, and a page that fails its test when anything goes wrong on it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, BrowserContext, Page

from posenc.web.assets import LAZY_SCRIPTS
from tests.across import TABLES
from tests.browser import chromium, watch, watched
from tests.kept import Kept, opened, opened_tab
from tests.played import AS_BUILT, LINKED, address, settle

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "templates" / "js"
PURE_SCRIPTS = (
    "engine.js",
    "faults.js",
    "graveyard.js",
    "proof.js",
    "linear.js",
    "slices.js",
    "downloads.js",
    "attention.js",
    "format.js",
    "state.js",
)

# The same examples every time: a failure seen once can be seen again.
settings.register_profile("house", max_examples=60, deadline=None, derandomize=True, database=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as build.py writes it, in a folder whose name has a space and a letter beyond ASCII."""
    out = tmp_path_factory.mktemp("site") / "a b" / "ü"
    command = [sys.executable, str(ROOT / "build.py"), "--out", str(out)]
    utf8 = {**os.environ, "PYTHONUTF8": "1"}
    built = subprocess.run(command, capture_output=True, encoding="utf-8", env=utf8, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return out


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """One window for all pages, with the network cut: a window of its own costs half a second of every test."""
    context = browser.new_context(offline=True)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def page(window: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A blank page with the network cut. Plotly comes to those who are marked `plotly`; others see the pictures, as
    readers do before it comes."""
    with watched(window, plots=request.node.get_closest_marker("plotly") is not None) as page:
        yield page


@pytest.fixture(scope="session")
def kept() -> dict[str, Kept]:
    return {}


@pytest.fixture
def tab(kept: dict[str, Kept], window: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page to load something in, as `page` is, in a tab that is kept."""
    with opened_tab(kept, window, trusted=not request.session.testsfailed) as tab:
        yield tab.page
    assert tab.troubles == []


@pytest.fixture
def failing(kept: dict[str, Kept], window: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A `tab` in which things go wrong by intent; only a request that leaves the disk is a fault."""
    with opened_tab(kept, window, trusted=not request.session.testsfailed) as tab:
        yield tab.page
    assert not [trouble for trouble in tab.troubles if trouble.startswith("request:")]


@contextmanager
def without_scripts(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    troubles = watch(page)
    page.goto(address)
    assert troubles == []
    yield page
    context.close()


@pytest.fixture(scope="session")
def unscripted(browser: Browser, site: Path) -> Iterator[Page]:
    """The instrument with scripts off, for tests that only read it."""
    with without_scripts(browser, (site / "instrument.html").as_uri()) as page:
        yield page


@pytest.fixture
def explainer(
    kept: dict[str, Kept], window: BrowserContext, site: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The explainer as at its load, but that its scripts have drawn all of it once more."""
    with opened(kept, window, (site / "index.html").as_uri(), trusted=not request.session.testsfailed) as page:
        yield page


@pytest.fixture
def instrument(
    kept: dict[str, Kept], window: BrowserContext, site: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The instrument as at its load, once its witness has run."""
    with opened(kept, window, (site / "instrument.html").as_uri(), trusted=not request.session.testsfailed) as page:
        yield page


@pytest.fixture(scope="session")
def unplayed(browser: Browser, site: Path) -> Iterator[Page]:
    with without_scripts(browser, address(site)) as page:
        yield page


@pytest.fixture
def still(unplayed: Page) -> Iterator[Page]:
    """The explainer with scripts off; what a test opens and ticks on it is put back."""
    yield unplayed
    unplayed.evaluate(AS_BUILT)


@pytest.fixture(scope="session")
def fresh(window: BrowserContext, site: Path) -> Iterator[Page]:
    """The explainer as at its load, before a script has drawn anything anew: to be read, and not to be touched."""
    with watched(window, address(site)) as page:
        yield page


@pytest.fixture(scope="session")
def linked(window: BrowserContext, site: Path) -> Iterator[Page]:
    """The explainer loaded from a link with a state: to be read, and not to be touched."""
    with watched(window, address(site, f"?{'&'.join(LINKED)}")) as page:
        settle(page)
        yield page


@pytest.fixture(scope="session")
def scripts(browser: Browser) -> Iterator[Page]:
    """A blank page that has loaded the scripts that touch no page, and nothing else."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    for name in PURE_SCRIPTS:
        page.add_script_tag(path=SCRIPTS / name)
    yield page
    context.close()
    assert troubles == []


@pytest.fixture(scope="session")
def check(browser: Browser) -> Iterator[Page]:
    """A blank page with the scripts that touch no page and those of the check, which judge a reader's own table."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    for name in (*PURE_SCRIPTS, *(f"{name}.js" for name in LAZY_SCRIPTS["check"])):
        page.add_script_tag(path=SCRIPTS / name)
    page.evaluate(TABLES)
    yield page
    context.close()
    assert troubles == []
