"""What the build tells: one line a step with its time, errors on stderr, or one JSON object."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from typing import Any

_GREEN, _RED, _YELLOW, _PLAIN = "\033[32m", "\033[31m", "\033[33m", "\033[0m"
_WIDTH = 84


@dataclass
class Console:
    """Kept for one build: how much to say, and what was found on the way for the JSON object."""

    quiet: bool = False
    verbose: bool = False
    color: str = "auto"
    json: bool = False
    result: dict[str, Any] = field(default_factory=dict)
    begun: float = field(default_factory=time.perf_counter)

    @contextmanager
    def step(self, name: str) -> Iterator[Callable[..., None]]:
        """Times a step; the words that it tells are shown when it ends well."""
        begun = time.perf_counter()
        words: list[str] = []
        yield lambda *told: words.extend(told)
        took = (time.perf_counter() - begun) * 1000
        text = " ".join(words)
        self.say(f"{name:8s} {text:{_WIDTH - 9}s} {took:5.0f} ms")

    def say(self, text: str) -> None:
        if not self.quiet and not self.json:
            self._write(text)

    def detail(self, text: str) -> None:
        if self.verbose:
            self.say(text)

    def warn(self, text: str) -> None:
        self.result.setdefault("warnings", []).append(text)
        if not self.json:
            print(self._painted(text, _YELLOW, sys.stderr), file=sys.stderr)

    def done(self, text: str) -> int:
        """The end of a build that went well."""
        self.say(f"{self._painted('ok', _GREEN, sys.stdout)}       {text}")
        return self._end(0)

    def failed(self, code: int, text: str, **found: Any) -> int:
        """The end of one that did not."""
        self.result.update(found)
        if self.json:
            self.result["error"] = text
        else:
            print(self._painted(text, _RED, sys.stderr), file=sys.stderr)
        return self._end(code)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    def _end(self, code: int) -> int:
        if self.json:
            self._write(json.dumps({"ok": code == 0, "code": code, **self.result}, ensure_ascii=False, indent=2))
        return code

    def _write(self, text: str) -> None:
        """A reader who has gone away (`| head -1`, a full disk) does not undo what was done."""
        try:
            print(text, flush=True)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _painted(self, text: str, paint: str, stream: Any) -> str:
        wanted = self.color == "always" or (
            self.color == "auto" and stream is not None and stream.isatty() and not os.environ.get("NO_COLOR")
        )
        return f"{paint}{text}{_PLAIN}" if wanted else text


def speak_plainly() -> None:
    """A terminal without UTF-8 gets an escape for a sign that it lacks, not a failed build."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
