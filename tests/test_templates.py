"""Compiled templates are kept beside their sources, and never change what is built."""

import os
from pathlib import Path

import pytest

from tests.checkout import Checkout, copy


@pytest.fixture
def project(tmp_path: Path) -> Checkout:
    return copy(tmp_path / "copy")


def built(project: Checkout, **environment: str) -> bytes:
    """The explainer of one build."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    result = project.build("-q", env={**kept, **environment})
    assert result.returncode == 0, result.stderr
    return (project.site / "index.html").read_bytes()


def compiled(project: Checkout) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (project.root / "templates" / "__pycache__").glob("*")}


def test_a_changed_template_is_compiled_again_and_all_others_are_taken_as_they_are(project: Checkout) -> None:
    first = built(project)
    kept = compiled(project)
    assert kept
    assert built(project) == first
    project.edit("templates/base.html", "</body>", "<!-- changed --></body>")
    assert built(project) == first.replace(b"</body>", b"<!-- changed --></body>")
    assert sum(compiled(project)[path] != data for path, data in kept.items()) == 1


def test_a_compiled_template_is_what_the_next_build_runs(project: Checkout) -> None:
    first = built(project)
    for path, data in compiled(project).items():
        path.write_bytes(data.replace(b"</body>", b"</BODY>"))
    assert built(project) == first.replace(b"</body>", b"</BODY>") != first


@pytest.mark.parametrize("keep", [0, 2, 40, -9])
def test_a_damaged_one_costs_time_and_nothing_else(project: Checkout, keep: int) -> None:
    first = built(project)
    for path, data in compiled(project).items():
        path.write_bytes(data[:keep])
    assert built(project) == first


def test_without_a_place_to_keep_them_the_site_is_the_same(project: Checkout) -> None:
    place = project.root / "templates" / "__pycache__"
    place.write_text("a file stands where the folder would", "utf-8")
    first = built(project)
    place.unlink()
    assert built(project, PYTHONDONTWRITEBYTECODE="1") == first
    assert not compiled(project), "who wants no bytecode gets none"
