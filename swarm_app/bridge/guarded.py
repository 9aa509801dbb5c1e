"""hivemind's P2P with the gate in it: nobody is answered, and nobody is asked, before the handshake.

All of hivemind and Petals goes through the methods overridden here. A stranger's request is refused before it
is read, and so is a member's that is too long: calls by `intake`, streams here (hivemind's own handler of
streams reads whatever length it is told).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

from hivemind.p2p import P2P, P2PContext, PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto.p2pd_pb2 import RPCError

from swarm_app.bridge.gate import Gate
from swarm_app.bridge.intake import Intake
from swarm_app.bridge.limits import MAX_STEP_BYTES, PREFETCHED_STEPS, PeerLimit
from swarm_app.bridge.refusals import refusal_in, wire_error
from swarm_app.domain.errors import HomeswarmError, ProtocolViolation
from swarm_app.membership.errors import NotCertified, Removed

FAREWELL_S = 1.0
"""Telling a peer why its stream ends may take this long."""

FAREWELL_BYTES = 4096
MAX_FAREWELLS = 32
"""Streams that are kept open for that; a flood of strangers is hung up on, and keeps no descriptors busy."""

_UNKNOWN = {NotCertified.code, Removed.code}
"""How a peer says that it does not know us, or not any more."""


def unknown_there(error: BaseException) -> bool:
    """Whether a call failed because the peer does not know us: it has started anew, or we are out."""
    if not isinstance(error, P2PHandlerError):
        return False
    refused = refusal_in(str(error))
    return refused is not None and refused[0] in _UNKNOWN


class GuardedP2P(P2P):  # type: ignore[misc]
    """Make it with `create`, then `guard` it, and open the gate."""

    gate: Gate

    async def guard(self, gate: Gate) -> None:
        """From now on read only what `gate` lets in. Nothing may be offered to others before this."""
        self.gate = gate
        control = self._client.control
        # In place of hivemind's own connection, which nothing has come over yet. p2pd ends with its last one.
        reader, writer = await control.daemon_connector.open_persistent_connection()
        old = (control._read_task, control._write_task)
        intake = Intake(reader, control._pending_messages, gate.look)
        control._read_task = asyncio.create_task(control._read_from_persistent_conn(intake))
        control._write_task = asyncio.create_task(control._write_to_persistent_conn(writer))
        for task in old:
            task.cancel()
        await asyncio.gather(*old, return_exceptions=True)

    async def _add_protobuf_unary_handler(
        self, handle_name: str, handler: Any, input_protobuf_type: Any, balanced: bool = False
    ) -> None:
        async def answer(data: bytes, peer: PeerID) -> bytes:
            try:
                self.gate.enter(peer)
            except HomeswarmError as error:
                raise wire_error(error) from None
            context = P2PContext(handle_name=handle_name, local_id=self.peer_id, remote_id=peer)
            response = await handler(input_protobuf_type.FromString(data), context)
            return bytes(response.SerializeToString())

        await self._client.add_unary_handler(handle_name, answer, balanced=balanced)

    async def _add_protobuf_stream_handler(
        self,
        name: str,
        handler: Any,
        input_protobuf_type: Any,
        max_prefetch: int = PREFETCHED_STEPS,
        balanced: bool = False,
    ) -> None:
        async def serve(info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            context = P2PContext(handle_name=name, local_id=self.peer_id, remote_id=info.peer_id)
            await _Served(reader, writer, input_protobuf_type.FromString).run(
                self.gate, info.peer_id, lambda requests: handler(requests, context)
            )

        await super().add_binary_stream_handler(name, serve, balanced=balanced)

    async def add_binary_stream_handler(self, name: str, handler: Any, balanced: bool = False) -> None:
        raise NotImplementedError("streams of bytes are not guarded, and nothing here offers one")

    async def _call_unary_protobuf_handler(
        self, peer_id: PeerID, handle_name: str, input: Any, output_protobuf_type: Any
    ) -> Any:
        await self.gate.meet(peer_id)
        call = super()._call_unary_protobuf_handler
        try:
            return await call(peer_id, handle_name, input, output_protobuf_type)
        except P2PHandlerError as error:
            if not unknown_there(error):
                raise
        await self.gate.meet(peer_id, anew=True)
        return await call(peer_id, handle_name, input, output_protobuf_type)

    async def call_binary_stream_handler(self, peer_id: PeerID, handler_name: str) -> Any:
        peer = await self.gate.meet(peer_id)
        info, reader, writer = await super().call_binary_stream_handler(peer_id, handler_name)
        peer.opened.add(writer)
        return info, reader, writer


class _Served:
    """One stream that a peer has opened: requests in, responses out, until a side or the gate ends it."""

    farewells = 0
    """Of all streams, in the making."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, parse: Callable[[bytes], Any]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._parse = parse
        self._requests: asyncio.Queue[Any] = asyncio.Queue(PREFETCHED_STEPS)
        self._ended: asyncio.Future[HomeswarmError] = asyncio.get_running_loop().create_future()

    def end(self, error: HomeswarmError) -> None:
        if not self._ended.done():
            self._ended.set_result(error)

    async def run(
        self, gate: Gate, peer: PeerID, handler: Callable[[AsyncIterator[Any]], AsyncGenerator[Any, None]]
    ) -> None:
        with contextlib.closing(self._writer):
            try:
                admitted = gate.enter_session(peer, self)
            except HomeswarmError as error:
                await self._refuse(wire_error(error))
                return
            responding = asyncio.create_task(self._respond(handler(self._iterate())))
            reading = asyncio.create_task(self._read())
            ends: set[asyncio.Future[Any]] = {responding, reading, self._ended}
            try:
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                failure: BaseException | None = None
                if self._ended.done():
                    failure = wire_error(self._ended.result())
                elif responding.done():
                    failure = responding.exception()
                elif isinstance(broken := reading.exception(), HomeswarmError):
                    failure = wire_error(broken)
            finally:
                admitted.sessions.discard(self)
                self._ended.cancel()
                for task in (responding, reading):
                    task.cancel()
                # The handler gives its memory back before this is over.
                await asyncio.gather(responding, reading, return_exceptions=True)
                with contextlib.suppress(asyncio.QueueFull):
                    # For the task that Petals leaves waiting for the next request.
                    self._requests.put_nowait(self._parse(b""))
            if failure is not None:
                await self._refuse(failure)

    async def _refuse(self, error: BaseException) -> None:
        """Tell the caller, and read what it still sends: p2pd drops what we said if we hang up on it."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(FAREWELL_S):
                await P2P.send_protobuf(RPCError(message=str(error)), self._writer)
                if _Served.farewells >= MAX_FAREWELLS:
                    return
                _Served.farewells += 1
                try:
                    while await self._reader.read(FAREWELL_BYTES):
                        pass
                finally:
                    _Served.farewells -= 1

    async def _iterate(self) -> AsyncIterator[Any]:
        while (request := await self._requests.get()) is not None:
            yield request

    async def _respond(self, responses: AsyncGenerator[Any, None]) -> None:
        # Closed here and now, and not when somebody collects it: it holds the session's memory.
        async with contextlib.aclosing(responses):
            async for response in responses:
                try:
                    await P2P.send_protobuf(response, self._writer)
                except OSError:
                    return  # the caller is gone

    async def _read(self) -> None:
        """Until the caller is gone (a normal end) or breaks the protocol."""
        try:
            while True:
                marker = await self._reader.readexactly(1)
                length = int.from_bytes(await self._reader.readexactly(P2P.HEADER_LEN), P2P.BYTEORDER)
                if length > MAX_STEP_BYTES:
                    raise PeerLimit(f"A message of {length} bytes is over {MAX_STEP_BYTES}.")
                body = await self._reader.readexactly(length)
                if marker == P2P.ERROR_MARKER:
                    await self._requests.put(None)  # the caller's end of the stream
                elif marker == P2P.MESSAGE_MARKER:
                    await self._requests.put(self._parsed(body))
                else:
                    raise ProtocolViolation("A message of a stream is of no known kind.")
        except (asyncio.IncompleteReadError, OSError):
            return

    def _parsed(self, body: bytes) -> Any:
        try:
            return self._parse(body)
        except Exception:  # noqa: BLE001 - protobuf's own
            raise ProtocolViolation("A message of a stream is not what its name says.") from None
