"""The picture is a PNG that any decoder reads back to the colours of the scale."""

import struct
import zlib

import numpy as np
import pytest

from posenc.web.picture import NOT_A_NUMBER, STOPS, colorscale, data_uri, png

BLUE, PAPER, RED = STOPS[0], STOPS[len(STOPS) // 2], STOPS[-1]


def decode(image: bytes) -> list[list[str]]:
    """Colours of an 8-bit palette PNG without line filters, read by the format's specification."""
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(image):
        (length,) = struct.unpack_from(">I", image, at)
        kind, body = image[at + 4 : at + 8], image[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", image, at + 8 + length) == (zlib.crc32(kind + body),)
        chunks[kind] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 3, 0, 0, 0]
    palette, pixels = chunks[b"PLTE"], zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (width + 1)
    lines = [pixels[row * (width + 1) : (row + 1) * (width + 1)] for row in range(height)]
    assert all(line[0] == 0 for line in lines)
    return [["#" + palette[3 * index : 3 * index + 3].hex() for index in line[1:]] for line in lines]


def channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def test_blue_is_minus_one_paper_is_zero_red_is_plus_one() -> None:
    assert decode(png([[-1, 0, 1]], 1)) == [[BLUE, PAPER, RED]]


def test_blue_and_red_are_what_they_are_called() -> None:
    red, _, blue = channels(BLUE)
    assert blue > red
    red, _, blue = channels(RED)
    assert red > blue
    assert min(channels(PAPER)) > 240


def test_the_scale_follows_the_limit() -> None:
    assert decode(png([[-3, 0, 3, 1.5]], 3)) == decode(png([[-1, 0, 1, 0.5]], 1))


def test_values_off_the_scale_take_the_end_colours() -> None:
    assert decode(png([[-63, 63, -np.inf, np.inf]], 1)) == [[BLUE, RED, BLUE, RED]]


def test_nan_has_a_colour_of_its_own() -> None:
    ramp = decode(png([np.linspace(-1, 1, 999)], 1))[0]
    assert decode(png([[np.nan]], 1)) == [[NOT_A_NUMBER]]
    assert NOT_A_NUMBER not in ramp


def test_every_stop_is_met_at_its_place() -> None:
    places = np.array([place for place, _ in colorscale()], dtype=float)
    (found,) = decode(png([2 * places - 1], 1))
    for colour, stop in zip(found, STOPS, strict=True):
        assert np.max(np.abs(np.subtract(channels(colour), channels(stop)))) <= 2


def test_opposite_values_never_share_a_colour() -> None:
    values = np.linspace(1 / 64, 1, 64)
    assert not set(decode(png([values], 1))[0]) & set(decode(png([-values], 1))[0])


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (3, 7), (2, 1001), (64, 16)])
def test_every_cell_is_one_pixel_in_its_place(shape: tuple[int, int]) -> None:
    values = np.random.default_rng(0).choice([-1, 0, 1], shape)
    colours = {-1: BLUE, 0: PAPER, 1: RED}
    assert decode(png(values, 1)) == [[colours[value] for value in row] for row in values.tolist()]


def test_the_same_table_gives_the_same_bytes_and_few_of_them() -> None:
    table = np.random.default_rng(0).uniform(-1, 1, (64, 16))
    assert png(table, 1) == png(table.copy(), 1)
    assert len(png(table, 1)) < 2100
    assert data_uri(table, 1).startswith("data:image/png;base64,iVBOR")
