"""The block process: serve one span to the swarm until told to stop.

Heavy imports wait until the pipe is taken: what a library prints while it is imported must not come
between the frames.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import traceback
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm_app import childloop
from swarm_app.childmembership import MembershipLine
from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import (
    Announce,
    Drained,
    Failed,
    Goodnight,
    Listening,
    Membership,
    PrepareBlocks,
    Prepared,
    Priority,
    Progress,
    Ready,
    Resume,
    Serving,
    Shutdown,
    StartBlocks,
    Surroundings,
)
from swarm_app.domain.errors import BadRequest, HomeswarmError, ProtocolViolation
from swarm_app.domain.pause import ASLEEP, FAREWELLS, LEFT
from swarm_app.domain.span import Span

if TYPE_CHECKING:
    from swarm_app.blocks.compute import ComputeThread
    from swarm_app.blocks.host import Host
    from swarm_app.blocks.serving import Presence
    from swarm_app.bridge.swarm import Swarm
    from swarm_app.models.store import StoredModel

SERVING_EVERY_S = 2.0
"""The node hears of the sessions at least this often."""

LEAVE_S = 1.0
"""On a stop the sessions have this long to move to others."""

DRAIN_S = 3.0
"""Before a sleep they have this long: logind's delay is 5 s by default, and withdrawing takes some."""

CLEANUP_S = 1.0
"""Closing the network process may take this long after that."""

MEMORY_SHARE = 0.5
"""Of the free memory, what a span chosen by ourselves may take: people also use this computer."""


