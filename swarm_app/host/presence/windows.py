"""Presence on Windows: the last input and the shell's word on full screens, through ctypes.

Calls and numbers: winuser.h (GetLastInputInfo) and shellapi.h (SHQueryUserNotificationState). Thin, and not
run on Windows so far (see docs/host.md).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Protocol

from swarm_app.host.presence.contract import Reading

TICKS = 2**32
"""Both counts of milliseconds start over after 49.7 days."""

_FULL = frozenset({2, 3, 4})
"""QUNS_BUSY (a full-screen program), QUNS_RUNNING_D3D_FULL_SCREEN, QUNS_PRESENTATION_MODE."""
_KNOWN = frozenset({1, 2, 3, 4, 5, 6, 7})


class LastInput(ctypes.Structure):
    """LASTINPUTINFO."""

    _fields_ = (("size", ctypes.c_uint32), ("ticks", ctypes.c_uint32))


class Native(Protocol):
    """The calls into the system. Methods raise OSError where it refuses."""

    def ticks(self) -> tuple[int, int]:
        """Milliseconds now and at the last input, each modulo `TICKS`."""
        ...

    def state(self) -> int:
        """QUERY_USER_NOTIFICATION_STATE."""
        ...


class User32:
    """Implements `Native`. Raises OSError where the libraries are not there."""

    def __init__(self) -> None:
        self._user = ctypes.CDLL("user32.dll")
        self._kernel = ctypes.CDLL("kernel32.dll")
        self._shell = ctypes.CDLL("shell32.dll")
        self._user.GetLastInputInfo.argtypes = [ctypes.POINTER(LastInput)]
        self._kernel.GetTickCount.restype = ctypes.c_uint32
        self._shell.SHQueryUserNotificationState.argtypes = [ctypes.POINTER(ctypes.c_int)]

    def ticks(self) -> tuple[int, int]:
        last = LastInput(ctypes.sizeof(LastInput), 0)
        if not self._user.GetLastInputInfo(ctypes.byref(last)):
            raise OSError("Windows does not tell the last input")
        return int(self._kernel.GetTickCount()), int(last.ticks)

    def state(self) -> int:
        state = ctypes.c_int()
        if failed := self._shell.SHQueryUserNotificationState(ctypes.byref(state)):
            raise OSError(f"Windows refuses with {failed & 0xFFFFFFFF:#x}")
        return state.value


class WindowsPresence:
    """Implements `contract.PresenceSource`."""

    def __init__(self, load: Callable[[], Native] = User32) -> None:
        self._load = load
        self._native: Native | None = None

    async def read(self) -> Reading:
        try:
            native = self._native = self._native or self._load()
        except (OSError, AttributeError) as error:
            why = f"this system's interface is not usable ({error})"
            return Reading(why_no_idle=why, why_no_full_screen=why)
        idle_s, full, why_no_idle, why_no_full = None, None, "", ""
        try:
            now, last = native.ticks()
            idle_s = ((now - last) % TICKS) / 1000
        except OSError as error:
            why_no_idle = str(error)
        try:
            state = native.state()
            full = state in _FULL if state in _KNOWN else None
            why_no_full = "" if full is not None else f"Windows answered {state}"
        except OSError as error:
            why_no_full = str(error)
        return Reading(idle_s, full, why_no_idle, why_no_full)

    async def close(self) -> None:
        self._native = None
