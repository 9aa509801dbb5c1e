"""The one place where state changes: ``apply(state, event)``. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

from swarm_app.childproto import (
    Announce,
    Drained,
    Goodnight,
    Listening,
    LocalSeen,
    Prepared,
    Priority,
    Progress,
    Ready,
    Resume,
    SeenPeer,
    Serving,
    Surroundings,
    SwarmSeen,
)
from swarm_app.config.choicefile import OwnChoice
from swarm_app.domain.errors import MemoryShort
from swarm_app.node.acquaintances import remember, told
from swarm_app.node.events import (
    AnswersChanged,
    BelongingChanged,
    ChatsChanged,
    ChildComplained,
    ChildEnded,
    ChildEntered,
    ChildNotStarted,
    ChildReported,
    ChildStarted,
    ChildStopping,
    ChildTold,
    ChildWrote,
    ChoiceEnded,
    ClockMoved,
    ContributionDecided,
    Event,
    GoodnightSaid,
    LeaseChanged,
    LinkMoved,
    LinkSeen,
    LocalAnswers,
    LocalChosen,
    OffersChanged,
    PauseEnded,
    PeersTold,
    PersonSeen,
    RetryAsked,
    RouteTaken,
    ServeAsked,
    SleepAnnounced,
    StayedAwake,
    StopAsked,
    SupplyChanged,
    SwarmExpected,
    SwarmLeft,
    WatchersNoted,
    WithdrawAsked,
    Woken,
)
from swarm_app.node.politeness import OWNER, Decision, Stance, paused_by_owner
from swarm_app.node.rest import announced
from swarm_app.node.state import (
    AVAILABLE,
    Belongs,
    ChatsSeen,
    Child,
    Complaint,
    Contribution,
    Kind,
    LastSleep,
    PauseRecord,
    PeerChangeRecord,
    Phase,
    Standing,
    State,
    Swarm,
    Work,
)

STABLE_S = 60.0
"""A child that was ready for this long has proved itself: its earlier deaths are forgotten."""

MAX_SHORT_LIVES = 5
"""So many deaths without a stable life in between, and it stays down."""

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0
"""The wait before restart n is FIRST_RETRY_S * 2**(n-1), at most LAST_RETRY_S: a child that dies at once
is down after 0.5 + 1 + 2 + 4 = 7.5 s and five tries."""

LAST_WORDS_LINES = 40

MAX_PAUSES = 50
"""Pauses that are kept for whoever looks."""

MAX_PEER_CHANGES = 50
"""The same for what the engine came to think of peers."""

SINCE_WOBBLE_S = 2.0
"""What "since" may move between two reports of one and the same state: they are rounded and travel."""

CLOCK_DOUBT_S = 1.0
"""The DHT's records end by the wall clock: one that was set by more than this makes ours wrong."""

_OTHER_MODEL = "Ask again, or choose another local model with: homeswarm local use"

NOT_MENDED_BY_RESTART = frozenset(
    {
        "bad-request",
        "model-not-found",
        "model-incomplete",
        "model-unsupported",
        "model-damaged",
        "tokenizer-mismatch",
    }
)
"""Codes of errors after which another start would only say the same again."""


