"""What the network looks like at one moment. Plain values, compared by value."""

from __future__ import annotations

import enum
import ipaddress
from dataclasses import dataclass, field

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class Medium(enum.StrEnum):
    """What an interface is made of, as far as the system says."""

    PHYSICAL = "physical"
    """A network card, or something that looks like one (a virtual machine's, a container's own end)."""
    BRIDGE = "bridge"
    TUNNEL = "tunnel"
    """Ends somewhere else than in this room: VPNs, tun and tap, point-to-point links."""
    LOOPBACK = "loopback"
    VIRTUAL = "virtual"
    """Exists in this computer alone (dummy and the like)."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """An address of an interface. `prefix` is the length of its network's prefix in bits."""

    ip: IPAddress
    prefix: int
    usable: bool = True
    """False while it is being checked for duplicates, when that failed, or when it is on its way out."""
    temporary: bool = False
    """An IPv6 privacy address: good for going out, gone in a day."""

    @property
    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        return ipaddress.ip_network((self.ip, self.prefix), strict=False)


@dataclass(frozen=True, slots=True)
class Interface:
    """`up` is true when it is switched on and has a carrier. `bridge` names the bridge it is a port of."""

    name: str
    up: bool
    medium: Medium
    addresses: tuple[Address, ...] = ()
    wireless: bool = False
    bridge: str | None = None


@dataclass(frozen=True, slots=True)
class DefaultRoute:
    """Where packets for everywhere else leave. `gateway` is None on links without one."""

    interface: str
    gateway: IPAddress | None = None


@dataclass(frozen=True, slots=True)
class AccessPoint:
    """The wireless network in use. It tells where somebody lives: kept in memory, never logged or sent."""

    ssid: str = field(repr=False)
    bssid: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class LinkSnapshot:
    """All of it. Interfaces are sorted by name, so that equal networks make equal snapshots."""

    interfaces: tuple[Interface, ...] = ()
    default_v4: DefaultRoute | None = None
    default_v6: DefaultRoute | None = None
    access_point: AccessPoint | None = None
    """None on a wire, and where the system does not say."""
    metered: bool | None = None
    """True where the connection is paid by volume; None where the system does not say."""

    def interface(self, name: str) -> Interface | None:
        return next((item for item in self.interfaces if item.name == name), None)
