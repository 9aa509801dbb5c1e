"""This computer's own part of the model: embeddings in, logits out, the blocks elsewhere.

The family's own forward runs unchanged, with its decoder layers replaced by one that stands for the
whole route. So embedding scales, the final norm, logit scaling and soft caps come from `transformers`,
whatever the family. The forward is entered twice a step: once to see what would go into the first
block, once to go on with what came out of the last.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from transformers import AutoModelForCausalLM, PreTrainedConfig

from swarm_app.domain.errors import ModelDamaged
from swarm_app.models.layers import without_values
from swarm_app.models.linears import Int8Linear
from swarm_app.models.quantize import quantize_int8

_NO_MASK = "route"
"""An attention name that transformers has no mask for, so that it makes none: no attention runs here."""


class _Reached(Exception):
    """Ends a forward that has come to the first block."""

    def __init__(self, hidden: torch.Tensor) -> None:
        super().__init__()
        self.hidden = hidden


class _RouteLayer(nn.Module):
    """Stands for all decoder layers."""

    def __init__(self) -> None:
        super().__init__()
        self.output: torch.Tensor | None = None

    def forward(self, hidden_states: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
        if self.output is None:
            raise _Reached(hidden_states)
        return self.output


class ClientParts:
    """Embeddings, final norm and head of one model. Not thread-safe."""

    def __init__(
        self, config: PreTrainedConfig, tensors: Mapping[str, torch.Tensor], *, quantize_head: bool
    ) -> None:
        """Fill from the store's client tensors (see `StoredModel.client_tensors`).

        With `quantize_head` the head is int8 per row: a float32 head of 49152 x 576 takes several
        milliseconds per token. Raises ModelDamaged for tensors that do not fit the family.
        """
        short = copy.deepcopy(config)
        if getattr(short, "layer_types", None) is not None:
            short.layer_types = short.layer_types[:1]
        short.num_hidden_layers = 1
        short.use_cache = False
        with without_values():
            model = AutoModelForCausalLM.from_config(short)
        model.config._attn_implementation = _NO_MASK
        self._route = _RouteLayer()
        model.model.layers = nn.ModuleList([self._route])
        missing, unexpected = model.load_state_dict(dict(tensors), assign=True, strict=False)
        tied = "lm_head.weight" not in tensors
        if unexpected or set(missing) - ({"lm_head.weight"} if tied else set()):
            wrong = sorted({*unexpected, *missing})[0]
            raise ModelDamaged(f"The model's client part does not fit its family: {wrong}.")
        embeddings = model.model.embed_tokens.weight
        if tied:
            model.lm_head.weight = embeddings
        self.dtype = embeddings.dtype
        self.hidden_size = int(config.hidden_size)
        self.vocab_size = int(embeddings.shape[0])
        if quantize_head:
            rows, scale = quantize_int8(model.lm_head.weight.detach())
            model.lm_head = Int8Linear(rows, scale)
        self._model = model.eval().requires_grad_(False)

    @torch.inference_mode()
    def embed(self, token_ids: Sequence[int]) -> torch.Tensor:
        """What goes into block 0: [1, tokens, hidden_size]."""
        self._route.output = None
        try:
            self._forward(torch.tensor([list(token_ids)], dtype=torch.long))
        except _Reached as reached:
            return reached.hidden
        raise AssertionError("a forward without blocks")

    @torch.inference_mode()
    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """float32 logits [vocab_size] from the last block's output for one token, [1, 1, hidden_size]."""
        self._route.output = hidden.to(self.dtype)
        try:
            out = self._forward(torch.zeros(1, 1, dtype=torch.long))
        finally:
            self._route.output = None
        logits: torch.Tensor = out.logits[0, -1]
        return logits.float()

    def _forward(self, token_ids: torch.Tensor) -> Any:
        return self._model(input_ids=token_ids, use_cache=False, logits_to_keep=1)
