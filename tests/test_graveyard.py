"""The graveyard: each claim's numbers are computed otherwise here, and they refute it, or say that they do not."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from posenc import exhibits, graveyard
from posenc.config import Config
from posenc.engine import encode, frequencies, rotate
from posenc.graveyard import Grave
from posenc.web.windows import graveyard as window
from tests.checkout import ROOT

CONFIG = Config()
WORDS = (ROOT / "content/en/instrument.md").read_text("utf-8")
STATUS = re.compile(r"\[\[ claim:(\w+) \]\]")


def grave(name: str, config: Config = CONFIG) -> Grave:
    return next(grave for grave in graveyard.graves(config) if grave.name == name)


def numbers(name: str, config: Config = CONFIG) -> dict[str, float]:
    return grave(name, config).numbers


def omega(i: int) -> float:
    return float(1 / 10000 ** (2 * i / 16))


def row(position: int) -> list[float]:
    return [wave(position * omega(i)) for i in range(8) for wave in (math.sin, math.cos)]


def test_every_claim_is_dead_at_the_worked_example() -> None:
    found = (*graveyard.graves(CONFIG), graveyard.invariant(), graveyard.learned())
    assert [grave.name for grave in found if not grave.refuted] == []
    assert sorted(grave.name for grave in found) == sorted(window.GRAVES)
    assert len(found) + 3 >= 12  # the first three stand in the window's own words


def test_where_a_claim_stands_the_graveyard_says_so() -> None:
    def standing(config: Config) -> list[str]:
        return [grave.name for grave in graveyard.graves(config) if not grave.refuted]

    assert standing(Config(d_model=2)) == ["slow", "length", "search", "angle"]  # one pair is both first and last
    assert standing(Config(base=1.0)) == ["slow", "cosine", "column", "limit", "length", "angle"]  # all turn alike
    assert "slow" in standing(Config(base=0.5))
    assert standing(replace(CONFIG, probes=(7, 7))) == ["angle"]  # no shift, no angle
    assert standing(Config(d_model=512)) == []


def test_the_first_pair_turns_fast_and_the_last_slowly() -> None:
    assert numbers("slow")["first"] == pytest.approx(57.2958, abs=1e-4)
    assert numbers("slow")["last"] == pytest.approx(math.degrees(omega(7)))
    assert numbers("slow")["last"] == pytest.approx(0.0181, abs=1e-4)


def test_a_cosine_out_of_step_spoils_the_length_of_a_row() -> None:
    square = sum(math.sin(omega(i)) ** 2 + math.cos(omega(i + 1)) ** 2 for i in range(8))
    assert numbers("cosine") == pytest.approx({"length": math.sqrt(square), "true": math.sqrt(8)})


def test_columns_counted_by_i_part_sine_and_cosine() -> None:
    by_column = [1 / 10000 ** (2 * column / 16) for column in (0, 1)]
    assert numbers("column") == pytest.approx(dict(zip(("sine", "cosine"), map(math.degrees, by_column), strict=True)))


def test_the_longest_wave_stays_below_the_limit_at_every_width() -> None:
    for d_model, longest in ((16, 19_869.2), (64, 47_117), (512, 60_611)):
        found = numbers("limit", Config(d_model=d_model))
        assert found["longest"] == pytest.approx(longest, rel=1e-4)
        assert found["longest"] < found["limit"] == pytest.approx(2 * math.pi * 10_000)


def test_rows_beyond_10000_and_with_other_bases_are_distinct() -> None:
    assert numbers("unique")["far"] == pytest.approx(math.dist(row(0), row(10_000)), rel=1e-9)
    with_two = encode(range(64), 16, 2.0)
    closest = min(math.dist(with_two[a], with_two[b]) for b in range(64) for a in range(b))
    assert numbers("unique")["two"] == pytest.approx(closest)


def test_likeness_rises_again() -> None:
    """facts: 0.796 at offset 2, 0.804 at offset 19."""

    def alike(k: int) -> float:
        return sum(math.cos(k * omega(i)) for i in range(8)) / 8

    found = numbers("decay")
    assert (found["near"], found["far"]) == (2, 19)
    assert (round(found["near-likeness"], 3), round(found["far-likeness"], 3)) == (0.796, 0.804)
    assert found["near-likeness"] == pytest.approx(alike(2))
    assert found["far-likeness"] == pytest.approx(alike(19))
    assert all(alike(k) < alike(1) for k in range(2, graveyard.REACH + 1))  # so 2 is the first that is outdone
    assert all(alike(k) < alike(2) + graveyard.SEEN for k in range(20, graveyard.REACH + 1))  # and 19 the farthest


def test_a_likeness_that_only_falls_would_not_be_buried() -> None:
    found = graveyard.decay(np.array([1e-3, 1e-4]))  # within reach both waves only sink
    assert not found.refuted
    assert (found.numbers["near"], found.numbers["far"]) == (1, graveyard.REACH)


def test_the_slowest_pair_stands_where_no_position_was() -> None:
    found = numbers("length")
    assert (found["last"], found["later"]) == (63, 640)
    assert found["seen"] == pytest.approx(63 * math.degrees(omega(7)))
    assert found["ahead"] == pytest.approx(640 * math.degrees(omega(7)))


def test_another_base_keeps_rows_farther_apart_than_the_papers() -> None:
    found = numbers("search")
    closest = {base: exhibits.reproved(CONFIG, base).invariants[2].measured for base in graveyard.OTHER_BASES}
    assert found["best"] == max(closest, key=lambda base: closest[base]) == 2
    assert found["apart"] == pytest.approx(closest[2.0])
    assert found["own"] == pytest.approx(closest[10_000.0]) == pytest.approx(1.0147, abs=5e-5)


def test_a_shift_turns_each_pair_by_its_own_angle() -> None:
    found = numbers("angle")
    assert found["k"] == 35
    turned = rotate(encode([5], 16), 35, frequencies(16))[0]
    for pair, name in ((0, "first"), (7, "last")):
        before, after = math.atan2(*row(5)[2 * pair : 2 * pair + 2]), math.atan2(*turned[2 * pair : 2 * pair + 2])
        assert found[name] == pytest.approx(math.degrees(after - before) % 360)


def test_a_sum_keeps_no_length() -> None:
    found = numbers("rotates")
    assert found["word"] == 4
    for name, position in (("at-a", 5), ("at-b", 40)):
        assert found[name] == pytest.approx(math.sqrt(sum((1 + value) ** 2 for value in row(position))))


def test_halves_and_pairs_give_the_same_scores() -> None:
    score = sum(a * b for a, b in zip(row(5), row(40), strict=True))
    assert numbers("halves")["paired"] == pytest.approx(score)
    assert numbers("halves")["halved"] == pytest.approx(score)


def test_attention_is_equivariant_and_not_invariant() -> None:
    found = graveyard.invariant().numbers
    assert found["words"] <= 1e-12
    assert found["seats"] > 1


def test_a_word_whose_output_moved_with_its_seat_would_stop_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc import experiments

    monkeypatch.setattr(experiments, "ROUNDING", 0.0)
    with pytest.raises(experiments.Surprise, match="output"):
        graveyard.invariant()


def test_what_bert_and_gpt2_learn_is_their_tables_size() -> None:
    assert graveyard.learned().numbers == {"bert": 512 * 768, "gpt2": 1024 * 768}


@pytest.mark.parametrize("name", window.GRAVES)
def test_every_grave_has_its_claim_cause_counter_example_status_and_source(name: str) -> None:
    said = {
        key: line.partition(": ")[2]
        for line in WORDS.splitlines()
        for key in ("", "-cause", "-text", "-source")
        if line.startswith(f"figure.grave.{name}{key}: ")
    }
    assert said.keys() == {"", "-cause", "-text", "-source"}
    assert re.fullmatch("“.+”", said[""])
    assert STATUS.search(said["-text"])
    assert not STATUS.search(said["-source"])
    assert re.search(rf"\[\[ (live:)?grave\.{name}-", said["-text"]), "no number of its own"
    if "cited" in STATUS.findall(said["-text"]):
        assert re.search(r"https://(arxiv\.org/abs|github\.com)/", said["-source"])


def test_every_number_of_the_table_is_shown_and_can_be_written_anew() -> None:
    for key in window.live(CONFIG):
        assert f"[[ live:{key} ]]" in WORDS, key


def test_numbers_are_written_as_they_were_compared() -> None:
    written = window.live(CONFIG)
    assert written["grave.slow-first"] == "57.30"
    assert written["grave.decay-near"] == "2"
    assert written["grave.decay-near-likeness"] == "0.796"
    assert written["grave.decay-far-likeness"] == "0.804"
    assert written["grave.search-best"] == "2"
    assert written["grave.length-later"] == "640"
    assert window.numbers(CONFIG)["grave.learned-bert"] == "393,216"
