"""Which local model suits this computer, by the memory that is free and the speed that was measured.

Decoding reads all weights once for each token, so the speed of a model that has not run here is that of one
that has, times the ratio of their sizes. State owned: none. Callers: `cli`. Needs no torch.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from swarm_app.models.localmodels import LocalFile

OVERHEAD = 1.25
"""Memory in use over the size of the files: the cache of a conversation, and buffers."""

FIXED_BYTES = 200_000_000

COMFORT_TOKENS_PER_S = 6.0
"""About as fast as people read."""


@dataclass(frozen=True, slots=True)
class Known:
    """A well-known model of the catalogue."""

    name: str
    memory_gb: float
    licence: str
    swarm: str
    """What ``homeswarm model import`` takes: ``owner/name@commit``."""
    swarm_bytes: int
    fallback: str
    """What ``homeswarm local import`` takes: ``owner/name@commit:file``."""
    fallback_bytes: int


@dataclass(frozen=True, slots=True)
class Measured:
    """How fast a model of a size ran here."""

    bytes: int
    tokens_per_s: float


def catalogue() -> list[Known]:
    """The models of ``catalogue.toml``, the smallest first."""
    text = resources.files("swarm_app.models").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return [
        Known(
            entry["name"],
            float(entry["memory_gb"]),
            entry["licence"],
            _source(entry["swarm"]),
            int(entry["swarm"]["bytes"]),
            _source(entry["fallback"]),
            int(entry["fallback"]["bytes"]),
        )
        for entry in tomllib.loads(text)["model"]
    ]


def _source(entry: dict[str, str]) -> str:
    commit = "" if entry["revision"] == "main" else f"@{entry['revision']}"
    file = f":{entry['file']}" if "file" in entry else ""
    return f"{entry['repo']}{commit}{file}"


def memory_for(file_bytes: int) -> int:
    """Bytes of memory that a model with files of this size takes, about."""
    return int(file_bytes * OVERHEAD) + FIXED_BYTES


def expected_speed(file_bytes: int, measured: Measured | None) -> float | None:
    """Tokens per second, where some model was measured here."""
    return None if measured is None else measured.tokens_per_s * measured.bytes / max(file_bytes, 1)


def recommend(
    models: Sequence[LocalFile], free_bytes: int, measured: Measured | None
) -> tuple[LocalFile, str] | None:
    """The largest model that fits and is fast enough, and why; None where none fits."""
    fitting = [model for model in models if memory_for(model.bytes) <= free_bytes]
    if not fitting:
        return None
    quick = [
        model
        for model in fitting
        if (speed := expected_speed(model.bytes, measured)) is None or speed >= COMFORT_TOKENS_PER_S
    ]
    best = max(quick, key=lambda model: model.bytes) if quick else min(fitting, key=lambda model: model.bytes)
    why = f"needs {memory_for(best.bytes) / 1e9:.1f} GB of the {free_bytes / 1e9:.1f} GB that are free"
    if (speed := expected_speed(best.bytes, measured)) is not None:
        why += f", and gives about {speed:.0f} tokens per second here"
    larger = [model for model in models if model.bytes > best.bytes]
    if larger:
        next_one = min(larger, key=lambda model: model.bytes)
        short = memory_for(next_one.bytes) > free_bytes
        why += f"; {next_one.name} {'does not fit' if short else 'would be too slow'}"
    return best, why
