"""Notices by their content that the sources have changed, builds in a fresh process, and keeps what came of it."""

import hashlib
import json
import os
import re
import secrets
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import translate
from pathlib import Path

SOURCES = ("content", "templates", "posenc", "build.py", "pyproject.toml")
PASSING = (".*", "*~", "#*#", "*.swp", "*.swx", "*.tmp", "*.bak", "*___jb_*___", "4913", "*.pyc", "__pycache__")

POLL = 0.1  # seconds from look to look
QUIET = 2  # looks without a change end a burst
LONGEST_BURST = 20  # looks, after which a build starts in any case
YOUNG = 2_000_000_000  # ns: a file changed again within a clock's tick may have the same stat
PATIENCE = 10.0  # seconds that a build may take before a change of the sources stops it
GRACE = 2.0  # seconds for a build to end by itself after Ctrl-C

# A second edit within one second would be hidden by the bytecode of the first: builds leave none behind.
ENVIRONMENT = {"PYTHONIOENCODING": "utf-8:backslashreplace", "PYTHONDONTWRITEBYTECODE": "1"}
_PASSING = re.compile("|".join(map(translate, PASSING)))
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

Hashes = dict[str, str]
Stamp = tuple[int, int, int, int]


@dataclass
class Tree:
    """The files below a folder. One is read again only when its stat is new, or too young to be trusted."""

    root: Path
    names: tuple[str, ...] = ("",)
    _known: dict[str, tuple[Stamp | None, str]] = field(default_factory=dict, init=False)

    def snapshot(self) -> Hashes:
        """The hash of every file by its name, without what editors and Python leave for a moment."""
        looked = {name: self._look(name, path) for name, path in self._files()}
        self._known = {name: seen for name, seen in looked.items() if seen}
        return {name: digest for name, (_, digest) in self._known.items()}

    def _files(self) -> Iterator[tuple[str, str]]:
        """Each file's name and path; strings, for this runs ten times a second."""
        root = self.root.absolute()
        above = len(str(root)) + 1
        for top in (str(root / name) for name in self.names):
            if Path(top).is_file():
                yield top[above:], top
            for folder, folders, files in os.walk(top):
                folders[:] = [name for name in folders if not passing(name)]
                for path in (f"{folder}{os.sep}{name}" for name in files if not passing(name)):
                    yield path[above:].replace(os.sep, "/"), path

    def _look(self, name: str, path: str) -> tuple[Stamp | None, str] | None:
        """Stat and hash; None for a file that has gone, or that cannot be read."""
        try:
            found = Path(path).stat()
            stamp = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
            known = self._known.get(name)
            if known and known[0] == stamp:
                return known
            if not stat.S_ISREG(found.st_mode):
                return None
            digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError:
            return None
        young = time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < YOUNG
        return None if young else stamp, digest


def passing(name: str) -> bool:
    """Whether a name is that of a file which editors or Python make for themselves."""
    return _PASSING.fullmatch(name) is not None


def changes(tree: Tree, wait: Callable[[float], None] = time.sleep) -> Iterator[list[str]]:
    """Nothing at once; then, each time the sources have changed and are quiet again, the names of what changed."""
    before = tree.snapshot()
    yield []
    while True:
        wait(POLL)
        if tree.snapshot() == before:
            continue
        now = settled(tree, wait)
        if now != before:  # an editor may take a file away for a moment
            yield differences(before, now)
            before = now


def settled(tree: Tree, wait: Callable[[float], None]) -> Hashes:
    """The files when a burst of changes has come to rest, or has lasted too long."""
    now, quiet = tree.snapshot(), 0
    for _ in range(LONGEST_BURST):
        wait(POLL)
        then = tree.snapshot()
        quiet = quiet + 1 if then == now else 0
        now = then
        if quiet == QUIET:
            break
    return now


def differences(before: Hashes, after: Hashes) -> list[str]:
    """The names of files that came, went or changed."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


@dataclass(frozen=True, slots=True)
class Built:
    """How a build ended: all that it printed, and its message if it failed."""

    said: str
    error: str | None = None


def run(command: list[str], root: Path, outdated: Callable[[], bool]) -> Built:
    """One build in a fresh process. One that hangs is stopped when the sources have changed meanwhile."""
    try:
        process = subprocess.Popen(
            command,
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **ENVIRONMENT},
        )
    except OSError as error:
        return _failed("", f"error: {error}")
    with process:
        try:
            ended = _output(process, outdated)
        except KeyboardInterrupt:
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            raise
        finally:
            process.kill()
    if ended is None:
        return _failed("", "error: the build hung, and was stopped because the sources have changed")
    output, errors = ended
    said = "\n".join(filter(None, (output.rstrip(), errors.rstrip())))
    if process.returncode == 0:
        return Built(said)
    return _failed(said, errors.rstrip() or output.rstrip() or f"error: the build ended with code {process.returncode}")


def _output(process: subprocess.Popen[str], outdated: Callable[[], bool]) -> tuple[str, str] | None:
    end = time.monotonic() + PATIENCE
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=POLL)
        if time.monotonic() > end and outdated():
            return None


def _failed(said: str, message: str) -> Built:
    return Built(said or message, _COLOUR.sub("", message))


def revision(pages: Tree) -> str:
    """What the site's bytes are, in one word."""
    return hashlib.sha256(json.dumps(pages.snapshot(), sort_keys=True).encode()).hexdigest()[:16]


def token() -> str:
    """A word that never comes again, in another run of the server either."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class State:
    """Where the last build left the site. A page bears the revision; one that stands for a missing page, the build."""

    revision: str
    build: str = field(default_factory=token)
    id: str = field(default_factory=token)
    error: str | None = None

    def event(self) -> bytes:
        """The state as pages hear it."""
        heard = {"id": self.id, "good": [self.revision, self.build], "error": self.error}
        return f"data: {json.dumps(heard)}\n\n".encode()


class Live:
    """The newest state, and a way to wait for the next."""

    def __init__(self, unbuilt: State) -> None:
        self.unbuilt = self.state = unbuilt
        self.closed = False
        self._moved = threading.Condition()

    def show(self, state: State) -> None:
        """Wake all who wait."""
        with self._moved:
            self.state = state
            self._moved.notify_all()

    def close(self) -> None:
        """Send all away who wait."""
        with self._moved:
            self.closed = True
            self._moved.notify_all()

    def after(self, seen: State, seconds: float) -> State:
        """The newest state, as soon as it is another than this one, and at the latest after so many seconds."""
        with self._moved:
            self._moved.wait_for(lambda: self.closed or self.state is not seen, seconds)
            return self.state
