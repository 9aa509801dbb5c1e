"""What is wrong, said in plain sentences with remedies; worked out from the state. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from swarm_app.domain.errors import ChildDown, ModelNotFound, NoRoute
from swarm_app.domain.said import Reason, Said, listed, say
from swarm_app.domain.span import Span
from swarm_app.membership.clocks import in_words
from swarm_app.node.children import Kind, Phase
from swarm_app.node.reasons import why_not
from swarm_app.node.rest import wants_delay
from swarm_app.node.state import AVAILABLE, AWAY, ClockOff, Keeps, Overused, Standing, State, Unkept


@dataclass(frozen=True, slots=True)
class Problem:
    """`about` is ``membership``, ``blocks``, ``engine``, ``local``, ``swarm``, ``peer``, ``power`` or
    ``profile``."""

    about: str
    code: str
    message: str
    remedy: str
    why: tuple[Reason, ...] = ()
    """The message in codes, where it names computers."""


_AWAY_WORDS = {"unreachable": "does not answer", "asleep": "asleep", "left": "stopped"}

_ROLE = {Kind.BLOCKS: "serves blocks", Kind.ENGINE: "runs the chats", Kind.LOCAL: "runs the local model"}


def problems(state: State) -> tuple[Problem, ...]:
    """All present problems, the nearest first. A node that stops or still starts has none of its own."""
    if state.stopping:
        return ()
    found: list[Problem] = []
    if (complaint := state.belongs.complaint) is not None:
        found.append(Problem("membership", complaint.code, complaint.message, complaint.remedy))
    if (clock := state.belongs.clock) is not None:
        found.append(_clock_off(clock))
    found += [_unkept(one) for one in state.unkept]
    if aside := state.chats.put_aside:
        found.append(
            Problem(
                "profile",
                "history-put-aside",
                f"The file with the chats was damaged. It lies at {aside} now, and a new one was begun.",
                "Put it back from a backup while the node does not run, if you have one.",
            )
        )
    found += [_overused(link) for link in state.belongs.overused]
    for child in (state.blocks, state.engine, state.local):
        said = child.complaint
        if child.phase in (Phase.DOWN, Phase.RESTARTING) and said is not None:
            what = "is down" if child.phase is Phase.DOWN else "is being restarted"
            found.append(
                Problem(
                    child.kind.value,
                    said.code,
                    f"The process that {_ROLE[child.kind]} {what}. {said.message}",
                    said.remedy or ("" if child.phase is Phase.RESTARTING else ChildDown.default_remedy),
                )
            )
    if state.belongs.standing is Standing.MEMBER and not state.model.there:
        why = why_not(state)
        assert why is not None
        found.append(Problem("swarm", ModelNotFound.code, why.sentence, why.remedy))
    found += _other_versions(state)
    if state.swarm.seen and state.swarm.gaps:
        found.append(_no_route(state))
    for peer in state.swarm.peers:
        # Who starts, is away, or is doubted for a moment, is no problem by itself: laptops sleep.
        if not peer.on_route and peer.reason and peer.state == AVAILABLE:
            found.append(Problem("peer", "peer-unusable", f"{peer.name} is not used: {peer.reason}.", ""))
    power = state.power
    # A computer without a battery hardly sleeps unasked, and a container never does.
    if wants_delay(state) and power.level is not None and not power.delays_sleep and power.why_not:
        found.append(
            Problem(
                "power",
                "sleep-unannounced",
                f"This computer may sleep without a word to the household. {power.why_not}",
                "Answers that run through it pause for about a second then, unless you say before:"
                " homeswarm pause",
            )
        )
    return tuple(found)


def _unkept(one: Unkept) -> Problem:
    refused = f"{one.path} cannot be written: {one.why}."
    remedy = "Free some space, or let the folder be written to; it is tried again by itself."
    match one.what:
        case Keeps.CHOICE:
            held = "Your choice about contributing holds only until this node stops:"
            return Problem("profile", "choice-not-kept", f"{held} {refused}", remedy)
        case Keeps.MEMBERSHIP:
            held = "Changes of the swarm are kept only until this node stops:"
            return Problem("profile", "membership-not-kept", f"{held} {refused}", remedy)
        case Keeps.KEYS:
            held = "The keys of the swarm that this computer has left are still kept here."
            remedy = "Delete the entries called homeswarm in the keyring, or secrets.json in the profile."
            return Problem("profile", "keys-kept", f"{held} {one.why}", remedy)
        case _:
            assert_never(one.what)


def _overused(link: Overused) -> Problem:
    *most, last = link.names
    made_for = "one computer" if link.uses == 1 else f"{link.uses} computers"
    return Problem(
        "membership",
        "link-overused",
        f"The link {link.short_id} was made for {made_for} and has let in {len(link.names)}:"
        f" {', '.join(most)} and {last}.",
        "If one of them does not belong here: homeswarm members remove NAME",
    )


def _clock_off(clock: ClockOff) -> Problem:
    by = f"{in_words(abs(clock.offset_s))} {'ahead of' if clock.offset_s > 0 else 'behind'}"
    if not clock.name:
        message = f"This computer's clock is {by} those of {' and '.join(clock.others)}."
        remedy = "Set this computer's clock, or turn on its automatic time."
    elif clock.sure:
        message = f"The clock of {clock.name} is {by} the other computers'."
        remedy = f"Set the clock of {clock.name}, or turn on its automatic time."
    else:
        message = f"The clock of {clock.name} is {by} this computer's, and one of the two is wrong."
        remedy = f"Turn on automatic time here and on {clock.name}."
    return Problem("membership", "clock-wrong", message, remedy)


def _other_versions(state: State) -> list[Problem]:
    """The engine's view of the roll says which is older; a door that speaks another version does not."""
    newer, older = state.swarm.newer, state.swarm.older
    others = [name for name in state.belongs.other_versions if name not in (*newer, *older)]
    found = []
    if newer:
        found.append(_other_version(say("newer-version", *newer), "Update Homeswarm on this computer."))
    if older:
        found.append(_other_version(say("older-version", *older), f"Update Homeswarm on {listed(older)}."))
    if others:
        found.append(_other_version(say("other-version", *others), "Update the older one."))
    return found


def _other_version(said: Said, remedy: str) -> Problem:
    told = f"{said}; what is served there cannot be used here."
    return Problem("swarm", "version-mismatch", told, remedy, said.reasons)


def _no_route(state: State) -> Problem:
    gaps = state.swarm.gaps
    blocks = ", ".join(str(gap) for gap in gaps)
    message = f"No computer in the household serves blocks {blocks} now."
    remedy = NoRoute.default_remedy
    missing = [
        peer
        for peer in state.swarm.peers
        if peer.state in AWAY
        and 0 <= peer.span_start < peer.span_end
        and peer.peer_id != state.blocks.peer_id
        and any(gap.overlap(Span(peer.span_start, peer.span_end)) for gap in gaps)
    ]
    if missing:
        told = [f"{peer.name} ({_AWAY_WORDS[peer.state]})" for peer in missing]
        message += f" Missing: {', '.join(told)}."
        remedy = f"Wake or start {' and '.join(dict.fromkeys(peer.name for peer in missing))}."
    if state.withdrawn:
        remedy = "This computer's own blocks are paused; serve them again with: homeswarm resume"
    elif state.blocks.phase in (Phase.STARTING, Phase.LISTENING):
        remedy = "Wait: this computer is still loading its blocks."
    return Problem("swarm", NoRoute.code, message, remedy)
