#!/usr/bin/env python3
"""Builds the site: config → table → proof → pages → site/. A broken invariant stops it before it writes."""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an old Python gets one line, not a traceback
    sys.exit("error: posenc needs Python 3.11 or newer, this is %d.%d" % sys.version_info[:2])  # noqa: UP031

from argparse import ArgumentParser, Namespace
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from posenc import bootstrap
from posenc.config import Config

if TYPE_CHECKING:
    from posenc.arrays import Floats

ROOT = Path(__file__).resolve().parent
BUILT, WRONG_WORDS, WRONG_USAGE, BROKEN, INTERRUPTED = 0, 1, 2, 3, 130


class UsageError(Exception):
    """Flags that ask for what cannot be built."""


def main(arguments: list[str] | None = None) -> int:
    _speak_plainly()
    options = parse(arguments)
    bootstrap.ensure()
    from jinja2 import TemplateError

    from posenc.experiments import Surprise
    from posenc.proof import BrokenInvariant
    from posenc.web.content import ContentError
    from posenc.web.publish import RefusedOutput

    try:
        return build(options)
    except (BrokenInvariant, Surprise) as error:
        return failed(BROKEN, f"{error}\nnothing was written: {options.out} is as it was")
    except ContentError as error:
        return failed(WRONG_WORDS, f"{error}\nnothing was written: {options.out} is as it was")
    except TemplateError as error:
        return failed(WRONG_WORDS, f"error: {_template_place(error)}: {error}")
    except (RefusedOutput, UsageError) as error:
        return failed(WRONG_USAGE, f"error: {error}")
    except OSError as error:
        return failed(bootstrap.ENVIRONMENT_ERROR, f"error: {error}")


def build(options: Namespace) -> int:
    from posenc.proof import prove
    from posenc.web.pages import render
    from posenc.web.publish import check_output, publish

    config = configure(options)
    out = check_output(options.out, ROOT)
    table = make_table(config, tamper=options.tamper)
    proof = prove(table, config)
    proof.require()
    files = render(ROOT, config, table, proof)
    changed = publish(files, out)
    report(
        f"checked    {config.n_positions} positions × {config.d_model} dimensions, base {config.base:g}",
        *(f"           {invariant}" for invariant in proof.invariants),
        f"published  {options.out}: {len(files)} files, {len(changed)} changed",
        f"open       {options.out / 'index.html'}",
    )
    return BUILT


def report(*lines: str) -> None:
    """Tell what was done; a reader who has gone away (`| head -1`, a full disk) does not undo it."""
    try:
        print(*lines, sep="\n", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def make_table(config: Config, *, tamper: bool) -> "Floats":
    """The encoding, or the planted fault; a base that float64 cannot serve at this width is a wrong flag."""
    from posenc.engine import encode, frequencies, wavelengths
    from posenc.faults import raw_index

    try:
        wavelengths(frequencies(config.d_model, config.base))
        return raw_index(config) if tamper else encode(range(config.n_positions), config.d_model, config.base)
    except ValueError as error:
        raise UsageError(error) from error


def configure(options: Namespace) -> Config:
    """The Config of the flags; probes that nobody chose move into a short table."""
    from posenc.web.pages import check_size

    flags = ("d_model", "n_positions", "base")
    given = {flag: getattr(options, flag) for flag in flags if getattr(options, flag) is not None}
    if options.probes is not None:
        given["probes"] = tuple(options.probes)
    elif options.n_positions is not None:
        last = max(options.n_positions - 1, 0)
        first, second = (min(probe, last) for probe in Config().probes)
        given["probes"] = (first, second) if first < second else (0, last)
    try:
        config = Config(**given)
        check_size(config)
    except ValueError as error:
        raise UsageError(error) from error
    return config


def parse(arguments: list[str] | None) -> Namespace:
    usual = Config()
    parser = ArgumentParser(
        prog="build.py",
        description="Proves the invariants of the sinusoidal positional encoding and writes the site.",
        epilog="Exit codes: 0 built; 1 words or a template are wrong; 2 usage or refused output; "
        "3 an invariant is broken; 5 environment; 130 interrupted. After any failure the old site stands.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--out", type=Path, default=ROOT / "site", metavar="DIR", help="output (site/)")
    add("--d-model", type=int, metavar="D", help=f"columns of the table, even ({usual.d_model})")
    rows = f"rows of the table, for positions 0 … N−1 ({usual.n_positions})"
    add("--positions", type=int, metavar="N", dest="n_positions", help=rows)
    add("--base", type=float, metavar="B", help=f"B in ω_i = 1 / B^(2i/D), above 0 ({usual.base:g})")
    probes = "two positions that the instrument marks ({} {})".format(*usual.probes)
    add("--probes", type=int, nargs=2, metavar=("A", "B"), help=probes)
    add("--tamper", action="store_true", help="plant the fault PE = pos: the build must fail with exit 3")
    return parser.parse_args(arguments)


def failed(code: int, message: str) -> int:
    print(message, file=sys.stderr)
    return code


def _speak_plainly() -> None:
    """A terminal without UTF-8 gets an escape for a sign that it lacks, not a failed build."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _template_place(error: Exception) -> str:
    """File and line in templates/; an undefined name knows them only by its traceback."""
    from jinja2 import TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        return f"templates/{error.name}:{error.lineno}"
    frames = [frame for frame in extract_tb(error.__traceback__) if "templates" in Path(frame.filename).parts]
    return f"{Path(frames[-1].filename).relative_to(ROOT)}:{frames[-1].lineno}" if frames else "templates"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(failed(INTERRUPTED, "interrupted"))
