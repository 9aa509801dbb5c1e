"""What next? Pure decisions about the children; `swarm_app.node.keeper` carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.childproto import (
    Announce,
    Goodnight,
    PrepareBlocks,
    PrepareEngine,
    Priority,
    Resume,
    StartBlocks,
    StartEngine,
    StartLocal,
    Surroundings,
)
from swarm_app.domain.span import Span
from swarm_app.node import fallback, rest, warmth
from swarm_app.node.acquaintances import join_addresses
from swarm_app.node.children import Child, Kind, Phase
from swarm_app.node.state import State


@dataclass(frozen=True, slots=True)
class PrepareChild:
    """Have it warm for a swarm that is still to come."""

    kind: Kind
    frame: PrepareBlocks | PrepareEngine


@dataclass(frozen=True, slots=True)
class StartChild:
    """A warm one goes on; else a process is started."""

    kind: Kind
    frame: StartBlocks | StartEngine | StartLocal


@dataclass(frozen=True, slots=True)
class StopChild:
    """It is not needed any more."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class TellChild:
    kind: Kind
    message: Announce | Goodnight | Priority | Resume | Surroundings


Action = PrepareChild | StartChild | StopChild | TellChild


def plan(state: State, now: float) -> Action | None:
    """The next thing to do at monotonic second `now`, or None.

    Words to those who are there go first: a goodnight has little time. Then blocks. The engine joins
    through them, so it waits until they are reachable; where they cannot be (down, or not wanted) it starts
    alone: it may know other peers, and it is what says what is wrong.
    """
    if state.stopping:
        return None
    if (words := rest.to_tell(state)) is not None:
        return TellChild(*words)
    freed = rest.is_freed(state, now)
    if freed and state.blocks.phase is Phase.READY:
        return StopChild(Kind.BLOCKS)
    if not freed and _due(state, state.blocks, now):
        return StartChild(Kind.BLOCKS, _start_blocks(state))
    if _due(state, state.engine, now) and (freed or _engine_may_start(state)):
        return StartChild(Kind.ENGINE, _start_engine(state))
    return _warmth(state, now) or _local(state, now)


def _warmth(state: State, now: float) -> Action | None:
    """The children are warm while a swarm is to be expected. The blocks first: they have more to load."""
    for kind in (Kind.BLOCKS, Kind.ENGINE):
        if warmth.may_warm(state, kind, now):
            return PrepareChild(
                kind,
                PrepareBlocks(_start_blocks(state))
                if kind is Kind.BLOCKS
                else PrepareEngine(_start_engine(state)),
            )
        if (
            state.child(kind).phase is Phase.WARM
            and not state.may_run(kind)
            and not warmth.wanted(state, kind, now)
        ):
            return StopChild(kind)
    return None


def _local(state: State, now: float) -> Action | None:
    """The local model is there while it may be needed."""
    local = state.local
    if fallback.why_loaded(state, now):
        if local.phase is Phase.OFF or _due(state, local, now):
            return StartChild(Kind.LOCAL, _start_local(state))
    elif local.phase is Phase.READY:
        return StopChild(Kind.LOCAL)
    if (
        local.phase in (Phase.STARTING, Phase.READY)
        and not state.local_answers
        and state.local_started != state.local_model
    ):
        return StopChild(Kind.LOCAL)  # and the chosen one is started in its place
    return None


def next_look_at(state: State) -> float | None:
    """When `plan` may answer differently although nothing happens; monotonic seconds."""
    times = [
        child.retry_at
        for child in (state.blocks, state.engine, state.local)
        if child.phase is Phase.RESTARTING and child.retry_at is not None
    ]
    if state.local.phase is Phase.READY and (unload_at := fallback.unload_at(state)) is not None:
        times.append(unload_at)
    if (cool_at := warmth.until(state)) is not None:
        times.append(cool_at)
    if (free_at := rest.next_free_at(state)) is not None:
        times.append(free_at)
    return min(times, default=None)


def _due(state: State, child: Child, now: float) -> bool:
    if child.phase is Phase.WAITING:
        return True
    if child.phase is Phase.WARM:
        return state.may_run(child.kind)
    return child.phase is Phase.RESTARTING and (child.retry_at is None or child.retry_at <= now)


def _engine_may_start(state: State) -> bool:
    blocks = state.blocks
    if blocks.phase in (Phase.OFF, Phase.DOWN, Phase.LISTENING, Phase.READY):
        return True
    # Blocks are on their way: a swarm that exists can be joined without them, a new one cannot.
    return blocks.phase is Phase.RESTARTING and bool(state.plan.join or state.known)


def _reachable(child: Child) -> tuple[str, ...]:
    return child.addresses if child.phase in (Phase.LISTENING, Phase.READY) else ()


def _start_blocks(state: State) -> StartBlocks:
    wanted = state.plan
    span = wanted.span
    if span is None and state.belongs.members == 1:
        span = Span(0, state.model.num_blocks)  # whoever founds a household is alone in it
    return StartBlocks(
        model_dir=state.model.folder,
        span_start=span.start if span else 0,
        span_end=span.end if span else 0,
        name=state.node.name,
        identity_path=wanted.identities[0],
        # With the engine's address: blocks that come back join the swarm that their engine is still in,
        # instead of founding a second one.
        initial_peers=_unique(wanted.join + _reachable(state.engine) + join_addresses(state.known)),
        listen_host=wanted.listen,
        announce_hosts=rest.announced_hosts(state),
        # The port of the earlier life: the others still know it.
        listen_port=wanted.swarm_port or state.blocks.port,
        cache_tokens=wanted.cache_tokens,
        threads=wanted.threads,
        swarm_id=state.belongs.swarm_id,
    )


def _start_engine(state: State) -> StartEngine:
    wanted = state.plan
    return StartEngine(
        model_dir=state.model.folder,
        name=state.node.name,
        identity_path=wanted.identities[1],
        initial_peers=_unique(wanted.join + _reachable(state.blocks) + join_addresses(state.known)),
        listen_host=wanted.listen,
        threads=wanted.threads,
        swarm_id=state.belongs.swarm_id,
        context_tokens=wanted.context_tokens,
        policy=wanted.policy,
        preset=wanted.preset,
        standby=wanted.standby,
        local_peers=[state.blocks.peer_id] if state.blocks.peer_id else [],
    )


def _start_local(state: State) -> StartLocal:
    assert state.local_model is not None
    return StartLocal(
        path=state.local_model.path,
        name=state.local_model.name,
        context_tokens=state.plan.context_tokens,
        threads=state.plan.threads,
        # Where nobody waits or is about to, the weights can be brought from the disk beforehand.
        warm_up=not state.local_answers and (state.swarm.covered or not state.answers),
    )


def _unique(addresses: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(addresses))
