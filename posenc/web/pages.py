"""Renders every file of the site into memory: nothing is written before everything is known to be right."""

import hashlib
import json
import os
import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from markupsafe import Markup

from posenc.arrays import Floats
from posenc.claims import Proof, record
from posenc.config import Config
from posenc.engine import encode, frequencies
from posenc.proof import fingerprint, prove
from posenc.web import content, explainer, format, glossary, instrument, languages, snippets, state
from posenc.web.address import page_address
from posenc.web.assets import LATER, PAGE_SCRIPTS, SCRIPTS, assets, page_script
from posenc.web.check import Tally, of_styles, tally
from posenc.web.clocks import hands
from posenc.web.content import ContentError, Document, Problem
from posenc.web.languages import SOURCE, Language
from posenc.web.options import UsageError
from posenc.web.script import script_json
from posenc.web.words import (
    STATUSES,
    TEMPLATE_SLOTS,
    Words,
    completed,
    read,
    require_all_used,
    require_right,
    require_sound,
    strings,
    texts,
)

FILES = {"explainer": "index.html", "instrument": "instrument.html"}
MODULES: dict[str, ModuleType] = {"explainer": explainer, "instrument": instrument}
Ways = tuple[tuple[Language, str, str | None], ...]
Warn = Callable[[str], None] | None  # a draft's way to tell of slips; None makes them errors
LOST = "404.html"
_REFERENCE = re.compile(r'(\s(?:href|src|data-plotly|data-check)=")([^"#?]+)')
MAX_CELLS, MAX_ROWS = 65_536, 2048  # what a page can carry, and a browser re-prove in a moment


@dataclass(frozen=True, slots=True)
class Bench:
    """One proven table: what a page shows."""

    config: Config
    table: Floats
    proof: Proof


@dataclass(frozen=True, slots=True)
class Edition:
    """The site in one language: its words, and the numbers of each page as that language writes them."""

    language: Language
    words: Words
    numbers: dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Rendered:
    """Every file of the site by its relative path, the words of each language, and the names of its pages."""

    files: dict[str, bytes]
    words: dict[str, Words]
    pages: tuple[str, ...]


def check_size(config: Config) -> None:
    """UsageError when the table is larger than a page can carry and a browser re-prove in a moment."""
    if config.n_positions > MAX_ROWS or config.n_positions * config.d_model > MAX_CELLS:
        raise UsageError(
            f"n_positions must be at most {MAX_ROWS:,} for a page, and n_positions × d_model at most {MAX_CELLS:,}, "
            f"got {config.n_positions:,} × {config.d_model:,}"
        )


def render(
    root: Path,
    config: Config,
    table: Floats,
    proof: Proof,
    *,
    base_url: str | None = None,
    plotly: bytes | None = None,
    warn: Warn = None,
) -> Rendered:
    """The site in memory. Raises ContentError with all slips in the words; a draft is warned of those that it can
    be built with."""
    every = read(root, warn)
    benches = {"explainer": _worked_example(), "instrument": Bench(config, table, proof)}
    editions = {tag: _edition(tag, words, benches) for tag, words in every.items()}
    written = editions[SOURCE].numbers["explainer"]
    other_bench = written["explainer.size"] != written["instrument.size"]
    fields = {name: MODULES[name].fields(bench.config) for name, bench in benches.items()}
    sizes = {f"{name}.size": "" for name in benches}
    require_right(every, root, editions[SOURCE].numbers, fields, sizes, warn)
    if warn is not None:
        whole = {tag: words if tag == SOURCE else completed(words, every[SOURCE]) for tag, words in every.items()}
        editions = {tag: replace(edition, words=whole[tag]) for tag, edition in editions.items()}
    templates = _templates(root)
    spoken = tuple(edition.language for edition in editions.values())
    templates.globals.update(other_bench=other_bench, base_url=base_url, draft=warn is not None)
    files = {**assets(root, plotly), "proof.json": proof_json(config, table, proof).encode()}
    code = snippets.snippets(root)
    pages: dict[str, str] = {}
    for edition in editions.values():
        with format.writing(edition.language.style):
            try:
                for name, bench in benches.items():
                    ways = _in_languages(edition.language, spoken, FILES[name], base_url)
                    page = _page(templates, edition, name, bench, code, ways)
                    pages[edition.language.place(FILES[name])] = _in_place(edition.language, page, files)
                if edition.language.tag == SOURCE:
                    pages[LOST] = _lost_page(templates, tuple(editions.values()))
            except format.UnknownPlaceholder as error:
                raise ContentError([_unknown(edition.words, error)]) from error
    require_all_used(editions[SOURCE].words, warn)
    files |= {name: page.encode() for name, page in sorted(pages.items(), key=lambda page: page[0] == LOST)}
    names = tuple(name for name in files if name in pages)
    return Rendered(files, {tag: edition.words for tag, edition in editions.items()}, names)


