"""Tiny random-weight models of every family that Homeswarm carries, for tests all over the tree.

Each has 6 blocks, a vocabulary of 320, dimensions that are multiples of 32 and, where the family has
one, a sliding window of 8 tokens. Weights, norms and biases are all random, so that a norm that was
forgotten or a bias that was dropped shows in the logits.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedModel

NUM_BLOCKS = 6
HIDDEN_SIZE = 64
VOCAB_SIZE = 320
SLIDING_WINDOW = 8
CONTEXT_TOKENS = 256

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>"]
"""Ids 0 to 3 of the tiny tokenizer."""

_BASE: dict[str, Any] = {
    "vocab_size": VOCAB_SIZE,
    "hidden_size": HIDDEN_SIZE,
    "intermediate_size": 96,
    "num_hidden_layers": NUM_BLOCKS,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT_TOKENS,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "pad_token_id": 3,
    "tie_word_embeddings": False,
}

_ALTERNATING = ["sliding_attention", "full_attention"] * (NUM_BLOCKS // 2)

_FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("LlamaConfig", {}),
    "llama3": (
        "LlamaConfig",
        {
            "rope_parameters": {
                "rope_type": "llama3",
                "rope_theta": 10000.0,
                "factor": 4.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64,
            },
            "tie_word_embeddings": True,
        },
    ),
    "qwen2": ("Qwen2Config", {"tie_word_embeddings": True}),
    "qwen3": ("Qwen3Config", {"head_dim": 32}),
    "qwen3_moe": (
        "Qwen3MoeConfig",
        {
            "head_dim": 16,
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 32,
            "decoder_sparse_step": 1,
            "norm_topk_prob": True,
        },
    ),
    "mistral": ("MistralConfig", {"sliding_window": SLIDING_WINDOW}),
    "mixtral": ("MixtralConfig", {"num_local_experts": 4, "num_experts_per_tok": 2}),
    "gemma2": (
        "Gemma2Config",
        {
            "head_dim": 16,
            "sliding_window": SLIDING_WINDOW,
            "layer_types": _ALTERNATING,
            "query_pre_attn_scalar": 16,
            "attn_logit_softcapping": 20.0,
            "final_logit_softcapping": 10.0,
            "tie_word_embeddings": True,
        },
    ),
    "gemma3_text": (
        "Gemma3TextConfig",
        {
            "head_dim": 16,
            "sliding_window": SLIDING_WINDOW,
            "layer_types": ["sliding_attention"] * 2
            + ["full_attention"]
            + ["sliding_attention"] * 2
            + ["full_attention"],
            "query_pre_attn_scalar": 16,
            "tie_word_embeddings": True,
        },
    ),
    "phi3": ("Phi3Config", {"sliding_window": SLIDING_WINDOW}),
    "gpt_oss": (
        "GptOssConfig",
        {
            "head_dim": 16,
            "sliding_window": SLIDING_WINDOW,
            "layer_types": _ALTERNATING,
            "num_local_experts": 4,
            "num_experts_per_tok": 2,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        },
    ),
    "olmo2": ("Olmo2Config", {}),
    "granite": (
        "GraniteConfig",
        {
            "embedding_multiplier": 1.5,
            "logits_scaling": 1.25,
            "residual_multiplier": 0.7,
            "attention_multiplier": 0.2,
        },
    ),
}

FAMILIES = tuple(_FAMILIES)
"""Names for `make_model` and `save_folder`; ``llama3`` is Llama with llama3 rope scaling."""


def make_config(family: str, **changes: Any) -> Any:
    """The tiny configuration of a family; `changes` override single options."""
    import transformers

    class_name, extra = _FAMILIES[family]
    config = getattr(transformers, class_name)(**{**_BASE, **extra, **changes})
    config._attn_implementation = "eager"
    return config


def make_model(family: str, seed: int = 0, **changes: Any) -> PreTrainedModel:
    """A random-weight model for causal language modelling: float32, eval mode, eager attention.

    The same family and seed give the same weights. Matrices have a standard deviation of 0.15 (so that
    attention and softmax are neither flat nor saturated at this width), one-dimensional parameters 0.2
    around the value that the family initializes them to (1 for most norms, 0 for biases and Gemma's norms).
    """
    import torch
    from transformers import AutoModelForCausalLM

    config = make_config(family, **changes)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(config, attn_implementation="eager", dtype=torch.float32)
    source = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=source)
            is_bias = name.endswith("bias") or parameter.dim() == 1
            if is_bias:
                start = 1.0 if "norm" in name and float(parameter.float().mean()) == 1.0 else 0.0
                parameter.copy_(start + 0.2 * noise)
            else:
                parameter.copy_(0.15 * noise)
    result: PreTrainedModel = model.eval()
    return result


def make_tokenizer(vocab_size: int = VOCAB_SIZE) -> Any:
    """A byte-level BPE tokenizer with exactly `vocab_size` contiguous ids and a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=SPECIAL_TOKENS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    corpus = [
        "the quick brown fox jumps over the lazy dog while another household runs one model together",
        "What is the capital of France? The capital of France is Paris, and the answer goes on.",
        "a laptop sleeps, a phone roams between access points, someone reboots the desktop",
    ] * 4
    tokenizer.train_from_iterator(corpus, trainer)
    assert tokenizer.get_vocab_size() == vocab_size
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<|endoftext|>",
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
    )
    fast.chat_template = CHAT_TEMPLATE
    return fast


def save_folder(
    family: str,
    folder: Path,
    *,
    seed: int = 0,
    sharded: bool = False,
    dtype: str | None = None,
    **changes: Any,
) -> Path:
    """Write an ordinary Hugging Face folder (safetensors, config, tokenizer, chat template).

    `sharded` splits the weights over many files with an index; `dtype` (for example ``"bfloat16"``)
    converts them first. Returns `folder`.
    """
    import torch

    model = make_model(family, seed, **changes)
    if dtype is not None:
        model = model.to(getattr(torch, dtype))
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder, max_shard_size="100KB" if sharded else "5GB")
    make_tokenizer().save_pretrained(folder)
    if sharded:
        index = json.loads((folder / "model.safetensors.index.json").read_text(encoding="utf-8"))
        assert len(set(index["weight_map"].values())) > 3
    return folder
