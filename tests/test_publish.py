"""Publishing by manifest: complete files only, foreign files untouched, failures before the first change."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from posenc.web.publish import MANIFEST, RefusedOutput, check_output, publish
from tests.checkout import ROOT, snapshot

OLD = {"index.html": b"old page", "assets/site.css": b"old style", "assets/gone.js": b"gone"}
NEW = {"index.html": b"new page", "assets/site.css": b"new style", "proof.json": b"{}"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "site"


def pages(out: Path) -> dict[str, bytes]:
    return {name: data for name, data in snapshot(out).items() if name != MANIFEST}


def test_the_folder_holds_what_was_published_and_nothing_stays_beside_it(out: Path) -> None:
    publish(OLD, out)
    publish(NEW, out)
    assert pages(out) == NEW
    assert [path.name for path in out.parent.iterdir()] == ["site"]
    assert set(json.loads((out / MANIFEST).read_text())["files"]) == set(NEW)


def test_publishing_the_same_again_writes_nothing(out: Path) -> None:
    publish(NEW, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    change = publish(NEW, out)
    assert (change.written, change.removed, change.kept, change.same) == ([], [], [], len(NEW))
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_foreign_files_and_edited_leftovers_stay_and_are_named(out: Path) -> None:
    publish(OLD, out)
    (out / "CNAME").write_bytes(b"example.org")
    (out / "index.html.new").write_bytes(b"not yours")
    (out / "assets" / "gone.js").write_bytes(b"edited by hand")
    assert publish(NEW, out).kept == ["assets/gone.js"]
    assert pages(out) == {
        **NEW,
        "CNAME": b"example.org",
        "index.html.new": b"not yours",
        "assets/gone.js": b"edited by hand",
    }


@pytest.mark.parametrize("allowed", range(7))
def test_a_failure_at_any_step_leaves_complete_files_and_the_next_build_goes_on(
    out: Path, allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(OLD, out)
    (out / "CNAME").write_bytes(b"example.org")
    steps = 0
    true = os.replace

    def failing(source: Path, target: Path) -> None:
        nonlocal steps
        if steps == allowed:
            raise OSError("no space left")
        steps += 1
        true(source, target)

    monkeypatch.setattr(os, "replace", failing)
    if allowed < 5:  # two manifests and three files are moved
        with pytest.raises(OSError, match="no space left"):
            publish(NEW, out)
    else:
        publish(NEW, out)
    monkeypatch.undo()
    found = pages(out)
    assert found.pop("CNAME") == b"example.org"
    assert all(data in (OLD.get(name), NEW.get(name)) for name, data in found.items())
    assert check_output(out, Path(__file__).parent) == out
    publish(NEW, out)
    assert pages(out) == {**NEW, "CNAME": b"example.org"}


def test_a_failure_while_staging_changes_nothing(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(OLD, out)
    before = snapshot(out)
    true = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "site.css":
            raise OSError("no space left")
        return true(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="no space left"):
        publish(NEW, out)
    monkeypatch.undo()
    assert snapshot(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_a_failed_first_build_leaves_no_folder(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="no space left"):
        publish(NEW, out)
    assert not out.exists()


def test_two_builds_at_once_are_refused(out: Path) -> None:
    publish(OLD, out)
    handle = os.open(out, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(RefusedOutput, match="another build"):
        publish(NEW, out)
    os.close(handle)
    assert pages(out) == OLD


def test_links_and_folders_in_the_way_are_refused_before_anything_changes(out: Path, tmp_path: Path) -> None:
    publish(OLD, out)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (out / "index.html").unlink()
    (out / "index.html").mkdir()
    with pytest.raises(RefusedOutput, match="a folder where a file must stand"):
        publish(NEW, out)
    (out / "index.html").rmdir()
    for path in (out / "assets").iterdir():
        path.unlink()
    (out / "assets").rmdir()
    (out / "assets").symlink_to(elsewhere)
    with pytest.raises(RefusedOutput, match="leads out of"):
        publish(NEW, out)
    assert list(elsewhere.iterdir()) == []


def test_a_linked_page_is_replaced_and_its_target_is_not_touched(out: Path, tmp_path: Path) -> None:
    publish(OLD, out)
    (tmp_path / "thesis.txt").write_text("four years")
    (out / "index.html").unlink()
    (out / "index.html").symlink_to(tmp_path / "thesis.txt")
    publish(NEW, out)
    assert (tmp_path / "thesis.txt").read_text() == "four years"
    assert pages(out) == NEW


OURS = '{"format": "posenc manifest 1", "files": %s}'


@pytest.mark.parametrize(
    "manifest",
    ["{}", "[]", "not json", '{"format": "another 1", "files": {}}', "[" * 100_000]
    + [OURS % files for files in ('{"a": 1}', "[1]", '"x"', "null", '{"index.html": [1, "x"]}')],
)
def test_a_folder_with_another_programs_manifest_is_refused(out: Path, manifest: str) -> None:
    out.mkdir()
    (out / MANIFEST).write_text(manifest)
    with pytest.raises(RefusedOutput, match=r"no manifest\.json of ours"):
        check_output(out, Path(__file__).parent)


def test_a_manifest_cannot_make_us_remove_what_lies_outside(out: Path, tmp_path: Path) -> None:
    publish(OLD, out)
    (tmp_path / "thesis.txt").write_bytes(b"gone")
    manifest = json.loads((out / MANIFEST).read_text())
    manifest["files"]["../thesis.txt"] = manifest["files"]["assets/gone.js"]
    (out / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(RefusedOutput, match="leads out of"):
        publish(NEW, out)
    assert (tmp_path / "thesis.txt").exists()


def test_a_link_that_leads_nowhere_is_followed_or_refused(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "later")
    assert check_output(tmp_path / "dangling", Path(__file__).parent) == tmp_path / "later"
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(RefusedOutput, match="leads nowhere"):
        check_output(tmp_path / "loop", Path(__file__).parent)


def test_ctrl_c_while_files_are_moved_waits_until_the_new_site_is_whole(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(OLD, out)
    true = os.replace

    def pressed(source: Path, target: Path) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        true(source, target)

    monkeypatch.setattr(os, "replace", pressed)
    with pytest.raises(KeyboardInterrupt):
        publish(NEW, out)
    assert pages(out) == NEW


# For each line a publisher of its own, forked off one that has imported all, which waits for it to be killed.
PUBLISHERS = """
import os, sys
from pathlib import Path
from posenc.web.publish import publish
out = Path(sys.argv[1])
pages = ("index.html", "instrument.html", "404.html")
def site(age):
    assets = {f"assets/{age}-{n}.js": f"{age} {n}".encode() * 20_000 for n in range(8)}
    links = " ".join(assets).encode()
    return {**{page: age.encode() + b" " + links for page in pages}, **assets, "proof.json": age.encode()}
