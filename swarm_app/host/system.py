"""Which operating system is this? Asked here and nowhere else."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


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


def of_this_system(desktop: Callable[[], T], macos: Callable[[], T], registry: Callable[[Any], T]) -> T:
    """What this system has for a thing: freedesktop.org's files, macOS' own way, or the registry of Windows.

    The maker for the latter gets the module winreg.
    """
    match current_system():
        case System.MACOS:
            return macos()
        case System.WINDOWS:
            import importlib

            return registry(importlib.import_module("winreg"))
        case _:
            return desktop()
