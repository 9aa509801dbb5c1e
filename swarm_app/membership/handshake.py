"""The handshake of two members, as pure objects: who sends what, and what each checks. No I/O.

    initiator                                   responder
    Initiator.hello()           -- hello -->    Responder.challenge(hello)
    Initiator.prove(challenge)  <- challenge -
                                -- proof -->    Responder.finish(proof) -> (Verified, answer)
    Initiator.finish(answer)    <- answer --

Hello and challenge hold versions, the swarm's id, the model's manifest, a nonce and the clock, and name
nobody. The initiator proves itself first: an outsider learns neither names nor certificates. Each proof signs
both nonces, both sides' messages and `channel` (what both sides know of the connection: see `channel_of`), so
that none serves a second time, on another connection, or in the other direction. The signature is by the
process key of a binding, and the binding must name the peer id that libp2p has authenticated; or by the
device key itself, where there is no libp2p.

Whoever knows a later list of members sends it with its proof. What a responder refuses it sends as
`refuse(error)` in place of its answer; `prove` and `finish` read that and raise the same error.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from swarm_app.domain.clock import Clock
from swarm_app.membership.binding import Binding
from swarm_app.membership.certificates import (
    MAX_CHAIN,
    Chain,
    Role,
    chain_from_list,
    chain_to_list,
    expires_s,
    verify_chain,
)
from swarm_app.membership.clocks import HANDSHAKE_S, MAX_CLOCK_MS, Asked
from swarm_app.membership.encoding import Fields, decode, encode, kind_of
from swarm_app.membership.errors import (
    CopiedCertificate,
    ManifestMismatch,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
    VersionMismatch,
)
from swarm_app.membership.keys import ID_BYTES, Signer, device_id, id_bytes, id_text, verify
from swarm_app.membership.memberlist import MAX_LIST_BYTES, MAX_MODEL, MemberList
from swarm_app.membership.members import Members
from swarm_app.membership.refusals import REFUSAL, read_refusal
from swarm_app.membership.signed import SignedRecord
from swarm_app.membership.statements import MAX_NUMBER

PROTOCOL = 1
"""Of the whole conversation between members; another number is another protocol."""

NONCE_BYTES = 16
DIGEST_BYTES = 16
HELLO_BYTES = 512
"""At most; of a challenge as well."""
PROOF_BYTES = MAX_LIST_BYTES + 4096

HELLO, CHALLENGE, PROOF = "hello", "challenge", "proof"
"""The first word is in every version to come, so that versions can tell each other apart."""


@dataclass(frozen=True, slots=True)
class Party:
    """What a process shows of itself, and whom it believes."""

    chain: Chain
    signer: Signer
    """The key of `binding`, or the device key where there is none."""
    binding: Binding | None
    members: Members
    manifest_id: str
    """Of the model that the swarm runs; "" compares none."""
    version: int = PROTOCOL

    @property
    def swarm_id(self) -> str:
        return self.members.swarm_id


@dataclass(frozen=True, slots=True)
class Verified:
    """Who is at the other end, after a handshake."""

    device_key: bytes
    name: str
    role: Role
    peer_id: str
    """libp2p's, "" where there is none."""
    signing_key: bytes
    """Verifies what that process signs: its process key, or the device key."""
    manifest_id: str
    offset_s: float
    """How far its clock is ahead of ours."""
    expires_s: int
    """When the first of its certificates and its binding runs out: until then no new handshake is needed."""
    members: Members
    """Ours after hearing theirs; the very object of `Party.members` where nothing was new."""

    @property
    def device_id(self) -> str:
        return device_id(self.device_key)


@dataclass(frozen=True, slots=True)
class _Greeting:
    """A hello or a challenge."""

    version: int
    swarm_id: str
    manifest_id: str
    nonce: bytes
    clock_ms: int
    number: int
    """Of the list of members in force."""
    digest: bytes
    """Of the same list: two that were issued apart may have one number."""

    def to_bytes(self, kind: str) -> bytes:
        return encode(
            kind,
            [
                self.version,
                id_bytes(self.swarm_id),
                self.manifest_id,
                self.nonce,
                self.clock_ms,
                self.number,
                self.digest,
            ],
        )

    @classmethod
    def from_bytes(cls, data: bytes, kind: str, who: str) -> _Greeting:
        if kind_of(data) == REFUSAL:
            raise read_refusal(data, who)
        fields = decode(data, kind, HELLO_BYTES)
        version = fields.integer()
        if version != PROTOCOL:
            # Whatever else a later version says, this much is understood.
            return cls(version, id_text(fields.data(ID_BYTES)), "", b"", 0, 0, b"")
        found = cls(
            version,
            id_text(fields.data(ID_BYTES)),
            fields.text(MAX_MODEL, empty=True),
            fields.data(NONCE_BYTES),
            fields.integer(0, MAX_CLOCK_MS),
            fields.integer(0, MAX_NUMBER),
            fields.data(DIGEST_BYTES),
        )
        fields.end()
        return found


