"""What the build was asked: where a setting may stand, which place wins, and how a slip in it is told."""

import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from posenc.web import options
from posenc.web.options import SETTINGS, UsageError, configure, read, shown, without_serving
from tests.checkout import ROOT

EXAMPLES: dict[str, tuple[list[str], str, str, Any]] = {
    "out": (["--out", "x"], "x", '"x"', Path("x")),
    "d-model": (["--d-model", "8"], "8", "8", 8),
    "positions": (["--positions", "9"], "9", "9", 9),
    "base": (["--base", "50"], "50", "50.0", 50.0),
    "probes": (["--probes", "1", "2"], "1 2", "[1, 2]", (1, 2)),
    "base-url": (["--base-url", "https://e.org/x"], "https://e.org/x", '"https://e.org/x"', "https://e.org/x/"),
    "plotly": (["--plotly", "p.js"], "p.js", '"p.js"', Path("p.js")),
    "headers": (["--headers"], "yes", "true", True),
    "gzip": (["--gzip"], "1", "true", True),
    "single-file": (["--single-file"], "on", "true", True),
    "draft": (["--draft"], "true", "true", True),
    "color": (["--color", "never"], "never", '"never"', "never"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def with_file(root: Path, line: str) -> Path:
    path = root / "pyproject.toml"
    path.write_text(path.read_text("utf-8") + f"\n[tool.posenc]\n{line}\n", "utf-8")
    return root


def test_every_setting_has_its_example() -> None:
    assert set(EXAMPLES) == {setting.name for setting in SETTINGS}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_setting_can_stand_in_a_flag_a_variable_or_the_file(name: str, root: Path) -> None:
    flag, variable, line, value = EXAMPLES[name]
    key = name.replace("-", "_")
    assert getattr(read(flag, {}, root), key) == value
    from_variable = read([], {f"POSENC_{key.upper()}": variable}, root)
    assert (getattr(from_variable, key), from_variable.origins[key]) == (value, f"POSENC_{key.upper()}")
    from_file = read([], {}, with_file(root, f"{name} = {line}"))
    assert (getattr(from_file, key), from_file.origins[key]) == (value, "pyproject.toml")


def test_a_flag_wins_over_a_variable_and_a_variable_over_the_file(root: Path) -> None:
    with_file(root, "d-model = 2")
    assert read([], {}, root).d_model == 2
    assert read([], {"POSENC_D_MODEL": "4"}, root).d_model == 4
    assert read(["--d-model", "6"], {"POSENC_D_MODEL": "4"}, root).d_model == 6
    assert read(["--no-gzip"], {"POSENC_GZIP": "yes"}, root).gzip is False


@pytest.mark.parametrize(
    ("environment", "line", "said"),
    [
        ({"POSENC_D_MODEL": "x"}, "", "POSENC_D_MODEL: invalid value: 'x'"),
        ({"POSENC_GZIP": "maybe"}, "", "POSENC_GZIP: invalid truth value: 'maybe' (yes or no)"),
        ({"POSENC_PROBES": "1 2 3"}, "", "POSENC_PROBES: invalid value: '1 2 3'"),
        ({"POSENC_COLOR": "green"}, "", "POSENC_COLOR: invalid choice: 'green' (auto, always or never)"),
        ({"POSENC_POSITION": "3"}, "", "unknown variable POSENC_POSITION; did you mean POSENC_POSITIONS?"),
        ({}, "d-modle = 3", "unknown key d-modle in [tool.posenc]; did you mean d-model?"),
        ({}, 'base = "ten"', "pyproject.toml, base: invalid value: 'ten'"),
    ],
)
def test_a_slip_in_a_variable_or_the_file_is_told_with_its_place(
    environment: dict[str, str], line: str, said: str, root: Path
) -> None:
    with pytest.raises(UsageError) as refusal:
        read([], environment, with_file(root, line) if line else root)
    assert said in str(refusal.value)


def test_a_file_that_is_no_toml_is_told_in_one_line(root: Path) -> None:
    with pytest.raises(UsageError, match=r"^pyproject\.toml: "):
        read([], {}, with_file(root, "[tool.posenc"))


@pytest.mark.parametrize("flag", ["--check", "--json", "--quiet"])
def test_a_server_that_could_not_tell_its_address_or_write_is_refused(flag: str, root: Path) -> None:
    with pytest.raises(UsageError, match="--serve"):
        read(["--serve", flag], {}, root)


@pytest.mark.parametrize(
    ("flags", "probes"),
    [
        ([], (5, 40)),
        (["--positions", "30"], (5, 29)),
        (["--positions", "3"], (0, 2)),
        (["--positions", "1"], (0, 0)),
        (["--positions", "30", "--probes", "1", "2"], (1, 2)),
    ],
)
def test_probes_that_nobody_chose_move_into_a_short_table(flags: list[str], probes: tuple[int, int]) -> None:
    assert configure(read(flags, {})).probes == probes


def test_what_is_shown_can_be_put_into_the_file_again(root: Path) -> None:
    asked = read(["--d-model", "8", "--base-url", "https://e.org", "--gzip"], {}, root)
    table = tomllib.loads(shown(asked))["tool"]["posenc"]
    assert (table["d-model"], table["base-url"], table["gzip"]) == (8, "https://e.org/", True)
    lines = "\n".join(line for line in shown(asked).splitlines() if not line.startswith("["))
    again = read([], {}, with_file(root, lines))
    assert all(getattr(again, setting.key) == getattr(asked, setting.key) for setting in SETTINGS)


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        (["--serve", "--base", "50"], ["--base", "50"]),
        (["--serve", "9000", "--open", "-v"], ["-v"]),
        (["--out", "x", "--serve=9000"], ["--out", "x"]),
        (["--serve", "--probes", "1", "2"], ["--probes", "1", "2"]),
    ],
)
def test_the_builds_of_a_server_get_every_flag_but_its_own(flags: list[str], kept: list[str]) -> None:
    assert without_serving(flags) == kept


def took(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return time.perf_counter() - begun


def test_help_and_version_answer_at_once_and_without_numpy() -> None:
    for flag in ("--help", "--version", "--print-config"):
        code = (
            f"import sys; sys.argv = ['build.py', '{flag}']; import build\n"
            "try: build.main()\nexcept SystemExit: pass\n"
            "sys.exit(any(name in sys.modules for name in ('numpy', 'jinja2', 'markdown')))"
        )
        result = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
        )
        assert result.returncode == 0, (flag, result.stderr)
    both = (["build.py", "--help"], ["-c", "import argparse, tomllib, dataclasses"])
    runs = [[took([sys.executable, *arguments]) for arguments in both] for _ in range(5)]
    helped, bare = (min(times) for times in zip(*runs, strict=True))
    assert helped <= 3 * bare  # a ratio, for shared machines: 0.15 s where bare Python takes 0.05


def test_the_help_names_every_setting_and_the_precedence() -> None:
    text = options._parser().format_help()
    assert all(f"--{setting.name}" in text for setting in SETTINGS)
    assert "A flag wins over a variable, a variable over the file, the file over the default." in text
