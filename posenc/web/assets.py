"""What pages load: scripts, style, and the one copy of plotly.js."""

from pathlib import Path

from posenc.web import plotlyjs
from posenc.web.heatmaps import MARGINS
from posenc.web.words import PARTS

STYLES = ("tokens", "base", "figures", "views", "explainer", "instrument", "words", "print")
SCRIPTS = (
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
    "plots",
    "heatmap",
    "curves",
    "table",
    "cells",
    "numbers",
    "views",
)
PAGE_SCRIPTS = {
    "explainer": (
        "words",
        "explainer",
        *(f"parts/{name}" for name in PARTS if name != "next"),
        "questions",
        "contents",
        "terms",
        "alive",
    ),
    "instrument": ("graveyard", "downloads", "model", "take", "instrument", "terms", "alive"),
}
"""The files of which each page's own script is put together."""

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


def assets(root: Path, plotly: bytes | None = None) -> dict[str, bytes]:
    """Every file below assets/, by its path in the site; `plotly` stands in for the package's own bundle."""
    sources = {**{name: (name,) for name in SCRIPTS}, **PAGE_SCRIPTS, **LAZY_SCRIPTS}
    styles = [_margins(), *(_text(root / "templates" / "css" / f"{name}.css") for name in STYLES)]
    return {
        "assets/plotly.min.js": plotlyjs.wheel().read_bytes() if plotly is None else plotly,
        "assets/site.css": "\n".join(styles).encode(),
        **{f"assets/{name}.js": _script(root / "templates" / "js", files) for name, files in sources.items()},
    }


def _margins() -> str:
    """The plots' margins, from their one home, for the picture that lies under each plot."""
    sizes = ";".join(f"--plot-{side}:{size}px" for side, size in MARGINS.items())
    return f":root{{{sizes}}}"


def _script(folder: Path, names: tuple[str, ...]) -> bytes:
    """One file of several scripts, in which one that fails does not stop the next."""
    if len(names) > 1:
        guarded = (
            "try {\n" + _text(folder / f"{name}.js") + "} catch (error) {\n  console.error(error);\n}" for name in names
        )
        return ("\n".join(guarded) + "\n").encode()
    return "\n".join(_text(folder / f"{name}.js") for name in names).encode()


def _text(path: Path) -> str:
    return path.read_text("utf-8").replace("\r\n", "\n")
