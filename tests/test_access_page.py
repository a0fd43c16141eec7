"""Keys and screen readers: what axe-core finds, where the focus goes, and what the accessibility tree says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import SETTLED, rest, watched
from tests.kept import link

PAGES = ("index.html", "instrument.html")
Places = tuple[tuple[Literal["light", "dark"], int], ...]
WIDTHS = (1440, 360)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LIGHT: Places = (("light", 1440),)
DARK: Places = (("dark", 360),)  # `python3 -m tests.audit` looks at all four corners, and at all in them
GRID: Places = tuple((scheme, width) for width in WIDTHS for scheme in SCHEMES)
CALM = 400  # ms by the page's own clock, after which all is said that is to be said
EXCLUDED = {"exclude": [[".numbers-table tbody tr:nth-child(n + 4)"]]}  # a few rows stand for all
LOOKS = {"include": [["[data-look]"]]}  # see FIRST_OF_EACH_LOOK
TAMPERED = {
    "include": [["#bar"], ["#window-0"], ["#window-4"], ["#window-6"], ["#window-7"], ["#window-8"]],
    **EXCLUDED,
}
AXE = Axe().axe_script
# Runs axe-core: which rules found something to look at, and what they hold against it.
RUN = """async ([context, options]) => {
    const { passes, violations } = await axe.run(context, options);
    return [
        [...passes, ...violations].map(({ id }) => id),
        violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => [id, String(target)])),
    ];
}"""
CONTRAST = {"runOnly": ["color-contrast"]}  # all that another colour scheme can change
OPEN = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
# Marks one of all texts of the same colour, size and weight over the same grounds; gives how many looks there are.
FIRST_OF_EACH_LOOK = """() => {
    const grounds = (at) => (at ? getComputedStyle(at).backgroundColor + grounds(at.parentElement) : "");
    const written = (at) => at.matches("input, select, textarea") ||
        [...at.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const looks = new Set();
    for (const at of document.querySelectorAll("body *")) {
        if (!at.checkVisibility() || !written(at)) { continue; }
        const { color, fill, fontSize, fontWeight, opacity } = getComputedStyle(at);
        const look = [color, fill, fontSize, fontWeight, opacity, grounds(at)].join();
        at.toggleAttribute("data-look", !looks.has(look));
        looks.add(look);
    }
    return looks.size;
}"""


@pytest.fixture(scope="module")
def wide(browser: Browser) -> Iterator[BrowserContext]:
    """A window of its own: it is resized."""
    context = browser.new_context(offline=True, viewport={"width": 1440, "height": 900})
    yield context
    context.close()


@pytest.fixture(scope="module", params=PAGES)
def loaded(wide: BrowserContext, site: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Each page once, with a position that is not the built one, so that the bar of changes is there."""
    with watched(wide, (site / request.param).as_uri() + "?pos=7") as page:
        yield page


@pytest.fixture
def shared(loaded: Page) -> Page:
    loaded.bring_to_front()  # behind another page, one that a hand has been on draws a frame a second
    return loaded


@pytest.fixture(scope="module")
def not_found(wide: BrowserContext, site: Path) -> Iterator[Page]:
    with watched(wide, (site / "404.html").as_uri()) as page:
        yield page


@pytest.fixture
def lost(not_found: Page) -> Page:
    not_found.bring_to_front()
    return not_found


@pytest.fixture
def bench(instrument: Page) -> Page:
    instrument.set_viewport_size({"width": 1440, "height": 900})
    return instrument


# ---- axe-core ----


def found(page: Page, context: dict[str, Any] = EXCLUDED, only: dict[str, Any] | None = None) -> list[str]:
    """What axe-core holds against the page as it stands, colour contrast included. It asks nothing of the network."""
    options = {"resultTypes": ["violations"], "preload": False, **(only or {})}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    looked, slips = page.evaluate(RUN, [context, options])
    assert "color-contrast" in looked
    return [f"{rule}: {target}" for rule, target in slips]


def everywhere(
    page: Page,
    context: dict[str, Any] = EXCLUDED,
    places: Places = LIGHT + DARK,
) -> list[str]:
    """The same page in a scheme and at a width, one after the other, with every disclosure open."""
    page.evaluate(OPEN)
    seen = []
    for scheme, width in places:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        seen += [f"{scheme}, {width}: {each}" for each in found(page, context, CONTRAST if scheme == "dark" else None)]
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1440, "height": 900})
    return seen


