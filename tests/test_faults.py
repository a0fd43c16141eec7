"""The planted faults: each is its slip and no other, and falls on exactly the invariants that the bench shows."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode
from posenc.faults import FAULTS, raw_index
from posenc.proof import prove
from tests.saboteurs import true_table

NAMES = ("raw", "cosine", "exponent", "sine", "from-one", "halves", "bfloat16")
FALLEN = {
    "raw": ("bounded", "length", "shift", "ladder"),
    "cosine": ("length", "shift", "ladder"),
    "exponent": ("shift", "ladder"),
    "sine": ("length", "shift", "ladder"),
    "from-one": ("ladder",),
    "halves": ("shift", "ladder"),
    "bfloat16": (),
}

# A cell by its slip, written out: (position, column, d, B) -> value.
BY_HAND: dict[str, Callable[[int, int, int, float], float]] = {
    "raw": lambda p, c, d, b: p,
    "cosine": lambda p, c, d, b: math.cos(p / b ** (2 * (c // 2 + 1) / d)) if c % 2 else math.sin(p / b ** (c / d)),
    "exponent": lambda p, c, d, b: (math.cos if c % 2 else math.sin)(p / b ** ((c // 2) / d)),
    "sine": lambda p, c, d, b: math.sin(p / b ** (2 * (c // 2) / d)),
    "from-one": lambda p, c, d, b: (math.cos if c % 2 else math.sin)((p + 1) / b ** (2 * (c // 2) / d)),
    "halves": lambda p, c, d, b: (math.sin if c < d // 2 else math.cos)(p / b ** (2 * (c % (d // 2)) / d)),
    "bfloat16": lambda p, c, d, b: (math.cos if c % 2 else math.sin)(nearest(p) / b ** (2 * (c // 2) / d)),
}


def nearest(position: int) -> int:
    """Of the whole numbers with eight significant bits the nearest, ties to even; positions below 512."""
    return position if position < 256 else 2 * round(position / 2)  # round() takes the even one


def fallen(table: Floats, config: Config) -> tuple[str, ...]:
    return tuple(claim.name for claim in prove(table, config).broken)


def test_the_bench_has_seven_faults_and_the_raw_index_comes_first() -> None:
    assert tuple(FAULTS) == NAMES
    assert all(fault.name == name for name, fault in FAULTS.items())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "config",
    [Config(), Config(d_model=2), Config(d_model=6, n_positions=300, base=3.0)],
    ids=["default", "narrow", "long"],
)
def test_each_fault_is_its_slip_cell_by_cell(name: str, config: Config) -> None:
    table = FAULTS[name].table(config)
    assert table.shape == (config.n_positions, config.d_model)
    for position in range(config.n_positions):
        by_hand = [BY_HAND[name](position, column, config.d_model, config.base) for column in range(config.d_model)]
        assert np.allclose(table[position], by_hand, rtol=0, atol=1e-12), position


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_falls_on_exactly_its_invariants(name: str) -> None:
    assert fallen(FAULTS[name].table(Config()), Config()) == FALLEN[name]


def test_rounded_positions_bite_from_257_on_and_not_before() -> None:
    for rows, expected in ((257, ()), (258, ("distinct", "shift", "ladder"))):
        config = Config(n_positions=rows)
        assert fallen(FAULTS["bfloat16"].table(config), config) == expected


def test_the_halves_put_back_are_the_encoding_itself() -> None:
    for config in (Config(), Config(d_model=2), Config(d_model=10)):
        fault = FAULTS["halves"]
        assert fault.mend is not None
        assert np.array_equal(fault.table(config)[:, fault.mend(config)], true_table(config))
    assert [name for name, fault in FAULTS.items() if fault.mend] == ["halves"]


def test_a_fault_starts_where_the_table_does() -> None:
    config = Config(n_positions=4, start=250, probes=(0, 1))
    assert raw_index(config)[:, 0].tolist() == [250, 251, 252, 253]
    assert np.array_equal(FAULTS["from-one"].table(config), encode(np.arange(251, 255), 16))


def test_no_fault_is_the_encoding() -> None:
    longer = Config(n_positions=300)
    for fault in FAULTS.values():
        assert not np.allclose(fault.table(longer), true_table(longer), atol=1e-6), fault.name
