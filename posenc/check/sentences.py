"""A diagnosis in words: labelled lines, made of keys, numbers and content/en/check.md alone."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from posenc.check.diagnosis import Diagnosis, Found, Note
from posenc.check.words import words
from posenc.claims import Invariant

MINUS = "−"
_PLACEHOLDER = re.compile(r"\{([a-z-]+)\}")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_VERDICTS = {
    "accepted": "accepted",
    "accepted with an oddity": "oddity",
    "rejected": "rejected",
    "not a sinusoidal encoding": "foreign",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A label and what it says; `mood` is good, odd, bad or plain, for those who show it in colour."""

    label: str
    text: str
    mood: str = "plain"


def visible(text: str) -> str:
    """What a file or its name brings along, with all that would steer a terminal or turn the line round written out."""
    return _UNSEEN.sub(lambda found: rf"\u{ord(found[0]):04x}", text)


def number(x: float | int | str) -> str:
    """Whole numbers as they are, others with four decimals, small and large ones as a power of ten; no hyphen-minus."""
    if isinstance(x, str):
        return visible(x)
    if not math.isfinite(x):
        return "NaN" if math.isnan(x) else "∞" if x > 0 else f"{MINUS}∞"
    size = abs(x)
    if x == int(x) and size < 1e15:
        text = str(int(size))
    elif size < 1e-3 or size >= 1e6:
        mantissa, exponent = f"{size:.1e}".split("e")
        text = f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    else:
        text = f"{size:.4f}"
    return MINUS + text if x < 0 and text.strip("0.") else text


def say(key: str, numbers: Mapping[str, Any] | None = None) -> str:
    """The text of a key with its numbers filled in."""
    given = numbers or {}
    return _PLACEHOLDER.sub(lambda found: number(given[found[1]]) if found[1] in given else found[0], words()[key])


def verdict(diagnosis: Diagnosis) -> Line:
    """The verdict and what the table is."""
    key = _VERDICTS[diagnosis.verdict]
    mood = {"accepted": "good", "oddity": "odd"}.get(key, "bad")
    return Line(say(f"verdict.{key}"), _what(diagnosis), mood)


def _what(diagnosis: Diagnosis) -> str:
    if diagnosis.bug is not None:
        return say(f"bug.{diagnosis.bug.key}", diagnosis.bug.numbers)
    if diagnosis.verdict == "not a sinusoidal encoding":
        return say(f"foreign.{diagnosis.name}")
    return say(f"convention.{diagnosis.name}")


def lines(diagnosis: Diagnosis) -> Iterator[Line]:
    """Everything else, in the order in which it is read."""
    if diagnosis.bug is not None:
        yield from _remedy(diagnosis.bug)
    if diagnosis.convention is not None:
        if diagnosis.bug is not None and diagnosis.convention.key != "other":
            yield Line(say("label.note"), say(f"convention.{diagnosis.convention.key}"))
        yield from _found(diagnosis.convention, diagnosis)
    numbers = {"decimals": diagnosis.decimals, "tolerance": diagnosis.tolerance}
    yield Line(say("label.stored"), say(f"stored.{diagnosis.storage}", numbers))
    for note in diagnosis.oddities:
        yield Line(say("label.oddity"), say(f"note.{note.key}", note.numbers), "odd")
    for note in diagnosis.notes:
        yield Line(say("label.note"), say(f"note.{note.key}", note.numbers))
    for note in diagnosis.ambiguities:
        yield Line(say("label.unsure"), say(f"ambiguity.{note.key}", note.numbers), "odd")
    yield from map(invariant, diagnosis.invariants)
    yield from _nearest(diagnosis)


def _remedy(bug: Note) -> Iterator[Line]:
    yield Line(say("label.fix"), say(f"fix.{bug.key}", bug.numbers), "good")
    if f"met.{bug.key}" in words():
        yield Line(say("label.met"), say(f"met.{bug.key}"))


def _found(found: Found, diagnosis: Diagnosis) -> Iterator[Line]:
    yield Line(say("label.layout"), say(f"layout.{found.layout}"))
    key = f"ladder.{found.ladder}"
    if found.base is None and key.startswith(("ladder.paper", "ladder.tensor2tensor")):
        key = "ladder.one"
    numbers = {"base": found.base or 0.0, "width": found.width}
    yield Line(say("label.ladder"), say(key if key in words() else "ladder.slip", numbers))
    keys = {note.key for note in (*diagnosis.oddities, *diagnosis.notes)}
    if diagnosis.bug is None and "irregular-positions" not in keys and "grid" not in keys:
        yield Line(say("label.positions"), _positions(found, diagnosis))
    if abs(found.scale - 1) > 2 * diagnosis.tolerance:
        yield Line(say("label.scale"), say("scale", {"scale": found.scale}))


def _positions(found: Found, diagnosis: Diagnosis) -> str:
    transposed = any(note.key == "transposed" for note in diagnosis.oddities)
    rows = diagnosis.shape[1] if transposed else diagnosis.shape[0]
    numbers = {"start": found.start, "last": found.start + found.step * (rows - 1), "step": abs(found.step)}
    key = found.direction if abs(found.step) == 1 else {"up": "step", "down": "down-step"}[found.direction]
    return say(f"positions.{key}", numbers)


def invariant(claim: Invariant) -> Line:
    """One of the five, held or fallen."""
    relation = "≤" if claim.relation == "<=" else "≥"
    numbers = {"claim": claim.name, "measured": claim.measured, "relation": relation, "bound": claim.bound}
    text = say("invariant", numbers)
    if not claim.holds and str(claim.where):
        text = say("invariant.at", {"text": text, "where": str(claim.where)})
    return Line(say("label.holds" if claim.holds else "label.fell"), text, "good" if claim.holds else "bad")


def _nearest(diagnosis: Diagnosis) -> Iterator[Line]:
    near = diagnosis.nearest
    if near is None or near.share == 1:
        return
    numbers = {
        "convention": near.key,
        "base": near.base,
        "start": near.start,
        "share": f"{math.floor(1000 * near.share) / 10:g} %",
        "difference": near.difference,
        "row": near.row,
        "column": near.column,
        "value": near.value,
        "expected": near.expected,
    }
    yield Line(say("label.nearest"), say("nearest", numbers))
