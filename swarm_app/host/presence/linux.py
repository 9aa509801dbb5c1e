"""Presence on Linux: whoever knows best of the X server, the desktop and logind.

Idle time: an X server's screen saver extension; GNOME's org.gnome.Mutter.IdleMonitor; the desktop's
org.freedesktop.ScreenSaver; else the idle hints of logind's sessions, which the desktop sets after minutes.
Full screen: X11 alone (see `x11`). A Wayland desktop tells no program about another one's windows.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from swarm_app.host.presence.contract import CannotKnow, Reading
from swarm_app.host.presence.x11 import X11, Screen
from swarm_app.host.systembus import BusTrouble, SystemBus

LOGIND = "org.freedesktop.login1"
_LOGIND_PATH = "/org/freedesktop/login1"
_MANAGER = "org.freedesktop.login1.Manager"
_SESSION = "org.freedesktop.login1.Session"
MUTTER = "org.gnome.Mutter.IdleMonitor"
_MUTTER_PATH = "/org/gnome/Mutter/IdleMonitor/Core"
SCREENSAVER = "org.freedesktop.ScreenSaver"
_SCREENSAVER_PATHS = ("/org/freedesktop/ScreenSaver", "/ScreenSaver")

RETRY_S = 30.0
"""A bus that could not be reached is left alone for this long."""

_PEOPLE = ("user", "user-early", "user-incomplete", "greeter", "lock-screen")
_GRAPHICAL = ("x11", "wayland", "mir")
_MAX_SESSIONS = 32

WAYLAND = "a Wayland desktop does not tell programs about each other's windows"
NO_DISPLAY = "Homeswarm was started outside the desktop and has no display to ask"


class LinuxPresence:
    """Implements `contract.PresenceSource`."""

    def __init__(self, environment: Mapping[str, str] | None = None, retry_s: float = RETRY_S) -> None:
        env = os.environ if environment is None else environment
        self._wayland = bool(env.get("WAYLAND_DISPLAY")) or env.get("XDG_SESSION_TYPE") == "wayland"
        # Under Wayland the X server sees only what old programs are typed.
        self._x11 = X11(env["DISPLAY"]) if env.get("DISPLAY") and not self._wayland else None
        self._desktop = _Bus(SystemBus.connect_session, retry_s)
        self._system = _Bus(SystemBus.connect, retry_s)
        self._moved: set[str] = set()
        """Names of what has told of idleness once: an answer that never moves is none."""

    async def read(self) -> Reading:
        screen, no_screen = await self._screen()
        idle_s, no_idle = await self._idle(screen)
        full_screen = None if screen is None else screen.full_screen
        if screen is not None:
            no_screen = screen.why_no_full_screen
        elif self._x11 is None and not self._wayland and await self._nobody_has_a_screen():
            full_screen, no_screen = False, ""
        return Reading(idle_s, full_screen, no_idle, no_screen)

    async def close(self) -> None:
        if self._x11 is not None:
            await self._x11.close()
        await self._desktop.close()
        await self._system.close()

    async def _screen(self) -> tuple[Screen | None, str]:
        if self._x11 is None:
            return None, WAYLAND if self._wayland else NO_DISPLAY
        try:
            return await self._x11.look(), ""
        except CannotKnow as error:
            return None, error.message

    async def _idle(self, screen: Screen | None) -> tuple[float | None, str]:
        if screen is not None and screen.idle_s is not None:
            return screen.idle_s, ""
        asked: tuple[Callable[[], Awaitable[float]], ...] = (self._mutter, self._screensaver, self._sessions)
        why = ""
        for ask in asked:
            try:
                return await ask(), ""
            except CannotKnow as error:
                why = error.message  # the last one is logind, which is there where any of them is
        return None, why

    async def _mutter(self) -> float:
        reply = await self._desktop.call(MUTTER, _MUTTER_PATH, MUTTER, "GetIdletime")
        match reply:
            case [int(milliseconds)]:
                return milliseconds / 1000
        raise CannotKnow("the desktop answered something else")

    async def _screensaver(self) -> float:
        for path in _SCREENSAVER_PATHS:
            try:
                reply = await self._desktop.call(SCREENSAVER, path, SCREENSAVER, "GetSessionIdleTime")
            except CannotKnow:
                continue
            match reply:
                case [int(seconds)]:
                    return float(self._once_moved("screensaver", seconds))
        raise CannotKnow("the desktop does not tell how long nobody has touched it")

    async def _sessions(self) -> float:
        """The shortest time for which a session that a person sits in has been idle."""
        idle_s = math.inf
        for session in await self._people():
            idle_s = min(idle_s, self._idle_session(session))
        return idle_s

    async def _people(self) -> list[dict[str, Any]]:
        (listed,) = await self._system.call(LOGIND, _LOGIND_PATH, _MANAGER, "ListSessions")
        found = []
        for entry in listed[:_MAX_SESSIONS]:
            try:
                session = await self._system.properties(LOGIND, str(entry[4]), _SESSION)
            except CannotKnow:
                continue  # it ended between two calls
            if session.get("Class") in _PEOPLE and session.get("State") != "closing":
                found.append(session)
        return found

    def _idle_session(self, session: dict[str, Any]) -> float:
        if session.get("LockedHint") is True:
            return math.inf
        if session.get("IdleHint") is True:
            self._moved.add(f"session {session.get('Id')}")
            since_us = session.get("IdleSinceHint")
            if type(since_us) is int and since_us:
                return max(0.0, time.time() - since_us / 1e6)
            return math.inf
        if session.get("Type") in _GRAPHICAL and f"session {session.get('Id')}" not in self._moved:
            # Many small desktops never set the hint: that nobody ever goes away proves nothing.
            raise CannotKnow("this desktop has not told yet when nobody uses it")
        return 0.0

    async def _nobody_has_a_screen(self) -> bool:
        try:
            return all(session.get("Type") not in _GRAPHICAL for session in await self._people())
        except CannotKnow:
            return False

    def _once_moved(self, name: str, seconds: int) -> int:
        if seconds > 0:
            self._moved.add(name)
        elif name not in self._moved:
            raise CannotKnow("the desktop does not tell how long nobody has touched it")
        return seconds


class _Bus:
    """A connection that is made when it is needed, and again later when it broke."""

    def __init__(self, connect: Callable[[], Awaitable[SystemBus]], retry_s: float) -> None:
        self._connect = connect
        self._retry_s = retry_s
        self._bus: SystemBus | None = None
        self._why_not = ""
        self._next_try_at = 0.0

    async def call(self, service: str, path: str, interface: str, member: str) -> list[Any]:
        """Raises CannotKnow."""
        bus = await self._open()
        try:
            return await bus.call(service, path, interface, member)
        except BusTrouble as trouble:
            await self._broke(bus)
            raise CannotKnow(_end_of(trouble)) from None

    async def properties(self, service: str, path: str, interface: str) -> dict[str, Any]:
        """Raises CannotKnow."""
        bus = await self._open()
        try:
            return await bus.properties(service, path, interface)
        except BusTrouble as trouble:
            await self._broke(bus)
            raise CannotKnow(_end_of(trouble)) from None

    async def close(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            await bus.close()

    async def _open(self) -> SystemBus:
        if self._bus is not None:
            return self._bus
        if time.monotonic() < self._next_try_at:
            raise CannotKnow(self._why_not)
        try:
            self._bus = await self._connect()
        except BusTrouble as trouble:
            self._why_not = _end_of(trouble)
            self._next_try_at = time.monotonic() + self._retry_s
            raise CannotKnow(self._why_not) from None
        return self._bus

    async def _broke(self, bus: SystemBus) -> None:
        if not bus.connected:
            await self.close()


def _end_of(trouble: BusTrouble) -> str:
    """Why, as the end of a sentence."""
    if trouble.name in (
        "org.freedesktop.DBus.Error.ServiceUnknown",
        "org.freedesktop.DBus.Error.NameHasNoOwner",
    ):
        return "no service of the system or the desktop tells of it"
    why = trouble.why.rstrip(".")
    return why[:1].lower() + why[1:]
