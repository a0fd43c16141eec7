"""Part 8 of the explainer: one score at one gap, the place added on top or turned in, under any tables."""

import math

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import Head, seeded_head, seeded_words
from posenc.web.parts.setting import SEED
from tests.browser import rest
from tests.kept import link
from tests.played import CONFIG, LINKED, OMEGA, REST, TABLE, drawing, number, one, parsed, settle, slide, texts

QUERY, _, KEY = seeded_words(3, CONFIG.d_model, SEED)
ADDITIVE, ROTARY = '[data-scheme="additive"]', '[data-scheme="rotary"]'
VANISHES = "below 1\u00a0×\u00a010⁻¹²"


@pytest.fixture
def figure(explainer: Page) -> Locator:
    return explainer.locator("#figure-coda")


def drawn(name: str, seed: int) -> Floats:
    """A random table by its name: FNV-1a, mulberry32, and Box and Muller, written once more."""
    state = 0x811C9DC5 ^ seed
    for byte in name.encode():
        state = (state ^ byte) * 0x01000193 & 0xFFFFFFFF
    uniform = []
    for _ in range(CONFIG.d_model**2):
        state = state + 0x6D2B79F5 & 0xFFFFFFFF
        mixed = (state ^ state >> 15) * (state | 1) & 0xFFFFFFFF
        mixed ^= mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & 0xFFFFFFFF) & 0xFFFFFFFF
        uniform.append((mixed ^ mixed >> 14) / 2**32)
    normal = []
    for first, second in zip(uniform[0::2], uniform[1::2], strict=True):
        reach, angle = math.sqrt(-2 * math.log(1 - first)), 2 * math.pi * second
        normal += [reach * math.cos(angle), reach * math.sin(angle)]
    return np.round(normal, 4).reshape(CONFIG.d_model, CONFIG.d_model) / math.sqrt(CONFIG.d_model)


def scored(number: int) -> lab.Scores:
    head = seeded_head(CONFIG.d_model, SEED)
    if number:
        head = Head(drawn(f"q {number}", SEED), drawn(f"k {number}", SEED), head.w_v)
    return lab.scores(QUERY, KEY, TABLE, OMEGA, head)


def agrees(figure: Locator, scores: lab.Scores, gap: int) -> None:
    additive, level = np.diagonal(scores.additive, gap), np.diagonal(scores.rotary, gap)[0]
    outputs = (
        f'{scheme} [data-output="{name}"]' for scheme in (ADDITIVE, ROTARY) for name in ("spread", "mean", "all")
    )
    *told, everywhere, dots = one(figure, *outputs, f"{ADDITIVE} .dot @d")
    wanders, mean, overall, turned, at = map(parsed, told)
    assert wanders == pytest.approx(np.ptp(additive), abs=6e-3)
    assert mean == pytest.approx(additive.mean(), abs=6e-3)
    assert overall == pytest.approx(lab.spread(scores.additive), abs=6e-3)
    assert turned == 0
    assert at == pytest.approx(level, abs=6e-3)
    assert everywhere == VANISHES
    heights = [-float(dot.split(" ")[1].removesuffix("h.001")) for dot in dots.split("M")[1:]]
    assert heights == pytest.approx(additive.tolist(), abs=6e-4)
    assert dots.startswith(f"M{max(0, -gap)} ")


def test_untouched_the_left_side_wanders_and_the_right_side_is_level(still: Page) -> None:
    agrees(still.locator("#figure-coda"), scored(0), 5)


def test_the_script_writes_and_draws_what_the_build_did(fresh: Page, still: Page) -> None:
    assert drawing(fresh.locator("#figure-coda")) == drawing(still.locator("#figure-coda"))


@pytest.mark.parametrize("gap", [12, 0, -18, 63])
def test_the_gap_follows_the_steps_of_the_state(figure: Locator, gap: int) -> None:
    slide(figure, "k", gap)
    agrees(figure, scored(0), gap)
    assert figure.page.locator("#turn-k").input_value() == str(gap)


def test_under_any_tables_the_turned_scores_keep_to_the_gap(figure: Locator) -> None:
    spreads = []
    for draw in range(1, 6):
        figure.locator("[data-draw]").click()
        settle(figure.page)
        agrees(figure, scored(draw), 5)
        spreads.append(number(figure, f'{ADDITIVE} [data-output="all"]'))
        high, _, low = texts(figure, f"{ADDITIVE} .scale text")
        both = [scored(draw).additive, scored(draw).rotary]
        assert int(low.replace("−", "-")) == math.floor(np.min(both))
        assert int(high) == math.ceil(np.max(both))
    assert len(set(spreads)) == 5
    assert min(spreads) > 1


def test_tables_that_do_not_turn_with_the_slot_are_found_out() -> None:
    """The measure that vanishes for turned scores does not vanish for others, however few."""
    scores = scored(0).rotary.copy()
    scores[3, 8] += 1e-9
    assert lab.spread(scores) > lab.ROUNDING


def test_the_link_holds_the_tables_and_typing_their_number_draws_them(figure: Locator, linked: Page) -> None:
    page = figure.page
    typed = figure.locator('input[data-bind="draw"]')
    typed.fill("7")
    typed.press("Enter")
    rest(page, REST)
    agrees(figure, scored(7), 5)
    assert page.url.endswith("?tables=7")
    assert "tables=7" in LINKED
    agrees(linked.locator("#figure-coda"), scored(7), 5)
    page.locator('[data-do="reset"]').click()
    settle(page)
    agrees(figure, scored(0), 5)


def test_the_last_tables_are_followed_by_the_first(figure: Locator) -> None:
    link(figure.page, "?tables=999")
    figure.locator("[data-draw]").click()
    settle(figure.page)
    agrees(figure, scored(0), 5)


def test_a_gap_wider_than_the_example_has_no_scores(figure: Locator) -> None:
    link(figure.page, "?n=300&k=-150")
    for scheme in (ADDITIVE, ROTARY):
        assert figure.locator(f"{scheme} .dot").get_attribute("d") == ""
        assert figure.locator(f'{scheme} [data-output="spread"]').text_content() == "–"
    assert figure.locator("[data-example-note]").is_visible()


@pytest.mark.parametrize("width", [360, 768])
def test_the_figure_fits_a_narrow_screen(figure: Locator, width: int) -> None:
    figure.page.set_viewport_size({"width": width, "height": 800})
    settle(figure.page)
    assert figure.evaluate("figure => figure.scrollWidth <= figure.clientWidth + 1")
