"""Puts the finished files into the output folder, by manifest, and touches nothing else there.

All new files are first written to a stage beside the output, on the same disk: what can fail fails there. Then each is
moved onto its place, assets before the pages that need them, and files that the last build wrote and this one does not
are removed if they are still as it wrote them. The manifest is rewritten before and after: killed at any moment, the
folder holds complete files, each known to be ours, and the next build goes on from there.
"""

import hashlib
import json
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

try:
    import fcntl
except ImportError:  # Windows has no lock on a folder: there two builds at once are the caller's to avoid
    fcntl = None  # type: ignore[assignment]

MANIFEST = "manifest.json"
_MARK = ".posenc-stage"
_FORMAT = "posenc manifest 1"

Hashes = dict[str, list[str]]


class RefusedOutput(Exception):  # noqa: N818 - it is what it says
    """The output folder is not one that a build may write to."""


def check_output(out: Path, root: Path) -> Path:
    """The real folder to write to. Refuses the project itself, a folder that holds it or one of its sources, home,
    a file, and a folder that holds something and no manifest of ours."""
    try:
        here, home = out.resolve(), Path.home().resolve()
    except (OSError, RuntimeError) as error:
        raise RefusedOutput(f"{out} leads nowhere: {error}") from None
    sources = [path.resolve() for path in root.iterdir() if path.is_dir() and path.name != "site"]
    if here in (root.resolve(), home) or here in root.resolve().parents or here in home.parents:
        raise RefusedOutput(f"{out} holds more than a site: choose a folder of its own")
    if any(here == source or source in here.parents for source in sources):
        raise RefusedOutput(f"{out} lies inside the project's own sources: choose another folder")
    if here.exists() and not here.is_dir():
        raise RefusedOutput(f"{out} is a file: choose a folder")
    if here.is_dir() and any(here.iterdir()) and _read(here) is None:
        raise RefusedOutput(f"{out} is not empty and has no {MANIFEST} of ours: choose another folder")
    return here


@dataclass(frozen=True, slots=True)
class Change:
    """What publishing did: names of files written, removed, and kept because somebody had edited them."""

    written: list[str]
    removed: list[str]
    kept: list[str]
    same: int


def publish(files: dict[str, bytes], out: Path, *, force: bool = False) -> Change:
    """Make `out` hold these files. Other files there stay; so do files of ours that were edited, unless forced."""
    with _locked(out):
        before = _read(out) or {}
        _refuse_obstacles([*files, *before], out)
        ours = {name: [_hash(data)] for name, data in files.items()}
        differing = [name for name in files if not _same(out / name, files[name])]
        kept = [] if force else [name for name in differing if _edited(out / name, before.get(name, []))]
        changed = [name for name in differing if name not in kept]
        left = [name for name in before if name not in files and (out / name).is_file()]
        kept += [name for name in left if _edited(out / name, before[name])]
        # A page that is kept may need what no other page needs any more: then nothing is removed.
        stale = [] if kept else left
        known = {**{name: before[name] for name in left if name not in stale}, **ours}
        done = Change(changed, stale, kept, len(files) - len(differing))
        if not changed and not stale and before == known:
            return done
        with _stage(out) as stage:
            for name in changed:
                _write(stage / name, files[name])
            either = {name: sorted({*before.get(name, []), *ours.get(name, [])}) for name in {*before, *ours}}
            with _uninterrupted():
                _move_manifest(either, stage, out)
                for name in sorted(changed, key=_order):
                    (out / name).parent.mkdir(parents=True, exist_ok=True)
                    os.replace(stage / name, out / name)
                for name in stale:
                    (out / name).unlink()
                    _remove_empty((out / name).parent, out)
                _move_manifest(known, stage, out)
    return done


def _order(name: str) -> tuple[bool, str]:
    return name.endswith(".html"), name


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """One build at a time; a folder that this build made and left empty goes again."""
    made = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    handle = os.open(out, os.O_RDONLY) if fcntl else None
    try:
        if handle is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RefusedOutput(f"another build is writing to {out}") from None
        yield
    finally:
        if handle is not None:
            os.close(handle)
        if made and not any(out.iterdir()):
            out.rmdir()


@contextmanager
def _stage(out: Path) -> Iterator[Path]:
    prefix = f".{out.name}-stage-"
    for left in out.parent.iterdir():  # of a build that was killed: the lock is ours, and so is what bears our mark
        if left.name.startswith(prefix) and _marked(left) == out.name:
            shutil.rmtree(left, ignore_errors=True)
    stage = Path(tempfile.mkdtemp(prefix=prefix, dir=out.parent))
    try:
        (stage / _MARK).write_text(out.name, "utf-8")
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _marked(folder: Path) -> str | None:
    """The output for which a stage of ours was made."""
    try:
        return (folder / _MARK).read_text("utf-8")
    except (OSError, ValueError):
        return None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits for the few moves that make the new site: it is either not begun or done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _refuse_obstacles(names: list[str], out: Path) -> None:
    """No name leaves the folder, by dots or by a link, and no folder stands where a file should."""
    for name in names:
        path = PurePosixPath(name)
        folders = [out.joinpath(*path.parts[:depth]) for depth in range(1, len(path.parts))]
        if path.is_absolute() or ".." in path.parts or any(folder.is_symlink() for folder in folders):
            raise RefusedOutput(f"{out / name} leads out of {out}")
        if (out / name).is_dir() and not (out / name).is_symlink():
            raise RefusedOutput(f"{out / name} is a folder where a file must stand")


def _read(out: Path) -> Hashes | None:
    """The hashes of what earlier builds wrote; None when the folder has no manifest of ours."""
    try:
        manifest: Any = json.loads((out / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT or not _are_hashes(manifest.get("files")):
        return None
    files: Hashes = manifest["files"]
    return files


def _are_hashes(files: Any) -> bool:
    return isinstance(files, dict) and all(
        isinstance(hashes, list) and all(isinstance(each, str) for each in hashes) for hashes in files.values()
    )


def _move_manifest(hashes: Hashes, stage: Path, out: Path) -> None:
    text = json.dumps({"format": _FORMAT, "files": dict(sorted(hashes.items()))}, indent=1) + "\n"
    _write(stage / MANIFEST, text.encode())
    os.replace(stage / MANIFEST, out / MANIFEST)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _remove_empty(folder: Path, out: Path) -> None:
    if folder != out and not any(folder.iterdir()):
        folder.rmdir()


def _same(path: Path, data: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == data


def _edited(path: Path, hashes: list[str]) -> bool:
    """A file stands there that no build of ours wrote so; a link is not a file."""
    found = _hash_of(path)
    return found is not None and found not in hashes


def _hash_of(path: Path) -> str | None:
    return _hash(path.read_bytes()) if path.is_file() and not path.is_symlink() else None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
