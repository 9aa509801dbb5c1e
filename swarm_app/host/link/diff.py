"""What changed between two snapshots, for the reasons of it. Pure."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from swarm_app.host.link.reach import reachable_addresses
from swarm_app.host.link.snapshot import DefaultRoute, IPAddress, LinkSnapshot


class LinkReason(enum.StrEnum):
    """Past tense; the words that logs and the chat use."""

    CAME_ONLINE = "came-online"
    WENT_OFFLINE = "went-offline"
    ADDRESS_ADDED = "address-added"
    ADDRESS_GONE = "address-gone"
    WAY_OUT_CHANGED = "way-out-changed"
    """Another interface or gateway carries the default route."""
    NETWORK_CHANGED = "network-changed"
    """Another wireless network."""
    ACCESS_POINT_CHANGED = "access-point-changed"
    """Another access point of the same network: connections survive, a moment is lost."""
    METERED_CHANGED = "metered-changed"


_REBIND = frozenset(
    {
        LinkReason.CAME_ONLINE,
        LinkReason.ADDRESS_ADDED,
        LinkReason.ADDRESS_GONE,
        LinkReason.WAY_OUT_CHANGED,
        LinkReason.NETWORK_CHANGED,
    }
)


@dataclass(frozen=True, slots=True)
class LinkDelta:
    """Why a snapshot differs from the one before. No reasons: nothing that matters to the household."""

    reasons: frozenset[LinkReason]
    rebind_needed: bool
    """Connections made before may be dead and announcements stale; there is a network to do it on."""
    added: tuple[IPAddress, ...] = ()
    """Addresses to announce now that were not before."""
    gone: tuple[IPAddress, ...] = ()
    """Addresses announced before that are stale now."""

    def __bool__(self) -> bool:
        return bool(self.reasons)


def diff(before: LinkSnapshot, after: LinkSnapshot) -> LinkDelta:
    """The delta from `before` to `after`. Interfaces that no housemate can reach do not count."""
    old, new = reachable_addresses(before), reachable_addresses(after)
    added = tuple(ip for ip in new if ip not in old)
    gone = tuple(ip for ip in old if ip not in new)
    reasons: set[LinkReason] = set()
    if not old and new:
        reasons.add(LinkReason.CAME_ONLINE)
    if old and not new:
        reasons.add(LinkReason.WENT_OFFLINE)
    if added:
        reasons.add(LinkReason.ADDRESS_ADDED)
    if gone:
        reasons.add(LinkReason.ADDRESS_GONE)
    if new and any(map(_moved, _ways(before), _ways(after))):
        reasons.add(LinkReason.WAY_OUT_CHANGED)
    was, now = before.access_point, after.access_point
    if was is not None and now is not None and was != now:
        same_network = was.ssid == now.ssid
        reasons.add(LinkReason.ACCESS_POINT_CHANGED if same_network else LinkReason.NETWORK_CHANGED)
    if before.metered != after.metered and after.metered is not None:
        reasons.add(LinkReason.METERED_CHANGED)
    rebind = bool(new) and bool(reasons & _REBIND)
    return LinkDelta(frozenset(reasons), rebind, added, gone)


def _ways(snapshot: LinkSnapshot) -> tuple[DefaultRoute | None, DefaultRoute | None]:
    return snapshot.default_v4, snapshot.default_v6


def _moved(before: DefaultRoute | None, after: DefaultRoute | None) -> bool:
    """A default route that merely goes or comes moves nothing: housemates are not behind it."""
    return before is not None and after is not None and before != after
