"""One state per page: whatever a reader does, and with whatever hand, every view shows the same.

tests/agreement.py says what each view must show; it shares nothing with the page. tests/reader.py is the hand.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import violations, watch
from tests.reader import PAGES, Reader

STATES = 100
RELOADED = 10  # every so many states, the link is opened in another page
WAYS = {"slide": 5, "press": 3, "type": 6, "click": 4, "arrows": 2, "pick": 4, "go": 1}


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A second page, as of another reader."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles = watch(page)
    yield page
    troubles += violations(page)
    context.close()
    assert troubles == []


@pytest.mark.parametrize("name", PAGES)
def test_through_a_hundred_random_states_every_view_agrees(page: Page, other: Page, site: Path, name: str) -> None:
    reader, second = Reader(page, name, site, seed=5), Reader(other, name, site)
    assert reader.disagreements() == [], "at load"
    done: Counter[str] = Counter()
    while done.total() < STATES:
        (way,) = reader.random.choices(list(WAYS), weights=list(WAYS.values()))
        what = getattr(reader, way)()
        if not what:
            continue
        done[way] += 1
        assert reader.disagreements() == [], f"after {done.total()}, {what}: {reader.state}"
        if done.total() % RELOADED == 0:
            second.open(reader.link())
            second.state = reader.state
            assert second.disagreements() == [], f"opened anew: {reader.link()}"
    assert set(done) == set(WAYS), done
