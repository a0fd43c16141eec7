"""The scripts and the list of their texts agree, in both directions."""

import re
from itertools import chain

import pytest

from posenc.check.words import words
from posenc.web.assets import PAGE_SCRIPTS, SCRIPTS
from posenc.web.strings import WANTED
from tests.checkout import ROOT


def script(page: str) -> str:
    """All that a page loads; `site` is what both do."""
    names = (*SCRIPTS, *chain(*PAGE_SCRIPTS.get(page, {}).values()))
    return "\n".join((ROOT / "templates" / "js" / f"{name}.js").read_text("utf-8") for name in names)


@pytest.mark.parametrize(("page", "key"), [(page, key) for page, keys in WANTED.items() for key in keys])
def test_every_text_is_asked_for_by_its_script(page: str, key: str) -> None:
    stem = key.rpartition(".")[0]
    assert f'"{key}"' in script(page) or re.search(rf"strings\.{key}\b", script(page)) or f"`{stem}.${{" in script(page)


@pytest.mark.parametrize("page", WANTED)
def test_every_text_that_a_script_asks_for_is_listed(page: str) -> None:
    asked = set(re.findall(r'(?:\bsay\(\s*|\bstrings\[)"([^"]+)"', script(page)))
    asked |= {key for pair in re.findall(r'\? "([a-z.-]+)" : "([a-z.-]+)"', script(page)) for key in pair if "." in key}
    assert asked
    asked -= {f"check.{key}" for key in words()} if page != "explainer" else set()
    assert asked <= {
        key for each in {page, *(("explainer", "instrument") if page == "site" else ("site",))} for key in WANTED[each]
    }


@pytest.mark.parametrize("page", WANTED)
def test_every_placeholder_is_filled_by_its_script(page: str) -> None:
    for names in WANTED[page].values():
        for name in names:
            assert re.search(rf"\b{name}\b", script(page)), name
