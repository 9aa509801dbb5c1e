"""One child: started by exec, spoken to in frames, its last words kept, its whole process group ended.

State owned: the pipes and the process group. Callers: `swarm_app.node.keeper`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from swarm_app.childproto import FROM_CHILD, HEADER_BYTES, Message, Shutdown, body_length, decode, encode
from swarm_app.domain.errors import ChildDown, ProtocolViolation

SHUTDOWN_S = 4.0
"""For a child to say goodbye to its peers and end by itself."""

TERMINATE_S = 2.0
"""From SIGTERM to SIGKILL; with SHUTDOWN_S under the ten seconds in which nothing may be left."""

DRAIN_S = 0.5
"""For what a dead child still has in its pipes; a grandchild may hold them open for ever."""

LINE_CHARS = 500
"""Longer lines of standard error are cut."""


class Listener(Protocol):
    """Who is told about a child. Called from the event loop; must not block."""

    def child_started(self, child: ChildProcess) -> None:
        """Once, before every other call; the first frame is on its way."""
        ...

    def child_said(self, message: Message) -> None: ...

    def child_wrote(self, lines: tuple[str, ...]) -> None: ...

    def child_ended(self, how: str, violation: ProtocolViolation | None) -> None:
        """Once, when the process is gone and its pipes are read; no other call follows."""
        ...


class FrameReader:
    """Cuts a stream of bytes into frames. A violation is for ever: there is no way back into step."""

    def __init__(self, known: Mapping[str, type[Message]]) -> None:
        self._known = dict(known)
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are now whole; raises ProtocolViolation."""
        self._buffer += data
        messages: list[Message] = []
        while len(self._buffer) >= HEADER_BYTES:
            end = HEADER_BYTES + body_length(bytes(self._buffer[:HEADER_BYTES]))
            if len(self._buffer) < end:
                break
            body = bytes(self._buffer[HEADER_BYTES:end])
            del self._buffer[:end]
            messages.append(decode(body, self._known))
        return messages


class LineReader:
    """Cuts standard error into lines of bounded length, progress bars (carriage returns) included."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> tuple[str, ...]:
        *whole, self._rest = (self._rest + data.replace(b"\r", b"\n")).split(b"\n")
        if len(self._rest) > 4 * LINE_CHARS:
            whole.append(self._rest)
            self._rest = b""
        return tuple(line for line in map(self._text, whole) if line)

    def finish(self) -> tuple[str, ...]:
        line, self._rest = self._text(self._rest), b""
        return (line,) if line else ()

    @staticmethod
    def _text(raw: bytes) -> str:
        text = "".join(
            c if c.isprintable() else " " for c in raw[: 4 * LINE_CHARS].decode("utf-8", "replace")
        )
        return text.rstrip()[:LINE_CHARS]


class ChildProcess(asyncio.SubprocessProtocol):
    """A running child; `start` makes it."""

    def __init__(self, first: Message, listener: Listener) -> None:
        self._first = encode(first)
        self._listener = listener
        self._frames = FrameReader(FROM_CHILD)
        self._lines = LineReader()
        self._violation: ProtocolViolation | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._open_pipes = {1, 2}
        self._exited = asyncio.Event()
        self._drained = asyncio.Event()
        self._ended = asyncio.Event()
        self._finishing: asyncio.Task[None] | None = None
        self.pid = 0

    @classmethod
    async def start(cls, argv: Sequence[str], first: Message, listener: Listener, cwd: Path) -> None:
        """Exec `argv` in a session of its own and send it `first`; the listener gets the ChildProcess.

        Raises ChildDown where the operating system refuses. The environment is ours, plus what makes Python
        leave last words when native code crashes.
        """
        loop = asyncio.get_running_loop()
        environment = {**os.environ, "PYTHONFAULTHANDLER": "1", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
        try:
            await loop.subprocess_exec(
                lambda: cls(first, listener),
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=cwd,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise ChildDown(f"The process {argv[0]} could not be started: {error.strerror}.") from None

    # ------------------------------------------------ asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()
        self._write(self._first)
        self._listener.child_started(self)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            if lines := self._lines.feed(data):
                self._listener.child_wrote(lines)
            return
        if self._violation is not None:
            return
        try:
            messages = self._frames.feed(data)
        except ProtocolViolation as violation:
            self._violation = violation
            self.kill()
            return
        for message in messages:
            self._listener.child_said(message)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open_pipes.discard(fd)
        if not self._open_pipes:
            self._drained.set()

    def process_exited(self) -> None:
        self._exited.set()
        self._finishing = asyncio.get_running_loop().create_task(self._finish())

    async def _finish(self) -> None:
        # Whatever the child has started itself and left behind ends with it.
        self._signal_group(signal.SIGKILL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                await self._drained.wait()
        assert self._transport is not None
        returncode = self._transport.get_returncode()
        self._transport.close()
        if rest := self._lines.finish():
            self._listener.child_wrote(rest)
        self._ended.set()
        self._listener.child_ended(describe_exit(returncode), self._violation)

    # ------------------------------------------------ the keeper's side

    @property
    def running(self) -> bool:
        return not self._exited.is_set()

    def send(self, message: Message) -> None:
        """Send one frame, in order. A child that is gone misses it; raises ProtocolViolation when too big."""
        self._write(encode(message))

    def _write(self, frame: bytes) -> None:
        if self._transport is None or not self.running:
            return
        stdin = self._transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        if not stdin.is_closing():
            stdin.write(frame)

    async def stop(self, shutdown_s: float = SHUTDOWN_S, terminate_s: float = TERMINATE_S) -> None:
        """Ask, then SIGTERM, then SIGKILL, each to the whole group; returns when the child is gone."""
        self.send(Shutdown())
        if not await self._gone_within(shutdown_s):
            self._signal_group(signal.SIGTERM)
            if not await self._gone_within(terminate_s):
                self._signal_group(signal.SIGKILL)
        await self._ended.wait()

    def kill(self) -> None:
        """SIGKILL to the whole group, now."""
        if self.running:
            self._signal_group(signal.SIGKILL)

    async def _gone_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._exited.wait()
        return not self.running

    def _signal_group(self, number: signal.Signals) -> None:
        # The group's id is the child's pid, which the kernel does not give away while the group has a member.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def describe_exit(returncode: int | None) -> str:
    """An exit for people: ``exit code 3``, ``signal SIGKILL``."""
    if returncode is None:
        return "unknown end"
    if returncode >= 0:
        return f"exit code {returncode}"
    try:
        return f"signal {signal.Signals(-returncode).name}"
    except ValueError:
        return f"signal {-returncode}"
