"""The caller's end of one hop: a session with one peer over `rpc_inference`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from hivemind.p2p import P2P, PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import runtime_pb2
from hivemind.proto.p2pd_pb2 import RPCError
from hivemind.utils.serializer import MSGPackSerializer
from petals.data_structures import CHAIN_DELIMITER
from petals.utils.packaging import pack_args_kwargs

from swarm_app.bridge.limits import PeerLimit
from swarm_app.bridge.records import block_uid
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.service import AS_STEPS_KEY, COMPUTE_KEY, GOODNIGHT_KEY, TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm
from swarm_app.bridge.tensors import DUMMY, DUMMY_INT64, pack, unpack
from swarm_app.domain.errors import HomeswarmError, PeerLost, PeerRefused, ProtocolViolation, from_wire
from swarm_app.domain.pause import BROKEN, FAREWELLS
from swarm_app.domain.span import Span
from swarm_app.membership.errors import Expired, NotCertified, Removed

logger = logging.getLogger(__name__)

_, _ARGS_STRUCTURE = pack_args_kwargs(torch.empty(1, 1, 1), torch.empty(0), torch.empty(0, dtype=torch.int64))
"""How Petals' servers find hidden states, prompts and beam indices among a request's tensors."""

_INFERENCE = TransformerConnectionHandler._get_handle_name(None, "rpc_inference")

CLOSE_GRACE_S = 0.5
"""A peer is given this long to end the session itself before the stream is cut."""

# What a peer may tell us it refused for; anything else it says becomes PeerRefused.
_TOLD = {"cache-full", "bad-request", "leaving"} | {
    error.code for error in (PeerLimit, NotCertified, Removed, Expired)
}


@dataclass(frozen=True, slots=True)
class Target:
    """Where a server is to push its output: another hop's session."""

    peer_id: str
    session_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class StepOutput:
    """What came back for one step."""

    hidden: torch.Tensor
    """[batch, tokens, hidden_size]"""
    compute_s: float | None
    """Seconds of compute that the peer reports; None from a peer that does not."""
    goodnight: str = ""
    """``asleep`` or ``left`` when the peer is about to go: this step is done, move before the next ones."""


def translate(error: BaseException, name: str) -> HomeswarmError:
    """A peer's answer or a broken stream as an error of ours. `name` is the peer's name for people."""
    if isinstance(error, HomeswarmError):
        return error
    if isinstance(error, P2PHandlerError):
        refused = refusal_in(str(error))
        if refused is not None and refused[0] in _TOLD:
            told = from_wire(refused[0], f"{name}: {refused[1]}", "")
            told.remedy = told.default_remedy  # what the peer would do itself is not for us to do
            return told
        # Without a sentence of ours it is the name of some exception: for the log, and not for people.
        logger.warning("%s could not do a step: %s", name, str(error)[-500:])
        return PeerRefused(f"{name} could not do a step{f': {refused[1]}' if refused is not None else '.'}")
    return PeerLost(f"The connection to {name} broke.", cause=BROKEN)


