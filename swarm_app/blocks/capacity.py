"""How many blocks this computer has room for."""

from __future__ import annotations

from swarm_app.domain.errors import BadRequest
from swarm_app.host.allowance import memory
from swarm_app.models.manifest import block_file
from swarm_app.models.store import StoredModel


def blocks_that_fit(block_bytes: int, cache_bytes: int, free_bytes: int, num_blocks: int) -> int:
    """Blocks that `free_bytes` hold, each with its weights and its share of the attention cache."""
    return max(0, min(num_blocks, free_bytes // max(1, block_bytes + cache_bytes)))


def capacity_blocks(model: StoredModel, cache_tokens: int, share: float) -> int:
    """Blocks of `model` that fit into `share` of the free memory.

    Raises BadRequest, in numbers, when not even one does.
    """
    manifest = model.manifest
    block_bytes = max(manifest.entry(block_file(i)).size for i in range(manifest.num_blocks))
    # Keys and values of a token take at most two hidden vectors; grouped heads take less.
    cache_bytes = cache_tokens * 2 * manifest.hidden_size * 2
    free = int(memory().free * share)
    fit = blocks_that_fit(block_bytes, cache_bytes, free, manifest.num_blocks)
    if fit < 1:
        raise BadRequest(
            f"One block of {model.name} needs {(block_bytes + cache_bytes) / 1e6:.0f} MB, and only"
            f" {free / 1e6:.0f} MB of this computer's memory are for Homeswarm.",
            remedy="Close a program, or import the model with --quant int4.",
        )
    return fit
