"""Every kind of table is called what it is: at several sizes, bases and precisions, edited, permuted, turned."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import diagnose
from posenc.check import judge
from posenc.check.bugs import MADE, SHAPES
from posenc.check.conventions import EXPECTABLE
from posenc.check.ladders import BROKEN, KNOWN
from posenc.check.sentences import lines, verdict
from tests import kinds
from tests.cost import cost
from tests.kinds import KINDS, Kind, Table

SIZES = ((64, 16), (8, 4), (50, 8), (72, 32))
LARGE = ((200, 128), (24, 256))
LARGE_KINDS = ("vaswani", "t2t", "permuted", "bfloat16", "per-column", "clamped", "learned")
BY_NAME = {kind.name: kind for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kind_is_called_what_it_is_at_every_size(kind: Kind) -> None:
    tried = [(n, d) for n, d in SIZES if kind.at(n, d)]
    assert tried
    for n, d in tried:
        found = diagnose(kind.make(n, d, 10000.0))
        assert (found.verdict, found.name in kind.names) == (kind.verdict, True), (n, d, found)
        assert found.shape == kind.make(n, d, 10000.0).shape


@pytest.mark.parametrize("name", LARGE_KINDS)
def test_wide_and_long_tables_are_called_what_they_are(name: str) -> None:
    kind = BY_NAME[name]
    for n, d in LARGE:
        found = diagnose(kind.make(n, d, 10000.0))
        assert (found.verdict, found.name in kind.names) == (kind.verdict, True), (n, d, found)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_answer_can_be_said_and_written_as_json(kind: Kind) -> None:
    n, d = next(size for size in SIZES if kind.at(*size))
    found = diagnose(kind.make(n, d, 10000.0))
    said = [verdict(found), *lines(found)]
    assert all(line.label and line.text and "{" not in line.text for line in said), said
    json.loads(json.dumps(found.record(), allow_nan=False))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.based], ids=lambda kind: kind.name)
@pytest.mark.parametrize("base", [500.0, 500000.0, 1e6])
def test_the_base_is_read_from_the_table(kind: Kind, base: float) -> None:
    found = diagnose(kind.make(64, 16, base))
    assert found.accepted
    assert found.name in kind.names
    assert found.convention is not None
    assert found.convention.base == base


@pytest.mark.parametrize("start", [0, 1, 5, 1000, 100_000])
@pytest.mark.parametrize("d", [4, 16, 64])
def test_the_first_position_is_read_from_the_table(start: int, d: int) -> None:
    found = diagnose(kinds.paper(32, d, 10000.0, start))
    assert found.convention is not None
    assert (found.accepted, found.convention.start, found.convention.step) == (True, start, 1)


def stored(table: Table, how: str) -> Table:
    if how == "bfloat16":
        return kinds.bfloat16(table)
    if how == "decimals":
        return np.round(table, 4)
    return table.astype(how).astype(np.float64)


@pytest.mark.parametrize("how", ["float32", "float16", "bfloat16", "decimals"])
@pytest.mark.parametrize(("n", "d"), [(64, 16), (200, 64), (8, 4), (512, 32)])
def test_how_values_were_stored_is_told_and_is_no_error(how: str, n: int, d: int) -> None:
    found = diagnose(stored(kinds.halves(n, d), how))
    assert (found.accepted, found.name, found.storage) == (True, "halves", how)


def test_float32_as_it_is_printed_is_still_float32() -> None:
    printed = [[float(str(value)) for value in row] for row in kinds.paper(64, 16).astype(np.float32)]
    found = diagnose(printed)
    assert (found.verdict, found.storage) == ("accepted", "float32")


def singles(form: str, n: int, d: int) -> Table:
    """The paper's table as models compute it, all in float32, each step of it rounded."""
    f = np.float32
    i = np.arange(0, d, 2, dtype=f)
    position = np.arange(n, dtype=f)[:, None]
    forms: dict[str, Callable[[], Table]] = {
        "exp": lambda: position * np.exp(i * f(-np.log(10000.0) / d)),
        "pow": lambda: position * (f(1) / f(10000) ** (i / f(d))),
        "divided": lambda: position / f(10000) ** (i / f(d)),
        "exp2": lambda: position * np.exp2(-i / f(d) * f(np.log2(10000.0))),
    }
    angle = forms[form]()
    return np.hstack([np.sin(angle), np.cos(angle)])


