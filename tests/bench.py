"""`python3 -m tests.bench`: how fast the engine is, as ratios measured in one run, beside the peers that are installed.

Every figure is a median over rounds in which all contestants run in turn, so that a machine that slows down slows all.
Results and a chart go to the folder of --out. Nothing here is a test: these machines are shared and noisy.
"""

import argparse
import importlib.util
import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from posenc import bootstrap

SIZE = (65_536, 512)
ROUNDS = 7
BASE = 10000.0
PROOF_WIDTH, PROOF_LENGTHS = 128, (32_768, 65_536, 131_072)
CHART_LENGTHS = (256, 1024, 4096, 16_384, 65_536)
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
CHART_WIDTHS = (64, 256, 1024)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("bench"), metavar="DIR", help="folder for chart and results (bench/)"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of each comparison ({ROUNDS})")
    options = parser.parse_args(arguments)
    bootstrap.ensure(extra="test")
    results: dict[str, Any] = {
        "threads": threads(),
        "fresh": fresh(options.rounds),
        "warm": warm(options.rounds),
        "proof": doubling(options.rounds),
        "build": build_cost(options.rounds),
        "chart": sweep(max(3, options.rounds // 2)),
    }
    tell(results)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "results.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8", newline="\n")
    (options.out / "chart.svg").write_text(chart(results["chart"]), "utf-8", newline="\n")
    print(f"\nresults and chart in {options.out}")
    return 0


def threads() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def medians(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Seconds of each, the median of rounds in which all run in turn after one that does not count."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, run in contestants.items():
            begun = time.perf_counter()
            run()
            if turn:
                times[name].append(time.perf_counter() - begun)
    return {name: statistics.median(taken) for name, taken in times.items()}


def peers(n: int, d: int) -> dict[str, Callable[[], object]]:
    """The table as others make it, new memory each time."""
    import numpy as np

    def textbook(dtype: Any) -> Any:
        position = np.arange(n, dtype=dtype)[:, None]
        divisor = np.exp(np.arange(0, d, 2, dtype=dtype) * dtype(-math.log(BASE) / d))
        table = np.zeros((n, d), dtype)
        table[:, 0::2] = np.sin(position * divisor)
        table[:, 1::2] = np.cos(position * divisor)
        return table

    def halves() -> Any:
        """As Keras and TensorFlow tutorials do: sines beside cosines."""
        angle = np.arange(n)[:, None] / BASE ** (np.arange(d // 2)[None, :] / (d // 2))
        return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)

    found: dict[str, Callable[[], object]] = {
        "textbook numpy float64": lambda: textbook(np.float64),
        "textbook numpy float32": lambda: textbook(np.float32),
        "halves numpy float64": halves,
    }
    try:
        import torch
    except ImportError:
        return found
    torch.set_num_threads(threads())

    def annotated(dtype: Any) -> Any:
        """As the Annotated Transformer does."""
        table = torch.zeros(n, d, dtype=dtype)
        position = torch.arange(0, n, dtype=dtype).unsqueeze(1)
        divisor = torch.exp(torch.arange(0, d, 2, dtype=dtype) * -(math.log(BASE) / d))
        table[:, 0::2] = torch.sin(position * divisor)
        table[:, 1::2] = torch.cos(position * divisor)
        return table

    return {
        **found,
        "PyTorch float64": lambda: annotated(torch.float64),
        "PyTorch float32": lambda: annotated(torch.float32),
    }


def fresh(rounds: int) -> dict[str, float]:
    import numpy as np

    from posenc import table

    n, d = SIZE
    return medians(
        {
            "posenc float64": lambda: table(n, d),
            "posenc float32": lambda: table(n, d, dtype=np.float32),
            "new memory, filled, float64": lambda: np.empty((n, d)).fill(1.0),
            "new memory, filled, float32": lambda: np.empty((n, d), np.float32).fill(1.0),
            **peers(n, d),
        },
        rounds,
    )


def warm(rounds: int) -> dict[str, float]:
    """Into memory that is there already, beside the least that memory allows: filling it with one number."""
    import numpy as np

    from posenc import table

    n, d = SIZE
    double, single = np.zeros((n, d)), np.zeros((n, d), np.float32)
    return medians(
        {
            "fill float64": lambda: double.fill(1.0),
            "posenc float64": lambda: table(n, d, out=double),
            "fill float32": lambda: single.fill(1.0),
            "posenc float32": lambda: table(n, d, dtype=np.float32, out=single),
        },
        rounds,
    )


def doubling(rounds: int) -> dict[str, float]:
    """The proof of a table twice as long."""
    from posenc import Config
    from posenc.linear import prove_generated

    configs = {str(n): Config(d_model=PROOF_WIDTH, n_positions=n) for n in PROOF_LENGTHS}
    return medians({n: partial(prove_generated, config) for n, config in configs.items()}, max(3, rounds // 2))


def build_cost(rounds: int) -> dict[str, float]:
    """The whole build beside the imports that it cannot do without, each with the bytecode that a second run finds."""
    import subprocess
    import tempfile

    root = Path(__file__).resolve().parent.parent
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:

        def run(*command: str) -> None:
            subprocess.run([sys.executable, *command], cwd=root, env=environment, check=True, capture_output=True)

        contestants: dict[str, Callable[[], object]] = {
            "imports": lambda: run("-c", "import numpy, jinja2, markdown"),
            "build": lambda: run("build.py", "--out", str(Path(folder) / "site")),
        }
        for name, command in generators(root, Path(folder)).items():
            contestants[name] = partial(run, *command)
        return medians(contestants, rounds)


def generators(root: Path, folder: Path) -> dict[str, list[str]]:
    """Commands of the installed site generators, each with a project that holds the words of the two pages."""
    words = {name: _words(root / "content" / "en" / f"{name}.md") for name in ("explainer", "instrument")}
    found = {}
    if importlib.util.find_spec("mkdocs"):
        docs = folder / "mkdocs" / "docs"
        docs.mkdir(parents=True)
        for name, text in words.items():
            (docs / f"{'index' if name == 'explainer' else name}.md").write_text(text, "utf-8")
        (docs.parent / "mkdocs.yml").write_text("site_name: words\n", "utf-8")
        found["MkDocs"] = ["-m", "mkdocs", "build", "-q", "-f", str(docs.parent / "mkdocs.yml")]
    if importlib.util.find_spec("pelican"):
        pages = folder / "pelican" / "content" / "pages"
        pages.mkdir(parents=True)
        for name, text in words.items():
            (pages / f"{name}.md").write_text(f"Title: {name}\n\n{text}", "utf-8")
        found["Pelican"] = ["-m", "pelican", str(pages.parent), "-o", str(folder / "pelican" / "output"), "-q"]
    return found


def _words(path: Path) -> str:
    """A content file without its front matter."""
    return path.read_text("utf-8").split("\n---\n", 1)[1]


def sweep(rounds: int) -> dict[str, dict[str, float]]:
    from posenc import table

    made = {}
    for d in CHART_WIDTHS:
        for n in CHART_LENGTHS:
            contestants: dict[str, Callable[[], object]] = {"posenc": partial(table, n, d)}
            contestants.update(
                {name.removesuffix(" float64"): run for name, run in peers(n, d).items() if name.endswith("float64")}
            )
            made[f"{n}×{d}"] = medians(contestants, rounds)
    return made


def tell(results: Mapping[str, Any]) -> None:
    fresh, warm, proof, build = (results[name] for name in ("fresh", "warm", "proof", "build"))
    n, d = SIZE
    print(f"new table of {n:,} × {d}, {results['threads']} threads each; times as ratios to posenc")
    for kind in ("float64", "float32"):
        ours = fresh[f"posenc {kind}"]
        for name, taken in fresh.items():
            if name.endswith(kind) and not name.startswith("posenc"):
                print(f"  {name:28s} {taken / ours:6.2f} ×")
    print("into warm memory, as a ratio to fill(1.0)")
    for kind in ("float64", "float32"):
        print(f"  posenc {kind:17s} {warm[f'posenc {kind}'] / warm[f'fill {kind}']:6.2f} ×")
    print(f"proof of a generated table, d_model {PROOF_WIDTH}, time for twice the rows")
    taken = list(proof.items())
    for (_, before), (rows, after) in pairwise(taken):
        print(f"  {int(rows):24,d} {after / before:6.2f} ×")
    for name in [name for name in build if name != "build"]:
        print(f"build.py, as a ratio to {name:12s} {build['build'] / build[name]:6.2f} ×")


def chart(made: Mapping[str, Mapping[str, float]]) -> str:
    """Time against n, one panel a width, both axes logarithmic: an SVG that needs nothing else."""
    names = list(next(iter(made.values())))
    colours = ("#1d5fa6", "#565b63", "#8a5a00", "#b3261e")
    times = [taken for row in made.values() for taken in row.values()]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    width, height, left = 300, 240, 60

    def x(n: int) -> float:
        first, last = (math.log2(CHART_LENGTHS[end]) for end in (0, -1))
        return left + (width - left - 20) * (math.log2(n) - first) / (last - first)

    def y(seconds: float) -> float:
        return 30 + (height - 70) * (high - math.log10(seconds)) / (high - low)

    drawn = []
    for panel, d in enumerate(CHART_WIDTHS):
        shift = panel * width
        drawn.append(f'<text x="{shift + left}" y="18" font-weight="600">d_model {d}</text>')
        for power in range(low, high + 1):
            drawn.append(f'<path d="M{shift + left} {y(10.0**power):.1f}h{width - left - 20}" stroke="#d3cfc4"/>')
            label = f"10{str(power).translate(SUPERSCRIPT)} s"
            drawn.append(f'<text x="{shift + left - 6}" y="{y(10.0**power) + 4:.1f}" text-anchor="end">{label}</text>')
        for n in CHART_LENGTHS:
            drawn.append(f'<text x="{shift + x(n):.1f}" y="{height - 24}" text-anchor="middle">{n}</text>')
        for name, colour in zip(names, colours, strict=False):
            points = "L".join(f"{shift + x(n):.1f} {y(made[f'{n}×{d}'][name]):.1f}" for n in CHART_LENGTHS)
            drawn.append(f'<path d="M{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for index, (name, colour) in enumerate(zip(names, colours, strict=False)):
        drawn.append(f'<text x="{left + 200 * index}" y="{height - 4}" fill="{colour}">{name}</text>')
    size = f"{width * len(CHART_WIDTHS)} {height}"
    font = 'font-family="system-ui, sans-serif" font-size="11"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {font}>{"".join(drawn)}</svg>\n'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
