"""Invite links: ``homeswarm://join/…``, short enough for a QR code of moderate size.

Layout of the bytes behind the text (big-endian): version (1), swarm id (16), secret (16), expiry in minutes
since the epoch (4), then up to MAX_ENDPOINTS addresses (kind 4 or 6, the IP address, the port (2)), and the
first 4 bytes of the SHA-256 of all that. The text is base32, which a QR code holds in its compact
alphanumeric mode and which may be typed in either case.

The swarm's key is not in it. The secret is the seed of a key pair: the public half stands in the list of
members as an `Invite`, the private half signs the request to join. So the secret is nowhere but in the link.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from swarm_app.membership.errors import LinkBroken, LinkExpired, Malformed, VersionMismatch
from swarm_app.membership.keys import ID_BYTES, PrivateKey, id_bytes, id_text

PREFIX = "homeswarm://join/"
VERSION = 1
SECRET_BYTES = 16
MAX_ENDPOINTS = 6
MAX_TEXT = 512
"""Characters of a link with all that mail programs put between them."""

_CHECK_BYTES = 4
_HEAD = struct.Struct(f">B{ID_BYTES}s{SECRET_BYTES}sI")
_PORT = struct.Struct(">H")
_FRAME = "<>()[]{}\"'`.,;:!?"
"""What texts put around a link."""


@dataclass(frozen=True, slots=True, order=True)
class Endpoint:
    """Where a node's door is: an IP address and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def endpoint(host: str, port: int) -> Endpoint:
    """An address that can be dialled; raises Malformed for any other."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        raise Malformed("An address is no IP address.") from None
    if ip.is_unspecified or ip.is_multicast or not 0 < port < 65536 or "%" in host:
        raise Malformed("An address leads to no computer.")
    return Endpoint(str(ip), port)


@dataclass(frozen=True, slots=True)
class Link:
    """What a link says. Its repr does not show the secret."""

    swarm_id: str
    secret: bytes = field(repr=False)
    expires_s: int
    """Seconds since the epoch, in whole minutes."""
    endpoints: tuple[Endpoint, ...]
    """In the order in which they are dialled."""

    @classmethod
    def make(cls, swarm_id: str, expires_s: float, endpoints: Sequence[Endpoint]) -> Link:
        """A link with a fresh secret. Its expiry is rounded up to a minute."""
        minutes = int(-(-expires_s // 60))
        return cls(
            swarm_id, secrets.token_bytes(SECRET_BYTES), minutes * 60, tuple(endpoints[:MAX_ENDPOINTS])
        )

    def signer(self) -> PrivateKey:
        """The key pair of the invite."""
        seed = hashlib.sha256(b"homeswarm/invite\0" + id_bytes(self.swarm_id) + self.secret).digest()
        return PrivateKey.from_bytes(seed)

    def text(self) -> str:
        """The link to be sent or shown."""
        body = _HEAD.pack(VERSION, id_bytes(self.swarm_id), self.secret, self.expires_s // 60)
        for where in self.endpoints:
            ip = ipaddress.ip_address(where.host)
            body += bytes([ip.version]) + ip.packed + _PORT.pack(where.port)
        body += hashlib.sha256(body).digest()[:_CHECK_BYTES]
        return PREFIX + base64.b32encode(body).decode("ascii").rstrip("=").lower()

    def check_date(self, now_s: float) -> None:
        """Raises LinkExpired."""
        if self.expires_s <= now_s:
            raise LinkExpired("This link has run out.")


def parse_link(text: str) -> Link:
    """Read a link however it was copied: in any case, wrapped, in brackets, or without its beginning.

    Raises LinkBroken, VersionMismatch for a link of a later version.
    """
    if len(text) > MAX_TEXT:
        raise LinkBroken("This is too long for an invite link.")
    code = "".join(text.split()).strip(_FRAME)
    if code[: len(PREFIX)].lower() == PREFIX:
        code = code[len(PREFIX) :]
    elif "/" in code or ":" in code:
        raise LinkBroken("This is no invite link of Homeswarm.", remedy=f"It begins with {PREFIX}")
    code = code.strip(_FRAME + "/").upper().replace("0", "O").replace("1", "I").replace("8", "B")
    if not code:
        raise LinkBroken("This is no invite link of Homeswarm.", remedy=f"It begins with {PREFIX}")
    try:
        body = base64.b32decode(code + "=" * (-len(code) % 8))
    except ValueError:
        raise LinkBroken("This invite link was mistyped or is not whole.") from None
    if base64.b32encode(body).decode("ascii").rstrip("=") != code:
        raise LinkBroken("This invite link was mistyped or is not whole.")
    return _read(body)


def _read(body: bytes) -> Link:
    if len(body) < _HEAD.size + _CHECK_BYTES:
        raise LinkBroken("This invite link was mistyped or is not whole.")
    body, checksum = body[:-_CHECK_BYTES], body[-_CHECK_BYTES:]
    if hashlib.sha256(body).digest()[:_CHECK_BYTES] != checksum:
        raise LinkBroken("This invite link was mistyped or is not whole.")
    version, swarm, secret, minutes = _HEAD.unpack_from(body)
    if version != VERSION:
        raise VersionMismatch(f"This invite link is of version {version}; this program reads {VERSION}.")
    rest = body[_HEAD.size :]
    endpoints: list[Endpoint] = []
    while rest:
        size = {4: 4, 6: 16}.get(rest[0])
        if size is None or len(rest) < 1 + size + 2 or len(endpoints) == MAX_ENDPOINTS:
            raise LinkBroken("This invite link holds an address that is none.")
        host = str(ipaddress.ip_address(rest[1 : 1 + size]))
        (port,) = _PORT.unpack_from(rest, 1 + size)
        try:
            endpoints.append(endpoint(host, port))
        except Malformed:
            raise LinkBroken("This invite link holds an address that is none.") from None
        rest = rest[1 + size + 2 :]
    return Link(id_text(swarm), secret, minutes * 60, tuple(endpoints))
