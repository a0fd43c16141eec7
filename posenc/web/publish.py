"""Puts the finished files into the output folder, and touches nothing else there."""

import os
from pathlib import Path

MARK = "proof.json"  # every site of ours has one: a folder without it is somebody else's


class RefusedOutput(Exception):  # noqa: N818 - it is what it says
    """The output folder is not one that a build may write to."""


def check_output(out: Path, root: Path) -> None:
    """Refuse the project itself, a folder that holds it, one of its sources, home, and foreign folders."""
    here = out.resolve()
    sources = [path.resolve() for path in root.iterdir() if path.is_dir() and path.name != "site"]
    if here == root.resolve() or here in root.resolve().parents or here == Path.home().resolve():
        raise RefusedOutput(f"{out} holds more than a site: choose a folder of its own")
    if any(here == source or source in here.parents for source in sources):
        raise RefusedOutput(f"{out} lies inside the project's own sources: choose another folder")
    if out.exists() and not out.is_dir():
        raise RefusedOutput(f"{out} is a file: choose a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise RefusedOutput(f"{out} is not empty and holds no site of ours ({MARK}): choose another folder")


def publish(files: dict[str, bytes], out: Path) -> int:
    """Write what has changed, each file beside its place and then moved onto it, pages after what they need.

    Returns the number of files that changed.
    """
    changed = 0
    fresh = not (out / MARK).is_file()  # then the mark comes first: a build killed half-way can be built again
    for name in sorted(files, key=lambda name: (not (fresh and name == MARK), name.endswith(".html"), name)):
        path = out / name
        if path.is_file() and path.read_bytes() == files[name]:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.new")
        beside.write_bytes(files[name])
        os.replace(beside, path)
        changed += 1
    return changed
