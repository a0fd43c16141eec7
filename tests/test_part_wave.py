"""Part 3 of the explainer: one height is shared by two moments of a swing, and the cosine tells them apart."""

import math

import pytest
from playwright.sync_api import Locator, Page

from posenc.engine import frequencies
from posenc.web.parts import wave
from tests.browser import SETTLED, rest
from tests.kept import link
from tests.played import CONFIG, OMEGA, REST, drawing, number, numbers, one, parsed, settle, shown, slide, texts

SPEED = float(OMEGA[wave.PAIR])
START = CONFIG.probes[0]


@pytest.fixture
def figure(explainer: Page) -> Locator:
    explainer.locator("#figure-wave .plot").scroll_into_view_if_needed()
    return explainer.locator("#figure-wave")


@pytest.fixture
def still(still: Page) -> Locator:
    return still.locator("#figure-wave")


MOMENT = ('[data-output="at"]', '[data-output="sine"]', '[data-output="cosine"]', '[data-output="way"]')
HAND = ("line @x1", "line @y1", "line @x2", "line @y2")
BOB = (".pendulum circle @cx", ".pendulum circle @cy")


def moment(figure: Locator, i: int) -> Locator:
    return figure.locator(f'.moments [data-moment="{i}"]')


def bob(figure: Locator, i: int) -> tuple[float, float]:
    x, y = (float(each) for each in one(moment(figure, i), *BOB))
    return x, y


def point(figure: Locator, selector: str) -> tuple[float, float]:
    """Where a dot of the plot stands, in its own units."""
    return dot(shown(figure, f"{selector} @d")[0][0])


def dot(d: str) -> tuple[float, float]:
    x, y = d.removeprefix("M").removesuffix("h.001").split(" ")
    return float(x), float(y)


def hand(ends: list[list[str]]) -> tuple[float, float]:
    """(sine, cosine) as the first hand of a clock is drawn."""
    x1, y1, x2, y2 = (float(each[0]) for each in ends)
    return (x2 - x1) / 7.5, (y1 - y2) / 7.5


