"""What is known of the swarm's peers: their entries in the roll, their health, what was measured of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace

from swarm_app.availability.constants import HOME_LAN, Constants
from swarm_app.availability.deadlines import StepDeadline
from swarm_app.availability.events import (
    HeartbeatAnswered,
    HeartbeatMissed,
    HeartbeatSent,
    LeftLate,
    Outpaced,
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
from swarm_app.availability.health import Availability
from swarm_app.availability.household import Household
from swarm_app.availability.verdict import Judgement, LateStep
from swarm_app.bridge.records import EXPIRE_S, Roll, ServerRecord
from swarm_app.childproto import PeerChange, SeenPeer, SwarmSeen
from swarm_app.domain.errors import HomeswarmError, PeerLost
from swarm_app.domain.pause import ASLEEP, BROKEN, FAREWELLS, LATE, LEFT, PAUSED, SILENT, SLOW
from swarm_app.domain.route import Hop
from swarm_app.domain.said import reasons_of, say
from swarm_app.domain.span import Span
from swarm_app.engines.legs import Measured
from swarm_app.routing.cost import ONLINE, PeerOffer


class View:
    """One model's swarm as this engine sees it. One event loop; times are monotonic seconds."""

    def __init__(
        self,
        model_id: str,
        num_blocks: int,
        constants: Constants = HOME_LAN,
        *,
        local: Collection[str] = (),
    ) -> None:
        """`local`: ids of this computer's own peers, whose answers prove nothing about its link."""
        self.model_id = model_id
        self.num_blocks = num_blocks
        self.records: list[ServerRecord] = []
        self._last: dict[str, ServerRecord] = {}
        """The latest entry of everybody that is still known, sleepers included."""
        self.household = Household(time.monotonic(), constants, local=local)
        self.round_trip_s: dict[str, float] = {}
        self.seconds_per_block: dict[str, float] = {}
        self.barred: Callable[[str], str] = lambda peer: ""
        """Why a peer must not be used (in a private swarm: see `bridge.gate.Gate.barred`), or ""."""
        self._looked_at_s = -EXPIRE_S
        self._newer: tuple[str, ...] = ()
        self._older: tuple[str, ...] = ()
        """Computers whose entries are of another version, as the latest look had them."""
        self._outpaced: set[str] = set()
        """Left because they were slow: what was measured of them holds until they get work again."""

    # ------------------------------------------------------------------ what happened

    def looked(self, roll: Roll | None) -> list[ServerRecord]:
        """Take what a look at the roll gave; returns the records whose addresses have changed.

        Without an answer, what was seen last holds until it expires.
        """
        now_s = time.monotonic()
        if roll is None:
            if now_s - self._looked_at_s <= EXPIRE_S:
                return []
            roll = Roll([])
        else:
            self._looked_at_s = now_s
        self._newer, self._older = roll.newer, roll.older
        records = [self._as_ours(record) for record in roll.servers]
        before = {record.peer_id: record for record in self.records}
        self.records = records
        known = self.household.peers
        self._last = {peer: record for peer, record in self._last.items() if peer in known}
        self._last |= {record.peer_id: record for record in records}
        for peer in before.keys() - {record.peer_id for record in records}:
            self.household.apply(peer, RecordExpired(), now_s)
        for record in records:
            state = RecordState.ONLINE if record.online else RecordState.JOINING
            if record.leaving:
                state = RecordState.OFFLINE
            self.household.apply(record.peer_id, RecordSeen(state, record.expires_s, record.name), now_s)
            # Only with the announcement that is the latest known: an old look at the roll must not put a
            # peer that woke back to sleep.
            latest = self.household.health(record.peer_id, now_s).record_expires
            if record.leaving and record.expires_s == latest:
                self._said_farewell(record.peer_id, record.leaving, now_s)
        return [
            record
            for record in records
            if record.peer_id in before
            and record.addresses
            and record.addresses != before[record.peer_id].addresses
        ]

    def measured(self, step: Measured) -> None:
        """A decode step is done: it proves life, and teaches speed."""
        self.household.apply(step.peer, StepDone(step.total_s), time.monotonic())
        per_block = step.compute_s / step.blocks
        known = self.seconds_per_block.get(step.peer)
        if self._is_tried_again(step.peer):
            known = None
            self._outpaced.discard(step.peer)
        self.seconds_per_block[step.peer] = per_block if known is None else 0.9 * known + 0.1 * per_block

    def lost(self, hop: Hop, error: HomeswarmError) -> None:
        """A session was lost, refused or bidden goodnight by a peer."""
        now_s = time.monotonic()
        if not isinstance(error, PeerLost):
            self.household.apply(hop.peer, Refused(), now_s)
        elif error.cause in FAREWELLS:
            self._said_farewell(hop.peer, error.cause, now_s)
        elif error.cause == BROKEN:
            self.household.apply(hop.peer, StreamReset(), now_s)
        elif error.cause == LATE:
            self.household.apply(hop.peer, LeftLate(), now_s)
        elif error.cause != SILENT:  # what silence means has been judged already
            self.household.apply(hop.peer, Outpaced(), now_s)
            self._outpaced.add(hop.peer)

    def late(self, peer: str, waited_s: float) -> None:
        """A step is over its deadline; nobody waits for less than the truth about why."""
        self.household.apply(peer, StepLate(waited_s), time.monotonic())

    def asked(self, peer: str, *, urgent: bool) -> None:
        """A heartbeat is on its way."""
        self.household.apply(peer, HeartbeatSent(urgent), time.monotonic())

    def answered(self, peer: str, trip_s: float | None, waited_s: float, run: str = "") -> None:
        """It was answered after `trip_s`, or never (None) in `waited_s`; by which `run` of its process."""
        now_s = time.monotonic()
        if trip_s is None:
            self.household.apply(peer, HeartbeatMissed(waited_s), now_s)
            return
        self.household.tick(now_s)
        if self.household.health(peer, now_s).left_late:
            self._outpaced.add(peer)  # it lives: it was slow
        self.household.apply(peer, HeartbeatAnswered(trip_s, run), now_s)
        known = self.round_trip_s.get(peer)
        # Congestion only adds: a faster one counts at once, a slower one slowly.
        self.round_trip_s[peer] = trip_s if known is None else min(trip_s, 0.7 * known + 0.3 * trip_s)

    def _said_farewell(self, peer: str, cause: str, now_s: float) -> None:
        farewell = SaidGoodnight() if cause == ASLEEP else SaidGoodbye(pauses=cause == PAUSED)
        self.household.apply(peer, farewell, now_s)

    def _as_ours(self, record: ServerRecord) -> ServerRecord:
        """This computer's own blocks serve its own chats on while they are paused for everybody else."""
        if record.leaving == PAUSED and record.peer_id in self.household.local:
            last = self._last.get(record.peer_id, record)
            return replace(
                record,
                online=True,
                leaving="",
                seconds_per_block=last.seconds_per_block,
                cache_tokens_left=last.cache_tokens_left,
                addresses=last.addresses,
            )
        return record

    # ------------------------------------------------------------------ what is known

    def judge(self, peer: str, late: LateStep) -> Judgement:
        """What to do about a step that has not come back."""
        return self.household.judge(peer, late, time.monotonic())

    def why_left(self, peer: str) -> str:
        """What became of a peer that was left because it was late: one of domain.pause's causes, LATE while
        its heartbeat is in flight."""
        health = self.household.health(peer, time.monotonic())
        match health.state:
            case Availability.AVAILABLE:
                return LATE if health.left_late else SLOW
            case Availability.ASLEEP:
                return ASLEEP
            case Availability.LEFT:
                return LEFT
            case _:
                return SILENT

    def deadline(self, hop: Hop) -> StepDeadline:
        """What a new session's steps over `hop` are measured by, until it has timings of its own."""
        record = self._last.get(hop.peer)
        per_block = None if record is None else self._per_block_s(record)
        return StepDeadline(announced_s=None if per_block is None else per_block * len(hop.span))

    def otherwise(self, peer: str) -> frozenset[str]:
        """Peers that are known to round otherwise than `peer`: an answer may go on with other words there."""
        own = self._last.get(peer)
        if own is None or not own.rounding:
            return frozenset()
        return frozenset(
            other for other, record in self._last.items() if record.rounding not in ("", own.rounding)
        )

    def offers(self, span: Span | None = None) -> list[PeerOffer]:
        """The peers that serve this model, for the route choice; cut to `span` and counted from its start."""
        whole = span or Span(0, self.num_blocks)
        offers = []
        # Of everybody known, not only of the latest look: who is there is judged by its health, and one
        # look-up that found half of the roll must not empty the household.
        for record in self._last.values():
            part = record.span.overlap(whole)
            if record.model_id == self.model_id and part is not None:
                shifted = Span(part.start - whole.start, part.end - whole.start)
                offers.append(self._offer(record, shifted))
        return offers

    def _offer(self, record: ServerRecord, span: Span) -> PeerOffer:
        health = self.household.health(record.peer_id, time.monotonic())
        barred = self.barred(record.peer_id)
        usable = health.state is Availability.AVAILABLE and not barred
        return PeerOffer(
            peer=record.peer_id,
            name=record.name,
            span=span,
            state=ONLINE if usable else str(health.state),
            compute_s_per_block=self._per_block_s(record),
            round_trip_s=self.round_trip_s.get(record.peer_id),
            usable=usable,
            reason="" if usable else barred or health.reason,
            rounding=record.rounding,
        )

    def _per_block_s(self, record: ServerRecord) -> float | None:
        """As measured, else as announced; unknown of a peer that is tried again after it was slow."""
        if self._is_tried_again(record.peer_id):
            return None
        return self.seconds_per_block.get(record.peer_id, record.seconds_per_block)

    def _is_tried_again(self, peer: str) -> bool:
        now_s = time.monotonic()
        return peer in self._outpaced and now_s >= self.household.health(peer, now_s).trust.avoid_until_s

    def seen(self) -> SwarmSeen:
        """For the node: all peers of the household that are known, those that are away included."""
        now_s = time.monotonic()
        ordered = sorted(self._last.values(), key=lambda record: (record.span, record.name, record.peer_id))
        changes = [
            PeerChange(
                change.peer,
                change.name,
                change.before or "",
                change.after or "",
                change.reason,
                reasons_of(change.reason),
            )
            for change in self.household.take_changes()
            if change.before is not change.after
        ]
        peers = [self._seen_peer(record, now_s) for record in ordered]
        doubt = self.household.own.doubt(now_s)
        return SwarmSeen(
            self.num_blocks, peers, changes, doubt, reasons_of(doubt), [*self._newer], [*self._older]
        )

    def _seen_peer(self, record: ServerRecord, now_s: float) -> SeenPeer:
        offer = self._offer(record, record.span)
        health = self.household.health(record.peer_id, now_s)
        reason = offer.reason
        avoided_s = health.trust.avoid_until_s - now_s
        if record.model_id != self.model_id:
            reason = say("other-model")
        elif record.span.end > self.num_blocks:
            reason = say("other-blocks")
        per_block = offer.compute_s_per_block
        return SeenPeer(
            peer_id=record.peer_id,
            name=record.name,
            span_start=record.span.start,
            span_end=record.span.end,
            state=str(health.state),
            on_route=not reason,
            # One that is used and late says so too.
            reason=reason or health.reason,
            compute_s=None if per_block is None else per_block * len(record.span),
            round_trip_s=offer.round_trip_s,
            cache_tokens_left=record.cache_tokens_left,
            since_s=max(0.0, now_s - health.since_s),
            addresses=list(record.addresses),
            power=record.power,
            link=record.link,
            avoided_s=avoided_s if avoided_s > 0 and offer.usable else None,
            why=reasons_of(reason or health.reason),
        )
