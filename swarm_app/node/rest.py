"""Going to sleep, waking up, moving, and pausing: what is said to whom, and when. Pure.

Before a sleep and for a pause the blocks are told goodnight, and the system is let go when they have drained
or when no time is left. After a wake, a move to another network or a set clock, both children doubt what they
know.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from swarm_app.childproto import Announce, Goodnight, Priority, Resume, Surroundings
from swarm_app.domain.pause import ASLEEP, PAUSED
from swarm_app.node.children import Kind, Phase
from swarm_app.node.computer import ComingSleep
from swarm_app.node.politeness import Stance
from swarm_app.node.state import State

MARGIN_S = 1.0
MARGIN_SHARE = 0.25
"""What is left of the system's patience when we let go: a second for the message to get there, less where
there is little. Who overstays is not asked to sleep any later, it just sleeps unprepared."""

STAYED_AWAKE_S = 20.0
"""Awake for so long after the deadline, by a clock that stands still during a sleep, means that none came.
Freezing the processes of a busy computer takes the kernel up to 20 s."""

WORKING = "Is working on an answer"
"""For whoever asks the system who keeps it awake."""

REASON = "Tells the household before this computer sleeps"
"""For whoever asks the system who delays it."""


def announced(deadline_s: float, at: float) -> ComingSleep:
    """A sleep that the system announces at monotonic second `at`, waiting `deadline_s` for us."""
    margin_s = min(MARGIN_S, MARGIN_SHARE * deadline_s)
    return ComingSleep(at + deadline_s - margin_s, at + deadline_s + STAYED_AWAKE_S)


def reached_at(listen: str, addresses: Sequence[str]) -> list[str]:
    """Those of this computer's addresses at which its blocks listen; none for loopback."""
    if listen == "0.0.0.0":  # noqa: S104 (nothing is bound here)
        return [address for address in addresses if ":" not in address]
    if listen == "::":
        return list(addresses)
    return [address for address in addresses if address == listen]


def announced_hosts(state: State) -> list[str] | None:
    """Where others are told to reach this computer's blocks: nowhere until the network is known.

    None where they listen at one address: its owner has chosen it, be it a VPN's.
    """
    listen = state.plan.listen
    if not ipaddress.ip_address(listen).is_unspecified:
        return None
    return reached_at(listen, state.link.addresses)


def announced_addresses(state: State, kind: Kind) -> list[str]:
    """The multiaddresses under which others reach that child of the swarm, while it is reachable.

    p2pd by itself names every interface, those of containers and virtual machines too.
    """
    child, hosts = state.child(kind), announced_hosts(state)
    if child.phase not in (Phase.LISTENING, Phase.READY):
        return []
    if hosts is None:
        return list(child.addresses)
    return [
        f"/{'ip6' if ':' in host else 'ip4'}/{host}/tcp/{child.port}/p2p/{child.peer_id}"
        for host in hosts
        if child.port
    ]


def to_tell(state: State) -> tuple[Kind, Announce | Goodnight | Priority | Resume | Surroundings] | None:
    """The next message that a child has to get, or None.

    Only children that are ready are told to sleep or to resume: one that still loads serves nobody, and
    whoever is told when it is ready has missed nothing. Where they are reached goes before a resume, which
    announces.
    """
    if state.stopping:
        return None
    blocks, engine = state.blocks, state.engine
    hosts = announced_hosts(state)
    if blocks.phase in (Phase.LISTENING, Phase.READY) and hosts is not None and blocks.hosts != tuple(hosts):
        return Kind.BLOCKS, Announce(hosts)
    silent = state.withdrawn or state.sleep is not None
    if blocks.phase is Phase.READY:
        if silent and (not blocks.quiet or (state.withdrawn and blocks.goodnight != _pause(state))):
            cause, own = _pause(state) if state.withdrawn else (ASLEEP, ())
            return Kind.BLOCKS, Goodnight(cause, list(own))
        if not silent and (blocks.quiet or blocks.doubting):
            return Kind.BLOCKS, Resume(blocks.moved)
        if blocks.low is not wants_low(state):
            return Kind.BLOCKS, Priority(wants_low(state))
    if engine.phase is Phase.READY and engine.doubting and state.sleep is None:
        return Kind.ENGINE, Resume(engine.moved)
    if blocks.phase is Phase.READY and not silent and (seen := surroundings(state)) != blocks.surroundings:
        return Kind.BLOCKS, seen
    return None


def _pause(state: State) -> tuple[str, tuple[str, ...]]:
    """A pause is for the sake of this computer: its own engine is served on."""
    own = state.engine.peer_id
    return PAUSED, (own,) if own else ()


def wants_low(state: State) -> bool:
    """Whether the blocks let other programs go first. Not while an answer of this computer's own is worked
    on: whoever uses it waits for that. Blocks that pause stay as they are."""
    if state.answers or state.withdrawn:
        return state.blocks.low and not state.answers
    return state.contribution.decision.stance is Stance.GENTLE


def is_freed(state: State, now: float) -> bool:
    """Whether the blocks' memory is given back: a long pause, in which nobody chatted here either."""
    since = _free_at(state)
    return since is not None and now >= since


def _free_at(state: State) -> float | None:
    """When the memory of the blocks is due, in monotonic seconds; None while it is not."""
    paused_at, after_s = state.contribution.paused_at, state.plan.free_after_s
    if not state.withdrawn or paused_at is None or not after_s or state.answers:
        return None
    return max(paused_at, state.active_at or paused_at) + after_s


def next_free_at(state: State) -> float | None:
    """When `is_freed` may answer differently although nothing happens."""
    return _free_at(state) if state.blocks.phase is Phase.READY else None


def surroundings(state: State) -> Surroundings:
    """What the household is shown of this computer beside its blocks."""
    battery, wireless = state.power.on_battery, state.link.wireless
    return Surroundings(
        "" if battery is None else "battery" if battery else "mains",
        "" if wireless is None else "wireless" if wireless else "wire",
    )


def wants_delay(state: State) -> bool:
    """Whether the system is to wait for our goodnight before it sleeps.

    While blocks are served, also without a session: a delay lease costs nothing until the computer sleeps,
    taking one at the first session would come too late for a lid that closes, and the household learns of an
    idle peer's sleep at once instead of by the next answer that runs into it. A node that only chats has
    nobody to tell.
    """
    return (
        state.plan.serve and state.blocks.phase is Phase.READY and not state.withdrawn and not state.stopping
    )


def wants_awake(state: State) -> bool:
    """Whether the system is asked not to sleep of idleness: while an answer is worked on, where wanted."""
    serving = state.serving is not None and state.serving.sessions > 0
    return state.plan.keep_awake and not state.stopping and (state.answers > 0 or serving)


def may_sleep(state: State, now: float) -> bool:
    """Whether a sleep that was announced need not wait for us any longer; until GoodnightSaid notes it."""
    sleep, blocks = state.sleep, state.blocks
    if sleep is None or sleep.let_go:
        return False
    drained = blocks.quiet and blocks.drained is not None
    return drained or blocks.phase is not Phase.READY or now >= sleep.let_go_at


def stayed_awake(state: State, now: float) -> bool:
    """Whether a sleep that was announced has not come."""
    return state.sleep is not None and now >= state.sleep.given_up_at


def next_look_at(state: State) -> float | None:
    """When `may_sleep` or `stayed_awake` may answer differently although nothing happens."""
    if state.sleep is None:
        return None
    return state.sleep.given_up_at if state.sleep.let_go else state.sleep.let_go_at