@pytest.mark.parametrize("form", ["exp", "pow", "divided", "exp2"])
@pytest.mark.parametrize("low", ["float32", "float16"])
def test_long_tables_computed_in_float32_are_no_edited_ones(form: str, low: str) -> None:
    table = singles(form, 2500, 64)
    found = diagnose(table.astype(low))
    assert (found.accepted, found.name, found.bug) == (True, "halves", None)


def test_a_far_start_in_float32_is_read() -> None:
    found = diagnose(singles("exp", 1032, 64)[1000:])
    assert found.convention is not None
    assert (found.verdict, found.convention.start) == ("accepted", 1000)


@pytest.mark.parametrize("make", ["paper", "permuted", "random"])
def test_a_large_table_is_judged_in_some_times_what_making_it_costs(make: str) -> None:
    n, d = 512, 512
    paper = kinds.paper(n, d)
    table = {"paper": paper, "permuted": kinds.permuted(paper), "random": kinds.random_of(n, d).normal(size=(n, d))}
    assert cost(lambda: diagnose(table[make])) < 80 * cost(lambda: kinds.paper(n, d))


@pytest.mark.parametrize(("n", "d"), [(64, 16), (8, 4), (200, 64), (16, 2)])
@pytest.mark.parametrize("by", [1e-6, -0.3])
def test_one_edited_cell_is_an_edit_and_is_found(n: int, d: int, by: float) -> None:
    random = np.random.default_rng(n * d)
    for _ in range(4):
        row, column = int(random.integers(n)), int(random.integers(d))
        table = kinds.paper(n, d)
        table[row, column] += by
        found = diagnose(table)
        assert found.verdict == "rejected", (row, column)
        assert found.bug is not None
        assert found.bug.key in ("edited-cells", "wrong-rows")
        assert (found.bug.numbers["row"], found.bug.numbers["column"]) == (row, column)
        assert found.bug.numbers["difference"] == pytest.approx(abs(by), rel=1e-6)


def test_a_base_that_was_asked_for_must_be_there() -> None:
    found = diagnose(kinds.paper(64, 16, 500000.0), base=10000)
    assert (found.verdict, found.name) == ("rejected", "other-base")
    assert diagnose(kinds.paper(64, 16, 777.0), base=777).verdict == "accepted"


def test_base_100_is_taken_for_half_the_exponent_only_when_another_base_was_asked_for() -> None:
    table = kinds.on(kinds.omega_paper(32, 10000)[:8], 64)
    alone, asked = diagnose(table), diagnose(table, base=10000)
    assert alone.verdict == "accepted with an oddity"
    assert "exponent-halved" in [note.key for note in alone.oddities]
    assert (asked.verdict, asked.name) == ("rejected", "exponent-halved")


def test_base_1000_at_six_columns_is_said_to_be_base_10000_at_eight() -> None:
    found = diagnose(kinds.paper(64, 6, 1000.0))
    note = next(note for note in found.ambiguities if note.key == "cut-from")
    assert (note.numbers["base"], note.numbers["width"]) == (10000, 8)


def test_one_pair_tells_no_base() -> None:
    found = diagnose(kinds.paper(64, 2))
    assert found.accepted
    assert [note.key for note in found.ambiguities] == ["one-pair"]
    assert found.convention is not None
    assert found.convention.base is None


@pytest.mark.parametrize("name", ["halves", "t2t", "cos-first", "cos-halves", "octaves", "permuted", "start-1"])
def test_false_alarms_are_none(name: str) -> None:
    kind = BY_NAME[name]
    assert diagnose(kind.make(64, 16, 10000.0)).bug is None


@pytest.mark.parametrize(
    "name", ["exponent-doubled", "multiplied", "precedence", "power-swapped", "one-frequency", "bf16-frequencies"]
)
def test_bugs_of_the_ladder_pass_four_invariants_and_fall_on_the_fifth(name: str) -> None:
    found = diagnose(BY_NAME[name].make(64, 16, 10000.0))
    assert [claim.name for claim in found.invariants if not claim.holds] == ["ladder"]


@pytest.mark.parametrize("name", ["vaswani", "halves", "t2t", "reversed", "mlx", "permuted", "float32", "transposed"])
def test_what_is_accepted_keeps_all_five_invariants(name: str) -> None:
    found = diagnose(BY_NAME[name].make(64, 16, 10000.0))
    assert [claim.name for claim in found.invariants if claim.holds] == [
        "bounded",
        "length",
        "distinct",
        "shift",
        "ladder",
    ]


@pytest.mark.parametrize("seed", range(3))
def test_random_tables_are_never_accepted(seed: int) -> None:
    random = np.random.default_rng(seed)
    for shape in ((64, 16), (8, 4)):
        for table in (random.standard_normal(shape), random.uniform(-1, 1, shape), random.choice([-1.0, 1.0], shape)):
            assert not diagnose(table).accepted, shape


