"""The sinusoidal positional encoding and the proof of its invariants.

Names are imported on first use, so that `import posenc` alone does not load NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posenc.config import Config
    from posenc.engine import encode, frequencies, rotate, rotation, wavelengths
    from posenc.proof import BrokenInvariant, Invariant, Proof, prove

_HOMES = {
    "BrokenInvariant": "proof",
    "Config": "config",
    "Invariant": "proof",
    "Proof": "proof",
    "encode": "engine",
    "frequencies": "engine",
    "prove": "proof",
    "rotate": "engine",
    "rotation": "engine",
    "wavelengths": "engine",
}

__all__ = [
    "BrokenInvariant",
    "Config",
    "Invariant",
    "Proof",
    "encode",
    "frequencies",
    "prove",
    "rotate",
    "rotation",
    "wavelengths",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
