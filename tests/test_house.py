"""The house rules that a machine can hold."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT

OPTIONAL = {"check/readers.py": {"torch"}}  # imported only where a file asks for it
HEAVY = {"jinja2", "markdown", "plotly", "markupsafe"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_point_one_way() -> None:
    for path in sorted((ROOT / "posenc").rglob("*.py")):
        names = set(imports(path))
        assert "build" not in names, path
        assert not any(name.split(".")[0] == "tests" for name in names), path
        inside = path.relative_to(ROOT / "posenc").parts
        if inside[0] != "web":
            assert not any(name.startswith("posenc.web") for name in names), path
            allowed = {*sys.stdlib_module_names, "numpy", "posenc"} | OPTIONAL.get("/".join(inside), set())
            assert {name.split(".")[0] for name in names} <= allowed, path
        if inside[0] not in ("web", "check", "testing.py", "__main__.py", "__init__.py"):
            assert not any(f"{name}.".startswith("posenc.check.") for name in names), path
    assert "posenc.proof" not in set(imports(ROOT / "posenc" / "engine.py"))


def test_judging_a_table_reads_no_files_and_knows_no_words() -> None:
    for path in sorted((ROOT / "posenc" / "check").glob("*.py")):
        names = {name.removeprefix("posenc.check.") for name in imports(path) if name.startswith("posenc.check.")}
        if path.stem not in ("command", "sentences", "readers", "words"):
            assert not names & {"command", "readers", "text", "words", "sentences"}, path


def test_the_engine_room_knows_nothing_of_the_web() -> None:
    code = f"import sys, posenc.proof, posenc.faults; sys.exit(any(n in sys.modules for n in {sorted(HEAVY)}))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_top_level_holds_what_the_owner_fixed() -> None:
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    fixed = {"pyproject.toml", "README.md", "build.py", "content", "templates", "posenc", "tests"}
    assert fixed <= found
    assert found <= fixed | {"site", "LICENSE", "__pycache__"}  # Python keeps what it compiled of build.py there


@pytest.mark.parametrize("command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]])
def test_the_code_is_clean(command: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_requirement_has_a_lower_bound_and_a_reason() -> None:
    from posenc.bootstrap import requirements

    readme = (ROOT / "README.md").read_text("utf-8")
    for requirement in requirements("test"):
        name, _, bound = requirement.partition(">=")
        assert bound, requirement
        assert f"**{name}**" in readme, f"README's Choices give no reason for {name}"


def test_all_words_of_the_pages_stand_in_the_content() -> None:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        if "serve" in path.parts or "formulas" in path.parts:  # the server is the author's own; formulas are signs
            continue
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", path.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"<!doctype[^>]*>", "", text)
        labels = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', text)
        words = re.findall(r"[^\W\d_]{2,}", " ".join([*labels, re.sub(r"<[^>]*>|&\w+;", " ", text)]))
        assert words == [], f"{path}: {words}"
