"""The instrument's numbers: each is what its window says it is, for every configuration."""

import math
import re

import numpy as np
import pytest

from posenc.arrays import Floats
from posenc.attention import attend
from posenc.config import Config
from posenc.engine import encode
from posenc.proof import BrokenInvariant, Proof, prove
from posenc.web import instrument

ODD_CONFIGS = (
    Config(d_model=2, n_positions=1, probes=(0, 0)),
    Config(d_model=4, n_positions=2, base=1e6, probes=(0, 1)),
    Config(d_model=8, n_positions=100, base=2.0),
    Config(d_model=64, n_positions=40, base=1.0, probes=(0, 39)),
    Config(d_model=16, n_positions=64, base=0.5),
    Config(d_model=16, n_positions=8, base=1e-3, probes=(0, 7)),
)


def bench(config: Config) -> tuple[Config, Floats, Proof]:
    table = encode(range(config.n_positions), config.d_model, config.base)
    return config, table, prove(table, config)


@pytest.mark.parametrize("config", ODD_CONFIGS, ids=str)
def test_every_configuration_has_all_its_numbers_and_figures(config: Config) -> None:
    config, table, proof = bench(config)
    numbers = instrument.numbers(config, table, proof)
    figures = instrument.figures(config, table)
    assert numbers.keys() == instrument.numbers(*bench(Config())).keys()
    assert figures.keys() == instrument.figures(*bench(Config())[:2]).keys()
    assert not [name for name, value in numbers.items() if "nan" in value or "not a number" in value]


@pytest.mark.parametrize(
    ("config", "slope"),
    [
        (Config(), "falls"),
        (Config(base=0.5), "rises"),
        (Config(base=1.0), "level"),
        (Config(d_model=2), "single"),
    ],
    ids=["above one", "below one", "one", "one pair"],
)
def test_the_ladder_is_described_as_it_is(config: Config, slope: str) -> None:
    assert instrument.figures(*bench(config)[:2])["ladder"] == slope


def test_the_rulers_ticks_stand_a_wavelength_apart() -> None:
    ruler = instrument.figures(*bench(Config())[:2])["ruler"]
    span = float(ruler["span"])
    first = ruler["rules"][0]
    assert np.allclose(np.diff(first.ticks) / 100 * span, 2 * math.pi, atol=1e-2)
    assert [len(rule.ticks) for rule in ruler["rules"]] == [11, 4, 2, 1, 1, 1, 1, 1]


def test_the_ruler_draws_only_as_many_rows_and_ticks_as_can_be_read() -> None:
    wide = instrument.figures(*bench(Config(d_model=512))[:2])["ruler"]["rules"]
    assert [wide[0].pair, wide[-1].pair, len(wide)] == [0, 255, instrument.MOST_RULES]
    steep = instrument.figures(*bench(Config(base=1e-3))[:2])["ruler"]["rules"]
    assert all(len(rule.ticks) <= instrument.MOST_TICKS + 1 for rule in steep)
    assert steep[-1].solid


def test_answers_move_with_their_words_unless_placed_or_masked() -> None:
    moved = instrument.figures(*bench(Config())[:2])["lineage"]
    assert moved.bare.max() < 1e-12
    assert moved.placed.min() > 0.1
    assert moved.masked.max() > 0.1
    assert sorted(moved.order) == [0, 1, 2, 3, 4]
    assert all(word != seat for seat, word in enumerate(moved.order))


def test_the_lineages_numbers_are_those_of_an_attention_written_out_word_by_word() -> None:
    """An oracle that sums over words in a loop, so that order cannot enter by a matrix."""
    words, head = instrument._small()
    query, key, value = words @ head.w_q, words @ head.w_k, words @ head.w_v
    for i in range(len(words)):
        grown = [math.exp(float(query[i] @ key[j]) / math.sqrt(words.shape[1])) for j in range(len(words))]
        by_hand = sum(weight * value[j] for j, weight in enumerate(grown)) / sum(grown)
        assert np.allclose(by_hand, attend(words, head)[i], atol=1e-12)


def test_the_fault_is_expected_to_break_all_but_distinct() -> None:
    tampered = instrument.figures(*bench(Config())[:2])["tampered"]
    fell = [invariant.name for invariant in tampered if not invariant.holds]
    assert fell == ["bounded", "length", "shift", "ladder"]


def test_with_one_position_the_fault_is_expected_to_break_only_what_it_does() -> None:
    tampered = instrument.figures(*bench(ODD_CONFIGS[0])[:2])["tampered"]
    assert [invariant.name for invariant in tampered if not invariant.holds] == ["length", "ladder"]


def test_other_bases_are_proved_again_beside_the_built_one() -> None:
    bases = instrument.figures(*bench(Config(base=500.0))[:2])["bases"]
    assert [other.base for other in bases] == ["2", "100", "500", "10,000", "1,000,000"]
    assert [other.base for other in bases if other.built] == ["500"]
    assert {other.held for other in bases} == {5}


def test_a_base_that_breaks_an_invariant_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(positions: range, d_model: int, base: float) -> Floats:
        return encode([0 for _ in positions], d_model, base)

    config, table, _ = bench(Config())
    monkeypatch.setattr(instrument, "encode", stuck)
    with pytest.raises(BrokenInvariant, match="distinct"):
        instrument.figures(config, table)


def test_the_wall_measures_what_it_says_of_each_scheme() -> None:
    raw, onehot, scaled, sinusoid = instrument.figures(*bench(Config())[:2])["wall"]
    assert (raw.columns, raw.largest, raw.lengths, raw.nearest) == ("1", "63", "0 … 63", "1")
    assert (onehot.columns, onehot.nearest, onehot.farthest) == ("64", "1.414", "1.414")
    assert (scaled.largest, scaled.nearest) == ("1", "0.016")
    assert (sinusoid.columns, sinusoid.largest, sinusoid.lengths) == ("16", "1", "2.828")
    assert float(sinusoid.nearest) < float(sinusoid.farthest)
    assert sinusoid.shift.endswith("10⁻¹⁵")


def test_the_score_of_two_rows_cannot_tell_before_from_after() -> None:
    _, table, _ = bench(Config())
    assert instrument._mirror(table) < 1e-12
    assert instrument._mirror(np.cumsum(table, axis=0)) > 1


def test_a_scaled_index_gives_the_same_slot_another_tag_in_a_longer_text() -> None:
    numbers = instrument.numbers(*bench(Config()))
    assert float(numbers["wall.same-slot"]) == pytest.approx(40 / 63, abs=1e-4)
    assert float(numbers["wall.same-slot-longer"]) == pytest.approx(40 / 127, abs=1e-4)


def test_the_fingerprint_shown_is_a_sha256() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", instrument.figures(*bench(Config())[:2])["fingerprint"])
