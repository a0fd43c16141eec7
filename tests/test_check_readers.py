"""Files as people have them: each is read rightly or refused with a sentence of its own."""

import json
import os
import pickle
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posenc.check import readers
from posenc.check import text as texts
from posenc.check.readers import read
from posenc.check.sentences import say
from posenc.check.text import Unreadable
from tests import kinds

TABLE = np.round(kinds.paper(12, 6), 6)
TORCH = pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2)  # by which PyTorch files before the archives begin


def rows(separator: str = ",", end: str = "", comma: bool = False, table: Any = TABLE) -> str:
    lines = [
        separator.join(f"{value:.6f}" if not comma else f"{value:.6f}".replace(".", ",") for value in row)
        for row in table
    ]
    return "\n".join(line + end for line in lines) + "\n"


def with_index(text: str, separator: str = ",", first: int = 0) -> str:
    return "\n".join(f"{first + place}{separator}{line}" for place, line in enumerate(text.splitlines()))


HEADER = "sin0,cos0,sin1,cos1,sin2,cos2\n"
READ_RIGHTLY = {
    "plain": rows(),
    "header": HEADER + rows(),
    "header of numbers, as pandas writes it": "0,1,2,3,4,5\n" + rows(),
    "index": with_index(rows()),
    "index from 1": with_index(rows(), first=1),
    "header and index": "pos," + HEADER + with_index(rows()),
    "pandas": ",0,1,2,3,4,5\n" + with_index(rows()),
    "quotes": "\n".join(",".join(f'"{value:.6f}"' for value in row) for row in TABLE),
    "decimal commas in quotes": HEADER.replace(",", ";") + rows(";", comma=True),
    "semicolons": rows(";"),
    "semicolons with decimal commas": rows(";", comma=True),
    "tabs": rows("\t"),
    "tabs with decimal commas": rows("\t", comma=True),
    "blanks": rows("  "),
    "blanks with decimal commas": rows(" ", comma=True),
    "comma and blank": rows(", "),
    "trailing commas": rows(end=","),
    "trailing semicolons": rows(";", end=";", comma=True),
    "minus sign of typographers": rows().replace("-", "−"),
    "byte order mark": "\ufeff" + rows(),
    "Windows lines": rows().replace("\n", "\r\n"),
    "old Mac lines": rows().replace("\n", "\r"),
    "comments and empty lines": "# made by hand\n\n" + rows().replace("\n", "\n\n"),
    "as numpy prints it": "["
    + "\n ".join("[" + " ".join(f"{value:.6f}" for value in row) + "]" for row in TABLE)
    + "]",
    "powers of ten": "\n".join(",".join(f"{value:.9e}" for value in row) for row in TABLE),
    "JSON in a text file": json.dumps(TABLE.tolist()),
}


