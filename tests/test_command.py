"""`python3 -m posenc prove`: exit codes, what it prints, its memory."""

import json
import subprocess
import sys

import pytest

from posenc import __main__ as command
from posenc import linear
from tests.checkout import ROOT


def test_it_tells_every_invariant_and_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["prove", "--positions", "2000", "--d-model", "64", "--base", "500", "--start", "-7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1].rstrip(":") for line in lines] == ["bounded", "length", "distinct", "shift", "ladder"]
    assert all(line.startswith("holds") for line in lines)
    assert linear.SHIFT_BOUND in lines[3]


def test_json_is_one_object_with_the_config_and_all_invariants(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["prove", "--positions", "1", "--d-model", "2", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["config"]["n_positions"] == 1
    assert result["holds"] is True
    assert [claim["name"] for claim in result["invariants"]] == ["bounded", "length", "distinct", "shift", "ladder"]
    assert result["invariants"][2]["measured"] is None  # no pair: ∞, which JSON has not


def test_float32_is_held_to_what_its_storage_allows(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["prove", "--positions", "3000", "--d-model", "128", "--dtype", "float32"]) == 0
    assert "1e-06" in capsys.readouterr().out


def test_a_broken_invariant_exits_3(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "TOLERANCES", {"float64": 1e-17, "float32": 1e-17})
    assert command.main(["prove"]) == 3
    assert "BROKEN  shift" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--positions", "0"], "n_positions must be an integer of at least 1, got 0"),
        (["--d-model", "5"], "d_model must be an even integer of at least 2, got 5"),
        (["--start", str(2**53)], "2^53"),
        (["--base", "nan"], "base must be a finite number above 0, got nan"),
    ],
)
def test_wrong_flags_exit_2_by_name(flags: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["prove", *flags]) == 2
    assert said in capsys.readouterr().err


def test_sixty_thousand_rows_of_512_peak_under_300_megabytes() -> None:
    code = (
        "import pathlib, re, sys\n"
        "from posenc.__main__ import main\n"
        "code = main(['prove', '--positions', '60000', '--d-model', '512'])\n"
        "status = pathlib.Path('/proc/self/status')  # the peak since this program began\n"
        "peak = re.search(r'VmHWM:\\s+(\\d+) kB', status.read_text()) if status.exists() else None\n"
        "sys.exit(code or (peak is not None and int(peak[1]) > 300_000))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
