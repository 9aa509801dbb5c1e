"""What the node tells on its terminal: one line per thing that a person cares about."""

from __future__ import annotations

from datetime import datetime

from swarm_app.childproto import Ready
from swarm_app.node import politeness
from swarm_app.node.children import Phase, Work
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
from swarm_app.node.state import AVAILABLE, AWAY, Belongs, Keeps, Standing, State

LONG_WAIT_S = 1.0
"""Shorter waits for a slow peer come with every token of a busy household; the state has them."""


def sentence(before: State, after: State, event: Event) -> str | None:
    """A line about a change, or None where it is of no interest. Pure."""
    match event:
        case ChildReported(kind, Ready()) if before.child(kind).phase is not after.child(kind).phase:
            return f"{kind}: ready"
        case ChildReported() if after.swarm != before.swarm:
            return _swarm(before, after)
        case ChildReported(kind, _) if after.child(kind).work != before.child(kind).work:
            work = after.child(kind).work
            if work is None or _quarter(work) == _quarter(before.child(kind).work):
                return None
            return f"{kind}: {work.what} {work.done} of {work.total}"
        case ChildNotStarted(kind, why, _):
            return f"{kind}: {why}"
        case ChildEnded(kind, how, _):
            child = after.child(kind)
            if child.phase is Phase.OFF:
                return f"{kind}: stopped"
            said = f"{child.complaint.message} {child.complaint.remedy}".strip() if child.complaint else how
            last = f" Its last words: {child.last_words[-1]}" if child.last_words else ""
            return f"{kind}: {said}{last}"
        case PauseEnded(_, pause, _):
            return f"answer: {pause.text}" if pause.moved_to or pause.total_s >= LONG_WAIT_S else None
        case SleepAnnounced():
            return "power: about to sleep; telling the household"
        case StayedAwake():
            return "power: the sleep has not come; serving again"
        case Woken(slept_s, how, _) if slept_s > 0:
            return f"power: awake after {slept_s:.0f} s (noticed by {_BY.get(how, how)})"
        case Woken():
            return "power: awake"
        case ClockMoved(by_s):
            return f"clock: was set {abs(by_s):.1f} s {'forward' if by_s > 0 else 'back'}"
        case LinkMoved(move):
            return f"network: {', '.join(move.reasons)}"
        case SwarmLeft(reason):
            return f"local: the local model answers: {reason}"
        case LocalChosen(model):
            return f"local: the local model is {model.name} now"
        case ChildStopping(kind):
            return f"{kind}: not needed any more; its memory is given back"
        case ContributionDecided(decision) if decision != before.contribution.decision:
            return f"contributing: {politeness.sentence(decision, datetime.now())}"
        case WithdrawAsked():
            return "blocks: taken back by their owner"
        case ServeAsked():
            return "blocks: served again"
        case BelongingChanged(belongs):
            return _belonging(before.belongs, belongs)
        case ChatsPutAside(path):
            return f"history: the file was damaged; it lies at {path} now"
        case WriteTried(Keeps.KEYS, _, refusal) if refusal:
            return f"swarm: the keys of the one that was left are still kept: {refusal}"
        case WriteTried(_, path, refusal) if refusal:
            return f"{path} cannot be written: {refusal}"
        case StopAsked(why):
            return f"stopping: {why}"
        case (
            ChildStarted()
            | ChildEntered()
            | SwarmExpected()
            | ChildReported()
            | ChildComplained()
            | ChildWrote()
            | ChildTold()
            | AnswersChanged()
            | LocalAnswers()
            | OffersChanged()
            | ChatsChanged()
            | RouteTaken()
            | GoodnightSaid()
            | SupplyChanged()
            | LeaseChanged()
            | WatchersNoted()
            | LinkSeen()
            | PersonSeen()
            | ContributionDecided()
            | ChoiceEnded()
            | RetryAsked()
            | PeersTold()
            | WriteTried()
        ):
            return None


UNREACHABLE = "unreachable"
"""The one state whose reason says more than the state: how it was found out."""


def _belonging(before: Belongs, after: Belongs) -> str | None:
    if after.standing is Standing.MEMBER and before.swarm_id == after.swarm_id:
        if after.members != before.members and before.standing is Standing.MEMBER:
            return f"swarm: {after.swarm_name} has {after.members} members now"
        if before.standing is Standing.MEMBER:
            return None
    if after.standing is Standing.MEMBER:
        return f"swarm: in {after.swarm_name} ({after.swarm_id}) as {after.role}"
    if after.standing is before.standing or after.standing is Standing.CHECKING:
        return None
    if after.complaint is not None:
        return f"swarm: {after.complaint.message} {after.complaint.remedy}".strip()
    return None


_BY = {"signal": "the system's word", "clock": "its clocks", "stall": "standing still"}


def _quarter(work: Work | None) -> tuple[str, int] | None:
    """What is being done and how many quarters of it: a line for each is enough."""
    return None if work is None else (work.what, 4 * work.done // max(work.total, 1))


def _swarm(before: State, after: State) -> str | None:
    told = _comings_and_goings(before, after)
    if after.swarm.doubt and after.swarm.doubt != before.swarm.doubt:
        told.append(f"{after.swarm.doubt}; others are given more time")
    if (before.swarm.covered, before.swarm.gaps) != (after.swarm.covered, after.swarm.gaps):
        if after.swarm.covered:
            told.append(f"all {after.swarm.num_blocks} blocks are covered")
        else:
            told.append(f"nobody serves blocks {', '.join(map(str, after.swarm.gaps))}")
    return f"swarm: {'; '.join(told)}" if told else None


def _comings_and_goings(before: State, after: State) -> list[str]:
    """Peers that went away or came back; a moment's doubt is not told."""
    states = {peer.peer_id: peer.state for peer in before.swarm.peers}
    return [
        f"{peer.name} is {peer.state}"
        + (f", it {peer.reason}" if peer.state == UNREACHABLE and peer.reason else "")
        for peer in after.swarm.peers
        if (old := states.get(peer.peer_id, peer.state)) != peer.state
        and (peer.state in AWAY or (old in AWAY and peer.state == AVAILABLE))
    ]
