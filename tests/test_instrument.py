"""The instrument's numbers: each is what its window says it is, for every configuration."""

import math
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from posenc import attention, exhibits, faults, formats, graveyard, rivals
from posenc.arrays import Floats
from posenc.attention import attend
from posenc.config import Config
from posenc.engine import encode, rotate
from posenc.proof import BrokenInvariant, Proof, bounded, distinct, length, prove
from posenc.web import content, curves, format, heatmaps, instrument, picture, windows
from posenc.web.windows import model, written
from tests.cost import cost

ROOT = Path(__file__).resolve().parent.parent
PLACEHOLDER = re.compile(r"\{[\w.-]+\}")
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
    assert [wide[0].pair, wide[-1].pair, len(wide)] == [0, 255, model.MOST_RULES]
    steep = instrument.figures(*bench(Config(base=1e-3))[:2])["ruler"]["rules"]
    assert all(len(rule.ticks) <= model.MOST_TICKS + 1 for rule in steep)
    assert steep[-1].solid


def test_answers_move_with_their_words_unless_placed_or_masked() -> None:
    moved = instrument.figures(*bench(Config())[:2])["lineage"]
    assert moved.bare == format.sci(1e-12, 0)
    assert moved.placed.min() > 0.1
    assert moved.masked.max() > 0.1
    assert sorted(moved.order) == [0, 1, 2, 3, 4]
    assert all(word != seat for seat, word in enumerate(moved.order))


def test_the_lineages_numbers_are_those_of_an_attention_written_out_word_by_word() -> None:
    """An oracle that sums over words in a loop, so that order cannot enter by a matrix."""
    words, head = windows.lineage.small()
    query, key, value = words @ head.w_q, words @ head.w_k, words @ head.w_v
    for i in range(len(words)):
        grown = [math.exp(float(query[i] @ key[j]) / math.sqrt(words.shape[1])) for j in range(len(words))]
        by_hand = sum(weight * value[j] for j, weight in enumerate(grown)) / sum(grown)
        assert np.allclose(by_hand, attend(words, head)[i], atol=1e-12)


FALLEN = {
    "raw": {"bounded", "length", "shift", "ladder"},
    "cosine": {"length", "shift", "ladder"},
    "exponent": {"shift", "ladder"},
    "sine": {"length", "shift", "ladder"},
    "from-one": {"ladder"},
    "halves": {"shift", "ladder"},
    "bfloat16": set(),
}


def fell(verdicts: dict[str, bool] | None) -> set[str]:
    assert verdicts is not None
    return {name for name, holds in verdicts.items() if not holds}


def test_the_bench_tells_of_each_fault_what_the_proof_finds() -> None:
    bench_of_faults = instrument.figures(*bench(Config())[:2])["faults"]
    assert {fault.name: fell(fault.verdicts) for fault in bench_of_faults} == FALLEN
    assert next(iter(FALLEN)) == bench_of_faults[0].name == "raw"
    for fault in bench_of_faults:
        proved = prove(faults.FAULTS[fault.name].table(Config()), Config())
        assert fault.verdicts == {claim.name: claim.holds for claim in proved.invariants}


def test_the_bench_says_where_a_fault_begins_and_what_mends_it() -> None:
    by_name = {fault.name: fault for fault in instrument.figures(*bench(Config())[:2])["faults"]}
    assert by_name["bfloat16"].first == "257"
    assert fell(by_name["bfloat16"].later) == {"distinct", "shift", "ladder"}
    assert fell(by_name["halves"].mended) == set()
    assert [name for name, fault in by_name.items() if fault.later] == ["bfloat16"]
    assert [name for name, fault in by_name.items() if fault.mended] == ["halves"]
    long_table = instrument.figures(*bench(Config(n_positions=300))[:2])["faults"][-1]
    assert (fell(long_table.verdicts), long_table.later) == ({"distinct", "shift", "ladder"}, None)


def test_the_script_is_given_the_verdicts_that_the_page_shows() -> None:
    config, table, _ = bench(Config())
    given = instrument.data(config, table)
    assert {name: fell(verdicts) for name, verdicts in given["faults"].items()} == FALLEN
    assert given["first_fault"] == "raw"
    assert given["later"]["bfloat16"]["rows"] == 258
    assert fell(given["later"]["bfloat16"]["verdicts"]) == {"distinct", "shift", "ladder"}
    assert set(given["later"]) == {"bfloat16"}


def test_with_one_position_a_fault_is_expected_to_break_only_what_it_does() -> None:
    raw = instrument.figures(*bench(ODD_CONFIGS[0])[:2])["faults"][0]
    assert fell(raw.verdicts) == {"length", "ladder"}


def test_other_bases_are_proved_again_beside_the_built_one() -> None:
    bases = instrument.figures(*bench(Config(base=500.0))[:2])["bases"]
    assert [other.base for other in bases] == [2, 100, 500, 10_000, 1_000_000]
    assert [other.base for other in bases if other.built] == [500]
    assert {other.held for other in bases} == {5}


