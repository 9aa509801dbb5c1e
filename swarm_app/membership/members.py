"""What a computer knows of its swarm's members, and how two computers come to know the same.

`Members` holds the list in force, and what it knows from elsewhere and that list lacks (two admins may issue
one number at the same moment). A removal, once seen, is obeyed whatever list is in force.

Which list is in force, in this order: one that removes the other's issuer; the higher number; the larger
digest. An owner or admin who holds more than the list in force says issues the next one with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from swarm_app.membership.certificates import Certificate, Chain, Role, verify_chain
from swarm_app.membership.errors import LastOwner, NotAllowed, Removed, SignerRemoved
from swarm_app.membership.keys import Signer
from swarm_app.membership.memberlist import MAX_INVITES, MAX_MEMBERS, About, MemberList, issue_list
from swarm_app.membership.statements import (
    Invite,
    Member,
    check,
    may_say,
    signed,
    stronger,
    strongest,
)

KEEP_INVITE_S = 7 * 24 * 3600
"""An invite that is over is remembered this long, so that its link can be told what became of it."""


@dataclass(frozen=True, slots=True)
class Members:
    """What a computer knows of its swarm's members. Immutable: changes give a new one."""

    current: MemberList
    aside: MemberList | None = None
    """The list that lost against the one in force, where it says something that one does not."""

    @classmethod
    def founded(cls, founder: Chain, signer: Signer, *, about: About, person: str, now_s: float) -> Members:
        """The first list of a swarm: its founder alone."""
        leaf = founder[0]
        member = Member(
            leaf.swarm_id,
            leaf.device_key,
            leaf.name,
            person,
            Role.OWNER,
            Role.OWNER,
            False,
            1,
            int(now_s),
        )
        return cls(
            issue_list(
                leaf.swarm_id, about, 1, now_s, [signed(member, signer)], [], [founder], founder, signer
            )
        )

    # ------------------------------------------------ reading

    @property
    def swarm_id(self) -> str:
        return self.current.swarm_id

    @property
    def number(self) -> int:
        return self.current.number

    def all(self) -> tuple[Member, ...]:
        """Every device that was ever in, as it counts now."""
        if self.aside is None:
            return self.current.members
        found = strongest((*self.current.members, *self.aside.members))
        # Two owners may have removed each other at the same moment: the swarm keeps the later one's victim.
        if not any(member.role is Role.OWNER and not member.removed for member in found.values()):
            return self.current.members
        return tuple(found[key] for key in sorted(found))

    def present(self) -> tuple[Member, ...]:
        return tuple(member for member in self.all() if not member.removed)

    def get(self, device_key: bytes) -> Member | None:
        return next((member for member in self.all() if member.device_key == device_key), None)

    def is_removed(self, device_key: bytes) -> bool:
        member = self.get(device_key)
        return member is not None and member.removed

    def owners(self) -> tuple[Member, ...]:
        return tuple(member for member in self.present() if member.role is Role.OWNER)

    def invites(self) -> tuple[Invite, ...]:
        found = strongest((*self.current.invites, *(self.aside.invites if self.aside else ())))
        return tuple(found[key] for key in sorted(found))

    def uses_of(self, invite: Invite) -> int:
        """How many devices came by it."""
        return sum(member.invite_key == invite.invite_key for member in self.all())

    def find(self, words: str) -> tuple[Member, ...]:
        """Present devices named so: by name, by the beginning of the id (4 characters or more), by person."""
        exact = [m for m in self.present() if words in (m.name, m.device_id)]
        if exact:
            return tuple(exact)
        if persons := [m for m in self.present() if m.person and m.person.casefold() == words.casefold()]:
            return tuple(persons)
        folded = words.casefold()
        named = [m for m in self.present() if m.name.casefold() == folded]
        if named or len(words) < 4:
            return tuple(named)
        return tuple(m for m in self.present() if m.device_id.startswith(folded))

    def standing(self, chain: Chain, now_s: float) -> tuple[Certificate, Role]:
        """Whether a device is in: its own certificate, and its role, the lower of certificate and list.

        Raises Removed, and what `verify_chain` raises. A device that this list does not know yet is in by its
        certificate, unless somebody who certified it has been removed meanwhile.
        """
        leaf = verify_chain(chain, self.swarm_id, None)
        # First: who was removed hears that, and not that a certificate has run out.
        member = self.get(leaf.device_key)
        if member is not None and member.removed:
            raise Removed(f"{member.name} was removed from the swarm.")
        verify_chain(chain, self.swarm_id, now_s)
        if member is None:
            for above in chain[1:]:
                if self.is_removed(above.device_key):
                    raise Removed(f"{leaf.name} was let in by {above.name}, who was removed from the swarm.")
            return leaf, leaf.role
        return leaf, min(leaf.role, member.role, key=lambda role: role.rank)

    # ------------------------------------------------ hearing

    def merge(self, theirs: MemberList) -> Members:
        """After hearing of another list; the same object where that changes nothing.

        Raises what `MemberList.check` raises, and SignerRemoved: whoever was removed issues nothing more.
        """
        if theirs == self.current or theirs == self.aside:
            return self
        theirs.check(self.swarm_id)
        if self.is_removed(theirs.issuer.device_key):
            raise SignerRemoved(
                f"A list of members came from {theirs.issuer.name}, who was removed from the swarm."
            )
        for member in theirs.members:
            before = self.get(member.device_key)
            if before is not None and member.highest.rank < before.highest.rank:
                raise NotAllowed(f"A list of members hides that {before.name} was an {before.highest}.")
        ours = self.current
        winner, loser = (theirs, ours) if _in_force(theirs, over=ours) else (ours, theirs)
        aside = _aside(loser, winner)
        if self.aside is not None:
            earlier = _aside(self.aside, winner)
            # Only one is kept: the one that says more of ends, then the higher number.
            candidates = [found for found in (aside, earlier) if found is not None]
            aside = max(candidates, key=_says, default=None)
        merged = Members(winner, aside)
        return self if merged == self else merged

    # ------------------------------------------------ saying (owners and admins)

    def lacks(self) -> bool:
        """Whether the list in force should be issued anew because it lacks what is known."""
        return self.aside is not None

    def issue(
        self,
        signer: Signer,
        chain: Chain,
        *,
        now_s: float,
        members: Iterable[Member] = (),
        invites: Iterable[Invite] = (),
        leaving: Sequence[tuple[Member, Chain]] = (),
    ) -> Members:
        """The next list, with these statements (unsigned, of any number) put to it, and all that is known.

        `leaving` are statements that devices signed about themselves (`leave`), with their chains. Raises
        NotAllowed where the role of `chain` does not carry one of them, LastOwner where no owner would be
        left, Removed where the issuer itself is out.
        """
        issuer, role = self.standing(chain, now_s)
        if not role.invites:
            raise NotAllowed(f"This computer is a {role}: only owners and admins change the list of members.")
        number = max(self.number, self.aside.number if self.aside else 0) + 1
        fresh_members = self._said(members, signer, issuer, role, number, now_s)
        for statement, theirs in leaving:
            check(statement, verify_chain(theirs, self.swarm_id, None), self.swarm_id)
            if statement.device_key != statement.by or not statement.removed or statement.number > number:
                raise NotAllowed("A device can only take leave itself.")
            fresh_members.append(statement)
        fresh_invites = self._said_invites(invites, signer, role, number, now_s)
        everybody = strongest((*self.all(), *fresh_members))
        if not any(member.role is Role.OWNER and not member.removed for member in everybody.values()):
            raise LastOwner("The last owner of a swarm cannot be removed or made less than an owner.")
        known_invites = {
            key: invite
            for key, invite in strongest((*self.invites(), *fresh_invites)).items()
            if invite.expires_s + KEEP_INVITE_S > now_s
        }
        me = everybody[issuer.device_key]
        if me.removed or not me.role.invites:
            raise NotAllowed(
                "A computer cannot take its own rights away.",
                remedy="Leave with: homeswarm swarm leave. Or ask another owner.",
            )
        if len(everybody) > MAX_MEMBERS:
            raise NotAllowed(
                f"A swarm remembers at most {MAX_MEMBERS} computers, removed ones included.",
                remedy="Start a new swarm: homeswarm swarm create",
            )
        if len(known_invites) > MAX_INVITES:
            raise NotAllowed(
                f"At most {MAX_INVITES} invites can be open.", remedy="Cancel some: homeswarm invite list"
            )
        signers = [
            *self.current.signers,
            *(self.aside.signers if self.aside else ()),
            *(theirs for _, theirs in leaving),
        ]
        return Members(
            issue_list(
                self.swarm_id,
                self.current.about,
                number,
                now_s,
                everybody.values(),
                known_invites.values(),
                signers,
                chain,
                signer,
            )
        )

    def _said(
        self,
        members: Iterable[Member],
        signer: Signer,
        issuer: Certificate,
        role: Role,
        number: int,
        now_s: float,
    ) -> list[Member]:
        said = []
        for member in members:
            before = self.get(member.device_key)
            if before is not None and before.removed:
                raise Removed(f"{before.name} was removed, which is for good.")
            earlier = (before.highest,) if before is not None else ()
            highest = max(member.role, member.highest, *earlier, key=lambda one: one.rank)
            member = replace(member, highest=highest)
            if not may_say(role, member, own=member.device_key == issuer.device_key):
                raise NotAllowed(f"This computer is an {role}: only owners decide about an {highest}.")
            said.append(signed(replace(member, number=number, said_s=int(now_s)), signer))
        return said

    def _said_invites(
        self, invites: Iterable[Invite], signer: Signer, role: Role, number: int, now_s: float
    ) -> list[Invite]:
        said = []
        for invite in invites:
            if not may_say(role, invite, own=False):
                raise NotAllowed(f"This computer is an {role}: only owners invite an {invite.role}.")
            said.append(signed(replace(invite, number=number, said_s=int(now_s)), signer))
        return said


