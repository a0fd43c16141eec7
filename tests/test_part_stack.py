"""Part 4 of the explainer: one wave under two slots, the margin of many waves, and the gears."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from posenc.web.format import fixed
from posenc.web.parts import gears
from tests.browser import rest
from tests.kept import link
from tests.played import LINKED, OMEGA, REST, SLIDE, drawing, number, settle, slide, texts

TIE = math.pi / 303
GROWTH = ["0.0177", "0.3125", "1.0142", *["1.0147"] * 5]
CLASH = "[data-clash]"


@pytest.fixture
def lone(explainer: Page) -> Locator:
    return explainer.locator("#figure-stack")


@pytest.fixture
def margin(explainer: Page) -> Locator:
    return explainer.locator("#figure-margin")


def speed(lone: Locator, place: float) -> float:
    """Moves the slider, and gives the speed that the state then has."""
    lone.locator('input[name="stack-omega"]').evaluate(SLIDE, str(place))
    omega: float = lone.page.evaluate("posenc.state.now.omega")
    return omega


def closest(d_model: int, n_positions: int, base: float) -> list[float]:
    """The closest two rows with the first 1, 2, … pairs, by comparing all rows."""
    pos, pair = np.indices((n_positions, d_model // 2))
    angle = pos / base ** (2 * pair / d_model)
    rows = np.exp(1j * angle)
    apart = np.sqrt(np.cumsum(np.abs(rows[:, None] - rows[None]) ** 2, axis=2))
    return [float(found) for found in apart[np.triu_indices(n_positions, 1)].min(axis=0)]


def test_untouched_the_three_stops_say_resolution_tie_and_apart(still: Page) -> None:
    lone = still.locator("#figure-stack")
    assert texts(lone, ".stop .output") == ["0.09378", "0.00000", "1.14088"]
    assert [number(lone, f'[data-output="height-{i}"]') for i in (0, 1)] == [0.00095, 0.09473]
    assert "resolution, not a tie" in (lone.locator(".finding").text_content() or "")
    assert all(stop.is_visible() for stop in lone.locator(".stop").all())
    assert not lone.locator("input").is_visible()


def test_untouched_the_list_shows_how_the_margin_grows(still: Page) -> None:
    margin = still.locator("#figure-margin")
    assert texts(margin, CLASH) == GROWTH == [fixed(each, 4) for each in closest(16, 64, 1e4)]
    assert margin.locator('[data-live="margin.clash"]').text_content() == GROWTH[-1]
    assert margin.locator('.gears [data-claim="picture"]').is_visible()
    assert not any(control.is_visible() for control in margin.locator(".stepper input, .stepper button").all())


def test_the_script_writes_and_draws_what_the_build_did(fresh: Page, still: Page) -> None:
    for name in ("#figure-stack", "#figure-margin"):
        assert drawing(fresh.locator(name)) == drawing(still.locator(name)), name


def test_a_stop_is_met_exactly_and_the_tie_is_one_rising_and_one_falling(lone: Locator) -> None:
    lone.locator('[data-stop="tie"]').click()
    settle(lone.page)
    assert lone.page.evaluate("posenc.state.now.omega") == TIE
    assert number(lone, '[data-output="height-0"]') == number(lone, '[data-output="height-1"]')
    assert number(lone, '[data-output="height-0"]') == pytest.approx(math.sin(3 * TIE), abs=6e-6)
    assert texts(lone, "[data-way]") == ["rising", "falling"]
    assert lone.locator(".finding").get_attribute("data-verdict") == "tie"
    assert lone.locator('[data-stop="tie"]').get_attribute("aria-pressed") == "true"
    lone.locator('[data-stop="fastest"]').click()
    settle(lone.page)
    assert lone.page.evaluate("posenc.state.now.omega") == 1
    assert number(lone, '[data-output="apart"]') == pytest.approx(abs(math.sin(3) - math.sin(300)), abs=6e-6)
    assert lone.locator(".finding").get_attribute("data-verdict") == "apart"


def test_the_slider_stops_at_the_ends_and_at_the_tie_and_nowhere_else(lone: Locator) -> None:
    assert speed(lone, 0) == 1
    assert speed(lone, -3.5) == pytest.approx(OMEGA[-1], rel=1e-11)
    assert speed(lone, -1.98) == TIE
    assert speed(lone, -1.97) == pytest.approx(10**-1.97, rel=1e-3)
    assert lone.locator('.stop[aria-pressed="true"]').count() == 0
    slider = lone.locator('input[name="stack-omega"]')
    slider.focus()
    slider.press("ArrowLeft")
    settle(lone.page)
    assert lone.page.evaluate("posenc.state.now.omega") == TIE
    slider.press("ArrowLeft")
    settle(lone.page)
    assert lone.page.evaluate("posenc.state.now.omega") < TIE


@pytest.mark.parametrize("place", [-3.2, -2.6, -2.2, -1.99, -1.5, -0.9, -0.31])
def test_what_is_said_of_any_speed_is_so(lone: Locator, place: float) -> None:
    omega = speed(lone, place)
    near, far = math.sin(3 * omega), math.sin(300 * omega)
    apart = abs(far - near)
    assert number(lone, '[data-output="apart"]') == pytest.approx(apart, abs=6e-6)
    assert texts(lone, "[data-way]") == ["rising" if math.cos(s * omega) > 0 else "falling" for s in (3, 300)]
    expected = "apart" if apart > 0.1 else "slow" if 300 * omega < math.pi / 2 else "near"
    assert lone.locator(".finding").get_attribute("data-verdict") == expected
    dots = lone.locator(".chosen .dot").evaluate_all("dots => dots.map(dot => dot.getAttribute('d'))")
    assert dots == [f"M3 {-near:.4f}h.001", f"M300 {-far:.4f}h.001"]


def test_pairs_are_kept_one_by_one_and_the_margin_follows(margin: Locator) -> None:
    fewer, more = margin.locator("[data-step]").all()
    assert more.is_disabled()
    told = margin.locator('[data-live="margin.clash"]')
    for kept in range(6, -1, -1):
        fewer.click()
        settle(margin.page)
        assert told.text_content() == GROWTH[kept]
        assert margin.locator("tbody tr.dropped").count() == 7 - kept
    assert fewer.is_disabled()
    margin.locator('input[data-bind="kept"]').press("ArrowUp")
    settle(margin.page)
    assert told.text_content() == GROWTH[1]
    assert margin.locator(".gear.dropped").count() == 1


def test_the_list_follows_another_table(margin: Locator) -> None:
    page = margin.page
    link(page, "?d=40&n=200&base=100&kept=5")
    expected = [fixed(each, 4) for each in closest(40, 200, 100)]
    assert texts(margin, CLASH) == expected[:16]
    assert margin.locator('[data-live="margin.clash"]').text_content() == expected[5]
    assert margin.locator('[data-live="margin.slots"]').text_content() == "200"
    assert margin.locator("[data-more]").is_visible()
    assert page.locator("#figure-stack [data-example-note]").is_visible()
    page.locator('[data-do="reset"]').click()
    settle(page)
    assert texts(margin, CLASH) == GROWTH
    assert not margin.locator("[data-more]").is_visible()
    assert not page.locator("[data-example-note]").first.is_visible()


def test_a_single_row_has_no_closest_two(margin: Locator) -> None:
    link(margin.page, "?n=1&d=2")
    assert texts(margin, CLASH) == ["∞"]


def test_pointing_at_a_pair_marks_it_and_a_click_keeps_it(margin: Locator) -> None:
    row = margin.locator('tr[data-pair="3"]')
    row.hover()
    settle(margin.page)
    assert margin.locator("tr.chosen").get_attribute("data-pair") == "3"
    assert margin.page.evaluate("[posenc.state.shown.pair, posenc.state.now.pair]") == [3, 0]
    margin.page.mouse.move(0, 0)
    settle(margin.page)
    assert margin.locator("tr.chosen").get_attribute("data-pair") == "0"
    row.click()
    settle(margin.page)
    assert margin.page.evaluate("posenc.state.now.pair") == 3


def test_the_link_holds_the_speed_and_the_last_pair(lone: Locator, margin: Locator, linked: Page) -> None:
    lone.locator('[data-stop="tie"]').click()
    margin.locator('[data-step="-1"]').click()
    rest(lone.page, REST)
    written = lone.page.url.partition("?")[2].split("&")
    assert len(written) == 2
    assert set(written) <= set(LINKED)
    assert linked.evaluate("[posenc.state.now.omega, posenc.state.now.kept]") == [TIE, 6]
    assert linked.locator("#figure-stack .finding").get_attribute("data-verdict") == "tie"


# ---- the gears ----


def collisions(first: gears.Gear, second: gears.Gear, pos: float) -> int:
    """Of the points around the place where two gears meet, a pitch in all, how many are in a tooth of both."""
    bearing = math.atan2(second.y - first.y, second.x - first.x)
    meeting = first.x + first.radius * math.cos(bearing), first.y + first.radius * math.sin(bearing)
    pitch = math.pi * gears.MODULE

    def in_tooth(gear: gears.Gear, x: float, y: float) -> bool:
        seen = math.degrees(math.atan2(y - gear.y, x - gear.x)) - float(gears.turned(gear, pos)) - gear.phase
        return seen * gear.teeth / 360 % 1 < gears.FILLED / 2

    found = 0
    for step in range(-50, 50):
        along = step / 100 * pitch
        x, y = meeting[0] - along * math.sin(bearing), meeting[1] + along * math.cos(bearing)
        found += in_tooth(first, x, y) and in_tooth(second, x, y)
    return found


@pytest.mark.parametrize("pos", [0, 1, 5, 11, 40, 63, 1000])
def test_teeth_of_one_gear_stand_in_gaps_of_the_other_at_every_slot(pos: int) -> None:
    train = gears.train()
    for first, second in itertools.pairwise(train):
        distance = math.hypot(second.x - first.x, second.y - first.y)
        assert distance == pytest.approx(first.radius + second.radius, abs=0.02)
        assert collisions(first, second, pos) <= 2


def test_gears_whose_phase_is_off_by_half_a_pitch_collide() -> None:
    first, second, _ = gears.train()

    assert collisions(first, replace(second, phase=second.phase + 180 / second.teeth), 5) > 30


def test_gears_turn_nearly_as_fast_as_the_first_pairs_and_each_against_the_one_before() -> None:
    train = gears.train()
    for gear, omega in zip(train, OMEGA, strict=False):
        turn = float(gears.turned(gear, 1)) * gear.direction % 360
        assert turn == pytest.approx(math.degrees(omega), rel=2e-3)
    assert [gear.direction for gear in train] == [1, -1, 1]


def test_the_page_turns_the_gears_as_the_build_does(explainer: Page) -> None:
    slide(explainer.locator("#figure-sum"), "pos", 23)
    shown = explainer.locator(".gear").evaluate_all("gears => gears.map(gear => gear.getAttribute('transform'))")
    train = gears.train()
    assert shown == [f"translate({g.x} {g.y}) rotate({gears.turned(g, 23)})" for g in train]


@pytest.mark.parametrize("width", [360, 768])
def test_the_figures_fit_a_narrow_screen(explainer: Page, width: int) -> None:
    explainer.set_viewport_size({"width": width, "height": 800})
    settle(explainer)
    for name in ("stack", "margin"):
        fits = "figure => figure.scrollWidth <= figure.clientWidth + 1"
        assert explainer.locator(f"#figure-{name}").evaluate(fits)
    assert explainer.evaluate("document.documentElement.scrollWidth") == width