def test_axe_finds_nothing_on_a_wide_page_in_light(shared: Page) -> None:
    assert everywhere(shared, places=LIGHT) == []


def test_axe_finds_every_look_of_a_text_readable_on_a_narrow_page_in_dark(shared: Page) -> None:
    shared.evaluate(OPEN)
    shared.set_viewport_size({"width": 360, "height": 900})
    shared.emulate_media(color_scheme="dark")
    assert shared.evaluate(FIRST_OF_EACH_LOOK) > 100
    assert everywhere(shared, LOOKS, DARK) == []


def test_a_text_of_a_look_of_its_own_is_looked_at(lost: Page) -> None:
    lost.evaluate("document.querySelectorAll('h1, h1 ~ p').forEach((at) => { at.style.color = 'gray'; })")
    lost.evaluate("document.querySelector('h1').style.color = 'color-mix(in srgb, canvas 70%, gray)'")
    lost.evaluate(FIRST_OF_EACH_LOOK)
    assert found(lost, LOOKS, CONTRAST) != []
    lost.reload()


def test_axe_finds_nothing_on_the_page_for_lost_readers(lost: Page) -> None:
    assert everywhere(lost) == []


@pytest.mark.long
def test_axe_finds_nothing_on_the_tampered_bench(bench: Page) -> None:
    bench.locator("#tamper").check()
    expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken")
    assert everywhere(bench, TAMPERED) == []
    bench.locator("#tamper").uncheck()


PLANTED = {
    "color-contrast": "document.querySelector('h1').style.color = 'color-mix(in srgb, canvas 70%, gray)'",
    "label": "document.querySelector('main').append(document.createElement('input'))",
    "heading-order": "document.querySelector('h1').insertAdjacentHTML('afterend', '<h4>4</h4>')",
    "svg-img-alt": "document.querySelector('svg').setAttribute('role', 'img');"
    "document.querySelector('svg').removeAttribute('aria-hidden')",
}


@pytest.mark.parametrize("rule", PLANTED)
def test_axe_would_find_a_planted_slip(lost: Page, rule: str) -> None:
    lost.evaluate(PLANTED[rule])
    assert rule in {each.split(":")[0] for each in found(lost)}
    lost.reload()


# ---- the focus ----

FOCUSED = """() => {
    const at = document.activeElement;
    if (at === document.body) { return null; }
    const style = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const over = hit?.closest("#bar, #state-bar");
    const { before, stops } = window.__walk;
    window.__walk.before = at;
    const again = stops.has(at);
    stops.add(at);
    return {
        name: `${at.tagName} ${at.id || at.getAttribute("aria-label") || at.textContent.trim().slice(0, 30)}`,
        ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && at.matches(":focus-visible"),
        seen: right - left > 1 && bottom - top > 1 && Boolean(hit),
        free: !over || over.contains(at),
        onward: !before || Boolean(before.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING),
        again,
    };
}"""
# From now on, what each Tab has led to is looked at when the key comes up.
WALK = f"""() => {{
    window.__walk?.end();
    const found = [];
    const look = ({{ key }}) => {{ if (key === "Tab") {{ found.push(({FOCUSED})()); }} }};
    addEventListener("keyup", look, {{ capture: true }});
    const end = () => removeEventListener("keyup", look, {{ capture: true }});
    window.__walk = {{ found, end, stops: new Set() }};
}}"""
# All that a reader should come by: what can be focused and is shown; of a group of radios the chosen one or the first.
STOPS = """() => [
    ...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']"),
].filter((at) =>
    !at.disabled && at.checkVisibility({ visibilityProperty: true }) &&
    !(at.type === "radio" && !at.checked && document.querySelector(`input[name="${at.name}"]:checked`)) &&
    !(at.type === "radio" && at !== document.querySelector(`input[name="${at.name}"]`) &&
      !document.querySelector(`input[name="${at.name}"]:checked`))).length"""


