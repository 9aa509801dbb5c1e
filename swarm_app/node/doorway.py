"""The way between two nodes' doors: TLS over TCP, and frames of bounded length on it.

Nobody's certificate is checked by TLS: who is at the other end is proved above it (`membership.handshake`,
`membership.joining`), by signatures over the digest of the server's certificate. A node makes that
certificate anew at each start, for itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import logging
import os
import ssl
import struct
import tempfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

from swarm_app.membership.errors import Malformed, NobodyAnswers
from swarm_app.membership.links import Endpoint

log = logging.getLogger("homeswarm.node")

CONNECT_S = 4.0
"""For one address, TLS included."""

STAGGER_S = 0.25
"""After this long without an answer the next address is dialled beside the first (RFC 8305)."""

MAX_AT_ONCE = 8
"""Addresses dialled at the same time."""

_LENGTH = struct.Struct(">I")


@dataclass(slots=True)
class Doorway:
    """One connection between two doors. `channel` is what both sides' signatures cover."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    channel: bytes
    where: Endpoint
    """The other side's address."""

    async def send(self, message: bytes) -> None:
        """One frame; raises NobodyAnswers where the other side hung up."""
        try:
            self.writer.write(_LENGTH.pack(len(message)) + message)
            await self.writer.drain()
        except OSError:
            raise NobodyAnswers(f"The computer at {self.where} hung up.") from None

    async def receive(self, max_bytes: int) -> bytes:
        """One frame; raises Malformed where it is longer, NobodyAnswers where the other side hung up."""
        try:
            (length,) = _LENGTH.unpack(await self.reader.readexactly(_LENGTH.size))
            if length > max_bytes:
                raise Malformed(f"A message of {length} bytes came where at most {max_bytes} are taken.")
            return await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            raise NobodyAnswers(f"The computer at {self.where} hung up.") from None

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):
            async with asyncio.timeout(1.0):
                await self.writer.wait_closed()


def channel_of_certificate(der: bytes) -> bytes:
    """What both sides of a TLS connection know of it: the digest of the server's certificate."""
    return b"tls" + hashlib.sha256(der).digest()


def server_tls() -> tuple[ssl.SSLContext, bytes]:
    """A context with a certificate made for this moment, and the channel that it stands for."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import NameOID

    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "homeswarm")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=365))
        .not_valid_after(now + datetime.timedelta(days=3650))
        .sign(key, None)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    # The library takes a key from a file alone: one that lives for a moment, as the key does for one start.
    with tempfile.TemporaryDirectory(prefix="homeswarm-") as folder:
        file = Path(folder) / "door.pem"
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            out.write(certificate.public_bytes(Encoding.PEM))
        context.load_cert_chain(file)
    return context, channel_of_certificate(certificate.public_bytes(Encoding.DER))


def _client_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def dial(where: Endpoint, timeout_s: float = CONNECT_S) -> Doorway:
    """Connect to one door; raises NobodyAnswers, in words about this address."""
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await asyncio.open_connection(where.host, where.port, ssl=_client_tls())
    except TimeoutError:
        raise NobodyAnswers(f"Nothing answers at {where}.") from None
    except (OSError, ssl.SSLError, ValueError) as error:
        refused = isinstance(error, ConnectionRefusedError)
        raise NobodyAnswers(
            f"No Homeswarm answers at {where}." if refused else f"The address {where} is out of reach."
        ) from None
    certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return Doorway(reader, writer, channel_of_certificate(certificate or b""), where)


async def dial_each(endpoints: Sequence[Endpoint]) -> AsyncGenerator[Doorway, None]:
    """The connections to those of the addresses that answer, the quickest first.

    Every STAGGER_S, or as soon as one has failed, the next address is dialled beside those on their way:
    a dead one at the front delays the others by a moment. Close the iterator to stop; what was not taken is
    closed then. Ends without a word where nothing more answers.
    """
    waiting = list(dict.fromkeys(endpoints))
    dialling: set[asyncio.Task[Doorway]] = set()
    try:
        while waiting or dialling:
            if waiting and len(dialling) < MAX_AT_ONCE:
                dialling.add(asyncio.create_task(dial(waiting.pop(0))))
            done, dialling = await asyncio.wait(
                dialling,
                timeout=STAGGER_S if waiting and len(dialling) < MAX_AT_ONCE else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in done:
                if (error := task.exception()) is None:
                    yield task.result()
                else:
                    log.debug("%s", error)
    finally:
        for task in dialling:
            task.cancel()
        for made in await asyncio.gather(*dialling, return_exceptions=True):
            if isinstance(made, Doorway):
                await made.close()
