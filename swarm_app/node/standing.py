"""How this node stands to its swarm, from what the registrar has: the state's words, and what is wrong. Pure.

Callers: `swarm_app.node.private`.
"""

from __future__ import annotations

from collections.abc import Sequence

from swarm_app.domain.errors import HomeswarmError
from swarm_app.localapi.membershipview import NoSwarm
from swarm_app.membership.errors import MembershipError, Removed, RotationPending
from swarm_app.membership.keys import device_id
from swarm_app.membership.links import Endpoint
from swarm_app.node.children import Complaint
from swarm_app.node.registrar import Registrar, twin_error
from swarm_app.node.state import Belongs, ClockOff, JoinRequest, Overused, Standing
from swarm_app.node.versions import OtherVersions


def standing_of(
    registrar: Registrar,
    *,
    open_door: bool,
    doors: Sequence[Endpoint],
    requests: tuple[JoinRequest, ...],
    clock: ClockOff | None,
    overused: tuple[Overused, ...],
    others: OtherVersions,
    now: float,
) -> Belongs:
    """`open_door`: the node has opened its door; a member that has not is still looking for a twin."""
    found = registrar.belonging
    about = None if found is None else found.members.current.about
    trouble = _trouble(registrar)
    if found is None:
        standing = Standing.OUTSIDE if registrar.trouble is None else Standing.LOCKED
    elif found.removed:
        standing = Standing.REMOVED
    elif registrar.twin is not None:
        standing = Standing.TWIN
    elif registrar.trouble is not None:
        standing = Standing.LOCKED
    else:
        standing = Standing.MEMBER if open_door else Standing.CHECKING
    return Belongs(
        standing=standing,
        swarm_id="" if found is None else found.swarm_id,
        swarm_name="" if about is None else about.swarm_name,
        role=registrar.role_name(),
        device_id="" if found is None else device_id(found.device_key),
        founder=found is not None and found.founder,
        number=0 if found is None else found.members.number,
        members=0 if found is None else len(found.members.present()),
        door=tuple(map(str, doors)),
        complaint=None if trouble is None else Complaint(trouble.code, trouble.message, trouble.remedy),
        requests=requests,
        clock=clock,
        overused=overused,
        other_versions=others.names(None if found is None else found.members, now),
    )


def _trouble(registrar: Registrar) -> HomeswarmError | None:
    found = registrar.belonging
    if found is None:
        return registrar.trouble or NoSwarm("This computer is in no swarm yet.")
    if found.removed:
        name = found.members.current.about.swarm_name
        return Removed(
            f"This computer was removed from the swarm {name}.",
            remedy="Ask an owner or admin for a new link, then: homeswarm join",
        )
    if registrar.twin is not None:
        return twin_error(registrar.twin)
    if registrar.trouble is not None:
        return registrar.trouble
    if found.pending is not None:
        return RotationPending(
            f"The swarm {found.members.current.about.swarm_name} has a new key, and nobody has certified this"
            " computer by it yet."
        )
    try:
        registrar.role  # noqa: B018 - asked for what it raises
    except MembershipError as error:
        return error
    return None
