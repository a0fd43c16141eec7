"""How the windows write a number whose form depends on its size."""

from posenc.web import format

NONE = "—"


def length(x: float) -> str:
    """A wavelength: fewer decimals the longer it is."""
    if not 1e-3 <= x < 1e9:
        return format.sci(x)
    return format.fixed(x, 3 if x < 100 else 1 if x < 1e5 else 0)


def short(x: float) -> str:
    """At most four significant places, for narrow columns; what would end in .000 is whole."""
    if 1e-2 <= abs(x) < 100:
        return format.bare(format.fixed(x, 3))
    if 100 <= abs(x) < 1e6:
        return format.bare(format.fixed(x, 1))
    return "0" if x == 0 else format.sci(x, 0)


def span(low: float, high: float) -> str:
    """From one number to another; written alike, they are one number."""
    written = short(low), short(high)
    return written[0] if written[0] == written[1] else format.span(*written)
