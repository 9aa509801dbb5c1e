"""What people have in the place of a model file, by its first bytes.

Callers: `models.ggufheader`, `models.shards`.
"""

from __future__ import annotations

from pathlib import Path

from swarm_app.domain.errors import ModelUnsupported


def mistaken(path: Path, start: bytes, kind: str) -> ModelUnsupported:
    """The error for a file that begins with `start` and is no `kind`; with the remedy where it is known."""
    text = start.lstrip().lower()
    if text.startswith((b"<!doctype", b"<html", b"<?xml")):
        return ModelUnsupported(
            f"{path.name} is a web page and not a model file.",
            remedy="Download it again; a login or an error page was saved in its place.",
        )
    if start.startswith(b"version https://git-lfs"):
        return ModelUnsupported(
            f"{path.name} is only a Git LFS pointer and not a model file.",
            remedy="Fetch it with: git lfs pull",
        )
    return ModelUnsupported(f"{path.name} is not a {kind} file.")
