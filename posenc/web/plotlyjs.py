"""plotly.js: the copy inside the plotly package, or an official smaller bundle of the same version."""

import importlib.util
import re
from pathlib import Path

TRACES = ("heatmap", "scatter")  # what the pages draw

_BANNER = re.compile(r"/\*\*\n\* plotly\.js (?:\((?P<bundle>[\w-]+)(?: - minified)?\) )?v(?P<version>\d+\.\d+\.\d+)\n")
_TRACE = re.compile(r'moduleType:\s*"trace",\s*name:\s*"([a-z0-9]+)"')
_END = "window.Plotly = Plotly;\nreturn Plotly;\n}));"


class WrongBundle(ValueError):  # noqa: N818 - it is what it says
    """A file that is not a plotly.js bundle that these pages can use."""


def wheel() -> Path:
    """plotly.js in the installed package, found without importing it."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the plotly package is not installed")
    return Path(spec.origin).parent / "package_data" / "plotly.min.js"


def version() -> str:
    """The version of the package's plotly.js, from the file's first lines."""
    path = wheel()
    with path.open(encoding="utf-8") as file:
        banner = _BANNER.match(file.read(500))
    if banner is None:
        raise WrongBundle(f"{path.name} of the plotly package names no version")
    return banner["version"]


def bundle(path: Path) -> bytes:
    """The bytes of a bundle that has the package's version and draws what the pages draw. WrongBundle tells the file,
    what was found in it and what is needed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WrongBundle(f"plotly must be a file that can be read, got {path}: {error.strerror}") from None
    found = _fault(data)
    if found:
        raise WrongBundle(
            f"plotly must be an official plotly.js bundle, version {version()}, with the traces "
            f"{' and '.join(TRACES)} (plotly.js-cartesian-dist-min is the smallest), got {path}, which {found}"
        )
    return data


def traces(text: str) -> set[str]:
    """The kinds of figure for which a bundle has the code."""
    return set(_TRACE.findall(text))


def _fault(data: bytes) -> str | None:
    """What is wrong with it, if anything."""
    if data.startswith(b"\x1f\x8b"):
        return "is an archive: unpack it and take the .js file inside"
    try:
        text = data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return "is not text"
    banner = _BANNER.match(text)
    if banner is None:
        return f"begins with {text[:40]!r} and not with plotly.js’s own lines"
    if banner["version"] != version():
        return f"is version {banner['version']}"
    if not text.rstrip().endswith(_END):
        return "breaks off before its end"
    missing = [trace for trace in TRACES if trace not in traces(text)]
    if missing:
        return f"is the {banner['bundle'] or 'full'} bundle and draws no {' and no '.join(missing)}"
    return None


if __name__ == "__main__":
    print(version())  # for a shell that fetches the bundle of the same version
