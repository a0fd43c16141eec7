"""The motif of both pages: a position as a row of clock hands, one per pair."""

from posenc.arrays import Floats


def hands(row: Floats) -> list[tuple[float, float]]:
    """(sine, cosine) of each pair of a row: how far right of and above the centre its hand points."""
    tips = row.round(4) + 0.0
    return list(zip(tips[0::2].tolist(), tips[1::2].tolist(), strict=True))
