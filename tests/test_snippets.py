"""What a reader may copy: programs that make the page's table, and BibTeX that a parser reads."""

import importlib
import importlib.util
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc import Config, encode
from posenc.web.format import UnknownPlaceholder
from posenc.web.snippets import CITATIONS, LIBRARIES, citation, program, snippets
from tests.checkout import ROOT

CONFIGS = [
    Config(),
    Config(d_model=2, n_positions=1, probes=(0, 0)),
    Config(d_model=30, n_positions=257, base=1.5),
    Config(d_model=6, n_positions=50, base=1.0),
    Config(d_model=512, n_positions=2048, base=1e7),
    Config(d_model=64, n_positions=100, base=1234.5),
]
# The formula as it is typed rounds ω and pos·ω before the sine sees them, which is some 1e-13 at position 2,047; posenc
# has exact phases. The tolerance of the proof lies well above that.
TYPED = Config().tolerance
MODULES = {"numpy": "numpy", "pytorch": "torch", "jax": "jax", "tensorflow": "tensorflow"}
INSTALLED = [name for name in LIBRARIES if importlib.util.find_spec(MODULES[name])]  # NumPy always is
TEXTS = snippets(ROOT)
TITLE = "Page 1: “ω” & more"


def run(name: str, config: Config) -> Any:
    """What a program leaves behind as pe."""
    names: dict[str, Any] = {}
    exec(compile(program(TEXTS[name], config), f"{name}.py", "exec"), names)
    return names["pe"]


def assert_table(pe: Any, config: Config) -> None:
    assert tuple(pe.shape) == (config.n_positions, config.d_model)
    table = np.asarray(pe)
    assert table.dtype == np.float64
    expected = encode(np.arange(config.n_positions), config.d_model, config.base)
    np.testing.assert_allclose(table, expected, rtol=0, atol=TYPED)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("name", INSTALLED)
def test_a_program_makes_the_table(name: str, config: Config) -> None:
    assert_table(run(name, config), config)


# ---- the other libraries' programs, on NumPy in their place ----


def update(option: str, value: bool) -> None:
    """jax.config.update: the program must ask for float64, and for nothing else."""
    assert (option, value) == ("jax_enable_x64", True)


STAND_INS: dict[str, dict[str, Any]] = {
    "pytorch": {
        "torch": SimpleNamespace(
            arange=np.arange,
            empty=lambda *shape, dtype: np.empty(shape, dtype),
            sin=np.sin,
            cos=np.cos,
            float64=np.float64,
        )
    },
    "jax": {"jax": SimpleNamespace(config=SimpleNamespace(update=update), numpy=np), "jax.numpy": np},
    "tensorflow": {
        "tensorflow": SimpleNamespace(
            range=np.arange, stack=np.stack, reshape=np.reshape, sin=np.sin, cos=np.cos, float64=np.float64
        )
    },
}


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("name", STAND_INS)
def test_a_program_makes_the_table_with_numpy_in_its_library_s_place(
    name: str, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, stand_in in STAND_INS[name].items():
        monkeypatch.setitem(sys.modules, module, stand_in)
    assert_table(run(name, config), config)


def test_every_library_has_its_program_run() -> None:
    assert {*INSTALLED, *STAND_INS} == set(LIBRARIES) == set(MODULES)


FAULTS: list[Callable[[str], str]] = [
    lambda text: text.replace("0, d_model, 2", "0, d_model, 1", 1),
    lambda text: text.replace("base ** (-", "base ** ("),
    lambda text: text.replace("np.sin", "np.cos"),
    lambda text: text.replace("/ d_model", "/ n_positions"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_slip_in_a_program_is_found(fault: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = fault(TEXTS["numpy"])
    assert text != TEXTS["numpy"]
    monkeypatch.setitem(TEXTS, "numpy", text)
    with pytest.raises((AssertionError, ValueError)):
        assert_table(run("numpy", Config()), Config())


# ---- filling in ----


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("name", LIBRARIES)
def test_the_browser_fills_a_program_in_as_the_build_does(scripts: Page, name: str, config: Config) -> None:
    values = {"d_model": config.d_model, "n_positions": config.n_positions, "base": config.base}
    filled = scripts.evaluate("([text, values]) => posenc.format.fill(text, values)", [TEXTS[name], values])
    assert filled == program(TEXTS[name], config)
    assert not re.search(r"[{}]", filled)


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_program_fits_its_lines_and_ends_with_one(name: str) -> None:
    text = program(TEXTS[name], CONFIGS[-2])
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert max(map(len, text.splitlines())) <= 110


def test_windows_line_ends_and_a_mark_of_byte_order_are_not_copied(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates" / "snippets", tmp_path / "templates" / "snippets")
    for path in (tmp_path / "templates" / "snippets").iterdir():
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert snippets(tmp_path) == TEXTS


def test_every_file_is_a_snippet() -> None:
    names = sorted(path.name.split(".")[0] for path in (ROOT / "templates" / "snippets").iterdir())
    assert names == sorted([*LIBRARIES, *CITATIONS]) == sorted(TEXTS)


def test_an_unknown_placeholder_ends_the_build() -> None:
    with pytest.raises(UnknownPlaceholder, match=r"unknown placeholder \{depth\}"):
        program("d = {depth}", Config())


# ---- BibTeX ----


def fields(entry: str) -> tuple[str, str, dict[str, str]]:
    """Kind, key and fields of one BibTeX entry, read by its grammar: braces must balance, fields part by commas."""
    head = re.match(r"@(\w+)\{(\w+),\s*", entry)
    assert head
    found: dict[str, str] = {}
    rest = entry[head.end() :]
    while not rest.startswith("}"):
        name = re.match(r"(\w+)\s*=\s*", rest)
        assert name, rest
        value, rest = delimited(rest[name.end() :])
        assert rest.startswith(","), rest
        assert name[1] not in found
        found[name[1]] = " ".join(value.split())
        rest = rest[1:].lstrip()
    assert rest == "}\n"
    return head[1], head[2], found


def delimited(text: str) -> tuple[str, str]:
    """A value within quotes or balanced braces, and what comes after."""
    if text.startswith('"'):
        end = text.index('"', 1)
        return text[1:end], text[end + 1 :]
    assert text.startswith("{")
    depth = 0
    for place, sign in enumerate(text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return text[1:place], text[place + 1 :]
    raise AssertionError("braces do not balance")


def test_the_paper_s_entry_is_bibtex_and_needs_no_filling(scripts: Page) -> None:
    kind, key, paper = fields(TEXTS["paper"])
    assert (kind, key) == ("inproceedings", "vaswani2017attention")
    assert len(paper["author"].split(" and ")) == 8
    assert (paper["title"], paper["year"], paper["eprint"]) == ("Attention Is All You Need", "2017", "1706.03762")
    assert scripts.evaluate("(text) => posenc.format.fill(text, {})", TEXTS["paper"]) == TEXTS["paper"]


def test_the_page_s_entry_has_its_title_and_an_address_only_if_there_is_one() -> None:
    kind, key, here = fields(citation(TEXTS["page"], TITLE, "https://example.org/a/"))
    assert (kind, key) == ("misc", "posenc")
    assert here["title"] == TITLE.replace("&", r"\&")  # as LaTeX wants it
    assert here["url"] == "https://example.org/a/"
    _, _, nowhere = fields(citation(TEXTS["page"], TITLE, None))
    assert nowhere == {name: value for name, value in here.items() if name != "url"}