def _edition(tag: str, words: Words, benches: Mapping[str, Bench]) -> Edition:
    language = languages.language(tag, words.site)
    _, label = texts(words, words.site, lambda name: name)
    with format.writing(language.style):
        sizes = {f"{name}.size": _size(label("bench.size"), bench.config) for name, bench in benches.items()}
        numbers = {name: {**sizes, **MODULES[name].numbers(*_parts(bench))} for name, bench in benches.items()}
    return Edition(language, words, numbers)


def _unknown(words: Words, error: format.UnknownPlaceholder) -> Problem:
    message = f"unknown placeholder {error.placeholder}"
    return words.place(message, error.placeholder) or Problem(Path("templates"), 1, 1, message)


def _in_place(language: Language, html: str, shared: Mapping[str, bytes]) -> str:
    """The page where its language has it: one in a folder goes a step up to the files that all languages share."""
    if language.tag == SOURCE:
        return html
    return _REFERENCE.sub(lambda found: found[1] + ("../" if found[2] in shared else "") + found[2], html)


def check(rendered: Rendered, warn: Warn = None) -> Tally:
    """The finished pages hold together: links, anchors, ids, elements, policy. ContentError tells all that do not."""
    pages = {name: rendered.files[name].decode() for name in rendered.pages}
    found = tally(pages, set(rendered.files))
    sheets = {name: data.decode() for name, data in rendered.files.items() if name.endswith(".css")}
    require_sound(rendered.words, [*found.faults, *of_styles(sheets, set(rendered.files))], warn)
    return found


def _worked_example() -> Bench:
    """What the explainer shows, whatever the instrument was built with."""
    config = Config()
    table = encode(range(config.n_positions), config.d_model, config.base)
    proof = prove(table, config)
    proof.require()
    return Bench(config, table, proof)


def _size(text: str, config: Config) -> str:
    rows, columns, base = format.count(config.n_positions), format.count(config.d_model), format.plain(config.base)
    return format.fill(text, rows=rows, columns=columns, base=base).replace(" ", "\u00a0").replace(",\u00a0", ", ")


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


