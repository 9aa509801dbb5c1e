"""One peer's availability: a frozen value, changed by `apply` (what happened) and `tick` (what did not).

    joining --record online--> available <--answered-- suspect --silence--> unreachable
                                   |     --missed-->      |                    |
                                   '------ goodnight -----+--> asleep          '--answered--> available
                                   '------ goodbye -------+--> left

Asleep and left come back only with an announcement made after the farewell: a peer still answers while it
drains.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from swarm_app.availability.deadlines import heartbeat_timeout_s
from swarm_app.availability.events import (
    AddressChanged,
    HeartbeatAnswered,
    HeartbeatMissed,
    HeartbeatSent,
    LeftLate,
    OpinionAnswered,
    OpinionAsked,
    Outpaced,
    PeerEvent,
    RecordExpired,
    RecordSeen,
    RecordState,
    Refused,
    SaidGoodbye,
    SaidGoodnight,
    StepDone,
    StepLate,
    StreamReset,
)
from swarm_app.availability.selfhealth import NEVER, SelfHealth
from swarm_app.availability.suspicion import Suspicion
from swarm_app.availability.timings import NO_TIMINGS, Timings
from swarm_app.availability.trust import NEW, Trust
from swarm_app.domain.said import joined, say


class Availability(StrEnum):
    JOINING = "joining"
    """It starts: not usable yet."""
    AVAILABLE = "available"
    SUSPECT = "suspect"
    """It missed a heartbeat or broke a connection: nothing new goes to it until it answers."""
    UNREACHABLE = "unreachable"
    """It was given up."""
    ASLEEP = "asleep"
    """It said goodnight."""
    LEFT = "left"
    """It said goodbye, or withdrew its blocks."""


GONE = frozenset({Availability.UNREACHABLE, Availability.ASLEEP, Availability.LEFT})
FAREWELL = frozenset({Availability.ASLEEP, Availability.LEFT})
_AT_ONCE_S = 0.05
"""A heartbeat that fails sooner was not waited for: nobody listens there."""

_CAN_FALL_SILENT = frozenset({Availability.JOINING, Availability.AVAILABLE})


@dataclass(frozen=True, slots=True)
class PeerHealth:
    """All times are monotonic seconds of this computer."""

    state: Availability
    reason: str
    """Why, for people: ``went to sleep``. "" for a peer that is simply available."""
    since_s: float
    """In this state since."""
    at_s: float
    """The latest event or tick; time never goes back for a peer."""
    name: str = ""
    heard_s: float = NEVER
    """The latest sign of life that came straight from the peer."""
    asked_s: float | None = None
    """The oldest heartbeat without an answer, of a peer that is not in doubt yet."""
    asked_urgently: bool = False
    last_asked_s: float = NEVER
    asked_in_vain: int = 0
    """Heartbeats since it was given up."""
    trips: Timings = NO_TIMINGS
    suspicion: Suspicion | None = None
    record: RecordState | None = None
    record_expires: float = NEVER
    listed: bool = False
    """Its record was there at the latest look."""
    until_s: float | None = None
    """When a sleeper said that it would be back."""
    trust: Trust = NEW
    left_late: bool = False
    """Work left it because it was late, and its heartbeat in flight will say whether it is slow or silent."""
    run: str = ""
    """Which run of its process answered last."""

    def usable(self, now_s: float) -> bool:
        """Whether new work may go to it."""
        return self.state is Availability.AVAILABLE and now_s >= self.trust.avoid_until_s


def new_peer(now_s: float, name: str = "") -> PeerHealth:
    """A peer nothing is known of."""
    return PeerHealth(Availability.JOINING, say("starting"), now_s, now_s, name)


def apply(health: PeerHealth, event: PeerEvent, now_s: float, own: SelfHealth) -> PeerHealth:
    """The peer after `event`, which happened at `now_s`; `own` is this computer's health at that time."""
    now_s = max(now_s, health.at_s)
    constants = own.constants
    health = replace(health, at_s=now_s)
    match event:
        case RecordSeen():
            return _record_seen(health, event, now_s, own)
        case RecordExpired():
            health = replace(health, listed=False)
            if health.state in _CAN_FALL_SILENT and own.judges(now_s):
                return _suspected(health, Suspicion(now_s, now_s, say("unannounced"), missed=False))
            return health
        case HeartbeatSent(urgent):
            return _heartbeat_sent(health, urgent, now_s)
        case HeartbeatAnswered(round_trip_s, run):
            if now_s - round_trip_s >= own.disturbed_s:
                health = replace(health, trips=health.trips.with_sample(round_trip_s))
            return _alive(_in_run(health, run, now_s, own), now_s, own)
        case HeartbeatMissed(waited_s):
            sent_s = now_s - max(0.0, waited_s)
            if sent_s < own.judges_from_s() or not own.judges(now_s):
                return replace(health, asked_s=None)
            if sent_s < max(health.heard_s, health.since_s):
                # The peer was heard, or came back, since: that is the newer word.
                return health
            asked_s = sent_s if health.asked_s is None else min(sent_s, health.asked_s)
            return _silent(health, asked_s, health.asked_urgently, now_s)
        case StepDone():
            return _alive(health, now_s, own)
        case StepLate(waited_s):
            if health.state is not Availability.AVAILABLE:
                return health
            return replace(health, reason=say("late", number=waited_s))
        case StreamReset():
            if health.state is not Availability.AVAILABLE or not own.judges(now_s):
                return health
            broke = Suspicion(now_s, now_s, say("broke-off"), missed=False, urgent=True)
            return _suspected(health, broke)
        case Refused():
            return _alive(replace(health, trust=health.trust.refused(now_s, constants)), now_s, own)
        case Outpaced():
            return replace(health, trust=health.trust.outpaced(now_s, constants))
        case LeftLate():
            if health.state is not Availability.AVAILABLE:
                return health  # what its silence or its word means has been judged already
            if health.asked_s is None:
                return replace(health, trust=health.trust.outpaced(now_s, constants))
            return replace(health, left_late=True, trust=health.trust.refused(now_s, constants))
        case SaidGoodnight(until_s):
            asleep = _moved(health, Availability.ASLEEP, say("asleep"), now_s)
            return replace(asleep, until_s=until_s)
        case SaidGoodbye(pauses):
            reason = say("paused" if pauses else "goodbye")
            return _moved(health, Availability.LEFT, reason, now_s)
        case OpinionAsked(by):
            if health.suspicion is None:
                return health
            return replace(health, suspicion=health.suspicion.asked_of(by))
        case OpinionAnswered(by, alive):
            if health.suspicion is None:
                return health
            return replace(health, suspicion=health.suspicion.answered_by(by, alive))
        case AddressChanged():
            return _address_changed(health, now_s)
        case _:
            assert_never(event)


