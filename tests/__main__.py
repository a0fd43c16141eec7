"""`python3 -m tests`: the whole suite on every core, a real browser included; arguments go to pytest."""

import os
import sys

from posenc import bootstrap

WORKERS = (os.cpu_count() or 1) + 1  # tests wait for what pages put off, and leave a core idle meanwhile
EVERY_CORE = ["-n", str(WORKERS), "--dist", "worksteal"]
QUICK = ["-m", "not long"]


def main(arguments: list[str]) -> int:
    bootstrap.ensure(extra="test")
    import pytest

    from tests.browser import located

    try:
        os.environ["POSENC_BROWSER"] = str(located())  # found once, for all workers
    except pytest.exit.Exception as end:
        print(end.msg, file=sys.stderr)
        return bootstrap.ENVIRONMENT_ERROR
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # builds are as quick as a user's, who keeps what was compiled
    return int(pytest.main([*EVERY_CORE, *QUICK, *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
