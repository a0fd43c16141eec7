"""What every view of a page must show of a state, by the book: sines of pos / B^(2i/d), and nothing of the page's code,
of the engine or of posenc.web.now. `disagreements` compares all that a page shows at a moment with that."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.web import content
from tests.checkout import ROOT

Floats = NDArray[np.float64]
State = Mapping[str, Any]
TOLERANCE = 1e-9
MOST_DIALS, MOST_WAVES, MOST_LISTED = 16, 8, 16
FAULTS = ("raw", "cosine", "exponent", "sine", "from-one", "halves", "bfloat16")
INVARIANTS = ("bounded", "length", "distinct", "shift", "ladder")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
WORDS = {
    page: content.read(ROOT / "content" / "en" / f"{page}.md", Path(page)).fields
    for page in ("site", "explainer", "instrument")
}

READ = (ROOT / "tests" / "agreement.js").read_text("utf-8")
"""All that a page shows, as text and geometry."""


# ---- by the book ----


def frequencies(state: State, spacing: float = 2) -> Floats:
    pair = np.arange(state["d_model"] // 2)
    return np.asarray(state["base"] ** (-spacing * pair / state["d_model"]), dtype=np.float64)


def rows(state: State, positions: NDArray[Any], omega: Floats | None = None) -> Floats:
    angle = np.asarray(positions, dtype=np.float64)[:, None] * (frequencies(state) if omega is None else omega)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(len(angle), -1)


def faulty(state: State, positions: NDArray[Any]) -> Floats:
    """The rows that the state's fault makes; of the encoding, where it has none."""
    fault, positions = state.get("tamper", "none"), np.asarray(positions, dtype=np.float64)
    table = rows(state, positions)
    if fault == "raw":
        return np.repeat(positions[:, None], state["d_model"], axis=1)
    if fault == "cosine":
        next_pair = np.arange(state["d_model"] // 2) + 1
        table[:, 1::2] = np.cos(positions[:, None] / state["base"] ** (2 * next_pair / state["d_model"]))
    if fault == "exponent":
        return rows(state, positions, frequencies(state, spacing=1))
    if fault == "sine":
        table[:, 1::2] = table[:, ::2]
    if fault == "from-one":
        return rows(state, positions + 1)
    if fault == "halves":
        return np.hstack([table[:, ::2], table[:, 1::2]])
    if fault == "bfloat16":
        unit = 2.0 ** np.maximum(np.floor(np.log2(np.maximum(np.abs(positions), 1))) - 7, 0)
        return rows(state, np.rint(positions / unit) * unit)
    return table


def verdicts(state: State) -> dict[str, bool]:
    """Which invariants hold on the state's table."""
    positions = np.arange(state["n_positions"])
    table, book, omega = faulty(state, positions), rows(state, positions), frequencies(state)
    back = (table[:, 1::2] + 1j * table[:, ::2]) * np.exp(-1j * positions[:, None] * omega)  # turned back to position 0
    drift = np.maximum(np.ptp(back.real, axis=0), np.ptp(back.imag, axis=0))
    return {
        "bounded": bool(np.abs(table).max() <= 1),
        "length": bool(np.abs(np.linalg.norm(table, axis=1) - math.sqrt(state["d_model"] / 2)).max() <= TOLERANCE),
        "distinct": nearest_rows(table) >= TOLERANCE,
        "shift": bool(drift.max() <= TOLERANCE),
        "ladder": bool(np.abs(table - book).max() <= TOLERANCE),
    }


def nearest_rows(table: Floats) -> float:
    """Distance of the closest two rows, exactly where they are close."""
    if len(table) == 1:
        return math.inf
    square = np.sum(table**2, axis=1)
    apart = square[:, None] + square - 2 * table @ table.T
    np.fill_diagonal(apart, np.inf)
    near = np.argwhere(apart <= apart.min() + 1e-6)[:2000]
    return float(np.linalg.norm(table[near[:, 0]] - table[near[:, 1]], axis=1).min())


# ---- what is written ----


def number(text: str) -> tuple[float, float]:
    """A written number and half a unit of its last place."""
    mantissa, _, power = re.sub(r"[,°\s\u00a0]", "", text).replace("−", "-").partition("×10")
    scale = 10.0 ** int(power.translate(SUPERSCRIPTS) or 0)
    return float(mantissa) * scale, 0.5 * 10.0 ** -len(mantissa.partition(".")[2]) * scale


def shows(text: str, value: float, noise: float = 1e-9) -> bool:
    """Is this the number, as far as it is written out?"""
    written, half = number(text)
    return abs(written - value) <= half * (1 + 1e-6) + noise


def turns(text: str, angle: float) -> bool:
    """Is this the angle, in degrees up to 360?"""
    written, half = number(text)
    off = (written - math.degrees(angle) + 180) % 360 - 180
    return abs(off) <= half * (1 + 1e-6) + 1e-6 and 0 <= written <= 360


def whole(text: str, value: int) -> bool:
    return text == f"{value:,}".replace("-", "−")


def pattern(template: str) -> re.Pattern[str]:
    """A text of the words, with its placeholders as groups."""
    pieces = re.split(r"\{(\w+)\}", template)
    return re.compile("".join(f"(?P<{p}>.*?)" if at % 2 else re.escape(p) for at, p in enumerate(pieces)))


def plain(value: float | str) -> str:
    """A field's value as a link writes it: as JavaScript writes a number."""
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(float(value))


# ---- the comparison ----


@dataclass(frozen=True, slots=True)
class Case:
    """What a page shows, beside the state that it should; `start` is what it was built with, `keys` are the names of
    the fields in a link."""

    page: str
    state: State
    start: State
    keys: Mapping[str, str]
    seen: dict[str, Any]

    @property
    def is_built(self) -> bool:
        """Is the table the one that the page was built with?"""
        return all(self.state[name] == self.start[name] for name in ("d_model", "n_positions", "base"))


Found = Iterator[tuple[str, str]]


def disagreements(case: Case) -> list[str]:
    """Every view that shows something other than the state."""
    own = {"explainer": _explainer, "instrument": _instrument}[case.page]
    checks = (_controls, _bar, _numbers, _postures, _tables, _heatmaps, own)
    return [f"{view}: {what}" for check in checks for view, what in check(case)]


def link(state: State, start: State, keys: Mapping[str, str]) -> str:
    """The query of the link to a state."""
    asked = [f"{keys[name]}={plain(state[name])}" for name in keys if state[name] != start[name]]
    return f"?{'&'.join(asked)}" if asked else ""


def _controls(case: Case) -> Found:
    for control in case.seen["controls"]:
        field, kind, shown = control["field"], control["type"], control["value"]
        value = case.state[field]
        if kind == "checkbox":
            right = control["checked"] == (value == "on")
        elif kind == "radio":
            right = control["checked"] == (shown == value)
        elif kind == "range" and field in ("base", "omega"):
            right = abs(float(shown) - math.log10(value)) <= 0.0051
        else:
            right = float(shown) == value
        if not right or control["disabled"]:
            yield f"{kind} of {field}", f"{control}, not {value}"
    for field, said in case.seen["valuetexts"]:
        if not shows(said, case.state[field]):
            yield f"aria-valuetext of {field}", said


def _bar(case: Case) -> Found:
    state, start, seen = case.state, case.start, case.seen
    for field, said in seen["states"]:
        if said != state[field] if isinstance(state[field], str) else not shows(said, state[field]):
            yield f"bar’s {field}", f"{said}, not {state[field]}"
    moved = [field for field, _ in seen["states"] if state[field] != start[field]]
    if seen["moved"] != moved:
        yield "bar’s marks", f"{seen['moved']}, not {moved}"
    if seen["barHidden"] and state != start:
        yield "bar", "hidden"
    if {href.partition("?")[2].partition("#")[0] for href in seen["carried"]} - {seen["query"].removeprefix("?")}:
        yield "links to the other page", seen["carried"][0]


def _numbers(case: Case) -> Found:
    state = case.state
    pos, second, k, pair = (state[name] for name in ("pos", "second", "k", "pair"))
    omega = float(frequencies(state)[pair])
    here, there = rows(state, np.array([pos, second]))
    angle = pos * omega
    counted = {
        "d": state["d_model"],
        "n": state["n_positions"],
        "last": state["n_positions"] - 1,
        "pos": pos,
        "second": second,
        "k": k,
        "pair": pair,
        "pairs": state["d_model"] // 2,
        "even": 2 * pair,
        "odd": 2 * pair + 1,
        "landing": pos + k,
        "offset": second - pos,
        "rounds": math.floor(angle / math.tau),
    }
    measured = {
        "base": state["base"],
        "omega": omega,
        "wavelength": math.tau / omega,
        "sine": math.sin(angle),
        "cosine": math.cos(angle),
        "distance": float(np.linalg.norm(there - here)),
    }
    angles = {"hand": angle, "step": k * omega}
    for key, said in case.seen["live"]:
        name = key.removeprefix("now.")
        if not key.startswith("now."):
            continue
        if name in counted:
            right = whole(said, counted[name])
        else:
            right = shows(said, measured[name]) if name in measured else turns(said, angles[name])
        if not right:
            yield key, said


def _postures(case: Case) -> Found:
    state = case.state
    steps = {name: state[name] for name in ("pos", "second", "k")} | {"landing": state["pos"] + state["k"]}
    omega = frequencies(state)[:MOST_DIALS]
    for posture in case.seen["postures"]:
        hands = np.array(posture["hands"], dtype=np.float64)
        tips = np.stack([hands[:, 2] - hands[:, 0], hands[:, 1] - hands[:, 3]], axis=1) / 7.5
        angle = steps[posture["of"]] * omega
        if (
            tips.shape != (len(omega), 2)
            or np.abs(tips - np.stack([np.sin(angle), np.cos(angle)], axis=1)).max() > 2e-3
        ):
            yield f"hands of {posture['of']}", str(tips[:2])
        if posture["chosen"] != [pair == state["pair"] for pair in range(len(omega))]:
            yield f"chosen hand of {posture['of']}", str(posture["chosen"])


def _tables(case: Case) -> Found:
    state = case.state
    omega = frequencies(state)
    for lines in case.seen["rows"]:
        if len(lines) != len(omega):
            yield "row", f"{len(lines)} lines"
        for pair, (line, each) in enumerate(zip(lines, omega.tolist(), strict=False)):
            named, frequency, length, hand, sine, cosine = line["cells"]
            angle = state["pos"] * each
            numbers = [(frequency, each), (length, math.tau / each), (sine, math.sin(angle)), (cosine, math.cos(angle))]
            right = whole(named, pair) and turns(hand, angle) and all(shows(*number) for number in numbers)
            if not right or line["chosen"] != (pair == state["pair"]):
                yield f"row, pair {pair}", str(line)
    here, there = rows(state, np.array([state["pos"], state["second"]]))
    offset = state["second"] - state["pos"]
    for lines in case.seen["turns"]:
        if len(lines) != len(omega):
            yield "turn", f"{len(lines)} lines"
        for pair, (line, each) in enumerate(zip(lines, omega.tolist(), strict=False)):
            named, angle, *values = line["cells"]
            both = slice(2 * pair, 2 * pair + 2)
            written = zip(values, [*here[both], *there[both], *there[both]], strict=True)  # turned is where it lands
            if not (whole(named, pair) and turns(angle, offset * each) and all(shows(*each) for each in written)):
                yield f"turn, pair {pair}", str(line)


def _heatmaps(case: Case) -> Found:
    state = case.state
    d, n, pair = state["d_model"], state["n_positions"], state["pair"]
    for heatmap in case.seen["heatmaps"]:
        columns, shown = heatmap["shape"]
        if columns != d or shown not in (n, min(n, 32)):
            yield "heatmap", f"{shown} × {columns}"
        for index, (mark, name) in enumerate(zip(heatmap["marks"], ("pos", "second"), strict=True)):
            at = state[name]
            place = "twin" if index and at == state["pos"] else "row" if at < shown else "below"
            label = f"{'◂' if at < shown else '▾'} {at}"
            box = np.array(mark["rects"])
            if (mark["position"], mark["place"], mark["label"]) != (str(at), place, label):
                yield f"mark of {name}", str(mark)
            if np.abs(box - [100 * at / shown, 100 / shown]).max() > 1e-3:
                yield f"frame of {name}", str(mark)
        if np.abs(np.array(heatmap["pair"]) - [200 * pair / d, 200 / d]).max() > 1e-3:
            yield "columns of the pair", str(heatmap["pair"])
        yield from _cell(case, heatmap["cell"])
        yield from _drawn(state, heatmap["drawn"], shown)
        yield from _off_scale(state, heatmap["off"])


def _cell(case: Case, said: str) -> Found:
    """The sentence about one cell: it may be of either column of the pair."""
    state, words, fault = case.state, WORDS[case.page], case.state.get("tamper", "none")
    found = pattern(words["script.cell" if fault == "none" else "script.cell.plain"]).fullmatch(said)
    told = found.groupdict() if found else {"dimension": "-1"}
    column = int(told["dimension"].replace(",", ""))
    if column // 2 != state["pair"]:
        yield "cell", said
        return
    right = whole(told["position"], state["pos"]) and shows(
        told["value"], float(faulty(state, np.array([state["pos"]]))[0, column])
    )
    if fault == "none":
        wave = words["script.wave.cosine" if column % 2 else "script.wave.sine"]
        right &= told["wave"] == wave and shows(told["wavelength"], math.tau / float(frequencies(state)[state["pair"]]))
    if not right:
        yield "cell", said


def _drawn(state: State, drawn: dict[str, Any], shown: int) -> Found:
    """Plotly’s cells, or the colours of the canvas: blue below zero, red above."""
    if drawn["kind"] == "picture":
        return  # before Plotly comes
    table = faulty(state, np.arange(min(5, shown)))[:, :6]
    height = state["n_positions"] if drawn["kind"] == "plot" else shown
    if drawn["size"] != [height, state["d_model"]]:
        yield "heatmap’s cells", str(drawn["size"])
    elif drawn["kind"] == "plot":
        if np.abs(np.array(drawn["cells"], dtype=np.float64) - table).max() > 5.1e-5:
            yield "heatmap’s values", str(drawn["cells"])
    else:
        pixels = np.array(drawn["pixels"], dtype=np.int64).reshape(*table.shape, 4)
        redder = pixels[..., 0] - pixels[..., 2]
        if np.any((np.abs(table) > 0.1) & (np.sign(redder) != np.sign(table))):
            yield "heatmap’s colours", str(redder.tolist())


def _off_scale(state: State, said: str) -> Found:
    off = int(np.sum(np.abs(faulty(state, np.arange(state["n_positions"]))) > 1 + TOLERANCE))
    if (off > 0) != bool(said) or (off and not said.startswith(f"{off:,} of ")):
        yield "off the scale", said


def _explainer(case: Case) -> Found:
    state, seen = case.state, case.seen
    pos, k = state["pos"], state["k"]
    omega = frequencies(state)
    row = rows(state, np.array([pos]))[0]
    live = dict(seen["live"])
    yield from _waves(state, omega, seen["waves"])
    if len(seen["strip"]) != state["d_model"] or any(
        _reddish(c) * v < 0 for c, v in zip(seen["strip"], row, strict=True)
    ):
        yield "strip", str(seen["strip"])
    yield from _address(state, row, live)
    wave = omega[min(2, len(omega) - 1)]
    at, sine, cosine, _ = seen["wave"]
    if not (shows(at, pos) and shows(sine, math.sin(pos * wave)) and shows(cosine, math.cos(pos * wave))):
        yield "wave", str(seen["wave"])
    if not (shows(live["wave.angle"], pos * wave) and shows(live["wave.length"], math.tau / wave)):
        yield "wave’s sentence", live["wave.angle"]
    yield from _margin(state, omega, seen["ladder"], live)
    if not all(whole(said, pos + index) for index, said in enumerate(seen["slots"])):
        yield "slots of the sum", str(seen["slots"])
    lengths = (state["count"] * math.sqrt(512), math.sqrt(512), 16.0)
    if not all(shows(said, length) for said, length in zip(seen["count"], lengths, strict=True)):
        yield "lengths", str(seen["count"])
    places = [pos, state["second"], 1000]
    if not all(map(whole, seen["turn"], [*places, *(place + k for place in places)])):
        yield "starts and landings", str(seen["turn"])
    if len(seen["angles"]) != len(omega[:MOST_DIALS]) or not all(map(turns, seen["angles"], k * omega)):
        yield "angles", str(seen["angles"])
    if state["word"] == "off":
        for dials, step in zip(seen["dials"], [*places, k], strict=True):
            yield from _dials(dials, step * omega[:MOST_DIALS])
    if not shows(live["like.k"], float(np.mean(np.cos(k * omega)))):
        yield "likeness", live["like.k"]
    if any(hidden != case.is_built for hidden in seen["notes"]):
        yield "notes of the small model", str(seen["notes"])


def _reddish(colour: str) -> int:
    red, blue = int(colour[1:3], 16), int(colour[5:7], 16)
    return red - blue if abs(red - blue) > 20 else 0


def _waves(state: State, omega: Floats, waves: list[dict[str, Any]]) -> Found:
    drawn = [wave["pair"] for wave in waves]
    if drawn != sorted(set(drawn)) or len(drawn) != min(MOST_WAVES, len(omega)) or state["pair"] not in drawn:
        yield "waves", str(drawn)
    for wave in waves:
        height = math.sin(state["pos"] * omega[wave["pair"]])
        x, y = re.fullmatch(r"M(\S+) (\S+)h\.001", wave["dot"]).groups()  # type: ignore[union-attr]
        right = (
            wave["chosen"] == (wave["pair"] == state["pair"])
            and whole(wave["named"], wave["pair"])
            and shows(wave["height"], height)
            and wave["cursor"].startswith(f"M{state['pos']} ")
            and abs(float(x) - state["pos"]) + abs(float(y) + height) < 1e-3
        )
        if not right:
            yield f"wave of pair {wave['pair']}", str(wave)


def _address(state: State, row: Floats, live: dict[str, str]) -> Found:
    readings = {"least": row.min(), "most": row.max(), "length": np.linalg.norm(row)}
    for name, value in readings.items():
        if not shows(live[f"address.{name}"], float(value)):
            yield f"address, {name}", live[f"address.{name}"]
    apart = np.linalg.norm(rows(state, np.arange(state["n_positions"])) - row, axis=1)
    apart[state["pos"]] = np.inf
    if state["n_positions"] > 1:
        near = np.flatnonzero(apart <= apart.min() + TOLERANCE).tolist()
        if live["address.nearest"].split(", ") != [f"{each:,}" for each in near]:
            yield "nearest address", live["address.nearest"]
        if not shows(live["address.distance"], float(apart.min())):
            yield "address, distance", live["address.distance"]


def _margin(state: State, omega: Floats, ladder: list[dict[str, Any]], live: dict[str, str]) -> Found:
    if state["n_positions"] == 1:
        return
    offsets = np.arange(1, state["n_positions"])[:, None]
    clash = np.sqrt(np.cumsum(4 * np.sin(offsets * omega / 2) ** 2, axis=1).min(axis=0))
    if not (whole(live["margin.kept"], state["kept"]) and shows(live["margin.clash"], float(clash[state["kept"]]))):
        yield "margin", live["margin.clash"]
    if len(ladder) != min(MOST_LISTED, len(omega)):
        yield "list of pairs", f"{len(ladder)} lines"
    for pair, line in enumerate(ladder):
        named, _, length, closest = line["cells"]
        right = whole(named, pair) and shows(length, math.tau / omega[pair]) and shows(closest, float(clash[pair]))
        if not right or line["chosen"] != (pair == state["pair"]):
            yield f"list of pairs, pair {pair}", str(line)


def _dials(drawn: list[str], angle: Floats) -> Found:
    tips = [[float(each) for each in re.findall(r"-?[\d.]+", path)] for path in drawn]
    ends = np.array([[x2 - x1, y1 - y2] for x1, y1, x2, y2 in tips]) / 7.5
    if ends.shape != (len(angle), 2) or np.abs(ends - np.stack([np.sin(angle), np.cos(angle)], axis=1)).max() > 2e-3:
        yield "dials", str(drawn[:2])


def _instrument(case: Case) -> Found:
    state, seen = case.state, case.seen
    fault, live = state["tamper"], dict(seen["live"])
    clean = fault == "none"
    if seen["tampered"] != ["clean" if clean else "tampered"] * 2 or seen["tamper"] == clean:
        yield "switch", f"{seen['tamper']} {seen['tampered']}"
    if not clean and seen["fault"] != fault:
        yield "fault", seen["fault"]
    yield from _verdicts(case, live)
    omega = frequencies(state)
    lengths = math.tau / omega
    for key, value in (("model.shortest", lengths.min()), ("model.longest", lengths.max())):
        if not shows(live[key], float(value)):
            yield key, live[key]
    for named, length in seen["rules"]:
        if not shows(length, float(lengths[int(named)])):
            yield f"ruler, pair {named}", length
    yield from _probes(state, live, omega)
    if any(hidden != case.is_built for hidden in seen["built"]):
        yield "notes of the build’s own", str(seen["built"])


def _verdicts(case: Case, live: dict[str, str]) -> Found:
    state, seen, words = case.state, case.seen, WORDS["instrument"]
    right = verdicts(state)
    marks = {name: str(holds).lower() for name, holds in right.items()}
    if dict(seen["verdicts"]) != marks:
        yield "witness", f"{seen['verdicts']}, not {right}"
    told = {name: words["script.word.holds" if holds else "script.word.fell"] for name, holds in right.items()}
    if dict(seen["now"]) != told or any(live[f"word-{name}"] != word for name, word in told.items()):
        yield "verdicts in words", str(seen["now"])
    positions = np.arange(state["n_positions"])
    agrees = np.array_equal(faulty(state, positions), rows(state, positions))
    agreement = str(agrees).lower() if case.is_built else "none"
    if dict(seen["statements"]) != {name: marks.get(name, agreement) for name, _ in seen["statements"]}:
        yield "statements", str(seen["statements"])
    holds = all(right.values()) and (agrees or not case.is_built)
    if set(seen["flags"]) != {"holds" if holds else "broken"}:
        yield "flags", str(seen["flags"])
    if not live["tally"].startswith(f"{sum(right.values())} of 5"):
        yield "tally", live["tally"]
    if not live["unique-short"].startswith(f"{_unique(state):,} of {state['n_positions']:,}"):
        yield "rows", live["unique-short"]


def _unique(state: State) -> int:
    """How many rows no other row equals to the bit of nine decimals."""
    return len(np.unique(np.round(faulty(state, np.arange(state["n_positions"])), 9), axis=0))


def _probes(state: State, live: dict[str, str], omega: Floats) -> Found:
    pos, second, k = state["pos"], state["second"], state["k"]
    a, b, ahead = faulty(state, np.array([pos, second, pos + k]))

    def off(by: int, other: Floats) -> float:
        turned = (a[1::2] + 1j * a[::2]) * np.exp(1j * by * omega)
        return float(max(np.abs(turned.imag - other[::2]).max(), np.abs(turned.real - other[1::2]).max()))

    for key, value in (
        ("probe-distance", float(np.linalg.norm(b - a))),
        ("probe-turned", off(second - pos, b)),
        ("probe-ahead", off(k, ahead)),
    ):
        if not shows(live[key], value, noise=1e-9):
            yield key, live[key]
    for side, at in enumerate((pos, second)):
        scaled = at / max(state["n_positions"] - 1, 1)
        if not whole(live[f"tag-raw-{side}"], at) or not shows(live[f"tag-scaled-{side}"], scaled):
            yield f"tags of probe {side}", live[f"tag-raw-{side}"]
        values = live[f"tag-sinusoid-{side}"].removesuffix("…").split()
        if not all(map(shows, values, rows(state, np.array([at]))[0].tolist())):
            yield f"sinusoid of probe {side}", str(values)
