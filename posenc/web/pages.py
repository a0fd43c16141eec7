"""Renders every file of the site into memory: nothing is written before everything is known to be right."""

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2
from markupsafe import Markup

from posenc.arrays import Floats
from posenc.claims import Proof, record
from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.proof import fingerprint, prove
from posenc.web import content, explainer, format, instrument
from posenc.web.check import Fault, faults
from posenc.web.clocks import hands
from posenc.web.content import ContentError, Document, Problem
from posenc.web.heatmaps import MARGINS
from posenc.web.script import script_json

PARTS = ("order", "count", "wave", "stack", "sum", "turn", "address", "coda", "next")
WINDOWS = tuple(f"window-{number}" for number in range(9))
STATUSES = ("proved", "checked", "measured", "cited", "hypothesis", "picture", "chosen")
STYLES = ("tokens", "base", "figures", "explainer", "instrument")
SCRIPTS = ("engine", "proof", "attention", "format", "clocks", "heatmap")
FILES = {"explainer": "index.html", "instrument": "instrument.html"}
MODULES: dict[str, ModuleType] = {"explainer": explainer, "instrument": instrument}
MAX_CELLS, MAX_ROWS = 65_536, 2048  # what a page can carry, and a browser re-prove in a moment


@dataclass(frozen=True, slots=True)
class Bench:
    """One proven table: what a page shows."""

    config: Config
    table: Floats
    proof: Proof


@dataclass(frozen=True, slots=True)
class Words:
    """All content files of one language."""

    site: Document
    figures: Document
    explainer: Document
    instrument: Document
    used: set[tuple[Path, str]] = field(default_factory=set, init=False)

    def documents(self) -> tuple[Document, ...]:
        return self.site, self.figures, self.explainer, self.instrument


def check_size(config: Config) -> None:
    """ValueError when the table is larger than a page can carry and a browser re-prove in a moment."""
    if config.n_positions > MAX_ROWS or config.n_positions * config.d_model > MAX_CELLS:
        raise ValueError(
            f"n_positions must be at most {MAX_ROWS:,} for a page, and n_positions × d_model at most {MAX_CELLS:,}, "
            f"got {config.n_positions:,} × {config.d_model:,}"
        )


def render(root: Path, config: Config, table: Floats, proof: Proof) -> dict[str, bytes]:
    """Every file of the site by its relative path. Raises ContentError with all slips in the words."""
    words = _read_words(root)
    benches = {"explainer": _worked_example(), "instrument": Bench(config, table, proof)}
    numbers = {name: MODULES[name].numbers(*_parts(bench)) for name, bench in benches.items()}
    _require_right(words, root, numbers)
    templates = _templates(root)
    pages = {FILES[name]: _page(templates, words, name, bench, numbers[name]) for name, bench in benches.items()}
    pages["404.html"] = _lost_page(templates, words)
    _require_all_used(words)
    files = {
        **_assets(root),
        "proof.json": proof_json(config, table, proof).encode(),
        **{name: page.encode() for name, page in pages.items()},
    }
    _require_sound(words, pages, set(files))
    return files


def _worked_example() -> Bench:
    """What the explainer shows, whatever the instrument was built with."""
    config = Config()
    table = encode(range(config.n_positions), config.d_model, config.base)
    proof = prove(table, config)
    proof.require()
    return Bench(config, table, proof)


def _parts(bench: Bench) -> tuple[Config, Floats, Proof]:
    return bench.config, bench.table, bench.proof


