"""What the explainer shows: its numbers, its figures, and the data of its scripts, all from one Config."""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import Head, seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import encode, frequencies, rotate, wavelengths
from posenc.proof import Proof
from posenc.web import heatmaps as plots
from posenc.web.clocks import hands
from posenc.web.format import count, fixed, sci

SEED = 4
PLATE_SLOTS = 16
ORDER = (2, 1, 0)  # the second sentence: the first one's words, from last to first
COUNT_SLOTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
COUNT_WIDTH = 512  # the paper's own width
WAVE_PAIR, WAVE_SPAN, WAVE_MOMENT = 1, 40, 3
STACK_SLOTS, STACK_SPAN, STACK_OFFSETS = (3, 300), 320, 20_000
ROOM_WIDTHS, ROOM_TRIALS = (16, 64, 128, 512), 1500
SENTENCE_START = 0
TURN_SLOT, TURN_K, FIT_FAR = 7, 5, 1000
LIKE_OFFSETS = (2, 19)
CODA_WORDS, CODA_OFFSET = (0, 2), 5


def numbers(config: Config, table: Floats, proof: Proof) -> dict[str, str]:
    """Every slot of the page's words."""
    omega = frequencies(config.d_model, config.base)
    return {
        **_setting(config, omega),
        **_order_numbers(config, table),
        **_count_numbers(),
        **_wave_numbers(omega),
        **_stack_numbers(config, omega),
        **_sum_numbers(config),
        **_turn_numbers(config, omega),
        **_address_numbers(proof),
        **_coda_numbers(config, table, omega),
    }


def figures(config: Config, table: Floats) -> dict[str, Any]:
    """Every figure as it stands before a script touches it."""
    omega = frequencies(config.d_model, config.base)
    return {
        "plate": [hands(row) for row in table[:PLATE_SLOTS]],
        "order": _order_figure(config, table),
        "count": _count_figure(),
        "wave": _wave_figure(omega),
        "stack": _stack_figure(config, omega),
        "sum": _sum_figure(config),
        "turn": _turn_figure(config, table, omega),
        "address": _address_figure(config, table),
        "coda": _coda_figure(config, table, omega),
    }


def data(config: Config, table: Floats) -> dict[str, Any]:
    """What the page's script cannot compute for itself: random words and matrices, and what was chosen."""
    head = _head(config)
    words = seeded_words(len(ORDER), config.d_model, SEED)
    return {
        "order": {
            "words": words.tolist(),
            "order": list(ORDER),
            "head": {"w_q": head.w_q.tolist(), "w_k": head.w_k.tolist(), "w_v": head.w_v.tolist()},
            "scale": _order_scale(config, table),
        },
        "count": {"slots": list(COUNT_SLOTS), "width": COUNT_WIDTH},
        "wave": {"pair": WAVE_PAIR, "span": WAVE_SPAN},
        "stack": {"slots": list(STACK_SLOTS), "span": STACK_SPAN, "tie": lab.tie(*STACK_SLOTS)},
        "coda": {"words": list(CODA_WORDS)},
    }


def heatmaps(config: Config, table: Floats, text: Callable[[str], str]) -> dict[str, plots.Heatmap]:
    words = text("figure.sum.words").split()
    embedding = _embedding(words, config.d_model)
    encoding = table[SENTENCE_START : SENTENCE_START + len(words)]
    shown = (*plots.addends(words, embedding, encoding, text), plots.similarity(config, table, text))
    return {heatmap.name: heatmap for heatmap in shown}


# --- the setting


def _setting(config: Config, omega: Floats) -> dict[str, str]:
    length = wavelengths(omega)
    return {
        "config.pairs": count(config.n_pairs),
        "config.slots": count(config.n_positions),
        "config.base": count(int(config.base)),
        "plate.first": count(0),
        "plate.last": count(PLATE_SLOTS - 1),
        "wave.shortest": fixed(length[0], 2),
        "wave.longest": fixed(length[-1], 1),
    }


@lru_cache
def _head(config: Config) -> Head:
    return seeded_head(config.d_model, SEED)


def _below(name: str, error: float) -> str:
    """How a page says "zero up to rounding": the bound that the error was found to keep."""
    return sci(lab.negligible(name, error), 0)


# --- order


def _retelling(config: Config, table: Floats, *, placed: bool, causal: bool) -> lab.Retelling:
    words = seeded_words(len(ORDER), config.d_model, SEED)
    return lab.retelling(words, table, ORDER, _head(config), placed=placed, causal=causal)


