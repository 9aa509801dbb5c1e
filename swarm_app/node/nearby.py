"""Households in the same network, found by mDNS: who announces, and who looks.

What is announced: that there is a household, what it is called, and where its door is. Nothing secret, and
neither the computer's name nor the swarm's id. It can be switched off (``--nearby no``).

State owned: the sockets of zeroconf. Callers: `swarm_app.node.private`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from swarm_app.membership.certificates import printable_name
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.handshake import PROTOCOL
from swarm_app.membership.links import Endpoint, endpoint

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

SERVICE = "_homeswarm._tcp.local."
MAX_FOUND = 32
RESOLVE_MS = 3000


@dataclass(frozen=True, slots=True)
class Found:
    """A household that announces itself. Whether it is what it says shows when one joins it."""

    name: str
    endpoint: Endpoint


class Nearby:
    """Announces one household, or looks for others; on the interfaces with the addresses `hosts`."""

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = list(hosts)
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._resolving: set[asyncio.Task[None]] = set()
        self._found: dict[str, Found] = {}

    @property
    def found(self) -> tuple[Found, ...]:
        return tuple(self._found.values())

    async def announce(self, swarm_name: str, port: int) -> None:
        """Until closed. Raises OSError where the network refuses."""
        from zeroconf.asyncio import AsyncServiceInfo

        label = secrets.token_hex(8)  # another one each time: nobody is followed by it
        info = AsyncServiceInfo(
            SERVICE,
            f"{label}.{SERVICE}",
            port=port,
            addresses=[ipaddress.ip_address(host).packed for host in self._hosts],
            properties={"v": str(PROTOCOL), "name": swarm_name},
            server=f"{label}.local.",
        )
        await self._open().async_register_service(info)

    def look(self) -> None:
        """Until closed: `found` follows who comes and goes. Raises OSError where the network refuses."""
        from zeroconf.asyncio import AsyncServiceBrowser

        self._browser = AsyncServiceBrowser(self._open().zeroconf, SERVICE, handlers=[self._changed])

    async def close(self) -> None:
        for task in tuple(self._resolving):
            task.cancel()
        await asyncio.gather(*self._resolving, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    def _open(self) -> AsyncZeroconf:
        from zeroconf import IPVersion
        from zeroconf.asyncio import AsyncZeroconf

        v6 = any(":" in host for host in self._hosts)
        self._zeroconf = AsyncZeroconf(
            interfaces=self._hosts, ip_version=IPVersion.All if v6 else IPVersion.V4Only
        )
        return self._zeroconf

    def _changed(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        from zeroconf import ServiceStateChange

        if state_change is ServiceStateChange.Removed:
            self._found.pop(name, None)
        elif len(self._resolving) < MAX_FOUND:
            task = asyncio.ensure_future(self._resolve(zeroconf, name))
            self._resolving.add(task)
            task.add_done_callback(self._resolving.discard)

    async def _resolve(self, zeroconf: Any, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(zeroconf, RESOLVE_MS) or len(self._found) >= MAX_FOUND:
            return
        if (found := announced(info.parsed_addresses(), info.port or 0, info.properties)) is not None:
            self._found[name] = found


def announced(addresses: Sequence[str], port: int, properties: Mapping[bytes, bytes | None]) -> Found | None:
    """What an announcement says, by the first of its addresses that leads somewhere."""
    told = properties.get(b"name") or b""
    for address in addresses:
        try:
            where = endpoint(address, port)
        except MembershipError:
            continue
        return Found(printable_name(told[:256].decode("utf-8", "replace")), where)
    return None
