"""The explainer's parts, a module each: `numbers` for the words, `figure` for the template, `data` for the script.

`figure` is how the figure stands before a script touches it; `data` is only what the script cannot compute.
"""

from posenc.web.parts import address, coda, count, order, questions, stack, sum, turn, wave

__all__ = ["address", "coda", "count", "order", "questions", "stack", "sum", "turn", "wave"]
