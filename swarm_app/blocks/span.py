"""A span of decoder layers, built from what `transformers` knows about the family.

One adapter for every family: the whole model is laid out on the meta device (shapes, no memory), its
decoder layers of the span are kept and filled from the store, its rotary module is built for real.
What differs between families (rotary per layer kind, sliding windows, soft caps, experts) is read
from the configuration and from the modules themselves. A family that asks for anything else is refused
by name.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn
from transformers import AutoModelForCausalLM, PreTrainedConfig

from swarm_app.blocks.attention import ATTENTION, AsSteps, CacheShape, SpanCache, causal_mask
from swarm_app.blocks.experts import pack_experts
from swarm_app.domain.errors import ModelDamaged, ModelUnsupported
from swarm_app.domain.span import Span
from swarm_app.models.layers import without_values
from swarm_app.models.linears import is_packed, packed_linear, take_packed

FULL, SLIDING = "full_attention", "sliding_attention"


def layer_kinds(config: PreTrainedConfig) -> list[str]:
    """The attention kind of every layer; raises ModelUnsupported for kinds that no mask of ours fits."""
    kinds = getattr(config, "layer_types", None)
    if kinds is None:
        # Mistral: one window for all layers, and no list.
        kinds = [SLIDING if getattr(config, "sliding_window", None) else FULL] * config.num_hidden_layers
    other = sorted(set(kinds) - {FULL, SLIDING})
    if other:
        raise ModelUnsupported(f"The {config.model_type} model uses {other[0]}, which is unsupported.")
    return list(kinds)


class _ShapeProbe(SpanCache):
    """Records the shape of the keys and values that each layer hands over."""

    def __init__(self, first_layer: int, num_layers: int) -> None:
        super().__init__(
            first_layer,
            [],
            [None] * num_layers,
            batch=1,
            max_tokens=1,
            dtype=torch.float32,
            device=torch.device("cpu"),
        )
        self.seen: dict[int, CacheShape] = {}

    def update(
        self, key: torch.Tensor, value: torch.Tensor, layer_idx: int, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        self.seen[layer_idx - self.first_layer] = CacheShape(key.shape[1], key.shape[3], value.shape[3])
        return key, value


class SpanModule:
    """The layers ``[span.start, span.end)`` with their weights, ready to step.

    Not thread-safe: one step at a time.
    """

    def __init__(
        self,
        config: PreTrainedConfig,
        span: Span,
        tensors_of: Callable[[int], Mapping[str, torch.Tensor]],
        *,
        device: str = "cpu",
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Load block `i` from ``tensors_of(i)`` (see `models.store.StoredModel.block_tensors`).

        Raises ModelUnsupported for a family that cannot be carried, ModelDamaged for tensors that do
        not fit the layer.
        """
        self.span = span
        self.device = torch.device(device)
        self.config = copy.deepcopy(config)
        self.config._attn_implementation = ATTENTION
        self.kinds = layer_kinds(self.config)[span.start : span.end]
        window = getattr(self.config, "sliding_window", None)
        self.windows = [window if kind == SLIDING else None for kind in self.kinds]
        with without_values():
            whole = AutoModelForCausalLM.from_config(self.config)
        inner = whole.model
        self.rotary = type(inner.rotary_emb)(config=self.config).to(self.device)
        self._rotary_per_kind = "layer_type" in inspect.signature(self.rotary.forward).parameters
        self.layers: list[nn.Module] = []
        self.weight_bytes = 0
        self.dtype = torch.float32
        for done, index in enumerate(span.blocks):
            if progress is not None:
                progress(done, len(span))
            tensors = tensors_of(index)
            layer = inner.layers[index]
            inner.layers[index] = nn.Identity()
            self._fill(layer, index, tensors)
            self.layers.append(layer.eval())
        if progress is not None:
            progress(len(span), len(span))
        # What is left of matrices (plain linears, routers) goes through kernels that round by their shape.
        self.rows_alike = all(p.dim() < 2 for layer in self.layers for p in layer.parameters())
        self.shapes = self._probe_shapes()

    @property
    def bytes_per_token(self) -> int:
        """Cache bytes that one token takes in all layers of the span."""
        return sum(s.numbers_per_token for s in self.shapes) * self.dtype.itemsize

    def new_cache(self, max_tokens: int, batch: int = 1, part: Span | None = None) -> SpanCache:
        """Memory for one session over `part` of this span (all of it when None)."""
        part = part or self.span
        first, last = part.start - self.span.start, part.end - self.span.start
        return SpanCache(
            part.start,
            self.shapes[first:last],
            self.windows[first:last],
            batch=batch,
            max_tokens=max_tokens,
            dtype=self.dtype,
            device=self.device,
        )

    @torch.inference_mode()
    def step(self, hidden: torch.Tensor, cache: SpanCache, *, as_steps: bool = False) -> torch.Tensor:
        """Run `hidden` [batch, tokens, hidden_size] through the cache's layers and extend the cache.

        Returns the same shape, in the span's dtype on its device. With `as_steps`, output and cache are
        those of feeding the tokens one by one: to the bit where all linears are packed (their kernels give
        each row the same, however many there are) and the tokens are fewer than `PREFILL_ROWS`.
        """
        hidden = hidden.to(device=self.device, dtype=self.dtype)
        if as_steps and hidden.shape[1] > 1 and not self.rows_alike:
            pieces = [self.step(one, cache) for one in torch.split(hidden, 1, dim=1)]
            return torch.cat(pieces, dim=1)
        out = self._run(hidden, cache, cache.first_layer - self.span.start, as_steps)
        cache.position += hidden.shape[1]
        return out

    def _run(
        self, hidden: torch.Tensor, cache: SpanCache, offset: int, as_steps: bool = False
    ) -> torch.Tensor:
        tokens, position = hidden.shape[1], cache.position
        position_ids = torch.arange(position, position + tokens, device=self.device)[None]
        num_layers = len(cache.windows)
        kinds = self.kinds[offset : offset + num_layers]
        rotary: dict[str, Any] = {}
        masks: dict[str, torch.Tensor | AsSteps | None] = {}
        for kind, window in set(zip(kinds, cache.windows, strict=True)):
            if as_steps and tokens > 1:
                masks[kind] = AsSteps(position, window)
            else:
                masks[kind] = causal_mask(tokens, position, window, self.device)
            if self._rotary_per_kind:
                rotary[kind] = self.rotary(hidden, position_ids, kind)
        if not self._rotary_per_kind:
            shared = self.rotary(hidden, position_ids)
            rotary = dict.fromkeys(masks, shared)
        for layer, kind in zip(self.layers[offset : offset + num_layers], kinds, strict=True):
            hidden = layer(
                hidden,
                attention_mask=masks[kind],
                position_ids=position_ids,
                cache=cache,
                use_cache=True,
                position_embeddings=rotary[kind],
            )
        return hidden

    def _fill(self, layer: nn.Module, index: int, tensors: Mapping[str, torch.Tensor]) -> None:
        left = dict(tensors)
        self.weight_bytes += sum(tensor.nbytes for tensor in left.values())
        for path, module in list(layer.named_modules()):
            if isinstance(module, nn.Linear):
                if is_packed(f"{path}.weight", left):
                    parts = take_packed(f"{path}.weight", left)
                    packed = packed_linear(parts, left.pop(f"{path}.bias", None), self.device)
                    layer.set_submodule(path, packed)
                continue
            for name in list(module._parameters):
                stacked = f"{path}.{name}"
                if is_packed(stacked, left):
                    pack_experts(module, name, take_packed(stacked, left), self.device)
        plain = {key: tensor.to(self.device) for key, tensor in left.items()}
        expected = {key for key, _ in layer.named_parameters()}
        if plain.keys() != expected:
            wrong = sorted(plain.keys() ^ expected)[0]
            raise ModelDamaged(f"Block {index} of the model does not fit its family: {wrong}.")
        try:
            layer.load_state_dict(plain, assign=True, strict=False)
        except RuntimeError:
            raise ModelDamaged(f"Block {index} of the model has a tensor of the wrong shape.") from None
        for parameter in layer.parameters():
            parameter.requires_grad_(False)
            if parameter.is_floating_point():
                self.dtype = parameter.dtype

    @torch.inference_mode()
    def _probe_shapes(self) -> list[CacheShape]:
        probe = _ShapeProbe(self.span.start, len(self.span))
        hidden = torch.zeros(1, 1, self.config.hidden_size, dtype=self.dtype, device=self.device)
        self._run(hidden, probe, 0)
        missing = [i for i in range(len(self.span)) if i not in probe.seen]
        if missing:
            raise ModelUnsupported(
                f"The {self.config.model_type} model keeps no keys and values in block"
                f" {self.span.start + missing[0]}, which is unsupported."
            )
        return [probe.seen[i] for i in range(len(self.span))]
