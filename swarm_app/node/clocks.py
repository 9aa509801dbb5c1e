"""Whose clock is wrong: what calls between members show of it. Pure, but for what it remembers.

Two clocks that differ do not say which of them is wrong. A third one does: where others agree with this
computer's, the odd one is wrong; where they all differ from it, this computer's is.

State owned: the latest offset of each member's clock. Callers: `swarm_app.node.gossip` (what a call showed),
`private` (what is told).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from swarm_app.membership.clocks import MAX_SKEW_S
from swarm_app.node.state import ClockOff

FORGET_S = 300.0
"""A wrong clock that was not met again for this long is a computer that is off, and disturbs nobody."""


@dataclass(frozen=True, slots=True)
class _Seen:
    name: str
    offset_s: float
    """How far it was ahead of ours."""
    at: float
    """Monotonic seconds."""

    @property
    def apart(self) -> bool:
        return abs(self.offset_s) > MAX_SKEW_S


class Clocks:
    """The members' clocks as this computer met them last."""

    def __init__(self) -> None:
        self._seen: dict[bytes, _Seen] = {}

    def met(self, device_key: bytes, name: str, offset_s: float, now: float) -> None:
        """That device's clock is `offset_s` ahead of ours at monotonic second `now`."""
        self._seen[device_key] = _Seen(name, offset_s, now)

    def moved(self) -> None:
        """Our own clock was set: what was seen before says nothing any more."""
        self._seen.clear()

    def verdict(self, members: Collection[bytes], now: float) -> ClockOff | None:
        """Whose clock is wrong, and by how much; `members` are the devices that count."""
        met = {key: seen for key, seen in self._seen.items() if key in members and now - seen.at < FORGET_S}
        self._seen = met
        apart = [seen for seen in met.values() if seen.apart]
        if not apart:
            return None
        furthest = max(apart, key=lambda seen: abs(seen.offset_s))
        theirs = [seen for seen in apart if abs(seen.offset_s - furthest.offset_s) <= MAX_SKEW_S]
        ours = len(met) - len(apart) + 1
        # Whole seconds: what wobbles is no news.
        offset_s = float(round(median(seen.offset_s for seen in theirs)))
        if len(theirs) > ours:
            return ClockOff("", -offset_s, True, tuple(sorted(seen.name for seen in theirs)))
        return ClockOff(furthest.name, offset_s, len(theirs) < ours)
