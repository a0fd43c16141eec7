"""The one state of a page: what a reader can change, within which limits, and where it starts.

templates/js/state.js holds a page's state to these fields; templates/js/bind.js ties it to the link and the controls.
"""

from dataclasses import asdict, dataclass
from typing import Any

from posenc.config import Config

MOST_WIDTH, MOST_ROWS, MOST_BASE = 512, 2048, 1e7
STEP = 5
"""The k that both pages start with."""


@dataclass(frozen=True, slots=True)
class Field:
    """A number between `least` and `most`, or one of `choices`.

    key: its name in the link. step: numbers are least + whole steps; None allows any real one.
    within: another field and a divisor; the number then stays below that field's value over the divisor.
    signed: and above its negative.
    """

    name: str
    key: str
    start: float | str
    least: float = 0
    most: float = 0
    step: float | None = 1
    within: tuple[str, int] | None = None
    signed: bool = False
    choices: tuple[str, ...] = ()


def shared(config: Config) -> tuple[Field, ...]:
    """The fields that both pages have. A table built beyond the limits is still where its page starts."""
    first, second = config.probes
    step = min(STEP, config.n_positions - 1)
    rows = ("n_positions", 1)
    base = config.base
    return (
        Field("d_model", "d", config.d_model, 2, max(MOST_WIDTH, config.d_model), 2),
        Field("n_positions", "n", config.n_positions, 1, max(MOST_ROWS, config.n_positions)),
        Field("base", "base", base, min(1, base), max(MOST_BASE, base), None),
        Field("pos", "pos", first, within=rows),
        Field("second", "pos2", second, within=rows),
        Field("k", "k", step, within=rows, signed=True),
        Field("pair", "pair", 0, within=("d_model", 2)),
    )


def toggle(name: str, key: str, *, start: bool = False) -> Field:
    """Something that is on or off."""
    return Field(name, key, "on" if start else "off", choices=("off", "on"))


def choice(name: str, key: str, choices: tuple[str, ...]) -> Field:
    """One of several, at first the first."""
    return Field(name, key, choices[0], choices=choices)


def record(fields: tuple[Field, ...]) -> list[dict[str, Any]]:
    """The fields for the page's script."""
    return [asdict(field) for field in fields]
