"""``homeswarm://`` links open this program.

Purpose: registers the scheme for this user. State owned: the desktop file and the default in
``mimeapps.list`` (Linux), the scheme's key (Windows). Callers: `gui`. On macOS the bundle's own Info.plist
does it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from swarm_app.domain.errors import HomeswarmError
from swarm_app.host.desktopfile import exec_line
from swarm_app.host.system import of_this_system

SCHEME = "homeswarm"
FILE = "homeswarm.desktop"
MIME = f"x-scheme-handler/{SCHEME}"
DEFAULTS = "[Default Applications]"


class SchemeFailed(HomeswarmError):
    code = "scheme-failed"
    default_remedy = "Links can still be pasted into the window."


class UrlScheme(Protocol):
    """Raises SchemeFailed where the system refuses."""

    def register(self, command: Sequence[str]) -> None:
        """Open links with `command` and the link behind it. Done twice is done once."""
        ...


class XdgScheme:
    """A desktop file of this user, and the default for the scheme's MIME type."""

    def __init__(self, data: Path | None = None, config: Path | None = None) -> None:
        home = Path.home()
        self._data = data or Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
        self._config = config or Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")

    def register(self, command: Sequence[str]) -> None:
        entry = (
            "[Desktop Entry]\nType=Application\nName=Homeswarm\n"
            "Comment=The computers of one household run one language model together\n"
            f"Icon=homeswarm\nTerminal=false\nExec={exec_line(command, '%u')}\n"
            f"Categories=Utility;\nMimeType={MIME};\n"
        )
        try:
            file = self._data / "applications" / FILE
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(entry, encoding="utf-8")
            defaults = self._config / "mimeapps.list"
            defaults.parent.mkdir(parents=True, exist_ok=True)
            before = defaults.read_text(encoding="utf-8") if defaults.exists() else ""
            after = with_default(before)
            if after != before:
                defaults.write_text(after, encoding="utf-8")
        except OSError as error:
            raise SchemeFailed(f"Links could not be registered: {error.strerror}.") from None


def with_default(text: str) -> str:
    """A ``mimeapps.list`` in which this program opens the scheme; all else stays as it is."""
    lines = [line for line in text.splitlines() if not line.startswith(f"{MIME}=")]
    if DEFAULTS not in lines:
        lines += ["", DEFAULTS] if lines else [DEFAULTS]
    lines.insert(lines.index(DEFAULTS) + 1, f"{MIME}={FILE}")
    return "\n".join(lines) + "\n"


class RegistryScheme:
    """``HKEY_CURRENT_USER\\Software\\Classes\\homeswarm``; `registry` is the module winreg."""

    PATH = rf"Software\Classes\{SCHEME}"

    def __init__(self, registry: Any) -> None:
        self._registry = registry

    def register(self, command: Sequence[str]) -> None:
        import subprocess

        registry = self._registry
        line = subprocess.list2cmdline(list(command)) + ' "%1"'
        try:
            for path, name, value in (
                (self.PATH, "", "URL:Homeswarm"),
                (self.PATH, "URL Protocol", ""),
                (rf"{self.PATH}\shell\open\command", "", line),
            ):
                root = registry.HKEY_CURRENT_USER
                with registry.CreateKeyEx(root, path, 0, registry.KEY_SET_VALUE) as key:
                    registry.SetValueEx(key, name, 0, registry.REG_SZ, value)
        except OSError as error:
            raise SchemeFailed(f"Links could not be registered: {error.strerror}.") from None


class InBundle:
    """macOS: the application bundle declares the scheme."""

    def register(self, command: Sequence[str]) -> None:
        return


def own_scheme() -> UrlScheme:
    """This system's."""
    desktop: Callable[[], UrlScheme] = XdgScheme
    return of_this_system(desktop, InBundle, RegistryScheme)