class SpanStream:
    """A session over `span` on one peer. One step at a time; not shared between answers.

    Its errors: CacheFull and PeerRefused when the peer says so, PeerLost when it says nothing or the
    connection ends. After an error only `close` is of use.
    """

    def __init__(
        self,
        swarm: Swarm,
        peer_id: str,
        name: str,
        prefix: str,
        span: Span,
        *,
        hidden_size: int,
        max_tokens: int,
    ) -> None:
        self.peer_id, self.name, self.span = peer_id, name, span
        self.session_id = str(uuid.uuid4())
        self._swarm = swarm
        self._uid = CHAIN_DELIMITER.join(block_uid(prefix, block) for block in span.blocks)
        self._hidden_size = hidden_size
        self._max_tokens = max_tokens
        self._max_message_bytes = 4096 + 4 * hidden_size * max_tokens
        self._writer: asyncio.StreamWriter | None = None
        self._inbox: asyncio.Queue[StepOutput | HomeswarmError] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    @property
    def target(self) -> Target:
        return Target(self.peer_id, self.session_id, self.span)

    async def open(self, timeout_s: float) -> None:
        """Be admitted with room for `max_tokens`; returns once the peer has confirmed it."""
        gate = self._swarm.gate
        try:
            await self._open(timeout_s)
        except (NotCertified, Removed) as error:
            if gate is None or gate.verified(self.peer_id) is None:
                raise
            # It may have started anew since it met us; if we are out, it says so now.
            await self.close()
            self._inbox = asyncio.Queue()
            try:
                async with asyncio.timeout(timeout_s):
                    await gate.meet(PeerID.from_base58(self.peer_id), anew=True)
            except Exception as refused:  # noqa: BLE001 - the daemon's and the dial's own
                raise translate(refused, self.name) from error
            await self._open(timeout_s)

    async def _open(self, timeout_s: float) -> None:
        peer = PeerID.from_base58(self.peer_id)
        try:
            async with asyncio.timeout(timeout_s):
                _, reader, writer = await self._swarm.p2p.call_binary_stream_handler(peer, _INFERENCE)
        except Exception as error:  # the daemon's and the dial's own
            raise translate(error, self.name) from error
        self._writer = writer
        self._reader = asyncio.create_task(self._read(reader))
        # Petals' way to ask for memory without a step: a tensor of no tokens.
        self._send(torch.empty(1, 0, self._hidden_size), step_id=None, opening=True, then=())
        try:
            await self.receive(timeout_s)
        except TimeoutError:
            raise PeerLost(f"{self.name} does not answer.") from None

    def send(
        self, hidden: torch.Tensor, step_id: str, then: Sequence[Target] = (), *, as_steps: bool = False
    ) -> None:
        """Start a step on `hidden` [1, tokens, hidden_size]; `then` are the hops to push it on to.

        A step that the peer has seen already, by its id, is not done twice. With `as_steps` the tokens
        count as steps of their own (see `bridge.service.AS_STEPS_KEY`).
        """
        self._send(hidden, step_id=step_id, opening=False, then=then, as_steps=as_steps)

    async def receive(self, timeout_s: float) -> StepOutput:
        """The output of the oldest step not yet received.

        Raises TimeoutError when it is not here in time; it can be asked for again then.
        """
        if self._inbox.empty():
            async with asyncio.timeout(timeout_s):
                item = await self._inbox.get()
        else:
            item = self._inbox.get_nowait()
        if isinstance(item, HomeswarmError):
            self._inbox.put_nowait(item)  # and again for whoever asks again
            raise item
        return item

    def close(self) -> Awaitable[None]:
        """End the session; the peer frees it on the empty request, or when the stream is gone.

        Said with the call. What is left to do goes on when the wait for it is cancelled, or nobody waits.
        """
        writer, self._writer = self._writer, None
        reader, self._reader = self._reader, None
        if writer is not None:
            _write(writer, runtime_pb2.ExpertRequest())
            _write(writer, P2P.END_OF_STREAM)
        ending = asyncio.ensure_future(_end(writer, reader))
        _ending.add(ending)
        ending.add_done_callback(_ending.discard)
        return asyncio.shield(ending)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                self._inbox.put_nowait(self._parse(await self._read_message(reader)))
        except asyncio.IncompleteReadError:
            gate = self._swarm.gate
            if gate is not None and (error := gate.bar(self.peer_id)) is not None:
                self._inbox.put_nowait(error)
                return
            # Also how p2pd reports a frozen peer: the stream ends, without an error.
            self._inbox.put_nowait(PeerLost(f"{self.name} ended the session.", cause=BROKEN))
        except Exception as error:  # noqa: BLE001 - the stream's, the daemon's and the peer's own
            self._inbox.put_nowait(translate(error, self.name))

    async def _read_message(self, reader: asyncio.StreamReader) -> Any:
        """hivemind's framing (marker, 8-byte length, protobuf), bounded before anything is allocated."""
        marker = await reader.readexactly(1)
        length = int.from_bytes(await reader.readexactly(P2P.HEADER_LEN), P2P.BYTEORDER)
        if length > self._max_message_bytes:
            raise ProtocolViolation(f"{self.name} announced a message of {length} bytes.")
        body = await reader.readexactly(length)
        if marker == P2P.ERROR_MARKER:
            raise P2PHandlerError(RPCError.FromString(body).message)
        return runtime_pb2.ExpertResponse.FromString(body)

    def _send(
        self,
        hidden: torch.Tensor,
        *,
        step_id: str | None,
        opening: bool,
        then: Sequence[Target],
        as_steps: bool = False,
    ) -> None:
        metadata: dict[str, Any] = {"session_id": self.session_id, "args_structure": _ARGS_STRUCTURE}
        if step_id is not None:
            metadata["step_id"] = step_id
        if as_steps:
            metadata[AS_STEPS_KEY] = True
        if opening:
            metadata["max_length"] = self._max_tokens
        if then:
            metadata["next_servers"] = [
                (to.peer_id, to.session_id, to.span.start, to.span.end) for to in then
            ]
        request = runtime_pb2.ExpertRequest(
            uid=self._uid,
            tensors=[pack(hidden), DUMMY, DUMMY_INT64],
            metadata=MSGPackSerializer.dumps(metadata),
        )
        if self._writer is None:
            raise PeerLost(f"The session with {self.name} is closed.")
        _write(self._writer, request)

    def _parse(self, response: Any) -> StepOutput:
        if not response.tensors:
            raise PeerRefused(f"{self.name} sent no output.")
        hidden = unpack(response.tensors[0], hidden_size=self._hidden_size, max_rows=self._max_tokens)
        told = MSGPackSerializer.loads(response.metadata) if 0 < len(response.metadata) < 4096 else {}
        if not isinstance(told, dict):
            told = {}
        compute_s, goodnight = told.get(COMPUTE_KEY), told.get(GOODNIGHT_KEY)
        return StepOutput(
            hidden,
            compute_s if isinstance(compute_s, float) and 0 <= compute_s < 3600 else None,
            goodnight if isinstance(goodnight, str) and goodnight in FAREWELLS else "",
        )


_ending: set[asyncio.Future[None]] = set()
"""The loop itself holds tasks only weakly."""


async def _end(writer: asyncio.StreamWriter | None, reader: asyncio.Task[None] | None) -> None:
    if reader is not None:
        await asyncio.wait({reader}, timeout=CLOSE_GRACE_S)
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
    if writer is not None:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _write(writer: asyncio.StreamWriter, message: Any) -> None:
    body = message.SerializeToString()
    marker = P2P.ERROR_MARKER if isinstance(message, RPCError) else P2P.MESSAGE_MARKER
    # Not drained: what one session has in flight is bounded by its own tokens.
    writer.write(marker + len(body).to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER) + body)
