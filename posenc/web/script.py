"""Values for scripts: JSON that is safe inside a <script> element."""

import json
import math
from typing import Any

from markupsafe import Markup

_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def script_json(value: Any) -> Markup:
    """Compact JSON without any character that could end the element; NaN and ∞ are refused."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_UNSAFE))


def finite(x: float) -> float | None:
    """JSON has no NaN and no ∞: null stands for both."""
    return x if math.isfinite(x) else None
