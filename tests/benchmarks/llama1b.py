"""A model in the shape of a 1-billion Llama, with random weights, written to disk block by block."""

from __future__ import annotations

import itertools
import json
import string
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm_app.engines.prompt import DEFAULT_SYSTEM
from tests.benchmarks.prompts import QUESTION, TEXT

if TYPE_CHECKING:
    import torch

CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 128256,
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-5,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0},
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
    "attention_bias": False,
    "mlp_bias": False,
    "bos_token_id": 0,
    "eos_token_id": None,
    "dtype": "bfloat16",
}
"""The shape of Llama 3.2 1B. No token ends an answer: it is as long as it is asked to be."""

TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|stop|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
SPECIAL = ("<|begin|>", "<|start|>", "<|stop|>", "<|pad|>")
DEVIATION = 0.02
"""Standard deviation of the weights, as such models are initialized."""


def make(folder: Path, config: dict[str, Any] | None = None) -> Path:
    """Write a Hugging Face folder (about 2.5 GB) unless it is there; never more than one shard in memory."""
    import torch
    from safetensors.torch import save_file

    config = CONFIG if config is None else config
    if (folder / "config.json").is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    source = torch.Generator().manual_seed(0)
    blocks = config["num_hidden_layers"]
    names = [f"model-{number:05}-of-{blocks + 1:05}.safetensors" for number in range(1, blocks + 2)]
    index: dict[str, str] = {}
    total_bytes = 0
    for name, shapes in zip(names, _shards(config), strict=True):
        tensors = {key: _random(shape, source) for key, shape in shapes.items()}
        save_file(tensors, folder / name, metadata={"format": "pt"})
        index |= dict.fromkeys(tensors, name)
        total_bytes += sum(tensor.nbytes for tensor in tensors.values())
    listing = {"metadata": {"total_size": total_bytes}, "weight_map": index}
    (folder / "model.safetensors.index.json").write_text(json.dumps(listing), encoding="utf-8")
    _tokenizer(config["vocab_size"]).save_pretrained(folder)
    # Last: it says that the folder is whole.
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def _shards(config: dict[str, Any]) -> Iterator[dict[str, tuple[int, ...]]]:
    """The shapes of each shard's tensors: embeddings and final norm, then one block each."""
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    queries = config["num_attention_heads"] * config["head_dim"]
    keys = config["num_key_value_heads"] * config["head_dim"]
    yield {"model.embed_tokens.weight": (config["vocab_size"], hidden), "model.norm.weight": (hidden,)}
    for block in range(config["num_hidden_layers"]):
        at = f"model.layers.{block}."
        yield {
            f"{at}input_layernorm.weight": (hidden,),
            f"{at}post_attention_layernorm.weight": (hidden,),
            f"{at}self_attn.q_proj.weight": (queries, hidden),
            f"{at}self_attn.k_proj.weight": (keys, hidden),
            f"{at}self_attn.v_proj.weight": (keys, hidden),
            f"{at}self_attn.o_proj.weight": (hidden, queries),
            f"{at}mlp.gate_proj.weight": (wide, hidden),
            f"{at}mlp.up_proj.weight": (wide, hidden),
            f"{at}mlp.down_proj.weight": (hidden, wide),
        }


def _random(shape: tuple[int, ...], source: torch.Generator) -> torch.Tensor:
    import torch

    if len(shape) == 1:
        return torch.ones(shape, dtype=torch.bfloat16)
    return torch.randn(shape, generator=source).mul_(DEVIATION).to(torch.bfloat16)


def _tokenizer(size: int) -> Any:
    """A byte-level BPE tokenizer of exactly `size` ids.

    It knows the words of the benchmark's texts, so that prompts are as long as with a real one; the rest
    are strings of two to four letters.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    def byte_level(model: Any) -> Any:
        tokenizer = Tokenizer(model)
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer

    trained = byte_level(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=min(size, 4096),
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    trained.train_from_iterator([TEXT, QUESTION, DEFAULT_SYSTEM, "system\nuser\nassistant\n"] * 2, trainer)
    known = json.loads(trained.to_str())["model"]
    vocabulary: dict[str, int] = known["vocab"]
    merges = [(left, right) for left, right in known["merges"]]
    letters = string.ascii_lowercase
    pairs = [a + b for a, b in itertools.product(letters, repeat=2)]
    for left, right in itertools.chain(
        itertools.product(letters, repeat=2),
        itertools.product(pairs, letters),
        itertools.product(pairs, repeat=2),
    ):
        if len(vocabulary) == size:
            break
        if left + right not in vocabulary:
            vocabulary[left + right] = len(vocabulary)
            merges.append((left, right))
    tokenizer = byte_level(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.add_special_tokens([AddedToken(word, special=True) for word in SPECIAL])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=SPECIAL[0], pad_token=SPECIAL[3])
    fast.chat_template = TEMPLATE
    return fast
