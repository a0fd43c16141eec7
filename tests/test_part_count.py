"""Part 2 of the explainer: a count copied into a list against a word and the encoding, to scale."""

import math

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from posenc.engine import encode
from posenc.web.parts import count, questions
from tests.browser import rest
from tests.played import LINKED, REST, drawing, numbers, one, settle, slide, texts

FULL = 100.0  # of a bar's drawing


@pytest.fixture
def figure(explainer: Page) -> Locator:
    return explainer.locator("#figure-count")


@pytest.fixture
def still(still: Page) -> Locator:
    return still.locator("#figure-count")


def lengths(figure: Locator) -> list[float]:
    return numbers(figure, *(f'[data-bar="{name}"] .output' for name in ("raw", "word", "encoding")))


def drawn(figure: Locator, bars: str) -> list[float]:
    widths = one(figure, *(f'[data-{bars}="{name}"] rect @width' for name in ("raw", "word", "encoding")))
    return [float(width) for width in widths]


def test_at_slot_5000_the_count_drowns_the_word(still: Locator) -> None:
    """facts.md: 113,137 against 22.6 and 16, at width 512."""
    assert lengths(still) == [113_137.1, 22.6, 16.0]
    raw, word, encoding = drawn(still, "bar")
    assert raw == FULL
    assert word == pytest.approx(FULL * 22.627 / 113_137, abs=1e-3)
    assert encoding == pytest.approx(FULL * 16 / 113_137, abs=1e-3)
    part = still.page.locator("#count").text_content() or ""
    for told in ("slot 5,000", "113,137", "22.6", "512"):
        assert told in part


def test_what_is_too_short_to_see_stands_again_where_it_can_be_seen(still: Locator) -> None:
    raw, word, encoding = drawn(still, "near")
    assert raw == FULL
    assert word == pytest.approx(FULL / count.VISIBLE)
    assert encoding == pytest.approx(FULL / count.VISIBLE / math.sqrt(2), abs=1e-3)
    for name in ("word", "encoding"):
        box = still.locator(f'[data-near="{name}"] rect').bounding_box()
        assert box is not None
        assert box["width"] > 15
    assert "10 words end to end" in texts(still, "[data-lens]")[0]
    assert "runs on for 500 such widths" in texts(still, "[data-lens]")[0]


def test_with_scripts_the_figure_is_at_first_what_the_build_drew(fresh: Page, still: Locator) -> None:
    assert drawing(fresh.locator("#figure-count")) == drawing(still)


@pytest.mark.parametrize("slot", [0, 1, 2, 9, 10, 11, 777, 5000, 20_000])
def test_every_slot_is_drawn_to_scale(figure: Locator, slot: int) -> None:
    slide(figure, "count", slot)
    raw, word = slot * math.sqrt(512), math.sqrt(512)
    waves = float(np.linalg.norm(encode([slot], 512, 10_000)))
    assert lengths(figure) == pytest.approx([raw, word, waves], abs=0.051)
    scale = FULL / max(raw, word)
    assert drawn(figure, "bar") == pytest.approx([raw * scale, word * scale, waves * scale], abs=1e-3)
    near = FULL / (count.VISIBLE * word)
    assert drawn(figure, "near") == pytest.approx([min(raw * near, FULL), word * near, waves * near], abs=1e-3)
    beyond = slot > count.VISIBLE
    assert (figure.locator(".lens").get_attribute("data-beyond") is not None) is beyond
    said = texts(figure, "[data-lens]")[0]
    assert ("still fits" in said) is not beyond
    if beyond:
        assert f"runs on for {slot / 10:,.{0 if slot >= 1000 else 1}f} such widths" in said


def test_the_slider_reaches_from_nought_to_twenty_thousand_slot_by_slot(figure: Locator) -> None:
    slider = figure.locator('input[type="range"]')
    assert [slider.get_attribute(name) for name in ("min", "max", "step")] == ["0", "20000", "1"]
    slider.focus()
    for key, slot in (("ArrowRight", 5001), ("ArrowLeft", 5000), ("End", 20_000), ("Home", 0), ("ArrowRight", 1)):
        figure.page.keyboard.press(key)
        settle(figure.page)
        assert slider.input_value() == str(slot)
        assert lengths(figure)[0] == pytest.approx(slot * math.sqrt(512), abs=0.051)


def test_a_slot_can_be_typed_and_nonsense_is_held_and_said(figure: Locator) -> None:
    field = figure.locator('input[type="number"]')
    for typed, slot in (("123", 123), ("20001", 20_000), ("-4", 0)):
        field.fill(typed)
        field.blur()
        settle(figure.page)
        assert field.input_value() == str(slot)
        assert lengths(figure)[0] == pytest.approx(slot * math.sqrt(512), abs=0.051)
    assert "slot counted to" in (figure.page.locator("[data-said]").text_content() or "")


def test_the_slot_stands_in_the_link(figure: Locator, linked: Page) -> None:
    slide(figure, "count", 300)
    rest(figure.page, REST)
    assert figure.page.url.endswith("?slot=300")
    assert "slot=300" in LINKED
    assert lengths(linked.locator("#figure-count"))[0] == pytest.approx(300 * math.sqrt(512), abs=0.051)
    figure.page.locator('[data-do="reset"]').click()
    settle(figure.page)
    assert lengths(figure)[0] == 113_137.1


def test_a_list_of_ones_is_as_long_as_a_word() -> None:
    """The part's question: the first slot whose count is as loud as a word."""
    assert questions._loud() == 1


@pytest.mark.parametrize("width", [320, 360])
def test_the_figure_fits_a_narrow_screen(figure: Locator, width: int) -> None:
    figure.page.set_viewport_size({"width": width, "height": 800})
    slide(figure, "count", 20_000)
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
    assert figure.evaluate("f => f.scrollWidth <= f.clientWidth")
