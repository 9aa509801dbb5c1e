"""The one place where state changes: ``apply(state, event)``. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from swarm_app.config.choicefile import OwnChoice
from swarm_app.node.acquaintances import told
from swarm_app.node.children import Child, Complaint, Kind, Phase
from swarm_app.node.computer import LastSleep
from swarm_app.node.events import (
    AnswersChanged,
    BelongingChanged,
    ChatsChanged,
    ChatsPutAside,
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
    WriteTried,
)
from swarm_app.node.lives import (
    after_death,
    changed,
    cooled,
    doubting,
    ended,
    idle,
    reported,
    told_to,
    with_child,
)
from swarm_app.node.politeness import OWNER, Decision, Stance, paused_by_owner
from swarm_app.node.rest import announced
from swarm_app.node.state import Belongs, Contribution, PauseRecord, Standing, State, Unkept

LAST_WORDS_LINES = 40

MAX_PAUSES = 50
"""Pauses that are kept for whoever looks."""


CLOCK_DOUBT_S = 1.0
"""The DHT's records end by the wall clock: one that was set by more than this makes ours wrong."""


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
            return with_child(state, fresh)
        case ChildEntered(kind):
            child = state.child(kind)
            # What it was to doubt it has not begun to believe yet.
            entered = replace(child, phase=Phase.STARTING, doubting=False, moved=False)
            return with_child(state, entered) if child.phase is Phase.WARM else state
        case ChildNotStarted(kind, why, at):
            child = replace(state.child(kind), complaint=Complaint("child-down", why))
            if child.phase is Phase.OFF and kind is not Kind.LOCAL:  # it was to be warm
                return with_child(state, cooled(state, child))
            return with_child(state, after_death(child, at))
        case ChildReported(kind, report, at):
            return reported(state, state.child(kind), report, at)
        case ChildComplained(kind, complaint):
            return with_child(state, replace(state.child(kind), complaint=complaint))
        case ChildWrote(kind, lines):
            child = state.child(kind)
            return with_child(
                state, replace(child, last_words=(*child.last_words, *lines)[-LAST_WORDS_LINES:])
            )
        case ChildEnded(kind, how, at):
            return ended(state, state.child(kind), how, at)
        case AnswersChanged(answers, at):
            return state if answers == state.answers else replace(state, answers=answers, active_at=at)
        case LocalAnswers(answers, at):
            return replace(state, local_answers=answers, local_used_at=at)
        case OffersChanged(offers):
            return changed(state, offers=offers)
        case SwarmLeft(_, at, full):
            # A change in any case, or nobody would be told of it.
            return replace(state, local_used_at=at, left_swarm_at=state.left_swarm_at if full else at)
        case LocalChosen(model):
            # What was wrong with the old one says nothing of this one.
            fresh = state.local if state.local.alive else Child(Kind.LOCAL, Phase.OFF)
            return replace(state, local_model=model, local=fresh, local_seen=None)
        case ChildStopping(kind):
            return with_child(state, replace(state.child(kind), phase=Phase.STOPPING))
        case ChatsChanged(running):
            chats = replace(state.chats, revision=state.chats.revision + 1, running=running)
            return replace(state, chats=chats)
        case ChatsPutAside(path):
            return changed(state, chats=replace(state.chats, put_aside=path))
        case WriteTried(what, path, refusal):
            others = tuple(one for one in state.unkept if one.what is not what)
            return changed(state, unkept=(*others, Unkept(what, path, refusal)) if refusal else others)
        case RouteTaken(route):
            return state if route == state.route else replace(state, route=route)
        case PauseEnded(request_id, pause, over_epoch):
            number = state.pauses[-1].number + 1 if state.pauses else 1
            record = PauseRecord(number, over_epoch, request_id, pause)
            return replace(state, pauses=(*state.pauses, record)[-MAX_PAUSES:])
        case ChildTold(kind, message):
            return with_child(state, told_to(state.child(kind), message))
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
            return doubting(changed(state, sleep=None, power=power))
        case ClockMoved(by_s):
            return doubting(state) if abs(by_s) >= CLOCK_DOUBT_S else state
        case SupplyChanged(on_battery, level):
            return changed(state, power=replace(state.power, on_battery=on_battery, level=level))
        case LeaseChanged(held, why_not):
            return changed(state, power=replace(state.power, delays_sleep=held, why_not=why_not))
        case WatchersNoted(of_power, of_link):
            return changed(
                state,
                power=replace(state.power, notes=of_power),
                link=replace(state.link, notes=of_link),
            )
        case LinkSeen(addresses, network, metered, wireless):
            link = replace(
                state.link, addresses=addresses, network=network, metered=metered, wireless=wireless
            )
            return changed(state, link=link)
        case LinkMoved(move):
            moved = replace(state, link=replace(state.link, last_move=move))
            return doubting(moved, moved=True) if move.rebind_needed else moved
        case WithdrawAsked(until_epoch):
            # A second pause leaves since when it has been one.
            return changed(
                state,
                choice=OwnChoice("pause", until_epoch),
                contribution=replace(state.contribution, decision=paused_by_owner(until_epoch)),
            )
        case ServeAsked():
            return _served(state)
        case ChoiceEnded():
            return changed(state, choice=None)
        case PersonSeen(seen):
            return changed(state, seen=seen)
        case ContributionDecided(decision, standing, at):
            paused_at = state.contribution.paused_at
            since = None if decision.stance is not Stance.PAUSED else at if paused_at is None else paused_at
            return changed(state, contribution=Contribution(decision, standing, since))
        case RetryAsked(kind):
            child = state.child(kind)
            if child.phase is not Phase.DOWN or state.stopping:
                return state
            return with_child(state, replace(child, phase=Phase.RESTARTING, retry_at=None, short_lives=0))
        case BelongingChanged(belongs):
            return _belonging(state, belongs)
        case PeersTold(addresses):
            own = {state.blocks.peer_id, state.engine.peer_id}
            return changed(state, known=told(state.known, addresses, own))
        case SwarmExpected(at):
            return replace(state, expects_at=at)
        case StopAsked():
            stopped = state if state.stopping else replace(state, stopping=True)
            for child in (stopped.blocks, stopped.engine, stopped.local):
                if child.alive and child.phase is not Phase.STOPPING:
                    stopped = with_child(stopped, replace(child, phase=Phase.STOPPING))
                elif child.phase in (Phase.WAITING, Phase.RESTARTING):
                    stopped = with_child(stopped, replace(child, phase=Phase.OFF, retry_at=None))
            return stopped
        case _:
            assert_never(event)


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
            after = replace(child, phase=Phase.STOPPING) if child.alive else idle(state, child)
            state = with_child(state, after)
    if belongs.runs:
        state = replace(state, expects_at=None)  # it has come; whoever leaves it gives the memory back
    if belongs.standing is Standing.OUTSIDE and before.swarm_id:
        state = replace(state, known=())  # the peers of a swarm that was left are no way into another
    return state
