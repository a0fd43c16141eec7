"""What the tests of the explainer's figures share: reading what a figure shows, and waiting until it shows it."""

from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page

from posenc.config import Config
from posenc.engine import encode, frequencies
from tests.browser import SETTLED

CONFIG = Config()
OMEGA = frequencies(CONFIG.d_model, CONFIG.base)
TABLE = encode(np.arange(CONFIG.n_positions), CONFIG.d_model, CONFIG.base)
REST = 450  # ms by the page's own clock, after which the reader has come to rest
# What the tests of the parts set by hand and find in the link, in the order of the link.
LINKED = ("placed=on", "mask=on", "slot=300", "omega=0.010368292586104928", "kept=6", "map=free", "word=on", "tables=7")
AS_BUILT = """() => {
    document.querySelectorAll("details[open]").forEach((at) => { at.open = false; });
    document.querySelectorAll("input").forEach((at) => {
        [at.value, at.checked] = [at.defaultValue, at.defaultChecked];
    });
    scrollTo({ left: 0, top: 0, behavior: "instant" });
}"""
SLIDE = f"""async (slider, value) => {{
    if (!slider.checkVisibility({{ visibilityProperty: true }}) || slider.disabled) {{
        throw new Error("no hand can move this slider");
    }}
    slider.focus();
    slider.value = value;
    if (slider.value !== value) {{ throw new Error(`the slider does not stand at ${{value}}`); }}
    slider.dispatchEvent(new Event("input", {{ bubbles: true, composed: true }}));
    slider.dispatchEvent(new Event("change", {{ bubbles: true }}));
    await {SETTLED};
}}"""
SHOWN = """(root, wanted) => wanted.map((each) => {
    const [selector, name] = each.split(" @");
    return [...root.querySelectorAll(selector)]
        .map((at) => name === undefined ? at.textContent.trim() : at.getAttribute(name) ?? "");
})"""


def address(site: Path, query: str = "") -> str:
    return (site / "index.html").as_uri() + query


def settle(page: Page) -> None:
    """Every view shows the state: painters run once a frame."""
    page.evaluate(SETTLED)


def slide(figure: Locator, field: str, value: float) -> None:
    """Moves the figure's slider of a field of the state, as a hand does, until every view shows it."""
    figure.locator(f'input[type="range"][data-bind="{field}"]').evaluate(SLIDE, str(value))


def shown(within: Locator, *wanted: str) -> list[list[str]]:
    """The texts of all that each selector finds, or after " @" their attributes, read in one go."""
    found: list[list[str]] = within.evaluate(SHOWN, wanted)
    return found


def one(within: Locator, *wanted: str) -> list[str]:
    """As above, where each selector finds one."""
    found = shown(within, *wanted)
    assert [len(each) for each in found] == [1] * len(wanted), wanted
    return [each[0] for each in found]


def numbers(within: Locator, *wanted: str) -> list[float]:
    return [parsed(text) for text in one(within, *wanted)]


def number(within: Locator, selector: str) -> float:
    """The number that is written there."""
    return parsed(within.locator(selector).text_content() or "")


def parsed(text: str) -> float:
    mantissa, _, power = text.replace("−", "-").replace(",", "").replace("\u00a0", "").partition("×10")
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    return float(mantissa) * 10.0 ** int(power.translate(digits) or 0)


def texts(within: Locator, selector: str) -> list[str]:
    return shown(within, selector)[0]


def strips(figure: Locator) -> list[str]:
    """The colours of all strips' cells."""
    fills: list[str] = figure.locator(".strip rect").evaluate_all("cells => cells.map(c => c.getAttribute('fill'))")
    return fills


def hands(clocks: Locator) -> list[tuple[float, float]]:
    """(sine, cosine) as drawn, from the tips of the hands."""
    tips: list[list[float]] = clocks.locator("line").evaluate_all(
        "hands => hands.map(h => ['x1', 'y1', 'x2', 'y2'].map(name => Number(h.getAttribute(name))))"
    )
    return [((x2 - x1) / 7.5, (y1 - y2) / 7.5) for x1, y1, x2, y2 in tips]


def drawing(figure: Locator) -> list[str]:
    """All that a figure writes and draws; the hands of clocks are rounded by the build and not by the script."""
    found: list[str] = figure.evaluate(
        """(figure) => [
            ...figure.querySelectorAll(":not(.clocks line, [data-output='just'], .heatmap-frame)"),
        ].flatMap((element) => [
            ...[...element.attributes]
                .filter(({ name }) => ["d", "width", "x", "y", "cx", "cy", "fill", "fill-opacity", "viewBox",
                                       "aria-label", "data-finding", "hidden"].includes(name))
                .filter(() => !(element instanceof HTMLInputElement))
                .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
            element.children.length ? "" : element.textContent.trim(),
        ])"""
    )
    return found