def _order_numbers(config: Config, table: Floats) -> dict[str, str]:
    def change(placed: bool, causal: bool) -> float:
        return float(_retelling(config, table, placed=placed, causal=causal).differences.max())

    return {
        "order.same": _below("the change of an order-blind output", change(False, False)),
        "order.placed": fixed(change(True, False), 2),
        "order.masked": fixed(change(False, True), 2),
        "order.seed": str(SEED),
    }


def _order_scale(config: Config, table: Floats) -> float:
    """One colour scale for all settings: the largest output of the first; beyond it the colour is full."""
    return round(float(np.abs(_retelling(config, table, placed=False, causal=False).first).max()), 3)


def _order_figure(config: Config, table: Floats) -> dict[str, Any]:
    told, scale = _retelling(config, table, placed=False, causal=False), _order_scale(config, table)
    return {
        "rows": [
            {
                "seats": (word + 1, ORDER.index(word) + 1),
                "first": _cells(told.first[word], scale),
                "second": _cells(told.second[word], scale),
                "difference": _difference(float(told.differences[word])),
            }
            for word in range(len(ORDER))
        ]
    }


def _difference(x: float) -> str:
    """Two decimals; the script says it the same way."""
    return fixed(x, 2)


# --- count


def _count_numbers() -> dict[str, str]:
    late = lab.lengths(COUNT_SLOTS[-1], COUNT_WIDTH)
    return {
        "count.slot": count(COUNT_SLOTS[-1]),
        "count.width": count(COUNT_WIDTH),
        "count.raw": count(round(late.raw)),
        "count.word": fixed(late.word, 1),
    }


def _count_figure() -> dict[str, Any]:
    slot = COUNT_SLOTS[-1]
    late = lab.lengths(slot, COUNT_WIDTH)
    longest = max(late.raw, late.word, late.encoding)
    return {
        "slot": count(slot),
        "last": len(COUNT_SLOTS) - 1,
        "bars": [
            {"name": name, "value": fixed(value, 1), "share": round(100 * value / longest, 3)}
            for name, value in (("raw", late.raw), ("word", late.word), ("encoding", late.encoding))
        ],
    }


# --- wave


def _wave_numbers(omega: Floats) -> dict[str, str]:
    return {
        "wave.length": fixed(2 * math.pi / omega[WAVE_PAIR], 1),
        "wave.moment": fixed(WAVE_MOMENT, 0),
        "wave.rival": fixed(_rival(WAVE_MOMENT, omega[WAVE_PAIR]), 2),
    }


def _rival(moment: float, omega: float) -> float:
    """The other moment of the same swing at which the sine is as high."""
    turn = 2 * math.pi / omega
    return float((turn / 2 - moment) % turn)


def _wave_figure(omega: Floats) -> dict[str, Any]:
    frequency = float(omega[WAVE_PAIR])
    rival = _rival(WAVE_MOMENT, frequency)
    moments = []
    for moment in (WAVE_MOMENT, rival):
        sin, cos = math.sin(moment * frequency), math.cos(moment * frequency)
        moments.append(
            {
                "at": round(moment, 3),
                "shown": fixed(moment, 2),
                "sine": fixed(sin, 3),
                "cosine": fixed(cos, 3),
                "sine_y": round(-sin, 4),
                "cosine_y": round(-cos, 4),
                "hands": [(round(sin, 4), round(cos, 4))],
            }
        )
    return {
        "span": WAVE_SPAN,
        "slot": WAVE_MOMENT,
        "last": int(2 * math.pi / frequency),
        "sine": _curve(frequency, WAVE_SPAN),
        "cosine": _curve(frequency, WAVE_SPAN, math.pi / 2),
        "moments": moments,
    }


def _curve(omega: float, span: float, phase: float = 0.0) -> str:
    """The sine as a path, y downwards, a dozen points a swing or more; the script draws it the same way."""
    n = max(120, round(span * omega / (2 * math.pi) * 12))
    x = np.arange(n + 1) * span / n
    y = -np.sin(x * omega + phase)
    return _path(x, y)


