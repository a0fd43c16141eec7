"""What work in this process costs, told so that it can be held to a bound on any machine."""

import math
import time
from collections.abc import Callable

RUNS = 3
UNDISTURBED = 0.015  # s of processor that the yardstick takes where the bounds were measured, with nothing else to do


def processor(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def yardstick() -> float:
    return sum(math.sin(i) for i in range(200_000))


def cost(work: Callable[[], object]) -> float:
    """Seconds of processor, the least of a few runs, as other work on the machine only adds; fewer where the machine
    takes longer for the yardstick between the runs than the one where the bounds were measured."""
    runs = [(processor(work), processor(yardstick)) for _ in range(RUNS)]
    taken = min(taken for taken, _ in runs)
    known = min(known for _, known in runs)
    return taken / max(1.0, known / UNDISTURBED)
