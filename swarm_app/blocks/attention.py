"""Keys and values in place, and the attention over them.

`transformers`' decoder layers call ``cache.update`` and then the attention function that their
configuration names. Both are ours: the cache writes new keys and values into memory that the session
was admitted with, and hands back only what the layer may look at, so that a decode step needs no mask
at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional
from transformers import AttentionInterface

ATTENTION = "homeswarm"


@dataclass(frozen=True, slots=True)
class CacheShape:
    """Per-token shape of one layer's keys and values: heads, and the width of each."""

    kv_heads: int
    key_dim: int
    value_dim: int

    @property
    def numbers_per_token(self) -> int:
        return self.kv_heads * (self.key_dim + self.value_dim)


class SpanCache:
    """One session's keys and values for consecutive layers; written in place, never copied.

    `windows[i]` is the sliding window of layer `first_layer + i` in tokens, or None.
    """

    def __init__(
        self,
        first_layer: int,
        shapes: Sequence[CacheShape],
        windows: Sequence[int | None],
        *,
        batch: int,
        max_tokens: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self.first_layer = first_layer
        self.windows = tuple(windows)
        self.max_tokens = max_tokens
        self.position = 0
        # Filled, not only reserved: a session that was admitted must not fail on its first long answer.
        self.keys = [
            torch.zeros(batch, s.kv_heads, max_tokens, s.key_dim, dtype=dtype, device=device).fill_(0)
            for s in shapes
        ]
        self.values = [
            torch.zeros(batch, s.kv_heads, max_tokens, s.value_dim, dtype=dtype, device=device).fill_(0)
            for s in shapes
        ]

    def update(
        self, key: torch.Tensor, value: torch.Tensor, layer_idx: int, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write [batch, kv_heads, tokens, dim] at the present position; return what the layer may see.

        For one token that is the last `window` tokens; for several, everything so far (a mask says
        which of them sees what).
        """
        index = layer_idx - self.first_layer
        keys, values = self.keys[index], self.values[index]
        tokens = key.shape[2]
        end = self.position + tokens
        keys[:, :, self.position : end] = key
        values[:, :, self.position : end] = value
        window = self.windows[index]
        start = end - window if window is not None and tokens == 1 and end > window else 0
        return keys[:, :, start:end], values[:, :, start:end]

    def get_seq_length(self, *_: Any) -> int:
        return self.position

    def reorder(self, indices: torch.Tensor) -> None:
        """Permute the batch (beam search of Petals' own client)."""
        for tensor in (*self.keys, *self.values):
            tensor[:, :, : self.position] = tensor[indices][:, :, : self.position]


@dataclass(frozen=True, slots=True)
class AsSteps:
    """In place of a mask: attend for each token on its own, as if the tokens had come one by one.

    Attention over several queries rounds differently from attention over one. A history that is fed
    to a new peer must leave the very cache that the old one had, or the answer may go on with other tokens.
    """

    position: int
    """Tokens that were there before."""
    window: int | None


def causal_mask(tokens: int, position: int, window: int | None, device: torch.device) -> torch.Tensor | None:
    """Which of ``position + tokens`` keys each of `tokens` queries may see, as bool [tokens, keys].

    None where nothing needs masking (one token) or plain causal order says it all (a first prefill
    inside the window).
    """
    if tokens == 1:
        return None
    if position == 0 and (window is None or tokens <= window):
        return None
    query = torch.arange(position, position + tokens, device=device)[:, None]
    key = torch.arange(position + tokens, device=device)[None, :]
    seen = key <= query
    if window is not None:
        seen &= key > query - window
    return seen


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | AsSteps | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    softcap: float | None = None,
    s_aux: torch.Tensor | None = None,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """Attention in transformers' calling convention; returns [batch, tokens, heads, dim].

    `attention_mask` comes from `causal_mask`. `softcap` bounds the scores (Gemma 2) and `s_aux` are
    attention sinks, one logit a head that takes weight and gives nothing (gpt-oss).
    """
    if isinstance(attention_mask, AsSteps):
        steps = []
        for token in range(query.shape[2]):
            end = attention_mask.position + token + 1
            start = max(0, end - attention_mask.window) if attention_mask.window is not None else 0
            seen = key[:, :, start:end], value[:, :, start:end]
            one = query[:, :, token : token + 1]
            steps.append(attend(module, one, *seen, None, scaling, softcap=softcap, s_aux=s_aux)[0])
        return torch.cat(steps, dim=1), None
    batch, heads, tokens, dim = query.shape
    kv_heads = key.shape[1]
    group = heads // kv_heads
    causal = attention_mask is None and tokens > 1
    if softcap is None and s_aux is None:
        if tokens == 1:
            # The queries of one group become rows of one query: no copies of keys, no mask.
            grouped = query.reshape(batch, kv_heads, group, dim)
            out = functional.scaled_dot_product_attention(grouped, key, value, scale=scaling)
            return out.reshape(batch, 1, heads, -1), None
        out = functional.scaled_dot_product_attention(
            query, key, value, attention_mask, is_causal=causal, scale=scaling, enable_gqa=group > 1
        )
        return out.transpose(1, 2), None
    scale = dim**-0.5 if scaling is None else scaling
    grouped = query.reshape(batch, kv_heads, group, tokens, dim)
    scores = torch.matmul(grouped, key[:, :, None].transpose(-1, -2)).float() * scale
    if softcap is not None:
        scores = torch.tanh(scores / softcap) * softcap
    if causal:
        attention_mask = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).tril()
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask, float("-inf"))
    if s_aux is not None:
        sinks = s_aux.float().reshape(1, kv_heads, group, 1, 1).expand(batch, -1, -1, tokens, 1)
        weights = torch.cat((scores, sinks), dim=-1).softmax(dim=-1)[..., :-1]
    else:
        weights = scores.softmax(dim=-1)
    out = torch.matmul(weights.to(value.dtype), value[:, :, None])
    return out.reshape(batch, heads, tokens, -1).transpose(1, 2), None


AttentionInterface.register(ATTENTION, attend)
