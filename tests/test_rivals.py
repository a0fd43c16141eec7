"""Six schemes, six properties: each number is what its rule gives, and each property has a table that breaks it."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode
from posenc.rivals import POSITIONS, SCHEMES, Trial, clash, scaled, step, trials, tried

CONFIG = Config()
ALL = ("bounded", "length", "distinct", "graded", "shift", "width")
FAILED = {
    "sinusoid": (),
    "raw": ("bounded", "length", "shift"),
    "scaled": ("length", "shift"),
    "onehot": ("graded", "width"),
    "wave": ("graded",),
    "random": ("graded", "shift"),
}
SHOWN: dict[str, tuple[tuple[float, ...], ...]] = {
    "sinusoid": ((1,), (8**0.5, 8**0.5), (1.0147,), (0.7489,), (0,), (16, 16)),
    "raw": ((63,), (0, 63), (1,), (1,), (63 * 63,), (1, 1)),
    "scaled": ((1,), (0, 1), (1 / 63,), (1 / 63,), (1,), (1, 1)),
    "onehot": ((1,), (1, 1), (2**0.5,), (0,), (0,), (64, 128)),
    "wave": ((1,), (1, 1), (0.0177,), (0.0177 - 2 * math.sin(0.5),), (0,), (2, 2)),
    "random": ((0.7265,), (1, 1), (0.7107,), (-0.9986,), (1.4331,), (16, 16)),
}


def trial(name: str, config: Config = CONFIG) -> Trial:
    return next(trial for trial in trials(config) if trial.name == name)


def failed(found: Trial) -> tuple[str, ...]:
    return tuple(finding.name for finding in found.findings if not finding.holds)


@pytest.mark.parametrize("name", SCHEMES)
def test_each_scheme_fails_exactly_what_it_should_and_shows_the_numbers_of_its_rule(name: str) -> None:
    found = trial(name)
    assert tuple(finding.name for finding in found.findings) == ALL
    assert failed(found) == FAILED[name]
    assert found.held == len(ALL) - len(FAILED[name])
    for finding, shown in zip(found.findings, SHOWN[name], strict=True):
        assert finding.shown == pytest.approx(shown, abs=6e-5), finding.name


def test_no_single_virtue_is_the_sinusoids_own_but_all_together_are() -> None:
    others = [found for found in trials(CONFIG) if found.name != "sinusoid"]
    for place in range(len(ALL)):
        assert any(found.findings[place].holds for found in others), ALL[place]
    assert max(found.held for found in others) == len(ALL) - 1
    assert trial("sinusoid").held == len(ALL)


def test_a_narrow_encoding_is_not_graded_and_says_so() -> None:
    for config in (Config(d_model=2), Config(d_model=8), Config(base=1.0), Config(base=1e7)):
        assert failed(trial("sinusoid", config)) == ("graded",), config
    assert trial("sinusoid", Config(d_model=2)).findings == trial("wave").findings


def doubled_row(rows: Floats) -> Floats:
    return np.vstack([rows[:20], rows[3:4], rows[21:]])


def one_cell(value: float) -> Callable[[Floats], Floats]:
    def change(rows: Floats) -> Floats:
        changed = rows.copy()
        changed[10, 3] = value
        return changed

    return change


SABOTEURS: list[tuple[str, Callable[[Floats], Floats], tuple[str, ...]]] = [
    ("columns permuted", lambda rows: rows[:, ::-1], ()),
    ("twice as large", lambda rows: 2 * rows, ("bounded",)),
    ("one row shorter", lambda rows: np.vstack([rows[:9], 0.99 * rows[9:10], rows[10:]]), ("length", "shift")),
    (
        "one row longer",
        lambda rows: np.vstack([rows[:9], 1.01 * rows[9:10], rows[10:]]),
        ("bounded", "length", "shift"),
    ),
    ("a row twice", doubled_row, ("distinct", "graded", "shift")),
    ("rows dealt out", lambda rows: rows[np.arange(64) * 37 % 64], ("graded", "shift")),
    ("two rows swapped", lambda rows: rows[[*range(20), 40, *range(21, 40), 20, *range(41, 64)]], ("graded", "shift")),
    ("one cell moved", lambda rows: rows + 1e-6 * (np.arange(64) == 9)[:, None], ("length", "shift")),
    ("one cell NaN", one_cell(math.nan), ("bounded", "length", "distinct", "graded", "shift")),
    ("one cell ∞", one_cell(math.inf), ("bounded", "length", "graded", "shift")),
]


@pytest.mark.parametrize(("name", "change", "fallen"), SABOTEURS, ids=[name for name, _, _ in SABOTEURS])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_saboteur_brings_down_exactly_its_properties(
    name: str, change: Callable[[Floats], Floats], fallen: tuple[str, ...]
) -> None:
    rows = change(encode(range(POSITIONS), 16))
    assert failed(tried(name, rows, rows, CONFIG)) == fallen
    assert failed(tried(name, rows, np.hstack([rows, rows]), CONFIG)) == (*fallen, "width")


@pytest.mark.parametrize("name", SCHEMES)
def test_the_shift_holds_exactly_when_an_orthogonal_map_carries_every_row(name: str) -> None:
    """The oracle looks for the map itself: of all orthogonal ones the nearest, by singular values (Procrustes), which
    the slow waves leave uncertain by some 1e-8. A few rows alone always have one, so only short shifts are tried."""
    rows = SCHEMES[name](POSITIONS, CONFIG)
    worst = 0.0
    for k in range(1, POSITIONS // 2):
        before, after = rows[:-k], rows[k:]
        left, _, right = np.linalg.svd(before.T @ after)
        worst = max(worst, float(np.abs(before @ (left @ right) - after).max()))
    shift = next(finding for finding in trial(name).findings if finding.name == "shift")
    assert (worst < 1e-6) == shift.holds
    assert not 1e-6 < worst < 1e-3


def test_the_grading_is_that_of_all_pairs_of_rows() -> None:
    for name, rows in SCHEMES.items():
        table = rows(POSITIONS, CONFIG)
        apart = {(a, b): math.dist(table[a], table[b]) for b in range(POSITIONS) for a in range(b)}
        nearest = min(distance for (a, b), distance in apart.items() if b - a > 1)
        farthest = max(distance for (a, b), distance in apart.items() if b - a == 1)
        findings = {finding.name: finding for finding in trial(name).findings}
        assert findings["graded"].measured == pytest.approx(nearest - farthest, abs=1e-12)
        assert findings["distinct"].measured == pytest.approx(min(apart.values()), abs=1e-12)


def test_the_single_wave_nearly_comes_round_after_seven_turns() -> None:
    found = clash()
    assert found.offset == 44
    assert found.distance == pytest.approx(0.0177, abs=5e-5)
    assert found.neighbours == pytest.approx(2 * math.sin(0.5))


def test_a_scaled_index_runs_from_0_to_1_whatever_the_length() -> None:
    for n in (2, 64, 1000):
        assert scaled(np.arange(n), n)[[0, -1]].tolist() == [0, 1]
        assert step(n) == pytest.approx(1 / (n - 1))
    assert scaled(np.arange(1), 1).tolist() == [0]
