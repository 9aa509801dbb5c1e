"""Calls of strangers are refused by their first bytes; what is let in arrives unchanged."""

from __future__ import annotations

import asyncio
import socket
import tracemalloc

import pytest
from hivemind.p2p import PeerID
from hivemind.p2p.p2p_daemon_bindings.utils import read_pbmsg_safe
from hivemind.proto import p2pd_pb2
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.bridge.intake import HEAD_BYTES, PIECE_BYTES, Call, Intake, read_call
from swarm_app.bridge.refusals import refusal_in
from swarm_app.membership.errors import NotCertified

FRIEND, STRANGER = b"\x12\x20" + b"f" * 32, b"\x12\x20" + b"s" * 32
CALL_ID = bytes(range(16))


def handed(peer: bytes, data: bytes, name: str = "Some.rpc", call_id: bytes = CALL_ID) -> bytes:
    """A call as p2pd hands it on, without the length before it."""
    call = p2pd_pb2.CallUnaryRequest(peer=peer, proto=name, data=data)
    message = p2pd_pb2.PersistentConnectionResponse(callId=call_id, requestHandling=call)
    return bytes(message.SerializeToString())


def framed(message: bytes) -> bytes:
    length, prefix = len(message), b""
    while length > 0x7F:
        prefix, length = prefix + bytes([0x80 | length & 0x7F]), length >> 7
    return prefix + bytes([length]) + message


class Gate:
    """Lets the friend in."""

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, str, int]] = []

    def look(self, peer: PeerID, name: str, size_bytes: int) -> None:
        self.asked.append((peer.to_bytes(), name, size_bytes))
        if peer.to_bytes() != FRIEND:
            raise NotCertified("This computer has not shown a certificate of this swarm.")


@given(
    st.binary(min_size=1, max_size=40),
    st.text(st.characters(codec="ascii"), min_size=1, max_size=60),
    st.binary(max_size=2000),
)
def test_the_first_bytes_tell_who_calls_what(peer: bytes, name: str, data: bytes) -> None:
    call = read_call(handed(peer, data, name)[:HEAD_BYTES])
    assert call == Call(CALL_ID, peer, name, len(data))


@pytest.mark.parametrize(
    "broken", [b"", b"\x0a", b"\x0a\xff\xff\xff\xff\x0f", b"\x1a\x00", b"\x0a\x00\x12\x02no"]
)
def test_what_is_no_call_is_not_taken_for_one(broken: bytes) -> None:
    assert read_call(broken) is None


@pytest.mark.parametrize("size_bytes", [0, 1, 300, HEAD_BYTES, 200_000])
async def test_what_is_let_in_arrives_unchanged(size_bytes: int) -> None:
    answer = p2pd_pb2.PersistentConnectionResponse(
        callId=CALL_ID, callUnaryResponse=p2pd_pb2.CallUnaryResponse(response=b"r" * size_bytes)
    )
    sent = [handed(FRIEND, b"d" * size_bytes), bytes(answer.SerializeToString())]
    reader, gate = asyncio.StreamReader(), Gate()
    reader.feed_data(b"".join(map(framed, sent)))
    intake = Intake(reader, asyncio.Queue(), gate.look)
    for message in sent:
        read = p2pd_pb2.PersistentConnectionResponse()
        await read_pbmsg_safe(intake, read)  # hivemind's own reader
        assert read.SerializeToString() == message
    assert gate.asked == [(FRIEND, "Some.rpc", size_bytes)], "nobody is asked about answers to us"


async def test_a_strangers_call_is_thrown_away_in_small_pieces() -> None:
    size_bytes = 64 * PIECE_BYTES
    answers: asyncio.Queue[p2pd_pb2.PersistentConnectionRequest] = asyncio.Queue()
    reader, writer = await _pipe(
        [framed(handed(STRANGER, b"x" * size_bytes)), framed(handed(FRIEND, b"hello"))]
    )
    intake, read = Intake(reader, answers, Gate().look), p2pd_pb2.PersistentConnectionResponse()
    tracemalloc.start()
    try:
        await read_pbmsg_safe(intake, read)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        writer.close()
    assert read.requestHandling.data == b"hello"
    assert peak_bytes < size_bytes / 4
    told = answers.get_nowait()
    assert told.callId == CALL_ID
    refused = refusal_in(told.unaryResponse.error.decode())
    assert refused is not None
    assert refused[0] == "not-certified"


async def test_p2pds_end_ends_it() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(framed(handed(STRANGER, b"x" * 1000))[:600])
    reader.feed_eof()
    with pytest.raises(asyncio.IncompleteReadError):
        await Intake(reader, asyncio.Queue(), Gate().look).readexactly(1)


async def _pipe(messages: list[bytes]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection over which they come, no faster than they are read."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)

    def send() -> None:
        with theirs:
            for message in messages:
                theirs.sendall(message)

    asyncio.get_running_loop().run_in_executor(None, send)
    return reader, writer
