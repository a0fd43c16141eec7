"""Every kind of table that people have, each made by its own formula: an oracle sharing no code with the check.

A kind makes its table for n positions and d columns; `verdict` and `names` are what a diagnosis of it may say.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[Any]
Make = Callable[[int, int, float], Table]

ACCEPTED, ODD, REJECTED, FOREIGN = (
    "accepted",
    "accepted with an oddity",
    "rejected",
    "not a sinusoidal encoding",
)


@dataclass(frozen=True)
class Kind:
    """`least` is the smallest (n, d) at which the kind is told from others, `most` the largest d; `based` kinds are
    tried on other bases too; those that are not `square` need a grid that is longer one way."""

    name: str
    make: Make
    verdict: str
    names: tuple[str, ...]
    least: tuple[int, int] = (8, 4)
    most: int = 4096
    based: bool = False
    square: bool = True

    def at(self, n: int, d: int) -> bool:
        """Whether the kind is told at this size."""
        height, width = sides(n)
        return n >= self.least[0] and self.least[1] <= d <= self.most and (self.square or height != width)


# --- ladders and layouts, by the formulas of their sources


def omega_paper(d: int, base: float) -> Table:
    return np.array([1 / base ** (2 * i / d) for i in range((d + 1) // 2)])


def omega_t2t(d: int, base: float) -> Table:
    half = d // 2
    return np.asarray(np.exp(np.arange(half) * -(np.log(base) / max(half - 1, 1))))


def angles(n: int, omega: Table, start: float = 0, step: float = 1) -> Table:
    return np.asarray(np.outer(start + step * np.arange(n), omega))


def interleaved(sines: Table, cosines: Table) -> Table:
    table = np.zeros((len(sines), sines.shape[1] + cosines.shape[1]))
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table


def paper(n: int, d: int, base: float = 10000, start: float = 0, step: float = 1) -> Table:
    a = angles(n, omega_paper(d, base), start, step)
    return interleaved(np.sin(a), np.cos(a))


def halves(n: int, d: int, base: float = 10000, start: float = 0, step: float = 1) -> Table:
    a = angles(n, omega_paper(d, base), start, step)
    return np.concatenate([np.sin(a), np.cos(a)], axis=1)


def cos_halves(n: int, d: int, base: float = 10000, start: float = 0, step: float = 1) -> Table:
    a = angles(n, omega_paper(d, base), start, step)
    return np.concatenate([np.cos(a), np.sin(a)], axis=1)


def t2t(n: int, d: int, base: float = 10000, start: float = 0) -> Table:
    a = angles(n, omega_t2t(d, base), start)
    return np.concatenate([np.sin(a), np.cos(a)], axis=1)


def on(omega: Table, n: int, start: float = 0, step: float = 1) -> Table:
    a = angles(n, omega, start, step)
    return interleaved(np.sin(a), np.cos(a))


def zero_row(table: Table, row: int) -> Table:
    table = table.copy()
    table[row] = 0
    return table


def bfloat16(values: Table) -> Table:
    """The upper half of a float32, rounded to even: by bits, as hardware does."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.int64)
    kept = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return kept.astype(np.uint32).view(np.float32).astype(np.float64).reshape(np.shape(values))


def random_of(n: int, d: int) -> np.random.Generator:
    return np.random.default_rng(1000 * n + d)


def float32_made(n: int, d: int, base: float) -> Table:
    """As most tutorials type it, all in float32."""
    div = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-np.log(base) / d))
    a = np.arange(n, dtype=np.float32)[:, None] * div
    return interleaved(np.sin(a), np.cos(a)).astype(np.float32).astype(np.float64)


