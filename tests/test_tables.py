"""Whole tables: exact at any length, the same bits however they are cut, in every layout and ladder."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import blocks, encode, table, tables
from tests.oracle import error, some_pairs

FLOAT64 = 4.5e-16  # two rounded factors and a product that rounds three times
FLOAT32 = 6.0e-8  # float64's, rounded once
FAR = 2**53
ADVERSARIAL = sorted(
    {sign * (2**power + step) for power in (0, 8, 9, 16, 17, 31, 32, 33, 52) for step in (-1, 0, 1) for sign in (1, -1)}
    | {355 * k for k in (1, 2, 113, 10**6, 10**12)}  # 355/113 ≈ π: sines near zero
    | {FAR - 1, FAR, -FAR, 1 - FAR}
)
SHAPES = [(2, 10000.0), (16, 10000.0), (64, 1e7), (512, 10000.0), (8192, 2.0)]
LAYOUTS = ("interleaved", "cos-first", "halves", "cos-halves")
LADDERS = ("paper", "tensor2tensor")


@pytest.mark.parametrize(("d_model", "base"), SHAPES)
def test_every_position_up_to_2_to_the_53_is_right_to_two_units_in_the_last_place(d_model: int, base: float) -> None:
    rows = [table(1, d_model, base, start=position)[0] for position in ADVERSARIAL]
    assert error(np.array(rows), ADVERSARIAL, some_pairs(d_model), d_model, base) <= FLOAT64


@pytest.mark.parametrize(("d_model", "base"), SHAPES)
def test_random_stretches_are_right_in_both_formats(d_model: int, base: float) -> None:
    random = np.random.default_rng(d_model)
    for start in (int(x) for x in random.integers(-FAR, FAR - 3000, 3)):
        picked = [0, 1, 255, 256, 257, 1023, 2999]
        positions = [start + row for row in picked]
        long = table(3000, d_model, base, start=start)[picked]
        assert error(long, positions, some_pairs(d_model, 5), d_model, base) <= FLOAT64
        short = table(3000, d_model, base, start=start, dtype=np.float32)[picked]
        assert short.dtype == np.float32
        assert error(short, positions, some_pairs(d_model, 5), d_model, base) <= FLOAT32


@pytest.mark.parametrize(("d_model", "base"), SHAPES)
def test_arbitrary_whole_and_real_positions_are_right_too(d_model: int, base: float) -> None:
    random = np.random.default_rng(d_model + 1)
    real = [0.5, -0.5, 1e-3, -1e-9, math.pi, 1234567.891, -(2.0**40) - 0.75, *random.uniform(-1e6, 1e6, 6).tolist()]
    positions = [*real, *(float(position) for position in ADVERSARIAL)]
    rows = encode(positions, d_model, base)
    assert error(rows, positions, some_pairs(d_model, 6), d_model, base) <= FLOAT64


def test_a_table_is_encode_to_rounding_and_never_leaves_the_band() -> None:
    made = table(5000, 64, start=-100)
    assert np.max(np.abs(made - encode(np.arange(-100, 4900), 64))) <= FLOAT64
    assert np.max(np.abs(made)) == 1.0


@given(
    d_model=st.sampled_from([2, 4, 6, 30, 64, 514]),
    start=st.integers(-1000, 1000) | st.integers(-FAR, FAR - 800) | st.sampled_from([-FAR, FAR - 799]),
    first=st.integers(0, 799),
    rows=st.integers(1, 400),
    layout=st.sampled_from(LAYOUTS),
    dtype=st.sampled_from([np.float64, np.float32]),
    ladder=st.sampled_from(LADDERS),
)
def test_however_a_range_is_cut_a_row_has_the_same_bits(
    d_model: int, start: int, first: int, rows: int, layout: Any, dtype: Any, ladder: Any
) -> None:
    same = {"dtype": dtype, "layout": layout, "ladder": ladder}
    whole = table(800, d_model, start=start, **same)
    rows = min(rows, 800 - first)
    part = table(rows, d_model, start=start + first, **same)
    assert part.tobytes() == whole[first : first + rows].tobytes()
    given_memory = np.full((800, d_model), np.nan, dtype)
    assert table(800, d_model, start=start, out=given_memory, **same) is given_memory
    assert given_memory.tobytes() == whole.tobytes()


@given(n=st.integers(1, 3000), d_model=st.sampled_from([2, 6, 512, 2048]), start=st.integers(-5000, 5000))
def test_blocks_are_the_table_in_pieces(n: int, d_model: int, start: int) -> None:
    pieces = list(blocks(n, d_model, start=start))
    assert all(piece.size <= max(tables._BLOCK, d_model * tables._step(d_model // 2)) for piece in pieces)
    assert np.concatenate(pieces).tobytes() == table(n, d_model, start=start).tobytes()


def test_large_tables_have_the_bits_of_small_ones_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table(16_384, 256)
    assert made.size >= tables._WORTH_THREADS
    for workers in (1, 3, 64):
        monkeypatch.setattr(tables, "_workers", lambda cells, workers=workers: workers)
        assert table(16_384, 256).tobytes() == made.tobytes()


def by_the_book(position: int, d_model: int, base: float, layout: str, ladder: str) -> list[float]:
    """Each layout and ladder as its source writes it, with the standard library alone."""
    half = d_model // 2
    steps = half if ladder == "paper" else max(half - 1, 1)
    angles = [position * math.exp(-math.log(base) * pair / steps) for pair in range(half)]
    sines, cosines = [math.sin(angle) for angle in angles], [math.cos(angle) for angle in angles]
    if layout == "halves":
        return sines + cosines
    if layout == "cos-halves":
        return cosines + sines
    pairs = zip(sines, cosines, strict=True) if layout == "interleaved" else zip(cosines, sines, strict=True)
    return [value for pair in pairs for value in pair]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ladder", LADDERS)
@pytest.mark.parametrize("d_model", [2, 4, 16, 80])
def test_every_layout_and_ladder_is_its_own_by_the_book(layout: Any, ladder: Any, d_model: int) -> None:
    for dtype, bound in ((np.float64, 1e-12), (np.float32, 1e-7)):  # the book's own angles round by less than 1e-12
        made = table(300, d_model, 500.0, layout=layout, ladder=ladder, dtype=dtype)
        expected = [by_the_book(position, d_model, 500.0, layout, ladder) for position in range(300)]
        assert np.max(np.abs(made - np.array(expected))) <= bound


def test_the_last_frequency_of_tensor2tensor_is_one_over_the_base() -> None:
    assert table(2, 64, 10000.0, ladder="tensor2tensor")[1, -2] == pytest.approx(math.sin(1e-4), abs=1e-18)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no rows": ({"n_positions": 0}, "n_positions must be an integer of at least 1, got 0"),
    "negative rows": ({"n_positions": -3}, "n_positions must be an integer of at least 1, got -3"),
    "half a row": ({"n_positions": 2.5}, "n_positions must be an integer of at least 1, got 2.5"),
    "an odd width": ({"d_model": 7}, "d_model must be an even integer of at least 2, got 7"),
    "a wide float": ({"d_model": 8.0}, "d_model must be an even integer of at least 2, got 8.0"),
    "no base": ({"base": 0}, "base must be a finite number above 0, got 0"),
    "a start before -2^53": ({"start": -FAR - 1}, "start must be an integer of at least -9007199254740992"),
    "an end beyond 2^53": ({"start": FAR - 3}, "at most 2^53 = 9,007,199,254,740,992, got 9,007,199,254,740,993"),
    "a real start": ({"start": 0.5}, "start must be an integer of at least -9007199254740992, got 0.5"),
    "float16": ({"dtype": np.float16}, "dtype must be float64 or float32, got 'float16'"),
    "whole numbers": ({"dtype": int}, "dtype must be float64 or float32, got 'int64'"),
    "no format at all": ({"dtype": None}, "dtype must be float64 or float32, got None"),
    "bytes turned round": ({"dtype": ">f8"}, "dtype must be float64 or float32, got '>f8'"),
    "memory with a mask": ({"out": np.ma.zeros((5, 8))}, "out must be a NumPy array without a mask"),
    "no format": ({"dtype": "floaty"}, "dtype must be float64 or float32, got 'floaty'"),
    "a layout of no one": ({"layout": "spiral"}, "layout must be one of interleaved, cos-first, halves, cos-halves"),
    "a ladder of no one": ({"ladder": "rope"}, "ladder must be one of paper, tensor2tensor, got 'rope'"),
    "a list for memory": ({"out": [[0.0] * 8] * 5}, "out must be a NumPy array without a mask, got 'list'"),
    "memory of another shape": ({"out": np.zeros((5, 6))}, "out must be of shape (5, 8), got (5, 6)"),
    "memory of another format": ({"out": np.zeros((5, 8), np.float32)}, "out must be of dtype float64, as dtype says"),
    "half precision memory": ({"out": np.zeros((5, 8), np.float16)}, "out must be of dtype float64, as dtype says"),
    "memory with gaps": ({"out": np.zeros((5, 16))[:, ::2]}, "out must be a C-contiguous, aligned, writeable array"),
    "memory by columns": ({"out": np.zeros((8, 5)).T}, "out must be a C-contiguous, aligned, writeable array"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name_value_and_rule_and_leaves_out_untouched(case: str) -> None:
    change, said = BAD[case]
    out = np.full((5, 8), 7.0)
    arguments: dict[str, Any] = {"n_positions": 5, "d_model": 8, "out": out, **change}
    before = np.array(arguments["out"])
    with pytest.raises(ValueError, match="must") as refusal:
        table(**arguments)
    assert said in str(refusal.value)
    assert np.array_equal(np.array(arguments["out"]), before)
    if "out" not in change:
        arguments.pop("out")
        with pytest.raises(ValueError, match="must") as refusal:
            blocks(**arguments)
        assert said in str(refusal.value)


def test_memory_that_may_not_be_written_is_refused() -> None:
    locked = np.zeros((5, 8))
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="out must be a C-contiguous, aligned, writeable array"):
        table(5, 8, out=locked)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint64, np.int64])
def test_numpy_integers_are_taken_as_the_numbers_they_are(kind: Any) -> None:
    expected = table(100, 8, start=100)
    assert table(kind(100), kind(8), start=kind(100)).tobytes() == expected.tobytes()
    assert np.concatenate(list(blocks(kind(100), kind(8), start=kind(100)))).tobytes() == expected.tobytes()
    assert encode(np.arange(3), kind(64)).shape == (3, 64)


def test_a_start_at_the_end_of_its_own_format_does_not_wrap_round() -> None:
    start: Any = np.int32(2**31 - 1)
    assert table(10, 8, start=start).tobytes() == table(10, 8, start=int(start)).tobytes()
