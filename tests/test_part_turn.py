"""Part 6 of the explainer: hands carried ahead, by the turn or by fitted maps, and the likeness of two slots."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from posenc.arrays import Floats
from posenc.attention import seeded_words
from posenc.web.parts import turn as part
from posenc.web.parts.setting import SEED
from tests.browser import rest
from tests.kept import link
from tests.played import CONFIG, LINKED, OMEGA, REST, TABLE, drawing, number, numbers, settle, shown, slide, texts

STARTS = {"pos": 5, "second": 40, "far": 1000}
VANISHES = "below 1\u00a0×\u00a010⁻¹²"
WORD = seeded_words(1, CONFIG.d_model, SEED)[0]


@pytest.fixture
def figure(explainer: Page) -> Locator:
    return explainer.locator("#figure-turn")


@pytest.fixture
def likeness(explainer: Page) -> Locator:
    return explainer.locator("#figure-likeness")


def by_the_book(slot: float, d_model: int = 16, base: float = 1e4) -> Floats:
    angles = [slot / base ** (2 * pair / d_model) for pair in range(d_model // 2)]
    return np.array([wave(angle) for angle in angles for wave in (math.sin, math.cos)])


def tips(within: Locator, kind: str = "hand") -> Floats:
    """(sine, cosine) of each hand, as drawn."""
    return pointing(shown(within, f".{kind} @d")[0])


def pointing(paths: list[str]) -> Floats:
    drawn = [map(float, re.split("[L ]", path[1:])) for path in paths]
    return np.array([[(x - x0) / 7.5, (y0 - y) / 7.5] for x0, y0, x, y in drawn])


def landed(figure: Locator) -> dict[str, tuple[Floats, str]]:
    """Of each start: where the hands have landed, and what is said of the miss."""
    read = {}
    wanted = [f'[data-landing="{name}"] {each}' for name in STARTS for each in (".hand @d", "[data-miss]")]
    found = shown(figure, *wanted)
    for name, tips, misses in zip(STARTS, found[::2], found[1::2], strict=True):
        (miss,) = misses
        read[name] = pointing(tips), miss
    return read


def hands(row: Floats) -> Floats:
    """Hands that are longer than the dial are cut at its rim."""
    pairs = row.reshape(-1, 2)
    return np.asarray(pairs / np.maximum(1, np.hypot(*pairs.T))[:, None])


def wrong(within: Locator) -> list[int]:
    found: list[int] = within.locator(".wrong").evaluate_all("dials => dials.map(dial => Number(dial.dataset.pair))")
    return found


def pick(figure: Locator, name: str) -> None:
    figure.locator(f'input[data-bind="map"][value="{name}"]').check()
    settle(figure.page)


def fitted(name: str) -> Floats:
    """The maps once more, by other routines than the build's."""
    before, after = TABLE[:-5], TABLE[5:]
    if name == "ridge":
        stacked = np.vstack([before, 1e-2 * np.eye(16)])
        return np.asarray(np.linalg.lstsq(stacked, np.vstack([after, np.zeros((16, 16))]), rcond=None)[0])
    return np.asarray(np.linalg.pinv(before, rcond=1e-14) @ after)


def test_untouched_one_turn_carries_every_start(still: Page) -> None:
    figure = still.locator("#figure-turn")
    assert np.allclose(tips(figure.locator('[data-hands="turn"]')), hands(by_the_book(5)), atol=1e-3)
    for name, slot in STARTS.items():
        start, landing = figure.locator(f'[data-start="{name}"]'), figure.locator(f'[data-landing="{name}"]')
        assert np.allclose(tips(start), hands(by_the_book(slot)), atol=1e-3)
        assert np.allclose(tips(landing), hands(by_the_book(slot + 5)), atol=1e-3)
        assert number(landing, ".output") == slot + 5
        assert landing.locator("[data-miss]").text_content() == f"largest miss: {VANISHES}"


