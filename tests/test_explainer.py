"""The explainer's words and numbers, before a browser sees them."""

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc import attention
from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.proof import prove
from posenc.web import content, explainer, parts, picture
from posenc.web.clocks import hands
from posenc.web.parts import setting
from posenc.web.strips import colour
from tests.cost import cost

ROOT = Path(__file__).resolve().parent.parent
CONFIG = Config()
TABLE = encode(np.arange(CONFIG.n_positions), CONFIG.d_model, CONFIG.base)
PROOF = prove(TABLE, CONFIG)
WINDOWS = {
    "order": "5",
    "count": "1",
    "wave": "3",
    "stack": "027",
    "sum": "54",
    "turn": "7",
    "address": "8",
    "coda": "2",
    "next": "",
}
TITLES = [
    "Same words, new order, another meaning",
    "Why not number them 1, 2, 3?",
    "A wave that swings forever and never leaves its band",
    "One wave is ambiguous; a stack is a fingerprint",
    "Stirred in, not bolted on",
    "One step ahead is always the same turn",
    "A smooth address folded into meaning",
    "Coda",
    "Where next",
]


@pytest.fixture(scope="module")
def document() -> content.Document:
    path = Path("content") / "en" / "explainer.md"
    return content.read(ROOT / path, path)


def test_the_nine_parts_stand_in_their_order_under_their_titles(document: content.Document) -> None:
    assert [section.title for section in document.sections.values()] == TITLES


@pytest.mark.parametrize("part", WINDOWS)
def test_every_part_has_an_analogy_marked_as_a_picture(document: content.Document, part: str) -> None:
    paragraphs = document.sections[part].body.split("\n\n")
    analogies = [paragraph for paragraph in paragraphs if paragraph.endswith("{: .analogy }")]
    assert len(analogies) == 1
    assert "[[ claim:picture ]]" in analogies[0]


@pytest.mark.parametrize("part", WINDOWS)
def test_every_part_has_its_figure_a_status_and_its_windows(document: content.Document, part: str) -> None:
    body = document.sections[part].body
    assert f"[[ figure:{part} ]]" in body
    assert re.search(r"\[\[ claim:(proved|checked|measured|cited)", body)
    for window in WINDOWS[part]:
        assert f"[[ window:{window} ]]" in body


def test_the_last_part_leads_to_every_part_and_every_window(document: content.Document) -> None:
    doors = " ".join(value for key, value in document.fields.items() if key.startswith("figure.next."))
    assert set(re.findall(r"window:(\d)", doors)) == set("012345678")
    assert set(re.findall(r"part:([a-z]+)", doors)) == set(WINDOWS) - {"next"}


def test_the_second_sentence_of_the_order_figure_has_the_words_in_the_second_order(
    document: content.Document,
) -> None:
    words = document.fields["figure.order.words"].split()
    assert document.fields["figure.order.first"].split() == words
    assert document.fields["figure.order.second"].split() == [words[word] for word in parts.order.ORDER]


def test_no_computed_number_is_typed_into_the_words(document: content.Document) -> None:
    """Digits stand only in slots, addresses of papers, years, section and table numbers, and one title."""
    allowed = r"\[\[.*?\]\]|arXiv \d{4}\.\d{5}|\(https?://\S*\)|2017|section 3\.[45]|table 3|1, 2, 3|2π"
    for number, line in enumerate(document.lines, start=1):
        rest = re.sub(allowed, "", re.sub(r"^[a-z][a-z0-9.-]*: ", "", line))
        assert not re.search(r"\d", rest), f"line {number}: {rest}"


def test_no_number_of_the_config_is_spelled_out(document: content.Document) -> None:
    spelled = re.compile(r"\b(eight|sixteen|sixty-four)\b", re.IGNORECASE)
    assert [line for line in document.lines if spelled.search(line)] == []


FIRST_SETTINGS = re.compile(r"\[\[ (count\.slot|wave\.(moment|rival)|address\.slot)")


def test_a_caption_gives_the_first_setting_of_a_control_as_that(document: content.Document) -> None:
    told = 0
    for key, caption in document.fields.items():
        first = FIRST_SETTINGS.search(caption)
        if key.endswith(".caption") and first:
            told += 1
            assert "at first" in caption[: first.start()].lower(), key
    assert told == 3


