"""How the list of members gets about: this node calls the others' doors.

On every change of the list all doors that are known are called at once; otherwise each of them every SYNC_S,
after a wake and after a move. In each call both sides prove who they are and leave with the later list; then
they tell where doors are. Here a node also notices that it has to be certified anew, and that another
computer runs with its keys.

State owned: contacts (kept in the profile by the registrar). Callers: `swarm_app.node.private`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import HomeswarmError
from swarm_app.membership.encoding import kind_of
from swarm_app.membership.errors import (
    ClockWrong,
    Expired,
    LinkUsed,
    MembershipError,
    NobodyAnswers,
    Removed,
    RotationPending,
    VersionMismatch,
)
from swarm_app.membership.handshake import HELLO_BYTES, PROOF_BYTES, Initiator
from swarm_app.membership.joining import ADMITTED_BYTES, CHALLENGE_BYTES, Admission, Joiner
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.succession import SUCCESSION, SUCCESSION_BYTES, Succession
from swarm_app.node.belonging import MAX_CONTACTS, MAX_ENDPOINTS, Contact
from swarm_app.node.clocks import Clocks
from swarm_app.node.doorway import Doorway, dial_each
from swarm_app.node.registrar import Registrar
from swarm_app.node.state import ClockOff
from swarm_app.node.telling import TELLING_BYTES, Telling
from swarm_app.node.versions import OtherVersions

log = logging.getLogger("homeswarm.node")

SYNC_S = 60.0
RENEW_S = 10.0
"""Between tries to be certified anew where nobody did so."""
CALL_S = 6.0
"""For one call, from the dial to the end."""
CALLS_AT_ONCE = 16
TWIN_WAIT_S = 1.5


@dataclass(frozen=True, slots=True)
class Heard:
    """What another node has told of itself: its device and its processes' addresses on libp2p."""

    device_key: bytes
    peers: tuple[str, ...]


