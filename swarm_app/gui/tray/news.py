"""What is worth a notification. Pure."""

from __future__ import annotations

from typing import Any, cast

from swarm_app.gui import reasons
from swarm_app.gui.tongue import tr
from swarm_app.localapi.view import StateView


def news(before: StateView, after: StateView) -> list[tuple[str, str]]:
    """Titles and texts: somebody went to sleep or was lost, blocks are missing or back, a request to join,
    another version, or a change that would be lost with the node.

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
        if problem["code"] in codes:
            continue
        if "version" in problem["code"]:
            told.append((tr("An update is needed"), reasons.of_problem(problem)))
        elif problem["about"] == "profile":
            told.append((tr("Something could not be saved"), reasons.of_problem(problem)))
    return told


def _requests(state: StateView) -> list[dict[str, Any]]:
    member: Any = cast(Any, state).get("membership") or {}
    return list(member.get("requests", ()))


def _of(request: dict[str, Any]) -> dict[str, str]:
    return {"name": str(request["name"]), "digits": str(request["digits"])}
