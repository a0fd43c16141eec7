"""Finds and starts a real Chromium, and watches what a page does in it."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Playwright, sync_playwright

from posenc import bootstrap

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "$PROGRAMFILES/Google/Chrome/Application/chrome.exe",
    "$PROGRAMFILES/../Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Google/Chrome/Application/chrome.exe",
)
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
)
NO_SANDBOX = "--no-sandbox"
OWN_SCHEMES = ("file://", "data:")
VIOLATIONS = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
    window.__violations.push(`${event.effectiveDirective} refused ${event.blockedURI} ${event.sample}`);
});
"""
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
VISIBLE = """all => all.map((at) => {
    const { width, height } = at.getBoundingClientRect();
    return width > 0 && height > 0 && at.checkVisibility({ visibilityProperty: true });
})"""
SINES = """() => {
    const begun = performance.now();
    let sum = 0;
    for (let i = 0; i < 1e6; i += 1) { sum += Math.sin(i); }
    return performance.now() - begun;
}"""
UNDISTURBED = 13  # ms that these take, at best, on the machine where the bounds were measured


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright, find(Path(playwright.chromium.executable_path)))
        yield browser
        browser.close()


def located() -> Path:
    """Where the browser is, without starting it."""
    with sync_playwright() as playwright:
        return find(Path(playwright.chromium.executable_path))


def find(playwrights_own: Path) -> Path:
    """$POSENC_BROWSER, the system's, Playwright's, Debian's package; none ends the run with exit code 5."""
    chosen = os.environ.get("POSENC_BROWSER")
    if chosen and not Path(chosen).is_file():
        give_up(f"POSENC_BROWSER={chosen} is no file")
    if chosen:
        return Path(chosen)
    found = installed() or (playwrights_own if playwrights_own.is_file() else None)
    if found is None and bootstrap.debian_install("chromium"):
        found = installed()
    if found is None:
        give_up("the tests need Chromium or Chrome, and none was found")
    return found


def installed() -> Path | None:
    on_path = (shutil.which(name) for name in ON_PATH)
    elsewhere = (Path(os.path.expandvars(path)).expanduser() for path in ELSEWHERE)
    candidates = [*(Path(path) for path in on_path if path), *(path for path in elsewhere if path.is_file())]
    return candidates[0] if candidates else None


def give_up(problem: str) -> NoReturn:
    by_apt = "sudo apt-get install chromium"
    by_playwright = f'"{sys.executable}" -m playwright install chromium'
    command = by_apt if shutil.which("apt-get") else by_playwright
    pytest.exit(f"error: {problem}\nto mend it: {command}", returncode=bootstrap.ENVIRONMENT_ERROR)


def launch(playwright: Playwright, executable: Path) -> Browser:
    """Root, and users without a usable sandbox, go without it: the pages opened are our own, from disk."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = [*FLAGS, NO_SANDBOX] if as_root else [*FLAGS]
    try:
        return playwright.chromium.launch(executable_path=executable, args=flags)
    except Error as error:
        if "No usable sandbox!" not in str(error) or NO_SANDBOX in flags:
            raise
        return playwright.chromium.launch(executable_path=executable, args=[*flags, NO_SANDBOX])


def watch(page: Page) -> list[str]:
    """A list that grows with every error, console error and request that leaves the site's folder."""
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"error on the page: {error}"))
    page.on(
        "console",
        lambda message: troubles.append(f"console: {message.text}") if message.type == "error" else None,
    )
    page.on(
        "request",
        lambda request: None if request.url.startswith(OWN_SCHEMES) else troubles.append(f"request: {request.url}"),
    )
    page.add_init_script(VIOLATIONS)
    return troubles


def blank(window: BrowserContext, *, plots: bool = False) -> tuple[Page, list[str]]:
    """A new page, and the list that grows with what goes wrong on it. Without plots Plotly never comes, and the
    pictures are seen that readers see before it comes."""
    page = window.new_page()
    if not plots:
        no_plots(page)
    return page, watch(page)


def no_plots(page: Page) -> None:
    page.route("**/plotly*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))


@contextmanager
def watched(window: BrowserContext, address: str = "", *, plots: bool = False) -> Iterator[Page]:
    """A page that fails whoever opened it when anything went wrong on it."""
    page, troubles = blank(window, plots=plots)
    if address:
        page.goto(address)
        page.evaluate(SETTLED)
    yield page
    troubles += violations(page)
    page.close()
    assert troubles == []


def rest(page: Page, ms: int) -> None:
    """Waits by the page's own clock, once its frames are drawn: a machine under load cannot let this end before what
    the page itself has put off by less."""
    page.evaluate(SETTLED)
    page.evaluate("(ms) => new Promise((done) => setTimeout(done, ms))", ms)


def seen(each: Locator) -> list[bool]:
    """Of all that are meant whether they are to be seen, as `is_visible` says it of one."""
    found: list[bool] = each.evaluate_all(VISIBLE)
    return found


def slowness(page: Page) -> float:
    """How many times longer this machine takes now than the one on which the pages were measured, at least once: a
    bound in milliseconds is meant for a machine that does nothing else."""
    return max(1.0, min(float(page.evaluate(SINES)) for _ in range(3)) / UNDISTURBED)


def tasks(browser: Browser, page: Page, work: Callable[[], object]) -> list[float]:
    """The tasks of pages' main threads during the work, the longest first: ms for which the processor was at each, as
    traced by Chromium. What other programs take of a task's time is not in them."""
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    work()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    mains = [
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    ]
    runs = [
        event["tdur"] / 1000
        for event in events
        if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in mains and "tdur" in event
    ]
    return sorted(runs, reverse=True)


def want_plots(page: Page) -> None:
    """A reader points at a figure: Plotly comes, and draws them all."""
    page.locator(".heatmap-frame").first.dispatch_event("pointerover")


@contextmanager
def paper(page: Page) -> Iterator[None]:
    """The page as it is printed, and then on the screen again."""
    page.emulate_media(media="print")
    yield
    page.emulate_media(media="screen")


def violations(page: Page) -> list[str]:
    """What the page's content security policy refused since the page was opened."""
    refused: list[str] = page.evaluate("window.__violations ?? []")
    return [f"content policy: {violation}" for violation in refused]
