"""Window 1: six ways to say a place, on trial."""

import math
from dataclasses import dataclass
from typing import Any

from posenc.arrays import Floats
from posenc.config import Config
from posenc.experiments import ROUNDING
from posenc.rivals import POSITIONS, SEED, SLOWEST, Finding, Trial, clash, scaled, step, trials
from posenc.web import format
from posenc.web.windows.written import NONE, short, span

MOST_VALUES = 6


def numbers(config: Config) -> dict[str, str]:
    """What the words of the window say in figures."""
    n, probe, wave = config.n_positions, config.probes[1], clash()
    return {
        "wall.root-two": format.measured(math.sqrt(2)),
        "wall.step": format.measured(step(n)) if n > 1 else NONE,
        "wall.probe": format.count(probe),
        "wall.same-slot": _share(probe, n),
        "wall.same-slot-longer": _share(probe, 2 * n),
        "wall.twice": format.count(2 * n),
        "wall.seed": format.count(SEED),
        "wall.clash": format.measured(wave.distance),
        "wall.clash-offset": format.count(wave.offset),
        "wall.neighbours": format.measured(wave.neighbours),
        "wall.slowest": f"1/{format.count(round(1 / SLOWEST))}",
        "wall.slow": format.sci(2 * math.sin(SLOWEST / 2)),
    }


@dataclass(frozen=True, slots=True)
class Cell:
    """One property of one scheme, as the table writes it."""

    shown: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme's name, its cells by property, and how many of them hold."""

    name: str
    cells: dict[str, Cell]
    held: int


def figure(config: Config, table: Floats) -> dict[str, Any]:
    """The figure as the build draws it."""
    schemes = [_scheme(trial) for trial in trials(config)]
    held = {scheme.name: scheme.held for scheme in schemes}
    return {
        "schemes": schemes,
        "properties": list(schemes[0].cells),
        "trial_rows": POSITIONS,
        "alone": [name for name, count in held.items() if count == len(schemes[0].cells)] == ["sinusoid"],
        "rows": [_rows(config, table, probe) for probe in config.probes],
    }


def _scheme(trial: Trial) -> Scheme:
    cells = {finding.name: Cell(_shown(finding), finding.holds) for finding in trial.findings}
    return Scheme(trial.name, cells, trial.held)


def _shown(finding: Finding) -> str:
    if finding.name == "width":
        before, after = (format.count(int(columns)) for columns in finding.shown)
        return format.steps(before, after)
    if finding.name == "length":
        return span(*finding.shown)
    (value,) = finding.shown
    if finding.name == "shift" and 0 < value <= ROUNDING:  # its last bits differ from machine to machine
        return f"{format.style().lead}<\u00a010{format.superscript(round(math.log10(ROUNDING)))}"
    return short(value)


def _rows(config: Config, table: Floats, position: int) -> dict[str, Any]:
    """The actual row of one position in each scheme, the long ones cut."""
    return {
        "raw": format.count(position),
        "scaled": _share(position, config.n_positions),
        "sinusoid": "  ".join(format.fixed(float(value), 3) for value in table[position][:MOST_VALUES]),
        "cut": config.d_model > MOST_VALUES,
    }


def _share(position: int, n: int) -> str:
    return format.measured(float(scaled(position, n)))
