"""The picture that others show beside a link to the site: the first positions as clock hands, one column each, and
the panel of the whole table. Drawn from the encoding itself, as an indexed PNG, the same bytes each time."""

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode
from posenc.web.strips import colour

WIDTH, HEIGHT = 1200, 630
EXAMPLE = Config()  # the card is laid out for it
COLUMNS, PAIRS, PITCH = 13, EXAMPLE.n_pairs, 65  # dials: positions, pairs, pixels from one to the next
RADIUS, RIM, HAND = 28.5, 1.3, 3.5  # of a dial, in pixels
ROWS, CELL_WIDTH, CELL_HEIGHT = EXAMPLE.n_positions, 12, 8  # the panel: as high as the dials from rim to rim
MARGIN, TOP = 57, 59
PAPER, INK, WASH, RIM_SHARE = "#fbfaf6", "#1d2127", 0.13, 0.5

# The palette: every mixture of wash and ink, then the panel's colours.
WASHES, INKS, SHADES = 4, 40, 95

Numbers = NDArray[np.floating[Any]]
Pixels = NDArray[np.uint8]


def card() -> bytes:
    """The card of the worked example, which is what the explainer tells of."""
    return png(draw(encode(range(ROWS), EXAMPLE.d_model, EXAMPLE.base)), palette())


def draw(table: Floats) -> Pixels:
    """The card as numbers of the palette; the table has `ROWS` rows and 2 · `PAIRS` columns."""
    canvas = np.zeros((HEIGHT, WIDTH), np.uint8)
    plate = dials(table[:COLUMNS])
    panel = np.pad(cells(table), 1, constant_values=int(steps(RIM_SHARE, INKS)))  # a frame as fine as the rims
    around = PITCH // 2 - int(RADIUS)  # a dial's own share of the margin
    _place(plate, canvas, TOP - around, MARGIN - around)
    _place(panel, canvas, TOP - 1, WIDTH - MARGIN + 1 - panel.shape[1])
    return canvas


def _place(part: Pixels, canvas: Pixels, top: int, left: int) -> None:
    canvas[top : top + part.shape[0], left : left + part.shape[1]] = part


def dials(rows: Floats) -> Pixels:
    """A column of dials for each row: pairs downwards, the fastest on top."""
    sin, cos = (rows[:, which::2].T.astype(np.float32)[..., None, None] for which in (0, 1))
    across = np.arange(PITCH, dtype=np.float32) + 0.5 - PITCH / 2  # from the centre to each pixel's centre
    x, y = across[None, :], -across[:, None]
    from_centre = np.hypot(x, y)
    disc, rim = coverage(from_centre - RADIUS), coverage(np.abs(from_centre - RADIUS) - RIM / 2)
    swept = np.mod(np.arctan2(x, y), 2 * np.pi) <= np.mod(np.arctan2(sin, cos), 2 * np.pi)
    along = np.clip(x * sin + y * cos, 0, RADIUS - HAND / 2)
    hand = coverage(np.hypot(x - along * sin, y - along * cos) - HAND / 2)
    ink = np.maximum(hand, RIM_SHARE * rim)
    tiles = steps(swept * disc, WASHES) * INKS + steps(ink, INKS)  # pairs × rows × PITCH × PITCH
    return np.asarray(tiles.transpose(0, 2, 1, 3).reshape(PITCH * tiles.shape[0], PITCH * tiles.shape[1]), np.uint8)


def cells(table: Floats) -> Pixels:
    """The panel: a row of coloured cells for each position."""
    shades = WASHES * INKS + steps((table + 1) / 2, SHADES)
    return np.asarray(shades.repeat(CELL_HEIGHT, axis=0).repeat(CELL_WIDTH, axis=1), np.uint8)


def coverage(beyond: Numbers) -> Numbers:
    """How much of a pixel a shape covers, by how far beyond the shape's edge the pixel's centre lies."""
    return np.asarray(np.clip(0.5 - beyond, 0, 1))


def steps(share: Numbers | float, count: int) -> NDArray[np.intp]:
    """0 … 1 in so many steps; a last bit of the machine's arithmetic moves none."""
    return np.floor(np.round(np.asarray(share) * (count - 1), 3) + 0.5).astype(np.intp)


def palette() -> Pixels:
    """The colours, in the order in which `dials` and `cells` count them."""
    paper, ink = (np.array(rgb(each), np.float64) for each in (PAPER, INK))
    wash = np.linspace(0, WASH, WASHES)[:, None, None]
    share = np.linspace(0, 1, INKS)[None, :, None]
    ground = paper + (ink - paper) * wash
    drawn = (ground + (ink - ground) * share).reshape(-1, 3)
    panel = [rgb(colour(share)) for share in np.linspace(-1, 1, SHADES).tolist()]
    return np.vstack([np.floor(drawn + 0.5), panel]).astype(np.uint8)


def png(pixels: Pixels, colours: Pixels) -> bytes:
    """An indexed PNG: 8 bits a pixel, no line filtered."""
    height, width = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", colours.tobytes()),
            _chunk(b"IDAT", zlib.compress(lines, 7)),
            _chunk(b"IEND", b""),
        ]
    )


def rgb(hexadecimal: str) -> list[int]:
    return list(bytes.fromhex(hexadecimal[1:]))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
