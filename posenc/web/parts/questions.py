"""One question for each of the first parts, to be guessed before its figure answers it: the numbers that are told."""

import math

from posenc import experiments as lab
from posenc.web.format import count, fixed, percent
from posenc.web.parts import turn
from posenc.web.parts.count import WIDTH
from posenc.web.parts.setting import Setting

NEAR, FAR, AHEAD = 7, 700, 5  # two starts of a walk, and how far it goes


def numbers(setting: Setting) -> dict[str, str]:
    """What the questions and their answers say in figures."""
    return {
        "question.loud": count(_loud()),
        "question.root": count(round(math.sqrt(WIDTH))),
        "question.chance": percent(1 / setting.config.n_positions),
        **_stack(setting),
        **_turn(setting),
        **_address(setting),
    }


def _loud() -> int:
    """The first slot whose number, copied into a list, is as long as a word."""
    return next(slot for slot in range(WIDTH) if (found := lab.lengths(slot, WIDTH)).raw >= found.word)


def _stack(setting: Setting) -> dict[str, str]:
    clash = lab.clashes(setting.config)
    return {
        "question.clash-one": fixed(clash[0], 4),
        "question.clash-three": fixed(clash[2], 4),
        "question.clash-all": fixed(clash[-1], 4),
    }


def _turn(setting: Setting) -> dict[str, str]:
    first, *_, last = (turn.degrees(AHEAD * omega) for omega in setting.omega.tolist())
    return {
        "question.near": count(NEAR),
        "question.far": count(FAR),
        "question.ahead": count(AHEAD),
        "question.turn-first": first,
        "question.turn-last": last,
    }


def _address(setting: Setting) -> dict[str, str]:
    """The slots beside the first probe, and the one where the quickest hand has all but come round again."""
    slot = setting.config.probes[0]
    swing = round(2 * math.pi / float(setting.omega[0]))
    apart = lab.distances(setting.omega, swing)
    return {
        "question.slot": count(slot),
        "question.before": count(slot - 1),
        "question.after": count(slot + 1),
        "question.swing": count(slot + swing),
        "question.beside": fixed(float(apart[0]), 2),
        "question.round": fixed(float(apart[-1]), 2),
    }
