"""Linear layers over packed weights: the quantized tensors of the store put into modules.

The layouts are those of `quantize`: int8 per row, int4 in groups of 32. On a CPU activations stay in
bfloat16 and PyTorch's weight-only kernels (``_weight_int8pack_mm``, ``_weight_int4pack_mm_for_cpu``)
multiply. They win while few tokens are multiplied; from `PREFILL_ROWS` on, int8 weights are widened
to bfloat16 for one ordinary product, where the processor multiplies bfloat16 itself. On other devices
(CUDA, MPS) weights are widened once, when they are loaded: bfloat16 is what runs fast there, at the price
of its memory.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import torch
from torch import nn
from torch.nn import functional

from swarm_app.models.quantize import GROUP_SIZE, dequantize_int4, dequantize_int8, unpack_int4

PREFILL_ROWS = 24
"""Rows of activations from which widening the weight wins; measured on AVX-512 with 2 cores."""


@functools.cache
def multiplies_bfloat16() -> bool:
    """Whether this processor has instructions for products of bfloat16.

    Without them (AVX2, the first AVX-512) oneDNN widens every number by itself, and the packed kernels win at
    any number of rows: a prefill of SmolLM2 takes a seventh of the time.
    """
    able = torch.cpu.get_capabilities()
    if able.get("architecture") != "x86_64":
        return True
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


KERNEL_ROWS = 16
"""The int4 kernel takes outputs in multiples of this."""


class Int8Linear(nn.Module):
    """``y = x W^T + b`` with W as int8 rows [out, in] and one bfloat16 scale a row; on a CPU."""

    def __init__(self, weight: torch.Tensor, scale: torch.Tensor, bias: torch.Tensor | None = None) -> None:
        super().__init__()
        self.out_features, self.in_features = weight.shape
        self.packed = nn.Buffer(weight.contiguous(), persistent=False)
        self.scale = nn.Buffer(scale.to(torch.bfloat16).contiguous(), persistent=False)
        self.bias = None if bias is None else nn.Buffer(bias.to(torch.bfloat16), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.numel() // self.in_features
        if rows < PREFILL_ROWS or not multiplies_bfloat16():
            flat = torch._weight_int8pack_mm(x.reshape(rows, self.in_features), self.packed, self.scale)
            out = flat.view(*x.shape[:-1], self.out_features)
        else:
            out = functional.linear(x, self.packed.to(x.dtype)) * self.scale
        return out if self.bias is None else out + self.bias


class Int4Linear(nn.Module):
    """``y = x W^T + b`` with W as 4-bit groups of 32 columns: ``(q - 8) * scale + zero``; on a CPU.

    `nibbles` is [out, in / 2], `scale` and `zero` are [out, in / 32]; out must be a multiple of 16.
    """

    def __init__(
        self,
        nibbles: torch.Tensor,
        scale: torch.Tensor,
        zero: torch.Tensor,
        bias: torch.Tensor | None = None,
    ) -> None:
        super().__init__()
        self.out_features, self.in_features = nibbles.shape[0], nibbles.shape[1] * 2
        levels = unpack_int4(nibbles).to(torch.int32)
        self.packed = nn.Buffer(torch._convert_weight_to_int4pack_for_cpu(levels, 1), persistent=False)
        scales_zeros = torch.stack((scale.t(), zero.t()), dim=-1).to(torch.bfloat16).contiguous()
        self.scales_zeros = nn.Buffer(scales_zeros, persistent=False)
        self.bias = None if bias is None else nn.Buffer(bias.to(torch.bfloat16), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        flat = torch.ops.aten._weight_int4pack_mm_for_cpu(
            x.reshape(-1, self.in_features), self.packed, GROUP_SIZE, self.scales_zeros
        )
        out: torch.Tensor = flat.view(*x.shape[:-1], self.out_features)
        return out if self.bias is None else out + self.bias


def is_packed(parameter: str, tensors: Mapping[str, torch.Tensor]) -> bool:
    """Whether a parameter is stored quantized among a block's tensors."""
    return f"{parameter}.int8" in tensors or f"{parameter}.int4" in tensors


def take_packed(parameter: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Take a quantized parameter out of `tensors`: int8 or int4, scale and (int4) zero, by those names."""
    parts = ("int8", "int4", "scale", "zero")
    return {part: tensors.pop(f"{parameter}.{part}") for part in parts if f"{parameter}.{part}" in tensors}


def packed_linear(
    parts: Mapping[str, torch.Tensor], bias: torch.Tensor | None, device: torch.device
) -> nn.Module:
    """The layer for one quantized weight [out, in] on `device`; see `take_packed` for `parts`."""
    if device.type == "cpu":
        if "int8" in parts:
            return Int8Linear(parts["int8"], parts["scale"], bias)
        if parts["int4"].shape[0] % KERNEL_ROWS == 0:
            return Int4Linear(parts["int4"], parts["scale"], parts["zero"], bias)
    if "int8" in parts:
        wide = dequantize_int8(parts["int8"], parts["scale"])
    else:
        wide = dequantize_int4(parts["int4"], parts["scale"], parts["zero"])
    layer = nn.Linear(wide.shape[1], wide.shape[0], bias=bias is not None, device="meta")
    layer.weight = nn.Parameter(wide.to(torch.bfloat16).to(device), requires_grad=False)
    if bias is not None:
        layer.bias = nn.Parameter(bias.to(torch.bfloat16).to(device), requires_grad=False)
    return layer
