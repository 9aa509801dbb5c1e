"""Writes tiny models as GGUF files, the way llama.cpp's converter lays them out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy
import torch
from torch import Tensor

from swarm_app.models.ggufconfig import llama3_frequency_factors
from tests.families import CHAT_TEMPLATE, make_model, make_tokenizer

ARCHITECTURES = {
    "llama": "llama",
    "llama3": "llama",
    "mistral": "llama",
    "mixtral": "llama",
    "qwen2": "qwen2",
    "qwen3": "qwen3",
    "qwen3_moe": "qwen3moe",
    "gemma2": "gemma2",
    "gemma3_text": "gemma3",
    "phi3": "phi3",
    "gpt_oss": "gpt-oss",
    "olmo2": "olmo2",
    "granite": "granite",
}

CHANGES: dict[str, dict[str, Any]] = {
    # What a GGUF file has no words for is left as llama.cpp's code has it.
    "gemma3_text": {"layer_types": ["sliding_attention"] * 5 + ["full_attention"]},
    "mixtral": {"sliding_window": None},
    "gpt_oss": {
        "rope_parameters": {
            "rope_type": "yarn",
            "rope_theta": 10000.0,
            "factor": 4.0,
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "truncate": False,
            "original_max_position_embeddings": 64,
        }
    },
}

_NAMES = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}

_INNER = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.qkv_proj": "attn_qkv",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "mlp.gate_up_proj": "ffn_up",
    "mlp.gate": "ffn_gate_inp",
    "mlp.router": "ffn_gate_inp",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}

_FOUR_NORMS = {
    "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}


def permuted(rows: Tensor, heads: int) -> Tensor:
    """The order of rows in llama.cpp's Llama: the two halves of a head interleaved."""
    return rows.reshape(heads, 2, -1, *rows.shape[1:]).transpose(1, 2).reshape(rows.shape)


def gguf_tensors(model: Any, family: str) -> dict[str, Tensor]:
    """A model's tensors under GGUF's names, changed as llama.cpp's converter changes them."""
    config = model.config
    inner = dict(_INNER)
    if family in ("gemma2", "gemma3_text", "olmo2"):
        inner.update(_FOUR_NORMS)
    if family == "gpt_oss":
        inner["post_attention_layernorm"] = "post_attention_norm"
    result: dict[str, Tensor] = {}
    for key, value in model.state_dict().items():
        if key == "lm_head.weight" and config.tie_word_embeddings:
            continue
        tensor = value.float()
        if family.startswith("gemma") and key.endswith("norm.weight"):
            tensor = tensor + 1
        if key in _NAMES:
            result[_NAMES[key]] = tensor
            continue
        _, _, number, rest = key.split(".", 3)
        block = f"blk.{number}."
        if ".experts." in f".{rest}":
            result.update(_experts(block, rest.rpartition(".")[2], tensor, family))
        elif rest == "self_attn.sinks":
            result[f"{block}attn_sinks.weight"] = tensor
        else:
            name, _, part = rest.rpartition(".")
            if ARCHITECTURES[family] in ("llama", "granite") and name in (
                "self_attn.q_proj",
                "self_attn.k_proj",
            ):
                query = name == "self_attn.q_proj"
                tensor = permuted(tensor, config.num_attention_heads if query else config.num_key_value_heads)
            result[f"{block}{inner[name]}.{part}"] = tensor
    if family == "llama3":
        rope = config.rope_parameters
        result["rope_freqs.weight"] = llama3_frequency_factors(
            rope["rope_theta"],
            config.hidden_size // config.num_attention_heads // 2,
            rope["factor"],
            rope["low_freq_factor"],
            rope["high_freq_factor"],
            rope["original_max_position_embeddings"],
        ).float()
    return result


def _experts(block: str, name: str, tensor: Tensor, family: str) -> dict[str, Tensor]:
    part = "bias" if name.endswith("_bias") else "weight"
    if name.startswith("down"):
        turned = tensor.transpose(1, 2) if family == "gpt_oss" and part == "weight" else tensor
        return {f"{block}ffn_down_exps.{part}": turned}
    if family == "gpt_oss":
        rows = tensor.transpose(1, 2) if part == "weight" else tensor
        gate, up = rows[:, 0::2], rows[:, 1::2]
    else:
        gate, up = tensor.chunk(2, dim=1)
    return {f"{block}ffn_gate_exps.{part}": gate, f"{block}ffn_up_exps.{part}": up}