def apply(state: State, event: Event) -> State:
    """The state after an event; the same object where nothing changed."""
    match event:
        case ChildStarted(kind, pid, warm):
            old = state.child(kind)
            fresh = Child(
                kind,
                Phase.STOPPING if state.stopping else Phase.WARM if warm else Phase.STARTING,
                pid=pid,
                restarts=old.restarts + (1 if old.phase is Phase.RESTARTING else 0),
                short_lives=old.short_lives,
                port=old.port,
                last_words=old.last_words,
            )
            if kind is Kind.LOCAL:
                state = replace(state, local_started=state.local_model)
            return _with_child(state, fresh)
        case ChildEntered(kind):
            child = state.child(kind)
            # What it was to doubt it has not begun to believe yet.
            entered = replace(child, phase=Phase.STARTING, doubting=False, moved=False)
            return _with_child(state, entered) if child.phase is Phase.WARM else state
        case ChildNotStarted(kind, why, at):
            child = replace(state.child(kind), complaint=Complaint("child-down", why))
            if child.phase is Phase.OFF and kind is not Kind.LOCAL:  # it was to be warm
                return _with_child(state, _cooled(state, child))
            return _with_child(state, _after_death(child, at))
        case ChildReported(kind, report, at):
            return _reported(state, state.child(kind), report, at)
        case ChildComplained(kind, complaint):
            return _with_child(state, replace(state.child(kind), complaint=complaint))
        case ChildWrote(kind, lines):
            child = state.child(kind)
            return _with_child(
                state, replace(child, last_words=(*child.last_words, *lines)[-LAST_WORDS_LINES:])
            )
        case ChildEnded(kind, how, at):
            return _ended(state, state.child(kind), how, at)
        case AnswersChanged(answers, at):
            return state if answers == state.answers else replace(state, answers=answers, active_at=at)
        case LocalAnswers(answers, at):
            return replace(state, local_answers=answers, local_used_at=at)
        case OffersChanged(offers):
            return _changed(state, offers=offers)
        case SwarmLeft(_, at, full):
            return state if full else replace(state, left_swarm_at=at)
        case LocalChosen(model):
            # What was wrong with the old one says nothing of this one.
            fresh = state.local if state.local.alive else Child(Kind.LOCAL, Phase.OFF)
            return replace(state, local_model=model, local=fresh, local_seen=None)
        case ChildStopping(kind):
            return _with_child(state, replace(state.child(kind), phase=Phase.STOPPING))
        case ChatsChanged(running):
            return replace(state, chats=ChatsSeen(state.chats.revision + 1, running))
        case RouteTaken(route):
            return state if route == state.route else replace(state, route=route)
        case PauseEnded(request_id, pause, over_epoch):
            number = state.pauses[-1].number + 1 if state.pauses else 1
            record = PauseRecord(number, over_epoch, request_id, pause)
            return replace(state, pauses=(*state.pauses, record)[-MAX_PAUSES:])
        case ChildTold(kind, message):
            return _with_child(state, _told(state.child(kind), message))
        case SleepAnnounced(deadline_s, at):
            return state if state.stopping else replace(state, sleep=announced(deadline_s, at))
        case GoodnightSaid():
            return state if state.sleep is None else replace(state, sleep=replace(state.sleep, let_go=True))
        case StayedAwake():
            return state if state.sleep is None else replace(state, sleep=None)
        case Woken(slept_s, how, woke_epoch):
            power = state.power
            if slept_s > 0:
                power = replace(power, last_sleep=LastSleep(slept_s, how, woke_epoch))
            return _doubting(_changed(state, sleep=None, power=power))
        case ClockMoved(by_s):
            return _doubting(state) if abs(by_s) >= CLOCK_DOUBT_S else state
        case SupplyChanged(on_battery, level):
            return _changed(state, power=replace(state.power, on_battery=on_battery, level=level))
        case LeaseChanged(held, why_not):
            return _changed(state, power=replace(state.power, delays_sleep=held, why_not=why_not))
        case WatchersNoted(of_power, of_link):
            return _changed(
                state,
                power=replace(state.power, notes=of_power),
                link=replace(state.link, notes=of_link),
            )
        case LinkSeen(addresses, network, metered, wireless):
            link = replace(
                state.link, addresses=addresses, network=network, metered=metered, wireless=wireless
            )
            return _changed(state, link=link)
        case LinkMoved(move):
            moved = replace(state, link=replace(state.link, last_move=move))
            return _doubting(moved, moved=True) if move.rebind_needed else moved
        case WithdrawAsked(until_epoch):
            # A second pause leaves since when it has been one.
            return _changed(
                state,
                choice=OwnChoice("pause", until_epoch),
                contribution=replace(state.contribution, decision=paused_by_owner(until_epoch)),
            )
        case ServeAsked():
            return _served(state)
        case ChoiceEnded():
            return _changed(state, choice=None)
        case PersonSeen(seen):
            return _changed(state, seen=seen)
        case ContributionDecided(decision, standing, at):
            paused_at = state.contribution.paused_at
            since = None if decision.stance is not Stance.PAUSED else at if paused_at is None else paused_at
            return _changed(state, contribution=Contribution(decision, standing, since))
        case RetryAsked(kind):
            child = state.child(kind)
            if child.phase is not Phase.DOWN or state.stopping:
                return state
            return _with_child(state, replace(child, phase=Phase.RESTARTING, retry_at=None, short_lives=0))
        case BelongingChanged(belongs):
            return _belonging(state, belongs)
        case PeersTold(addresses):
            own = {state.blocks.peer_id, state.engine.peer_id}
            return _changed(state, known=told(state.known, addresses, own))
        case SwarmExpected(at):
            return replace(state, expects_at=at)
        case StopAsked():
            stopped = state if state.stopping else replace(state, stopping=True)
            for child in (stopped.blocks, stopped.engine, stopped.local):
                if child.alive and child.phase is not Phase.STOPPING:
                    stopped = _with_child(stopped, replace(child, phase=Phase.STOPPING))
                elif child.phase in (Phase.WAITING, Phase.RESTARTING):
                    stopped = _with_child(stopped, replace(child, phase=Phase.OFF, retry_at=None))
            return stopped
        case _:
            assert_never(event)


