"""Self-attention: blind to order until the encoding or a mask tells it."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc import encode
from posenc.arrays import Floats
from posenc.attention import Head, attend, seeded_head, seeded_words, weights

WIDTH = 16
ORDER = [3, 0, 4, 1, 2, 5]
ROUNDING = 1e-14  # a few dozen products of numbers of order 1


@pytest.fixture
def head() -> Head:
    return seeded_head(WIDTH, seed=1)


@pytest.fixture
def words() -> Floats:
    return seeded_words(len(ORDER), WIDTH, seed=2)


def as_json(head: Head) -> dict[str, Any]:
    return {name: getattr(head, name).tolist() for name in ("w_q", "w_k", "w_v")}


def test_shuffled_words_get_the_same_answers_in_new_seats(head: Head, words: Floats) -> None:
    np.testing.assert_allclose(attend(words[ORDER], head), attend(words, head)[ORDER], rtol=0, atol=ROUNDING)


def test_with_the_encoding_the_answers_change_with_the_order(head: Head, words: Floats) -> None:
    places = encode(np.arange(len(words)), WIDTH)
    moved = attend(words[ORDER] + places, head) - attend(words + places, head)[ORDER]
    assert np.abs(moved).max() > 0.1


def test_a_causal_mask_alone_breaks_the_blindness(head: Head, words: Floats) -> None:
    moved = attend(words[ORDER], head, causal=True) - attend(words, head, causal=True)[ORDER]
    assert np.abs(moved).max() > 0.1


@pytest.mark.parametrize("causal", [False, True])
def test_the_weights_of_a_row_are_a_share_of_one(head: Head, words: Floats, causal: bool) -> None:
    shares = weights(words, head, causal=causal)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-15)
    assert (np.triu(shares, 1) == 0).all() == causal


def test_a_causal_row_attends_as_if_later_words_were_not_there(head: Head, words: Floats) -> None:
    np.testing.assert_allclose(attend(words, head, causal=True)[2], attend(words[:3], head)[2], rtol=0, atol=ROUNDING)


def test_large_scores_do_not_overflow(scripts: Page, head: Head, words: Floats) -> None:
    loud = words * 1e4
    answers = scripts.evaluate(
        "([x, head]) => posenc.attention.attend(x, head).map((row) => Array.from(row))",
        [loud.tolist(), as_json(head)],
    )
    assert np.isfinite(attend(loud, head)).all()
    assert np.isfinite(answers).all()


def test_the_seed_alone_decides_and_four_decimals_say_it_all(head: Head, words: Floats) -> None:
    assert as_json(seeded_head(WIDTH, seed=1)) == as_json(head)
    assert as_json(seeded_head(WIDTH, seed=2)) != as_json(head)
    assert (np.round(words, 4) == words).all()


@pytest.mark.parametrize("seed", range(5))
def test_words_and_head_of_one_seed_have_nothing_in_common(seed: int) -> None:
    words, head = seeded_words(8, 256, seed), seeded_head(256, seed)
    for matrix in (head.w_q, head.w_k, head.w_v):
        both = np.asarray(np.corrcoef(np.vstack([words, matrix, matrix.T])))[:8, 8:]
        assert np.abs(both).max() < 0.4  # chance reaches 0.3 in so many pairs; a shared stream, 1


@pytest.mark.parametrize("causal", [False, True])
def test_the_script_attends_as_python_does(scripts: Page, head: Head, words: Floats, causal: bool) -> None:
    shares, answers = scripts.evaluate(
        """([x, head, causal]) => ["weights", "attend"].map(
            (name) => posenc.attention[name](x, head, causal).map((row) => Array.from(row)))""",
        [words.tolist(), as_json(head), causal],
    )
    np.testing.assert_allclose(shares, weights(words, head, causal=causal), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(answers, attend(words, head, causal=causal), rtol=0, atol=ROUNDING)


def test_a_nan_in_a_word_reaches_every_answer_of_the_script(scripts: Page, head: Head, words: Floats) -> None:
    words[1, 0] = np.nan
    answers = scripts.evaluate(
        "([x, head]) => posenc.attention.attend(x, head).map((row) => Array.from(row))",
        [words.tolist(), as_json(head)],
    )
    assert np.isnan(answers).all()
    assert np.isnan(attend(words, head)).all()
