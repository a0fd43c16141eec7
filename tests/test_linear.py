"""The proof in n steps: the same verdicts as on all pairs, bounds that are bounds, and little memory."""

import math
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import Config, linear, proof, prove, table
from posenc.claims import Invariant, Proof
from tests.cost import cost
from tests.saboteurs import SABOTEURS, Saboteur, true_table

# Next to an ∞ there is no bound from other rows: the long proof then claims nothing of `distinct`.
FINITE = [saboteur for saboteur in SABOTEURS if np.isfinite(saboteur.build(Config())).all()]
NAMES = ("bounded", "length", "distinct", "shift", "ladder")


def by_name(result: Proof) -> dict[str, Invariant]:
    return {invariant.name: invariant for invariant in result.invariants}


def exhaustive(rows: np.ndarray, config: Config) -> Proof:
    with np.errstate(invalid="ignore", over="ignore"):
        return Proof(config, tuple(check(np.asarray(rows, dtype=np.float64), config) for check in proof.CHECKS))


@given(
    d_model=st.sampled_from([2, 4, 16, 30]),
    n=st.integers(1, 90),
    base=st.sampled_from([2.0, 100.0, 10000.0, 1e7]),
    start=st.sampled_from([0, 1, -40, 10**6]),
)
def test_on_clean_tables_the_bounds_hold_and_bound_what_all_pairs_measure(
    d_model: int, n: int, base: float, start: int
) -> None:
    config = Config(d_model=d_model, n_positions=n, base=base, start=start, probes=(0, 0))
    rows = table(n, d_model, base, start)
    every, few = by_name(exhaustive(rows, config)), by_name(linear.prove(rows, config))
    assert all(claim.holds for claim in every.values())
    assert all(claim.holds for claim in few.values())
    assert few["distinct"].measured <= every["distinct"].measured
    assert every["shift"].measured <= few["shift"].measured + rounding_of_all_pairs(config)
    for name in ("bounded", "length", "ladder"):
        assert few[name].measured == every[name].measured
        assert few[name].where == every[name].where


def rounding_of_all_pairs(config: Config) -> float:
    """The check of all pairs rounds k·ω to float64 before it turns: that is its own error, not the table's."""
    return config.n_positions * 2.0**-52 + linear.SLACK


@pytest.mark.parametrize("saboteur", FINITE, ids=lambda saboteur: saboteur.name)
def test_every_saboteur_of_finite_numbers_falls_by_both_proofs_alike(saboteur: Saboteur) -> None:
    config = Config()
    rows = saboteur.build(config)
    assert tuple(claim.name for claim in linear.prove(rows, config).broken) == saboteur.fallen


