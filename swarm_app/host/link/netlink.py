"""rtnetlink: what the Linux kernel says of links, addresses and routes. Our own small parser.

Protocol: linux/netlink.h, linux/rtnetlink.h, linux/if_link.h, linux/if_addr.h (rtnetlink(7)). Only the
few messages and attributes that a snapshot needs are read; everything is bounded, and what is too
short or nonsense is skipped, never trusted. Numbers are in the host's byte order.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from swarm_app.host.link.snapshot import Address, DefaultRoute, Interface, IPAddress, Medium

MAX_DUMP_BYTES = 8 * 1024 * 1024
"""Far above any household's links and routes; a router with the whole internet's table is cut off here."""

_RECEIVE_BYTES = 256 * 1024
_ANSWER_S = 2.0

NEWLINK, GETLINK = 16, 18
NEWADDR, GETADDR = 20, 22
NEWROUTE, GETROUTE = 24, 26
_ERROR, _DONE = 2, 3
_REQUEST, _DUMP = 0x001, 0x300
_MULTI_INTERRUPTED = 0x010

GROUPS = 0x001 | 0x010 | 0x040 | 0x100 | 0x400
"""RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR, _IPV6_ROUTE."""

_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_IFINFO = struct.Struct("=BxHiII")
_IFADDR = struct.Struct("=BBBBi")
_ROUTE = struct.Struct("=BBBBBBBBI")
_U32 = struct.Struct("=I")

_IFF_UP, _IFF_LOOPBACK, _IFF_POINTOPOINT, _IFF_RUNNING = 0x1, 0x8, 0x10, 0x40
_IFLA_IFNAME, _IFLA_MASTER, _IFLA_LINKINFO = 3, 10, 18
_IFLA_INFO_KIND = 1
_IFA_ADDRESS, _IFA_LOCAL, _IFA_FLAGS = 1, 2, 8
_IFA_TEMPORARY, _IFA_DADFAILED, _IFA_DEPRECATED, _IFA_TENTATIVE = 0x01, 0x08, 0x20, 0x40
_RTA_OIF, _RTA_GATEWAY, _RTA_PRIORITY, _RTA_MULTIPATH = 4, 5, 6, 9
_TABLE_MAIN = 254
_TYPE_UNICAST = 1
_ATTRIBUTE_MASK = 0x3FFF

_NEXTHOP = struct.Struct("=HBBi")

_MEDIA = {
    "bridge": Medium.BRIDGE,
    "openvswitch": Medium.BRIDGE,
    "dummy": Medium.VIRTUAL,
    "ifb": Medium.VIRTUAL,
    "nlmon": Medium.VIRTUAL,
    "vcan": Medium.VIRTUAL,
    "vrf": Medium.VIRTUAL,
    **dict.fromkeys(
        (
            "tun",
            "wireguard",
            "ppp",
            "ipip",
            "sit",
            "gre",
            "gretap",
            "ip6gre",
            "ip6gretap",
            "ip6tnl",
            "vti",
            "vti6",
            "xfrm",
            "vxlan",
            "geneve",
            "erspan",
            "ip6erspan",
            "ovpn",
            "ovpn-dco",
            "bareudp",
            "amt",
        ),
        Medium.TUNNEL,
    ),
}
"""IFLA_INFO_KIND to medium. Other kinds (veth, vlan, bond, macvlan, team …) stand for a card."""


class NetlinkTrouble(OSError):
    """The kernel does not answer, or not in full."""


@dataclass(frozen=True, slots=True)
class Message:
    """One netlink message: its type, its flags and what follows its header."""

    kind: int
    flags: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Link:
    """RTM_NEWLINK. `kind` is the driver's name for virtual links, "" for cards."""

    index: int
    name: str
    flags: int
    kind: str
    master: int
    """Index of the bridge or bond that it is a port of; 0 for none."""


@dataclass(frozen=True, slots=True)
class Route:
    """A default route of the main table."""

    version: int
    interface: int
    gateway: IPAddress | None
    metric: int


def messages(data: bytes) -> Iterator[Message]:
    """The messages in what one receive gave; ends at the first one that is cut short."""
    position = 0
    while position + _HEADER.size <= len(data):
        length, kind, flags, _, _ = _HEADER.unpack_from(data, position)
        if length < _HEADER.size or position + length > len(data):
            return
        yield Message(kind, flags, data[position + _HEADER.size : position + length])
        position += (length + 3) & ~3


