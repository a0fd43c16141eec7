"""`python3 -m tests`: the whole suite, a real browser included; arguments go to pytest."""

import sys

from posenc import bootstrap


def main(arguments: list[str]) -> int:
    bootstrap.ensure(extra="test")
    import pytest

    return int(pytest.main(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
