"""``local.json``: which local model a profile uses, where somebody has chosen one."""

from __future__ import annotations

import json
from pathlib import Path

from swarm_app.config.paths import read_json, write_private

_MAX_BYTES = 64 * 1024


def write(path: Path, model: str) -> None:
    """Note the name of the chosen model, in one step."""
    write_private(path, json.dumps({"model": model}) + "\n")


def read(path: Path) -> str | None:
    """The name; None where none was chosen or the file is not one of ours."""
    noted = read_json(path, _MAX_BYTES)
    model = noted.get("model") if isinstance(noted, dict) else None
    return model if isinstance(model, str) and model else None