def _path(x: Floats, y: Floats) -> str:
    return "M" + "L".join(f"{a:.2f} {b + 0.0:.3f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))


# --- stack


def _stack_numbers(config: Config, omega: Floats) -> dict[str, str]:
    near, far = STACK_SLOTS
    tie = lab.tie(near, far)
    lone, full = lab.margins((2, config.d_model), config.base, STACK_OFFSETS)
    _below("the tie", abs(math.sin(near * tie) - math.sin(far * tie)))
    return {
        "stack.near": count(near),
        "stack.far": count(far),
        "stack.sum": count(near + far),
        "stack.low": fixed(math.sin(near * omega[-1]), 4),
        "stack.high": fixed(math.sin(far * omega[-1]), 4),
        "stack.fast": fixed(_apart(omega[0]), 2),
        "stack.lone-offset": count(lone.k),
        "stack.lone": sci(lone.distance, 1),
        "stack.offsets": count(STACK_OFFSETS),
        "stack.full": fixed(full.distance, 2),
    }


def _apart(omega: float) -> float:
    near, far = STACK_SLOTS
    return abs(math.sin(far * omega) - math.sin(near * omega))


def _stack_figure(config: Config, omega: Floats) -> dict[str, Any]:
    clash = lab.clashes(config)
    rows = [
        {
            "wavelength": fixed(2 * math.pi / w, 1),
            "curve": _curve(w, STACK_SPAN),
            "heights": _heights(w),
            "apart": fixed(_apart(w), 4),
            "clash": fixed(clash[pair], 4),
            "share": round(100 * clash[pair] / clash[-1], 2),
        }
        for pair, w in enumerate(omega.tolist())
    ]
    return {"span": STACK_SPAN, "slots": STACK_SLOTS, "rows": rows, "last": rows[-1]}


def _heights(omega: float) -> list[dict[str, Any]]:
    return [
        {"slot": slot, "y": round(-math.sin(slot * omega), 4), "shown": fixed(math.sin(slot * omega), 4)}
        for slot in STACK_SLOTS
    ]


# --- sum


@lru_cache
def _readings(config: Config) -> tuple[lab.Reading, ...]:
    return tuple(lab.reading_room(ROOM_WIDTHS, config, trials=ROOM_TRIALS, seed=SEED))


def _sum_numbers(config: Config) -> dict[str, str]:
    readings = _readings(config)
    return {
        "room.narrow": count(readings[0].d_model),
        "room.wide": count(readings[-1].d_model),
        "room.narrow-exact": _percent(readings[0].exact),
        "room.wide-exact": _percent(readings[-1].exact),
        "room.trials": count(ROOM_TRIALS),
        "room.chance": _percent(1 / config.n_positions),
        "room.seed": str(SEED),
    }


def _percent(share: float) -> str:
    return f"{fixed(100 * share, 0)}\u00a0%"


def _embedding(words: list[str], d_model: int) -> Floats:
    """A random row per different word: the same word has the same row wherever it stands."""
    kinds = sorted({word.lower() for word in words})
    rows = seeded_words(len(kinds), d_model, SEED)
    return np.asarray([rows[kinds.index(word.lower())] for word in words])


def _sum_figure(config: Config) -> dict[str, Any]:
    return {
        "start": SENTENCE_START,
        "readings": [
            {
                "width": count(reading.d_model),
                "exact": _percent(reading.exact),
                "near": _percent(reading.near),
                "share": round(100 * reading.exact, 1),
                "near_share": round(100 * reading.near, 1),
            }
            for reading in _readings(config)
        ],
    }


# --- turn


def _turn_numbers(config: Config, omega: Floats) -> dict[str, str]:
    fit = lab.fitted_maps(config, TURN_K, FIT_FAR)
    word = seeded_words(1, config.d_model, SEED)[0]
    turned = rotate(encode([TURN_SLOT], config.d_model, config.base)[0], TURN_K, omega)
    landed = encode([TURN_SLOT + TURN_K], config.d_model, config.base)[0]
    near, far = LIKE_OFFSETS
    return {
        "turn.first-angle": f"{fixed(math.degrees(omega[0]), 1)}°",
        "turn.last-angle": f"{fixed(math.degrees(omega[-1]), 3)}°",
        "turn.residual": _below("the residual of one turn", float(np.abs(turned - landed).max())),
        "turn.word": fixed(lab.turned_word(word, config, TURN_SLOT, TURN_K), 2),
        "fit.far": count(FIT_FAR),
        "fit.free": fixed(fit.free, 1),
        "fit.ridge": fixed(fit.ridge, 2),
        "fit.paired": _below("the error of the paired fit", fit.paired),
        "like.near-offset": count(near),
        "like.far-offset": count(far),
        "like.near": fixed(lab.likeness(omega, near), 3),
        "like.far": fixed(lab.likeness(omega, far), 3),
    }


def _turn_figure(config: Config, table: Floats, omega: Floats) -> dict[str, Any]:
    return {
        "slot": TURN_SLOT,
        "k": TURN_K,
        "landing": TURN_SLOT + TURN_K,
        "last": config.n_positions // 2 - 1,
        "before": hands(table[TURN_SLOT]),
        "turn": hands(table[TURN_K]),
        "after": hands(table[TURN_SLOT + TURN_K]),
        "angles": [_degrees(TURN_K * w) for w in omega.tolist()],
    }


def _degrees(angle: float) -> str:
    """A turn in whole degrees, small ones with decimals; the script says it the same way."""
    degrees = math.degrees(angle) % 360
    return f"{fixed(degrees, 0 if degrees >= 10 else 1 if degrees >= 1 else 2)}°"


# --- address


def _address_numbers(proof: Proof) -> dict[str, str]:
    measured = {invariant.name: invariant for invariant in proof.invariants}
    return {
        "address.length": fixed(math.sqrt(proof.config.n_pairs), 2),
        "address.closest": fixed(measured["distinct"].measured, 2),
    }


def _address_figure(config: Config, table: Floats) -> dict[str, Any]:
    slot = config.probes[0]
    row = table[slot]
    apart = np.linalg.norm(table - row, axis=1)
    apart[slot] = math.inf
    nearest = int(np.argmin(apart.round(9)))
    return {
        "slot": slot,
        "last": config.n_positions - 1,
        "hands": hands(row),
        "cells": _cells(row, 1.0),
        "least": fixed(float(row.min()), 3),
        "most": fixed(float(row.max()), 3),
        "length": fixed(float(np.linalg.norm(row)), 4),
        "nearest": nearest,
        "distance": fixed(float(apart[nearest]), 4),
    }


# --- coda


def _scores(config: Config, table: Floats, omega: Floats) -> lab.Scores:
    query, key = seeded_words(len(ORDER), config.d_model, SEED)[list(CODA_WORDS)]
    return lab.scores(query, key, table, omega, _head(config))


def _coda_numbers(config: Config, table: Floats, omega: Floats) -> dict[str, str]:
    scores = _scores(config, table, omega)
    places = (table @ _head(config).w_q) @ (table @ _head(config).w_k).T
    return {
        "coda.offset": count(CODA_OFFSET),
        "coda.additive": fixed(lab.spread(scores.additive), 1),
        "coda.rotary": _below("the spread of rotary scores", lab.spread(scores.rotary)),
        "coda.deviation": fixed(lab.deviation(places, CODA_OFFSET), 2),
        "coda.seed": str(SEED),
    }


def _score_range(scores: lab.Scores) -> tuple[int, int]:
    """Lowest and highest score of either scheme, to whole numbers: one scale for both plots."""
    both = np.stack([scores.additive, scores.rotary])
    return math.floor(both.min()), math.ceil(both.max())


def _coda_figure(config: Config, table: Floats, omega: Floats) -> dict[str, Any]:
    scores = _scores(config, table, omega)
    low, high = _score_range(scores)
    return {
        "offset": CODA_OFFSET,
        "last": config.n_positions // 2,
        "low": count(low),
        "high": count(high),
        "span": config.n_positions,
        "box": f"-1 {-high} {config.n_positions + 1} {high - low}",
        "plots": [
            {"name": name, "dots": _dots(diagonal), "spread": fixed(float(np.ptp(diagonal)), 2)}
            for name, diagonal in (
                ("additive", np.diagonal(scores.additive, CODA_OFFSET)),
                ("rotary", np.diagonal(scores.rotary, CODA_OFFSET)),
            )
        ],
    }


def _dots(heights: Iterable[float]) -> str:
    """One dot per slot: a stroke of no length with round ends, which stays round in a stretched plot."""
    return "".join(f"M{slot} {-height + 0.0:.3f}h0" for slot, height in enumerate(heights))


def _cells(row: Floats, scale: float) -> list[tuple[str, float]]:
    """Colour and strength of each number: blue below zero, red above, at full strength at `scale`."""
    strengths = np.minimum(np.abs(row) / scale, 1).round(3).tolist()
    return [("blue" if x < 0 else "red", strength) for x, strength in zip(row.tolist(), strengths, strict=True)]
