"""The card that is shown beside a link: a true PNG of the true encoding."""

import math
import re
import struct
import zlib

import numpy as np
import pytest

from posenc.config import Config
from posenc.engine import encode
from posenc.faults import raw_index
from posenc.web import card
from posenc.web.strips import colour
from tests.checkout import ROOT


def chunks(png: bytes) -> dict[bytes, bytes]:
    """The parts of a PNG, each held to its checksum."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = {}, 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + body)
        found[kind], at = body, at + 12 + size
    return found


@pytest.fixture(scope="module")
def pixels() -> np.ndarray:
    """The card as a viewer sees it: rows of red, green and blue."""
    parts = chunks(card.card())
    width, height, bits, kind, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert (width, height, bits, kind, rest) == (1200, 630, 8, 3, [0, 0, 0])
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + width)
    assert not lines[:, 0].any()
    return np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)[lines[:, 1:]].astype(int)


def at(pixels: np.ndarray, position: int, pair: int, share: float, turn: float = 0.0) -> list[int]:
    """The colour on the way to the tip of a hand, by the formula of the book."""
    config = Config()
    angle = position / config.base ** (2 * pair / config.d_model) + turn
    left, top = card.MARGIN - 4, card.TOP - 4
    x = left + card.PITCH * (position + 0.5) + share * card.RADIUS * math.sin(angle)
    y = top + card.PITCH * (pair + 0.5) - share * card.RADIUS * math.cos(angle)
    colours: list[int] = pixels[math.floor(y), math.floor(x)].tolist()
    return colours


def test_every_hand_points_where_the_formula_says(pixels: np.ndarray) -> None:
    for position in range(card.COLUMNS):
        for pair in range(card.PAIRS):
            assert max(at(pixels, position, pair, 0.8)) < 0x50, (position, pair)
            assert min(at(pixels, position, pair, 0.8, turn=math.pi)) > 0xD0, (position, pair)


def test_the_ground_is_paper_and_the_motif_stands_in_the_middle(pixels: np.ndarray) -> None:
    paper = card.rgb(card.PAPER)
    drawn = np.argwhere((pixels != paper).any(axis=2))
    (top, left), (bottom, right) = drawn.min(axis=0), drawn.max(axis=0)
    assert abs(left - (card.WIDTH - 1 - right)) <= 1
    assert abs(top - (card.HEIGHT - 1 - bottom)) <= 1
    assert 50 <= top <= left + 4


def test_every_cell_of_the_panel_has_the_colour_of_its_number(pixels: np.ndarray) -> None:
    config = Config()
    table = encode(range(card.ROWS), config.d_model, config.base)
    left = card.WIDTH - card.MARGIN - config.d_model * card.CELL_WIDTH
    for (row, column), value in np.ndenumerate(table):
        y = card.TOP + row * card.CELL_HEIGHT + card.CELL_HEIGHT // 2
        shown = pixels[y, left + column * card.CELL_WIDTH + card.CELL_WIDTH // 2]
        assert np.abs(shown - card.rgb(colour(float(value)))).max() <= 8, (row, column)


def test_edges_are_smooth(pixels: np.ndarray) -> None:
    dial = pixels[card.TOP : card.TOP + 57, card.MARGIN : card.MARGIN + 57]
    assert len(np.unique(dial.reshape(-1, 3), axis=0)) > 12


def test_another_table_makes_another_card() -> None:
    config = Config()
    table = encode(range(card.ROWS), config.d_model, config.base)
    assert (card.draw(table) != card.draw(np.clip(raw_index(config), -1, 1))).mean() > 0.05
    shifted = encode(range(1, card.ROWS + 1), config.d_model, config.base)
    assert (card.draw(table) != card.draw(shifted)).any()


def test_the_card_is_the_same_each_time_and_light() -> None:
    assert card.card() == card.card()
    assert len(card.card()) < 60_000


def test_the_pages_tell_the_size_of_the_card_that_is_drawn() -> None:
    tags = (ROOT / "templates" / "head" / "live.html").read_text("utf-8")
    told = dict(re.findall(r'"og:image:(width|height)" content="(\d+)"', tags))
    assert told == {"width": str(card.WIDTH), "height": str(card.HEIGHT)}
