"""All peers together with this computer's own health: the one thing that an engine keeps.

Every call takes `now_s` (monotonic seconds) and first lets pass what time alone decides, so that nobody
needs a precise timer; `next_tick_s` says when to come back at the latest. A call that comes later than that
measures how late this process runs. What changed is collected for `take_changes`.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from swarm_app.availability.constants import HOME_LAN, Constants
from swarm_app.availability.deadlines import heartbeat_timeout_s
from swarm_app.availability.events import (
    HeartbeatAnswered,
    OpinionAnswered,
    PeerEvent,
    RecordSeen,
    StepDone,
)
from swarm_app.availability.health import (
    FAREWELL,
    GONE,
    Availability,
    PeerHealth,
    apply,
    due_s,
    new_peer,
    pardon,
    tick,
)
from swarm_app.availability.policy import Policy
from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.availability.verdict import Judgement, LateStep, judge

_PUNCTUAL_S = 0.01
"""A timer that is late by less than this is not late: what an idle event loop does."""


@dataclass(frozen=True, slots=True)
class Change:
    """A peer's state or its reason changed at `at_s`. `before` is None for a new peer, `after` for a
    forgotten one."""

    peer: str
    name: str
    before: Availability | None
    after: Availability | None
    reason: str
    at_s: float


class Household:
    """Not thread-safe; one per event loop."""

    def __init__(self, now_s: float, constants: Constants = HOME_LAN, *, local: Collection[str] = ()) -> None:
        self.constants = constants
        self.own = SelfHealth(constants)
        self.local = frozenset(local)
        """Peers on this very computer: their answers prove nothing about its link."""
        self._peers: dict[str, PeerHealth] = {}
        self._changes: list[Change] = []
        self._now_s = now_s
        self._promised_s = math.inf

    # ------------------------------------------------------------------ what happened

    def apply(self, peer: str, event: PeerEvent, now_s: float) -> PeerHealth:
        """`event` happened to `peer`. Returns its health now.

        A record or an answer introduces a peer that was not known; anything else about one is passed over, so
        that what is still in flight to a forgotten peer does not call it back.
        """
        now_s = self.tick(now_s)
        if peer not in self._peers and not isinstance(event, RecordSeen | HeartbeatAnswered | StepDone):
            return new_peer(now_s)
        match event:
            case HeartbeatAnswered(round_trip_s):
                self._answered(peer, now_s - round_trip_s, now_s)
            case StepDone(took_s):
                self._answered(peer, now_s - took_s, now_s)
            case OpinionAnswered(by, alive):
                if by == peer:
                    return self.health(peer, now_s)
                suspected = self._peers.get(peer)
                if alive and suspected is not None and suspected.suspicion is not None:
                    self.own = self.own.contradicted()
            case _:
                pass
        after = apply(self.health(peer, now_s), event, now_s, self.own)
        self._put(peer, after, now_s)
        # What the event made due: a suspicion that a second opinion has shortened to nothing.
        self._tick_peer(peer, now_s)
        return self._peers.get(peer, after)

    def tick(self, now_s: float) -> float:
        """Let time pass until `now_s`; returns the time that counts (it never goes back)."""
        now_s = max(now_s, self._now_s)
        self._now_s = now_s
        self.overslept(now_s - self._promised_s, now_s)
        for peer in list(self._peers):
            self._tick_peer(peer, now_s)
        return now_s

    def overslept(self, late_s: float, now_s: float) -> None:
        """A timer of this process fired `late_s` late, which may be as usual."""
        if late_s > _PUNCTUAL_S:
            self.timer_late(late_s, now_s)

    def timer_late(self, late_s: float, now_s: float) -> None:
        """A timer of this process fired `late_s` late. More than `wake_gap_s` counts as having slept."""
        self._promised_s = math.inf
        if late_s > self.constants.wake_gap_s:
            self.woke(now_s)
        else:
            self.own = self.own.timer_late(late_s, now_s)

    def woke(self, now_s: float) -> None:
        """This computer was asleep."""
        self._disturbed(self.own.woke(max(now_s, self._now_s)), now_s)

    def moved(self, now_s: float) -> None:
        """This computer has another address or access point."""
        self._disturbed(self.own.moved(max(now_s, self._now_s)), now_s)

    def take_changes(self) -> list[Change]:
        """What changed since the last call, in order."""
        changes, self._changes = self._changes, []
        return changes

    # ------------------------------------------------------------------ what to do

    def next_tick_s(self, now_s: float) -> float:
        """When to call `tick` next, at the latest; calling later than that counts as this process's lag."""
        now_s = max(now_s, self._now_s)
        times = [now_s + self.constants.heartbeat_every_s]
        for health in self._peers.values():
            times.append(self._ask_at_s(health))
            due = due_s(health, now_s, self.own)
            if due is not None:
                times.append(due)
        self._promised_s = max(now_s + _PUNCTUAL_S, min(times))
        return self._promised_s

    def to_ask(self, now_s: float) -> list[str]:
        """The peers that are due for a heartbeat. Send each one and say HeartbeatSent, or be told again."""
        now_s = max(now_s, self._now_s)
        return [peer for peer, health in self._peers.items() if now_s >= self._ask_at_s(health)]

    def to_consult(self, peer: str, now_s: float) -> list[str]:
        """Whom to ask for a second opinion on a suspect: peers that are well and have not been asked yet."""
        health = self._peers.get(peer)
        if health is None or health.suspicion is None:
            return []
        wanted = self.constants.enough_opinions - len(health.suspicion.asked)
        able = [
            (-other.heard_s, name)
            for name, other in self._peers.items()
            if name != peer and other.state is Availability.AVAILABLE and name not in health.suspicion.asked
        ]
        return [name for _, name in sorted(able)[: max(0, wanted)]]

    def heartbeat_wait_s(self, peer: str, now_s: float) -> float:
        """How long to keep a heartbeat open: far beyond the timeout, because a late answer clears a peer.

        `tick` decides long before, by itself.
        """
        health = self._peers.get(peer)
        trips = new_peer(now_s).trips if health is None else health.trips
        soon_s = heartbeat_timeout_s(trips, self.own, now_s, urgent=False)
        return soon_s + self.own.scale_s(self.constants.suspicion_max_s, now_s)

    def judge(self, peer: str, late: LateStep, now_s: float, policy: Policy | None = None) -> Judgement:
        """What to do about a step that `peer` has not answered; see `verdict.judge`."""
        now_s = self.tick(now_s)
        return judge(self.health(peer, now_s), late, now_s, self.own, policy)

    # ------------------------------------------------------------------ what is known

    def health(self, peer: str, now_s: float) -> PeerHealth:
        """The peer's health; a new one when nothing is known of it."""
        return self._peers.get(peer) or new_peer(now_s)

    @property
    def peers(self) -> dict[str, PeerHealth]:
        """All peers that are known, by id; a copy."""
        return dict(self._peers)

    def usable(self, now_s: float) -> frozenset[str]:
        """Peers to which new work may go."""
        return frozenset(peer for peer, health in self._peers.items() if health.usable(now_s))

    def avoid_until_s(self) -> dict[str, float]:
        """For the route choice: the time until which each peer is on probation, where there is one.

        A probation is a preference: when no route is left, choose again without it.
        """
        return {
            peer: health.trust.avoid_until_s
            for peer, health in self._peers.items()
            if health.trust.avoid_until_s > self._now_s
        }

    # ------------------------------------------------------------------ inside

    def _answered(self, peer: str, sent_s: float, now_s: float) -> None:
        if peer not in self.local:
            self.own = self.own.answered(sent_s, now_s)

    def _disturbed(self, own: SelfHealth, now_s: float) -> None:
        now_s = self._now_s = max(now_s, self._now_s)
        self._promised_s = math.inf
        self.own = own
        for peer, health in list(self._peers.items()):
            self._put(peer, pardon(health, now_s, own), now_s)

    def _tick_peer(self, peer: str, now_s: float) -> None:
        before = self._peers[peer]
        after = tick(before, now_s, self.own)
        if after is not before:
            self._put(peer, after, now_s)
        if self._forgettable(after, now_s):
            gone = self._peers.pop(peer)
            self._changes.append(Change(peer, gone.name, gone.state, None, gone.reason, now_s))

    def _put(self, peer: str, health: PeerHealth, now_s: float) -> None:
        before = self._peers.get(peer)
        self._peers[peer] = health
        if _silent(health) and not _silent(before) and peer not in self.local:
            self.own = self.own.missed(peer)
        was = None if before is None else before.state
        if before is None or (was, before.reason) != (health.state, health.reason):
            self._changes.append(Change(peer, health.name, was, health.state, health.reason, now_s))

    def _ask_at_s(self, health: PeerHealth) -> float:
        """When the peer is to be asked next; never for those who said farewell."""
        constants = self.constants
        if health.state in FAREWELL:
            return math.inf
        if health.state is Availability.UNREACHABLE:
            pause_s = constants.ask_lost_s * 2.0 ** min(health.asked_in_vain, 30)
            return health.last_asked_s + min(constants.ask_lost_cap_s, pause_s)
        if health.state is Availability.SUSPECT or self.own.blind() or not self.own.judges(self._now_s):
            return health.last_asked_s + constants.ask_again_s
        return max(health.heard_s, health.last_asked_s) + constants.heartbeat_every_s

    def _forgettable(self, health: PeerHealth, now_s: float) -> bool:
        if health.state not in GONE or health.listed:
            return False
        asleep = health.state is Availability.ASLEEP
        keep_s = self.constants.forget_asleep_s if asleep else self.constants.forget_s
        return now_s - health.since_s > keep_s


def _silent(health: PeerHealth | None) -> bool:
    return health is not None and health.suspicion is not None and health.suspicion.missed
