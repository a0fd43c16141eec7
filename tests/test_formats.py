"""What number formats do to the encoding: found, not assumed."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest

from posenc import precision
from posenc.engine import encode, frequencies, rotate
from posenc.formats import FORMATS, Survival, errors, rounded
from tests import oracle


def of(found: tuple[Survival, ...], kind: str, held: str) -> Survival:
    return next(survival for survival in found if (survival.format, survival.held) == (kind, held))


@pytest.fixture(scope="module")
def found() -> tuple[Survival, ...]:
    return precision(n_positions=4096, d_model=64)


def test_every_format_is_tried_both_ways(found: tuple[Survival, ...]) -> None:
    tried = [(survival.format, survival.held) for survival in found]
    assert tried == [(kind, held) for kind in FORMATS for held in ("values", "positions")]


@pytest.mark.parametrize(("kind", "twins"), [("bfloat16", (256, 257)), ("float16", (2048, 2049))])
def test_positions_held_low_collide_where_the_format_skips_its_first_whole_number(
    found: tuple[Survival, ...], kind: str, twins: tuple[int, int]
) -> None:
    low = of(found, kind, "positions")
    assert low.collision == twins
    assert low.n_distinct < low.n_positions
    assert low.error > 0.5


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_computed_high_and_stored_low_stays_distinct(found: tuple[Survival, ...], kind: str) -> None:
    stored = of(found, kind, "values")
    assert stored.collision is None
    assert stored.n_distinct == stored.n_positions


@pytest.mark.parametrize(("kind", "unit"), [("float32", 2.0**-24), ("bfloat16", 2.0**-8), ("float16", 2.0**-11)])
def test_a_stored_value_is_off_by_at_most_half_a_unit(found: tuple[Survival, ...], kind: str, unit: float) -> None:
    stored = of(found, kind, "values")
    assert 0.4 * unit <= stored.error <= unit / 2 * 1.001
    assert stored.shift <= 3 * unit


def test_float64_changes_nothing(found: tuple[Survival, ...]) -> None:
    assert of(found, "float64", "values").error == 0
    assert of(found, "float64", "positions").shift < 1e-15


def test_bfloat16_rounds_to_nearest_even() -> None:
    values = np.array([0.0, 1.0, 256.0, 257.0, 258.0, 259.0, 1 + 2.0**-8, 1 + 3 * 2.0**-8, -257.0])
    expected = [0.0, 1.0, 256.0, 256.0, 258.0, 260.0, 1.0, 1 + 4 * 2.0**-8, -256.0]
    assert rounded(values, "bfloat16").tolist() == expected


def test_the_typed_formula_loses_places_as_positions_grow() -> None:
    lost = errors([5000, 65_536, 1_000_000, 10_000_000], 512, 10000.0)
    assert np.all(np.diff(lost["float64"]) > 0)
    assert lost["float64"][-1] > 1e-9
    assert 1e-4 < lost["float32"][0] < 1e-3
    assert lost["float32"][-1] > 0.1
    assert np.max(lost["engine"]) <= 2.5e-16


def test_positions_in_bfloat16_are_exact_up_to_256_and_lost_at_257() -> None:
    lost = errors([255, 256, 257, 258], 16, 10000.0)["bfloat16"]
    assert np.all(lost[[0, 1, 3]] < 2.5e-16)
    taken, meant = encode([256, 257], 16)
    assert lost[2] == pytest.approx(np.max(np.abs(taken - meant)))


def test_every_way_is_measured_against_arithmetic_that_shares_no_code() -> None:
    """A row of the typed formula, by the loop of a book and sixty digits."""
    position, d_model, base = 100_003, 8, 10000.0
    worst = 0.0
    for pair in range(d_model // 2):
        typed = position * math.exp(2 * pair * -math.log(base) / d_model)
        angle = position * oracle.frequency(pair, d_model, base)
        worst = max(
            worst, float(abs(math.sin(typed) - mpmath.sin(angle))), float(abs(math.cos(typed) - mpmath.cos(angle)))
        )
    found = errors([position], d_model, base)["float64"][0]
    assert found == pytest.approx(worst, rel=0.5)
    assert found > 1e-13


def test_a_position_beyond_the_range_of_its_format_has_no_row() -> None:
    """float16 ends at 65,504: what rounds to more is no number, and the table says so."""
    values, positions = precision(65_521, 4, formats=["float16"])
    assert math.isnan(positions.error)
    assert math.isnan(positions.shift)
    assert positions.collision == (2048, 2049)
    assert math.isfinite(values.error)


def test_the_shift_of_a_table_is_that_of_the_engines_own_turn() -> None:
    for kind in ("bfloat16", "float16"):
        table = rounded(encode(range(300), 8, 50.0), kind)
        by_turning = np.max(np.abs(table[1:] - rotate(table[:-1], 1, frequencies(8, 50.0))))
        assert precision(300, 8, 50.0, formats=[kind])[0].shift == pytest.approx(by_turning, rel=1e-9)
    assert precision(1, 8)[0].shift == 0


def test_each_held_position_has_the_row_of_what_is_left_of_it() -> None:
    found = of(precision(600, 8), "bfloat16", "positions")
    kept = rounded(np.arange(600.0), "bfloat16")
    by_hand = np.abs(encode(kept, 8) - encode(range(600), 8)).max()
    assert found.error == by_hand
    assert found.n_distinct == len(np.unique(kept))


@pytest.mark.parametrize("positions", [[], [2**54]])
def test_positions_that_no_float_holds_are_refused_by_name(positions: list[int]) -> None:
    with pytest.raises(ValueError, match=r"^positions must be"):
        errors(positions, 16, 10000.0)


@pytest.mark.parametrize("arguments", [{"n_positions": 0}, {"d_model": 3}, {"base": -1}, {"formats": ["float8"]}])
def test_bad_input_is_refused_by_name(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(arguments))} must be"):
        precision(**arguments)