def test_untouched_every_map_says_how_far_it_misses_far_away(still: Page) -> None:
    figure = still.locator("#figure-turn")
    assert texts(figure, '[data-output="far-miss"]') == [VANISHES, "0.1", "1.05", VANISHES]
    assert not any(control.is_visible() for control in figure.locator("input:not(.scrub), button").all())


def test_the_script_writes_and_draws_what_the_build_did(fresh: Page, still: Page) -> None:
    for name in ("#figure-turn", "#figure-likeness"):
        assert drawing(fresh.locator(name)) == drawing(still.locator(name)), name


def test_the_turn_asks_for_the_steps_and_not_for_the_starts(figure: Locator) -> None:
    turn = figure.locator('[data-hands="turn"]')
    drawn = turn.inner_html()
    slide(figure, "pos", 20)
    slide(figure, "second", 61)
    assert turn.inner_html() == drawn
    landings = landed(figure)
    for name, slot in {**STARTS, "pos": 20, "second": 61}.items():
        tip, miss = landings[name]
        assert np.allclose(tip, hands(by_the_book(slot + 5)), atol=1e-3)
        assert miss == f"largest miss: {VANISHES}"
    slide(figure, "k", -11)
    assert np.allclose(tips(turn), hands(by_the_book(-11)), atol=1e-3)
    assert texts(turn, "li") == [part.degrees(-11 * omega) for omega in OMEGA]
    assert texts(figure, '[data-output="after"]') == ["9", "50", "989"]


def test_the_stair_is_turned_by_hand_one_radian_a_step(figure: Locator) -> None:
    page = figure.page
    stair = figure.locator(".stair")
    stair.scroll_into_view_if_needed()
    box = stair.bounding_box()
    assert box is not None

    def at(angle: float) -> tuple[float, float]:
        reach = 0.4 * box["width"]
        return (
            box["x"] + box["width"] / 2 + reach * math.sin(angle),
            box["y"] + box["height"] / 2 - reach * math.cos(angle),
        )

    page.mouse.move(*at(0))
    page.mouse.down()
    for step in range(1, 17):
        page.mouse.move(*at(step / 2))
    settle(page)
    assert page.evaluate("posenc.state.now.k") == 5 + 8  # more than one round
    for step in range(16, -25, -1):
        page.mouse.move(*at(step / 2))
    settle(page)
    assert page.evaluate("posenc.state.now.k") == 5 - 12
    page.mouse.up()
    page.mouse.move(*at(2))
    settle(page)
    assert page.evaluate("posenc.state.now.k") == 5 - 12
    assert np.allclose(tips(figure.locator('[data-hands="turn"]')), hands(by_the_book(-7)), atol=1e-3)
    rest(page, REST)
    assert "k=-7" in page.url


def test_the_stair_stops_where_the_slots_end(figure: Locator) -> None:
    page = figure.page
    slide(figure, "k", 62)
    stair = figure.locator(".stair")
    stair.scroll_into_view_if_needed()
    box = stair.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y - 40)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(x + 40 * math.sin(step / 2), y - 40 * math.cos(step / 2))
    page.mouse.up()
    settle(page)
    assert page.evaluate("posenc.state.now.k") == 63


def test_the_steps_are_set_by_keys_too(figure: Locator) -> None:
    steps = figure.locator("#turn-k")
    steps.focus()
    steps.press("ArrowUp")
    settle(figure.page)
    assert figure.page.evaluate("posenc.state.now.k") == 6
    assert number(figure, '[data-landing="pos"] .output') == 11


@pytest.mark.parametrize("k", [0, 1, 5, -30, 63])
def test_the_stair_has_a_step_for_every_slot_and_ends_where_the_first_hand_points(figure: Locator, k: int) -> None:
    slide(figure, "k", k)
    (drawn,), (line,) = shown(figure, ".stair-steps @d", ".stair-line @d")
    steps = drawn.split("M")[1:]
    assert len(steps) == abs(k) + 1
    x, y = (float(part) for part in steps[-1].removesuffix("h.001").split())
    assert math.atan2(x, -y) == pytest.approx(math.remainder(k, 2 * math.pi), abs=1e-2)
    assert drawn == part.stair(k)["steps"]
    assert line == part.stair(k)["path"]


