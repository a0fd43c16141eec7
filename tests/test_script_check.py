"""A reader's own table is judged in the browser as it is by Python: record for record, word for word."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc import diagnose
from posenc.arrays import Floats
from posenc.check.diagnosis import Diagnosis
from posenc.check.sentences import lines, verdict
from posenc.check.words import words
from posenc.formats import rounded
from tests import kinds
from tests.across import differences, sent
from tests.kinds import KINDS
from tests.test_script_proof import METHODS

NOISE = 1e-9  # below it, the place of a largest error is the place of a rounding

DIAGNOSED = """([tables, options, strings]) => tables.map((each, i) => {
    try {
        const found = posenc.check.diagnose(across(each), options[i]);
        return { record: found.record, words: posenc.check.sentences(found, "table", strings) };
    } catch (error) {
        return { record: { error: String(error.stack) } };
    }
})"""

Tables = dict[str, Floats]


def diagnosed(page: Page, tables: Tables, **options: float) -> dict[str, Any]:
    """What the page says of each table."""
    given = [
        [sent(table) for table in tables.values()],
        [options] * len(tables),
        {f"check.{key}": text for key, text in words().items()},
    ]
    return dict(zip(tables, page.evaluate(DIAGNOSED, given), strict=True))


def told(found: Diagnosis) -> dict[str, Any]:
    """The same by Python."""
    said = [verdict(found), *lines(found)]
    return {"record": found.record(), "words": [{"label": line.label, "text": line.text} for line in said]}


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


def apart(page: Page, tables: Tables, **options: float) -> dict[str, Any]:
    """The tables of which page and Python do not say the same, and where they differ."""
    found = diagnosed(page, tables, **options)
    differing = {}
    for name, table in tables.items():
        if "error" in found[name]["record"]:
            differing[name] = found[name]["record"]["error"]
            continue
        expected = told(diagnose(table, **options))
        records = differences(plain(found[name]["record"]), plain(expected["record"]))
        if records:
            differing[name] = records
    return differing


def of_size(n: int, d: int, base: float = 10000.0) -> Tables:
    made = {f"{kind.name} {n}×{d}": kind.make(n, d, base) for kind in KINDS if kind.at(n, d)}
    return {name: np.asarray(table, dtype=np.float64) for name, table in made.items()}


@pytest.mark.parametrize(("n", "d"), [(64, 16), (8, 4), (16, 6), (50, 8), (30, 12), (2, 2), (72, 32)])
def test_every_kind_of_table_is_judged_as_by_python(check: Page, n: int, d: int) -> None:
    assert apart(check, of_size(n, d)) == {}


@pytest.mark.parametrize("base", [500.0, 500000.0])
def test_other_bases_are_told_as_by_python(check: Page, base: float) -> None:
    assert apart(check, of_size(32, 12, base)) == {}


def test_tables_in_every_format_are_judged_as_by_python(check: Page) -> None:
    tables = {}
    for name, table in of_size(40, 8).items():
        tables[f"{name} float32"] = rounded(table, "float32")
        tables[f"{name} bfloat16"] = rounded(table, "bfloat16")
        tables[f"{name} 5 decimals"] = np.round(table, 5)
    assert apart(check, tables) == {}


def test_an_edited_cell_is_found_as_by_python(check: Page) -> None:
    random = np.random.default_rng(6)
    tables = {}
    for n, d in ((64, 16), (8, 4), (100, 32)):
        for by in (1e-6, -0.3, 1e-3):
            row, column = int(random.integers(n)), int(random.integers(d))
            table = kinds.halves(n, d)
            table[row, column] += by
            tables[f"{n}×{d} {by} at {row}, {column}"] = table
    assert apart(check, tables) == {}
