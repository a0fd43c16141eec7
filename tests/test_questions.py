"""The questions of the explainer: asked before the figure that answers them, and complete without scripts."""

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.web import content
from posenc.web.parts import questions
from posenc.web.parts.setting import Setting
from posenc.web.words import ASKED, PARTS
from tests.browser import paper, rest, seen
from tests.checkout import ROOT
from tests.played import CONFIG, OMEGA, REST, TABLE, address, shown

OPTIONS = ("a", "b", "c")
UNASKED = """() => document.querySelectorAll(".question").forEach((question) => {
    question.removeAttribute("data-guess");
    question.querySelectorAll("input").forEach((radio) => { radio.checked = false; });
    question.querySelector(".question-said").textContent = "";
})"""


@pytest.fixture(scope="module")
def document() -> content.Document:
    path = Path("content") / "en" / "explainer.md"
    return content.read(ROOT / path, path)


@pytest.fixture
def asking(explainer: Page) -> Iterator[Page]:
    """The explainer with scripts; afterwards its guesses are taken back, which no reader can do."""
    yield explainer
    explainer.evaluate(UNASKED)


def question(page: Page, part: str) -> Locator:
    return page.locator(f"#{part} #question-{part}")


def test_each_of_the_first_seven_parts_asks_one_question_before_its_figure(document: content.Document) -> None:
    assert PARTS[:7] == ASKED
    for part in PARTS:
        body = document.sections[part].body
        assert re.findall(r"\[\[ question:(\w+) \]\]", body) == ([part] if part in ASKED else [])
        if part in ASKED:
            assert body.index(f"[[ question:{part} ]]") < body.index(f"[[ figure:{part} ]]")


@pytest.mark.parametrize("part", ASKED)
def test_a_question_has_three_options_one_right_and_an_answer_with_its_badge(
    document: content.Document, part: str
) -> None:
    options = [document.fields[f"question.{part}.{option}"] for option in OPTIONS]
    assert len(set(options)) == len(OPTIONS)
    assert document.fields[f"question.{part}.right"] in OPTIONS
    assert document.fields[f"question.{part}.ask"].endswith("?")
    answer = document.fields[f"question.{part}.answer"]
    assert re.search(r"\[\[ claim:(proved|checked|measured) \]\]$", answer)


@pytest.mark.parametrize(
    ("lines", "slip"),
    [
        ("Words [[ question:turn ]]", "a question stands alone on its line"),
        ("[[ question:turn ]]\n\n[[ question:turn ]]", "this question stands here twice"),
        ("[[ question:coda ]]", "unknown slot [[ question:coda ]]"),
    ],
)
def test_a_misplaced_question_is_a_slip_of_the_words(tmp_path: Path, lines: str, slip: str) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"---\ntitle: a\n---\n## One {{#one}}\n\n{lines}\n", "utf-8")
    document = content.read(path, Path("page.md"))
    messages = [problem.message for problem in content.require_slots(document, {"question:turn"})]
    assert [message.split(";")[0] for message in messages] == [slip]


def test_the_right_options_are_not_always_the_same(document: content.Document) -> None:
    right = [document.fields[f"question.{part}.right"] for part in ASKED]
    assert all(1 < right.count(option) < 4 for option in OPTIONS)


@pytest.mark.parametrize("part", ASKED)
def test_without_scripts_a_guess_can_be_made_and_the_answer_opened(still: Page, part: str) -> None:
    asked = question(still, part)
    answer = asked.locator("details p")
    assert [*seen(asked.locator("legend")), *seen(answer)] == [True, False]
    for option in OPTIONS:
        asked.locator(f'input[value="{option}"]').check()
        assert asked.locator("input:checked").count() == 1
    assert seen(asked.locator(".question-said")) == [False]
    asked.locator("summary").click()
    assert seen(answer) == [True]
    assert seen(answer.locator(".claim"))[-1]


def test_with_scripts_a_guess_is_answered_in_words_and_nothing_opens(
    page: Page, site: Path, document: content.Document
) -> None:
    page.goto(address(site))
    for part in ASKED:
        asked, said = question(page, part), question(page, part).locator(".question-said")
        right = document.fields[f"question.{part}.right"]
        assert seen(said) == [False], part
        for option in OPTIONS:
            asked.locator(f'input[value="{option}"]').check()
            key = f"script.question.{'right' if option == right else 'wrong'}"
            assert said.text_content() == document.fields[key], part
            assert [*seen(said), *seen(asked.locator("details p"))] == [True, False], part
    assert page.locator("details[open] > summary", has_text="The answer").count() == 0


def test_every_option_is_named_and_questions_do_not_share_their_radios(asking: Page) -> None:
    for part in ASKED:
        asked = question(asking, part)
        assert set(shown(asked, "input @name")[0]) == {f"question-{part}"}
        named = "radios => radios.every(r => r.labels.length === 1 && r.labels[0].textContent.trim().length > 2)"
        assert asked.locator("input").evaluate_all(named)
        question(asking, part).locator('input[value="a"]').check()
    assert asking.locator(".question input:checked").count() == len(ASKED)


