"""Files to arrays. By content more than by name; nothing is unpickled or run, and size is known before reading.

Whatever is wrong is told by Unreadable, a key of content/en/check.md with its numbers.
"""

import json
import math
import pickle
import stat
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from posenc.check.judge import MAX_CELLS
from posenc.check.text import Unreadable, from_json, from_text

MAX_BYTES = 2**29
MAX_TEXT = 2**26
_MB = 10**6
_TORCH_MAGIC = bytes.fromhex("6cfc9c46f9206aa85019")  # near the beginning of files of the format before the archives
_TORCH_KINDS = {"float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8"}
_PICKLES = {".pkl", ".pickle"}
_DEPTH = 3  # dictionaries within dictionaries of a checkpoint
_HEADER = 2**24  # bytes of a safetensors header
_SAFE = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}

_NPY_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Read:
    """An array, and what was left out to get it: header, index, both, or nothing."""

    array: Array
    without: str = ""


def read(path: Path, name: str | None = None) -> Read:
    """The array of a file, two-dimensional; `name` chooses among several."""
    try:
        told = path.stat()
        if stat.S_ISDIR(told.st_mode):
            raise Unreadable("folder")
        if not stat.S_ISREG(told.st_mode):  # a pipe would wait for ever
            raise Unreadable("special")
        if told.st_size == 0:
            raise Unreadable("empty")
        _small_enough(told.st_size, MAX_BYTES)
        found = _of(path, told.st_size, name)
    except FileNotFoundError:
        raise Unreadable("missing") from None
    except OSError as error:
        raise Unreadable("forbidden", reason=error.strerror or str(error)) from None
    except MemoryError:
        raise Unreadable("cells", cells="∞", limit=MAX_CELLS) from None
    return Read(_table(found.array), found.without)


def _of(path: Path, size: int, name: str | None) -> Read:
    with path.open("rb") as file:
        begin = file.read(64)
    suffix = path.suffix.lower()
    if begin.startswith(b"\x93NUMPY"):
        with path.open("rb") as file:
            return Read(_npy(file, size))
    if begin.startswith(b"PK"):
        return Read(_zip(path, name))
    if suffix == ".safetensors":
        return Read(_safetensors(path, size, name))
    if suffix in _PICKLES or (begin.startswith(b"\x80") and _TORCH_MAGIC not in begin):
        raise Unreadable("objects")
    if _TORCH_MAGIC in begin:
        return Read(_torch(path, name))
    _small_enough(size, MAX_TEXT)
    content = path.read_bytes()
    if suffix == ".json" or content.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"[", b"{"):
        try:
            return Read(_chosen(from_json(content), name))
        except Unreadable as error:
            if suffix == ".json" or error.key != "json":
                raise
    array, without = from_text(content)
    return Read(array, without)


