"""The build: what it writes, what stops it, and that a failure leaves the old site as it was."""

import hashlib
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT, Checkout, copy, snapshot


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return copy(tmp_path / "project")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """One copy that was built once; tests that use it change nothing of it."""
    checkout = copy(tmp_path_factory.mktemp("built") / "project")
    result = checkout.build()
    assert result.returncode == 0, result.stderr
    return checkout


def test_the_build_writes_both_pages_and_the_proof(built: Checkout) -> None:
    files = snapshot(built.site)
    assert {"index.html", "instrument.html", "404.html", "proof.json", "manifest.json", ".nojekyll"} <= set(files)
    assert len([name for name in files if re.fullmatch(r"assets/plotly\.min\.[0-9a-f]{8}\.js", name)]) == 1
    assert not [name for name in files if Path(name).name.startswith("_") or name.endswith(".new")]


def test_two_builds_write_the_same_bytes_whatever_the_surroundings(built: Checkout, tmp_path: Path) -> None:
    other = copy(tmp_path / "a b" / "ü")
    surroundings = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}
    result = other.build(env={**os.environ, **surroundings})
    assert result.returncode == 0, result.stderr
    assert snapshot(other.site) == snapshot(built.site)


def test_a_second_build_changes_no_file(built: Checkout) -> None:
    before = {path: path.stat().st_mtime_ns for path in built.site.rglob("*")}
    assert built.attempt().returncode == 0
    assert {path: path.stat().st_mtime_ns for path in built.site.rglob("*")} == before


@pytest.mark.parametrize(
    ("flags", "code"),
    [([], 0), (["-q", "--check"], 1), (["--tampr"], 2), (["--d-model", "15"], 2), (["-q", "--tamper"], 3)],
)
def test_an_attempt_ends_and_says_what_a_process_does(built: Checkout, flags: list[str], code: int) -> None:
    """So that the other tests may build without one."""
    with built.edited("content/en/explainer.md", "title: ", "title: [[ none ]] " if code == 1 else "title: "):
        process, attempt = built.build(*flags), built.attempt(*flags)
    assert process.returncode == attempt.returncode == code
    assert timeless(process.stdout) == timeless(attempt.stdout)
    assert process.stderr == attempt.stderr


def timeless(told: str) -> str:
    return re.sub(r" +\d+ ms$|[\d.]+ s ", "", told, flags=re.MULTILINE)


def test_tamper_exits_3_names_exactly_what_fell_and_leaves_the_site(built: Checkout) -> None:
    before = snapshot(built.site)
    result = built.build("--tamper")
    assert result.returncode == 3
    fallen = [line.split()[2].rstrip(":") for line in result.stderr.splitlines() if line.startswith("broken")]
    assert fallen == ["bounded", "length", "shift", "ladder"]
    assert "measured 146" in result.stderr
    assert "must be <= 1e-09" in result.stderr
    assert "position 59, k = 4" in result.stderr
    assert snapshot(built.site) == before


SABOTAGE = {
    "a flipped sign in rotation": (
        "posenc/engine.py",
        "blocks[..., 1, 0] = -blocks[..., 0, 1]",
        "blocks[..., 1, 0] = blocks[..., 0, 1]",
        ["shift"],
    ),
    "the exponent i/d": (
        "posenc/phases.py",
        "_frequencies(n_pairs, steps,",
        "_frequencies(n_pairs, 2 * steps,",
        ["ladder"],
    ),
    "one edited cell": (
        "posenc/engine.py",
        "    return table\n",
        "    table[..., 3, 4] += 1e-6 if len(table) > 3 else 0\n    return table\n",
        ["length", "shift", "ladder"],
    ),
}


@pytest.mark.parametrize("fault", SABOTAGE)
def test_an_edited_engine_makes_the_build_fail(built: Checkout, tmp_path: Path, fault: str) -> None:
    name, old, new, falls = SABOTAGE[fault]
    broken = copy(tmp_path / "project")
    broken.edit(name, old, new)
    before = snapshot(built.site)
    result = broken.build("--out", str(built.site))
    assert result.returncode == 3, result.stderr
    fallen = [line.split()[2].rstrip(":") for line in result.stderr.splitlines() if line.startswith("broken")]
    assert fallen == falls
    assert snapshot(built.site) == before


