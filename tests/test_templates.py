"""Compiled templates are kept beside their sources, and never change what is built."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.checkout import Checkout, copy


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return copy(tmp_path_factory.mktemp("templates") / "copy")


@pytest.fixture(scope="module")
def first(copied: Checkout) -> bytes:
    """The explainer of the first build, which compiles every template."""
    assert not compiled(copied)
    wanted = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return explainer(copied, copied.build("-q", env=wanted))


@pytest.fixture
def project(copied: Checkout, first: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checkout]:
    """The copy after its first build; what is done to its compiled templates is undone."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept = compiled(copied)
    yield copied
    for path, data in kept.items():
        path.write_bytes(data)


def built(project: Checkout) -> bytes:
    return explainer(project, project.attempt("-q"))


def explainer(project: Checkout, build: CompletedProcess[str]) -> bytes:
    assert build.returncode == 0, build.stderr
    return (project.site / "index.html").read_bytes()


def compiled(project: Checkout) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (project.root / "templates" / "__pycache__").glob("*")}


def test_a_changed_template_is_compiled_again_and_all_others_are_taken_as_they_are(
    project: Checkout, first: bytes
) -> None:
    kept = compiled(project)
    assert kept
    assert built(project) == first
    with project.edited("templates/base.html", "</body>", "<!-- changed --></body>"):
        assert built(project) == first.replace(b"</body>", b"<!-- changed --></body>")
    assert sum(compiled(project)[path] != data for path, data in kept.items()) == 1


def test_a_compiled_template_is_what_the_next_build_runs(project: Checkout, first: bytes) -> None:
    for path, data in compiled(project).items():
        path.write_bytes(data.replace(b"</body>", b"</BODY>"))
    assert built(project) == first.replace(b"</body>", b"</BODY>") != first


@pytest.mark.parametrize("keep", [0, 2, 40, -9])
def test_a_damaged_one_costs_time_and_nothing_else(project: Checkout, first: bytes, keep: int) -> None:
    for path, data in compiled(project).items():
        path.write_bytes(data[:keep])
    assert built(project) == first


def test_without_a_place_to_keep_them_the_site_is_the_same(first: bytes, tmp_path: Path) -> None:
    project = copy(tmp_path / "copy")
    place = project.root / "templates" / "__pycache__"
    place.write_text("a file stands where the folder would", "utf-8")
    assert built(project) == first
    place.unlink()
    unwanted = project.build("-q", env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert explainer(project, unwanted) == first
    assert not compiled(project), "who wants no bytecode gets none"