def walk(page: Page, tabs: int) -> list[Any]:
    """What is focused after each of so many Tabs."""
    page.evaluate(WALK)
    for _ in range(tabs):
        page.keyboard.press("Tab")
    found: list[Any] = page.evaluate("() => { window.__walk.end(); return window.__walk.found; }")
    return found


@pytest.mark.parametrize("width", [1440, pytest.param(360, marks=pytest.mark.long)])
def test_tab_goes_through_the_page_in_reading_order_and_every_stop_is_seen(shared: Page, width: int) -> None:
    shared.set_viewport_size({"width": width, "height": 900})
    shared.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })")
    shared.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    shared.evaluate("getSelection().removeAllRanges(); document.body.tabIndex = -1; document.body.focus()")
    shared.evaluate("document.body.removeAttribute('tabindex')")
    expected = shared.evaluate(STOPS)
    wrong = []
    found = walk(shared, expected + 1)
    stops = next((at for at, stop in enumerate(found) if stop is None or stop["again"]), len(found))
    for stop in found[:stops]:
        slips = [slip for slip in ("ring", "seen", "free", "onward") if not stop[slip]]
        if slips:
            wrong.append((stop["name"], slips))
    shared.set_viewport_size({"width": 1440, "height": 900})
    assert wrong == []
    assert stops == expected, "the focus left the page before its end, or was caught"


# Each makes one stop of the page for lost readers wrong; what the walk then finds.
CAUGHT = {
    "ring": "document.querySelectorAll('a')[1].style.outline = 'none'",
    "free": "document.body.insertAdjacentHTML('beforeend', '<div id=bar></div>');"
    "Object.assign(document.getElementById('bar').style, { position: 'fixed', inset: '0' })",
    "seen": "Object.assign(document.querySelectorAll('a')[1].style, { position: 'absolute', left: '-99rem' })",
    "onward": "document.querySelectorAll('a')[1].tabIndex = 1",
}


@pytest.mark.parametrize("slip", CAUGHT)
def test_the_walk_would_find_a_stop_that_is_not_seen(lost: Page, slip: str) -> None:
    lost.evaluate(CAUGHT[slip])
    assert not all(stop[slip] for stop in walk(lost, 2))
    lost.reload()


def test_the_skip_link_leads_past_all_links_to_the_content(shared: Page) -> None:
    shared.evaluate("document.activeElement.blur(); scrollTo(0, 0); document.body.tabIndex = -1; document.body.focus()")
    shared.evaluate("document.body.removeAttribute('tabindex')")
    shared.keyboard.press("Tab")
    skip = shared.locator(".skip")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    shared.keyboard.press("Enter")
    expect(shared.locator("main")).to_be_focused()
    shared.keyboard.press("Tab")
    assert shared.evaluate("document.querySelector('main').contains(document.activeElement)")


# ---- the accessibility tree ----

CONTROLS = {"button", "link", "slider", "spinbutton", "checkbox", "radio", "switch", "textbox", "application"}
NAMED = CONTROLS | {"DisclosureTriangle", "image", "figure", "table", "region", "navigation", "heading", "MathMLMath"}
LANDMARKS = {"main", "navigation", "contentinfo"}
WORD = re.compile(r"[^\W\d_]{2,}")


def tree(page: Page, at: str = "") -> list[dict[str, Any]]:
    """What a screen reader is given: role, name and value of all that is not hidden from it, or of one place alone."""
    session = page.context.new_cdp_session(page)
    if at:
        place = session.send("Runtime.evaluate", {"expression": at})["result"]["objectId"]
        asked = {"objectId": place, "fetchRelatives": False}
        nodes = session.send("Accessibility.getPartialAXTree", asked)["nodes"]
    else:
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    read = [
        {
            "role": node["role"]["value"],
            "name": node.get("name", {}).get("value", ""),
            "told": node.get("description", {}).get("value", ""),
            **{each["name"]: each["value"].get("value") for each in node.get("properties", [])},
        }
        for node in nodes
        if not node.get("ignored")
    ]
    for node in read:
        if "valuetext" in node:  # the protocol gives its bytes one by one
            node["valuetext"] = str(node["valuetext"]).encode("latin-1").decode()
    return read


