"""What reads libp2p calls and streams, tensors, and records of the DHT, for `tests.fuzzing`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import cache
from typing import Any, cast

import torch
from google.protobuf.message import DecodeError
from hivemind.dht.routing import DHTID
from hivemind.p2p import P2P, PeerID
from hivemind.p2p.p2p_daemon_bindings.utils import read_pbmsg_safe
from hivemind.proto import p2pd_pb2, runtime_pb2
from hivemind.utils.serializer import MSGPackSerializer

from swarm_app.bridge.guarded import _Served
from swarm_app.bridge.intake import Intake, read_call
from swarm_app.bridge.records import _parse
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.roll import OtherVersion, RollHead
from swarm_app.bridge.seals import SealedRecords, _Record
from swarm_app.bridge.service import TransformerConnectionHandler, read_metadata, session_size
from swarm_app.bridge.stream import SpanStream, translate
from swarm_app.bridge.swarm import Swarm, quiet_libraries
from swarm_app.bridge.tensors import DUMMY, DUMMY_INT64, pack
from swarm_app.domain.errors import ProtocolViolation
from swarm_app.domain.span import Span
from swarm_app.membership.credentials import Credentials, Identity
from swarm_app.membership.errors import NotCertified
from tests.fuzzing import Reader
from tests.membership.fuzz import corpus
from tests.membership.swarms import MODEL

HIDDEN_SIZE = 8
PEER = "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"


class _Host:
    """What the service's readers ask of the block process."""

    span, hidden_size = Span(0, 2), HIDDEN_SIZE


def _handler() -> TransformerConnectionHandler:
    handler = TransformerConnectionHandler.__new__(TransformerConnectionHandler)
    handler._host = cast(Any, _Host())
    handler.module_backends = {f"{MODEL}.{block}": block for block in range(2)}
    return handler


def _request(data: bytes) -> None:
    """A step, as `rpc_inference` and `rpc_push` read it once hivemind's protobuf has."""
    request = runtime_pb2.ExpertRequest.FromString(data) if _is_protobuf(data) else _refuse()
    handler = _handler()
    opening = read_metadata(request)
    handler._part(request.uid)
    max_tokens, batch = session_size(opening, request)
    if not request.tensors:
        _refuse()
    hidden, indices = handler._arguments(request, min(max_tokens * batch, 1024))
    assert hidden.numel() <= 1024 * HIDDEN_SIZE
    assert indices is None or len(indices) == hidden.shape[0]


def _is_protobuf(data: bytes) -> bool:
    try:
        runtime_pb2.ExpertRequest.FromString(data)
    except Exception:  # noqa: BLE001 - protobuf's own, which `_Served` turns into a refusal
        return False
    return True


def _refuse() -> Any:
    raise ProtocolViolation("A message of a stream is not what its name says.")


def _stream(data: bytes) -> None:
    """Messages of a stream, until it ends."""

    async def read() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        served = _Served(reader, cast(asyncio.StreamWriter, None), runtime_pb2.ExpertRequest.FromString)
        served._requests = asyncio.Queue()
        await served._read()
        assert reader.at_eof()

    asyncio.run(read())


def _calls(data: bytes) -> None:
    """What p2pd hands on: every call is looked at before it is read."""

    def look(peer: PeerID, name: str, size_bytes: int) -> None:
        if size_bytes % 2:
            raise NotCertified("This computer has not shown a certificate of this swarm.")

    async def read() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        intake = Intake(reader, asyncio.Queue(), look)
        while True:
            await read_pbmsg_safe(cast(asyncio.StreamReader, intake), p2pd_pb2.PersistentConnectionResponse())

    try:
        asyncio.run(read())
    except (asyncio.IncompleteReadError, ValueError, DecodeError):
        return  # the daemon's connection ends, or hivemind cannot read what the daemon says


def _answer(data: bytes) -> None:
    """A peer's answer to a step, as `SpanStream._read` takes it."""
    stream = SpanStream(
        cast(Swarm, None), PEER, "desk", MODEL, Span(0, 2), hidden_size=HIDDEN_SIZE, max_tokens=64
    )
    try:
        stream._parse(runtime_pb2.ExpertResponse.FromString(data))
    except Exception as error:  # noqa: BLE001 - as there
        raise translate(error, "desk") from None


def _roll_entry(data: bytes) -> None:
    """An entry of the roll, once hivemind has unpacked it."""
    try:
        value = MSGPackSerializer.loads(data)
    except Exception:  # noqa: BLE001 - hivemind passes over what it cannot unpack
        return
    with contextlib.suppress(OtherVersion):
        _parse(PEER, value, time.time())


@cache
def readers() -> list[Reader]:
    # Only here: petals can be imported once `bridge` has been.
    from petals.data_structures import ServerInfo, ServerState

    quiet_libraries()  # they log what they cannot read
    known = corpus()
    laptop = known.laptop
    identity = Identity(laptop.process, known.clock)
    identity.credentials = Credentials(laptop.chain, laptop.binding(), known.members, MODEL)
    seals = SealedRecords(identity, known.clock)
    key, subkey = DHTID.generate(source="roll").to_bytes(), MSGPackSerializer.dumps(laptop.peer_id)
    expires_s = known.clock.time() + 60
    record = _Record(key, subkey, b"", expires_s)
    sealed = identity.seal(b"blocks", f"{key.hex()} {laptop.peer_id} {float(expires_s).hex()}")
    assert seals.validate(_Record(key, subkey, sealed, expires_s)), record

    def validate(data: bytes) -> None:
        seals.forget()
        if seals.validate(_Record(key, subkey, data, expires_s)):
            assert data == sealed, "only the very record holds"

    request = runtime_pb2.ExpertRequest(
        uid=f"{MODEL}.0 {MODEL}.1",
        tensors=[pack(torch.zeros(1, 3, HIDDEN_SIZE)), DUMMY, DUMMY_INT64],
        metadata=MSGPackSerializer.dumps({"max_length": 16, "session_id": "s"}),
    ).SerializeToString()
    message = P2P.MESSAGE_MARKER + len(request).to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER) + request
    response = runtime_pb2.ExpertResponse(
        tensors=[pack(torch.zeros(1, 3, HIDDEN_SIZE))], metadata=MSGPackSerializer.dumps({"compute_s": 0.1})
    ).SerializeToString()
    call = p2pd_pb2.CallUnaryRequest(peer=b"p" * 34, proto="x.rpc", data=b"d" * 9)
    handed = p2pd_pb2.PersistentConnectionResponse(
        callId=b"c" * 16,
        requestHandling=call,
    ).SerializeToString()
    info = ServerInfo(ServerState.ONLINE, 1.0, start_block=0, end_block=2, public_name="desk")
    address = f"/ip4/10.0.0.1/tcp/1/p2p/{PEER}"
    head = RollHead(MODEL, "", "ac02e0f9eb80", (address,), "mains", "wire")
    entry = MSGPackSerializer.dumps((head.to_wire(), info.to_tuple()))
    assert _parse(PEER, MSGPackSerializer.loads(entry), 0.0) is not None
    return [
        Reader("calls from p2pd", _calls, (bytes([len(handed)]) + handed) * 2),
        Reader("head of a call", read_call, handed),
        Reader("messages of a stream", _stream, message * 2),
        Reader("step", _request, request),
        Reader("answer to a step", _answer, response),
        Reader("refusal in a failure", lambda data: refusal_in(data.decode("latin-1")), b"[removed] desk."),
        Reader("sealed DHT record", validate, sealed),
        Reader("entry of the roll", _roll_entry, entry),
    ]
