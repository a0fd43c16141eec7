"""Part 5 of the explainer: words, places and their sums, and how often a reader finds the place again."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from posenc.arrays import Floats
from posenc.attention import seeded_words
from posenc.engine import encode
from posenc.web import content
from posenc.web.parts import sum as part
from posenc.web.parts.setting import SEED
from posenc.web.strips import colour
from tests.browser import rest
from tests.checkout import ROOT
from tests.kept import link
from tests.played import CONFIG, REST, drawing, settle, slide, texts

WORDS = seeded_words(max(part.KINDS) + 1, CONFIG.d_model, SEED)[list(part.KINDS)]
LIMIT = 3.5
TOLD = re.compile(r"Number (\d+) of “(\w+)” at slot (\d+): (−?[\d.]+) \+ (−?[\d.]+) = (−?[\d.]+)")


@pytest.fixture
def figure(explainer: Page) -> Locator:
    return explainer.locator("#figure-sum")


def places(start: int) -> Floats:
    return encode(range(start, start + len(WORDS)), CONFIG.d_model, CONFIG.base)


def colours(values: Floats) -> list[list[str]]:
    return [[colour(float(value) / LIMIT) for value in row] for row in values]


def columns(figure: Locator) -> list[list[list[str]]]:
    """The colours of the words, of the places and of the sums, row by row."""
    drawn: list[list[list[str]]] = figure.evaluate(
        """figure => [0, 1, 2].map(at => [...figure.querySelectorAll("tbody tr")].map(row =>
            [...row.querySelectorAll(".row-strip")[at].querySelectorAll("rect")].map(r => r.getAttribute("fill"))))"""
    )
    return drawn


def told(figure: Locator) -> tuple[int, str, int, list[float]]:
    found = TOLD.fullmatch(figure.locator("[data-told]").text_content() or "")
    assert found
    column, word, slot, *values = found.groups()
    return int(column), word, int(slot), [float(value.replace("−", "-")) for value in values]


def cell(figure: Locator, row: int, strip: int, column: int) -> tuple[float, float]:
    box = figure.locator("tbody tr").nth(row).locator(".row-strip").nth(strip).bounding_box()
    assert box is not None
    return box["x"] + (column + 0.5) / CONFIG.d_model * box["width"], box["y"] + box["height"] / 2


def test_the_words_of_the_sentence_repeat_as_the_build_takes_them_to() -> None:
    words = content.read(ROOT / "content" / "en" / "explainer.md", Path("explainer.md")).fields["figure.sum.words"]
    seen: list[str] = []
    for word in words.lower().split():
        seen += [] if word in seen else [word]
    assert tuple(seen.index(word) for word in words.lower().split()) == part.KINDS


def test_untouched_every_sum_is_its_word_and_its_place(still: Page) -> None:
    figure = still.locator("#figure-sum")
    assert columns(figure) == [colours(WORDS), colours(places(5)), colours(WORDS + places(5))]
    assert np.abs(WORDS).max() + 1 <= LIMIT
    assert texts(figure, "[data-slot]") == [str(5 + at) for at in range(8)]


def test_untouched_the_word_that_comes_twice_is_alike_before_the_sum_and_not_after_it(still: Page) -> None:
    words, _, sums = columns(still.locator("#figure-sum"))
    assert words[2] == words[6]
    assert sums[2] != sums[6]


def test_the_script_writes_and_draws_what_the_build_did(fresh: Page, still: Page) -> None:
    assert drawing(fresh.locator("#figure-sum")) == drawing(still.locator("#figure-sum"))


@pytest.mark.parametrize("start", [0, 30, 63])
def test_the_places_move_under_the_words(figure: Locator, start: int) -> None:
    slide(figure, "pos", start)
    assert columns(figure) == [colours(WORDS), colours(places(start)), colours(WORDS + places(start))]
    assert texts(figure, "[data-slot]") == [str(start + at) for at in range(8)]
    column, word, slot, (meaning, place, total) = told(figure)
    assert (column, word, slot) == (0, "dog", start + 2)
    assert meaning == WORDS[2, 0]
    assert place == pytest.approx(places(start)[2, 0], abs=6e-5)
    assert total == pytest.approx(meaning + place, abs=1e-9)  # as told: no rounding is left over


def test_pointing_at_a_cell_tells_its_sum_and_marks_its_pair_everywhere(figure: Locator) -> None:
    page = figure.page
    figure.scroll_into_view_if_needed()
    page.mouse.move(*cell(figure, 5, 2, 9))
    settle(page)
    column, word, slot, values = told(figure)
    assert (column, word, slot) == (9, "young", 10)
    assert values == pytest.approx([WORDS[5, 9], places(5)[5, 9], (WORDS + places(5))[5, 9]], abs=6e-5)
    frames = figure.locator(".row-strip path").evaluate_all("frames => frames.map(f => f.getAttribute('d'))")
    assert set(frames) == {"M8 0h2v1h-2z"}
    assert page.locator("#figure-turn circle.chosen").count() == page.locator('#figure-turn [data-pair="4"]').count()
    page.mouse.move(1, 1)
    settle(page)
    assert told(figure)[:3] == (0, "dog", 7)
    page.mouse.click(*cell(figure, 0, 0, 3))
    page.mouse.move(1, 1)
    settle(page)
    assert told(figure)[:3] == (3, "The", 5)
    assert page.evaluate("posenc.state.now.pair") == 1


def test_a_reset_tells_again_what_was_told_at_first(figure: Locator) -> None:
    page = figure.page
    first = told(figure)
    figure.scroll_into_view_if_needed()
    page.mouse.click(*cell(figure, 0, 0, 3))
    page.mouse.move(1, 1)
    settle(page)
    assert told(figure) != first
    page.locator('[data-do="reset"]').click()
    settle(page)
    assert told(figure) == first


def test_arrow_keys_go_from_number_to_number_and_stop_at_the_edges(figure: Locator) -> None:
    board = figure.locator(".addends")
    board.focus()
    for key, expected in (
        ("ArrowLeft", (0, "dog", 7)),
        ("ArrowRight", (1, "dog", 7)),
        ("ArrowRight", (2, "dog", 7)),
        ("ArrowDown", (2, "saw", 8)),
        *[("ArrowDown", (2, word, 9 + at)) for at, word in enumerate(("the", "young", "dog", "run"))],
        ("ArrowDown", (2, "run", 12)),
        ("ArrowUp", (2, "dog", 11)),
    ):
        board.press(key)
        settle(figure.page)
        assert told(figure)[:3] == expected


def test_a_sweep_of_keys_is_one_step_back(figure: Locator) -> None:
    page = figure.page
    figure.locator(".addends").focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    rest(page, REST)
    assert page.evaluate("[location.search, posenc.state.now.pair]") == ["?pair=3", 3]
    page.evaluate("history.back()")
    page.wait_for_function("() => location.search !== '?pair=3'")
    settle(page)
    assert page.evaluate("[location.search, posenc.state.now.pair]") == ["", 0]


def test_beside_another_table_the_figure_says_that_it_keeps_to_the_example(figure: Locator) -> None:
    link(figure.page, "?d=64&pair=20&pos=9")
    assert figure.locator("[data-example-note]").is_visible()
    assert columns(figure)[2] == colours(WORDS + places(9))
    assert told(figure)[:3] == (14, "dog", 11)


def test_the_bench_prints_its_rates_beside_blind_guessing(still: Page) -> None:
    rows = [
        [int(re.sub(r"\D", "", text) or -1) for text in texts(row, "th, td")]
        for row in still.locator("#figure-room tbody tr").all()
    ]
    blind, *read = rows
    assert blind == [-1, 2, 5]
    assert [row[0] for row in read] == [16, 64, 128, 512]
    assert [row[1] for row in read] == pytest.approx([20, 52, 67, 94], abs=2)
    assert [row[2] for row in read] == pytest.approx([39, 87, 98, 100], abs=2)
    caption = still.locator("#figure-room figcaption").text_content() or ""
    for assumed in ("1,500 random words", f"seed {SEED}", "spread one", "of the 64", "nearest"):
        assert assumed in caption


@pytest.mark.parametrize("width", [360, 768])
def test_the_figures_fit_a_narrow_screen(figure: Locator, width: int) -> None:
    figure.page.set_viewport_size({"width": width, "height": 800})
    settle(figure.page)
    for name in ("sum", "room"):
        fits = "figure => figure.scrollWidth <= figure.clientWidth + 1"
        assert figure.page.locator(f"#figure-{name}").evaluate(fits)
