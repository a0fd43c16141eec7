"""The explainer in a real browser: every figure stands without scripts and answers its control with them."""

import math

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import paper, seen
from tests.played import CONFIG, OMEGA, TABLE, hands, shown, strips

PARTS = ("order", "count", "wave", "stack", "sum", "turn", "address", "coda", "next")


def posture(slot: float) -> list[tuple[float, float]]:
    return [(math.sin(slot * omega), math.cos(slot * omega)) for omega in OMEGA]


@pytest.mark.parametrize("part", PARTS)
def test_every_figure_stands_without_scripts(still: Page, part: str) -> None:
    figure = still.locator(f"#{part} #figure-{part}")
    box = figure.bounding_box()
    assert box is not None
    assert box["height"] > 100
    assert figure.locator("svg").count() > 0
    assert not any(seen(figure.locator("input:not(.scrub)")))


def test_without_scripts_no_sentence_asks_for_a_control(still: Page) -> None:
    assert still.locator(".with-scripts").count() > 5
    assert not any(seen(still.locator(".with-scripts")))
    assert still.locator(".opening noscript p").is_visible()


def test_with_scripts_the_hints_show_and_nothing_says_that_scripts_are_off(explainer: Page) -> None:
    assert all(seen(explainer.locator(".with-scripts")))
    assert not explainer.locator(".opening noscript").is_visible()


def test_every_strip_says_whose_numbers_it_shows(still: Page) -> None:
    (labels,) = shown(still.locator("main"), ".strip @aria-label")
    assert len(set(labels)) == len(labels) == 7
    for word, first, second in (("dog", 0, 2), ("bites", 1, 1), ("man", 2, 0)):
        row = still.locator("#figure-order tbody tr").filter(has_text=word)
        names = row.locator(".strip").evaluate_all("all => all.map(strip => strip.getAttribute('aria-label'))")
        for label, slot in zip(names, (first, second), strict=True):
            assert f"“{word}” at slot {slot}" in label


@pytest.mark.parametrize("part", ["wave", "stack", "coda"])
def test_a_plot_names_the_heights_it_spans(still: Page, part: str) -> None:
    for plot in still.locator(f"#figure-{part} .scaled").all():
        boxes = "all => all.map(each => each.getBoundingClientRect())"
        (box,) = plot.locator(".plot").evaluate_all(boxes)
        heights = plot.locator(".scale text").evaluate_all(boxes)
        assert "0" in shown(plot, ".scale text")[0]
        for height in heights:
            assert height["width"] > 0
            assert height["x"] + height["width"] < box["x"]
            assert box["y"] - 1 <= height["y"] + height["height"] / 2 <= box["y"] + box["height"] + 1


def pick(figure: Locator, slot: int) -> None:
    """Types a slot, and waits until it is shown."""
    figure.locator("#address-pos").fill(str(slot))
    expect(figure.locator('[data-live="now.pos"]').first).to_have_text(str(slot))
    figure.locator("#address-pos").blur()


def fact(figure: Locator, name: str) -> str | None:
    return figure.locator(f'[data-live="address.{name}"]').text_content()


def test_a_control_put_back_gives_the_figure_that_the_build_drew(explainer: Page) -> None:
    figure = explainer.locator("#figure-address")
    before, colours = figure.locator("[data-live]").all_text_contents(), strips(figure)
    pick(figure, 40)
    assert figure.locator("[data-live]").all_text_contents() != before
    pick(figure, CONFIG.probes[0])
    assert figure.locator("[data-live]").all_text_contents() == before
    assert strips(figure) == colours


def test_address_measures_the_slot_that_was_picked(explainer: Page) -> None:
    figure = explainer.locator("#figure-address")
    pick(figure, 40)
    row = TABLE[40]
    apart = np.linalg.norm(TABLE - row, axis=1)
    assert np.allclose(hands(figure.locator(".clocks")), posture(40), atol=1e-6)
    assert fact(figure, "least") == f"{row.min():.3f}".replace("-", "−")
    assert fact(figure, "length") == f"{math.sqrt(8):.4f}"
    assert fact(figure, "nearest") == "39, 41"
    assert fact(figure, "distance") == f"{np.sort(apart)[1]:.4f}"


def test_the_address_names_every_nearest_slot_at_the_ends_and_inside(explainer: Page) -> None:
    address = explainer.locator("#figure-address")
    for slot, nearest in ((0, "1"), (30, "29, 31"), (63, "62")):
        pick(address, slot)
        assert fact(address, "nearest") == nearest


def test_on_paper_controls_are_gone_and_no_figure_is_torn(explainer: Page) -> None:
    pieces = ".play:not(#figure-order, #figure-address), .seats, .looks, .whole-table, .whole-slot, .whole .row-details"
    torn = "all => all.filter(each => getComputedStyle(each).breakInside !== 'avoid').length"
    headings = "[...document.querySelectorAll('.part h2')].every(h => getComputedStyle(h).breakAfter === 'avoid')"
    with paper(explainer):
        assert not any(seen(explainer.locator(".controls")))
        assert explainer.locator(pieces).count() >= 14
        assert explainer.locator(pieces).evaluate_all(torn) == 0
        assert explainer.evaluate(headings)


@pytest.mark.parametrize(("width", "columns"), [(360, 8), (1440, 16)])
def test_the_plate_keeps_its_dials_large_enough_to_read(explainer: Page, width: int, columns: int) -> None:
    explainer.set_viewport_size({"width": width, "height": 800})
    boxes = "all => all.map(slot => slot.getClientRects()[0]?.width).filter(width => width !== undefined)"
    widths = explainer.locator(".plate .clocks").evaluate_all(boxes)
    assert len(widths) == columns
    assert min(widths) > 30


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_the_screen(explainer: Page, width: int) -> None:
    explainer.set_viewport_size({"width": width, "height": 800})
    assert explainer.evaluate("document.documentElement.scrollWidth") <= width
    formulas = "[...document.querySelectorAll('.formula-block')].every(f => f.scrollWidth <= f.clientWidth)"
    assert explainer.evaluate(formulas)