def _small_enough(size: int, limit: int) -> None:
    if size > limit:
        raise Unreadable("large", size=math.ceil(size / _MB), limit=limit // _MB)


def _table(array: Array) -> Array:
    """Real numbers in two dimensions, extra ones of length 1 squeezed."""
    if array.dtype.kind not in "iuf":
        raise Unreadable("kind", kind=array.dtype.name)
    shape = " × ".join(map(str, array.shape)) or "1"
    if array.size == 0:
        raise Unreadable("no-cells", shape=shape)
    if array.size > MAX_CELLS:
        raise Unreadable("cells", cells=array.size, limit=MAX_CELLS)
    rank = array.ndim
    while array.ndim > 2 and 1 in array.shape:
        array = array.squeeze(array.shape.index(1))
    if array.ndim != 2:
        raise Unreadable("rank", rank=rank, shape=shape)
    return array


def _chosen(arrays: Mapping[str, Any], name: str | None) -> Any:
    """The one that was named, or the only one."""
    if name is not None and name in arrays:
        return arrays[name]
    names = ", ".join(list(arrays)[:20])
    if name is not None and tuple(arrays) != ("",):
        raise Unreadable("no-name", wanted=name, names=names or "none")
    if len(arrays) != 1:
        raise Unreadable("names", names=names) if arrays else Unreadable("no-numbers")
    return next(iter(arrays.values()))


# --- NumPy


def _npy(file: IO[bytes], size: int) -> Array:
    """Its header is read first: what it promises must be in the file."""
    try:
        version = np.lib.format.read_magic(file)
        if version not in _NPY_HEADERS:
            raise Unreadable("npy", reason=f"its format is {version[0]}.{version[1]}")
        shape, _, dtype = _NPY_HEADERS[version](file)
        cells = math.prod(shape)
        if dtype.hasobject:
            raise Unreadable("objects")
        if cells > MAX_CELLS:
            raise Unreadable("cells", cells=cells, limit=MAX_CELLS)
        if cells * dtype.itemsize > size:
            raise Unreadable("npy", reason="it is shorter than its header says")
        file.seek(0)
        return np.lib.format.read_array(file, allow_pickle=False)
    except Unreadable:
        raise
    except Exception as error:  # a broken header raises nearly anything; nothing of it runs
        raise Unreadable("npy", reason=_first_line(error)) from None


def _zip(path: Path, name: str | None) -> Array:
    """An .npz is a zip of .npy files; any other is taken for PyTorch's."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {
                info.filename.removesuffix(".npy"): info
                for info in archive.infolist()
                if info.filename.endswith(".npy")
            }
            if members:
                info = _chosen(members, name)
                _small_enough(info.file_size, MAX_BYTES)
                with archive.open(info) as file:
                    return _npy(file, info.file_size)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        if not isinstance(error, Unreadable):
            raise Unreadable("npy", reason=_first_line(error)) from None
        raise
    if path.suffix.lower() == ".npz":
        raise Unreadable("no-numbers")
    return _torch(path, name)


# --- safetensors and PyTorch


def _safetensors(path: Path, size: int, name: str | None) -> Array:
    """Eight bytes of length, a header in JSON, then the numbers: read here, so that no library is needed."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(size - 8, _HEADER):
            raise Unreadable("safetensors", reason="its header is broken")
        try:
            header = json.loads(file.read(length))
            tensors = {key: told for key, told in header.items() if key != "__metadata__"}
            told = _chosen(tensors, name)
            kind, shape = str(told["dtype"]), tuple(int(part) for part in told["shape"])
            begin, end = (int(place) for place in told["data_offsets"])
        except Unreadable:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise Unreadable("safetensors", reason=_first_line(error)) from None
        dtype = np.dtype("<u2" if kind == "BF16" else _SAFE.get(kind, "V1"))
        if dtype.kind == "V":
            raise Unreadable("kind", kind=kind)
        if (
            min((*shape, begin), default=0) < 0
            or end > size - 8 - length
            or end - begin != math.prod(shape) * dtype.itemsize
        ):
            raise Unreadable("safetensors", reason="it is shorter than its header says")
        if math.prod(shape) > MAX_CELLS:
            raise Unreadable("cells", cells=math.prod(shape), limit=MAX_CELLS)
        file.seek(8 + length + begin)
        values = np.frombuffer(file.read(end - begin), dtype).reshape(shape)
    if kind == "BF16":  # the upper half of a float32
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values


def _torch(path: Path, name: str | None) -> Array:
    try:
        import torch
    except ImportError:
        raise Unreadable("library", library="torch") from None
    with warnings.catch_warnings(action="ignore"):
        try:
            loaded = torch.load(path, map_location="cpu", weights_only=True)
        except pickle.UnpicklingError as error:
            raise Unreadable("objects" if "Unsupported global" in str(error) else "protocol") from None
        except Exception as error:  # whatever a hostile file makes it raise
            raise Unreadable("torch", reason=_first_line(error)) from None
        if not isinstance(loaded, (Mapping, torch.Tensor)):
            raise Unreadable("torch", reason=type(loaded).__name__)
        tensors = {"": loaded} if isinstance(loaded, torch.Tensor) else dict(_flat(loaded, torch.Tensor))
        tensor = _chosen(tensors, name)
        if tensor.numel() > MAX_CELLS:
            raise Unreadable("cells", cells=tensor.numel(), limit=MAX_CELLS)
        kind = str(tensor.dtype).removeprefix("torch.")
        if kind not in _TORCH_KINDS:
            raise Unreadable("kind", kind=kind)
        try:
            return np.asarray(tensor.detach().to(torch.float64).numpy())
        except Exception as error:  # sparse ones, and those without values
            raise Unreadable("torch", reason=_first_line(error)) from None


def _flat(found: Mapping[Any, Any], kind: type, before: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Tensors by name, those of a checkpoint's inner dictionaries as `state_dict.pe`."""
    for key, value in found.items():
        if isinstance(value, kind):
            yield f"{before}{key}", value
        elif isinstance(value, Mapping) and depth < _DEPTH:
            yield from _flat(value, kind, f"{before}{key}.", depth + 1)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200] or type(error).__name__
