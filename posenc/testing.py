"""For a model's own tests: fails, with the diagnosis as its message, unless a table is the encoding that it should be.

from posenc.testing import assert_encoding

def test_positions_are_the_papers() -> None:
    assert_encoding(model.pe, convention="vaswani")
"""

from typing import Any

from numpy.typing import ArrayLike

from posenc.check.conventions import EXPECTABLE
from posenc.check.diagnosis import Diagnosis
from posenc.check.expect import base_of, is_expected
from posenc.check.judge import diagnose
from posenc.check.sentences import lines, say, verdict
from posenc.checks import failure

__all__ = ["assert_encoding"]


def assert_encoding(
    array: ArrayLike | Any,
    convention: str = "vaswani",
    *,
    base: float | None = None,
    tolerance: float | None = None,
) -> Diagnosis:
    """Raise AssertionError unless the table is accepted as that convention; return what was found.

    convention: a name that `--expect` takes; base: 10000 if none is given. A tensor is taken as it is.
    """
    __tracebackhide__ = True
    if convention not in EXPECTABLE:
        raise failure("convention", convention, f"one of {', '.join(EXPECTABLE)}")
    base = base_of(convention, base)
    diagnosis = diagnose(_plain(array), base=base, tolerance=tolerance)
    if not is_expected(diagnosis, convention):
        wanted = say(
            "expected.base" if base is not None else "expected.other", {"wanted": convention, "base": base or 0}
        )
        first = verdict(diagnosis)
        told = [f"{line.label}: {line.text}" for line in lines(diagnosis)]
        raise AssertionError("\n".join([wanted, f"{first.label}: {first.text}", *told]))
    return diagnosis


def _plain(array: Any) -> Any:
    """A tensor's own numbers; what has no `detach` is an array already."""
    if hasattr(array, "detach"):
        tensor = array.detach().cpu()
        return (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()
    return array
