"""Whole tables of consecutive positions, exact and fast, built by the very property that the proof checks.

With p = a + b, where a is a multiple of the step S and 0 ≤ b < S, the shift says PE(a + b) = R_b PE(a). Write a pair
of the row as one complex number, w = sin + i·cos. Then R_b, a clockwise turn by b·ω, is one complex product:

    w(a + b) = w(a) · (cos bω − i·sin bω)

since (sin aω + i·cos aω)(cos bω − i·sin bω) = sin (a+b)ω + i·cos (a+b)ω. Only the rows a and the S turns need sines
and cosines, from exact phases (phases.py); all other rows are products. Sine and cosine of a pair stand side by side
in a row, as the parts of a complex number do, so the products are written straight into the table's memory.

Error: each factor is right to about 1.2e-16 and the product rounds three times; 4.5e-16 bounds the sum, 2.5e-16 is
what was met. `a` depends on the position alone, so however a range is cut, a row has the same bits.
"""

import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import DTypeLike, NDArray

from posenc import checks
from posenc.phases import Ladder, Spacing, phases, sin_cos
from posenc.phases import ladder as rungs_of

Layout = Literal["interleaved", "cos-first", "halves", "cos-halves"]
Array = NDArray[Any]

_TURNS_IN_CACHE = 2**16  # complex numbers: a megabyte, about what one core keeps near
_BLOCK = 2**20  # cells of one block of `blocks`
_WORTH_THREADS = 2**22  # cells below which one core is done before two have begun
_STRIP = 2**15  # complex numbers turned at a time before they are parted
_LOOP = 2**10  # complex numbers in one inner loop


def table(
    n_positions: int,
    d_model: int,
    base: float = 10000.0,
    start: int = 0,
    dtype: DTypeLike = np.float64,
    out: Array | None = None,
    *,
    layout: Layout = "interleaved",
    ladder: Spacing = "paper",
) -> Array:
    """Rows for positions start … start + n_positions − 1, shape (n_positions, d_model).

    dtype: float64, right to 4.5e-16, or float32, right to 6.0e-8 (computed in float64, rounded once), for every
    position from −2^53 to 2^53. `out` takes the rows instead of new memory; an error leaves it untouched.

    layout, the order of the columns:
      "interleaved"  sin, cos, sin, cos …   Vaswani et al. 2017, section 3.5; the Annotated Transformer
      "cos-first"    cos, sin, cos, sin …   the same pairs turned round
      "halves"       sin … | cos …          tensor2tensor `get_timing_signal_1d`, fairseq, Whisper `sinusoids`
      "cos-halves"   cos … | sin …          guided-diffusion `timestep_embedding`
    ladder, the frequencies:
      "paper"          ω_i = base^(−i / (d/2))       section 3.5; guided-diffusion
      "tensor2tensor"  ω_i = base^(−i / (d/2 − 1))   tensor2tensor, fairseq, Whisper: the last is 1/base itself
    """
    rungs = rungs_of(d_model, base, ladder)
    d_model = 2 * len(rungs)
    start, n_positions = checks.span(start, n_positions)
    _check_layout(layout)
    kind = _check_dtype(dtype)
    if out is None:
        out = np.empty((n_positions, d_model), kind)
    else:
        _check_out(out, (n_positions, d_model), kind)
    _write(out, start, rungs, layout)
    return out


def blocks(
    n_positions: int,
    d_model: int,
    base: float = 10000.0,
    start: int = 0,
    dtype: DTypeLike = np.float64,
    *,
    layout: Layout = "interleaved",
    ladder: Spacing = "paper",
) -> Iterator[Array]:
    """The rows of `table`, bit for bit, as consecutive blocks of about 2^20 cells, for tables beyond memory."""
    rungs = rungs_of(d_model, base, ladder)
    d_model = 2 * len(rungs)
    start, n_positions = checks.span(start, n_positions)
    _check_layout(layout)
    kind = _check_dtype(dtype)
    return _blocks(n_positions, d_model, start, kind, rungs, layout)


