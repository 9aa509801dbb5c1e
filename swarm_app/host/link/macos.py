"""The link on macOS: snapshots by psutil, and the kernel's routing socket to know when to take one.

Any process may listen on a routing socket (route(4)): it tells of every change of addresses,
interfaces and routes. What it says is not read; that it says something is enough. The access point
is not asked for: macOS gives it only with permission to know where the computer is.
Thin, and not run on a Mac so far (see docs/host.md).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from swarm_app.host.link.polled import read_polled
from swarm_app.host.link.snapshot import LinkSnapshot

_AF_ROUTE = 17
"""From sys/socket.h of macOS."""


class MacLink:
    """Implements `contract.LinkSource`."""

    def __init__(self, open_socket: Callable[[], socket.socket] | None = None) -> None:
        self._open = open_socket or (lambda: socket.socket(_AF_ROUTE, socket.SOCK_RAW, 0))

    async def read(self) -> LinkSnapshot:
        return await asyncio.to_thread(read_polled)

    async def run(self, changed: Callable[[], None], note: Callable[[tuple[str, ...]], None]) -> None:
        loop = asyncio.get_running_loop()
        try:
            sock = self._open()
        except OSError as error:
            note((f"Changes of the network are noticed late: the system does not tell of them ({error}).",))
            await asyncio.Event().wait()
            return
        with sock:
            sock.setblocking(False)
            loop.add_reader(sock, lambda: changed() if heard(sock) else None)
            note(())
            changed()
            try:
                await asyncio.Event().wait()
            finally:
                loop.remove_reader(sock)


def heard(sock: socket.socket) -> bool:
    """Empty the socket; True when there was something in it, or when something was lost."""
    any_heard = False
    for _ in range(256):
        try:
            if not sock.recv(4096):
                break
        except BlockingIOError:
            break
        except OSError:
            return True
        any_heard = True
    return any_heard