def test_a_base_that_breaks_an_invariant_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(positions: range, d_model: int, base: float) -> Floats:
        return encode([0 for _ in positions], d_model, base)

    config, table, _ = bench(Config())
    monkeypatch.setattr(exhibits, "encode", stuck)
    with pytest.raises(BrokenInvariant, match="distinct"):
        instrument.figures(config, table)


def test_the_wall_shows_each_number_with_its_verdict() -> None:
    figures = instrument.figures(*bench(Config())[:2])
    shown = {
        scheme.name: [(cell.shown.replace("\u00a0", " "), cell.holds) for cell in scheme.cells.values()]
        for scheme in figures["schemes"]
    }
    assert figures["properties"] == ["bounded", "length", "distinct", "graded", "shift", "width"]
    zero, same = "< 10⁻¹²", "16 → 16"
    assert shown == {
        "sinusoid": [("1", True), ("2.828", True), ("1.015", True), ("0.749", True), (zero, True), (same, True)],
        "raw": [("63", False), ("0 … 63", False), ("1", True), ("1", True), ("3,969", False), ("1 → 1", True)],
        "scaled": [("1", True), ("0 … 1", False), ("0.016", True), ("0.016", True), ("1", False), ("1 → 1", True)],
        "onehot": [("1", True), ("1", True), ("1.414", True), ("0", False), ("0", True), ("64 → 128", False)],
        "wave": [("1", True), ("1", True), ("0.018", True), ("−0.941", False), (zero, True), ("2 → 2", True)],
        "random": [
            ("0.727", True),
            ("1", True),
            ("0.711", True),
            ("−0.999", False),
            ("1.433", False),
            ("16 → 16", True),
        ],
    }
    assert [scheme.held for scheme in figures["schemes"]] == [6, 3, 4, 4, 5, 4]
    assert figures["alone"]


@pytest.mark.parametrize("config", [Config(d_model=2), Config(base=1.0)], ids=["narrow", "base 1"])
def test_the_wall_does_not_claim_for_the_sinusoid_what_this_one_lacks(config: Config) -> None:
    figures = instrument.figures(*bench(config)[:2])
    assert not figures["alone"]
    assert figures["schemes"][0].held == 5


def test_a_length_that_is_whole_but_for_its_last_bits_is_written_whole() -> None:
    """√64 = 8 comes out of 128 squares as 8 or as a neighbour of 8."""
    assert written.span(8 - 1e-15, 8 + 1e-15) == "8"
    assert written.span(0, 63) == "0 … 63"
    assert [written.short(x) for x in (0, 0.016, 1.4142, 181.02, 4095, 2.4e-4)] == [
        "0",
        "0.016",
        "1.414",
        "181",
        "4,095",
        "2\u00a0×\u00a010⁻⁴",
    ]


def test_the_words_on_the_single_wave_are_measured() -> None:
    numbers = instrument.numbers(*bench(Config()))
    assert (numbers["wall.clash-offset"], numbers["wall.clash"], numbers["wall.neighbours"]) == (
        "44",
        "0.0177",
        "0.9589",
    )
    slow = 2 * np.sin(np.arange(64) * 1e-4 / 2)  # distances from row 0, at ω = 1/10000
    assert numbers["wall.slow"] == format.sci(slow[1])
    assert (np.diff(slow) > 0).all()  # graded within this text, as the words say


def test_every_fault_and_every_scheme_has_its_words() -> None:
    document = content.read(ROOT / "content/en/instrument.md", Path("content/en/instrument.md"))
    for name in faults.FAULTS:
        assert {f"figure.fault.{name}", f"figure.fault.{name}-what", f"figure.fault.{name}-where"} <= set(
            document.fields
        )
        if name != "raw":  # the first idea of all was nobody's slip
            said = document.fields[f"figure.fault.{name}-where"]
            assert re.search(r"\(https://github\.com/", said)
            assert "[[ claim:cited ]]" in said
    for name in rivals.SCHEMES:
        assert f"figure.wall.{name}" in document.fields


def test_the_red_windows_cost_little() -> None:
    """Of the worked example's build."""
    config, table, _ = bench(Config())

    def work() -> None:
        windows.tamper._bench.cache_clear()
        windows.wall.figure(config, table)
        windows.graveyard.numbers(config)
        windows.tamper.figure(config)
        windows.tamper.data(config)

    assert cost(work) < 0.05


def test_the_last_frequency_is_a_number_and_not_a_word() -> None:
    """With base 2 the last pair still turns at ω = 0.5: no crawl."""
    figures = instrument.figures(*bench(Config(d_model=128, n_positions=64, base=2.0))[:2])
    assert figures["last_omega"] == "0.5054"


