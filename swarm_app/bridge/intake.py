"""What p2pd hands to this process of others' calls, looked at before it is read.

p2pd passes each call on in one piece, over one connection for all of them. hivemind reads such a piece whole
and then looks at whose it is. `Intake` reads the first bytes of it, which say who calls what and how much
follows, and asks the gate: of a call that is refused the rest is thrown away in small pieces, and neither
memory nor a look is spent on it. All else is given on to hivemind unchanged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import p2pd_pb2

from swarm_app.bridge.refusals import wire_error
from swarm_app.domain.errors import HomeswarmError

HEAD_BYTES = 512
"""Enough for a call's number, a peer id, and the name of an RPC."""

PIECE_BYTES = 64 * 1024
"""What is thrown away is read in pieces of this size."""

_CALL_ID, _HANDLING = 0x0A, 0x1A
"""Fields 1 and 3 of p2pd's PersistentConnectionResponse, with the type of fields that have a length."""
_PEER, _PROTO, _DATA = 0x0A, 0x12, 0x1A
"""Fields 1 to 3 of its CallUnaryRequest."""


@dataclass(frozen=True, slots=True)
class Call:
    """Somebody's call, by its first bytes."""

    call_id: bytes
    peer: bytes
    name: str
    size_bytes: int


class Intake:
    """In place of the stream reader that hivemind reads p2pd's messages from.

    `may` is asked for each call, with the caller, the name of the RPC and the size in bytes, and raises
    HomeswarmError for those that are not to be read.
    """

    def __init__(
        self, reader: asyncio.StreamReader, answers: Any, may: Callable[[PeerID, str, int], object]
    ) -> None:
        """`answers`: hivemind's queue of messages to p2pd."""
        self._reader = reader
        self._answers = answers
        self._may = may
        self._left = b""

    async def readexactly(self, count: int) -> bytes:
        """As asyncio's. Between two messages it waits for the next one that may be read."""
        if not self._left:
            self._left = await self._next()
        if count == len(self._left):
            taken, self._left = self._left, b""
        else:
            taken, self._left = self._left[:count], self._left[count:]
        return taken

    async def _next(self) -> bytes:
        """The next message to be read, with its length before it."""
        while True:
            prefix, length = await self._length()
            head = await self._reader.readexactly(min(length, HEAD_BYTES))
            call = read_call(head)
            try:
                if call is not None:
                    self._may(PeerID(call.peer), call.name, call.size_bytes)
                rest = length - len(head)
                return prefix + head + (await self._reader.readexactly(rest) if rest else b"")
            except HomeswarmError as error:
                assert call is not None
                await self._throw_away(length - len(head))
                await self._answers.put(
                    p2pd_pb2.PersistentConnectionRequest(
                        callId=call.call_id,
                        unaryResponse=p2pd_pb2.CallUnaryResponse(error=repr(wire_error(error)).encode()),
                    )
                )

    async def _length(self) -> tuple[bytes, int]:
        prefix, length = b"", 0
        while True:
            byte = await self._reader.readexactly(1)
            length |= (byte[0] & 0x7F) << 7 * len(prefix)
            prefix += byte
            if not byte[0] & 0x80 or len(prefix) == 10:
                return prefix, length

    async def _throw_away(self, size_bytes: int) -> None:
        while size_bytes:
            piece = await self._reader.read(min(size_bytes, PIECE_BYTES))
            if not piece:
                raise asyncio.IncompleteReadError(b"", size_bytes)
            size_bytes -= len(piece)


def read_call(head: bytes) -> Call | None:
    """The call that begins with these bytes; None for p2pd's other messages, and for what is none."""
    try:
        at, call_id = _field(head, 0, _CALL_ID)
        at, _ = _opening(head, at, _HANDLING)
        at, peer = _field(head, at, _PEER)
        at, name = _field(head, at, _PROTO)
        # A request without a content has no such field.
        size_bytes = _opening(head, at, _DATA)[1] if at < len(head) else 0
        return Call(call_id, peer, name.decode("utf-8"), size_bytes)
    except (IndexError, ValueError):
        return None


def _field(data: bytes, at: int, tag: int) -> tuple[int, bytes]:
    at, length = _opening(data, at, tag)
    if at + length > len(data):
        raise IndexError(at)
    return at + length, data[at : at + length]


def _opening(data: bytes, at: int, tag: int) -> tuple[int, int]:
    """Where a field's content begins, and its length."""
    if data[at] != tag:
        raise ValueError(data[at])
    at += 1
    length = shift = 0
    while True:
        length |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80 or shift > 63:
            return at, length
