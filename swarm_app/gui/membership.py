"""The node's membership over the typed client, as far as this node has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.membershipclient import MembershipClient

LINK = "homeswarm://join/"


def is_invitation(text: str) -> bool:
    """Whether a text looks like a link, in any case: QR codes hold it in capitals. The node reads it."""
    return text.lower().startswith(LINK)


def membership(client: LocalClient) -> MembershipClient:
    """The client's part for swarms, invites and members; tests put theirs in this place."""
    return client.membership


def standing(state: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the node says of its membership; None where it knows nothing of it."""
    value = state.get("membership")
    return value if isinstance(value, dict) else None
