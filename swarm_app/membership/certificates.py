"""Certificates: this device, by this name, may do this in that swarm, until then.

The swarm key signs the owners (and whomever its holder redeems an invite for). Owners and admins that do not
hold it sign those below them with their device key and show their own certificate along: a chain of at most
MAX_CHAIN, the leaf first, which ends at the swarm key. Whoever signs stands above whom they sign, so
chains cannot grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from swarm_app.membership.encoding import Fields
from swarm_app.membership.errors import Expired, Forged, Malformed, NotAllowed, NotCertified, OtherSwarm
from swarm_app.membership.keys import (
    ID_BYTES,
    KEY_BYTES,
    Signer,
    device_id,
    id_bytes,
    id_text,
    swarm_id,
)
from swarm_app.membership.signed import SignedRecord

MAX_CHAIN = 3
MAX_NAME = 64

DAY_S = 24 * 3600
LIFETIME_S = {"owner": 400 * DAY_S, "admin": 400 * DAY_S, "member": 90 * DAY_S, "guest": 90 * DAY_S}
"""An owner's or admin's certificate stands above others', so it must outlast a long time without the
founder; removal, not expiry, is what ends a membership."""

RENEW_BEFORE_SHARE = 0.5
"""A certificate with less of its life left than this is renewed at the next contact."""

CLOCK_TOLERANCE_S = 10 * 60
"""A certificate from a clock that goes a little ahead is not from the future. Handshakes compare clocks."""


class Role(StrEnum):
    """What a device may do. In this order each may do all that those after it may."""

    OWNER = "owner"
    """Removes anybody, makes owners and admins, replaces the swarm's key."""
    ADMIN = "admin"
    """Invites and removes members and guests."""
    MEMBER = "member"
    """Hosts blocks and chats."""
    GUEST = "guest"
    """Chats."""

    @property
    def rank(self) -> int:
        """Higher is more."""
        return _RANK[self]

    @property
    def hosts(self) -> bool:
        """May serve blocks to the others."""
        return self is not Role.GUEST

    @property
    def invites(self) -> bool:
        return self in (Role.OWNER, Role.ADMIN)

    def may_sign(self, other: Role) -> bool:
        return self.invites and self.rank > other.rank


_ROLES = (Role.GUEST, Role.MEMBER, Role.ADMIN, Role.OWNER)
_RANK = {role: rank for rank, role in enumerate(_ROLES)}


def role_from_rank(rank: int) -> Role:
    return _ROLES[rank]


def role_named(text: str) -> Role:
    """The role of that name; raises NotAllowed."""
    try:
        return Role(text)
    except ValueError:
        raise NotAllowed(
            f"There is no role {text[:40]!r}.", remedy="Roles are owner, admin, member and guest."
        ) from None


@dataclass(frozen=True, slots=True)
class Certificate(SignedRecord):
    """Times are seconds since the epoch. Unchecked until `verify_chain`."""

    KIND = "certificate/1"
    MAX_BYTES = 512

    swarm_id: str
    device_key: bytes
    name: str
    role: Role
    issued_s: int
    expires_s: int
    issuer_key: bytes
    """The swarm key, or the device key of the owner or admin whose certificate follows in the chain."""
    signature: bytes = b""

    @property
    def device_id(self) -> str:
        return device_id(self.device_key)

    def _fields(self) -> list[object]:
        return [
            id_bytes(self.swarm_id),
            self.device_key,
            self.name,
            self.role.rank,
            self.issued_s,
            self.expires_s,
            self.issuer_key,
        ]

    @classmethod
    def _read(cls, fields: Fields) -> Certificate:
        return cls(
            id_text(fields.data(ID_BYTES)),
            fields.data(KEY_BYTES),
            fields.text(MAX_NAME),
            role_from_rank(fields.integer(0, len(_ROLES) - 1)),
            fields.integer(),
            fields.integer(),
            fields.data(KEY_BYTES),
        )


