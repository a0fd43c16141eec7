"""The invariants hold on the encoding, and each saboteur brings down exactly those it should."""

import hashlib
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from posenc import BrokenInvariant, Config, Invariant, Proof, encode, frequencies, prove, rotation
from posenc.arrays import Floats
from posenc.phases import Units, _ladder, sin_cos
from posenc.proof import Where, fingerprint
from tests.saboteurs import ALL, SABOTEURS, Saboteur, counted_from_one, edited, rows_taken, true_table

CONFIG = Config()
CLEAN = [
    Config(),
    Config(d_model=2, n_positions=64),
    Config(d_model=2, n_positions=1, probes=(0, 0)),
    Config(d_model=2, n_positions=2, probes=(0, 1)),
    Config(d_model=64, n_positions=256),
    Config(d_model=30, n_positions=50),
    Config(n_positions=1, probes=(0, 0)),
    Config(base=2.0),
    Config(base=1.0),
    Config(base=0.5),
    Config(base=1e7),
]
ROUNDING = 1e-12  # 256 positions of rounded angles stay well below; the tolerance is 1e-9

# Frequencies as published slips have them. R_k is built from the same wrong ω, so only `ladder` sees them.
WRONG_FREQUENCIES: dict[str, Callable[[Floats, int, float], Floats]] = {
    "exponent i/d": lambda i, d, base: base ** (-i / d),
    "exponent 4i/d": lambda i, d, base: base ** (-4 * i / d),
    "exponent 2(i + 1)/d": lambda i, d, base: base ** (-2 * (i + 1) / d),
    "exponent 2i/(d − 2)": lambda i, d, base: base ** (-2 * i / (d - 2)),
    "base 1000": lambda i, d, base: 1000.0 ** (-2 * i / d),
    "every ω = 1": lambda i, d, base: np.ones_like(i),
    "ω = e^(−2i)": lambda i, d, base: np.exp(-2.0 * i),
    "multiplied for divided": lambda i, d, base: base ** (2 * i / d),
    "slowest first": lambda i, d, base: (base ** (-2 * i / d))[::-1],
}


def named(saboteur: Saboteur) -> str:
    return saboteur.name


def fallen(proof: Proof) -> tuple[str, ...]:
    return tuple(invariant.name for invariant in proof.broken)


def where(table: Floats, name: str) -> Where:
    return next(invariant.where for invariant in prove(table, CONFIG).invariants if invariant.name == name)


@pytest.mark.parametrize("config", CLEAN, ids=str)
def test_every_invariant_holds_on_the_encoding(config: Config) -> None:
    proof = prove(true_table(config), config)
    assert fallen(proof) == ()
    assert proof.holds
    proof.require()
    assert tuple(invariant.name for invariant in proof.invariants) == ALL
    measured = {invariant.name: invariant.measured for invariant in proof.invariants}
    assert measured["bounded"] == 1.0
    assert max(measured["length"], measured["shift"], measured["ladder"]) <= ROUNDING


def test_the_closest_pair_of_the_worked_example_is_one_step_apart() -> None:
    closest = next(claim for claim in prove(true_table(CONFIG), CONFIG).invariants if claim.name == "distinct")
    assert closest.where.k == 1
    step = math.sqrt(sum(4 * math.sin(w / 2) ** 2 for w in frequencies(16)))
    assert closest.measured == pytest.approx(step, rel=1e-14)


def test_one_row_has_no_neighbour_to_be_alike() -> None:
    alone = Config(n_positions=1, probes=(0, 0))
    closest = prove(true_table(alone), alone).invariants[ALL.index("distinct")]
    assert (closest.measured, closest.where, closest.holds) == (math.inf, Where(), True)


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=named)
def test_a_saboteur_brings_down_exactly_its_invariants(saboteur: Saboteur) -> None:
    proof = prove(saboteur.build(CONFIG), CONFIG)
    assert fallen(proof) == saboteur.fallen
    assert not proof.holds


@pytest.mark.parametrize("name", ALL)
def test_each_invariant_has_its_saboteur_and_only_the_ladder_sees_them_all(name: str) -> None:
    assert any(name in saboteur.fallen for saboteur in SABOTEURS)
    assert all(name in saboteur.fallen for saboteur in SABOTEURS) == (name == "ladder")


def test_a_square_table_turned_on_its_side_falls() -> None:
    square = Config(d_model=16, n_positions=16, probes=(0, 1))
    assert fallen(prove(true_table(square).T, square)) == ("length", "shift", "ladder")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_one_broken_cell_breaks_a_table_of_one_row(value: float) -> None:
    alone = Config(d_model=2, n_positions=1, probes=(0, 0))
    assert fallen(prove([[value, 1.0]], alone)) == ALL


@pytest.mark.parametrize("name", WRONG_FREQUENCIES)
def test_only_the_ladder_sees_wrong_frequencies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(n_pairs: int, steps: int, base: Decimal) -> list[Decimal]:
        omega = WRONG_FREQUENCIES[name](np.arange(n_pairs, dtype=float), 2 * n_pairs, float(base))
        return [Decimal(frequency) for frequency in omega.tolist()]

    monkeypatch.setattr("posenc.phases._frequencies", wrong)
    monkeypatch.setattr("posenc.engine.ladder", lambda d_model, base: _ladder.__wrapped__(d_model, base, "paper"))
    assert fallen(prove(true_table(CONFIG), CONFIG)) == ("ladder",)