def attributes(data: bytes) -> dict[int, bytes]:
    """Attributes by type; a repeated type keeps its last value. Ends at the first one that is cut short."""
    found: dict[int, bytes] = {}
    position = 0
    while position + _ATTRIBUTE.size <= len(data):
        length, kind = _ATTRIBUTE.unpack_from(data, position)
        if length < _ATTRIBUTE.size or position + length > len(data):
            break
        found[kind & _ATTRIBUTE_MASK] = data[position + _ATTRIBUTE.size : position + length]
        position += (length + 3) & ~3
    return found


def link_of(payload: bytes) -> Link | None:
    """The link in an RTM_NEWLINK message; None for what has no name."""
    if len(payload) < _IFINFO.size:
        return None
    _, _, index, flags, _ = _IFINFO.unpack_from(payload)
    found = attributes(payload[_IFINFO.size :])
    name = _text(found.get(_IFLA_IFNAME, b""))
    if not name:
        return None
    info = attributes(found.get(_IFLA_LINKINFO, b""))
    return Link(
        index, name, flags, _text(info.get(_IFLA_INFO_KIND, b"")), _u32(found.get(_IFLA_MASTER, b"")) or 0
    )


def address_of(payload: bytes) -> tuple[int, Address] | None:
    """Interface index and address in an RTM_NEWADDR message; None for families other than IP."""
    if len(payload) < _IFADDR.size:
        return None
    family, prefix, flags, _, index = _IFADDR.unpack_from(payload)
    found = attributes(payload[_IFADDR.size :])
    # IFA_ADDRESS is the far end's on a point-to-point link; IFA_LOCAL, where it is, is always ours.
    ip = _ip(family, found.get(_IFA_LOCAL) or found.get(_IFA_ADDRESS, b""))
    if ip is None or prefix > ip.max_prefixlen:
        return None
    wide = _u32(found.get(_IFA_FLAGS, b""))
    flags = flags if wide is None else wide
    usable = not flags & (_IFA_DADFAILED | _IFA_DEPRECATED | _IFA_TENTATIVE)
    return index, Address(ip, prefix, usable, temporary=ip.version == 6 and bool(flags & _IFA_TEMPORARY))


def default_route_of(payload: bytes) -> Route | None:
    """The route in an RTM_NEWROUTE message when it is a default route of the main table, else None."""
    if len(payload) < _ROUTE.size:
        return None
    family, to_bits, _, _, table, _, _, kind, _ = _ROUTE.unpack_from(payload)
    if to_bits or table != _TABLE_MAIN or kind != _TYPE_UNICAST or family not in _VERSIONS:
        return None
    found = attributes(payload[_ROUTE.size :])
    interface, gateway = _u32(found.get(_RTA_OIF, b"")), found.get(_RTA_GATEWAY, b"")
    hops = found.get(_RTA_MULTIPATH, b"")
    if interface is None and len(hops) >= _NEXTHOP.size:
        length, _, _, interface = _NEXTHOP.unpack_from(hops)
        gateway = attributes(hops[_NEXTHOP.size : length]).get(_RTA_GATEWAY, b"")
    if interface is None:
        return None
    metric = _u32(found.get(_RTA_PRIORITY, b"")) or 0
    return Route(_VERSIONS[family], interface, _ip(family, gateway), metric)


_VERSIONS = {int(socket.AF_INET): 4, int(socket.AF_INET6): 6}


def _ip(family: int, packed: bytes) -> IPAddress | None:
    version = _VERSIONS.get(family)
    if version == 4 and len(packed) == 4:
        return ipaddress.IPv4Address(packed)
    if version == 6 and len(packed) == 16:
        return ipaddress.IPv6Address(packed)
    return None


def _u32(packed: bytes) -> int | None:
    return int(_U32.unpack(packed)[0]) if len(packed) == _U32.size else None


def _text(packed: bytes) -> str:
    return packed.split(b"\0", 1)[0].decode("utf-8", "replace")


# ---------------------------------------------------------------- asking the kernel


def dump(what: int) -> list[bytes]:
    """The payloads of a whole dump: `what` is GETLINK, GETADDR or GETROUTE. A few milliseconds at most.

    Raises NetlinkTrouble.
    """
    for _ in range(4):
        payloads, whole = _dump_once(what)
        if whole:
            break
    # A network that changes at every try changes again in a moment, and is then read again.
    return payloads


