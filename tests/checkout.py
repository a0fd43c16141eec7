"""A throw-away copy of the project, for tests that edit its words or its source and build it."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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