@given(row=st.integers(0, 79), column=st.integers(0, 15), sign=st.sampled_from([-1, 1]))
def test_a_single_cell_off_by_a_millionth_is_found_and_located_by_both(row: int, column: int, sign: int) -> None:
    config = Config(n_positions=80)
    rows = true_table(config)
    rows[row, column] += sign * 1e-6
    for result in (by_name(exhaustive(rows, config)), by_name(linear.prove(rows, config))):
        assert not result["ladder"].holds
        assert not result["shift"].holds
        assert (result["ladder"].where.position, result["ladder"].where.pair) == (row, column // 2)
        where = result["shift"].where
        assert where.position is not None
        assert where.k is not None
        assert row in (where.position, where.position + where.k)
        assert where.pair == column // 2


@pytest.mark.parametrize("place", [(0, 0), (300, 7), (999, 15)])
def test_one_nan_breaks_all_five_in_a_long_table(place: tuple[int, int]) -> None:
    config = Config(n_positions=1000)
    rows = true_table(config)
    rows[place] = math.nan
    assert tuple(claim.name for claim in prove(rows, config).broken) == NAMES


def same_rows(rows: np.ndarray) -> np.ndarray:
    rows[700] = rows[20]
    return rows


def near_rows(rows: np.ndarray) -> np.ndarray:
    rows[700] = rows[20] + 1e-11
    return rows


@pytest.mark.parametrize("plant", [same_rows, near_rows])
def test_two_like_rows_of_a_long_table_are_found_by_sorting(plant: Callable[[np.ndarray], np.ndarray]) -> None:
    config = Config(n_positions=1000)
    closest = by_name(prove(plant(true_table(config)), config))["distinct"]
    assert not closest.holds
    assert (closest.where.position, closest.where.k) == (20, 680)
    assert closest.method == linear.SORTED_ROWS


def test_a_long_table_that_only_its_rows_show_distinct_is_not_called_alike() -> None:
    config = Config(n_positions=1000)
    random = np.random.default_rng(0).standard_normal((1000, 16))
    closest = by_name(prove(random, config))["distinct"]
    assert closest.holds
    apart = min(float(np.sqrt(np.sum((random[k:] - random[:-k]) ** 2, axis=1)).min()) for k in range(1, 1000))
    assert closest.measured <= apart


def test_a_long_constant_table_is_alike_at_once() -> None:
    config = Config(n_positions=20_000)
    assert "distinct" in [claim.name for claim in prove(np.ones((20_000, 16)), config).broken]


def test_the_invariants_say_on_what_they_stand() -> None:
    short, long = Config(n_positions=proof.ALL_PAIRS_UP_TO), Config(n_positions=proof.ALL_PAIRS_UP_TO + 1)
    assert by_name(prove(true_table(short), short))["shift"].method == "every pair of rows"
    assert by_name(prove(true_table(long), long))["shift"].method == linear.SHIFT_BOUND
    assert by_name(prove(true_table(long), long))["distinct"].method == linear.DISTANCE_BOUND


@pytest.mark.parametrize("start", [0, 10**7, -(2**53), 2**53 - 3000])
def test_a_generated_table_is_proved_anywhere(start: int) -> None:
    config = Config(d_model=64, n_positions=3000, start=start)
    assert linear.prove_generated(config).holds


def test_a_fault_in_the_generator_breaks_its_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    true = table

    def faulty(n: int, d_model: int, base: float, start: int, dtype: Any) -> np.ndarray:
        rows = true(n, d_model, base, start, dtype)
        if start <= 2500 < start + n:
            rows[2500 - start, 9] += 1e-6
        return rows

    monkeypatch.setattr("posenc.tables.table", faulty)
    broken = linear.prove_generated(Config(d_model=64, n_positions=3000)).broken
    assert tuple(claim.name for claim in broken) == ("length", "shift", "ladder")
    assert broken[-1].where.position == 2500


def test_progress_counts_every_row_once() -> None:
    told: list[int] = []
    linear.prove_generated(Config(d_model=512, n_positions=2000), progress=told.append)
    assert told == sorted(set(told))
    assert told[-1] == 2000


def test_memory_does_not_grow_with_the_table() -> None:
    def peak(n: int) -> int:
        tracemalloc.start()
        linear.prove_generated(Config(d_model=512, n_positions=n))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1000)  # what is kept between runs
    small, large = peak(2000), peak(16_000)
    assert large <= 1.5 * small
    assert large <= 100 * 2**20


def test_one_outsized_cell_neither_slows_nor_fools_the_long_proof() -> None:
    config = Config(d_model=64, n_positions=4000)
    rows = table(4000, 64)
    rows[5, 3] = 1e15
    assert by_name(prove(rows, config))["distinct"].holds
    even = table(4000, 64)
    assert cost(lambda: prove(rows, config)) <= 20 * cost(lambda: prove(even, config))


def test_a_table_beyond_all_memory_begins_at_once() -> None:
    def told(done: int) -> None:
        raise InterruptedError("seen enough")

    tracemalloc.start()
    with pytest.raises(InterruptedError):
        linear.prove_generated(Config(d_model=2, n_positions=2**53), progress=told)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most <= 100 * 2**20
