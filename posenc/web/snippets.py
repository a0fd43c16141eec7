"""What a reader may copy: the encoding as a short program in four libraries, and BibTeX of the paper and of the page.

The programs hold `{d_model}`, `{n_positions}` and `{base}`, for `posenc.web.format.fill` here and `posenc.format.fill`
in the browser; a brace around anything but one bare word is the text's own.
"""

import re
from pathlib import Path

from posenc.config import Config
from posenc.web.format import fill

LIBRARIES = ("numpy", "pytorch", "jax", "tensorflow")
CITATIONS = ("paper", "page")


def snippets(root: Path) -> dict[str, str]:
    """Every snippet with its placeholders, by name."""
    folder = root / "templates" / "snippets"
    files = {**{name: f"{name}.py.txt" for name in LIBRARIES}, **{name: f"{name}.bib.txt" for name in CITATIONS}}
    return {name: _text(folder / file) for name, file in files.items()}


def program(snippet: str, config: Config) -> str:
    """A program with the numbers of one table, written as JavaScript writes them."""
    base = int(config.base) if config.base.is_integer() else config.base
    return fill(snippet, d_model=config.d_model, n_positions=config.n_positions, base=base)


def citation(snippet: str, title: str, url: str | None) -> str:
    """The page's entry; one that has no address has no line for it. What LaTeX takes for its own gets a stroke."""
    lines = snippet.splitlines(keepends=True)
    kept = [line for line in lines if url is not None or "{url}" not in line]
    return fill("".join(kept), title=re.sub(r"([&%$#_])", r"\\\1", title), url=url)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
