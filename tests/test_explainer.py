"""The explainer's words and numbers, before a browser sees them."""

import json
import re
import time
from pathlib import Path

import numpy as np
import pytest

from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.proof import prove
from posenc.web import content, explainer
from posenc.web.clocks import hands

ROOT = Path(__file__).resolve().parent.parent
CONFIG = Config()
TABLE = encode(np.arange(CONFIG.n_positions), CONFIG.d_model, CONFIG.base)
PROOF = prove(TABLE, CONFIG)
WINDOWS = {
    "order": "5",
    "count": "1",
    "wave": "3",
    "stack": "02",
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
    assert document.fields["figure.order.second"].split() == [words[word] for word in explainer.ORDER]


def test_no_computed_number_is_typed_into_the_words(document: content.Document) -> None:
    """Digits stand only in slots, addresses of papers, years, section and table numbers, and one title."""
    allowed = r"\[\[.*?\]\]|arXiv \d{4}\.\d{5}|\(https?://\S*\)|2017|section 3\.5|table 3|1, 2, 3|2π"
    for number, line in enumerate(document.lines, start=1):
        rest = re.sub(allowed, "", line)
        assert not re.search(r"\d", rest), f"line {number}: {rest}"


def test_every_number_is_told(document: content.Document) -> None:
    told = {slot for slot, _, _ in document.slots()}
    assert set(explainer.numbers(CONFIG, TABLE, PROOF)) <= told


def test_numbers_are_what_they_say() -> None:
    numbers = explainer.numbers(CONFIG, TABLE, PROOF)
    expected = {
        "order.same": "1\u00a0×\u00a010⁻¹²",
        "count.raw": "113,137",
        "count.word": "22.6",
        "wave.shortest": "6.28",
        "wave.longest": "19,869.2",
        "stack.fast": "1.14",
        "stack.lone-offset": "710",
        "turn.first-angle": "57.3°",
        "turn.last-angle": "0.018°",
        "fit.free": "0.1",
        "fit.ridge": "1.05",
        "like.near": "0.796",
        "like.far": "0.804",
        "address.length": "2.83",
        "address.closest": "1.01",
    }
    assert {name: numbers[name] for name in expected} == expected


def test_the_page_shows_nothing_that_a_last_bit_could_change() -> None:
    nudged = TABLE * (1 + 1e-15)
    assert explainer.numbers(CONFIG, nudged, PROOF) == explainer.numbers(CONFIG, TABLE, PROOF)
    assert explainer.figures(CONFIG, nudged) == explainer.figures(CONFIG, TABLE)
    assert explainer.data(CONFIG, nudged) == explainer.data(CONFIG, TABLE)


def test_the_data_of_the_scripts_are_plain_json() -> None:
    json.dumps(explainer.data(CONFIG, TABLE), allow_nan=False)


def test_hands_are_the_pairs_of_a_row() -> None:
    assert hands(TABLE[0]) == [(0.0, 1.0)] * CONFIG.n_pairs
    angle = 5 * frequencies(CONFIG.d_model, CONFIG.base)
    assert np.allclose(hands(TABLE[5]), np.stack([np.sin(angle), np.cos(angle)], axis=1), atol=5e-5)


def test_all_experiments_of_the_page_take_less_than_a_blink() -> None:
    explainer._readings.cache_clear()
    start = time.process_time()
    explainer.numbers(CONFIG, TABLE, PROOF)
    explainer.figures(CONFIG, TABLE)
    explainer.data(CONFIG, TABLE)
    assert time.process_time() - start < 0.5  # some 60 ms; room for a busy machine
