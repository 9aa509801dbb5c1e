"""The list of members as it travels: numbered, and signed by the owner or admin who issued it.

It holds everything that was said about devices and invites, each statement signed by its author, and the
certificates of all those authors: whoever gets it can check it without knowing anything but the swarm's id.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from swarm_app.membership.certificates import (
    MAX_CHAIN,
    MAX_NAME,
    Certificate,
    Chain,
    Role,
    chain_from_list,
    chain_to_list,
    verify_chain,
)
from swarm_app.membership.encoding import Fields, fields_of
from swarm_app.membership.errors import Forged, Malformed, NotAllowed, OtherSwarm
from swarm_app.membership.keys import ID_BYTES, Signer, id_bytes, id_text
from swarm_app.membership.signed import SignedRecord
from swarm_app.membership.statements import MAX_NUMBER, Invite, Member, check

MAX_LIST_BYTES = 128 * 1024
MAX_MEMBERS = 256
"""Removed ones included: they are remembered for good."""

MAX_INVITES = 64
MAX_SIGNERS = 32

MAX_MODEL = 96
"""Characters of a model's id or name."""


@dataclass(frozen=True, slots=True)
class About:
    """What a swarm is called and which model it runs."""

    swarm_name: str
    model_id: str
    """The manifest's id, "" where any will do."""
    model_name: str = ""


@dataclass(frozen=True, slots=True)
class MemberList(SignedRecord):
    """One issue of the list. Unchecked until `check`."""

    KIND = "members/1"
    MAX_BYTES = MAX_LIST_BYTES

    swarm_id: str
    about: About
    number: int
    issued_s: int
    members: tuple[Member, ...]
    """By device key."""
    invites: tuple[Invite, ...]
    """By invite key."""
    signers: tuple[Chain, ...]
    """Certificates of everybody who said something in it, the issuer's first."""
    signature: bytes = b""

    @property
    def issuer(self) -> Certificate:
        return self.signers[0][0]

    def digest(self) -> bytes:
        return hashlib.sha256(self.to_bytes()).digest()

    def _fields(self) -> list[object]:
        return [
            id_bytes(self.swarm_id),
            self.about.swarm_name,
            self.about.model_id,
            self.about.model_name,
            self.number,
            self.issued_s,
            [member.to_bytes() for member in self.members],
            [invite.to_bytes() for invite in self.invites],
            [chain_to_list(chain) for chain in self.signers],
        ]

    @classmethod
    def _read(cls, fields: Fields) -> MemberList:
        return cls(
            id_text(fields.data(ID_BYTES)),
            About(
                fields.text(MAX_NAME),
                fields.text(MAX_MODEL, empty=True),
                fields.text(MAX_MODEL, empty=True),
            ),
            fields.integer(1, MAX_NUMBER),
            fields.integer(),
            tuple(Member.from_bytes(_bytes(item)) for item in fields.items(MAX_MEMBERS)),
            tuple(Invite.from_bytes(_bytes(item)) for item in fields.items(MAX_INVITES)),
            tuple(chain_from_list(fields_of(item).rest(MAX_CHAIN)) for item in fields.items(MAX_SIGNERS)),
        )

    def check(self, swarm: str) -> None:
        """Raises OtherSwarm, Malformed, Forged or NotAllowed unless the list holds for that swarm."""
        if self.swarm_id != swarm:
            raise OtherSwarm("This list of members is another swarm's.")
        for keys in ([member.key for member in self.members], [invite.key for invite in self.invites]):
            if any(one >= other for one, other in itertools.pairwise(keys)):
                raise Malformed("A list of members is out of order.")
        if not self.signers or not all(self.signers):
            raise Forged("A list of members does not say who issued it.")
        speakers = {chain[0].device_key: verify_chain(chain, swarm, None) for chain in self.signers}
        issuer = speakers[self.issuer.device_key]
        if not self.is_signed_by(issuer.device_key):
            raise Forged("A list of members does not carry a true signature.")
        statements: tuple[Member | Invite, ...] = (*self.members, *self.invites)
        for statement in statements:
            speaker = speakers.get(statement.by)
            if speaker is None:
                raise Forged("A list of members holds a statement by somebody unknown.")
            if statement.number > self.number:
                raise Malformed("A list of members holds a statement from the future.")
            check(statement, speaker, swarm)
        entry = next((member for member in self.members if member.device_key == issuer.device_key), None)
        if not issuer.role.invites or entry is None or entry.removed or not entry.role.invites:
            raise NotAllowed(f"{issuer.name} has no right to issue the list of members.")
        if not any(member.role is Role.OWNER and not member.removed for member in self.members):
            raise NotAllowed("A list of members leaves the swarm without an owner.")


def _bytes(item: object) -> bytes:
    if type(item) is not bytes:
        raise Malformed("A list of members holds something else than statements.")
    return item


def issue_list(
    swarm: str,
    about: About,
    number: int,
    now_s: float,
    members: Iterable[Member],
    invites: Iterable[Invite],
    signers: Iterable[Chain],
    chain: Chain,
    signer: Signer,
) -> MemberList:
    """A list signed by `signer`, whose own chain is `chain`; of `signers` those stay who say something."""
    chosen_members = sorted(members, key=lambda member: member.key)
    chosen_invites = sorted(invites, key=lambda invite: invite.key)
    speaking = {member.by for member in chosen_members} | {invite.by for invite in chosen_invites}
    chains: Mapping[bytes, Chain] = {
        found[0].device_key: found for found in signers if found[0].device_key in speaking
    }
    blank = MemberList(
        swarm,
        about,
        number,
        int(now_s),
        tuple(chosen_members),
        tuple(chosen_invites),
        (chain, *(found for key, found in sorted(chains.items()) if key != chain[0].device_key)),
    )
    return blank.signed(signer)
