"""Records of the DHT in a private swarm: sealed by the process that they speak of, checked by everybody else.

A seal holds for one key, one subkey (the author's peer id) and one time of expiry: nobody can store another's
record again under a later one. Hivemind calls the validator when it stores a record for somebody, when
somebody answers a look-up, and when we store a record ourselves. Petals' own client reads such records when
its DHT is given this validator.
"""

from __future__ import annotations

import hashlib
from typing import Any

from hivemind.dht.crypto import RecordValidatorBase
from hivemind.dht.storage import DictionaryDHTValue
from hivemind.utils.serializer import MSGPackSerializer

from swarm_app.bridge.limits import MAX_RECORD_KEYS, MAX_RECORD_S
from swarm_app.domain.clock import Clock
from swarm_app.membership.credentials import Identity
from swarm_app.membership.encoding import decode
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.sealed import KIND, MAX_BODY_BYTES, MAX_BYTES

MAX_REMEMBERED = 4096
"""Seals found to be true, so that the same record is not checked again at every look at the roll."""

MAX_SUBKEY_BYTES = 96


class SealedRecords(RecordValidatorBase):  # type: ignore[misc]
    """hivemind's record validator over an `Identity`."""

    def __init__(self, identity: Identity, clock: Clock) -> None:
        self._identity = identity
        self._clock = clock
        self._true: dict[bytes, None] = {}
        self.names: dict[str, str] = {}
        """The names of those whose records were read, by peer id, as the list of members has them."""

    def validate(self, record: Any) -> bool:
        """Whether the record was made by the peer in its subkey, a member who may host."""
        if not 0 < record.expiration_time <= self._clock.time() + MAX_RECORD_S:
            return False
        peer_id = _peer_of(record.subkey)
        if peer_id is None:
            return False
        purpose = _purpose(record, peer_id)
        known = hashlib.sha256(purpose.encode() + b"\0" + record.value).digest()
        if known in self._true:
            return True
        try:
            opened = self._identity.open(record.value, purpose)
        except MembershipError:
            return False
        if opened.peer_id != peer_id or not opened.role.hosts:
            return False
        while len(self._true) >= MAX_REMEMBERED:
            del self._true[next(iter(self._true))]
        self._true[known] = None
        while len(self.names) >= MAX_REMEMBERED:
            del self.names[next(iter(self.names))]
        self.names[peer_id] = opened.name
        return True

    def sign_value(self, record: Any) -> bytes:
        """The sealed value of a record of ours. Raises ValueError for another's, or one that is too long."""
        peer_id = _peer_of(record.subkey)
        if peer_id != self._identity.credentials.binding.peer_id or len(record.value) > MAX_BODY_BYTES:
            raise ValueError("only short records of our own are stored")
        return self._identity.seal(record.value, _purpose(record, peer_id))

    def strip_value(self, record: Any) -> bytes:
        """What is inside a record that `validate` has accepted."""
        return decode(record.value, KIND, MAX_BYTES).data(0, MAX_BODY_BYTES)

    def forget(self) -> None:
        """Check everything anew: the list of members has changed."""
        self._true.clear()


def keep_sealed(dht: Any, seals: SealedRecords) -> None:
    """Let a DHT node pass over records without a true seal, one by one.

    hivemind by itself throws away a whole dictionary, the roll for instance, for one entry of somebody who
    has been removed meanwhile.
    """
    protocol = dht.protocol

    def sift(key: bytes, dictionary: Any) -> bool:
        with dictionary.freeze():
            for subkey, (value, expires_s) in list(dictionary.items()):
                record = _Record(key, MSGPackSerializer.dumps(subkey), value, expires_s)
                if not seals.validate(record):
                    del dictionary[subkey]
        return bool(dictionary)

    protocol._validate_dictionary = sift
    protocol.storage.maxsize = MAX_RECORD_KEYS


def drop_records(dht: Any, seals: SealedRecords) -> None:
    """Throw out what we keep for the DHT and would not take any more."""
    storage = dht.protocol.storage
    for key, (value, _) in list(storage.items()):
        if isinstance(value, DictionaryDHTValue) and not dht.protocol._validate_dictionary(
            key.to_bytes(), value
        ):
            del storage[key]


class _Record:
    """As hivemind's DHTRecord, which is frozen and slow to make."""

    __slots__ = ("expiration_time", "key", "subkey", "value")

    def __init__(self, key: bytes, subkey: bytes, value: bytes, expiration_time: float) -> None:
        self.key, self.subkey, self.value, self.expiration_time = key, subkey, value, expiration_time


def _peer_of(subkey: bytes) -> str | None:
    if len(subkey) > MAX_SUBKEY_BYTES:
        return None
    try:
        peer_id = MSGPackSerializer.loads(subkey)
    except Exception:  # noqa: BLE001 - msgpack raises ValueError, its own and what its hooks raise
        return None
    return peer_id if isinstance(peer_id, str) else None


def _purpose(record: Any, peer_id: str) -> str:
    return f"{record.key.hex()} {peer_id} {float(record.expiration_time).hex()}"
