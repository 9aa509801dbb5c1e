"""The private swarm of one node: registrar, door and gossip, tied to its state and its children.

State owned: the running door, the children that are bound, and the tasks. Callers: `swarm_app.node.process`,
`neighbours` and `membershipapi`.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from swarm_app.childproto import BindingWanted, MembersHeard, Membership, Message
from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import HomeswarmError, ModelNotFound
from swarm_app.localapi.membershipview import NoSwarm
from swarm_app.membership.binding import RENEW_S
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.links import MAX_ENDPOINTS, Endpoint, Link, endpoint, parse_link
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.vault import Vault
from swarm_app.node.acquaintances import join_addresses
from swarm_app.node.belonging import MAX_ENDPOINTS as MAX_OWN
from swarm_app.node.children import Kind
from swarm_app.node.door import Door
from swarm_app.node.events import (
    BelongingChanged,
    ClockMoved,
    Event,
    LinkMoved,
    PeersTold,
    SwarmExpected,
    Woken,
    WriteTried,
)
from swarm_app.node.gossip import Gossip, Heard
from swarm_app.node.neighbours import Neighbours
from swarm_app.node.office import Office
from swarm_app.node.registrar import Registrar
from swarm_app.node.rest import announced_addresses, reached_at
from swarm_app.node.standing import standing_of
from swarm_app.node.state import Keeps, State
from swarm_app.node.telling import Telling

if TYPE_CHECKING:
    from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

RETRY_KEYS_S = 15.0
"""How often a keyring that was locked is asked again."""

GO_ON_S = 5.0
"""After an error of our own."""

FAREWELL_S = 5.0
MAX_PEERS_TOLD = 8
WELCOME_S = 300.0


class PrivateSwarm:
    """`send` takes messages to children."""

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
        self._told: object = None
        self.registrar = Registrar(file, vault, clock)
        self.office = Office(self.registrar, clock)
        self.neighbours = Neighbours(
            store,
            hosts=self._hosts,
            endpoints=self.endpoints,
            welcome=self._welcome,
            join=self.join,
            changed=self._publish,
        )
        self._gossip = Gossip(
            self.registrar,
            clock,
            own_endpoints=self.endpoints,
            own_peers=self._own_peers,
            on_heard=self._heard,
        )
        self._door: Door | None = None
        self._opening = asyncio.Lock()
        self.registrar.register.watch(self._publish)
        store.watch(self._on_event)

    # ------------------------------------------------ running

    async def run(self) -> None:
        """Until the node stops, or cancelled."""
        await self.registrar.open()
        tasks = [
            asyncio.create_task(_going_on(self._keep_open)),
            asyncio.create_task(_going_on(self._gossip.run)),
            asyncio.create_task(_going_on(self._keep_bound)),
        ]
        aside = asyncio.create_task(self.neighbours.run()) if self._sees_nearby else None
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            ending = tasks if aside is None else [*tasks, aside]
            for task in ending:
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)
            if self._door is not None:
                await self._door.close()
            await self.neighbours.close()
            self._keep(at_once=True)

    async def _keep_open(self) -> None:
        while not self._store.state.stopping:
            if self.registrar.trouble is not None:
                if await self._store.until(lambda state: state.stopping, RETRY_KEYS_S):
                    return
                await self.registrar.open()
                continue
            await self._open_door()
            self._publish()  # a certificate runs out without a word
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
                decide=self.neighbours.decide,
            )
            try:
                self._port = await door.open(self._store.state.plan.listen, self._wanted_port or before)
            except OSError as error:
                log.warning("swarm: nobody can join by this computer: %s", error.strerror or error)
                self._port = 0
            await self._gossip.look_for_twin()
            self._door = door
            self.registrar.register.note(own=self.endpoints()[:MAX_OWN])
        self._publish()
        self._gossip.soon()

    async def _keep_bound(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            for kind in tuple(self._bound):
                self._bind(kind)

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

    def invite_doors(self) -> list[Endpoint]:
        """For a link: half of them ours, the rest of other owners and admins. Any of them may redeem it."""
        found, own = self.registrar.inside(), self.endpoints()
        inviting = {m.device_key for m in found.members.present() if m.role.invites}
        others = [
            where
            for contact in found.contacts
            if contact.device_key in inviting
            for where in contact.endpoints[:1]
        ]
        return list(dict.fromkeys([*own[: MAX_ENDPOINTS // 2], *others, *own]))[:MAX_ENDPOINTS]

    def _own_peers(self) -> tuple[str, ...]:
        return tuple(_announced(self._store.state))[:MAX_PEERS_TOLD]

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
        if isinstance(event, ClockMoved):
            self._gossip.clocks.moved()
            self._gossip.soon()
        if isinstance(event, Woken | LinkMoved):
            for kind in tuple(self._bound):
                self._bind(kind)
            self._gossip.soon()
        if before.link.addresses != after.link.addresses and self._door is not None:
            self.registrar.register.note(own=self.endpoints()[:MAX_OWN])
        if _announced(before) != _announced(after):
            # Whoever was called before knows of no process of ours.
            self._gossip.soon()
        for kind in tuple(self._bound):
            if after.child(kind).pid != before.child(kind).pid:
                self._bound.pop(kind, None)

    def _publish(self) -> None:
        """Tell the node's state and the children what changed."""
        if self._store.state.stopping:
            return
        self._keep()
        belongs = standing_of(
            self.registrar,
            open_door=self._door is not None,
            doors=self.endpoints(),
            requests=self.neighbours.requests,
            clock=self._gossip.clock_off(),
            overused=self.office.overused(),
            others=self._gossip.versions,
            now=self._clock.monotonic(),
        )
        self._store.apply(BelongingChanged(belongs))
        found = self.registrar.belonging
        told = None if found is None else (found.chain, found.members)
        if told != self._told:
            self._told = told
            for kind in tuple(self._bound):
                self._bind(kind)

    def _keep(self, *, at_once: bool = False) -> None:
        """Have the disk what was decided, and say where it has not."""
        register = self.registrar.register
        register.write(at_once=at_once)
        self._store.apply(WriteTried(Keeps.MEMBERSHIP, str(register.path), register.refusal))

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

    # ------------------------------------------------ in and out

    async def found(self, name: str) -> None:
        """Found a swarm for this node's model. Raises ModelNotFound, and what `Registrar.create` raises."""
        state = self._store.state
        if not state.model.there:
            raise ModelNotFound(
                "A household shares a model, and there is none on this computer.",
                remedy="Import one with: homeswarm model import, and start the node again.",
            )
        await self.registrar.create(name, state.node.name, state.model.id, state.model.name)
        await self._open_door()

    async def join(self, link: str) -> None:
        """Redeem a link. Raises why it cannot be: see `Gossip.join` and `Registrar.newcomer`."""
        read: Link = parse_link(link)
        device = await self.registrar.newcomer(read)
        self._store.apply(SwarmExpected(time.monotonic()))
        admission = await self._gossip.join(read, device, self._store.state.node.name)
        about = admission.members.about
        if about.model_id and about.model_id != self._store.state.model.id:
            log.warning("swarm: it runs %s, and this node another model", about.model_name)
        self._store.apply(PeersTold(admission.peers))
        self.registrar.admitted(device, admission)
        self._gossip.meet(admission.endpoints)
        await self._open_door()

    async def leave(self) -> int:
        """Say goodbye where that is possible, and forget the swarm here; how many were told.

        Raises NoSwarm, LastOwner, ProfileUnusable.
        """
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
        kept = await self.registrar.forget()
        self._store.apply(WriteTried(Keeps.KEYS, "", kept))
        return told

    async def rotate(self) -> None:
        """Give the swarm a new key. Raises NotAllowed."""
        news = await self.registrar.rotate()
        self._publish()
        await self._gossip.tell_news(news)

    def _welcome(self, role: str) -> Link:
        """A link for somebody nearby whom a person has approved."""
        link, _ = self.office.invite(role, 1, WELCOME_S, "", self.invite_doors())
        return link


async def _going_on(work: Callable[[], Awaitable[None]]) -> None:
    """Begin anew after an error of our own: without any of these a computer falls out of its swarm."""
    while True:
        try:
            await work()
            return
        except Exception:
            log.exception("swarm: an error of our own; it is tried again")
        await asyncio.sleep(GO_ON_S)


def _announced(state: State) -> list[str]:
    """Where others reach our processes on libp2p."""
    return [address for kind in (Kind.BLOCKS, Kind.ENGINE) for address in announced_addresses(state, kind)]


def _settled(state: State) -> bool:
    """Whether it is known where this computer is reached."""
    return state.plan.listen not in ("0.0.0.0", "::") or bool(state.link.addresses)  # noqa: S104


def members_from_base64(text: str) -> MemberList:
    """What a child has heard. Raises MembershipError."""
    try:
        return MemberList.from_bytes(base64.b64decode(text, validate=True))
    except ValueError:
        raise MembershipError("A child passed on something that is no list of members.") from None
