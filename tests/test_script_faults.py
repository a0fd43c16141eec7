"""faults.js, run in the browser, against posenc/faults.py."""

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc import Config
from posenc.engine import encode
from posenc.faults import FAULTS, raw_index

NEAR, FAR = 1e-12, 1e-11  # Math.pow and NumPy's power differ in the last bits, which a far position multiplies
CONFIGS = [Config(), Config(d_model=2), Config(d_model=6, base=3.0), Config(d_model=64, base=1e7), Config(base=1.0)]
ROW = "([name, position, config]) => Array.from(posenc.faults.rows[name](position, config))"


def as_json(config: Config) -> dict[str, float]:
    return {"d_model": config.d_model, "n_positions": config.n_positions, "base": config.base}


def test_the_script_offers_pythons_faults_in_pythons_order(scripts: Page) -> None:
    assert scripts.evaluate("posenc.faults.names") == list(FAULTS)
    assert scripts.evaluate("Object.keys(posenc.faults.rows)") == list(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_script_plants_the_same_rows(scripts: Page, name: str, config: Config) -> None:
    rows = scripts.evaluate(
        """([name, config]) => Array.from({ length: config.n_positions },
            (_, position) => Array.from(posenc.faults.rows[name](position, config)))""",
        [name, as_json(config)],
    )
    np.testing.assert_allclose(rows, FAULTS[name].table(config), rtol=0, atol=NEAR)


@pytest.mark.parametrize("name", FAULTS)
def test_far_rows_are_the_same_too(scripts: Page, name: str) -> None:
    config = Config()
    for position in (255, 256, 257, 258, 259, 511, 513, 1023, 2047):
        row = scripts.evaluate(ROW, [name, position, as_json(config)])
        expected = FAULTS[name].rows(np.array([float(position)]), config)[0]
        np.testing.assert_allclose(row, expected, rtol=0, atol=FAR, err_msg=str(position))


def test_a_row_depends_on_no_row_before_it_and_is_the_readers_to_keep(scripts: Page) -> None:
    """Two widths and bases by turns, as when a slider moves; and a row that is written over stays the caller's own."""
    seen = scripts.evaluate(
        """() => {
            const [one, other] = [{ d_model: 4, base: 100 }, { d_model: 6, base: 3 }];
            const first = posenc.faults.rows.exponent(7, one);
            posenc.faults.rows.exponent(7, other).fill(0);
            const again = posenc.faults.rows.exponent(7, one);
            return [String(first) === String(again), first !== again];
        }"""
    )
    assert seen == [True, True]


def test_the_halves_are_put_back_by_the_same_columns(scripts: Page) -> None:
    mend = FAULTS["halves"].mend
    assert mend is not None
    for d_model in (2, 4, 16, 30):
        config = Config(d_model=d_model)
        assert scripts.evaluate("(c) => posenc.faults.mend.halves(c)", as_json(config)) == mend(config).tolist()


def test_the_raw_index_is_still_there_as_a_whole_table(scripts: Page) -> None:
    planted = scripts.evaluate(
        "(config) => posenc.faults.rawIndex(config).map((row) => Array.from(row))", {"d_model": 6, "n_positions": 9}
    )
    assert planted == raw_index(Config(d_model=6, n_positions=9, probes=(0, 1))).tolist()


def test_no_fault_is_the_encoding_and_one_that_were_would_be_seen(scripts: Page) -> None:
    config = Config()
    true = encode([300], config.d_model)[0]
    for name in FAULTS:
        row = scripts.evaluate(ROW, [name, 301 if name == "bfloat16" else 300, as_json(config)])
        assert not np.allclose(row, true if name != "bfloat16" else encode([301], 16)[0], atol=1e-6), name