def tick(health: PeerHealth, now_s: float, own: SelfHealth) -> PeerHealth:
    """The peer after nothing was heard of it until `now_s`."""
    if health.asked_s is None and health.suspicion is None:
        return health
    now_s = max(now_s, health.at_s)
    if not own.judges(now_s):
        return health
    overdue_s = _overdue_s(health, own, now_s)
    if overdue_s is not None and now_s >= overdue_s:
        assert health.asked_s is not None
        health = _silent(replace(health, at_s=now_s), health.asked_s, health.asked_urgently, now_s)
    suspicion = health.suspicion
    if suspicion is not None and suspicion.missed and now_s >= suspicion.ends_s(own, now_s):
        return _given_up(replace(health, at_s=now_s), suspicion, own, now_s)
    return health


def due_s(health: PeerHealth, now_s: float, own: SelfHealth) -> float | None:
    """When `tick` would change the peer next if nothing is heard, or None."""
    times = [_overdue_s(health, own, now_s)]
    if health.suspicion is not None and health.suspicion.missed:
        times.append(health.suspicion.ends_s(own, now_s))
    return min((time for time in times if time is not None), default=None)


def pardon(health: PeerHealth, now_s: float, own: SelfHealth) -> PeerHealth:
    """The peer when this computer finds that it was asleep or has moved: doubts so far were its own fault.

    Every peer that may be there is to be asked anew, without the backoff that it had earned.
    """
    now_s = max(now_s, health.at_s)
    health = replace(health, at_s=now_s, asked_s=None, last_asked_s=NEVER, asked_in_vain=0, left_late=False)
    just_lost = health.state is Availability.UNREACHABLE and now_s - health.since_s <= own.constants.pardon_s
    if health.state is not Availability.SUSPECT and not just_lost:
        return health
    return _back(replace(health, suspicion=None, trust=health.trust.pardoned()), now_s, own)


