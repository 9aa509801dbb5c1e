"""The node's membership over the typed client, as far as this node has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui.tongue import tr
from swarm_app.localapi.client import LocalClient

LINK = "homeswarm://join/"


class WithoutMembership(HomeswarmError):
    code = "without-membership"


def membership(client: LocalClient) -> Any:
    """The client's part for swarms, invites and members. Raises WithoutMembership where there is none."""
    part = getattr(client, "membership", None)
    if part is None:
        raise WithoutMembership(
            tr("The node of this version cannot found or join a private swarm yet."),
            remedy=tr("Choose “Just chat on this computer”, or update Homeswarm."),
        )
    return part


def standing(state: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the node says of its membership; None where it knows nothing of it."""
    value = state.get("membership")
    return value if isinstance(value, dict) else None
