"""The netlink parser: real messages, cut and garbled ones, and the kernel against psutil."""

from __future__ import annotations

import dataclasses
import ipaddress
import socket
import struct
import sys

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.host.link import netlink
from swarm_app.host.link.netlink import Link, Route
from swarm_app.host.link.polled import address_from, medium_of, read_polled, source_address
from swarm_app.host.link.snapshot import Address, DefaultRoute, Medium

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="netlink is Linux's")

FOUR, SIX = int(socket.AF_INET), int(socket.AF_INET6)


def attribute(kind: int, value: bytes) -> bytes:
    padded = value + b"\0" * (-len(value) % 4)
    return struct.pack("=HH", 4 + len(value), kind) + padded


def message(kind: int, payload: bytes, flags: int = 0) -> bytes:
    padded = payload + b"\0" * (-len(payload) % 4)
    return struct.pack("=IHHII", 16 + len(payload), kind, flags, 1, 0) + padded


def link(index: int, name: str, flags: int = 0x41, kind: str = "", master: int = 0) -> bytes:
    payload = struct.pack("=BxHiII", 0, 1, index, flags, 0) + attribute(3, name.encode() + b"\0")
    if kind:
        payload += attribute(18 | 0x8000, attribute(1, kind.encode() + b"\0"))  # the nested flag is set
    return payload + (attribute(10, struct.pack("=I", master)) if master else b"")


def addr(index: int, text: str, flags: int = 0x80, *, peer: str = "") -> bytes:
    """As the kernel writes it: IFA_LOCAL for IPv4, IFA_ADDRESS alone for IPv6."""
    ip = ipaddress.ip_interface(text)
    family, prefix = FOUR if ip.version == 4 else SIX, ip.network.prefixlen
    payload = struct.pack("=BBBBi", family, prefix, flags & 0xFF, 0, index)
    far = ipaddress.ip_address(peer).packed if peer else ip.ip.packed
    payload += attribute(1, far)
    if ip.version == 4 or peer:
        payload += attribute(2, ip.ip.packed)
    return payload + attribute(8, struct.pack("=I", flags))


def route(
    family: int,
    oif: int | None,
    gateway: str = "",
    metric: int = 0,
    *,
    bits: int = 0,
    table: int = 254,
    kind: int = 1,
) -> bytes:
    payload = struct.pack("=BBBBBBBBI", family, bits, 0, 0, table, 3, 0, kind, 0)
    if gateway:
        payload += attribute(5, ipaddress.ip_address(gateway).packed)
    if oif is not None:
        payload += attribute(4, struct.pack("=I", oif))
    return payload + attribute(6, struct.pack("=I", metric))


def test_links() -> None:
    assert netlink.link_of(link(3, "eth0")) == Link(3, "eth0", 0x41, "", 0)
    assert netlink.link_of(link(4, "veth1", kind="veth", master=9)) == Link(4, "veth1", 0x41, "veth", 9)
    assert netlink.link_of(link(5, "")) is None


def test_addresses() -> None:
    def only(payload: bytes) -> Address:
        found = netlink.address_of(payload)
        assert found is not None
        assert found[0] == 2
        return found[1]

    ten = ipaddress.ip_address("10.0.0.5")
    assert only(addr(2, "10.0.0.5/24")) == Address(ten, 24)
    assert only(addr(2, "10.0.0.5/32", peer="10.9.9.9")) == Address(ten, 32)  # ours, not the far end's
    assert not only(addr(2, "fd00::5/64", 0x40)).usable  # tentative
    assert not only(addr(2, "fd00::5/64", 0x08)).usable  # a duplicate
    assert not only(addr(2, "fd00::5/64", 0x20)).usable  # deprecated
    assert only(addr(2, "fd00::5/64", 0x301)).temporary  # in the wide flags too
    assert not only(addr(2, "10.0.0.5/24", 0x01)).temporary  # there it means secondary
    assert netlink.address_of(struct.pack("=BBBBi", 28, 0, 0, 0, 2)) is None  # another family


def test_default_routes() -> None:
    one = ipaddress.ip_address("10.0.0.1")
    assert netlink.default_route_of(route(FOUR, 2, "10.0.0.1", 100)) == Route(4, 2, one, 100)
    assert netlink.default_route_of(route(SIX, 2)) == Route(6, 2, None, 0)
    assert netlink.default_route_of(route(FOUR, 2, bits=24)) is None
    assert netlink.default_route_of(route(FOUR, 2, table=255)) is None
    assert netlink.default_route_of(route(FOUR, 2, kind=7)) is None  # unreachable
    assert netlink.default_route_of(route(FOUR, None)) is None
    hop = attribute(5, one.packed)
    hops = attribute(9, struct.pack("=HBBi", 8 + len(hop), 0, 0, 7) + hop)
    assert netlink.default_route_of(route(FOUR, None) + hops) == Route(4, 7, one, 0)


