"""The swarm as programs and windows ask about it: what the node knows of it, in the local API's words.

State owned: none. Callers: the local API, through `swarm_app.localapi.memberships.Memberships`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import BadRequest
from swarm_app.localapi.membershipview import (
    AskingView,
    InviteView,
    LeftView,
    LinkMadeView,
    MemberView,
    NearbyView,
    NoSwarm,
    SwarmInfoView,
)
from swarm_app.localapi.view import JoinRequestView
from swarm_app.membership.certificates import Role
from swarm_app.membership.keys import SHORT_ID_CHARS, device_id
from swarm_app.membership.statements import Invite, Member
from swarm_app.node.belonging import Belonging

if TYPE_CHECKING:
    from swarm_app.node.private import PrivateSwarm
    from swarm_app.node.state import ModelInfo
    from swarm_app.node.store import Store


class MembershipApi:
    """Implements `swarm_app.localapi.memberships.Memberships`."""

    def __init__(self, store: Store, private: PrivateSwarm, clock: Clock) -> None:
        self._store = store
        self._private = private
        self._registrar = private.registrar
        self._office = private.office
        self._clock = clock

    # ------------------------------------------------ swarms

    def swarms(self) -> list[SwarmInfoView]:
        return [] if self._registrar.belonging is None else [self._info()]

    async def create(self, name: str, model: str) -> SwarmInfoView:
        state = self._store.state
        if state.model.there and model and not _names(model, state.model):
            raise BadRequest(
                f"This node runs the model {state.model.name}, not {model[:80]}.",
                remedy=f"Start it with: homeswarm node --model {model[:80]}",
                param="model",
            )
        await self._private.found(name)
        return self._info()

    async def join(self, link: str) -> SwarmInfoView:
        await self._private.join(link)
        return self._info()

    async def leave(self) -> LeftView:
        return LeftView(told=await self._private.leave())

    async def rotate(self) -> SwarmInfoView:
        await self._private.rotate()
        return self._info()

    def _info(self) -> SwarmInfoView:
        found = self._belonging()
        about = found.members.current.about
        return SwarmInfoView(
            swarm_id=found.swarm_id,
            name=about.swarm_name,
            role=self._registrar.role_name(),
            model_id=about.model_id,
            model_name=about.model_name,
            members=len(found.members.present()),
            active=self._registrar.ready,
        )

    # ------------------------------------------------ invites

    def invite(self, role: str, uses: int, lasts_s: float, person: str) -> LinkMadeView:
        self._registrar.inside()
        if not self._private.endpoints():
            raise BadRequest(
                "Nobody can reach this computer: it listens nowhere.",
                remedy="Start it with --listen 0.0.0.0",
            )
        link, invite = self._office.invite(role, uses, lasts_s, person, self._private.invite_doors())
        return LinkMadeView(
            link=link.text(),
            id=invite.invite_id,
            role=invite.role.value,
            uses=uses,
            expires_at=float(link.expires_s),
            addresses=[str(where) for where in link.endpoints],
        )

    def invites(self) -> list[InviteView]:
        return [self._invite(*entry) for entry in self._office.invites()]

    def cancel(self, words: str) -> InviteView:
        key = self._office.cancel(words).invite_key
        return next(self._invite(*entry) for entry in self._office.invites() if entry[0].invite_key == key)

    def _invite(self, invite: Invite, state: str, used: int) -> InviteView:
        maker = self._registrar.inside().members.get(invite.by)
        return InviteView(
            id=invite.invite_id,
            state=state,
            role=invite.role.value,
            person=invite.person,
            uses=invite.uses,
            used=used,
            expires_at=float(invite.expires_s),
            made_by=maker.name if maker is not None else device_id(invite.by)[:SHORT_ID_CHARS],
        )

    # ------------------------------------------------ members

    def members(self) -> list[MemberView]:
        order = (Role.OWNER, Role.ADMIN, Role.MEMBER, Role.GUEST)
        everybody = self._belonging().members.all()
        entries = sorted(everybody, key=lambda m: (m.removed, order.index(m.role), m.name.lower()))
        return [self._member(member) for member in entries]

    def remove(self, words: str) -> list[MemberView]:
        return [self._member(member) for member in self._office.remove(words)]

    def rename(self, words: str, name: str, person: str | None) -> MemberView:
        return self._member(self._office.rename(words, name, person))

    def _member(self, member: Member) -> MemberView:
        found = self._belonging()
        seen = next((one.seen_s for one in found.contacts if one.device_key == member.device_key), 0)
        mine = member.device_key == found.device_key
        return MemberView(
            id=member.device_id,
            name=member.name,
            person=member.person,
            role=member.role.value,
            removed=found.members.is_removed(member.device_key),
            this_device=mine,
            seen_at=self._clock.time() if mine else float(seen) or None,
        )

    # ------------------------------------------------ nearby

    def nearby(self) -> NearbyView:
        return self._private.neighbours.seen()

    async def ask(self, where: str) -> AskingView:
        return await self._private.neighbours.ask(where)

    def answer(self, words: str, approve: bool, role: str) -> JoinRequestView:
        return self._private.neighbours.answer(words, approve, role)

    # ------------------------------------------------ inside

    def _belonging(self) -> Belonging:
        found = self._registrar.belonging
        if found is None:
            raise NoSwarm("This computer is in no swarm.")
        return found


def _names(wanted: str, model: ModelInfo) -> bool:
    """As the store finds a model: by its name in any case, or by the first six letters of its id or more."""
    wanted = wanted.lower()
    return wanted == model.name.lower() or (len(wanted) >= 6 and model.id.startswith(wanted))
