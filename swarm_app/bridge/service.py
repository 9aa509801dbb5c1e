"""The block server's face to the swarm: Petals' RPC protocol over one span in this process.

The session bookkeeping (steps from the stream and from pushes, deduplicated by step id; pushes on to the
next server) is Petals' own connection handler. What differs from it: the step runs in this process
instead of going through queues to another one, inputs are checked before they are read, and nothing but
inference is offered.
"""

from __future__ import annotations

import asyncio
import logging

# hivemind tells streams by typing's AsyncIterator in the annotations; that of collections.abc it misses.
from typing import Any, AsyncIterator, Protocol  # noqa: UP035

import torch
from hivemind.p2p import P2PContext, ServicerBase
from hivemind.proto import runtime_pb2
from hivemind.utils.logging import use_hivemind_log_handler
from hivemind.utils.serializer import MSGPackSerializer
from hivemind.utils.tensor_descr import BatchTensorDescriptor
from petals.data_structures import CHAIN_DELIMITER
from petals.server.handler import CACHE_TOKENS_AVAILABLE
from petals.server.handler import TransformerConnectionHandler as PetalsHandler

from swarm_app.bridge.records import block_uid
from swarm_app.bridge.refusals import own_failure, wire_error
from swarm_app.bridge.swarm import Swarm
from swarm_app.bridge.tensors import is_dummy, pack, unpack
from swarm_app.domain.errors import BadRequest, HomeswarmError, Leaving, ProtocolViolation
from swarm_app.domain.span import Span

logger = logging.getLogger(__name__)

# Petals, when it is imported, has the lines of every library of the program written, from INFO up. Back to
# what hivemind alone has, and Python.
use_hivemind_log_handler("in_hivemind")
logging.getLogger().setLevel(logging.WARNING)

MAX_METADATA_BYTES = 64 * 1024
MAX_BATCH = 64
MAX_TOKENS = 1_000_000
OPEN_TIMEOUT_S = 10.0
"""A stream that says nothing for this long after it was opened is closed."""

COMPUTE_KEY = "compute_s"
"""Our field in a response's metadata: seconds that the step computed, for the caller's cost model."""

AS_STEPS_KEY = "as_steps"
"""Our flag in a step's metadata: a history, to be taken as if its tokens came one by one."""

GOODNIGHT_KEY = "goodnight"
"""Our field in a response's metadata: this peer takes its blocks back; one of domain.pause's farewells."""

REACHES_KEY = "reaches"
OPINION_TIMEOUT_S = 0.5
"""How long a peer that is asked for its opinion waits for the other one."""

MAX_OPINIONS = 4
"""Opinions in the making at once; more are refused: asking must not make this computer dial for others."""


class HostSession(Protocol):
    """One caller's attention cache on this computer."""

    async def step(self, hidden: torch.Tensor, *, as_steps: bool = False) -> tuple[torch.Tensor, float]:
        """Extend the session by `hidden` [batch, tokens, hidden_size]; returns the output of the same
        shape on the CPU, and the seconds of compute. With `as_steps` output and cache are those of feeding
        the tokens one by one. Raises BadRequest past the session's length."""
        ...

    def reorder(self, indices: torch.Tensor) -> None:
        """Permute the batch before the next step."""
        ...

    def close(self) -> None:
        """Give the memory back; a step in flight finishes first."""
        ...


class SpanHost(Protocol):
    """What the service needs of the block process."""

    span: Span
    hidden_size: int
    dtype: torch.dtype

    def open(self, part: Span, max_tokens: int, batch: int) -> HostSession:
        """Admit a session; raises CacheFull at once, with the number of tokens that would fit."""
        ...

    def cache_tokens_left(self) -> int:
        """Tokens of a session over the whole span that would be admitted now."""
        ...

    def info(self) -> dict[str, Any]:
        """Plain values for `rpc_info`, for people and for the route."""
        ...


