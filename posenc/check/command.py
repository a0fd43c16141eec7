"""`python3 -m posenc check FILE`: reads a file, judges it, and says what was found."""

import json
import os
import shutil
import sys
import textwrap
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from io import TextIOWrapper
from pathlib import Path
from typing import Any

OK, UNREADABLE, USAGE, REJECTED = 0, 1, 2, 3
_COLOURS = {"good": "32", "odd": "33", "bad": "31"}
_LABEL = 12
_WIDTH = 100


def add_to(commands: Any) -> None:
    """The subcommand's arguments; numpy is not needed to tell them."""
    from posenc.check.conventions import EXPECTABLE

    parser: ArgumentParser = commands.add_parser(
        "check",
        allow_abbrev=False,
        help="check your own table: which convention is it, or which bug?",
        description="Reads a table of positional encodings and tells which convention it is, or which known bug. "
        "The file is read here and goes nowhere.",
        epilog="Files: .npy, .npz, .csv, .tsv, .json, text, .safetensors; .pt and .pth where PyTorch is installed. "
        "Exit codes: 0 accepted, with or without an oddity; 1 the file cannot be read; 2 usage; "
        "3 rejected, no sinusoidal encoding, or not the expected one.",
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="positions in rows, columns in any order")
    add("--json", action="store_true", help="print one JSON object")
    add("--base", type=_positive, metavar="B", help="the base that it should have; without, any base is taken")
    add("--tolerance", type=_positive, metavar="T", help="what a float64 cell may be off (1e-9)")
    add("--expect", choices=EXPECTABLE, metavar="NAME", help=f"fail unless it is this one: {', '.join(EXPECTABLE)}")
    add("--name", metavar="KEY", help="which array of an .npz, .json, .safetensors or .pt file")


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 < value < float("inf"):
        raise ArgumentTypeError(f"{text!r} is not a finite number above 0")
    return value


def run(options: Namespace) -> int:
    from posenc.check.expect import base_of, is_expected
    from posenc.check.judge import diagnose
    from posenc.check.readers import read
    from posenc.check.sentences import say, visible
    from posenc.check.text import Unreadable

    if isinstance(sys.stdout, TextIOWrapper):  # a console of few characters shows ? for the others
        sys.stdout.reconfigure(errors="replace")
    try:
        found = read(options.file, options.name)
    except Unreadable as error:
        reason = say(f"error.{error.key}", error.numbers)
        if options.json:
            print(_json({"error": error.key, "message": reason, "file": str(options.file)}))
        print(f"{visible(str(options.file))}: {reason}", file=sys.stderr)
        return UNREADABLE
    base = options.base if options.expect is None else base_of(options.expect, options.base)
    diagnosis = diagnose(found.array, base=base, tolerance=options.tolerance)
    expected = options.expect is None or is_expected(diagnosis, options.expect)
    if options.json:
        told = _json(_record(options, diagnosis, expected), indent=2)
    else:
        told = _report(options, diagnosis, expected, base, found.without)
    try:
        print(told, flush=True)
    except BrokenPipeError:  # whoever reads has read enough; the exit code still tells
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK if diagnosis.accepted and expected else REJECTED


def _json(record: dict[str, Any], indent: int | None = None) -> str:
    """JSON whose strings keep their letters, but for those that would steer a terminal."""
    from posenc.check.sentences import visible

    text = json.dumps(record, indent=indent, ensure_ascii=False, allow_nan=False)
    return "\n".join(map(visible, text.split("\n")))


def _record(options: Namespace, diagnosis: Any, expected: bool) -> dict[str, Any]:
    from posenc.check.sentences import lines, verdict

    record = {"file": str(options.file), **diagnosis.record()}
    if options.expect is not None:
        record |= {"expect": options.expect, "expected": expected}
    said = [verdict(diagnosis), *lines(diagnosis)]
    return record | {"words": [{"label": line.label, "text": line.text} for line in said]}


def _report(options: Namespace, diagnosis: Any, expected: bool, base: float | None, without: str) -> str:
    from posenc.check.sentences import Line, lines, say, verdict

    rows, columns = diagnosis.shape
    head = say("head", {"name": options.file.name, "rows": rows, "columns": columns})
    said = [*lines(diagnosis)]
    if without:
        said.insert(0, Line(say("label.read"), say(f"read.{without}")))
    if not expected:
        key = "base" if base is not None else "other"
        said.insert(
            0, Line(say("label.expected"), say(f"expected.{key}", {"wanted": options.expect, "base": base}), "bad")
        )
    first = verdict(diagnosis)
    return "\n".join(["", f"  {head}", "", _first(first), "", *map(_line, said), ""])


def _first(line: Any) -> str:
    """The verdict, and what it is beside or below it."""
    return f"  {_coloured(line.label.upper(), line.mood)}\n{_wrapped(line.text, '  ')}"


def _line(line: Any) -> str:
    label = line.label.rjust(_LABEL)
    indent = " " * (_LABEL + 2)
    return f"{_coloured(label, line.mood)}  {_wrapped(line.text, indent).lstrip()}"


def _wrapped(text: str, indent: str) -> str:
    width = max(min(shutil.get_terminal_size((_WIDTH, 24)).columns, _WIDTH), 40)
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _coloured(text: str, mood: str) -> str:
    if mood not in _COLOURS or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLOURS[mood]}m{text}\x1b[0m"
