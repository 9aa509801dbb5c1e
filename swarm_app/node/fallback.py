"""When the local model answers instead of the household, and when it is kept loaded. Pure.

Three questions: who begins an answer (`choose`), whether an answer in flight has to leave the household
(`leave`), and whether the local model should be in memory (`wants_loaded`). `now` is monotonic seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from swarm_app.domain.errors import BadRequest, HomeswarmError, NoRoute
from swarm_app.domain.said import say
from swarm_app.domain.span import Span, gaps
from swarm_app.node.children import Phase
from swarm_app.node.reasons import Why, passes, why_not
from swarm_app.node.state import AVAILABLE, State
from swarm_app.routing.choose import choose_route
from swarm_app.routing.cost import Costs, PeerOffer

ASKED_FOR = say("asked-for")
"""Why the local model answers where nothing is wrong with the household."""

SETTLED_S = 5.0
"""The household answers again when it could have for this long: one that comes and goes is left alone."""

NO_ROUTE_S = 0.3
"""A silence of this length, while some blocks have nobody, is a lost route. Shorter ones pass unnoticed."""

USUAL_GAPS = 3
"""A silence counts from this many times the usual time between two pieces: slow is not lost."""

SLOW_GAPS = 8
"""So many pieces in a row tell a speed."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one answer is to come from; "" leaves it to the node's options."""

    prefer: str = ""
    """``swarm`` or ``local``."""
    fallback: str = ""
    """``auto``, ``ask`` or ``never``."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Who begins: the household, or the local model and why."""

    local: bool
    reason: str = ""
    remedy: str = field(default="", compare=False)
    """What a person can do so that the household answers; "" where nothing is to be done."""
    lost: bool = field(default=False, compare=False)
    """The household cannot answer; when it can, it has to settle first."""


@dataclass(frozen=True, slots=True)
class Flight:
    """An answer that the household gives."""

    asked_at: float
    last_text_at: float | None = None
    gaps_s: tuple[float, ...] = ()
    """The latest times between two pieces of text."""


def fallback_of(state: State, wishes: Wishes) -> str:
    """``auto``, ``ask`` or ``never``."""
    return wishes.fallback or state.plan.fallback


def choose(state: State, wishes: Wishes, asked_at: float, now: float) -> Begin | None:
    """Who begins an answer that was asked for at `asked_at`; None while waiting a moment may tell."""
    if (wishes.prefer or state.plan.prefer) == "local":
        return Begin(True, ASKED_FOR)
    fallback = fallback_of(state, wishes)
    if fallback == "never":
        return Begin(False)
    if passes(state) and now - asked_at < state.plan.takeover_s:
        return None
    if (why := why_not(state)) is not None:
        return Begin(True, why.text, why.remedy, lost=not passes(state))
    if fallback == "auto" and (left_at := state.left_swarm_at) is not None:
        back_s = now - max(left_at, state.swarm.covered_at or left_at)
        if back_s < SETTLED_S:
            return Begin(True, say("household-just-back", number=max(0.0, back_s)), _SETTLES)
    if (floor := state.plan.min_speed) and (speed := predicted_speed(state)) and speed < floor:
        told = say("would-be-slow", number=speed, least=floor)
        return Begin(True, told, _FLOOR)
    return Begin(False)


_SETTLES = f"Ask again in a moment: it answers once it has been whole for {SETTLED_S:.0f} s."
_FLOOR = "Start the node with a lower --min-speed to have the household answer all the same."


LOADING_S = 5.0
"""A silent household that may come back is left for a local model that is there; else so much later."""


EXPECT_S = 0.4
"""After a silence of this length the local model is loaded: that takes longer than finding out who left."""


def expect(state: State, flight: Flight, now: float) -> bool:
    """Whether the local model is to be loaded for an answer that may have to leave."""
    if flight.last_text_at is None:
        return why_not(state) is not None  # a long prompt alone takes what it takes
    usual_s = USUAL_GAPS * median(flight.gaps_s) if flight.gaps_s else 0.0
    return now - flight.last_text_at >= max(EXPECT_S, usual_s)


REHEARSE_S = 0.2
"""After a silence of this length the local model reads what there is, to go on at once if it has to."""


