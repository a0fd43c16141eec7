"""The heatmaps in a real browser: the picture first, then Plotly over it, under the site's content policy."""

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from posenc.arrays import Floats
from posenc.config import Config
from posenc.engine import encode
from posenc.faults import raw_index
from posenc.web import content, picture
from posenc.web.heatmaps import MARGINS, Heatmap, panel, similarity
from posenc.web.script import finite
from tests.browser import SETTLED, violations, want_plots, watch
from tests.kept import SIZE, link

pytestmark = pytest.mark.plotly

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
WORDS = ("explainer", "figures", "instrument")
FIELDS = {
    key: value
    for name in WORDS
    for key, value in content.read(ROOT / "content" / "en" / f"{name}.md", Path(f"{name}.md")).fields.items()
}
NAMES = ("panel", "similarity")
WIDTHS = (1440, 768, 320)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">{% include "head/policy.html" %}
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Heatmaps</title>
<link rel="stylesheet" href="site.css">
{% for name in ("format", "later", "plots", "heatmap") %}<script defer src="{{ name }}.js"></script>{% endfor %}</head>
<body data-plotly="{{ plotly }}">{% from "figures/heatmap.html" import heatmap %}
<main>{% for h in heatmaps %}{{ heatmap(h) }}{% endfor %}</main></body></html>"""
SHIFTS = """
window.__shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.__shift += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });
"""
# Boxes in the page of the picture's cells and of Plotly's image, when every row shows.
BOXES = """(name) => {
    const box = document.querySelector(`[data-heatmap="${name}"]`);
    const sides = ({ left, top, right, bottom }) => [left, top, right, bottom];
    const pair = [".heatmap-cells", ".heatmaplayer image"].map((at) => box.querySelector(at));
    return pair.map((element) => sides(element.getBoundingClientRect()));
}"""
# The colours of a picture, a list of [r, g, b] per cell.
PIXELS = """async (uri) => {
    const image = new Image();
    image.src = uri;
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return Array.from({ length: width * height }, (_, at) => Array.from(data.slice(4 * at, 4 * at + 3)));
}"""


# How far apart the colours of two pictures are at most, and of how many cells.
APART = f"""async (uris) => {{
    const [one, other] = await Promise.all(uris.map({PIXELS}));
    const apart = one.flatMap((cell, at) => cell.map((value, channel) => Math.abs(value - other[at][channel])));
    return [apart.reduce((most, each) => Math.max(most, each), 0), one.length, other.length];
}}"""
PUT_BACK = """(z) => {
    const panel = posenc.heatmap("panel");
    panel.rows(32);
    panel.probes([5, 40]);
    panel.update({ z });
}"""
IS_BACK = """(z) => document.querySelector("[data-heatmap=panel]").dataset.state === "plot" &&
    JSON.stringify(document.getElementById("panel").data[0].z) === JSON.stringify(z)"""


def text(key: str) -> str:
    return FIELDS[key]


def table_of(config: Config) -> Floats:
    return encode(range(config.n_positions), config.d_model, config.base)


def all_heatmaps() -> list[Heatmap]:
    config = Config()
    table = table_of(config)
    return [panel(config, table, text), similarity(config, table, text)]


def write(folder: Path, heatmaps: list[Heatmap], plotly: str = "plotly.min.js") -> str:
    """Writes a page with these heatmaps and gives its address."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    html = environment.from_string(PAGE).render(heatmaps=heatmaps, plotly=plotly, base_url=None)
    (folder / "page.html").write_text(html, "utf-8")
    margins = ";".join(f"--plot-{side}:{size}px" for side, size in MARGINS.items())
    sheets = [(TEMPLATES / "css" / f"{name}.css").read_text("utf-8") for name in ("tokens", "base", "figures", "print")]
    (folder / "site.css").write_text("\n".join([f":root{{{margins}}}", *sheets, "main{margin:1rem}"]), "utf-8")
    for name in ("format.js", "later.js", "plots.js", "heatmap.js"):
        shutil.copy(TEMPLATES / "js" / name, folder)
    package = importlib.util.find_spec("plotly")
    assert package is not None
    assert package.origin is not None
    shutil.copy(Path(package.origin).parent / "package_data" / "plotly.min.js", folder)
    (folder / "nothing.js").write_text("", "utf-8")
    return (folder / "page.html").as_uri()


def wait_until_drawn(page: Page) -> None:
    want_plots(page)
    for name in NAMES:
        expect(page.locator(f'[data-heatmap="{name}"]')).to_have_attribute("data-state", "plot", timeout=30_000)


