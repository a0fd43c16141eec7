"""Numbers as a reader sees them, by Python and by format.js: the same to the letter."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Error, Page

from posenc.web import format as numbers
from tests.conftest import SCRIPTS

NASTY = [
    *(0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 0.125, 0.375, -0.125, 1.005, 1.25, 1.35, 0.05, 0.15, 0.25, 0.045),
    *(9.5, 9.995, 9.9999, 9.99995, 99.995, 99.5, 999.5, 999.9999, 1000.0, 999999.5, 9999999.999999),
    *(1e-3, 9.99e-4, 0.001 - 1e-19, 1e5, 99999.994, 99999.995, 99999.9999, 1e-9, 2.609e-15, 5e-324, 2**-1074),
    *(12345.678, 1234567.891, 19869.1765, 2.0**53, 2.0**53 - 1, 2.0**53 - 0.5, 1e21, 1e22, 1.5e300, 1.8e308),
    *(-0.00004, -0.00005, -0.4, -1e-12, -63.0, -1e21, 6.283185307179586, math.pi * 1e5, 1 / 3, 2 / 3),
    *(math.nan, math.inf, -math.inf, 25.0, 35.0, 2.5e-10, 2.5e10, 125.0, 1.5e15, 4503599627370497.5),
]


def random_doubles(count: int) -> list[float]:
    """Doubles of every size, and numbers midway between two decimals."""
    random = np.random.default_rng(7)
    spread = random.standard_normal(count) * 10 ** random.uniform(-20, 20, count)
    midway = (2 * random.integers(-4000, 4000, count) + 1) / 16
    return [*spread.tolist(), *midway.tolist()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (numbers.fixed(19869.1765, 1), "19,869.2"),
        (numbers.fixed(-0.25, 1), "−0.2"),
        (numbers.fixed(-0.00004, 4), "0.0000"),
        (numbers.fixed(1234567.0, 0), "1,234,567"),
        (numbers.fixed(999.9999, 2), "1,000.00"),
        (numbers.count(65536), "65,536"),
        (numbers.count(-64), "−64"),
        (numbers.sci(2.609e-15), "2.6\u00a0×\u00a010⁻¹⁵"),
        (numbers.sci(-1234.0, 2), "−1.23\u00a0×\u00a010³"),
        (numbers.sci(9.99e9), "1.0\u00a0×\u00a010¹⁰"),
        (numbers.sci(0.0), "0.0\u00a0×\u00a010⁰"),
        (numbers.measured(0.0), "0"),
        (numbers.measured(-0.0), "0"),
        (numbers.measured(1.0147253), "1.0147"),
        (numbers.measured(146.2), "146.20"),
        (numbers.measured(2.609e-15), "2.6\u00a0×\u00a010⁻¹⁵"),
        (numbers.measured(math.nan), "not a number"),
        (numbers.measured(math.inf), "∞"),
        (numbers.fixed(-math.inf, 3), "−∞"),
        (numbers.sci(math.nan), "not a number"),
    ],
)
def test_a_number_is_written_for_a_reader(text: str, expected: str) -> None:
    assert text == expected


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 12))
def test_a_fixed_number_reads_back_as_the_number_rounded(x: float, decimals: int) -> None:
    text = numbers.fixed(x, decimals).replace(",", "").replace(numbers.ENGLISH.minus, "-")
    assert float(text) == float(f"{x:.{decimals}f}")
    assert float(text) != 0 or not text.startswith("-")


def test_the_script_writes_every_number_as_python_does(scripts: Page) -> None:
    values = [*NASTY, *random_doubles(500)]
    written = scripts.evaluate(
        """(values) => values.map((x) => [
            posenc.format.measured(x), posenc.format.count(x), posenc.format.sci(x),
            ...[0, 1, 2, 3, 4, 12].map((n) => posenc.format.fixed(x, n)),
            ...[0, 1, 2, 3, 15].map((n) => posenc.format.sci(x, n)),
        ])""",
        values,
    )
    for x, texts in zip(values, written, strict=True):
        expected = [numbers.measured(x), numbers.fixed(x, 0), numbers.sci(x)]
        expected += [numbers.fixed(x, n) for n in (0, 1, 2, 3, 4, 12)]
        expected += [numbers.sci(x, n) for n in (0, 1, 2, 3, 15)]
        assert texts == expected, repr(x)


FILL = "([template, values]) => posenc.format.fill(template, values)"


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("position {position}, pair {pair}", {"position": 10, "pair": "1"}, "position 10, pair 1"),
        ("{a}{a}", {"a": "x"}, "xx"),
        ("no slot", {}, "no slot"),
        ("{a}", {"a": "{b} $& $1"}, "{b} $& $1"),
        ("{zero}", {"zero": 0}, "0"),
        ("{ not a slot }", {}, "{ not a slot }"),
    ],
)
def test_a_template_is_filled_by_name(scripts: Page, template: str, values: dict[str, Any], expected: str) -> None:
    assert scripts.evaluate(FILL, [template, values]) == expected


@pytest.mark.parametrize("name", ["worst", "toString"])
def test_a_value_that_is_missing_stops_the_script_by_name(scripts: Page, name: str) -> None:
    with pytest.raises(Error, match=f"RangeError: values must have {name}, wanted by "):
        scripts.evaluate(FILL, [f"at {{{name}}}", {"place": 1}])


def test_the_page_s_data_are_read_when_asked_for_and_once(page: Page) -> None:
    page.add_script_tag(path=SCRIPTS / "format.js")
    assert page.evaluate(
        """() => {
            const block = document.createElement("script");
            block.type = "application/json";
            block.id = "data";
            block.textContent = '{"config": {"d_model": 16}}';
            document.body.append(block);
            const first = posenc.data();
            block.remove();
            return first.config.d_model === 16 && posenc.data() === first;
        }"""
    )