def leave(members: Members, device: Signer, now_s: float) -> Member:
    """What a device says when it leaves: for an owner or admin to put into the next list.

    Raises Removed where it is no member, LastOwner where nobody would be left to own the swarm.
    """
    member = members.get(device.public)
    if member is None or member.removed:
        raise Removed("This computer is no member of the swarm.")
    if members.owners() == (member,) and len(members.present()) > 1:
        raise LastOwner("This computer is the last owner of the swarm, which still has other members.")
    return signed(replace(member, removed=True, number=members.number + 1, said_s=int(now_s)), device)


def _in_force(one: MemberList, *, over: MemberList) -> bool:
    """Whether `one` counts rather than `over`."""
    removes, removed = _removes(one, over), _removes(over, one)
    if removes is not removed:
        return removes
    return (one.number, one.digest()) > (over.number, over.digest())


def _removes(one: MemberList, other: MemberList) -> bool:
    key = other.issuer.device_key
    return any(member.device_key == key and member.removed for member in one.members)


def _aside(loser: MemberList, winner: MemberList) -> MemberList | None:
    """`loser`, where it says something that counts and `winner` lacks."""
    if _removes(winner, loser) and not _removes(loser, winner):
        # Whoever was removed may have said anything meanwhile. What they had said before, others have issued.
        return None
    now = {**{member.key: member for member in winner.members}}
    for member in loser.members:
        if member.key not in now or stronger(member, now[member.key]) != now[member.key]:
            return loser
    open_ = {invite.key: invite for invite in winner.invites}
    for invite in loser.invites:
        before = open_.get(invite.key)
        if before is None:
            # One that ran out may have been dropped on purpose.
            if invite.expires_s + KEEP_INVITE_S > winner.issued_s:
                return loser
        elif stronger(invite, before) != before:
            return loser
    return None


def _says(found: MemberList) -> tuple[int, int, bytes]:
    return (sum(member.removed for member in found.members), found.number, found.digest())
