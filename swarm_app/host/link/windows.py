"""The link on Windows: snapshots by psutil, and iphlpapi's notifications to know when to take one.

Calls: netioapi.h (NotifyUnicastIpAddressChange, NotifyRouteChange2, CancelMibChangeNotify2), which call
back on a thread of the system. What they say is not read; that they say something is enough. The access
point is not asked for. For 64-bit Windows. Thin, and not run on Windows so far (see docs/host.md).
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from typing import Any, Protocol

from swarm_app.host.link.polled import read_polled
from swarm_app.host.link.snapshot import LinkSnapshot

_UNSPECIFIED = 0
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


class Notifier(Protocol):
    """The calls into the system. Raises OSError where it refuses."""

    def watch(self, moved: Callable[[], None]) -> Callable[[], None]:
        """Call `moved`, on any thread, at each change, until the returned function is called."""
        ...


class IpHelper:
    """Implements `Notifier`."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("iphlpapi.dll")
        self._library.CancelMibChangeNotify2.argtypes = [ctypes.c_void_p]

    def watch(self, moved: Callable[[], None]) -> Callable[[], None]:
        callback = _CALLBACK(lambda _context, _row, _kind: moved())
        handles: list[ctypes.c_void_p] = []

        def end() -> None:
            # Returns when no callback runs any more; only then may `callback` go.
            while handles:
                self._library.CancelMibChangeNotify2(handles.pop())
            kept.clear()

        kept: list[Any] = [callback]
        for call in (self._library.NotifyUnicastIpAddressChange, self._library.NotifyRouteChange2):
            call.argtypes = [
                ctypes.c_ushort,
                _CALLBACK,
                ctypes.c_void_p,
                ctypes.c_ubyte,
                ctypes.POINTER(ctypes.c_void_p),
            ]
            handle = ctypes.c_void_p()
            failed = call(_UNSPECIFIED, callback, None, 0, ctypes.byref(handle))
            if failed:
                end()
                raise OSError(f"Windows refuses network notifications with error {failed}")
            handles.append(handle)
        return end


class WindowsLink:
    """Implements `contract.LinkSource`."""

    def __init__(self, load: Callable[[], Notifier] = IpHelper) -> None:
        self._load = load

    async def read(self) -> LinkSnapshot:
        return await asyncio.to_thread(read_polled)

    async def run(self, changed: Callable[[], None], note: Callable[[tuple[str, ...]], None]) -> None:
        loop = asyncio.get_running_loop()

        def moved() -> None:
            try:
                loop.call_soon_threadsafe(changed)
            except RuntimeError:
                return  # the loop is closed: nobody is left to tell

        try:
            end = self._load().watch(moved)
        except (OSError, AttributeError) as error:
            note((f"Changes of the network are noticed late: {error}.",))
            await asyncio.Event().wait()
            return
        note(())
        changed()
        try:
            await asyncio.Event().wait()
        finally:
            # Waits for a callback that is running: not in the event loop, which that callback may need.
            await asyncio.to_thread(end)