# ---------------------------------------------------------------------- transitions


def _moved(health: PeerHealth, state: Availability, reason: str, now_s: float) -> PeerHealth:
    """Into `state`, without any doubt hanging over it. Already there: only the reason may change."""
    since_s = health.since_s if health.state is state else now_s
    return replace(
        health,
        state=state,
        reason=reason,
        since_s=since_s,
        asked_s=None,
        suspicion=None,
        until_s=None,
        left_late=False,
    )


def _back(health: PeerHealth, now_s: float, own: SelfHealth) -> PeerHealth:
    """It lives: available, or still joining if it says so itself."""
    if health.record is RecordState.JOINING:
        return _moved(health, Availability.JOINING, say("starting"), now_s)
    trust = health.trust.returned(now_s, own.constants)
    if health.suspicion is not None:
        trust = trust.interrupted(now_s, own.constants)
    return replace(_moved(health, Availability.AVAILABLE, "", now_s), trust=trust, asked_in_vain=0)


def _alive(health: PeerHealth, now_s: float, own: SelfHealth) -> PeerHealth:
    """A sign of life straight from the peer."""
    reason = "" if health.state is Availability.AVAILABLE else health.reason
    if health.left_late:
        # It lives: it was slow.
        health = replace(health, left_late=False, trust=health.trust.outpaced(now_s, own.constants))
    health = replace(health, heard_s=now_s, asked_s=None, reason=reason)
    match health.state:
        case Availability.SUSPECT | Availability.UNREACHABLE:
            return _back(health, now_s, own)
        case Availability.AVAILABLE | Availability.JOINING | Availability.ASLEEP | Availability.LEFT:
            return health
        case _:
            assert_never(health.state)


def _in_run(health: PeerHealth, run: str, now_s: float, own: SelfHealth) -> PeerHealth:
    """The peer when `run` of its process has answered. Another one than before holds no work of ours, and
    counts only with a record newer than its start: it answers long before its blocks are loaded."""
    if not run or run == health.run:
        return health
    # Of a lost one that was never heard before, nobody knows.
    again = health.run != "" or health.state is Availability.UNREACHABLE
    health = replace(health, run=run)
    if not again or health.state in FAREWELL or health.state is Availability.JOINING:
        return health
    trust = health.trust.lost(now_s, own.constants)
    health = replace(health, record=RecordState.JOINING, trust=trust)
    return _moved(health, Availability.JOINING, say("starting"), now_s)


def _silent(health: PeerHealth, sent_s: float, urgent: bool, now_s: float) -> PeerHealth:
    """A heartbeat sent at `sent_s` has not been answered in time."""
    health = replace(health, asked_s=None)
    if health.state in _CAN_FALL_SILENT:
        return _suspected(health, Suspicion(now_s, sent_s, urgent=urgent))
    if health.suspicion is not None and not health.suspicion.missed:
        return replace(health, suspicion=replace(health.suspicion, missed=True))
    return health


def _suspected(health: PeerHealth, suspicion: Suspicion) -> PeerHealth:
    now_s = suspicion.since_s
    silent_s = now_s - suspicion.silent_from_s
    reason = suspicion.why or (say("silent", number=silent_s) if silent_s >= _AT_ONCE_S else say("unreached"))
    # What was asked before a connection broke stays open: its silence is what decides.
    asked_s = health.asked_s
    moved = _moved(health, Availability.SUSPECT, reason, now_s)
    return replace(moved, suspicion=suspicion, asked_s=None if suspicion.missed else asked_s)


