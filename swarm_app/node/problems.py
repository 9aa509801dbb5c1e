"""What is wrong, said in plain sentences with remedies; worked out from the state. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.domain.errors import ChildDown, NoRoute
from swarm_app.node.state import Kind, Phase, State


@dataclass(frozen=True, slots=True)
class Problem:
    """`about` is ``blocks``, ``engine``, ``swarm`` or ``peer``."""

    about: str
    code: str
    message: str
    remedy: str


_ROLE = {Kind.BLOCKS: "serves blocks", Kind.ENGINE: "runs the chats"}


def problems(state: State) -> tuple[Problem, ...]:
    """All present problems, the nearest first. A node that stops or still starts has none of its own."""
    if state.stopping:
        return ()
    found: list[Problem] = []
    for child in (state.blocks, state.engine):
        said = child.complaint
        if child.phase in (Phase.DOWN, Phase.RESTARTING) and said is not None:
            what = "is down" if child.phase is Phase.DOWN else "is being restarted"
            found.append(
                Problem(
                    child.kind.value,
                    said.code,
                    f"The process that {_ROLE[child.kind]} {what}. {said.message}",
                    said.remedy or ("" if child.phase is Phase.RESTARTING else ChildDown.default_remedy),
                )
            )
    gaps = state.swarm.gaps
    if state.swarm.seen and gaps:
        blocks = ", ".join(str(gap) for gap in gaps)
        still = state.blocks.phase in (Phase.STARTING, Phase.LISTENING)
        found.append(
            Problem(
                "swarm",
                NoRoute.code,
                f"No computer in the household serves blocks {blocks} now.",
                "Wait: this computer is still loading its blocks." if still else NoRoute.default_remedy,
            )
        )
    for peer in state.swarm.peers:
        if not peer.on_route and peer.reason:
            found.append(Problem("peer", "peer-unusable", f"{peer.name} is not used: {peer.reason}.", ""))
    return tuple(found)
