"""The oracle of the proof against sixty digits, and its independence."""

import ast

import numpy as np
import pytest

from posenc import book
from tests.checkout import ROOT
from tests.oracle import error, some_pairs

POSITIONS = [0, 1, -7, 63, 710, 10**6, 10**7, 355 * 10**9, 2**53 - 1, 2**53, -(2**53)]
LAST_PLACES = 3e-16


@pytest.mark.parametrize(("d_model", "base"), [(2, 10000.0), (16, 10000.0), (64, 1e7), (512, 2.0), (16, 0.5)])
def test_the_book_is_right_for_every_position(d_model: int, base: float) -> None:
    rows = book.rows(np.array(POSITIONS, dtype=float), d_model, base)
    assert error(rows, POSITIONS, some_pairs(d_model), d_model, base) <= LAST_PLACES


def test_the_book_shares_no_code_with_the_engine() -> None:
    names = {
        node.module
        for node in ast.walk(ast.parse((ROOT / "posenc" / "book.py").read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    assert names == {"decimal", "functools", "posenc.arrays"}