def test_a_question_is_answered_by_keys_alone(asking: Page) -> None:
    asked = question(asking, "turn")
    asked.locator('input[value="a"]').focus()
    asking.keyboard.press("Space")
    asking.keyboard.press("ArrowDown")
    assert asked.locator("input:checked").get_attribute("value") == "b"
    asking.keyboard.press("Tab")
    asking.keyboard.press("Enter")
    assert asked.locator("details p").is_visible()


def test_a_guess_of_an_earlier_visit_is_not_kept(page: Page, site: Path) -> None:
    page.goto(address(site))
    question(page, "order").locator('input[value="a"]').check()
    page.reload()
    assert page.locator(".question input:checked").count() == 0
    assert not page.locator(".question-said").first.is_visible()


def test_guesses_are_no_part_of_the_state(asking: Page) -> None:
    question(asking, "order").locator('input[value="c"]').check()
    rest(asking, REST)
    assert "?" not in asking.url


def test_on_paper_every_answer_is_open(explainer: Page) -> None:
    heights = """answers => answers.map((p) => p.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true })
        && p.getBoundingClientRect().height)"""
    with paper(explainer):
        for part in ASKED:
            (height,) = question(explainer, part).locator("details p").evaluate_all(heights)
            assert height > 10, part


def test_no_question_is_wider_than_a_narrow_screen(explainer: Page) -> None:
    explainer.locator(".question summary").evaluate_all("all => all.forEach(summary => summary.click())")
    assert explainer.locator(".question details[open]").count() == len(ASKED)
    for width in (320, 360):
        explainer.set_viewport_size({"width": width, "height": 800})
        assert explainer.evaluate("document.documentElement.scrollWidth") <= width
        fits = "all => all.every(q => q.scrollWidth <= q.clientWidth)"
        assert explainer.locator(".question").evaluate_all(fits), width


# ---- the right options are right ----


def numbers(config: Config = CONFIG) -> dict[str, str]:
    return questions.numbers(Setting(config, TABLE))


def test_the_first_pairs_do_most_to_keep_slots_apart() -> None:
    told = numbers()
    closest = [
        min(
            float(np.linalg.norm(TABLE[a, : 2 * pairs] - TABLE[b, : 2 * pairs]))
            for a in range(CONFIG.n_positions)
            for b in range(a)
        )
        for pairs in range(1, CONFIG.n_pairs + 1)
    ]
    shown = [told[f"question.clash-{name}"] for name in ("one", "three", "all")]
    assert shown == [f"{closest[i]:.4f}" for i in (0, 2, -1)] == ["0.0177", "1.0142", "1.0147"]
    assert closest[2] - closest[0] > 0.9 * closest[-1]


def test_two_moments_of_a_swing_share_a_height_between_its_ends() -> None:
    for height in (-0.99, -0.3, 0.0, 0.5, 0.99):
        phases = np.linspace(0, math.tau, 100_001)[:-1] + 1e-7
        crossed = np.count_nonzero(np.diff(np.sign(np.sin(np.append(phases, phases[0])) - height)) != 0)
        assert crossed == 2, height


def test_a_walk_turns_each_hand_by_its_own_angle_wherever_it_starts() -> None:
    told = numbers()
    starts = (questions.NEAR, questions.FAR)
    turns = []
    for start in starts:
        here, there = encode([start, start + questions.AHEAD], CONFIG.d_model, CONFIG.base)
        phase = [np.arctan2(row[0::2], row[1::2]) for row in (here, there)]
        turns.append(np.degrees(phase[1] - phase[0]) % 360)
    assert np.allclose(turns[0], turns[1], atol=1e-9)
    assert len(set(np.round(turns[0], 6))) == CONFIG.n_pairs
    assert told["question.turn-first"] == f"{turns[0][0]:.0f}°"
    assert told["question.turn-last"] == f"{turns[0][-1]:.2f}°"


def test_the_neighbours_are_nearest_and_a_full_swing_of_the_quickest_hand_is_not() -> None:
    told = numbers()
    slot = CONFIG.probes[0]
    apart = np.linalg.norm(TABLE - TABLE[slot], axis=1)
    apart[slot] = math.inf
    nearest = np.flatnonzero(apart < apart.min() + 1e-9).tolist()
    assert [told["question.before"], told["question.after"]] == [str(each) for each in nearest]
    swing = int(told["question.swing"])
    assert abs((swing - slot) * OMEGA[0] - math.tau) < 0.3
    assert told["question.beside"] == f"{apart.min():.2f}"
    assert told["question.round"] == f"{apart[swing]:.2f}"
    assert apart[swing] > 1.5 * apart.min()
    assert np.ptp(np.delete(apart, slot)) > 1, "the others are by no means equally far"


def test_a_saboteur_of_the_speeds_makes_the_answers_false() -> None:
    """With one speed for all pairs every hand turns alike, and a full swing comes back to the start."""
    slow = Config(base=1.0)
    table = encode(np.arange(slow.n_positions), slow.d_model, slow.base)
    told = questions.numbers(Setting(slow, table))
    assert len(set(frequencies(slow.d_model, slow.base))) == 1
    assert told["question.turn-first"] == told["question.turn-last"]
    assert float(told["question.round"]) < float(told["question.beside"])