@pytest.mark.parametrize("kind", READ_RIGHTLY)
def test_text_is_read_rightly(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(READ_RIGHTLY[kind].encode())
    np.testing.assert_allclose(read(path).array, TABLE, atol=1e-12)


def test_utf_16_as_spreadsheets_write_it(tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_bytes(rows("\t").encode("utf-16"))
    np.testing.assert_allclose(read(path).array, TABLE)


def test_nothing_and_nan_are_not_a_number_and_no_reason_to_refuse(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("0,1\n,NaN\nnan,N/A\n", "utf-8")
    assert np.isnan(read(path).array[1:]).all()


def test_a_raw_index_in_every_column_keeps_its_first(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(f"{row},{row},{row}" for row in range(8)), "utf-8")
    assert read(path).array.shape == (8, 3)


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    for text, told in ((rows(), ""), (HEADER + rows(), "header"), (with_index(rows()), "index")):
        path.write_text(text, "utf-8")
        assert read(path).without == told


REFUSED: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a.csv", b"", "empty"),
    "blank": ("a.csv", b" \n\n", "no-numbers"),
    "header alone": ("a.csv", b"a,b\n", "no-numbers"),
    "ragged": ("a.csv", b"1,2\n3\n", "ragged"),
    "words": ("a.csv", b"1,2\n3,four\n", "not-a-number"),
    "Latin-1": ("a.csv", b"\xe9t\xe9,1\n", "not-text"),
    "a picture": ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "not-text"),
    "a pickle by another name": ("a.pt", pickle.dumps([1.0], 4), "objects"),
    "words by another name": ("a.pt", b"1,2\n3,four\n", "not-a-number"),
    "a word that steers a terminal": ("a.csv", "1,2\n3,\x1b[31mred\u202e\x9b\n".encode(), "not-a-number"),
    "broken JSON": ("a.json", b"[[0, 1], [0", "json"),
    "deep JSON": ("a.json", b"[" * 100_000, "json"),
    "a number without end in JSON": ("a.json", b"[[1, " + b"9" * 5000 + b"]]", "json-shape"),
    "an endless index": ("a.csv", b"inf,a\ninf,1\ninf,1\ninf,x\n", "not-a-number"),
    "JSON of words": ("a.json", b'[["a"]]', "json-shape"),
    "JSON of one number": ("a.json", b"3", "json-shape"),
    "JSON of true": ("a.json", b"[[true, false]]", "json-shape"),
    "ragged JSON": ("a.json", b"[[1, 2], [3]]", "ragged"),
    "several in JSON": ("a.json", b'{"a": [[1, 2]], "b": [[1, 2]]}', "names"),
    "a list of numbers": ("a.json", b"[1, 2, 3]", "rank"),
    "an array of arrays of arrays": ("a.json", b"[[[1, 2], [3, 4]], [[1, 2], [3, 4]]]", "rank"),
    "a cut .npy": ("a.npy", b"\x93NUMPY\x01\x00", "npy"),
    "a pickle": ("a.pkl", b"\x80\x04N.", "objects"),
    "a broken zip": ("a.npz", b"PK\x03\x04 and then", "npy"),
    "a broken .safetensors": ("a.safetensors", b"\xff" * 32, "safetensors"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_own_sentence(kind: str, tmp_path: Path) -> None:
    name, content, key = REFUSED[kind]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / name)
    assert refused.value.key == key
    told = say(f"error.{key}", refused.value.numbers)
    assert not re.search(r"\{\w+\}", told)
    assert told.isprintable()


def test_folders_pipes_and_missing_files_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, key in ((tmp_path, "folder"), (tmp_path / "pipe", "special"), (tmp_path / "none", "missing")):
        with pytest.raises(Unreadable) as refused:
            read(path)
        assert refused.value.key == key


class Trap:
    """Whoever unpickles this runs code."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, ("touch /nowhere/run",)


def test_an_array_of_objects_is_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([Trap()], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "a.npz", trap=np.array([Trap()], dtype=object))
    for name in ("a.npy", "a.npz"):
        with pytest.raises(Unreadable) as refused:
            read(tmp_path / name)
        assert refused.value.key == "objects"


def test_a_header_that_promises_more_than_the_file_holds_costs_no_memory(tmp_path: Path) -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }"
    for shape, key in ((b"4000, 4000", "npy"), (b"99999999, 99999999", "cells")):
        text = header.replace(b"%s", shape).ljust(117) + b"\n"
        content = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
        (tmp_path / "a.npy").write_bytes(content)
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("pe.npy", content)
        for name in ("a.npy", "a.npz"):
            with pytest.raises(Unreadable) as refused:
                read(tmp_path / name)
            assert refused.value.key == key


def test_files_beyond_the_limit_are_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text(rows(), "utf-8")
    monkeypatch.setattr(readers, "MAX_TEXT", 100)
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / "a.csv")
    assert refused.value.key == "large"


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", "<f2", "<i8"])
def test_npy_of_any_order_and_size(dtype: str, tmp_path: Path) -> None:
    table = (TABLE * 4).astype(dtype)
    for order in (table, np.asfortranarray(table), table[None]):
        np.save(tmp_path / "a.npy", order)
        np.testing.assert_array_equal(read(tmp_path / "a.npy").array, table)


def test_an_npz_of_several_asks_which(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", pe=TABLE, other=np.zeros(3))
    np.testing.assert_array_equal(read(tmp_path / "a.npz", "pe").array, TABLE)
    for name, key in ((None, "names"), ("none", "no-name")):
        with pytest.raises(Unreadable) as refused:
            read(tmp_path / "a.npz", name)
        assert refused.value.key == key


def safetensors(**arrays: tuple[str, Any]) -> bytes:
    header, body = {}, b""
    for name, (kind, array) in arrays.items():
        raw = array.tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def test_safetensors_in_every_float(tmp_path: Path) -> None:
    low = kinds.bfloat16(TABLE)
    upper = (low.astype(np.float32).view(np.uint32) >> 16).astype("<u2")
    content = safetensors(a=("F32", TABLE.astype("<f4")), b=("BF16", upper), c=("F16", TABLE.astype("<f2")))
    (tmp_path / "a.safetensors").write_bytes(content)
    np.testing.assert_array_equal(read(tmp_path / "a.safetensors", "a").array, TABLE.astype("<f4"))
    np.testing.assert_array_equal(read(tmp_path / "a.safetensors", "b").array, low)
    np.testing.assert_array_equal(read(tmp_path / "a.safetensors", "c").array, TABLE.astype("<f2"))


@pytest.mark.parametrize(
    ("slip", "key"),
    [
        ({"shape": [float("inf"), 2]}, "safetensors"),
        ({"data_offsets": [0, float("inf")]}, "safetensors"),
        ({"dtype": ["F32"]}, "kind"),
        ({"dtype": {}}, "kind"),
    ],
)
def test_a_header_of_safetensors_may_hold_anything(slip: dict[str, Any], key: str, tmp_path: Path) -> None:
    told = {"a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16], **slip}}
    text = json.dumps(told).encode()
    (tmp_path / "a.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + bytes(16))
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / "a.safetensors")
    assert refused.value.key == key


def test_pytorch_files_ask_for_pytorch_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "a.pt").write_bytes(TORCH)
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / "a.pt")
    assert (refused.value.key, refused.value.numbers["library"]) == ("library", "torch")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["a.pt", "a.bin", "a.pkl", "a"])
def test_a_pickle_is_refused_whatever_its_name_and_without_pytorch(name: str, protocol: int, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(pickle.dumps(TABLE, protocol))
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / name)
    assert refused.value.key == "objects"


class Loader:
    """Stands for PyTorch: remembers how its load was called."""

    float64 = "float64"

    class Tensor:
        def __init__(self, values: Any, dtype: str = "torch.float32", sparse: bool = False) -> None:
            self.values, self.dtype, self.sparse = np.asarray(values), dtype, sparse

        def numel(self) -> int:
            return self.values.size

        def detach(self) -> "Loader.Tensor":
            return self

        def to(self, kind: str) -> "Loader.Tensor":
            return Loader.Tensor(self.values.astype(kind), f"torch.{kind}", self.sparse)

        def numpy(self) -> Any:
            if self.sparse:
                raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")
            return self.values

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, {}  # type: ignore[var-annotated]

    def load(self, path: Path, **flags: Any) -> Any:
        self.asked = flags
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def loaded(answer: Any, path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None = None) -> Any:
    import sys

    loader = Loader(answer)
    monkeypatch.setitem(sys.modules, "torch", loader)
    path.write_bytes(TORCH)
    try:
        return read(path, name).array
    finally:
        assert loader.asked == {"map_location": "cpu", "weights_only": True}


def test_pytorch_is_asked_for_weights_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pt"
    np.testing.assert_array_equal(loaded(Loader.Tensor(TABLE), path, monkeypatch), TABLE)
    state = {"epoch": 3, "state_dict": {"pe": Loader.Tensor(TABLE[None]), "bias": Loader.Tensor([1.0])}}
    np.testing.assert_array_equal(loaded(state, path, monkeypatch, "state_dict.pe"), TABLE)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (
            pickle.UnpicklingError("Weights only load failed. \x1b[1m\x1b[0m Unsupported global: posix.system"),
            "objects",
        ),
        (pickle.UnpicklingError("Weights only load failed. Unsupported operand 149"), "protocol"),
        (RuntimeError("PytorchStreamReader failed\nmore"), "torch"),
        ("a word", "torch"),
        ({}, "no-numbers"),
        ({"a": Loader.Tensor([[1.0]], "torch.complex64")}, "kind"),
        (Loader.Tensor([[1.0]], "torch.float8_e4m3fn"), "kind"),
        (Loader.Tensor([[1.0]], "torch.qint8"), "kind"),
        (Loader.Tensor(TABLE, sparse=True), "torch"),
    ],
)
def test_what_pytorch_will_not_load_is_refused(
    answer: Any, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unreadable) as refused:
        loaded(answer, tmp_path / "a.pt", monkeypatch)
    assert refused.value.key == key
    assert "\n" not in say(f"error.{key}", refused.value.numbers)


def test_an_archive_that_swells_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MAX_BYTES", 2**20)
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pe.npy", b"\0" * 2**22)
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / "a.npz")
    assert refused.value.key == "large"


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / one).symlink_to(tmp_path / other)
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / "a")
    assert refused.value.key == "forbidden"


@pytest.mark.parametrize(
    ("limit", "content", "key"),
    [
        ("MAX_LINE", b"0,1\n" + b"1," * 40, "long-line"),
        ("MAX_ROWS", b"1,2\n" * 80, "lines"),
        ("MAX_CELLS", b"1,2,3\n" * 8, "text-cells"),
        ("MAX_CELLS", b"[[" + b"1," * 30 + b"1]]", "text-cells"),
        ("MAX_COLUMNS", b"0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,2,3\n", "columns"),
    ],
)
def test_text_beyond_a_limit_is_refused_before_it_is_parsed(
    limit: str, content: bytes, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, limit, 20 if limit != "MAX_COLUMNS" else 10)
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(Unreadable) as refused:
        read(tmp_path / "a.csv")
    assert refused.value.key == key
    say(f"error.{key}", refused.value.numbers)


BEGINNINGS = st.sampled_from(
    [b"", b"\x93NUMPY\x01\x00v\x00", b"PK\x03\x04", b"[[", b'{"a": ', b"0,1\n", b"\xff\xfe", b"\x80\x04"]
)
NAMES = st.sampled_from(["a.npy", "a.npz", "a.csv", "a.json", "a.safetensors", "a.txt", "a.bin"])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BEGINNINGS, st.binary(max_size=200), NAMES)
def test_any_bytes_are_read_or_refused(tmp_path: Path, begin: bytes, rest: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(begin + rest)
    try:
        array = read(tmp_path / name).array
    except Unreadable as refused:
        say(f"error.{refused.key}", refused.numbers)
    else:
        assert array.ndim == 2


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="0123456789.,;- \t\n\"'eE−[]{}naN_", max_size=120))
def test_any_text_of_numbers_is_read_or_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text, "utf-8")
    try:
        assert read(tmp_path / "a.csv").array.ndim == 2
    except Unreadable as refused:
        say(f"error.{refused.key}", refused.numbers)