def _with_child(state: State, child: Child) -> State:
    if child == state.child(child.kind):
        return state
    match child.kind:
        case Kind.BLOCKS:
            return replace(state, blocks=child)
        case Kind.ENGINE:
            return replace(state, engine=child)
        case Kind.LOCAL:
            return replace(state, local=child)
        case _:
            assert_never(child.kind)


def _changed(state: State, **fields: Any) -> State:
    after = replace(state, **fields)
    return state if after == state else after


def _served(state: State) -> State:
    """The owner says "contribute": where nothing was in the way there is nothing to win over."""
    choice = state.choice
    if not state.withdrawn and (choice is None or choice.what == "contribute"):
        return state
    decision = Decision(Stance.CONTRIBUTING, (OWNER,), by_owner=True)
    return replace(
        state,
        choice=OwnChoice("contribute"),
        contribution=replace(state.contribution, decision=decision, paused_at=None),
    )


def _belonging(state: State, belongs: Belongs) -> State:
    """Another membership: children of the former one end, and start again where they may."""
    if belongs == state.belongs:
        return state
    before, state = state.belongs, replace(state, belongs=belongs)
    if state.stopping:
        return state
    other = (before.runs, before.swarm_id) != (belongs.runs, belongs.swarm_id)
    for child in (state.blocks, state.engine):
        if child.phase is Phase.WARM:
            continue  # it is in no swarm: whether it stays is the plan's matter
        if other or (child.kind is Kind.BLOCKS and before.hosts is not belongs.hosts):
            ended = replace(child, phase=Phase.STOPPING) if child.alive else _idle(state, child)
            state = _with_child(state, ended)
    if belongs.runs:
        state = replace(state, expects_at=None)  # it has come; whoever leaves it gives the memory back
    if belongs.standing is Standing.OUTSIDE and before.swarm_id:
        state = replace(state, known=())  # the peers of a swarm that was left are no way into another
    return state


def _idle(state: State, child: Child) -> Child:
    """A child without a process: waiting to be started where it is wanted and may run, else off."""
    return replace(
        child,
        phase=Phase.WAITING if state.may_run(child.kind) and not state.stopping else Phase.OFF,
        retry_at=None,
        short_lives=0,
        complaint=None,
    )


def _cooled(state: State, child: Child) -> Child:
    """A child that died, or could not be started, before it had a swarm: see `warmth.may_warm`."""
    return replace(_idle(state, child), short_lives=max(1, child.short_lives))


def _told(child: Child, message: Announce | Goodnight | Priority | Resume | Surroundings) -> Child:
    match message:
        case Announce(hosts):
            return replace(child, hosts=tuple(hosts))
        case Goodnight(cause, own):
            return replace(child, quiet=True, drained=None, goodnight=(cause, tuple(own)))
        case Priority(low):
            return replace(child, low=low)
        case Surroundings():
            return replace(child, surroundings=message)
        case Resume():
            awake = replace(child, quiet=False, drained=None, goodnight=("", ()))
            return replace(awake, doubting=False, moved=False)
        case _:
            assert_never(message)


def _doubting(state: State, *, moved: bool = False) -> State:
    """Both children are to look anew at what they know of others; one that starts later knows nothing yet."""
    for child in (state.blocks, state.engine):
        if child.alive and child.phase is not Phase.STOPPING:
            state = _with_child(state, replace(child, doubting=True, moved=child.moved or moved))
    return state


def _swarm(before: Swarm, seen: SwarmSeen, at: float) -> Swarm:
    """What an engine sees now; the same object where nothing changed but "since", by travelling time."""
    peers = tuple(_in_our_words(peer) for peer in seen.peers)
    after = Swarm(seen.num_blocks, True, peers, at, seen.doubt)
    told = (before.num_blocks, before.seen, len(before.peers), before.doubt)
    if told != (after.num_blocks, True, len(peers), after.doubt):
        return after
    passed_s = at - before.seen_at
    for old, new in zip(before.peers, peers, strict=True):
        if replace(old, since_s=None, avoided_s=None) != replace(new, since_s=None, avoided_s=None):
            return after
        if not _passes(old.since_s, new.since_s, passed_s) or not _passes(
            old.avoided_s, new.avoided_s, -passed_s
        ):
            return after
    return before


def _covered_since(before: Swarm, after: Swarm, at: float) -> Swarm:
    if after is before:
        return before
    return replace(after, covered_at=(before.covered_at or at) if after.covered else None)


def _passes(old_s: float | None, new_s: float | None, passed_s: float) -> bool:
    """Whether only time has passed between two reports of one and the same duration."""
    if old_s is None or new_s is None:
        return old_s is new_s
    return abs(new_s - old_s - passed_s) <= SINCE_WOBBLE_S


def _in_our_words(peer: SeenPeer) -> SeenPeer:
    # Petals' records call it online.
    return replace(peer, state=AVAILABLE) if peer.state == "online" else peer


