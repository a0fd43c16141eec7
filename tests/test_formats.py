"""What number formats do to the encoding: found, not assumed."""

from typing import Any

import numpy as np
import pytest

from posenc import precision
from posenc.formats import FORMATS, Survival, errors, rounded


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


@pytest.mark.parametrize("arguments", [{"n_positions": 0}, {"d_model": 3}, {"base": -1}, {"formats": ["float8"]}])
def test_bad_input_is_refused_by_name(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(arguments))} must be"):
        precision(**arguments)
