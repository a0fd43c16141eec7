"""The explainer in a real browser: every figure stands without scripts and answers its control with them."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page

from posenc import experiments as lab
from posenc.attention import attend, seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.web import parts
from posenc.web.parts.setting import SEED

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
    return number(figure, f'output[name="{name}"], [data-output="{name}"]')


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
    assert all(not control.is_visible() for control in figure.locator("input").all())


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


def test_without_scripts_the_order_figure_shows_equal_answers(still: Page) -> None:
    rows = still.locator("#figure-order tbody tr")
    for row in rows.all():
        first, second = row.locator(".strip").all()
        assert first.inner_html() == second.inner_html()
        assert number(row, "output") == 0


def test_a_control_put_back_gives_the_figure_that_the_build_drew(open_page: Page) -> None:
    for name, part, there, back in (
        ("wave-slot", "wave", 9, parts.wave.MOMENT),
        ("count-slot", "count", 2, parts.count.FIRST),
        ("address-slot", "address", 40, CONFIG.probes[0]),
        ("coda-gap", "coda", -20, parts.coda.GAP),
    ):
        figure = open_page.locator(f"#figure-{part}")
        before = figure.locator("output").all_text_contents()
        colours = strips(figure)
        slide(figure, name, there)
        assert figure.locator("output").all_text_contents() != before
        slide(figure, name, back)
        assert figure.locator("output").all_text_contents() == before
        assert strips(figure) == colours


@pytest.mark.parametrize(("placed", "causal"), [(False, True), (True, False), (True, True)])
def test_order_recomputes_attention(open_page: Page, placed: bool, causal: bool) -> None:
    figure = open_page.locator("#figure-order")
    figure.locator(f'input[value="{"with" if placed else "without"}"]').check()
    figure.locator('input[name="order-mask"]').set_checked(causal)

    words = seeded_words(3, CONFIG.d_model, SEED)
    head = seeded_head(CONFIG.d_model, SEED)
    seats = TABLE[:3] if placed else 0 * TABLE[:3]
    first = attend(words + seats, head, causal=causal)
    second = attend(words[::-1] + seats, head, causal=causal)[::-1]
    for word, row in enumerate(figure.locator("tbody tr").all()):
        assert number(row, "output") == pytest.approx(np.abs(first - second)[word].max(), abs=6e-3)
    assert figure.locator(".finding").get_attribute("data-finding") == "changed"


def test_count_draws_lengths_to_scale(open_page: Page) -> None:
    figure = open_page.locator("#figure-count")
    slide(figure, "count-slot", 2)  # the third of the slots on offer
    slot = parts.count.SLOTS[2]
    assert output(figure, "slot") == slot
    assert number(figure, '[data-bar="raw"] output') == pytest.approx(slot * math.sqrt(512), abs=0.06)
    assert number(figure, '[data-bar="encoding"] output') == pytest.approx(16, abs=0.06)
    width = figure.locator('[data-bar="word"] rect').get_attribute("width")
    assert float(width or 0) == pytest.approx(100 / slot, abs=1e-3)


def test_wave_finds_the_other_moment_with_the_same_sine(open_page: Page) -> None:
    figure = open_page.locator("#figure-wave")
    for slot in (0, 8, 19, 21, 40):
        slide(figure, "wave-slot", slot)
        first, second = figure.locator(".moments > div").all()
        omega = OMEGA[parts.wave.PAIR]
        assert output(first, "at") == slot
        assert output(first, "sine") == pytest.approx(math.sin(slot * omega), abs=6e-4)
        assert output(second, "sine") == output(first, "sine")
        assert output(second, "cosine") == -output(first, "cosine")
        assert hands(first)[0] == pytest.approx((math.sin(slot * omega), math.cos(slot * omega)), abs=1e-6)


@pytest.mark.parametrize("width", [360, 1440])
def test_the_thumb_of_the_wave_stands_over_its_mark(open_page: Page, width: int) -> None:
    """Half a thumb, some 8 px, reaches beyond the plot at either end of the range."""
    open_page.set_viewport_size({"width": width, "height": 800})
    slider = open_page.locator('input[name="wave-slot"]')
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("0", str(parts.wave.SPAN))
    track, plot = slider.bounding_box(), open_page.locator("#figure-wave .plot").bounding_box()
    assert track is not None
    assert plot is not None
    assert plot["x"] - track["x"] == pytest.approx(8, abs=0.5)
    assert track["width"] - plot["width"] == pytest.approx(16, abs=0.5)


def test_stack_shows_any_wave_and_the_tie(open_page: Page) -> None:
    figure = open_page.locator("#figure-stack")
    figure.locator('input[value="0"]').check()
    assert output(figure, "height-0") == pytest.approx(math.sin(3), abs=6e-5)
    assert output(figure, "height-1") == pytest.approx(math.sin(300), abs=6e-5)
    figure.locator('input[value="tie"]').check()
    assert output(figure, "height-0") == pytest.approx(math.sin(3 * math.pi / 303), abs=6e-5)
    assert output(figure, "apart") == 0


def test_sum_moves_the_places_under_the_words(open_page: Page) -> None:
    figure = open_page.locator("#figure-sum")
    figure.scroll_into_view_if_needed()
    total = figure.locator("#sum-total.js-plotly-plot")
    total.wait_for()
    slide(figure, "sum-start", 30)
    assert output(figure, "start") == 30
    words, places, sums = (
        np.array(open_page.evaluate("name => document.getElementById(name).data[0].z", f"sum-{name}"))
        for name in ("words", "encoding", "total")
    )
    assert np.allclose(places, TABLE[30 : 30 + len(places)], atol=1e-12)
    assert np.allclose(sums, words + places, atol=1e-12)
    names = open_page.evaluate("document.getElementById('sum-total').data[0].y")
    assert names[2] == "“dog”, slot 32"


def test_turn_keeps_its_turn_when_the_start_moves(open_page: Page) -> None:
    figure = open_page.locator("#figure-turn")
    turn = figure.locator('[data-hands="turn"]')
    drawn = turn.inner_html()
    residual = figure.locator('output[name="residual"]').text_content()
    slide(figure, "turn-slot", 20)
    figure_hands = {name: hands(figure.locator(f'[data-hands="{name}"]')) for name in ("before", "after")}
    assert np.allclose(figure_hands["before"], posture(20), atol=1e-6)
    assert np.allclose(figure_hands["after"], posture(20 + parts.turn.K), atol=1e-6)
    assert np.allclose(hands(turn), posture(parts.turn.K), atol=2e-3)
    assert [line.strip() for line in turn.locator("li").all_text_contents()] == [
        parts.turn.degrees(parts.turn.K * omega) for omega in OMEGA
    ]
    assert drawn.count("<line") == CONFIG.n_pairs

    slide(figure, "turn-k", 11)
    assert np.allclose(hands(turn), posture(11), atol=1e-6)
    assert output(figure, "after") == 31
    assert figure.locator('output[name="residual"]').text_content() == residual == "below 1\u00a0×\u00a010⁻¹²"


def test_address_measures_the_slot_that_was_picked(open_page: Page) -> None:
    figure = open_page.locator("#figure-address")
    slide(figure, "address-slot", 40)
    row = TABLE[40]
    apart = np.linalg.norm(TABLE - row, axis=1)
    assert np.allclose(hands(figure), posture(40), atol=1e-6)
    assert output(figure, "least") == pytest.approx(row.min(), abs=6e-4)
    assert output(figure, "length") == pytest.approx(math.sqrt(8), abs=6e-5)
    assert figure.locator('output[name="nearest"]').text_content() == "39, 41"
    assert output(figure, "distance") == pytest.approx(np.sort(apart)[1], abs=6e-5)


@pytest.mark.parametrize("gap", [12, 0, -18])
def test_coda_spreads_when_place_is_added_and_not_when_it_is_turned(open_page: Page, gap: int) -> None:
    figure = open_page.locator("#figure-coda")
    slide(figure, "coda-gap", gap)
    words = seeded_words(3, CONFIG.d_model, SEED)
    head = seeded_head(CONFIG.d_model, SEED)
    scores = lab.scores(words[0], words[2], TABLE, OMEGA, head)
    additive = np.diagonal(scores.additive, gap)
    assert output(figure, "gap") == gap
    assert number(figure, '[data-scheme="additive"] [name="spread"]') == pytest.approx(np.ptp(additive), abs=6e-3)
    assert number(figure, '[data-scheme="additive"] [name="mean"]') == pytest.approx(additive.mean(), abs=6e-3)
    assert number(figure, '[data-scheme="rotary"] [name="spread"]') == 0
    level = np.diagonal(scores.rotary, gap)[0]
    assert number(figure, '[data-scheme="rotary"] [name="mean"]') == pytest.approx(level, abs=6e-3)
    dots = figure.locator('[data-scheme="additive"] .dot').get_attribute("d") or ""
    assert dots.count("M") == CONFIG.n_positions - abs(gap)
    assert dots.startswith(f"M{max(0, -gap)} {-additive[0]:.3f}h0".replace("--", ""))


def test_the_order_strips_are_coloured_alike_by_build_and_script(open_page: Page) -> None:
    figure = open_page.locator("#figure-order")
    before = strips(figure)
    figure.locator('input[value="with"]').check()
    assert strips(figure) != before
    figure.locator('input[value="without"]').check()
    assert strips(figure) == before


def test_what_is_said_beside_a_played_figure_stays_true(open_page: Page) -> None:
    """The address names every nearest slot, at the ends and inside; the count goes on past its first setting."""
    address = open_page.locator("#figure-address")
    for slot, nearest in ((0, "1"), (30, "29, 31"), (63, "62")):
        slide(address, "address-slot", slot)
        assert address.locator('output[name="nearest"]').text_content() == nearest
    count = open_page.locator("#figure-count")
    slide(count, "count-slot", len(parts.count.SLOTS) - 1)
    assert output(count, "slot") == 20_000


def test_on_paper_controls_are_gone_and_no_figure_is_torn(open_page: Page) -> None:
    open_page.emulate_media(media="print")
    assert not any(controls.is_visible() for controls in open_page.locator(".controls").all())
    torn = "[...document.querySelectorAll('.play')].filter(f => getComputedStyle(f).breakInside !== 'avoid').length"
    assert open_page.evaluate(torn) == 0
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
