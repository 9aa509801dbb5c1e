"""Tensors of GGUF files: dequantized as they are read, and turned back into the family's own layout.

llama.cpp stores tensors under names of its own and changes some on the way: rows of query and key
projections are reordered for its rotary embedding, Gemma's norms have 1 added, the halves of gpt-oss'
experts are unravelled. Each change is undone by a transform of transformers' own kind, so that GGUF
files take the same road as other checkpoints (see `convert`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gguf
import numpy
import torch
from gguf import GGMLQuantizationType
from gguf.quants import dequantize
from torch import Tensor
from transformers.core_model_loading import Concatenate, ConversionOps, WeightConverter, WeightRenaming

from swarm_app.domain.errors import ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.ggufheader import Header, TensorEntry

_CHUNK_ELEMENTS = 1 << 22
"""Elements that are dequantized at a time: numpy's temporaries are several times as large."""

_PLAIN = {
    GGMLQuantizationType.F32: torch.float32,
    GGMLQuantizationType.F16: torch.float16,
    GGMLQuantizationType.BF16: torch.bfloat16,
}

CONSUMED = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")
"""Tensors that become part of the configuration."""


def supported_types() -> frozenset[GGMLQuantizationType]:
    """The types of tensor that the ``gguf`` package turns into numbers."""
    from gguf.quants import _type_traits

    return frozenset({GGMLQuantizationType.F32, GGMLQuantizationType.F16, *_type_traits})


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One tensor of a file, not yet read; ``tensor[...]`` gives it as float32, or as the file has it
    where it holds plain floating-point numbers."""

    header: Header
    entry: TensorEntry
    kind: GGMLQuantizationType

    @property
    def shape(self) -> tuple[int, ...]:
        return self.entry.shape

    @property
    def dtype(self) -> torch.dtype:
        return _PLAIN.get(self.kind, torch.float32)

    @property
    def row_bytes(self) -> int:
        block, size = gguf.GGML_QUANT_SIZES[self.kind]
        return self.shape[-1] // int(block) * int(size)

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape[:-1]) * self.row_bytes

    def __getitem__(self, index: object) -> Tensor:
        assert index is Ellipsis
        rows, columns = math.prod(self.shape[:-1]), self.shape[-1]
        result = torch.empty(rows, columns, dtype=self.dtype)
        step = max(1, _CHUNK_ELEMENTS // columns)
        with self.header.path.open("rb", buffering=0) as file:
            file.seek(self.entry.offset)
            for start in range(0, rows, step):
                count = min(step, rows - start)
                raw = numpy.empty((count, self.row_bytes), dtype=numpy.uint8)
                self._fill(file, raw)
                if self.kind in _PLAIN:
                    values = torch.from_numpy(raw).view(self.dtype)
                else:
                    values = torch.from_numpy(numpy.ascontiguousarray(dequantize(raw, self.kind)))
                result[start : start + count] = values
        return result.reshape(self.shape)

    def _fill(self, file: Any, raw: numpy.ndarray[Any, Any]) -> None:
        target = raw.reshape(-1).data
        done = 0
        while done < len(target):
            count = file.readinto(target[done:])
            if not count:
                raise incomplete(self.header, self.entry.offset + self.nbytes)
            done += count


def incomplete(header: Header, needs: int) -> ModelIncomplete:
    """The refusal of a file whose data ends early."""
    return ModelIncomplete(
        f"{header.path.name} is incomplete: it has {header.size} of {needs} bytes.",
        remedy="Download or copy it again.",
    )


def open_tensors(header: Header) -> dict[str, GgufTensor]:
    """The tensors of one file, by GGUF name; checks types, sizes and that the file holds all data.

    Raises ModelUnsupported naming a type of tensor that is not carried, ModelIncomplete for a file that is
    cut short, ModelDamaged for sizes that the type does not allow.
    """
    known = supported_types()
    tensors: dict[str, GgufTensor] = {}
    needs = 0
    for entry in header.tensors:
        try:
            kind = GGMLQuantizationType(entry.type_number)
        except ValueError:
            raise ModelUnsupported(
                f"{header.path.name} holds tensors of a type that is unsupported: number {entry.type_number}"
                f" (in {entry.name[:80]})."
            ) from None
        if kind not in known:
            raise ModelUnsupported(
                f"{header.path.name} holds tensors of a type that is unsupported: {kind.name}"
                f" (in {entry.name[:80]})."
            )
        block, _ = gguf.GGML_QUANT_SIZES[kind]
        if entry.shape[-1] % block:
            raise ModelDamaged(
                f"{header.path.name} is damaged: the tensor {entry.name[:80]} is no multiple of {block}."
            )
        tensor = GgufTensor(header, entry, kind)
        needs = max(needs, entry.offset + tensor.nbytes)
        tensors[entry.name] = tensor
    if needs > header.size:
        raise incomplete(header, needs)
    return tensors


def main_dtype(tensors: dict[str, GgufTensor]) -> torch.dtype:
    """bfloat16 or float16 where every matrix of the file is; else float32, what dequantizing gives."""
    kinds = {
        tensor.dtype if tensor.kind in _PLAIN else torch.float32
        for tensor in tensors.values()
        if len(tensor.shape) > 1
    }
    return kinds.pop() if len(kinds) == 1 else torch.float32


# ------------------------------------------------------------- what llama.cpp changed, undone


def _single(values: dict[str, Any]) -> Tensor:
    (value,) = values.values()
    tensor: Tensor = value[0] if isinstance(value, list) else value
    return tensor


class _Apply(ConversionOps):  # type: ignore[misc]  # transformers is untyped here
    """A function of one tensor as a transform."""

    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        self.function = function

    def convert(self, input_dict: dict[str, Any], *, full_layer_name: str, **_: Any) -> dict[str, Tensor]:
        return {full_layer_name: self.function(_single(input_dict)).contiguous()}


class _InterleaveHalves(ConversionOps):  # type: ignore[misc]  # transformers is untyped here
    """Two tensors [expert, n, ...] into one [expert, 2n, ...] of alternating rows, first source first."""

    def __init__(self, transpose: bool) -> None:
        self.transpose = transpose

    def convert(
        self, input_dict: dict[str, Any], *, source_patterns: list[str], full_layer_name: str, **_: Any
    ) -> dict[str, Tensor]:
        first, second = (_single({"": input_dict[pattern]}) for pattern in source_patterns)
        both = torch.stack((first, second), dim=2).flatten(1, 2)
        return {full_layer_name: (both.transpose(1, 2) if self.transpose else both).contiguous()}


def unpermuted(heads: int) -> Callable[[Tensor], Tensor]:
    """Undo the order of rows that llama.cpp's Llama has: pairs of a rotary plane side by side, per head."""

    def undo(rows: Tensor) -> Tensor:
        return rows.reshape(heads, -1, 2, *rows.shape[1:]).transpose(1, 2).reshape(rows.shape)

    return undo