def _dump_once(what: int) -> tuple[list[bytes], bool]:
    payloads: list[bytes] = []
    taken, whole = 0, True
    try:
        with open_socket(0) as sock:
            sock.settimeout(_ANSWER_S)
            body = b"\0" * 16  # family unspecified, as struct ifinfomsg; longer than the others need
            sock.send(_HEADER.pack(_HEADER.size + len(body), what, _REQUEST | _DUMP, 1, 0) + body)
            while True:
                data = sock.recv(_RECEIVE_BYTES)
                taken += len(data)
                for message in messages(data):
                    if message.kind == _DONE:
                        return payloads, whole
                    if message.kind == _ERROR:
                        code = -struct.unpack_from("=i", message.payload.ljust(4, b"\0"))[0]
                        raise NetlinkTrouble(code, os.strerror(code))
                    whole = whole and not message.flags & _MULTI_INTERRUPTED
                    payloads.append(message.payload)
                if not data or taken > MAX_DUMP_BYTES:
                    return payloads, True
    except NetlinkTrouble:
        raise
    except OSError as error:
        raise NetlinkTrouble(error.errno, error.strerror or str(error)) from error


def open_socket(groups: int) -> socket.socket:
    """A netlink socket that hears `groups` (GROUPS, or 0 for none). Raises OSError."""
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, socket.NETLINK_ROUTE)
    try:
        sock.bind((0, groups))
    except OSError:
        sock.close()
        raise
    return sock


def drain(sock: socket.socket) -> bool:
    """Empty a non-blocking socket of notifications; True when there was one that may matter to a snapshot."""
    heard = False
    for _ in range(256):  # a flood is read on in the next turn of the event loop
        try:
            data = sock.recv(_RECEIVE_BYTES)
        except BlockingIOError:
            break
        except OSError:
            return True  # the kernel dropped some (ENOBUFS): whatever they were, look again
        heard = heard or any(message.kind >= NEWLINK for message in messages(data))
    return heard


@dataclass(frozen=True, slots=True)
class Kernel:
    """The part of a snapshot that the kernel knows."""

    interfaces: tuple[Interface, ...]
    default_v4: DefaultRoute | None
    default_v6: DefaultRoute | None


def read_kernel() -> Kernel:
    """Ask for links, addresses and default routes. Raises NetlinkTrouble."""
    links = [link for payload in dump(GETLINK) if (link := link_of(payload)) is not None]
    addresses = [found for payload in dump(GETADDR) if (found := address_of(payload)) is not None]
    routes = [route for payload in dump(GETROUTE) if (route := default_route_of(payload)) is not None]
    return assemble(links, addresses, routes)


def assemble(links: list[Link], addresses: list[tuple[int, Address]], routes: list[Route]) -> Kernel:
    """Put the three dumps together. Pure."""
    names = {link.index: link.name for link in links}
    bridges = {link.index for link in links if _MEDIA.get(link.kind) is Medium.BRIDGE}
    interfaces = tuple(
        Interface(
            name=link.name,
            up=link.flags & _IFF_UP != 0 and link.flags & _IFF_RUNNING != 0,
            medium=_medium(link),
            addresses=tuple(sorted({a for index, a in addresses if index == link.index}, key=_address_key)),
            wireless=False,
            bridge=names.get(link.master) if link.master in bridges else None,
        )
        for link in sorted(links, key=lambda link: link.name)
    )
    best: dict[int, Route] = {}
    for route in routes:
        if route.interface in names and (
            route.version not in best or route.metric < best[route.version].metric
        ):
            best[route.version] = route
    ways = {version: DefaultRoute(names[r.interface], r.gateway) for version, r in best.items()}
    return Kernel(interfaces, ways.get(4), ways.get(6))


def _address_key(address: Address) -> tuple[int, bytes, int]:
    return address.ip.version, address.ip.packed, address.prefix


def _medium(link: Link) -> Medium:
    if link.flags & _IFF_LOOPBACK:
        return Medium.LOOPBACK
    if link.flags & _IFF_POINTOPOINT:
        return Medium.TUNNEL
    return _MEDIA.get(link.kind, Medium.PHYSICAL)
