"""`python3 -m tests.audit`: the long audits, which may need npm and Java. They never belong to the two commands.

The Nu HTML Checker reads every page of fresh builds. Its reader of style sheets is years behind the standard, so css
is left to the browsers of the suite.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from posenc import bootstrap

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("index.html", "instrument.html", "404.html")
BUILDS: dict[str, list[str]] = {
    "as it is": [],
    "small": ["--d-model", "2", "--positions", "1"],
    "live": ["--base-url", "https://example.org/posenc/"],
    "single": ["--single-file"],
}


def main() -> int:
    bootstrap.ensure()
    needed = {"npm": "Node.js with npm", "java": "a Java runtime, 11 or newer"}
    missing = [f"{name} ({what})" for name, what in needed.items() if shutil.which(name) is None]
    if missing:
        bootstrap.stop(
            f"the audits need {' and '.join(missing)}\non Debian: sudo apt-get install npm default-jre-headless"
        )
    with tempfile.TemporaryDirectory() as folder:
        jar = nu_checker(Path(folder) / "npm")
        found = [audit(name, flags, jar, Path(folder)) for name, flags in BUILDS.items()]
    return max(found)


def nu_checker(folder: Path) -> Path:
    folder.mkdir()
    command: list[str | Path] = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", folder, "vnu-jar"]
    if not bootstrap.run(command):
        bootstrap.stop("the Nu HTML Checker (npm package vnu-jar) could not be installed (see above)")
    return next(folder.rglob("vnu.jar"))


def audit(name: str, flags: list[str], jar: Path, folder: Path) -> int:
    site = folder / name.replace(" ", "-")
    subprocess.run([sys.executable, ROOT / "build.py", "-q", "--out", site, *flags], check=True)
    pages = [site / page for page in PAGES]
    result = subprocess.run(["java", "-jar", jar, "--errors-only", "--filterpattern", ".*CSS: .*", *pages], check=False)
    print(f"{'passed' if result.returncode == 0 else 'FAILED'}  Nu HTML Checker, site {name}")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
