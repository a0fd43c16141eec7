"""A reader's own table is judged in the browser as it is by Python, record for record."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc import diagnose
from posenc.formats import rounded
from tests import kinds
from tests.across import differences, sent
from tests.kinds import KINDS, Table
from tests.test_script_proof import METHODS

NOISE = 1e-9  # below it, the place of a largest error is the place of a rounding

DIAGNOSED = "([tables, options]) => tables.map((each) => posenc.check.diagnose(across(each), options).record)"

Tables = dict[str, Table]


def plain(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what rounding alone decides, and a claim without its words, which the page has elsewhere."""
    record = {**record, "shape": list(record["shape"])}
    record["invariants"] = [plain_claim(claim) for claim in record["invariants"]]
    near = record["nearest"]
    if near is not None and near["difference"] < NOISE:
        record["nearest"] = {key: near[key] for key in ("key", "base", "start", "share")}
    return record


def plain_claim(claim: dict[str, Any]) -> dict[str, Any]:
    """In an encoding all rows with k between them are as far apart, so that their position is that of a rounding."""
    where, measured = claim["where"], claim["measured"]
    if measured is not None and measured < NOISE:
        where = None
    elif claim["name"] == "distinct":
        where = {**where, "position": None}
    rest = {key: value for key, value in claim.items() if key != "claim"}
    return {**rest, "where": where, "method": METHODS.get(claim["method"], claim["method"])}


def apart(page: Page, tables: Tables, **options: float) -> dict[str, list[str]]:
    """The tables of which page and Python do not say the same, and where they differ."""
    found = page.evaluate(DIAGNOSED, [[sent(table) for table in tables.values()], options])
    return {
        name: differing
        for (name, table), record in zip(tables.items(), found, strict=True)
        if (differing := differences(plain(record), plain(diagnose(table, **options).record())))
    }


def of_size(n: int, d: int, base: float = 10000.0) -> Tables:
    made = {f"{kind.name} {n}×{d}": kind.make(n, d, base) for kind in KINDS if kind.at(n, d)}
    return {name: np.asarray(table, dtype=np.float64) for name, table in made.items()}


MORE = [pytest.param(*size, marks=pytest.mark.long) for size in ((16, 6), (50, 8), (72, 32))]


@pytest.mark.parametrize(("n", "d"), [(64, 16), (8, 4), *MORE])
def test_every_kind_of_table_is_judged_as_by_python(check: Page, n: int, d: int) -> None:
    assert apart(check, of_size(n, d)) == {}


@pytest.mark.parametrize("base", [500.0, 500000.0])
def test_other_bases_are_told_as_by_python(check: Page, base: float) -> None:
    based = [kind for kind in KINDS if kind.based]
    assert apart(check, {kind.name: kind.make(32, 12, base) for kind in based}) == {}


def test_the_base_that_was_asked_for_is_asked_for_in_the_page_too(check: Page) -> None:
    tables = {str(base): kinds.paper(32, 12, base) for base in (10000.0, 500.0, 777.0)}
    assert apart(check, tables, base=777.0, tolerance=1e-7) == {}


@pytest.mark.long
def test_tables_in_every_format_are_judged_as_by_python(check: Page) -> None:
    ways: dict[str, Callable[[Table], Table]] = {
        "float32": lambda table: rounded(table, "float32"),
        "bfloat16": lambda table: rounded(table, "bfloat16"),
        "5 decimals": lambda table: np.round(table, 5),
    }
    tables: Tables = {}
    for i, (name, table) in enumerate(of_size(40, 8).items()):  # each kind in one format, each format at many kinds
        way = tuple(ways)[i % len(ways)]
        tables[f"{name} {way}"] = ways[way](table)
    assert apart(check, tables) == {}


def test_an_edited_cell_is_found_as_by_python(check: Page) -> None:
    random = np.random.default_rng(6)
    tables: Tables = {}
    for n, d in ((64, 16), (8, 4), (100, 32)):
        for by in (1e-6, -0.3, 1e-3):
            row, column = int(random.integers(n)), int(random.integers(d))
            table = kinds.halves(n, d)
            table[row, column] += by
            tables[f"{n}×{d} {by} at {row}, {column}"] = table
    assert apart(check, tables) == {}
