#!/usr/bin/env python3
"""Builds the site: config → table → proof → pages → site/. A broken invariant stops it before it writes."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an old Python gets one line, not a traceback
    sys.exit("error: posenc needs Python 3.11 or newer, this is %d.%d" % sys.version_info[:2])  # noqa: UP031

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from posenc import bootstrap
from posenc.web import options
from posenc.web.console import Console, speak_plainly
from posenc.web.options import Options, UsageError

if TYPE_CHECKING:
    from posenc.arrays import Floats
    from posenc.config import Config

ROOT = Path(__file__).resolve().parent
BUILT, WRONG_WORDS, WRONG_USAGE, BROKEN, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: list[str] | None = None) -> int:
    speak_plainly()
    try:
        asked = options.read(arguments, root=ROOT)
    except UsageError as error:
        return Console().failed(WRONG_USAGE, f"error: {error}")
    if asked.version:
        print(f"posenc {options.version(ROOT)}")
        return BUILT
    if asked.print_config:
        print(options.shown(asked))
        return BUILT
    bootstrap.ensure()
    console = Console(asked.quiet, asked.verbose, asked.color, asked.json)
    if asked.serve is not None:
        return serve(asked, console, sys.argv[1:] if arguments is None else arguments)
    return attempt(asked, console)


def attempt(asked: Options, console: Console) -> int:
    """One build, with every way to fail told in its own words and code."""
    from jinja2 import TemplateError

    from posenc.claims import BrokenInvariant
    from posenc.experiments import Surprise
    from posenc.web.bundle import DeadReference
    from posenc.web.content import ContentError
    from posenc.web.plotlyjs import WrongBundle
    from posenc.web.publish import RefusedOutput

    stands = f"nothing was written: {asked.out} is as it was"
    try:
        return build(asked, console)
    except (BrokenInvariant, Surprise) as error:
        return failed(console, BROKEN, f"{error}\n{stands}")
    except ContentError as error:
        return failed(console, WRONG_WORDS, f"{error}\n{stands}", problems=[each.record() for each in error.problems])
    except TemplateError as error:
        return failed(console, WRONG_WORDS, f"error: {_template_place(error)}: {error}\n{stands}")
    except DeadReference as error:
        return failed(console, WRONG_WORDS, f"error: {error}\n{stands}")
    except (RefusedOutput, UsageError, WrongBundle) as error:
        return failed(console, WRONG_USAGE, f"error: {error}")
    except OSError as error:
        return failed(console, bootstrap.ENVIRONMENT_ERROR, f"error: {error}")


def build(asked: Options, console: Console) -> int:
    from posenc.proof import prove
    from posenc.web.finish import finished
    from posenc.web.pages import check, check_size, render
    from posenc.web.plotlyjs import bundle
    from posenc.web.publish import check_output, publish

    config = options.configure(asked)
    check_size(config)
    plotly = bundle(asked.plotly) if asked.plotly else None
    out = check_output(asked.out, ROOT)
    warn = console.warn if asked.draft else None
    with console.step("prove") as tell:
        table = make_table(config, tamper=asked.tamper)
        proof = prove(table, config)
        proof.require()
        tell(
            f"{config.n_positions} position{'s' if config.n_positions > 1 else ''}",
            *(f"· {claim.brief()}" for claim in proof.invariants),
        )
    with console.step("render") as tell:
        rendered = render(ROOT, config, table, proof, base_url=asked.base_url, plotly=plotly, warn=warn)
        tell(*rendered.pages)
    with console.step("check") as tell:
        tally = check(rendered, warn)
        tell(f"{tally.links} links · {tally.anchors} anchors · {tally.outside} outside requests")
    files = finished(rendered.files, asked, ROOT)
    console.result.update(files=len(files), invariants={claim.name: claim.holds for claim in proof.invariants})
    if asked.check:
        return console.done(f"{len(files)} files would be written; nothing was")
    with console.step("publish") as tell:
        change = publish(files, out, force=asked.force)
        tell(f"{asked.out}  {len(change.written)} changed, {change.same} same, {len(change.removed)} removed")
    for name in change.kept:
        console.warn(f"warning: {asked.out / name} was edited by hand and is kept; --force replaces it")
    for name in (*change.written, *change.removed):
        console.detail(f"         {name}")
    index = asked.out / "index.html"
    console.result.update(out=str(asked.out), written=change.written, removed=change.removed, kept=change.kept)
    if asked.open:
        _open(index)
    size = sum(map(len, files.values())) / 1e6
    return console.done(f"{asked.out}  {len(files)} files  {size:.1f} MB  {console.seconds:.2f} s     open {index}")


def make_table(config: "Config", *, tamper: bool) -> "Floats":
    """The encoding, or the planted fault; a base that float64 cannot serve at this width is a wrong flag."""
    from posenc.engine import encode, frequencies, wavelengths
    from posenc.faults import raw_index

    try:
        wavelengths(frequencies(config.d_model, config.base))
        return raw_index(config) if tamper else encode(range(config.n_positions), config.d_model, config.base)
    except ValueError as error:
        raise UsageError(error) from error


def serve(asked: Options, console: Console, arguments: list[str]) -> int:
    """Serve the site; every build is a fresh process with the same flags."""
    from posenc.web.serve import serve

    build = [sys.executable, str(ROOT / "build.py"), *options.without_serving(arguments)]
    return serve(ROOT, asked.out, build, asked.serve, asked.open, console.say)


def failed(console: Console, code: int, text: str, **found: object) -> int:
    if console.verbose:
        traceback.print_exc()
    return console.failed(code, text, **found)


def _open(page: Path) -> None:
    import webbrowser

    webbrowser.open(page.resolve().as_uri())


def _template_place(error: Exception) -> str:
    """File and line in templates/; an undefined name knows them only by its traceback."""
    from jinja2 import TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        return f"templates/{error.name}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "templates" in Path(frame.filename).parts]
    return f"{Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].lineno}" if ours else "templates"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(Console().failed(INTERRUPTED, "interrupted"))
