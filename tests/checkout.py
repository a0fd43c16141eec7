"""A throw-away copy of the project, for tests that edit its words or its source and build it."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("build.py", "pyproject.toml", "README.md", "content", "templates", "posenc")


@dataclass(frozen=True)
class Checkout:
    root: Path

    @property
    def site(self) -> Path:
        return self.root / "site"

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a piece of one file; the piece must be there."""
        path = self.root / name
        text = path.read_text("utf-8")
        assert old in text, f"{name} no longer holds {old!r}: the saboteur must be mended"
        path.write_text(text.replace(old, new, 1), "utf-8", newline="\n")

    @contextmanager
    def edited(self, name: str, old: str, new: str) -> Iterator[None]:
        """An edit that is taken back."""
        path = self.root / name
        kept = path.read_bytes()
        self.edit(name, old, new)
        try:
            yield
        finally:
            path.write_bytes(kept)

    def attempt(self, *flags: str) -> subprocess.CompletedProcess[str]:
        """What `build` answers, sooner: in this process, with the copy's words, templates and build.py, but with the
        modules of posenc/ that the tests have imported."""
        out, err = StringIO(), StringIO()
        with chdir(self.root), redirect_stdout(out), redirect_stderr(err):
            try:
                code = self._recipe().main(["--out", str(self.site), *flags])
            except SystemExit as end:  # of argparse
                code = end.code
        return subprocess.CompletedProcess(["build.py", *flags], code, out.getvalue(), err.getvalue())

    def _recipe(self) -> Any:
        spec = spec_from_file_location("build", self.root / "build.py")
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def build(self, *flags: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "build.py", *flags]
        return subprocess.run(command, cwd=self.root, env=env, capture_output=True, encoding="utf-8", check=False)


def copy(target: Path) -> Checkout:
    """With what Python compiled, which holds anywhere; not with templates, which are filed under where they lay."""
    target.mkdir(parents=True, exist_ok=True)
    half_written = "*.pyc.*"  # by another worker, and gone in a moment
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            left = shutil.ignore_patterns("__pycache__" if name == "templates" else half_written)
            shutil.copytree(source, target / name, ignore=left)
        elif source.exists():
            shutil.copy(source, target / name)
    return Checkout(target)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
