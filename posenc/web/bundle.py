"""The same site in other packings: named by content, compressed beside, or a page to a file. Files in, files out."""

import base64
import hashlib
import posixpath
import re
import struct
import zlib
from collections.abc import Callable

from posenc.web import policy

Files = dict[str, bytes]

FINGERPRINT = re.compile(r"\.[0-9a-f]{8}\.(?:js|css)$")
COMPRESSED = (".css", ".html", ".js", ".json", ".svg", ".txt", ".xml")
LEAST_SAVING = 0.05
CARRIED = "{}-source"  # the id under which a page carries a later script in itself; later.js looks for it

_TAG = re.compile(r"""<!--.*?-->|<[a-zA-Z][^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>""", re.DOTALL)
_REFERENCE = re.compile(r'(\s(?:src|href|data-plotly|data-check)=")([^"]*)(?=")')
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
_SCRIPT = re.compile(r'<script defer src="([^"]*)"></script>\n?')
_LATER = re.compile(r' data-(plotly|check)="([^"]*)"')
_TO_DATA = re.compile(r'(<a\b[^>]*\shref=")([^"#]*\.json)(")')
_CSS_URL = re.compile(r"url\(\s*(?![\"']?data:)|@import", re.IGNORECASE)
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_ENDS_SCRIPT = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
_ENDS_STYLE = re.compile(r"<(?=/style)", re.IGNORECASE)


class DeadReference(ValueError):  # noqa: N818 - it is what it says
    """A page asks for an asset that the site does not have."""


def fingerprinted(files: Files) -> Files:
    """Scripts and styles below assets/ carry a hash of their content in their names, and the pages ask for those."""
    names = {name: _fingerprint(name, data) if _is_asset(name) else name for name, data in files.items()}
    return {
        names[name]: _rewritten(name, data.decode(), names).encode() if name.endswith(".html") else data
        for name, data in files.items()
    }


def gzipped(files: Files) -> Files:
    """Each text file that gzip makes smaller by 5 % or more also as name.gz: level 9, without time or name."""
    packed = {f"{name}.gz": gzip(data) for name, data in files.items() if name.endswith(COMPRESSED)}
    worth = {
        name: data
        for name, data in packed.items()
        if len(data) <= (1 - LEAST_SAVING) * len(files[name.removesuffix(".gz")])
    }
    return {**files, **worth}


