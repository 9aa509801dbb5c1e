"""Presence on macOS: Quartz' time since the last input, through ctypes.

Call and numbers: CoreGraphics' CGEventSource.h. Thin, and not run on a Mac so far (see docs/host.md).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from swarm_app.host.presence.contract import Reading

_HARDWARE = 1
"""kCGEventSourceStateHIDSystemState: what people do, not what programs pretend."""
_ANY_INPUT = 0xFFFFFFFF

NO_FULL_SCREEN = "macOS does not tell it to programs without the right to record the screen"


def load() -> Callable[[], float]:
    """A function that gives the seconds since the last input. Raises OSError without the framework."""
    graphics = ctypes.CDLL("/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics")
    call = graphics.CGEventSourceSecondsSinceLastEventType
    call.restype = ctypes.c_double
    call.argtypes = [ctypes.c_int32, ctypes.c_uint32]
    return lambda: float(call(_HARDWARE, _ANY_INPUT))


class MacPresence:
    """Implements `contract.PresenceSource`."""

    def __init__(self, load: Callable[[], Callable[[], float]] = load) -> None:
        self._load = load
        self._idle_s: Callable[[], float] | None = None

    async def read(self) -> Reading:
        try:
            if self._idle_s is None:
                self._idle_s = self._load()
            return Reading(idle_s=self._idle_s(), why_no_full_screen=NO_FULL_SCREEN)
        except (OSError, AttributeError) as error:
            why = f"this system's event interface is not usable ({error})"
            return Reading(why_no_idle=why, why_no_full_screen=NO_FULL_SCREEN)

    async def close(self) -> None:
        self._idle_s = None