sites = [site("old"), site("new")]
while sys.stdin.readline():
    if publisher := os.fork():
        os.waitpid(publisher, 0)
        print("gone", flush=True)
        continue
    publish(sites[0], out)
    print(os.getpid(), flush=True)
    while True:
        for files in reversed(sites):
            publish(files, out)
"""


@pytest.fixture
def publishers(out: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", PUBLISHERS, str(out)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        yield process
        os.killpg(process.pid, signal.SIGKILL)


def test_a_build_killed_at_sixty_random_moments_leaves_whole_pages_with_all_their_assets(
    publishers: subprocess.Popen[str], out: Path
) -> None:
    random = Random(0)
    mixed = 0
    assert publishers.stdout
    for _ in range(60):
        print("one more", file=publishers.stdin, flush=True)
        publisher = int(publishers.stdout.readline())
        (out / "CNAME").write_bytes(b"example.org")
        time.sleep(random.uniform(0, 0.03))
        os.kill(publisher, signal.SIGKILL)
        assert publishers.stdout.readline() == "gone\n"
        ages = set()
        for page in ("index.html", "instrument.html", "404.html"):
            age, *assets = (out / page).read_text().split()
            ages.add(age)
            assert len(assets) == 8
            assert all((out / asset).read_bytes() == f"{age} {n}".encode() * 20_000 for n, asset in enumerate(assets))
        mixed += len(ages) > 1
        assert (out / "CNAME").read_bytes() == b"example.org"
        assert check_output(out, Path(__file__).parent) == out
    assert mixed < 60


def test_a_page_that_is_kept_keeps_what_it_needs(out: Path) -> None:
    publish(OLD, out)
    (out / "index.html").write_bytes(b"edited page that wants assets/gone.js")
    change = publish(NEW, out)
    assert (change.kept, change.removed) == (["index.html"], [])
    assert (out / "assets" / "gone.js").read_bytes() == OLD["assets/gone.js"]
    change = publish(NEW, out, force=True)
    assert change.removed == ["assets/gone.js"]
    assert pages(out) == NEW


@pytest.mark.parametrize("name", ["site", "*", "a**b", "[x]"])
def test_folders_beside_the_output_that_are_not_ours_stay(tmp_path: Path, name: str) -> None:
    for neighbour in (f".{name}-stage-notes", ".other-stage-x"):
        (tmp_path / neighbour).mkdir()
        (tmp_path / neighbour / "diary.txt").write_text("four years")
    left = tmp_path / f".{name}-stage-killed"
    left.mkdir()
    (left / ".posenc-stage").write_text(name)
    publish(OLD, tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([f".{name}-stage-notes", ".other-stage-x", name])
