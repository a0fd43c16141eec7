"""What was found, as a value: keys and numbers. Sentences are made of it elsewhere (sentences.py)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

from posenc.claims import Invariant, record

Verdict = Literal["accepted", "accepted with an oddity", "rejected", "not a sinusoidal encoding"]
Number = float | int | str


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth saying: a key and its numbers. standing tells what it does to the verdict."""

    key: str
    numbers: Mapping[str, Number] = field(default_factory=dict)
    standing: Literal["accepted", "oddity", "rejected"] = "accepted"


@dataclass(frozen=True, slots=True)
class Found:
    """The convention that makes the table again. base is None where the ladder has none or one pair cannot tell it."""

    key: str
    layout: str
    ladder: str
    base: float | None
    width: float
    start: float
    step: float
    scale: float

    @property
    def direction(self) -> Literal["up", "down"]:
        return "down" if self.step < 0 else "up"


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest known table and the cell where this one is farthest from it, counted from 0 in the file's own rows
    and columns; `share` is how much of the table agrees."""

    key: str
    base: float
    start: float
    difference: float
    row: int
    column: int
    value: float
    expected: float
    share: float


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer for one table. `name` says in one key what it is: a convention, a bug, or what else was seen.

    tolerance is what a cell may miss in the format that the values were stored in (storage, with its decimals).
    """

    verdict: Verdict
    name: str
    shape: tuple[int, int]
    storage: str
    decimals: int
    tolerance: float
    convention: Found | None = None
    bug: Note | None = None
    oddities: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()
    ambiguities: tuple[Note, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    nearest: Nearest | None = None

    @property
    def accepted(self) -> bool:
        return self.verdict in ("accepted", "accepted with an oddity")

    def record(self) -> dict[str, Any]:
        """For JSON, which has no NaN and no ∞: null stands for both."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)} | {"accepted": self.accepted}


def _plain(value: Any) -> Any:
    if isinstance(value, Invariant):
        return record(value)
    if isinstance(value, Found):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)} | {"direction": value.direction}
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