@pytest.fixture(scope="module")
def nodes(loaded: Page) -> list[dict[str, Any]]:
    """The tree of each page once, with every disclosure open, at the position of its link."""
    loaded.bring_to_front()
    loaded.evaluate(OPEN)
    link(loaded, "?pos=7")
    rest(loaded, CALM)
    return tree(loaded)


def of(nodes: list[dict[str, Any]], role: str) -> list[dict[str, Any]]:
    return [node for node in nodes if node["role"] == role]


def test_every_control_figure_table_and_formula_has_a_name_in_words(nodes: list[dict[str, Any]]) -> None:
    assert {node["role"] for node in nodes} >= {"slider", "application", "table", "image", "MathMLMath"}
    without = [node for node in nodes if node["role"] in NAMED and not WORD.search(node["name"])]
    # a link to the paper is named by the number that the paper bears
    assert [node for node in without if node["role"] != "link"] == []
    assert all(node["name"] for node in without)
    for role in ("button", "application", "table"):
        names = [node["name"] for node in of(nodes, role)]
        assert len(names) == len(set(names)), role


def test_every_slider_tells_its_value_as_the_page_writes_it(nodes: list[dict[str, Any]]) -> None:
    sliders = of(nodes, "slider")
    assert len(sliders) > 3
    for node in sliders:
        assert re.fullmatch(r"[−\d,.]+(\u00a0×\u00a010[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?", node["valuetext"]), node
    assert any(node["valuetext"] == "10,000" for node in sliders), "the base, not its logarithm"


def test_the_landmarks_are_one_main_one_foot_and_named_navigations(nodes: list[dict[str, Any]]) -> None:
    nodes = [node for node in nodes if node["role"] in LANDMARKS]
    assert len(of(nodes, "main")) == len(of(nodes, "contentinfo")) == 1
    names = [node["name"] for node in of(nodes, "navigation")]
    assert len(names) == len(set(names)) >= 2
    assert all(names)


def test_every_table_has_its_headers(shared: Page, nodes: list[dict[str, Any]]) -> None:
    bare = """() => [...document.querySelectorAll("table")].filter((table) =>
        !table.caption || !table.querySelector("thead th[scope=col]") || !table.querySelector("tbody th[scope^=row]"))
        .map((table) => table.className)"""
    assert shared.evaluate(bare) == []
    roles = [node["role"] for node in nodes]
    assert roles.count("table") == shared.locator("table").count()
    assert roles.count("columnheader") >= 3 * roles.count("table") - 3
    assert roles.count("rowheader") >= 64, "one for each position of the table of numbers"


def test_formulas_are_read_in_words_and_follow_the_numbers(shared: Page, nodes: list[dict[str, Any]]) -> None:
    link(shared, "?pos=7")
    formulas = [node["name"] for node in of(nodes, "MathMLMath")]
    assert len(formulas) == shared.locator("math").count() >= 6
    for name in formulas:
        assert not re.search(r"[=+−^/{}()⇒∑∈]", name.replace("−", "", 2) if "PE of 7" in name else name), name
        assert len(WORD.findall(name)) > 5, name
    filled = shared.locator("math.filled")
    value = f"{0.6569865987187891:.4f}"
    expect(filled).to_have_attribute("aria-label", re.compile(rf"^PE of 7 and 0 equals the sine of 7 .* {value}\."))


# ---- what is said ----

SAID = """() => {
    const region = document.getElementById("announce");
    region.heard = [];
    region.listener?.disconnect();
    region.listener = new MutationObserver(() => { region.heard.push(region.textContent); });
    region.listener.observe(region, { childList: true });
}"""
# Keys in a row, none of which comes to rest; of what is said, only what comes after them is heard.
BURST = """(frame, keys) => {
    document.getElementById("announce").heard.length = 0;
    keys.forEach((key) => frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
}"""
LIVE = "[aria-live], [role=status], [role=alert], [role=log], [role=timer], [role=marquee], output"


