"""What next? Pure decisions about the children; `swarm_app.node.keeper` carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.childproto import Announce, Goodnight, Resume, StartBlocks, StartEngine
from swarm_app.node import rest
from swarm_app.node.acquaintances import join_addresses
from swarm_app.node.state import Child, Kind, Phase, State


@dataclass(frozen=True, slots=True)
class StartChild:
    kind: Kind
    frame: StartBlocks | StartEngine


@dataclass(frozen=True, slots=True)
class TellChild:
    kind: Kind
    message: Announce | Goodnight | Resume


Action = StartChild | TellChild


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
    if _due(state.blocks, now):
        return StartChild(Kind.BLOCKS, _start_blocks(state))
    if _due(state.engine, now) and _engine_may_start(state):
        return StartChild(Kind.ENGINE, _start_engine(state))
    return None


def next_look_at(state: State) -> float | None:
    """When `plan` may answer differently although nothing happens; monotonic seconds."""
    times = [
        child.retry_at
        for child in (state.blocks, state.engine)
        if child.phase is Phase.RESTARTING and child.retry_at is not None
    ]
    return min(times, default=None)


def _due(child: Child, now: float) -> bool:
    if child.phase is Phase.WAITING:
        return True
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
    return StartBlocks(
        model_dir=state.model.folder,
        span_start=wanted.span.start if wanted.span else 0,
        span_end=wanted.span.end if wanted.span else 0,
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
        context_tokens=wanted.context_tokens,
        policy=wanted.policy,
        preset=wanted.preset,
        standby=wanted.standby,
        local_peers=[state.blocks.peer_id] if state.blocks.peer_id else [],
    )


def _unique(addresses: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(addresses))
