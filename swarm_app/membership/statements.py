"""What owners and admins say about one device or one invite, each signed by who says it.

The list of members (`members`) is made of these. Each stands for itself, so that a computer that missed ten
lists can still tell who had the right to say what the eleventh holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from swarm_app.membership.certificates import MAX_NAME, Certificate, Role, role_from_rank
from swarm_app.membership.encoding import MAX_INT, Fields
from swarm_app.membership.errors import Forged, Malformed, NotAllowed
from swarm_app.membership.keys import (
    ID_BYTES,
    KEY_BYTES,
    Signer,
    device_id,
    id_bytes,
    id_text,
)
from swarm_app.membership.signed import SignedRecord

MAX_STATEMENT_BYTES = 768
MAX_USES = 64
MAX_NUMBER = 2**48


@dataclass(frozen=True, slots=True)
class Member(SignedRecord):
    """A device of the swarm, or one that was removed from it, which is for good."""

    KIND = "member/1"
    MAX_BYTES = MAX_STATEMENT_BYTES

    swarm_id: str
    device_key: bytes
    name: str
    person: str
    """Whose it is, "" where nobody said."""
    role: Role
    highest: Role
    """The highest role that the device ever had. Who may speak of it is decided by this, so that nobody takes
    an owner's rights by calling it a member first."""
    removed: bool
    number: int
    """Of the list in which this was said."""
    said_s: int
    """Seconds since the epoch."""
    invite_key: bytes = b""
    """Public key of the invite by which it came, b"" for the founder."""
    by: bytes = b""
    """Device key of who says it."""
    signature: bytes = b""

    @property
    def device_id(self) -> str:
        return device_id(self.device_key)

    @property
    def key(self) -> bytes:
        return self.device_key

    @property
    def over(self) -> bool:
        return self.removed

    def _fields(self) -> list[object]:
        return [
            id_bytes(self.swarm_id),
            self.device_key,
            self.name,
            self.person,
            self.role.rank,
            self.highest.rank,
            self.removed,
            self.number,
            self.said_s,
            self.invite_key,
            self.by,
        ]

    @classmethod
    def _read(cls, fields: Fields) -> Member:
        member = cls(
            id_text(fields.data(ID_BYTES)),
            fields.data(KEY_BYTES),
            fields.text(MAX_NAME),
            fields.text(MAX_NAME, empty=True),
            role_from_rank(fields.integer(0, Role.OWNER.rank)),
            role_from_rank(fields.integer(0, Role.OWNER.rank)),
            fields.flag(),
            fields.integer(1, MAX_NUMBER),
            fields.integer(0, MAX_INT),
            fields.data(0, KEY_BYTES),
            fields.data(KEY_BYTES),
        )
        if member.highest.rank < member.role.rank or len(member.invite_key) not in (0, KEY_BYTES):
            raise Malformed("A statement about a member contradicts itself.")
        return member


@dataclass(frozen=True, slots=True)
class Invite(SignedRecord):
    """An invite link that was made. The link's secret is not in it: only the public key made from it."""

    KIND = "invite/1"
    MAX_BYTES = MAX_STATEMENT_BYTES

    swarm_id: str
    invite_key: bytes
    role: Role
    person: str
    uses: int
    expires_s: int
    cancelled: bool
    number: int
    said_s: int
    by: bytes = b""
    signature: bytes = b""

    @property
    def key(self) -> bytes:
        return self.invite_key

    @property
    def over(self) -> bool:
        return self.cancelled

    @property
    def invite_id(self) -> str:
        """For people: the first characters name it in `invite list` and `invite cancel`."""
        return device_id(self.invite_key)

    def _fields(self) -> list[object]:
        return [
            id_bytes(self.swarm_id),
            self.invite_key,
            self.role.rank,
            self.person,
            self.uses,
            self.expires_s,
            self.cancelled,
            self.number,
            self.said_s,
            self.by,
        ]

    @classmethod
    def _read(cls, fields: Fields) -> Invite:
        return cls(
            id_text(fields.data(ID_BYTES)),
            fields.data(KEY_BYTES),
            role_from_rank(fields.integer(0, Role.OWNER.rank)),
            fields.text(MAX_NAME, empty=True),
            fields.integer(1, MAX_USES),
            fields.integer(),
            fields.flag(),
            fields.integer(1, MAX_NUMBER),
            fields.integer(0, MAX_INT),
            fields.data(KEY_BYTES),
        )


Statement = TypeVar("Statement", Member, Invite)


def signed(statement: Statement, signer: Signer) -> Statement:
    """The statement said by `signer`. Whether that one may say it is `check`'s matter."""
    return replace(statement, by=signer.public).signed(signer)


def may_say(role: Role, statement: Member | Invite, *, own: bool) -> bool:
    """Whether a device of `role` may say that; `own`: it speaks of itself.

    An owner says anything, an admin whatever concerns members and guests, and everybody may leave.
    """
    if own and isinstance(statement, Member) and statement.removed:
        return True
    about = statement.highest if isinstance(statement, Member) else statement.role
    return role is Role.OWNER or role.may_sign(about)


def check(statement: Member | Invite, signer: Certificate, swarm: str) -> None:
    """Raises Forged or NotAllowed unless `signer`, a leaf that was verified, has signed it and may say it."""
    if statement.swarm_id != swarm or statement.by != signer.device_key:
        raise Forged("The list of members holds a statement by somebody else than it says.")
    if not statement.is_signed_by(statement.by):
        raise Forged("The list of members holds a statement without a true signature.")
    own = isinstance(statement, Member) and statement.device_key == signer.device_key
    if not may_say(signer.role, statement, own=own):
        raise NotAllowed(f"{signer.name} had no right to say what the list of members holds.")


def stronger(one: Statement, other: Statement) -> Statement:
    """Which of two statements about one thing counts, on every computer alike.

    An end (removed, cancelled) is for good; otherwise the later number; otherwise the larger bytes.
    """
    return max(one, other, key=_strength)


def _strength(statement: Member | Invite) -> tuple[bool, int, bytes]:
    return (statement.over, statement.number, statement.signature)


def strongest(statements: Iterable[Statement]) -> dict[bytes, Statement]:
    """By key, the one that counts."""
    found: dict[bytes, Statement] = {}
    for statement in statements:
        before = found.get(statement.key)
        found[statement.key] = statement if before is None else stronger(before, statement)
    return found