def _blocks(
    n_positions: int, d_model: int, start: int, kind: np.dtype[Any], rungs: Ladder, layout: Layout
) -> Iterator[Array]:
    step = _step(len(rungs))
    rows = max(_BLOCK // d_model // step, 1) * step
    first = start
    while first < start + n_positions:
        last = min(first // rows * rows + rows, start + n_positions)
        block = np.empty((last - first, d_model), kind)
        _write(block, first, rungs, layout)
        yield block
        first = last


def _write(out: Array, start: int, rungs: Ladder, layout: Layout) -> None:
    """Fill `out` with consecutive rows: one row w(a) and one block of turns make a whole run of rows."""
    step = _step(len(rungs))
    end = start + len(out)
    anchors = np.arange(start // step, (end - 1) // step + 1) * step
    few = len(out) < step // 2
    low, high = (start - int(anchors[0]), end - int(anchors[0])) if few and len(anchors) == 1 else (0, step)
    turns = _turns(np.arange(low, high), rungs) if (low, high) != (0, step) else _all_turns(rungs)
    write = _straight if layout == "interleaved" else _strips

    def fill(part: range) -> None:
        rows = _rows(anchors[part.start : part.stop], rungs)
        for row, anchor in zip(rows, anchors[part.start : part.stop].tolist(), strict=True):
            first, last = max(anchor, start), min(anchor + step, end)
            piece = turns[first - anchor - low : last - anchor - low]
            write(row, piece, out[first - start : last - start], layout)

    workers = _workers(out.size)
    if workers == 1:
        fill(range(len(anchors)))
        return
    cuts = [len(anchors) * worker // workers for worker in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(fill, (range(a, b) for a, b in itertools.pairwise(cuts))))


def _straight(row: Array, turns: Array, out: Array, layout: Layout) -> None:
    """The products, written straight into the table's memory; for float32 each is rounded once on its way."""
    _multiply(_repeated(row), turns, out.view(np.complex128 if out.dtype == np.float64 else np.complex64))


def _strips(row: Array, turns: Array, out: Array, layout: Layout) -> None:
    """The products in a strip of memory that stays near the core, then each part to its columns."""
    repeated = _repeated(row)
    sines, cosines = _columns(out, layout)
    n = max(_STRIP // len(row), 1)
    memory = np.empty((min(n, len(turns)), len(row)), np.complex128)
    for first in range(0, len(turns), n):
        strip = memory[: len(turns) - first]
        _multiply(repeated, turns[first : first + n], strip)
        sines[first : first + n] = strip.real
        cosines[first : first + n] = strip.imag


def _repeated(row: Array) -> Array:
    """The row so often in a line that NumPy's inner loop over it is long: short ones cost more than they do."""
    return np.tile(row, max(_LOOP // len(row), 1))


def _multiply(repeated: Array, turns: Array, out: Array) -> None:
    """row · turns for every row of `turns`, several rows at a stroke, the odd ones left over by themselves."""
    n, pairs = turns.shape
    line = len(repeated)
    whole = n * pairs // line * line // pairs
    long, rest = (turns[:whole].reshape(-1, line), out[:whole].reshape(-1, line)), (turns[whole:], out[whole:])
    np.multiply(repeated, long[0], out=long[1], casting="same_kind", dtype=np.complex128)
    np.multiply(repeated[:pairs], rest[0], out=rest[1], casting="same_kind", dtype=np.complex128)


def _columns(out: Array, layout: Layout) -> tuple[Array, Array]:
    """Where sines and cosines stand."""
    half = out.shape[1] // 2
    if layout == "cos-first":
        return out[:, 1::2], out[:, 0::2]
    if layout == "halves":
        return out[:, :half], out[:, half:]
    return out[:, half:], out[:, :half]


def _rows(positions: NDArray[np.int64], rungs: Ladder) -> Array:
    """w = sin + i·cos of whole positions, shape (n, pairs)."""
    rows = np.empty((len(positions), len(rungs)), np.complex128)
    n = max(_STRIP // len(rungs), 1)
    for first in range(0, len(positions), n):
        piece = rows[first : first + n]
        piece.real, piece.imag = sin_cos(phases(positions[first : first + n], rungs))
    return rows


def _turns(positions: NDArray[np.int64], rungs: Ladder) -> Array:
    """cos − i·sin of whole positions: −i·w."""
    rows = _rows(positions, rungs)
    turns = np.empty_like(rows)
    turns.real, turns.imag = rows.imag, -rows.real
    return turns


@lru_cache(maxsize=4)
def _all_turns(rungs: Ladder) -> Array:
    return _turns(np.arange(_step(len(rungs))), rungs)


def _step(n_pairs: int) -> int:
    """How many rows one anchor serves: a power of two, by the width alone."""
    return int(2 ** max(int(_TURNS_IN_CACHE // n_pairs).bit_length() - 1, 4))


def _workers(cells: int) -> int:
    if cells < _WORTH_THREADS:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_layout(layout: str) -> None:
    if not isinstance(layout, str) or layout not in get_args(Layout):
        raise checks.failure("layout", layout, f"one of {', '.join(get_args(Layout))}")


def _check_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    try:
        kind = np.dtype(dtype) if dtype is not None else None
    except (TypeError, ValueError):
        kind = None
    if kind is None or kind not in (np.dtype(np.float64), np.dtype(np.float32)):
        shown = dtype if kind is None else kind.name if kind.isnative else kind.str
        raise checks.failure("dtype", shown, "float64 or float32")
    return kind


def _check_out(out: Any, shape: tuple[int, int], kind: np.dtype[Any]) -> None:
    if not isinstance(out, np.ndarray) or hasattr(out, "mask"):
        raise checks.failure("out", type(out).__name__, "a NumPy array without a mask")
    if out.shape != shape:
        raise checks.failure("out", out.shape, f"of shape {shape}")
    if out.dtype != kind:
        raise checks.failure("out", out.dtype.name, f"of dtype {kind.name}, as dtype says")
    if not out.flags.c_contiguous or not out.flags.writeable or not out.flags.aligned:
        flags = [name for name in ("C_CONTIGUOUS", "ALIGNED", "WRITEABLE") if not out.flags[name]]
        raise checks.failure("out", f"not {', '.join(flags)}", "a C-contiguous, aligned, writeable array")
