"""Makes the two commands run on a fresh machine: finds the packages, or installs them into .venv.

Standard library only, and free of imports from posenc, for it runs before anything is installed.
POSENC_NO_VENV=1 turns the installing off: then a missing package is an error with the command to type.
"""

import importlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
ENVIRONMENT_ERROR = 5
IMPORTED_AS = {"pytest-xdist": "xdist"}


def ensure(extra: str | None = None) -> None:
    """Return when every requirement is importable; otherwise restart this command inside .venv."""
    wanted = requirements(extra)
    missing = [requirement for requirement in wanted if not satisfied(requirement)]
    if not missing:
        return
    by_hand = (
        f"{_shown([sys.executable, '-m', 'venv', VENV])} && {_shown([_venv_python(), '-m', 'pip', 'install', *wanted])}"
        f"\nand then: {_shown([_venv_python(), *sys.orig_argv[1:]])}"
    )
    if os.environ.get("POSENC_NO_VENV"):
        stop(f"missing packages: {', '.join(missing)}\nto install them: {by_hand}")
    if Path(sys.prefix).resolve() == VENV:
        _install(missing)
        if not all(satisfied(requirement) for requirement in wanted):
            stop(f"packages are still missing after installing them\nto try by hand: {by_hand}")
        return
    if not _works(_venv_python()):
        _make_venv()
    _restart_inside()


def requirements(extra: str | None = None) -> list[str]:
    """What pyproject.toml lists, with one of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else [])]


def satisfied(requirement: str) -> bool:
    """Whether `name>=bound` can be imported and is at least that new."""
    name, _, bound = requirement.partition(">=")
    importlib.invalidate_caches()
    spec = importlib.util.find_spec(IMPORTED_AS.get(name, name.replace("-", "_")))
    if spec is None or spec.origin is None:
        return False
    return _numbers(_installed_version(name, Path(spec.origin).parent.parent)) >= _numbers(bound)


def _installed_version(name: str, folder: Path) -> str:
    """From the name of its .dist-info: importlib.metadata would tell as well, and takes longer than all else here."""
    for info in folder.glob("*.dist-info"):
        project, _, version = info.stem.partition("-")
        if project.lower().replace("_", "-") == name.lower():
            return version
    return ""


def stop(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(ENVIRONMENT_ERROR)


def run(command: list[str | Path]) -> bool:
    """Print a command, run it with its output on stderr, and tell whether it succeeded."""
    print(f"+ {_shown(command)}", file=sys.stderr, flush=True)
    try:
        return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0
    except OSError as error:
        print(error, file=sys.stderr)
        return False


def debian_install(*packages: str) -> bool:
    """Install Debian packages when this is root on Debian; otherwise do nothing and say so by False."""
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    install: list[str | Path] = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    return run(install) or (run(["apt-get", "update"]) and run(install))


def _make_venv() -> None:
    if importlib.util.find_spec("ensurepip") is None and not debian_install("python3-venv"):
        stop("this Python cannot make a virtual environment\nto mend it: sudo apt-get install python3-venv")
    if not run([sys.executable, "-m", "venv", "--clear", VENV]):
        shutil.rmtree(VENV, ignore_errors=True)
        stop("no virtual environment could be made (see above)")
    if not _pip(_venv_python(), requirements()):
        shutil.rmtree(VENV, ignore_errors=True)
        stop("the packages could not be installed (see above); nothing was left behind")


def _install(missing: list[str]) -> None:
    if not _pip(Path(sys.executable), missing):
        stop("the packages could not be installed (see above)")


def _pip(python: Path, wanted: list[str]) -> bool:
    return run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])


def _works(python: Path) -> bool:
    """A .venv that was killed half-way has no pip."""
    try:
        return subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _restart_inside() -> NoReturn:
    command = [str(_venv_python()), *sys.orig_argv[1:]]
    sys.stdout.flush()
    if os.name == "nt":  # execv returns to the shell at once there
        raise SystemExit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


def _venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _shown(command: list[str | Path]) -> str:
    return shlex.join(os.fspath(word) for word in command)
