"""Files are read in the page as by Python: the same numbers, or refused with the same sentence."""

import base64
import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from posenc.check import readers
from posenc.check.sentences import say
from posenc.check.text import Unreadable
from posenc.check.words import words
from tests import kinds
from tests.test_check_readers import READ_RIGHTLY, REFUSED, TABLE, TORCH, Trap, safetensors

READ = """([files, strings]) => Promise.all(files.map(async ({ name, content, array }) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    try {
        const { rows, dtype, without } = await posenc.check.read(name, bytes, { array, strings });
        return { rows: rows.map((row) => [...row]), dtype, without };
    } catch (error) {
        return error.key ? { key: error.key, message: error.message } : { broke: String(error.stack) };
    }
}))"""
STRINGS = {f"check.{key}": text for key, text in words().items()}
OF_THE_LIBRARY = {"json", "npy", "safetensors"}
"""Refusals whose reason is told by whoever parses; the page has another parser."""

NAMED = ["a.npy", "a.npz", "a.csv", "a.json", "a.safetensors", "a.txt", "a.bin"]
BEGUN = [b"", b"\x93NUMPY\x01\x00v\x00", b"PK\x03\x04", b"[[", b'{"a": ', b"0,1\n", b"\xff\xfe", b"\x80\x04"]

File = tuple[str, bytes] | tuple[str, bytes, str | None]


def in_page(page: Page, files: list[File]) -> list[dict[str, Any]]:
    """What the page reads of each file."""
    sent = [
        {"name": name, "content": base64.b64encode(content).decode(), "array": rest[0] if rest else None}
        for name, content, *rest in files
    ]
    found: list[dict[str, Any]] = page.evaluate(READ, [sent, STRINGS])
    return found


def in_python(folder: Path, files: list[File]) -> list[dict[str, Any]]:
    """What Python reads of each file, in the page's form."""
    found = []
    for name, content, *rest in files:
        (folder / name).write_bytes(content)
        try:
            read = readers.read(folder / name, rest[0] if rest else None)
        except Unreadable as error:
            found.append({"key": error.key, "message": say(f"error.{error.key}", error.numbers)})
        else:
            rows = read.array.astype(np.float64).tolist()
            found.append({"rows": rows, "dtype": read.array.dtype.name, "without": read.without})
    return found


def apart(page: Page, folder: Path, files: list[File]) -> list[Any]:
    """The files of which the page and Python do not say the same."""
    return [
        (file, ours, theirs)
        for file, ours, theirs in zip(files, in_page(page, files), in_python(folder, files), strict=True)
        if not alike(ours, theirs)
    ]


