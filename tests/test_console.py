"""What a build tells: steps, errors, JSON, colours, and nothing when asked for silence."""

import json
import re
from pathlib import Path

import pytest

from tests.checkout import Checkout, copy


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    made = copy(tmp_path_factory.mktemp("console") / "project")
    assert made.attempt().returncode == 0
    return made


def test_every_step_is_told_with_its_time(checkout: Checkout) -> None:
    lines = checkout.attempt().stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["prove", "render", "check", "publish", "ok"]
    assert all(re.search(r" \d+ ms$", line) for line in lines[:4])
    assert re.match(r"prove    64 positions · bounded · length · distinct · shift \d\.\de-1\d · ladder", lines[0])
    assert "0 outside requests" in lines[2]
    assert "0 changed" in lines[3]
    assert re.search(r"open \S*index\.html$", lines[4])


def test_quiet_says_nothing_but_errors(checkout: Checkout) -> None:
    result = checkout.attempt("-q")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    result = checkout.attempt("-q", "--tamper")
    assert (result.returncode, result.stdout) == (3, "")
    assert "broken invariant shift" in result.stderr


def test_json_is_one_object_for_success_and_for_failure(checkout: Checkout) -> None:
    good = json.loads(checkout.attempt("--json").stdout)
    assert good["ok"] is True
    assert good["invariants"] == dict.fromkeys(["bounded", "length", "distinct", "shift", "ladder"], True)
    failed = checkout.attempt("--json", "--tamper")
    bad = json.loads(failed.stdout)
    assert (bad["ok"], bad["code"], failed.returncode, failed.stderr) == (False, 3, 3, "")
    assert "broken invariant bounded" in bad["error"]


def test_json_gives_every_slip_its_place(checkout: Checkout) -> None:
    with checkout.edited("content/en/explainer.md", "\n## ", "\n[[ no-such ]] and [[ nor-this ]]\n\n## "):
        bad = json.loads(checkout.attempt("--json").stdout)
    assert [problem["message"].split("[[")[1].split()[0] for problem in bad["problems"]] == ["no-such", "nor-this"]
    assert {problem["file"] for problem in bad["problems"]} == {"content/en/explainer.md"}
    assert all(problem["line"] > 1 for problem in bad["problems"])
    assert [problem["column"] for problem in bad["problems"]] == [1, 19]


def test_colour_is_for_terminals_or_on_request(checkout: Checkout) -> None:
    assert "\033[" not in checkout.attempt().stdout
    assert "\033[32mok" in checkout.attempt("--color", "always").stdout
    assert "\033[31m" in checkout.attempt("--color", "always", "--tamper").stderr


def test_verbose_shows_where_a_failure_came_from(checkout: Checkout) -> None:
    assert "Traceback" not in checkout.attempt("--tamper").stderr
    assert "Traceback" in checkout.attempt("-v", "--tamper").stderr


def test_check_does_everything_but_write(checkout: Checkout, tmp_path: Path) -> None:
    result = checkout.attempt("--check", "--out", str(tmp_path / "never"))
    assert result.returncode == 0
    assert "nothing was" in result.stdout
    assert not (tmp_path / "never").exists()
    assert checkout.attempt("--check", "--tamper").returncode == 3


def test_a_draft_warns_of_slips_shows_them_and_asks_not_to_be_indexed(checkout: Checkout, tmp_path: Path) -> None:
    with checkout.edited("content/en/explainer.md", "\n## ", "\n[[ no-such ]] and [a](#nowhere)\n\n## "):
        assert checkout.attempt().returncode == 1
        result = checkout.attempt("--draft", "--out", str(tmp_path / "o"))
    assert result.returncode == 0, result.stderr
    assert "content/en/explainer.md" in result.stderr
    assert "warning: unknown slot [[ no-such ]]" in result.stderr
    assert "warning: the link #nowhere leads to no id" in result.stderr
    page = (tmp_path / "o" / "index.html").read_text("utf-8")
    assert "[ no-such ]" in page
    assert '<meta name="robots" content="noindex">' in page


def test_files_edited_by_hand_are_kept_and_named_until_forced(checkout: Checkout, tmp_path: Path) -> None:
    out = tmp_path / "o"
    assert checkout.attempt("--out", str(out)).returncode == 0
    (out / "404.html").write_text("mine", "utf-8")
    result = checkout.attempt("--out", str(out))
    assert result.returncode == 0
    assert "404.html was edited by hand and is kept" in result.stderr
    assert (out / "404.html").read_text("utf-8") == "mine"
    assert checkout.attempt("--force", "--out", str(out)).returncode == 0
    assert (out / "404.html").read_text("utf-8") != "mine"
