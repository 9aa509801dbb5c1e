"""Why the household cannot answer now, and what a person can do about it: true sentences, worked out from the
state. Pure.

One place for what a segment, an offer, an error and a problem say, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from swarm_app.domain.errors import ChildDown, HomeswarmError, NoRoute, from_wire
from swarm_app.domain.pause import PAUSED_REASON
from swarm_app.domain.said import Said, joined, listed, reasons_of, say
from swarm_app.domain.span import Span
from swarm_app.localapi.membershipview import NoSwarm
from swarm_app.node.children import Phase
from swarm_app.node.state import AVAILABLE, Standing, State


@dataclass(frozen=True, slots=True)
class Why:
    """`text` is a part of a sentence, to stand behind a colon; `remedy` a whole one, or ""."""

    text: str
    remedy: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.text[:1].upper()}{self.text[1:]}."


_STANDING = {
    Standing.OUTSIDE: Why(
        say("in-no-household"),
        "Found one with: homeswarm swarm create, or join one with: homeswarm join",
    ),
    Standing.CHECKING: Why(say("checking"), "Try again in a moment."),
    Standing.LOCKED: Why(say("keys-locked"), "See what is wrong with: homeswarm status"),
    Standing.REMOVED: Why(
        say("was-removed"),
        "An owner or admin can invite it again: homeswarm invite create",
    ),
    Standing.TWIN: Why(say("twin"), "See what to do with: homeswarm status"),
}

_NO_MODEL = Why(
    say("no-model"),
    "Import one with: homeswarm model import, and start the node again.",
)


def why_not(state: State) -> Why | None:
    """Why the household cannot answer now, the nearest reason; None where it can."""
    if state.stopping:
        return Why(say("node-stopping"), "Start it again with: homeswarm node")
    if not state.belongs.runs:
        why, said = _STANDING[state.belongs.standing], state.belongs.complaint
        return Why(why.text, said.remedy) if said is not None and said.remedy else why
    if not state.model.there:
        return _NO_MODEL
    if state.engine.phase is not Phase.READY:
        return _engine(state)
    if not state.swarm.seen:
        return Why(say("looking"), "Try again in a moment.")
    return None if state.swarm.covered else _uncovered(state)


def passes(state: State) -> bool:
    """Whether what is in the way is likely to be over in a moment: something starts."""
    if state.stopping:
        return False
    if not state.belongs.runs:
        return state.belongs.standing is Standing.CHECKING
    if not state.model.there:
        return False
    starting = (Phase.WAITING, Phase.WARM, Phase.STARTING, Phase.LISTENING, Phase.RESTARTING)
    return state.engine.phase in starting or (state.engine.phase is Phase.READY and not state.swarm.seen)


def not_ready(state: State) -> HomeswarmError:
    """The same as an error: for a question that only the household may answer."""
    why = why_not(state) or Why(say("chats-missing"), ChildDown.default_remedy)
    kinds: dict[str, str] = {"was-removed": "removed", "in-no-household": NoSwarm.code}
    code = next((kinds[one.code] for one in reasons_of(why.text) if one.code in kinds), ChildDown.code)
    return from_wire(code, why.sentence, why.remedy)


def cut_off(before: State, after: State) -> HomeswarmError | None:
    """What the household's answers in flight end with, where this change of the membership ends its engine.

    Such an engine is told to stop like any other, and would say that nobody wanted the answer any more.
    """
    ends = after.engine.phase is Phase.STOPPING and before.engine.phase not in (Phase.STOPPING, Phase.WARM)
    if not ends or after.stopping or before.belongs == after.belongs:
        return None
    was, now = before.belongs, after.belongs
    if now.standing is Standing.OUTSIDE:
        return NoSwarm(f"This computer has left the swarm {was.swarm_name}.")
    if not now.runs and now.complaint is not None:
        return from_wire(now.complaint.code, now.complaint.message, now.complaint.remedy)
    from swarm_app.membership.errors import RotationPending

    return RotationPending(
        f"The swarm {was.swarm_name} got a new key in the middle of the answer.",
        remedy="Ask again in a moment.",
    )


def _engine(state: State) -> Why:
    engine, blocks = state.engine, state.blocks
    said = engine.complaint
    match engine.phase:
        case Phase.DOWN:
            told = f": {_within(said.message)}" if said is not None else ""
            return Why(
                say("chats-down", text=told, about=said.code if said is not None else ""),
                (said.remedy if said is not None else "") or ChildDown.default_remedy,
            )
        case Phase.RESTARTING:
            told = f": {_within(said.message)}" if said is not None else ""
            return Why(say("chats-restarting", text=told), "Try again in a moment.")
        case Phase.WAITING if blocks.phase is Phase.RESTARTING and blocks.complaint:
            told = f": {_within(blocks.complaint.message)}"
            return Why(say("blocks-restarting", text=told), "Try again in a moment.")
        case Phase.WAITING | Phase.WARM | Phase.STARTING | Phase.LISTENING:
            doing = f" ({engine.work.what} {engine.work.done} of {engine.work.total})" if engine.work else ""
            return Why(say("chats-starting", text=doing), "Try again in a moment.")
        case _:
            return Why(say("chats-stopped"), ChildDown.default_remedy)


_AWAY = {
    "suspect": "peer-silent",
    "unreachable": "peer-silent",
    "asleep": "peer-asleep",
    "left": "peer-stopped",
    "paused": "peer-paused",
    "joining": "peer-loading",
}
"""What a peer's state is called as a reason."""


