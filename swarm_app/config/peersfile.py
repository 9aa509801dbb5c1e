"""``peers.json`` of a profile: where the household was when the node last ran.

A node that starts again joins by whoever of them answers, so that neither the one whose address was typed in
once nor the founder has to be there. The file holds nothing secret; it is private (0600) because it says
whose computers a person shares a household with.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarm_app.config.paths import read_json, write_private

MAX_PEERS = 16
MAX_ADDRESSES = 4
"""Of one peer: a wire, a radio, and each in IPv4 and IPv6."""

_MAX_BYTES = 64 * 1024
_MAX_NAME = 64
_IP = re.compile(r"/(ip[46])/([0-9A-Fa-f:.]{2,45})/(?:tcp|udp)/([0-9]{1,5})(?:/[a-z0-9-]{1,20})*/p2p/(\S+)")
_DNS = re.compile(r"/dns[46]?/[A-Za-z0-9.-]{1,253}/(?:tcp|udp)/([0-9]{1,5})(?:/[a-z0-9-]{1,20})*/p2p/(\S+)")
_PEER_ID = re.compile(r"[1-9A-HJ-NP-Za-km-z]{20,80}")


@dataclass(frozen=True, slots=True)
class KnownPeer:
    """A peer that was seen. `addresses` are multiaddresses that end in its own id."""

    peer_id: str
    name: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the file holds. `port`: where this computer's own blocks were reached, 0 where they never were."""

    port: int = 0
    peers: tuple[KnownPeer, ...] = ()


def is_address_of(address: str, peer_id: str) -> bool:
    """Whether a multiaddress is whole, and of that very peer.

    Checked here because it comes from the network, and a child that is given a broken one does not start.
    """
    if found := _IP.fullmatch(address):
        kind, host, port, owner = found.groups()
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            return False
        if f"ip{ip.version}" != kind or ip.is_unspecified:
            return False
    elif found := _DNS.fullmatch(address):
        port, owner = found.groups()
    else:
        return False
    return owner == peer_id and bool(_PEER_ID.fullmatch(owner)) and 0 < int(port) < 65536


def known_peer(peer_id: str, name: str, addresses: Sequence[str]) -> KnownPeer | None:
    """A peer with those of its addresses that are in order; None where there is none."""
    good = tuple(dict.fromkeys(address for address in addresses if is_address_of(address, peer_id)))
    return KnownPeer(peer_id, name[:_MAX_NAME], good[:MAX_ADDRESSES]) if good else None


def read(path: Path) -> Remembered:
    """What the file says; what is broken in it, or all of it, is left out."""
    value = read_json(path, _MAX_BYTES)
    if not isinstance(value, dict):
        return Remembered()
    peers = [peer for entry in _list(value.get("peers")) if (peer := _peer(entry)) is not None]
    unique = {peer.peer_id: peer for peer in reversed(peers)}
    port = value.get("port")
    if type(port) is not int or not 0 < port < 65536:
        port = 0
    return Remembered(port, tuple(reversed(unique.values()))[:MAX_PEERS])


def write(path: Path, remembered: Remembered) -> None:
    """Replace the file in one step. Raises OSError where the disk refuses."""
    content = {
        "port": remembered.port,
        "peers": [
            {"peer_id": peer.peer_id, "name": peer.name, "addresses": list(peer.addresses)}
            for peer in remembered.peers[:MAX_PEERS]
        ],
    }
    write_private(path, json.dumps(content, indent=1) + "\n")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _peer(entry: Any) -> KnownPeer | None:
    if not isinstance(entry, dict):
        return None
    peer_id, name = entry.get("peer_id"), entry.get("name")
    if not isinstance(peer_id, str) or not isinstance(name, str):
        return None
    return known_peer(
        peer_id, name, [address for address in _list(entry.get("addresses")) if isinstance(address, str)]
    )