@dataclass(frozen=True, slots=True)
class _Proof(SignedRecord):
    """What is signed is not the proof alone, but with it all that was said before: see `_signed`."""

    KIND = PROOF
    MAX_BYTES = PROOF_BYTES

    chain: Chain
    binding: Binding | None
    clock_ms: int
    members: bytes
    signature: bytes = b""

    def _fields(self) -> list[object]:
        return [
            chain_to_list(self.chain),
            b"" if self.binding is None else self.binding.to_bytes(),
            self.clock_ms,
            self.members,
        ]

    @classmethod
    def _read(cls, fields: Fields) -> _Proof:
        chain = chain_from_list(fields.items(MAX_CHAIN))
        binding = fields.data(0, Binding.MAX_BYTES)
        return cls(
            chain,
            Binding.from_bytes(binding) if binding else None,
            fields.integer(0, MAX_CLOCK_MS),
            fields.data(0, MAX_LIST_BYTES),
        )


def channel_of(initiator: str, responder: str) -> bytes:
    """The channel of a libp2p connection: both peer ids, as libp2p has authenticated them."""
    return encode("libp2p", [initiator, responder])


def swarm_of_hello(hello: bytes) -> str:
    """The id of the swarm that a hello names. Raises Malformed."""
    return _Greeting.from_bytes(hello, HELLO, "").swarm_id


def _digest(members: Members) -> bytes:
    return members.current.digest()[:DIGEST_BYTES]


class _Side:
    """What both sides have in common.

    `channel` as `channel_of` makes it; `peer_id` is the other's, as libp2p knows it, "" where there is no
    libp2p. `known_as` names the other one in refusals, as far as it is known. `same_model=False` leaves the
    comparison of manifests to the caller.
    """

    def __init__(
        self,
        me: Party,
        clock: Clock,
        *,
        channel: bytes,
        peer_id: str = "",
        known_as: str = "",
        same_model: bool = True,
    ) -> None:
        self._me = me
        self._clock = clock
        self._channel = channel
        self._peer_id = peer_id
        self._known_as = known_as or "another computer"
        self._same_model = same_model
        self._said: list[bytes] = []
        """Every message so far: each proof signs them all."""
        self._step = 0
        self._asked = Asked(clock)
        self._theirs: _Greeting | None = None

    def _once(self, step: int) -> None:
        """Each step is taken once, in its order: a second proof of the same handshake is a replay."""
        if self._step != step:
            raise Replayed("A message of a handshake came out of its turn.")
        self._step += 1

    def _greeting(self, kind: str) -> bytes:
        me = self._me
        self._asked = Asked(self._clock)
        return _Greeting(
            me.version,
            me.swarm_id,
            me.manifest_id,
            secrets.token_bytes(NONCE_BYTES),
            self._asked.clock_ms,
            me.members.number,
            _digest(me.members),
        ).to_bytes(kind)

    def _offset_s(self, their_clock_ms: int) -> float:
        """How far the other clock is ahead. Raises ClockWrong, Replayed."""
        self._asked.in_time("A handshake", "Try again; if it stays so, look at the network.")
        return self._asked.offset_s(their_clock_ms, self._known_as)

    def _compare(self, theirs: _Greeting) -> None:
        me, who = self._me, self._known_as
        if theirs.version != me.version:
            raise VersionMismatch(
                f"This computer speaks version {me.version} of the protocol, {who} version {theirs.version}."
            )
        if theirs.swarm_id != me.swarm_id:
            raise OtherSwarm(f"A computer that belongs to another swarm has called ({who}).")

    def _compare_model(self, theirs: _Greeting) -> None:
        ours = self._me.manifest_id
        if self._same_model and ours and theirs.manifest_id and ours != theirs.manifest_id:
            raise ManifestMismatch(
                f"This computer and {self._known_as} have different models "
                f"({ours[:12]} here, {theirs.manifest_id[:12]} there)."
            )

    def _prove(self, theirs: _Greeting, side: str) -> bytes:
        me = self._me
        # Not the higher number alone: what two admins issued apart has to meet, and a lower list may say who
        # was removed. Whoever has the same in force hears what it lacks.
        unlike = me.members.current if _digest(me.members) != theirs.digest else me.members.aside
        said = b"" if unlike is None else unlike.to_bytes()
        blank = _Proof(me.chain, me.binding, int(self._clock.time() * 1000), said)
        signature = me.signer.sign(f"handshake/{side}", self._signed(blank))
        return replace(blank, signature=signature).to_bytes()

    def _signed(self, proof: _Proof) -> bytes:
        """What the signature of a proof covers."""
        return encode("signed", [self._channel, encode("begun", self._said), proof.body()])

    def _read_proof(self, data: bytes) -> _Proof:
        if kind_of(data) == REFUSAL:
            raise read_refusal(data, self._known_as)
        return _Proof.from_bytes(data)

    def _verify(self, proof: _Proof, theirs: _Greeting, side: str, offset_s: float) -> Verified:
        me, now_s = self._me, self._clock.time()
        if not proof.chain:
            raise NotCertified(f"{self._known_as} shows no certificate.")
        leaf = verify_chain(proof.chain, me.swarm_id, None)
        signing_key = leaf.device_key
        if proof.binding is not None:
            proof.binding.check(me.swarm_id, leaf.device_key, self._peer_id, now_s, leaf.name)
            signing_key = proof.binding.process_key
        elif self._peer_id:
            raise CopiedCertificate(f"A computer shows the certificate of {leaf.name} and no key of its own.")
        if not verify(signing_key, f"handshake/{side}", self._signed(proof), proof.signature):
            raise Replayed(f"A proof that {leaf.name} made was not made for this connection.")
        members = me.members
        if proof.members:
            members = members.merge(MemberList.from_bytes(proof.members))
        try:
            leaf, role = members.standing(proof.chain, now_s)
        except Removed as error:
            # It has proved who it is, and may learn why it is refused.
            raise Removed(error.message, remedy=error.remedy, evidence=members.current.to_bytes()) from None
        entry = members.get(leaf.device_key)
        ends_s = expires_s(proof.chain)
        return Verified(
            leaf.device_key,
            entry.name if entry is not None else leaf.name,
            role,
            self._peer_id,
            signing_key,
            theirs.manifest_id,
            offset_s,
            ends_s if proof.binding is None else min(ends_s, proof.binding.expires_s),
            members,
        )


