"""Importing a model: from a Hugging Face folder, a GGUF file or a repo id into the store.

Torch-free at the top: the command line names this module, and the work is imported when it starts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from swarm_app.models.manifest import Quant

if TYPE_CHECKING:
    from swarm_app.models.store import ModelStore, StoredModel


def import_model(
    source: str,
    store: ModelStore,
    *,
    quant: Quant,
    name: str | None = None,
    progress: Callable[[str, int, int], None],
    endpoint: str | None = None,
) -> StoredModel:
    """Import `source` (a folder, a ``.gguf`` file or a repo id) into `store` and return it, opened."""
    from swarm_app.models.intake import run

    return run(source, store, quant=quant, name=name, progress=progress, endpoint=endpoint)