@pytest.mark.parametrize("place", [(0, 1), (1, 0)])
def test_a_sign_flipped_in_the_rotation_is_seen_by_the_shift_alone(
    place: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def mirrored(k: float, omega: Floats) -> Floats:
        blocks = rotation(k, omega)
        blocks[:, *place] *= -1
        return blocks

    monkeypatch.setattr("posenc.engine.rotation", mirrored)
    assert fallen(prove(true_table(CONFIG), CONFIG)) == ("shift",)


def test_a_rotation_that_always_turns_by_one_step_is_seen_by_the_shift_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("posenc.engine.rotation", lambda k, omega: rotation(1, omega))
    assert fallen(prove(true_table(CONFIG), CONFIG)) == ("shift",)


def test_sine_and_cosine_exchanged_in_the_engine_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def exchanged(phase: Units) -> tuple[Floats, Floats]:
        sin, cos = sin_cos(phase)
        return cos, sin

    monkeypatch.setattr("posenc.engine.sin_cos", exchanged)
    assert fallen(prove(true_table(CONFIG), CONFIG)) == ("shift", "ladder")


def test_the_place_is_that_of_the_sabotaged_cell() -> None:
    outsize = edited(10, 3, 2.0)(CONFIG)
    assert where(outsize, "bounded") == Where(position=10, pair=1)
    assert where(outsize, "length") == Where(position=10)
    assert where(outsize, "ladder") == Where(position=10, pair=1)
    broken_shift = where(outsize, "shift")
    assert broken_shift.position is not None
    assert broken_shift.k is not None
    assert 10 in (broken_shift.position, broken_shift.position + broken_shift.k)
    assert broken_shift.pair == 1


def test_the_place_is_that_of_the_two_like_rows() -> None:
    table = rows_taken(lambda n: [*range(21), 13, *range(22, n)])(CONFIG)
    assert where(table, "distinct") == Where(position=13, k=8)


def test_the_place_of_a_nan_is_its_own_even_beside_larger_errors() -> None:
    table = edited(40, 6, math.nan)(CONFIG)
    table[3, 2] = table[50, 9] = 99.0
    assert where(table, "bounded") == Where(position=40, pair=3)
    assert where(table, "length") == Where(position=40)
    assert where(table, "ladder") == Where(position=40, pair=3)
    assert where(table, "shift") == Where(position=40, k=0, pair=3)
    assert where(table, "distinct") == Where(position=39, k=1)


def test_a_broken_invariant_says_name_measured_bound_and_place() -> None:
    with pytest.raises(BrokenInvariant) as broken:
        prove(edited(10, 3, 2.0)(CONFIG), CONFIG).require()
    lines = str(broken.value).splitlines()
    assert [claim.name for claim in broken.value.invariants] == ["bounded", "length", "shift", "ladder"]
    assert lines[0] == (
        "broken invariant bounded: every value lies in [−1, 1]; measured 2, must be <= 1; worst at position 10, pair 1"
    )
    assert lines[2].endswith("must be <= 1e-09; worst at position 9, k = 1, pair 1")
    assert len(lines) == 4


def test_an_invariant_without_a_place_names_none() -> None:
    assert str(Invariant("distinct", "c", math.nan, ">=", 1e-9, Where())).endswith("measured nan, must be >= 1e-09")


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_a_bound_is_kept_when_it_is_met_and_never_by_a_nan(relation: Any) -> None:
    assert Invariant("n", "c", 1.0, relation, 1.0, Where()).holds
    assert not Invariant("n", "c", math.nan, relation, 1.0, Where()).holds
    assert not Invariant("n", "c", 2.0 if relation == "<=" else 0.5, relation, 1.0, Where()).holds


@pytest.mark.parametrize("table", [[[0.0, 1.0]], np.zeros((16, 64)), np.zeros((64, 16, 1)), []])
def test_a_table_of_another_shape_is_refused_with_both_shapes(table: Any) -> None:
    with pytest.raises(ValueError, match=r"^table must have shape \(64, 16\), got \("):
        prove(table, CONFIG)


def test_the_fingerprint_is_the_documented_text_hashed() -> None:
    lines = []
    for position in range(CONFIG.n_positions):
        cells = []
        for i in range(CONFIG.n_pairs):
            angle = position / 10000 ** (2 * i / 16)
            cells += [f"{math.sin(angle):.9f}", f"{math.cos(angle):.9f}"]
        lines.append(",".join(cells).replace("-0.000000000", "0.000000000") + "\n")
    assert fingerprint(true_table(CONFIG)) == hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def test_the_fingerprint_sees_a_cell_moved_by_a_millionth_and_another_start() -> None:
    seen = {
        fingerprint(table)
        for table in (
            true_table(CONFIG),
            edited(63, 15, -1e-6, by=True)(CONFIG),
            counted_from_one(CONFIG),
            encode(np.arange(63), 16),
        )
    }
    assert len(seen) == 4


def test_the_fingerprint_knows_one_zero() -> None:
    zeros = [np.array([[zero, 1.0]]) for zero in (0.0, -0.0, -1e-12)]
    assert len({fingerprint(table) for table in zeros}) == 1