@settings(max_examples=24)
@given(st.data())
def test_a_random_convention_is_named_or_said_to_be_ambiguous(data: st.DataObject) -> None:
    n = data.draw(st.integers(16, 120))
    pairs = data.draw(st.integers(2, 24))
    base = data.draw(st.sampled_from([10000.0, 500000.0, 500.0, 100.0, 12345.0, 1e6]))
    start = data.draw(st.sampled_from([0, 1, 2, 5, 77]))
    paper = data.draw(st.booleans())
    scale = data.draw(st.sampled_from([1.0, 0.5, 1.41421]))
    layout = data.draw(st.sampled_from(["interleaved", "cos-first", "halves", "cos-halves", "permuted"]))
    omega = kinds.omega_paper(2 * pairs, base) if paper else kinds.omega_t2t(2 * pairs, base)
    angle = kinds.angles(n, omega, start)
    if data.draw(st.booleans()):
        angle = angle[::-1]
    sine, cosine = scale * np.sin(angle), scale * np.cos(angle)
    table = {
        "interleaved": kinds.interleaved(sine, cosine),
        "cos-first": kinds.interleaved(cosine, sine),
        "halves": np.hstack([sine, cosine]),
        "cos-halves": np.hstack([cosine, sine]),
        "permuted": np.hstack([sine, cosine]),
    }[layout]
    if layout == "permuted":
        table = table[:, data.draw(st.permutations(range(2 * pairs)))]
    found = diagnose(table)
    known = found.convention
    named = (
        found.accepted
        and known is not None
        and known.ladder == ("paper" if paper else "tensor2tensor")
        and known.base == pytest.approx(base, rel=1e-6)
        and known.layout in (layout, "permuted" if layout == "permuted" else layout)
        and known.scale == pytest.approx(scale)
    )
    assert named or found.ambiguities or (layout == "permuted" and found.accepted), found


def test_d_2_and_tiny_tables_are_answered() -> None:
    for n in (1, 2, 3, 4):
        for d in (1, 2, 3, 4):
            found = diagnose(kinds.paper(n, d) if d % 2 == 0 else kinds.odd_trimmed(n, d, 10000.0, d))
            assert found.verdict in ("accepted", "accepted with an oddity", "rejected", "not a sinusoidal encoding")


@pytest.mark.parametrize("shape", [(1, 64, 16), (64, 1, 16), (1, 1, 64, 16)])
def test_axes_of_length_one_are_squeezed(shape: tuple[int, ...]) -> None:
    assert diagnose(kinds.paper(64, 16).reshape(shape)).verdict == "accepted"


@pytest.mark.parametrize("array", [np.zeros((2, 3, 4)), np.zeros(5), np.zeros((0, 4)), np.array("x"), [[1j]], [[True]]])
def test_what_is_no_table_is_refused_with_the_argument_s_name(array: Any) -> None:
    with pytest.raises(ValueError, match="array must"):
        diagnose(array)


def test_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MAX_CELLS", 100)
    with pytest.raises(ValueError, match="at most 100 cells"):
        diagnose(kinds.paper(64, 16))


def test_keys_are_told_apart_and_each_has_its_words() -> None:
    from posenc.check.words import words

    said = words()
    for key in EXPECTABLE:
        assert f"convention.{key}" in said
    for ladder in KNOWN:
        assert f"ladder.{ladder.key}" in said
    shapes = [shape.key for shape in SHAPES if shape.standing == "rejected"]
    for key in (*(slip.key for slip in BROKEN), *(bug.key for bug in MADE), *shapes):
        assert f"bug.{key}" in said
        assert f"fix.{key}" in said
    for shape in SHAPES:
        if shape.standing == "foreign":
            assert f"foreign.{shape.key}" in said


def test_a_note_for_every_key_in_the_source() -> None:
    """Keys that stand in the code as text have words, so that no answer is left without."""
    import re
    from pathlib import Path

    from posenc.check.words import words

    said = words()
    folder = Path(judge.__file__).parent
    for path in folder.glob("*.py"):
        for key in re.findall(r'Note\(\s*"([a-z0-9-]+)"', path.read_text("utf-8")):
            assert any(f"{kind}.{key}" in said for kind in ("note", "bug", "ambiguity")), (path.name, key)
        for key in re.findall(r'Unreadable\(\s*"([a-z0-9-]+)"', path.read_text("utf-8")):
            assert f"error.{key}" in said, (path.name, key)