def proof_json(config: Config, table: Floats, proof: Proof) -> str:
    """The site's claim, for another program to check."""
    claim = {
        "config": asdict(config),
        "holds": proof.holds,
        "invariants": [record(claim) for claim in proof.invariants],
        "table": {
            "sha256": fingerprint(table),
            "text": "each value with 9 decimals (−0 as 0), commas between columns, a newline after every row",
        },
        "source": "arXiv:1706.03762, section 3.5",
    }
    return json.dumps(claim, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _read_words(root: Path) -> Words:
    names = ("site", "figures", "explainer", "instrument")
    folder = Path("content") / "en"
    problems = [
        Problem(folder / path.name, 1, 1, "no page takes its words from this file")
        for path in sorted((root / folder).iterdir())
        if path.name not in {f"{name}.md" for name in names} and not path.name.startswith(".")
    ]
    documents: list[Document] = []
    for name in names:
        shown = folder / f"{name}.md"
        try:
            documents.append(content.read(root / shown, shown))
        except ContentError as error:
            problems += error.problems
    if problems:
        raise ContentError(problems)
    return Words(*documents)


def _require_right(words: Words, root: Path, numbers: Mapping[str, Mapping[str, str]]) -> None:
    """Sections and slots of every document are as the templates expect them."""
    shared = set(_shared_slots(root))
    problems = [
        *content.require_sections(words.explainer, PARTS),
        *content.require_sections(words.instrument, WINDOWS),
        *content.require_slots(words.site, shared),
        *content.require_slots(words.figures, shared),
        *content.require_slots(words.explainer, shared | set(numbers["explainer"])),
        *content.require_slots(words.instrument, shared | set(numbers["instrument"])),
    ]
    if problems:
        raise ContentError(problems)


def _shared_slots(root: Path) -> Iterator[str]:
    for kind in ("figure", "formula", "phrase"):
        for path in sorted((root / "templates" / f"{kind}s").glob("*.html")):
            yield f"{kind}:{path.stem}"
    yield from (f"claim:{status}" for status in STATUSES)
    yield from (f"window:{name.removeprefix('window-')}" for name in WINDOWS)
    yield from (f"part:{name}" for name in PARTS)


def _require_all_used(words: Words) -> None:
    problems = [
        document.problem(document.line_of(key), 1, f"nothing uses the key {key}")
        for document in words.documents()
        for key in document.fields
        if (document.path, key) not in words.used and not key.startswith("script.")
    ]
    if problems:
        raise ContentError(problems)


def _require_sound(words: Words, pages: Mapping[str, str], files: set[str]) -> None:
    """The finished pages hold together; a fault is shown in the words if it can be found there."""

    def place(fault: Fault) -> Problem:
        for document in words.documents():
            for number, line in enumerate(document.lines, start=1):
                if fault.needle and fault.needle in line:
                    return document.problem(number, line.index(fault.needle) + 1, fault.message)
        return Problem(Path("templates") / fault.page, 1, 1, f"on the finished page {fault.page}: {fault.message}")

    problems = [place(fault) for fault in faults(pages, files)]
    if problems:
        raise ContentError(problems)


def _templates(root: Path) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(root / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _page(templates: jinja2.Environment, words: Words, name: str, bench: Bench, numbers: Mapping[str, str]) -> str:
    document: Document = getattr(words, name)
    module, config, table = MODULES[name], bench.config, bench.table
    context: dict[str, Any] = {}
    resolve = _resolver(templates, words, name, numbers, context)
    text, label = _texts(words, document, resolve)
    omega = frequencies(config.d_model, config.base).tolist()
    rounded = (table.round(15) + 0.0).tolist()
    context.update(
        page=name,
        config=config,
        omega=omega,
        table=rounded,
        proof=bench.proof,
        n=module.figures(config, table),
        heatmaps=module.heatmaps(config, table, label),
        text=text,
        label=label,
        format=format,
        hands=_posture,
    )
    sections = {
        section.id: {
            "id": section.id,
            "title": content.inline(section.title, resolve),
            "html": content.block(section.body, resolve),
        }
        for section in document.sections.values()
    }
    data = {
        "config": asdict(config),
        "omega": omega,
        "table": rounded,
        "invariants": [record(claim) for claim in bench.proof.invariants],
        "strings": _strings(document, resolve),
        "extra": module.data(config, table),
    }
    return templates.get_template(f"{name}.html").render(
        context,
        lead=content.block(document.lead, resolve),
        sections=sections,
        scripts=[*SCRIPTS, name],
        statuses=STATUSES,
        files=FILES,
        data=script_json(data),
    )


def _lost_page(templates: jinja2.Environment, words: Words) -> str:
    """The page that hosts serve at any depth: it stands alone."""
    text, label = _texts(words, words.site, lambda name: name)
    return templates.get_template("404.html").render(text=text, label=label)


def _posture(position: int) -> list[tuple[float, float]]:
    """The hands of the worked example at a position: the motif that marks every heading."""
    example = Config()
    return hands(encode([position], example.d_model, example.base)[0])


def _texts(
    words: Words, document: Document, resolve: content.Resolve
) -> tuple[Callable[[str], Markup], Callable[[str], str]]:
    """`text` and `label` of the templates: a front-matter value as HTML, or as words alone."""
    sources = (document, *(shared for shared in (words.site, words.figures) if shared is not document))

    def value(key: str) -> str:
        for source in sources:
            if key in source.fields:
                words.used.add((source.path, key))
                return source.fields[key]
        known = [name for source in sources for name in source.fields]
        places = ", ".join(source.path.as_posix() for source in sources[1:])
        message = f"the key {key} is missing here and in {places}{content.hint(key, known)}"
        raise ContentError([document.problem(1, 1, message)])

    return lambda key: content.inline(value(key), resolve), lambda key: content.plain(value(key), resolve)


def _strings(document: Document, resolve: content.Resolve) -> dict[str, str]:
    return {
        key.removeprefix("script."): content.plain(value, resolve)
        for key, value in document.fields.items()
        if key.startswith("script.")
    }


def _resolver(
    templates: jinja2.Environment,
    words: Words,
    page: str,
    numbers: Mapping[str, str],
    context: dict[str, Any],
) -> content.Resolve:
    """What a slot stands for on this page."""

    def link(target: str, anchor: str, text: str) -> Markup:
        href = f"#{anchor}" if target == page else f"{FILES[target]}#{anchor}"
        return Markup('<a class="cross" href="{}">{}</a>').format(href, text)

    def resolve(slot: str) -> str:
        kind, colon, name = slot.partition(":")
        if not colon:
            return numbers[slot]
        if kind in ("figure", "formula", "phrase"):
            return Markup(templates.get_template(f"{kind}s/{name}.html").render(context).strip())
        if kind == "window":
            title = words.instrument.sections[f"window-{name}"].title
            return link("instrument", f"window-{name}", f"{context['label']('link.window')}\u00a0{name}\u00a0· {title}")
        if kind == "part":
            return link("explainer", name, words.explainer.sections[name].title)
        return Markup('<span class="claim" data-claim="{}">{}</span>').format(name, context["label"](f"claim.{name}"))

    return resolve


def _assets(root: Path) -> dict[str, bytes]:
    scripts = [*SCRIPTS, "explainer", "instrument"]
    styles = [_margins(), *(_text(root / "templates" / "css" / f"{name}.css") for name in STYLES)]
    return {
        "assets/plotly.min.js": _plotly().read_bytes(),
        "assets/site.css": "\n".join(styles).encode(),
        **{f"assets/{name}.js": _text(root / "templates" / "js" / f"{name}.js").encode() for name in scripts},
    }


def _margins() -> str:
    """The plots' margins, from their one home, for the picture that lies under each plot."""
    sizes = ";".join(f"--plot-{side}:{size}px" for side, size in MARGINS.items())
    return f":root{{{sizes}}}"


def _text(path: Path) -> str:
    return path.read_text("utf-8").replace("\r\n", "\n")


def _plotly() -> Path:
    """plotly.js from the installed package, found without importing it."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the plotly package is not installed")
    return Path(spec.origin).parent / "package_data" / "plotly.min.js"
