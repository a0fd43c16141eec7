"""The explainer in a real browser: every figure stands without scripts and answers its control with them."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc.config import Config
from posenc.engine import encode, frequencies

CONFIG = Config()
OMEGA = frequencies(CONFIG.d_model, CONFIG.base)
TABLE = encode(np.arange(CONFIG.n_positions), CONFIG.d_model, CONFIG.base)
PARTS = ("order", "count", "wave", "stack", "sum", "turn", "address", "coda", "next")


@pytest.fixture
def open_page(page: Page, site: Path) -> Page:
    page.goto((site / "index.html").as_uri())
    return page


@pytest.fixture(scope="module")
def still(browser: Browser, site: Path) -> Iterator[Page]:
    """The page with scripts off."""
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    yield page
    context.close()


def slide(figure: Locator, name: str, value: int) -> None:
    figure.locator(f'input[name="{name}"]').fill(str(value))


def number(figure: Locator, selector: str) -> float:
    text = figure.locator(selector).text_content() or ""
    mantissa, _, power = text.replace("−", "-").replace(",", "").replace("\u00a0", "").partition("×10")
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    return float(mantissa) * 10.0 ** int(power.translate(digits) or 0)


def output(figure: Locator, name: str) -> float:
    return number(figure, f'[data-output="{name}"]')


def hands(clocks: Locator) -> list[tuple[float, float]]:
    """(sine, cosine) as drawn, from the tips of the hands."""
    tips: list[list[float]] = clocks.locator("line").evaluate_all(
        "hands => hands.map(h => ['x1', 'y1', 'x2', 'y2'].map(name => Number(h.getAttribute(name))))"
    )
    return [((x2 - x1) / 7.5, (y1 - y2) / 7.5) for x1, y1, x2, y2 in tips]


def strips(figure: Locator) -> list[str]:
    fills: list[str] = figure.locator(".strip rect").evaluate_all("cells => cells.map(c => c.getAttribute('fill'))")
    return fills


def posture(slot: float) -> list[tuple[float, float]]:
    return [(math.sin(slot * omega), math.cos(slot * omega)) for omega in OMEGA]


@pytest.mark.parametrize("part", PARTS)
def test_every_figure_stands_without_scripts(still: Page, part: str) -> None:
    figure = still.locator(f"#{part} #figure-{part}")
    box = figure.bounding_box()
    assert box is not None
    assert box["height"] > 100
    assert figure.locator("svg").count() > 0
    assert all(not control.is_visible() for control in figure.locator("input:not(.scrub)").all())


def test_without_scripts_no_sentence_asks_for_a_control(still: Page) -> None:
    assert still.locator(".with-scripts").count() > 5
    assert not any(words.is_visible() for words in still.locator(".with-scripts").all())
    assert still.locator(".opening noscript p").is_visible()


def test_with_scripts_the_hints_show_and_nothing_says_that_scripts_are_off(open_page: Page) -> None:
    assert all(words.is_visible() for words in open_page.locator(".with-scripts").all())
    assert not open_page.locator(".opening noscript").is_visible()


def test_every_strip_says_whose_numbers_it_shows(still: Page) -> None:
    labels = [strip.get_attribute("aria-label") or "" for strip in still.locator(".strip").all()]
    assert len(set(labels)) == len(labels) == 7
    for word, first, second in (("dog", 0, 2), ("bites", 1, 1), ("man", 2, 0)):
        row = still.locator("#figure-order tbody tr").filter(has_text=word)
        for strip, slot in zip(row.locator(".strip").all(), (first, second), strict=True):
            assert f"“{word}” at slot {slot}" in (strip.get_attribute("aria-label") or "")


@pytest.mark.parametrize("part", ["wave", "stack", "coda"])
def test_a_plot_names_the_heights_it_spans(still: Page, part: str) -> None:
    for plot in still.locator(f"#figure-{part} .scaled").all():
        box, lines = plot.locator(".plot").bounding_box(), plot.locator(".scale text").all()
        heights = [line.bounding_box() for line in lines]
        assert box is not None
        assert "0" in [line.text_content() for line in lines]
        for height in heights:
            assert height is not None
            assert height["x"] + height["width"] < box["x"]
            assert box["y"] - 1 <= height["y"] + height["height"] / 2 <= box["y"] + box["height"] + 1


def pick(figure: Locator, slot: int) -> None:
    """Types a slot, and waits until it is shown."""
    figure.locator("#address-pos").fill(str(slot))
    expect(figure.locator('[data-live="now.pos"]').first).to_have_text(str(slot))


def fact(figure: Locator, name: str) -> str | None:
    return figure.locator(f'[data-live="address.{name}"]').text_content()


def test_a_control_put_back_gives_the_figure_that_the_build_drew(open_page: Page) -> None:
    figure = open_page.locator("#figure-address")
    before, colours = figure.locator("[data-live]").all_text_contents(), strips(figure)
    pick(figure, 40)
    assert figure.locator("[data-live]").all_text_contents() != before
    pick(figure, CONFIG.probes[0])
    assert figure.locator("[data-live]").all_text_contents() == before
    assert strips(figure) == colours


def test_address_measures_the_slot_that_was_picked(open_page: Page) -> None:
    figure = open_page.locator("#figure-address")
    pick(figure, 40)
    row = TABLE[40]
    apart = np.linalg.norm(TABLE - row, axis=1)
    assert np.allclose(hands(figure.locator(".clocks")), posture(40), atol=1e-6)
    assert fact(figure, "least") == f"{row.min():.3f}".replace("-", "−")
    assert fact(figure, "length") == f"{math.sqrt(8):.4f}"
    assert fact(figure, "nearest") == "39, 41"
    assert fact(figure, "distance") == f"{np.sort(apart)[1]:.4f}"


def test_the_address_names_every_nearest_slot_at_the_ends_and_inside(open_page: Page) -> None:
    address = open_page.locator("#figure-address")
    for slot, nearest in ((0, "1"), (30, "29, 31"), (63, "62")):
        pick(address, slot)
        assert fact(address, "nearest") == nearest


def test_on_paper_controls_are_gone_and_no_figure_is_torn(open_page: Page) -> None:
    open_page.emulate_media(media="print")
    assert not any(controls.is_visible() for controls in open_page.locator(".controls").all())
    pieces = ".play:not(#figure-order, #figure-address), .seats, .looks, .whole-table, .whole-slot, .whole .row-details"
    torn = "all => all.filter(each => getComputedStyle(each).breakInside !== 'avoid').length"
    assert open_page.locator(pieces).count() >= 14
    assert open_page.locator(pieces).evaluate_all(torn) == 0
    headings = "[...document.querySelectorAll('.part h2')].every(h => getComputedStyle(h).breakAfter === 'avoid')"
    assert open_page.evaluate(headings)


@pytest.mark.parametrize(("width", "columns"), [(360, 8), (1440, 16)])
def test_the_plate_keeps_its_dials_large_enough_to_read(open_page: Page, width: int, columns: int) -> None:
    open_page.set_viewport_size({"width": width, "height": 800})
    boxes = [slot.bounding_box() for slot in open_page.locator(".plate .clocks").all()]
    shown = [box for box in boxes if box]
    assert len(shown) == columns
    assert all(box["width"] > 30 for box in shown)


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_the_screen(open_page: Page, width: int) -> None:
    open_page.set_viewport_size({"width": width, "height": 800})
    assert open_page.evaluate("document.documentElement.scrollWidth") <= width
    formulas = "[...document.querySelectorAll('.formula-block')].every(f => f.scrollWidth <= f.clientWidth)"
    assert open_page.evaluate(formulas)
