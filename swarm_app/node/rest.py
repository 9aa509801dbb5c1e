"""Going to sleep, waking up, and taking the blocks back: what has to be said to whom, and when. Pure.

Before a sleep the blocks are told goodnight, and the system is let go when they have drained or when no
time is left. After a wake, a move to another network or a set clock, both children doubt what they know.
"""

from __future__ import annotations

from swarm_app.childproto import Goodnight, Resume
from swarm_app.domain.pause import ASLEEP, LEFT
from swarm_app.node.state import ComingSleep, Kind, Phase, State

MARGIN_S = 1.0
MARGIN_SHARE = 0.25
"""What is left of the system's patience when we let go: a second for the message to get there, less where
there is little. Who overstays is not asked to sleep any later, it just sleeps unprepared."""

STAYED_AWAKE_S = 20.0
"""Awake for so long after the deadline, by a clock that stands still during a sleep, means that none came.
Freezing the processes of a busy computer takes the kernel up to 20 s."""

REASON = "Tells the household before this computer sleeps"
"""For whoever asks the system who delays it."""


def announced(deadline_s: float, at: float) -> ComingSleep:
    """A sleep that the system announces at monotonic second `at`, waiting `deadline_s` for us."""
    margin_s = min(MARGIN_S, MARGIN_SHARE * deadline_s)
    return ComingSleep(at + deadline_s - margin_s, at + deadline_s + STAYED_AWAKE_S)


def to_tell(state: State) -> tuple[Kind, Goodnight | Resume] | None:
    """The next message that a child has to get, or None.

    Only children that are ready are told: one that still loads serves nobody, and whoever is told when it
    is ready has missed nothing.
    """
    if state.stopping:
        return None
    blocks, engine = state.blocks, state.engine
    silent = state.withdrawn or state.sleep is not None
    if blocks.phase is Phase.READY:
        if silent and not blocks.quiet:
            return Kind.BLOCKS, Goodnight(LEFT if state.withdrawn else ASLEEP)
        if not silent and (blocks.quiet or blocks.doubting):
            return Kind.BLOCKS, Resume(blocks.moved)
    if engine.phase is Phase.READY and engine.doubting and state.sleep is None:
        return Kind.ENGINE, Resume(engine.moved)
    return None


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