def agrees(figure: Locator, slot: int, speed: float = SPEED, first: int = 0, span: int = wave.SPAN) -> None:
    """Every view of the figure shows this slot of this wave, and the other moment of the same height."""
    read = [f'.moments [data-moment="{i}"] {each}' for i in (0, 1) for each in (*MOMENT, *HAND, *BOB)]
    dots = [f'[data-{kind}="{i}"] @d' for i in (0, 1) for kind in ("sine", "cosine")]
    *found, ends = shown(figure, *read, *dots, "[data-end]")
    here, there = found[: len(read) // 2], found[len(read) // 2 : len(read)]
    sine, cosine = math.sin(slot * speed), math.cos(slot * speed)
    (at, high, up), (other, other_high, other_up) = ([parsed(*text) for text in each[:3]] for each in (here, there))
    assert at == slot
    assert high == pytest.approx(sine, abs=6e-4)
    assert up == pytest.approx(cosine, abs=6e-4)
    assert other_high == high
    assert other_up == -up
    assert first <= other <= first + span
    assert abs(other - slot) * speed < math.tau
    assert hand(here[4:8]) == pytest.approx((sine, cosine), abs=1e-5)
    assert hand(there[4:8]) == pytest.approx((sine, -cosine), abs=1e-5)
    assert here[3] + there[3] == (["rising", "falling"] if cosine > 0 else ["falling", "rising"])
    assert here[8:] == there[8:]
    lean = math.radians(wave.ARC) * sine
    bobs = [float(*text) for text in here[8:]]
    assert bobs == pytest.approx((wave.ROD * math.sin(lean), wave.ROD * math.cos(lean)), abs=0.006)
    points = [dot(each[0]) for each in found[len(read) :]]
    for i, where in enumerate((slot, other)):
        assert points[2 * i] == pytest.approx((where - first, -sine), abs=6e-3)
        assert points[2 * i + 1] == pytest.approx((where - first, -math.cos(where * speed)), abs=6e-3)
    assert ends == [f"{first:,}", f"{first + span:,}"]


def test_without_scripts_one_height_is_shown_at_two_moments(still: Locator) -> None:
    assert [number(moment(still, i), '[data-output="at"]') for i in (0, 1)] == [START, 26.42]
    assert [texts(moment(still, i), '[data-output="way"]') for i in (0, 1)] == [["rising"], ["falling"]]
    assert bob(still, 0) == bob(still, 1)
    assert number(moment(still, 0), '[data-output="sine"]') == pytest.approx(math.sin(0.5), abs=6e-4)
    xs = [point(still, f'[data-sine="{i}"]')[0] for i in (0, 1)]
    assert xs[1] - xs[0] > wave.SPAN / 4, "far enough apart to be seen as two"


def test_the_sentence_below_the_formulas_says_what_the_figure_shows(still: Locator) -> None:
    part = still.page.locator("#wave")
    live = {name: texts(part, f'[data-live="wave.{name}"]')[0] for name in ("speed", "angle", "high", "up", "length")}
    assert live == {"speed": "0.1000", "angle": "0.5000", "high": "0.479", "up": "0.878", "length": "62.8"}
    assert part.locator('p input[data-bind="pos"]').input_value() == str(START)


def test_with_scripts_the_figure_is_at_first_what_the_build_drew(fresh: Page, still: Locator) -> None:
    assert drawing(fresh.locator("#figure-wave")) == drawing(still)


@pytest.mark.parametrize("slot", [0, 5, 15, 16, 31, 32, 47, 48, 62, 63])
def test_every_slot_has_its_twin_in_the_plot(figure: Locator, slot: int) -> None:
    slide(figure, "pos", slot)
    agrees(figure, slot)
    told = numbers(figure.page.locator("#wave"), *(f'[data-live="wave.{name}"]' for name in ("angle", "high", "up")))
    angle, high, up = told
    assert angle == pytest.approx(slot * SPEED, abs=6e-3)
    assert high == pytest.approx(math.sin(slot * SPEED), abs=6e-4)
    assert up == pytest.approx(math.cos(slot * SPEED), abs=6e-4)


def test_the_twin_lies_in_the_plot_at_every_slot_that_a_page_can_have() -> None:
    for slot in range(2048):
        first = slot // (wave.SPAN + 1) * (wave.SPAN + 1)
        other = wave._rival(slot, SPEED)
        assert first <= other <= first + wave.SPAN
        assert math.sin(other * SPEED) == pytest.approx(math.sin(slot * SPEED), abs=1e-9)
        assert math.cos(other * SPEED) == pytest.approx(-math.cos(slot * SPEED), abs=1e-9)


@pytest.mark.parametrize(("slot", "first"), [(63, 0), (64, 64), (500, 448), (2047, 1984)])
def test_the_plot_goes_along_with_the_slot(figure: Locator, slot: int, first: int) -> None:
    link(figure.page, f"?n=2048&pos={slot}")
    agrees(figure, slot, first=first)
    curve = figure.locator(".curve:not(.second)").get_attribute("d") or ""
    start = float(curve.removeprefix("M").split("L")[0].split(" ")[1])
    assert start == pytest.approx(-math.sin(first * SPEED), abs=6e-4)


@pytest.mark.parametrize(("width", "base"), [(16, 100.0), (512, 10_000.0), (2, 10_000.0), (16, 1e7), (6, 3.0)])
def test_the_wave_is_the_one_of_the_pages_width_and_base(figure: Locator, width: int, base: float) -> None:
    link(figure.page, f"?d={width}&base={base:.0f}&pos=7")
    pair = min(wave.PAIR, width // 2 - 1)
    speed = float(frequencies(width, base)[pair])
    agrees(figure, 7, speed, span=max(wave.SPAN, math.ceil(math.tau / speed)))
    caption = figure.locator("figcaption")
    assert texts(caption, '[data-live="wave.pair"], [data-live="wave.pairs"]') == [str(pair), str(width // 2)]
    assert number(caption, '[data-live="wave.length"]') == pytest.approx(math.tau / speed, abs=0.051)


# ---- the reader's hand ----


def held(page: Page, which: str = "now") -> int:
    """The slot, once every view shows it."""
    return int(page.evaluate(f"{SETTLED}.then(() => posenc.state.{which}.pos)"))


def place(figure: Locator, slot: float) -> tuple[float, float]:
    box = figure.locator(".plot").bounding_box()
    assert box is not None
    return box["x"] + slot / wave.SPAN * box["width"], box["y"] + box["height"] / 3


def test_dragging_along_the_wave_moves_the_pages_slot(figure: Locator) -> None:
    page = figure.page
    page.mouse.move(*place(figure, 20.2))
    page.mouse.down()
    assert held(page) == 20
    for slot in (24.6, 40.4, 63.0):
        page.mouse.move(*place(figure, slot), steps=4)
        assert held(page) == round(slot)
        agrees(figure, round(slot))
    page.mouse.move(*place(figure, 90), steps=3)
    assert held(page) == CONFIG.n_positions - 1
    page.mouse.move(*place(figure, -9), steps=3)
    assert held(page) == 0
    page.mouse.move(*place(figure, 33), steps=3)
    page.mouse.up()
    page.mouse.move(5, 5)
    settle(page)
    agrees(figure, 33)
    assert page.url.endswith("?pos=33")


def test_pointing_at_the_wave_shows_a_slot_and_keeps_nothing(figure: Locator) -> None:
    page = figure.page
    page.mouse.move(*place(figure, 11))
    assert held(page, "shown") == START, "the page may have scrolled under a still mouse"
    page.mouse.move(*place(figure, 12))
    assert held(page, "shown") == 12
    agrees(figure, 12)
    assert held(page) == START
    page.mouse.move(5, 5)
    settle(page)
    agrees(figure, START)
    rest(page, REST)
    assert "?" not in page.url


def test_turning_the_hand_moves_the_slot_round_after_round(figure: Locator) -> None:
    page = figure.page
    slide(figure, "pos", 0)
    moment(figure, 0).evaluate("m => m.scrollIntoView({ block: 'center' })")
    box = moment(figure, 0).locator(".clocks").bounding_box()
    assert box is not None
    x, y, reach = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 3

    def to(angle: float) -> None:
        page.mouse.move(x + reach * math.sin(angle), y - reach * math.cos(angle))

    to(0)
    page.mouse.down()
    for step in range(4, 61, 4):  # nearly one round of this wave
        to(step * SPEED)
    assert held(page) == 60
    for step in range(60, 70, 3):  # no further than the last slot
        to(step * SPEED)
    assert held(page) == CONFIG.n_positions - 1
    page.mouse.up()
    page.evaluate("getSelection().selectAllChildren(document.body)")  # what is selected must not be carried off
    page.evaluate("posenc.state.set({ pos: 20 })")
    settle(page)
    to(20 * SPEED)
    page.mouse.down()
    for step in range(20, 9, -1):
        to(step * SPEED)
    page.mouse.up()
    settle(page)
    agrees(figure, 10)


def test_keys_move_the_slot_one_by_one(figure: Locator) -> None:
    for control in ('input[type="range"]', 'input[type="number"]'):
        figure.page.evaluate("posenc.state.set({ pos: 5 })")
        settle(figure.page)
        figure.locator(control).focus()
        for key, slot in (("ArrowUp", 6), ("ArrowUp", 7), ("ArrowDown", 6)):
            figure.page.keyboard.press(key)
            settle(figure.page)
            agrees(figure, slot)


@pytest.mark.parametrize("width", [360, 1440])
def test_the_thumb_stands_over_its_mark(figure: Locator, width: int) -> None:
    """Half a thumb, some 8 px, reaches beyond the plot at either end of the range, and not beyond the figure."""
    figure.page.set_viewport_size({"width": width, "height": 800})
    slider = figure.locator('input[type="range"]')
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("0", str(wave.SPAN))
    track, plot = slider.bounding_box(), figure.locator(".plot").bounding_box()
    assert track is not None
    assert plot is not None
    assert plot["x"] - track["x"] == pytest.approx(8, abs=0.5)
    assert track["width"] - plot["width"] == pytest.approx(16, abs=0.5)
    whole = figure.bounding_box()
    assert whole is not None
    assert track["x"] >= whole["x"]
    assert track["x"] + track["width"] <= whole["x"] + whole["width"] + 0.1


@pytest.mark.parametrize("width", [320, 360])
def test_the_figure_fits_a_narrow_screen(figure: Locator, width: int) -> None:
    figure.page.set_viewport_size({"width": width, "height": 800})
    slide(figure, "pos", 63)
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
    apart = """rows => rows.map(row => row.querySelector("dd").getBoundingClientRect().left
        - row.querySelector("dt").getBoundingClientRect().right)"""
    room = figure.locator(".moments dl > div").evaluate_all(apart)
    assert len(room) > 1
    assert min(room) >= 0


def test_nothing_moves_without_a_request(figure: Locator) -> None:
    before = drawing(figure)
    figure.page.wait_for_timeout(300)
    assert drawing(figure) == before
    assert figure.page.evaluate("document.getAnimations().length") == 0
