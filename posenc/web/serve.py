"""The development server: shows the site on this machine only, and the pages follow their sources.

A page that is served carries a script more than its file, and a stamp that names what it was made from. The script
listens to the server, which tells after every build which stamps are still good, or what the build complained of.
"""

import errno
import os
import re
import socketserver
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from html.parser import HTMLParser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from urllib.parse import quote, unquote_to_bytes

from posenc.bootstrap import ENVIRONMENT_ERROR
from posenc.web.watch import SOURCES, Live, State, Tree, changes, revision, run, token

HOST, PORT, PORTS = "127.0.0.1", 8000, 100
INTERRUPTED = 130
HEARTBEAT = 10.0  # seconds after which a listener that has gone is noticed
MOST_NAMES = 4  # that a line names
RETRY = 1000  # ms after which a page looks for a server that has gone
KIT = "/.serve/"  # no file of a site stands there
EVENTS = f"{KIT}events"
KIT_FILES = ("reload.js", "overlay.css")

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".gz": "application/gzip",
    "": "text/plain; charset=utf-8",  # .nojekyll, CNAME, LICENSE
}
UNKNOWN_TYPE = "application/octet-stream"
POLICY = "Content-Security-Policy"
METHODS = ("GET", "HEAD")
HEADERS = {
    "Allow": ", ".join(METHODS),
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_OWN_HOST = re.compile(r"(localhost|127\.0\.0\.1)(:[0-9]{1,5})?", re.IGNORECASE)
_FOREIGN = frozenset("\0\\:")  # what makes another path of a name: an early end, and Windows' folders and drives
_TAKEN = (errno.EADDRINUSE, errno.EACCES)

Say = Callable[[str], None]


def serve(root: Path, out: Path, build: list[str], port: int | None, open_browser: bool, say: Say) -> int:
    """Serve `out`, and run the command `build` in `root` now and after every change. Returns the exit code."""
    wanted = PORT if port is None else port
    pages, sources = Tree(out), Tree(root, SOURCES)
    live = Live(State(revision(pages)))
    try:
        server = _listen(wanted, partial(Server, Site.read(root, out), live, say))
    except OSError as error:
        say(f"error: {error}")
        return ENVIRONMENT_ERROR
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        taken = "" if wanted in (0, server.server_port) else f"    port {wanted} is taken"
        say(f"serving    {server.url}{taken}")
        for number, changed in enumerate(changes(sources)):
            if changed:
                say(f"changed    {_some(changed)}")
            outdated = partial(_differs, sources, sources.snapshot())
            built = run(build, root, outdated)
            good = built.error is None
            live.show(State(revision(pages)) if good else replace(live.state, id=token(), error=built.error))
            if built.said:
                say(built.said)
            if not good:
                say("failed     the site is shown as it was; waiting for a change")
            if open_browser and number == 0:
                threading.Thread(target=_open, args=(server.url, say), daemon=True).start()
    except KeyboardInterrupt:
        say("stopped")
    finally:
        live.close()
        server.shutdown()
        server.server_close()
    return INTERRUPTED


def _differs(tree: Tree, before: dict[str, str]) -> bool:
    return tree.snapshot() != before


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"


def _open(url: str, say: Say) -> None:
    if not webbrowser.open(url):
        say(f"open       {url} by hand: no browser was found")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back; `unguarded` is a page in which no content policy was found."""

    status: HTTPStatus
    type: str
    body: bytes
    location: str | None = None
    unguarded: str | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """The output folder, as it is at each moment, and what the server adds to its pages."""

    out: Path
    kit: Mapping[str, bytes]
    insert: Template
    bare: bytes

    @classmethod
    def read(cls, root: Path, out: Path) -> "Site":
        """The server's own files are in templates/serve."""
        folder = root / "templates" / "serve"
        kit = {f"{KIT}{name}": (folder / name).read_bytes() for name in KIT_FILES}
        return cls(out, kit, Template((folder / "insert.html").read_text("utf-8")), (folder / "bare.html").read_bytes())

    def answer(self, target: str, state: State) -> Answer:
        """What a request's target leads to."""
        path = decoded(target)
        if path is None:
            return Answer(HTTPStatus.BAD_REQUEST, TYPES[".txt"], b"not a path\n")
        if path in self.kit:
            return Answer(HTTPStatus.OK, TYPES[Path(path).suffix], self.kit[path])
        found = find(self.out, path)
        if found and found.is_dir() and not path.endswith("/"):
            return Answer(HTTPStatus.FOUND, TYPES[".txt"], b"", location=f"/{quote(path.lstrip('/'))}/")
        if path.endswith("/"):
            found = find(self.out, f"{path}index.html") if found and found.is_dir() else None
        data = _read(found)
        if found is None or data is None:
            return self._lost(state)
        if found.suffix == ".html":
            return self._page(HTTPStatus.OK, found.name, data, state.revision)
        return Answer(HTTPStatus.OK, TYPES.get(found.suffix, UNKNOWN_TYPE), data)

    def _lost(self, state: State) -> Answer:
        """The site's own page for it; before there is one, a bare page that looks again after every build."""
        page = _read(find(self.out, "/404.html"))
        if page is not None:
            return self._page(HTTPStatus.NOT_FOUND, "404.html", page, state.revision)
        empty = _read(find(self.out, "/index.html")) is None
        status = HTTPStatus.SERVICE_UNAVAILABLE if empty else HTTPStatus.NOT_FOUND
        return self._page(status, "bare.html", self.bare, state.build)

    def _page(self, status: HTTPStatus, name: str, data: bytes, stamp: str) -> Answer:
        page, guarded = followed(data.decode("utf-8", "surrogateescape"), self.insert.substitute(stamp=stamp))
        body = page.encode("utf-8", "surrogateescape")
        return Answer(status, TYPES[".html"], body, unguarded=None if guarded else name)


def decoded(target: str) -> str | None:
    """The path of a request's target in plain letters; None when it is none."""
    path = target.partition("?")[0].partition("#")[0]
    try:
        return unquote_to_bytes(path.encode("latin-1")).decode() if path.startswith("/") else None
    except UnicodeError:
        return None


def find(out: Path, path: str) -> Path | None:
    """The real file or folder that a path names; None when it is not there, or not inside `out`."""
    parts = [part for part in path.split("/") if part]
    if any(part in (".", "..") or _FOREIGN & set(part) for part in parts):
        return None
    try:
        home = out.resolve(strict=True)
        found = home.joinpath(*parts).resolve(strict=True)
    except (OSError, RuntimeError):  # not there, too long, a ring of links
        return None
    return found if found == home or home in found.parents else None


def _read(path: Path | None) -> bytes | None:
    """All bytes of a file at once: it may go, or be replaced, at any moment."""
    try:
        return path.read_bytes() if path is not None and path.is_file() else None
    except OSError:
        return None


def followed(page: str, insert: str) -> tuple[str, bool]:
    """The page with the server's script, allowed by the page's policy; and whether a policy was found in it."""
    head = _Head(page)
    start = page[: head.end]
    for tag, policy in head.policies.items():
        start = start.replace(tag, f'<meta http-equiv="{POLICY}" content="{escape(widened(policy))}">')
    return f"{start}{insert}{page[head.end :]}", bool(head.policies)


class _Head(HTMLParser):
    """Where a page's head ends, and its content policies by the tags that set them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.end = len(page)
        self.policies: dict[str, str] = {}
        self._starts = [0]
        for line in page.split("\n"):
            self.feed(f"{line}\n")
            self._starts.append(self._starts[-1] + len(line) + 1)
            if self.end < len(page):
                break

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "meta" and (values.get("http-equiv") or "").lower() == POLICY.lower():
            self.policies[self.get_starttag_text() or ""] = values.get("content") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "head":
            line, column = self.getpos()
            self.end = min(self.end, self._starts[line - 1] + column)


def widened(policy: str) -> str:
    """The policy, with a script, a style and a connection to the page's own server allowed."""
    directives: dict[str, list[str]] = {}
    for name, *sources in filter(None, map(str.split, policy.split(";"))):
        directives.setdefault(name.lower(), sources)
    for name in ("script-src", "style-src", "connect-src", "script-src-elem", "style-src-elem"):
        sources = directives.get(name, [] if name.endswith("elem") else directives.get("default-src", []))
        if (sources or name in directives) and "'self'" not in sources:
            directives[name] = [*(source for source in sources if source != "'none'"), "'self'"]
    return "; ".join(" ".join([name, *sources]) for name, sources in directives.items())


class Server(ThreadingHTTPServer):
    """Listens on this machine only; one thread for each request, none of which keeps the program alive."""

    allow_reuse_address = os.name != "nt"  # there it would share a port that is taken
    request_queue_size = 64

    def __init__(self, site: Site, live: Live, say: Say, port: int) -> None:
        self.site, self.live, self.say = site, live, say
        self._told: set[str] = set()
        super().__init__((HOST, port), _Handler)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def server_bind(self) -> None:
        """Without http.server's search for the machine's name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.socket.getsockname()[1]

    def tell_unguarded(self, name: str) -> None:
        """Say once of a page that its policy was not found."""
        if name not in self._told:
            self._told.add(name)
            self.say(f"warning: no content policy was found in {name}: it is served without one")

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader who has gone away is no error."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.say(f"error: a request failed: {error!r}")


def _listen(wanted: int, make: Callable[[int], Server]) -> Server:
    """A server on the first free port from the wanted one on; 0 takes any."""
    last = min(wanted + PORTS, 2**16) - 1
    for port in range(wanted, last + 1):
        try:
            return make(port)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
    raise OSError(f"no port is free from {wanted} to {last}")


class _Handler(BaseHTTPRequestHandler):
    """Refuses what does not come from this machine's own pages, and sends answers."""

    server: Server
    timeout = 30  # seconds for a request to come
    server_version, sys_version = "posenc", ""

    def parse_request(self) -> bool:
        """Lets through what only reads."""
        if not super().parse_request():
            return False
        if self.command not in METHODS:
            self._send(Answer(HTTPStatus.METHOD_NOT_ALLOWED, TYPES[".txt"], b"this server only reads\n"))
        return self.command in METHODS

    def do_GET(self) -> None:
        if not own_host(self.headers.get_all("Host", [])):
            self._send(Answer(HTTPStatus.FORBIDDEN, TYPES[".txt"], b"this server answers to localhost and 127.0.0.1\n"))
        elif self.path == EVENTS:
            self._stream()
        else:
            answer = self.server.site.answer(self.path, self.server.live.state)
            if answer.unguarded:
                self.server.tell_unguarded(answer.unguarded)
            self._send(answer)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.location is not None:
            self.send_header("Location", answer.location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def _stream(self) -> None:
        """Tell every state from the first build on, for as long as the page listens."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(b"retry: %d\n\n" % RETRY)
        live = self.server.live
        seen = live.unbuilt
        while not live.closed:
            state = live.after(seen, HEARTBEAT)
            self.wfile.write(state.event() if state is not seen else b":\n\n")
            seen = state

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """A page's dozen requests are no news."""


def own_host(hosts: list[str]) -> bool:
    """Whether the one Host header names this machine: another name that leads here belongs to someone else's page."""
    return len(hosts) == 1 and _OWN_HOST.fullmatch(hosts[0].strip()) is not None
