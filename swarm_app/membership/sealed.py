"""Records that one device signs and all others can check by themselves, wherever they were stored.

For the DHT: whoever keeps a record for others can neither change it nor speak for another device. A sealed
record carries certificates and binding along, so that it needs no handshake with its author.
"""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.membership.binding import Binding
from swarm_app.membership.certificates import (
    MAX_CHAIN,
    Chain,
    Role,
    chain_from_list,
    chain_to_list,
    verify_chain,
)
from swarm_app.membership.encoding import decode, encode
from swarm_app.membership.errors import CopiedCertificate, Forged
from swarm_app.membership.keys import SIGNATURE_BYTES, Signer, device_id, verify
from swarm_app.membership.members import Members

KIND = "sealed/1"
MAX_BODY_BYTES = 4096
MAX_BYTES = MAX_BODY_BYTES + 4096
MAX_PURPOSE = 128


@dataclass(frozen=True, slots=True)
class Opened:
    """A record, and who made it."""

    body: bytes
    device_key: bytes
    name: str
    role: Role
    peer_id: str

    @property
    def device_id(self) -> str:
        return device_id(self.device_key)


def seal(body: bytes, purpose: str, chain: Chain, binding: Binding, signer: Signer) -> bytes:
    """`body` (at most MAX_BODY_BYTES) signed by the process of `binding`, whose key `signer` is.

    `purpose` says what it is for, for example the DHT's key: it does not open as anything else.
    """
    assert len(body) <= MAX_BODY_BYTES
    fields = [body, chain_to_list(chain), binding.to_bytes()]
    signature = signer.sign(KIND, encode("record", [purpose, *fields]))
    return encode(KIND, [*fields, signature])


def open_sealed(data: bytes, purpose: str, members: Members, now_s: float) -> Opened:
    """The record in `data`, if the device that it names has made it for `purpose` and is a member.

    Raises Malformed, CopiedCertificate, Forged, Expired, OtherSwarm, Removed.
    """
    fields = decode(data, KIND, MAX_BYTES)
    body = fields.data(0, MAX_BODY_BYTES)
    chain = chain_from_list(fields.items(MAX_CHAIN))
    binding = Binding.from_bytes(fields.data(1, Binding.MAX_BYTES))
    signature = fields.data(SIGNATURE_BYTES)
    fields.end()
    leaf = verify_chain(chain, members.swarm_id, None)
    if binding.device_key != leaf.device_key:
        raise CopiedCertificate(f"A record of {leaf.name} was made by somebody else.")
    binding.check(members.swarm_id, leaf.device_key, binding.peer_id, now_s, leaf.name)
    said = encode("record", [purpose, body, chain_to_list(chain), binding.to_bytes()])
    if not verify(binding.process_key, KIND, said, signature):
        raise Forged(f"A record of {leaf.name} does not carry a true signature.")
    leaf, role = members.standing(chain, now_s)
    entry = members.get(leaf.device_key)
    return Opened(body, leaf.device_key, entry.name if entry else leaf.name, role, binding.peer_id)