def _write_metadata(writer: Any, model: Any, family: str) -> None:
    config = model.config
    writer.add_name(f"Tiny {family}")
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    rope = config.rope_parameters
    rope = rope.get("full_attention", rope)
    writer.add_rope_freq_base(rope["rope_theta"])
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    if family != "phi3":
        writer.add_key_length(head_dim)
        writer.add_value_length(head_dim)
    writer.add_rope_dimension_count(head_dim)
    if rope["rope_type"] == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    window = getattr(config, "sliding_window", None)
    if window is not None and family not in ("qwen2", "qwen3", "qwen3_moe"):
        writer.add_sliding_window(window)
    experts = getattr(config, "num_local_experts", None) or getattr(config, "num_experts", None)
    if experts:
        writer.add_expert_count(experts)
        writer.add_expert_used_count(config.num_experts_per_tok)
        writer.add_expert_feed_forward_length(
            getattr(config, "moe_intermediate_size", None) or config.intermediate_size
        )
    if family == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
    if family == "granite":
        writer.add_attention_scale(config.attention_multiplier)
        writer.add_embedding_scale(config.embedding_multiplier)
        writer.add_residual_scale(config.residual_multiplier)
        writer.add_logit_scale(config.logits_scaling)
    if family == "phi3":
        writer.add_rope_scaling_orig_ctx_len(config.original_max_position_embeddings)


def write_tokenizer(writer: Any, vocab_size: int = 320) -> None:
    """The tiny byte-level tokenizer of tests.families, as GGUF has it."""
    import json

    fast = make_tokenizer(vocab_size)
    model = json.loads(fast.backend_tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token.startswith("<|") else 1 for token in tokens])
    writer.add_token_merges([" ".join(merge) for merge in model["merges"]])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(2)
    writer.add_pad_token_id(3)
    writer.add_chat_template(CHAT_TEMPLATE)


def write_gguf(
    family: str,
    path: Path,
    *,
    kind: gguf.GGMLQuantizationType = gguf.GGMLQuantizationType.F32,
    parts: int = 1,
    seed: int = 0,
    **changes: Any,
) -> Any:
    """Write a tiny model as a GGUF file (or as `parts` files); gives the model.

    `kind` is that of matrices whose rows it divides; all else is float32, as llama.cpp has it.
    """
    model = make_model(family, seed, **{**CHANGES.get(family, {}), **changes})
    tensors = gguf_tensors(model, family)
    names = list(tensors)
    block, _ = gguf.GGML_QUANT_SIZES[kind]
    for part in range(parts):
        name = path.name if parts == 1 else f"{path.stem}-{part + 1:05d}-of-{parts:05d}.gguf"
        writer = gguf.GGUFWriter(path.parent / name, ARCHITECTURES[family])
        if part == 0:
            _write_metadata(writer, model, family)
            write_tokenizer(writer)
        if parts > 1:
            writer.add_uint16("split.no", part)
            writer.add_uint16("split.count", parts)
            writer.add_int32("split.tensors.count", len(names))
        for key in names[part * len(names) // parts : (part + 1) * len(names) // parts]:
            values = numpy.ascontiguousarray(tensors[key].numpy())
            if values.ndim < 2 or values.shape[-1] % block or kind is gguf.GGMLQuantizationType.F32:
                writer.add_tensor(key, values)
            else:
                writer.add_tensor(key, gguf.quants.quantize(values, kind), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return model


def state_of(stored: Any) -> dict[str, Tensor]:
    """All tensors of a stored model under the whole model's names."""
    state = dict(stored.client_tensors())
    for index in range(stored.manifest.num_blocks):
        for key, value in stored.block_tensors(index).items():
            state[f"model.layers.{index}.{key}"] = value
    return state


def logits_of(model: Any) -> Tensor:
    """Logits of a fixed text of 24 tokens, [24, vocabulary]."""
    with torch.no_grad():
        result: Tensor = model((torch.arange(24) * 7 % 320)[None], use_cache=False).logits[0]
    return result