def said(page: Page) -> list[str]:
    """All that was said since it was asked for last, once the reader has come to rest."""
    rest(page, CALM)
    heard: list[str] = page.evaluate("document.getElementById('announce').heard.splice(0)")
    return heard


@pytest.fixture
def heard(shared: Page) -> Page:
    shared.evaluate("posenc.state.set({ pos: 7, second: 40, k: 5, pair: 0 }, { rested: true })")
    rest(shared, CALM)
    shared.evaluate(SAID)
    return shared


def test_a_page_has_one_live_region_and_it_is_polite(shared: Page, nodes: list[dict[str, Any]]) -> None:
    assert shared.evaluate(f"[...document.querySelectorAll('{LIVE}')].map((each) => each.id)") == ["announce"]
    live = [node for node in nodes if node.get("live", "off") != "off"]
    assert [(node["role"], node["live"]) for node in live] == [("status", "polite")]


def test_every_heatmap_is_walked_by_keys_and_says_each_cell_at_rest(heard: Page) -> None:
    for box in heard.locator("[data-heatmap]").all():
        frame, told = box.locator(".heatmap-frame"), box.locator("p[data-cell]")
        frame.focus()
        (node,) = tree(heard, at="document.activeElement")
        assert node["role"] == "application"
        assert node["focused"]
        picture = box.locator(".heatmap-graph").get_attribute("aria-label")
        assert node["told"] == f"{told.text_content()} {picture}", (
            "the cell at which the focus arrives, and what is shown"
        )
        places = []
        line = box.locator(".heatmap-cursor .heatmap-line")
        for key in ("ArrowDown", "ArrowRight", "PageDown", "PageUp", "End", "ArrowLeft", "Home", "Control+End"):
            heard.keyboard.press(key)
            places.append(line.evaluate(f"async (line) => {{ await {SETTLED}; return line.getBoundingClientRect(); }}"))
            assert places[-1] not in places[-2:-1], key
        corner = told.text_content()
        frame.evaluate(BURST, ["ArrowUp", "ArrowLeft", "ArrowUp"])
        inward = told.text_content()
        assert said(heard) == [inward], "once, when the hand has come to rest"
        assert inward != corner
        frame.evaluate(BURST, ["ArrowUp", "ArrowLeft", "ArrowUp", "PageDown", "End", "ArrowLeft", "ArrowUp", "ArrowUp"])
        assert told.text_content() == inward
        assert said(heard) == [], "the hand came to rest where it began"
        edge, cells = places[-1], box.locator(".heatmap-art").bounding_box()
        assert cells is not None
        assert edge["x"] + edge["width"] == pytest.approx(cells["x"] + cells["width"], abs=2)
        assert edge["y"] + edge["height"] == pytest.approx(cells["y"] + cells["height"], abs=2)


def test_a_cell_is_said_in_words(bench: Page) -> None:
    bench.evaluate("posenc.state.set({ pos: 5, pair: 1 }, { rested: true })")
    rest(bench, CALM)
    bench.evaluate(SAID)
    bench.locator("#window-0 .heatmap-frame").focus()
    bench.keyboard.press("Home")
    assert said(bench) == ["position 5, dimension 0, sine, wavelength 6.2832, value −0.9589"]


def test_a_verdict_is_said_once_and_not_while_a_hand_is_on_its_way(bench: Page) -> None:
    rest(bench, CALM)
    bench.evaluate(SAID)
    bench.evaluate("for (let times = 0; times < 5; times += 1) { document.getElementById('tamper').click(); }")
    (verdict,) = said(bench)
    assert verdict.startswith("bounded, length, shift and ladder fell; distinct holds")
    for at in range(10):
        bench.locator("#input-pos").fill(str(at))
    assert said(bench) == [], "another position is another reading, and no other verdict"
    bench.keyboard.press("Tab")
    bench.locator("#tamper").uncheck()
    assert len(said(bench)) == 1


