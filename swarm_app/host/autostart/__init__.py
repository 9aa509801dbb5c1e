"""Start at login: XDG autostart on Linux, a launch agent on macOS, the Run key on Windows.

Purpose: one switch for the three. State owned: the entry that the system reads. Callers: `gui`.
The entry holds the program and its options, never a secret.
"""

from __future__ import annotations

import os
import plistlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from swarm_app.domain.errors import HomeswarmError
from swarm_app.host.desktopfile import exec_line
from swarm_app.host.system import of_this_system

NAME = "homeswarm"
LABEL = "homeswarm.app"


class AutostartFailed(HomeswarmError):
    code = "autostart-failed"
    default_remedy = "Look whether the folder can be written."


class Autostart(Protocol):
    """Raises AutostartFailed where the system refuses."""

    def is_on(self) -> bool: ...

    def turn(self, on: bool, command: Sequence[str]) -> None:
        """Start `command` at login, or no longer. Done twice is done once."""
        ...


class XdgAutostart:
    """``~/.config/autostart/homeswarm.desktop`` (Desktop Application Autostart Specification)."""

    def __init__(self, folder: Path | None = None) -> None:
        config = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        self._file = (folder or Path(config) / "autostart") / f"{NAME}.desktop"

    def is_on(self) -> bool:
        try:
            text = self._file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return False
        # A desktop's own switch leaves the file and writes this.
        return "Hidden=true" not in text and "X-GNOME-Autostart-enabled=false" not in text

    def turn(self, on: bool, command: Sequence[str]) -> None:
        content = (
            "[Desktop Entry]\nType=Application\nName=Homeswarm\n"
            "Comment=The computers of one household run one language model together\n"
            f"Icon={NAME}\nTerminal=false\nExec={exec_line(command)}\n"
        )
        _write(self._file, content.encode("utf-8") if on else None)


class LaunchAgent:
    """``~/Library/LaunchAgents/homeswarm.app.plist`` (launchd.plist(5))."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or Path.home() / "Library" / "LaunchAgents") / f"{LABEL}.plist"

    def is_on(self) -> bool:
        return self._file.exists()

    def turn(self, on: bool, command: Sequence[str]) -> None:
        entry = {"Label": LABEL, "ProgramArguments": list(command), "RunAtLoad": True}
        _write(self._file, plistlib.dumps(entry) if on else None)


class RunKey:
    """``HKEY_CURRENT_USER\\...\\Run``; `registry` is the module winreg."""

    PATH = r"Software\Microsoft\Windows\CurrentVersion\Run"

    def __init__(self, registry: Any) -> None:
        self._registry = registry

    def is_on(self) -> bool:
        try:
            with self._registry.OpenKey(self._registry.HKEY_CURRENT_USER, self.PATH) as key:
                self._registry.QueryValueEx(key, NAME)
        except OSError:
            return False
        return True

    def turn(self, on: bool, command: Sequence[str]) -> None:
        import subprocess

        registry = self._registry
        try:
            with registry.CreateKeyEx(
                registry.HKEY_CURRENT_USER, self.PATH, 0, registry.KEY_SET_VALUE
            ) as key:
                if on:
                    line = subprocess.list2cmdline(list(command))
                    registry.SetValueEx(key, NAME, 0, registry.REG_SZ, line)
                else:
                    registry.DeleteValue(key, NAME)
        except FileNotFoundError:
            return  # it was not there
        except OSError as error:
            raise AutostartFailed(f"The start at login could not be changed: {error.strerror}.") from None


def _write(file: Path, content: bytes | None) -> None:
    try:
        if content is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise AutostartFailed(f"The start at login could not be changed: {error.strerror}.") from None


def own_autostart() -> Autostart:
    """This system's."""
    desktop: Callable[[], Autostart] = XdgAutostart
    return of_this_system(desktop, LaunchAgent, RunKey)
