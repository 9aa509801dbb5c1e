"""Joining and being certified anew, as pure objects: who sends what, and what each checks. No I/O.

    joiner                                      admitter (an owner or admin)
    Joiner.ask()               -- ask ------->  Admitter.challenge(ask)
    Joiner.prove(challenge)    <- challenge --
                               -- request --->  Admitter.admit(request) -> Admitted, answer
    Joiner.finish(answer)      <- answer -----

With an invite: the ask names the invite's public key, which only a holder of the link can know, so that the
admitter shows itself to nobody else. The challenge is signed by its device and carries its certificates: the
joiner sees that it has met the swarm of the link. The request is signed by the key in the link and by the
joiner's device.
Without an invite a device that the list of members holds is certified anew (its certificate runs out, or the
swarm has a new key).

Every signature covers `channel` (what both sides know of their connection; for TLS the digest of the server's
certificate), so that nobody in the middle can pass messages on.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from swarm_app.domain.clock import Clock
from swarm_app.membership.certificates import (
    MAX_CHAIN,
    MAX_NAME,
    Chain,
    Role,
    chain_from_list,
    chain_to_list,
    issue,
    printable_name,
    verify_chain,
)
from swarm_app.membership.encoding import decode, encode, fields_of, kind_of
from swarm_app.membership.errors import (
    ClockWrong,
    Forged,
    LinkCancelled,
    LinkExpired,
    LinkUnknown,
    LinkUsed,
    Malformed,
    MembershipError,
    NotAllowed,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
    RotationPending,
    VersionMismatch,
)
from swarm_app.membership.handshake import (
    HANDSHAKE_S,
    MAX_CLOCK_MS,
    MAX_SKEW_S,
    NONCE_BYTES,
    PROTOCOL,
    REFUSAL,
    in_words,
    read_refusal,
)
from swarm_app.membership.keys import (
    ID_BYTES,
    KEY_BYTES,
    SIGNATURE_BYTES,
    Signer,
    id_bytes,
    id_text,
    swarm_id,
    verify,
)
from swarm_app.membership.links import Endpoint, Link, endpoint
from swarm_app.membership.members import MAX_BYTES as MAX_LIST_BYTES
from swarm_app.membership.members import MemberList, Members
from swarm_app.membership.statements import Invite, Member

ASK, CHALLENGE, REQUEST, ADMITTED = "ask", "joinable", "request", "admitted"
ASK_BYTES = 512
CHALLENGE_BYTES = 4096
REQUEST_BYTES = 1024
ADMITTED_BYTES = MAX_LIST_BYTES + 8192
MAX_ENDPOINTS = 32
"""Doors of members that a newcomer is told."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What a joiner gets."""

    chain: Chain
    members: MemberList
    endpoints: tuple[Endpoint, ...]
    """Where members' doors are."""
    peers: tuple[str, ...]
    """Multiaddresses of peers that serve blocks, to join the DHT by."""


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


