"""The link on Linux: netlink for links, addresses and routes; NetworkManager, where it runs, for the rest."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace

from swarm_app.host.link import netlink
from swarm_app.host.link.networkmanager import NetworkManager
from swarm_app.host.link.polled import read_polled
from swarm_app.host.link.snapshot import AccessPoint, Interface, LinkSnapshot
from swarm_app.host.systembus import RETRY_S


class LinuxLink:
    """Implements `contract.LinkSource`."""

    def __init__(self, retry_s: tuple[float, ...] = RETRY_S) -> None:
        self._manager = NetworkManager(retry_s)

    async def read(self) -> LinkSnapshot:
        try:
            kernel = netlink.read_kernel()  # the kernel answers at once: no thread needed
        except OSError:
            return self._with_manager(await asyncio.to_thread(read_polled))
        interfaces = tuple(replace(item, wireless=_is_wireless(item)) for item in kernel.interfaces)
        return self._with_manager(LinkSnapshot(interfaces, kernel.default_v4, kernel.default_v6))

    def _with_manager(self, snapshot: LinkSnapshot) -> LinkSnapshot:
        known = self._manager.known
        return replace(snapshot, access_point=_in_use(snapshot, known.access_points), metered=known.metered)

    async def run(self, changed: Callable[[], None], note: Callable[[tuple[str, ...]], None]) -> None:
        notes: list[str] = []
        loop = asyncio.get_running_loop()
        try:
            sock = netlink.open_socket(netlink.GROUPS)
        except OSError as error:
            notes.append(
                f"Changes of the network are noticed late: the kernel does not tell of them ({error})."
            )
            await self._manager.run(changed, lambda: note(tuple(notes)))
            return
        with sock:
            sock.setblocking(False)
            loop.add_reader(sock, lambda: changed() if netlink.drain(sock) else None)
            changed()  # what happened before anybody listened
            try:
                await self._manager.run(changed, lambda: note(tuple(notes)))
            finally:
                loop.remove_reader(sock)


def _is_wireless(interface: Interface) -> bool:
    return os.path.exists(f"/sys/class/net/{interface.name}/phy80211")


def _in_use(snapshot: LinkSnapshot, points: dict[str, AccessPoint]) -> AccessPoint | None:
    """That of the interface that carries the default route, else any."""
    for route in (snapshot.default_v4, snapshot.default_v6):
        if route is not None and route.interface in points:
            return points[route.interface]
    return next(iter(points.values()), None)
