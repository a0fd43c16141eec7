"""`python3 -m posenc prove` proves a table of any length, streaming; `python3 -m posenc check FILE` judges your own."""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict
from importlib.util import find_spec

from posenc import bootstrap
from posenc.check import command
from posenc.config import Config

PROVED, WRONG_USAGE, BROKEN, INTERRUPTED = 0, 2, 3, 130
TOLERANCES = {"float64": Config().tolerance, "float32": 1e-6}
"""What a table may miss by its storage alone: float32 rounds each value by up to 3e-8."""


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    if options.command == "check":
        if find_spec("numpy") is None:  # all that it needs; an installed package has no pyproject.toml to ask
            bootstrap.ensure()
        return command.run(options)
    bootstrap.ensure()
    from posenc.claims import record
    from posenc.linear import prove_generated

    try:
        config = Config(
            d_model=options.d_model,
            n_positions=options.positions,
            base=options.base,
            probes=(0, 0),
            tolerance=TOLERANCES[options.dtype],
            start=options.start,
        )
        proof = prove_generated(config, options.dtype, progress(config.n_positions))
    except ValueError as error:
        if options.json:
            print(json.dumps({"error": str(error)}, ensure_ascii=False))
        print(f"error: {error}", file=sys.stderr)
        return WRONG_USAGE
    if options.json:
        result = {"config": asdict(config), "holds": proof.holds, "invariants": [*map(record, proof.invariants)]}
        print(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        for claim in proof.invariants:
            print(f"{'holds' if claim.holds else 'BROKEN'}  {claim}  ({claim.method})")
    return PROVED if proof.holds else BROKEN


def parse(arguments: list[str] | None) -> Namespace:
    usual = Config()
    parser = ArgumentParser(prog="posenc", description="The sinusoidal positional encoding and its proof.")
    commands = parser.add_subparsers(dest="command", required=True)
    prove = commands.add_parser(
        "prove",
        allow_abbrev=False,
        help="prove the invariants of the table that posenc makes",
        description="Makes the table row by row and proves its invariants in n steps, in bounded memory.",
        epilog="Exit codes: 0 every invariant holds; 2 usage; 3 an invariant is broken; 5 environment.",
    )
    add = prove.add_argument
    add("--positions", type=int, default=usual.n_positions, metavar="N", help=f"rows ({usual.n_positions})")
    add("--d-model", type=int, default=usual.d_model, metavar="D", help=f"columns, even ({usual.d_model})")
    add("--base", type=float, default=usual.base, metavar="B", help=f"B in ω_i = 1 / B^(2i/D) ({usual.base:g})")
    add("--start", type=int, default=usual.start, metavar="P", help=f"the first position ({usual.start})")
    add("--dtype", choices=sorted(TOLERANCES), default="float64", help="how the table is stored (float64)")
    add("--json", action="store_true", help="print one JSON object")
    command.add_to(commands)
    return parser.parse_args(arguments)


def progress(n_positions: int) -> Callable[[int], None]:
    """A line that counts rows on a terminal; silence elsewhere."""
    if not sys.stderr.isatty():
        return lambda done: None
    shown = -1

    def show(done: int) -> None:
        nonlocal shown
        percent = 100 * done // n_positions
        if percent != shown:
            shown = percent
            end = "\n" if done == n_positions else ""
            print(f"\r{percent:3d} %  {done:,} of {n_positions:,} rows", end=end, file=sys.stderr, flush=True)

    return show


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        os._exit(INTERRUPTED)  # without waiting for the threads to finish their rows