def main() -> int:
    """The child's entry point. Does not return: ends the process without waiting for library threads."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = ChildPipe.over_stdio(end_grace_s=LEAVE_S + CLEANUP_S)
    childloop.prepare()
    with asyncio.Runner(loop_factory=childloop.new_event_loop) as runner:
        status = runner.run(_serve(pipe))
    pipe.flush(CLEANUP_S)
    sys.stderr.flush()
    os._exit(status)


async def _serve(pipe: ChildPipe) -> int:
    try:
        first = await pipe.receive()
        if first is None or isinstance(first, Shutdown):
            return 0
        if not isinstance(first, StartBlocks | PrepareBlocks):
            raise ProtocolViolation("A blocks child starts with StartBlocks.")
        stopping = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
        process = _BlockProcess(pipe, first)
        work = asyncio.ensure_future(process.run())
        ends = [asyncio.ensure_future(process.listen()), asyncio.ensure_future(stopping.wait())]
        await asyncio.wait({work, *ends}, return_when=asyncio.FIRST_COMPLETED)
        failed = work.done() and not work.cancelled() and work.exception() is not None
        if not failed:
            await process.leave()
        refused = ends[0].exception() if ends[0].done() else None
        for task in (work, *ends):
            task.cancel()
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):
            async with asyncio.timeout(CLEANUP_S):
                await asyncio.gather(work, *ends, return_exceptions=True)
        if failed:
            work.result()
        if refused is not None:
            raise refused
    except HomeswarmError as error:
        pipe.send(Failed(None, error.code, error.message, error.remedy))
        return 1
    except Exception:  # noqa: BLE001 - the last place where anything that went wrong can be told
        traceback.print_exc()
        pipe.send(Failed(None, "internal", "The block server met an error of its own.", ""))
        return 1
    return 0


class _BlockProcess:
    def __init__(self, pipe: ChildPipe, first: StartBlocks | PrepareBlocks) -> None:
        self._pipe = pipe
        self._started: asyncio.Future[StartBlocks] = asyncio.get_running_loop().create_future()
        self._preparing: asyncio.Task[Host | None] | None = None
        if isinstance(first, PrepareBlocks):
            self._start = first.start
            self._preparing = asyncio.create_task(self._prepare())
        else:
            self._start = first
            self._started.set_result(first)
        self._changed = asyncio.Event()
        self._line = MembershipLine(pipe.send)
        self._presence: Presence | None = None
        self._hosts: list[str] | None = None
        self._compute: ComputeThread | None = None
        self._low = False
        self._draining: asyncio.Task[None] | None = None
        self._aside: set[asyncio.Task[None]] = set()
        """What the next message does not wait for."""

    async def listen(self) -> None:
        """Do what the node says; returns at Shutdown, or when the node is gone."""
        while True:
            match await self._pipe.receive():
                case None | Shutdown():
                    return
                case StartBlocks() as start if not self._started.done():
                    self._started.set_result(start)
                case Goodnight(cause, own):
                    # Said again where the cause is another one, or our own engine came later.
                    if self._draining is not None:
                        self._draining.cancel()
                    self._draining = self._run_aside(self._drain(cause, own))
                case Priority(low):
                    self._low = low
                    if self._compute is not None:
                        self._compute.lower(low)
                case Announce(hosts):
                    self._hosts = hosts
                    if self._presence is not None:
                        self._presence.reached_at(hosts)
                case Surroundings(power, link):
                    if self._presence is not None:
                        self._presence.runs_on(power, link)
                case Membership() as membership:
                    self._line.take(membership)
                    if self._presence is not None:
                        self._line.check_hosting()
                case Resume():
                    if self._draining is not None:
                        self._draining.cancel()
                        self._draining = None
                    if self._presence is not None:
                        # Dialling the others anew takes a while, and the next message may be a Goodnight.
                        self._run_aside(self._presence.resume())
                case _:
                    raise ProtocolViolation("A blocks child does not take this message.")

    def _run_aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._aside.add(task)
        task.add_done_callback(self._ended_aside)
        return task

    def _ended_aside(self, task: asyncio.Task[None]) -> None:
        self._aside.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            traceback.print_exception(error)  # serving goes on

    async def leave(self) -> None:
        """Say goodbye to the swarm, for LEAVE_S at most."""
        if self._presence is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_S):
                    await self._presence.leave(LEFT, LEAVE_S)

    async def run(self) -> None:
        if self._preparing is not None:
            either: set[asyncio.Future[Any]] = {self._preparing, self._started}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._preparing.done():
                self._preparing.result()
        start = self._start = await self._started
        self._hosts = start.announce_hosts
        from swarm_app.bridge.swarm import Swarm
        from swarm_app.models.store import open_model

        model = open_model(Path(start.model_dir))
        swarm = await Swarm.open(
            identity_path=Path(start.identity_path),
            initial_peers=start.initial_peers,
            listen_host=start.listen_host,
            listen_port=start.listen_port,
            gate=self._line.gate(start.swarm_id),
        )
        try:
            self._line.check_hosting()
            self._pipe.send(Listening(swarm.peer_id, await swarm.addresses()))
            await self._host_span(swarm, model)
        finally:
            await swarm.close()

    async def _prepare(self) -> Host | None:
        """While there is no swarm: load what the start needs, the span too where one is named and there is
        memory to spare."""
        # What hosting and serving need, beside what they name.
        from swarm_app.blocks import serving  # noqa: F401
        from swarm_app.blocks.host import Host  # noqa: F401
        from swarm_app.host.allowance import has_spare
        from swarm_app.models.manifest import block_file
        from swarm_app.models.store import open_model

        host: Host | None = None
        model = open_model(Path(self._start.model_dir))
        span = self._named_span(model)
        if span is not None and has_spare(
            sum(model.manifest.entry(block_file(index)).size for index in span.blocks)
        ):
            host = await self._load(model, span)
        self._pipe.send(Prepared(_resident_bytes()))
        return host

    async def _host_span(self, swarm: Swarm, model: StoredModel) -> None:
        from swarm_app.blocks.serving import Presence
        from swarm_app.domain.errors import SwarmUnavailable

        span = await self._choose_span(swarm, model)
        presence = self._presence = Presence(swarm, model, span, self._start.name, self._hosts)
        tasks = [asyncio.ensure_future(presence.keep_announcing()), asyncio.ensure_future(swarm.ended())]
        host: Host | None = None
        try:
            host = await self._prepared(span) or await self._load(model, span)
            # What is loaded stays for good: no collection of garbage needs to look through it in a step.
            gc.collect()
            gc.freeze()
            await presence.serve(host, idle_s=self._start.session_idle_s)
            self._pipe.send(Ready(_resident_bytes()))
            tasks.append(asyncio.ensure_future(self._keep_telling(host)))
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            raise SwarmUnavailable("The swarm's network process has ended.")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if host is not None:
                host.close()

    async def _drain(self, cause: str, own: list[str]) -> None:
        left = 0
        if self._presence is not None:
            left = await self._presence.leave(cause if cause in FAREWELLS else ASLEEP, DRAIN_S, own)
        self._pipe.send(Drained(left))

    async def _keep_telling(self, host: Host) -> None:
        while True:
            self._changed.clear()
            self._tell(host)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SERVING_EVERY_S):
                    await self._changed.wait()
            await asyncio.sleep(0.05)

    def _named_span(self, model: StoredModel) -> Span | None:
        """The span that the node has named; None where the swarm is to be looked at."""
        if not self._start.span_end:
            return None
        span, num_blocks = Span(self._start.span_start, self._start.span_end), model.manifest.num_blocks
        if span.end > num_blocks:
            raise BadRequest(
                f"The model {model.name} has {num_blocks} blocks; {span} reaches past them.",
                remedy=f"Choose a span inside 0:{num_blocks}.",
            )
        return span

    async def _prepared(self, span: Span) -> Host | None:
        """What was loaded beforehand. It stays where it is: nothing is loaded twice."""
        host = await self._preparing if self._preparing is not None else None
        if host is not None and host.span != span:
            raise ProtocolViolation(f"The blocks {host.span} were prepared, and {span} are to be served.")
        return host

    async def _choose_span(self, swarm: Swarm, model: StoredModel) -> Span:
        if (named := self._named_span(model)) is not None:
            return named
        num_blocks = model.manifest.num_blocks
        from swarm_app.blocks.capacity import capacity_blocks
        from swarm_app.bridge.records import read_roll
        from swarm_app.routing.cost import ONLINE, PeerOffer
        from swarm_app.routing.coverage import JOINING, choose_span

        roll = await read_roll(swarm)
        offers = [
            PeerOffer(
                peer=record.peer_id,
                name=record.name,
                span=record.span,
                state=ONLINE if record.online else JOINING,
                compute_s_per_block=record.seconds_per_block,
            )
            for record in (roll.servers if roll is not None else ())
            if record.model_id == model.model_id and not record.leaving
        ]
        capacity = capacity_blocks(model, self._start.cache_tokens, MEMORY_SHARE)
        return choose_span(offers, num_blocks, capacity, without=swarm.peer_id)

    async def _load(self, model: StoredModel, span: Span) -> Host:
        from swarm_app.blocks.compute import ComputeThread
        from swarm_app.blocks.host import Host
        from swarm_app.blocks.span import SpanModule

        def told(done: int, total: int) -> None:
            self._pipe.send(Progress("loading blocks", done, total))

        compute = self._compute = ComputeThread(self._start.threads)
        compute.lower(self._low)
        module = await compute.run(
            SpanModule, model.config(), span, model.block_tensors, device=self._start.device, progress=told
        )
        host = Host(
            module,
            name=self._start.name,
            cache_tokens=self._start.cache_tokens,
            compute=compute,
            on_change=self._changed.set,
        )
        await host.measure()
        return host

    def _tell(self, host: Host) -> None:
        budget = host.budget
        self._pipe.send(
            Serving(
                sessions=budget.sessions,
                cache_tokens_used=budget.used // budget.num_blocks,
                cache_tokens=budget.total // budget.num_blocks,
                steps=host.steps,
                memory_bytes=_resident_bytes(),
            )
        )


def _resident_bytes() -> int:
    import psutil

    return int(psutil.Process().memory_info().rss)
