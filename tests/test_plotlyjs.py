"""--plotly takes an official bundle of the right version that draws what the pages draw, and nothing else."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from posenc.web import plotlyjs
from posenc.web.plotlyjs import WrongBundle
from tests.checkout import ROOT

pytestmark = pytest.mark.plotly

TRACES = ("scatter", "bar", "heatmap")


def fake(version: str | None = None, name: str = "(cartesian - minified) ", traces: tuple[str, ...] = TRACES) -> str:
    """A bundle's skeleton: its first lines, the declaration of each trace, its last lines."""
    declared = "".join(f'm={{moduleType:"trace",name:"{trace}",categories:[]}};' for trace in traces)
    head = f"/**\n* plotly.js {name}v{version or plotlyjs.version()}\n* Copyright 2012-2026, Plotly, Inc.\n*/\n"
    return f"{head}(function(){{var Plotly={{}},m;{declared}\n\nwindow.Plotly = Plotly;\nreturn Plotly;\n}}));\n"


def test_the_package_s_own_plotly_js_is_taken_as_it_is() -> None:
    assert plotlyjs.bundle(plotlyjs.wheel()) == plotlyjs.wheel().read_bytes()


@pytest.mark.parametrize("text", [fake(), fake(name=""), fake(name="(strict) "), fake().replace("\n", "\r\n")])
def test_an_official_bundle_is_taken_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plotly-cartesian.min.js"
    path.write_bytes(text.encode())
    assert plotlyjs.bundle(path) == text.encode()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            fake(name="(basic - minified) ", traces=("scatter", "bar")).encode(),
            "is the basic bundle and draws no heatmap",
        ),
        (fake(name="", traces=("bar",)).encode(), "is the full bundle and draws no heatmap and no scatter"),
        (fake(traces=("scatter", "heatmapgl", "histogram2d")).encode(), "draws no heatmap"),
        (fake(version="3.0.1").encode(), "is version 3.0.1"),
        (fake()[:-40].encode(), "breaks off before its end"),
        (gzip.compress(fake().encode()), "is an archive: unpack it"),
        (b"\xff\xfe\x00", "is not text"),
        (b"<!doctype html><title>Not found</title>", "begins with '<!doctype html><title>Not found</title>'"),
        (b"", "begins with '' and not with plotly.js"),
        (fake().replace("plotly.js (", "d3.js (").encode(), "and not with plotly.js’s own lines"),
    ],
)
def test_any_other_file_is_refused_with_what_was_found_and_what_is_needed(
    tmp_path: Path, data: bytes, found: str
) -> None:
    path = tmp_path / "some.js"
    path.write_bytes(data)
    with pytest.raises(WrongBundle) as refused:
        plotlyjs.bundle(path)
    message = str(refused.value)
    assert found in message
    assert str(path) in message
    assert f"version {plotlyjs.version()}, with the traces heatmap and scatter" in message


@pytest.mark.parametrize("name", ["none.js", "."])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(WrongBundle, match="plotly must be a file that can be read, got "):
        plotlyjs.bundle(tmp_path / name)


def test_a_bundle_that_speaks_of_heatmaps_and_has_none_is_refused(tmp_path: Path) -> None:
    own = plotlyjs.wheel().read_text("utf-8")
    path = tmp_path / "without.js"
    path.write_text(own.replace('moduleType:"trace",name:"heatmap"', 'moduleType:"trace",name:"heat"'), "utf-8")
    assert "heatmap" in path.read_text("utf-8")
    with pytest.raises(WrongBundle, match="draws no heatmap"):
        plotlyjs.bundle(path)


def test_the_traces_that_are_read_from_the_text_are_those_that_the_running_script_has(browser: Browser) -> None:
    page = browser.new_page()
    page.add_script_tag(path=plotlyjs.wheel())
    running = page.evaluate("[Plotly.version, Object.keys(Plotly.PlotSchema.get().traces)]")
    page.close()
    assert running[0] == plotlyjs.version()
    assert set(running[1]) == plotlyjs.traces(plotlyjs.wheel().read_text("utf-8"))


def test_a_shell_can_ask_for_the_version() -> None:
    command = [sys.executable, "-m", "posenc.web.plotlyjs"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert asked.stdout == f"{plotlyjs.version()}\n"
