"""Watching: a change is one of content, a burst is one change, and a build is a fresh process."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from posenc.web import watch
from posenc.web.watch import SOURCES, Live, State, Tree, changes, differences, revision, run
from tests.checkout import ROOT

LEFTOVERS = (
    ".page.md.swp", ".#page.md", "#page.md#", "page.md~", "4913", ".goutputstream-X1Y2Z3", "page.md___jb_tmp___",
    "page.md.tmp", "__pycache__/page.cpython-311.pyc", "page.pyc", ".git/index",
)  # fmt: skip


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "content" / "en" / "page.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"one")
    return path


@pytest.fixture
def tree(page: Path, tmp_path: Path) -> Tree:
    return Tree(tmp_path, SOURCES)


def scripted(*steps: Callable[[], object]) -> Callable[[float], None]:
    """A wait that does one step each time, and then ends the watch."""
    left = iter(steps)

    def wait(_seconds: float) -> None:
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    return wait


def told(tree: Tree, *steps: Callable[[], object]) -> list[list[str]]:
    """What the watch tells while the steps are done, one at each look."""

    def until_the_end() -> Iterator[list[str]]:
        try:
            yield from changes(tree, scripted(*steps))
        except KeyboardInterrupt:
            return

    return list(until_the_end())


def rest() -> None:
    """A look at which nothing happens."""


def test_all_sources_of_this_project_are_watched_and_nothing_else() -> None:
    names = set(Tree(ROOT, SOURCES).snapshot())
    assert {
        "build.py",
        "pyproject.toml",
        "content/en/explainer.md",
        "templates/js/engine.js",
        "posenc/proof.py",
    } < names
    assert not [name for name in names if name.startswith(("tests/", "site/", "README")) or "__pycache__" in name]


def test_an_edit_is_a_change_and_a_touch_is_not(tree: Tree, page: Path) -> None:
    touch, edit = (lambda: os.utime(page, (1, 1))), (lambda: page.write_bytes(b"two"))
    assert told(tree, touch, rest, rest, rest) == [[]]
    assert told(tree, edit, rest, rest, rest) == [[], ["content/en/page.md"]]


def test_files_that_come_and_go_are_changes(tree: Tree, page: Path) -> None:
    new = page.with_name("new.md")
    assert told(tree, lambda: new.write_bytes(b""), rest, rest, rest) == [[], ["content/en/new.md"]]
    assert told(tree, page.unlink, rest, rest, rest) == [[], ["content/en/page.md"]]


@pytest.mark.parametrize("name", LEFTOVERS)
def test_what_editors_and_python_leave_is_no_change(tree: Tree, page: Path, name: str) -> None:
    before = tree.snapshot()
    left = page.parent / name
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"left")
    assert left.is_file()
    assert tree.snapshot() == before


def test_a_burst_is_one_change(tree: Tree, page: Path) -> None:
    def write(name: str) -> Callable[[], object]:
        return lambda: page.with_name(name).write_bytes(b"new")

    burst = [write("a.md"), rest, write("b.md"), write("c.md"), rest, write("d.md")]
    assert told(tree, *burst, rest, rest, rest) == [[], [f"content/en/{name}.md" for name in "abcd"]]


def test_a_file_that_an_editor_takes_away_for_a_moment_has_not_changed(tree: Tree, page: Path) -> None:
    assert told(tree, page.unlink, lambda: page.write_bytes(b"one"), rest, rest, rest, rest) == [[]]


def test_sources_that_never_rest_are_built_all_the_same(tree: Tree, page: Path) -> None:
    edits = [lambda number=number: page.write_bytes(b"%d" % number) for number in range(watch.LONGEST_BURST + 1)]
    assert told(tree, *edits) == [[], ["content/en/page.md"]]


def test_a_change_during_a_build_is_told_after_it(tree: Tree, page: Path) -> None:
    watching = changes(tree, scripted(rest, rest, rest, rest))
    assert next(watching) == []
    page.write_bytes(b"while the build runs")
    assert next(watching) == ["content/en/page.md"]


def test_an_edit_within_a_clocks_tick_is_seen(tree: Tree, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, found = tree.snapshot(), page.stat()
    monkeypatch.setattr(Path, "stat", lambda _path, **_: found)
    page.write_bytes(b"two")
    assert differences(before, tree.snapshot()) == ["content/en/page.md"]


def test_a_file_with_an_old_and_unchanged_stat_is_not_read_again(
    tree: Tree, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = time.time_ns() + 2 * watch.YOUNG
    monkeypatch.setattr(time, "time_ns", lambda: later)
    before = tree.snapshot()
    assert before
    monkeypatch.setattr(Path, "read_bytes", lambda _path: pytest.fail("read again"))
    assert tree.snapshot() == before


def test_a_file_that_vanishes_while_it_is_read_is_not_there(
    tree: Tree, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vanish(path: Path) -> bytes:
        path.unlink()
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "read_bytes", vanish)
    assert tree.snapshot() == {}


def test_the_revision_is_that_of_the_bytes(tmp_path: Path, page: Path) -> None:
    first = revision(Tree(tmp_path))
    page.write_bytes(b"two")
    second = revision(Tree(tmp_path))
    page.write_bytes(b"one")
    assert revision(Tree(tmp_path)) == first != second
    assert revision(Tree(tmp_path / "not there"))


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def up_to_date() -> bool:
    return False


def test_a_build_runs_in_the_root_in_a_fresh_process_that_leaves_no_bytecode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    code = "import os, sys; print(os.getcwd(), os.getpid(), sys.dont_write_bytecode, sys.stdin.read())"
    built = run(python(code), tmp_path, up_to_date)
    folder, pid, without = built.said.split()
    assert (Path(folder), without, built.error) == (tmp_path.resolve(), "True", None)
    assert pid != str(os.getpid())


def test_a_build_speaks_every_letter_whatever_the_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    assert run(python(r"print('\u03c9 . \u221a2')"), tmp_path, up_to_date).said == "ω . √2"


def test_the_error_is_what_the_build_printed_to_stderr_without_colours(tmp_path: Path) -> None:
    message = "\\x1b[1;31mcontent/en/page.md:3:5: error\\x1b[0m: lost\\n  the line\\n      ^"
    built = run(python(f"print('before'); import sys; sys.exit('{message}')"), tmp_path, up_to_date)
    assert built.error == "content/en/page.md:3:5: error: lost\n  the line\n      ^"
    assert built.said.startswith("before\n\x1b[1;31m")


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (python("import sys; print('only this'); sys.exit(3)"), "only this"),
        (python("import sys; sys.exit(3)"), "error: the build ended with code 3"),
        (["./no-such-command"], "no-such-command"),
    ],
)
def test_a_build_that_fails_without_a_message_has_one(tmp_path: Path, command: list[str], error: str) -> None:
    built = run(command, tmp_path, up_to_date)
    assert built.error is not None
    assert error in built.error
    assert error in built.said


def test_a_build_that_hangs_gives_way_to_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PATIENCE", 0.0)
    looks = iter([False, True])
    built = run(python("import threading; threading.Event().wait()"), tmp_path, lambda: next(looks))
    assert built.error is not None
    assert "hung" in built.error


def test_a_slow_build_of_sources_that_did_not_change_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "PATIENCE", 0.0)
    gate = tmp_path / "gate"

    def look() -> bool:
        gate.touch()
        return False

    code = "import pathlib\nwhile not pathlib.Path('gate').exists(): pass\nprint('done')"
    assert run(python(code), tmp_path, look).said == "done"


def test_who_waits_for_a_state_gets_the_newest_and_is_sent_away_at_the_end() -> None:
    live = Live(State("one"))
    assert live.after(live.unbuilt, 0.01) is live.unbuilt
    live.show(State("two"))
    live.show(State("three"))
    assert live.after(live.unbuilt, 60).revision == "three"
    live.close()
    assert live.after(live.state, 60).revision == "three"
