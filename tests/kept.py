"""Pages that are loaded once for many tests, and a tab that is opened once for many loads: each test finds its page as
it was at its load, and its tab as large and as light as a new one, or has a new one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import BrowserContext, Page, ViewportSize

from tests.browser import SETTLED, blank, no_plots, violations, want_plots

TAB = "a tab"
SIZE: ViewportSize = {"width": 1280, "height": 720}  # as of every new page
STARTED = """() => !document.querySelector(
    ":is(.part, .window, .glossary, .part .figure-block):not([data-laid]), [data-verdict='checking']")"""
PLOTS_ASKED = """() => document.querySelector("script[src*='plotly']")"""
TRIES = 20  # the witness runs anew, on a machine that may be at work on other things
# Another state in all that a link can name: the scripts draw all anew, and round some numbers otherwise than the build.
AFAR = (
    "?d=32&n=100&base=99&pos=7&pos2=9&k=3&pair=1&tamper=raw"
    "&placed=on&mask=on&slot=12&omega=0.5&kept=3&map=free&word=on&tables=1"
)
# All by which a page could be told from one that was just loaded, but for clocks, for what has been said, and for what
# is scrolled, which takes as long to see as all else and is looked at last.
LOOK = """() => {
    const passing = "canvas, #announce, #runs, [data-live^='ms-'], [data-live='runs']";
    const lasting = [...document.querySelectorAll(passing)].reduce(
        (html, at) => html.replace(at.outerHTML, ""), // a copy of the page without them takes five times as long
        document.documentElement.outerHTML,
    );
    return JSON.stringify([
        lasting.replaceAll(/>\\s+</g, "><").replaceAll(/ (style|class)=""/g, ""),
        [...document.querySelectorAll("input, select, textarea")].map((at) => [at.value, at.checked]),
        Object.getOwnPropertyNames(window).filter((name) => name !== "__first"),
        [location.href, innerWidth, innerHeight, scrollX, scrollY],
        { ...localStorage },
    ]);
}"""
OTHER_MEDIA = """() => ["(prefers-color-scheme: dark)", "(prefers-reduced-motion)", "(forced-colors: active)", "print"]
    .some((query) => matchMedia(query).matches)"""
SCROLLED = """() => [...document.querySelectorAll("body *")].filter((at) => at.scrollTop || at.scrollLeft).length"""
# The reader lets go of everything, which takes what was half typed, resets the page, and goes to the link without a
# state and to the top.
HOME = f"""async () => {{
    document.activeElement.blur();
    document.querySelectorAll("details[open]").forEach((at) => {{ at.open = false; }});
    document.querySelector('[data-do="reset"]').click();
    history.replaceState(null, "", location.pathname);
    dispatchEvent(new PopStateEvent("popstate"));
    getSelection().removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo({{ left: 0, top: 0, behavior: "instant" }});
    for (let tries = 0; tries < {TRIES}; tries += 1) {{
        await {SETTLED};
        if (({LOOK})() === window.__first) {{ return ({SCROLLED})() === 0; }}
    }}
    return false;
}}"""
LINK = f"""async (query) => {{
    history.replaceState(null, "", location.pathname + query);
    dispatchEvent(new PopStateEvent("popstate"));
    await {SETTLED};
}}"""


@dataclass
class Kept:
    page: Page
    troubles: list[str]

    def as_at_first(self) -> bool:
        self.face()
        return bool(self.page.evaluate(HOME))

    def face(self) -> None:
        """In front, as a tab behind others may be drawn but once a second, and with the size, the medium and the
        pointer's place of every new page."""
        self.page.bring_to_front()
        self.page.mouse.move(0, 0)
        if self.page.viewport_size != SIZE:
            self.page.set_viewport_size(SIZE)
        if self.page.evaluate(OTHER_MEDIA):
            self.page.emulate_media(
                media="screen", color_scheme="light", reduced_motion="no-preference", forced_colors="none"
            )


def load(window: BrowserContext, address: str) -> Kept:
    page, troubles = blank(window)
    page.goto(address)
    page.wait_for_function(STARTED)
    want_plots(page)  # the first test that scrolls would ask for them, and leave another page than this
    page.wait_for_function(PLOTS_ASKED)
    link(page, AFAR)
    page.evaluate(HOME)
    page.wait_for_function(STARTED)
    page.evaluate(f"() => {{ window.__first = ({LOOK})(); }}")
    return Kept(page, troubles)


@contextmanager
def opened(pages: dict[str, Kept], window: BrowserContext, address: str, *, trusted: bool) -> Iterator[Page]:
    """The page as at its load: the one of the test before, unless that left it otherwise, or failed."""
    kept = pages.pop(address, None)
    if kept and not (trusted and kept.as_at_first()):
        kept.page.close()
        kept = None
    kept = kept or load(window, address)
    yield kept.page
    pages[address] = kept
    assert kept.troubles + violations(kept.page) == []


@contextmanager
def opened_tab(pages: dict[str, Kept], window: BrowserContext, *, trusted: bool) -> Iterator[Kept]:
    """A tab in which the tests before have loaded their pages: what is opened in it loads truly, but sooner than in a
    new tab. It is for tests that begin with a `goto`, and that leave no script behind that every page would run."""
    kept = pages.pop(TAB, None)
    if kept and not trusted:
        kept.page.close()
        kept = None
    kept = kept or Kept(*blank(window))
    kept.face()
    kept.troubles.clear()
    yield kept
    kept.troubles += violations(kept.page)
    kept.page.unroute_all()
    no_plots(kept.page)
    pages[TAB] = kept


def link(page: Page, query: str) -> None:
    """Opens a link's state on the page as it stands, as Back and Forward do."""
    page.evaluate(LINK, query)