def gzip(data: bytes) -> bytes:
    """As gzip.compress at level 9; but the header names no system, which that leaves to the Python and the machine."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    header = struct.pack("<BBBBLBB", 0x1F, 0x8B, 8, 0, 0, 2, 255)  # no name, no time, slowest, unknown system
    body = deflate.compress(data) + deflate.flush()
    return header + body + struct.pack("<LL", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def single_file(files: Files) -> Files:
    """Every page with its style, its scripts and those that come later inside; nothing below assets/ is left.

    Its policy then allows those very texts and nothing else. What comes later, as plotly.js, lies in the page as data:
    later.js runs it when it is wanted, as it would load the file.
    """
    kept = {name: data for name, data in files.items() if not name.startswith("assets/")}
    pages = {name: data for name, data in kept.items() if name.endswith(".html")}
    return {**kept, **{name: _whole(name, data.decode(), files).encode() for name, data in pages.items()}}


def styled(name: str, html: str, css: str) -> str:
    """A page with a style of its own, which its policy allows."""
    style = _in_style(name, css)
    if html.count("</head>") != 1:
        raise ValueError(f"{name} must have one </head>, got {html.count('</head>')}")
    stated = policy.allowing(policy.of_page(name, html), "style-src", [style])
    return policy.replaced(html, stated).replace("</head>", f"<style>{style}</style>\n</head>")


def scripted(name: str, html: str, script: str) -> str:
    """A page that runs a script of its own before it is painted, which its policy allows."""
    stated = policy.allowing(policy.of_page(name, html), "script-src", [script])
    return policy.replaced(html, stated, f"\n<script>{script}</script>")


def _is_asset(name: str) -> bool:
    return name.startswith("assets/") and name.endswith((".js", ".css"))


def _fingerprint(name: str, data: bytes) -> str:
    stem, ending = posixpath.splitext(name)
    return f"{stem}.{hashlib.sha256(data).hexdigest()[:8]}{ending}"


def _rewritten(page: str, html: str, names: dict[str, str]) -> str:
    """The page with every reference to an asset led to its new name."""

    def lead(reference: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), reference[2]))
        if not target.startswith("assets/"):
            return reference[0]
        _require(page, reference[2], target, names)
        return reference[1] + reference[2].replace(posixpath.basename(target), posixpath.basename(names[target]))

    return _TAG.sub(lambda tag: _REFERENCE.sub(lead, tag[0]), html)


def _require(page: str, reference: str, target: str, files: dict[str, bytes] | dict[str, str]) -> None:
    if target not in files:
        raise DeadReference(f"{page}: {reference} is no file of the site")


def _whole(page: str, html: str, files: Files) -> str:
    text = _reader(page, files)
    styles = [_in_style(name, text(name)) for name in _STYLE.findall(html)]
    scripts = [_in_script("\n".join(map(_guarded, map(text, names)))) for names in [_SCRIPT.findall(html)] if names]
    later = {name: _in_script(text(file)) for name, file in _LATER.findall(html)}
    whole = _LATER.sub("", _SCRIPT.sub("", _TO_DATA.sub(lambda link: _to_data(page, link, files), html)))
    whole = _each(_STYLE, whole, [f"<style>{style}</style>" for style in styles])
    _refuse_assets(page, whole)
    stated = policy.alone(policy.of_page(page, whole))
    stated = policy.allowing(stated, "style-src", styles) if styles else stated
    stated = policy.allowing(stated, "script-src", [*scripts, *later.values()]) if scripts else stated
    carried = [
        f'<script type="text/plain" id="{CARRIED.format(name)}">{script}</script>\n' for name, script in later.items()
    ]
    running = [f"<script>{script}</script>\n" for script in scripts]
    body, end, rest = policy.replaced(whole, stated).rpartition("</body>")
    return "".join([body, *carried, *running, end, rest])


def _guarded(script: str) -> str:
    """A script that may fail as if it were a file of its own: as many hashes as files would make a header too long."""
    return f"try {{\n{script}\n}} catch (error) {{\n  console.error(error);\n}}"


def _refuse_assets(page: str, html: str) -> None:
    """Nothing on the page asks for a file below assets/ any more."""
    for tag in _TAG.findall(html):
        for _, reference in _REFERENCE.findall(tag):
            if posixpath.normpath(posixpath.join(posixpath.dirname(page), reference)).startswith("assets/"):
                raise DeadReference(f"{page}: {reference} would be outside the file")


def _reader(page: str, files: Files) -> Callable[[str], str]:
    """The text of a file that a page asks for."""

    def text(reference: str) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), reference))
        _require(page, reference, target, files)
        return files[target].decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")

    return text


def _each(pattern: re.Pattern[str], html: str, texts: list[str]) -> str:
    """The page with each find replaced by the next text."""
    rest = iter(texts)
    return pattern.sub(lambda _: next(rest), html)


def _to_data(page: str, link: re.Match[str], files: Files) -> str:
    """A link to a file of data holds the data, and saves it."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[2]))
    _require(page, link[2], target, files)
    data = base64.b64encode(files[target]).decode()
    return f'{link[1]}data:application/json;base64,{data}{link[3]} download="{posixpath.basename(target)}"'


def _in_script(text: str) -> str:
    r"""A script that its element holds to the last sign: within strings, templates, patterns and comments, which is
    where these signs occur, \x3c stands for <, and a control character, which HTML forbids, for itself."""
    text = _ENDS_SCRIPT.sub(r"\\x3c", text)
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _in_style(name: str, text: str) -> str:
    r"""A style that its element holds; in its strings \3c stands for <."""
    found = _CSS_URL.search(text)
    if found:
        raise ValueError(f"{name} would load another file ({found[0]}…), and the page is to stand alone")
    return _ENDS_STYLE.sub(r"\\3c ", text)