def odd_trimmed(n: int, d: int, base: float, width: int) -> Table:
    a = np.outer(np.arange(n), [1 / base ** (2 * i / width) for i in range((d + 1) // 2)])
    return interleaved(np.sin(a), np.cos(a[:, : d // 2]))


def sides(n: int) -> tuple[int, int]:
    """Height and width of a grid of n cells, as square as it goes."""
    height = max(h for h in range(1, int(n**0.5) + 1) if n % h == 0)
    return height, n // height


def loftr(n: int, d: int, base: float) -> Table:
    _, width = sides(n)
    y, x = np.divmod(np.arange(n), width)
    omega = np.exp(np.arange(0, d // 2, 2) * (-np.log(base) / (d // 2)))
    return loftr_on(omega, x + 1, y + 1, d)


def loftr_on(omega: Table, x: Table, y: Table, d: int) -> Table:
    table = np.zeros((len(x), d))
    table[:, 0::4], table[:, 1::4] = np.sin(np.outer(x, omega)), np.cos(np.outer(x, omega))
    table[:, 2::4], table[:, 3::4] = np.sin(np.outer(y, omega)), np.cos(np.outer(y, omega))
    return table


def loftr_precedence(n: int, d: int, base: float) -> Table:
    _, width = sides(n)
    y, x = np.divmod(np.arange(n), width)
    return loftr_on(np.exp(np.arange(0, d // 2, 2) * (-np.log(base) / d // 2)), x + 1, y + 1, d)


def detr(n: int, d: int, base: float) -> Table:
    height, width = sides(n)
    y, x = np.divmod(np.arange(n), width)
    y = (y + 1) / (height + 1e-6) * 2 * np.pi
    x = (x + 1) / (width + 1e-6) * 2 * np.pi
    omega = omega_paper(d // 2, base)
    return np.hstack([on_positions(y, omega), on_positions(x, omega)])


def on_positions(positions: Table, omega: Table) -> Table:
    a = np.outer(positions, omega)
    return interleaved(np.sin(a), np.cos(a))


def sin_cos(positions: Table, omega: Table) -> Table:
    a = np.outer(positions, omega)
    return np.hstack([np.sin(a), np.cos(a)])


def mae(n: int, d: int, base: float) -> Table:
    _, width = sides(n)
    y, x = np.divmod(np.arange(n), width)
    return np.hstack([sin_cos(x, omega_paper(d // 2, base)), sin_cos(y, omega_paper(d // 2, base))])


def meshgrid_slip(n: int, d: int, base: float) -> Table:
    height, _ = sides(n)
    x, y = np.divmod(np.arange(n), height)
    return np.hstack([sin_cos(x, omega_paper(d // 2, base)), sin_cos(y, omega_paper(d // 2, base))])


def rope_mixed(n: int, d: int, base: float) -> Table:
    a = np.repeat(angles(n, omega_paper(d, base)), 2, axis=1)
    rotated_half = np.concatenate([-np.ones((n, d // 2)), np.ones((n, d // 2))], axis=1)
    return np.asarray(np.cos(a) + rotated_half * np.sin(a))


def rope(n: int, d: int, base: float, query: Table) -> Table:
    a = np.concatenate([angles(n, omega_paper(d, base))] * 2, axis=1)
    half = np.concatenate([-query[d // 2 :], query[: d // 2]])
    return np.asarray(query * np.cos(a) + half * np.sin(a))


def per_column(n: int, d: int, base: float) -> Table:
    a = np.outer(np.arange(n), [1 / base ** (2 * j / d) for j in range(d)])
    a[:, 0::2], a[:, 1::2] = np.sin(a[:, 0::2]), np.cos(a[:, 1::2])
    return a


def cosine_ahead(n: int, d: int, base: float) -> Table:
    p = np.arange(n)[:, None]
    i = np.arange(d // 2)
    return interleaved(np.sin(p / base ** (2 * i / d)), np.cos(p / base ** (2 * (i + 1) / d)))


def cos_of_sin(n: int, d: int, base: float) -> Table:
    table = paper(n, d, base)
    table[:, 1::2] = np.cos(table[:, 0::2])
    return table


def sin_sin(n: int, d: int, base: float) -> Table:
    table = paper(n, d, base)
    table[:, 1::2] = table[:, 0::2]
    return table


def clamped(n: int, d: int, base: float) -> Table:
    table = paper(n, d, base)
    return table[np.minimum(np.arange(n), 5 * n // 8)]


def permuted(table: Table) -> Table:
    return table[:, random_of(*table.shape).permutation(table.shape[1])]


def swapped_wavegrad(n: int, d: int, base: float) -> Table:
    a = np.outer(np.arange(n), (np.arange(d // 2) / (d // 2)) ** (1 / base))
    return np.hstack([np.sin(a), np.cos(a)])


def with_nan(table: Table, row: int, column: int) -> Table:
    table = table.copy()
    table[row, column] = np.nan
    return table


def negative_base(n: int, d: int, base: float) -> Table:
    table = halves(n, d, base)
    keep = [0, d // 2]
    table[:, [column for column in range(d) if column not in keep]] = np.nan
    return table


def edited(n: int, d: int, base: float) -> Table:
    table = paper(n, d, base)
    table[n // 2, d // 2] += 1e-6
    return table


def under_token(table: Table) -> Table:
    """A learned row on top, as a class token's."""
    return np.vstack([random_of(*table.shape).normal(0, 0.02, (1, table.shape[1])), table])[: len(table)]


def mae_under_token(n: int, d: int, base: float) -> Table:
    return np.vstack([random_of(n, d).normal(0, 0.02, (1, d)), mae(n, d, base)])


def dropped(table: Table, share: float) -> Table:
    return np.where(random_of(*table.shape).random(table.shape) < share, 0, table / (1 - share))


def layer_normed(table: Table) -> Table:
    return np.asarray((table - table.mean(1, keepdims=True)) / np.sqrt(table.var(1, keepdims=True) + 1e-5))


def rope_cache(n: int, d: int, base: float) -> Table:
    a = angles(n, omega_paper(d // 2, base))
    twice = np.concatenate([a, a], axis=1)
    return np.hstack([np.cos(twice), np.sin(twice)])


KINDS: tuple[Kind, ...] = (
    Kind("vaswani", paper, ACCEPTED, ("vaswani",), (2, 4), based=True),
    Kind("halves", halves, ACCEPTED, ("halves",), (2, 4), based=True),
    Kind("t2t", t2t, ACCEPTED, ("tensor2tensor",), (4, 4)),
    Kind("fairseq", lambda n, d, b: zero_row(t2t(n, d, b), 1), ACCEPTED, ("fairseq",)),
    Kind("pad0", lambda n, d, b: zero_row(paper(n, d, b), 0), ODD, ("vaswani",)),
    Kind("cos-halves", cos_halves, ACCEPTED, ("guided-diffusion",), based=True),
    Kind(
        "cos-first",
        lambda n, d, b: paper(n, d, b).reshape(n, -1, 2)[:, :, ::-1].reshape(n, d),
        ACCEPTED,
        ("cos-first",),
    ),
    Kind("start-1", lambda n, d, b: paper(n, d, b, 1), ACCEPTED, ("vaswani",), based=True),
    Kind("start-5", lambda n, d, b: halves(n, d, b, 5), ACCEPTED, ("halves",), based=True),
    Kind("reversed", lambda n, d, b: halves(n, d, b)[::-1].copy(), ACCEPTED, ("halves",), based=True),
    Kind("mlx", lambda n, d, b: t2t(n, d, b) * np.sqrt(2 / d), ACCEPTED, ("mlx",)),
    Kind("times-sqrt2", lambda n, d, b: halves(n, d, b) * 1.41421, ODD, ("halves",)),
    Kind("times-root-d", lambda n, d, b: paper(n, d, b) * np.sqrt(d), ODD, ("vaswani",), (8, 6)),
    Kind("minus", lambda n, d, b: -paper(n, d, b), ODD, ("vaswani",)),
    Kind("base-500000", lambda n, d, b: paper(n, d, 500000), ACCEPTED, ("vaswani",), (8, 6)),
    Kind("base-1000", lambda n, d, b: paper(n, d, 1000), ODD, ("vaswani",), (8, 8)),
    Kind("base-100", lambda n, d, b: paper(n, d, 100), ODD, ("vaswani",), (8, 8)),
    Kind("base-500", lambda n, d, b: paper(n, d, 500), ODD, ("vaswani",), (8, 6)),
    Kind("interpolated", lambda n, d, b: halves(n, d, b, 0, 0.25), ACCEPTED, ("halves",), (8, 6)),
    Kind("doubled", lambda n, d, b: halves(n, d, b, 0, 2), REJECTED, ("positions-multiplied",), (8, 6)),
    Kind(
        "odd-zero",
        lambda n, d, b: np.hstack([t2t(n, d, b), np.zeros((n, 1))])[:, : d + 1],
        ACCEPTED,
        ("tensor2tensor",),
        (8, 6),
    ),
    Kind("odd-trim", lambda n, d, b: odd_trimmed(n, d - 1, b, d - 1), ODD, ("vaswani",), (8, 6)),
    Kind("odd-up", lambda n, d, b: odd_trimmed(n, d - 1, b, d), ODD, ("vaswani",), (8, 6)),
    Kind("loftr", loftr, ACCEPTED, ("loftr",), (25, 8)),
    Kind("detr", detr, ACCEPTED, ("detr",), (25, 8)),
    Kind("mae", mae, ACCEPTED, ("mae",), (25, 8)),
    Kind(
        "nerf",
        lambda n, d, b: on(2.0 ** np.arange(d // 2) * np.pi, n, -1, 2 / (n - 1)),
        ODD,
        ("nerf",),
        (16, 8),
        most=64,
    ),
    Kind(
        "octaves", lambda n, d, b: on(2.0 ** np.arange(d // 2), n, 0, 1 / n), ACCEPTED, ("octaves",), (16, 8), most=64
    ),
    Kind("float32", float32_made, ACCEPTED, ("vaswani",)),
    Kind("bfloat16", lambda n, d, b: bfloat16(paper(n, d, b)), ODD, ("vaswani",)),
    Kind("float16", lambda n, d, b: paper(n, d, b).astype(np.float16).astype(float), ODD, ("vaswani",)),
    Kind("4-decimals", lambda n, d, b: np.round(paper(n, d, b), 4), ACCEPTED, ("vaswani",)),
    Kind("transposed", lambda n, d, b: paper(n, d, b).T.copy(), ODD, ("vaswani",)),
    Kind("unit-time", lambda n, d, b: cos_halves(n, d, b, 0, 1 / (n - 1)), ODD, ("guided-diffusion",), (16, 6)),
    Kind(
        "timesteps",
        lambda n, d, b: cos_halves(n, d, b, 999.5, -999.5 / (n - 1)),
        ACCEPTED,
        ("guided-diffusion",),
        (16, 16),
    ),
    Kind("rope-ones", lambda n, d, b: rope(n, d, b, np.ones(d)), ACCEPTED, ("rope",), (8, 4)),
    Kind("rope-vector", lambda n, d, b: rope(n, d, b, random_of(n, d).standard_normal(d)), ODD, ("rope",), (8, 4)),
    Kind("rope-mixed", rope_mixed, REJECTED, ("rope-mixed",), (8, 8)),
    Kind("learned", lambda n, d, b: random_of(n, d).normal(0, 0.02, (n, d)), FOREIGN, ("unknown",)),
    Kind("random", lambda n, d, b: random_of(n, d).standard_normal((n, d)), FOREIGN, ("unknown",)),
    Kind("uniform", lambda n, d, b: random_of(n, d).uniform(-1, 1, (n, d)), FOREIGN, ("unknown",)),
    Kind("one-hot", lambda n, d, b: np.eye(n, d), FOREIGN, ("one-hot", "unknown")),
    Kind(
        "sin-only",
        lambda n, d, b: np.sin(np.outer(np.arange(n), random_of(n, d).uniform(0, 3, d))),
        FOREIGN,
        ("unknown",),
    ),
    Kind("permuted", lambda n, d, b: permuted(paper(n, d, b)), ACCEPTED, ("permuted",), (8, 6)),
    Kind("raw", lambda n, d, b: np.repeat(np.arange(n, dtype=float)[:, None], d, 1), REJECTED, ("raw-index",)),
    Kind("raw-scaled", lambda n, d, b: np.repeat(np.arange(n)[:, None] / n, d, 1), REJECTED, ("raw-index",)),
    Kind("angles", lambda n, d, b: np.repeat(angles(n, omega_paper(d, b)), 2, axis=1), REJECTED, ("angles",)),
    Kind("one-frequency", lambda n, d, b: on(np.ones(d // 2), n), REJECTED, ("one-frequency",)),
    Kind("per-column", per_column, REJECTED, ("per-column-exponent",)),
    Kind("cosine-ahead", cosine_ahead, REJECTED, ("cosine-one-ahead",)),
    Kind("exponent-doubled", lambda n, d, b: on(omega_paper(d, b) ** 2, n), REJECTED, ("exponent-doubled",), (8, 6)),
    Kind("multiplied", lambda n, d, b: on(1 / omega_paper(d, b), n), REJECTED, ("multiplied",), (8, 6)),
    Kind(
        "precedence",
        lambda n, d, b: on(np.exp(np.arange(0, d, 2) * (-np.log(b) / d // 2)), n),
        REJECTED,
        ("precedence",),
        (8, 6),
    ),
    Kind("precedence-2d", loftr_precedence, REJECTED, ("precedence",), (25, 12)),
    Kind("power-swapped", swapped_wavegrad, REJECTED, ("power-swapped",), (8, 6)),
    Kind(
        "from-one", lambda n, d, b: on(omega_paper(d, b) * b ** (-2 / d), n), REJECTED, ("exponent-from-one",), (8, 6)
    ),
    Kind(
        "log10", lambda n, d, b: on(np.exp(-4 * 2 * np.arange(d // 2) / d), n), REJECTED, ("wrong-logarithm",), (8, 6)
    ),
    Kind("cos-of-sin", cos_of_sin, REJECTED, ("cosine-of-sine",)),
    Kind("sin-sin", sin_sin, REJECTED, ("same-wave-twice",)),
    Kind("constant", lambda n, d, b: np.repeat(paper(1, d, b, 7), n, 0), REJECTED, ("constant-rows",)),
    Kind("zeros", lambda n, d, b: np.zeros((n, d)), REJECTED, ("all-zeros",)),
    Kind("ones", lambda n, d, b: np.ones((n, d)), REJECTED, ("constant-rows",)),
    Kind("clamped", clamped, REJECTED, ("clamped",)),
    Kind(
        "bf16-positions",
        lambda n, d, b: on_positions(bfloat16(250.0 + np.arange(n)), omega_paper(d, b)),
        REJECTED,
        ("positions-bfloat16",),
        (16, 6),
    ),
    Kind(
        "bf16-frequencies",
        lambda n, d, b: on(bfloat16(omega_paper(d, b)), n),
        REJECTED,
        ("frequencies-bfloat16",),
        (8, 6),
    ),
    Kind("integers", lambda n, d, b: np.trunc(paper(n, d, b)), REJECTED, ("integers",)),
    Kind("added-twice", lambda n, d, b: 2 * paper(n, d, b), REJECTED, ("added-twice",)),
    Kind(
        "under-words",
        lambda n, d, b: paper(n, d, b) + random_of(n, d).standard_normal((n, d)),
        REJECTED,
        ("under-words",),
        (50, 16),
    ),
    Kind(
        "drifted", lambda n, d, b: paper(n, d, b) + random_of(n, d).normal(0, 0.01, (n, d)), ODD, ("vaswani",), (16, 8)
    ),
    Kind("grid-order", meshgrid_slip, REJECTED, ("grid-order",), (25, 12), square=False),
    Kind("nan-d2", lambda n, d, b: np.full((n, 2), np.nan), REJECTED, ("one-pair-divides",)),
    Kind("infinite-d2", lambda n, d, b: np.full((n, 2), np.inf), REJECTED, ("all-not-finite",)),
    Kind("half-nan-d2", lambda n, d, b: np.tile([np.nan, 1.0], (n, 1)), REJECTED, ("not-finite",)),
    Kind("negative-base", negative_base, REJECTED, ("negative-base",), (8, 6)),
    Kind("one-nan", lambda n, d, b: with_nan(paper(n, d, b), n // 3, d // 3), REJECTED, ("not-finite",)),
    Kind("edited", edited, REJECTED, ("edited-cells",)),
    Kind(
        "shuffled-rows",
        lambda n, d, b: paper(n, d, b)[random_of(n, d).permutation(n)],
        REJECTED,
        ("shuffled-rows",),
        (16, 6),
    ),
    Kind("each-twice", lambda n, d, b: paper(n, d, b)[np.arange(n) // 2], REJECTED, ("repeated-rows",), (16, 6)),
    Kind("two-tables", lambda n, d, b: paper(n, d, b)[np.arange(n) % (n // 2)], REJECTED, ("restarted",), (16, 6)),
    Kind("missing-row", lambda n, d, b: np.delete(paper(n + 1, d, b), n // 2, axis=0), REJECTED, ("jump",), (16, 6)),
    Kind("under-a-token", lambda n, d, b: under_token(paper(n, d, b)), ODD, ("vaswani",), (20, 6)),
    Kind("grid-under-a-token", mae_under_token, ODD, ("mae",), (25, 8)),
    Kind("dropped-a-tenth", lambda n, d, b: dropped(paper(n, d, b), 0.1), REJECTED, ("dropped-out",), (50, 16)),
    Kind("dropped-half", lambda n, d, b: dropped(halves(n, d, b), 0.5), REJECTED, ("dropped-out",), (50, 16)),
    Kind("layer-normed", lambda n, d, b: layer_normed(paper(n, d, b)), REJECTED, ("layer-normed",), (8, 6)),
    Kind("rope-cache", rope_cache, ACCEPTED, ("rope-cache",), (8, 8)),
    Kind("float32-scaled", lambda n, d, b: float32_made(n, d, b) * np.sqrt(d + 0.5), ODD, ("vaswani",), (16, 6)),
    Kind("8-decimals", lambda n, d, b: np.round(float32_made(n, d, b), 8), ODD, ("vaswani",), (16, 16)),
    Kind(
        "6-digits",
        lambda n, d, b: np.array([[float(f"{x:g}") for x in row] for row in paper(n, d, b)]),
        ACCEPTED,
        ("vaswani",),
        (16, 6),
    ),
    Kind("one-column-wrong", lambda n, d, b: one_column(paper(n, d, b)), REJECTED, ("wrong-columns",), (8, 8), most=16),
)


def one_column(table: Table) -> Table:
    table[:, 2] = -table[:, 2]
    return table


SIZES: tuple[tuple[int, int], ...] = ((64, 16), (8, 4), (16, 6), (50, 8), (100, 32), (200, 64), (512, 32), (24, 512))
