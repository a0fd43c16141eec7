"""The address at which a site will live: checked and brought to one form. Standard library only."""

import re
from urllib.parse import SplitResult, urlsplit

_PATH = re.compile(r"(?:[A-Za-z0-9._~!$&()*+,;=:@/-]|%[0-9A-Fa-f]{2})*")
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\]"
)


def site_address(base_url: str) -> str:
    """The folder's address, ending in a slash. ValueError names the argument, the value and the rule."""
    parts = _split(base_url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    path = parts.path.rstrip("/")
    names = path.split("/")
    for broken, rule in (
        (parts.scheme not in ("http", "https") or not host, "an absolute address, https://… or http://…"),
        ("@" in parts.netloc, "without a name or password"),
        ("?" in base_url, "without a query (?…)"),
        ("#" in base_url, "without a fragment (#…)"),
        (not _HOST.fullmatch(host), "of a host in ASCII letters (an international name in its xn-- form)"),
        (not _PATH.fullmatch(path), "free of spaces and signs that are not %-encoded"),
        ("." in names or ".." in names or "" in names[1:], "free of empty, . and .. folders"),
        (names[-1].lower().endswith((".html", ".htm")), "the address of the folder, not of a page"),
    ):
        if broken:
            raise _refused(base_url, rule)
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{host}{port}{path}/"


def page_address(base_url: str, file: str) -> str:
    """Where a file of the site will be found; the first page of a folder has the folder's own address."""
    folder, slash, name = file.rpartition("/")
    return base_url + folder + slash + ("" if name == "index.html" else name)


def _split(base_url: str) -> SplitResult:
    """The parts; what urllib would silently strip or not take at all is refused."""
    if not base_url.isascii() or any(sign.isspace() or not sign.isprintable() for sign in base_url):
        raise _refused(base_url, "free of spaces and signs that are not %-encoded")
    try:
        parts = urlsplit(base_url)
        _ = parts.port  # is read here, since it is checked when it is read
    except ValueError as error:
        raise _refused(base_url, f"an address ({error})") from None
    return parts


def _refused(base_url: str, rule: str) -> ValueError:
    return ValueError(f"base_url must be {rule}, got {base_url!r}")