def test_what_stands_as_before_when_the_hand_rests_is_not_said_and_what_happened_is(bench: Page) -> None:
    bench.evaluate("posenc.say('one', 'a thing')")
    rest(bench, CALM)
    bench.evaluate(SAID)
    bench.evaluate("['two', 'three', 'one'].forEach((text) => posenc.say(text, 'a thing'))")
    assert said(bench) == []
    bench.evaluate("['two', 'three'].forEach((text) => posenc.say(text, 'a thing')); posenc.say('done')")
    assert said(bench) == ["three done"]
    bench.evaluate("posenc.say('done')")
    assert said(bench) == ["done"], "the same words of another event"
    moved = "dispatchEvent(new PointerEvent('pointermove', { buttons: 1 }))"
    early = bench.evaluate(
        f"""async () => {{
            posenc.say("late");
            for (let begun = performance.now(); performance.now() - begun < 600; ) {{
                {moved};
                await new Promise((done) => setTimeout(done, 20));
            }}
            return document.getElementById("announce").heard.length;
        }}"""
    )
    assert early == 0
    assert said(bench) == ["late"]


def test_answers_and_refusals_are_said_and_stay_to_be_read(explainer: Page) -> None:
    page = explainer
    rest(page, CALM)
    page.evaluate(SAID)
    question = page.locator("#question-order")
    for option in ("a", "b"):
        question.locator(f'input[value="{option}"]').check()
        assert said(page) == [question.locator(".question-said").text_content()]
    page.locator('[data-bind="mask"]').check()
    assert said(page) == [page.locator("[data-found]").text_content()]
    number = page.locator('.sentence [data-bind="pos"]')
    number.fill("999")
    number.blur()
    assert said(page) == [page.locator("[data-said]").text_content()]
    page.locator(".addends").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert said(page) == [page.locator("[data-told]").text_content()]


# ---- colour ----

# Every verdict on the bench: its words, and the sign before it.
VERDICTS = """() => [
    ...document.querySelectorAll("[data-holds], [data-trial], [data-mark], [data-verdict], [data-now]"),
]    .filter((each) => each.checkVisibility() && !each.closest("svg"))
    .map((each) => ({
        verdict: each.dataset.holds ?? each.dataset.trial ?? each.dataset.mark ?? each.dataset.verdict ?? "",
        sign: getComputedStyle(each, "::before").content.replace(/^"|"$/g, "").trim(),
        text: each.textContent,
    }))"""


# All that is written in red, with the sign before it; the number of a window is red, too.
RED = """() => {
    const red = getComputedStyle(document.querySelector("#live-statements [data-holds='false']")).color;
    const sign = (each) => getComputedStyle(each, "::before").content.replace(/^"|"$|^none$/g, "");
    return [...document.querySelectorAll("#bench *, #bar *")].filter((each) =>
        [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
        each.checkVisibility() && getComputedStyle(each).color === red,
    ).map((each) => (each.closest("dd") ? sign(each.closest("dd")) : sign(each)) + each.textContent.trim());
}"""


def test_a_verdict_is_told_by_words_or_signs_wherever_it_is_told_by_colour(bench: Page) -> None:
    by_kind = {}
    for tampered in (False, True):
        bench.locator("#tamper").set_checked(tampered)
        expect(bench.locator("#window-7")).to_have_attribute("data-verdict", "broken" if tampered else "holds")
        by_kind[tampered] = bench.evaluate(VERDICTS)
    assert len(by_kind[True]) == len(by_kind[False]) > 50
    for before, after in zip(by_kind[False], by_kind[True], strict=True):
        if before["verdict"] != after["verdict"]:
            assert (before["sign"], before["text"]) != (after["sign"], after["text"]), after
    texts = bench.evaluate(RED)
    assert len(texts) > 5
    assert [text for text in texts if not WORD.search(text) and not re.match(r"[✕✓]\s|\d$", text)] == []
    bench.locator("#tamper").uncheck()
