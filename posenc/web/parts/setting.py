"""What all parts share: the worked example, its seeded random words and head, and how zero is said."""

from dataclasses import dataclass
from functools import cached_property

from posenc import experiments as lab
from posenc.arrays import Floats
from posenc.attention import Head, seeded_head, seeded_words
from posenc.config import Config
from posenc.engine import frequencies
from posenc.web.format import sci

SEED = 4


@dataclass(frozen=True, eq=False)
class Setting:
    """One table and what belongs to it."""

    config: Config
    table: Floats

    @cached_property
    def omega(self) -> Floats:
        """The table's frequencies."""
        return frequencies(self.config.d_model, self.config.base)

    @cached_property
    def head(self) -> Head:
        """The page's one random head."""
        return seeded_head(self.config.d_model, SEED)

    def words(self, n_words: int) -> Floats:
        """The first of the page's random words."""
        return seeded_words(n_words, self.config.d_model, SEED)


def below(name: str, error: float) -> str:
    """How a page says "zero up to rounding": the bound that the error was found to keep."""
    return sci(lab.negligible(name, error), 0)
