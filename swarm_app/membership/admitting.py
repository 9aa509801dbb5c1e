"""Letting somebody in, or certifying a member anew: an owner's or admin's side of `joining`. No I/O."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from swarm_app.domain.clock import Clock
from swarm_app.membership.certificates import MAX_NAME, Chain, Role, chain_to_list, issue
from swarm_app.membership.clocks import MAX_CLOCK_MS, Asked
from swarm_app.membership.encoding import decode, encode
from swarm_app.membership.errors import (
    Forged,
    LinkCancelled,
    LinkExpired,
    LinkUnknown,
    LinkUsed,
    Malformed,
    NotAllowed,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
    VersionMismatch,
)
from swarm_app.membership.handshake import NONCE_BYTES, PROTOCOL
from swarm_app.membership.joining import (
    ADMITTED,
    ASK,
    ASK_BYTES,
    CHALLENGE,
    MAX_ENDPOINTS,
    REQUEST,
    REQUEST_BYTES,
    challenge_body,
    signed_part,
)
from swarm_app.membership.keys import ID_BYTES, KEY_BYTES, SIGNATURE_BYTES, Signer, id_text, verify
from swarm_app.membership.links import Endpoint
from swarm_app.membership.members import Members
from swarm_app.membership.statements import Invite, Member


@dataclass(frozen=True, slots=True)
class Admitted:
    """What an admitter has decided."""

    members: Members
    """With the newcomer in it; the very object that was given where nothing had to change."""
    device_key: bytes
    name: str
    answer: bytes
    """To be sent to the joiner, once `members` is safely kept."""


def swarm_of_ask(ask: bytes) -> str:
    """The id of the swarm that an ask names. Raises Malformed."""
    fields = decode(ask, ASK, ASK_BYTES)
    fields.integer()
    return id_text(fields.data(ID_BYTES))


def invite_state(invite: Invite, members: Members, now_s: float) -> str:
    """``open``, ``used``, ``expired`` or ``cancelled``."""
    if invite.cancelled:
        return "cancelled"
    if members.uses_of(invite) >= invite.uses:
        return "used"
    return "expired" if invite.expires_s <= now_s else "open"


def find_invite(invite_key: bytes, members: Members, now_s: float) -> Invite:
    """The open invite of that key. Raises LinkUnknown, LinkUsed, LinkExpired, LinkCancelled."""
    invite = next((one for one in members.invites() if one.invite_key == invite_key), None)
    if invite is None:
        raise LinkUnknown("Nobody here knows this link.")
    match invite_state(invite, members, now_s):
        case "cancelled":
            raise LinkCancelled("This link was cancelled.")
        case "used":
            raise LinkUsed("This link has been used.")
        case "expired":
            raise LinkExpired("This link has run out.")
    return invite


class Admitter:
    """The side of an owner or admin. `swarm_signer` is the swarm key where this computer holds it."""

    def __init__(
        self, chain: Chain, device: Signer, swarm_signer: Signer | None, clock: Clock, *, channel: bytes
    ) -> None:
        self._chain = chain
        self._device = device
        self._swarm_signer = swarm_signer
        self._clock = clock
        self._channel = channel
        self._invite_key = b""
        self._device_key = b""
        self._begun = b""
        self._asked = Asked(clock)

    def challenge(self, ask: bytes, members: Members) -> bytes:
        """What to answer to an ask. Raises VersionMismatch, OtherSwarm, NotAllowed, and for links what
        `find_invite` raises; for members Removed and NotCertified."""
        fields = decode(ask, ASK, ASK_BYTES)
        version = fields.integer()
        if version != PROTOCOL:
            raise VersionMismatch(f"It speaks version {PROTOCOL} of the protocol, and you version {version}.")
        swarm = id_text(fields.data(ID_BYTES))
        fields.data(NONCE_BYTES)
        fields.integer(0, MAX_CLOCK_MS)
        invite_key = fields.data(0, KEY_BYTES)
        device_key = fields.data(0, KEY_BYTES)
        fields.end()
        if {len(invite_key), len(device_key)} != {0, KEY_BYTES}:
            raise Malformed("A request to join names neither a link nor a device.")
        if swarm != members.swarm_id:
            raise OtherSwarm("This computer belongs to another swarm.")
        _, role = members.standing(self._chain, self._clock.time())
        if not role.invites:
            raise NotAllowed("This computer cannot let anybody in.")
        if invite_key:
            self._allow(find_invite(invite_key, members, self._clock.time()).role)
        else:
            self._allow(_listed(device_key, members).role)
        self._invite_key, self._device_key = invite_key, device_key
        self._asked = Asked(self._clock)
        nonce, clock_ms = secrets.token_bytes(NONCE_BYTES), self._asked.clock_ms
        body = challenge_body(PROTOCOL, nonce, clock_ms, self._chain)
        signature = self._device.sign("join/challenge", signed_part(self._channel, ask, body))
        challenge = encode(CHALLENGE, [PROTOCOL, nonce, clock_ms, chain_to_list(self._chain), signature])
        self._begun = encode("joining", [ask, challenge])
        return challenge

    def admit(
        self,
        request: bytes,
        members: Members,
        *,
        endpoints: Sequence[Endpoint] = (),
        peers: Sequence[str] = (),
    ) -> Admitted:
        """Certify the device behind a request, and put it into the list.

        `members` as they are now: a link may have been used since the challenge. Raises Replayed, Forged,
        ClockWrong, and what `challenge` raises.
        """
        begun, self._begun = self._begun, b""
        if not begun:
            raise Replayed("A request to join came out of its turn.")
        fields = decode(request, REQUEST, REQUEST_BYTES)
        body = fields.data(1, REQUEST_BYTES)
        by_device = fields.data(SIGNATURE_BYTES)
        by_invite = fields.data(0, SIGNATURE_BYTES)
        fields.end()
        inner = decode(body, REQUEST, REQUEST_BYTES)
        device_key = inner.data(KEY_BYTES)
        name = inner.text(MAX_NAME)
        clock_ms = inner.integer(0, MAX_CLOCK_MS)
        inner.end()
        said = signed_part(self._channel, begun, body)
        if not verify(device_key, "join/device", said, by_device):
            raise Replayed("A request to join was not made for this connection.")
        if self._invite_key and not verify(self._invite_key, "join/invite", said, by_invite):
            raise Forged("A request to join does not hold the link that it names.")
        if self._device_key and self._device_key != device_key:
            raise Forged("A request to be certified anew came from another device than it named.")
        now_s = self._clock.time()
        self._asked.in_time("A request to join", "Try again.")
        self._asked.offset_s(clock_ms, name)
        members, member = self._member(device_key, name, members, now_s)
        chain = self._certify(member, now_s)
        answer = encode(
            ADMITTED,
            [
                chain_to_list(chain),
                members.current.to_bytes(),
                [[where.host, where.port] for where in endpoints[:MAX_ENDPOINTS]],
                list(peers[:MAX_ENDPOINTS]),
            ],
        )
        return Admitted(members, device_key, member.name, answer)

    def _member(self, device_key: bytes, name: str, members: Members, now_s: float) -> tuple[Members, Member]:
        if not self._invite_key:
            return members, _listed(device_key, members)
        known = members.get(device_key)
        if known is not None and known.removed:
            raise Removed("This computer was removed, and joins as a new one: start again.")
        if known is not None:  # it joined, and the answer was lost on the way
            return members, known
        invite = find_invite(self._invite_key, members, now_s)
        self._allow(invite.role)
        free = _free_name(name, members)
        fresh = Member(
            members.swarm_id,
            device_key,
            free,
            invite.person,
            invite.role,
            invite.role,
            False,
            1,
            0,
            invite.invite_key,
        )
        members = members.issue(self._device, self._chain, now_s=now_s, members=[fresh])
        member = members.get(device_key)
        assert member is not None
        return members, member

    def _allow(self, role: Role) -> None:
        if self._swarm_signer is None and not self._chain[0].role.may_sign(role):
            raise NotAllowed(
                f"This computer cannot certify an {role}.",
                remedy="The computer that founded the swarm must be on for that."
                if role is Role.OWNER
                else "An owner's computer must be on for that.",
            )

    def _certify(self, member: Member, now_s: float) -> Chain:
        self._allow(member.role)
        return issue(
            self._swarm_signer or self._device,
            () if self._swarm_signer is not None else self._chain,
            swarm=member.swarm_id,
            device_key=member.device_key,
            name=member.name,
            role=member.role,
            now_s=now_s,
        )


def _listed(device_key: bytes, members: Members) -> Member:
    member = members.get(device_key)
    if member is None:
        raise NotCertified("This computer is not in the list of members.")
    if member.removed:
        raise Removed(f"{member.name} was removed from the swarm.", evidence=members.current.to_bytes())
    return member


def _free_name(name: str, members: Members) -> str:
    """The name, or with a number where another device has it."""
    taken = {member.name.casefold() for member in members.present()}
    free, count = name, 1
    while free.casefold() in taken:
        count += 1
        free = f"{name[: MAX_NAME - 4]} {count}"
    return free