class Gossip:
    """The calls of one node. `own_endpoints` and `own_peers` (libp2p) are what it tells others; `on_heard`
    gets what they tell."""

    def __init__(
        self,
        registrar: Registrar,
        clock: Clock,
        *,
        own_endpoints: Callable[[], tuple[Endpoint, ...]],
        own_peers: Callable[[], tuple[str, ...]],
        on_heard: Callable[[Heard], None],
    ) -> None:
        self._registrar = registrar
        self._clock = clock
        self._own_endpoints = own_endpoints
        self._own_peers = own_peers
        self._on_heard = on_heard
        self._calls = asyncio.Semaphore(CALLS_AT_ONCE)
        self._due = asyncio.Event()
        self._doubles: set[Endpoint] = set()
        self._strangers: set[Endpoint] = set()
        self._said: object = None
        self.clocks = Clocks()
        self.versions = OtherVersions()
        registrar.register.watch(self._changed)

    # ------------------------------------------------ joining

    async def join(self, link: Link, device: PrivateKey, name: str) -> Admission:
        """Redeem a link with the first of its computers that lets us in.

        Raises what the nearest of them said: that the link was used, cancelled, …; or NobodyAnswers. One
        whose link this very device had used (the answer was lost) is certified as the member that it is.
        """
        try:
            return await self._be_admitted(link.swarm_id, device, name, link.endpoints, link)
        except LinkUsed as used:
            try:
                return await self._be_admitted(link.swarm_id, device, name, link.endpoints, None)
            except HomeswarmError:
                raise used from None

    async def _be_admitted(
        self, swarm: str, device: PrivateKey, name: str, endpoints: Sequence[Endpoint], link: Link | None
    ) -> Admission:
        refusals: list[MembershipError] = []
        async with contextlib.aclosing(dial_each(endpoints)) as doorways:
            async for doorway in doorways:
                try:
                    async with asyncio.timeout(CALL_S):
                        return await self._ask(doorway, swarm, device, name, link)
                except TimeoutError:
                    refusals.append(NobodyAnswers(f"The computer at {doorway.where} fell silent."))
                except MembershipError as error:
                    refusals.append(error)
                finally:
                    await doorway.close()
        # Whoever knows of the link knows better than a computer that now lives at an old address.
        refusals.sort(key=_vagueness)
        if refusals:
            raise refusals[0]
        where = ", ".join(map(str, endpoints)) or "no address"
        raise NobodyAnswers(f"None of the computers that could let this one in answers ({where}).")

    async def _ask(
        self, doorway: Doorway, swarm: str, device: PrivateKey, name: str, link: Link | None
    ) -> Admission:
        joiner = Joiner(swarm, device, name, self._clock, channel=doorway.channel, link=link)
        await doorway.send(joiner.ask())
        challenge = await doorway.receive(max(CHALLENGE_BYTES, SUCCESSION_BYTES))
        if kind_of(challenge) == SUCCESSION:
            if link is not None:
                raise RotationPending(
                    "This link was made before the swarm got a new key.",
                    remedy="Ask for a new link: homeswarm invite create",
                )
            self._registrar.hear_news(Succession.from_bytes(challenge))
            raise RotationPending("The swarm has a new key.")
        await doorway.send(joiner.prove(challenge))
        return joiner.finish(await doorway.receive(ADMITTED_BYTES))

    # ------------------------------------------------ calling members

    async def run(self) -> None:
        """Call everybody on every change and now and then, until cancelled."""
        while True:
            self._due.clear()
            if self._registrar.ready:
                await self.sync()
                await self._renew()
            pause_s = RENEW_S if self._wants_renewal() or self.clock_off() else SYNC_S
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._due.wait()

    def meet(self, endpoints: Sequence[Endpoint]) -> None:
        """Call these doors with the next round, whoever is behind them."""
        self._strangers |= set(endpoints)
        self._due.set()

    def soon(self) -> None:
        """Call everybody again now: this computer woke or moved."""
        self._due.set()

    async def sync(self, leaving: bool = False) -> int:
        """Call every door that is known, all at once; how many answered. With `leaving` we say goodbye."""
        found = self._registrar.belonging
        if found is None:
            return 0
        removed_and_told = {m.device_key for m in found.members.all() if m.removed}
        calls = [
            self._call_contact(contact, leaving)
            for contact in found.contacts
            if contact.device_key != found.device_key and contact.endpoints
        ]
        if self._doubles:
            calls.append(self._call_contact(Contact(found.device_key, tuple(self._doubles)), False))
            self._doubles = set()
        calls += [self._call_contact(Contact(b"", (where,)), leaving) for where in self._strangers]
        self._strangers = set()
        answered = sum(await asyncio.gather(*calls))
        now = self._registrar.belonging
        if now is not None and removed_and_told:
            kept = tuple(one for one in now.contacts if one.device_key not in removed_and_told)
            self._registrar.register.note(contacts=kept)
        return answered

    async def tell_news(self, news: Succession) -> None:
        """Call every door to say that the swarm has a new key."""
        found = self._registrar.belonging
        if found is None:
            return

        async def tell(contact: Contact) -> None:
            async with self._calls, contextlib.aclosing(dial_each(contact.endpoints)) as doorways:
                async for doorway in doorways:
                    with contextlib.suppress(HomeswarmError, OSError, TimeoutError):
                        async with asyncio.timeout(CALL_S):
                            await doorway.send(news.to_bytes())
                    await doorway.close()

        await asyncio.gather(*(tell(contact) for contact in found.contacts))

    async def look_for_twin(self) -> None:
        """Before this node shows itself: whether another computer does so with its keys already.

        Looks where this device was last, and where the others say that it is. For TWIN_WAIT_S at most.
        """
        found = self._registrar.belonging
        if found is None or not self._registrar.ready:
            return
        here = set(self._own_endpoints())
        before = [where for where in found.own if where not in here]
        if not before:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TWIN_WAIT_S):
                await self._call(before, found.device_key, False)

    async def _call_contact(self, contact: Contact, leaving: bool) -> bool:
        async with self._calls:
            return await self._call(contact.endpoints, contact.device_key, leaving)

    async def _call(self, endpoints: Sequence[Endpoint], device_key: bytes, leaving: bool) -> bool:
        """Talk to whoever of them answers as that device; False when nobody did."""
        here = set(self._own_endpoints())
        async with contextlib.aclosing(dial_each([one for one in endpoints if one not in here])) as doorways:
            async for doorway in doorways:
                try:
                    async with asyncio.timeout(CALL_S):
                        if await self._talk(doorway, leaving) == device_key:
                            return True
                except TimeoutError:
                    log.debug("the door at %s fell silent", doorway.where)
                except Removed as refused:
                    self._hear_evidence(refused.evidence)
                except ClockWrong as refused:
                    self._note_clock(device_key, doorway.where, refused)
                except HomeswarmError as refused:
                    if isinstance(refused, VersionMismatch):
                        self.versions.met(device_key, self._clock.monotonic())
                    self._on_refusal(refused)
                finally:
                    await doorway.close()
        return False

    async def _talk(self, doorway: Doorway, leaving: bool) -> bytes:
        """One call; returns the device key of who answered."""
        registrar = self._registrar
        name = self._name_at(doorway.where)
        initiator = Initiator(registrar.party(), self._clock, channel=doorway.channel, known_as=name)
        await doorway.send(initiator.hello())
        challenge = await doorway.receive(max(HELLO_BYTES, SUCCESSION_BYTES))
        if kind_of(challenge) == SUCCESSION:
            registrar.hear_news(Succession.from_bytes(challenge))
            raise RotationPending("The swarm has a new key.")
        await doorway.send(initiator.prove(challenge))
        verified = initiator.finish(await doorway.receive(PROOF_BYTES))
        self.clocks.met(verified.device_key, verified.name, verified.offset_s, self._clock.monotonic())
        registrar.heard(verified.members)
        await doorway.send(self.telling(leaving).to_bytes())
        telling = Telling.from_bytes(await doorway.receive(TELLING_BYTES))
        self.told(verified.device_key, doorway.where, telling, called_us=False)
        return verified.device_key

    # ------------------------------------------------ telling

    def telling(self, leaving: bool = False) -> Telling:
        """What we tell a member that has proved itself."""
        registrar, found = self._registrar, self._registrar.belonging
        contacts = () if found is None else found.contacts
        return Telling(
            registrar.instance,
            self._own_endpoints()[:MAX_ENDPOINTS],
            tuple((contact.device_key, contact.endpoints) for contact in contacts),
            self._own_peers(),
            registrar.farewell() if leaving else None,
        )

    def told(self, device_key: bytes, where: Endpoint, telling: Telling, *, called_us: bool) -> None:
        """What a member that has proved itself tells us."""
        registrar, found = self._registrar, self._registrar.belonging
        if found is None:
            return
        if device_key == found.device_key:
            if telling.instance < registrar.instance:
                registrar.met_twin(telling.endpoints[0] if telling.endpoints else where)
            return
        self.versions.agreed(device_key)
        if telling.leaving is not None and telling.leaving[0].device_key == device_key:
            try:
                registrar.let_go(*telling.leaving)
            except MembershipError as error:
                log.info("swarm: a farewell could not be put into the list: %s", error.message)
        endpoints = telling.endpoints or (() if called_us else (where,))
        contacts = {contact.device_key: contact for contact in found.contacts}
        if not endpoints and device_key in contacts:
            endpoints = contacts[device_key].endpoints
        contacts[device_key] = Contact(device_key, endpoints[:MAX_ENDPOINTS], int(self._clock.time()))
        members = {m.device_key for m in (registrar.belonging or found).members.present()}
        fresh: list[bytes] = []
        for key, doors in telling.contacts:
            if key == found.device_key and not set(doors) & {*self._own_endpoints(), *self._doubles}:
                self._doubles |= set(doors)  # somebody met us where we are not
                self.soon()
            if key in members and key not in contacts and key != found.device_key and doors:
                contacts[key] = Contact(key, doors)
                fresh.append(key)
        kept = sorted(contacts.values(), key=lambda contact: -contact.seen_s)[:MAX_CONTACTS]
        registrar.register.note(contacts=tuple(kept))
        if fresh:
            self.soon()
        self._on_heard(Heard(device_key, telling.peers))

    def clock_off(self) -> ClockOff | None:
        """Whose clock is wrong, as the latest calls show."""
        found = self._registrar.belonging
        if found is None:
            return None
        present = {member.device_key for member in found.members.present()}
        return self.clocks.verdict(present, self._clock.monotonic())

    # ------------------------------------------------ being certified anew

    def _wants_renewal(self) -> bool:
        return self._registrar.ready and self._registrar.renewal() is not None

    async def _renew(self) -> None:
        registrar, found = self._registrar, self._registrar.belonging
        swarm = registrar.renewal()
        if swarm is None or found is None:
            return
        endpoints = [where for contact in found.contacts for where in contact.endpoints]
        try:
            device = registrar.device()
            admission = await self._be_admitted(swarm, device, found.chain[0].name, endpoints, None)
        except HomeswarmError as error:
            log.debug("not certified anew: %s", error.code)
            return
        registrar.admitted(device, admission)

    # ------------------------------------------------ inside

    def _changed(self) -> None:
        found = self._registrar.belonging
        said = None if found is None else (found.swarm_id, found.members, found.pending)
        if said != self._said:
            self._said = said
            self._due.set()

    def _name_at(self, where: Endpoint) -> str:
        found = self._registrar.belonging
        for contact in found.contacts if found is not None else ():
            member = found.members.get(contact.device_key) if found is not None else None
            if where in contact.endpoints and member is not None:
                return member.name
        return f"the computer at {where}"

    def _hear_evidence(self, evidence: bytes) -> None:
        """Somebody says that we were removed, and shows the list."""
        if evidence:
            try:
                self._registrar.hear(MemberList.from_bytes(evidence))
            except MembershipError as error:
                log.info("swarm: a computer claims that this one was removed, without proof (%s)", error.code)

    def _note_clock(self, device_key: bytes, where: Endpoint, refused: ClockWrong) -> None:
        """Clocks are apart. The other side has not proved itself yet: a person is told, no more."""
        if refused.offset_s is None or not device_key:
            log.info("swarm: %s", refused.message)
            return
        self.clocks.met(device_key, self._name_at(where), refused.offset_s, self._clock.monotonic())

    def _on_refusal(self, refused: HomeswarmError) -> None:
        # An old address may belong to another household by now; what a person can mend is told.
        level = logging.INFO if isinstance(refused, VersionMismatch | Expired) else logging.DEBUG
        log.log(level, "swarm: %s", refused.message)


def _vagueness(error: MembershipError) -> int:
    """How little a refusal says: of several the first in this order is told."""
    order = (
        "link-used",
        "link-cancelled",
        "link-expired",
        "clock-wrong",
        "version-mismatch",
        "swarm-rotated",
    )
    if error.code in order:
        return order.index(error.code)
    return len(order) + (error.code in ("link-unknown", "not-allowed")) + 2 * (error.code == "nobody-answers")
