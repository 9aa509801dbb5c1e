"""The private swarm of one node: registrar, door and gossip, tied to its state, children and local API.

State owned: the running door and the tasks. Callers: `swarm_app.node.process`.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from swarm_app.childproto import BindingWanted, MembersHeard, Membership, Message
from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import BadRequest, HomeswarmError, ModelNotFound
from swarm_app.localapi.membershipview import (
    AskingView,
    HouseholdView,
    InviteView,
    LeftView,
    LinkMadeView,
    MemberView,
    NearbyView,
    NoSwarm,
    SwarmInfoView,
)
from swarm_app.localapi.view import JoinRequestView
from swarm_app.membership.binding import RENEW_S
from swarm_app.membership.certificates import Role, role_named
from swarm_app.membership.errors import MembershipError, NobodyAnswers, NotAllowed, Removed
from swarm_app.membership.keys import SHORT_ID_CHARS, device_id
from swarm_app.membership.links import MAX_ENDPOINTS, Endpoint, Link, endpoint, parse_link
from swarm_app.membership.nearby import MESSAGE_BYTES, Host, Seeker, read_welcome
from swarm_app.membership.statements import Invite, Member
from swarm_app.membership.vault import Vault
from swarm_app.node.acquaintances import join_addresses
from swarm_app.node.belonging import MAX_ENDPOINTS as MAX_OWN
from swarm_app.node.door import APPROVAL_S, Door
from swarm_app.node.doorway import Doorway, dial
from swarm_app.node.events import BelongingChanged, Event, LinkMoved, PeersTold, Woken
from swarm_app.node.gossip import Gossip, Heard
from swarm_app.node.nearby import Nearby
from swarm_app.node.registrar import Registrar, members_from_base64, twin_error
from swarm_app.node.rest import announced_addresses, reached_at
from swarm_app.node.state import Belongs, Complaint, JoinRequest, Kind, Standing, State
from swarm_app.node.telling import Telling

if TYPE_CHECKING:
    from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

RETRY_KEYS_S = 15.0
"""How often a keyring that was locked is asked again."""

FAREWELL_S = 5.0
MAX_PEERS_TOLD = 8
NEARBY_S = 2.0
ASK_S = 10.0
WELCOME_S = 300.0
MAX_REQUESTS = 3


class PrivateSwarm:
    """Implements `swarm_app.localapi.memberships.Memberships`. `send` takes messages to children."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        clock: Clock,
        *,
        file: Path,
        door_port: int,
        nearby: bool = True,
        send: Callable[[Kind, Message], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._send = send
        self._wanted_port = door_port
        self._port = 0
        self._bound: dict[Kind, BindingWanted] = {}
        self._sees_nearby = nearby
        self._nearby: Nearby | None = None
        self._nearby_for: object = None
        self._requests: dict[str, tuple[JoinRequest, asyncio.Future[str]]] = {}
        self._asking: AskingView | None = None
        self._asks: asyncio.Task[None] | None = None
        self._told: object = None
        self.registrar = Registrar(file, vault, clock)
        self._gossip = Gossip(
            self.registrar,
            clock,
            own_endpoints=self.endpoints,
            own_peers=self._own_peers,
            on_heard=self._heard,
        )
        self._door: Door | None = None
        self._opening = asyncio.Lock()
        self.registrar.watch(self._publish)
        store.watch(self._on_event)

    # ------------------------------------------------ running

    async def run(self) -> None:
        """Until the node stops, or cancelled."""
        await self.registrar.open()
        tasks = [
            asyncio.create_task(self._keep_open()),
            asyncio.create_task(self._gossip.run()),
            asyncio.create_task(self._keep_bound()),
        ]
        aside = asyncio.create_task(self._keep_nearby())
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            tasks.append(aside)
            for task in tasks:
                task.cancel()
            if self._asks is not None:
                self._asks.cancel()
                tasks.append(self._asks)
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._door is not None:
                await self._door.close()
            await self._hush()

    async def _keep_open(self) -> None:
        while not self._store.state.stopping:
            if self.registrar.trouble is not None:
                if await self._store.until(lambda state: state.stopping, RETRY_KEYS_S):
                    return
                await self.registrar.open()
                continue
            await self._open_door()
            await self._store.next_change(1.0)

    async def _open_door(self) -> None:
        """A member's door is open; before it is, and before its children start, it looks for a twin."""
        async with self._opening:
            if self._door is not None or not self.registrar.ready:
                return
            found = self.registrar.belonging
            assert found is not None
            await self._store.until(lambda state: _settled(state), 1.0)
            before = found.own[0].port if found.own else 0
            door = Door(
                self.registrar,
                self._clock,
                told=self._be_told,
                endpoints=self._doors,
                peers=self._peers,
                on_news=self._gossip.soon,
                decide=self._decide,
            )
            try:
                self._port = await door.open(self._store.state.plan.listen, self._wanted_port or before)
            except OSError as error:
                log.warning("swarm: nobody can join by this computer: %s", error.strerror or error)
                self._port = 0
            await self._gossip.look_for_twin()
            self._door = door
            self.registrar.note(own=self.endpoints()[:MAX_OWN])
        self._publish()
        self._gossip.soon()

    async def _keep_bound(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            for kind in tuple(self._bound):
                self._bind(kind)

    # ------------------------------------------------ nearby

    async def _keep_nearby(self) -> None:
        """Owners and admins announce the household, computers in no swarm look for one."""
        while self._sees_nearby:
            await self._store.next_change(NEARBY_S)
            belongs = self._store.state.belongs
            wanted: object = None
            if belongs.standing is Standing.MEMBER and belongs.role in ("owner", "admin"):
                wanted = (belongs.swarm_name, self.endpoints()) if self.endpoints() else None
            elif belongs.standing in (Standing.OUTSIDE, Standing.REMOVED):
                wanted = self._hosts()
            if wanted == self._nearby_for:
                continue
            await self._hush()
            self._nearby_for = wanted
            hosts = [where.host for where in self.endpoints()] or self._hosts()
            if not wanted or not hosts:
                continue
            nearby = self._nearby = Nearby(hosts)
            try:
                if belongs.standing is Standing.MEMBER:
                    await nearby.announce(belongs.swarm_name, self._port)
                else:
                    nearby.look()
            except OSError as error:
                log.info("nearby: the network does not let this computer ask who is there: %s", error)

    async def _hush(self) -> None:
        self._nearby_for = None
        if self._nearby is not None:
            await self._nearby.close()
            self._nearby = None

    async def _decide(self, host: Host) -> Link:
        """Show who asks, and wait for a person. Raises NotAllowed."""
        if len(self._requests) >= MAX_REQUESTS:
            raise NotAllowed("Too many computers ask to join at once.", remedy="Try again in a few minutes.")
        request = JoinRequest(secrets.token_hex(4), host.name, host.digits)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._requests[request.request_id] = (request, answer)
        self._publish()
        try:
            role = await answer
        finally:
            del self._requests[request.request_id]
            self._publish()
        if not role:
            raise NotAllowed("The household did not let this computer in.", remedy="Ask a person there.")
        link, _ = self.registrar.invite(role, 1, WELCOME_S, "", self._invite_doors(self.endpoints()))
        return link

    def nearby(self) -> NearbyView:
        found = self._nearby.found if self._nearby is not None else ()
        return NearbyView(
            households=[HouseholdView(name=one.name, where=str(one.endpoint)) for one in found],
            asking=self._asking,
        )

    async def ask(self, where: str) -> AskingView:
        """Ask a household that was found nearby to be let in. Returns the digits to compare."""
        found = next(
            (
                one
                for one in (self._nearby.found if self._nearby else ())
                if where in (str(one.endpoint), one.name)
            ),
            None,
        )
        if found is None:
            raise BadRequest(
                f"No household {where[:80]!r} is seen nearby.", remedy="Look: homeswarm join --nearby"
            )
        if self._asks is not None:
            self._asks.cancel()
        doorway = await dial(found.endpoint)
        try:
            seeker = Seeker(self._store.state.node.name, channel=doorway.channel)
            async with asyncio.timeout(ASK_S):
                await doorway.send(seeker.knock())
                await doorway.send(seeker.reveal(await doorway.receive(MESSAGE_BYTES)))
        except TimeoutError:
            await doorway.close()
            raise NobodyAnswers(f"The computer at {found.endpoint} fell silent.") from None
        except BaseException:
            await doorway.close()
            raise
        self._asking = AskingView(
            household=seeker.swarm_name,
            by=seeker.host_name,
            digits=seeker.digits,
            state="waiting",
            message="",
        )
        self._asks = asyncio.create_task(self._await_welcome(doorway, self._asking))
        return self._asking

    async def _await_welcome(self, doorway: Doorway, asking: AskingView) -> None:
        try:
            async with asyncio.timeout(APPROVAL_S):
                link = read_welcome(await doorway.receive(MESSAGE_BYTES))
            await self.join(link)
            asking["state"] = "joined"
        except TimeoutError:
            asking["state"], asking["message"] = "refused", "Nobody answered in three minutes."
        except HomeswarmError as error:
            asking["state"], asking["message"] = "refused", error.message
        finally:
            await doorway.close()

    def answer(self, words: str, approve: bool, role: str) -> JoinRequestView:
        """Decide about the request with that id or those digits. Raises BadRequest, NotAllowed."""
        chosen = role_named(role).value
        for request, answer in self._requests.values():
            if words.strip() in (request.request_id, request.digits) and not answer.done():
                answer.set_result(chosen if approve else "")
                return JoinRequestView(id=request.request_id, name=request.name, digits=request.digits)
        raise BadRequest(
            f"Nobody with {words[:40]!r} asks to join now.", remedy="See who does: homeswarm members requests"
        )

    # ------------------------------------------------ addresses

    def _hosts(self) -> list[str]:
        """The addresses at which this computer listens for others."""
        state = self._store.state
        listen = state.plan.listen
        return reached_at(listen, state.link.addresses) or (
            [] if listen in ("0.0.0.0", "::") else [listen]  # noqa: S104 (nothing is bound here)
        )

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Where our door is, for others."""
        found = []
        for host in self._hosts() if self._port else ():
            with contextlib.suppress(MembershipError):
                found.append(endpoint(host, self._port))
        return tuple(found[:MAX_OWN])

    def _doors(self) -> tuple[Endpoint, ...]:
        """Ours, then those of members met lately."""
        found = self.registrar.belonging
        contacts = () if found is None else found.contacts
        return (*self.endpoints(), *(where for contact in contacts for where in contact.endpoints))

    def _own_peers(self) -> tuple[str, ...]:
        state = self._store.state
        return (*announced_addresses(state), *state.engine.addresses)[:MAX_PEERS_TOLD]

    def _peers(self) -> tuple[str, ...]:
        known = self._store.state.known
        return (*self._own_peers(), *(address for peer in known for address in peer.addresses[:1]))

    def _heard(self, heard: Heard) -> None:
        before = self._store.state.known
        if heard.peers:
            self._store.apply(PeersTold(heard.peers))
        if self._store.state.known != before:
            for kind in tuple(self._bound):
                self._bind(kind)

    def _be_told(self, device_key: bytes, where: Endpoint, telling: Telling) -> Telling:
        ours = self._gossip.telling()  # first: it says where that device was met before this
        self._gossip.told(device_key, where, telling, called_us=True)
        return ours

    # ------------------------------------------------ the node's state

    def _on_event(self, before: State, after: State, event: Event) -> None:
        if isinstance(event, Woken | LinkMoved):
            for kind in tuple(self._bound):
                self._bind(kind)
            self._gossip.soon()
        if before.link.addresses != after.link.addresses and self._door is not None:
            self.registrar.note(own=self.endpoints()[:MAX_OWN])
        if announced_addresses(before) != announced_addresses(after):
            # Whoever was called before knows of no process of ours.
            self._gossip.soon()
        for kind in tuple(self._bound):
            if after.child(kind).pid != before.child(kind).pid:
                self._bound.pop(kind, None)

    def _publish(self) -> None:
        """Tell the node's state and the children what changed."""
        if self._store.state.stopping:
            return
        registrar, found = self.registrar, self.registrar.belonging
        requests = tuple(request for request, _ in self._requests.values())
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
            standing = Standing.MEMBER if self._door is not None else Standing.CHECKING
        self._store.apply(
            BelongingChanged(
                Belongs(
                    standing=standing,
                    swarm_id="" if found is None else found.swarm_id,
                    swarm_name="" if about is None else about.swarm_name,
                    role="" if found is None else _role(registrar),
                    device_id="" if found is None else device_id(found.device_key),
                    founder=found is not None and found.founder,
                    number=0 if found is None else found.members.number,
                    members=0 if found is None else len(found.members.present()),
                    door=tuple(map(str, self.endpoints())),
                    complaint=None
                    if trouble is None
                    else Complaint(trouble.code, trouble.message, trouble.remedy),
                    requests=requests,
                )
            )
        )
        told = None if found is None else (found.chain, found.members)
        if told != self._told:
            self._told = told
            for kind in tuple(self._bound):
                self._bind(kind)

    # ------------------------------------------------ children

    def child_said(self, kind: Kind, message: BindingWanted | MembersHeard) -> None:
        """What a child asks or tells about members."""
        match message:
            case BindingWanted():
                self._bound[kind] = message
                self._bind(kind)
            case MembersHeard(members):
                try:
                    self.registrar.hear(members_from_base64(members))
                except MembershipError as error:
                    log.info("swarm: a list of members was not taken over: %s", error.message)

    def _bind(self, kind: Kind) -> None:
        wanted = self._bound.get(kind)
        if wanted is None or not self.registrar.ready:
            return
        try:
            credentials = self.registrar.credentials(
                wanted.peer_id, bytes.fromhex(wanted.process_key), self._store.state.model.id
            )
        except (ValueError, HomeswarmError) as error:
            log.warning("swarm: %s gets no certificate: %s", kind, error)
            return
        peers = list(join_addresses(self._store.state.known))
        self._send(kind, Membership(base64.b64encode(credentials.to_bytes()).decode("ascii"), peers))

    # ------------------------------------------------ for the local API

    def swarms(self) -> list[SwarmInfoView]:
        return [] if self.registrar.belonging is None else [self._info()]

    async def create(self, name: str, model: str) -> SwarmInfoView:
        state = self._store.state
        if not state.model.there:
            raise ModelNotFound(
                "A household shares a model, and there is none on this computer.",
                remedy="Import one with: homeswarm model import, and start the node again.",
            )
        if model and model not in (state.model.id, state.model.name):
            raise BadRequest(
                f"This node runs the model {state.model.name}, not {model[:80]}.",
                remedy=f"Start it with: homeswarm node --model {model[:80]}",
                param="model",
            )
        await self.registrar.create(name, state.node.name, state.model.id, state.model.name)
        await self._open_door()
        return self._info()

    async def join(self, link: str) -> SwarmInfoView:
        read: Link = parse_link(link)
        device = await self.registrar.newcomer(read)
        admission = await self._gossip.join(read, device, self._store.state.node.name)
        about = admission.members.about
        if about.model_id and about.model_id != self._store.state.model.id:
            log.warning("swarm: it runs %s, and this node another model", about.model_name)
        self._store.apply(PeersTold(admission.peers))
        self.registrar.admitted(device, admission)
        self._gossip.meet(admission.endpoints)
        await self._open_door()
        return self._info()

    async def leave(self) -> LeftView:
        """Say goodbye where that is possible, and forget the swarm here. Raises NoSwarm, LastOwner."""
        told = 0
        if self.registrar.belonging is None:
            raise NoSwarm("This computer is in no swarm.")
        if self.registrar.ready:
            found = self.registrar.inside()
            if len(found.members.present()) > 1:
                self.registrar.farewell()  # raises LastOwner
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(FAREWELL_S):
                        told = await self._gossip.sync(leaving=True)
        door, self._door, self._port = self._door, None, 0
        if door is not None:
            await door.close()
        await self.registrar.forget()
        return LeftView(told=told)

    async def rotate(self) -> SwarmInfoView:
        news = await self.registrar.rotate()
        self._publish()
        await self._gossip.tell_news(news)
        return self._info()

    def invite(self, role: str, uses: int, lasts_s: float, person: str) -> LinkMadeView:
        self.registrar.inside()
        own = self.endpoints()
        if not own:
            raise BadRequest(
                "Nobody can reach this computer: it listens nowhere.",
                remedy="Start it with --listen 0.0.0.0",
            )
        link, invite = self.registrar.invite(role, uses, lasts_s, person, self._invite_doors(own))
        return LinkMadeView(
            link=link.text(),
            id=invite.invite_id,
            role=invite.role.value,
            uses=uses,
            expires_at=float(link.expires_s),
            addresses=[str(where) for where in link.endpoints],
        )

    def _invite_doors(self, own: tuple[Endpoint, ...]) -> list[Endpoint]:
        """Half of them our own, the rest of other owners and admins: any of them may redeem a link."""
        found = self.registrar.inside()
        inviting = {m.device_key for m in found.members.present() if m.role.invites}
        others = [
            where
            for contact in found.contacts
            if contact.device_key in inviting
            for where in contact.endpoints[:1]
        ]
        return list(dict.fromkeys([*own[: MAX_ENDPOINTS // 2], *others, *own]))[:MAX_ENDPOINTS]

    def invites(self) -> list[InviteView]:
        return [self._invite(*entry) for entry in self.registrar.invites()]

    def cancel(self, words: str) -> InviteView:
        key = self.registrar.cancel(words).invite_key
        return next(self._invite(*entry) for entry in self.registrar.invites() if entry[0].invite_key == key)

    def _invite(self, invite: Invite, state: str, used: int) -> InviteView:
        maker = self.registrar.inside().members.get(invite.by)
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

    def members(self) -> list[MemberView]:
        found = self.registrar.belonging
        if found is None:
            raise NoSwarm("This computer is in no swarm.")
        order = (Role.OWNER, Role.ADMIN, Role.MEMBER, Role.GUEST)
        entries = sorted(found.members.all(), key=lambda m: (m.removed, order.index(m.role), m.name.lower()))
        return [self._member(member) for member in entries]

    def remove(self, words: str) -> list[MemberView]:
        return [self._member(member) for member in self.registrar.remove(words)]

    def rename(self, words: str, name: str, person: str | None) -> MemberView:
        return self._member(self.registrar.rename(words, name, person))

    def _member(self, member: Member) -> MemberView:
        found = self.registrar.belonging
        assert found is not None
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

    def _info(self) -> SwarmInfoView:
        found = self.registrar.belonging
        if found is None:
            raise NoSwarm("This computer is in no swarm.")
        about = found.members.current.about
        return SwarmInfoView(
            swarm_id=found.swarm_id,
            name=about.swarm_name,
            role=_role(self.registrar),
            model_id=about.model_id,
            model_name=about.model_name,
            members=len(found.members.present()),
            active=self.registrar.ready,
        )


def _settled(state: State) -> bool:
    """Whether it is known where this computer is reached."""
    return state.plan.listen not in ("0.0.0.0", "::") or bool(state.link.addresses)  # noqa: S104


def _role(registrar: Registrar) -> str:
    try:
        return registrar.role.value
    except HomeswarmError:
        found = registrar.belonging
        return found.chain[0].role.value if found is not None else ""


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
    return registrar.trouble
