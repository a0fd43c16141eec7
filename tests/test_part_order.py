"""Part 1 of the explainer: one head reads two sentences of the same words, the reader's own among them."""

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc import attention
from posenc.arrays import Floats
from posenc.web.parts import order
from posenc.web.parts.setting import SEED
from tests.browser import rest
from tests.checkout import ROOT
from tests.played import CONFIG, LINKED, REST, TABLE, drawing, number, parsed, settle, shown, strips, texts

WORDS = attention.seeded_words(3, CONFIG.d_model, SEED)
HEAD = attention.seeded_head(CONFIG.d_model, SEED)
BUILT = dict(zip(("dog", "bites", "man"), WORDS, strict=True))
LIMITS = {"least": order.LEAST, "most": order.MOST, "letters": order.LETTERS}


@pytest.fixture
def figure(explainer: Page) -> Locator:
    return explainer.locator("#figure-order")


@pytest.fixture
def loaded(fresh: Page) -> Locator:
    """As it is at its load, before a script has drawn anything anew."""
    return fresh.locator("#figure-order")


@pytest.fixture
def still(still: Page) -> Locator:
    return still.locator("#figure-order")


@pytest.fixture(scope="module")
def words(browser: Browser) -> Iterator[Page]:
    """A page that has loaded words.js and nothing else."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_script_tag(path=ROOT / "templates" / "js" / "words.js")
    yield page
    context.close()


def choose(figure: Locator, *, placed: bool, mask: bool) -> None:
    figure.locator(f'input[data-bind="placed"][value="{"on" if placed else "off"}"]').check()
    figure.locator('input[data-bind="mask"]').set_checked(mask)
    settle(figure.page)


def write(figure: Locator, words: str) -> None:
    figure.locator("#order-words").fill(words)
    settle(figure.page)


def sentences(figure: Locator) -> list[list[str]]:
    return [text.split(" ") for text in texts(figure, ".seats [data-sentence]")]


def named(figure: Locator) -> list[str]:
    return texts(figure, ".seats tbody th")


def row_of(word: str) -> Floats:
    """A typed word's numbers by the book: FNV-1a, mulberry32, Box and Muller, in exact integers."""
    if word in BUILT:
        return np.asarray(BUILT[word])
    state = 2166136261 ^ SEED
    for byte in word.encode():
        state = (state ^ byte) * 16777619 % 2**32
    uniform = []
    for _ in range(CONFIG.d_model):
        state = (state + 0x6D2B79F5) % 2**32
        mixed = (state ^ state >> 15) * (state | 1) % 2**32
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) % 2**32
        uniform.append((mixed ^ mixed >> 14) / 2**32)
    pairs = zip(uniform[0::2], uniform[1::2], strict=True)
    waves = [(math.sqrt(-2 * math.log1p(-u)), math.tau * v) for u, v in pairs]
    return np.array([round(r * wave(angle), 4) for r, angle in waves for wave in (math.cos, math.sin)])


def answers(words: list[str], *, placed: bool, mask: bool) -> tuple[Floats, Floats]:
    """Weights and outputs of a sentence, a row each."""
    x = np.array([row_of(word) for word in words]) + (TABLE[: len(words)] if placed else 0)
    return attention.weights(x, HEAD, causal=mask), attention.attend(x, HEAD, causal=mask)


# ---- at rest ----


def test_without_scripts_both_sentences_have_the_same_answers_and_the_weights_are_there(still: Locator) -> None:
    for row in still.locator(".seats tbody tr").all():
        first, second = row.locator(".strip").all()
        assert first.inner_html() == second.inner_html()
        assert number(row, ".output") == 0
    assert texts(still, '[data-output="change"]') == ["below 1\u00a0×\u00a010⁻¹²"]
    assert not still.locator("[data-just]").is_visible()
    assert not still.locator("[data-weights]").first.is_visible()
    still.locator("summary").click()
    for which, sentence in (("first", "dog bites man"), ("second", "man bites dog")):
        grid = still.locator(f'[data-weights="{which}"]')
        assert grid.is_visible()
        assert texts(grid, "thead th") == texts(grid, "tbody th") == sentence.split()
        shares, _ = answers(sentence.split(), placed=False, mask=False)
        assert texts(grid, "td span") == [f"{100 * share:.0f}" for share in shares.flat]


