"""The whole engine process, spoken to in frames as the node does."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from swarm_app.childproto import (
    FROM_CHILD,
    HEADER_BYTES,
    Accepted,
    Cancel,
    ChatMessage,
    Delta,
    Failed,
    Finished,
    Generate,
    Message,
    Progress,
    Ready,
    Resume,
    Sampling,
    Shutdown,
    StartEngine,
    SwarmSeen,
    body_length,
    decode,
    encode,
)

CHECKOUT = Path(__file__).parents[2]

Heard = TypeVar("Heard", bound=Message)


class Engine:
    """The node's side of one engine process."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self.child = child
        self.heard: list[Message] = []
        self.news = asyncio.Condition()
        self.ended = False
        self.stderr = b""
        self.readers = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._read_errors())]

    async def _read(self) -> None:
        assert self.child.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                header = await self.child.stdout.readexactly(HEADER_BYTES)
                body = await self.child.stdout.readexactly(body_length(header))
                async with self.news:
                    self.heard.append(decode(body, FROM_CHILD))
                    self.news.notify_all()
        async with self.news:
            self.ended = True
            self.news.notify_all()

    async def _read_errors(self) -> None:
        assert self.child.stderr is not None
        while piece := await self.child.stderr.read(65536):
            self.stderr += piece

    def say(self, *messages: Message) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(b"".join(map(encode, messages)))

    async def until(self, what: Callable[[], bool], timeout_s: float = 30.0) -> None:
        async with asyncio.timeout(timeout_s), self.news:
            await self.news.wait_for(lambda: what() or self.ended)
        assert what(), (self.heard[-5:], self.stderr[-2000:].decode())

    def of(self, kind: type[Heard], request_id: str | None = None) -> list[Heard]:
        return [
            message
            for message in self.heard
            if isinstance(message, kind) and request_id in (None, getattr(message, "request_id", None))
        ]

    def text(self, request_id: str) -> str:
        return "".join(delta.text for delta in self.of(Delta, request_id))

    async def gone(self, within_s: float) -> int:
        started_s = time.monotonic()
        status = await asyncio.wait_for(self.child.wait(), within_s + 20)
        assert time.monotonic() - started_s < within_s
        return status


@contextlib.asynccontextmanager
async def engine(scenario: str = "plain", context_tokens: int = 2048) -> AsyncIterator[Engine]:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.engines.engine_child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=CHECKOUT,
    )
    made = Engine(child)
    try:
        made.say(StartEngine("", scenario, identity_path="", context_tokens=context_tokens))
        yield made
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
        await asyncio.gather(*made.readers)
        if child.stdin is not None:
            child.stdin.close()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await child.stdin.wait_closed()


@contextlib.asynccontextmanager
async def ready(scenario: str = "plain", context_tokens: int = 2048) -> AsyncIterator[Engine]:
    async with engine(scenario, context_tokens) as made:
        await made.until(lambda: bool(made.of(Ready)))
        yield made


def ask(request_id: str, said: str, **sampling: int | float | None) -> Generate:
    return Generate(request_id, [ChatMessage("user", said)], Sampling(**sampling))  # type: ignore[arg-type]


async def test_a_wake_that_fails_is_told_at_once_and_answers_go_on() -> None:
    async with ready("lame-wake") as made:
        made.say(Resume(moved=True), ask("r1", "A", max_tokens=3))
        await made.until(lambda: bool(made.of(Finished, "r1")))
        async with asyncio.timeout(30):
            while b"unexpected OSError" not in made.stderr:  # noqa: ASYNC110 - a pipe is looked at
                await asyncio.sleep(0.01)
        assert b"secret" not in made.stderr
        assert made.text("r1") == "AAA"


async def test_four_answers_at_once_never_mix_and_one_can_be_cancelled() -> None:
    async with ready() as made:
        assert {p.what for p in made.of(Progress)} >= {"tokenizer", "joining"}
        assert made.of(Ready)[0].memory_bytes > 1_000_000
        for letter in "ABCD":
            made.say(ask(f"r{letter}", letter, max_tokens=60))
        await made.until(lambda: len(made.text("rC")) >= 10)
        made.say(Cancel("rC"))
        await made.until(lambda: len(made.of(Finished)) == 4)
        for letter in "ABD":
            assert made.text(f"r{letter}") == letter * 60
            (finished,) = made.of(Finished, f"r{letter}")
            assert (finished.reason, finished.completion_tokens) == ("length", 60)
        (cancelled,) = made.of(Finished, "rC")
        assert cancelled.reason == "cancelled"
        assert made.text("rC") == "C" * cancelled.completion_tokens
        assert 10 <= cancelled.completion_tokens < 60
        # They took turns: each had begun before any had ended.
        first_end = min(made.heard.index(f) for f in made.of(Finished))
        assert all(made.heard.index(a) < first_end for a in made.of(Accepted))
        # The next one starts at once.
        made.say(ask("next", "E", max_tokens=3))
        await made.until(lambda: bool(made.of(Finished, "next")), 2.0)
        made.say(Shutdown())
        assert await made.gone(4.0) == 0
        assert b"banner" in made.stderr
        assert b"Traceback" not in made.stderr


