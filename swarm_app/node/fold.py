"""The one place where state changes: ``apply(state, event)``. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from swarm_app.childproto import Listening, Progress, Ready, Serving, SwarmSeen
from swarm_app.node.events import (
    AnswersChanged,
    ChildComplained,
    ChildEnded,
    ChildNotStarted,
    ChildReported,
    ChildStarted,
    ChildWrote,
    Event,
    RetryAsked,
    RouteTaken,
    StopAsked,
)
from swarm_app.node.state import Child, Complaint, Kind, Phase, State, Swarm, Work

STABLE_S = 60.0
"""A child that was ready for this long has proved itself: its earlier deaths are forgotten."""

MAX_SHORT_LIVES = 5
"""So many deaths without a stable life in between, and it stays down."""

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0
"""The wait before restart n is FIRST_RETRY_S * 2**(n-1), at most LAST_RETRY_S: a child that dies at once
is down after 0.5 + 1 + 2 + 4 = 7.5 s and five tries."""

LAST_WORDS_LINES = 40

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
        case ChildStarted(kind, pid):
            old = state.child(kind)
            fresh = Child(
                kind,
                Phase.STOPPING if state.stopping else Phase.STARTING,
                pid=pid,
                restarts=old.restarts + (1 if old.phase is Phase.RESTARTING else 0),
                short_lives=old.short_lives,
                addresses=old.addresses,  # where it was reachable: the next life asks for the same port
                last_words=old.last_words,
            )
            return _with_child(state, fresh)
        case ChildNotStarted(kind, why, at):
            child = replace(state.child(kind), complaint=Complaint("child-down", why))
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
        case AnswersChanged(answers):
            return state if answers == state.answers else replace(state, answers=answers)
        case RouteTaken(route):
            return state if route == state.route else replace(state, route=route)
        case RetryAsked(kind):
            child = state.child(kind)
            if child.phase is not Phase.DOWN or state.stopping:
                return state
            return _with_child(state, replace(child, phase=Phase.RESTARTING, retry_at=None, short_lives=0))
        case StopAsked():
            stopped = state if state.stopping else replace(state, stopping=True)
            for child in (stopped.blocks, stopped.engine):
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
    return replace(state, blocks=child) if child.kind is Kind.BLOCKS else replace(state, engine=child)


def _reported(
    state: State, child: Child, report: Listening | Progress | Ready | Serving | SwarmSeen, at: float
) -> State:
    starting = child.phase is Phase.STARTING
    match report:
        case Listening(peer_id, addresses):
            phase = Phase.LISTENING if starting else child.phase
            return _with_child(
                state, replace(child, phase=phase, peer_id=peer_id, addresses=tuple(addresses))
            )
        case Progress(what, done, total):
            return _with_child(state, replace(child, work=Work(what, done, total)))
        case Ready(memory_bytes):
            ready = replace(child, work=None, memory_bytes=memory_bytes or child.memory_bytes, complaint=None)
            if child.phase is not Phase.STOPPING:
                ready = replace(ready, phase=Phase.READY, ready_at=child.ready_at or at)
            return _with_child(state, ready)
        case Serving():
            state = _with_child(state, replace(child, memory_bytes=report.memory_bytes))
            return state if report == state.serving else replace(state, serving=report)
        case SwarmSeen(num_blocks, peers):
            swarm = Swarm(num_blocks, True, tuple(peers))
            return state if swarm == state.swarm else replace(state, swarm=swarm)
        case _:
            assert_never(report)


def _ended(state: State, child: Child, how: str, at: float) -> State:
    if child.kind is Kind.BLOCKS:
        state = replace(state, serving=None)
    else:
        state = replace(state, swarm=Swarm(num_blocks=state.model.num_blocks))
    complaint = child.complaint or Complaint("child-down", f"The {child.kind} process ended ({how}).")
    return _with_child(state, _after_death(replace(child, complaint=complaint), at))


def _after_death(child: Child, at: float) -> Child:
    """Restart later, or stay down."""
    dead = replace(child, pid=None, peer_id="", work=None, memory_bytes=0, ready_at=None, retry_at=None)
    if child.phase in (Phase.STOPPING, Phase.OFF):
        return replace(dead, phase=Phase.OFF, complaint=None, addresses=())
    if child.phase is Phase.STARTING:
        # It may have died of the port that it was to take again.
        dead = replace(dead, addresses=())
    stable = child.ready_at is not None and at - child.ready_at >= STABLE_S
    short_lives = 1 if stable else child.short_lives + 1
    dead = replace(dead, short_lives=short_lives)
    assert dead.complaint is not None
    if dead.complaint.code in NOT_MENDED_BY_RESTART:
        return replace(dead, phase=Phase.DOWN)
    if short_lives >= MAX_SHORT_LIVES:
        said = dead.complaint
        return replace(
            dead,
            phase=Phase.DOWN,
            complaint=Complaint(
                said.code,
                f"{said.message} It was tried {short_lives} times and stays down.",
                said.remedy or "Look at its last words, then start the node again.",
            ),
        )
    delay_s = min(FIRST_RETRY_S * 2 ** (short_lives - 1), LAST_RETRY_S)
    return replace(dead, phase=Phase.RESTARTING, retry_at=at + delay_s)
