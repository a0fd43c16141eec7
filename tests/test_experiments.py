"""The measured claims: each experiment gives what the pages say, by numbers found independently."""

import math

import numpy as np
import pytest

from posenc import experiments as lab
from posenc.attention import seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode, frequencies

CONFIG = Config()
OMEGA = frequencies(CONFIG.d_model, CONFIG.base)
TABLE = encode(np.arange(CONFIG.n_positions), CONFIG.d_model, CONFIG.base)
HEAD = seeded_head(CONFIG.d_model, 4)
WORDS = seeded_words(3, CONFIG.d_model, 4)


def change(*, placed: bool, causal: bool) -> float:
    told = lab.retelling(WORDS, TABLE, (2, 1, 0), HEAD, placed=placed, causal=causal)
    return float(told.differences.max())


def test_without_places_and_mask_shuffled_words_keep_their_answers() -> None:
    assert change(placed=False, causal=False) < 1e-14


def test_places_or_a_mask_change_the_answers() -> None:
    assert change(placed=True, causal=False) > 0.1
    assert change(placed=False, causal=True) > 0.1


def test_a_retelling_lists_both_outputs_by_word_for_an_order_that_is_not_its_own_inverse() -> None:
    told = lab.retelling(WORDS, TABLE, (1, 2, 0), HEAD, placed=False, causal=False)
    assert np.allclose(told.first, told.second, atol=1e-14)


def test_an_index_copied_into_512_columns_is_5000_words_loud() -> None:
    lengths = lab.lengths(5000, 512)
    assert lengths.raw == pytest.approx(113_137, abs=0.5)
    assert lengths.word == pytest.approx(22.6, abs=0.05)
    assert lengths.encoding == pytest.approx(float(np.linalg.norm(encode([5000], 512)[0])), abs=1e-9)


def test_clashes_are_the_closest_rows_of_the_first_pairs() -> None:
    found = lab.clashes(CONFIG)
    for pairs in range(1, CONFIG.n_pairs + 1):
        kept = TABLE[:, : 2 * pairs]
        apart = np.linalg.norm(kept[:, None] - kept[None], axis=2) + 10 * np.eye(len(kept))
        assert found[pairs - 1] == pytest.approx(apart.min(), abs=1e-9)
    assert found[:3] == pytest.approx([0.0177, 0.3125, 1.0142], abs=5e-5)
    assert found[-1] == pytest.approx(1.0147, abs=5e-5)


def test_one_pair_comes_within_six_hundred_thousandths_where_a_fraction_nears_pi() -> None:
    lone, full = lab.margins((2, 16), CONFIG.base, 20_000)
    assert (lone.k, full.k) == (2 * 355, 1)
    assert lone.distance == pytest.approx(6.03e-5, abs=1e-7)
    assert full.distance == pytest.approx(1.0147, abs=5e-5)


def test_slots_3_and_300_tie_at_the_tie_and_not_on_the_slowest_wave() -> None:
    tie = lab.tie(3, 300)
    assert math.sin(3 * tie) == pytest.approx(math.sin(300 * tie), abs=1e-13)
    assert math.cos(3 * tie) == pytest.approx(-math.cos(300 * tie), abs=1e-13)
    assert math.sin(3 * OMEGA[-1]) == pytest.approx(0.00095, abs=5e-6)
    assert math.sin(300 * OMEGA[-1]) == pytest.approx(0.0947, abs=5e-5)
    assert abs(math.sin(3) - math.sin(300)) == pytest.approx(1.14, abs=5e-3)


def test_a_reader_finds_the_slot_mostly_in_wide_words_and_rarely_in_narrow_ones() -> None:
    readings = lab.reading_room((16, 64, 128, 512), CONFIG, trials=1500, seed=4)
    assert [reading.exact for reading in readings] == pytest.approx([0.20, 0.52, 0.67, 0.94], abs=0.04)
    assert [reading.near for reading in readings] == pytest.approx([0.39, 0.87, 0.98, 1.00], abs=0.04)