async def test_cancelling_during_prefill_or_at_once_is_answered() -> None:
    async with ready("slow-prefill") as made:
        made.say(ask("p", "A"))
        await made.until(lambda: bool(made.of(Accepted, "p")))
        made.say(Cancel("p"))
        await made.until(lambda: bool(made.of(Finished, "p")), 2.0)
        made.say(ask("q", "A"), Cancel("q"), Cancel("unknown"))
        await made.until(lambda: bool(made.of(Finished, "q")), 2.0)
        assert [f.reason for f in made.of(Finished)] == ["cancelled", "cancelled"]
        assert all(f.timing is None for f in made.of(Finished))


async def test_refusals_are_told_and_the_engine_goes_on() -> None:
    async with ready(context_tokens=256) as made:
        made.say(ask("long", "x" * 1000))
        made.say(ask("bad", "A", temperature=-1.0))
        made.say(Generate("empty", [], Sampling()))
        made.say(ask("twice", "A", max_tokens=100), ask("twice", "B"))
        made.say(ask("crash", "words!"))
        made.say(StartEngine(model_dir="", name="again", identity_path=""))
        await made.until(lambda: bool(made.of(Finished, "twice")) and len(made.of(Failed)) == 6)
        codes = {failed.request_id: failed.code for failed in made.of(Failed)}
        assert codes == {
            "long": "context_length_exceeded",
            "bad": "bad-request",
            "empty": "bad-request",
            "twice": "bad-request",
            "crash": "internal",
            None: "protocol",
        }
        assert made.text("twice") == "A" * 100
        assert all(failed.message.endswith(".") for failed in made.of(Failed))
        await made.until(lambda: b"unexpected ValueError" in made.stderr or made.ended)
        assert b"in script" in made.stderr
        assert b"secret" not in made.stderr
        assert b"words" not in made.stderr
        made.say(ask("fine", "A", max_tokens=2))
        await made.until(lambda: bool(made.of(Finished, "fine")))


async def test_broken_frames_are_told_and_survived() -> None:
    async with ready() as made:
        assert made.child.stdin is not None
        made.child.stdin.write(b"\0\0\0\3abc" + encode(ask("fine", "A", max_tokens=2)))
        await made.until(lambda: bool(made.of(Finished, "fine")))
        assert [failed.code for failed in made.of(Failed)] == ["protocol"]


async def test_a_request_before_the_model_is_there_is_told_so() -> None:
    async with engine("stuck-start") as made:
        made.say(ask("early", "A"))
        await made.until(lambda: bool(made.of(Failed)))
        assert made.of(Failed)[0].code == "busy"
        made.say(Shutdown())
        assert await made.gone(4.0) == 0


async def test_a_start_that_fails_says_why_and_ends() -> None:
    async with engine("broken") as made:
        await made.until(lambda: bool(made.of(Failed)))
        assert made.of(Failed)[0].request_id is None
        assert await made.gone(4.0) == 1
        await asyncio.gather(*made.readers)
        assert b"unexpected ValueError" in made.stderr
        assert b"secret" not in made.stderr


async def test_the_swarm_is_told_about_at_least_every_two_seconds() -> None:
    async with ready() as made:
        await made.until(lambda: len(made.of(SwarmSeen)) == 1)
        started_s = time.monotonic()
        await made.until(lambda: len(made.of(SwarmSeen)) == 2)
        # Nothing changed in between, so the second came by the clock.
        assert 1.0 < time.monotonic() - started_s < 5.0


async def test_a_change_in_the_swarm_is_told_at_once() -> None:
    async with ready("renaming") as made:
        made.say(ask("a", "A", max_tokens=5))
        await made.until(lambda: len(made.of(SwarmSeen)) == 2)
        assert [seen.peers[0].name for seen in made.of(SwarmSeen)] == ["desk", "attic"]


@pytest.mark.parametrize("scenario", ["plain", "stuck-start", "slow-goodbye", "frozen"])
async def test_without_its_node_the_engine_is_gone_in_two_seconds(scenario: str) -> None:
    async with engine(scenario) as made:
        if scenario == "stuck-start":
            await made.until(lambda: bool(made.of(Progress)))
        else:
            await made.until(lambda: bool(made.of(Ready)))
            made.say(ask("a", "A"))
            await made.until(lambda: len(made.text("a")) >= 5)
        assert made.child.stdin is not None
        made.child.stdin.close()
        await made.gone(4.0)  # with room for a busy computer


@pytest.mark.parametrize("scenario", ["plain", "slow-goodbye"])
async def test_a_polite_signal_ends_it_and_ctrl_c_alone_does_not(scenario: str) -> None:
    async with ready(scenario) as made:
        made.child.send_signal(signal.SIGINT)
        made.say(ask("a", "A"))
        await made.until(lambda: len(made.text("a")) >= 5)
        made.child.send_signal(signal.SIGTERM)
        assert await made.gone(5.0) == 0
        await asyncio.gather(*made.readers)
        assert [f.reason for f in made.of(Finished)] == ["cancelled"]
