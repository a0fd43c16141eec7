"""downloads.js, run in the browser: each file, read by Python, is the browser's table to the bit."""

import base64
import io
import json
import math
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc.arrays import Floats

TABLES = {
    "the default": "table(64, 16)",
    "one row": "table(1, 2)",
    "a long one": "table(700, 6)",
    "a wide one": "table(3, 512)",
    "plain arrays": "table(5, 4).map((row) => Array.from(row))",
    "the raw index": "posenc.faults.rawIndex({ n_positions: 9, d_model: 4 })",
    "the ends of float64": "[[0, -0], [5e-324, -5e-324], [Number.MAX_VALUE, -1e-7], [1e21, 0.1 + 0.2], [1 / 3, 7]]",
    "not numbers": "[[NaN, 1], [Infinity, -Infinity], [-0, 0.5]]",
}
FINITE = [name for name in TABLES if name != "not numbers"]
CONFIG = {"d_model": 16, "n_positions": 64, "base": 10000.5}

PREPARED = """
const table = (n, dModel) => posenc.engine.encode(Array.from({ length: n }, (_, position) => position), dModel);
const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const bits = (rows) => base64(new Uint8Array(Float64Array.from(rows.flatMap((row) => Array.from(row))).buffer));
"""


def made(scripts: Page, name: str, file: str) -> tuple[Any, Floats]:
    """A file, and the table as it stands in the browser's memory."""
    making = f"(config) => {{ {PREPARED} const rows = {TABLES[name]}; return [{file}, bits(rows), rows[0].length]; }}"
    given, bits, columns = scripts.evaluate(making, CONFIG)
    return given, np.frombuffer(base64.b64decode(bits), "<f8").reshape(-1, columns)


def assert_same_bits(read: Floats, table: Floats) -> None:
    """NaN is NaN, whatever its payload."""
    assert read.shape == table.shape
    assert read.dtype == np.float64
    assert np.array_equal(np.isnan(read), np.isnan(table))
    finite = ~np.isnan(table)
    assert read[finite].tobytes() == table[finite].tobytes()


@pytest.mark.parametrize("name", TABLES)
def test_a_csv_file_gives_every_float_back(scripts: Page, name: str) -> None:
    text, table = made(scripts, name, "posenc.downloads.csv(rows)")
    assert text.endswith("\n")
    assert text.count("\n") == len(table)
    assert_same_bits(np.array([[float(cell) for cell in line.split(",")] for line in text.splitlines()]), table)
    assert_same_bits(np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2), table)


@pytest.mark.parametrize("name", FINITE)
def test_a_csv_file_has_no_digit_too_many(scripts: Page, name: str) -> None:
    text, _ = made(scripts, name, "posenc.downloads.csv(rows)")
    for cell in text.replace("\n", ",").split(",")[:-1]:
        assert digits(cell) <= digits(repr(float(cell)))


def digits(cell: str) -> int:
    mantissa = cell.lower().split("e")[0].strip("-").replace(".", "")
    return len(mantissa.strip("0"))


@pytest.mark.parametrize("name", FINITE)
def test_a_json_file_gives_every_float_and_the_config_back(scripts: Page, name: str) -> None:
    text, table = made(scripts, name, "posenc.downloads.json(rows, config)")
    read = json.loads(text)
    assert list(read) == ["config", "table"]
    assert read["config"] == CONFIG
    assert_same_bits(np.array(read["table"], dtype=np.float64), table)
    assert text.endswith("\n")


def test_a_json_file_has_null_for_what_json_cannot_say(scripts: Page) -> None:
    text, _ = made(scripts, "not numbers", "posenc.downloads.json(rows, config)")
    read = json.loads(text, parse_constant=pytest.fail)["table"]
    assert read == [[None, 1], [None, None], [0, 0.5]]
    assert math.copysign(1, read[2][0]) == -1


@pytest.mark.parametrize("name", TABLES)
def test_a_npy_file_is_numpy_s_own_format(scripts: Page, name: str) -> None:
    file, table = made(scripts, name, "base64(posenc.downloads.npy(rows))")
    data = base64.b64decode(file)
    read = np.load(io.BytesIO(data), allow_pickle=False)
    assert_same_bits(read, table)
    assert read.flags.c_contiguous
    assert np.lib.format.read_magic(io.BytesIO(data)) == (1, 0)
    assert (len(data) - table.nbytes) % 64 == 0


@pytest.mark.parametrize("file", ["csv", "json"])
def test_a_file_made_in_slices_is_the_same_and_rests(scripts: Page, file: str) -> None:
    same, told = scripts.evaluate(
        f"""(config) => {{
            {PREPARED}
            const rows = table(2000, 16);
            const told = [];
            const work = posenc.downloads.{file}Slices(rows, config);
            let step = work.next();
            for (; !step.done; step = work.next()) told.push(step.value.done);
            return [step.value === posenc.downloads.{file}(rows, config), told];
        }}""",
        CONFIG,
    )
    assert same
    assert told == sorted(told)
    assert len(told) >= 5
