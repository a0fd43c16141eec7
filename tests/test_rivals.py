"""Each rival's numbers are what its rule gives, at any size."""

import numpy as np
import pytest

from posenc.config import Config
from posenc.engine import encode
from posenc.rivals import SHIFTED, rivals, scaled, step


def test_each_rival_is_measured_by_its_own_rule() -> None:
    raw, onehot, scale, sinusoid = rivals(encode(range(64), 16))
    assert (raw.columns, raw.largest, raw.lengths, raw.apart, raw.shift) == (1, 63, (0, 63), (1, 63), 0)
    assert (onehot.columns, onehot.largest, onehot.lengths, onehot.shift) == (64, 1, (1, 1), 0)
    assert onehot.apart == pytest.approx((2**0.5, 2**0.5))
    assert (scale.columns, scale.largest, scale.lengths) == (1, 1, (0, 1))
    assert scale.apart == pytest.approx((1 / 63, 1))
    assert scale.shift is not None
    assert scale.shift < 1e-15
    assert (sinusoid.columns, sinusoid.shift) == (16, None)
    assert sinusoid.lengths == pytest.approx((8**0.5, 8**0.5))


def test_the_encodings_nearest_and_farthest_are_those_of_all_pairs_of_rows() -> None:
    table = encode(range(40), 8)
    pairs = [np.linalg.norm(table[a] - table[b]) for a in range(40) for b in range(a)]
    assert rivals(table)[-1].apart == pytest.approx((min(pairs), max(pairs)))


def test_one_row_is_apart_from_nothing() -> None:
    assert {rival.apart for rival in rivals(encode([0], 2))} == {None}


def test_a_long_table_is_sampled_for_what_grows_with_its_square() -> None:
    raw, onehot, *_ = rivals(encode(range(4096), 2))
    assert (raw.largest, raw.shift) == (4095, 0)
    assert onehot.columns == 4096
    assert Config().n_positions == SHIFTED


def test_a_scaled_index_runs_from_0_to_1_whatever_the_length() -> None:
    for n in (2, 64, 1000):
        assert scaled(np.arange(n), n)[[0, -1]].tolist() == [0, 1]
        assert step(n) == pytest.approx(1 / (n - 1))
    assert scaled(np.arange(1), 1).tolist() == [0]
