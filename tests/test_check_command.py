"""`python3 -m posenc check` and the pytest helper: exit codes, what they print, and words in an installed package."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc import __main__ as command
from posenc.testing import assert_encoding
from tests import kinds
from tests.checkout import ROOT

KINDS = {kind.name: kind for kind in kinds.KINDS}


def check(tmp_path: Path, table: Any, *flags: str) -> int:
    np.save(tmp_path / "table.npy", table)
    return command.main(["check", str(tmp_path / "table.npy"), *flags])


@pytest.mark.parametrize(
    ("name", "code"), [("vaswani", 0), ("base-1000", 0), ("per-column", 3), ("learned", 3), ("one-nan", 3)]
)
def test_exit_codes_tell_accepted_from_rejected(name: str, code: int, tmp_path: Path) -> None:
    assert check(tmp_path, KINDS[name].make(64, 16, 10000.0)) == code


def test_what_cannot_be_read_exits_1_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["check", str(tmp_path / "none.npy")]) == 1
    assert "there is no such file" in capsys.readouterr().err
    assert check(tmp_path, np.zeros((2, 3, 4))) == 1
    assert "this has 3: 2 × 3 × 4" in capsys.readouterr().err
    assert command.main(["check", "--json", str(tmp_path / "none.npy")]) == 1
    assert json.loads(capsys.readouterr().out)["error"] == "missing"


def test_no_name_of_a_file_or_in_it_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steering = "a\x1b[31m\x9b\u202e"
    arrays: dict[str, Any] = {steering: kinds.paper(8, 4), "b": kinds.paper(8, 4)}
    np.savez(tmp_path / f"{steering}.npz", **arrays)
    assert command.main(["check", str(tmp_path / f"{steering}.npz")]) == 1
    assert command.main(["check", str(tmp_path / f"{steering}.npz"), "--name", "b"]) == 0
    assert command.main(["check", str(tmp_path / f"{steering}.npz"), "--name", "b", "--json"]) == 0
    told = capsys.readouterr()
    assert r"choose one with --name: a\u001b[31m\u009b\u202e, b" in told.err
    assert (told.err + told.out).replace("\n", "").isprintable()


@pytest.mark.parametrize("flags", [["--expect", "nothing"], ["--base", "0"], ["--tolerance", "x"], ["--bse", "3"]])
def test_slips_of_usage_exit_2(flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        check(tmp_path, kinds.paper(8, 4), *flags)
    assert stopped.value.code == 2
    assert flags[0] in capsys.readouterr().err


def test_the_answer_reads_like_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(tmp_path, KINDS["per-column"].make(64, 16, 10000.0))
    said = capsys.readouterr().out
    for piece in ("REJECTED", "the exponent counts columns, not pairs", "fix use 2 * (j // 2) / d", "DeepCTR#379"):
        assert piece in " ".join(said.split())
    assert "\x1b" not in said
    assert max(map(len, said.splitlines())) <= 100


def test_minus_is_a_minus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = kinds.paper(64, 16)
    table[3, 1] += 0.25
    check(tmp_path, table)
    said = capsys.readouterr().out
    assert "row 3, column 1 is −0.7400, should be −0.9900, off by 0.2500" in " ".join(said.split())


def test_json_holds_keys_numbers_and_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, kinds.halves(64, 16), "--json", "--expect", "vaswani") == 3
    record = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["name"], record["accepted"], record["expected"]) == (
        "accepted",
        "halves",
        True,
        False,
    )
    assert record["convention"] == {
        "key": "halves",
        "layout": "halves",
        "ladder": "paper",
        "base": 10000.0,
        "width": 16.0,
        "start": 0.0,
        "step": 1.0,
        "scale": 1.0,
        "direction": "up",
    }
    assert [claim["name"] for claim in record["invariants"]] == ["bounded", "length", "distinct", "shift", "ladder"]
    assert record["words"][0]["label"] == "accepted"


def test_expectations_are_of_the_convention_and_its_base(tmp_path: Path) -> None:
    assert check(tmp_path, kinds.paper(64, 16), "--expect", "vaswani") == 0
    assert check(tmp_path, kinds.halves(64, 16), "--expect", "vaswani") == 3
    assert check(tmp_path, kinds.paper(64, 16, 500000.0), "--expect", "vaswani") == 3
    assert check(tmp_path, kinds.paper(64, 16, 500000.0), "--expect", "vaswani", "--base", "500000") == 0
    assert check(tmp_path, KINDS["fairseq"].make(64, 16, 10000.0), "--expect", "tensor2tensor") == 0
    assert check(tmp_path, kinds.halves(64, 2), "--expect", "halves") == 0


def test_a_name_chooses_among_several_arrays(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", pe=kinds.paper(64, 16), zero=np.zeros((4, 4)))
    assert command.main(["check", str(tmp_path / "a.npz"), "--name", "pe"]) == 0
    assert command.main(["check", str(tmp_path / "a.npz"), "--name", "zero"]) == 3
    assert command.main(["check", str(tmp_path / "a.npz")]) == 1


def test_the_helper_passes_what_is_right_and_tells_what_is_not() -> None:
    assert assert_encoding(kinds.paper(64, 16)).name == "vaswani"
    assert_encoding(kinds.halves(64, 16)[None], convention="halves")
    with pytest.raises(AssertionError) as failed:
        assert_encoding(KINDS["sin-sin"].make(64, 16, 10000.0))
    assert "both columns of each pair are the same wave" in str(failed.value)
    assert "fix: " in str(failed.value)


def test_the_helper_takes_no_base_for_granted() -> None:
    halved = kinds.on(kinds.omega_paper(32, 10000)[:8], 64)
    with pytest.raises(AssertionError, match="exponent is halved"):
        assert_encoding(halved, convention="vaswani")


def test_the_helper_refuses_a_convention_that_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="convention must be one of"):
        assert_encoding(kinds.paper(8, 4), convention="vaswanni")


def test_the_helper_takes_what_looks_like_a_tensor() -> None:
    class Tensor:
        dtype = "torch.float32"

        def detach(self) -> "Tensor":
            return self

        def cpu(self) -> "Tensor":
            return self

        def numpy(self) -> Any:
            return kinds.paper(64, 16).astype(np.float32)

    assert assert_encoding(Tensor()).storage == "float32"


def test_words_go_with_an_installed_package(tmp_path: Path) -> None:
    """Laid out as pyproject.toml tells setuptools to, in a place that has no content beside it."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    for package in told["packages"]:
        source = ROOT / told["package-dir"].get(package, package.replace(".", "/"))
        target = tmp_path / "into" / package.replace(".", "/")
        target.mkdir(parents=True, exist_ok=True)
        for pattern in ("*.py", *told["package-data"].get(package, [])):
            for file in source.glob(pattern):
                shutil.copy(file, target)
    np.save(tmp_path / "t.npy", kinds.paper(64, 16))
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'into')!r})\n"
    code += "from posenc.__main__ import main; sys.exit(main(['check', 't.npy']))"
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Vaswani" in done.stdout


def test_help_loads_no_numpy() -> None:
    code = "import sys\nfrom posenc.__main__ import main\ntry: main(['check', '--help'])\nexcept SystemExit: pass\n"
    code += "sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False).returncode == 0
