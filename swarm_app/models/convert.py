"""Tensors of a checkpoint, block by block, under the names of the current decoder layers.

Checkpoints keep names and layouts of the day they were made (experts apart, fused or split
projections, GGUF's own names); transformers describes each difference as a list of transforms and
applies them on loading. Here the same transforms are applied to the keys of one block at a time, so
that memory holds one block and not the model.
"""

from __future__ import annotations

import contextlib
import copy
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from swarm_app.domain.errors import ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.layers import LinearWeights, decoder_layers, linear_weights, skeleton
from swarm_app.models.manifest import Quant
from swarm_app.models.quantize import GROUP_SIZE, quantized

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

_BLOCK_KEY = re.compile(r"model\.layers\.(\d{1,6})\.(.+)")
_COMPUTED = re.compile(r"rotary_emb\.inv_freq$|\.attn\.(masked_)?bias$|\.rotary_emb\.")
"""Buffers that old checkpoints carry and models compute."""

_FETCH_AGAIN = "Download or copy the whole model again."

HEAD_KEY = "lm_head.weight"
EMBEDDING_KEY = "model.embed_tokens.weight"


class LazyTensor(Protocol):
    """A tensor that is read when it is indexed with ``...``."""

    @property
    def dtype(self) -> torch.dtype: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, index: object) -> Tensor: ...


@contextlib.contextmanager
def quiet_transformers() -> Iterator[None]:
    """No progress bars of transformers' own: the callers have one bar, with the right total."""
    from transformers.utils import logging

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            logging.enable_progress_bar()


def checkpoint_transforms(model: Any) -> list[Any]:
    """The transforms that transformers itself applies to a Hugging Face checkpoint of this model."""
    from transformers.conversion_mapping import get_model_conversion_mapping

    transforms: list[Any] = get_model_conversion_mapping(model)
    return transforms


class Converter:
    """A checkpoint of any layout, read block by block.

    Nothing is read when it is made, but every key is placed: raises ModelIncomplete naming a tensor that
    a block lacks, ModelUnsupported naming one that the family does not have.
    """

    def __init__(
        self,
        config: PreTrainedConfig,
        tensors: Mapping[str, LazyTensor],
        dtype: torch.dtype,
        transforms: Sequence[Any] | None = None,
    ) -> None:
        """`transforms` default to those of the family's Hugging Face checkpoints."""
        self._tensors = tensors
        self.dtype = dtype
        """Of every tensor that `block` and `client` give."""
        self._model = skeleton(config, dtype)
        self._transforms = list(checkpoint_transforms(self._model) if transforms is None else transforms)
        layers = decoder_layers(self._model)
        self.num_blocks = len(layers)
        self.linears = [linear_weights(layer) for layer in layers]
        self._shapes = {key: tuple(value.shape) for key, value in self._model.state_dict().items()}
        self._by_block: list[list[str]] = [[] for _ in range(self.num_blocks)]
        self._client: dict[str, list[str]] = {}
        self._place()
        self.tied = bool(config.tie_word_embeddings)
        """Whether the head is the embedding matrix; then `client` gives no head."""
        if self.tied and HEAD_KEY in self._client:
            self.tied = torch.equal(self._client_tensor(HEAD_KEY), self._client_tensor(EMBEDDING_KEY))
        for key in self._shapes:
            if (
                not key.startswith("model.layers.")
                and key not in self._client
                and not (self.tied and key == HEAD_KEY)
            ):
                raise _lacks(key)

    def _place(self) -> None:
        from transformers.core_model_loading import WeightConverter, WeightRenaming, rename_source_key

        # Transforms remember what they have seen: each use gets copies of its own.
        transforms = copy.deepcopy(self._transforms)
        renamings = [item for item in transforms if isinstance(item, WeightRenaming)]
        converters = [item for item in transforms if isinstance(item, WeightConverter)]
        prefix = self._model.base_model_prefix
        found: set[str] = set()
        for key in self._tensors:
            target, _ = rename_source_key(key, renamings, converters, prefix, self._shapes)
            if target not in self._shapes and key in self._shapes:
                target = key
            if target not in self._shapes:
                if _COMPUTED.search(key) or self._ignored(target):
                    continue
                raise ModelUnsupported(f"This variant is unsupported: its family has no tensor {key[:120]}.")
            match = _BLOCK_KEY.fullmatch(target)
            if match is not None:
                self._by_block[int(match[1])].append(key)
                found.add(target)
            else:
                self._client.setdefault(target, []).append(key)
        for key in self._shapes:
            if key.startswith("model.layers.") and key not in found:
                raise _lacks(key)

    def _ignored(self, key: str) -> bool:
        patterns = getattr(self._model, "_keys_to_ignore_on_load_unexpected", None) or ()
        return any(re.search(pattern, key) for pattern in patterns)

    def _convert(self, keys: Sequence[str], prefix: str) -> dict[str, Tensor]:
        """Read and convert the given keys; gives the tensors below `prefix` by the rest of their names."""
        from transformers.core_model_loading import convert_and_load_state_dict_in_model
        from transformers.modeling_utils import LoadStateDictConfig

        state = {key: self._tensors[key] for key in keys}
        load = LoadStateDictConfig(dtype=self.dtype, weight_mapping=copy.deepcopy(self._transforms))
        with quiet_transformers():
            info, _ = convert_and_load_state_dict_in_model(self._model, state, load)
        for name, text in info.conversion_errors.items():
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            raise ModelDamaged(
                f"The tensor {name} cannot be converted: {lines[-1][:200] if lines else 'no reason'}.",
                remedy=_FETCH_AGAIN,
            )
        for name, has, needs in sorted(info.mismatched_keys):
            raise ModelDamaged(
                f"The tensor {name} has the shape {list(has)}, and the configuration asks for {list(needs)}.",
                remedy=_FETCH_AGAIN,
            )
        for name in sorted(info.unexpected_keys):
            raise ModelUnsupported(f"This variant is unsupported: its family has no tensor {name[:120]}.")
        tensors: dict[str, Tensor] = {}
        for key in self._shapes:
            if key.startswith(prefix):
                value = self._model.get_parameter(key).detach()
                if value.is_meta:
                    raise _lacks(key)
                tensors[key.removeprefix(prefix)] = value.to(self.dtype).contiguous()
        # What was read leaves the model again; it only lends its names and shapes.
        self._model.to(device="meta")
        return tensors

    def block(self, index: int) -> dict[str, Tensor]:
        """The tensors of one block, keyed relative to the decoder layer, unquantized."""
        return self._convert(self._by_block[index], f"model.layers.{index}.")

    def block_shapes(self, index: int) -> dict[str, tuple[int, ...]]:
        """Shapes of what `block` gives."""
        prefix = f"model.layers.{index}."
        return {
            key.removeprefix(prefix): shape for key, shape in self._shapes.items() if key.startswith(prefix)
        }

    def _client_tensor(self, key: str) -> Tensor:
        (tensor,) = self._convert(self._client[key], key).values()
        return tensor

    def client_keys(self) -> tuple[str, ...]:
        """Keys of the client's tensors, as in the whole model's state dict; no head where it is tied."""
        return tuple(sorted(key for key in self._client if not (self.tied and key == HEAD_KEY)))

    def client_shape(self, key: str) -> tuple[int, ...]:
        return self._shapes[key]

    def client(self, key: str) -> Tensor:
        """One tensor of the client's, read when asked for: embeddings are large."""
        return self._client_tensor(key)


