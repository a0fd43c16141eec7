"""Conventions by name: which layout on which ladder. A new one is a new value here; its words are in the content."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Convention:
    """key is what `--expect` takes; layout and ladder are what a table must have; `padded` and `unit` narrow it to
    tables with a zero row at index 1 and to tables whose rows have length 1."""

    key: str
    layout: str
    ladder: str
    padded: bool = False
    unit: bool = False


CONVENTIONS: tuple[Convention, ...] = (
    Convention("fairseq", "halves", "tensor2tensor", padded=True),
    Convention("mlx", "halves", "tensor2tensor", unit=True),
    Convention("vaswani", "interleaved", "paper"),
    Convention("halves", "halves", "paper"),
    Convention("tensor2tensor", "halves", "tensor2tensor"),
    Convention("cos-first", "cos-first", "paper"),
    Convention("guided-diffusion", "cos-halves", "paper"),
    Convention("diffusers", "cos-halves", "tensor2tensor"),
    Convention("interleaved-tensor2tensor", "interleaved", "tensor2tensor"),
    Convention("cos-first-tensor2tensor", "cos-first", "tensor2tensor"),
    Convention("permuted", "permuted", "paper"),
    Convention("permuted-tensor2tensor", "permuted", "tensor2tensor"),
)
"""The narrower ones first."""

BY_LADDER = {
    "octaves-pi": "nerf",
    "octaves": "octaves",
    "linear": "linear",
    "llama3": "llama3",
    "rope-cache": "rope-cache",
}
"""Conventions that are known by their ladder in any layout."""

ROTARY = "rope"
GRIDS = {"fours": "loftr", "blocks": "detr", "blocks-halves": "mae", "mixed": "grid"}
"""Two-dimensional ones: by the order of their columns."""

EXPECTABLE: tuple[str, ...] = (
    *(convention.key for convention in CONVENTIONS),
    *BY_LADDER.values(),
    ROTARY,
    *GRIDS.values(),
)


def named(layout: str, ladder: str, *, padded: bool, unit: bool) -> str:
    """The convention's key; `other` for a mixture that nobody has named."""
    ladder = ladder.removesuffix("-float32")
    if ladder in BY_LADDER:
        return BY_LADDER[ladder]
    for convention in CONVENTIONS:
        if (convention.layout, convention.ladder) != (layout, ladder):
            continue
        if (convention.padded and not padded) or (convention.unit and not unit):
            continue
        return convention.key
    return "other"
