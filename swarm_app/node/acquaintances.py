"""Whom a node remembers, to join the household by after a restart. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from swarm_app.childproto import SeenPeer
from swarm_app.config.peersfile import MAX_PEERS, KnownPeer, known_peer
from swarm_app.node.state import AWAY


def remember(
    known: tuple[KnownPeer, ...], seen: Sequence[SeenPeer], own: Collection[str]
) -> tuple[KnownPeer, ...]:
    """`known` after a look at the swarm; equal to it where nothing is worth writing down.

    Who is there comes first, in an order that stays while they do; then who was there, the latest first.
    A peer that is away keeps the address that it had. `own`: ids of this node, which it need not remember.
    """
    there = {peer.peer_id for peer in seen if peer.state not in AWAY}
    fresh = {
        peer.peer_id: new
        for peer in seen
        if peer.peer_id in there and (new := known_peer(peer.peer_id, peer.name, peer.addresses))
    }
    everybody = [fresh.pop(peer.peer_id, peer) for peer in known]
    everybody += fresh.values()
    everybody.sort(key=lambda peer: peer.peer_id not in there)  # stable: the order stays otherwise
    return tuple(peer for peer in everybody if peer.peer_id not in own)[:MAX_PEERS]


def told(
    known: tuple[KnownPeer, ...], addresses: Sequence[str], own: Collection[str]
) -> tuple[KnownPeer, ...]:
    """`known` after a member has told `addresses` of processes: newer than what was known of them before."""
    by_peer: dict[str, list[str]] = {}
    for address in addresses:
        by_peer.setdefault(address.rpartition("/p2p/")[2], []).append(address)
    names = {peer.peer_id: peer.name for peer in known}
    fresh = {
        peer_id: new
        for peer_id, theirs in by_peer.items()
        if peer_id not in own and (new := known_peer(peer_id, names.get(peer_id, ""), theirs))
    }
    kept = [fresh.pop(peer.peer_id, peer) for peer in known]
    return (*fresh.values(), *kept)[:MAX_PEERS]


def join_addresses(known: Sequence[KnownPeer]) -> tuple[str, ...]:
    """All their addresses; the first one of each peer ahead of anybody's second."""
    longest = max((len(peer.addresses) for peer in known), default=0)
    return tuple(
        peer.addresses[turn] for turn in range(longest) for peer in known if turn < len(peer.addresses)
    )