def test_with_scripts_the_figure_is_at_first_what_the_build_drew(loaded: Locator, still: Locator) -> None:
    assert drawing(loaded) == drawing(still)


def test_the_change_measured_in_the_browser_is_rounding_and_is_shown(loaded: Locator) -> None:
    assert loaded.locator("[data-just]").is_visible()
    assert 0 <= number(loaded, '[data-output="just"]') < 1e-14


# ---- places and mask ----


@pytest.mark.parametrize(("placed", "mask"), [(False, False), (False, True), (True, False), (True, True)])
def test_attention_is_recomputed(figure: Locator, placed: bool, mask: bool) -> None:
    choose(figure, placed=placed, mask=mask)
    first, second = ["dog", "bites", "man"], ["man", "bites", "dog"]
    before = answers(first, placed=placed, mask=mask)[1]
    after = answers(second, placed=placed, mask=mask)[1][::-1]
    changes = [parsed(text) for text in texts(figure, ".seats tbody tr .output")]
    assert changes == pytest.approx(np.abs(before - after).max(axis=1), abs=6e-3)
    changed = placed or mask
    assert figure.locator(".finding").get_attribute("data-finding") == ("changed" if changed else "same")
    if changed:
        assert number(figure, '[data-output="change"]') == pytest.approx(np.abs(before - after).max(), abs=6e-5)
    assert figure.locator("[data-just]").is_visible() is not changed
    for which, sentence in (("first", first), ("second", second)):
        shares = answers(sentence, placed=placed, mask=mask)[0]
        told = texts(figure, f'[data-weights="{which}"] td span')
        assert [float(text) for text in told] == pytest.approx(100 * shares.flatten(), abs=0.51)
        assert not mask or told[1:3] == ["0", "0"]


def test_the_changes_are_those_that_the_words_of_the_part_tell(figure: Locator) -> None:
    told = " ".join(texts(figure.page.locator("#order"), "p, figcaption"))
    for placed, mask in ((True, False), (False, True)):
        choose(figure, placed=placed, mask=mask)
        assert f"by up to {number(figure, '[data-output=change]'):.2f}" in told


def test_a_choice_put_back_gives_the_figure_that_the_build_drew(figure: Locator, still: Locator) -> None:
    before, colours = drawing(still), strips(still)
    choose(figure, placed=True, mask=True)
    assert strips(figure) != colours
    choose(figure, placed=False, mask=False)
    assert drawing(figure) == before


def test_both_choices_stand_in_the_link_and_the_words_do_not(figure: Locator, linked: Page) -> None:
    choose(figure, placed=True, mask=True)
    write(figure, "one two three")
    rest(figure.page, REST)
    assert figure.page.url.endswith("index.html?placed=on&mask=on")
    assert {"placed=on", "mask=on"} <= set(LINKED)
    opened = linked.locator("#figure-order")
    assert opened.locator('[data-bind="placed"][value="on"]').is_checked()
    assert opened.locator('[data-bind="mask"]').is_checked()
    assert opened.locator(".finding").get_attribute("data-finding") == "changed"
    assert named(opened) == ["dog", "bites", "man"]


