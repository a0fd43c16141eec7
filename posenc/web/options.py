"""What the build was asked to do: flags, then POSENC_* variables, then [tool.posenc] in pyproject.toml, then defaults.

Standard library only, so that --help answers at once.
"""

import difflib
import json
import os
import tomllib
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posenc.config import Config
from posenc.web.address import site_address

ROOT = Path(__file__).resolve().parents[2]
FOREIGN_VARIABLES = {"POSENC_NO_VENV", "POSENC_BROWSER"}  # of the bootstrap and of the tests
DEFAULT_PORT = 8000

EXIT_CODES = """\
exit codes: 0 built; 1 the words, a link or a template are wrong; 2 usage or a refused output; 3 an invariant is
broken; 5 environment; 130 interrupted. After any failure the old site stands.

Each setting can also stand in pyproject.toml, under [tool.posenc] (base-url = "…"), or in the environment
(POSENC_BASE_URL=…). A flag wins over a variable, a variable over the file, the file over the default."""


class UsageError(Exception):
    """The build was asked for what it cannot do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting that flags, variables and the file share."""

    name: str
    kind: Callable[[str], Any]
    default: Any
    metavar: str
    help: str

    @property
    def key(self) -> str:
        return self.name.replace("-", "_")

    @property
    def variable(self) -> str:
        return f"POSENC_{self.key.upper()}"


def truth(text: str) -> bool:
    """Yes or no, as people write it in variables."""
    answers = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in answers:
        raise ArgumentTypeError(f"invalid truth value: {text!r} (yes or no)")
    return answers[text.lower()]


def two_integers(text: str) -> tuple[int, int]:
    parts = text.replace(",", " ").split()
    if len(parts) != 2:
        raise ValueError(text)
    return int(parts[0]), int(parts[1])


def colouring(text: str) -> str:
    if text not in ("auto", "always", "never"):
        raise ArgumentTypeError(f"invalid choice: {text!r} (auto, always or never)")
    return text


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise ArgumentTypeError(f"invalid port: {text!r} (0 to 65535)")
    return int(text)


