"""The families of models that Homeswarm carries, in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from swarm_app.domain.errors import ModelDamaged, ModelUnsupported
from swarm_app.models.manifest import MAX_BLOCKS

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

FAMILIES: dict[str, tuple[str, str]] = {
    # transformers' model_type: (its class for causal language modelling, the name for people)
    "llama": ("LlamaForCausalLM", "Llama"),
    "qwen2": ("Qwen2ForCausalLM", "Qwen 2"),
    "qwen3": ("Qwen3ForCausalLM", "Qwen 3"),
    "qwen3_moe": ("Qwen3MoeForCausalLM", "Qwen 3 MoE"),
    "mistral": ("MistralForCausalLM", "Mistral"),
    "mixtral": ("MixtralForCausalLM", "Mixtral"),
    "gemma2": ("Gemma2ForCausalLM", "Gemma 2"),
    "gemma3_text": ("Gemma3ForCausalLM", "Gemma 3 (text)"),
    "phi3": ("Phi3ForCausalLM", "Phi-3"),
    "gpt_oss": ("GptOssForCausalLM", "gpt-oss"),
    "olmo2": ("Olmo2ForCausalLM", "OLMo 2"),
    "granite": ("GraniteForCausalLM", "Granite"),
}
"""Tried layer by layer against the whole model; anything else is refused by name."""


def unsupported(family: str) -> ModelUnsupported:
    """The refusal of a family, by name."""
    names = ", ".join(name for _, name in FAMILIES.values())
    return ModelUnsupported(
        f"This kind of model is unsupported: {family[:80]}.", remedy=f"Homeswarm carries {names}."
    )


def architecture_of(model_type: object) -> str:
    """The whole model's class name for a model_type; raises ModelUnsupported naming the family."""
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        raise unsupported(str(model_type))
    return FAMILIES[model_type][0]


_LIMITS = {
    "num_hidden_layers": MAX_BLOCKS,
    "hidden_size": 1 << 20,
    "intermediate_size": 1 << 22,
    "moe_intermediate_size": 1 << 22,
    "vocab_size": 1 << 24,
    "num_attention_heads": 1 << 14,
    "num_key_value_heads": 1 << 14,
    "head_dim": 1 << 14,
    "num_experts": 1 << 12,
    "num_local_experts": 1 << 12,
    "max_position_embeddings": (1 << 31) - 1,
}
"""Far above any model's: a number beyond is no model's, and would be built as layers or lists."""


def _check_limits(fields: dict[str, Any], name: str) -> None:
    for key, most in _LIMITS.items():
        value = fields.get(key, 1)
        if key in ("num_key_value_heads", "head_dim") and value is None:
            continue
        if type(value) is not int or not 1 <= value <= most:
            raise ModelDamaged(
                f"The configuration of this {name} model makes no sense: {key} is {str(value)[:40]}.",
                remedy="Download or copy the model again.",
            )


def config_from_dict(fields: dict[str, Any]) -> PreTrainedConfig:
    """Transformers' configuration object from the fields of a ``config.json``.

    Goes by the table above only: a configuration that names code of its own (``auto_map``) does not
    get it run. Raises ModelUnsupported for other families, ModelDamaged for values that the family's
    class does not accept.
    """
    from transformers import CONFIG_MAPPING

    architecture_of(fields.get("model_type"))
    kept = {key: value for key, value in fields.items() if key != "auto_map"}
    _check_limits(kept, FAMILIES[kept["model_type"]][1])
    try:
        config: PreTrainedConfig = CONFIG_MAPPING[kept["model_type"]].from_dict(kept)
    except Exception as error:  # noqa: BLE001
        # Its validators raise what they like (ValueError, TypeError, KeyError, their own kinds).
        raise ModelDamaged(
            f"The configuration of this {FAMILIES[kept['model_type']][1]} model makes no sense:"
            f" {str(error).strip().splitlines()[-1][:200] if str(error).strip() else 'it is invalid'}.",
            remedy="Download or copy the model again.",
        ) from None
    return config