@pytest.mark.parametrize("name", ["free", "ridge"])
def test_a_fitted_map_carries_the_slots_it_saw_and_misses_far_away(figure: Locator, name: str) -> None:
    pick(figure, name)
    for start in ("pos", "second"):
        assert wrong(figure.locator(f'[data-landing="{start}"]')) == []
    assert figure.locator("[data-turned]").text_content() == "The turn that the map should make"
    far = figure.locator('[data-landing="far"]')
    landed, goal = by_the_book(1000) @ fitted(name), by_the_book(1005)
    off = np.hypot(*(landed - goal).reshape(-1, 2).T)
    assert wrong(far) == [pair for pair, miss in enumerate(off) if miss > 0.05]
    assert len(wrong(far)) >= 2
    assert np.allclose(tips(far), hands(landed), atol=5e-3)
    assert np.allclose(tips(far, "goal"), hands(goal), atol=1e-3)
    assert far.locator(".wrong .goal").first.is_visible()
    assert far.locator(".finding").get_attribute("data-finding") == "changed"
    said = float((far.locator("[data-miss]").text_content() or "").removeprefix("largest miss: "))
    assert said == pytest.approx(np.abs(landed - goal).max(), abs=0.02)


def test_turns_fitted_pair_by_pair_carry_any_slot_whatever_the_steps(figure: Locator) -> None:
    pick(figure, "paired")
    for k in (5, 17, -3):
        slide(figure, "k", k)
        landings = landed(figure)
        for name, slot in STARTS.items():
            tip, miss = landings[name]
            assert np.allclose(tip, hands(by_the_book(slot + k)), atol=1e-3)
            assert miss == f"largest miss: {VANISHES}"


def test_for_other_steps_the_free_maps_are_not_there_and_a_button_leads_back(figure: Locator) -> None:
    note = figure.locator("[data-unfitted]")
    assert not note.is_visible()
    pick(figure, "ridge")
    slide(figure, "k", 6)
    assert note.is_visible()
    assert texts(figure, '[data-output="far-miss"]') == [VANISHES, "–", "–", VANISHES]
    landing = figure.locator('[data-landing="pos"]')
    assert landing.locator("[data-miss]").text_content() == "–"
    assert not landing.locator(".hand").first.is_visible()
    assert np.allclose(tips(landing, "goal"), hands(by_the_book(11)), atol=1e-3)
    note.locator("button").click()
    settle(figure.page)
    assert not note.is_visible()
    assert figure.page.evaluate("posenc.state.now.k") == 5
    assert texts(figure, '[data-output="far-miss"]')[2] == "1.05"


@pytest.mark.parametrize("k", [5, 1, -20])
def test_a_word_does_not_turn_with_its_place(figure: Locator, k: int) -> None:
    slide(figure, "k", k)
    figure.locator('input[data-bind="word"]').check()
    settle(figure.page)
    turned = [
        np.array([[math.cos(k * w), math.sin(k * w)], [-math.sin(k * w), math.cos(k * w)]]) @ WORD[2 * i : 2 * i + 2]
        for i, w in enumerate(OMEGA)
    ]
    apart = float(np.linalg.norm(np.concatenate(turned) - WORD))
    for name, slot in STARTS.items():
        landing = figure.locator(f'[data-landing="{name}"]')
        assert landing.locator("[data-miss]").text_content() == f"{apart:.2f} apart from what was wanted"
        assert wrong(landing) == [i for i, pair in enumerate(turned) if math.dist(pair, WORD[2 * i : 2 * i + 2]) > 0.05]
        assert np.allclose(tips(landing, "goal"), hands(WORD + by_the_book(slot + k)), atol=2e-3)
    prose = figure.page.locator('#turn [data-live="turn.word"]')
    assert prose.text_content() == f"{apart:.2f}"


