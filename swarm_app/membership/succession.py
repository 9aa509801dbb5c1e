"""A new key for the swarm, for when the old one has leaked: the news of it, and the first list under it.

Every present member goes on being one, and is certified anew (`joining`) when it meets an owner or admin who
has the new key's certificate. The news is signed by an owner's device, not by the old key.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from swarm_app.membership.certificates import (
    MAX_CHAIN,
    Chain,
    Role,
    chain_from_list,
    chain_to_list,
    issue,
    verify_chain,
)
from swarm_app.membership.encoding import Fields
from swarm_app.membership.errors import (
    Forged,
    MembershipError,
    NotAllowed,
    NotCertified,
    OtherSwarm,
    RotationPending,
)
from swarm_app.membership.keys import ID_BYTES, KEY_BYTES, Signer, id_bytes, id_text, swarm_id
from swarm_app.membership.members import Members
from swarm_app.membership.signed import SignedRecord
from swarm_app.membership.statements import Member

SUCCESSION = "succession/1"
SUCCESSION_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Succession(SignedRecord):
    """An owner says: the swarm of this id goes on under that key. Unchecked until `check`."""

    KIND = SUCCESSION
    MAX_BYTES = SUCCESSION_BYTES

    old_swarm_id: str
    new_key: bytes
    said_s: int
    chain: Chain
    """The owner's, in the old swarm."""
    signature: bytes = b""

    @property
    def new_swarm_id(self) -> str:
        return swarm_id(self.new_key)

    def _fields(self) -> list[object]:
        return [id_bytes(self.old_swarm_id), self.new_key, self.said_s, chain_to_list(self.chain)]

    @classmethod
    def _read(cls, fields: Fields) -> Succession:
        return cls(
            id_text(fields.data(ID_BYTES)),
            fields.data(KEY_BYTES),
            fields.integer(),
            chain_from_list(fields.items(MAX_CHAIN)),
        )

    def check(self, members: Members) -> None:
        """Raises unless an owner of the list that we hold has said it.

        Not by the old swarm key: that one may have leaked, and whoever has it must not move the swarm.
        """
        if self.old_swarm_id != members.swarm_id:
            raise OtherSwarm("This news is about another swarm.")
        if not self.chain:
            raise NotCertified("The news of a new key does not say who brings it.")
        leaf = verify_chain(self.chain, members.swarm_id, None)
        entry = members.get(leaf.device_key)
        if entry is None or entry.removed or entry.role is not Role.OWNER:
            raise NotAllowed(f"{leaf.name} is no owner of this swarm and cannot give it a new key.")
        if not self.is_signed_by(leaf.device_key):
            raise Forged("The news of a new key does not carry a true signature.")


def rotate(
    members: Members, chain: Chain, device: Signer, new_swarm: Signer, now_s: float
) -> tuple[Succession, Chain, Members]:
    """Give the swarm a new key: the news of it, the owner's own new chain, the first list of the new swarm.

    The list takes over every present member; removed devices and open invites stay behind with the old key.
    Raises NotAllowed where this device is no owner.
    """
    leaf, role = members.standing(chain, now_s)
    if role is not Role.OWNER:
        raise NotAllowed("Only an owner can give the swarm a new key.")
    news = Succession(members.swarm_id, new_swarm.public, int(now_s), chain).signed(device)
    new_id = news.new_swarm_id
    me = members.get(leaf.device_key)
    assert me is not None
    new_chain = issue(
        new_swarm,
        (),
        swarm=new_id,
        device_key=leaf.device_key,
        name=me.name,
        role=Role.OWNER,
        now_s=now_s,
    )
    first = Members.founded(new_chain, device, about=members.current.about, person=me.person, now_s=now_s)
    others = [
        Member(
            new_id,
            other.device_key,
            other.name,
            other.person,
            other.role,
            other.role,
            False,
            1,
            0,
            b"",
        )
        for other in members.present()
        if other.device_key != leaf.device_key
    ]
    return news, new_chain, first.issue(device, new_chain, now_s=now_s, members=others)


def rotation_refusal(news: Succession) -> MembershipError:
    """What a member of the old swarm is told."""
    return RotationPending(f"The swarm has a new key since {_day(news.said_s)}.")


def _day(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%d %B %Y")
