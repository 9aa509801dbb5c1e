"""The shape of a family's layers, taken from transformers' own modules on the meta device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from swarm_app.domain.errors import ModelDamaged
from swarm_app.models.families import FAMILIES

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel


_HOLDERS = {torch.empty, torch.zeros, torch.ones, torch.full, torch.rand, torch.randn}
"""What constructors get the memory of their parameters from."""


class _NoMemory(TorchFunctionMode):
    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func in _HOLDERS:
            kwargs = {"device": "meta", **(kwargs or {})}
        return func(*args, **(kwargs or {}))


@contextmanager
def without_values() -> Iterator[None]:
    """Parameters of models that are made meanwhile are on the meta device, and nothing sets them.

    Only they: under ``torch.device("meta")`` torch computes the rotary frequencies and the initial values,
    which nobody reads, by its compiler's decompositions, and sympy, which those need, takes 0.4 s to import.
    Not for several threads at once: it takes torch's and transformers' initializers away.
    """
    from transformers.initialization import no_init_weights

    with no_init_weights(), _NoMemory():
        yield


def skeleton(config: PreTrainedConfig, dtype: torch.dtype = torch.float32) -> PreTrainedModel:
    """The whole model with every parameter on the meta device: names and shapes, and no memory.

    Raises ModelDamaged when the configuration describes no possible model.
    """
    import transformers

    model_class: Any = getattr(transformers, FAMILIES[config.model_type][0])
    try:
        with without_values():
            model: PreTrainedModel = model_class._from_config(config, dtype=dtype)
    except Exception as error:  # noqa: BLE001
        # Its constructors raise what they like on sizes that do not fit together.
        raise ModelDamaged(
            f"The configuration describes no possible model: {str(error)[:200]}.",
            remedy="Download or copy the model again.",
        ) from None
    return model


def decoder_layers(model: PreTrainedModel) -> nn.ModuleList:
    """The decoder layers of a whole model of any family in the table."""
    layers = model.get_submodule("model.layers")
    assert isinstance(layers, nn.ModuleList)
    return layers


def decoder_layer_class(config: PreTrainedConfig) -> type[nn.Module]:
    """The class of the family's decoder layer, which takes ``(config, layer_idx)``."""
    import copy

    short = copy.deepcopy(config)
    short.num_hidden_layers = 1
    if getattr(short, "layer_types", None):
        short.layer_types = list(short.layer_types[:1])
    return type(decoder_layers(skeleton(short))[0])


@dataclass(frozen=True, slots=True)
class LinearWeights:
    """The parameters of one decoder layer that are weights of linear maps, by name within the layer."""

    plain: frozenset[str]
    """Weights of ``nn.Linear`` modules, [out, in]."""
    experts: frozenset[str]
    """Stacked expert weights, [expert, out, in]."""
    transposed_experts: frozenset[str]
    """Stacked expert weights that the family keeps as [expert, in, out] (gpt-oss). Quantized, they are
    stored as [expert, out, in] like all others."""

    @property
    def names(self) -> frozenset[str]:
        return self.plain | self.experts | self.transposed_experts


def linear_weights(layer: nn.Module) -> LinearWeights:
    """Which parameters of a decoder layer quantization applies to.

    Routers and gates are left alone: they are small, and a token sent to another expert costs more than
    rounding. Norms, biases and attention sinks are no weights of linear maps.
    """
    plain: set[str] = set()
    experts: set[str] = set()
    transposed: set[str] = set()
    for path, module in layer.named_modules():
        prefix = f"{path}." if path else ""
        if isinstance(module, nn.Linear):
            if path.rpartition(".")[2] not in ("gate", "router"):
                plain.add(f"{prefix}weight")
            continue
        for name, parameter in module.named_parameters(recurse=False):
            if parameter.dim() == 3:
                (transposed if getattr(module, "is_transposed", False) else experts).add(f"{prefix}{name}")
    return LinearWeights(frozenset(plain), frozenset(experts), frozenset(transposed))
