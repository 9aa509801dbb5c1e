"""An engine told to the node in frames, whichever it is: its start, its answers, what it sees, its end.

State owned: the answers in flight, and the engine until the process ends. Callers: the entry points
`engines.process` and `engines.local.process`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import gc
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, NoReturn

from swarm_app import childloop
from swarm_app.childmembership import MembershipLine
from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import (
    Cancel,
    Failed,
    Finished,
    Generate,
    LocalSeen,
    Membership,
    Message,
    Prepared,
    PrepareEngine,
    Progress,
    Ready,
    Resume,
    Shutdown,
    StartEngine,
    StartLocal,
    SwarmSeen,
)
from swarm_app.domain.errors import BadRequest, Busy, HomeswarmError, ProtocolViolation
from swarm_app.engines.contract import CutOff, Engine, ProgressCallback

MAX_ANSWERS = 32
"""Answers at once; more would only take turns."""

SEEN_EVERY_S = 2.0
SEEN_LOOK_S = 0.2
"""The view of the swarm is looked at this often and sent when it changed, or after SEEN_EVERY_S."""

SEEN_LOOK_ANSWERING_S = 0.05
"""The same during an answer: who is missing then is waited for by a person."""

CLEANUP_S = 2.0
"""Saying goodbye to the swarm may take this long."""

EngineStarter = Callable[[Any, ProgressCallback], Awaitable[Engine]]
"""From the first frame to an engine that can answer."""

Preparer = Callable[[StartEngine, ProgressCallback], Awaitable[None]]
"""Loads what does not need the swarm, for the start that comes later."""


def serve(
    pipe: ChildPipe,
    kind: type[StartEngine] | type[StartLocal],
    start: EngineStarter,
    line: MembershipLine | None = None,
    prepare: Preparer | None = None,
) -> NoReturn:
    """Serve with the engine that `start` makes of a first frame of `kind`; as `run` does."""
    # Ctrl-C in a terminal reaches every process of the group; the node alone decides what ends when.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    childloop.prepare()
    loop = childloop.new_event_loop()
    status = loop.run_until_complete(_EngineProcess(pipe, kind, start, line, prepare).serve())
    pipe.flush(CLEANUP_S)
    sys.stderr.flush()
    os._exit(status)


class _EngineProcess:
    def __init__(
        self,
        pipe: ChildPipe,
        kind: type[StartEngine] | type[StartLocal],
        start: EngineStarter,
        line: MembershipLine | None,
        prepare: Preparer | None,
    ) -> None:
        self._pipe = pipe
        self._prepare = prepare
        self._line = line
        self._kind = kind
        self._starter = start
        self._engine: Engine | None = None
        self._answers: dict[str, asyncio.Task[None]] = {}
        self._resuming: set[asyncio.Future[None]] = set()

    async def serve(self) -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_report_loop_error)
        stopping = asyncio.Event()
        loop.add_signal_handler(signal.SIGTERM, stopping.set)
        stopped = asyncio.ensure_future(stopping.wait())
        working = asyncio.ensure_future(self._work())
        try:
            await asyncio.wait({stopped, working}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else 0
        finally:
            await self._clean_up(working, stopped)

    async def _work(self) -> int:
        """Until Shutdown or the end of the pipe (0), or until starting failed (1)."""
        start = await self._receive()
        preparing: asyncio.Future[None] | None = None
        if isinstance(start, PrepareEngine) and self._prepare is not None:
            preparing = asyncio.ensure_future(self._prepared(self._prepare, start.start))
            receiving = asyncio.ensure_future(self._receive())
            await asyncio.wait({preparing, receiving}, return_when=asyncio.FIRST_COMPLETED)
            if not receiving.done() and (error := preparing.exception()) is not None:
                receiving.cancel()
                assert isinstance(error, Exception)
                self._fail(None, error)
                return 1
            start = await receiving
        if start is None or isinstance(start, Shutdown):
            return 0
        if not isinstance(start, self._kind):
            self._fail(None, ProtocolViolation(f"This engine starts with {self._kind.__name__}."))
            return 1
        starting = asyncio.ensure_future(self._start(start))
        listening = asyncio.ensure_future(self._listen())
        tasks: set[asyncio.Future[Any]] = {starting, listening}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if preparing is not None:
                tasks.add(preparing)
            if not listening.done():
                try:
                    starting.result()
                except Exception as error:  # noqa: BLE001
                    # The last place where anything that went wrong in starting can be told.
                    self._fail(None, error)
                    return 1
                telling = asyncio.ensure_future(self._tell_what_is_seen())
                tasks.add(telling)
                await asyncio.wait({telling, listening}, return_when=asyncio.FIRST_COMPLETED)
                if not listening.done():
                    telling.result()
            return await listening
        except Exception as error:  # noqa: BLE001
            self._fail(None, error)
            return 1
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _progress(self, what: str, done: int, total: int) -> None:
        self._pipe.send(Progress(what, done, total))

    async def _prepared(self, prepare: Preparer, start: StartEngine) -> None:
        await prepare(start, self._progress)
        self._pipe.send(Prepared(memory_bytes()))

    async def _start(self, start: Message) -> None:
        engine = await self._starter(start, self._progress)
        # What is loaded stays for good: no collection of garbage needs to look through it in an answer.
        gc.collect()
        gc.freeze()
        if (listening := engine.listening()) is not None:
            self._pipe.send(listening)
        self._engine = engine
        self._pipe.send(Ready(memory_bytes=memory_bytes()))

    async def _listen(self) -> int:
        while (message := await self._receive()) is not None:
            match message:
                case Generate():
                    self._take(message)
                case Cancel():
                    # Unknown ids are answers that ended a moment ago.
                    if (task := self._answers.get(message.request_id)) is not None:
                        task.cancel()
                case Resume(moved):
                    if self._engine is not None:
                        resuming = asyncio.ensure_future(self._engine.resume(moved=moved))
                        self._resuming.add(resuming)
                        resuming.add_done_callback(self._resumed)
                case Membership() if self._line is not None:
                    self._line.take(message)
                case Shutdown():
                    return 0
                case _:
                    self._fail(None, ProtocolViolation("An engine does not take this message."))
        return 0

    def _resumed(self, resuming: asyncio.Future[None]) -> None:
        self._resuming.discard(resuming)
        if not resuming.cancelled() and (error := resuming.exception()) is not None:
            report_unexpected(error)  # the answers go on by what was known before

    async def _receive(self) -> Message | None:
        while True:
            try:
                return await self._pipe.receive()
            except ProtocolViolation as error:
                self._fail(None, error)

    def _take(self, request: Generate) -> None:
        received_s = time.monotonic()
        request_id = request.request_id
        if request_id in self._answers:
            self._fail(request_id, BadRequest("This request is being answered already."))
        elif self._engine is None:
            self._fail(request_id, Busy("The engine is still starting."))
        elif len(self._answers) >= MAX_ANSWERS:
            self._fail(request_id, Busy(f"{MAX_ANSWERS} answers are in the making already."))
        else:
            task = asyncio.ensure_future(self._answer(request, self._engine, received_s))
            self._answers[request_id] = task
            task.add_done_callback(functools.partial(self._forget, request_id))

    def _forget(self, request_id: str, task: asyncio.Task[None]) -> None:
        if self._answers.get(request_id) is task:
            del self._answers[request_id]
        if task.cancelled():  # before its first step, so that it could not say so itself
            self._pipe.send(Finished(request_id, "cancelled", 0, 0, [], None))

    async def _answer(self, request: Generate, engine: Engine, received_s: float) -> None:
        async def emit(message: Message) -> None:
            if isinstance(message, Finished) and message.reason == "cancelled" and self._line is not None:
                removal = self._line.removal()
                if removal is not None:
                    # Nobody has asked for this end: the node stops a child of a computer that is out.
                    so_far = dataclasses.replace(message, reason="failed")
                    self._fail(message.request_id, removal, CutOff(removal, so_far, ""))
                    return
            self._pipe.send(message)

        try:
            await engine.answer(request, emit, received_s)
        except CutOff as cut:
            self._fail(request.request_id, cut.error, cut)
        except Exception as error:  # noqa: BLE001
            # One answer's failure must not end the others, whatever it was.
            self._fail(request.request_id, error)

    async def _tell_what_is_seen(self) -> None:
        assert self._engine is not None
        told: SwarmSeen | LocalSeen | None = None
        told_s = 0.0
        while True:
            seen = self._engine.seen()
            now_s = time.monotonic()
            due = now_s - told_s >= SEEN_EVERY_S or (isinstance(seen, SwarmSeen) and seen.changes)
            if due or _gist(seen) != _gist(told):
                self._pipe.send(seen)
                told, told_s = seen, now_s
            await asyncio.sleep(SEEN_LOOK_ANSWERING_S if self._answers else SEEN_LOOK_S)

    def _fail(self, request_id: str | None, error: Exception, cut: CutOff | None = None) -> None:
        if not isinstance(error, HomeswarmError):
            report_unexpected(error)
            error = HomeswarmError(
                "Something unexpected went wrong in the engine.",
                remedy="Ask again; the engine's last lines in the log say what it was.",
            )
        so_far, held = (cut.so_far, cut.held) if cut else (None, "")
        self._pipe.send(Failed(request_id, error.code, error.message, error.remedy, so_far, held))

    async def _clean_up(self, *tasks: asyncio.Future[Any]) -> None:
        """End answers, then leave the swarm; both within CLEANUP_S."""
        # Should even the loop itself be stuck.
        last_resort = threading.Timer(CLEANUP_S + 1.0, os._exit, args=(1,))
        last_resort.daemon = True
        last_resort.start()
        try:
            async with asyncio.timeout(CLEANUP_S):
                pending: list[asyncio.Future[Any]] = [*tasks, *self._answers.values(), *self._resuming]
                for task in pending:
                    task.cancel()
                await asyncio.gather(*pending, return_exceptions=True)
                if self._engine is not None:
                    await self._engine.close()
        except TimeoutError:
            sys.stderr.write("leaving the swarm took too long; left without a goodbye\n")
        except Exception as error:  # noqa: BLE001
            report_unexpected(error)


def _gist(seen: SwarmSeen | LocalSeen | None) -> object:
    """What makes a report another one; timings, memory and free room wobble all the time."""
    if seen is None:
        return None
    if isinstance(seen, LocalSeen):
        return seen.answers
    peers = [
        dataclasses.replace(
            peer,
            compute_s=None,
            round_trip_s=None,
            cache_tokens_left=None,
            since_s=None,
            avoided_s=None if peer.avoided_s is None else 0.0,
        )
        for peer in seen.peers
    ]
    return seen.num_blocks, seen.doubt, peers


def memory_bytes() -> int:
    """What this process holds of the computer's memory."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def report_unexpected(error: BaseException) -> None:
    """An error's kind and place to standard error; never its text, which may quote a conversation."""
    lines = [f"unexpected {type(error).__name__}"]
    current: BaseException | None = error
    while current is not None:
        lines += _places(current.__traceback__)
        current = current.__cause__ or current.__context__
        if current is not None:
            lines.append(f"after {type(current).__name__}")
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()


def _places(where: TracebackType | None) -> list[str]:
    return [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(where)]


def _report_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if isinstance(error, BaseException):
        report_unexpected(error)
    else:
        sys.stderr.write(f"event loop: {context.get('message', 'an error')}\n")
