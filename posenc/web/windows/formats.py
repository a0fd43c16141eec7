"""Window 8: what number formats do to the table."""

from dataclasses import dataclass
from typing import Any

from posenc.config import Config
from posenc.formats import Survival, precision
from posenc.web import curves, format
from posenc.web.windows.written import short

FORMAT_ROWS = 4096
"""Positions on which number formats are tried: float16 holds the first 2,049 of them exactly."""


def numbers(config: Config) -> dict[str, str]:
    """What the words of the part say in figures."""
    return {
        "precision.rows": format.count(FORMAT_ROWS),
        "precision.width": format.count(curves.width(config)),
        "precision.base": format.plain(config.base),
        "precision.run": format.count(curves.NEAR),
        "precision.floor": format.sci(curves.FLOOR),
    }


def figure(config: Config) -> dict[str, Any]:
    """The figure as the build draws it."""
    return {"formats": _formats(precision(FORMAT_ROWS, curves.width(config), config.base))}


@dataclass(frozen=True, slots=True)
class Kept:
    """One format, held one way, as the table writes it; a format that keeps every row apart has no collision."""

    format: str
    error: str
    shift: str
    distinct: str
    collision: tuple[str, str] | None


def _formats(found: tuple[Survival, ...]) -> dict[str, list[Kept]]:
    return {held: [_kept(one) for one in found if one.held == held] for held in ("values", "positions")}


def _kept(survival: Survival) -> Kept:
    first, second = map(format.count, survival.collision or (0, 0))
    return Kept(
        survival.format,
        short(survival.error),
        short(survival.shift),
        format.count(survival.n_distinct),
        (first, second) if survival.collision else None,
    )
