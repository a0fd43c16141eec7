"""The algebra of R_k, for real positions and shifts, forwards and backwards."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from posenc import encode, frequencies, rotate, rotation
from posenc.arrays import Floats

EPS = 2.0**-52
steps = st.floats(-1e4, 1e4) | st.integers(-5000, 5000).map(float)
widths = st.integers(1, 32).map(lambda pairs: 2 * pairs)
bases = st.floats(1.0, 1e7)


def angle_error(*turns: float) -> float:
    """Each angle k·ω, and the sum of two of them, is rounded to EPS of itself; ω ≤ 1 for base ≥ 1.
    Sine, cosine and a 2×2 product add a few EPS more."""
    return EPS * (2 * sum(abs(turn) for turn in turns) + 8)


def transposed(blocks: Floats) -> Floats:
    return np.swapaxes(blocks, -1, -2)


def largest(difference: Floats) -> float:
    return float(np.max(np.abs(difference)))


@given(widths, bases)
def test_a_shift_by_nothing_is_the_identity(d_model: int, base: float) -> None:
    blocks = rotation(0, frequencies(d_model, base))
    assert blocks.shape == (d_model // 2, 2, 2)
    assert largest(blocks - np.eye(2)) == 0


@given(widths, bases, steps)
def test_a_block_turns_clockwise_by_its_own_angle(d_model: int, base: float, k: float) -> None:
    omega = frequencies(d_model, base)
    for block, frequency in zip(rotation(k, omega), omega, strict=True):
        cos, sin = math.cos(k * frequency), math.sin(k * frequency)
        np.testing.assert_allclose(block, [[cos, sin], [-sin, cos]], rtol=0, atol=EPS)


@given(widths, bases, steps, steps)
def test_shifts_add(d_model: int, base: float, a: float, b: float) -> None:
    omega = frequencies(d_model, base)
    assert largest(rotation(a, omega) @ rotation(b, omega) - rotation(a + b, omega)) <= angle_error(a, b)


@given(widths, bases, steps)
def test_a_shift_back_is_the_transpose_and_undoes_it(d_model: int, base: float, k: float) -> None:
    blocks = rotation(k, frequencies(d_model, base))
    assert largest(rotation(-k, frequencies(d_model, base)) - transposed(blocks)) == 0
    assert largest(transposed(blocks) @ blocks - np.eye(2)) <= 4 * EPS


@given(widths, bases, steps)
def test_a_shift_neither_grows_nor_mirrors(d_model: int, base: float, k: float) -> None:
    (a, b), (c, d) = np.moveaxis(rotation(k, frequencies(d_model, base)), 0, -1)
    assert largest(a * d - b * c - 1) <= 4 * EPS


@given(widths, bases, steps, steps)
def test_a_row_turned_is_the_row_k_further_on(d_model: int, base: float, position: float, k: float) -> None:
    turned = rotate(encode([position], d_model, base), k, frequencies(d_model, base))
    assert largest(turned - encode([position + k], d_model, base)) <= angle_error(position, k)


@given(widths, steps)
def test_a_turn_keeps_the_length_of_any_row(d_model: int, k: float) -> None:
    rows = np.linspace(-3, 3, 5 * d_model).reshape(5, d_model)
    turned = rotate(rows, k, frequencies(d_model))
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(rows, axis=1), rtol=8 * EPS, atol=0)


@given(widths, steps)
def test_rotate_is_the_block_diagonal_matrix_on_each_row(d_model: int, k: float) -> None:
    omega = frequencies(d_model)
    matrix = np.zeros((d_model, d_model))
    for i, block in enumerate(rotation(k, omega)):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    rows = np.linspace(-1, 1, 3 * d_model).reshape(3, d_model)
    np.testing.assert_allclose(rotate(rows, k, omega), rows @ matrix.T, rtol=0, atol=4 * EPS)
    np.testing.assert_array_equal(rotate(rows[0], k, omega), rotate(rows, k, omega)[0])


def test_only_the_encoding_turns_not_a_word_with_it() -> None:
    word = np.linspace(-1, 1, 16)
    turned = rotate(word + encode([7], 16)[0], 5, frequencies(16))
    assert largest(turned - (word + encode([12], 16)[0])) > 0.1
