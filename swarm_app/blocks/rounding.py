"""How this computer rounds: whether another one can go on with an answer to the same words.

The same product comes out with other last bits on a processor with other instructions, or with another
release of the libraries, and a model at a tie then says another word: of 18 answers of 64 tokens by SmolLM2
3 are the same with AVX2 and with AVX-512. What a processor is called does not say which kernels it gets, so
they are tried.
"""

from __future__ import annotations

import hashlib

import torch
from torch.nn import functional

from swarm_app.models.linears import PREFILL_ROWS, Int4Linear, Int8Linear
from swarm_app.models.quantize import quantize_int4, quantize_int8

WIDTH, OUT, TOKENS = 256, 384, 40
HEADS, DIM = 3, 64

DIGITS = 12
"""Of the fingerprint; two kinds of computers of one household meet by chance once in 10^14."""


@torch.inference_mode()
def fingerprint(device: torch.device, dtype: torch.dtype) -> str:
    """Equal for computers whose kernels round alike: of linears (packed and not; few rows and many), of
    attention, and of what is between them. Takes a few milliseconds.
    """
    weight = _numbers(OUT, WIDTH, seed=1)
    found: list[torch.Tensor] = []
    for rows in (1, PREFILL_ROWS - 1, TOKENS):
        hidden = _numbers(rows, WIDTH, seed=rows + 1).to(device, dtype)
        found.append(functional.linear(hidden, weight.to(device, dtype)))
        if device.type == "cpu" and dtype is torch.bfloat16:
            found.append(Int8Linear(*quantize_int8(weight))(hidden))
            found.append(Int4Linear(*quantize_int4(weight))(hidden))
        gate = functional.silu(found[-1])
        found.append(gate * torch.rsqrt(gate.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(dtype))
    for queries, causal in ((1, False), (TOKENS, True)):
        query = _numbers(1, HEADS, queries, DIM, seed=7).to(device, dtype)
        keys = _numbers(1, HEADS, TOKENS, DIM, seed=8).to(device, dtype)
        found.append(functional.scaled_dot_product_attention(query, keys, keys, is_causal=causal))
    digest = hashlib.sha256()
    for tensor in found:
        digest.update(tensor.float().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:DIGITS]


def _numbers(*shape: int, seed: int) -> torch.Tensor:
    """The same everywhere, between -1 and 1: made of whole numbers, for a generator of floats rounds too."""
    count = 1
    for size in shape:
        count *= size
    whole = (torch.arange(count, dtype=torch.int64) * 7919 + seed * 104729) % 65521
    return (whole.double() / 32760.5 - 1.0).float().reshape(shape)