def _given_up(health: PeerHealth, suspicion: Suspicion, own: SelfHealth, now_s: float) -> PeerHealth:
    silence = say("silent", number=now_s - suspicion.silent_from_s)
    if suspicion.vouched:
        reason = say("vouched-for")
    elif suspicion.why:
        reason = joined(" and ", [suspicion.why, silence])
    else:
        reason = silence
    trust = health.trust
    if not own.blind() and health.record is not RecordState.JOINING:
        # Losing everybody at once, or somebody who did no work yet, is no mark against a peer.
        trust = trust.lost(now_s, own.constants)
    gone = _moved(health, Availability.UNREACHABLE, reason, now_s)
    return replace(gone, trust=trust, asked_in_vain=0)


def _record_seen(health: PeerHealth, event: RecordSeen, now_s: float, own: SelfHealth) -> PeerHealth:
    health = replace(health, name=event.name or health.name, listed=True)
    if event.expires <= health.record_expires:
        return health
    health = replace(health, record=event.state, record_expires=event.expires)
    if health.state in FAREWELL and now_s - health.since_s < own.constants.drain_s:
        return health
    match event.state:
        case RecordState.OFFLINE:
            if health.state in FAREWELL:
                return health
            return _moved(health, Availability.LEFT, say("stopped"), now_s)
        case RecordState.JOINING:
            if health.state in (Availability.AVAILABLE, Availability.SUSPECT):
                # It started anew without a word: what it held for us is gone.
                health = replace(health, trust=health.trust.lost(now_s, own.constants))
            if health.state is not Availability.JOINING:
                # Which run that is will be heard; it is not another one than this.
                health = replace(health, run="")
            return _moved(health, Availability.JOINING, say("starting"), now_s)
        case RecordState.ONLINE:
            if health.state in FAREWELL:
                # It may be another run than the one that took its leave, and this is that run's own word.
                return _back(replace(health, run=""), now_s, own)
            if health.state is Availability.JOINING:
                return _back(health, now_s, own)
            if health.state is Availability.UNREACHABLE:
                # It may just have come back: ask at once.
                reason = health.reason
                if now_s - health.since_s > own.constants.drain_s:
                    reason = say("only-announced")
                return replace(health, reason=reason, last_asked_s=NEVER, asked_in_vain=0)
            return health
        case _:
            assert_never(event.state)


def _heartbeat_sent(health: PeerHealth, urgent: bool, now_s: float) -> PeerHealth:
    health = replace(health, last_asked_s=now_s)
    if health.suspicion is not None:
        suspicion = replace(health.suspicion, urgent=health.suspicion.urgent or urgent)
        asked_s = health.asked_s
        if not suspicion.missed and (asked_s is None or (suspicion.urgent and not health.asked_urgently)):
            asked_s = now_s
        return replace(health, suspicion=suspicion, asked_s=asked_s, asked_urgently=suspicion.urgent)
    if health.state in _CAN_FALL_SILENT:
        if health.asked_s is None or (urgent and not health.asked_urgently):
            # An idle heartbeat may be slow; the time of an urgent one starts with its own sending.
            return replace(health, asked_s=now_s, asked_urgently=urgent)
        return health
    if health.state is Availability.UNREACHABLE:
        return replace(health, asked_in_vain=health.asked_in_vain + 1)
    return health


def _address_changed(health: PeerHealth, now_s: float) -> PeerHealth:
    """It deserves a heartbeat at the new address before any judgement."""
    health = replace(health, asked_s=None, last_asked_s=NEVER, asked_in_vain=0, heard_s=NEVER)
    if health.suspicion is not None:
        suspicion = Suspicion(now_s, now_s, say("moved"), missed=False, urgent=health.suspicion.urgent)
        return replace(health, suspicion=suspicion, reason=suspicion.why)
    return health


def _overdue_s(health: PeerHealth, own: SelfHealth, now_s: float) -> float | None:
    """When the heartbeat in flight counts as missed."""
    if health.asked_s is None:
        return None
    timeout_s = heartbeat_timeout_s(health.trips, own, now_s, urgent=health.asked_urgently)
    return max(health.asked_s, own.judges_from_s()) + timeout_s