def test_the_parts_together() -> None:
    kernel = netlink.assemble(
        [
            Link(1, "lo", 0x49, "", 0),
            Link(2, "eth0", 0x41, "", 5),
            Link(5, "br0", 0x41, "bridge", 0),
            Link(6, "wg0", 0xD1, "wireguard", 0),
            Link(7, "docker0", 0x01, "bridge", 0),
            Link(8, "bond1", 0x41, "bond", 0),
            Link(9, "eth9", 0x41, "", 8),
        ],
        [
            (5, Address(ipaddress.ip_address("10.0.0.5"), 24)),
            (99, Address(ipaddress.ip_address("1.1.1.1"), 8)),
        ],
        [Route(4, 6, None, 50), Route(4, 5, ipaddress.ip_address("10.0.0.1"), 20), Route(6, 99, None, 0)],
    )
    by_name = {item.name: item for item in kernel.interfaces}
    assert list(by_name) == sorted(by_name)
    assert by_name["lo"].medium is Medium.LOOPBACK
    assert by_name["wg0"].medium is Medium.TUNNEL
    assert by_name["br0"].medium is Medium.BRIDGE
    assert by_name["eth0"].bridge == "br0"
    assert by_name["eth9"].bridge is None  # a bond is no bridge
    assert not by_name["docker0"].up  # no carrier
    assert kernel.default_v4 == DefaultRoute("br0", ipaddress.ip_address("10.0.0.1"))
    assert kernel.default_v6 is None  # through an interface that is not there


def test_messages_end_where_they_are_cut() -> None:
    whole = message(16, link(3, "eth0")) + message(16, link(4, "eth1"))
    assert [item.kind for item in netlink.messages(whole)] == [16, 16]
    for length in range(len(whole)):
        for item in netlink.messages(whole[:length]):
            netlink.link_of(item.payload)
    too_short = struct.pack("=IHHII", 4, 16, 0, 1, 0)
    assert list(netlink.messages(too_short * 3)) == []


_REAL = [
    message(16, link(4, "veth1", kind="veth", master=9)),
    message(20, addr(2, "fd00::5/64")),
    message(24, route(4, 2)),
]


@given(
    st.one_of(
        st.binary(max_size=300), st.tuples(st.sampled_from(_REAL), st.integers(0, 120), st.binary(max_size=8))
    )
)
def test_no_bytes_break_the_parser(data: bytes | tuple[bytes, int, bytes]) -> None:
    if isinstance(data, tuple):
        real, position, noise = data
        data = real[:position] + noise + real[position + len(noise) :]
    parsers = (netlink.link_of, netlink.address_of, netlink.default_route_of)
    for parse in parsers:
        parse(data)
    for item in netlink.messages(data):
        for parse in parsers:
            parse(item.payload)


def test_the_kernel_agrees_with_psutil() -> None:
    kernel = netlink.read_kernel()
    seen = {item.name: {(str(entry.ip)) for entry in item.addresses} for item in kernel.interfaces}
    expected = {
        name: {
            str(entry.address).partition("%")[0]
            for entry in entries
            if entry.family in (socket.AF_INET, socket.AF_INET6)
        }
        for name, entries in psutil.net_if_addrs().items()
    }
    assert seen == expected
    assert next(item for item in kernel.interfaces if item.name == "lo").medium is Medium.LOOPBACK


def test_a_refusal_of_the_kernel_is_an_error() -> None:
    with pytest.raises(netlink.NetlinkTrouble):
        netlink.dump(9999)


def test_the_poll_sees_the_same_network_but_for_details() -> None:
    polled, kernel = read_polled(), netlink.read_kernel()
    assert [(item.name, item.addresses) for item in polled.interfaces] == [
        (
            item.name,
            tuple(dataclasses.replace(entry, usable=True, temporary=False) for entry in item.addresses),
        )
        for item in kernel.interfaces
    ]
    for way, other in ((polled.default_v4, kernel.default_v4), (polled.default_v6, kernel.default_v6)):
        assert (way and way.interface) == (other and other.interface)


@pytest.mark.parametrize(
    ("text", "netmask", "expected"),
    [
        ("10.0.0.5", "255.255.255.0", Address(ipaddress.ip_address("10.0.0.5"), 24)),
        ("fe80::1%en0", "ffff:ffff:ffff:ffff::", Address(ipaddress.ip_address("fe80::1"), 64)),
        ("fd00::5", None, Address(ipaddress.ip_address("fd00::5"), 64)),
        ("00:11:22:33:44:55", None, None),
        ("00-11-22-33-44-55", None, None),
    ],
)
def test_addresses_as_psutil_writes_them(text: str, netmask: str | None, expected: Address | None) -> None:
    assert address_from(text, netmask) == expected


def test_media_by_flags_or_addresses() -> None:
    loopback = [ipaddress.ip_address("127.0.0.1")]
    assert medium_of({"up", "loopback"}, []) is Medium.LOOPBACK
    assert medium_of({""}, list(loopback)) is Medium.LOOPBACK  # Windows gives no flags
    assert medium_of({"up", "pointopoint"}, []) is Medium.TUNNEL
    assert medium_of({"up", "broadcast"}, []) is Medium.PHYSICAL


def test_asking_for_the_way_out_sends_nothing_and_ends() -> None:
    for family in (socket.AF_INET, socket.AF_INET6):
        found = source_address(family)
        assert found is None or found.version == (4 if family is socket.AF_INET else 6)