def test_the_last_bits_of_an_attention_do_not_reach_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    before = instrument.figures(*bench(Config())[:2])["lineage"]
    count = iter(range(100))

    def nudged(*args: object, **kwargs: object) -> Floats:
        return np.asarray(attend(*args, **kwargs) * (1 + 4e-16 * next(count)))  # type: ignore[arg-type]

    monkeypatch.setattr(attention, "attend", nudged)
    after = instrument.figures(*bench(Config())[:2])["lineage"]
    assert next(count) > 0
    assert after.bare == before.bare
    for name in ("placed", "masked"):
        shown = [[format.fixed(x, 3) for x in getattr(made, name)] for made in (before, after)]
        assert shown[0] == shown[1]


def test_bounded_length_and_shift_hold_for_any_shared_frequencies_and_distinct_for_almost_any() -> None:
    config = Config()
    for omega, alike in ((np.linspace(0.1, 3, 8), False), (np.full(8, 2 * np.pi), True)):
        angle = np.arange(64)[:, None] * omega
        table = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(64, 16)
        assert bounded(table, config).holds
        assert length(table, config).holds
        assert all(np.allclose(rotate(table[0], k, omega), table[k], atol=1e-9) for k in range(64))
        assert distinct(table, config).measured < 1e-9 if alike else distinct(table, config).holds


def test_figures_are_data_and_no_functions() -> None:
    assert not [name for name, value in instrument.figures(*bench(Config())[:2]).items() if callable(value)]


@pytest.mark.parametrize(
    "module",
    [
        *(instrument, heatmaps, curves, picture, rivals, exhibits, formats, faults, graveyard),
        *(windows.wall, windows.graveyard, windows.model, windows.lineage, windows.tamper, windows.formats, written),
    ],
    ids=lambda m: m.__name__,
)
def test_every_public_function_says_what_it_is_for(module: ModuleType) -> None:
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    functions = [value for value in own if callable(value) and not value.__name__.startswith("_")]
    assert functions
    assert not [function.__name__ for function in functions if not function.__doc__]


def test_every_colour_and_measure_of_the_tokens_is_used() -> None:
    sheets = "".join(path.read_text("utf-8") for path in sorted((ROOT / "templates").rglob("*.css")))
    named = set(re.findall(r"^\s*(--[a-z-]+):", (ROOT / "templates/css/tokens.css").read_text("utf-8"), re.M))
    assert named
    assert named <= set(re.findall(r"var\((--[a-z-]+)\)", sheets))


def test_a_scaled_index_gives_the_same_slot_another_tag_in_a_longer_text() -> None:
    numbers = instrument.numbers(*bench(Config()))
    assert float(numbers["wall.same-slot"]) == pytest.approx(40 / 63, abs=1e-4)
    assert float(numbers["wall.same-slot-longer"]) == pytest.approx(40 / 127, abs=1e-4)


def test_number_formats_are_tried_and_not_assumed() -> None:
    tried = instrument.figures(*bench(Config())[:2])["formats"]
    assert [kept.format for kept in tried["values"]] == list(formats.FORMATS)
    assert [kept.collision for kept in tried["values"]] == [None] * 4
    assert [kept.collision for kept in tried["positions"]] == [None, None, ("256", "257"), ("2,048", "2,049")]
    assert [kept.distinct for kept in tried["positions"]] == ["4,096", "4,096", "769", "3,073"]
    narrow = instrument.figures(*bench(Config(d_model=2))[:2])["formats"]["values"]
    assert narrow[2].collision is not None  # one pair in bfloat16 cannot tell 4,096 rows apart


def test_the_exhibit_of_formats_costs_little() -> None:
    """Of any configuration's build."""
    config = Config(d_model=512)

    def work() -> None:
        formats.precision(windows.formats.FORMAT_ROWS, curves.width(config), config.base)
        curves.precision(config, lambda key: key)

    assert cost(work) < 0.12


def test_the_agreements_bound_is_told_once_to_page_and_script() -> None:
    _, table, _ = bench(Config())
    assert instrument.figures(Config(), table)["agreement"] == instrument.data(Config(), table)["agreement"]
    assert "1e-11" not in (ROOT / "templates/js/instrument.js").read_text("utf-8")


@pytest.mark.parametrize("page", ["index.html", "instrument.html"])
def test_no_raw_placeholder_is_left_in_text_or_attributes(site: Path, page: str) -> None:
    left: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            left.extend(value for _, value in attrs if value and PLACEHOLDER.search(value))

        def handle_data(self, data: str) -> None:
            if self.lasttag not in ("script", "code"):
                left.extend(PLACEHOLDER.findall(data))

    reader = Reader()
    reader.feed((site / page).read_text("utf-8") + "<p title='{planted}'>{two}</p>")
    assert left == ["{planted}", "{two}"]


def test_the_fingerprint_shown_is_a_sha256() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", instrument.figures(*bench(Config())[:2])["fingerprint"])
