"""The harness itself: what goes wrong on a page is seen, and a missing browser is no skip."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import browser as harness
from tests.checkout import ROOT

STRICT = """<!doctype html><meta charset="utf-8"><title>t</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">"""


@pytest.fixture
def watched(browser: Browser) -> Iterator[Page]:
    """A page on which things may go wrong."""
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("body", "trouble"),
    [
        ("<script>throw new Error('lost')</script>", "error on the page: lost"),
        ("<script>console.error('heard')</script>", "console: heard"),
        ("<script>fetch('https://outside.example/x').catch(() => {})</script>", "request: https://outside"),
        ("<img src='https://outside.example/x.png' alt=''>", "request: https://outside"),
    ],
)
def test_what_goes_wrong_on_a_page_is_seen(watched: Page, tmp_path: Path, body: str, trouble: str) -> None:
    troubles = harness.watch(watched)
    (tmp_path / "page.html").write_text(f"<!doctype html><title>t</title>{body}", encoding="utf-8")
    watched.goto((tmp_path / "page.html").as_uri())
    watched.wait_for_timeout(50)
    assert any(seen.startswith(trouble) for seen in troubles), troubles


@pytest.mark.parametrize("body", ["<script>0</script>", "<p style='color: red'>x</p>", "<style>p {}</style>"])
def test_what_the_content_policy_refuses_is_seen(watched: Page, tmp_path: Path, body: str) -> None:
    harness.watch(watched)
    (tmp_path / "page.html").write_text(STRICT + body, encoding="utf-8")
    watched.goto((tmp_path / "page.html").as_uri())
    assert len(harness.violations(watched)) == 1


def test_a_quiet_page_from_disk_is_no_trouble(watched: Page, tmp_path: Path) -> None:
    troubles = harness.watch(watched)
    (tmp_path / "quiet.js").write_text("document.title = 'ran'", encoding="utf-8")
    (tmp_path / "page.html").write_text(STRICT + "<script src='quiet.js'></script>", encoding="utf-8")
    watched.goto((tmp_path / "page.html").as_uri())
    assert watched.title() == "ran"
    assert troubles + harness.violations(watched) == []


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine without any browser; returns the list of packages that were asked for."""
    asked: list[str] = []
    monkeypatch.delenv("POSENC_BROWSER", raising=False)
    monkeypatch.setattr(harness, "ELSEWHERE", ())
    monkeypatch.setattr("tests.browser.shutil.which", lambda name: None)
    monkeypatch.setattr("tests.browser.bootstrap.debian_install", lambda *packages: asked.extend(packages))
    return asked


def test_a_missing_browser_ends_the_run_with_exit_code_5_and_the_command(bare: list[str], tmp_path: Path) -> None:
    with pytest.raises(pytest.exit.Exception, match=r"to mend it: .*playwright install chromium$") as end:
        harness.find(tmp_path / "none")
    assert end.value.returncode == 5
    assert bare == ["chromium"]


def test_playwright_s_own_browser_is_taken_before_installing_one(bare: list[str], tmp_path: Path) -> None:
    own = tmp_path / "chrome"
    own.touch()
    assert harness.find(own) == own
    assert bare == []


def test_a_chosen_browser_comes_first_and_must_exist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    chosen.touch()
    monkeypatch.setenv("POSENC_BROWSER", str(chosen))
    assert harness.find(tmp_path / "none") == chosen
    chosen.unlink()
    with pytest.raises(pytest.exit.Exception, match="POSENC_BROWSER="):
        harness.find(tmp_path / "none")


def test_the_suite_without_a_browser_ends_with_exit_code_5_and_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tests", "-k", "nothing"],
        cwd=ROOT,
        env={**os.environ, "POSENC_BROWSER": "no-such-file"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 5
    assert "POSENC_BROWSER=no-such-file is no file\nto mend it: " in result.stderr
