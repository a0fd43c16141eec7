"""`python3 -m tests.audit`: the long audits, which need npm and Java. They never belong to the two commands.

The long tests are those that `python3 -m tests` leaves out. The Nu HTML Checker reads every page of fresh builds. Its
reader of style sheets is years behind the standard, so css is left to the browsers of the suite. Lighthouse opens both
pages as a phone on a slow network would; its reports are left in audit/.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

from posenc import bootstrap

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "audit"
PAGES = ("index.html", "instrument.html", "404.html")
BUILDS: dict[str, list[str]] = {
    "as it is": [],
    "small": ["--d-model", "2", "--positions", "1"],
    "live": ["--base-url", "https://example.org/posenc/"],
    "single": ["--single-file"],
}
LIGHTHOUSE = "lighthouse@12.8.2"  # the last that runs on Node 20
RUNS, LEAST = 5, 99
CHROMIUM = "--headless=new --disable-gpu --disable-background-networking"


def main() -> int:
    bootstrap.ensure(extra="test")
    needed = {"npm": "Node.js with npm", "java": "a Java runtime, 11 or newer"}
    missing = [f"{name} ({what})" for name, what in needed.items() if shutil.which(name) is None]
    if missing:
        bootstrap.stop(
            f"the audits need {' and '.join(missing)}\non Debian: sudo apt-get install npm default-jre-headless"
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jar = next(installed("vnu-jar", "the Nu HTML Checker", folder / "nu").rglob("vnu.jar"))
        alone = ["-m", "long", "-n", "1"]  # some have bounds in milliseconds
        long = subprocess.run([sys.executable, "-m", "tests", *alone], cwd=ROOT, check=False)
        found = [told(long.returncode == 0, "the long tests")]
        found += [read_strictly(name, flags, jar, folder) for name, flags in BUILDS.items()]
        found += list(listen(folder / "as-it-is"))
        lighthouse = installed(LIGHTHOUSE, "Lighthouse", folder / "lighthouse") / "node_modules/.bin/lighthouse"
        with served(folder / "served") as address:
            found += [look_over(f"{address}{page}", lighthouse) for page in ("", "instrument.html")]
    return max(found)


def installed(package: str, name: str, folder: Path) -> Path:
    """The folder into which npm has put a package."""
    folder.mkdir()
    command: list[str | Path] = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", folder, package]
    if not bootstrap.run(command):
        bootstrap.stop(f"{name} (npm package {package}) could not be installed (see above)")
    return folder


def build(out: Path, flags: list[str]) -> None:
    subprocess.run([sys.executable, ROOT / "build.py", "-q", "--out", out, *flags], check=True)


def told(passed: bool, what: str) -> int:
    print(f"{'passed' if passed else 'FAILED'}  {what}", flush=True)
    return 0 if passed else 1


def read_strictly(name: str, flags: list[str], jar: Path, folder: Path) -> int:
    """The Nu HTML Checker on every page of a build."""
    site = folder / name.replace(" ", "-")
    build(site, flags)
    pages = [site / page for page in PAGES]
    result = subprocess.run(["java", "-jar", jar, "--errors-only", "--filterpattern", ".*CSS: .*", *pages], check=False)
    return told(result.returncode == 0, f"Nu HTML Checker, site {name}")


def listen(site: Path) -> Iterator[int]:
    """axe-core on each page, clean and tampered, in light and dark, wide and narrow."""
    from tests.browser import chromium
    from tests.test_access_page import GRID, everywhere

    with chromium() as browser:
        page = browser.new_page()
        for name in PAGES:
            for query in ("", "?tamper=raw") if name == "instrument.html" else ("",):
                page.goto((site / name).as_uri() + query)
                page.wait_for_timeout(1000)
                slips = everywhere(page, places=GRID)
                print("\n".join(slips), end="\n" if slips else "")
                yield told(not slips, f"axe-core, {name}{query}")


class Compressed(SimpleHTTPRequestHandler):
    """Serves what `--gzip` left beside each file, as the README's hosts do."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        asked = Path(self.translate_path(self.path))
        file = asked / "index.html" if asked.is_dir() else asked
        beside = file.with_name(f"{file.name}.gz")
        if not beside.is_file():
            super().do_GET()
            return
        data = beside.read_bytes()
        self.send_response(200)
        for header, value in {
            "Content-Type": f"{self.guess_type(file)}; charset=utf-8",
            "Content-Encoding": "gzip",
            "Content-Length": str(len(data)),
        }.items():
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A build for a public host, on this machine only; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Compressed, directory=str(folder))) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        build(folder, ["--gzip", "--base-url", address])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield address
        server.shutdown()


def look_over(address: str, lighthouse: Path) -> int:
    """Lighthouse on one page: the median of some runs, since the machine has other things to do."""
    from tests.browser import located

    REPORTS.mkdir(exist_ok=True)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    runs = []
    for run in range(1, RUNS + 1):
        name = address.rpartition("/")[2].removesuffix(".html") or "index"
        report = REPORTS / f"{name}-{run}"
        flags = f"--chrome-flags={CHROMIUM}{' --no-sandbox' if root else ''}"
        output = ["--quiet", "--output=json", "--output=html", f"--output-path={report}"]
        environment = {**os.environ, "CHROME_PATH": str(located())}
        subprocess.run([lighthouse, address, flags, *output], env=environment, check=True)
        found = json.loads(report.with_name(f"{report.name}.report.json").read_text("utf-8"))
        runs.append({each: 100 * category["score"] for each, category in found["categories"].items()})
    scores = {name: round(median(run[name] for run in runs)) for name in runs[0]}
    said = ", ".join(f"{name} {score}" for name, score in scores.items())
    return told(min(scores.values()) >= LEAST, f"Lighthouse, {address}: {said}; reports in {REPORTS}")


if __name__ == "__main__":
    sys.exit(main())
