"""Numbers as a reader sees them; templates/js/format.js mirrors these functions."""

import math
import re

from markupsafe import Markup, escape

MINUS = "−"
TIMES_TEN = "\u00a0×\u00a010"  # no-break spaces: a number never splits over two lines
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def fixed(x: float, decimals: int) -> str:
    """`x` with so many decimals, thousands parted by commas; never −0."""
    if not math.isfinite(x):
        return _unbounded(x)
    text = f"{abs(x):,.{decimals}f}"
    negative = x < 0 and any(digit in text for digit in "123456789")
    return MINUS + text if negative else text


def count(n: int) -> str:
    return fixed(n, 0)


def sci(x: float, decimals: int = 1) -> str:
    """`x` as a mantissa times a power of ten, in characters that keep their superscripts when copied."""
    if not math.isfinite(x):
        return _unbounded(x)
    mantissa, exponent = f"{abs(x):.{decimals}e}".split("e")
    return f"{MINUS if x < 0 else ''}{mantissa}{TIMES_TEN}{str(int(exponent)).translate(_SUPERSCRIPT)}"


def measured(x: float) -> str:
    """A measured number: plain between 0.001 and 100,000, as a power of ten outside, 0 as 0."""
    if x == 0 or not math.isfinite(x):
        return "0" if x == 0 else _unbounded(x)
    size = abs(x)
    if size < 1e-3 or size >= 1e5:
        return sci(x)
    return fixed(x, 4 if size < 10 else 2)


def plain(x: float) -> str:
    """A number that was chosen: whole ones as they are, others as measured ones."""
    return count(int(x)) if x == int(x) and abs(x) < 1e15 else measured(x)


class UnknownPlaceholder(ValueError):  # noqa: N818 - it is what it says
    """A text asks for a value that nobody gives it."""

    def __init__(self, template: str, placeholder: str) -> None:
        self.template, self.placeholder = template, placeholder
        super().__init__(f"unknown placeholder {placeholder} in {template!r}")


def fill(template: str, **values: object) -> str:
    """`{name}` replaced by its value, escaped if the template is markup; nothing else in braces means anything."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            raise UnknownPlaceholder(str(template), found[0])
        given = values[found[1]]
        return str(escape(given)) if isinstance(template, Markup) else str(given)

    return type(template)(_PLACEHOLDER.sub(value, template))


def _unbounded(x: float) -> str:
    if math.isnan(x):
        return "not a number"
    return "∞" if x > 0 else f"{MINUS}∞"
