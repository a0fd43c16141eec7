"""Tables as text: CSV as people have it, tabs, blanks, JSON. Bytes in, an array out, or Unreadable with the place."""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_COLUMNS, MAX_ROWS, MAX_CELLS, MAX_LINE = 2**16, 2**20, 2**22, 2**21
_NOTHING = {"", "nan", "na", "n/a", "null", "none", "-nan", "+nan", "#n/a"}
_INDEX_NAMES = {"", "index", "idx", "pos", "position", "row", "unnamed: 0", "#", "t", "step"}
_COMMA_NUMBERS = re.compile(r"\s*[-+−]?\d+,\d+(?:[eE][-+−]?\d+)?(?:\s+[-+−]?\d+,\d+(?:[eE][-+−]?\d+)?)+\s*")
_SIGNS = str.maketrans({"−": "-", "\u00a0": " ", "\u202f": " ", "﹣": "-", "－": "-"})

Array = NDArray[Any]


class Unreadable(ValueError):  # noqa: N818 - it is what it says
    """Why a file cannot be read: a key of the words, and its numbers."""

    def __init__(self, key: str, **numbers: Any) -> None:
        self.key, self.numbers = key, numbers
        super().__init__(f"{key} {numbers}")


def from_text(content: bytes) -> tuple[Array, str]:
    """Rows of numbers; header, index, both or nothing was left out."""
    text = decoded(content).replace("[", " ").replace("]", " ")
    lines = _lines(text)
    if not lines:
        raise Unreadable("no-numbers")
    delimiter, comma = separators(lines)
    try:
        cells = _cells(lines, delimiter)
        header = _split_header(cells, comma)
        rows = cells[1:] if header is not None else cells
        if not rows:
            raise Unreadable("no-numbers")
        table = _numbers(rows, comma, 2 if header is not None else 1)
    except csv.Error:
        raise Unreadable("not-text") from None
    if table.shape[1] > 1 and np.all([row[-1] == "" for row in rows]):
        table = table[:, :-1]  # every row ends with a separator
    if _is_index(table, header):
        return table[:, 1:], "both" if header is not None else "index"
    return table, "header" if header is not None else ""


def _lines(text: str) -> list[str]:
    """Lines with something in them, comments left out; no more and no longer ones than a table may have."""
    found = text.count("\n") + text.count("\r")
    if found > 2 * MAX_ROWS:
        raise Unreadable("lines", lines=found, limit=MAX_ROWS)
    lines = text.splitlines()
    longest = max(map(len, lines), default=0)
    if longest > MAX_LINE:
        raise Unreadable("long-line", row=1 + next(row for row, line in enumerate(lines) if len(line) == longest))
    return [line for line in lines if line.strip() and not line.lstrip().startswith(("#", "%"))]


def decoded(content: bytes) -> str:
    """UTF-8, with or without its mark, or UTF-16 with it; line ends of any system."""
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable("not-text") from None
    if "\0" in text:
        raise Unreadable("not-text")
    return text.translate(_SIGNS)


def separators(lines: list[str]) -> tuple[str | None, bool]:
    """What stands between two cells (None for blanks), and whether a comma is the decimal sign."""
    some = lines[:20]
    together = "\n".join(some)
    for sign in (";", "\t", "|"):
        if sign in together:
            return sign, re.search(r"\d,\d", together) is not None and "." not in re.sub(r"[A-Za-z]\S*", "", together)
    if all(_COMMA_NUMBERS.fullmatch(line) for line in some):
        return None, True
    return ("," if "," in together else None), False


def _cells(lines: list[str], delimiter: str | None) -> list[list[str]]:
    rows: list[list[str]] = []
    count = 0
    reader = (
        (line.split() for line in lines)
        if delimiter is None
        else csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    )
    for row in reader:
        count += len(row)
        if count > MAX_CELLS:
            raise Unreadable("text-cells", limit=MAX_CELLS)
        if row:
            rows.append([cell.strip() for cell in row])
    return rows


def _split_header(cells: list[list[str]], comma: bool) -> list[str] | None:
    """The first row if it is none of numbers, or counts the columns as pandas does."""
    first = cells[0]
    numbers = [_number(cell, comma) for cell in first]
    if any(number is None for number in numbers):
        return first
    names = first[1:] if first[0] == "" else first
    if len(names) > 2 and names == [str(column) for column in range(len(names))]:
        return first
    return None


def _numbers(rows: list[list[str]], comma: bool, first_line: int) -> Array:
    width = len(rows[0])
    if width > MAX_COLUMNS:
        raise Unreadable("columns", columns=width, limit=MAX_COLUMNS)
    table = np.empty((len(rows), width))
    for place, row in enumerate(rows):
        if len(row) != width:
            raise Unreadable("ragged", row=place + first_line, found=len(row), wanted=width)
        for column, cell in enumerate(row):
            number = _number(cell, comma)
            if number is None:
                raise Unreadable("not-a-number", row=place + first_line, column=column + 1, text=repr(cell[:40]))
            table[place, column] = number
    return table


def _number(cell: str, comma: bool) -> float | None:
    """The cell's number, NaN for what stands for nothing, None for words."""
    if cell.lower() in _NOTHING:
        return float("nan")
    try:
        return float(cell.replace(",", ".") if comma else cell) if "_" not in cell else None
    except ValueError:
        return None


def _is_index(table: Array, header: list[str] | None) -> bool:
    """Whether the first column counts the rows; not when its neighbour is the same (the raw index is a bug to find)."""
    if table.shape[1] < 2 or len(table) < 3:
        return False
    first = table[:, 0]
    counts = np.array_equal(first, first[0] + np.arange(len(first))) and float(first[0]).is_integer()
    named = header is not None and header[0].strip().lower() in _INDEX_NAMES
    return bool(counts and (named or not np.array_equal(first, table[:, 1])))


def from_json(content: bytes) -> dict[str, Array]:
    """Rows of numbers, or an object with such values by name; null is NaN."""
    text = decoded(content)
    if max(text.count(","), text.count("[")) > MAX_CELLS:
        raise Unreadable("text-cells", limit=MAX_CELLS)
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable("json", reason=str(error)[:200]) from None
    except RecursionError:
        raise Unreadable("json", reason="it is nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise Unreadable("json-shape") from None
    if isinstance(found, dict):
        arrays = {key: value for key, value in found.items() if isinstance(value, list)}
        if not arrays:
            raise Unreadable("json-shape")
        return {key: _array(value) if len(arrays) == 1 else _late(value) for key, value in arrays.items()}
    if not isinstance(found, list):
        raise Unreadable("json-shape")
    return {"": _array(found)}


def _late(value: list[Any]) -> Array:
    """An array that may not be the one that is wanted: its faults are no reason to refuse the others."""
    try:
        return _array(value)
    except Unreadable:
        return np.empty((0, 0))


def _array(rows: list[Any]) -> Array:
    if rows and all(isinstance(row, list) for row in rows):
        widths = [len(row) for row in rows]
        for place, width in enumerate(widths):
            if width != widths[0]:
                raise Unreadable("ragged", row=place + 1, found=width, wanted=widths[0])
    if not all(_plain(value) for value in _leaves(rows, 0)):
        raise Unreadable("json-shape")
    try:
        return np.array(rows, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise Unreadable("json-shape") from None


def _leaves(value: Any, depth: int) -> Iterator[Any]:
    if isinstance(value, list):
        if depth > 8:
            raise Unreadable("json-shape")
        for each in value:
            yield from _leaves(each, depth + 1)
    else:
        yield value


def _plain(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
