"""Joining and being certified anew, as pure objects: who sends what, and what each checks. No I/O.

Here the side that wants in, and what both sides share; the other side is `admitting`.

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
from dataclasses import dataclass

from swarm_app.domain.clock import Clock
from swarm_app.membership.certificates import (
    MAX_CHAIN,
    Chain,
    chain_from_list,
    chain_to_list,
    printable_name,
    verify_chain,
)
from swarm_app.membership.clocks import MAX_CLOCK_MS, Asked
from swarm_app.membership.encoding import decode, encode, fields_of, kind_of
from swarm_app.membership.errors import Forged, Malformed, NotAllowed, VersionMismatch
from swarm_app.membership.handshake import NONCE_BYTES, PROTOCOL
from swarm_app.membership.keys import SIGNATURE_BYTES, Signer, id_bytes, verify
from swarm_app.membership.links import Endpoint, Link, endpoint
from swarm_app.membership.memberlist import MAX_LIST_BYTES, MemberList
from swarm_app.membership.refusals import REFUSAL, read_refusal

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
        self._asked = Asked(clock)

    def ask(self) -> bytes:
        self._asked = Asked(self._clock)
        self._ask = encode(
            ASK,
            [
                self._version,
                id_bytes(self._swarm),
                secrets.token_bytes(NONCE_BYTES),
                self._asked.clock_ms,
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
        body = challenge_body(self._version, nonce, clock_ms, chain)
        if not verify(
            leaf.device_key, "join/challenge", signed_part(self._channel, self._ask, body), signature
        ):
            raise Forged(f"A computer claims to be {leaf.name} and is not.")
        if not leaf.role.invites:
            raise NotAllowed(f"{leaf.name} cannot let anybody in.")
        self._asked.offset_s(clock_ms, leaf.name)
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
        said = signed_part(self._channel, self._begun, body)
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


def challenge_body(version: int, nonce: bytes, clock_ms: int, chain: Chain) -> bytes:
    """What an admitter says of itself in its challenge."""
    return encode("challenge", [version, nonce, clock_ms, chain_to_list(chain)])


def signed_part(channel: bytes, begun: bytes, body: bytes) -> bytes:
    """What each signature of a conversation covers: the connection, all that was said, and this message."""
    return encode("said", [channel, begun, body])


def _endpoint(item: object) -> Endpoint:
    fields = fields_of(item)
    found = endpoint(fields.text(64), fields.integer(1, 65535))
    fields.end()
    return found


def _address(item: object) -> str:
    if type(item) is not str or len(item) > 256 or not item.isprintable():
        raise Malformed("An address in a message is none.")
    return item