def _reported(
    state: State,
    child: Child,
    report: Listening | Progress | Prepared | Ready | Drained | Serving | SwarmSeen | LocalSeen,
    at: float,
) -> State:
    starting = child.phase is Phase.STARTING
    match report:
        case Listening(peer_id, addresses):
            phase = Phase.LISTENING if starting else child.phase
            here = replace(child, phase=phase, peer_id=peer_id, addresses=tuple(addresses))
            return _with_child(state, replace(here, port=_port(addresses) or child.port))
        case Progress(what, done, total):
            return _with_child(state, replace(child, work=Work(what, done, total)))
        case Prepared(memory_bytes):
            return _with_child(state, replace(child, work=None, memory_bytes=memory_bytes))
        case Ready(memory_bytes):
            ready = replace(child, work=None, memory_bytes=memory_bytes or child.memory_bytes, complaint=None)
            if child.phase is not Phase.STOPPING:
                ready = replace(ready, phase=Phase.READY, ready_at=child.ready_at or at)
            return _with_child(state, ready)
        case Serving():
            state = _with_child(state, replace(child, memory_bytes=report.memory_bytes))
            return state if report == state.serving else replace(state, serving=report)
        case Drained(sessions):
            # One that was told to resume in the meantime serves again.
            return _with_child(state, replace(child, drained=sessions)) if child.quiet else state
        case SwarmSeen():
            swarm = _covered_since(state.swarm, _swarm(state.swarm, report, at), at)
            known = remember(state.known, swarm.peers, {state.blocks.peer_id, state.engine.peer_id})
            changes = state.peer_changes
            if report.changes:
                fresh = tuple(PeerChangeRecord(at, change) for change in report.changes)
                changes = (*changes, *fresh)[-MAX_PEER_CHANGES:]
            return _changed(state, swarm=swarm, known=known, peer_changes=changes)
        case LocalSeen():
            state = _with_child(state, replace(child, memory_bytes=report.memory_bytes))
            return _changed(state, local_seen=report)
        case _:
            assert_never(report)


def _port(addresses: Sequence[str]) -> int:
    """The TCP port of the first address that has one, or 0."""
    for address in addresses:
        if found := re.search(r"/tcp/([0-9]{1,5})(?:/|$)", address):
            return int(found[1])
    return 0


def _ended(state: State, child: Child, how: str, at: float) -> State:
    if child.kind is Kind.BLOCKS:
        state = replace(state, serving=None)
    elif child.kind is Kind.ENGINE:
        state = replace(state, swarm=Swarm(num_blocks=state.model.num_blocks))
    complaint = child.complaint or Complaint("child-down", f"The {child.kind} process ended ({how}).")
    recalled = child.phase is Phase.STOPPING and child.kind is not Kind.LOCAL and not state.stopping
    dead = _after_death(replace(child, complaint=complaint), at)
    if child.phase is Phase.WARM:
        return _with_child(state, _cooled(state, dead))
    return _with_child(state, _idle(state, dead) if recalled else dead)


def _after_death(child: Child, at: float) -> Child:
    """Restart later, or stay down."""
    dead = replace(
        child,
        pid=None,
        peer_id="",
        addresses=(),
        work=None,
        memory_bytes=0,
        ready_at=None,
        retry_at=None,
        quiet=False,
        drained=None,
        goodnight=("", ()),
        low=False,
        doubting=False,
        moved=False,
    )
    if child.phase in (Phase.STOPPING, Phase.OFF):
        return replace(dead, phase=Phase.OFF, complaint=None)
    if child.phase is Phase.STARTING:
        # It may have died of the port that it was to take again.
        dead = replace(dead, port=0)
    stable = child.ready_at is not None and at - child.ready_at >= STABLE_S
    short_lives = 1 if stable else child.short_lives + 1
    dead = replace(dead, short_lives=short_lives)
    assert dead.complaint is not None
    local = child.kind is Kind.LOCAL  # it is tried again with each question that needs it
    if dead.complaint.code in NOT_MENDED_BY_RESTART or (local and dead.complaint.code == MemoryShort.code):
        return replace(dead, phase=Phase.DOWN)
    if short_lives >= MAX_SHORT_LIVES:
        said = dead.complaint
        return replace(
            dead,
            phase=Phase.DOWN,
            complaint=Complaint(
                said.code,
                f"{said.message} It was tried {short_lives} times and stays down.",
                said.remedy
                or (_OTHER_MODEL if local else "Look at its last words, then start the node again."),
            ),
        )
    delay_s = min(FIRST_RETRY_S * 2 ** (short_lives - 1), LAST_RETRY_S)
    return replace(dead, phase=Phase.RESTARTING, retry_at=at + delay_s)
