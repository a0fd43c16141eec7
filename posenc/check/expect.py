"""Is a table the one that was expected?"""

from posenc.check.conventions import BY_LADDER
from posenc.check.diagnosis import Diagnosis
from posenc.config import Config

_ALSO = {"fairseq": ("tensor2tensor",), "mlx": ("tensor2tensor",)}
"""The narrower convention is one of the wider, too."""

_ONE_PAIR = (
    ("vaswani", "halves", "tensor2tensor", "interleaved-tensor2tensor"),
    ("cos-first", "guided-diffusion", "diffusers", "cos-first-tensor2tensor"),
)
"""Conventions that are one with two columns."""


def base_of(convention: str, base: float | None) -> float | None:
    """The base that an expectation means when none is given: the paper's, where its ladder has one."""
    if base is not None or convention in BY_LADDER.values():
        return base
    return Config().base


def is_expected(diagnosis: Diagnosis, convention: str) -> bool:
    """Accepted, and of that convention."""
    if not diagnosis.accepted:
        return False
    names = {diagnosis.name, *_ALSO.get(diagnosis.name, ())}
    if any(note.key == "one-pair" for note in diagnosis.ambiguities):
        names |= {key for keys in _ONE_PAIR if diagnosis.name in keys for key in keys}
    return convention in names
