"""Numbers as a reader sees them; templates/js/format.js mirrors these functions.

How they are written is the language's: `with writing(style):` holds for all that is written within, in this thread.
What a machine reads, drawings and data, is not written by these functions.
"""

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from markupsafe import Markup, escape

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Style:
    """How a language writes numbers. posenc/web/languages.py reads it from the language's site.md.

    lead: what stands before a power of ten, so that it keeps its order in a text from right to left.
    """

    decimal: str = "."
    group: str = ","
    minus: str = "−"
    lead: str = ""
    times_ten: str = "\u00a0×\u00a010"  # no-break spaces: a number never splits over two lines
    percent: str = "{number}\u00a0%"
    nan: str = "not a number"
    infinity: str = "∞"
    comma: str = ", "
    span: str = "{low} … {high}"
    steps: str = "{before} → {after}"


SCRIPTS_NEED = ("decimal", "group", "minus", "lead", "times_ten", "nan", "infinity", "comma")
ENGLISH = Style()
_style: ContextVar[Style] = ContextVar("style", default=ENGLISH)
style = _style.get


@contextmanager
def writing(style: Style) -> Iterator[None]:
    """All numbers within are written in this style."""
    token = _style.set(style)
    try:
        yield
    finally:
        _style.reset(token)


def fixed(x: float, decimals: int) -> str:
    """`x` with so many decimals, thousands parted; never −0."""
    if not math.isfinite(x):
        return _unbounded(x)
    text = f"{abs(x):,.{decimals}f}"
    negative = x < 0 and any(digit in text for digit in "123456789")
    return (style().minus if negative else "") + _signs(text)


def count(n: int) -> str:
    return fixed(n, 0)


def general(x: float) -> str:
    """`x` with as few digits as it has."""
    return (style().minus if x < 0 else "") + _signs(f"{abs(x):g}")


def bare(text: str) -> str:
    """A written number without decimals that are all zero."""
    whole, decimal, fraction = text.rpartition(style().decimal)
    return whole if decimal and not fraction.strip("0") else text


def sci(x: float, decimals: int = 1) -> str:
    """`x` as a mantissa times a power of ten, in characters that keep their superscripts when copied."""
    if not math.isfinite(x):
        return _unbounded(x)
    mantissa, exponent = f"{abs(x):.{decimals}e}".split("e")
    signs = style()
    return f"{signs.lead}{signs.minus if x < 0 else ''}{_signs(mantissa)}{signs.times_ten}{superscript(int(exponent))}"


def superscript(exponent: int) -> str:
    return str(exponent).translate(_SUPERSCRIPT)


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


def percent(share: float) -> str:
    """A share of one in whole percent."""
    return fill(style().percent, number=fixed(100 * share, 0))


def listed(texts: Iterable[str]) -> str:
    return style().comma.join(texts)


def span(low: str, high: str) -> str:
    """From one written number to another."""
    return fill(style().span, low=low, high=high)


def steps(before: str, after: str) -> str:
    """One written number that becomes another."""
    return fill(style().steps, before=before, after=after)


def machine(x: float) -> str:
    """A number as the value of a control has it, whatever the language."""
    return str(int(x)) if x == int(x) else repr(float(x))


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


def _signs(text: str) -> str:
    """What Python wrote, in the language's signs."""
    signs = style()
    if signs.decimal == "." and signs.group == ",":
        return text
    whole, _, fraction = text.partition(".")
    return whole.replace(",", signs.group) + (signs.decimal + fraction if fraction else "")


def _unbounded(x: float) -> str:
    if math.isnan(x):
        return style().nan
    return style().infinity if x > 0 else style().minus + style().infinity