def alike(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    if "rows" in ours and "rows" in theirs:
        same = ours["dtype"] == theirs["dtype"] and ours["without"] == theirs["without"]
        return same and np.array_equal(np.array(ours["rows"], float), np.array(theirs["rows"], float), equal_nan=True)
    key = {"library": "command-line", "torch": "command-line"}.get(theirs.get("key", ""), theirs.get("key", "read"))
    if ours.get("key") != key:
        return False
    return key in OF_THE_LIBRARY | {"command-line"} or ours["message"] == theirs["message"]


def test_text_is_read_as_by_python(check: Page, tmp_path: Path) -> None:
    files: list[File] = [("a.csv", text.encode()) for text in READ_RIGHTLY.values()]
    more = ["0,1\n,NaN\nnan,N/A\n", "1,2\n3,inf\n-Infinity,4", "x\n1\n2\n", '"a ""b""",2\n1,2\n"3",4', "1;2,5\n3;4"]
    files += [("a.csv", text.encode()) for text in more]
    files += [("a.txt", READ_RIGHTLY["tabs"].encode("utf-16")), ("a.txt", READ_RIGHTLY["tabs"].encode("utf-16-be"))]
    assert apart(check, tmp_path, files) == []
    assert all("rows" in found for found in in_page(check, files[: len(READ_RIGHTLY)]))


def test_what_cannot_be_read_is_refused_as_by_python(check: Page, tmp_path: Path) -> None:
    files: list[File] = [(name, content) for name, content, _ in REFUSED.values()]
    files += [("a.csv", f"1,2\n3,{cell}\n".encode()) for cell in ("it's", "a\\b", "\t€x", "é" * 60, "1_0", "a\u200bb")]
    assert apart(check, tmp_path, files) == []
    assert [found["key"] for found in in_page(check, files)[: len(REFUSED)]] == [key for _, _, key in REFUSED.values()]
    assert not any("{" in found["message"].replace("{name}", "{") for found in in_page(check, files))


def test_json_is_read_as_python_reads_it(check: Page, tmp_path: Path) -> None:
    texts = [
        json.dumps(TABLE.tolist()),
        json.dumps({"pe": TABLE.tolist(), "note": "NaN, Infinity"}),
        "[[NaN, 1], [-Infinity, Infinity], [null, 1e-3]]",
        "[[[1, 2]], [[3, 4]]]",
        "[[1, [2]], [3, 4]]",
        "[[]]",
        "[]",
        "{}",
        '{"a": 1}',
        '{"a": [[1, 2], [3]], "b": [[1, 2]]}',
        "\ufeff[[1, 2], [3, 4]]",
        '[[1, "2"]]',
    ]
    files: list[File] = [("a.json", text.encode()) for text in texts]
    files += [("a.json", b'{"a": [[1, 2], [3]], "b": [[1, 2], [3, 4]]}', name) for name in ("b", "c", "a")]
    assert apart(check, tmp_path, files) == []


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"])
def test_npy_of_any_format_order_and_version(kind: str, check: Page, tmp_path: Path) -> None:
    files: list[File] = []
    for order in "<>":
        table = (np.abs(TABLE) * 100).astype(f"{order}{kind}")
        for array in (table, np.asfortranarray(table), table[None], np.asfortranarray(table[:, None])):
            for version in ((1, 0), (2, 0)):
                file = io.BytesIO()
                np.lib.format.write_array(file, array, version)
                files.append(("a.npy", file.getvalue()))
    assert apart(check, tmp_path, files) == []


def test_half_precision_is_read_to_the_last_bit(check: Page, tmp_path: Path) -> None:
    everything = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(256, 256)
    assert apart(check, tmp_path, [("a.npy", npy(everything))]) == []


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def test_npy_of_no_real_numbers_is_refused_by_name(check: Page, tmp_path: Path) -> None:
    named = np.zeros(3, dtype=[("a", "<f8"), ("b", "<f4")])
    arrays = [
        TABLE > 0,
        TABLE + 1j,
        TABLE.astype(np.complex64),
        np.array([["a", "bc"]]),
        np.array([[b"a", b"bc"]]),
        np.zeros((2, 2), "datetime64[s]"),
        np.array([Trap()], dtype=object),
        np.zeros((0, 4)),
        np.zeros(()),
        np.zeros((2, 2, 2)),
    ]
    assert apart(check, tmp_path, [("a.npy", npy(array)) for array in arrays]) == []
    assert in_page(check, [("a.npy", npy(named))])[0]["key"] == "kind"


def zipped(how: int, **arrays: Any) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as archive:
        for name, array in arrays.items():
            archive.writestr(f"{name}.npy", npy(array))
    return file.getvalue()


def test_npz_is_read_stored_and_deflated(check: Page, tmp_path: Path) -> None:
    file = io.BytesIO()
    np.savez(file, pe=TABLE, other=np.zeros(3))
    packed = io.BytesIO()
    np.savez_compressed(packed, TABLE.astype(np.float32))
    large = zipped(zipfile.ZIP_DEFLATED, pe=kinds.paper(500, 64))
    files: list[File] = [("a.npz", packed.getvalue()), ("a.npz", large), ("a.npz", zipped(zipfile.ZIP_STORED))]
    files += [("a.npz", file.getvalue(), name) for name in ("pe", "other", None, "none")]
    files += [("a.zip", zipped(zipfile.ZIP_DEFLATED)), ("a.npz", zipped(zipfile.ZIP_BZIP2, pe=TABLE)[:-30])]
    assert apart(check, tmp_path, files) == []


def test_a_damaged_npz_is_refused_wherever_the_damage_is(check: Page, tmp_path: Path) -> None:
    """No damage is read as numbers: the sum of what is packed tells. (Python may pass over fields that it does not
    use, and so may the page.)"""
    whole = zipped(zipfile.ZIP_DEFLATED, pe=TABLE)
    places = range(0, len(whole), 7)
    files: list[File] = [("a.npz", whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]) for at in places]
    for found in in_page(check, files):
        assert "broke" not in found
        assert "key" in found or np.array_equal(found["rows"], TABLE)


def test_safetensors_are_read_in_every_format(check: Page, tmp_path: Path) -> None:
    upper = (kinds.bfloat16(TABLE).astype(np.float32).view(np.uint32) >> 16).astype("<u2")
    content = safetensors(
        a=("F32", TABLE.astype("<f4")),
        b=("BF16", upper),
        c=("F16", TABLE.astype("<f2")),
        d=("F64", TABLE),
        e=("I64", (TABLE * 9).astype("<i8")),
        f=("U8", np.abs(TABLE * 9).astype("u1")),
        g=("BOOL", TABLE > 0),
    )
    files: list[File] = [("a.safetensors", content, name) for name in (*"abcdefgh", None)]
    files += [("a.safetensors", content[:-9], "g"), ("a.safetensors", content[:-200], "f")]
    files += [("a.safetensors", (2).to_bytes(8, "little") + b"{}" + bytes(8))]
    assert apart(check, tmp_path, files) == []


def test_any_bytes_are_read_or_refused_as_by_python(check: Page, tmp_path: Path) -> None:
    chance = random.Random(5)
    signs = "0123456789.,;- \t\n\"'eE−[]{}naN_"
    files: list[File] = [
        (chance.choice(NAMED), chance.choice(BEGUN) + chance.randbytes(chance.randrange(60))) for _ in range(400)
    ]
    files += [("a.csv", "".join(chance.choices(signs, k=chance.randrange(1, 40))).encode()) for _ in range(1200)]
    files += [
        ("a.csv", "".join(chance.choices('0123456789.,;\n" 1e-5', k=chance.randrange(1, 30))).encode())
        for _ in range(1200)
    ]
    assert apart(check, tmp_path, files) == []


def test_what_only_the_command_line_reads_is_refused_with_the_command(check: Page) -> None:
    large = npy(np.zeros((2049, 1024), dtype=np.float16))
    torch, many = in_page(check, [("model.pt", TORCH), ("pe.npy", large)])
    assert torch == {"key": "command-line", "message": say("error.command-line", {"name": "model.pt"})}
    assert (many["key"], "python3 -m posenc check pe.npy" in many["message"]) == ("page-cells", True)
    most = check.evaluate("() => posenc.check.readers.MAX_PAGE_CELLS")
    assert most == 2048 * 1024


def test_pasted_text_is_read_like_a_file(check: Page) -> None:
    found = check.evaluate(
        "async (text) => (await posenc.check.read('', text)).rows.map((row) => [...row])", READ_RIGHTLY["semicolons"]
    )
    np.testing.assert_allclose(found, TABLE)
