"""What the node tells on its terminal: one line per thing that a person cares about."""

from __future__ import annotations

from swarm_app.childproto import Ready
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
from swarm_app.node.state import Phase, State, Work


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
        case StopAsked(why):
            return f"stopping: {why}"
        case (
            ChildStarted()
            | ChildReported()
            | ChildComplained()
            | ChildWrote()
            | AnswersChanged()
            | RouteTaken()
            | RetryAsked()
        ):
            return None


def _quarter(work: Work | None) -> tuple[str, int] | None:
    """What is being done and how many quarters of it: a line for each is enough."""
    return None if work is None else (work.what, 4 * work.done // max(work.total, 1))


def _swarm(before: State, after: State) -> str | None:
    if (before.swarm.covered, before.swarm.gaps) == (after.swarm.covered, after.swarm.gaps):
        return None
    if after.swarm.covered:
        return f"swarm: all {after.swarm.num_blocks} blocks are covered"
    return f"swarm: nobody serves blocks {', '.join(map(str, after.swarm.gaps))}"
