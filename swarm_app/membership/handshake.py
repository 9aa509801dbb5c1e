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
from swarm_app.membership.binding import MAX_BYTES as MAX_BINDING_BYTES
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
from swarm_app.membership.encoding import decode, encode, kind_of
from swarm_app.membership.errors import (
    ClockWrong,
    CopiedCertificate,
    ManifestMismatch,
    MembershipError,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
    VersionMismatch,
    refusal,
)
from swarm_app.membership.keys import ID_BYTES, SIGNATURE_BYTES, Signer, device_id, id_bytes, id_text, verify
from swarm_app.membership.members import MAX_BYTES as MAX_LIST_BYTES
from swarm_app.membership.members import MemberList, Members
from swarm_app.membership.statements import MAX_NUMBER

PROTOCOL = 1
"""Of the whole conversation between members; another number is another protocol."""

MAX_SKEW_S = 3.0
"""Clocks further apart than this are refused: hivemind's DHT takes no record from beyond it either."""

HANDSHAKE_S = 8.0
"""A handshake that takes longer is over: what it says about clocks would be too vague."""

NONCE_BYTES = 16
HELLO_BYTES = 512
"""At most; of a challenge as well."""
PROOF_BYTES = MAX_LIST_BYTES + 4096
MAX_MANIFEST_ID = 96
MAX_CODE = 40
MAX_SENTENCE = 400
MAX_CLOCK_MS = 2**48

HELLO, CHALLENGE, PROOF, REFUSAL = "hello", "challenge", "proof", "refusal"
"""These two words are in every version to come, so that versions can tell each other apart."""


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
            return cls(version, id_text(fields.data(ID_BYTES)), "", b"", 0, 0)
        found = cls(
            version,
            id_text(fields.data(ID_BYTES)),
            fields.text(MAX_MANIFEST_ID, empty=True),
            fields.data(NONCE_BYTES),
            fields.integer(0, MAX_CLOCK_MS),
            fields.integer(0, MAX_NUMBER),
        )
        fields.end()
        return found


@dataclass(frozen=True, slots=True)
class _Proof:
    chain: Chain
    binding: Binding | None
    clock_ms: int
    members: bytes
    signature: bytes = b""

    def body(self) -> bytes:
        return encode(PROOF, self._fields())

    def to_bytes(self) -> bytes:
        return encode(PROOF, [*self._fields(), self.signature])

    def _fields(self) -> list[object]:
        return [
            chain_to_list(self.chain),
            b"" if self.binding is None else self.binding.to_bytes(),
            self.clock_ms,
            self.members,
        ]

    @classmethod
    def from_bytes(cls, data: bytes, who: str) -> _Proof:
        if kind_of(data) == REFUSAL:
            raise read_refusal(data, who)
        fields = decode(data, PROOF, PROOF_BYTES)
        chain = chain_from_list(fields.items(MAX_CHAIN))
        binding = fields.data(0, MAX_BINDING_BYTES)
        found = cls(
            chain,
            Binding.from_bytes(binding) if binding else None,
            fields.integer(0, MAX_CLOCK_MS),
            fields.data(0, MAX_LIST_BYTES),
            fields.data(SIGNATURE_BYTES),
        )
        fields.end()
        return found


def channel_of(initiator: str, responder: str) -> bytes:
    """The channel of a libp2p connection: both peer ids, as libp2p has authenticated them."""
    return encode("libp2p", [initiator, responder])


def swarm_of_hello(hello: bytes) -> str:
    """The id of the swarm that a hello names. Raises Malformed."""
    return _Greeting.from_bytes(hello, HELLO, "").swarm_id


def refuse(error: MembershipError) -> bytes:
    """What a responder sends instead of its answer. Holds the list that proves a removal."""
    evidence = error.evidence if isinstance(error, Removed) else b""
    return encode(REFUSAL, [error.code[:MAX_CODE], _plain(error.message), _plain(error.remedy), evidence])


def read_refusal(data: bytes, who: str = "another computer") -> MembershipError:
    """The error that `refuse` has sent, in the words of `who`; a message that is none raises Malformed."""
    fields = decode(data, REFUSAL, PROOF_BYTES)
    code, said = fields.text(MAX_CODE), fields.text(MAX_SENTENCE)
    told = f"{who[:1].upper()}{who[1:]} refuses: {said}"
    error = refusal(code, told, fields.text(MAX_SENTENCE, empty=True))
    evidence = fields.data(0, MAX_LIST_BYTES)
    fields.end()
    if isinstance(error, Removed):
        error.evidence = evidence
    return error


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:MAX_SENTENCE].strip()