def _less_one(norm: Tensor) -> Tensor:
    return (norm.float() - 1.0).to(norm.dtype)


def _turned(experts: Tensor) -> Tensor:
    return experts.transpose(1, 2)


_COMMON = {
    r"^token_embd\.": "model.embed_tokens.",
    r"^output_norm\.": "model.norm.",
    r"^output\.": "lm_head.",
    r"^blk\.": "model.layers.",
    r"\.attn_q\.": ".self_attn.q_proj.",
    r"\.attn_k\.": ".self_attn.k_proj.",
    r"\.attn_v\.": ".self_attn.v_proj.",
    r"\.attn_output\.": ".self_attn.o_proj.",
    r"\.attn_q_norm\.": ".self_attn.q_norm.",
    r"\.attn_k_norm\.": ".self_attn.k_norm.",
    r"\.ffn_gate\.": ".mlp.gate_proj.",
    r"\.ffn_up\.": ".mlp.up_proj.",
    r"\.ffn_down\.": ".mlp.down_proj.",
}

_PRE_NORMS = {r"\.attn_norm\.": ".input_layernorm.", r"\.ffn_norm\.": ".post_attention_layernorm."}

_NAMES: dict[str, dict[str, str]] = {
    "gemma": {
        r"\.attn_norm\.": ".input_layernorm.",
        r"\.post_attention_norm\.": ".post_attention_layernorm.",
        r"\.ffn_norm\.": ".pre_feedforward_layernorm.",
        r"\.post_ffw_norm\.": ".post_feedforward_layernorm.",
    },
    "olmo2": {
        r"\.post_attention_norm\.": ".post_attention_layernorm.",
        r"\.post_ffw_norm\.": ".post_feedforward_layernorm.",
    },
    "phi3": {
        **_PRE_NORMS,
        r"\.attn_qkv\.": ".self_attn.qkv_proj.",
        r"\.ffn_up\.": ".mlp.gate_up_proj.",
    },
    "gpt_oss": {
        r"\.attn_norm\.": ".input_layernorm.",
        r"\.post_attention_norm\.": ".post_attention_layernorm.",
        r"\.attn_sinks\.weight": ".self_attn.sinks",
        r"\.ffn_gate_inp\.": ".mlp.router.",
        r"\.ffn_down_exps\.bias": ".mlp.experts.down_proj_bias",
    },
}


def _converter(source: str | list[str], target: str, *operations: ConversionOps) -> WeightConverter:
    return WeightConverter(source_patterns=source, target_patterns=target, operations=list(operations))


def gguf_transforms(model_type: str, heads: int, kv_heads: int) -> list[Any]:
    """The transforms from GGUF names and layouts to those of a family's layers."""
    names = dict(_COMMON)
    converters: list[WeightConverter] = []
    if model_type in ("llama", "mistral", "mixtral", "granite"):
        names.update(_PRE_NORMS)
        for key, count in (("q", heads), ("k", kv_heads)):
            for part in ("weight", "bias"):
                name = f".self_attn.{key}_proj.{part}"
                converters.append(_converter(name, name, _Apply(unpermuted(count))))
    elif model_type in ("gemma2", "gemma3_text"):
        names.update(_NAMES["gemma"])
        converters.append(_converter(r"(norm)\.weight", r"\1.weight", _Apply(_less_one)))
    else:
        names.update(_NAMES.get(model_type, _PRE_NORMS))
    if model_type in ("mixtral", "qwen3_moe"):
        names[r"\.ffn_gate_inp\."] = ".mlp.gate."
        names[r"\.ffn_down_exps\.weight"] = ".mlp.experts.down_proj"
        sources = [r"\.ffn_gate_exps\.weight", r"\.ffn_up_exps\.weight"]
        converters.append(_converter(sources, ".mlp.experts.gate_up_proj", Concatenate(dim=1)))
    if model_type == "gpt_oss":
        down = r"\.ffn_down_exps\.weight"
        converters.append(_converter(down, ".mlp.experts.down_proj", _Apply(_turned)))
        for part, target in (("weight", "gate_up_proj"), ("bias", "gate_up_proj_bias")):
            sources = [rf"\.ffn_gate_exps\.{part}", rf"\.ffn_up_exps\.{part}"]
            converters.append(
                _converter(sources, f".mlp.experts.{target}", _InterleaveHalves(transpose=part == "weight"))
            )
    return [*(WeightRenaming(source, target) for source, target in names.items()), *converters]