COMMANDS = re.compile(r"(?:^|[.:;\]] )(Give|Move|Pick|Pull|Push|Drag|Slide|Click|Tap|Try)\b|\bslider\b")


def test_only_hints_tell_the_reader_to_use_a_control(document: content.Document) -> None:
    """Without scripts the hints are hidden and every other sentence stays true."""
    for key, words in document.fields.items():
        if key.startswith("figure."):
            assert bool(COMMANDS.search(words)) == key.endswith(".hint"), key


def test_one_thing_has_one_name(document: content.Document) -> None:
    """A slot is no seat or position, a number of a list no dimension: the paper's two words are told once."""
    rival = re.compile(r"\b(seats?|positions?|dimensions?)\b", re.IGNORECASE)
    prose = [re.sub(r"\{\w+\}|\*[^*]*Position[^*]*\*", "", line) for line in document.lines]
    told = [line for line in prose if rival.search(line)]
    named = (
        "description:",
        "For those who go on to the paper",
        "figure.next.coda:",
        "This idea is called",
        "That absolute",
    )
    assert [line for line in told if not line.startswith(named)] == []
    figures = content.read(ROOT / "content" / "en" / "figures.md", Path("figures.md")).fields
    ours = {
        key: re.sub(r"\{\w+\}", "", words) for key, words in figures.items() if "similarity" in key or ".sum" in key
    }
    assert {key: words for key, words in ours.items() if rival.search(words)} == {}


def test_a_scale_names_whole_heights_from_the_top() -> None:
    assert parts.curves.scale(-4, 12, (12, 0, -4)) == [(0.0, "12"), (75.0, "0"), (100.0, "−4")]


def test_each_claim_has_the_status_that_its_grounds_allow(document: content.Document) -> None:
    body = {name: section.body for name, section in document.sections.items()}
    assert "claim:measured" not in body["count"] + document.fields["figure.count.caption"]  # arithmetic
    assert re.search(r"designers hoped[^.]*\. \[\[ claim:cited \]\]", body["turn"])
    for feature, status in (
        ("bounded", "proved"),
        ("smooth", "proved"),
        ("multi-scale", "checked"),
        ("added in", "cited"),
    ):
        assert re.search(rf"\*(?:\[\[ term:)?{feature}(?: \]\])?\*.*?\[\[ claim:(\w+)", body["address"])[1] == status  # type: ignore[index]


def test_what_is_called_proved_stands_with_its_formula(document: content.Document) -> None:
    for part, formulas in (
        ("turn", ("shift", "rotation-block", "rotation-identity")),
        ("address", ("dot",)),
        ("coda", ("relative",)),
    ):
        for formula in formulas:
            assert f"[[ formula:{formula} ]]" in document.sections[part].body


def test_no_formula_lies_unused_and_none_needs_set_theory(document: content.Document) -> None:
    folder = ROOT / "templates" / "formulas"
    words = [ROOT.joinpath("content", "en", name).read_text("utf-8") for name in ("explainer.md", "instrument.md")]
    figures = [path.read_text("utf-8") for path in ROOT.joinpath("templates", "figures").glob("*.html")]
    everything = "".join(words + figures)
    for path in folder.glob("*.html"):
        assert f"[[ formula:{path.stem} ]]" in everything or f"formulas/{path.name}" in everything, path.stem
    shown = {slot.partition(":")[2] for slot, _, _ in document.slots() if slot.startswith("formula:")}
    assert not any(re.search("[ℤℚ∈∉⇒]", (folder / f"{name}.html").read_text("utf-8")) for name in shown)


def test_slots_are_counted_from_zero() -> None:
    rows = explainer.figures(CONFIG, TABLE)["order"]["rows"]
    assert [row["slots"] for row in rows] == [(0, 2), (1, 1), (2, 0)]


def test_a_gap_ahead_scores_unlike_the_gap_behind_and_the_widest_gap_can_be_played() -> None:
    numbers = explainer.numbers(CONFIG, TABLE, PROOF)
    assert numbers["coda.ahead"] != numbers["coda.behind"]
    assert abs(int(numbers["coda.widest"].replace("−", "-"))) < CONFIG.n_positions


def test_the_address_names_both_nearest_slots() -> None:
    assert explainer.figures(CONFIG, TABLE)["address"]["nearest"] == "4, 6"


