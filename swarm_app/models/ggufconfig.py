"""The configuration that a GGUF file describes, as the fields of a ``config.json``.

The keys are those that llama.cpp writes for each architecture. What it leaves out because its code knows
it (Gemma's pattern of windows, the scale of queries in the largest Gemmas) is filled in from there.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from swarm_app.domain.errors import ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.families import unsupported
from swarm_app.models.ggufheader import Header
from swarm_app.models.ggufweights import GgufTensor

_GEMMA2_27B_LAYERS, _GEMMA3_27B_LAYERS = 46, 62
_GEMMA3_WINDOW_PERIOD = 6
_GEMMA3_LOCAL_THETA = 10000.0
_DEFAULT_THETA = 10000.0


def shortest(value: float) -> float:
    """The decimal that was meant by a float32: 1e-05 and not 9.999999747378752e-06."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == struct.pack("<f", value):
            return float(text)
    return value


class _Facts:
    """A file's metadata below its architecture's prefix, with refusals that name the key."""

    def __init__(self, header: Header, tensors: Mapping[str, GgufTensor], architecture: str) -> None:
        self.header = header
        self.tensors = tensors
        self.prefix = architecture

    def _missing(self, key: str) -> ModelIncomplete:
        return ModelIncomplete(f"{self.header.path.name} does not say its {self.prefix}.{key}.")

    def get(self, key: str) -> Any:
        return self.header.metadata.get(f"{self.prefix}.{key}")

    def integer(self, key: str, default: int | None = None) -> int:
        value = self.get(key)
        if isinstance(value, list) and value and len(set(value)) == 1:
            # Some writers list one number per block.
            value = value[0]
        if isinstance(value, list):
            raise ModelUnsupported(
                f"{self.header.path.name} has blocks of different shapes, which is unsupported ({key})."
            )
        if value is None and default is not None:
            return default
        if type(value) is not int or not 0 <= value < 1 << 31:
            raise self._missing(key)
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self.get(key)
        if value is None and default is not None:
            return default
        if type(value) not in (int, float) or not math.isfinite(value):
            raise self._missing(key)
        return shortest(float(value))

    def optional_number(self, key: str) -> float | None:
        return None if self.get(key) is None else self.number(key)

    def has(self, tensor: str) -> bool:
        return tensor in self.tensors

    def read(self, tensor: str) -> Tensor | None:
        return self.tensors[tensor][...].float() if tensor in self.tensors else None