def _lacks(key: str) -> ModelIncomplete:
    return ModelIncomplete(f"The model is incomplete: the tensor {key} is missing.", remedy=_FETCH_AGAIN)


def stored_tensors(tensors: Mapping[str, Tensor], linears: LinearWeights, quant: Quant) -> dict[str, Tensor]:
    """What is written for one block's tensors; raises ModelDamaged naming one that is not finite."""
    result: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        # The extremes carry any NaN or infinity, and need no copy of the tensor.
        if not bool(torch.isfinite(torch.stack(torch.aminmax(tensor))).all()):
            raise ModelDamaged(
                f"The tensor {name} holds values that are not numbers (NaN or infinity).",
                remedy=_FETCH_AGAIN,
            )
        if quant is Quant.NONE:
            result[name] = tensor
            continue
        rows = tensor.transpose(-1, -2) if name in linears.transposed_experts else tensor
        if is_quantized(name, tuple(rows.shape), linears, quant):
            result.update(quantized(name, rows, quant))
        else:
            result[name] = tensor.to(torch.bfloat16)
    return result


def is_quantized(name: str, rows: tuple[int, ...], linears: LinearWeights, quant: Quant) -> bool:
    """Whether a parameter that is [..., out, in] is stored in whole numbers."""
    if quant is Quant.INT8:
        return name in linears.names
    return quant is Quant.INT4 and name in linears.names and rows[-1] % GROUP_SIZE == 0


def stored_bytes(
    shapes: Mapping[str, tuple[int, ...]], linears: LinearWeights, quant: Quant, dtype: torch.dtype
) -> int:
    """How many bytes `stored_tensors` will give for tensors of these shapes."""
    total = 0
    for name, shape in shapes.items():
        rows = (*shape[:-2], shape[-1], shape[-2]) if name in linears.transposed_experts else shape
        elements = math.prod(shape)
        if not is_quantized(name, rows, linears, quant):
            total += elements * (dtype.itemsize if quant is Quant.NONE else 2)
        elif quant is Quant.INT8:
            total += elements + elements // rows[-1] * 4
        else:
            total += elements // 2 + elements // GROUP_SIZE * 4
    return total
