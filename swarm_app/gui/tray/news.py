"""What is worth a notification. Pure."""

from __future__ import annotations

from typing import Any, cast

from swarm_app.gui import troubles
from swarm_app.gui.tongue import tr
from swarm_app.localapi.view import StateView


def news(before: StateView, after: StateView) -> list[tuple[str, str]]:
    """Titles and texts: somebody went to sleep or was lost, blocks are missing or back, a request to join.

    What this computer withdrew itself is no news.
    """
    told: list[tuple[str, str]] = []
    states = {peer["peer_id"]: peer["state"] for peer in before["swarm"]["peers"]}
    for peer in after["swarm"]["peers"]:
        old = states.get(peer["peer_id"])
        if peer["this_node"] or old is None or old == peer["state"]:
            continue
        if peer["state"] == "asleep":
            told.append((tr("Good night"), tr("{name} went to sleep.", name=peer["name"])))
        elif peer["state"] == "unreachable" and old != "asleep":
            told.append((tr("A computer is gone"), tr("{name} does not answer any more.", name=peer["name"])))
    if before["swarm"]["covered"] and not after["swarm"]["covered"] and after["swarm"]["seen"]:
        told.append((tr("Blocks are missing"), tr("The household cannot answer until they are back.")))
    elif after["swarm"]["covered"] and before["swarm"]["seen"] and not before["swarm"]["covered"]:
        told.append((tr("Everything is covered again"), tr("The household can answer.")))
    asked = {request["id"] for request in _requests(before)}
    for request in _requests(after):
        if request["id"] not in asked:
            text = tr("{name} wants to join. It must show {digits}.", **_of(request))
            told.append((tr("Somebody asks to join"), text))
    codes = {problem["code"] for problem in before["problems"]}
    for problem in after["problems"]:
        if "version" in problem["code"] and problem["code"] not in codes:
            told.append((tr("An update is needed"), troubles.sentence(problem)))
    return told


def _requests(state: StateView) -> list[dict[str, Any]]:
    member: Any = cast(Any, state).get("membership") or {}
    return list(member.get("requests", ()))


def _of(request: dict[str, Any]) -> dict[str, str]:
    return {"name": str(request["name"]), "digits": str(request["digits"])}