def _common(facts: _Facts) -> dict[str, Any]:
    embedding = facts.tensors.get("token_embd.weight")
    if embedding is None or len(embedding.shape) != 2:
        raise ModelIncomplete(f"{facts.header.path.name} has no embeddings (token_embd.weight).")
    heads = facts.integer("attention.head_count")
    if heads < 1:
        raise ModelDamaged(f"{facts.header.path.name} is damaged: it claims {heads} attention heads.")
    hidden = facts.integer("embedding_length")
    return {
        "hidden_size": hidden,
        "num_hidden_layers": facts.integer("block_count"),
        "intermediate_size": facts.integer(
            "feed_forward_length", facts.integer("expert_feed_forward_length", 0)
        ),
        "num_attention_heads": heads,
        "num_key_value_heads": facts.integer("attention.head_count_kv", heads),
        "head_dim": facts.integer("attention.key_length", hidden // heads),
        "rms_norm_eps": facts.number("attention.layer_norm_rms_epsilon"),
        "max_position_embeddings": facts.integer("context_length"),
        "vocab_size": embedding.shape[0],
        "rope_parameters": _rope(facts),
        "tie_word_embeddings": not facts.has("output.weight"),
    }


def _rope(facts: _Facts) -> dict[str, Any]:
    theta = facts.number("rope.freq_base", _DEFAULT_THETA)
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": theta}
    kind = facts.get("rope.scaling.type")
    if kind == "linear" or (kind is None and facts.get("rope.scale_linear") is not None):
        rope |= {
            "rope_type": "linear",
            "factor": facts.number("rope.scaling.factor", facts.number("rope.scale_linear", 1.0)),
        }
    elif kind == "yarn":
        rope |= {
            "rope_type": "yarn",
            "factor": facts.number("rope.scaling.factor"),
            "original_max_position_embeddings": facts.integer("rope.scaling.original_context_length"),
        }
        for key, name in (("yarn_beta_fast", "beta_fast"), ("yarn_beta_slow", "beta_slow")):
            if (value := facts.optional_number(f"rope.scaling.{key}")) is not None:
                rope[name] = value
    elif kind not in (None, "none", "longrope"):
        raise ModelUnsupported(
            f"{facts.header.path.name} scales its positions in a way that is unsupported: {kind}."
        )
    if (factors := facts.read("rope_freqs.weight")) is not None:
        if rope["rope_type"] != "default":
            raise ModelUnsupported(
                f"{facts.header.path.name} scales its positions in two ways, which is unsupported."
            )
        rope |= llama3_scaling(factors, theta)
    return rope


def llama3_frequency_factors(
    theta: float, count: int, factor: float, low: float, high: float, original: float
) -> Tensor:
    """What llama3 rope scaling divides each of `count` frequencies by (the formula of Llama 3.1)."""
    frequencies = theta ** -(torch.arange(count, dtype=torch.float64) / count)
    turns = original * frequencies / (2 * math.pi)
    smooth = ((turns - low) / (high - low)).clamp(0.0, 1.0)
    return 1.0 / ((1.0 - smooth) / factor + smooth)


def llama3_scaling(factors: Tensor, theta: float) -> dict[str, Any]:
    """The llama3 rope scaling whose frequency factors these are.

    GGUF keeps only the factors. Released models have a low factor of 1 and a high one of 4 over 8192
    positions; others are solved for from two factors on the slope. Raises ModelUnsupported when no llama3
    scaling gives these factors.
    """
    wanted = factors.double().reshape(-1)
    count, factor = len(wanted), shortest(float(wanted.max()))
    if count and torch.allclose(wanted, torch.ones_like(wanted)):
        return {}
    candidates = [(1.0, 4.0, 8192.0)]
    frequencies = theta ** -(torch.arange(count, dtype=torch.float64) / count) / (2 * math.pi)
    slope = ((wanted > 1 + 1e-4) & (wanted < factor - 1e-3)).nonzero().flatten()
    if len(slope) >= 2 and factor > 1:
        first, last = int(slope[0]), int(slope[-1])
        smooth = (1 / wanted - 1 / factor) / (1 - 1 / factor)
        rise = float((smooth[first] - smooth[last]) / (frequencies[first] - frequencies[last]))
        offset = rise * float(frequencies[first]) - float(smooth[first])
        if rise > 0 and offset > 1e-6:
            # smooth = (original * frequency - low) / (high - low); only the ratios are defined: low is 1.
            high = round(1 + 1 / offset, 3)
            candidates.append((1.0, high, float(round(rise * (high - 1)))))
    for low, high, original in candidates:
        if torch.allclose(
            llama3_frequency_factors(theta, count, factor, low, high, original), wanted, rtol=2e-4
        ):
            return {
                "rope_type": "llama3",
                "factor": factor,
                "low_freq_factor": low,
                "high_freq_factor": high,
                "original_max_position_embeddings": int(original),
            }
    raise ModelUnsupported("The model scales its positions by factors that are unsupported (rope_freqs).")


def _llama(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    if facts.get("attention.key_length") is None:
        fields["head_dim"] = facts.integer("rope.dimension_count", fields["head_dim"])
    window = facts.integer("attention.sliding_window", 0) or None
    if facts.integer("expert_count", 0):
        fields |= {
            "model_type": "mixtral",
            "num_local_experts": facts.integer("expert_count"),
            "num_experts_per_tok": facts.integer("expert_used_count"),
            "sliding_window": window,
        }
        fields["intermediate_size"] = facts.integer("expert_feed_forward_length", fields["intermediate_size"])
        return fields
    named = f"{facts.header.text('general.name')} {facts.header.text('general.basename')}".lower()
    if window is not None or ("mistral" in named and not facts.has("rope_freqs.weight")):
        # llama.cpp writes Mistral as llama; without a window the two are the same.
        return fields | {"model_type": "mistral", "sliding_window": window}
    return fields | {
        "model_type": "llama",
        "attention_bias": facts.has("blk.0.attn_q.bias"),
        "mlp_bias": facts.has("blk.0.ffn_up.bias"),
    }


def _qwen2(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts) | {"model_type": "qwen2", "use_sliding_window": False}
    del fields["head_dim"]
    return fields


def _qwen3(facts: _Facts) -> dict[str, Any]:
    return _common(facts) | {"model_type": "qwen3", "attention_bias": facts.has("blk.0.attn_q.bias")}


def _qwen3moe(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    blocks = range(fields["num_hidden_layers"])
    down = facts.tensors.get("blk.0.ffn_down_exps.weight")
    width = facts.integer("expert_feed_forward_length", down.shape[-1] if down is not None else 0)
    return fields | {
        "model_type": "qwen3_moe",
        "attention_bias": facts.has("blk.0.attn_q.bias"),
        "num_experts": facts.integer("expert_count"),
        "num_experts_per_tok": facts.integer("expert_used_count"),
        "moe_intermediate_size": width,
        "norm_topk_prob": True,
        "decoder_sparse_step": 1,
        "mlp_only_layers": [index for index in blocks if facts.has(f"blk.{index}.ffn_gate.weight")],
    }


def _gemma2(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    largest = fields["num_hidden_layers"] == _GEMMA2_27B_LAYERS
    return fields | {
        "model_type": "gemma2",
        "sliding_window": facts.integer("attention.sliding_window", 4096),
        "attn_logit_softcapping": facts.number("attn_logit_softcapping", 50.0),
        "final_logit_softcapping": facts.number("final_logit_softcapping", 30.0),
        "query_pre_attn_scalar": _query_scalar(fields, largest),
        "hidden_activation": "gelu_pytorch_tanh",
    }


def _query_scalar(fields: Mapping[str, Any], largest: bool) -> int:
    scalar = fields["hidden_size"] // fields["num_attention_heads"] if largest else fields["head_dim"]
    return int(scalar)


def _gemma3(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    window = facts.integer("attention.sliding_window", 0)
    blocks = range(fields["num_hidden_layers"])
    local = [window > 0 and (index + 1) % _GEMMA3_WINDOW_PERIOD != 0 for index in blocks]
    theta = facts.number("rope.freq_base", 1_000_000.0)
    fields["rope_parameters"] = {
        "full_attention": {**fields["rope_parameters"], "rope_theta": theta},
        "sliding_attention": {
            "rope_type": "default",
            "rope_theta": facts.number("rope.freq_base_swa", _GEMMA3_LOCAL_THETA),
        },
    }
    return fields | {
        "model_type": "gemma3_text",
        "sliding_window": window or fields["max_position_embeddings"],
        "layer_types": ["sliding_attention" if item else "full_attention" for item in local],
        "final_logit_softcapping": facts.optional_number("final_logit_softcapping"),
        "query_pre_attn_scalar": _query_scalar(fields, fields["num_hidden_layers"] == _GEMMA3_27B_LAYERS),
        "hidden_activation": "gelu_pytorch_tanh",
    }


def _phi3(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    original = facts.integer("rope.scaling.original_context_length", fields["max_position_embeddings"])
    rope = fields["rope_parameters"]
    rotated = facts.integer("rope.dimension_count", fields["head_dim"])
    rope["partial_rotary_factor"] = rotated / fields["head_dim"]
    long, short = facts.read("rope_factors_long.weight"), facts.read("rope_factors_short.weight")
    if (long is None) != (short is None):
        raise ModelIncomplete(f"{facts.header.path.name} has one of the two rope_factors tensors only.")
    if long is not None and short is not None:
        rope |= {
            "rope_type": "longrope",
            "long_factor": [shortest(value) for value in long.tolist()],
            "short_factor": [shortest(value) for value in short.tolist()],
            "original_max_position_embeddings": original,
        }
    del fields["head_dim"]
    return fields | {
        "model_type": "phi3",
        "original_max_position_embeddings": original,
        "sliding_window": facts.integer("attention.sliding_window", 0) or None,
    }


def _gpt_oss(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    if fields["rope_parameters"]["rope_type"] == "yarn":
        # OpenAI's own YaRN does not round the ends of its ramp, which other families do.
        fields["rope_parameters"] = {
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            **fields["rope_parameters"],
            "truncate": False,
        }
    fields["intermediate_size"] = facts.integer("expert_feed_forward_length", fields["intermediate_size"])
    return fields | {
        "model_type": "gpt_oss",
        "sliding_window": facts.integer("attention.sliding_window", 128),
        "num_local_experts": facts.integer("expert_count"),
        "num_experts_per_tok": facts.integer("expert_used_count"),
        "attention_bias": True,
    }


def _olmo2(facts: _Facts) -> dict[str, Any]:
    if facts.integer("attention.sliding_window", 0):
        raise unsupported("olmo3")
    fields = _common(facts) | {"model_type": "olmo2", "attention_bias": False}
    del fields["head_dim"]
    return fields


def _granite(facts: _Facts) -> dict[str, Any]:
    fields = _common(facts)
    head_dim = fields.pop("head_dim")
    return fields | {
        "model_type": "granite",
        "attention_multiplier": facts.number("attention.scale", head_dim**-0.5),
        "embedding_multiplier": facts.number("embedding_scale", 1.0),
        "residual_multiplier": facts.number("residual_scale", 1.0),
        "logits_scaling": facts.number("logit_scale", 1.0),
        "attention_bias": facts.has("blk.0.attn_q.bias"),
        "mlp_bias": facts.has("blk.0.ffn_up.bias"),
    }


_ARCHITECTURES: dict[str, Callable[[_Facts], dict[str, Any]]] = {
    "llama": _llama,
    "qwen2": _qwen2,
    "qwen3": _qwen3,
    "qwen3moe": _qwen3moe,
    "gemma2": _gemma2,
    "gemma3": _gemma3,
    "phi3": _phi3,
    "gpt-oss": _gpt_oss,
    "olmo2": _olmo2,
    "granite": _granite,
}


def check_architecture(header: Header) -> str:
    """The file's architecture; raises ModelUnsupported by name, ModelIncomplete where it names none."""
    architecture = header.metadata.get("general.architecture")
    if not isinstance(architecture, str):
        raise ModelIncomplete(f"{header.path.name} does not say what it is (general.architecture).")
    if architecture not in _ARCHITECTURES:
        raise unsupported(architecture)
    return architecture


def config_fields(header: Header, tensors: Mapping[str, GgufTensor]) -> dict[str, Any]:
    """The fields of a ``config.json`` for a GGUF file; `header` is that of its first part.

    Raises ModelUnsupported by name, ModelIncomplete naming what the file does not say.
    """
    architecture = check_architecture(header)
    fields = _ARCHITECTURES[architecture](_Facts(header, tensors, architecture))
    for key, name in (("bos", "bos_token_id"), ("eos", "eos_token_id"), ("padding", "pad_token_id")):
        fields[name] = header.integer(f"tokenizer.ggml.{key}_token_id")
    return fields
