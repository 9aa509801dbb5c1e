"""Asking to join face to face: six digits that both screens show, as pure objects. No I/O.

    seeker (in no swarm)                        host (an owner or admin)
    Seeker.knock()             -- knock ----->  Host.greet(knock)
    Seeker.reveal(greeting)    <- greeting ---
                               -- reveal ---->  Host.meet(reveal)
    … both show .digits; a person compares them and approves …
                               <- welcome ----  welcome(link)

The knock holds a digest of a nonce that the reveal shows only after the greeting has come. So nobody in the
middle can choose nonces until both pairs of digits agree: one try in a million succeeds, and people see each
try. Who is welcomed gets an invite link for itself, and joins by it as anybody does.
"""

from __future__ import annotations

import hashlib
import secrets

from swarm_app.membership.certificates import MAX_NAME, printable_name
from swarm_app.membership.encoding import decode, encode, kind_of
from swarm_app.membership.errors import Forged, VersionMismatch
from swarm_app.membership.handshake import PROTOCOL
from swarm_app.membership.links import MAX_TEXT, Link, parse_link
from swarm_app.membership.refusals import REFUSAL, read_refusal

KNOCK, GREETING, REVEAL, WELCOME = "knock", "greeting", "reveal", "welcome"
MESSAGE_BYTES = 1024
NONCE_BYTES = 32
DIGITS = 6


class Seeker:
    """The side that asks. After `reveal`: `digits`, and whom it asks."""

    def __init__(self, name: str, *, channel: bytes) -> None:
        self._name = printable_name(name)
        self._channel = channel
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._knock = b""
        self.digits = ""
        self.swarm_name = ""
        self.host_name = ""

    def knock(self) -> bytes:
        self._knock = encode(KNOCK, [PROTOCOL, self._name, _digest(self._nonce)])
        return self._knock

    def reveal(self, greeting: bytes) -> bytes:
        """Raises what the host refuses."""
        if kind_of(greeting) == REFUSAL:
            raise read_refusal(greeting)
        fields = decode(greeting, GREETING, MESSAGE_BYTES)
        fields.data(NONCE_BYTES)
        self.swarm_name, self.host_name = fields.text(MAX_NAME), fields.text(MAX_NAME)
        fields.end()
        self.digits = _digits(self._channel, self._knock, greeting, self._nonce)
        return encode(REVEAL, [self._nonce])


class Host:
    """The side that is asked. After `meet`: `digits`, and who asks."""

    def __init__(self, swarm_name: str, name: str, *, channel: bytes) -> None:
        self._names = (swarm_name, name)
        self._channel = channel
        self._said = (b"", b"")
        self._commitment = b""
        self.digits = ""
        self.name = ""

    def greet(self, knock: bytes) -> bytes:
        """Raises VersionMismatch, Malformed."""
        fields = decode(knock, KNOCK, MESSAGE_BYTES)
        version = fields.integer()
        if version != PROTOCOL:
            raise VersionMismatch(f"It speaks version {PROTOCOL} of the protocol, and you {version}.")
        self.name = fields.text(MAX_NAME)
        self._commitment = fields.data(32)
        fields.end()
        greeting = encode(GREETING, [secrets.token_bytes(NONCE_BYTES), *self._names])
        self._said = (knock, greeting)
        return greeting

    def meet(self, reveal: bytes) -> str:
        """The digits. Raises Forged where the nonce is not the one that was promised."""
        fields = decode(reveal, REVEAL, MESSAGE_BYTES)
        nonce = fields.data(NONCE_BYTES)
        fields.end()
        if _digest(nonce) != self._commitment:
            raise Forged("A computer that asks to join has changed its mind about its nonce.")
        self.digits = _digits(self._channel, *self._said, nonce)
        return self.digits


def welcome(link: Link) -> bytes:
    """The approval: a link for this one newcomer."""
    return encode(WELCOME, [link.text()])


def read_welcome(data: bytes) -> str:
    """The link of an approval. Raises what was refused, Malformed, LinkBroken."""
    if kind_of(data) == REFUSAL:
        raise read_refusal(data)
    fields = decode(data, WELCOME, MESSAGE_BYTES)
    text = fields.text(MAX_TEXT)
    fields.end()
    parse_link(text)
    return text


def _digest(nonce: bytes) -> bytes:
    return hashlib.sha256(b"homeswarm/knock\0" + nonce).digest()


def _digits(channel: bytes, knock: bytes, greeting: bytes, nonce: bytes) -> str:
    said = hashlib.sha256(encode("digits", [channel, knock, greeting, nonce])).digest()
    return f"{int.from_bytes(said[:8], 'big') % 10**DIGITS:0{DIGITS}d}"
