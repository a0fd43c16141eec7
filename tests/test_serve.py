"""The development server: what it gives to whom, and pages in a real browser that follow their sources."""

import http.client
import json
import os
import queue
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from posenc.web import serve as module
from posenc.web.serve import PORT, Server, Site, decoded, find, followed, own_host, serve, widened
from posenc.web.watch import POLL, Live, State
from tests.browser import VIOLATIONS, violations
from tests.checkout import ROOT, Checkout, copy, snapshot

SECONDS = 20  # for what takes less than one
POLICY = "default-src 'none'; base-uri 'none'; script-src 'self'; style-src 'self' 'sha256-x='; img-src data:"
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>Page</title><link rel="icon" href="data:,"></head>
<body><h1>WORDS</h1></body></html>
"""
# A build in miniature: the words go into a page; they may be broken, take their time, or make no difference.
BUILD = f"""
import pathlib, signal, sys
out, words = pathlib.Path(sys.argv[1]), pathlib.Path("content/words.txt").read_text("utf-8").strip()
if words == "hang":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    alive = open("alive", "w")
    while True: signal.pause()
if "BROKEN" in words:
    sys.exit("content/words.txt:1:1: error: " + words + "\\n  " + words + "\\n  ^")
out.mkdir(parents=True, exist_ok=True)
for name in ("index.html", "404.html"):
    (out / name).write_text({PAGE!r}.replace("WORDS", words if name == "index.html" else "lost"), "utf-8")
print("built", words)
"""
DRIVER = """
import os, signal, sys
from pathlib import Path
from posenc.web import watch
from posenc.web.serve import serve
signal.signal(signal.SIGINT, signal.default_int_handler)  # a runner in the background may have turned it off
root, out, port, browser, poll, *build = sys.argv[1:]
watch.POLL, watch.GRACE = float(poll), 0.2
sys.exit(serve(Path(root), Path(out), build, int(port), bool(browser), lambda line: print(line, flush=True)))
"""


@dataclass
class Running:
    """The server as a process of its own, and what it says."""

    root: Path
    out: Path
    build: list[str]
    port: int = 0
    browser: str = ""
    poll: float = 0.02  # watch.POLL is for people, who type more slowly
    lines: "queue.Queue[str]" = field(default_factory=queue.Queue, init=False)

    def start(self) -> "Running":
        told = map(str, (self.root, self.out, self.port, self.browser, self.poll))
        self.process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, *told, *self.build],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1"},
        )
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        self.url = self.until(r"serving +(http://127\.0\.0\.1:\d+/)")[1]
        self.port = int(self.url.split(":")[2].strip("/"))
        return self

    def _listen(self) -> None:
        assert self.process.stdout
        with self.process.stdout as stdout:
            for line in stdout:
                self.lines.put(line)

    def until(self, pattern: str) -> re.Match[str]:
        """The next line that holds the pattern."""
        seen = []
        while True:
            try:
                seen.append(self.lines.get(timeout=SECONDS))
            except queue.Empty:
                pytest.fail(f"the server never said {pattern!r}, but:\n{''.join(seen)}")
            if found := re.search(pattern, seen[-1]):
                return found

    def write(self, words: str) -> None:
        (self.root / "content" / "words.txt").write_text(words, "utf-8")

    def stop(self) -> int:
        """Ctrl-C, and the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(SECONDS)
        self.listener.join()
        return code


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Running]:
    """A project in miniature and its server, which is not started yet."""
    root = tmp_path / "a b" / "ü"
    shutil.copytree(ROOT / "templates" / "serve", root / "templates" / "serve")
    (root / "content").mkdir()
    (root / "build.py").write_text(BUILD, "utf-8")
    running = Running(root, root / "site", [sys.executable, "build.py", str(root / "site")])
    running.write("first words")
    yield running
    if hasattr(running, "process"):
        running.stop()


