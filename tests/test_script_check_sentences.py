"""A diagnosis is said in the page in the same words as on the command line."""

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc import diagnose
from posenc.check.diagnosis import Diagnosis
from posenc.check.expect import is_expected
from posenc.check.sentences import lines, number, say, verdict
from posenc.check.words import words
from tests.kinds import KINDS

STRINGS = {f"check.{key}": text for key, text in words().items()}
SAID = "([all, strings]) => all.map((each) => posenc.check.sentences(each, 'a.npy', strings))"


def as_plain(diagnosis: Diagnosis) -> dict[str, Any]:
    """What the page's diagnosis holds, with NaN and ∞ as they are."""
    claims = [{**asdict(claim), "holds": claim.holds} for claim in diagnosis.invariants]
    return {**asdict(diagnosis), "invariants": claims, "accepted": diagnosis.accepted}


def by_python(diagnosis: Diagnosis) -> list[dict[str, str]]:
    rows, columns = diagnosis.shape
    head = {"label": "", "text": say("head", {"name": "a.npy", "rows": rows, "columns": columns}), "mood": "plain"}
    return [head, *(asdict(line) for line in (verdict(diagnosis), *lines(diagnosis)))]


def found() -> dict[str, Diagnosis]:
    made = {
        f"{kind.name} {n}×{d}": kind.make(n, d, 10000.0)
        for n, d in ((64, 16), (8, 4))
        for kind in KINDS
        if kind.at(n, d)
    }
    return {name: diagnose(np.asarray(table, dtype=np.float64)) for name, table in made.items()}


def test_every_kind_is_said_in_the_same_words(check: Page) -> None:
    all_found = found()
    told = check.evaluate(SAID, [[as_plain(each) for each in all_found.values()], STRINGS])
    for (name, diagnosis), said in zip(all_found.items(), told, strict=True):
        assert said == by_python(diagnosis), name


def test_numbers_are_written_the_same(check: Page) -> None:
    values = [
        0.0,
        -0.0,
        1.0,
        -3.0,
        0.5,
        0.03125,
        0.09375,
        -0.00005,
        1e-3,
        9.99e-4,
        2.5e-5,
        -1.25e-7,
        999999.5,
        1e6,
        1e15,
    ]
    values += [1.25e15, 1.35e15, 123456.78905, 1e300, math.nan, math.inf, -math.inf, 2**53, 0.1 + 0.2, 0.99995, 1e-300]
    random = np.random.default_rng(3)
    values += (random.standard_normal(500) * 10.0 ** random.integers(-12, 18, 500)).tolist()
    values += (random.integers(-(2**20), 2**20, 500) / 2.0 ** random.integers(0, 24, 500)).tolist()
    written = check.evaluate("(values) => values.map(posenc.check.sentences.number)", values)
    assert written == [number(value) for value in values]


def test_what_was_left_out_and_what_was_expected_is_said_first(check: Page) -> None:
    diagnosis = as_plain(diagnose(KINDS[0].make(64, 16, 10000.0)))
    said = check.evaluate(
        """([one, strings]) => [
            { without: "both" }, { expected: "halves" }, { expected: "halves", base: 10000, without: "header" },
        ].map((more) => posenc.check.sentences(one, "a", strings, more).slice(2, 4))""",
        [diagnosis, STRINGS],
    )
    assert said[0][0] == {"label": say("label.read"), "text": say("read.both"), "mood": "plain"}
    other = {"label": say("label.expected"), "text": say("expected.other", {"wanted": "halves"}), "mood": "bad"}
    assert said[1][0] == other
    assert [line["text"] for line in said[2]] == [
        say("expected.base", {"wanted": "halves", "base": 10000}),
        say("read.header"),
    ]


@pytest.mark.long
def test_what_is_expected_is_found_as_by_python(check: Page) -> None:
    names = ("vaswani", "halves", "tensor2tensor", "cos-first", "diffusers", "fairseq")
    all_found = [*found().values(), diagnose(KINDS[0].make(8, 2, 10000.0))]
    told = check.evaluate(
        "([all, names]) => all.map((one) => names.map((name) => posenc.check.expect.isExpected(one, name)))",
        [[as_plain(each) for each in all_found], names],
    )
    assert told == [[is_expected(each, name) for name in names] for each in all_found]
    assert told[-1] == [True, True, True, False, False, False]


def test_a_text_that_is_missing_is_an_error(check: Page) -> None:
    told = check.evaluate(
        "() => { try { posenc.check.sentences.say({}, 'head'); } catch (error) { return error.message; } }"
    )
    assert "check.head" in told
