"""Linear layers over packed weights, and the quantized tensors of the store put into modules.

The layouts are those of `quantize`: int8 per row, int4 in groups of 32. Both keep activations in
bfloat16 and multiply with PyTorch's weight-only CPU kernels (``_weight_int8pack_mm`` and
``_weight_int4pack_mm_for_cpu``). Those kernels win while few tokens are multiplied; from
`PREFILL_ROWS` on, the weight is widened to bfloat16 and an ordinary product is faster.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import nn
from torch.nn import functional

from swarm_app.models.quantize import GROUP_SIZE, unpack_int4

PREFILL_ROWS = 24
"""Rows of activations from which widening the weight wins; measured on AVX-512 with 2 cores."""


class Int8Linear(nn.Module):
    """``y = x W^T + b`` with W as int8 rows [out, in] and one scale a row."""

    def __init__(self, weight: torch.Tensor, scale: torch.Tensor, bias: torch.Tensor | None) -> None:
        super().__init__()
        self.out_features, self.in_features = weight.shape
        self.weight_int8 = nn.Buffer(weight.contiguous(), persistent=False)
        self.scale = nn.Buffer(scale.to(torch.bfloat16).contiguous(), persistent=False)
        self.bias = None if bias is None else nn.Buffer(bias.to(torch.bfloat16), persistent=False)
        self.packed = weight.device.type == "cpu"

    @property
    def weight(self) -> torch.Tensor:
        """The widened weight [out, in], bfloat16; for code that only looks at shape or dtype."""
        return self.weight_int8.to(torch.bfloat16) * self.scale[:, None]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.numel() // self.in_features
        if rows < PREFILL_ROWS and self.packed:
            flat = torch._weight_int8pack_mm(x.reshape(rows, self.in_features), self.weight_int8, self.scale)
            out = flat.view(*x.shape[:-1], self.out_features)
        else:
            out = functional.linear(x, self.weight_int8.to(x.dtype)) * self.scale
        return out if self.bias is None else out + self.bias


class Int4Linear(nn.Module):
    """``y = x W^T + b`` with W as 4-bit groups of 32 columns: ``(q - 8) * scale + zero``."""

    def __init__(
        self, nibbles: torch.Tensor, scale: torch.Tensor, zero: torch.Tensor, bias: torch.Tensor | None
    ) -> None:
        super().__init__()
        self.out_features, self.in_features = nibbles.shape[0], nibbles.shape[1] * 2
        self.bias = None if bias is None else nn.Buffer(bias.to(torch.bfloat16), persistent=False)
        self.packed = nibbles.device.type == "cpu" and self.out_features % 16 == 0
        scales_zeros = torch.stack((scale.t(), zero.t()), dim=-1).to(torch.bfloat16).contiguous()
        self.scales_zeros = nn.Buffer(scales_zeros, persistent=False)
        if self.packed:
            levels = unpack_int4(nibbles).to(torch.int32)
            stored = torch._convert_weight_to_int4pack_for_cpu(levels, 1)
        else:
            stored = nibbles.contiguous()
        self.stored = nn.Buffer(stored, persistent=False)

    @property
    def weight(self) -> torch.Tensor:
        """The widened weight [out, in], bfloat16."""
        if self.packed:
            # The packed layout belongs to the kernel; multiplying by the identity reads it back.
            identity = torch.eye(self.in_features, dtype=torch.bfloat16)
            return self._multiply(identity).t()
        scale, zero = self.scales_zeros.unbind(-1)
        levels = unpack_int4(self.stored).view(self.out_features, -1, GROUP_SIZE)
        groups = (levels.to(torch.bfloat16) - 8) * scale.t()[:, :, None] + zero.t()[:, :, None]
        return groups.view(self.out_features, self.in_features)

    def _multiply(self, rows: torch.Tensor) -> torch.Tensor:
        product: torch.Tensor = torch.ops.aten._weight_int4pack_mm_for_cpu(
            rows, self.stored, GROUP_SIZE, self.scales_zeros
        )
        return product

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.packed:
            rows = x.reshape(-1, self.in_features)
            out = self._multiply(rows).view(*x.shape[:-1], self.out_features)
        else:
            out = functional.linear(x, self.weight.to(x.dtype))
        return out if self.bias is None else out + self.bias


def quantized_linear(
    name: str, tensors: Mapping[str, torch.Tensor], device: torch.device
) -> nn.Module | None:
    """The packed layer for the linear `name` of a block's stored tensors, or None if it is not quantized."""
    bias = tensors.get(f"{name}.bias")
    if bias is not None:
        bias = bias.to(device)
    if (int8 := tensors.get(f"{name}.weight.int8")) is not None:
        return Int8Linear(int8.to(device), tensors[f"{name}.weight.scale"].to(device), bias)
    if (int4 := tensors.get(f"{name}.weight.int4")) is not None:
        scale, zero = tensors[f"{name}.weight.scale"], tensors[f"{name}.weight.zero"]
        return Int4Linear(int4.to(device), scale.to(device), zero.to(device), bias)
    return None
