"""Weight-only quantization of linear layers: what is stored, and how it is undone.

The last dimension of a weight is the input of its linear layer, the one before it the output; expert
weights have a leading expert dimension. For a parameter ``X`` of shape [..., out, in]:

int8, symmetric per output row::

    X.int8   int8     [..., out, in]
    X.scale  float32  [..., out]              w = q * scale, a number that bfloat16 holds exactly

int4, asymmetric in groups of 32 inputs::

    X.int4   uint8    [..., out, in / 2]      even column in the low nibble, odd in the high one
    X.scale  bfloat16 [..., out, in / 32]
    X.zero   bfloat16 [..., out, in / 32]     w = (q - 8) * scale + zero, q in 0..15

A weight whose input is not a multiple of 32 stays unquantized in an int4 model. Only element-wise
operations, minima and maxima are used, in float32, so that the same weights give the same bytes (and
the same model id) on every computer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from swarm_app.models.manifest import Quant

GROUP_SIZE = 32
"""Input columns that share a scale in int4; what the packed CPU kernels take."""

_CHUNK_ELEMENTS = 1 << 20
"""Elements worked on in float32 at a time (4 MB a copy): a large weight costs little beyond its own size."""

SUFFIXES = ("int8", "int4", "scale", "zero")


def _row_chunks(rows: int, columns: int) -> Iterator[slice]:
    step = max(1, _CHUNK_ELEMENTS // max(1, columns))
    for start in range(0, rows, step):
        yield slice(start, min(rows, start + step))


def _check(weight: Tensor) -> tuple[int, int, int]:
    if weight.dim() < 2 or not weight.is_floating_point():
        raise ValueError(f"a linear weight is floating point and [..., out, in], not {tuple(weight.shape)}")
    rows, columns = math.prod(weight.shape[:-1]), weight.shape[-1]
    return rows, columns, weight.shape[-2]


def quantize_int8(weight: Tensor) -> tuple[Tensor, Tensor]:
    """(q, scale) of a finite weight [..., out, in]; the error of each value is at most scale / 2."""
    rows, columns, _ = _check(weight)
    flat = weight.reshape(rows, columns)
    q = torch.empty(rows, columns, dtype=torch.int8)
    scale = torch.empty(rows, dtype=torch.float32)
    for part in _row_chunks(rows, columns):
        values = flat[part].float()
        # Rounded up to a bfloat16 now: the packed kernels take scales of that type, and rounding them
        # after the weights would be an error on top.
        scale[part] = _bfloat16_at_least(values.abs().amax(dim=1) / 127.0).float()
        # A row of zeros has scale 0; any divisor gives it zeros.
        divisor = torch.where(scale[part] > 0, scale[part], torch.ones(()))
        q[part] = (values / divisor[:, None]).round_().clamp_(-127, 127).to(torch.int8)
    return q.reshape(weight.shape), scale.reshape(weight.shape[:-1])


def _bfloat16_at_least(values: Tensor) -> Tensor:
    """The smallest bfloat16 that is not below each of the non-negative float32 `values`."""
    rounded = values.to(torch.bfloat16)
    # The next number up of a non-negative float is the next integer up of its bits.
    above = (rounded.view(torch.int16) + 1).view(torch.bfloat16)
    return torch.where(rounded.float() < values, above, rounded)


def quantize_int4(weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(packed, scale, zero) of a finite weight [..., out, in], in divisible by 32.

    `zero` is rounded to bfloat16 first and `scale` is then chosen, and rounded up, so that the 16 levels
    still reach the group's minimum and maximum. The error of each value is thereby at most scale / 2.
    """
    rows, columns, _ = _check(weight)
    if columns % GROUP_SIZE:
        raise ValueError(f"an input of {columns} does not divide into groups of {GROUP_SIZE}")
    groups = columns // GROUP_SIZE
    flat = weight.reshape(rows, columns)
    packed = torch.empty(rows, columns // 2, dtype=torch.uint8)
    scale = torch.empty(rows, groups, dtype=torch.bfloat16)
    zero = torch.empty(rows, groups, dtype=torch.bfloat16)
    for part in _row_chunks(rows, columns):
        values = flat[part].float().reshape(-1, groups, GROUP_SIZE)
        low, high = values.amin(dim=2), values.amax(dim=2)
        zero[part] = (low + (high - low) * (8.0 / 15.0)).to(torch.bfloat16)
        middle = zero[part].float()
        scale[part] = _bfloat16_at_least(
            torch.maximum((high - middle) / 7.0, (middle - low) / 8.0).clamp_min(0)
        )
        step = scale[part].float()
        divisor = torch.where(step > 0, step, torch.ones(()))
        q = ((values - middle[..., None]) / divisor[..., None]).round_().add_(8).clamp_(0, 15).to(torch.uint8)
        q = q.reshape(-1, columns)
        packed[part] = q[:, 0::2] | (q[:, 1::2] << 4)
    shape = weight.shape[:-1]
    return packed.reshape(*shape, columns // 2), scale.reshape(*shape, groups), zero.reshape(*shape, groups)


def dequantize_int8(q: Tensor, scale: Tensor) -> Tensor:
    """The float32 weight [..., out, in]."""
    return q.float() * scale.float()[..., None]


def unpack_int4(packed: Tensor) -> Tensor:
    """The uint8 values 0..15, [..., out, in]."""
    low, high = packed & 0x0F, packed >> 4
    return torch.stack((low, high), dim=-1).reshape(*packed.shape[:-1], packed.shape[-1] * 2)


def dequantize_int4(packed: Tensor, scale: Tensor, zero: Tensor) -> Tensor:
    """The float32 weight [..., out, in]."""
    q = unpack_int4(packed)
    grouped = q.reshape(*q.shape[:-1], -1, GROUP_SIZE).float() - 8.0
    return (grouped * scale.float()[..., None] + zero.float()[..., None]).reshape(q.shape)


def quantized(name: str, weight: Tensor, quant: Quant) -> dict[str, Tensor]:
    """What is stored for the linear weight `name` [..., out, in] in an int8 or int4 model."""
    if quant is Quant.INT8:
        q, scale = quantize_int8(weight)
        return {f"{name}.int8": q, f"{name}.scale": scale}
    assert quant is Quant.INT4
    packed, scale, zero = quantize_int4(weight)
    return {f"{name}.int4": packed, f"{name}.scale": scale, f"{name}.zero": zero}


def dequantize(tensors: dict[str, Tensor], transposed: frozenset[str] = frozenset()) -> dict[str, Tensor]:
    """A block's tensors with every quantized weight as float32 again, under its own name.

    Names in `transposed` (expert weights that the family keeps as [expert, in, out]) are turned back.
    """
    whole: dict[str, Tensor] = {}
    for key, tensor in tensors.items():
        name, _, suffix = key.rpartition(".")
        if suffix == "int8":
            weight = dequantize_int8(tensor, tensors[f"{name}.scale"])
        elif suffix == "int4":
            weight = dequantize_int4(tensor, tensors[f"{name}.scale"], tensors[f"{name}.zero"])
        elif suffix in ("scale", "zero") and (f"{name}.int8" in tensors or f"{name}.int4" in tensors):
            continue
        else:
            whole[key] = tensor
            continue
        whole[name] = weight.transpose(-1, -2).contiguous() if name in transposed else weight
    return whole
