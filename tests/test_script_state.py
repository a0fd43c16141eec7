"""templates/js/state.js: whatever is asked for, the values stay within their limits, and a link restores them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

from posenc.config import Config
from posenc.web import state

FIELDS = state.record((*state.shared(Config()), state.choice("tamper", "tamper", ("none", "raw", "sine"))))
START = {field["name"]: field["start"] for field in FIELDS}
NONSENSE = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "NaN", "Infinity", "-Infinity", "1e400", "0x10", "5.5", "-0", "  7 ", "1,000", "−3", "2e1"]),
    st.integers(-(10**20), 10**20).map(str),
    st.floats(allow_nan=False, width=64).map(str),
)
ASKED = st.dictionaries(st.sampled_from([*START, "unknown"]), NONSENSE)


def change(scripts: Page, now: dict[str, Any], asked: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    done = scripts.evaluate("([fields, now, asked]) => posenc.states.change(fields, now, asked)", [FIELDS, now, asked])
    return done["values"], done["notes"]


def within(values: dict[str, Any]) -> bool:
    d, n, k = values["d_model"], values["n_positions"], values["k"]
    whole = all(float(values[name]).is_integer() for name in ("d_model", "n_positions", "pos", "second", "k", "pair"))
    return (
        whole
        and 2 <= d <= 512
        and d % 2 == 0
        and 1 <= n <= 2048
        and 1 <= values["base"] <= 1e7
        and 0 <= values["pos"] < n
        and 0 <= values["second"] < n
        and -n < k < n
        and 0 <= values["pair"] < d // 2
        and values["tamper"] in ("none", "raw", "sine")
    )


@given(st.lists(ASKED, min_size=1, max_size=3))
def test_whatever_is_asked_for_the_values_stay_within_their_limits(scripts: Page, asked: list[dict[str, str]]) -> None:
    values = START
    for each in asked:
        values, _ = change(scripts, values, each)
        assert within(values), values
        assert set(values) == set(START)


@given(st.lists(ASKED, min_size=1, max_size=3))
def test_a_link_restores_the_values(scripts: Page, asked: list[dict[str, str]]) -> None:
    values = START
    for each in asked:
        values, _ = change(scripts, values, each)
    query = scripts.evaluate("([fields, values]) => posenc.states.write(fields, values)", [FIELDS, values])
    read = scripts.evaluate("([fields, query]) => posenc.states.read(fields, query)", [FIELDS, query])
    assert change(scripts, START, read) == (values, [])
    assert query.isascii()
    assert (query == "") == (values == START)


@pytest.mark.parametrize(
    ("name", "asked", "taken"),
    [
        ("d_model", "7", 8),
        ("d_model", "0", 2),
        ("d_model", "1e9", 512),
        ("n_positions", "-3", 1),
        ("n_positions", "12.4", 12),
        ("base", "0", 1),
        ("pos", "64", 63),
        ("pos", "dog", 5),
        ("k", "−100", -63),
        ("pair", "8", 7),
        ("tamper", "<script>", "none"),
    ],
)
def test_what_cannot_be_is_told_and_the_nearest_is_taken(scripts: Page, name: str, asked: str, taken: Any) -> None:
    values, notes = change(scripts, START, {name: asked})
    assert values[name] == taken
    assert notes == [{"name": name, "asked": asked, "taken": taken}]


@pytest.mark.parametrize(
    ("asked", "taken"), [("1,000", 1000), ("1 000", 1000), ("1e3", 1000), ("+1000.0", 1000), ("1000", 1000)]
)
def test_a_number_is_read_as_people_write_it_and_nothing_is_told(scripts: Page, asked: str, taken: float) -> None:
    assert change(scripts, START, {"base": asked}) == (START | {"base": taken}, [])


def test_what_depends_on_a_smaller_table_moves_into_it_untold(scripts: Page) -> None:
    values, notes = change(scripts, START | {"pair": 7, "second": 63, "k": -63}, {"d_model": "8", "n_positions": "10"})
    assert (values["pair"], values["pos"], values["second"], values["k"]) == (3, 5, 9, -9)
    assert notes == []


def test_a_long_piece_of_nonsense_is_said_back_short(scripts: Page) -> None:
    _, notes = change(scripts, START, {"pos": "😀" * 500})
    assert len(notes[0]["asked"]) <= 25


def test_a_table_built_beyond_the_limits_is_where_its_page_starts(scripts: Page) -> None:
    fields = state.record(state.shared(Config(d_model=1024, n_positions=8, base=0.5, probes=(0, 7))))
    start = {field["name"]: field["start"] for field in fields}
    done = scripts.evaluate("([fields, start]) => posenc.states.change(fields, start, start)", [fields, start])
    assert done == {"values": start, "notes": []}
