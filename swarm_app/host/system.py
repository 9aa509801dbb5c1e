"""Which operating system is this? Asked here and nowhere else."""

from __future__ import annotations

import enum
import sys


class System(enum.Enum):
    """The systems that have a file of their own in `power` and `link`."""

    LINUX = "Linux"
    MACOS = "macOS"
    WINDOWS = "Windows"
    OTHER = "this system"


def current_system(platform: str = sys.platform) -> System:
    """The system named by `platform`, in the spelling of `sys.platform`."""
    if platform.startswith("linux"):
        return System.LINUX
    if platform == "darwin":
        return System.MACOS
    if platform in ("win32", "cygwin"):
        return System.WINDOWS
    return System.OTHER
