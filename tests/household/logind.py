"""A node's own logind: python-dbusmock on a private bus, and what a real one does around a sleep.

UPower is put beside it when the plug is first pulled.

State owned: the bus. Callers: `tests.household.household`, the fault ``goodnight``.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import time
from pathlib import Path

from tests.host.mockbus import LOGIND, UPOWER, MockBus

INHIBIT_DELAY_MAX_S = 5.0
"""logind's default: whoever delays a sleep for longer is not waited for."""

_SYSTEM_PYTHON = "/usr/bin/python3"


def why_not() -> str:
    """Why there can be no mock of logind here, or ""."""
    if shutil.which("dbus-daemon") is None:
        return "there is no dbus-daemon (Debian: dbus)"
    with contextlib.suppress(OSError):
        probe = subprocess.run([_SYSTEM_PYTHON, "-c", "import dbusmock"], capture_output=True, check=False)
        if probe.returncode == 0:
            return ""
    return "the system's Python has no dbusmock (Debian: python3-dbusmock)"


class Logind:
    """Start with `start`, end with `stop`; `address` is for DBUS_SYSTEM_BUS_ADDRESS."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._bus = MockBus(folder)
        self._has_battery = False

    @property
    def address(self) -> str:
        return self._bus.address

    def start(self) -> None:
        self._bus.start()
        asyncio.run(self._bus.add("logind", LOGIND))

    def stop(self) -> None:
        self._bus.stop()

    def delayed(self) -> bool:
        """Whether somebody is to be waited for before a sleep."""
        held = asyncio.run(self._bus.inhibitors())
        return any("sleep" in what.split(":") and mode == "delay" for what, _, _, mode in held)

    def announce_sleep(self) -> float:
        """Say that a sleep is coming, and wait for those who delay it as logind does; seconds waited."""
        began_s = time.monotonic()
        asyncio.run(self._bus.prepare_for_sleep(True))
        while self.delayed() and time.monotonic() - began_s < INHIBIT_DELAY_MAX_S:
            time.sleep(0.02)
        return time.monotonic() - began_s

    def battery(self, on: bool) -> None:
        """Pull the plug, or put it back; the first time, the computer gets a battery."""
        asyncio.run(self._battery(on))

    async def _battery(self, on: bool) -> None:
        if not self._has_battery:
            self._has_battery = True
            await self._bus.add("upower", UPOWER)
        await self._bus.set(UPOWER, "/org/freedesktop/UPower", UPOWER, "OnBattery", "b", on)

    def announce_wake(self) -> None:
        asyncio.run(self._bus.prepare_for_sleep(False))