def rehearse(state: State, flight: Flight, now: float) -> bool:
    """Whether a silence is worth the local model's reading of the conversation."""
    if state.local.phase is not Phase.READY or flight.last_text_at is None or not flight.gaps_s:
        return False
    return now - flight.last_text_at >= max(REHEARSE_S, USUAL_GAPS * median(flight.gaps_s))


def leave(state: State, flight: Flight, now: float) -> Why | None:
    """Why an answer cannot wait for the household any longer; None while it can.

    A lost route is left at once where the local model is loaded. Else it is left when it is, or when the
    patience ends: an answer that goes on meanwhile stays where it is.
    """
    silent_s = now - (flight.asked_at if flight.last_text_at is None else flight.last_text_at)
    usual_s = USUAL_GAPS * median(flight.gaps_s) if flight.gaps_s else 0.0
    patience_s = max(state.plan.takeover_s, usual_s)
    if (why := why_not(state)) is not None and silent_s >= max(NO_ROUTE_S, usual_s):
        if state.local.phase is Phase.READY or silent_s >= patience_s:
            return why
    elif flight.last_text_at is not None and silent_s >= patience_s + (
        0.0 if state.local.phase is Phase.READY else LOADING_S
    ):
        # Before the first piece a long prompt is worked on, which takes what it takes.
        return Why(say("household-silent", number=silent_s), "See who is slow with: homeswarm status")
    if (floor := state.plan.min_speed) and len(flight.gaps_s) >= SLOW_GAPS:
        speed = 1.0 / max(median(flight.gaps_s[-SLOW_GAPS:]), 1e-6)
        if speed < floor:
            return Why(say("was-slow", number=speed, least=floor), _FLOOR)
    return None


def why_loaded(state: State, now: float) -> str:
    """Why the local model should be in memory now, or "".

    Only in use: whoever does not chat for the idle time gets the memory back.
    """
    if state.local_model is None or state.stopping:
        return ""
    if state.local_answers:
        return "an answer needs it"
    if state.plan.keep_local == "always":
        return "the option says so"
    used_at = max((at for at in (state.local_used_at, state.active_at) if at is not None), default=None)
    if not state.answers and (used_at is None or now - used_at >= state.plan.local_idle_s):
        return ""
    if state.local_used_at is not None and now - state.local_used_at < state.plan.local_idle_s:
        return "an answer needed it a moment ago"
    if state.plan.fallback == "never":
        return ""
    if not (state.belongs.runs and state.model.there):
        return "this computer answers alone"
    if not state.swarm.covered:
        return "the household cannot answer"
    if any(peer.state == "suspect" for peer in state.swarm.peers):
        return "a computer of the household is in doubt"
    if has_no_spare(state):
        return "some blocks are on one computer alone"
    return ""


def unload_at(state: State) -> float | None:
    """When `why_loaded` may end by the time alone."""
    used_at = max((at for at in (state.local_used_at, state.active_at) if at is not None), default=None)
    return None if used_at is None else used_at + state.plan.local_idle_s


def has_no_spare(state: State) -> bool:
    """Whether losing one other computer would leave blocks without any."""
    own = state.blocks.peer_id
    usable = [
        peer
        for peer in state.swarm.peers
        if peer.on_route and peer.state == AVAILABLE and 0 <= peer.span_start < peer.span_end
    ]
    for peer in usable:
        if peer.peer_id == own:
            continue
        others = [Span(other.span_start, other.span_end) for other in usable if other is not peer]
        if gaps(others, state.swarm.num_blocks):
            return True
    return False


def predicted_speed(state: State) -> float | None:
    """Tokens per second of the fastest route, by what peers announce and was measured; None if unknown."""
    offers = [
        PeerOffer(
            peer.peer_id,
            peer.name,
            Span(peer.span_start, peer.span_end),
            compute_s_per_block=None
            if peer.compute_s is None
            else peer.compute_s / (peer.span_end - peer.span_start),
            round_trip_s=peer.round_trip_s,
        )
        for peer in state.swarm.peers
        if peer.on_route and peer.state == AVAILABLE and 0 <= peer.span_start < peer.span_end
    ]
    try:
        route = choose_route(offers, state.swarm.num_blocks)
    except NoRoute:
        return None
    seconds = Costs.of(offers).predict(route)
    return 1.0 / seconds if seconds > 0 else None


def helps(error: HomeswarmError) -> bool:
    """Whether the local model may go on after an error: of any kind but that the question is wrong."""
    return not isinstance(error, BadRequest)