def test_strips_have_the_colours_of_the_heatmaps() -> None:
    last = len(picture.STOPS) - 1
    assert [colour(2 * stop / last - 1) for stop in range(last + 1)] == list(picture.STOPS)
    assert (colour(-7), colour(7)) == (picture.STOPS[0], picture.STOPS[-1])
    half = (0.5 + math.ulp(0.5)) / (last / 2)  # midway between two stops, give or take a bit
    assert colour(half) == colour(0.5 / (last / 2))


def test_every_number_is_told(document: content.Document) -> None:
    told = {slot.removeprefix("live:") for slot, _, _ in document.slots()}
    for path in ROOT.joinpath("templates", "figures").glob("*.html"):
        told |= set(re.findall(r'numbers\["([\w.-]+)"\]', path.read_text("utf-8")))
    numbers = {name for name in explainer.numbers(CONFIG, TABLE, PROOF) if not name.startswith("now.")}
    assert numbers <= told


def test_numbers_are_what_they_say() -> None:
    numbers = explainer.numbers(CONFIG, TABLE, PROOF)
    expected = {
        "order.same": "1\u00a0×\u00a010⁻¹²",
        "order.places": "12",
        "count.raw": "113,137",
        "count.word": "22.6",
        "wave.shortest": "6.28",
        "wave.longest": "19,869.2",
        "stack.fast": "1.14",
        "stack.lone-offset": "710",
        "stack.enough": "3",
        "stack.early": "0.35",
        "stack.full": "1.01",
        "turn.first-angle": "57.3°",
        "turn.last-angle": "0.018°",
        "fit.free": "0.1",
        "fit.coarse": "0.7",
        "fit.ridge": "1.05",
        "like.near": "0.796",
        "like.far": "0.804",
        "address.length": "2.83",
        "address.closest": "1.01",
    }
    assert {name: numbers[name] for name in expected} == expected


def test_the_page_shows_nothing_that_a_last_bit_could_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every array that an experiment or a part computes from comes out a few last bits off."""
    random = np.random.default_rng(0)

    def nudged(values: Floats) -> Floats:
        return np.asarray(values * (1 + 4e-16 * random.standard_normal(np.shape(values))))

    def shown(table: Floats) -> list[object]:
        parts.sum._readings.cache_clear()
        data = explainer.data(CONFIG, table)
        assert np.abs(data["turn"]["maps"].pop("free")).max() < 2  # its entries hang on last bits: that is the point
        return [explainer.numbers(CONFIG, table, PROOF), explainer.figures(CONFIG, table), data]

    expected = shown(TABLE)
    sources = [
        (lab, ("encode", "frequencies", "rotate")),
        (attention, ("attend",)),
        (setting, ("frequencies",)),
        (parts.wave, ("wavelengths",)),
        (parts.sum, ("encode",)),
        (parts.turn, ("encode", "rotate")),
    ]
    calls: set[str] = set()

    def off(name: str, exact: Callable[..., Floats]) -> Callable[..., Floats]:
        def nudging(*arguments: Any, **named: Any) -> Floats:
            calls.add(name)
            return nudged(exact(*arguments, **named))

        return nudging

    for module, names in sources:
        for name in names:
            monkeypatch.setattr(module, name, off(name, getattr(module, name)))
    for _ in range(3):
        assert shown(nudged(TABLE)) == expected
    assert calls == {"encode", "frequencies", "wavelengths", "rotate", "attend"}
    parts.sum._readings.cache_clear()


def test_the_data_of_the_scripts_are_plain_json() -> None:
    json.dumps(explainer.data(CONFIG, TABLE), allow_nan=False)


def test_hands_are_the_pairs_of_a_row() -> None:
    assert hands(TABLE[0]) == [(0.0, 1.0)] * CONFIG.n_pairs
    angle = 5 * frequencies(CONFIG.d_model, CONFIG.base)
    assert np.allclose(hands(TABLE[5]), np.stack([np.sin(angle), np.cos(angle)], axis=1), atol=5e-5)


def test_all_experiments_of_the_page_take_less_than_a_blink() -> None:
    def work() -> None:
        parts.sum._readings.cache_clear()
        explainer.numbers(CONFIG, TABLE, PROOF)
        explainer.figures(CONFIG, TABLE)
        explainer.data(CONFIG, TABLE)

    assert cost(work) < 0.2
