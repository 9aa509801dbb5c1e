"""What an owner or admin does in the swarm: inviting, cancelling, removing, renaming.

State owned: none; what is said goes into the list of members, through the registrar. Callers:
`swarm_app.node.membershipapi` and `private`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import BadRequest, HomeswarmError
from swarm_app.membership.admitting import invite_state
from swarm_app.membership.certificates import printable_name, role_named
from swarm_app.membership.errors import NotAllowed
from swarm_app.membership.keys import SHORT_ID_CHARS
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.statements import MAX_USES, Invite, Member
from swarm_app.node.registrar import Registrar
from swarm_app.node.state import Overused

MAX_INVITE_S = 30 * 24 * 3600
MIN_INVITE_S = 60


class Office:
    """Every method raises what `Registrar.inside` raises."""

    def __init__(self, registrar: Registrar, clock: Clock) -> None:
        self._registrar = registrar
        self._clock = clock

    def invites(self) -> list[tuple[Invite, str, int]]:
        """Each invite that is remembered, its state, and how many have used it; open ones first."""
        members, now_s = self._registrar.inside().members, self._clock.time()
        found = [(one, invite_state(one, members, now_s), members.uses_of(one)) for one in members.invites()]
        return sorted(found, key=lambda entry: (entry[1] != "open", -entry[0].said_s))

    def overused(self) -> tuple[Overused, ...]:
        """Links by which more are there than they were made for; () for who may do nothing about it."""
        try:
            members, role = self._registrar.inside().members, self._registrar.role
        except HomeswarmError:
            return ()
        if not role.invites:
            return ()
        found = []
        for invite in members.invites():
            names = tuple(m.name for m in members.present() if m.invite_key == invite.invite_key)
            if len(names) > invite.uses:
                found.append(Overused(invite.invite_id[:SHORT_ID_CHARS], invite.uses, names))
        return tuple(found)

    def invite(
        self, role: str, uses: int, lasts_s: float, person: str, endpoints: Sequence[Endpoint]
    ) -> tuple[Link, Invite]:
        """Make a link and put its public half into the list. Raises NotAllowed, BadRequest."""
        if not 1 <= uses <= MAX_USES:
            raise BadRequest(f"A link is for 1 to {MAX_USES} computers.", param="uses")
        if not MIN_INVITE_S <= lasts_s <= MAX_INVITE_S:
            raise BadRequest("A link lasts from one minute to thirty days.", param="expires")
        chosen, whose = role_named(role), printable_name(person) if person.strip() else ""
        found = self._registrar.inside()
        if not self._registrar.role.invites:
            raise NotAllowed("Only owners and admins invite.")
        link = Link.make(found.swarm_id, self._clock.time() + lasts_s, endpoints)
        invite = Invite(
            found.swarm_id, link.signer().public, chosen, whose, uses, link.expires_s, False, 1, 0
        )
        self._registrar.say(invites=[invite])
        return link, invite

    def cancel(self, words: str) -> Invite:
        """Cancel the invite whose id begins so. Raises BadRequest, NotAllowed."""
        found = [one for one, _, _ in self.invites() if one.invite_id.startswith(words.strip().lower())]
        if len(words.strip()) < 4 or len(found) != 1:
            raise BadRequest(
                f"{words[:40]!r} names {'several invites' if len(found) > 1 else 'no invite'}.",
                remedy="Give the first letters of its id as shown by: homeswarm invite list",
            )
        self._registrar.say(invites=[replace(found[0], cancelled=True)])
        return found[0]

    def remove(self, words: str) -> tuple[Member, ...]:
        """Remove a device, or all devices of a person. Raises BadRequest, NotAllowed, LastOwner."""
        victims = self._named(words)
        self._registrar.say(members=[replace(victim, removed=True) for victim in victims])
        return victims

    def rename(self, words: str, name: str, person: str | None) -> Member:
        """Give a device another name, or another person. Raises BadRequest, NotAllowed."""
        (found, *more) = self._named(words)
        if more:
            raise BadRequest(f"{words[:40]!r} names several devices.", remedy="Name one by its id.")
        if name and printable_name(name) != name.strip():
            raise BadRequest("A name has up to 64 printable characters.", param="name")
        fresh = replace(
            found,
            name=name.strip() or found.name,
            person=found.person if person is None else printable_name(person) if person.strip() else "",
        )
        self._registrar.say(members=[fresh])
        return fresh

    def _named(self, words: str) -> tuple[Member, ...]:
        found = self._registrar.inside().members.find(words.strip())
        if not found:
            raise BadRequest(f"There is no member {words[:64]!r}.", remedy="See them with: homeswarm members")
        return found
