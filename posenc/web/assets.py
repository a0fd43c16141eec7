"""What pages load: scripts, style, and the one copy of plotly.js."""

import re
from pathlib import Path

from posenc.web import content, plotlyjs
from posenc.web.heatmaps import MARGINS

STYLES = {
    "explainer": ("tokens", "base", "figures", "views", "explainer", "words", "print"),
    "instrument": ("tokens", "base", "figures", "views", "explainer", "instrument", "words", "print"),
}
"""The sheets of each page; the instrument has what the explainer’s figures are made of too."""
SCRIPTS = (
    "lay",
    "say",
    "engine",
    "faults",
    "proof",
    "linear",
    "slices",
    "attention",
    "format",
    "state",
    "bind",
    "theme",
    "clocks",
    "later",
    "plots",
    "heatmap",
    "curves",
    "table",
    "cells",
    "numbers",
    "views",
)
PAGE_SCRIPTS: dict[str, dict[str, tuple[str, ...]]] = {
    "explainer": {
        "explainer": ("words", "explainer", "parts/order", "parts/count", "parts/wave", "parts/stack"),
        "figures": ("parts/sum", "parts/turn"),
        "whole": ("parts/address", "parts/coda"),
        "reading": ("questions", "contents", "terms", "paper", "alive"),
    },
    "instrument": {
        "windows": ("graveyard", "downloads", "model", "take", "yours"),
        "instrument": ("instrument",),
        "reading": ("terms", "paper", "alive"),
    },
}
"""The files that each page has beside the shared ones, and the scripts of which they are put together."""

LATER: dict[str, tuple[str, ...]] = {"explainer": (), "instrument": ("check",)}
"""Which of LAZY_SCRIPTS a page names, for later.js to bring."""

LAZY_SCRIPTS = {
    "check": (
        "check/numbers",
        "check/storage",
        "check/ladders",
        "check/conventions",
        "check/waves",
        "check/models",
        "check/aside",
        "check/positions",
        "check/fit",
        "check/bugs",
        "check/grids",
        "check/measure",
        "check/diagnosis",
        "check/reading",
        "check/remains",
        "check/judge",
        "check/expect",
        "check/sentences",
        "check/text",
        "check/readers",
    ),
}
"""Scripts that a page loads when its reader asks for what they do; no page lists them among its own."""

_COMMENT = re.compile(r"\s*/\*.*?\*/", re.DOTALL)
"""A remark in a sheet, which is for those who write it: the first paint waits for the sheet."""


def assets(root: Path, plotly: bytes | None = None) -> dict[str, bytes]:
    """Every file below assets/, by its path in the site; `plotly` stands in for the package's own bundle."""
    sources: dict[tuple[str, ...], str] = {(name,): name for name in SCRIPTS}
    sources |= {scripts: page_script(page, name) for page, own in PAGE_SCRIPTS.items() for name, scripts in own.items()}
    sources |= {scripts: name for name, scripts in LAZY_SCRIPTS.items()}
    return {
        "assets/plotly.min.js": plotlyjs.wheel().read_bytes() if plotly is None else plotly,
        **{f"assets/{page}.css": _style(root, names) for page, names in STYLES.items()},
        **{f"assets/{name}.js": _script(root, files, name) for files, name in sources.items()},
    }


def page_script(page: str, name: str) -> str:
    """The name of a page's own file."""
    return page if name == page else f"{page}-{name}"


def _style(root: Path, names: tuple[str, ...]) -> bytes:
    sheets = (_COMMENT.sub("", _text(root, "css", f"{name}.css")) for name in names)
    return "\n".join([_margins(), *sheets]).encode()


def _margins() -> str:
    """The plots' margins, from their one home, for the picture that lies under each plot."""
    sizes = ";".join(f"--plot-{side}:{size}px" for side, size in MARGINS.items())
    return f":root{{{sizes}}}"


END = 'globalThis.posenc?.end?.("{name}");\n'
"""The end of every file: a browser runs each in a task of its own, and lays out a piece of the page in it (lay.js)."""


def _script(root: Path, names: tuple[str, ...], name: str) -> bytes:
    """One file of several scripts, in which one that fails does not stop the next."""
    if len(names) > 1:
        guarded = (
            "try {\n" + _text(root, "js", f"{each}.js") + "} catch (error) {\n  console.error(error);\n}"
            for each in names
        )
        return ("\n".join(guarded) + "\n" + END.format(name=name)).encode()
    return (_text(root, "js", f"{names[0]}.js") + END.format(name=name)).encode()


def _text(root: Path, *place: str) -> str:
    shown = Path("templates", *place)
    return content.text(root / shown, shown)
