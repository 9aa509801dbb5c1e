"""When the children are started although this node is in no swarm yet. Pure.

Importing torch and loading weights takes most of the time between an invite link and a computer that serves,
and needs no membership. So a node that may soon be in a swarm has its children do that beforehand.
"""

from __future__ import annotations

from swarm_app.node.children import Kind, Phase
from swarm_app.node.state import Standing, State

WARM_S = 900.0
"""A node waits so long for its swarm with the children warm: a person starts it in order to found or to join
one, and the link comes by a message. Whoever only chats with the local model gets the memory back then, and
joins some seconds more slowly later."""

_BEFORE = (Standing.CHECKING, Standing.OUTSIDE)
"""Where a swarm may come next. Whoever is locked out, removed or a twin has other things to mend first."""


def wanted(state: State, kind: Kind, now: float) -> bool:
    """Whether that child should be warm at monotonic second `now`."""
    if state.belongs.standing not in _BEFORE or not state.model.there:
        return False
    if kind is Kind.BLOCKS and (not state.plan.serve or state.withdrawn):
        return False
    return state.expects_at is not None and now < state.expects_at + WARM_S


def may_warm(state: State, kind: Kind, now: float) -> bool:
    """Whether to start it for that. One that died of it is not tried again before it is needed."""
    child = state.child(kind)
    return child.phase is Phase.OFF and not child.short_lives and wanted(state, kind, now)


def until(state: State) -> float | None:
    """When `wanted` may answer differently although nothing happens."""
    warm = any(child.phase is Phase.WARM for child in (state.blocks, state.engine))
    return state.expects_at + WARM_S if warm and state.expects_at is not None else None
