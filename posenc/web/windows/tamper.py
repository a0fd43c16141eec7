"""Window 6: the bench of faults."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from posenc import exhibits
from posenc.config import Config
from posenc.exhibits import Damage
from posenc.faults import FAULTS
from posenc.proof import Proof
from posenc.web import format

Verdicts = dict[str, bool]


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault as the bench shows it.

    verdicts: of the invariants, on this table. first: its first wrong row, None if none was found. later: the verdicts
    once a table reaches that row, None unless this one is too short. mended: with the columns put back.
    """

    name: str
    verdicts: Verdicts
    first: str | None
    later: Verdicts | None
    mended: Verdicts | None


def figure(config: Config) -> dict[str, Any]:
    """The figure as the build draws it."""
    return {"faults": [_planted(damage) for damage in _bench(config)]}


def data(config: Config) -> dict[str, Any]:
    """The verdicts that the witness should find on each fault; and those from so many rows on, for a fault that this
    table is too short for."""
    bench = _bench(config)
    grown = {one.name: one.later for one in bench if one.later}
    return {
        "first_fault": bench[0].name,
        "faults": {one.name: verdicts(one.proof) for one in bench},
        "later": {
            name: {"rows": proof.config.n_positions, "verdicts": verdicts(proof)} for name, proof in grown.items()
        },
    }


def verdicts(proof: Proof) -> Verdicts:
    """Each invariant and whether it holds."""
    return {invariant.name: invariant.holds for invariant in proof.invariants}


def _planted(damage: Damage) -> Planted:
    return Planted(
        damage.name,
        verdicts(damage.proof),
        None if damage.first is None else format.count(damage.first),
        verdicts(damage.later) if damage.later else None,
        verdicts(damage.mended) if damage.mended else None,
    )


@lru_cache(maxsize=4)
def _bench(config: Config) -> tuple[Damage, ...]:
    return tuple(exhibits.damage(fault, config) for fault in FAULTS.values())
