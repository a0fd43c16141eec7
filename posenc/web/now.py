"""What the state of a page says in numbers: one position, one pair, one shift. templates/js/views.js mirrors it."""

import math
from dataclasses import dataclass

import numpy as np

from posenc.engine import encode, frequencies, rotate
from posenc.web.format import count, fixed, measured, plain
from posenc.web.state import Field

MOST_WAVES = 8
MOST_DIALS = 16


@dataclass(frozen=True, slots=True)
class State:
    """The values of the fields that both pages share."""

    d_model: int
    n_positions: int
    base: float
    pos: int
    second: int
    k: int
    pair: int


def start(fields: tuple[Field, ...]) -> State:
    """The state that a page begins with."""
    values = {field.name: field.start for field in fields}
    return State(**{name: values[name] for name in State.__dataclass_fields__})  # type: ignore[arg-type]


def numbers(state: State) -> dict[str, str]:
    """Every number of the views by its name, as it is written."""
    omega = float(frequencies(state.d_model, state.base)[state.pair])
    here, there = encode([state.pos, state.second], state.d_model, state.base)
    angle = state.pos * omega
    sine, cosine = math.sin(angle), math.cos(angle)
    return {
        "now.d": count(state.d_model),
        "now.n": count(state.n_positions),
        "now.last": count(state.n_positions - 1),
        "now.base": plain(state.base),
        "now.pos": count(state.pos),
        "now.second": count(state.second),
        "now.k": count(state.k),
        "now.pair": count(state.pair),
        "now.pairs": count(state.d_model // 2),
        "now.even": count(2 * state.pair),
        "now.odd": count(2 * state.pair + 1),
        "now.landing": count(state.pos + state.k),
        "now.offset": count(state.second - state.pos),
        "now.omega": measured(omega),
        "now.wavelength": measured(2 * math.pi / omega),
        "now.rounds": count(math.floor(angle / (2 * math.pi))),
        "now.hand": degrees(angle),
        "now.step": degrees(state.k * omega),
        "now.sine": fixed(sine, 4),
        "now.cosine": fixed(cosine, 4),
        "now.distance": fixed(float(np.linalg.norm(there - here)), 4),
    }


def residual(state: State) -> float:
    """The largest error of turning a position's row into the one k later."""
    here, there = encode([state.pos, state.pos + state.k], state.d_model, state.base)
    return float(np.abs(rotate(here, state.k, frequencies(state.d_model, state.base)) - there).max())


@dataclass(frozen=True, slots=True)
class Line:
    """One pair of a position's row: frequency, wavelength, where its hand stands, sine and cosine."""

    pair: str
    values: tuple[str, ...]


def row(state: State) -> list[Line]:
    """The row of a position, pair by pair."""
    omegas = frequencies(state.d_model, state.base).tolist()
    return [Line(count(pair), _line(state.pos * omega, omega)) for pair, omega in enumerate(omegas)]


def turn(state: State) -> list[Line]:
    """The turn from one position to the second, pair by pair: angle, the first row, that row turned, the second row."""
    omega = frequencies(state.d_model, state.base)
    here, there = encode([state.pos, state.second], state.d_model, state.base)
    offset = state.second - state.pos
    turned = rotate(here, offset, omega)
    return [
        Line(
            count(pair),
            (
                degrees(offset * float(omega[pair])),
                *(fixed(float(row[column]), 3) for row in (here, turned, there) for column in (2 * pair, 2 * pair + 1)),
            ),
        )
        for pair in range(len(omega))
    ]


def _line(angle: float, omega: float) -> tuple[str, ...]:
    waves = fixed(math.sin(angle), 4), fixed(math.cos(angle), 4)
    return measured(omega), measured(2 * math.pi / omega), degrees(angle), *waves


def degrees(angle: float) -> str:
    """A turn in degrees from 0 to 360: whole ones, small ones with decimals."""
    turned = math.degrees(angle) % 360
    return f"{fixed(turned, 0 if turned >= 10 else 1 if turned >= 1 else 2)}°"


def waves(n_pairs: int, pair: int) -> list[int]:
    """The pairs whose waves are drawn: all, or some evenly spaced ones with the chosen one among them."""
    last = n_pairs - 1
    if last < MOST_WAVES:
        return list(range(n_pairs))
    spaced = [math.floor(index * last / (MOST_WAVES - 1) + 0.5) for index in range(MOST_WAVES)]
    nearest = min(range(MOST_WAVES), key=lambda index: abs(spaced[index] - pair))
    spaced[nearest] = pair
    return spaced
