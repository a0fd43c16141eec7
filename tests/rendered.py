"""The site in memory, as `render` makes it, for tests of what is done to it afterwards."""

from functools import cache

from posenc.config import Config
from posenc.engine import encode
from posenc.proof import prove
from posenc.web import golive
from posenc.web.pages import render
from tests.checkout import ROOT

Files = dict[str, bytes]
BASE_URL = "https://example.org/posenc/"


@cache
def _rendered(base_url: str | None) -> Files:
    config = Config()
    table = encode(range(config.n_positions), config.d_model, config.base)
    files = render(ROOT, config, table, prove(table, config), base_url=base_url).files
    return golive.grounded(files, golive.lost_style(ROOT), golive.theme(ROOT))


def rendered(base_url: str | None = None) -> Files:
    return dict(_rendered(base_url))


def pages(files: Files) -> dict[str, str]:
    return {name: data.decode() for name, data in files.items() if name.endswith(".html")}
