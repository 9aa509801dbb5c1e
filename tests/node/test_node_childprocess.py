"""Frames and lines out of byte streams, and how a child ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.childproto import FROM_CHILD, Delta, Listening, Message, Ready, StartEngine, encode
from swarm_app.domain.errors import ChildDown, ProtocolViolation
from swarm_app.node.childprocess import (
    LINE_CHARS,
    ChildProcess,
    FrameReader,
    LineReader,
    describe_exit,
)

FIRST = StartEngine("/m", "N1", "/k")


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(c % (len(data) + 1) for c in cuts)})
    return [data[a:b] for a, b in pairwise(places)]


@given(st.lists(st.text(max_size=20), max_size=6), st.lists(st.integers(0, 10_000), max_size=8))
def test_frames_survive_any_cutting(texts: list[str], cuts: list[int]) -> None:
    sent: list[Message] = [Delta("r", text) for text in texts]
    reader = FrameReader(FROM_CHILD)
    got: list[Message] = []
    for piece in cut(b"".join(encode(message) for message in sent), cuts):
        got += reader.feed(piece)
    assert got == sent


@given(st.binary(max_size=64))
def test_bytes_that_are_no_frames_are_a_violation_or_nothing(data: bytes) -> None:
    reader = FrameReader(FROM_CHILD)
    try:
        reader.feed(data)
    except ProtocolViolation:
        return


@given(st.lists(st.binary(max_size=30), max_size=6), st.lists(st.integers(0, 1000), max_size=8))
def test_lines_are_printable_bounded_and_independent_of_cutting(raw: list[bytes], cuts: list[int]) -> None:
    data = b"\n".join(raw)
    whole, pieces = LineReader(), LineReader()
    expected = (*whole.feed(data), *whole.finish())
    got: list[str] = []
    for piece in cut(data, cuts):
        got += pieces.feed(piece)
    got += pieces.finish()
    assert tuple(got) == expected
    assert all(line and line.isprintable() for line in got)


def test_a_line_without_end_is_cut_and_not_kept() -> None:
    reader = LineReader()
    lines = [line for _ in range(100) for line in reader.feed(b"x" * 1000)]
    assert all(len(line) == LINE_CHARS for line in lines)
    assert 30 < len(lines) <= 50
    assert reader.feed(b"\r 10% \r 20%\rdone\n")[-3:] == (" 10%", " 20%", "done")


def test_ends_are_named() -> None:
    assert describe_exit(3) == "exit code 3"
    assert describe_exit(-9) == "signal SIGKILL"
    assert describe_exit(-200) == "signal 200"
    assert describe_exit(None) == "unknown end"


class Recorder:
    """A listener that writes everything down."""

    def __init__(self) -> None:
        self.child: ChildProcess | None = None
        self.said: list[Message] = []
        self.lines: list[str] = []
        self.how = ""
        self.violation: ProtocolViolation | None = None
        self.ended = asyncio.Event()

    def child_started(self, child: ChildProcess) -> None:
        assert not self.said
        self.child = child

    def child_said(self, message: Message) -> None:
        assert not self.ended.is_set()
        self.said.append(message)

    def child_wrote(self, lines: tuple[str, ...]) -> None:
        assert not self.ended.is_set()
        self.lines += lines

    def child_ended(self, how: str, violation: ProtocolViolation | None) -> None:
        assert not self.ended.is_set()
        self.how, self.violation = how, violation
        self.ended.set()


async def run_child(program: str, tmp_path: Path) -> Recorder:
    recorder = Recorder()
    await ChildProcess.start([sys.executable, "-c", program], FIRST, recorder, tmp_path)
    assert recorder.child is not None
    return recorder


async def test_the_last_frame_and_the_last_words_of_a_dying_child_arrive(tmp_path: Path) -> None:
    frames = encode(Listening("P", [])) + encode(Ready(5))
    program = f"import sys, os; os.write(1, {frames!r}); os.write(2, b'one\\nno line end'); os._exit(3)"
    recorder = await run_child(program, tmp_path)
    await asyncio.wait_for(recorder.ended.wait(), 10)
    assert recorder.said == [Listening("P", []), Ready(5)]
    assert recorder.lines == ["one", "no line end"]
    assert (recorder.how, recorder.violation) == ("exit code 3", None)
    assert recorder.child is not None
    recorder.child.send(Ready())  # nobody there: no error
    await recorder.child.stop()


async def test_native_crashes_leave_last_words(tmp_path: Path) -> None:
    recorder = await run_child("import os; os.abort()", tmp_path)
    await asyncio.wait_for(recorder.ended.wait(), 10)
    assert recorder.how == "signal SIGABRT"
    assert any("Aborted" in line for line in recorder.lines)


async def test_a_grandchild_that_holds_the_pipes_does_not_hide_the_end(tmp_path: Path) -> None:
    # In a session of its own, where the end of the child's group does not reach it.
    program = (
        "import subprocess, sys; sleep = [sys.executable, '-c', 'import time; time.sleep(600)']; "
        "left = subprocess.Popen(sleep, start_new_session=True); "
        "print(left.pid, file=sys.stderr)"
    )
    recorder = await run_child(program, tmp_path)
    await asyncio.wait_for(recorder.ended.wait(), 10)
    assert recorder.how == "exit code 0"
    (grandchild,) = map(int, recorder.lines)
    os.kill(grandchild, signal.SIGKILL)


async def test_a_child_that_reads_nothing_is_still_ended(tmp_path: Path) -> None:
    program = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    recorder = await run_child(program, tmp_path)
    child = recorder.child
    assert child is not None
    for _ in range(50):
        child.send(Delta("r", "x" * 100_000))  # far more than a pipe holds
    await asyncio.wait_for(child.stop(shutdown_s=0.2, terminate_s=0.2), 10)
    assert recorder.how == "signal SIGKILL"


async def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ChildDown, match="could not be started"):
        await ChildProcess.start([str(tmp_path / "nothing")], FIRST, Recorder(), tmp_path)