Chain = tuple[Certificate, ...]
"""Leaf first, at least one, at most MAX_CHAIN."""


def issue(
    signer: Signer,
    above: Chain,
    *,
    swarm: str,
    device_key: bytes,
    name: str,
    role: Role,
    now_s: float,
    lifetime_s: float | None = None,
) -> Chain:
    """Certify a device. `above` is the signer's own chain, empty where `signer` is the swarm key.

    Raises NotAllowed where the signer's role does not stand above `role`.
    """
    if above and not above[0].role.may_sign(role):
        raise NotAllowed(
            f"A device with the role {above[0].role} cannot make somebody {role}.",
            remedy="Only the computer that founded the swarm makes owners; owners make admins."
            if role in (Role.OWNER, Role.ADMIN)
            else None,
        )
    name = printable_name(name)
    life_s = LIFETIME_S[role] if lifetime_s is None else lifetime_s
    blank = Certificate(swarm, device_key, name, role, int(now_s), int(now_s + life_s), signer.public)
    return (blank.signed(signer), *above)


def printable_name(text: str) -> str:
    """A name as messages carry it: printable, without spaces around it, at most MAX_NAME characters."""
    return "".join(c for c in text if c.isprintable())[:MAX_NAME].strip() or "computer"


def verify_chain(chain: Chain, swarm: str, now_s: float | None) -> Certificate:
    """The leaf, once the whole chain holds for the swarm of that id; without `now_s` dates are not looked at.

    Raises NotCertified, OtherSwarm, Forged or Expired, in words about the leaf's device.
    """
    if not chain:
        raise NotCertified("This computer showed no certificate.")
    leaf = chain[0]
    if any(certificate.swarm_id != swarm for certificate in chain):
        raise OtherSwarm(f"{leaf.name} belongs to another swarm.")
    if len(chain) > MAX_CHAIN or swarm_id(chain[-1].issuer_key) != swarm:
        raise Forged(f"The certificate of {leaf.name} was not made by this swarm.")
    for position, certificate in enumerate(chain):
        if position + 1 < len(chain):
            above = chain[position + 1]
            if certificate.issuer_key != above.device_key or not above.role.may_sign(certificate.role):
                raise Forged(f"The certificate of {leaf.name} was signed by somebody without that right.")
        if not certificate.is_signed_by(certificate.issuer_key):
            raise Forged(f"The certificate of {leaf.name} does not carry a true signature.")
    if now_s is not None:
        for certificate in chain:
            if certificate.issued_s > now_s + CLOCK_TOLERANCE_S:
                raise Expired(
                    f"The certificate of {leaf.name} is not valid yet.",
                    remedy="Check the date of both computers.",
                )
            if certificate.expires_s <= now_s:
                raise Expired(f"The certificate of {leaf.name} has run out.")
    return leaf


def expires_s(chain: Chain) -> int:
    """When the first certificate of the chain runs out."""
    return min(certificate.expires_s for certificate in chain)


def due_for_renewal(chain: Chain, now_s: float) -> bool:
    """Whether less than RENEW_BEFORE_SHARE of the leaf's or an upper one's life is left."""
    return any(
        certificate.expires_s - now_s < RENEW_BEFORE_SHARE * (certificate.expires_s - certificate.issued_s)
        for certificate in chain
    )


def chain_to_list(chain: Sequence[Certificate]) -> list[bytes]:
    """For a field of a message."""
    return [certificate.to_bytes() for certificate in chain]


def chain_from_list(values: list[object]) -> Chain:
    """Raises Malformed."""
    if len(values) > MAX_CHAIN:
        raise Malformed("A chain of certificates is too long.")
    found = []
    for value in values:
        if type(value) is not bytes:
            raise Malformed("A certificate in a message is none.")
        found.append(Certificate.from_bytes(value))
    return tuple(found)
