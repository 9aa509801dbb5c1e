"""The child's end of the pipes that `childproto` describes.

Purpose: frames in and out of a child process that also runs libraries which print. State owned: the two pipe
ends and their threads. Callers: `engines` and `blocks`, nobody else (the node has asyncio's own
subprocess streams).

Why threads and not asyncio's pipe transports: those make the descriptor non-blocking for everyone who
shares it, and a frame must get out (and the node's death be noticed) even while the event loop computes.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
import threading
import time
from collections import deque

from swarm_app.childproto import FROM_NODE, HEADER_BYTES, Message, body_length, decode, encode
from swarm_app.domain.errors import ProtocolViolation

INBOX_MESSAGES = 256
"""Unread messages after which the reader waits and the pipe itself slows the node down."""

OUTBOX_BYTES = 64 * 1024 * 1024
"""Unsent bytes after which the node counts as gone: it has read nothing for several biggest frames."""

END_GRACE_S = 2.0
"""How long a child may clean up after its node is gone : nothing of a household is left behind."""


class ChildPipe:
    """Typed messages over two file descriptors. All methods may be called from any thread.

    `read_fd` and `write_fd` are owned from here on. `known` names what may arrive. With `end_grace_s` the
    whole process exits that many seconds after the other side closed, whatever the event loop is busy
    with; None leaves the end to the caller.
    """

    def __init__(
        self,
        read_fd: int,
        write_fd: int,
        *,
        known: dict[str, type[Message]] = FROM_NODE,
        end_grace_s: float | None = None,
    ) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._known = known
        self._end_grace_s = end_grace_s
        self._inbox: deque[Message | ProtocolViolation] = deque()
        self._in = threading.Condition()
        self._ended = False
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._outbox: deque[bytes] = deque()
        self._out_bytes = 0
        self._out = threading.Condition()
        self._writing = False
        self._broken = False
        self._poll: select.poll | None = None
        if hasattr(select, "poll"):
            self._poll = select.poll()
            self._poll.register(write_fd, select.POLLOUT)
        threading.Thread(target=self._read_frames, name="childpipe-read", daemon=True).start()
        threading.Thread(target=self._write_frames, name="childpipe-write", daemon=True).start()

    @classmethod
    def over_stdio(cls, *, end_grace_s: float | None = END_GRACE_S) -> ChildPipe:
        """Take standard input and output for frames, before anything else has printed.

        Afterwards descriptor 1 is standard error and descriptor 0 is empty, so that neither a library's
        print nor a grandchild's output or read can come between the frames. The duplicates are not
        inherited by exec.
        """
        sys.stdout.flush()
        read_fd, write_fd = os.dup(0), os.dup(1)
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        return cls(read_fd, write_fd, end_grace_s=end_grace_s)

    @property
    def ended(self) -> bool:
        """True once the other side is gone; unread messages may remain."""
        return self._ended

    async def receive(self) -> Message | None:
        """The next message; None, again and again, once the other side has closed.

        Raises ProtocolViolation for a frame that breaks the protocol; the next call goes on with the next
        frame where that is possible. Cancelling loses no message.
        """
        loop = asyncio.get_running_loop()
        while True:
            with self._in:
                if self._inbox:
                    item = self._inbox.popleft()
                    self._in.notify_all()
                    break
                if self._ended:
                    return None
                woken: asyncio.Future[None] = loop.create_future()
                self._waiters.append((loop, woken))
            await woken
        if isinstance(item, ProtocolViolation):
            raise item
        return item

    def send(self, message: Message) -> None:
        """Send in order. Blocks for no longer than it takes to copy; raises ProtocolViolation when too big.

        A small frame goes out at once where the pipe has room (a few microseconds); anything else through the
        writer thread. Once the other side is gone, messages are dropped without a word.
        """
        frame = encode(message)
        with self._out:
            if self._broken:
                return
            idle = not self._outbox and not self._writing
            if idle and self._poll is not None and len(frame) <= select.PIPE_BUF and self._poll.poll(0):
                # POSIX: a pipe reported writable takes PIPE_BUF bytes whole, without blocking.
                try:
                    sent = os.write(self._write_fd, frame)
                except OSError:
                    self._broken = True
                    self._out.notify_all()
                    return
                if sent == len(frame):
                    return
                frame = frame[sent:]
            self._outbox.append(frame)
            self._out_bytes += len(frame)
            if self._out_bytes > OUTBOX_BYTES:
                self._broken = True
            self._out.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything sent is in the pipe; False when it is not within `timeout_s`. Blocks."""
        deadline = time.monotonic() + timeout_s
        with self._out:
            while (self._outbox or self._writing) and not self._broken:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._out.wait(left)
            return not self._broken

    def _write_frames(self) -> None:
        while True:
            with self._out:
                self._writing = False
                self._out.notify_all()
                while not self._outbox and not self._broken:
                    self._out.wait()
                if self._broken:
                    self._outbox.clear()
                    break
                frame = self._outbox.popleft()
                self._out_bytes -= len(frame)
                self._writing = True
            rest = memoryview(frame)
            try:
                while rest:
                    rest = rest[os.write(self._write_fd, rest) :]
            except OSError:
                with self._out:
                    self._broken = True
                    self._writing = False
                    self._outbox.clear()
                    self._out.notify_all()
                break
        # A node that reads no more is as gone as one that writes no more.
        self._end()

    def _read_frames(self) -> None:
        try:
            while (header := self._read_exactly(HEADER_BYTES)) is not None:
                try:
                    length = body_length(header)
                except ProtocolViolation as error:
                    self._deliver(error)
                    return  # where the next frame starts is anybody's guess
                if (body := self._read_exactly(length)) is None:
                    return
                try:
                    item: Message | ProtocolViolation = decode(body, self._known)
                except ProtocolViolation as error:
                    item = error
                self._deliver(item)
        finally:
            self._end()

    def _read_exactly(self, count: int) -> bytes | None:
        pieces: list[bytes] = []
        while count:
            try:
                piece = os.read(self._read_fd, min(count, 1 << 20))
            except OSError:
                return None
            if not piece:
                return None
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def _deliver(self, item: Message | ProtocolViolation) -> None:
        with self._in:
            while len(self._inbox) >= INBOX_MESSAGES:
                self._in.wait()
            self._inbox.append(item)
            self._wake()

    def _end(self) -> None:
        with self._in:
            first = not self._ended
            self._ended = True
            self._wake()
        if first and self._end_grace_s is not None:
            timer = threading.Timer(self._end_grace_s, os._exit, args=(0,))
            timer.daemon = True
            timer.start()

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for loop, woken in waiters:
            try:
                loop.call_soon_threadsafe(_resolve, woken)
            except RuntimeError:
                continue  # that loop is closed: nobody waits there any more


def _resolve(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)
