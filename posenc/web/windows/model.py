"""Window 3: the wavelengths, and the ruler."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.config import Config
from posenc.engine import frequencies, wavelengths
from posenc.web import format
from posenc.web.windows.written import length

MOST_RULES = 12
MOST_TICKS = 160


def figure(config: Config) -> dict[str, Any]:
    """The ladder in words' terms, and its ticks."""
    omega = frequencies(config.d_model, config.base)
    wavelength = wavelengths(omega)
    return {
        "shortest": length(float(np.min(wavelength))),
        "longest": length(float(np.max(wavelength))),
        "ladder": _slope(config),
        "last_omega": format.measured(float(omega[-1])),
        "ruler": _ruler(config),
    }


@dataclass(frozen=True, slots=True)
class Rule:
    """One pair's row of the ruler: a tick, in percent of its length, at each whole wavelength."""

    pair: int
    wavelength: str
    ticks: tuple[float, ...]
    solid: bool
    turns: str


def _ruler(config: Config) -> dict[str, Any]:
    """Ticks from position 0; never shorter than two turns of the first pair, never longer than twenty."""
    first = 2 * np.pi
    span = float(np.clip(config.n_positions - 1, np.ceil(2 * first), np.ceil(20 * first)))
    wavelength = wavelengths(frequencies(config.d_model, config.base))
    pairs = np.linspace(0, config.n_pairs - 1, min(config.n_pairs, MOST_RULES)).round().astype(int).tolist()
    return {
        "span": format.count(round(span)),
        "rules": [_rule(pair, float(wavelength[pair]), span) for pair in sorted(set(pairs))],
    }


def _rule(pair: int, wavelength: float, span: float) -> Rule:
    solid = span / wavelength > MOST_TICKS
    ticks = () if solid else np.arange(0, span + 1e-9, wavelength) / span * 100
    placed = tuple(round(float(tick), 3) for tick in ticks)
    return Rule(pair, length(wavelength), placed, solid, format.measured(span / wavelength))


def _slope(config: Config) -> str:
    if config.n_pairs == 1:
        return "single"
    if config.base == 1:
        return "level"
    return "falls" if config.base > 1 else "rises"
