"""graveyard.js, run in the browser, against the numbers that the build writes."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from posenc import Config, graveyard
from posenc.web.windows import graveyard as window
from tests.browser import slowness

CONFIGS = [
    Config(),
    Config(probes=(40, 5)),
    Config(probes=(7, 7)),
    Config(d_model=2),
    Config(d_model=4, base=50.0),
    Config(d_model=64, n_positions=256, probes=(0, 255)),
    Config(d_model=128, n_positions=2048, base=1e7, probes=(2047, 3)),
    Config(d_model=512, n_positions=100),
    Config(n_positions=1, probes=(0, 0)),
    Config(base=1.0),
    Config(base=0.5),
]


def asked(config: Config) -> list[Any]:
    shape = {"d_model": config.d_model, "n_positions": config.n_positions, "base": config.base}
    return [{**shape, "tolerance": config.tolerance}, list(config.probes), window.data()]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_script_writes_every_number_as_the_build_does(scripts: Page, config: Config) -> None:
    assert scripts.evaluate("(given) => posenc.graveyard(...given)", asked(config)) == window.live(config)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_script_says_of_the_same_claims_that_they_stand(scripts: Page, config: Config) -> None:
    standing = scripts.evaluate("(given) => posenc.graveyard.standing(...given)", asked(config))
    assert standing == [grave.name for grave in graveyard.graves(config) if not grave.refuted]


def test_another_width_base_and_position_are_seen(scripts: Page) -> None:
    written = scripts.evaluate("(given) => posenc.graveyard(...given)", asked(Config()))
    for other in (Config(d_model=18), Config(base=9999.0), Config(probes=(5, 41)), Config(n_positions=63)):
        assert scripts.evaluate("(given) => posenc.graveyard(...given)", asked(other)) != written, other
    closer = replace(Config(), probes=(6, 40))
    assert scripts.evaluate("(given) => posenc.graveyard(...given)", asked(closer))["grave.angle-k"] == "34"


def test_the_graveyard_is_written_within_a_frame(scripts: Page) -> None:
    """At the widest table: the least of a few, as other work on the machine only adds."""
    slow = slowness(scripts)
    times = scripts.evaluate(
        """(given) => Array.from({ length: 7 }, () => {
            const start = performance.now();
            posenc.graveyard(...given);
            return performance.now() - start;
        })""",
        asked(Config(d_model=512, n_positions=128)),
    )
    assert min(times) < 16 * slow
