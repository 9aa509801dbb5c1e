"""Which of this computer's addresses can another computer of the household reach? Pure.

Announcing one that cannot be reached is worse than silence: others dial it, and on their own
computer the same address may answer (every docker0 is 172.17.0.1).
"""

from __future__ import annotations

import ipaddress
import re

from swarm_app.host.link.snapshot import Address, Interface, IPAddress, LinkSnapshot, Medium

# Names given by the programs that make these interfaces.
_CONTAINERS = re.compile(
    r"docker\d*|docker_gwbridge|br-[0-9a-f]{12}|podman\d*|cni\d*|cni-.*|cbr\d+|flannel.*|cali.*|cilium.*|kube-.*"
    r"|lxcbr\d*|lxdbr\d*|incusbr\d*|nerdctl\d*|virbr\d+(-nic)?|vmnet\d*|vboxnet\d*|vnet\d*|waydroid\d*"
    r"|bridge1\d\d|vmenet\d*|VirtualBox .*|VMware .*|vEthernet \((Default Switch|WSL.*|nat|DockerNAT)\)",
    re.IGNORECASE,
)
_CONTAINER_ENDS = re.compile(r"veth.*")
_TUNNELS = re.compile(
    r"tun\d*|tap\d*|wg.*|tailscale\d*|ts\d+|zt[0-9a-z]+|utun\d*|ipsec\d*|ppp\d*|pppoe-.*|nordlynx|proton\d*|pvpn.*"
    r"|outline-.*|gpd\d*|cscotun\d*|sit\d*|gre.*|gretap.*|ip6tnl\d*|ip_vti\d*|tunl\d*|teredo.*|isatap.*|6to4.*|he-.*"
    r"|clat\d*|v4-.*|nebula\d*|zerotier.*|tailscale|wireguard.*|openvpn.*|hamachi.*|ham\d+|awdl\d*|llw\d*|anpi\d*",
    re.IGNORECASE,
)

_NEVER = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # RFC 6598: carriers' NAT, and what Tailscale gives out
        "127.0.0.0/8",
        "169.254.0.0/16",
        "192.0.0.0/24",  # RFC 6890: among them the inside of a 464XLAT translator
        "198.18.0.0/15",  # RFC 2544: used by proxies that fake an interface
        "224.0.0.0/3",
        "::/127",
        "::ffff:0:0/96",
        "fd7a:115c:a1e0::/48",  # Tailscale's own
        "fe80::/10",  # means nothing without the name of an interface of the other computer
        "fec0::/10",
        "ff00::/8",
    )
)


def never_announced(ip: IPAddress) -> bool:
    """True for addresses that mean nothing, or something else, on another computer."""
    return any(ip.version == network.version and ip in network for network in _NEVER)


def reachable_addresses(snapshot: LinkSnapshot) -> tuple[IPAddress, ...]:
    """The addresses to announce, best first; empty when there is no network.

    Left out: interfaces that are down, loopback, containers' and virtual machines' bridges, VPNs and
    point-to-point links (also when they carry the default route), and addresses of no use elsewhere.
    A bridge counts when it carries the default route or has a network card among its ports.
    First what carries the default route, then wires before radio; IPv4 before IPv6, because every
    household has it.
    """
    found: list[tuple[tuple[bool, bool, bool, str], IPAddress]] = []
    for interface in snapshot.interfaces:
        if not _reaches_the_household(interface, snapshot):
            continue
        for address in _lasting(interface.addresses):
            way_out = interface.name in _ways_out(snapshot)
            key = (not way_out, interface.wireless, address.ip.version == 6, interface.name)
            found.append((key, address.ip))
    found.sort(key=lambda item: (item[0], item[1].packed))
    return tuple(dict.fromkeys(ip for _, ip in found))


def own_networks(snapshot: LinkSnapshot) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """The networks that this computer shares with the household."""
    return tuple(
        dict.fromkeys(
            address.network
            for interface in snapshot.interfaces
            if _reaches_the_household(interface, snapshot)
            for address in interface.addresses
            if address.usable and not never_announced(address.ip)
        )
    )


def _ways_out(snapshot: LinkSnapshot) -> set[str]:
    return {route.interface for route in (snapshot.default_v4, snapshot.default_v6) if route is not None}


def _reaches_the_household(interface: Interface, snapshot: LinkSnapshot) -> bool:
    if not interface.up or interface.medium in (Medium.LOOPBACK, Medium.TUNNEL, Medium.VIRTUAL):
        return False
    if _TUNNELS.fullmatch(interface.name):
        return False
    if interface.name in _ways_out(snapshot):
        return True
    if _CONTAINERS.fullmatch(interface.name) or _CONTAINER_ENDS.fullmatch(interface.name):
        return False
    if interface.medium is Medium.BRIDGE:
        return any(port.bridge == interface.name and _is_card(port) for port in snapshot.interfaces)
    return True


def _is_card(port: Interface) -> bool:
    return port.medium is Medium.PHYSICAL and not any(
        names.fullmatch(port.name) for names in (_CONTAINERS, _CONTAINER_ENDS, _TUNNELS)
    )


def _lasting(addresses: tuple[Address, ...]) -> list[Address]:
    """Usable addresses; temporary ones only where nothing else of the same version is there."""
    good = [address for address in addresses if address.usable and not never_announced(address.ip)]
    lasting = {address.ip.version for address in good if not address.temporary}
    return [address for address in good if not address.temporary or address.ip.version not in lasting]
