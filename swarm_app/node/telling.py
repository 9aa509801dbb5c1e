"""What two members tell each other once each has proved who it is: where doors and processes are."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.membership.certificates import MAX_CHAIN, Chain, chain_from_list, chain_to_list
from swarm_app.membership.encoding import decode, encode, fields_of
from swarm_app.membership.errors import Malformed
from swarm_app.membership.keys import KEY_BYTES
from swarm_app.membership.links import Endpoint, endpoint
from swarm_app.membership.statements import MAX_STATEMENT_BYTES, Member

KIND = "telling/1"
TELLING_BYTES = 64 * 1024
INSTANCE_BYTES = 16
MAX_ENDPOINTS = 4
MAX_CONTACTS = 64
MAX_PEERS = 8
MAX_ADDRESS = 256


@dataclass(frozen=True, slots=True)
class Telling:
    """One side's."""

    instance: bytes
    """Of the process that tells: what tells two computers with one device key apart."""
    endpoints: tuple[Endpoint, ...]
    """Its own door."""
    contacts: tuple[tuple[bytes, tuple[Endpoint, ...]], ...] = ()
    """Device keys of others, and where their doors were."""
    peers: tuple[str, ...] = ()
    """Multiaddresses of its own processes on libp2p."""
    leaving: tuple[Member, Chain] | None = None
    """Its farewell, where it leaves the swarm."""

    def to_bytes(self) -> bytes:
        leaving = self.leaving
        return encode(
            KIND,
            [
                self.instance,
                _doors(self.endpoints),
                [[key, _doors(where)] for key, where in self.contacts[:MAX_CONTACTS]],
                list(self.peers[:MAX_PEERS]),
                b"" if leaving is None else leaving[0].to_bytes(),
                [] if leaving is None else chain_to_list(leaving[1]),
            ],
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Telling:
        """Raises Malformed."""
        fields = decode(data, KIND, TELLING_BYTES)
        instance = fields.data(INSTANCE_BYTES)
        endpoints = _read_doors(fields.items(MAX_ENDPOINTS))
        contacts = []
        for item in fields.items(MAX_CONTACTS):
            one = fields_of(item)
            contacts.append((one.data(KEY_BYTES), _read_doors(one.items(MAX_ENDPOINTS))))
            one.end()
        peers = fields.items(MAX_PEERS)
        statement = fields.data(0, MAX_STATEMENT_BYTES)
        chain = chain_from_list(fields.items(MAX_CHAIN))
        fields.end()
        if not all(type(one) is str and len(one) <= MAX_ADDRESS and one.isprintable() for one in peers):
            raise Malformed("An address in a message is none.")
        return cls(
            instance,
            endpoints,
            tuple(contacts),
            tuple(peers),
            (Member.from_bytes(statement), chain) if statement else None,
        )


def _doors(endpoints: tuple[Endpoint, ...]) -> list[object]:
    return [[where.host, where.port] for where in endpoints[:MAX_ENDPOINTS]]


def _read_doors(items: list[object]) -> tuple[Endpoint, ...]:
    found = []
    for item in items:
        fields = fields_of(item)
        found.append(endpoint(fields.text(64), fields.integer(1, 65535)))
        fields.end()
    return tuple(found)
