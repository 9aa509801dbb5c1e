"""Bindings: this process, with this libp2p peer id, speaks for that device, for the next two hours.

The device key stays in the node. A child makes a key of its own when it starts, tells its public half and its
peer id to the node, and gets a binding back. It signs handshakes and records with that process key.
"""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.membership.certificates import CLOCK_TOLERANCE_S
from swarm_app.membership.encoding import Fields
from swarm_app.membership.errors import CopiedCertificate, Expired, OtherSwarm
from swarm_app.membership.keys import (
    ID_BYTES,
    KEY_BYTES,
    Signer,
    id_bytes,
    id_text,
)
from swarm_app.membership.signed import SignedRecord

MAX_PEER_ID = 80
LIFETIME_S = 2 * 3600
RENEW_S = LIFETIME_S / 4
"""How often a node renews the bindings of its children, and after every wake."""


@dataclass(frozen=True, slots=True)
class Binding(SignedRecord):
    """Unchecked until `check`. `peer_id` is a libp2p id in base58."""

    KIND = "binding/1"
    MAX_BYTES = 512

    swarm_id: str
    device_key: bytes
    peer_id: str
    process_key: bytes
    issued_s: int
    expires_s: int
    signature: bytes = b""

    def _fields(self) -> list[object]:
        return [
            id_bytes(self.swarm_id),
            self.device_key,
            self.peer_id,
            self.process_key,
            self.issued_s,
            self.expires_s,
        ]

    @classmethod
    def _read(cls, fields: Fields) -> Binding:
        return cls(
            id_text(fields.data(ID_BYTES)),
            fields.data(KEY_BYTES),
            fields.text(MAX_PEER_ID),
            fields.data(KEY_BYTES),
            fields.integer(),
            fields.integer(),
        )

    def check(self, swarm: str, device_key: bytes, peer_id: str, now_s: float, name: str) -> None:
        """Raises unless `device_key` vouches for the process that libp2p knows as `peer_id`.

        CopiedCertificate where the process or the device is another one, OtherSwarm, Expired. `name` is the
        device's, for the sentence.
        """
        if self.swarm_id != swarm:
            raise OtherSwarm(f"{name} belongs to another swarm.")
        if self.device_key != device_key or self.peer_id != peer_id:
            raise CopiedCertificate(f"A computer shows the certificate of {name} and is another one.")
        if not self.is_signed_by(device_key):
            raise CopiedCertificate(f"A computer shows the certificate of {name} and does not hold its key.")
        if not self.issued_s - CLOCK_TOLERANCE_S <= now_s < self.expires_s:
            raise Expired(
                f"{name} shows a proof of its identity that is too old.",
                remedy="Check the date of both computers; its node makes a new proof by itself.",
            )


def bind(device: Signer, swarm: str, peer_id: str, process_key: bytes, now_s: float) -> Binding:
    """What the node signs for one of its children."""
    blank = Binding(swarm, device.public, peer_id, process_key, int(now_s), int(now_s + LIFETIME_S))
    return blank.signed(device)
