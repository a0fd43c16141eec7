"""Languages that nobody speaks, made of the English words: what is left in English on their pages is a slip.

en-XA has accents on every letter and is two fifths longer. ar-XB is in Arabic letters, one for one, and so runs from
right to left. Both write numbers in their own way. Slots, placeholders, markup and addresses stay as they are.

    python3 -m tests.pseudo FOLDER      # builds the site with both into FOLDER, to be looked at
"""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from posenc.web.words import RIGHT_OPTION
from tests.checkout import ROOT, copy

ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒğĥíĵķĺɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶĹṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"
)
ARABIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ابجدهوزحطيكلمنسعفصقرشتثخذض")
ISOLATED = "\u2066{}\u2069"  # a formula within a sentence keeps its order, as a translator would have it
# What is not for a translator: slots but for their words, placeholders, tags, addresses, marks of Markdown.
KEPT = re.compile(r"\[\[[^|\]]*(?:\||\]\])|\]\]|\{[^}]*\}|<[^>]*>|\]\([^)]*\)|&\w+;|`[^`]*`|https?://\S+")
FORMULA = re.compile(
    r"[\[(−√]?\d+(?:[.,]\d+)*(?:(?:, | ?[·×+=/…] ?)−?\d+(?:[.,]\d+)*)*[\])]?"  # numbers, and lists of them
    r"|\[−1, 1\]|√\(\w/\d\)"
    r"|\w+(?:\([^()]*\))? [=≠] (?:Rₖ (?:· )?)?\w+(?:\([^()]*\))?"  # PE(pos + k) = Rₖ · PE(pos)
)
LANGUAGE = {
    "en-XA": {
        "language.name": "Éñğĺíšĥ",
        "language.dir": "ltr",
        "number.written": "−12\u202f345,6",
        "number.power": "2,5·10³",
        "number.percent": "50 %",
        "number.nan": "ñáñ",
        "number.infinity": "∞",
        "number.list": "3; 5",
        "number.span": "3 – 5",
        "number.steps": "3 ⇒ 5",
    },
    "ar-XB": {
        "language.name": "هنزلطقح",
        "language.dir": "rtl",
        "number.written": "\u200e−12.345,6",
        "number.power": "\u200e2,5 × 10³",
        "number.percent": "\u200e50٪",
        "number.nan": "نان",
        "number.infinity": "∞",
        "number.list": "3، 5",
        "number.span": "3 … 5",
        "number.steps": "3 ← 5",
    },
}


def accented(text: str) -> str:
    """Accents on all letters, and every second vowel twice."""
    longer = re.sub(r"([aeiou][^aeiou]*?)([aeiou])", r"\1\2\2", re.sub(r"\b(\w?\w?[aeiou])", r"\1~", text))
    return re.sub(r"(.)~", r"\1\1", longer).translate(ACCENTED)


def arabic(text: str) -> str:
    """Arabic letters for all letters; what is a formula stays in order."""
    isolated = FORMULA.sub(lambda found: ISOLATED.format(found[0]), text.replace("→", "←"))
    return isolated.lower().translate(ARABIC)


WRITERS: dict[str, Callable[[str], str]] = {"en-XA": accented, "ar-XB": arabic}


def translated(line: str, write: Callable[[str], str]) -> str:
    """One line with all that is for a translator written anew."""
    parts, last = [], 0
    for kept in KEPT.finditer(line):
        parts += [write(line[last : kept.start()]), kept[0]]
        last = kept.end()
    return "".join([*parts, write(line[last:])])


def document(text: str, tag: str) -> str:
    """A content file in the pseudo-language."""
    lines, matter = [], 0
    for line in text.split("\n"):
        key, colon, words = line.partition(": ")
        if line == "---":
            matter += 1
            lines.append(line)
        elif key in LANGUAGE[tag]:
            lines.append(f"{key}: {LANGUAGE[tag][key]}")
        elif matter == 1 and (line.startswith("#") or RIGHT_OPTION.fullmatch(key)):  # a comment; which option is right
            lines.append(line)
        elif matter == 1 and colon:
            lines.append(f"{key}: {translated(words, WRITERS[tag])}")
        elif line.startswith("## "):
            title, brace, name = line.rpartition(" {#")
            lines.append(f"## {translated(title[3:], WRITERS[tag])}{brace}{name}")
        else:
            lines.append(translated(line, WRITERS[tag]))
    return "\n".join(lines)


def write(root: Path) -> None:
    """Both languages into a copy of the project."""
    for tag in LANGUAGE:
        folder = root / "content" / tag
        folder.mkdir(exist_ok=True)
        for path in sorted((ROOT / "content" / "en").glob("*.md")):
            (folder / path.name).write_text(document(path.read_text("utf-8"), tag), "utf-8", newline="\n")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        checkout = copy(Path(folder) / "posenc")
        write(checkout.root)
        built = checkout.build("--out", str(Path(sys.argv[1]).resolve()))
    print(built.stdout + built.stderr, end="")
    return built.returncode


if __name__ == "__main__":
    sys.exit(main())
