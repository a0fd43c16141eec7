"""A table as a small PNG: one pixel per cell, blue for −limit, paper for 0, red for +limit."""

import base64
import struct
import zlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

# ColorBrewer's RdBu turned round, without its outermost stops, so that the two ends stay well apart.
STOPS = (
    "#2166ac",
    "#4393c3",
    "#92c5de",
    "#d1e5f0",
    "#f7f7f7",
    "#fddbc7",
    "#f4a582",
    "#d6604d",
    "#b2182b",
)
NOT_A_NUMBER = "#6e6e6e"
LEVELS = 255  # odd, so that zero has a level of its own; palette entry 0 is left for NaN


def colorscale() -> list[list[float | str]]:
    """The stops as Plotly takes them: [place from 0 to 1, colour]."""
    last = len(STOPS) - 1
    return [[index / last, colour] for index, colour in enumerate(STOPS)]


def png(values: ArrayLike, limit: float) -> bytes:
    """An indexed PNG of a 2-D table; what lies beyond ±limit takes the end colours."""
    return _indexed(_levels(np.asarray(values, dtype=np.float64), limit), _palette())


def data_uri(values: ArrayLike, limit: float) -> str:
    """The picture as an address that a page can carry in itself."""
    return _uri(png(values, limit))


def below_uri(values: ArrayLike) -> str:
    """The cells below zero, white on black: a mask through which paper shows their signs."""
    below = np.asarray(values, dtype=np.float64) < 0
    return _uri(_indexed(below.astype(np.uint8), np.array([[0, 0, 0], [255, 255, 255]], dtype=np.uint8)))


def _indexed(levels: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    height, width = levels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits per pixel, palette
    lines = b"".join(b"\0" + line.tobytes() for line in levels)  # 0: the line is not filtered
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette.tobytes()),
            _chunk(b"IDAT", zlib.compress(lines, 9)),
            _chunk(b"IEND", b""),
        ]
    )


def _uri(image: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(image).decode("ascii")


def _levels(values: NDArray[np.float64], limit: float) -> NDArray[np.uint8]:
    share = (np.clip(values / limit, -1, 1) + 1) / 2
    level = 1 + np.round(share * (LEVELS - 1))
    return np.asarray(np.where(np.isnan(values), 0, level)).astype(np.uint8)


def _palette() -> NDArray[np.uint8]:
    """The colour of NaN, then LEVELS colours, straight lines in RGB between the stops."""
    stops = np.array([_rgb(colour) for colour in STOPS])
    place = np.linspace(0, len(STOPS) - 1, LEVELS)
    ramp = np.stack([np.interp(place, np.arange(len(STOPS)), channel) for channel in stops.T], axis=1)
    return np.vstack([_rgb(NOT_A_NUMBER), np.round(ramp)]).astype(np.uint8)


def _rgb(colour: str) -> list[int]:
    return list(bytes.fromhex(colour[1:]))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