def _address(text: str) -> str:
    try:
        return site_address(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _folder(text: str) -> Path:
    if not text.strip():
        raise ArgumentTypeError("names no folder: '' (. is the current one)")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ArgumentTypeError(f"a folder's name that is not UTF-8: {text!r}") from None
    return Path(text)


_USUAL = Config()
SETTINGS: tuple[Setting, ...] = (
    Setting("out", _folder, ROOT / "site", "DIR", "output folder (site/)"),
    Setting("d-model", int, _USUAL.d_model, "D", f"columns of the table, even ({_USUAL.d_model})"),
    Setting("positions", int, _USUAL.n_positions, "N", f"rows, for positions 0 … N−1 ({_USUAL.n_positions})"),
    Setting("base", float, _USUAL.base, "B", f"B in ω_i = 1 / B^(2i/D), above 0 ({_USUAL.base:g})"),
    Setting("probes", two_integers, _USUAL.probes, "A B", "two positions to mark ({} {})".format(*_USUAL.probes)),
    Setting("base-url", _address, None, "URL", "where the site will live: adds canonical links, a card, a sitemap"),
    Setting("plotly", Path, None, "FILE", "an official smaller plotly.js bundle instead of the package's own"),
    Setting("headers", truth, False, "", "write _headers for Netlify and Cloudflare Pages"),
    Setting("gzip", truth, False, "", "write a compressed copy beside each text file"),
    Setting("single-file", truth, False, "", "write each page as one self-contained file"),
    Setting("draft", truth, False, "", "slips in the words become warnings, and the pages ask not to be indexed"),
    Setting("color", colouring, "auto", "WHEN", "auto, always or never (auto)"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that was asked for; `origins` tells for each setting where its value came from."""

    out: Path
    d_model: int
    positions: int
    base: float
    probes: tuple[int, int]
    base_url: str | None
    plotly: Path | None
    headers: bool
    gzip: bool
    single_file: bool
    draft: bool
    color: str
    tamper: bool
    check: bool
    force: bool
    serve: int | None
    open: bool
    quiet: bool
    verbose: bool
    json: bool
    print_config: bool
    version: bool
    origins: Mapping[str, str]


def read(arguments: list[str] | None, environment: Mapping[str, str] = os.environ, root: Path = ROOT) -> Options:
    """The options of a command line. Bad flags end the program as argparse does; the rest raises UsageError."""
    flags = _parser().parse_args(arguments)
    _refuse_unknown_variables(environment)
    file = _file(root)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for setting in SETTINGS:
        values[setting.key], origins[setting.key] = _value(setting, flags, environment, file)
    switches = ("tamper", "check", "force", "open", "quiet", "verbose", "json", "print_config", "version")
    if flags.serve is not None and (flags.check or flags.json or flags.quiet):
        raise UsageError("--serve tells its address and writes the site: it goes with none of --check, --json, --quiet")
    return Options(**values, **{name: getattr(flags, name) for name in switches}, serve=flags.serve, origins=origins)


def without_serving(arguments: list[str]) -> list[str]:
    """The same command line for the builds that a server starts: with neither --serve nor --open."""
    kept = list(arguments)
    for flag in ("--open", "--serve"):
        while flag in kept:
            place = kept.index(flag)
            width = 2 if flag == "--serve" and kept[place + 1 : place + 2] and kept[place + 1].isdigit() else 1
            del kept[place : place + width]
    return [argument for argument in kept if not argument.startswith("--serve=")]


def configure(options: Options) -> Config:
    """The Config that was asked for; probes that nobody chose move into a short table."""
    first, second = options.probes
    if options.origins["probes"] == "default":
        last = max(options.positions - 1, 0)
        first, second = (min(probe, last) for probe in options.probes)
        first, second = (first, second) if first < second else (0, last)
    try:
        return Config(options.d_model, options.positions, options.base, (first, second))
    except ValueError as error:
        raise UsageError(error) from error


def shown(options: Options) -> str:
    """Every setting with its value and where it came from, as TOML that pyproject.toml would take."""
    lines = ["[tool.posenc]"]
    for setting in SETTINGS:
        value = getattr(options, setting.key)
        text = _toml(value) if value is not None else '""'
        lines.append(f"{'' if value is not None else '# '}{setting.name} = {text}  # {options.origins[setting.key]}")
    return "\n".join(lines)


def version(root: Path = ROOT) -> str:
    """From pyproject.toml, its one home."""
    return str(_pyproject(root)["project"]["version"])


def _parser() -> ArgumentParser:
    from argparse import RawDescriptionHelpFormatter

    parser = ArgumentParser(
        prog="build.py",
        description="Checks the invariants of the sinusoidal positional encoding and writes the site.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for setting in SETTINGS:
        _add(parser, setting)
    add = parser.add_argument
    add("--tamper", action="store_true", help="plant the fault PE = pos: the build must fail with exit 3")
    add("--check", action="store_true", help="do everything but write")
    add("--force", action="store_true", help="replace files of the site that were edited by hand")
    serve = f"serve the site on 127.0.0.1, rebuild and reload on every change ({DEFAULT_PORT})"
    add("--serve", type=_port, nargs="?", const=DEFAULT_PORT, metavar="PORT", help=serve)
    add("--open", action="store_true", help="open the site in a browser")
    add("-q", "--quiet", action="store_true", help="say nothing but errors")
    add("-v", "--verbose", action="store_true", help="name every changed file, and show tracebacks")
    add("--json", action="store_true", help="tell the outcome as one JSON object")
    add("--print-config", action="store_true", help="print every setting and where it came from")
    add("--version", action="store_true", help="print the version")
    return parser


def _add(parser: ArgumentParser, setting: Setting) -> None:
    if setting.kind is truth:
        parser.add_argument(f"--{setting.name}", action=BooleanOptionalAction, default=None, help=setting.help)
    elif setting.kind is two_integers:
        names = tuple(setting.metavar.split())
        parser.add_argument(f"--{setting.name}", type=int, nargs=2, metavar=names, help=setting.help)
    else:
        parser.add_argument(f"--{setting.name}", type=setting.kind, metavar=setting.metavar, help=setting.help)


def _value(
    setting: Setting, flags: Namespace, environment: Mapping[str, str], file: Mapping[str, Any]
) -> tuple[Any, str]:
    flag = getattr(flags, setting.key)
    if flag is not None:
        return (tuple(flag) if isinstance(flag, list) else flag), f"--{setting.name}"
    if setting.variable in environment:
        return _converted(setting, environment[setting.variable], setting.variable), setting.variable
    if setting.name in file:
        value = file[setting.name]
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        return _converted(setting, text, f"pyproject.toml, {setting.name}"), "pyproject.toml"
    return setting.default, "default"


def _converted(setting: Setting, text: str, where: str) -> Any:
    try:
        return setting.kind(text)
    except (ValueError, ArgumentTypeError) as error:
        said = error if isinstance(error, ArgumentTypeError) else f"invalid value: {text!r}"
        raise UsageError(f"{where}: {said}") from None


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = {setting.variable for setting in SETTINGS} | FOREIGN_VARIABLES
    for name in sorted(environment):
        if name.startswith("POSENC_") and name not in known:
            raise UsageError(f"unknown variable {name}{_hint(name, known)}")


def _pyproject(root: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"pyproject.toml: {error}") from None


def _file(root: Path) -> dict[str, Any]:
    table = _pyproject(root).get("tool", {}).get("posenc", {})
    known = {setting.name for setting in SETTINGS}
    for name in table:
        if name not in known:
            raise UsageError(f"pyproject.toml: unknown key {name} in [tool.posenc]{_hint(name, known)}")
    return dict(table)


def _hint(name: str, known: set[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)
    return f"; did you mean {close[0]}?" if close else ""


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value) if isinstance(value, (int, float)) else json.dumps(str(value), ensure_ascii=False)