def test_a_free_map_errs_far_away_and_one_with_pairs_does_not() -> None:
    fit = lab.fit_errors(CONFIG, 5, 1000)
    assert 0.05 < fit.free < 0.2  # ill-conditioned: which directions survive depends on the fit
    assert fit.coarse == pytest.approx(0.70, abs=0.01)
    assert fit.ridge == pytest.approx(1.05, abs=0.05)
    assert fit.paired < 1e-12


def test_the_maps_that_a_page_carries_fit_the_table_and_are_rounded_less_than_is_told() -> None:
    maps = lab.fitted_maps(CONFIG, 5)
    for matrix, near, decimals in ((maps.free, 1e-9, 10), (maps.coarse, 1e-9, 10), (maps.ridge, 5e-3, 4)):
        assert np.abs(TABLE[:-5] @ matrix - TABLE[5:]).max() < near
        assert np.array_equal(matrix, matrix.round(decimals))
    exact = np.linalg.solve(TABLE[:-5].T @ TABLE[:-5] + lab.PENALTY * np.eye(16), TABLE[:-5].T @ TABLE[5:])
    start, goal = encode([1000, 1005], 16)
    assert np.abs(start @ exact - goal).max() == pytest.approx(lab.fit_errors(CONFIG, 5, 1000).ridge, abs=5e-3)


def test_blind_guessing_scores_as_all_pairs_of_slot_and_guess_do() -> None:
    slot, guess = np.indices((64, 64))
    blind = lab.blind(64)
    assert (blind.exact, blind.near) == (np.mean(slot == guess), np.mean(np.abs(slot - guess) <= 1))


def test_a_turned_word_is_not_the_word_further_on() -> None:
    assert lab.turned_word(WORDS[0], CONFIG, 7, 5) > 1
    assert lab.turned_word(np.zeros(CONFIG.d_model), CONFIG, 7, 5) < 1e-12


def test_likeness_does_not_decay_and_is_the_same_forward_and_back() -> None:
    assert lab.likeness(OMEGA, 2) == pytest.approx(0.796, abs=5e-4)
    assert lab.likeness(OMEGA, 19) == pytest.approx(0.804, abs=5e-4)
    assert lab.likeness(OMEGA, -19) == lab.likeness(OMEGA, 19)
    assert lab.likeness(OMEGA, 7) == pytest.approx(TABLE[20] @ TABLE[27] / CONFIG.n_pairs, abs=1e-12)


def test_rotary_scores_depend_on_the_gap_alone_and_additive_ones_do_not() -> None:
    scores = lab.scores(WORDS[0], WORDS[2], TABLE, OMEGA, HEAD)
    assert lab.spread(scores.rotary) < 1e-13
    assert 5 < lab.spread(scores.additive) < 25
    assert abs(scores.rotary[10, 15] - scores.rotary[15, 10]) > 0.01  # before is not after


def test_the_widest_gap_counts_from_the_query_to_the_key() -> None:
    table = np.zeros((6, 6))
    table[1, 4] = 2  # three ahead of the query
    assert (lab.widest_gap(table), lab.widest_gap(table.T)) == (3, -3)
    assert lab.spread(table) == 2


def test_scores_of_places_alone_spread_under_random_matrices() -> None:
    places = (TABLE @ HEAD.w_q) @ (TABLE @ HEAD.w_k).T
    assert 0.5 < lab.deviation(places, 5) < 2.8


@pytest.mark.parametrize("error", [1e-11, math.nan, math.inf])
def test_an_error_that_does_not_vanish_is_a_surprise_that_names_it(error: float) -> None:
    with pytest.raises(lab.Surprise, match="the tie should vanish"):
        lab.negligible("the tie", error)


def test_a_vanishing_error_is_stated_by_its_bound() -> None:
    assert lab.negligible("the tie", 1e-16) == lab.ROUNDING
