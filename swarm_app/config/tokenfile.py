"""``token``: the local API's bearer token, so that other programs keep theirs when the node starts anew."""

from __future__ import annotations

import re
from pathlib import Path

from swarm_app.config.paths import write_private

_TOKEN = re.compile(r"[A-Za-z0-9_-]{40,200}")


def read(path: Path) -> str:
    """The token; "" where there is none, or nothing that nobody could guess."""
    try:
        with path.open("rb") as file:
            found = file.read(1000).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return found if _TOKEN.fullmatch(found) else ""


def write(path: Path, token: str) -> None:
    """Keep another token, readable by this user alone. Raises OSError."""
    if read(path) != token:
        write_private(path, f"{token}\n")
