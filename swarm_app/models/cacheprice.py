"""What a conversation's attention cache takes, from the manifest and the configuration. No torch here."""

from __future__ import annotations

import json
from typing import Any

from swarm_app.models.manifest import CONFIG_FILE, Manifest
from swarm_app.models.store import StoredModel

_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
_MAX_CONFIG_BYTES = 4 * 1024 * 1024


def cache_bytes_per_token(manifest: Manifest, config: dict[str, Any]) -> int:
    """Bytes of keys and values that one token takes in all blocks together.

    2 * key-value heads * width of a head numbers a block (keys and values), in the type that the model's
    tensors have. Without heads in `config` (the content of ``config.json``) keys and values are taken to be
    as wide as the hidden state, which they are at most: grouped heads take less.
    """
    text = config.get("text_config")
    told = text if isinstance(text, dict) else config
    heads = _count(told, "num_attention_heads")
    kv_heads = _count(told, "num_key_value_heads") or heads
    width = _count(told, "head_dim") or (manifest.hidden_size // heads if heads else 0)
    numbers = 2 * kv_heads * width or 2 * manifest.hidden_size
    return manifest.num_blocks * numbers * _BYTES[manifest.dtype]


def price_of(model: StoredModel) -> int:
    """The same of a stored model."""
    try:
        with (model.dir / CONFIG_FILE).open("rb") as file:
            config = json.loads(file.read(_MAX_CONFIG_BYTES))
    except (OSError, ValueError, RecursionError):
        config = {}
    return cache_bytes_per_token(model.manifest, config if isinstance(config, dict) else {})


def _count(config: dict[str, Any], key: str) -> int:
    value = config.get(key)
    return value if type(value) is int and 0 < value < 1 << 20 else 0
