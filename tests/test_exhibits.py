"""What the instrument measures beside the invariants."""

import numpy as np
import pytest

from posenc import exhibits
from posenc.config import Config
from posenc.engine import encode
from posenc.faults import FAULTS, Fault, raw_index
from posenc.proof import BrokenInvariant, Proof, prove


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


@pytest.mark.parametrize(
    "config",
    [
        Config(),
        Config(d_model=2),
        Config(n_positions=1, probes=(0, 0)),
        Config(n_positions=2, probes=(0, 1)),
        Config(n_positions=300),
        Config(d_model=64, n_positions=40, probes=(0, 39)),
        Config(base=1.0),
        Config(base=0.5),
    ],
    ids=str,
)
def test_the_verdicts_on_a_fault_are_those_of_the_proof_on_the_whole_table(config: Config) -> None:
    for fault in FAULTS.values():
        found = exhibits.damage(fault, config)
        assert held(found.proof) == held(prove(fault.table(config), config)), fault.name
        if found.later is not None:
            longer = found.later.config
            assert longer.n_positions > config.n_positions
            assert held(found.later) == held(prove(fault.table(longer), longer)), fault.name


def test_the_first_wrong_row_is_found_and_no_earlier_one_is_wrong() -> None:
    first = {name: exhibits.first_wrong(fault, Config()) for name, fault in FAULTS.items()}
    expected = {"raw": 0, "cosine": 1, "exponent": 1, "sine": 0, "from-one": 0, "halves": 0, "bfloat16": 257}
    assert first == expected
    for name, row in expected.items():
        config = Config(n_positions=row + 1, probes=(0, 0))
        wrong = np.abs(FAULTS[name].table(config) - encode(range(row + 1), 16)).max(axis=1) > 1e-9
        assert wrong.tolist() == [False] * row + [True], name


def test_a_table_too_short_for_a_fault_shows_nothing_and_tells_from_where_it_falls() -> None:
    found = exhibits.damage(FAULTS["bfloat16"], Config())
    assert found.proof.holds
    assert found.first == 257
    assert found.later is not None
    assert found.later.config.n_positions == 258
    assert [claim.name for claim in found.later.broken] == ["distinct", "shift", "ladder"]
    long_enough = exhibits.damage(FAULTS["bfloat16"], Config(n_positions=258))
    assert long_enough.later is None
    assert [claim.name for claim in long_enough.proof.broken] == ["distinct", "shift", "ladder"]


def test_the_halves_hold_after_their_columns_are_put_back() -> None:
    found = exhibits.damage(FAULTS["halves"], Config())
    assert [claim.name for claim in found.proof.broken] == ["shift", "ladder"]
    assert found.mended is not None
    assert found.mended.holds
    assert exhibits.damage(FAULTS["raw"], Config()).mended is None


def test_columns_put_back_in_the_wrong_order_do_not_hold() -> None:
    halves = FAULTS["halves"]
    wrong = Fault("halves", halves.rows, lambda config: np.arange(config.d_model))
    mended = exhibits.damage(wrong, Config()).mended
    assert mended is not None
    assert [claim.name for claim in mended.broken] == ["shift", "ladder"]


def test_a_fault_that_changes_nothing_has_no_first_wrong_row() -> None:
    for config, name in ((Config(d_model=2), "halves"), (Config(base=1.0), "cosine")):
        found = exhibits.damage(FAULTS[name], config)
        assert (found.first, found.later, found.proof.holds) == (None, None, True)


def held(proof: Proof) -> dict[str, bool]:
    return {claim.name: claim.holds for claim in proof.invariants}
