"""What pages load: scripts, style, and the one copy of plotly.js."""

from pathlib import Path

from posenc.web import plotlyjs
from posenc.web.heatmaps import MARGINS

STYLES = ("tokens", "base", "figures", "explainer", "instrument")
SCRIPTS = ("engine", "proof", "attention", "format", "clocks", "plots", "heatmap", "curves")
PAGE_SCRIPTS = ("explainer", "instrument")


def assets(root: Path, plotly: bytes | None = None) -> dict[str, bytes]:
    """Every file below assets/, by its path in the site; `plotly` stands in for the package's own bundle."""
    scripts = [*SCRIPTS, *PAGE_SCRIPTS]
    styles = [_margins(), *(_text(root / "templates" / "css" / f"{name}.css") for name in STYLES)]
    return {
        "assets/plotly.min.js": plotlyjs.wheel().read_bytes() if plotly is None else plotly,
        "assets/site.css": "\n".join(styles).encode(),
        **{f"assets/{name}.js": _text(root / "templates" / "js" / f"{name}.js").encode() for name in scripts},
    }


def _margins() -> str:
    """The plots' margins, from their one home, for the picture that lies under each plot."""
    sizes = ";".join(f"--plot-{side}:{size}px" for side, size in MARGINS.items())
    return f":root{{{sizes}}}"


def _text(path: Path) -> str:
    return path.read_text("utf-8").replace("\r\n", "\n")
