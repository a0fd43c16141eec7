"""A reader who plays with a page at random, by every kind of control, and the state that the page should then have."""

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from tests.agreement import READ, WORDS, Case, State, disagreements, link, pattern, shows
from tests.browser import SETTLED
from tests.kept import link as follow

PAGES = {"explainer": "index.html", "instrument": "instrument.html"}
CELLS = 24_000  # of a table that is built within a frame, and proved soon after
PATIENCE = 200  # × 50 ms for what is found in slices, and for the reader to come to rest
# A page may show these a moment later: verdicts are found in slices, the link waits until the reader rests.
LATER = ("witness", "verdicts in words", "statements", "flags", "tally", "rows", "link", "said")
NONSENSE = ("", "-", "e", "1e9", "-7", "3.5", "0", "999999")
LOGARITHMIC = ("base", "omega")
LOG_STEP = 0.01
STRIDE = 8
KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End")
# The fields of the state, and those that have a control of a kind.
KNOWN = """() => [posenc.data().state, Object.fromEntries(["number", "range"].map((kind) => [
    kind,
    [...document.querySelectorAll(`input[type="${kind}"][data-bind]`)].map((one) => one.dataset.bind),
]))]"""


class Reader:
    """Does one thing after another on a page, and keeps the state that the page should have."""

    def __init__(
        self, page: Page, name: str, site: Path, *, query: str = "", plots: bool = False, kept: bool = False
    ) -> None:
        self.page, self.name, self.plots, self.kept = page, name, plots, kept
        self.random = random.Random()
        self.address = (site / PAGES[name]).as_uri()
        self.open(query)
        self.fields: list[dict[str, Any]]
        self.controls: dict[str, list[str]]
        self.fields, self.controls = page.evaluate(KNOWN)
        self.start: State = {field["name"]: field["start"] for field in self.fields}
        self.keys = {field["name"]: field["key"] for field in self.fields}
        self.state = dict(self.start)
        self.words = WORDS["site"] | WORDS[name]
        self.told: tuple[str, str] | str = ""  # what the bar says; or a field, and what was asked for it that cannot be

    def open(self, query: str = "") -> None:
        """Opens the page, and waits for Plotly where it is wanted. On a page that is kept, which stands already, a
        link is opened as Back and Forward do."""
        if self.kept:
            if query:
                follow(self.page, query)
            return
        self.page.goto(self.address + query)
        self.page.evaluate("history.replaceState('first', '')")
        if self.plots:
            self.page.locator("[data-follow]").scroll_into_view_if_needed()
            self.page.locator('[data-follow]:not([data-state="picture"])').wait_for()

    def begin(self, seed: int) -> None:
        """The page as at its load, loaded anew if anything was done on it, and a hand that does the same each time."""
        self.random = random.Random(seed)
        self.page.bring_to_front()
        if self.state != self.start:
            self.open()
            self.state, self.told = dict(self.start), ""

    # ---- what the page should have ----

    def limits(self, name: str) -> tuple[float, float]:
        field = next(field for field in self.fields if field["name"] == name)
        if not field["within"]:
            return field["least"], field["most"]
        other, divisor = field["within"]
        most = max(self.state[other] // divisor - 1, 0)
        return (-most if field["signed"] else 0), most

    def take(self, **asked: float | str) -> None:
        """The state once this was asked for: within its limits, and with all that depends on it."""
        self.state |= asked
        for field in self.fields:
            value = self.state[field["name"]]
            if isinstance(value, str):
                continue
            least, most = self.limits(field["name"])
            if field["step"]:
                value = math.floor((value - field["least"]) / field["step"] + 0.5) * field["step"] + field["least"]
            taken = min(max(value, least), most)
            self.state[field["name"]] = int(taken) if field["step"] else float(taken)

    def fits(self, **asked: Any) -> bool:
        """Is the table small enough to be played with?"""
        wanted = {**self.state, **asked}
        return bool(wanted["d_model"] * wanted["n_positions"] <= CELLS)

    def link(self) -> str:
        return link(self.state, self.start, self.keys)

    # ---- what the page shows ----

    def settle(self) -> None:
        self.page.evaluate(SETTLED)

    def wrong(self) -> list[str]:
        """Every view that shows something else, two frames after what was done."""
        return self.judge(self.page.evaluate(f"async () => {{ await {SETTLED}; return ({READ})(); }}"))

    def judge(self, seen: dict[str, Any]) -> list[str]:
        """Every view that shows something else, in what was read from the page."""
        found = disagreements(Case(self.name, self.state, self.start, self.keys, seen))
        if seen["query"] != self.link():
            found.append(f"link: {seen['query']}, not {self.link()}")
        if not self.says(seen["said"]):
            found.append(f"said: {seen['said']}")
        return found

    def says(self, text: str) -> bool:
        """Does the bar say what was taken for what cannot be, and else nothing?"""
        if isinstance(self.told, str):
            return text == self.told
        field, asked = self.told
        key = f"script.state.{self.keys[field]}"
        said = pattern(self.words["script.state.taken"]).fullmatch(text)
        return (
            said is not None
            and said["name"] == self.words[key]
            and said["asked"] == asked
            and shows(said["taken"], self.state[field])
        )

    def disagreements(self, *, but: str | tuple[str, ...] = ()) -> list[str]:
        """Every view that shows something else, once what takes a moment has had it; `but` those not asked for."""
        for _ in range(PATIENCE):
            found = [each for each in self.wrong() if not each.startswith(but)]
            if not all(each.startswith(LATER) for each in found) or not found:
                break
            self.page.wait_for_timeout(50)
        return found

    # ---- what a reader does: each way says what it did, or nothing if it could not ----

    def do(self, way: str) -> str:
        self.told = ""
        return str(getattr(self, way)())

    def some(self, selector: str) -> Locator:
        """One of the controls."""
        controls = self.page.locator(selector)
        return controls.nth(self.random.randrange(controls.count()))

    def numeric(self, kind: str) -> tuple[str, str]:
        """A field with controls of that kind, and what selects them."""
        name = self.random.choice(sorted(set(self.controls[kind])))
        return name, f'input[type="{kind}"][data-bind="{name}"]'

    def value(self, name: str) -> float:
        """One that the field may have, small ones more often where the range is wide."""
        least, most = self.limits(name)
        if name in LOGARITHMIC:
            return self.random.uniform(math.log10(least), math.log10(most))
        if name in ("d_model", "n_positions"):
            value = round(math.exp(self.random.uniform(math.log(least), math.log(most))))
            return value + value % 2 if name == "d_model" else value
        return self.random.randint(int(least), int(most))

    def slide(self) -> str:
        name, sliders = self.numeric("range")
        value = self.value(name)
        if not self.fits(**{name: value}):
            return ""
        if name in LOGARITHMIC:
            place = round(value / LOG_STEP) * LOG_STEP
            self.some(sliders).fill(f"{place:.2f}")
            self.take(**{name: float(f"{10**place:.3g}")})
        else:
            self.some(sliders).fill(str(value))
            self.take(**{name: value})
        return f"slide {name} to {value}"

    def press(self) -> str:
        """Keys on a slider; how far each goes is the browser's own, so the slider is asked."""
        name, sliders = self.numeric("range")
        keys = self.random.choices(
            KEYS[:6] if name in ("d_model", "n_positions") else KEYS, k=self.random.randint(1, 3)
        )
        slider = self.some(sliders)
        slider.focus()
        before = slider.input_value()
        for key in keys:
            self.page.keyboard.press(key)
            place = float(slider.input_value())
            self.take(**{name: float(f"{10**place:.3g}") if name in LOGARITHMIC else place})
        return f"press {keys} on the slider of {name}" if slider.input_value() != before else ""

    def type(self) -> str:
        name, numbers = self.numeric("number")
        value = 10 ** self.value(name) if name in LOGARITHMIC else self.value(name)
        text = self.random.choice(NONSENSE) if self.random.random() < 0.25 else f"{value:.4g}"
        asked = float(text) if any(sign.isdigit() for sign in text) else self.state[name]
        most = self.limits(name)[1]
        if not self.fits(**{name: min(asked, most)}):
            return ""
        self.some(numbers).focus()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)
        self.page.keyboard.press(self.random.choice(["Enter", "Tab"]))
        self.take(**{name: asked})
        if asked != self.state[name] or not text.strip("-e"):
            self.told = name, text.strip("-e") and text
        return f"type {text!r} for {name}"

    def click(self) -> str:
        """A click on a cell of the heatmap."""
        box = self.page.locator("[data-follow]")
        shape = box.locator(".heatmap-cells").get_attribute("viewBox") or ""
        columns, rows = (int(each) for each in shape.split()[2:])
        art = box.locator(".heatmap-art")
        art.scroll_into_view_if_needed()
        place = art.bounding_box()
        assert place is not None
        x = self.random.randrange(math.ceil(place["x"]), math.floor(place["x"] + place["width"]))
        y = self.random.randrange(math.ceil(place["y"]), math.floor(place["y"] + place["height"]))
        if not self.page.evaluate(
            "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('[data-follow]'))", [x, y]
        ):
            return ""  # beyond the edge of the screen, or under the bar that says what has changed
        self.page.mouse.click(x, y)
        self.page.mouse.move(0, 0)
        row = math.floor((y - place["y"]) / place["height"] * rows)
        column = math.floor((x - place["x"]) / place["width"] * columns)
        self.take(pos=row, pair=column // 2)
        return f"click on row {row}, column {column}"

    def arrows(self) -> str:
        """Keys on the heatmap: they go on from the column that is told."""
        frame = self.page.locator("[data-follow] .heatmap-frame")
        frame.focus()
        steps = {"ArrowLeft": (0, -1), "ArrowRight": (0, 1), "ArrowUp": (-1, 0), "ArrowDown": (1, 0)}
        steps |= {"PageUp": (-STRIDE, 0), "PageDown": (STRIDE, 0)}
        keys = self.random.choices(list(steps), k=self.random.randint(1, 4))
        column = 2 * self.state["pair"] + self.half()
        row = self.state["pos"]
        for key in keys:
            self.page.keyboard.press(key)
            row = min(max(row + steps[key][0], 0), self.state["n_positions"] - 1)
            column = min(max(column + steps[key][1], 0), self.state["d_model"] - 1)
        self.take(pos=row, pair=column // 2)
        return f"press {keys} on the heatmap"

    def half(self) -> int:
        """Is the sine or the cosine told?"""
        said = self.page.locator("[data-follow] [data-cell]").text_content() or ""
        number = said.split(", ")[1].split()[-1]
        return int(number.replace(",", "")) % 2

    def pick(self) -> str:
        """A radio button, a box to tick, a switch, or something in a figure that is clicked on."""
        ways = {"explainer": self._pick_explainer, "instrument": self._pick_instrument}
        return self.random.choice(ways[self.name]())()

    def _pick_explainer(self) -> list[Callable[[], str]]:
        return [self._choose, self._choose, self._wave, self._pair, self._stop, self._step]

    def _choose(self) -> str:
        name = self.random.choice([field["name"] for field in self.fields if field["choices"]])
        control = self.some(f'[data-bind="{name}"]')
        control.click()
        kind = control.get_attribute("type")
        asked = control.get_attribute("value") or ""
        self.take(**{name: asked if kind == "radio" else {"on": "off", "off": "on"}[self.state[name]]})
        return f"choose {asked} for {name}"

    def _wave(self) -> str:
        item = self.some("[data-waves] li")
        self.take(pair=int(item.get_attribute("data-pair") or 0))
        item.click()
        self.page.mouse.move(0, 0)
        return f"click on the wave of pair {self.state['pair']}"

    def _pair(self) -> str:
        line = self.some(".ladder tbody tr")
        self.take(pair=int(line.get_attribute("data-pair") or 0))
        line.locator("th").click()
        self.page.mouse.move(0, 0)
        return f"click on pair {self.state['pair']} of the list"

    def _stop(self) -> str:
        stop = self.some(".stop")
        self.take(omega=float(stop.get_attribute("data-omega") or 0))
        stop.click()
        return "click on a speed"

    def _step(self) -> str:
        button = self.some("[data-step]")
        if button.is_disabled():
            return ""
        button.click()
        self.take(kept=self.state["kept"] + int(button.get_attribute("data-step") or 0))
        return "click on one pair more or fewer"

    def _pick_instrument(self) -> list[Callable[[], str]]:
        return [self._switch, self._fault, self._fault]

    def _switch(self) -> str:
        self.page.locator("#tamper").click()
        chosen = self.page.locator("input[name=fault]:checked").get_attribute("value") or ""
        self.take(tamper=chosen if self.state["tamper"] == "none" else "none")
        return f"switch to {self.state['tamper']}"

    def _fault(self) -> str:
        radio = self.some("input[name=fault]")
        radio.click()
        fault = radio.get_attribute("value") or ""
        self.take(tamper="none" if self.state["tamper"] == "none" else fault)
        return f"choose the fault {fault}"

    def go(self) -> str:
        """Back or Forward; the link then says what the state is."""
        way = self.random.choice(["back", "back", "forward"])
        if way == "back" and self.page.evaluate("history.state") == "first":
            return ""
        if not self.travel(way):
            return ""
        self.read(self.page.evaluate("location.search"))
        return f"go {way}"

    def travel(self, way: str) -> bool:
        """Back or Forward in the page's history, if there is such a way to go."""
        return bool(
            self.page.evaluate(
                """(way) => new Promise((done) => {
                    addEventListener("popstate", () => done(true), { once: true });
                    history[way]();
                    setTimeout(done, 300, false);
                })""",
                way,
            )
        )

    def read(self, query: str) -> None:
        """The state is what a link asks for."""
        asked = dict(each.split("=") for each in query.removeprefix("?").split("&") if each)
        names = {key: name for name, key in self.keys.items()}
        given = {names[key]: text for key, text in asked.items()}
        numbers = {name: text if isinstance(self.start[name], str) else float(text) for name, text in given.items()}
        self.state = dict(self.start)
        self.take(**numbers)