class Joiner:
    """The side that wants in. `link` for a newcomer; None for a device that is in the list of `swarm`."""

    def __init__(
        self,
        swarm: str,
        device: Signer,
        name: str,
        clock: Clock,
        *,
        channel: bytes,
        link: Link | None = None,
        version: int = PROTOCOL,
    ) -> None:
        self._swarm = swarm
        self._device = device
        self._name = printable_name(name)
        self._clock = clock
        self._channel = channel
        self._invite = link.signer() if link is not None else None
        self._version = version
        self._ask = b""
        self._begun = b""
        self._asked_at = 0.0
        self._asked_s = 0.0

    def ask(self) -> bytes:
        self._asked_at, self._asked_s = self._clock.monotonic(), self._clock.time()
        self._ask = encode(
            ASK,
            [
                self._version,
                id_bytes(self._swarm),
                secrets.token_bytes(NONCE_BYTES),
                int(self._asked_s * 1000),
                self._invite.public if self._invite is not None else b"",
                b"" if self._invite is not None else self._device.public,
            ],
        )
        return self._ask

    def prove(self, challenge: bytes) -> bytes:
        """Our request, once the other side has proved that it may admit to this swarm.

        Raises what the other side refuses, OtherSwarm, Forged, NotAllowed, ClockWrong, VersionMismatch.
        """
        if kind_of(challenge) == REFUSAL:
            raise read_refusal(challenge)
        fields = decode(challenge, CHALLENGE, CHALLENGE_BYTES)
        version = fields.integer()
        if version != self._version:
            raise VersionMismatch(
                f"This computer speaks version {self._version} of the protocol and the other one {version}."
            )
        nonce = fields.data(NONCE_BYTES)
        clock_ms = fields.integer(0, MAX_CLOCK_MS)
        chain = chain_from_list(fields.items(MAX_CHAIN))
        signature = fields.data(SIGNATURE_BYTES)
        fields.end()
        leaf = verify_chain(chain, self._swarm, None)
        body = _challenge_body(self._version, nonce, clock_ms, chain)
        if not verify(leaf.device_key, "join/challenge", _said(self._channel, self._ask, body), signature):
            raise Forged(f"A computer claims to be {leaf.name} and is not.")
        if not leaf.role.invites:
            raise NotAllowed(f"{leaf.name} cannot let anybody in.")
        took_s = self._clock.monotonic() - self._asked_at
        offset_s = clock_ms / 1000 - (self._asked_s + took_s / 2)
        _compare_clocks(offset_s, took_s, leaf.name)
        verify_chain(chain, self._swarm, self._clock.time())
        self._begun = encode("joining", [self._ask, challenge])
        body = encode(
            REQUEST,
            [
                self._device.public,
                self._name,
                int(self._clock.time() * 1000),
            ],
        )
        said = _said(self._channel, self._begun, body)
        return encode(
            REQUEST,
            [
                body,
                self._device.sign("join/device", said),
                self._invite.sign("join/invite", said) if self._invite is not None else b"",
            ],
        )

    def finish(self, answer: bytes) -> Admission:
        """What we were given, checked: our key, the swarm, and a list of members that holds us."""
        if kind_of(answer) == REFUSAL:
            raise read_refusal(answer)
        fields = decode(answer, ADMITTED, ADMITTED_BYTES)
        chain = chain_from_list(fields.items(MAX_CHAIN))
        members = MemberList.from_bytes(fields.data(1, MAX_LIST_BYTES))
        endpoints = tuple(_endpoint(item) for item in fields.items(MAX_ENDPOINTS))
        peers = tuple(_address(item) for item in fields.items(MAX_ENDPOINTS))
        fields.end()
        leaf = verify_chain(chain, self._swarm, self._clock.time())
        members.check(self._swarm)
        if leaf.device_key != self._device.public:
            raise Forged("The certificate that came is for another computer.")
        if not any(one.device_key == leaf.device_key and not one.removed for one in members.members):
            raise Forged("The list of members that came does not hold this computer.")
        return Admission(chain, members, endpoints, peers)


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
        self._sent_at = 0.0
        self._sent_s = 0.0

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
        self._sent_at, self._sent_s = self._clock.monotonic(), self._clock.time()
        nonce, clock_ms = secrets.token_bytes(NONCE_BYTES), int(self._sent_s * 1000)
        body = _challenge_body(PROTOCOL, nonce, clock_ms, self._chain)
        signature = self._device.sign("join/challenge", _said(self._channel, ask, body))
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
        said = _said(self._channel, begun, body)
        if not verify(device_key, "join/device", said, by_device):
            raise Replayed("A request to join was not made for this connection.")
        if self._invite_key and not verify(self._invite_key, "join/invite", said, by_invite):
            raise Forged("A request to join does not hold the link that it names.")
        if self._device_key and self._device_key != device_key:
            raise Forged("A request to be certified anew came from another device than it named.")
        now_s = self._clock.time()
        took_s = self._clock.monotonic() - self._sent_at
        if took_s > HANDSHAKE_S:
            raise Replayed("A request to join took too long.", remedy="Try again.")
        _compare_clocks(clock_ms / 1000 - (self._sent_s + took_s / 2), took_s, name)
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


def _challenge_body(version: int, nonce: bytes, clock_ms: int, chain: Chain) -> bytes:
    return encode("challenge", [version, nonce, clock_ms, chain_to_list(chain)])


def _said(channel: bytes, begun: bytes, body: bytes) -> bytes:
    return encode("said", [channel, begun, body])


def _compare_clocks(offset_s: float, took_s: float, name: str) -> None:
    if abs(offset_s) - took_s / 2 > MAX_SKEW_S:
        ahead = "ahead of" if offset_s > 0 else "behind"
        raise ClockWrong(f"The clock of {name} is {in_words(abs(offset_s))} {ahead} this computer's.")


def _endpoint(item: object) -> Endpoint:
    fields = fields_of(item)
    found = endpoint(fields.text(64), fields.integer(1, 65535))
    fields.end()
    return found


def _address(item: object) -> str:
    if type(item) is not str or len(item) > 256 or not item.isprintable():
        raise Malformed("An address in a message is none.")
    return item


# ------------------------------------------------ a new key for the swarm

SUCCESSION = "succession/1"
SUCCESSION_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Succession:
    """An owner says: the swarm of this id goes on under that key. Unchecked until `check`."""

    old_swarm_id: str
    new_key: bytes
    said_s: int
    chain: Chain
    """The owner's, in the old swarm."""
    signature: bytes = b""

    @property
    def new_swarm_id(self) -> str:
        return swarm_id(self.new_key)

    def body(self) -> bytes:
        return encode(SUCCESSION, self._fields())

    def to_bytes(self) -> bytes:
        return encode(SUCCESSION, [*self._fields(), self.signature])

    def _fields(self) -> list[object]:
        return [id_bytes(self.old_swarm_id), self.new_key, self.said_s, chain_to_list(self.chain)]

    @classmethod
    def from_bytes(cls, data: bytes) -> Succession:
        """Raises Malformed."""
        fields = decode(data, SUCCESSION, SUCCESSION_BYTES)
        found = cls(
            id_text(fields.data(ID_BYTES)),
            fields.data(KEY_BYTES),
            fields.integer(),
            chain_from_list(fields.items(MAX_CHAIN)),
            fields.data(SIGNATURE_BYTES),
        )
        fields.end()
        return found

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
        if not verify(leaf.device_key, SUCCESSION, self.body(), self.signature):
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
    blank = Succession(members.swarm_id, new_swarm.public, int(now_s), chain)
    news = Succession(
        blank.old_swarm_id,
        blank.new_key,
        blank.said_s,
        blank.chain,
        device.sign(SUCCESSION, blank.body()),
    )
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
    import datetime

    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%d %B %Y")
