"""The words: what a content file may hold, and that every slip is reported with its place."""

from pathlib import Path

import pytest
from markupsafe import Markup

from posenc.web import content
from posenc.web.content import ContentError

PATH = Path("content/en/page.md")
GOOD = """---
title: A *fine* page
note.small: it has [[ number ]]
---

Lead.

## First {#one}

Text [[ number ]].
"""


def read(tmp_path: Path, text: str | bytes) -> content.Document:
    path = tmp_path / "page.md"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return content.read(path, PATH)


def slips(tmp_path: Path, text: str | bytes) -> list[str]:
    with pytest.raises(ContentError) as caught:
        read(tmp_path, text)
    return [str(problem).splitlines()[0] for problem in caught.value.problems]


def test_fields_lead_and_sections_are_read(tmp_path: Path) -> None:
    document = read(tmp_path, GOOD)
    assert document.fields == {"title": "A *fine* page", "note.small": "it has [[ number ]]"}
    assert document.lead == "Lead."
    assert [(s.id, s.title, s.body, s.line) for s in document.sections.values()] == [
        ("one", "First", "Text [[ number ]].", 8)
    ]


def test_slots_are_found_with_line_and_column(tmp_path: Path) -> None:
    assert list(read(tmp_path, GOOD).slots()) == [("number", 3, 20), ("number", 10, 6)]


def test_all_slips_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = "---\ntitle: a\ntitle: b\nno value\n---\n## No id\n## A {#a}\n## B {#a}\nbroken \ufffd\n"
    assert slips(tmp_path, text) == [
        "content/en/page.md:9:8: error: a character was lost here (U+FFFD)",
        "content/en/page.md:3:1: error: the key title stands here a second time",
        "content/en/page.md:4:1: error: a line of front matter is `key: value`",
        "content/en/page.md:6:1: error: a section begins with `## Title {#id}`",
        "content/en/page.md:8:1: error: a second section {#a}",
    ]


def test_a_slip_shows_its_line_those_around_it_and_a_caret(tmp_path: Path) -> None:
    document = read(tmp_path, GOOD)
    assert str(document.problem(10, 6, "here")).splitlines() == [
        "content/en/page.md:10:6: error: here",
        "   9 |",
        "  10 | Text [[ number ]].",
        "     |      ^",
        "  11 |",
    ]
    first, last = document.problem(1, 1, "here"), document.problem(len(document.lines), 1, "here")
    assert [line.partition(" | ")[0].strip() for line in str(first).splitlines()[1:]] == ["1", "", "2"]
    assert str(last).splitlines()[-1].endswith("| ^")


def test_a_long_line_is_shown_around_its_slip(tmp_path: Path) -> None:
    document = read(tmp_path, "---\na: b\n---\n" + "x" * 200 + "!" + "y" * 200 + "\n")
    _, _, excerpt, caret, _ = str(document.problem(4, 201, "here")).splitlines()
    assert excerpt[caret.index("^")] == "!"
    assert len(excerpt) <= content.EXCERPT + len("  4 | ……")
    assert excerpt.startswith("  4 | …x")
    assert excerpt.endswith("y…")


@pytest.mark.parametrize("text", ["", "no front matter\n", "---\ntitle: never closed\n"])
def test_a_file_without_front_matter_is_refused(tmp_path: Path, text: str) -> None:
    assert "must begin with front matter" in slips(tmp_path, text)[0]


def test_a_bad_byte_is_named_with_its_place(tmp_path: Path) -> None:
    assert slips(tmp_path, GOOD.encode() + "ü".encode() + b"\xff") == [
        "content/en/page.md:11:2: error: this byte is not UTF-8"
    ]


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ContentError, match=r"content/en/page.md:1:1: error: the file is missing"):
        content.read(Path("nowhere.md"), PATH)


def test_missing_unknown_and_misplaced_sections_are_told_apart(tmp_path: Path) -> None:
    document = read(tmp_path, "---\na: b\n---\n## Wave {#wavy}\n## Sum {#sum}\n")
    messages = [problem.message for problem in content.require_sections(document, ("wave", "sum"))]
    assert messages == ["section {#wave} is missing", "unknown section {#wavy}; did you mean wave?"]
    swapped = read(tmp_path, "---\na: b\n---\n## Sum {#sum}\n## Wave {#wave}\n")
    messages = [problem.message for problem in content.require_sections(swapped, ("wave", "sum"))]
    assert messages == ["sections must come as wave, sum"]


def test_unknown_and_ill_formed_slots_are_named(tmp_path: Path) -> None:
    document = read(tmp_path, GOOD + "\n[[ nummber ]] [[ Not A Name ]] [[]]\n")
    assert [problem.message for problem in content.require_slots(document, ["number"])] == [
        "unknown slot [[ nummber ]]; did you mean number?",
        "[[ Not A Name ]] is not a slot name",
        "[[  ]] is not a slot name",
    ]


def test_a_value_is_escaped_unless_it_is_markup() -> None:
    values = {"tag": "<b>&", "math": Markup("<i>x</i>")}
    assert content.block("a [[ tag ]] b [[ math ]]", values.__getitem__) == "<p>a &lt;b&gt;&amp; b <i>x</i></p>"
    assert content.plain("a [[ math ]] “b” & c", values.__getitem__) == "a x “b” & c"


def test_no_break_spaces_survive_in_plain_words() -> None:
    assert (
        content.plain("k\u00a0= [[ k ]] <", lambda _: Markup("<b>1</b>\u00a0×\u00a010"))
        == "k\u00a0= 1\u00a0×\u00a010 <"
    )


def test_a_figure_alone_in_its_paragraph_stands_on_its_own() -> None:
    html = content.block("before\n\n[[ figure:wave ]]\n\nafter", lambda name: Markup(f"<figure>{name}</figure>"))
    assert html == '<p>before</p>\n<div class="figure-block"><figure>figure:wave</figure></div>\n<p>after</p>'


def test_a_badge_stays_on_the_line_of_its_claim() -> None:
    assert content.inline("So it is.  [[ claim:proved ]]", lambda name: name) == "So it is.\u00a0claim:proved"


def test_underscores_and_strokes_in_slots_survive_markdown() -> None:
    assert content.inline("*a* [[ x ]] b_c_d", lambda _: "y_z_w") == "<em>a</em> y_z_w b_c_d"