def test_the_prose_says_what_the_figure_shows_at_first(still: Page) -> None:
    prose = still.locator("#turn > p", has=still.locator('[data-live="turn.word"]'))
    assert "are 2.79 apart; the word itself has a length of 4.43" in (prose.text_content() or "")
    assert still.locator('#turn [data-live="now.landing"]').first.text_content() == "10"


def test_a_word_is_added_only_to_lists_of_its_width(figure: Locator) -> None:
    link(figure.page, "?d=20&word=on")
    assert figure.locator("[data-wordless]").is_visible()
    assert np.allclose(tips(figure.locator('[data-start="pos"]')), hands(by_the_book(5, 20)), atol=1e-3)
    assert texts(figure, '[data-output="far-miss"]') == [VANISHES, "–", "–", VANISHES]


@pytest.mark.parametrize(("d_model", "base"), [(2, 1e4), (10, 100.0), (64, 1e4), (512, 1e7)])
def test_the_hands_follow_another_table_up_to_its_first_pairs(figure: Locator, d_model: int, base: float) -> None:
    link(figure.page, f"?d={d_model}&base={base:.0f}&n=300&pos=200&k=77&map=paired")
    landings = landed(figure)
    for name, slot in {"pos": 200, "second": 40, "far": 1000}.items():
        tip, miss = landings[name]
        assert np.allclose(tip, hands(by_the_book(slot + 77, d_model, base))[:16], atol=1e-3)
        assert miss == f"largest miss: {VANISHES}"
    assert figure.locator(".angles li").count() == min(d_model // 2, 16)


def test_pointing_at_a_dial_marks_its_pair_everywhere(figure: Locator) -> None:
    page = figure.page
    dial = figure.locator('[data-start="second"] g[data-pair="2"]')
    dial.hover()
    settle(page)
    assert page.locator("#figure-margin tr.chosen").get_attribute("data-pair") == "2"
    assert figure.locator("circle.chosen").count() == 7
    page.mouse.move(1, 1)
    settle(page)
    assert page.locator("#figure-margin tr.chosen").get_attribute("data-pair") == "0"
    dial.click()
    settle(page)
    assert page.evaluate("posenc.state.now.pair") == 2


def test_the_link_holds_the_map_and_the_word(figure: Locator, linked: Page) -> None:
    pick(figure, "free")
    figure.locator('input[data-bind="word"]').check()
    rest(figure.page, REST)
    assert figure.page.url.endswith("?map=free&word=on")
    assert {"map=free", "word=on"} <= set(LINKED)
    opened = linked.locator("#figure-turn")
    assert opened.locator('input[value="free"]').is_checked()
    assert opened.locator('input[data-bind="word"]').is_checked()
    assert "apart" in (opened.locator('[data-landing="pos"] [data-miss]').text_content() or "")


# ---- likeness ----


def score(gap: float, d_model: int = 16, base: float = 1e4) -> float:
    return sum(math.cos(gap / base ** (2 * pair / d_model)) for pair in range(d_model // 2)) / (d_model // 2)


def heights(likeness: Locator) -> list[float]:
    path = likeness.locator(".curve").get_attribute("d") or ""
    return [-float(point.split()[1]) for point in path.removeprefix("M").split("L")]


def test_untouched_the_farther_gap_scores_higher_and_both_are_named(still: Page) -> None:
    likeness = still.locator("#figure-likeness")
    named = numbers(likeness, *(f'[data-live="like.{name}"]' for name in ("near", "far", "k")))
    assert named == [0.796, 0.804, pytest.approx(score(5), abs=6e-4)]
    assert heights(likeness) == pytest.approx([score(gap) for gap in range(64)], abs=6e-4)
    dots = likeness.locator(".plot .dot[data-gap]").evaluate_all("dots => dots.map(dot => dot.getAttribute('d'))")
    assert dots == [f"M2 {-score(2):.3f}h.001", f"M19 {-score(19):.3f}h.001"]
    assert texts(likeness, ".likeness-names text") == ["gap 2", "gap 19"]
    assert number(likeness, '[data-live="like.lowest"]') == pytest.approx(min(map(score, range(64))), abs=6e-4)


def test_the_named_stripes_are_drawn_where_their_gaps_are(likeness: Locator) -> None:
    """A line runs through the middles of cells whose column is the gap ahead of their row."""
    likeness.scroll_into_view_if_needed()
    cells = likeness.locator(".heatmap-art").bounding_box()
    assert cells is not None
    for gap in (2, 19):
        line = likeness.locator(f'path.heatmap-line[data-gap="{gap}"]').bounding_box()
        assert line is not None
        side = cells["width"] / 64
        assert (line["x"] - cells["x"]) / side == pytest.approx(gap + 0.5, abs=0.2)
        assert (line["y"] - cells["y"]) / side == pytest.approx(0.5, abs=0.2)
        assert line["width"] / side == pytest.approx(63 - gap, abs=0.3)


def test_the_curve_and_the_cell_follow_the_state(likeness: Locator) -> None:
    slide(likeness.page.locator("#figure-turn"), "k", -9)
    assert number(likeness, '[data-live="like.k"]') == pytest.approx(score(9), abs=6e-4)
    slide(likeness.page.locator("#figure-turn"), "second", 12)
    cell = likeness.locator("rect.heatmap-line[data-cursor]")
    assert (cell.get_attribute("x"), cell.get_attribute("y")) == ("12", "5")


def test_pointing_at_a_cell_shows_its_slots_everywhere(likeness: Locator) -> None:
    page = likeness.page
    likeness.scroll_into_view_if_needed()
    cells = likeness.locator(".heatmap-art").bounding_box()
    assert cells is not None
    page.mouse.move(cells["x"] + 30.5 * cells["width"] / 64, cells["y"] + 8.5 * cells["height"] / 64)
    settle(page)
    assert texts(page.locator("#figure-turn"), '[data-output="before"]') == ["8", "30", "1,000"]
    page.mouse.move(1, 1)
    settle(page)
    assert texts(page.locator("#figure-turn"), '[data-output="before"]') == ["5", "40", "1,000"]


@pytest.mark.parametrize(("d_model", "n_positions"), [(2, 64), (64, 300), (16, 12)])
def test_the_likeness_follows_another_table(likeness: Locator, d_model: int, n_positions: int) -> None:
    page = likeness.page
    link(page, f"?d={d_model}&n={n_positions}")
    slots = min(n_positions, 64)
    expected = [score(gap, d_model) for gap in range(slots)]
    assert heights(likeness) == pytest.approx(expected, abs=6e-4)
    shown = page.evaluate("[7, 3].map(row => posenc.heatmap('similarity').read(row, 10).value)")
    assert shown == pytest.approx([score(3, d_model), score(7, d_model)], abs=6e-5)
    assert page.evaluate("posenc.heatmap('similarity').size()") == {"rows": slots, "columns": slots}
    assert texts(likeness, ".likeness-profile .scale text") == (["1", "0", "−1"] if min(expected) < 0 else ["1", "0"])
    assert likeness.locator(".likeness-names text").last.is_visible() == (slots > 19)
    page.locator('[data-do="reset"]').click()
    settle(page)
    assert heights(likeness) == pytest.approx([score(gap) for gap in range(64)], abs=6e-4)


@pytest.mark.parametrize("width", [360, 768])
def test_the_figures_fit_a_narrow_screen(figure: Locator, width: int) -> None:
    figure.page.set_viewport_size({"width": width, "height": 800})
    settle(figure.page)
    for name in ("turn", "likeness"):
        fits = "figure => figure.scrollWidth <= figure.clientWidth + 1"
        assert figure.page.locator(f"#figure-{name}").evaluate(fits)