# ---- the reader's own words ----


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("a b", ["a", "b"]),
        ("  to be  or\tnot to be ", ["to", "be", "or", "not", "to", "be"]),
        ("dog dog dog", ["dog"] * 3),
        ("🐈‍⬛ chases 🐭", ["🐈‍⬛", "chases", "🐭"]),
        ("الكلب يعض الرجل", ["الكلب", "يعض", "الرجل"]),
        ("<b>dog</b> &amp; {man}", ["<b>dog</b>", "&amp;", "{man}"]),
    ],
)
def test_any_words_can_be_typed_and_are_text(figure: Locator, text: str, taken: list[str]) -> None:
    write(figure, text)
    assert named(figure) == taken
    first, second = sentences(figure)
    assert first == taken
    assert sorted(second) == sorted(taken)
    assert second != first or len(set(taken)) == 1
    assert figure.locator(".said").text_content() == ""
    assert figure.locator("b").count() == 0
    assert figure.locator(".finding").get_attribute("data-finding") == "same"
    choose(figure, placed=True, mask=False)
    before, after = (answers(sentence, placed=True, mask=False)[1] for sentence in (first, second))
    seats, changes = shown(figure, ".seats tbody tr [data-slot]", ".seats tbody tr .output")
    places = list(zip(seats[::2], seats[1::2], strict=True))
    for word, (here, there), told in zip(taken, places, changes, strict=True):
        assert taken[int(here)] == second[int(there)] == word
        assert float(told) == pytest.approx(np.abs(before[int(here)] - after[int(there)]).max(), abs=6e-3)
    assert sorted(int(there) for _, there in places) == list(range(len(taken)))


@pytest.mark.parametrize(
    ("text", "taken", "said"),
    [
        ("", "dog bites man", r"^Fewer than two words .*stays"),
        ("alone", "dog bites man", r"^Fewer than two words .*stays"),
        ("\u200b \u0301 \u202e", "dog bites man", r"^Fewer than two words .*stays"),
        (" ".join(map(str, range(100))), "0 1 2 3 4 5 6 7", r"^The first 8 of 100 words are taken\.$"),
        ("x" * 5000 + " y", "x" * 12 + " y", r"^Long words are cut after 12 letters\.$"),
        ("👨‍👩‍👧‍👦" * 13 + " y", "👨‍👩‍👧‍👦" * 12 + " y", r"^Long words are cut after 12 letters\.$"),
        (f"{'y' * 13} " * 9, " ".join(["y" * 12] * 8), r"^The first 8 of 9 .* cut after 12 letters\.$"),
    ],
)
def test_nonsense_is_held_to_what_can_be_shown_and_said(figure: Locator, text: str, taken: str, said: str) -> None:
    write(figure, text)
    assert " ".join(named(figure)) == taken
    assert re.search(said, figure.locator(".said").text_content() or "")
    figure.locator("#order-words").blur()
    assert figure.locator("#order-words").input_value() == taken
    figure.page.set_viewport_size({"width": 320, "height": 700})
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_what_is_said_is_gone_with_its_cause(figure: Locator) -> None:
    write(figure, "a b c d e f g h i")
    assert figure.locator(".said").is_visible()
    write(figure, "a b c")
    assert not figure.locator(".said").is_visible()


def test_letters_heaped_with_marks_stay_in_their_row(words: Page) -> None:
    read = words.evaluate("([text, limits]) => posenc.words.read(text, limits).words", ["Z" + "\u0335" * 400, LIMITS])
    assert read == ["Z" + "\u0335" * 4]


def test_a_word_keeps_its_answer_wherever_it_is_typed(figure: Locator) -> None:
    """Equal words have equal lists: a sentence of one word repeated answers alike everywhere."""
    write(figure, "echo echo echo")
    colours = strips(figure)
    assert len({tuple(colours[i : i + 16]) for i in range(0, len(colours), 16)}) == 1


@pytest.mark.parametrize("word", ["cat", "Dog", "é", "🐈‍⬛", "שלום", "a", "b"])
def test_a_words_numbers_are_those_of_the_named_generator(words: Page, word: str) -> None:
    row = words.evaluate("([word, width, seed]) => posenc.words.row(word, width, seed)", [word, CONFIG.d_model, SEED])
    assert row == pytest.approx(row_of(word), abs=1.01e-4)
    assert np.mean(np.abs(np.array(row) - row_of(word)) > 1e-9) < 0.1  # a last bit may round the other way, rarely


