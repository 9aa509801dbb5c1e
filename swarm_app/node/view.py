"""State as people and programs see it: the JSON of the local API. Pure."""

from __future__ import annotations

from datetime import datetime

from swarm_app.childproto import SeenPeer
from swarm_app.domain.said import reason_views, reasons_of
from swarm_app.localapi.view import (
    BlocksView,
    ChatsView,
    ChildrenView,
    ChildView,
    ClockView,
    ComplaintView,
    ContributionView,
    HopView,
    JoinRequestView,
    LinkChangeView,
    LinkView,
    LocalView,
    MembershipView,
    ModelView,
    NodeView,
    OfferView,
    PauseView,
    PeerChangeView,
    PeerView,
    PowerView,
    ProblemView,
    ReasonView,
    Section,
    SleepView,
    StateView,
    SwarmView,
)
from swarm_app.node import politely, politeness, rest
from swarm_app.node.children import Child, Complaint, Kind
from swarm_app.node.computer import Link
from swarm_app.node.fallback import why_loaded
from swarm_app.node.politeness import Condition
from swarm_app.node.problems import problems
from swarm_app.node.state import Belongs, Offer, PauseRecord, PeerChangeRecord, State


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
            standby=state.plan.standby,
            standby_bytes=state.model.cache_bytes_per_token * state.plan.context_tokens,
            memory_limit_bytes=state.node.limited.memory_bytes,
            processor_limit=state.node.limited.processors,
        ),
        model=ModelView(
            name=state.model.name,
            id=state.model.id,
            num_blocks=state.model.num_blocks,
            quant=state.model.quant,
        ),
        children=ChildrenView(
            blocks=_blocks(state, now), engine=_engine(state, now), local=_child(state.local, now)
        ),
        swarm=SwarmView(
            num_blocks=state.swarm.num_blocks,
            seen=state.swarm.seen,
            peers=[_peer(state, peer, now_epoch - now) for peer in state.swarm.peers],
            gaps=[[gap.start, gap.end] for gap in state.swarm.gaps],
            covered=state.swarm.covered,
            doubt=state.swarm.doubt,
            why_doubt=reason_views(reasons_of(state.swarm.doubt)),
            changes=[_peer_change(record, now_epoch - now) for record in state.peer_changes],
        ),
        route=[
            HopView(peer=hop.peer_id, name=hop.name, start=hop.span_start, end=hop.span_end)
            for hop in state.route
        ],
        pauses=[_pause(record) for record in state.pauses],
        chats=ChatsView(revision=state.chats.revision, running=list(state.chats.running)),
        membership=_membership(state.belongs),
        power=_power(state),
        link=_link(state.link, state.plan.listen),
        local=_local(state, now),
        contribution=_contribution(state, now, now_epoch),
        problems=[
            ProblemView(
                code=p.code, message=p.message, remedy=p.remedy, about=p.about, why=reason_views(p.why)
            )
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
    if _children(before) != _children(after):
        changed.add("children")
    if (before.swarm, before.peer_changes) != (after.swarm, after.peer_changes):
        changed.add("swarm")
    if before.route != after.route:
        changed.add("route")
    if before.pauses != after.pauses:
        changed.add("pauses")
    if before.chats != after.chats:
        changed.add("chats")
    if before.belongs != after.belongs:
        changed.add("membership")
    if (before.power, before.sleep) != (after.power, after.sleep):
        changed.add("power")
    if before.link != after.link:
        changed.add("link")
    if _told_of_local(before) != _told_of_local(after):
        changed.add("local")
    if _told_of_contribution(before) != _told_of_contribution(after):
        changed.add("contribution")
    if problems(before) != problems(after):
        changed.add("problems")
    return frozenset(changed)


def _children(state: State) -> tuple[object, ...]:
    return state.blocks, state.engine, state.local, state.serving, state.withdrawn


def _told_of_local(state: State) -> tuple[object, ...]:
    seen = state.local_seen
    return state.local_model, state.local.alive, state.local_answers, state.offers, seen and seen.tokens_per_s


def _local(state: State, now: float) -> LocalView:
    seen, model = state.local_seen, state.local_model
    return LocalView(
        model=None if model is None else model.name,
        fallback=state.plan.fallback,
        prefer=state.plan.prefer,
        loaded_because=why_loaded(state, now) if state.local.alive else "",
        answers=state.local_answers,
        offers=[offer_view(offer) for offer in state.offers],
        tokens_per_s=None if seen is None else seen.tokens_per_s,
    )


def offer_view(offer: Offer) -> OfferView:
    return OfferView(
        request_id=offer.request_id,
        reason=offer.reason,
        why=reason_views(reasons_of(offer.reason)),
        remedy=offer.remedy,
        model=offer.model,
        at_token=offer.at_token,
        until=offer.until_epoch,
    )


def _told_of_contribution(state: State) -> tuple[object, ...]:
    return (
        state.contribution,
        state.seen.why_no_active,
        state.seen.why_no_full_screen,
        politely.seen(state),
        state.plan.serve and state.belongs.hosts,
        state.withdrawn and state.blocks.phase,
    )


def _contribution(state: State, now: float, now_epoch: float) -> ContributionView:
    held = state.contribution
    decision = held.decision
    serves = state.plan.serve and state.belongs.hosts
    knows = {
        condition.value: None if is_seen is None else condition in held.standing
        for condition, is_seen in politely.seen(state).items()
    }
    return ContributionView(
        state=decision.stance.value if serves else "none",
        by_owner=decision.by_owner,
        reasons=[ReasonView(code=code, text=politeness.TEXTS[code]) for code in decision.reasons],
        until=decision.until_epoch,
        sentence=politeness.sentence(decision, datetime.fromtimestamp(now_epoch))
        if serves
        else "This computer serves no blocks.",
        knows=knows,
        unknown=[
            ReasonView(code=condition.value, text=text)
            for condition, text in unknown_here(state).items()
            if state.plan.rules.about(condition) != politeness.IGNORE
        ],
        freed=rest.is_freed(state, now),
    )


def unknown_here(state: State) -> dict[Condition, str]:
    """What cannot be known on this computer, each as a sentence with the reason."""
    found: dict[Condition, str] = {}
    seen = state.seen
    if seen.active is None and seen.why_no_active:
        found[Condition.ACTIVE] = (
            f"Whether somebody uses this computer cannot be known here: {seen.why_no_active}."
        )
    if seen.full_screen is None and seen.why_no_full_screen:
        why = seen.why_no_full_screen
        found[Condition.FULL_SCREEN] = f"Whether a program fills the screen cannot be known here: {why}."
    if state.power.on_battery is None:
        found[Condition.BATTERY] = (
            "Whether this computer runs on battery is not known: the system does not say."
        )
    if state.link.metered is None:
        found[Condition.METERED] = (
            "Whether the network is paid by volume is not known: the system does not say."
        )
    return found


def _pause(record: PauseRecord) -> PauseView:
    pause = record.pause
    return PauseView(
        number=record.number,
        at=record.over_epoch,
        request_id=record.request_id,
        cause=pause.cause,
        peer=pause.peer,
        name=pause.name,
        moved_to=list(pause.moved_to),
        detect_s=pause.detect_s,
        route_s=pause.route_s,
        replay_s=pause.replay_s,
        total_s=pause.total_s,
        at_token=pause.at_token,
        text=pause.text,
        load_s=pause.load_s,
        words_may_differ=pause.words_may_differ,
    )


def _membership(belongs: Belongs) -> MembershipView:
    return MembershipView(
        standing=belongs.standing.value,
        swarm_id=belongs.swarm_id,
        swarm_name=belongs.swarm_name,
        role=belongs.role,
        device_id=belongs.device_id,
        founder=belongs.founder,
        number=belongs.number,
        members=belongs.members,
        door=list(belongs.door),
        reason=_complaint(belongs.complaint),
        requests=[
            JoinRequestView(id=one.request_id, name=one.name, digits=one.digits) for one in belongs.requests
        ],
        clock=None
        if belongs.clock is None
        else ClockView(
            name=belongs.clock.name,
            this_computer=not belongs.clock.name,
            offset_s=round(belongs.clock.offset_s, 1),
            sure=belongs.clock.sure,
        ),
    )


def _power(state: State) -> PowerView:
    power, slept = state.power, state.power.last_sleep
    return PowerView(
        on_battery=power.on_battery,
        level=power.level,
        sleep_coming=state.sleep is not None,
        delays_sleep=power.delays_sleep,
        last_sleep=None
        if slept is None
        else SleepView(slept_s=round(slept.slept_s, 3), how=slept.how, woke_at=slept.woke_epoch),
        notes=list(power.notes),
    )


def _link(link: Link, listen: str) -> LinkView:
    move = link.last_move
    return LinkView(
        addresses=rest.reached_at(listen, link.addresses),
        network=link.network,
        last_change=None
        if move is None
        else LinkChangeView(
            at=move.moved_epoch,
            reasons=list(move.reasons),
            rebind_needed=move.rebind_needed,
            added=list(move.added),
            gone=list(move.gone),
        ),
        notes=list(link.notes),
    )


def _complaint(complaint: Complaint | None) -> ComplaintView | None:
    if complaint is None:
        return None
    return ComplaintView(code=complaint.code, message=complaint.message, remedy=complaint.remedy)


def _child(child: Child, now: float) -> ChildView:
    return ChildView(
        phase=child.phase.value,
        pid=child.pid,
        peer_id=child.peer_id,
        addresses=[],  # of the swarm's children: see `rest.announced_addresses`
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
    child = _child(state.blocks, now)
    child["addresses"] = rest.announced_addresses(state, Kind.BLOCKS)
    return BlocksView(
        **child,
        span=_own_span(state),
        withdrawn=state.withdrawn,
        quiet=state.blocks.quiet,
        sessions=serving.sessions if serving else 0,
        cache_tokens_used=serving.cache_tokens_used if serving else 0,
        cache_tokens=serving.cache_tokens if serving else 0,
        steps=serving.steps if serving else 0,
    )


def _engine(state: State, now: float) -> ChildView:
    child = _child(state.engine, now)
    child["addresses"] = rest.announced_addresses(state, Kind.ENGINE)
    return child


def _own_span(state: State) -> list[int] | None:
    """The span that was asked for, or the one that the child chose, as the swarm sees it."""
    if state.plan.span is not None:
        return [state.plan.span.start, state.plan.span.end]
    for peer in state.swarm.peers:
        if state.blocks.peer_id and peer.peer_id == state.blocks.peer_id:
            return [peer.span_start, peer.span_end]
    return None


def _peer_change(record: PeerChangeRecord, epoch_offset_s: float) -> PeerChangeView:
    change = record.change
    return PeerChangeView(
        at=round(record.changed_at + epoch_offset_s, 3),
        peer_id=change.peer_id,
        name=change.name,
        before=change.before,
        after=change.after,
        reason=change.reason,
        why=reason_views(change.why),
    )


def _peer(state: State, peer: SeenPeer, epoch_offset_s: float) -> PeerView:
    """`epoch_offset_s`: what monotonic seconds lack to seconds since the epoch."""
    seen_epoch = state.swarm.seen_at + epoch_offset_s
    since = None if peer.since_s is None else seen_epoch - peer.since_s
    return PeerView(
        peer_id=peer.peer_id,
        name=peer.name,
        span=[peer.span_start, peer.span_end],
        state=peer.state,
        since=None if since is None else round(since, 1),
        on_route=peer.on_route,
        avoided_until=None if peer.avoided_s is None else round(seen_epoch + peer.avoided_s, 1),
        reason=peer.reason,
        why=reason_views(peer.why),
        compute_s=peer.compute_s,
        round_trip_s=peer.round_trip_s,
        cache_tokens_left=peer.cache_tokens_left,
        power=peer.power,
        link=peer.link,
        this_node=bool(state.blocks.peer_id) and peer.peer_id == state.blocks.peer_id,
    )
