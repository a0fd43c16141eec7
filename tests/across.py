"""Tables on their way into a page: the bytes of their float64 values, which JSON would make long and lose NaN of."""

import base64
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

TABLES = """() => {
    globalThis.across = ({ bytes, width }) => {
        const values = new Float64Array(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)).buffer);
        return Array.from({ length: values.length / width }, (_, row) =>
            values.slice(row * width, (row + 1) * width));
    };
}"""
"""`across(sent)` in the page is the table as the check's scripts take it: an array of rows, each a Float64Array."""


def sent(table: ArrayLike) -> dict[str, Any]:
    """A table of two dimensions for `across`."""
    values = np.ascontiguousarray(table, dtype="<f8")
    return {"bytes": base64.b64encode(values.tobytes()).decode(), "width": values.shape[1]}


def sent_values(values: ArrayLike) -> dict[str, Any]:
    """A list of numbers, as a table of one row."""
    return sent(np.asarray(values, dtype=np.float64)[None, :])


def differences(one: Any, other: Any, path: str = "", *, turns: bool = False) -> list[str]:
    """Where two answers differ in shape, words or, by more than a millionth, in numbers; with `turns` numbers may be
    angles, and a whole turn is no difference."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [each for key in one for each in differences(one[key], other[key], f"{path}.{key}", turns=turns)]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [each for i, pair in pairs for each in differences(*pair, f"{path}[{i}]", turns=turns)]
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (one, other))
    if numbers and (math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)):
        return []
    if numbers and turns and abs(math.remainder(one - other, 2 * math.pi)) <= 1e-9:
        return []
    return [] if one == other and isinstance(one, bool) == isinstance(other, bool) else [f"{path}: {one} ≠ {other}"]
