"""Which addresses are announced (B2), what a change means (B1), in which order to dial (B4). Tables."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.host.link.dialling import HEAD_START_S, ip_of, order_for_dialling
from swarm_app.host.link.diff import LinkReason, diff
from swarm_app.host.link.reach import never_announced, reachable_addresses
from swarm_app.host.link.snapshot import AccessPoint, Interface, LinkSnapshot, Medium
from tests.host.networks import LO, address, card, network

LAN = card("eth0", "10.77.0.11/24", "fe80::1/64")

DOCKER_HOST = network(
    LO,
    LAN,
    card("docker0", "172.17.0.1/16", medium=Medium.BRIDGE),
    card("virbr0", "192.168.122.1/24", medium=Medium.BRIDGE),
    card("br-0a1b2c3d4e5f", "172.18.0.1/16", medium=Medium.BRIDGE),
    card("veth12ab34c", "fe80::42/64", bridge="docker0"),
    card("vnet0", medium=Medium.TUNNEL, bridge="virbr0"),
    v4="eth0",
)

ANNOUNCED = {
    "nothing but loopback": (network(LO), []),
    "nothing at all": (LinkSnapshot(), []),
    "one wire": (network(LO, LAN, v4="eth0"), ["10.77.0.11"]),
    "a household without the internet": (network(LO, LAN), ["10.77.0.11"]),
    "docker and libvirt (B2)": (DOCKER_HOST, ["10.77.0.11"]),
    "the same as dummies (B2)": (
        network(
            LAN,
            card("docker0", "172.17.0.1/16", medium=Medium.VIRTUAL),
            card("virbr0", "192.168.122.1/24", medium=Medium.VIRTUAL),
            card("br-0a1b2c3d4e5f", "172.18.0.1/16", medium=Medium.VIRTUAL),
        ),
        ["10.77.0.11"],
    ),
    "the same where the system knows no media": (
        network(
            LAN,
            card("docker0", "172.17.0.1/16"),
            card("virbr0", "192.168.122.1/24"),
            card("br-0a1b2c3d4e5f", "172.18.0.1/16"),
            card("vEthernet (WSL (Hyper-V firewall))", "172.29.0.1/20"),
            card("vEthernet (Default Switch)", "172.20.0.1/20"),
            card("bridge100", "192.168.64.1/24"),
            card("VirtualBox Host-Only Ethernet Adapter", "192.168.56.1/24"),
            v4="eth0",
        ),
        ["10.77.0.11"],
    ),
    "a bridge that carries the default route": (
        network(card("br0", "10.77.0.11/24", medium=Medium.BRIDGE), card("eth0", bridge="br0"), v4="br0"),
        ["10.77.0.11"],
    ),
    "a bridge over a card, without the internet": (
        network(card("br-lan", "10.77.0.1/24", medium=Medium.BRIDGE), card("eth0", bridge="br-lan")),
        ["10.77.0.1"],
    ),
    "a bridge over virtual machines alone": (
        network(
            LAN,
            card("br1", "10.99.0.1/24", medium=Medium.BRIDGE),
            card("vnet3", bridge="br1", medium=Medium.TUNNEL),
            card("veth9", bridge="br1"),
        ),
        ["10.77.0.11"],
    ),
    "a router's bridge named like docker's that is the way out": (
        network(card("br-0a1b2c3d4e5f", "10.77.0.11/24", medium=Medium.BRIDGE), v4="br-0a1b2c3d4e5f"),
        ["10.77.0.11"],
    ),
    "in a container": (network(LO, card("eth0", "172.17.0.2/16"), v4="eth0"), ["172.17.0.2"]),
    "in a namespace whose end kept its name": (
        network(LO, card("veth-in", "10.77.0.11/24"), v4="veth-in"),
        ["10.77.0.11"],
    ),
    "a VPN that took the default route": (
        network(
            LAN,
            card("tun0", "10.8.0.2/24", medium=Medium.TUNNEL),
            card("wg0", "10.9.0.2/24", medium=Medium.TUNNEL),
            card("tailscale0", "100.101.102.103/32", "fd7a:115c:a1e0::1/128"),
            card("utun3", "10.10.0.2/24"),
            card("ppp0", "10.64.0.7/32", medium=Medium.TUNNEL),
            v4="tun0",
            v6="tailscale0",
        ),
        ["10.77.0.11"],
    ),
    "addresses of no use elsewhere": (
        network(
            card(
                "eth0",
                "169.254.7.7/16",
                "100.64.1.2/10",
                "fe80::1/64",
                "192.0.0.4/29",
                "10.77.0.11/24",
                address("10.77.0.12/24", usable=False),
            )
        ),
        ["10.77.0.11"],
    ),
    "a cable that is out": (network(card("eth0", "10.77.0.11/24", up=False)), []),
    "wire before radio, the way out before both": (
        network(
            card("wlan0", "10.77.0.13/24", wireless=True),
            card("eth0", "10.77.0.11/24"),
            card("eth1", "10.78.0.11/24"),
            v4="eth1",
        ),
        ["10.78.0.11", "10.77.0.11", "10.77.0.13"],
    ),
    "IPv4 before IPv6, lasting before temporary": (
        network(
            card(
                "eth0",
                "2001:db8:1::5/64",
                "fd00:77::5/64",
                address("2001:db8:1::dead/64", temporary=True),
                "10.77.0.11/24",
            )
        ),
        ["10.77.0.11", "2001:db8:1::5", "fd00:77::5"],
    ),
    "temporary where there is nothing else": (
        network(card("eth0", address("2001:db8:1::dead/64", temporary=True))),
        ["2001:db8:1::dead"],
    ),
}


@pytest.mark.parametrize(("snapshot", "expected"), ANNOUNCED.values(), ids=ANNOUNCED.keys())
def test_what_is_announced(snapshot: LinkSnapshot, expected: list[str]) -> None:
    assert [str(ip) for ip in reachable_addresses(snapshot)] == expected


NEVER_NAMED = [
    *("docker0", "docker_gwbridge", "virbr0", "virbr12", "br-0a1b2c3d4e5f", "veth0a1b2c3", "podman0", "cni0"),
    *("lxcbr0", "lxdbr0", "incusbr0", "vmnet8", "vboxnet0", "flannel.1", "cali123", "waydroid0"),
    *(
        "tun0",
        "tap0",
        "wg0",
        "wg-home",
        "tailscale0",
        "zt5u4uptmb",
        "utun4",
        "ppp0",
        "ipsec0",
        "nordlynx",
        "sit0",
    ),
]


@pytest.mark.parametrize("name", NEVER_NAMED)
def test_names_that_are_never_announced(name: str) -> None:
    assert reachable_addresses(network(card(name, "10.1.2.3/24"))) == ()


HONEST = [
    "eth0",
    "enp3s0",
    "eno1",
    "wlan0",
    "wlp2s0",
    "en0",
    "Ethernet",
    "Wi-Fi",
    "bond0",
    "enx00e04c",
    "usb0",
    "br",
]


@pytest.mark.parametrize("name", HONEST)
def test_names_that_are(name: str) -> None:
    assert reachable_addresses(network(card(name, "10.1.2.3/24"))) == (ipaddress.ip_address("10.1.2.3"),)


_IPS = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6))
_INTERFACES = st.builds(
    lambda name, ips, medium, up: card(name, *[address(f"{ip}") for ip in ips], medium=medium, up=up),
    st.sampled_from(["eth0", "wlan0", "docker0", "tun0", "veth1", "br0", "lo"]),
    st.lists(_IPS, max_size=4),
    st.sampled_from(list(Medium)),
    st.booleans(),
)


@given(st.lists(_INTERFACES, max_size=5), st.sampled_from(["eth0", "docker0", "tun0", None]))
def test_no_network_has_a_useless_address_announced(interfaces: list[Interface], way_out: str | None) -> None:
    snapshot = network(*interfaces, v4=way_out)
    announced = reachable_addresses(snapshot)
    assert len(set(announced)) == len(announced)
    for ip in announced:
        assert not any((ip.is_loopback, ip.is_link_local, ip.is_multicast, ip.is_unspecified))
        homes = [item for item in interfaces if any(entry.ip == ip for entry in item.addresses)]
        assert any(item.up and item.medium in (Medium.PHYSICAL, Medium.BRIDGE) for item in homes)
    assert diff(snapshot, snapshot).reasons == frozenset()


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("100.63.255.255", False),
        ("100.64.0.0", True),
        ("100.127.255.255", True),
        ("100.128.0.0", False),
        ("172.17.0.1", False),  # by its interface alone: 172.16/12 is also a household's
        ("0.0.0.0", True),
        ("255.255.255.255", True),
        ("::", True),
        ("::1", True),
        ("fd00::1", False),
        ("fd7a:115c:a1e0::5", True),
        ("::ffff:10.0.0.1", True),
    ],
)
def test_addresses_by_themselves(text: str, never: bool) -> None:
    assert never_announced(ipaddress.ip_address(text)) is never


# ---------------------------------------------------------------- changes

HOME = network(
    card("wlan0", "10.77.0.12/24", wireless=True), v4="wlan0", gateway="10.77.0.1", point=("home", "aa")
)
R = LinkReason

CHANGES = {
    "nothing": (HOME, HOME, set(), False),
    "only docker came": (
        network(LAN, v4="eth0"),
        network(LAN, card("docker0", "172.17.0.1/16", medium=Medium.BRIDGE), v4="eth0"),
        set(),
        False,
    ),
    "another address (B1)": (
        network(LAN, v4="eth0"),
        network(card("eth0", "10.77.0.62/24"), v4="eth0"),
        {R.ADDRESS_ADDED, R.ADDRESS_GONE},
        True,
    ),
    "the link went": (
        network(LAN, v4="eth0"),
        network(card("eth0", "10.77.0.11/24", up=False)),
        {R.WENT_OFFLINE, R.ADDRESS_GONE},
        False,  # there is nothing to bind to
    ),
    "the link came back": (
        network(card("eth0", "10.77.0.11/24", up=False)),
        network(LAN, v4="eth0"),
        {R.CAME_ONLINE, R.ADDRESS_ADDED},
        True,
    ),
    "another access point of the same network": (
        HOME,
        network(
            card("wlan0", "10.77.0.12/24", wireless=True),
            v4="wlan0",
            gateway="10.77.0.1",
            point=("home", "bb"),
        ),
        {R.ACCESS_POINT_CHANGED},
        False,
    ),
    "another network with the same addresses": (
        HOME,
        network(
            card("wlan0", "10.77.0.12/24", wireless=True),
            v4="wlan0",
            gateway="10.77.0.1",
            point=("cafe", "cc"),
        ),
        {R.NETWORK_CHANGED},
        True,
    ),
    "from radio to wire": (
        HOME,
        network(
            card("wlan0", "10.77.0.12/24", wireless=True),
            card("eth0", "10.77.0.11/24"),
            v4="eth0",
            gateway="10.77.0.1",
        ),
        {R.ADDRESS_ADDED, R.WAY_OUT_CHANGED},
        True,
    ),
    "the internet is gone, the household is not": (
        network(LAN, v4="eth0", gateway="10.77.0.1"),
        network(LAN),
        set(),
        False,
    ),
    "another gateway": (
        network(LAN, v4="eth0", gateway="10.77.0.1"),
        network(LAN, v4="eth0", gateway="10.77.0.2"),
        {R.WAY_OUT_CHANGED},
        True,
    ),
    "now it costs": (
        network(LAN, v4="eth0", metered=False),
        network(LAN, v4="eth0", metered=True),
        {R.METERED_CHANGED},
        False,
    ),
    "a privacy address was renewed": (
        network(card("eth0", "fd00::5/64", address("fd00::dead/64", temporary=True))),
        network(card("eth0", "fd00::5/64", address("fd00::beef/64", temporary=True))),
        set(),
        False,
    ),
    "a VPN was switched on": (
        network(LAN, v4="eth0"),
        network(LAN, card("wg0", "10.9.0.2/24", medium=Medium.TUNNEL), v4="eth0"),
        set(),
        False,
    ),
}


@pytest.mark.parametrize(("before", "after", "reasons", "rebind"), CHANGES.values(), ids=CHANGES.keys())
def test_what_a_change_means(
    before: LinkSnapshot, after: LinkSnapshot, reasons: set[LinkReason], rebind: bool
) -> None:
    delta = diff(before, after)
    assert delta.reasons == reasons
    assert delta.rebind_needed is rebind
    assert bool(delta) is bool(reasons)


def test_a_delta_names_the_addresses() -> None:
    delta = diff(network(LAN), network(card("eth0", "10.77.0.62/24")))
    assert [str(ip) for ip in delta.added] == ["10.77.0.62"]
    assert [str(ip) for ip in delta.gone] == ["10.77.0.11"]


def test_the_access_point_is_not_in_what_is_printed() -> None:
    assert "home" not in repr(HOME)
    assert repr(AccessPoint("home", "aa:bb")) == "AccessPoint()"


# ---------------------------------------------------------------- dialling

V4, V6 = "/ip4/10.77.0.11/tcp/31330/p2p/QmYyQSo1", "/ip6/2001:db8::1/tcp/31330/p2p/QmYyQSo1"
DUAL = network(card("eth0", "10.77.0.12/24", "2001:db8:1::12/64"), v4="eth0", v6="eth0")

DIALS = {
    "B4, six first": ([V6, V4], DUAL, [(V4, 0.0), (V6, 0.25)]),
    "B4, four first": ([V4, V6], DUAL, [(V4, 0.0), (V6, 0.25)]),
    "B4, nothing known of oneself": ([V6, V4], None, [(V4, 0.0), (V6, 0.25)]),
    "each once": ([V4, V4], DUAL, [(V4, 0.0)]),
    "none": ([], DUAL, []),
    "the own network first": (
        ["192.168.5.5", "2001:db8::1", "10.77.0.11"],
        DUAL,
        [("10.77.0.11", 0.0), ("192.168.5.5", 0.25), ("2001:db8::1", 0.25)],
    ),
    "many dead sixes": (
        ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.168.5.5"],
        None,
        [("192.168.5.5", 0.0), ("2001:db8::1", 0.25), ("2001:db8::2", 0.5), ("2001:db8::3", 0.75)],
    ),
    "only six here": (
        ["192.168.5.5", "2001:db8::1"],
        network(card("eth0", "2001:db8:1::12/64"), v6="eth0"),
        [("2001:db8::1", 0.0), ("192.168.5.5", 0.25)],
    ),
    "loopback is a household on one computer": (["127.0.0.1"], DUAL, [("127.0.0.1", 0.0)]),
    "a name": (
        ["/dns4/attic.local/tcp/1/p2p/Qm", V4],
        DUAL,
        [(V4, 0.0), ("/dns4/attic.local/tcp/1/p2p/Qm", 0.25)],
    ),
    "another computer's docker last": (
        ["100.100.1.1", "192.168.5.5"],
        DUAL,
        [("192.168.5.5", 0.0), ("100.100.1.1", 0.25)],
    ),
}


@pytest.mark.parametrize(("addresses", "own", "expected"), DIALS.values(), ids=DIALS.keys())
def test_the_order_of_dialling(
    addresses: list[str], own: LinkSnapshot | None, expected: list[tuple[str, float]]
) -> None:
    assert [(attempt.address, attempt.delay_s) for attempt in order_for_dialling(addresses, own)] == expected


@given(st.lists(_IPS.map(str), max_size=8), st.sampled_from([None, DUAL, network(LAN), LinkSnapshot()]))
def test_a_dead_family_costs_at_most_a_head_start(addresses: list[str], own: LinkSnapshot | None) -> None:
    attempts = order_for_dialling(addresses, own)
    assert {attempt.address for attempt in attempts} == set(addresses)
    assert len(attempts) == len(set(addresses))
    assert [attempt.delay_s for attempt in attempts] == sorted(attempt.delay_s for attempt in attempts)
    if attempts:
        assert attempts[0].delay_s == 0.0
    for version in (4, 6):
        delays = [a.delay_s for a in attempts if getattr(ip_of(a.address), "version", 0) == version]
        assert not delays or min(delays) <= HEAD_START_S <= 0.3
