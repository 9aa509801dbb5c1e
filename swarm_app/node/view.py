"""State as people and programs see it: the JSON of the local API. Pure."""

from __future__ import annotations

from swarm_app.childproto import SeenPeer
from swarm_app.localapi.view import (
    BlocksView,
    ChildrenView,
    ChildView,
    ComplaintView,
    HopView,
    ModelView,
    NodeView,
    PeerView,
    ProblemView,
    Section,
    StateView,
    SwarmView,
)
from swarm_app.node.problems import problems
from swarm_app.node.state import Child, Complaint, Phase, State


def snapshot(state: State, now: float, now_epoch: float) -> StateView:
    """The whole state; `now` is monotonic seconds, `now_epoch` seconds since the epoch."""
    return StateView(
        node=NodeView(
            name=state.node.name,
            version=state.node.version,
            pid=state.node.pid,
            started_at=state.node.started_at,
            uptime_s=round(max(0.0, now_epoch - state.node.started_at), 3),
            profile=state.node.profile,
            stopping=state.stopping,
            answers=state.answers,
        ),
        model=ModelView(
            name=state.model.name,
            id=state.model.id,
            num_blocks=state.model.num_blocks,
            quant=state.model.quant,
        ),
        children=ChildrenView(blocks=_blocks(state, now), engine=_child(state.engine, now)),
        swarm=SwarmView(
            num_blocks=state.swarm.num_blocks,
            seen=state.swarm.seen,
            peers=[_peer(state, peer) for peer in state.swarm.peers],
            gaps=[[gap.start, gap.end] for gap in state.swarm.gaps],
            covered=state.swarm.covered,
        ),
        route=[
            HopView(peer=hop.peer_id, name=hop.name, start=hop.span_start, end=hop.span_end)
            for hop in state.route
        ],
        problems=[
            ProblemView(code=p.code, message=p.message, remedy=p.remedy, about=p.about)
            for p in problems(state)
        ],
    )


def changed_sections(before: State, after: State) -> frozenset[Section]:
    """The sections of the view that may differ between two states."""
    changed: set[Section] = set()
    if before.node != after.node or before.stopping != after.stopping or before.answers != after.answers:
        changed.add("node")
    if before.model != after.model:
        changed.add("model")
    if (before.blocks, before.engine, before.serving) != (after.blocks, after.engine, after.serving):
        changed.add("children")
    if before.swarm != after.swarm:
        changed.add("swarm")
    if before.route != after.route:
        changed.add("route")
    if problems(before) != problems(after):
        changed.add("problems")
    return frozenset(changed)


def _complaint(complaint: Complaint | None) -> ComplaintView | None:
    if complaint is None:
        return None
    return ComplaintView(code=complaint.code, message=complaint.message, remedy=complaint.remedy)


def _child(child: Child, now: float) -> ChildView:
    reachable = child.phase in (Phase.LISTENING, Phase.READY)
    return ChildView(
        phase=child.phase.value,
        pid=child.pid,
        peer_id=child.peer_id,
        addresses=list(child.addresses) if reachable else [],
        work=None
        if child.work is None
        else {"what": child.work.what, "done": child.work.done, "total": child.work.total},
        memory_bytes=child.memory_bytes,
        restarts=child.restarts,
        retry_in_s=None if child.retry_at is None else round(max(0.0, child.retry_at - now), 3),
        last_words=list(child.last_words),
        reason=_complaint(child.complaint),
    )


def _blocks(state: State, now: float) -> BlocksView:
    serving = state.serving
    return BlocksView(
        **_child(state.blocks, now),
        span=_own_span(state),
        sessions=serving.sessions if serving else 0,
        cache_tokens_used=serving.cache_tokens_used if serving else 0,
        cache_tokens=serving.cache_tokens if serving else 0,
        steps=serving.steps if serving else 0,
    )


def _own_span(state: State) -> list[int] | None:
    """The span that was asked for, or the one that the child chose, as the swarm sees it."""
    if state.plan.span is not None:
        return [state.plan.span.start, state.plan.span.end]
    for peer in state.swarm.peers:
        if state.blocks.peer_id and peer.peer_id == state.blocks.peer_id:
            return [peer.span_start, peer.span_end]
    return None


def _peer(state: State, peer: SeenPeer) -> PeerView:
    return PeerView(
        peer_id=peer.peer_id,
        name=peer.name,
        span=[peer.span_start, peer.span_end],
        state=peer.state,
        on_route=peer.on_route,
        reason=peer.reason,
        compute_s=peer.compute_s,
        round_trip_s=peer.round_trip_s,
        cache_tokens_left=peer.cache_tokens_left,
        this_node=bool(state.blocks.peer_id) and peer.peer_id == state.blocks.peer_id,
    )
