"""Where icons and translations lie: beside the package in a checkout, below the program once installed."""

from __future__ import annotations

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """A file or folder of ``resources``."""
    frozen = getattr(sys, "_MEIPASS", None)
    bases = [Path(frozen)] if frozen else [Path(__file__).resolve().parents[2]]
    bases.append(Path(sys.prefix) / "share" / "homeswarm")
    for base in bases:
        if (found := base / "resources").is_dir():
            return found.joinpath(*parts)
    return bases[0].joinpath("resources", *parts)
