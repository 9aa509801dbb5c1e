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
    """Import `source` into `store` and return it, opened.

    `source` is a folder in Hugging Face's layout, a ``.gguf`` file (any part of a set), a folder with one
    such model, or a repo id: ``owner/name``, optionally ``@revision``, and ``:part-of-a-file's-name`` to
    choose among several GGUF files. `name` is what to call it in the store (default: after the source).
    `progress` is called with ``"download"`` or ``"import"``, bytes done and bytes in all, from the thread
    that called. `endpoint` is the address of another server than the hub.

    The import appears in the store whole or not at all; it replaces a model of the same name that came
    from the same source and has the same kind of weights. Raises (all of domain.errors) BadRequest,
    ModelNotFound, ModelIncomplete, ModelUnsupported, ModelDamaged, TokenizerMismatch, DownloadFailed,
    DiskFull, Forbidden, Busy.
    """
    from swarm_app.models.intake import run

    return run(source, store, quant=quant, name=name, progress=progress, endpoint=endpoint)
