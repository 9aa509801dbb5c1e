"""This node's membership: founding, joining and leaving a swarm, hearing of its members, certifying them.

State owned: the membership (in the `register`) and the two keys (through `keys`). Callers:
`swarm_app.node.door` and `gossip` (the network), `office` (owners and admins), `private` (operations,
children). Everything here runs on the node's event loop; only the vault is asked in threads.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import BadRequest, HomeswarmError
from swarm_app.localapi.membershipview import AlreadyMember, NoSwarm
from swarm_app.membership.admitting import Admitted, Admitter
from swarm_app.membership.binding import bind
from swarm_app.membership.certificates import (
    Chain,
    Role,
    due_for_renewal,
    issue,
    printable_name,
)
from swarm_app.membership.credentials import Credentials
from swarm_app.membership.errors import Removed
from swarm_app.membership.handshake import Party
from swarm_app.membership.joining import Admission
from swarm_app.membership.keys import PrivateKey, swarm_id
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.memberlist import About, MemberList
from swarm_app.membership.members import Members, leave
from swarm_app.membership.statements import Invite, Member
from swarm_app.membership.succession import Succession, rotate
from swarm_app.membership.vault import Vault
from swarm_app.node.belonging import MAX_NEWS, Belonging
from swarm_app.node.keys import Keys
from swarm_app.node.register import Register


class Registrar:
    """Decides what goes into the `register`, where `belonging` is the membership; None outside a swarm.

    While `trouble` is set, it or its keys cannot be read, and nothing is done.
    """

    def __init__(self, file: Path, vault: Vault, clock: Clock) -> None:
        self.register = Register(file, clock)
        self._keys = Keys(vault)
        self._clock = clock
        self._busy = asyncio.Lock()
        self.trouble: HomeswarmError | None = None
        self.twin: Endpoint | None = None
        """Where another computer with this device's key was met."""
        self.instance = int(clock.time() * 1000).to_bytes(8, "big") + secrets.token_bytes(8)
        """Of this process: tells it from another one with the same keys. Of two the later started yields."""

    # ------------------------------------------------ reading

    @property
    def belonging(self) -> Belonging | None:
        return self.register.belonging

    @property
    def ready(self) -> bool:
        """Whether this node is a member that can prove it."""
        found = self.belonging
        return (
            found is not None
            and self._keys.there
            and self.trouble is None
            and self.twin is None
            and not found.removed
        )

    def inside(self) -> Belonging:
        """The membership. Raises NoSwarm, Removed, or why it cannot be used now."""
        if self.belonging is None:
            raise NoSwarm("This computer is in no swarm.")
        if self.trouble is not None:
            raise self.trouble
        if self.belonging.removed:
            name = self.belonging.members.current.about.swarm_name
            raise Removed(f"This computer was removed from the swarm {name}.")
        if self.twin is not None:
            raise twin_error(self.twin)
        return self.belonging

    @property
    def role(self) -> Role:
        """What this device may do now. Raises what `inside` raises."""
        found = self.inside()
        return found.members.standing(found.chain, self._clock.time())[1]

    def role_name(self) -> str:
        """The role for people: the certificate's where it cannot be exercised now, "" outside a swarm."""
        try:
            return self.role.value
        except HomeswarmError:
            return "" if self.belonging is None else self.belonging.chain[0].role.value

    def party(self) -> Party:
        """For a handshake at the door, by the device key itself. Raises what `inside` raises."""
        found = self.inside()
        return Party(found.chain, self._keys.device, None, found.members, "")

    def admitter(self, channel: bytes) -> Admitter:
        """For a request to join at our door."""
        return Admitter(
            self.inside().chain, self._keys.device, self._keys.swarm, self._clock, channel=channel
        )

    def credentials(self, peer_id: str, process_key: bytes, model_id: str) -> Credentials:
        """For a child of ours."""
        found = self.inside()
        binding = bind(self._keys.device, found.swarm_id, peer_id, process_key, self._clock.time())
        return Credentials(found.chain, binding, found.members, model_id)

    # ------------------------------------------------ starting

    async def open(self) -> None:
        """Read the membership and its keys. What goes wrong is kept in `trouble`; may be called again."""
        async with self._busy:
            try:
                self.register.read()
                if self.belonging is not None and not self._keys.there:
                    await self._keys.read(self.belonging)
                self.trouble = None
            except HomeswarmError as error:
                self.trouble = error
        self.register.tell()

    # ------------------------------------------------ in and out

    async def create(self, name: str, device_name: str, model_id: str, model_name: str) -> Belonging:
        """Found a swarm with this device as its owner. Raises AlreadyMember, SecretsUnusable, BadRequest, and
        DiskFull: one that is forgotten at the next start would be a swarm without its owner."""
        if not name.strip() or printable_name(name) != name.strip():
            raise BadRequest("A swarm needs a name of up to 64 printable characters.", param="name")
        async with self._busy:
            self._must_be_outside()
            device, swarm = await self._keys.make_both()
            now_s = self._clock.time()
            chain = issue(
                swarm,
                (),
                swarm=swarm_id(swarm.public),
                device_key=device.public,
                name=device_name,
                role=Role.OWNER,
                now_s=now_s,
            )
            about = About(name.strip(), model_id, model_name)
            members = Members.founded(chain, device, about=about, person="", now_s=now_s)
            founded = Belonging(chain, members, founder=True)
            self.register.keep_safely(founded)
            self._keys.use(device, swarm)
            self.register.keep(founded)
        return self.inside()

    async def newcomer(self, link: Link) -> PrivateKey:
        """The key with which this computer joins: kept before it is used, so that an answer that gets lost
        costs nothing. Raises AlreadyMember, LinkExpired, SecretsUnusable."""
        link.check_date(self._clock.time())
        async with self._busy:
            self._must_be_outside()
            gone = self.belonging
            # A removal is for good: the computer comes back as another device.
            return await self._keys.of_newcomer(anew=gone is not None and gone.removed)

    def admitted(self, device: PrivateKey, admission: Admission) -> None:
        """A join, or being certified anew, has come out well."""
        before = self.belonging
        same = before is not None and before.swarm_id == admission.members.swarm_id and not before.removed
        if same:
            assert before is not None
            members = before.members.merge(admission.members)
            self.register.keep(replace(before, chain=admission.chain, members=members))
            return
        rotated = before is not None and before.pending is not None
        news = (*before.news, before.pending)[-MAX_NEWS:] if before is not None and before.pending else ()
        self._keys.use(device, None)
        self.register.keep(
            Belonging(
                admission.chain,
                Members(admission.members),
                news=news,
                contacts=before.contacts if rotated and before is not None else (),
                own=before.own if before is not None else (),
            )
        )

    async def forget(self) -> str:
        """Out of the swarm, on this computer alone. Why its keys are still in the vault, "" where they are
        not.

        Raises ProfileUnusable.
        """
        async with self._busy:
            self.register.forget()
            self.trouble = self.twin = None
            kept = await self._keys.forget()
        self.register.tell()
        return kept

    def farewell(self) -> tuple[Member, Chain]:
        """What this device says when it leaves, for an owner or admin. Raises LastOwner."""
        found = self.inside()
        return leave(found.members, self._keys.device, self._clock.time()), found.chain

    async def rotate(self) -> Succession:
        """Replace the swarm's key; every present member is certified anew as it comes.

        Raises NotAllowed, and SecretsUnusable or DiskFull, after which the present key is still the swarm's.
        """
        async with self._busy:
            found = self.inside()
            fresh = PrivateKey.generate()
            news, chain, members = rotate(
                found.members, found.chain, self._keys.device, fresh, self._clock.time()
            )
            after = replace(
                found,
                chain=chain,
                members=members,
                founder=True,
                news=(*found.news, news)[-MAX_NEWS:],
                pending=None,
            )
            await self._keys.keep_next(fresh)
            self.register.keep_safely(after)
            self._keys.use(self._keys.device, fresh)
            self.register.keep(after)
            await self._keys.settle_next(fresh)
        return news

    # ------------------------------------------------ owners and admins

    def admit(
        self, admitter: Admitter, request: bytes, endpoints: Sequence[Endpoint], peers: Sequence[str]
    ) -> Admitted:
        """Let somebody in; what changes is on disk when this returns."""
        found = self.inside()
        admitted = admitter.admit(request, found.members, endpoints=endpoints, peers=peers)
        if admitted.members is not found.members:
            self.register.keep(replace(found, members=admitted.members))
        return admitted

    def let_go(self, statement: Member, chain: Chain) -> None:
        """Put somebody's leave into the list. Raises NotAllowed where this device may not."""
        found = self.inside()
        if found.members.is_removed(statement.device_key):
            return
        members = found.members.issue(
            self._keys.device, found.chain, now_s=self._clock.time(), leaving=[(statement, chain)]
        )
        self.register.keep(replace(found, members=members))

    def say(self, *, members: Sequence[Member] = (), invites: Sequence[Invite] = ()) -> None:
        """Issue the list of members with these statements in it. Raises NotAllowed, LastOwner."""
        found = self.inside()
        after = found.members.issue(
            self._keys.device, found.chain, now_s=self._clock.time(), members=members, invites=invites
        )
        self.register.keep(replace(found, members=after))

    # ------------------------------------------------ hearing

    def hear(self, heard: MemberList) -> None:
        """A list of members came. Raises what `Members.merge` raises; an older one changes nothing."""
        found = self.belonging
        if found is None or heard.swarm_id != found.swarm_id:
            return
        self.heard(found.members.merge(heard))

    def heard(self, members: Members) -> None:
        """A handshake brought `members`: ours, merged with another computer's."""
        found = self.belonging
        if found is None or members.swarm_id != found.swarm_id:
            return
        if members is not found.members:
            # Ours may have gone on while the handshake was under way.
            merged = found.members.merge(members.current)
            if members.aside is not None:
                merged = merged.merge(members.aside)
            if merged is not found.members:
                self.register.keep(replace(found, members=merged))
        self._issue_what_is_lacking()

    def _issue_what_is_lacking(self) -> None:
        found = self.belonging
        if found is None or not found.members.lacks() or not self.ready:
            return
        if self.role.invites:
            self.say()

    def hear_news(self, news: Succession) -> bool:
        """The swarm has a new key: take note, if an owner says so. True when this was new and is true."""
        found = self.belonging
        if found is None or news.old_swarm_id != found.swarm_id or found.pending == news:
            return False
        news.check(found.members)
        self.register.keep(replace(found, pending=news))
        return True

    def news_for(self, old_swarm_id: str) -> tuple[Succession, ...]:
        """What a member that still has that swarm's certificate has to be told; () for strangers."""
        found = self.belonging
        if found is None:
            return ()
        for position, news in enumerate(found.news):
            if news.old_swarm_id == old_swarm_id:
                return found.news[position:]
        return ()

    def met_twin(self, where: Endpoint) -> None:
        """Another computer has this device's key, and was there first."""
        if self.twin is None:
            self.twin = where
            self.register.tell()

    def renewal(self) -> str | None:
        """The id of the swarm in which this device is to be certified anew; None without need."""
        found = self.belonging
        if found is None or not self._keys.there or found.removed:
            return None
        if found.pending is not None:
            return found.pending.new_swarm_id
        entry = found.members.get(found.device_key)
        certified = found.chain[0].role
        raised = entry is not None and entry.role.rank > certified.rank
        if not raised and not due_for_renewal(found.chain, self._clock.time()):
            return None
        if self._keys.swarm is None:
            return found.swarm_id
        self._certify_myself(found, entry.role if entry is not None else certified)
        return None

    def _certify_myself(self, found: Belonging, role: Role) -> None:
        assert self._keys.swarm is not None
        chain = issue(
            self._keys.swarm,
            (),
            swarm=found.swarm_id,
            device_key=found.device_key,
            name=found.chain[0].name,
            role=role,
            now_s=self._clock.time(),
        )
        self.register.keep(replace(found, chain=chain))

    def device(self) -> PrivateKey:
        """For a `Joiner` that is certified anew."""
        return self._keys.device

    # ------------------------------------------------ inside

    def _must_be_outside(self) -> None:
        found = self.belonging
        if found is not None and not found.removed:
            name = found.members.current.about.swarm_name
            raise AlreadyMember(f"This profile is in the swarm {name} already.")


def twin_error(where: Endpoint) -> HomeswarmError:
    """What is said where two computers run with one device's keys."""
    return AlreadyMember(
        f"Another computer, at {where}, runs with this profile's identity: one was copied from the other.",
        remedy="Forget the swarm here (homeswarm swarm leave) and join anew with a link of its own.",
    )