def test_another_program_can_check_the_claim(built: Checkout) -> None:
    claim = json.loads((built.site / "proof.json").read_text("utf-8"))
    d, n, base = (claim["config"][key] for key in ("d_model", "n_positions", "base"))
    assert (d, n, base) == (16, 64, 10000.0)
    rows = []
    for pos in range(n):
        row = [f(pos / base ** (2 * i / d)) for i in range(d // 2) for f in (math.sin, math.cos)]
        rows.append(",".join(f"{round(value, 9) + 0.0:.9f}" for value in row) + "\n")
    assert claim["table"]["sha256"] == hashlib.sha256("".join(rows).encode()).hexdigest()
    assert claim["holds"] is True
    assert [entry["name"] for entry in claim["invariants"]] == [
        "bounded",
        "length",
        "distinct",
        "shift",
        "ladder",
    ]
    assert all(entry["holds"] for entry in claim["invariants"])


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--d-model", "15"], "d_model must be an even integer of at least 2, got 15"),
        (["--d-model", "0"], "d_model"),
        (["--positions", "0"], "n_positions must be an integer of at least 1, got 0"),
        (["--base", "0"], "base must be a finite number above 0, got 0.0"),
        (["--base", "nan"], "base must be a finite number above 0, got nan"),
        (["--probes", "5", "64"], "probes must be below n_positions = 64, got 64"),
        (["--probes", "-1", "4"], "probes"),
        (["--positions", "10000000", "--d-model", "512"], "65,536"),
        (["--positions", "2049", "--d-model", "2"], "at most 2,048"),
        (
            ["--base", "5e-324", "--d-model", "4096", "--positions", "2"],
            "base must keep every frequency finite",
        ),
        (
            ["--base", "1.7e308", "--d-model", "4096", "--positions", "2"],
            "omega must keep every wavelength finite",
        ),
        (["--d-model", "sixteen"], "invalid int value"),
        (["--out", ""], "names no folder"),
        (["--out", "b\udcff"], "not UTF-8"),
        (["--tampr"], "unrecognized arguments"),
    ],
)
def test_bad_flags_exit_2_and_write_nothing(built: Checkout, flags: list[str], said: str) -> None:
    before = snapshot(built.site)
    result = built.attempt(*flags)
    assert result.returncode == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert snapshot(built.site) == before


@pytest.mark.parametrize(
    "flags",
    [
        ["--d-model", "2", "--positions", "1"],
        ["--d-model", "4", "--positions", "2", "--base", "0.5"],
        ["--positions", "30"],
        ["--d-model", "128", "--positions", "512", "--base", "1e7", "--probes", "0", "511"],
    ],
)
def test_other_sizes_build(built: Checkout, tmp_path: Path, flags: list[str]) -> None:
    result = built.attempt(*flags, "--out", str(tmp_path / "o"))
    assert result.returncode == 0, result.stderr
    assert json.loads((tmp_path / "o" / "proof.json").read_text("utf-8"))["holds"] is True


def test_an_instrument_of_another_table_is_told_on_the_explainer(built: Checkout, tmp_path: Path) -> None:
    said = "The instrument of this site was built with another, of 8\u00a0×\u00a04, base\u00a050"
    small = built.attempt("--positions", "8", "--d-model", "4", "--base", "50", "--out", str(tmp_path / "o"))
    assert small.returncode == 0, small.stderr
    assert said in (tmp_path / "o" / "index.html").read_text("utf-8")
    assert "was built with another" not in (built.site / "index.html").read_text("utf-8")
    assert built.attempt("--probes", "3", "9", "--out", str(tmp_path / "p")).returncode == 0
    assert "was built with another" not in (tmp_path / "p" / "index.html").read_text("utf-8")