class TransformerConnectionHandler(PetalsHandler):  # type: ignore[misc]
    """Petals' servicer over a `SpanHost`. The class name is part of the protocol: it names the RPCs."""

    # The parent collects its own RPCs on first use; ours must not inherit that list.
    _rpc_handlers = None
    _stub_type = None

    def __init__(self, swarm: Swarm, host: SpanHost, *, prefix: str, version: str, step_timeout_s: float):
        # Petals' constructor prepares a process with queues to others; there is one process here.
        self._p2p = swarm.p2p
        self._swarm = swarm
        self._opinions = 0
        self._host = host
        self._version = version
        self.dht_prefix = prefix
        self.module_backends = {block_uid(prefix, block): block for block in host.span.blocks}
        self.step_timeout = step_timeout_s
        self.request_timeout = 10.0
        self._handler_index = 0
        self._handler_event_queues = [None]
        self._session_queues: dict[str, asyncio.Queue[Any]] = {}
        self._session_handlers: dict[str, int] = {}
        self._pushes: set[asyncio.Task[None]] = set()
        self.leaving = ""
        """One of domain.pause's farewells once no new session is taken and each step's answer says so."""
        self.own: frozenset[str] = frozenset()
        """Peers of this very computer, which are served on all the same."""

    async def serve(self) -> None:
        """Register the RPCs with p2pd."""
        await ServicerBase.add_p2p_handlers(self, self._p2p)

    async def stop(self) -> None:
        """Take the RPCs back; sessions in progress end with their streams."""
        await ServicerBase.remove_p2p_handlers(self, self._p2p)

    async def rpc_info(self, request: runtime_pb2.ExpertUID, context: P2PContext) -> runtime_pb2.ExpertInfo:
        """Petals' description of the blocks, and ours of the computer."""
        if request.uid and request.uid not in self.module_backends:
            raise wire_error(BadRequest("That block is not served here."))
        hidden = BatchTensorDescriptor((self._host.hidden_size,), dtype=self._host.dtype)
        schema: tuple[Any, Any] = ((hidden,), {})
        result = {
            "version": self._version,
            "dht_client_mode": False,
            CACHE_TOKENS_AVAILABLE: self._host.cache_tokens_left(),
            "forward_schema": schema,
            "outputs_schema": (hidden,),
            "keyword_names": (),
            "inference_schema": (
                (
                    hidden,
                    BatchTensorDescriptor((), dtype=self._host.dtype),
                    BatchTensorDescriptor((), dtype=torch.int64),
                ),
                {},
            ),
            **self._host.info(),
        }
        return runtime_pb2.ExpertInfo(serialized_info=MSGPackSerializer.dumps(result))

    async def rpc_inference(
        self, requests: AsyncIterator[runtime_pb2.ExpertRequest], context: P2PContext
    ) -> AsyncIterator[runtime_pb2.ExpertResponse]:
        """One session: the first request admits it, each request is a step, an empty one ends it."""
        try:
            # Not wait_for: on Python 3.11 it can swallow a cancellation that comes with the result.
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                first = await anext(requests)
        except (TimeoutError, StopAsyncIteration):
            return
        session: HostSession | None = None
        try:
            if self._leaves(context):
                raise Leaving("This computer is about to sleep or stop, or has paused contributing.")
            opening = read_metadata(first)
            part = self._part(first.uid)
            max_tokens, batch = session_size(opening, first)
            session = self._host.open(part, max_tokens, batch)
            rows = max_tokens * batch
            uids = first.uid.split(CHAIN_DELIMITER)
            session_id = opening.get("session_id")
            if session_id is not None and (not isinstance(session_id, str) or len(session_id) > 128):
                raise ProtocolViolation("the session id is not a short string")
            if session_id in self._session_queues:
                raise ProtocolViolation("the session id is in use")
            steps = self._iterate_inference_steps(first, requests, session_id, uids, context)
            async for request, metadata in steps:
                hidden, indices = self._arguments(request, rows)
                if indices is not None:
                    session.reorder(indices)
                compute_s = 0.0
                if hidden.shape[1]:
                    as_steps = metadata.get(AS_STEPS_KEY) is True
                    hidden, compute_s = await session.step(hidden, as_steps=as_steps)
                output = pack(hidden)
                if metadata.get("next_servers"):
                    task = asyncio.create_task(self._push_outputs(request, output, metadata))
                    self._pushes.add(task)
                    task.add_done_callback(self._pushes.discard)
                told = {COMPUTE_KEY: compute_s, **self._goodnight(context)}
                yield runtime_pb2.ExpertResponse(tensors=[output], metadata=MSGPackSerializer.dumps(told))
        except HomeswarmError as error:
            raise wire_error(error) from error
        except Exception as error:
            logger.exception("a step failed")
            raise wire_error(own_failure(error)) from error
        finally:
            if session is not None:
                session.close()

    async def rpc_push(
        self, request: runtime_pb2.ExpertRequest, context: P2PContext
    ) -> runtime_pb2.ExpertResponse:
        """Another server hands a step on; ignored when its session is not (or no longer) here."""
        metadata = read_metadata(request)
        session_id = metadata.get("session_id")
        if isinstance(session_id, str):
            queue = self._session_queues.get(session_id)
            # A session has one step in flight; more than a few waiting is not our protocol.
            if queue is not None and queue.qsize() < 8:
                queue.put_nowait(request)
        return runtime_pb2.ExpertResponse()

    async def rpc_forward(
        self, request: runtime_pb2.ExpertRequest, context: P2PContext
    ) -> runtime_pb2.ExpertResponse:
        """One pass without a session: a session of just this length, closed at once."""
        try:
            part = self._part(request.uid)
            if not request.tensors or len(request.tensors[0].size) != 3:
                raise ProtocolViolation("a forward pass needs hidden states")
            batch, tokens = (int(n) for n in request.tensors[0].size[:2])
            if not (0 < batch <= MAX_BATCH and 0 < tokens <= MAX_TOKENS):
                raise ProtocolViolation("the hidden states have an impossible size")
            session = self._host.open(part, tokens, batch)
            try:
                hidden, _ = self._arguments(request, batch * tokens)
                output, _ = await session.step(hidden)
                return runtime_pb2.ExpertResponse(tensors=[pack(output)])
            finally:
                session.close()
        except HomeswarmError as error:
            raise wire_error(error) from error

    async def rpc_reaches(
        self, request: runtime_pb2.ExpertUID, context: P2PContext
    ) -> runtime_pb2.ExpertInfo:
        """Ours: whether the peer named by `uid` answers this one now; for somebody it does not answer."""
        if self._opinions >= MAX_OPINIONS or len(request.uid) > 128:
            raise wire_error(BadRequest("Too many opinions are asked for."))
        self._opinions += 1
        try:
            pong = await self._swarm.ping(request.uid, OPINION_TIMEOUT_S)
        finally:
            self._opinions -= 1
        told = MSGPackSerializer.dumps({REACHES_KEY: pong is not None})
        return runtime_pb2.ExpertInfo(serialized_info=told)

    # Not offered, and so not registered: nothing is trained here, and long inputs go through a session.
    rpc_forward_stream = None
    rpc_backward = None
    rpc_backward_stream = None

    def _leaves(self, context: P2PContext) -> bool:
        return bool(self.leaving) and str(context.remote_id.to_base58()) not in self.own

    def _goodnight(self, context: P2PContext) -> dict[str, str]:
        return {GOODNIGHT_KEY: self.leaving} if self._leaves(context) else {}

    def _part(self, uids: str) -> Span:
        """The consecutive blocks that a request names; raises BadRequest when they are not served."""
        if len(uids) > 1_000_000:
            raise ProtocolViolation("the list of blocks is too long")
        blocks = [self.module_backends.get(uid, -1) for uid in uids.split(CHAIN_DELIMITER)]
        if -1 in blocks or blocks != list(range(blocks[0], blocks[0] + len(blocks))):
            raise BadRequest(f"These blocks are not served here (only {self._host.span}).")
        return Span(blocks[0], blocks[-1] + 1)

    def _arguments(self, request: Any, max_rows: int) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Hidden states and, when the caller reorders its batch, the indices; prompts are refused."""
        tensors = list(request.tensors)
        hidden = unpack(tensors[0], hidden_size=self._host.hidden_size, max_rows=max_rows)
        if len(tensors) > 3 or (len(tensors) > 1 and not is_dummy(tensors[1])):
            raise BadRequest("Deep prompts are not offered.")
        if len(tensors) < 3 or is_dummy(tensors[2]):
            return hidden, None
        size, batch = list(tensors[2].size), hidden.shape[0]
        if tensors[2].dtype != "int64" or size != [batch] or len(tensors[2].buffer) != batch * 8:
            raise ProtocolViolation("beam indices must be one int64 for each of the batch")
        indices = torch.frombuffer(bytearray(tensors[2].buffer), dtype=torch.int64)
        if not bool(((indices >= 0) & (indices < batch)).all()):
            raise ProtocolViolation("beam indices point outside the batch")
        return hidden, None if bool((indices == torch.arange(batch)).all()) else indices

    def _log_request(self, *_: Any, **__: Any) -> None:
        """Petals logs every request with the caller's id; peers' habits are nobody's business."""


def read_metadata(request: Any) -> dict[str, Any]:
    """The msgpack map of a request; raises ProtocolViolation when it is too long or none."""
    if len(request.metadata) > MAX_METADATA_BYTES:
        raise ProtocolViolation("the metadata is too long")
    if not request.metadata:
        return {}
    try:
        value = MSGPackSerializer.loads(request.metadata)
    except Exception:  # noqa: BLE001 - msgpack raises ValueError, its own and what its hooks raise
        raise ProtocolViolation("the metadata is not msgpack") from None
    if not isinstance(value, dict):
        raise ProtocolViolation("the metadata is not a map")
    return value


def session_size(opening: dict[str, Any], first: Any) -> tuple[int, int]:
    """(max_tokens, batch) that an opening request asks for, within bounds."""
    max_tokens = opening.get("max_length")
    batch = int(first.tensors[0].size[0]) if first.tensors and len(first.tensors[0].size) == 3 else 1
    if type(max_tokens) is not int or not 0 < max_tokens <= MAX_TOKENS:
        raise ProtocolViolation("max_length must be a number of tokens")
    if not 0 < batch <= MAX_BATCH:
        raise ProtocolViolation(f"a batch has 1 to {MAX_BATCH} sequences")
    return max_tokens, batch
