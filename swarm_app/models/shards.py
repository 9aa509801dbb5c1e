"""Reading safetensors files of any origin: header first, with limits, and tensors one at a time.

Tensors are read, not mapped: a file of many gigabytes then costs the memory of the tensors in use, and a
file that is cut short while it is read is an error instead of a crash.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from swarm_app.domain.errors import ModelIncomplete, ModelUnsupported
from swarm_app.models.mistaken import mistaken

MAX_HEADER_BYTES = 100_000_000
"""The format's own limit."""

_MAX_DIMENSIONS = 8

DTYPES: dict[str, torch.dtype] = {
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F64": torch.float64,
    "U8": torch.uint8,
    "I8": torch.int8,
    "I16": torch.int16,
    "I32": torch.int32,
    "I64": torch.int64,
    "BOOL": torch.bool,
}


@dataclass(frozen=True, slots=True)
class ShardTensor:
    """One tensor of a file, not yet read; ``tensor[...]`` reads it."""

    path: Path
    key: str
    dtype: torch.dtype
    shape: tuple[int, ...]
    offset: int
    """Bytes from the start of the file."""

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def __getitem__(self, index: object) -> torch.Tensor:
        """The whole tensor (the only index is ``...``); raises ModelIncomplete where the file ends early."""
        assert index is Ellipsis
        tensor = torch.empty(self.shape, dtype=self.dtype)
        if self.nbytes == 0:
            return tensor
        target = tensor.reshape(-1).view(torch.uint8).numpy().data
        with self.path.open("rb", buffering=0) as file:
            file.seek(self.offset)
            done = 0
            while done < len(target):
                count = file.readinto(target[done:])
                if not count:
                    raise incomplete(self.path, self.offset + done, self.offset + self.nbytes)
                done += count
        return tensor


def incomplete(path: Path, has: int, needs: int) -> ModelIncomplete:
    """The refusal of a file that ends early, with both sizes."""
    return ModelIncomplete(
        f"{path.name} is incomplete: it has {has} of {needs} bytes.", remedy="Download or copy it again."
    )


def read_header(path: Path) -> dict[str, ShardTensor]:
    """The tensors of a safetensors file, by key.

    Raises ModelIncomplete when the file is missing or shorter than its header says, ModelUnsupported
    when it is no safetensors file or holds a type of number that is not carried.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            start = file.read(64)
            if len(start) < 8:
                raise incomplete(path, size, 8)
            (length,) = struct.unpack("<Q", start[:8])
            if length > MAX_HEADER_BYTES or start[8:9] not in (b"{", b""):
                raise mistaken(path, start, "safetensors")
            if 8 + length > size:
                raise incomplete(path, size, 8 + length)
            file.seek(8)
            content = file.read(length)
    except FileNotFoundError:
        raise ModelIncomplete(
            f"{path.name} is missing.", remedy="Download or copy the whole model."
        ) from None
    try:
        header = json.loads(content)
    except (ValueError, RecursionError):
        raise mistaken(path, start, "safetensors") from None
    if not isinstance(header, dict):
        raise mistaken(path, start, "safetensors")
    tensors: dict[str, ShardTensor] = {}
    end = 0
    for key, fields in header.items():
        if key == "__metadata__":
            continue
        tensor = _tensor(path, str(key), fields, 8 + length, start)
        end = max(end, tensor.offset + tensor.nbytes)
        tensors[str(key)] = tensor
    if end > size:
        raise incomplete(path, size, end)
    return tensors


def _tensor(path: Path, key: str, fields: Any, data_start: int, start: bytes) -> ShardTensor:
    if not isinstance(fields, dict):
        raise mistaken(path, start, "safetensors")
    dtype, shape, offsets = fields.get("dtype"), fields.get("shape"), fields.get("data_offsets")
    if dtype not in DTYPES:
        raise ModelUnsupported(
            f"{path.name} holds numbers of a type that is unsupported: {str(dtype)[:20]} (in {key[:80]})."
        )
    sizes, span = _numbers(shape, _MAX_DIMENSIONS), _numbers(offsets, 2)
    if sizes is None or span is None or len(span) != 2:
        raise mistaken(path, start, "safetensors")
    tensor = ShardTensor(path, key, DTYPES[dtype], sizes, data_start + span[0])
    if span[1] - span[0] != tensor.nbytes:
        raise mistaken(path, start, "safetensors")
    return tensor


def _numbers(value: Any, most: int) -> tuple[int, ...] | None:
    if not isinstance(value, list) or len(value) > most:
        return None
    if any(type(number) is not int or not 0 <= number < 1 << 48 for number in value):
        return None
    return tuple(value)
