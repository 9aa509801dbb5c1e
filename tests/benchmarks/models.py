"""The models that are measured: where they come from and how they get into a store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from swarm_app.models.default import embedded_default
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, StoredModel
from tests.benchmarks import llama1b

QUANTS = {"float32": Quant.NONE, "bf16": Quant.BF16, "int8": Quant.INT8, "int4": Quant.INT4}
"""What is asked for, and what the store calls it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A model to be measured; `path` is a Hugging Face folder or a GGUF file."""

    name: str
    about: str
    find: Callable[[Path], Path]
    """The path, given a folder to make it in where it is made on the spot."""
    float32: bool
    """Whether its own weights are float32, so that importing them as they are gives float32 blocks."""


MODELS = {
    "smollm2": Source("smollm2", "SmolLM2-135M-Instruct", lambda folder: embedded_default(), True),
    "llama1b": Source(
        "llama1b",
        "random weights in the shape of Llama 3.2 1B",
        lambda folder: llama1b.make(folder / "llama1b-source"),
        False,
    ),
}


def imported(source: Source, path: Path, store: ModelStore, quant: str) -> StoredModel:
    """The model in the store with these weights; imported when it is not there. ValueError for weights
    that cannot be had of it."""
    if quant == "float32" and not source.float32:
        raise ValueError(f"{source.about} has bfloat16 weights: choose bf16, int8 or int4")
    name = f"{source.name}-{quant}"
    if store.path_of(name).exists():
        return store.find(name)
    return import_model(
        str(path), store, quant=QUANTS[quant], name=name, progress=lambda what, done, total: None
    )
