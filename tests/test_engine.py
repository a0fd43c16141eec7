"""The engine against the paper's formulas by the standard library and by 50-digit arithmetic."""

import math
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from posenc import Config, encode, frequencies, rotate, rotation, wavelengths

EPS = 2.0**-52
SIZES = [(2, 10000.0), (6, 10000.0), (16, 10000.0), (16, 100.0), (30, 1e7), (64, 2.0), (512, 10000.0)]
POSITIONS = [0, 1, 2, 63, 710, 5000, 65536, 1_000_000]
ODD_ONES = [15, 1, 0, -2, 16.0, True, "16", math.nan, math.inf, None]
BAD_BASES = [0, -1, math.nan, math.inf, -math.inf, "10000", True, None, 10**400]


def relative_error(base: float) -> float:
    """Of an angle pos·ω. The exponent 2i/d < 1 is off by EPS/2, which ln(base) carries into the power;
    power, reciprocal and product add at most one EPS each."""
    return (abs(math.log(base)) / 2 + 3) * EPS


def table_error(position: float, base: float) -> float:
    """Of a cell: that of its angle, at most |pos| for base ≥ 1, and one EPS of sine or cosine itself."""
    return abs(position) * relative_error(base) + EPS


@pytest.mark.parametrize(("d_model", "base"), SIZES)
@pytest.mark.parametrize("position", POSITIONS)
def test_each_cell_is_the_paper_s_formula_by_the_standard_library(d_model: int, base: float, position: int) -> None:
    row = encode([position], d_model, base)[0]
    for i in range(d_model // 2):
        angle = position / base ** (2 * i / d_model)
        assert row[2 * i] == pytest.approx(math.sin(angle), rel=0, abs=2 * table_error(position, base))
        assert row[2 * i + 1] == pytest.approx(math.cos(angle), rel=0, abs=2 * table_error(position, base))


@pytest.mark.parametrize(("d_model", "base"), SIZES)
@pytest.mark.parametrize("position", [*POSITIONS, -3, 0.5, 12345.678])
def test_each_cell_is_the_paper_s_formula_by_fifty_digits(d_model: int, base: float, position: float) -> None:
    row = encode([position], d_model, base)[0]
    with mp.workdps(50):
        for i in range(d_model // 2):
            angle = mpf(position) / mpf(base) ** (mpf(2 * i) / d_model)
            assert abs(row[2 * i] - mp.sin(angle)) <= table_error(position, base)
            assert abs(row[2 * i + 1] - mp.cos(angle)) <= table_error(position, base)


@pytest.mark.parametrize(("d_model", "base"), [*SIZES, (16, 0.5)])
def test_the_frequencies_are_the_paper_s_by_fifty_digits(d_model: int, base: float) -> None:
    omega = frequencies(d_model, base)
    assert omega.shape == (d_model // 2,)
    with mp.workdps(50):
        for i in range(d_model // 2):
            exact = mpf(base) ** (-mpf(2 * i) / d_model)
            assert abs(omega[i] - exact) <= exact * relative_error(base)


def test_the_frequencies_fall_geometrically_from_one() -> None:
    omega = frequencies(16)
    assert omega[0] == 1.0
    np.testing.assert_allclose(omega[1:] / omega[:-1], 10000 ** (-2 / 16), rtol=1e-15)


def test_the_longest_wavelength_stops_short_of_the_limit() -> None:
    longest = wavelengths(frequencies(16))
    assert longest[0] == pytest.approx(2 * math.pi, rel=1e-15)
    assert longest[-1] == pytest.approx(2 * math.pi * 10000 ** (14 / 16), rel=1e-15)
    assert longest[-1] < 2 * math.pi * 10000


def test_position_zero_is_zero_and_one_in_every_pair() -> None:
    assert encode([0], 8).tolist() == [[0.0, 1.0] * 4]


def test_a_row_does_not_depend_on_the_rows_beside_it() -> None:
    together = encode(np.arange(64), 16)
    assert together[40].tolist() == encode([40], 16)[0].tolist()
    assert encode([40, 5], 16).tolist() == together[[40, 5]].tolist()


def test_integers_of_any_kind_are_positions() -> None:
    expected = encode([0.0, 1.0, 2.0], 4).tolist()
    for kind in (np.uint8, np.int64, np.float32):
        assert encode(np.arange(3, dtype=kind), 4).tolist() == expected
    assert encode(range(3), 4).tolist() == expected
    assert encode([0, 1, 2], 4).dtype == np.float64


@pytest.mark.parametrize("d_model", ODD_ONES)
def test_a_width_that_is_no_even_integer_is_refused_by_name_value_and_rule(d_model: Any) -> None:
    for build in (frequencies, lambda width: encode([0], width), lambda width: Config(d_model=width)):
        with pytest.raises(ValueError, match=r"^d_model must be an even integer of at least 2, got") as refusal:
            build(d_model)
        assert str(refusal.value).endswith(f"got {d_model!r}")


@pytest.mark.parametrize("base", BAD_BASES)
def test_a_base_that_is_not_above_zero_is_refused_by_name_value_and_rule(base: Any) -> None:
    for build in (
        lambda base: frequencies(16, base),
        lambda base: encode([0], 16, base),
        lambda base: Config(base=base),
    ):
        with pytest.raises(ValueError, match=r"^base must be a finite number above 0, got") as refusal:
            build(base)
        assert str(refusal.value).endswith(f"got {base!r}")


@pytest.mark.parametrize(
    ("positions", "rule", "value"),
    [
        ([], "at least one number long", "[]"),
        ([[0, 1]], "a one-dimensional sequence of real numbers", "[[0, 1]]"),
        ([[0], [1, 2]], "a one-dimensional sequence of real numbers", "[[0], [1, 2]]"),
        (7, "a one-dimensional sequence of real numbers", "7"),
        ("63", "a one-dimensional sequence of real numbers", "'63'"),
        (["0", "1"], "a one-dimensional sequence of real numbers", "['0', '1']"),
        ([True, False], "a one-dimensional sequence of real numbers", "[True, False]"),
        ([1j], "a one-dimensional sequence of real numbers", "[1j]"),
        ([None], "a one-dimensional sequence of real numbers", "[None]"),
        ([0, math.nan], "finite numbers", "nan"),
        ([0, 1, -math.inf], "finite numbers", "inf"),
    ],
)
def test_positions_that_are_no_finite_numbers_are_refused_by_name_value_and_rule(
    positions: Any, rule: str, value: str
) -> None:
    with pytest.raises(ValueError, match=f"^positions must be {rule}") as refusal:
        encode(positions, 16)
    assert value in str(refusal.value)


def test_the_first_position_that_is_not_finite_is_named() -> None:
    with pytest.raises(ValueError, match=r"at index 2$"):
        encode([0, 1, math.nan, math.inf], 16)


def test_angles_that_overflow_are_refused_by_name_and_value() -> None:
    with pytest.raises(ValueError, match=r"^k must keep k·ω finite, got .*1e\+308"):
        rotation(1e308, [1.0, 10.0])


@pytest.mark.parametrize("k", [math.nan, math.inf, "1", True, None, [1]])
def test_a_shift_that_is_no_finite_number_is_refused_by_name_value_and_rule(k: Any) -> None:
    with pytest.raises(ValueError, match=r"^k must be a finite number, got") as refusal:
        rotation(k, [1.0])
    assert str(refusal.value).endswith(f"got {k!r}")


@pytest.mark.parametrize("omega", [[], [[1.0]], ["1"], [math.nan]])
def test_frequencies_that_are_no_finite_numbers_are_refused_by_name(omega: Any) -> None:
    for use in (wavelengths, lambda omega: rotation(1, omega), lambda omega: rotate([[0.0, 1.0]], 1, omega)):
        with pytest.raises(ValueError, match=r"^omega must be "):
            use(omega)


@pytest.mark.parametrize("rows", [[[0.0, 1.0, 0.0]], [0.0], [[]], 1.0])
def test_rows_that_do_not_fit_the_frequencies_are_refused_with_their_shape(rows: Any) -> None:
    with pytest.raises(ValueError, match=r"^rows must have 4 columns, one pair per frequency, got shape"):
        rotate(rows, 1, [1.0, 0.5])


@pytest.mark.parametrize("n_positions", [0, -1, 1.0, True, "64"])
def test_a_table_of_no_rows_is_refused_by_name_value_and_rule(n_positions: Any) -> None:
    with pytest.raises(ValueError, match=r"^n_positions must be an integer of at least 1, got"):
        Config(n_positions=n_positions)


@pytest.mark.parametrize("probes", [(5, 64), (-1, 5), (0.0, 1)])
def test_probes_outside_the_table_are_refused_by_name(probes: Any) -> None:
    with pytest.raises(ValueError, match=r"^probes must be "):
        Config(probes=probes)