def test_typed_words_are_spread_like_those_of_the_build(words: Page) -> None:
    rows = np.array(
        words.evaluate(
            "([width, seed]) => Array.from({length: 500}, (_, i) => posenc.words.row(`word${i}`, width, seed))",
            [CONFIG.d_model, SEED],
        )
    )
    assert rows.mean() == pytest.approx(0, abs=0.05)
    assert rows.std() == pytest.approx(1, abs=0.05)
    assert len({tuple(row) for row in rows.tolist()}) == len(rows)
    alike = np.corrcoef(rows)[np.triu_indices(len(rows), 1)]
    assert abs(alike.mean()) < 0.02
    assert alike.std() == pytest.approx(1 / math.sqrt(CONFIG.d_model), abs=0.03)


# ---- shuffling ----


def shuffles(words: Page, sentence: str, times: int = 200) -> list[Any]:
    """Orders, each shuffled from the one before, from last to first on."""
    orders: list[Any] = words.evaluate(
        """([sentence, times]) => {
            const words = sentence.split(" ");
            const orders = [posenc.words.turned(words)];
            for (let i = 0; i < times; i += 1) {
                const next = posenc.words.shuffled(words, orders.at(-1) ?? orders.at(-2));
                orders.push(next);
                if (!next) {
                    break;
                }
            }
            return orders;
        }""",
        [sentence, times],
    )
    return orders


@pytest.mark.parametrize("sentence", ["dog bites man", "a a b", "a b a", "a a a a a a a b", "a b c d e f g h"])
def test_a_shuffle_never_reads_like_the_one_before_or_like_the_first_sentence(words: Page, sentence: str) -> None:
    names = sentence.split()
    told = [[names[word] for word in order] for order in shuffles(words, sentence)]
    assert all(sorted(each) == sorted(names) for each in told)
    assert all(each != names for each in told)
    assert all(a != b for a, b in pairwise(told))


@pytest.mark.parametrize("sentence", ["a b", "a a a", "a a"])
def test_words_without_a_further_order_are_not_shuffled(words: Page, sentence: str) -> None:
    first, last = shuffles(words, sentence)
    assert sorted(first) == list(range(len(first)))
    assert last is None


def test_the_button_shuffles_by_key_and_the_figure_follows(figure: Locator) -> None:
    button = figure.locator('[data-do="shuffle"]')
    button.focus()
    seen = [sentences(figure)[1]]
    for _ in range(6):
        figure.page.keyboard.press("Enter")
        first, second = sentences(figure)
        assert first == ["dog", "bites", "man"]
        assert second not in (first, seen[-1])
        assert texts(figure, '[data-weights="second"] thead th') == second
        assert figure.locator(".finding").get_attribute("data-finding") == "same"
        seen.append(second)


def test_where_no_order_is_left_the_button_says_so(figure: Locator) -> None:
    write(figure, "a b")
    figure.locator('[data-do="shuffle"]').click()
    assert figure.locator(".said").text_content() == "There is no further order of these words."
    assert sentences(figure)[1] == ["b", "a"]


def test_reset_brings_the_first_words_back(figure: Locator, still: Locator) -> None:
    before = drawing(still)
    write(figure, "to be or not to be")
    choose(figure, placed=True, mask=True)
    figure.page.locator('[data-do="reset"]').click()
    settle(figure.page)
    assert drawing(figure) == before
    assert figure.locator("#order-words").input_value() == "dog bites man"


def test_every_control_has_its_name_and_is_reached_by_key(figure: Locator) -> None:
    for control in figure.locator("input, button, summary").all():
        control.focus()
        expect(control).to_be_focused()
        assert control.evaluate("c => Boolean(c.labels?.length || c.textContent.trim())")
    figure.locator("summary").focus()
    figure.page.keyboard.press("Space")
    assert figure.locator("[data-weights]").first.is_visible()


@pytest.mark.parametrize("width", [320, 360])
def test_eight_long_words_fit_the_narrowest_screen(figure: Locator, width: int) -> None:
    figure.page.set_viewport_size({"width": width, "height": 800})
    figure.locator("summary").click()
    write(figure, " ".join(f"wwwwwwwwwww{i}" for i in range(8)))
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
    assert figure.evaluate("f => f.scrollWidth <= f.clientWidth")
