"""The words of content/en/check.md: beside a checkout, or inside an installed package, where they are posenc/words."""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

_BESIDE = Path(__file__).resolve().parent.parent.parent / "content" / "en" / "check.md"
_PREFIX = "script.check."


@lru_cache(maxsize=1)
def words() -> dict[str, str]:
    """Texts by key, without the keys' common beginning."""
    return parsed(_source())


def _source() -> str:
    if _BESIDE.is_file():
        return _BESIDE.read_text("utf-8")
    return files("posenc").joinpath("words", "check.md").read_text("utf-8")


def parsed(text: str) -> dict[str, str]:
    """`key: value` lines between the first two lines of ---; others are notes for writers."""
    front = text.split("---", 2)[1]
    pairs = (line.split(": ", 1) for line in front.splitlines() if line.startswith(_PREFIX) and ": " in line)
    return {key.removeprefix(_PREFIX): value.strip() for key, value in pairs}
