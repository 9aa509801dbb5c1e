"""In which order, and how far apart, to dial a peer's addresses. Pure.

After RFC 8305 ("happy eyeballs"): the families take turns, attempts overlap, and a dead one costs
its head start and nothing more.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from swarm_app.host.link.reach import never_announced, own_networks, reachable_addresses
from swarm_app.host.link.snapshot import IPAddress, LinkSnapshot

HEAD_START_S = 0.25
"""RFC 8305's connection attempt delay: far above a round trip at home, below what a person notices."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Dial `address` when `delay_s` have passed since the first attempt and none has succeeded."""

    address: str
    delay_s: float


def order_for_dialling(
    addresses: Sequence[str], own: LinkSnapshot | None = None, *, head_start_s: float = HEAD_START_S
) -> tuple[Attempt, ...]:
    """The attempts for `addresses`: IP addresses or multiaddresses (/ip4/…, /ip6/…, /dns…), as announced.

    Each address once. First those in a network of this computer's own; then IPv4 and IPv6 in turn,
    starting with IPv4 unless this computer has IPv6 alone; last those that this computer cannot reach
    at all by what `own` shows (never dropped: a snapshot can be wrong). However many dead addresses
    there are, the first one of each family starts within one head start.
    """
    unique = list(dict.fromkeys(addresses))
    networks = own_networks(own) if own is not None else ()
    have: set[int] = {4, 6} if own is None else {ip.version for ip in reachable_addresses(own)}

    def near(address: str) -> bool:
        ip = ip_of(address)
        return ip is not None and any(ip.version == net.version and ip in net for net in networks)

    def hopeless(address: str) -> bool:
        ip = ip_of(address)
        if ip is None or ip.is_loopback:
            return False  # loopback is a household on one computer
        return never_announced(ip) or (bool(have) and ip.version not in have)

    hoped = [address for address in unique if not hopeless(address)]
    ordered = [
        *_in_turn([address for address in hoped if near(address)], have),
        *_in_turn([address for address in hoped if not near(address)], have),
        *(address for address in unique if hopeless(address)),
    ]
    return _timed(ordered, head_start_s)


def ip_of(address: str) -> IPAddress | None:
    """The IP address in an address or multiaddress; None for a name or anything else."""
    parts = address.split("/")
    text = parts[2] if address.startswith(("/ip4/", "/ip6/")) and len(parts) > 2 else address
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _family(address: str) -> int:
    ip = ip_of(address)
    return ip.version if ip is not None else 0


def _in_turn(addresses: list[str], have: set[int]) -> list[str]:
    """Families alternate; within one the given order stays."""
    families = [4, 6, 0] if 4 in have or not have else [6, 4, 0]
    queues = [[address for address in addresses if _family(address) == family] for family in families]
    ordered: list[str] = []
    while any(queues):
        for queue in queues:
            if queue:
                ordered.append(queue.pop(0))
    return ordered


def _timed(ordered: list[str], head_start_s: float) -> tuple[Attempt, ...]:
    """One head start between attempts, but the first of a family never waits longer than one."""
    attempts: list[Attempt] = []
    seen: set[int] = set()
    for index, address in enumerate(ordered):
        delay_s = index * head_start_s
        if _family(address) not in seen:
            delay_s = min(delay_s, head_start_s)
        seen.add(_family(address))
        attempts.append(Attempt(address, delay_s))
    attempts.sort(key=lambda attempt: attempt.delay_s)
    return tuple(attempts)
