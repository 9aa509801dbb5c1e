"""How this very program is started once more."""

from __future__ import annotations

import sys


def own_command(*words: str) -> list[str]:
    """``homeswarm WORDS`` by this installation, frozen into one file or not."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "swarm_app"]
    return [*program, *words]
