"""What pages load: scripts, style, and the one copy of plotly.js."""

import importlib.util
from pathlib import Path

from posenc.web.heatmaps import MARGINS

STYLES = ("tokens", "base", "figures", "explainer", "instrument")
SCRIPTS = ("engine", "proof", "attention", "format", "clocks", "plots", "heatmap", "curves")
PAGE_SCRIPTS = ("explainer", "instrument")


def assets(root: Path) -> dict[str, bytes]:
    """Every file below assets/, by its path in the site."""
    scripts = [*SCRIPTS, *PAGE_SCRIPTS]
    styles = [_margins(), *(_text(root / "templates" / "css" / f"{name}.css") for name in STYLES)]
    return {
        "assets/plotly.min.js": _plotly().read_bytes(),
        "assets/site.css": "\n".join(styles).encode(),
        **{f"assets/{name}.js": _text(root / "templates" / "js" / f"{name}.js").encode() for name in scripts},
    }


def _margins() -> str:
    """The plots' margins, from their one home, for the picture that lies under each plot."""
    sizes = ";".join(f"--plot-{side}:{size}px" for side, size in MARGINS.items())
    return f":root{{{sizes}}}"


def _text(path: Path) -> str:
    return path.read_text("utf-8").replace("\r\n", "\n")


def _plotly() -> Path:
    """plotly.js from the installed package, found without importing it."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the plotly package is not installed")
    return Path(spec.origin).parent / "package_data" / "plotly.min.js"
