"""What the instrument measures beside the invariants."""

import numpy as np
import pytest

from posenc import exhibits
from posenc.config import Config
from posenc.engine import encode
from posenc.faults import raw_index
from posenc.proof import BrokenInvariant


def test_two_rows_are_compared_by_distance_and_by_the_turn_between_them() -> None:
    config = Config(probes=(5, 40))
    table = encode(range(64), 16)
    found = exhibits.compared(config, table)
    assert found.distance == pytest.approx(float(np.linalg.norm(table[40] - table[5])))
    assert found.turned < 1e-12
    assert exhibits.compared(config, raw_index(config)).turned > 1
    assert exhibits.compared(Config(probes=(7, 7)), table) == exhibits.Comparison(0, 0)


def test_rows_are_alike_only_when_all_their_numbers_are() -> None:
    assert exhibits.unique_rows(encode(range(64), 16)) == 64
    assert exhibits.unique_rows(np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]])) == 2
    assert exhibits.unique_rows(np.array([[1.0, 2.0], [1.0, 2.0 + 1e-12]])) == 2
    assert exhibits.unique_rows(np.array([[0.0, 1.0], [-0.0, 1.0]])) == 1


def test_a_sample_is_the_same_encoding_with_no_more_rows_than_the_worked_example() -> None:
    for n, rows in ((1, 1), (64, 64), (500, 64)):
        config = Config(d_model=8, n_positions=n, base=7.0, probes=(0, 0))
        assert exhibits.sample(config) == Config(d_model=8, n_positions=rows, base=7.0, probes=(0, 0))


def test_any_base_passes_and_is_the_one_that_was_asked_for() -> None:
    for base in (0.5, 1.0, 2.0, 1e6):
        proof = exhibits.reproved(Config(), base)
        assert proof.holds
        assert proof.config.base == base


def test_a_base_that_broke_an_invariant_would_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhibits, "encode", lambda positions, d_model, base: np.ones((len(positions), d_model)))
    with pytest.raises(BrokenInvariant, match="distinct"):
        exhibits.reproved(Config(), 2.0)


def test_the_fault_breaks_all_but_distinct() -> None:
    assert [broken.name for broken in exhibits.tampered(Config()).broken] == ["bounded", "length", "shift", "ladder"]
