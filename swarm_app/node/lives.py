"""A child's life in the node's state: what it is told and reports, how it ends, whether it comes again. Pure.

Callers: `swarm_app.node.fold`.
"""

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
from swarm_app.domain.errors import MemoryShort
from swarm_app.domain.said import Said
from swarm_app.node.acquaintances import remember
from swarm_app.node.children import Child, Complaint, Kind, Phase, Work
from swarm_app.node.state import AVAILABLE, PeerChangeRecord, State, Swarm

STABLE_S = 60.0
"""A child that was ready for this long has proved itself: its earlier deaths are forgotten."""

MAX_SHORT_LIVES = 5
"""So many deaths without a stable life in between, and it stays down."""

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0
"""The wait before restart n is FIRST_RETRY_S * 2**(n-1), at most LAST_RETRY_S: a child that dies at once
is down after 0.5 + 1 + 2 + 4 = 7.5 s and five tries."""

MAX_PEER_CHANGES = 50
"""Changes of what the engine thinks of peers that are kept for whoever looks."""

SINCE_WOBBLE_S = 2.0
"""What "since" may move between two reports of one and the same state: they are rounded and travel."""

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


def with_child(state: State, child: Child) -> State:
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


def changed(state: State, **fields: Any) -> State:
    after = replace(state, **fields)
    return state if after == state else after


def idle(state: State, child: Child) -> Child:
    """A child without a process: waiting to be started where it is wanted and may run, else off."""
    return replace(
        child,
        phase=Phase.WAITING if state.may_run(child.kind) and not state.stopping else Phase.OFF,
        retry_at=None,
        short_lives=0,
        complaint=None,
    )


def cooled(state: State, child: Child) -> Child:
    """A child that died, or could not be started, before it had a swarm: see `warmth.may_warm`."""
    return replace(idle(state, child), short_lives=max(1, child.short_lives))


def told_to(child: Child, message: Announce | Goodnight | Priority | Resume | Surroundings) -> Child:
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


def doubting(state: State, *, moved: bool = False) -> State:
    """Both children are to look anew at what they know of others; one that starts later knows nothing yet."""
    for child in (state.blocks, state.engine):
        if child.alive and child.phase is not Phase.STOPPING:
            state = with_child(state, replace(child, doubting=True, moved=child.moved or moved))
    return state


def reported(
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
            return with_child(state, replace(here, port=_port(addresses) or child.port))
        case Progress(what, done, total):
            return with_child(state, replace(child, work=Work(what, done, total)))
        case Prepared(memory_bytes):
            return with_child(state, replace(child, work=None, memory_bytes=memory_bytes))
        case Ready(memory_bytes):
            ready = replace(child, work=None, memory_bytes=memory_bytes or child.memory_bytes, complaint=None)
            if child.phase is not Phase.STOPPING:
                ready = replace(ready, phase=Phase.READY, ready_at=child.ready_at or at)
            return with_child(state, ready)
        case Serving():
            state = with_child(state, replace(child, memory_bytes=report.memory_bytes))
            return state if report == state.serving else replace(state, serving=report)
        case Drained(sessions):
            # One that was told to resume in the meantime serves again.
            return with_child(state, replace(child, drained=sessions)) if child.quiet else state
        case SwarmSeen():
            swarm = _covered_since(state.swarm, _swarm(state.swarm, report, at), at)
            known = remember(state.known, swarm.peers, {state.blocks.peer_id, state.engine.peer_id})
            changes = state.peer_changes
            if report.changes:
                fresh = tuple(PeerChangeRecord(at, change) for change in report.changes)
                changes = (*changes, *fresh)[-MAX_PEER_CHANGES:]
            return changed(state, swarm=swarm, known=known, peer_changes=changes)
        case LocalSeen():
            state = with_child(state, replace(child, memory_bytes=report.memory_bytes))
            return changed(state, local_seen=report)
        case _:
            assert_never(report)


def _port(addresses: Sequence[str]) -> int:
    """The TCP port of the first address that has one, or 0."""
    for address in addresses:
        if found := re.search(r"/tcp/([0-9]{1,5})(?:/|$)", address):
            return int(found[1])
    return 0


def _swarm(before: Swarm, seen: SwarmSeen, at: float) -> Swarm:
    """What an engine sees now; the same object where nothing changed but "since", by travelling time."""
    peers = tuple(_in_our_words(peer) for peer in seen.peers)
    doubt = Said(seen.doubt, seen.why_doubt)
    after = Swarm(seen.num_blocks, True, peers, at, doubt, newer=tuple(seen.newer), older=tuple(seen.older))
    told = replace(before, peers=peers, seen_at=at, covered_at=None)
    if told != after or len(before.peers) != len(peers):
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


def ended(state: State, child: Child, how: str, at: float) -> State:
    if child.kind is Kind.BLOCKS:
        state = replace(state, serving=None)
    elif child.kind is Kind.ENGINE:
        state = replace(state, swarm=Swarm(num_blocks=state.model.num_blocks))
    complaint = child.complaint or Complaint("child-down", f"The {child.kind} process ended ({how}).")
    recalled = child.phase is Phase.STOPPING and child.kind is not Kind.LOCAL and not state.stopping
    dead = after_death(replace(child, complaint=complaint), at)
    if child.phase is Phase.WARM:
        return with_child(state, cooled(state, dead))
    return with_child(state, idle(state, dead) if recalled else dead)


def after_death(child: Child, at: float) -> Child:
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
