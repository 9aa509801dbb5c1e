"""The models that run on this computer alone: GGUF files, each in a folder of its own, and the embedded one.

A folder has the model's name and holds its file, or all its parts under llama.cpp's own names. What is there
was whole when it was imported (see `swarm_app.models.localimport`); whether it still is, its load tells.

State owned: the folder on disk. Callers: `node`, `cli`. Needs no torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from swarm_app.domain.errors import ModelNotFound
from swarm_app.models.default import DEFAULT_LOCAL_NAME, embedded_default


@dataclass(frozen=True, slots=True)
class LocalFile:
    """One model; `path` is its file, of several parts the first one."""

    name: str
    path: Path
    bytes: int
    """Of all its parts."""
    embedded: bool = False


class LocalModels:
    """The models below `root`, which may not exist yet."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def list(self) -> list[LocalFile]:
        """The embedded model, then the imported ones by name."""
        found: list[LocalFile] = []
        try:
            path = embedded_default()
            found.append(LocalFile(DEFAULT_LOCAL_NAME, path, path.stat().st_size, embedded=True))
        except (ModelNotFound, OSError):
            pass  # installed without it
        folders = sorted(self.root.iterdir()) if self.root.is_dir() else []
        for folder in folders:
            if folder.is_dir() and not folder.name.startswith("."):
                parts = sorted(folder.glob("*.gguf"))
                try:
                    size = sum(part.stat().st_size for part in parts)
                except OSError:
                    continue  # just being removed, or a link to what is not there any more
                if parts:
                    found.append(LocalFile(folder.name, parts[0], size))
        return found

    def find(self, name: str) -> LocalFile:
        """Raises ModelNotFound, naming what there is."""
        models = self.list()
        for model in models:
            if model.name == name:
                return model
        names = ", ".join(model.name for model in models) or "none"
        raise ModelNotFound(
            f"There is no local model {name[:80]!r}; there is: {names}.",
            remedy="Import one with: homeswarm local import",
        )

    def path_of(self, name: str) -> Path:
        """Where a model of this name lies, or would."""
        try:
            return self.find(name).path
        except ModelNotFound:
            return self.root / Path(name).name / "model.gguf"
