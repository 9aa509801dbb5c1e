"""The details of an unexpected error, for a bug report: a private file without anybody's words."""

from __future__ import annotations

import os
import platform
import time
import traceback
from pathlib import Path

import swarm_app
from swarm_app.config.paths import default_profile, write_private


def describe(error: BaseException) -> str:
    """Types, files, lines and functions of an error and its causes.

    No messages and no values: they may quote a conversation, a token or a name.
    """
    lines = [
        f"homeswarm {swarm_app.__version__}, Python {platform.python_version()}, {platform.platform()}",
    ]
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        lines.append(f"{type(current).__module__}.{type(current).__qualname__}")
        lines += [
            f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(current.__traceback__)
        ]
        current = current.__cause__ or current.__context__
    return "\n".join(lines) + "\n"


def write_details(error: BaseException) -> Path | None:
    """Write them into the default profile, readable by this user alone; None where that fails."""
    folder = default_profile().parent / "crashes"
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(path, describe(error))
    except OSError:
        return None
    return path
