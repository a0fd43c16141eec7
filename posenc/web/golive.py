"""What a site needs on a public host, each step from files to files."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape, unescape
from pathlib import Path

from posenc.web import bundle, content, policy
from posenc.web.address import page_address
from posenc.web.card import card

Files = dict[str, bytes]

LOST = "404.html"
_ALTERNATE = re.compile(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">')
_LINK = re.compile(r'(<a\b[^>]*\shref=")([^"#:]*\.html)(?=["#])')

SECURITY = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
FOREVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "no-cache"


def lost_style(root: Path) -> str:
    """The style of the page for lost readers, which has no files beside it."""
    sheets = (Path("templates", "css", f"{name}.css") for name in ("tokens", "lost"))
    return "\n".join(content.text(root / sheet, sheet) for sheet in sheets)


def theme(root: Path) -> str:
    """The script that sets the chosen colours before a page is painted."""
    script = Path("templates", "head", "theme.js")
    return content.text(root / script, script)


def grounded(files: Files, style: str, theme: str) -> Files:
    """What every host wants: pages in the chosen colours, one for lost readers that stands alone, and no Jekyll."""
    pages = {
        name: bundle.scripted(name, data.decode(), theme) for name, data in files.items() if name.endswith(".html")
    }
    pages[LOST] = bundle.styled(LOST, pages[LOST], style)
    return {**files, **{name: page.encode() for name, page in pages.items()}, ".nojekyll": b""}


def live(files: Files, base_url: str, modified: str | None = None) -> Files:
    """What a site wants whose address is known: the card, a sitemap, robots.txt, and a 404 page that leads home from
    any depth. `base_url` comes from `site_address`, `modified` from `day`."""
    pages = sorted(name for name in files if name.endswith(".html") and name != LOST)
    entries = {page_address(base_url, page): _alternates(files[page].decode()) for page in pages}
    return {
        **files,
        LOST: _home(files[LOST].decode(), base_url).encode(),
        "card.png": card(),
        "sitemap.xml": sitemap(entries, modified).encode(),
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {base_url}sitemap.xml\n".encode(),
    }


def day(epoch: str) -> str:
    """The day of a SOURCE_DATE_EPOCH, in UTC."""
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"SOURCE_DATE_EPOCH must be whole seconds since 1970, got {epoch!r}") from None


def sitemap(pages: Mapping[str, list[tuple[str, str]]], modified: str | None) -> str:
    """Every page by its address, with the languages it is there in and their addresses."""
    changed = f"<lastmod>{modified}</lastmod>" if modified else ""
    lines = [
        f"<url><loc>{escape(address)}</loc>{changed}{''.join(_alternate(*other) for other in others)}</url>"
        for address, others in pages.items()
    ]
    xhtml = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' if any(pages.values()) else ""
    head = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{xhtml}>'
    )
    return "\n".join([head, *lines, "</urlset>", ""])


def _alternates(html: str) -> list[tuple[str, str]]:
    """The languages of a page with their addresses, as its head has them."""
    return [(tag, unescape(address)) for tag, address in _ALTERNATE.findall(html)]


def _alternate(tag: str, address: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{tag}" href="{escape(address)}"/>'


def headers(files: Files) -> Files:
    """A _headers file for Netlify and Cloudflare Pages; the one name with a leading underscore.

    These hosts join the values of all rules that match, so no path gets the same header from two rules.
    """
    pages = sorted(name for name in files if name.endswith(".html"))
    stated = policy.union(policy.of_page(page, files[page].decode()) for page in pages)
    guarded = {"Content-Security-Policy": policy.write({**stated, "frame-ancestors": ["'none'"]}), **SECURITY}
    fresh = sorted({path for page in pages for path in _paths(page)})
    fixed = sorted(f"/{name}" for name in files if bundle.FINGERPRINT.search(name))
    rules = [
        ("/*", guarded),
        *((path, {"Cache-Control": ASK_EACH_TIME}) for path in fresh),
        *((path, {"Cache-Control": FOREVER}) for path in fixed),
    ]
    return {**files, "_headers": "".join(_rule(path, values) for path, values in rules).encode()}


def _home(html: str, base_url: str) -> str:
    return _LINK.sub(lambda link: link[1] + escape(page_address(base_url, link[2])), html)


def _paths(page: str) -> list[str]:
    """The addresses at which these hosts serve a page: with its ending, without it, and a first page as its folder."""
    bare = page.removesuffix(".html")
    folder = [f"/{bare.removesuffix('index')}"] if bare == "index" or bare.endswith("/index") else []
    return [f"/{page}", f"/{bare}", *folder]


def _rule(path: str, values: dict[str, str]) -> str:
    return f"{path}\n" + "".join(f"  {name}: {value}\n" for name, value in values.items())