def settle(page: Page) -> None:
    """A burst of updates has ended, the resize observer has run, and Plotly has drawn."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")


def update(page: Page, values: Any, name: str = "panel") -> None:
    z = [[finite(value) for value in row] for row in np.asarray(values).tolist()]
    page.evaluate("([name, z]) => posenc.heatmap(name).update({ z })", [name, z])
    settle(page)


def picture_of(page: Page, name: str = "panel") -> str:
    uri = page.locator(f'[data-heatmap="{name}"] .heatmap-cells image').get_attribute("href")
    assert uri is not None
    return uri


@pytest.fixture(scope="module")
def drawn(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One page on which Plotly has drawn; every test leaves it as it finds it."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    page.add_init_script(SHIFTS)
    page.goto(write(tmp_path_factory.mktemp("heatmaps"), all_heatmaps()))
    wait_until_drawn(page)
    yield page
    troubles += violations(page)
    context.close()
    assert troubles == []


@pytest.fixture
def live(drawn: Page) -> Iterator[Page]:
    drawn.bring_to_front()  # behind another page, frames are late
    yield drawn
    drawn.mouse.move(0, 0)
    if drawn.viewport_size != SIZE:
        drawn.set_viewport_size(SIZE)
        settle(drawn)
    table = table_of(Config()).tolist()
    drawn.evaluate(PUT_BACK, table)
    drawn.wait_for_function(IS_BACK, arg=table)


@pytest.fixture
def pictured(page: Page, tmp_path: Path) -> Page:
    """The page of a reader to whom Plotly never comes."""
    page.goto(write(tmp_path, all_heatmaps(), plotly="nothing.js"))
    want_plots(page)
    assert page.evaluate("posenc.plots.ready") is False
    return page


def test_nothing_on_the_page_moves_when_plotly_draws(live: Page) -> None:
    assert live.evaluate("window.__shift") == 0


def test_the_plot_lies_on_its_picture_to_the_pixel_at_every_width(live: Page) -> None:
    live.evaluate("posenc.heatmap('panel').rows(64)")
    for width in WIDTHS:
        live.set_viewport_size({"width": width, "height": 900})
        settle(live)
        for name in NAMES:
            under, over = live.evaluate(BOXES, name)
            assert np.max(np.abs(np.subtract(under, over))) <= 1, (width, name, under, over)


def test_the_first_rows_of_the_plot_are_those_of_the_picture(live: Page) -> None:
    for rows in (32, 64):
        live.evaluate("(rows) => posenc.heatmap('panel').rows(rows)", rows)
        height = live.evaluate("document.querySelector('[data-heatmap=panel] .heatmap-art').clientHeight")
        tops = live.evaluate("[0, 1, 31].map((row) => panel._fullLayout.yaxis.l2p(row - 0.5))")
        assert np.allclose(tops, [0, height / rows, 31 * height / rows], atol=1)
        box = live.locator("[data-heatmap=panel] .heatmap-cells")
        assert box.get_attribute("viewBox") == f"0 0 16 {rows}"
        last = live.locator("[data-heatmap=panel] .heatmap-y text").last
        assert last.text_content() == {32: "28", 64: "56"}[rows]


def test_the_hover_label_names_everything(live: Page) -> None:
    box = live.locator("[data-heatmap=panel] .heatmap-art").bounding_box()
    assert box is not None
    live.mouse.move(box["x"] + 3.5 * box["width"] / 16, box["y"] + 7.5 * box["height"] / 32)
    label = live.locator("#panel .hovertext")
    value = f"{table_of(Config())[7, 3]:.4f}"
    expect(label).to_have_text(f"position 7dimension 3, cosinewavelength 19.87value {value}")


def test_the_hover_label_can_be_read_in_light_and_dark(live: Page) -> None:
    box = live.locator("[data-heatmap=panel] .heatmap-art").bounding_box()
    assert box is not None
    for scheme, ink, paper in (
        ("dark", "232, 228, 218", "20, 22, 26"),
        ("light", "29, 33, 39", "251, 250, 246"),
    ):
        live.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        live.mouse.move(box["x"] + 40, box["y"] + 40)
        live.mouse.move(box["x"] + 90, box["y"] + 90)
        label = live.locator("#panel .hovertext")
        expect(label.locator("text").first).to_have_css("fill", f"rgb({ink})")
        expect(label.locator("path").first).to_have_css("fill", f"rgb({paper})")


def test_a_tampered_table_keeps_the_scale_and_says_what_is_beyond_it(live: Page) -> None:
    note = live.locator("[data-heatmap=panel] .heatmap-off")
    expect(note).to_be_hidden()
    update(live, raw_index(Config()))
    expect(note).to_be_visible()
    expect(note).to_have_text("992 of 1,024 values lie beyond ±1, off the scale.")
    assert live.evaluate("[panel._fullData[0].zmin, panel._fullData[0].zmax, panel.data[0].z[63][0]]") == [
        -1,
        1,
        63,
    ]
    update(live, table_of(Config()))
    expect(note).to_be_hidden()


def test_an_array_changed_in_place_is_drawn(live: Page) -> None:
    image = "document.querySelector('#panel .heatmaplayer image').getAttribute('xlink:href') ?? "
    image += "document.querySelector('#panel .heatmaplayer image').getAttribute('href')"
    live.evaluate("window.z = panel.data[0].z.map((row) => Float64Array.from(row))")
    live.evaluate("posenc.heatmap('panel').update({ z })")
    settle(live)
    before = live.evaluate(image)
    live.evaluate("z.forEach((row) => row.fill(0)); posenc.heatmap('panel').update({ z })")
    settle(live)
    assert before
    assert live.evaluate(image) != before


def test_probes_move_and_one_out_of_view_is_named_below(live: Page) -> None:
    marks = live.locator("[data-heatmap=panel] [data-mark]")

    def state() -> list[tuple[str | None, str | None]]:
        return [(mark.get_attribute("data-place"), mark.locator("text").text_content()) for mark in marks.all()]

    assert state() == [("row", "◂ 5"), ("below", "▾ 40")]
    live.evaluate("posenc.heatmap('panel').probes([9, 9])")
    assert state() == [("row", "◂ 9"), ("twin", "◂ 9")]
    live.evaluate("posenc.heatmap('panel').probes([9, 33]); posenc.heatmap('panel').rows(64)")
    assert state() == [("row", "◂ 9"), ("row", "◂ 33")]
    frame = marks.nth(1).locator(".heatmap-line").bounding_box()
    cells = live.locator("[data-heatmap=panel] .heatmap-cells").bounding_box()
    assert frame is not None
    assert cells is not None
    assert frame["y"] - cells["y"] == pytest.approx(33 * cells["height"] / 64, abs=1.5)


def test_what_is_said_of_a_heatmap_can_change_and_be_as_the_build_left_it(live: Page) -> None:
    said = "[panel.data[0].x[3], panel.getAttribute('aria-label')]"
    before = live.evaluate(said)
    live.evaluate("posenc.heatmap('panel').update({ x: panel.data[0].x.map((_, i) => `c${i}`), label: 'other' })")
    settle(live)
    assert live.evaluate(said) == ["c3", "other"]
    update(live, raw_index(Config()))
    assert live.evaluate(said) == ["c3", "other"]
    live.evaluate("posenc.heatmap('panel').update({ x: null, label: null })")
    settle(live)
    assert live.evaluate(said) == before


def test_a_narrow_screen_never_scrolls_sideways(live: Page) -> None:
    live.set_viewport_size({"width": 320, "height": 900})
    settle(live)
    box = live.locator("[data-heatmap=panel] .heatmap-art").bounding_box()
    assert box is not None
    for share in (0.05, 0.5, 0.95):
        live.mouse.move(box["x"] + share * box["width"], box["y"] + 60)
        expect(live.locator("#panel .hovertext")).to_have_count(1)
        assert live.evaluate("document.documentElement.scrollWidth") == 320


def test_a_heatmap_that_was_hidden_is_drawn_at_its_size_when_shown(live: Page) -> None:
    live.evaluate("document.querySelector('main').hidden = true")
    live.set_viewport_size({"width": 700, "height": 900})
    update(live, raw_index(Config()))
    live.evaluate("document.querySelector('main').hidden = false")
    settle(live)
    assert live.evaluate("[panel._fullLayout.width, panel.data[0].z[63][0]]") == [700 - 2 * 16, 63]


def test_paper_gets_the_picture_of_what_is_shown(live: Page) -> None:
    update(live, raw_index(Config()))
    live.emulate_media(media="print")
    live.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(live.locator("#panel")).to_be_hidden()
    assert live.locator("[data-heatmap=panel] .heatmap-cells").is_visible()
    assert live.evaluate(PIXELS, picture_of(live)) == live.evaluate(PIXELS, picture.data_uri(raw_index(Config()), 1))
    live.emulate_media(media="screen")


def test_what_was_updated_before_plotly_came_is_what_plotly_draws(page: Page, tmp_path: Path) -> None:
    page.goto(write(tmp_path, all_heatmaps()), wait_until="domcontentloaded")
    update(page, raw_index(Config()))
    page.evaluate("posenc.heatmap('panel').rows(64)")
    wait_until_drawn(page)
    assert page.evaluate("[panel.data[0].z[63][15], panel.layout.yaxis.range]") == [63, [63.5, -0.5]]


def test_without_plotly_the_picture_follows_in_the_same_colours(pictured: Page) -> None:
    table = table_of(Config())
    assert picture_of(pictured) == picture.data_uri(table.round(4) + 0.0, 1)
    table[3, 3], table[0, 0], table[1, 1] = np.nan, 63, -63
    update(pictured, table)
    painted = pictured.evaluate(PIXELS, picture_of(pictured))
    built = pictured.evaluate(PIXELS, picture.data_uri(table, 1))
    assert len(painted) == len(built) == table.size
    assert np.max(np.abs(np.subtract(painted, built))) <= 3  # a value midway between two levels
    missing = [int(picture.NOT_A_NUMBER[at : at + 2], 16) for at in (1, 3, 5)]
    assert painted[3 * 16 + 3] == missing
    assert missing not in painted[: 3 * 16 + 3]
    expect(pictured.locator("[data-heatmap=panel] .heatmap-off")).to_be_visible()
    pictured.evaluate("posenc.heatmap('panel').rows(64)")
    assert pictured.locator("[data-heatmap=panel] .heatmap-y text").last.text_content() == "56"


def test_the_picture_is_as_high_as_its_table_however_few_rows_are_shown(instrument: Page) -> None:
    image = instrument.locator("[data-heatmap=panel] .heatmap-cells image")
    for n in (128, 12, 128, 64):
        link(instrument, f"?n={n}")
        instrument.wait_for_function("(n) => posenc.table.made?.rows.length === n", arg=n)
        instrument.evaluate(SETTLED)
        assert image.get_attribute("height") == str(n)


def test_a_reset_tells_the_cell_again_that_was_told_at_first(instrument: Page) -> None:
    cell = instrument.locator("[data-heatmap=panel] [data-cell]")
    first = cell.text_content() or ""
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        instrument.locator("[data-heatmap=panel] .heatmap-frame").press(key)
    expect(cell).not_to_have_text(first)
    instrument.locator('[data-do="reset"]').click()
    expect(cell).to_have_text(first)


def test_a_missing_plotly_leaves_the_picture(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(write(tmp_path, all_heatmaps(), plotly="gone.js"))
    want_plots(page)
    assert page.evaluate("posenc.plots.ready") is False
    update(page, raw_index(Config()))
    assert page.locator("[data-heatmap=panel]").get_attribute("data-state") == "picture"
    assert page.evaluate(PIXELS, picture_of(page)) == page.evaluate(PIXELS, picture.data_uri(raw_index(Config()), 1))
    page.close()


def test_without_scripts_cells_numbers_scale_and_probes_are_there(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(write(tmp_path, all_heatmaps()))
    box = page.locator("[data-heatmap=panel]")
    for words in ("position ↓", "dimension →", "−1", "+1", "◂ 5", "▾ 40", "28", "14"):
        assert box.get_by_text(words, exact=True).first.is_visible(), words
    expect(box.locator(".heatmap-off")).to_be_hidden()
    expect(page.get_by_role("img", name="Heatmap of the encoding. Positions: 64, dimensions: 16.")).to_be_visible()
    context.close()


def test_a_table_that_plotly_could_not_follow_is_drawn_on_a_canvas_in_the_same_colours(
    page: Page, tmp_path: Path
) -> None:
    config = Config(d_model=1024, probes=(0, 63))
    table = table_of(config)
    page.goto(write(tmp_path, [panel(config, table, text)]))
    expect(page.locator("[data-heatmap=panel]")).to_have_attribute("data-state", "live", timeout=30_000)
    page.evaluate("(rows) => posenc.heatmap('panel').rows(rows)", config.n_positions)
    under, over = page.evaluate(BOXES.replace(".heatmaplayer image", ".heatmap-live"), "panel")
    assert np.max(np.abs(np.subtract(under, over))) <= 1
    live = page.evaluate("document.querySelector('.heatmap-live').toDataURL()")
    apart, drawn, built = page.evaluate(APART, [live, picture.data_uri(table.round(4) + 0.0, 1)])
    assert drawn == built == table.size
    assert apart <= 3  # a value midway between two levels


def test_the_smallest_table_is_drawn(page: Page, tmp_path: Path) -> None:
    config = Config(d_model=2, n_positions=1, base=0.5, probes=(0, 0))
    page.goto(write(tmp_path, [panel(config, table_of(config), text)]))
    want_plots(page)
    expect(page.locator("[data-heatmap=panel]")).to_have_attribute("data-state", "plot", timeout=30_000)
    page.evaluate("(rows) => posenc.heatmap('panel').rows(rows)", config.n_positions)
    under, over = page.evaluate(BOXES, "panel")
    assert np.max(np.abs(np.subtract(under, over))) <= 1
    assert page.evaluate("panel.data[0].z.length") == config.n_positions