def _templates(root: Path) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=_Templates(root / "templates"),
        bytecode_cache=_Bytecode(root / "templates" / "__pycache__"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fill"] = format.fill
    environment.globals.update(program=snippets.program, citation=snippets.citation)
    return environment


class _Templates(jinja2.FileSystemLoader):
    """Templates of which one that is not UTF-8 is told with its place."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError:
            content.text(Path(self.searchpath[0], template), Path("templates", template))
            raise


class _Bytecode(jinja2.BytecodeCache):
    """Compiled templates, kept as Python keeps its modules: beside the sources, by their hash, in no hurry to be
    there. Compiling is a quarter of a build; a folder that cannot be written costs only that."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return hashlib.sha256(f"{name}|{filename}".encode(errors="surrogateescape")).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            bucket.bytecode_from_string(self._file(bucket).read_bytes())
        except Exception:  # whatever a damaged file does, compiling makes it good
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        file = self._file(bucket)
        with suppress(OSError):
            self.folder.mkdir(exist_ok=True)
            beside = file.with_suffix(f".{os.getpid()}")
            beside.write_bytes(bucket.bytecode_to_string())
            beside.replace(file)

    def _file(self, bucket: Bucket) -> Path:
        return self.folder / f"{bucket.key}.{sys.implementation.cache_tag}"


def _page(
    templates: jinja2.Environment, edition: Edition, name: str, bench: Bench, code: Mapping[str, str], ways: Ways
) -> str:
    words, numbers, language = edition.words, edition.numbers[name], edition.language
    document: Document = getattr(words, name)
    module, config, table = MODULES[name], bench.config, bench.table
    context: dict[str, Any] = {}
    resolve = _resolver(templates, words, name, numbers, context)
    text, label = texts(words, document, resolve)
    omega = frequencies(config.d_model, config.base).tolist()
    rounded = (table.round(15) + 0.0).tolist()
    context.update(
        page=name,
        file=FILES[name],
        language=language,
        address=next(address for other, _, address in ways if other is language),
        elsewhere=ways if len(ways) > 1 else (),
        fields={field.name: field for field in module.fields(config)},
        config=config,
        omega=omega,
        table=rounded,
        proof=bench.proof,
        n=module.figures(config, table),
        numbers=numbers,
        snippets=code,
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
    entries = [
        {
            "id": entry.id,
            "title": entry.title,
            "definition": content.inline(entry.definition, resolve),
            "met": resolve(entry.met) if entry.met else "",
        }
        for entry in glossary.entries(words.glossary, words.pages())
    ]
    data = {
        "config": asdict(config),
        "omega": omega,
        "table": rounded if name == "instrument" else [],  # where the browser's own is held against it
        "invariants": [record(claim) for claim in bench.proof.invariants],
        "state": state.record(module.fields(config)),
        "elsewhere": _elsewhere(name, config),
        "strings": strings(words, document, resolve),
        "style": {sign: getattr(language.style, sign) for sign in format.SCRIPTS_NEED},
        "extra": module.data(config, table),
        "programs": {library: code[library] for library in snippets.LIBRARIES} if name == "instrument" else {},
    }
    return templates.get_template(f"{name}.html").render(
        context,
        lead=content.block(document.lead, resolve),
        sections=sections,
        glossary=entries,
        scripts=[*SCRIPTS, *(page_script(name, file) for file in PAGE_SCRIPTS[name])],
        later=LATER[name],
        statuses=STATUSES,
        files=FILES,
        data=script_json(data),
    )


def _in_languages(here: Language, spoken: Iterable[Language], file: str, base_url: str | None) -> Ways:
    """Every language with the way to the same page in it, and that page's address if it is known."""
    folder = posixpath.dirname(here.place(file)) or "."
    ways = [(language, posixpath.relpath(language.place(file), folder)) for language in spoken]
    return tuple((each, way, page_address(base_url, each.place(file)) if base_url else None) for each, way in ways)


def _lost_page(templates: jinja2.Environment, editions: tuple[Edition, ...]) -> str:
    """The page that hosts serve at any depth: it stands alone, and leads to the pages of every language."""
    source = editions[0]
    text, label = texts(source.words, source.words.site, lambda name: name)
    places = [
        (edition.language, [(edition.language.place(file), own(f"nav.{name}")) for name, file in FILES.items()])
        for edition in editions
        for own, _ in [texts(edition.words, edition.words.site, lambda name: name)]
    ]
    return templates.get_template(LOST).render(
        text=text, label=label, language=source.language, places=places, hands=_posture
    )


def _posture(position: int) -> list[tuple[float, float]]:
    """The hands of the worked example at a position: the motif that marks every heading."""
    example = Config()
    return hands(encode([position], example.d_model, example.base)[0])


def _elsewhere(name: str, config: Config) -> list[str]:
    """The keys of a link that only the other page knows: they are handed on."""
    own = {field.key for field in MODULES[name].fields(config)}
    others = [field.key for other, module in MODULES.items() if other != name for field in module.fields(config)]
    return [key for key in others if key not in own]


def _scrub(field: state.Field, label: str) -> Markup:
    """A number in a sentence that a script lets the reader drag, step and type."""
    value = f"{field.start:g}" if isinstance(field.start, float) else str(field.start)
    return Markup(
        '<input type="number" class="scrub" data-bind="{}" value="{}" data-digits="{}" aria-label="{}" disabled>'
    ).format(field.name, value, len(value), label)


def _resolver(
    templates: jinja2.Environment,
    words: Words,
    page: str,
    numbers: Mapping[str, str],
    context: dict[str, Any],
) -> content.Resolve:
    """What a slot stands for on this page."""

    def link(target: str, anchor: str, text: str) -> Markup:
        if target == page:
            return Markup('<a class="cross" href="#{}">{}</a>').format(anchor, text)
        carry = Markup("" if templates.globals["other_bench"] else " data-carry")
        return Markup('<a class="cross" href="{}#{}"{}>{}</a>').format(FILES[target], anchor, carry, text)

    def resolve(slot: str) -> str:
        kind, colon, name = slot.partition(":")
        if not colon:
            return numbers.get(slot, f"[ {slot} ]")  # a draft shows what is missing
        if kind in TEMPLATE_SLOTS:
            return Markup(templates.get_template(f"{kind}s/{name}.html").render(context).strip())
        if kind == "live":
            return Markup('<span data-live="{}">{}</span>').format(name, numbers.get(name, f"[ {name} ]"))
        if kind == "bind":
            return _scrub(context["fields"][name], context["label"](f"script.state.{context['fields'][name].key}"))
        if kind == "question":
            return Markup(templates.get_template("question.html").render(context, part=name).strip())
        if kind == "term":
            return glossary.link(words.glossary, name)
        if kind == "window":
            title = words.instrument.sections[f"window-{name}"].title
            return link("instrument", f"window-{name}", f"{context['label']('link.window')}\u00a0{name}\u00a0· {title}")
        if kind == "part":
            return link("explainer", name, words.explainer.sections[name].title)
        return Markup('<span class="claim" data-claim="{}">{}</span>').format(name, context["label"](f"claim.{name}"))

    return resolve
