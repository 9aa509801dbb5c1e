"""What the window remembers between two starts: ``window.ini`` of the profile. Nothing secret, nothing that
the node needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

FILE = "window.ini"


class WindowMemory:
    def __init__(self, profile: Path) -> None:
        self._settings = QSettings(str(profile / FILE), QSettings.Format.IniFormat)

    def _get(self, key: str, default: Any) -> Any:
        return self._settings.value(key, default)

    @property
    def geometry(self) -> QByteArray:
        value = self._get("window/geometry", QByteArray())
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._settings.setValue("window/geometry", value)

    @property
    def on_close(self) -> str:
        """``ask``, ``tray`` or ``quit``."""
        value = str(self._get("window/on_close", "ask"))
        return value if value in ("tray", "quit") else "ask"

    @on_close.setter
    def on_close(self, value: str) -> None:
        self._settings.setValue("window/on_close", value)

    @property
    def outlive(self) -> bool:
        """The node goes on serving when the app has quit."""
        return str(self._get("node/outlive", "false")) == "true"

    @outlive.setter
    def outlive(self, value: bool) -> None:
        self._settings.setValue("node/outlive", "true" if value else "false")

    @property
    def language(self) -> str:
        """ "" for the system's."""
        return str(self._get("window/language", ""))

    @language.setter
    def language(self, value: str) -> None:
        self._settings.setValue("window/language", value)

    @property
    def notify(self) -> bool:
        return str(self._get("window/notify", "true")) == "true"

    @notify.setter
    def notify(self, value: bool) -> None:
        self._settings.setValue("window/notify", "true" if value else "false")

    def sync(self) -> None:
        self._settings.sync()