def _uncovered(state: State) -> Why:
    """Some blocks have nobody: who has to come back, as far as that is known."""
    if (own := _own_blocks(state)) is not None:
        return own
    missing: dict[str, list[str]] = {}
    unusable: list[Said] = []
    for peer in state.swarm.peers:
        here = bool(state.blocks.peer_id) and peer.peer_id == state.blocks.peer_id
        if here or not 0 <= peer.span_start < peer.span_end:
            continue
        span = Span(peer.span_start, peer.span_end)
        if not any(gap.overlap(span) for gap in state.swarm.gaps):
            continue
        if peer.state in _AWAY:
            # Two states may read alike; the words are what is told.
            key = "suspect" if peer.state == "unreachable" else peer.state
            if key == "left" and peer.reason == PAUSED_REASON:
                key = "paused"
            missing.setdefault(key, []).append(peer.name)
        elif peer.reason:
            unusable.append(say("peer-unusable", peer.name, text=peer.reason))
    told, remedies = [], []
    for state_of, found in missing.items():
        names = list(dict.fromkeys(found))
        told.append(say(_AWAY[state_of], *names))
        remedies.append(_remedy(state_of, names))
    if told or unusable:
        return Why(joined(", ", [*told, *unusable]), " ".join(remedies) or "See more with: homeswarm status")
    gaps = ", ".join(map(str, state.swarm.gaps))
    others = any(
        peer.state == AVAILABLE and peer.on_route and peer.peer_id != state.blocks.peer_id
        for peer in state.swarm.peers
    )
    if others:
        return Why(say("uncovered", text=gaps), NoRoute.default_remedy)
    return Why(say("alone"), "Start Homeswarm on another computer of the household.")


def _own_blocks(state: State) -> Why | None:
    """This computer's own blocks are what is missing."""
    span = state.plan.span
    if not state.plan.serve or (span is not None and not any(gap.overlap(span) for gap in state.swarm.gaps)):
        return None
    blocks = state.blocks
    if state.withdrawn:
        # A pause is for the others alone.
        if any(
            p.peer_id == blocks.peer_id and p.state == AVAILABLE and p.on_route for p in state.swarm.peers
        ):
            return None
        return Why(say("blocks-paused"), "Serve them again with: homeswarm resume")
    if state.sleep is not None and blocks.quiet:
        return Why(say("about-to-sleep"))
    if span is None and blocks.phase is not Phase.READY and any(p.state in _AWAY for p in state.swarm.peers):
        return None  # which blocks it will choose is not known; who is missing is
    match blocks.phase:
        case Phase.WAITING | Phase.WARM | Phase.STARTING | Phase.LISTENING:
            return Why(say("blocks-loading"), "Wait a moment.")
        case Phase.RESTARTING:
            return Why(say("blocks-reloading"), "Wait a moment.")
        case Phase.DOWN:
            said = blocks.complaint
            told = f": {_within(said.message)}" if said is not None else ""
            remedy = (said.remedy if said is not None else "") or ChildDown.default_remedy
            about = said.code if said is not None else ""
            return Why(say("blocks-down", text=told, about=about), remedy)
        case _:
            return None


def _remedy(state_of: str, names: Sequence[str]) -> str:
    match state_of:
        case "asleep":
            return f"Wake {listed(names)}."
        case "paused":
            return f"Contribute again on {listed(names)}."
        case "left":
            return f"Start Homeswarm again on {listed(names)}."
        case "joining":
            return "Wait a moment."
        case _:
            return f"See whether {listed(names)} {'are' if len(names) > 1 else 'is'} on and in the network."


def of_error(error: HomeswarmError) -> Why:
    """An error of the household as the reason why somebody else goes on."""
    text = _within(error.message.removeprefix("The answer was cut off. "))
    return Why(say("error", about=error.code, text=text), error.remedy)


def _within(sentence: str) -> str:
    """A sentence as a part of another one."""
    text = sentence.strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
