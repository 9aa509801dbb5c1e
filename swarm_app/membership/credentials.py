"""What a child process holds of its node's membership, and what it does with it.

The child makes a key when it starts (`Identity`), tells the node its public half and its peer id, and gets
`Credentials` back, again before they run out and whenever the list of members changes. Device key and swarm
key stay in the node.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from swarm_app.domain.clock import Clock
from swarm_app.membership import sealed
from swarm_app.membership.binding import Binding
from swarm_app.membership.certificates import MAX_CHAIN, Chain, Role, chain_from_list, chain_to_list
from swarm_app.membership.encoding import decode, encode
from swarm_app.membership.errors import CopiedCertificate
from swarm_app.membership.handshake import Initiator, Party, Responder, channel_of
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.memberlist import MAX_LIST_BYTES, MAX_MODEL, MemberList
from swarm_app.membership.members import Members

KIND = "credentials/1"
MAX_BYTES = 2 * MAX_LIST_BYTES + 8192


@dataclass(frozen=True, slots=True)
class Credentials:
    """Chain, binding and members, for the process whose key is in the binding."""

    chain: Chain
    binding: Binding
    members: Members
    manifest_id: str

    def to_bytes(self) -> bytes:
        """For the pipe to a child. Nothing in it is secret."""
        aside = self.members.aside
        return encode(
            KIND,
            [
                chain_to_list(self.chain),
                self.binding.to_bytes(),
                self.members.current.to_bytes(),
                b"" if aside is None else aside.to_bytes(),
                self.manifest_id,
            ],
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Credentials:
        """Raises Malformed. From the node, whose lists have been checked."""
        fields = decode(data, KIND, MAX_BYTES)
        chain = chain_from_list(fields.items(MAX_CHAIN))
        binding = Binding.from_bytes(fields.data(1, Binding.MAX_BYTES))
        current = MemberList.from_bytes(fields.data(1, MAX_LIST_BYTES))
        aside = fields.data(0, MAX_LIST_BYTES)
        manifest_id = fields.text(MAX_MODEL, empty=True)
        fields.end()
        return cls(
            chain, binding, Members(current, MemberList.from_bytes(aside) if aside else None), manifest_id
        )

    @property
    def role(self) -> Role:
        """Ours, the lower of certificate and list."""
        mine = self.chain[0]
        entry = self.members.get(mine.device_key)
        return mine.role if entry is None else min(mine.role, entry.role, key=lambda role: role.rank)


class Identity:
    """A process among members: handshakes and records. `credentials` may be replaced at any time."""

    def __init__(self, key: PrivateKey, clock: Clock) -> None:
        self._key = key
        self._clock = clock
        self._credentials: Credentials | None = None

    @property
    def process_key(self) -> bytes:
        """The public half, for the node to bind."""
        return self._key.public

    @property
    def credentials(self) -> Credentials:
        assert self._credentials is not None, "no credentials came yet"
        return self._credentials

    @credentials.setter
    def credentials(self, new: Credentials) -> None:
        """Raises CopiedCertificate for those of another process."""
        if new.binding.process_key != self._key.public:
            raise CopiedCertificate("The credentials that came are for another process.")
        self._credentials = new

    @property
    def members(self) -> Members:
        return self.credentials.members

    def heard(self, members: Members) -> None:
        """Obey a list that a handshake brought (Verified.members), before the node has sent it to all."""
        self._credentials = replace(self.credentials, members=members)

    def initiator(self, peer_id: str, *, known_as: str = "", same_model: bool = True) -> Initiator:
        """A handshake with the peer that we call."""
        mine = self.credentials.binding.peer_id
        return Initiator(
            self._party(),
            self._clock,
            channel=channel_of(mine, peer_id),
            peer_id=peer_id,
            known_as=known_as,
            same_model=same_model,
        )

    def responder(self, peer_id: str, *, known_as: str = "", same_model: bool = True) -> Responder:
        """A handshake with the peer that calls; `peer_id` is what libp2p has authenticated."""
        mine = self.credentials.binding.peer_id
        return Responder(
            self._party(),
            self._clock,
            channel=channel_of(peer_id, mine),
            peer_id=peer_id,
            known_as=known_as,
            same_model=same_model,
        )

    def seal(self, body: bytes, purpose: str) -> bytes:
        """A record of ours for the DHT; `body` of at most sealed.MAX_BODY_BYTES."""
        mine = self.credentials
        return sealed.seal(body, purpose, mine.chain, mine.binding, self._key)

    def open(self, data: bytes, purpose: str) -> sealed.Opened:
        """A member's record. Raises what `sealed.open_sealed` raises."""
        return sealed.open_sealed(data, purpose, self.members, self._clock.time())

    def _party(self) -> Party:
        mine = self.credentials
        return Party(mine.chain, self._key, mine.binding, mine.members, mine.manifest_id)