@dataclass
class Visit:
    """A page in a real browser, how often it was loaded, and what went wrong on it."""

    page: Page
    loads: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("framenavigated", lambda frame: self.loads.append(frame.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_init_script(VIOLATIONS)

    def shows(self, words: str) -> None:
        expect(self.page.locator("h1").first).to_have_text(words, timeout=SECONDS * 1000)

    def complains(self, words: str) -> None:
        expect(self.page.locator("dialog[open] pre")).to_contain_text(words, timeout=SECONDS * 1000)

    def is_hidden(self, hidden: bool) -> None:
        """As when another tab is in front."""
        self.page.evaluate(
            """(value) => {
                Object.defineProperty(document, "hidden", { value, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )

    def hears(self) -> None:
        """Wait until a listener, who came later than the page's own, has heard the state."""
        self.page.evaluate("new Promise((heard) => { new EventSource('/.serve/events').onmessage = () => heard(); })")

    def is_clear(self) -> None:
        expect(self.page.locator("dialog")).to_have_count(0, timeout=SECONDS * 1000)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    context = browser.new_context()
    visit = Visit(context.new_page())
    yield visit
    troubles = [*visit.errors, *violations(visit.page)]
    context.close()
    assert troubles == []


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A site, with a secret beside it."""
    out = tmp_path / "site"
    (out / "deep").mkdir(parents=True)
    (out / "assets").mkdir()
    for name in ("index.html", "deep/index.html", "404.html"):
        (out / name).write_text(PAGE.replace("WORDS", name), "utf-8")
    (out / "assets" / "ü b.js").write_bytes(b"script")
    (out / "plain.txt").write_bytes(b"text")
    (tmp_path / "secret").write_bytes(b"SECRET")
    (tmp_path / "site-secret").write_bytes(b"SECRET")
    return out


@dataclass
class Served:
    server: Server
    said: list[str]

    def get(self, target: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=SECONDS)
        connection.request(method, target, headers=headers)
        response = connection.getresponse()
        answer = response.status, dict(response.getheaders()), response.read()
        connection.close()
        return answer

    def raw(self, request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self.server.server_port), timeout=SECONDS) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.fixture
def served(out: Path) -> Iterator[Served]:
    said: list[str] = []
    server = Server(Site.read(ROOT, out), Live(State("revision")), said.append, 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield Served(server, said)
    server.live.close()
    server.shutdown()
    server.server_close()
    thread.join()


# What is given to whom


def test_files_come_whole_with_their_types_and_are_never_stored(served: Served, out: Path) -> None:
    status, headers, body = served.get("/assets/%C3%BC%20b.js?v=1")
    assert (status, headers["Content-Type"], body) == (200, "text/javascript; charset=utf-8", b"script")
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert served.get("/plain.txt")[1]["Content-Type"] == "text/plain; charset=utf-8"
    (out / "strange.xyz").write_bytes(b"\0")
    assert served.get("/strange.xyz")[1]["Content-Type"] == "application/octet-stream"


def test_every_file_of_the_real_site_has_a_type(site: Path) -> None:
    assert {path.suffix for path in site.rglob("*") if path.is_file()} <= set(module.TYPES)


@pytest.mark.parametrize(("target", "page"), [("/", "index.html"), ("/index.html", "index.html"), ("/deep/", "deep/")])
def test_a_folder_shows_its_index(served: Served, target: str, page: str) -> None:
    status, headers, body = served.get(target)
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert f"<h1>{page}".encode() in body


def test_a_folder_without_its_stroke_is_sent_to_it_and_never_to_another_host(served: Served) -> None:
    assert served.get("/deep")[:2][1]["Location"] == "/deep/"
    for target in (b"//deep", b"/%2Fdeep"):
        answer = served.raw(b"GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n" % target)
        assert re.search(rb"\r\nLocation: /deep/\r\n", answer)


@pytest.mark.parametrize("target", ["/no", "/no/such.js", "/index.html/", "/assets/", "/.serve/", "/.serve/bare.html"])
def test_a_lost_one_gets_the_sites_own_page(served: Served, target: str) -> None:
    status, headers, body = served.get(target)
    assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert b"<h1>404.html" in body


def test_without_a_404_page_and_without_a_site_there_is_a_bare_page(served: Served, out: Path) -> None:
    (out / "404.html").unlink()
    status, _, body = served.get("/no")
    assert (status, b"Nothing here yet" in body, b"reload.js" in body) == (404, True, True)
    shutil.rmtree(out)
    status, _, body = served.get("/")
    assert (status, b"Nothing here yet" in body, b"reload.js" in body) == (503, True, True)
    assert served.said == []


def test_a_head_is_a_get_without_the_body(served: Served) -> None:
    for target in ("/", "/no", "/.serve/events"):
        status, headers, body = served.get(target, "HEAD")
        assert body == b""
        if target != "/.serve/events":
            assert status == served.get(target)[0]
            assert headers["Content-Length"] == served.get(target)[1]["Content-Length"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_only_reading_is_allowed(served: Served, method: str) -> None:
    status, headers, body = served.get("/index.html", method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")
    assert b"<h1>" not in body


@pytest.mark.parametrize(
    "target",
    [
        "/../secret", "/..%2fsecret", "/%2e%2e/secret", "/%2E%2E%2Fsecret", "/deep/../../secret", "/./../secret",
        "/deep/..%5c..%5csecret", "/%252e%252e/secret", "/..%00/secret", "/plain.txt%00", "/../site-secret",
        "/%2e%2e%2fsite-secret", "{beside}/secret", "/{beside}/secret", "/%2f{beside}/secret", "{beside}%2fsecret",
        "/c:/secret", "/C%3A%5Csecret", "/link", "/folder/secret", "/folder", "/folder/", "/ring", "/ring/secret",
        "/%ff", "/" + "a" * 5000, "..", "../secret", "secret", "http://localhost/../secret", "file://{beside}/secret",
        "*",
    ],
)  # fmt: skip
def test_nothing_outside_the_site_is_given(served: Served, out: Path, target: str) -> None:
    (out / "link").symlink_to(out.parent / "secret")
    (out / "folder").symlink_to(out.parent)
    (out / "ring").symlink_to(out / "ring")
    request = f"GET {target.replace('{beside}', str(out.parent))} HTTP/1.0\r\nHost: localhost\r\n\r\n"
    answer = served.raw(request.encode("latin-1"))
    assert re.match(rb"HTTP/1.0 4\d\d ", answer)
    assert b"SECRET" not in answer
    assert served.said == []


def test_links_inside_the_site_lead_where_they_lead(served: Served, out: Path) -> None:
    (out / "link.txt").symlink_to(out / "plain.txt")
    assert served.get("/link.txt")[::2] == (200, b"text")


def test_a_pipe_in_the_site_is_not_waited_for(served: Served, out: Path) -> None:
    os.mkfifo(out / "pipe.txt")
    assert served.get("/pipe.txt")[0] == 404


def test_the_site_may_be_reached_by_a_link_itself(out: Path, tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to(out)
    assert find(tmp_path / "there", "/plain.txt") == (out / "plain.txt").resolve()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:8000", "127.0.0.1:1", "localhost:65535"])
def test_this_machine_is_answered(served: Served, host: str) -> None:
    assert served.get("/", Host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "", "evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "xlocalhost",
        "localhost@evil.example", "evil.example@localhost", "127.0.0.2", "0.0.0.0", "[::1]", "localhost:",
        "localhost:x", "localhost evil",
    ],
)  # fmt: skip
@pytest.mark.parametrize("target", ["/", "/.serve/events", "/.serve/reload.js"])
def test_another_host_name_is_refused(served: Served, host: str, target: str) -> None:
    status, _, body = served.get(target, Host=host)
    assert status == 403
    assert b"<h1>" not in body


def test_no_host_and_two_hosts_are_refused(served: Served) -> None:
    for hosts in (b"", b"Host: localhost\r\nHost: evil.example\r\n"):
        assert served.raw(b"GET / HTTP/1.0\r\n%s\r\n" % hosts).startswith(b"HTTP/1.0 403 ")
    assert not own_host(["local\nhost"])


def test_the_server_listens_on_this_machine_only(served: Served) -> None:
    assert served.server.socket.getsockname()[0] == "127.0.0.1"
    with pytest.raises(OSError, match=r"refused|unreachable|timed out|assign"):
        socket.create_connection(("127.0.0.2", served.server.server_port), timeout=1)


def test_a_file_that_vanishes_while_it_is_read_is_lost(
    served: Served, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes

    def vanish(path: Path) -> bytes:
        if path.name == "plain.txt":
            path.unlink()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", vanish)
    status, _, body = served.get("/plain.txt")
    assert (status, b"<h1>404.html" in body) == (404, True)


def test_a_reader_who_goes_away_is_no_error(served: Served, out: Path) -> None:
    (out / "large.txt").write_bytes(bytes(20_000_000))
    with socket.create_connection(("127.0.0.1", served.server.server_port)) as connection:
        connection.sendall(b"GET /large.txt HTTP/1.0\r\nHost: localhost\r\n\r\n")
        connection.recv(10)
    assert served.get("/")[0] == 200
    assert served.said == []


def test_nonsense_is_refused_and_the_server_goes_on(served: Served) -> None:
    for nonsense in (b"\r\n", b"GET\r\n\r\n", b"\x16\x03\x01 \xff \xfe\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
        assert b"<h1>index" not in served.raw(nonsense)
    assert served.get("/")[0] == 200
    assert served.said == []


def test_targets_become_paths_in_plain_letters() -> None:
    assert decoded("/a%20b?c=/../d#e") == "/a b"
    assert decoded("/\u00c3\u00bc") == "/ü"  # http.server reads bytes as Latin-1
    assert [decoded(target) for target in ("", "a", "http://localhost/", "/%ff", "/\u2026")] == [None] * 5


# What is added to pages


def test_a_policy_is_widened_by_what_the_script_needs_and_nothing_more() -> None:
    assert widened("default-src 'none'; base-uri 'none'; img-src data:") == (
        "default-src 'none'; base-uri 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self'"
    )
    assert (
        widened("script-src 'self' 'sha256-x='; style-src 'none';") == "script-src 'self' 'sha256-x='; style-src 'self'"
    )
    assert widened("default-src https:; connect-src") == (
        "default-src https:; connect-src 'self'; script-src https: 'self'; style-src https: 'self'"
    )
    assert widened("SCRIPT-SRC-ELEM 'none'; script-src-elem https:") == "script-src-elem 'self'"
    assert widened("") == ""


def test_the_script_goes_to_the_end_of_the_head_even_if_a_script_speaks_of_one() -> None:
    head = '<head><script>"</head>"</script>\n<!-- </head> -->\n<title>ü</title>'
    assert followed(f"{head}</HEAD ><body>", "+") == (f"{head}+</HEAD ><body>", False)
    assert followed("no head", "+") == ("no head+", False)


def test_every_policy_of_a_page_is_widened() -> None:
    page = """<meta http-equiv=content-security-policy content="connect-src &#39;none&#39;">
<META content="script-src 'none'" http-equiv='Content-Security-Policy'/></head>"""
    assert followed(page, "+") == (
        """<meta http-equiv="Content-Security-Policy" content="connect-src &#x27;self&#x27;">
<meta http-equiv="Content-Security-Policy" content="script-src &#x27;self&#x27;">+</head>""",
        True,
    )


def test_a_page_without_a_policy_is_named_once(served: Served, out: Path) -> None:
    served.get("/")
    assert served.said == []
    (out / "index.html").write_text("<title>bare</title>", "utf-8")
    assert [served.get("/")[0] for _ in range(3)] == [200] * 3
    assert served.said == ["warning: no content policy was found in index.html: it is served without one"]


def test_files_are_served_as_they_are_but_for_what_pages_carry(served: Served, out: Path) -> None:
    before = snapshot(out)
    _, _, body = served.get("/")
    assert body != before["index.html"]
    plain = re.sub(r'<template id="serve-overlay">.*</template>\n<script .*></script>\n', "", body.decode(), flags=re.S)
    policy = re.compile('<meta http-equiv="Content-Security-Policy".*?>')
    assert policy.sub("", plain) == policy.sub("", before["index.html"].decode())
    assert snapshot(out) == before


def test_bytes_that_are_not_utf_8_are_served_as_they_are(served: Served, out: Path) -> None:
    (out / "index.html").write_bytes(PAGE.encode() + b"\xff\xfe")
    assert served.get("/")[2].endswith(b"</html>\n\xff\xfe")


def test_listeners_hear_nothing_before_the_first_build_and_then_every_state(served: Served) -> None:
    live = served.server.live
    with socket.create_connection(("127.0.0.1", served.server.server_port), timeout=SECONDS) as connection:
        connection.sendall(b"GET /.serve/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        stream = connection.makefile("rb")
        while stream.readline() != b"\r\n":
            pass
        assert stream.readline() == b"retry: 1000\n"
        assert stream.readline() == b"\n"
        for state in (State("two", "b", "1", "a\n\n</script>"), State("three", "c", "2")):
            live.show(state)
            heard = json.loads(stream.readline().removeprefix(b"data: "))
            assert heard == {"id": state.id, "good": [state.revision, state.build], "error": state.error}
            assert stream.readline() == b"\n"
        live.close()
        assert stream.read() in (b"", b":\n\n")


# The process


def test_a_taken_port_gives_way_to_the_next_free_one_which_is_printed(project: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        project.port = taken = other.getsockname()[1]
        project.start()
        assert project.port > taken
        project.until("built first words")


def test_the_usual_port_is_8000_and_without_a_free_port_the_server_says_so(
    project: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def taken(_site: Site, _live: Live, _say: Callable[[str], None], port: int) -> Server:
        tried.append(port)
        raise OSError(module._TAKEN[0], "taken")

    monkeypatch.setattr(module, "Server", taken)
    said: list[str] = []
    assert serve(project.root, project.out, project.build, None, False, said.append) == 5
    assert tried[0] == PORT == 8000
    assert said == [f"error: no port is free from 8000 to {tried[-1]}"]
    assert not project.out.exists()


def test_ctrl_c_ends_it_with_130_and_frees_the_port(project: Running) -> None:
    project.start().until("built first words")
    with socket.create_connection(("127.0.0.1", project.port), timeout=SECONDS) as listener:
        listener.sendall(b"GET /.serve/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert listener.recv(8) == b"HTTP/1.0"
        assert project.stop() == 130
    assert project.until("stopped|Traceback")[0] == "stopped"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", project.port), timeout=SECONDS)


def test_ctrl_c_during_a_build_that_hangs_ends_both(project: Running) -> None:
    os.mkfifo(project.root / "alive")
    project.write("hang")
    project.start()
    with (project.root / "alive").open() as alive:  # the build holds the other end
        assert project.stop() == 130
        assert alive.read() == ""
    assert project.until("stopped|Traceback")[0] == "stopped"


def test_the_browser_is_opened_once_when_it_is_asked_for(project: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = project.root / "opened"
    code = f"import sys; open({str(opened)!r}, 'a').write(sys.argv[1] + '\\n'); print('opened', flush=True)"
    monkeypatch.setenv("BROWSER", f"{shlex.join([sys.executable, '-c', code])} %s")
    project.browser = "yes"
    project.start()
    project.until("opened")
    for words in ("second words", "third words"):
        project.write(words)
        project.until(f"built {words}")
    assert project.stop() == 130
    assert opened.read_text() == f"{project.url}\n"


def test_what_is_no_change_is_not_built(project: Running) -> None:
    project.poll = POLL  # the words below are to be one burst
    project.start().until("built first words")
    content = project.root / "content"
    (content / ".words.txt.swp").write_bytes(b"swap")
    (content / "words.txt").touch()
    (content / "words.txt").rename(content / "words.txt~")
    (content / "words.txt~").rename(content / "words.txt")
    for number in range(5):
        project.write(f"words {number}")
    project.write("last words")
    assert project.until("changed|built")[0] == "changed"
    assert project.until("built .*")[0] == "built last words"
    assert project.stop() == 130
    assert "built" not in "".join(project.lines.queue)


# The browser


def test_the_page_is_reloaded_once_for_each_change(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(f"{project.url}?a#b")
    visit.shows("first words")
    for words in ("second words", "third words", "fourth words"):
        project.write(words)
        visit.shows(words)
    assert visit.loads == [f"{project.url}?a#b"] * 4


def test_a_change_that_makes_no_difference_reloads_nothing(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(project.url)
    (project.root / "content" / "note.txt").write_bytes(b"a note")
    project.until("changed +content/note.txt")
    project.until("built first words")
    project.write("second words")
    visit.shows("second words")
    assert len(visit.loads) == 2


def test_a_failing_build_keeps_the_page_and_lays_its_message_over_it_until_it_is_mended(
    project: Running, visit: Visit
) -> None:
    project.start().until("built first words")
    visit.page.goto(project.url)
    before = snapshot(project.out)
    words = "BROKEN <b>ü</b> &amp; </pre></script><script>document.title = 'taken'</script><img src=x onerror=alert()>"
    project.write(words)
    visit.complains("BROKEN")
    assert visit.page.locator("dialog pre").text_content() == f"content/words.txt:1:1: error: {words}\n  {words}\n  ^"
    assert visit.page.locator("dialog pre *").count() == 0
    assert visit.page.title() == "Page"
    visit.shows("first words")
    box = visit.page.locator("dialog").evaluate(
        "(box) => [getComputedStyle(box).borderTopWidth, box.matches(':modal'), document.body.lastChild.localName]"
    )
    assert box == ["6px", True, "div"]
    project.write("BROKEN otherwise")
    visit.complains("BROKEN otherwise")
    assert snapshot(project.out) == before
    assert len(visit.loads) == 1
    project.write("second words")
    visit.shows("second words")
    visit.is_clear()
    assert len(visit.loads) == 2


def test_a_message_goes_without_a_reload_when_the_old_words_come_back(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(project.url)
    project.write("BROKEN")
    visit.complains("BROKEN")
    project.write("first words")
    visit.is_clear()
    assert len(visit.loads) == 1
    assert visit.page.evaluate("document.body.children.length") == 1


def test_a_message_that_was_put_aside_stays_away_until_the_next_failure(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(project.url)
    project.write("BROKEN")
    visit.complains("BROKEN")
    visit.page.get_by_role("button", name="Show the page beneath").click()
    visit.is_clear()
    visit.is_hidden(True)
    visit.is_hidden(False)
    visit.hears()
    visit.hears()
    visit.is_clear()
    (project.root / "content" / "note.txt").write_bytes(b"still broken")
    visit.complains("BROKEN")
    visit.page.keyboard.press("Escape")
    visit.is_clear()


def test_a_first_build_that_fails_shows_its_message_on_a_bare_page(project: Running, visit: Visit) -> None:
    project.write("BROKEN")
    project.start().until("failed")
    response = visit.page.goto(project.url)
    assert response
    assert response.status == 503
    visit.shows("Nothing here yet")
    visit.complains("content/words.txt:1:1: error: BROKEN")
    assert not project.out.exists()
    project.write("first words")
    visit.shows("first words")
    visit.is_clear()
    assert len(visit.loads) == 2


def test_a_page_that_was_missing_comes_with_the_next_build_whatever_that_made(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    shutil.rmtree(project.out)
    visit.page.goto(project.url)
    visit.shows("Nothing here yet")
    (project.root / "content" / "note.txt").write_bytes(b"the words are the same")
    visit.shows("first words")
    assert len(visit.loads) == 2


def test_a_page_that_is_opened_while_the_build_fails_shows_the_message_at_once(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    project.write("BROKEN")
    project.until("failed")
    visit.page.goto(project.url)
    visit.shows("first words")
    visit.complains("BROKEN")


def test_a_lost_page_follows_too_at_any_depth(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(f"{project.url}no/such/page.html")
    visit.shows("lost")
    project.write("BROKEN")
    visit.complains("BROKEN")
    project.write("second words")
    visit.is_clear()
    visit.shows("lost")


def test_an_open_page_follows_across_restarts_and_is_reloaded_only_if_it_is_old(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(project.url)
    for words, loads in (("first words", 1), ("second words", 2)):
        assert project.stop() == 130
        project.write(words)
        with visit.page.expect_event(
            "response", lambda response: response.url.endswith("events"), timeout=SECONDS * 1000
        ):
            project.start()
        visit.shows(words)
        assert len(visit.loads) == loads
    project.write("third words")
    visit.shows("third words")
    assert len(visit.loads) == 3


def test_a_page_that_is_not_seen_does_not_listen_and_is_reloaded_when_it_is(project: Running, visit: Visit) -> None:
    project.start().until("built first words")
    visit.page.goto(project.url)
    visit.is_hidden(True)
    project.write("second words")
    project.until("built second words")
    visit.shows("first words")
    visit.is_hidden(False)
    visit.shows("second words")
    assert len(visit.loads) == 2


def test_the_real_site_follows_its_words(tmp_path: Path, visit: Visit) -> None:
    checkout: Checkout = copy(tmp_path / "checkout")
    build = [sys.executable, "build.py", "--out", str(checkout.site)]
    project = Running(checkout.root, checkout.site, build, poll=POLL).start()
    try:
        project.until("index.html")
        visit.page.goto(f"{project.url}instrument.html")
        title = visit.page.locator("h1").first.text_content() or ""
        old = snapshot(checkout.site)
        assert not [name for name, data in old.items() if b".serve" in data]
        words = checkout.root / "content" / "en" / "instrument.md"
        line = next(n for n, text in enumerate(words.read_text("utf-8").split("\n"), 1) if text.startswith("## "))
        lines = words.read_text("utf-8").split("\n")
        words.write_text("\n".join([*lines[:line], "", "[[ no.such.number ]]", *lines[line:]]), "utf-8")
        visit.complains(f"content/en/instrument.md:{line + 2}:1: error: ")
        visit.complains("[[ no.such.number ]]")
        visit.shows(title)
        assert snapshot(checkout.site) == old
        words.write_text("\n".join([*lines[:line], "", "Words that are new.", *lines[line:]]), "utf-8")
        expect(visit.page.get_by_text("Words that are new.")).to_be_visible(timeout=SECONDS * 1000)
        visit.is_clear()
        assert len(visit.loads) == 2
    finally:
        assert project.stop() == 130
