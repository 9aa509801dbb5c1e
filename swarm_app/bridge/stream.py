"""The caller's end of one hop: a session with one peer over `rpc_inference`."""

from __future__ import annotations

import asyncio
import contextlib
import re
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from hivemind.p2p import PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import runtime_pb2
from hivemind.utils.serializer import MSGPackSerializer
from petals.data_structures import CHAIN_DELIMITER
from petals.utils.packaging import pack_args_kwargs

from swarm_app.bridge.records import block_uid
from swarm_app.bridge.service import COMPUTE_KEY, TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm
from swarm_app.bridge.tensors import DUMMY, DUMMY_INT64, pack, unpack
from swarm_app.domain.errors import HomeswarmError, PeerLost, PeerRefused, from_wire
from swarm_app.domain.span import Span

_, _ARGS_STRUCTURE = pack_args_kwargs(torch.empty(1, 1, 1), torch.empty(0), torch.empty(0, dtype=torch.int64))
"""How Petals' servers find hidden states, prompts and beam indices among a request's tensors."""

_REFUSAL = re.compile(r"\[([a-z][a-z0-9_-]{0,40})\] (.{1,400})", re.DOTALL)

# What a peer may tell us it refused for; anything else it says becomes PeerRefused.
_TOLD = {"cache-full", "bad-request"}


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


def translate(error: BaseException, name: str) -> HomeswarmError:
    """A peer's answer or a broken stream as an error of ours. `name` is the peer's name for people."""
    if isinstance(error, HomeswarmError):
        return error
    if isinstance(error, P2PHandlerError):
        told = _REFUSAL.search(str(error))
        if told is not None and told[1] in _TOLD:
            return from_wire(told[1], f"{name}: {told[2]}", "")
        return PeerRefused(f"{name} could not do a step ({str(error)[-200:]}).")
    return PeerLost(f"{name} stopped answering.")


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
        self._outbox: asyncio.Queue[Any] = asyncio.Queue()
        self._replies: AsyncIterator[Any] | None = None

    @property
    def target(self) -> Target:
        return Target(self.peer_id, self.session_id, self.span)

    async def open(self, timeout_s: float) -> None:
        """Be admitted with room for `max_tokens`; returns once the peer has confirmed it."""
        peer = PeerID.from_base58(self.peer_id)
        try:
            async with asyncio.timeout(timeout_s):
                stub = TransformerConnectionHandler.get_stub(self._swarm.p2p, peer)
                self._replies = await stub.rpc_inference(self._requests())
                empty = torch.empty(1, 0, self._hidden_size)
                # Petals' way to ask for memory without a step: a tensor of no tokens.
                await self._send(empty, step_id=None, opening=True, then=())
                await self._receive()
        except Exception as error:  # the daemon's, the stream's and the peer's own
            raise translate(error, self.name) from error

    async def send(self, hidden: torch.Tensor, step_id: str, then: Sequence[Target] = ()) -> None:
        """Start a step on `hidden` [1, tokens, hidden_size]; `then` are the hops to push it on to."""
        await self._send(hidden, step_id=step_id, opening=False, then=then)

    async def receive(self, timeout_s: float) -> StepOutput:
        """The output of the oldest step not yet received."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self._receive()
        except Exception as error:
            raise translate(error, self.name) from error

    async def close(self) -> None:
        """End the session; the peer frees it on the empty request, or when the stream is gone."""
        self._outbox.put_nowait(None)
        replies, self._replies = self._replies, None
        if replies is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(0.5):
                    async for _ in replies:
                        pass
            with contextlib.suppress(Exception):
                await replies.aclose()  # type: ignore[attr-defined]

    async def _requests(self) -> AsyncIterator[Any]:
        while (request := await self._outbox.get()) is not None:
            yield request
        yield runtime_pb2.ExpertRequest()

    async def _send(
        self, hidden: torch.Tensor, *, step_id: str | None, opening: bool, then: Sequence[Target]
    ) -> None:
        metadata: dict[str, Any] = {"session_id": self.session_id, "args_structure": _ARGS_STRUCTURE}
        if step_id is not None:
            metadata["step_id"] = step_id
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
        self._outbox.put_nowait(request)

    async def _receive(self) -> StepOutput:
        if self._replies is None:
            raise PeerLost(f"The session with {self.name} is closed.")
        try:
            response = await anext(self._replies)
        except StopAsyncIteration:
            # p2pd ends the stream of a frozen peer without an error.
            raise PeerLost(f"{self.name} ended the session.") from None
        if not response.tensors:
            raise PeerRefused(f"{self.name} sent no output.")
        hidden = unpack(response.tensors[0], hidden_size=self._hidden_size, max_rows=self._max_tokens)
        compute_s = None
        if response.metadata and len(response.metadata) < 4096:
            told = MSGPackSerializer.loads(response.metadata)
            value = told.get(COMPUTE_KEY) if isinstance(told, dict) else None
            if isinstance(value, float) and 0 <= value < 3600:
                compute_s = value
        return StepOutput(hidden, compute_s)