class _Side:
    """What both sides have in common."""

    def __init__(self, me: Party, clock: Clock, *, channel: bytes, peer_id: str, known_as: str) -> None:
        self._me = me
        self._clock = clock
        self._channel = channel
        self._peer_id = peer_id
        self._known_as = known_as or "another computer"
        self._sent_s = 0.0
        self._sent_at = 0.0
        self._step = 0

    def _once(self, step: int) -> None:
        """Each step is taken once, in its order: a second proof of the same handshake is a replay."""
        if self._step != step:
            raise Replayed("A message of a handshake came out of its turn.")
        self._step += 1

    def _greeting(self) -> _Greeting:
        me = self._me
        self._sent_s, self._sent_at = self._clock.time(), self._clock.monotonic()
        return _Greeting(
            me.version,
            me.swarm_id,
            me.manifest_id,
            secrets.token_bytes(NONCE_BYTES),
            int(self._sent_s * 1000),
            me.members.number,
        )

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
        if ours and theirs.manifest_id and ours != theirs.manifest_id:
            raise ManifestMismatch(
                f"This computer and {self._known_as} have different models "
                f"({ours[:12]} here, {theirs.manifest_id[:12]} there)."
            )

    def _offset_s(self, their_clock_ms: int) -> float:
        """How far the other clock is ahead, by when we sent and received. Raises ClockWrong, Replayed.

        What may have passed on the way is given the benefit of the doubt.
        """
        took_s = self._clock.monotonic() - self._sent_at
        if took_s > HANDSHAKE_S:
            raise Replayed(
                "A handshake took too long.", remedy="Try again; if it stays so, look at the network."
            )
        offset_s = their_clock_ms / 1000 - (self._sent_s + took_s / 2)
        if abs(offset_s) - took_s / 2 > MAX_SKEW_S:
            ahead = "ahead of" if offset_s > 0 else "behind"
            raise ClockWrong(
                f"The clock of {self._known_as} is {in_words(abs(offset_s))} {ahead} this computer's."
            )
        return offset_s

    def _prove(self, theirs: _Greeting, side: str, transcript: bytes) -> bytes:
        me = self._me
        newer = me.members.current.to_bytes() if me.members.number > theirs.number else b""
        blank = _Proof(me.chain, me.binding, int(self._clock.time() * 1000), newer)
        signature = me.signer.sign(f"handshake/{side}", _signed(self._channel, transcript, blank.body()))
        return replace(blank, signature=signature).to_bytes()

    def _verify(
        self, proof: _Proof, theirs: _Greeting, side: str, transcript: bytes, offset_s: float
    ) -> Verified:
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
        said = _signed(self._channel, transcript, proof.body())
        if not verify(signing_key, f"handshake/{side}", said, proof.signature):
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
    """The side that calls. `channel` as `channel_of` makes it; `peer_id` is the other's, as libp2p knows it,
    "" where there is no libp2p. `known_as` names the other one in refusals, as far as it is known.
    `same_model=False` leaves the comparison of manifests to the caller.

    The methods raise MembershipError's subclasses.
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
        super().__init__(me, clock, channel=channel, peer_id=peer_id, known_as=known_as)
        self._same_model = same_model
        self._hello = b""
        self._transcript = b""
        self._theirs: _Greeting | None = None
        self._offset = 0.0

    def hello(self) -> bytes:
        self._once(0)
        self._hello = self._greeting().to_bytes(HELLO)
        return self._hello

    def prove(self, challenge: bytes) -> bytes:
        """Our proof, once the challenge fits: version, swarm, clock, model."""
        self._once(1)
        theirs = _Greeting.from_bytes(challenge, CHALLENGE, self._known_as)
        self._compare(theirs)
        self._offset = self._offset_s(theirs.clock_ms)
        if self._same_model:
            self._compare_model(theirs)
        self._theirs = theirs
        begun = encode("begun", [self._hello, challenge])
        proof = self._prove(theirs, "initiator", begun)
        self._transcript = encode("begun", [self._hello, challenge, proof])
        return proof

    def finish(self, answer: bytes) -> Verified:
        """Who answered. A handshake that comes to this has been accepted by the other side."""
        self._once(2)
        assert self._theirs is not None
        if self._clock.monotonic() - self._sent_at > 2 * HANDSHAKE_S:
            raise Replayed("A handshake took too long.")
        return self._verify(
            _Proof.from_bytes(answer, self._known_as),
            self._theirs,
            "responder",
            self._transcript,
            self._offset,
        )


class Responder(_Side):
    """The side that is called; arguments as Initiator's. Keep few, each for at most HANDSHAKE_S."""

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
        super().__init__(me, clock, channel=channel, peer_id=peer_id, known_as=known_as)
        self._same_model = same_model
        self._begun = (b"", b"")
        self._theirs: _Greeting | None = None

    def challenge(self, hello: bytes) -> bytes:
        """Our challenge, where version, swarm and model fit."""
        self._once(0)
        theirs = _Greeting.from_bytes(hello, HELLO, self._known_as)
        self._compare(theirs)
        ours = self._greeting().to_bytes(CHALLENGE)
        if self._same_model:
            self._compare_model(theirs)
        self._theirs = theirs
        self._begun = (hello, ours)
        return ours

    def finish(self, proof: bytes) -> tuple[Verified, bytes]:
        """Who calls, and the answer to send."""
        self._once(1)
        assert self._theirs is not None
        read = _Proof.from_bytes(proof, self._known_as)
        offset_s = self._offset_s(read.clock_ms)
        verified = self._verify(read, self._theirs, "initiator", encode("begun", [*self._begun]), offset_s)
        self._me = replace(self._me, members=verified.members)
        answer = self._prove(self._theirs, "responder", encode("begun", [*self._begun, proof]))
        return verified, answer


def _signed(channel: bytes, transcript: bytes, body: bytes) -> bytes:
    return encode("signed", [channel, transcript, body])


def in_words(seconds: float) -> str:
    """A time for people: "10 s", "1 h 2 min"."""
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{round(hours / 24)} days"
