"""Mixtures of experts over packed weights.

`transformers` keeps a layer's experts as stacked 3-D parameters and lets the function that runs them be
chosen by name. Ours runs each expert that some token was sent to through a packed linear of its own;
the family's gating stays transformers'.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

from swarm_app.models.linears import packed_linear

EXPERTS = "homeswarm"


def pack_experts(module: Any, name: str, parts: dict[str, torch.Tensor], device: torch.device) -> None:
    """Replace the stacked parameter `name` of an experts module by one packed linear an expert.

    `parts` are [expert, out, ...], also for families that keep [expert, in, out] themselves.
    """
    del module._parameters[name]
    count = next(iter(parts.values())).shape[0]
    experts = [
        packed_linear({key: part[index] for key, part in parts.items()}, None, device)
        for index in range(count)
    ]
    setattr(module, name, nn.ModuleList(experts))
    module.config._experts_implementation = EXPERTS


def run_experts(
    module: Any, hidden_states: torch.Tensor, top_k_index: torch.Tensor, top_k_weights: torch.Tensor
) -> torch.Tensor:
    """Transformers' experts interface: hidden_states [tokens, hidden], the others [tokens, k]."""
    out = torch.zeros_like(hidden_states)
    for expert in torch.unique(top_k_index).tolist():
        # Transformers marks places that no expert takes with the number after the last.
        if expert >= len(module.down_proj):
            continue
        tokens, places = torch.where(top_k_index == expert)
        gate_up = module.gate_up_proj[expert](hidden_states[tokens])
        if module.has_bias:
            gate_up = gate_up + module.gate_up_proj_bias[expert]
        done = module.down_proj[expert](module._apply_gate(gate_up))
        if module.has_bias:
            done = done + module.down_proj_bias[expert]
        weighted = done * top_k_weights[tokens, places, None]
        out.index_add_(0, tokens, weighted.to(out.dtype))
    return out


ALL_EXPERTS_FUNCTIONS.register(EXPERTS, run_experts)
