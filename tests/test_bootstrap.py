"""The two commands on a fresh machine: what is found, what is installed, and how they give up."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from posenc import bootstrap
from tests.checkout import ROOT, copy


def test_requirements_are_what_pyproject_lists() -> None:
    assert {name.partition(">=")[0] for name in bootstrap.requirements()} == {
        "numpy",
        "jinja2",
        "markdown",
        "plotly",
    }
    assert "pytest" in {name.partition(">=")[0] for name in bootstrap.requirements("test")}


def test_a_requirement_is_satisfied_only_by_a_package_that_is_new_enough() -> None:
    assert bootstrap.satisfied("numpy>=1.0")
    assert not bootstrap.satisfied("numpy>=999")
    assert not bootstrap.satisfied("no-such-package-of-ours>=1")


def test_every_requirement_is_found_where_it_is_installed() -> None:
    """A package may be imported by another name than it is installed by."""
    assert [each for each in bootstrap.requirements("test") if not bootstrap.satisfied(each)] == []


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with nothing installed."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


@pytest.mark.parametrize("command", [["build.py"], ["-m", "tests"]])
def test_without_packages_and_without_leave_it_stops_with_the_command(
    bare: Path, tmp_path: Path, command: list[str]
) -> None:
    checkout = copy(tmp_path / "project")
    (checkout.root / "tests").mkdir()
    for name in ("__init__.py", "__main__.py"):
        (checkout.root / "tests" / name).write_text((ROOT / "tests" / name).read_text("utf-8"), "utf-8")
    result = subprocess.run(
        [bare, *command],
        cwd=checkout.root,
        env={"POSENC_NO_VENV": "1", "PATH": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 5, result.stderr
    assert "missing packages: numpy" in result.stderr
    assert "-m pip install" in result.stderr
    assert not (checkout.root / ".venv").exists()
    assert not checkout.site.exists()


def test_packages_that_cannot_be_installed_leave_nothing_behind(bare: Path, tmp_path: Path) -> None:
    checkout = copy(tmp_path / "project")
    result = subprocess.run(
        [bare, "build.py"],
        cwd=checkout.root,
        env={
            "PIP_INDEX_URL": "http://127.0.0.1:9/",
            "PIP_RETRIES": "0",
            "PIP_CONFIG_FILE": "/dev/null",
            "PATH": "",
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 5, result.stderr
    assert "nothing was left behind" in result.stderr
    assert not (checkout.root / ".venv").exists()


def test_an_old_python_gets_one_line() -> None:
    code = (
        "import sys; sys.version_info = (3, 9, 2)\n"
        f"sys.argv = ['build.py']; exec(compile(open({str(ROOT / 'build.py')!r}).read(), 'build.py', 'exec'))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode != 0
    assert result.stderr == "error: posenc needs Python 3.11 or newer, this is 3.9\n"
