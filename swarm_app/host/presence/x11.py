"""What an X server knows: whether the window in front fills the screen, and the time since the last input.

Protocol: _NET_ACTIVE_WINDOW and _NET_WM_STATE of the Extended Window Manager Hints, and the MIT-SCREEN-SAVER
extension, through xcffib, which is loaded with the first look. A server that hangs would hang whoever asks
it: one daemon thread does.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from swarm_app.host.presence.contract import CannotKnow

_XA_ATOM = 4
_XA_WINDOW = 33
_MAX_STATES = 64

RETRY_S = 30.0
"""A display that could not be reached is left alone for this long."""

NO_ANSWER = "the display does not answer"


@dataclass(frozen=True, slots=True)
class Screen:
    """`idle_s`: seconds since the last input; None where the server lacks the extension."""

    idle_s: float | None
    full_screen: bool | None
    why_no_full_screen: str = ""


class X11:
    """One display, for instance ``:0``. `ask` replaces the server in tests."""

    def __init__(self, display: str, ask: Callable[[], Screen] | None = None) -> None:
        self._server = _Server(display)
        self._ask = ask or self._server.look
        self._wanted: queue.SimpleQueue[asyncio.Future[Screen] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def look(self) -> Screen:
        """Raises CannotKnow."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="x11", daemon=True)
            self._thread.start()
        looked: asyncio.Future[Screen] = asyncio.get_running_loop().create_future()
        self._wanted.put(looked)
        return await looked

    async def close(self) -> None:
        """The connection ends with the thread; a thread that hangs ends with the process."""
        if self._thread is not None:
            self._wanted.put(None)
            self._thread = None

    def _work(self) -> None:
        while (looked := self._wanted.get()) is not None:
            try:
                screen = self._ask()
            except CannotKnow as error:
                _settle(looked, error)
            except Exception as error:  # noqa: BLE001 - a display may answer anything; the next look is due
                _settle(looked, error)
            else:
                _settle(looked, screen)
        self._server.close()


def _settle(looked: asyncio.Future[Screen], outcome: Screen | Exception) -> None:
    def settle() -> None:
        if looked.done():
            return
        if isinstance(outcome, Screen):
            looked.set_result(outcome)
        else:
            looked.set_exception(outcome)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
        looked.get_loop().call_soon_threadsafe(settle)


class _Server:
    """The connection, made when it is needed. One thread."""

    def __init__(self, display: str) -> None:
        self._display = display
        self._connection: Any = None
        self._next_try_at = 0.0

    def look(self) -> Screen:
        """Raises CannotKnow."""
        try:
            import xcffib
            import xcffib.screensaver
            import xcffib.xproto
        except (ImportError, OSError):
            raise CannotKnow("the library of the X Window System is not installed (libxcb)") from None
        if time.monotonic() < self._next_try_at:
            raise CannotKnow(NO_ANSWER)
        try:
            if self._connection is None:
                connect: Any = xcffib.connect
                self._connection = connect(display=self._display)
            return self._look(xcffib)
        except (xcffib.XcffibException, OSError, ValueError):
            self.close()
            self._next_try_at = time.monotonic() + RETRY_S
            raise CannotKnow(NO_ANSWER) from None

    def _look(self, xcffib: Any) -> Screen:
        connection = self._connection
        setup = connection.get_setup()
        root = setup.roots[connection.pref_screen].root
        active = connection.core.GetProperty(
            False, root, self._atom("_NET_ACTIVE_WINDOW"), _XA_WINDOW, 0, 1
        ).reply()
        idle_s = self._idle_s(xcffib)
        if not active.value_len:
            return Screen(idle_s, None, "the window manager does not tell which window is in front")
        (window,) = active.value.to_atoms()
        if not window:
            return Screen(idle_s, False)
        try:
            state = connection.core.GetProperty(
                False, window, self._atom("_NET_WM_STATE"), _XA_ATOM, 0, _MAX_STATES
            ).reply()
        except xcffib.xproto.WindowError:
            return Screen(idle_s, False)  # it was closed between the two questions
        return Screen(idle_s, self._atom("_NET_WM_STATE_FULLSCREEN") in list(state.value.to_atoms()))

    def _atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)

    def _idle_s(self, xcffib: Any) -> float | None:
        try:
            saver = self._connection(xcffib.screensaver.key)
            root = self._connection.get_setup().roots[self._connection.pref_screen].root
            return int(saver.QueryInfo(root).reply().ms_since_user_input) / 1000
        except xcffib.ConnectionException:
            raise
        except xcffib.XcffibException:
            return None  # the extension is optional

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.disconnect()
