"""Ed25519 keys, what they sign, and the fingerprints that name swarms and devices.

Every signature is made in a context ("certificate/1"), so that what was signed as one thing never
verifies as another. `Signer` is all that the rest of this package knows of a private key: a key that never
leaves the node can stand behind it.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from swarm_app.membership.errors import Malformed

KEY_BYTES = 32
SIGNATURE_BYTES = 64
ID_BYTES = 16
"""Of a fingerprint. Finding another key for one takes 2**128 tries."""

ID_CHARS = 26
"""Of an id as text: base32, lower case."""

SHORT_ID_CHARS = 8
"""Of an id as people are shown it, beside a name."""


class Signer(Protocol):
    """A private key, wherever it is."""

    @property
    def public(self) -> bytes:
        """The public key, KEY_BYTES long."""
        ...

    def sign(self, context: str, message: bytes) -> bytes:
        """SIGNATURE_BYTES."""
        ...


class PrivateKey:
    """An Ed25519 key in this process. Its repr shows nothing secret."""

    __slots__ = ("_key", "_public")

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self._public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @classmethod
    def generate(cls) -> PrivateKey:
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_bytes(cls, secret: bytes) -> PrivateKey:
        """From the KEY_BYTES of a seed; raises Malformed."""
        if len(secret) != KEY_BYTES:
            raise Malformed("A private key has the wrong length.")
        return cls(Ed25519PrivateKey.from_private_bytes(secret))

    def secret_bytes(self) -> bytes:
        """The seed. For the secret store alone."""
        return self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    @property
    def public(self) -> bytes:
        return self._public

    def sign(self, context: str, message: bytes) -> bytes:
        return self._key.sign(_framed(context, message))

    def __repr__(self) -> str:
        return f"PrivateKey(of {device_id(self._public)[:SHORT_ID_CHARS]})"

    def __reduce__(self) -> str:
        raise TypeError("a private key is not pickled")


def verify(public: bytes, context: str, message: bytes, signature: bytes) -> bool:
    """Whether `signature` is that key's, over `message` in `context`. Never raises for any bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _framed(context, message))
    except (InvalidSignature, ValueError):
        return False
    return True


def _framed(context: str, message: bytes) -> bytes:
    return b"homeswarm/" + context.encode("ascii") + b"\0" + message


def swarm_id(public: bytes) -> str:
    """The id of the swarm whose key that is: ID_CHARS characters."""
    return _fingerprint("swarm", public)


def device_id(public: bytes) -> str:
    """The id of a device: ID_CHARS characters."""
    return _fingerprint("device", public)


def _fingerprint(what: str, public: bytes) -> str:
    return id_text(hashlib.sha256(f"homeswarm/{what}\0".encode("ascii") + public).digest()[:ID_BYTES])


def id_text(raw: bytes) -> str:
    return base64.b32encode(raw).decode("ascii").rstrip("=").lower()


def id_bytes(text: str) -> bytes:
    """The ID_BYTES behind an id's text; raises Malformed."""
    if len(text) != ID_CHARS or not text.isascii() or text != text.lower():
        raise Malformed("This is not an id.")
    try:
        raw = base64.b32decode(text.upper() + "======")
    except ValueError:
        raise Malformed("This is not an id.") from None
    if len(raw) != ID_BYTES or id_text(raw) != text:
        raise Malformed("This is not an id.")
    return raw
