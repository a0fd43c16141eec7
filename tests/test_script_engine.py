"""engine.js, run in the browser, against the Python engine."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Error, Page

from posenc import encode, frequencies, rotate, rotation, wavelengths

SHIPPED = 1e-12  # both sides multiply the same ω; only sine and cosine may differ, by 1.1e-16 each
RECOMPUTED = 1e-11  # Math.pow and NumPy's power differ in the last bits, which position 5,000 multiplies
SIZES = [(2, 10000.0), (6, 100.0), (16, 10000.0), (16, 0.5), (64, 2.0), (128, 1e7)]
POSITIONS = [0, 1, 5, 63, 710, 5000, -3, 0.5, 12.25]
LISTED = "const listed = (rows) => rows.map((row) => Array.from(row));"


@pytest.mark.parametrize(("d_model", "base"), SIZES)
def test_the_script_has_python_s_frequencies_and_wavelengths(scripts: Page, d_model: int, base: float) -> None:
    omega, waves = scripts.evaluate(
        """([dModel, base]) => {
            const omega = posenc.engine.frequencies(dModel, base);
            return [Array.from(omega), Array.from(posenc.engine.wavelengths(omega))];
        }""",
        [d_model, base],
    )
    np.testing.assert_allclose(omega, frequencies(d_model, base), rtol=1e-14)
    np.testing.assert_allclose(waves, wavelengths(frequencies(d_model, base)), rtol=1e-14)


@pytest.mark.parametrize(("d_model", "base"), SIZES)
def test_the_script_encodes_as_python_does(scripts: Page, d_model: int, base: float) -> None:
    rows = scripts.evaluate(
        f"(given) => {{ {LISTED} return listed(posenc.engine.encode(...given)) }}",
        [POSITIONS, d_model, base],
    )
    np.testing.assert_allclose(rows, encode(POSITIONS, d_model, base), rtol=0, atol=RECOMPUTED)


def test_base_10000_is_the_script_s_default_too(scripts: Page) -> None:
    assert scripts.evaluate(
        """() => String(posenc.engine.frequencies(16)) === String(posenc.engine.frequencies(16, 10000))
            && String(posenc.engine.encode([7], 16)) === String(posenc.engine.encode([7], 16, 10000))"""
    )


@pytest.mark.parametrize(("d_model", "base"), SIZES)
@pytest.mark.parametrize("k", [0, 1, 63, -5, 0.5, 5000])
def test_the_script_turns_as_python_does_by_python_s_frequencies(
    scripts: Page, d_model: int, base: float, k: float
) -> None:
    omega = frequencies(d_model, base)
    rows = encode(POSITIONS, d_model, base)
    blocks, turned = scripts.evaluate(
        f"""([rows, k, omega]) => {{
            {LISTED}
            return [posenc.engine.rotation(k, omega), listed(posenc.engine.rotate(rows, k, omega))];
        }}""",
        [rows.tolist(), k, omega.tolist()],
    )
    np.testing.assert_allclose(blocks, rotation(k, omega), rtol=0, atol=SHIPPED)
    np.testing.assert_allclose(turned, rotate(rows, k, omega), rtol=0, atol=SHIPPED)


# What JavaScript cannot tell apart from an allowed value (16.0 from 16) is not listed.
REFUSED: list[tuple[str, list[Any], str]] = [
    *(
        ("frequencies", [width], f"d_model must be an even integer of at least 2, got {shown}")
        for width, shown in [
            (15, "15"),
            (0, "0"),
            (-2, "-2"),
            (2.5, "2.5"),
            (True, "true"),
            ("16", '"16"'),
            (float("nan"), "NaN"),
            (float("inf"), "Infinity"),
            (None, "null"),
        ]
    ),
    *(
        ("frequencies", [16, base], f"base must be a finite number above 0, got {shown}")
        for base, shown in [
            (0, "0"),
            (-1, "-1"),
            (float("nan"), "NaN"),
            (float("inf"), "Infinity"),
            ("2", '"2"'),
            (None, "null"),
        ]
    ),
    ("encode", [[], 16], "positions must be at least one number long, got []"),
    ("encode", [[[0, 1]], 16], "positions must be a one-dimensional sequence of real numbers, got [[0,1]]"),
    ("encode", ["63", 16], 'positions must be a one-dimensional sequence of real numbers, got "63"'),
    ("encode", [["0"], 16], 'positions must be a one-dimensional sequence of real numbers, got ["0"]'),
    ("encode", [7, 16], "positions must be a one-dimensional sequence of real numbers, got 7"),
    ("encode", [[True], 16], "positions must be a one-dimensional sequence of real numbers, got [true]"),
    ("encode", [[None], 16], "positions must be a one-dimensional sequence of real numbers, got [null]"),
    ("encode", [[0, float("nan")], 16], "positions must be finite numbers, got NaN at index 1"),
    ("encode", [[float("-inf")], 16], "positions must be finite numbers, got -Infinity at index 0"),
    ("encode", [[1e308], 4, 1e-6], "positions must keep positions·ω finite, got 1e+308"),
    ("encode", [[0], 3], "d_model must be an even integer of at least 2, got 3"),
    ("rotation", [float("nan"), [1.0]], "k must be a finite number, got NaN"),
    ("rotation", ["1", [1.0]], 'k must be a finite number, got "1"'),
    ("rotation", [1e308, [10.0]], "k must keep k·ω finite, got 1e+308"),
    ("rotation", [1, []], "omega must be at least one number long, got []"),
    ("wavelengths", [[None]], "omega must be a one-dimensional sequence of real numbers, got [null]"),
    ("rotate", [[[0, 1, 0]], 1, [1, 0.5]], "rows must have 4 columns, one pair per frequency, got 3"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED, ids=[row[2] for row in REFUSED])
def test_the_script_refuses_by_name_value_and_rule(
    scripts: Page, function: str, arguments: list[Any], message: str
) -> None:
    with pytest.raises(Error) as refusal:
        scripts.evaluate("([name, given]) => { posenc.engine[name](...given); }", [function, arguments])
    assert f"RangeError: {message}\n" in f"{refusal.value.message}\n"


def test_the_pure_scripts_leave_one_name_behind_and_an_empty_page(scripts: Page) -> None:
    assert scripts.evaluate("Object.keys(posenc).sort()") == [
        "attention",
        "checks",
        "data",
        "downloads",
        "engine",
        "faults",
        "format",
        "graveyard",
        "linear",
        "proof",
        "slices",
        "states",
    ]
    assert scripts.evaluate("document.body.innerHTML") == ""
    added = """() => {
        const frame = document.createElement("iframe");
        document.body.append(frame);
        const born = new Set(Object.getOwnPropertyNames(frame.contentWindow));
        frame.remove();
        return Object.getOwnPropertyNames(window).filter((name) => !born.has(name) && !name.startsWith("__"));
    }"""
    assert "posenc" in scripts.evaluate(added)
    assert set(scripts.evaluate(added)) - {"posenc"} == set()
