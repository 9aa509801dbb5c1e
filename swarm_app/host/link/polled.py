"""Links by psutil and by asking the system which address it would send from. For every system.

Slower and knows less than a system's own interface (no gateway, no bridge's ports), but it is there
everywhere: all of macOS and Windows, and Linux where netlink is forbidden.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Callable

from swarm_app.host.link.snapshot import (
    Address,
    DefaultRoute,
    Interface,
    IPAddress,
    LinkSnapshot,
    Medium,
)

# Documentation addresses (RFC 5737, RFC 3849). To connect a UDP socket sends nothing: it chooses a route.
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def read_polled() -> LinkSnapshot:
    """A snapshot. Takes some milliseconds, more on Windows: call it off the event loop."""
    import psutil

    try:
        states, everything = psutil.net_if_stats(), psutil.net_if_addrs()
    except OSError:
        return LinkSnapshot()
    interfaces = []
    for name in sorted(everything):
        state = states.get(name)
        flags = set(getattr(state, "flags", "").split(","))
        addresses = [
            address
            for entry in everything[name]
            if (address := address_from(str(entry.address), entry.netmask)) is not None
        ]
        interfaces.append(
            Interface(
                name=name,
                up=bool(state and state.isup),
                medium=medium_of(flags, [address.ip for address in addresses]),
                addresses=tuple(sorted(set(addresses), key=lambda a: (a.ip.version, a.ip.packed, a.prefix))),
                wireless=name.lower().startswith(("wi-fi", "wlan", "wlp", "wlx", "wireless")),
            )
        )
    return LinkSnapshot(
        tuple(interfaces),
        _way_out(interfaces, source_address(socket.AF_INET)),
        _way_out(interfaces, source_address(socket.AF_INET6)),
    )


def address_from(text: str, netmask: str | None) -> Address | None:
    """An address as psutil writes it; None for hardware addresses and nonsense."""
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    prefix: int = ip.max_prefixlen if ip.version == 4 else 64
    if netmask:
        with contextlib.suppress(ValueError):
            prefix = int(ipaddress.ip_address(netmask)).bit_count()
    return Address(ip, prefix)


def medium_of(flags: set[str], ips: list[IPAddress]) -> Medium:
    """By the flags where the system has them, else by the addresses."""
    if "loopback" in flags or (ips and all(ip.is_loopback for ip in ips)):
        return Medium.LOOPBACK
    if "pointopoint" in flags:
        return Medium.TUNNEL
    return Medium.PHYSICAL


def source_address(family: socket.AddressFamily) -> IPAddress | None:
    """The address that packets to far away would leave from; None without a route. Sends nothing."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect((_ELSEWHERE[family], 9))
        return ipaddress.ip_address(str(sock.getsockname()[0]).partition("%")[0])
    return None


def _way_out(interfaces: list[Interface], source: IPAddress | None) -> DefaultRoute | None:
    if source is None or source.is_loopback:
        return None
    for interface in interfaces:
        if any(address.ip == source for address in interface.addresses):
            return DefaultRoute(interface.name)
    return None


class PolledLink:
    """Implements `contract.LinkSource` where the system has no known signal: the watcher's poll is all."""

    async def read(self) -> LinkSnapshot:
        return await asyncio.to_thread(read_polled)

    async def run(self, changed: Callable[[], None], note: Callable[[tuple[str, ...]], None]) -> None:
        note(("Changes of the network are noticed late: this system has no known signal for them.",))
        await asyncio.Event().wait()
