"""What quantization does to a model's output, in one process and without the network.

The blocks and the client parts are those of the block and engine processes.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from swarm_app.blocks.span import SpanModule
from swarm_app.childproto import ChatMessage
from swarm_app.domain.span import Span
from swarm_app.engines.head import ClientParts
from swarm_app.engines.prompt import PromptBuilder
from swarm_app.models.linears import PREFILL_ROWS
from swarm_app.models.manifest import Quant
from swarm_app.models.store import StoredModel
from tests.benchmarks.figures import percentile
from tests.benchmarks.prompts import TEXT
from tests.benchmarks.results import Difference

GREEDY_TOKENS = 20
GREEDY_PROMPT = "What is the capital of France?"
CONTEXT_TOKENS = 2048
CHUNK_TOKENS = PREFILL_ROWS - 8
"""Few enough that quantized layers multiply as they do in decoding."""


@dataclass(frozen=True, slots=True)
class Output:
    """What one model says."""

    log_probabilities: torch.Tensor
    """float32 [tokens, vocab]: of the next token after each of the text."""
    greedy: list[int]


def output(stored: StoredModel) -> Output:
    """Run the text, teacher-forced, and the fixed prompt, greedily, through the whole span at once."""
    span = Span(0, stored.manifest.num_blocks)
    module = SpanModule(stored.config(), span, stored.block_tensors)
    quantized = stored.manifest.quant in (Quant.INT8, Quant.INT4)
    parts = ClientParts(stored.config(), stored.client_tensors(), quantize_head=quantized)
    builder = PromptBuilder(stored.tokenizer(), CONTEXT_TOKENS)
    return Output(_teacher_forced(module, parts, text_ids(builder)), _greedy(module, parts, builder))


def text_ids(builder: PromptBuilder) -> list[int]:
    """The fixed text, without a template."""
    ids: list[int] = builder.backend.encode(TEXT, add_special_tokens=False).ids
    return ids


def _teacher_forced(module: SpanModule, parts: ClientParts, ids: list[int]) -> torch.Tensor:
    cache = module.new_cache(len(ids))
    rows = []
    for start in range(0, len(ids), CHUNK_TOKENS):
        hidden = module.step(parts.embed(ids[start : start + CHUNK_TOKENS]), cache)
        rows += [parts.logits(token).log_softmax(dim=-1) for token in torch.split(hidden, 1, dim=1)]
    return torch.stack(rows)


def _greedy(module: SpanModule, parts: ClientParts, builder: PromptBuilder) -> list[int]:
    ids = builder.build([ChatMessage("user", GREEDY_PROMPT)], max_tokens=GREEDY_TOKENS, trim=False).ids
    cache = module.new_cache(len(ids) + GREEDY_TOKENS)
    fed, chosen = ids, []
    for _ in range(GREEDY_TOKENS):
        hidden = module.step(parts.embed(fed), cache)
        fed = [int(parts.logits(hidden[:, -1:]).argmax())]
        chosen += fed
    return chosen


def difference(quant: str, exact: Output, other: Output) -> Difference:
    """KL(exact || other) per token, in nats: sum over the vocabulary of p (log p - log q)."""
    p, q = exact.log_probabilities, other.log_probabilities
    divergence = (p.exp() * (p - q)).sum(dim=-1).clamp_min(0).tolist()
    agree = [a == b for a, b in zip(exact.greedy, other.greedy, strict=True)]
    return Difference(
        quant=quant,
        kl_nats=sum(divergence) / len(divergence),
        kl_p95_nats=percentile(divergence, 95),
        same_best=float((p.argmax(dim=-1) == q.argmax(dim=-1)).float().mean()),
        same_greedy=agree.index(False) if False in agree else len(agree),
        greedy=len(agree),
    )
