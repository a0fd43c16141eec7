"""The sinusoidal positional encoding and the proof of its invariants.

Names are imported on first use, so that `import posenc` alone does not load NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posenc.check.diagnosis import Diagnosis
    from posenc.check.judge import diagnose
    from posenc.claims import BrokenInvariant, Invariant, Proof
    from posenc.config import Config
    from posenc.engine import encode, frequencies, rotate, rotation, wavelengths
    from posenc.formats import precision
    from posenc.proof import prove
    from posenc.tables import blocks, table

_HOMES = {
    "BrokenInvariant": "claims",
    "Config": "config",
    "Diagnosis": "check.diagnosis",
    "Invariant": "claims",
    "Proof": "claims",
    "blocks": "tables",
    "diagnose": "check.judge",
    "encode": "engine",
    "frequencies": "engine",
    "precision": "formats",
    "prove": "proof",
    "rotate": "engine",
    "rotation": "engine",
    "table": "tables",
    "wavelengths": "engine",
}

__all__ = [
    "BrokenInvariant",
    "Config",
    "Diagnosis",
    "Invariant",
    "Proof",
    "blocks",
    "diagnose",
    "encode",
    "frequencies",
    "precision",
    "prove",
    "rotate",
    "rotation",
    "table",
    "wavelengths",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