class Initiator(_Side):
    """The side that calls. The methods raise MembershipError's subclasses."""

    _offset = 0.0

    def hello(self) -> bytes:
        self._once(0)
        self._said.append(self._greeting(HELLO))
        return self._said[0]

    def prove(self, challenge: bytes) -> bytes:
        """Our proof, once the challenge fits: version, swarm, clock, model."""
        self._once(1)
        theirs = _Greeting.from_bytes(challenge, CHALLENGE, self._known_as)
        self._compare(theirs)
        self._offset = self._offset_s(theirs.clock_ms)
        self._compare_model(theirs)
        self._theirs = theirs
        self._said.append(challenge)
        self._said.append(proof := self._prove(theirs, "initiator"))
        return proof

    def finish(self, answer: bytes) -> Verified:
        """Who answered. A handshake that comes to this has been accepted by the other side."""
        self._once(2)
        assert self._theirs is not None
        if self._asked.took_s > 2 * HANDSHAKE_S:
            raise Replayed("A handshake took too long.")
        return self._verify(self._read_proof(answer), self._theirs, "responder", self._offset)


class Responder(_Side):
    """The side that is called. Keep few, each for at most HANDSHAKE_S."""

    def challenge(self, hello: bytes) -> bytes:
        """Our challenge, where version, swarm and model fit."""
        self._once(0)
        theirs = _Greeting.from_bytes(hello, HELLO, self._known_as)
        self._compare(theirs)
        ours = self._greeting(CHALLENGE)
        self._compare_model(theirs)
        self._theirs = theirs
        self._said += [hello, ours]
        return ours

    def finish(self, proof: bytes) -> tuple[Verified, bytes]:
        """Who calls, and the answer to send."""
        self._once(1)
        assert self._theirs is not None
        read = self._read_proof(proof)
        offset_s = self._offset_s(read.clock_ms)
        verified = self._verify(read, self._theirs, "initiator", offset_s)
        self._me = replace(self._me, members=verified.members)
        self._said.append(proof)
        return verified, self._prove(self._theirs, "responder")
