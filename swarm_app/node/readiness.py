"""Whether the household's engine can take a question, and why not. Pure."""

from __future__ import annotations

from swarm_app.domain.errors import ChildDown
from swarm_app.node.state import Child, Phase, State


def engine_ready(state: State) -> bool:
    return state.engine.phase is Phase.READY


def engine_decided(state: State) -> bool:
    """True when waiting longer changes nothing."""
    return state.stopping or state.engine.phase in (Phase.READY, Phase.DOWN, Phase.OFF)


def engine_not_ready(state: State) -> ChildDown:
    """Why the household's engine cannot take a question."""
    engine: Child = state.engine
    if state.stopping:
        return ChildDown("The node is stopping.", remedy="Start it again with: homeswarm node")
    if engine.phase is Phase.DOWN:
        said = engine.complaint
        return ChildDown(
            f"The process that runs the chats is down. {said.message if said else ''}".strip(),
            remedy=(said.remedy if said else "") or ChildDown.default_remedy,
        )
    blocks = state.blocks
    if engine.phase is Phase.WAITING and blocks.phase is Phase.RESTARTING and blocks.complaint:
        return ChildDown(f"The process that serves blocks is being restarted. {blocks.complaint.message}")
    doing = f" ({engine.work.what} {engine.work.done} of {engine.work.total})" if engine.work else ""
    return ChildDown(
        f"The process that runs the chats is still starting{doing}.", remedy="Try again in a moment."
    )
