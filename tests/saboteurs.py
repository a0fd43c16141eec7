"""Tables that are not the encoding, each with the invariants that fall on it; the rest hold."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posenc import Config, encode
from posenc.arrays import Floats
from posenc.faults import raw_index

ALL = ("bounded", "length", "distinct", "shift", "ladder")


@dataclass(frozen=True, slots=True)
class Saboteur:
    name: str
    fallen: tuple[str, ...]
    build: Callable[[Config], Floats]


def true_table(config: Config) -> Floats:
    return encode(np.arange(config.n_positions), config.d_model, config.base)


def edited(position: int, column: int, value: float, *, by: bool = False) -> Callable[[Config], Floats]:
    """The true table with one cell set to a value, or moved by it."""

    def build(config: Config) -> Floats:
        table = true_table(config)
        table[position, column] = table[position, column] + value if by else value
        return table

    return build


def rows_taken(order: Callable[[int], list[int]]) -> Callable[[Config], Floats]:
    return lambda config: true_table(config)[order(config.n_positions)]


def swapped(n: int) -> list[int]:
    return [*range(20), 21, 20, *range(22, n)]


def doubled(n: int) -> list[int]:
    return [*range(21), 13, *range(22, n)]


def flipped_column(config: Config) -> Floats:
    table = true_table(config)
    table[:, 4] *= -1
    return table


def swapped_columns(config: Config) -> Floats:
    """Cosine first, sine second."""
    return true_table(config).reshape(config.n_positions, -1, 2)[:, :, ::-1].reshape(config.n_positions, -1)


def halves(config: Config) -> Floats:
    """[sin … | cos …]: a convention of its own, and not this one."""
    table = true_table(config)
    return np.hstack([table[:, 0::2], table[:, 1::2]])


def cosine_of_the_next_pair(config: Config) -> Floats:
    """Cosine exponent 2(i + 1)."""
    table = true_table(config)
    pair = np.arange(config.n_pairs)
    angle = np.arange(config.n_positions)[:, None] / config.base ** (2 * (pair + 1) / config.d_model)
    table[:, 1::2] = np.cos(angle)
    return table


def sine_only(config: Config) -> Floats:
    table = true_table(config)
    table[:, 1::2] = table[:, 0::2]
    return table


def constant(config: Config) -> Floats:
    return np.repeat(true_table(config)[5:6], config.n_positions, axis=0)


def other_base(config: Config) -> Floats:
    return encode(np.arange(config.n_positions), config.d_model, 1000.0)


def counted_from_one(config: Config) -> Floats:
    return encode(np.arange(config.n_positions) + 1, config.d_model, config.base)


SABOTEURS = (
    Saboteur("raw index", ("bounded", "length", "shift", "ladder"), raw_index),
    Saboteur("one cell moved by 1e-6", ("length", "shift", "ladder"), edited(10, 3, 1e-6, by=True)),
    Saboteur("one cell of 2", ("bounded", "length", "shift", "ladder"), edited(10, 3, 2.0)),
    Saboteur("two rows swapped", ("shift", "ladder"), rows_taken(swapped)),
    Saboteur("a row twice", ("distinct", "shift", "ladder"), rows_taken(doubled)),
    Saboteur("one column’s sign flipped", ("shift", "ladder"), flipped_column),
    Saboteur("scaled by 1.001", ("bounded", "length", "ladder"), lambda config: 1.001 * true_table(config)),
    Saboteur("scaled by 0.999", ("length", "ladder"), lambda config: 0.999 * true_table(config)),
    Saboteur("cosine exponent 2(i + 1)", ("length", "shift", "ladder"), cosine_of_the_next_pair),
    Saboteur("sine only", ("length", "shift", "ladder"), sine_only),
    Saboteur("cosine before sine", ("shift", "ladder"), swapped_columns),
    Saboteur("halves", ("shift", "ladder"), halves),
    Saboteur("base 1000", ("shift", "ladder"), other_base),
    Saboteur("positions from 1", ("ladder",), counted_from_one),
    Saboteur(
        "float32",
        ("length", "shift", "ladder"),
        lambda c: true_table(c).astype(np.float32).astype(np.float64),
    ),
    Saboteur("one cell NaN", ALL, edited(10, 3, np.nan)),
    Saboteur("one cell ∞", ("bounded", "length", "shift", "ladder"), edited(10, 3, np.inf)),
    Saboteur("one cell −∞", ("bounded", "length", "shift", "ladder"), edited(10, 2, -np.inf)),
    Saboteur("all NaN", ALL, lambda config: np.full_like(true_table(config), np.nan)),
    Saboteur("all zeros", ("length", "distinct", "ladder"), lambda config: np.zeros_like(true_table(config))),
    Saboteur("the same row everywhere", ("distinct", "shift", "ladder"), constant),
)
