"""The header of a GGUF file: metadata and tensor table, read with limits before anything is allocated.

The layout is that of ggml's GGUF specification, versions 2 and 3, little-endian. The ``gguf`` package's
own reader trusts every length in the file; this one does not, and it can tell a file that is cut short
from one that is complete and unsupported.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

from swarm_app.domain.errors import ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.mistaken import mistaken

MAGIC = b"GGUF"
_VERSIONS = (2, 3)

MAX_ITEMS = 1 << 16
"""Most metadata entries, and most tensors: the largest models have some thousands."""
MAX_ARRAY = 1 << 24
MAX_STRING_BYTES = 1 << 24
MAX_NAME_BYTES = 1 << 10
_MAX_DIMENSIONS = 4
_MAX_ALIGNMENT = 1 << 20

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9

Value = int | float | bool | str | list[int] | list[float] | list[bool] | list[str]


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One tensor of a file: `shape` in torch's order, `offset` in bytes from the start of the file."""

    name: str
    shape: tuple[int, ...]
    type_number: int
    offset: int


@dataclass(frozen=True, slots=True)
class Header:
    """Everything of one file but its tensors' data."""

    path: Path
    size: int
    metadata: dict[str, Value]
    tensors: tuple[TensorEntry, ...]

    def text(self, key: str) -> str | None:
        value = self.metadata.get(key)
        return value if isinstance(value, str) else None

    def integer(self, key: str) -> int | None:
        value = self.metadata.get(key)
        return value if type(value) is int else None


class _Reader:
    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        self.size = file.seek(0, 2)
        file.seek(0)
        self.position = 0

    def bytes(self, count: int) -> bytes:
        if count > self.size - self.position:
            self.incomplete()
        data = self._file.read(count)
        if len(data) != count:
            self.incomplete()
        self.position += count
        return data

    def incomplete(self) -> NoReturn:
        raise ModelIncomplete(
            f"{self.path.name} is incomplete: it ends after {self.size} bytes, within its header.",
            remedy="Download or copy it again.",
        )

    def damaged(self, why: str) -> NoReturn:
        raise ModelDamaged(f"{self.path.name} is damaged: {why}.", remedy="Download or copy it again.")

    def u32(self) -> int:
        (value,) = struct.unpack("<I", self.bytes(4))
        return int(value)

    def u64(self) -> int:
        (value,) = struct.unpack("<Q", self.bytes(8))
        return int(value)

    def count(self, what: str, most: int, smallest_bytes: int) -> int:
        number = self.u64()
        if number > most:
            self.damaged(f"it claims {number} {what}")
        if number * smallest_bytes > self.size - self.position:
            self.incomplete()
        return number

    def string(self, most: int = MAX_STRING_BYTES) -> str:
        length = self.u64()
        if length > most:
            self.damaged(f"it claims a text of {length} bytes")
        try:
            return self.bytes(length).decode("utf-8")
        except UnicodeDecodeError:
            self.damaged("a text in it is not UTF-8")

    def scalar(self, kind: int) -> int | float | bool:
        form = struct.Struct("<" + _SCALARS[kind])
        (value,) = form.unpack(self.bytes(form.size))
        assert isinstance(value, int | float)
        return value

    def value(self, key: str) -> Value:
        kind = self.u32()
        if kind in _SCALARS:
            return self.scalar(kind)
        if kind == _STRING:
            return self.string()
        if kind != _ARRAY:
            self.damaged(f"the entry {key[:80]} is of the unknown type {kind}")
        element = self.u32()
        if element == _STRING:
            return [self.string() for _ in range(self.count("entries", MAX_ARRAY, 8))]
        if element not in _SCALARS:
            self.damaged(f"the entry {key[:80]} is a list of the unknown type {element}")
        width = struct.calcsize("<" + _SCALARS[element])
        count = self.count("entries", MAX_ARRAY, width)
        return list(struct.unpack(f"<{count}{_SCALARS[element]}", self.bytes(count * width)))


def _check_magic(path: Path, size: int, start: bytes) -> None:
    if size < 4 and MAGIC.startswith(start):
        raise ModelIncomplete(
            f"{path.name} is incomplete: it has {size} bytes.", remedy="Download or copy it again."
        )
    if start[:4] == MAGIC:
        return
    raise mistaken(path, start, "GGUF")


def read_header(path: Path) -> Header:
    """Read the header of one GGUF file; says nothing about the data behind it (see `check_data`).

    Raises ModelIncomplete where the file ends within the header, ModelUnsupported for another kind or
    version of file, ModelDamaged for a header that makes no sense.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise ModelIncomplete(f"{path.name} is missing.", remedy="Download or copy it.") from None
    with file:
        reader = _Reader(path, file)
        start = file.read(64)
        _check_magic(path, reader.size, start)
        file.seek(4)
        reader.position = 4
        version = reader.u32()
        if version not in _VERSIONS:
            # A big-endian file shows its version in the upper bytes.
            shown = "big-endian" if version & 0xFFFF == 0 and version else str(version)
            raise ModelUnsupported(f"{path.name} is of a GGUF version that is unsupported: {shown}.")
        tensor_count = reader.count("tensors", MAX_ITEMS, 24)
        entry_count = reader.count("metadata entries", MAX_ITEMS, 12)
        metadata: dict[str, Value] = {}
        for _ in range(entry_count):
            key = reader.string(MAX_NAME_BYTES)
            metadata[key] = reader.value(key)
        alignment = metadata.get("general.alignment", 32)
        if type(alignment) is not int or not 0 < alignment <= _MAX_ALIGNMENT or alignment & (alignment - 1):
            reader.damaged("its alignment is not a power of two")
        entries: list[TensorEntry] = []
        for _ in range(tensor_count):
            entries.append(_tensor_entry(reader))
        if len({entry.name for entry in entries}) != len(entries):
            reader.damaged("two tensors have one name")
        data_start = -(-reader.position // alignment) * alignment
        placed = tuple(
            TensorEntry(entry.name, entry.shape, entry.type_number, data_start + entry.offset)
            for entry in entries
        )
        return Header(path, reader.size, metadata, placed)


def _tensor_entry(reader: _Reader) -> TensorEntry:
    name = reader.string(MAX_NAME_BYTES)
    dimensions = reader.u32()
    if not 1 <= dimensions <= _MAX_DIMENSIONS:
        reader.damaged(f"the tensor {name[:80]} claims {dimensions} dimensions")
    shape = struct.unpack(f"<{dimensions}Q", reader.bytes(8 * dimensions))
    if any(not 0 < size < 1 << 40 for size in shape) or math.prod(shape) >= 1 << 44:
        reader.damaged(f"the tensor {name[:80]} claims an impossible size")
    type_number, offset = reader.u32(), reader.u64()
    if offset >= 1 << 48:
        reader.damaged(f"the tensor {name[:80]} claims an impossible place")
    # ggml counts dimensions from the fastest one, torch from the slowest.
    return TensorEntry(name, tuple(int(size) for size in reversed(shape)), type_number, offset)
