"""The shapes that the local API tells of a swarm, and what it refuses; light enough for every client."""

from __future__ import annotations

from typing import TypedDict

from swarm_app.domain.errors import HomeswarmError


class NoSwarm(HomeswarmError):
    """The node is in no swarm."""

    code = "no-swarm"
    http_status = 409
    exit_code = 3
    default_remedy = "Found one with: homeswarm swarm create NAME. Or join one with: homeswarm join"


class AlreadyMember(HomeswarmError):
    """The profile is in a swarm, and one profile is in one swarm at a time."""

    code = "already-member"
    http_status = 409
    exit_code = 3
    default_remedy = "Leave it first with: homeswarm swarm leave. Or use another profile."


class SwarmInfoView(TypedDict):
    swarm_id: str
    name: str
    role: str
    model_id: str
    model_name: str
    members: int
    active: bool
    """False where this computer was removed or cannot prove its membership."""


class LinkMadeView(TypedDict):
    link: str
    id: str
    role: str
    uses: int
    expires_at: float
    """Seconds since the epoch."""
    addresses: list[str]


class InviteView(TypedDict):
    id: str
    state: str
    """open, used, expired or cancelled."""
    role: str
    person: str
    uses: int
    used: int
    expires_at: float
    made_by: str


class MemberView(TypedDict):
    id: str
    name: str
    person: str
    role: str
    removed: bool
    this_device: bool
    seen_at: float | None
    """When its node was met last, in seconds since the epoch; None where it was not."""


class HouseholdView(TypedDict):
    """A household that announces itself in this network."""

    name: str
    where: str


class AskingView(TypedDict):
    """This computer asks to be let in. Both screens must show the same digits."""

    household: str
    by: str
    """The computer that was asked."""
    digits: str
    state: str
    """waiting, joined or refused."""
    message: str
    """Why it was refused."""
    code: str
    """The error's, where it was one; else ""."""


class NearbyView(TypedDict):
    households: list[HouseholdView]
    asking: AskingView | None


class LeftView(TypedDict):
    told: int
    """How many members heard the farewell."""