def test_the_home_folder_the_project_and_foreign_folders_are_refused(checkout: Checkout, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("four years of work")
    for out in (
        checkout.root,
        checkout.root / "content" / "x",
        tmp_path,
        Path.home(),
        foreign,
        foreign / "thesis.txt",
    ):
        before = snapshot(tmp_path)
        result = checkout.attempt("--out", str(out))
        assert result.returncode == 2, f"{out}: {result.stderr}"
        assert {k: v for k, v in snapshot(tmp_path).items() if "__pycache__" not in k} == {
            k: v for k, v in before.items() if "__pycache__" not in k
        }


def test_a_foreign_file_beside_the_site_stays(built: Checkout, tmp_path: Path) -> None:
    out = tmp_path / "o"
    assert built.attempt("--out", str(out)).returncode == 0
    (out / "CNAME").write_text("example.org")
    with built.edited("content/en/explainer.md", "title: ", "title: New "):
        assert built.attempt("--out", str(out)).returncode == 0
    assert (out / "CNAME").read_text() == "example.org"
    assert "<title>New " in (out / "index.html").read_text("utf-8")


WORDS = {
    "an unknown slot": ("content/en/explainer.md", "\n## ", "\n[[ no-such-number ]]\n\n## ", "unknown slot"),
    "an unknown term": ("content/en/explainer.md", "term:token ", "term:tokens ", "did you mean term:token?"),
    "a missing section": ("content/en/explainer.md", " {#wave}", " {#waves}", "did you mean wave?"),
    "an unknown key": ("content/en/site.md", "skip: ", "skp: x\nskip: ", "nothing uses the key skp"),
    "a missing key": ("content/en/site.md", "skip: ", "# skip: ", "the key skip is missing"),
    "a lost character": ("content/en/explainer.md", "\n## ", "\n\ufffd\n\n## ", "U+FFFD"),
    "an unseen character": ("content/en/site.md", "skip: ", "skip: \x1b", "nobody can see (U+001B)"),
    "an unseen character by its number": ("content/en/site.md", "skip: ", "skip: &#x1b;", "nobody can see (U+001B)"),
    "a lost character by its number": ("content/en/explainer.md", "\n## ", "\n&#xD800; x\n\n## ", "U+FFFD"),
    "a tag of a template": ("content/en/explainer.md", "\n## ", "\nso {% if x %} it is\n\n## ", "'}' is left"),
    "a mark after emphasis": ("content/en/explainer.md", "\n## ", "\nso *word* { abc\n\n## ", "'{' is left"),
    "a text turned round": ("content/en/site.md", "skip: ", "skip: \u202e", "turns what follows round (U+202E)"),
    "a key twice": ("content/en/site.md", "skip: ", "skip: x\nskip: ", "a second time"),
    "a slot that is not closed": ("content/en/explainer.md", "\n## ", "\n[[ wave.length of it\n\n## ", "on one line"),
    "a slot over two lines": ("content/en/explainer.md", "\n## ", "\n[[ wave.length\n]]\n\n## ", "on one line"),
    "a figure inside a sentence": ("content/en/explainer.md", "[[ figure:wave ]]", "see [[ figure:wave ]]", "alone"),
    "a figure twice": (
        "content/en/explainer.md",
        "[[ figure:wave ]]",
        "[[ figure:wave ]]\n\n[[ figure:wave ]]",
        "twice",
    ),
    "a link to nowhere": ("content/en/explainer.md", "\n## ", "\n[x](#turm)\n\n## ", "did you mean turn?"),
    "a link to no page": ("content/en/explainer.md", "\n## ", "\n[x](missing.html)\n\n## ", "leads to no file"),
    "a link to no window": ("content/en/explainer.md", "\n## ", "\n[x](instrument.html#window-99)\n\n## ", "no id"),
    "a script link": ("content/en/explainer.md", "\n## ", "\n[x](javascript:alert)\n\n## ", "leads to no file"),
    "a picture from outside": ("content/en/explainer.md", "\n## ", "\n![x](https://x.example/y.png)\n\n## ", "outside"),
    "a script": ("content/en/explainer.md", "\n## ", "\n<script>1</script>\n\n## ", "may not stand in the words"),
    "an element left open": ("content/en/explainer.md", "\n## ", "\n<div>\n\n## ", "<div>"),
    "emphasis left open": ("content/en/explainer.md", "\n## ", "\nso **bold it is\n\n## ", "'**' is left"),
    "emphasis left open by one star": ("content/en/explainer.md", "*score*", "*score", "'*' is left"),
    "code left open": ("content/en/explainer.md", "\n## ", "\nso `bold it is\n\n## ", "'`' is left"),
    "a link left open": ("content/en/explainer.md", "\n## ", "\n[x](https://a.b it is\n\n## ", "'](' is left"),
    "an id twice": ("content/en/explainer.md", "\n## ", '\n<p id="turn">x</p>\n\n## ', "a second time"),
    "a missing text of a script": (
        "content/en/instrument.md",
        "script.verdict.holds:",
        "# script.verdict.holds:",
        "needs the key script.verdict.holds",
    ),
    "an unknown text of a script": (
        "content/en/instrument.md",
        "script.tally:",
        "script.taly: x\nscript.tally:",
        "did you mean tally?",
    ),
    "an unknown placeholder": ("content/en/instrument.md", "{held} of", "{hold} of", "unknown placeholder {hold}"),
    "an unknown placeholder of a label": (
        "content/en/figures.md",
        "heatmap.panel.label: ",
        "heatmap.panel.label: {nope} ",
        "unknown placeholder {nope}",
    ),
    "a placeholder that digs": ("content/en/instrument.md", "{held} of", "{held.__class__} of", "'{' is left"),
    "a heading out of order": (
        "content/en/explainer.md",
        "\n## ",
        "\n#### Small\n\n## ",
        "a heading of level 4 follows",
    ),
    "a page without a title": (
        "templates/base.html",
        '<title>{{ label("title") }}',
        '{{ label("title") }}<title>',
        "title",
    ),
    "a page without a language": ("templates/base.html", ' lang="{{ language.tag }}"', "", "does not say its language"),
    "a style that loads": ("templates/css/base.css", "body {", "body { background: url(x.png);", "leads to no file"),
    "a broken template": (
        "templates/base.html",
        "{% block main %}",
        "{% blok main %}",
        "templates/base.html:",
    ),
    "an unknown template value": ("templates/base.html", "{{ data }}", "{{ dtaa }}", "dtaa"),
}


@pytest.mark.parametrize("slip", WORDS)
def test_a_slip_in_the_words_exits_1_with_its_place(built: Checkout, slip: str) -> None:
    name, old, new, said = WORDS[slip]
    before = snapshot(built.site)
    with built.edited(name, old, new):
        result = built.attempt()
    assert result.returncode == 1, result.stderr
    assert said in result.stderr
    blamed = set(re.findall(r"^(content/\S+?):\d+:\d+: ", result.stderr, re.MULTILINE))
    assert len(blamed) == name.startswith("content"), "one file is to be edited, and none that is right"
    assert name in result.stderr or not blamed
    assert "Traceback" not in result.stderr
    assert snapshot(built.site) == before


def test_a_mark_by_its_number_is_found_inside_emphasis_too(built: Checkout) -> None:
    with built.edited("content/en/explainer.md", "\n## ", "\nso *&#123;x* it **&ast;y** is\n\n## "):
        result = built.attempt("--check")
    assert result.returncode == 1
    assert "'{' is left" in result.stderr
    assert "'*' is left" in result.stderr


def test_a_file_that_no_page_reads_is_named(built: Checkout, tmp_path: Path) -> None:
    edited = copy(tmp_path / "project")
    (edited.root / "content" / "en" / "draft.md").write_text("---\ntitle: x\n---\n")
    result = edited.attempt("--out", str(built.site))
    assert result.returncode == 1
    assert "content/en/draft.md:1:1: error: no page takes its words from this file" in result.stderr


def test_a_bad_byte_exits_1_with_its_place(built: Checkout, tmp_path: Path) -> None:
    edited = copy(tmp_path / "project")
    path = edited.root / "content" / "en" / "explainer.md"
    path.write_bytes(path.read_bytes().replace(b"\n## ", b"\nx\xff\n\n## ", 1))
    result = edited.build("--out", str(built.site))
    assert result.returncode == 1
    line = path.read_bytes().split(b"\xff")[0].count(b"\n") + 1
    assert f"content/en/explainer.md:{line}:2: error: this byte is not UTF-8" in result.stderr


@pytest.mark.parametrize("name", ["templates/js/cells.js", "templates/row.html", "templates/css/lost.css"])
def test_a_bad_byte_in_a_template_exits_1_with_its_place(built: Checkout, name: str) -> None:
    path = built.root / name
    kept = path.read_bytes()
    path.write_bytes(kept.replace(b"\n", b"\n\xff", 1))
    result = built.attempt()
    path.write_bytes(kept)
    assert result.returncode == 1
    assert f"{name}:2:1: error: this byte is not UTF-8" in result.stderr


def test_a_folder_in_place_of_a_file_of_words_exits_1(built: Checkout, tmp_path: Path) -> None:
    edited = copy(tmp_path / "project")
    (edited.root / "content" / "en" / "glossary.md").unlink()
    (edited.root / "content" / "en" / "glossary.md").mkdir()
    result = edited.attempt("--out", str(built.site))
    assert result.returncode == 1
    assert "content/en/glossary.md:1:1: error: this is a folder, and must be a file" in result.stderr


def test_windows_line_ends_and_a_byte_order_mark_change_no_byte(built: Checkout, tmp_path: Path) -> None:
    edited = copy(tmp_path / "project")
    for folder in ("content", "templates"):
        for path in (edited.root / folder).rglob("*.*"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    path = edited.root / "content" / "en" / "site.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert edited.attempt().returncode == 0
    assert snapshot(edited.site) == snapshot(built.site)


def test_help_needs_no_numpy() -> None:
    code = (
        "import sys; sys.argv = ['build.py', '--help']; import build\n"
        "try: build.main()\nexcept SystemExit: pass\n"
        "sys.exit('numpy' in sys.modules or 'jinja2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_the_build_never_imports_plotly(tmp_path: Path) -> None:
    code = (
        "import sys, build\n"
        "assert build.main(['--out', sys.argv[1]]) == 0\n"
        "sys.exit(any(name.split('.')[0] == 'plotly' for name in sys.modules))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "site")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr


def test_a_reader_who_has_gone_away_does_not_fail_the_build(built: Checkout) -> None:
    for sink in ("| head -c 1 >/dev/null", ">/dev/full", ">&-"):
        command = f'"{sys.executable}" build.py {sink}; exit ${{PIPESTATUS[0]}}'
        result = subprocess.run(
            ["bash", "-c", command], cwd=built.root, capture_output=True, encoding="utf-8", check=False
        )
        assert result.returncode == 0, (sink, result.stderr)


def test_an_interrupted_build_exits_130_without_a_traceback(checkout: Checkout) -> None:
    checkout.edit("posenc/proof.py", "import hashlib\n", "import hashlib\n\nraise KeyboardInterrupt\n")
    result = checkout.build()
    assert (result.returncode, result.stderr) == (130, "interrupted\n")
    assert not checkout.site.exists()


def test_the_flags_of_going_live_add_their_files_and_lose_none(built: Checkout, tmp_path: Path) -> None:
    out = tmp_path / "live"
    result = built.attempt("--out", str(out), "--base-url", "https://example.org/x", "--headers", "--gzip")
    assert result.returncode == 0, result.stderr
    plain, live = set(snapshot(built.site)), set(snapshot(out))
    assert plain <= live
    added = {"card.png", "sitemap.xml", "robots.txt", "_headers", "index.html.gz", "instrument.html.gz"}
    assert added <= live
    assert '<link rel="canonical" href="https://example.org/x/instrument.html">' in (out / "instrument.html").read_text(
        "utf-8"
    )


def test_single_files_need_no_assets(built: Checkout, tmp_path: Path) -> None:
    out = tmp_path / "single"
    assert built.attempt("--out", str(out), "--single-file").returncode == 0
    assert not [name for name in snapshot(out) if name.startswith("assets/")]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--base-url", "ftp://example.org"], "base_url must be"),
        (["--base-url", "https://example.org/?q"], "base_url must be"),
        (["--plotly", "no-such-file.js"], "plotly must be a file that can be read"),
        (["--plotly", "build.py"], "plotly must be an official plotly.js bundle"),
    ],
)
def test_wrong_addresses_and_bundles_exit_2_and_write_nothing(built: Checkout, flags: list[str], said: str) -> None:
    before = snapshot(built.site)
    result = built.attempt(*flags)
    assert result.returncode == 2
    assert said in result.stderr
    assert snapshot(built.site) == before
