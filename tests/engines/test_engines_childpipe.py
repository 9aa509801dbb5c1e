"""The child's end of the pipes: order, bounds, the other side's death."""

from __future__ import annotations

import asyncio
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import (
    FROM_CHILD,
    Cancel,
    Delta,
    Shutdown,
    body_length,
    decode,
    encode,
)
from swarm_app.domain.errors import ProtocolViolation


class Rig:
    """A ChildPipe and the node's ends of its pipes."""

    def __init__(self) -> None:
        child_in, self.to_child = os.pipe()
        self.from_child, child_out = os.pipe()
        self.pipe = ChildPipe(child_in, child_out)

    def say(self, data: bytes) -> None:
        os.write(self.to_child, data)

    def hear(self) -> object:
        length = body_length(self._exactly(4))
        return decode(self._exactly(length), FROM_CHILD)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = os.read(self.from_child, count - len(data))
            assert piece
            data += piece
        return data

    def hang_up(self) -> None:
        for name in ("to_child", "from_child"):
            fd = getattr(self, name)
            if fd >= 0:
                os.close(fd)
                setattr(self, name, -1)


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.hang_up()


async def test_messages_arrive_in_order_and_then_none(rig: Rig) -> None:
    frames = b"".join(encode(Cancel(str(n))) for n in range(300)) + encode(Shutdown())
    threading.Thread(target=rig.say, args=(frames,), daemon=True).start()
    for n in range(300):
        assert await rig.pipe.receive() == Cancel(str(n))
    assert await rig.pipe.receive() == Shutdown()
    rig.hang_up()
    assert await rig.pipe.receive() is None
    assert await rig.pipe.receive() is None
    assert rig.pipe.ended


async def test_a_cancelled_receive_loses_nothing(rig: Rig) -> None:
    waiting = asyncio.ensure_future(rig.pipe.receive())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    rig.say(encode(Cancel("a")))
    assert await rig.pipe.receive() == Cancel("a")


async def test_a_broken_frame_is_an_error_and_the_next_one_arrives(rig: Rig) -> None:
    rig.say(struct.pack(">I", 5) + b"nope!" + encode(Delta("x", "y")) + encode(Shutdown()))
    with pytest.raises(ProtocolViolation):
        await rig.pipe.receive()
    with pytest.raises(ProtocolViolation):
        await rig.pipe.receive()
    assert await rig.pipe.receive() == Shutdown()


async def test_a_frame_over_the_limit_ends_the_stream(rig: Rig) -> None:
    rig.say(struct.pack(">I", 1 << 31) + b"x")
    with pytest.raises(ProtocolViolation):
        await rig.pipe.receive()
    assert await rig.pipe.receive() is None


async def test_small_and_big_frames_keep_their_order(rig: Rig) -> None:
    big = "long " * 100_000  # far more than a pipe holds
    for n in range(20):
        rig.pipe.send(Delta(str(n), big if n % 5 == 2 else "short"))
    for n in range(20):
        heard = rig.hear()
        assert heard == Delta(str(n), big if n % 5 == 2 else "short")
    assert rig.pipe.flush(5.0)


async def test_sending_never_waits_for_a_node_that_does_not_read(rig: Rig) -> None:
    started = time.monotonic()
    for n in range(2000):
        rig.pipe.send(Delta(str(n), "x" * 100))
    assert time.monotonic() - started < 2.0
    assert not rig.pipe.flush(0.01)
    for n in range(2000):
        assert rig.hear() == Delta(str(n), "x" * 100)
    assert rig.pipe.flush(5.0)


async def test_a_node_that_is_gone_swallows_messages(rig: Rig) -> None:
    rig.hang_up()
    for _ in range(10):
        rig.pipe.send(Delta("a", "b" * 10_000))
    assert await rig.pipe.receive() is None
    assert not rig.pipe.flush(1.0)


NOISY = """
import asyncio, subprocess, sys
from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import Delta
pipe = ChildPipe.over_stdio()
print("a library's banner")
code = "import sys; print('a grandchild', len(sys.stdin.read()))"
subprocess.run([sys.executable, "-c", code], check=True)
async def main():
    got = await pipe.receive()
    print("and more")
    pipe.send(Delta(got.request_id, "clean"))
    while await pipe.receive() is not None:
        pass
asyncio.run(main())
pipe.flush(1.0)
"""


def test_what_libraries_and_grandchildren_print_stays_off_the_frames() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOISY], input=encode(Cancel("q")), capture_output=True, timeout=30, check=True
    )
    assert done.stdout == encode(Delta("q", "clean"))
    assert b"a library's banner" in done.stderr
    assert b"a grandchild 0" in done.stderr


STUCK = """
import time
from swarm_app.childpipe import ChildPipe
pipe = ChildPipe.over_stdio(end_grace_s=0.3)
print("up", flush=True)
while True:
    time.sleep(60)
"""


def test_a_child_too_busy_to_listen_still_ends_after_its_node() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", STUCK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert child.stderr is not None
        assert child.stderr.readline() == b"up\n"
        started = time.monotonic()
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(timeout=10) == 0
        assert time.monotonic() - started < 2.0
    finally:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                stream.close()
