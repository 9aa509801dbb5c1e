"""The block process: serve one span to the swarm until told to stop.

Heavy imports wait until the pipe is taken: what a library prints while it is imported must not come
between the frames.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import Failed, Listening, Progress, Ready, Serving, Shutdown, StartBlocks
from swarm_app.domain.errors import BadRequest, HomeswarmError, ProtocolViolation
from swarm_app.domain.span import Span

if TYPE_CHECKING:
    from swarm_app.blocks.host import Host
    from swarm_app.bridge.swarm import Swarm
    from swarm_app.models.store import StoredModel

SERVING_EVERY_S = 2.0
"""The node hears of the sessions at least this often."""

CLEANUP_S = 2.0
"""Withdrawing and closing may take this long."""

MEMORY_SHARE = 0.5
"""Of the free memory, what a span chosen by ourselves may take: people also use this computer."""


def main() -> int:
    """The child's entry point. Does not return: ends the process without waiting for library threads."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = ChildPipe.over_stdio(end_grace_s=CLEANUP_S)
    status = asyncio.run(_serve(pipe))
    pipe.flush(CLEANUP_S)
    sys.stderr.flush()
    os._exit(status)


async def _serve(pipe: ChildPipe) -> int:
    try:
        start = await pipe.receive()
        if start is None or isinstance(start, Shutdown):
            return 0
        if not isinstance(start, StartBlocks):
            raise ProtocolViolation("A blocks child starts with StartBlocks.")
        stopping = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
        work = asyncio.ensure_future(_BlockProcess(pipe, start).run())
        ends = [asyncio.ensure_future(_until_told(pipe)), asyncio.ensure_future(stopping.wait())]
        await asyncio.wait({work, *ends}, return_when=asyncio.FIRST_COMPLETED)
        failed = work.done() and not work.cancelled() and work.exception() is not None
        for task in (work, *ends):
            task.cancel()
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):
            async with asyncio.timeout(CLEANUP_S):
                await asyncio.gather(work, *ends, return_exceptions=True)
        if failed:
            work.result()
    except HomeswarmError as error:
        pipe.send(Failed(None, error.code, error.message, error.remedy))
        return 1
    except Exception:  # noqa: BLE001 - the last place where anything that went wrong can be told
        traceback.print_exc()
        pipe.send(Failed(None, "internal", "The block server met an error of its own.", ""))
        return 1
    return 0


async def _until_told(pipe: ChildPipe) -> None:
    while True:
        message = await pipe.receive()
        if message is None or isinstance(message, Shutdown):
            return


class _BlockProcess:
    def __init__(self, pipe: ChildPipe, start: StartBlocks) -> None:
        self._pipe = pipe
        self._start = start
        self._changed = asyncio.Event()

    async def run(self) -> None:
        from swarm_app.bridge.swarm import Swarm
        from swarm_app.models.store import open_model

        start = self._start
        model = open_model(Path(start.model_dir))
        swarm = await Swarm.open(
            identity_path=Path(start.identity_path),
            initial_peers=start.initial_peers,
            listen_host=start.listen_host,
            listen_port=start.listen_port,
        )
        try:
            self._pipe.send(Listening(swarm.peer_id, await swarm.addresses()))
            await self._host_span(swarm, model)
        finally:
            await swarm.close()

    async def _host_span(self, swarm: Swarm, model: StoredModel) -> None:
        from swarm_app import __version__
        from swarm_app.bridge.records import withdraw
        from swarm_app.bridge.service import TransformerConnectionHandler

        span = await self._choose_span(swarm, model)
        joining = asyncio.ensure_future(self._announce_joining(swarm, model, span))
        try:
            host = await self._load(model, span)
        finally:
            joining.cancel()
            await asyncio.gather(joining, return_exceptions=True)
        handler = TransformerConnectionHandler(
            swarm,
            host,
            prefix=model.model_id,
            version=__version__,
            step_timeout_s=self._start.session_idle_s,
        )
        await handler.serve()
        try:
            await self._stay(swarm, model, host)
        finally:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(1.0):
                    await withdraw(swarm, model.model_id, span)
                    await handler.stop()
            host.close()

    async def _choose_span(self, swarm: Swarm, model: StoredModel) -> Span:
        num_blocks = model.manifest.num_blocks
        if self._start.span_end:
            span = Span(self._start.span_start, self._start.span_end)
            if span.end > num_blocks:
                raise BadRequest(
                    f"The model {model.name} has {num_blocks} blocks; {span} reaches past them.",
                    remedy=f"Choose a span inside 0:{num_blocks}.",
                )
            return span
        from swarm_app.blocks.capacity import capacity_blocks
        from swarm_app.bridge.records import read_roll
        from swarm_app.routing.cost import ONLINE, PeerOffer
        from swarm_app.routing.coverage import JOINING, choose_span

        offers = [
            PeerOffer(
                peer=record.peer_id,
                name=record.name,
                span=record.span,
                state=ONLINE if record.online else JOINING,
                compute_s_per_block=record.seconds_per_block,
            )
            for record in await read_roll(swarm) or []
            if record.model_id == model.model_id
        ]
        capacity = capacity_blocks(model, self._start.cache_tokens, MEMORY_SHARE)
        return choose_span(offers, num_blocks, capacity, without=swarm.peer_id)

    async def _load(self, model: StoredModel, span: Span) -> Host:
        from swarm_app.blocks.host import Host
        from swarm_app.blocks.span import SpanModule

        def told(done: int, total: int) -> None:
            self._pipe.send(Progress("loading blocks", done, total))

        module = await asyncio.to_thread(
            SpanModule, model.config(), span, model.block_tensors, device=self._start.device, progress=told
        )
        host = Host(
            module,
            name=self._start.name,
            cache_tokens=self._start.cache_tokens,
            threads=self._start.threads,
            on_change=self._changed.set,
        )
        await host.measure()
        return host

    async def _announce_joining(self, swarm: Swarm, model: StoredModel, span: Span) -> None:
        from swarm_app.bridge.records import ANNOUNCE_S

        while True:
            await self._announce(swarm, model, span, None, with_blocks=False)
            await asyncio.sleep(ANNOUNCE_S)

    async def _announce(
        self, swarm: Swarm, model: StoredModel, span: Span, host: Host | None, *, with_blocks: bool
    ) -> None:
        from swarm_app import __version__
        from swarm_app.bridge.records import ServerRecord, announce

        record = ServerRecord(
            peer_id=swarm.peer_id,
            name=self._start.name,
            span=span,
            online=host is not None,
            seconds_per_block=None if host is None else host.seconds_per_block,
            cache_tokens_left=None if host is None else host.cache_tokens_left(),
            quant=str(model.manifest.quant),
            model_id=model.model_id,
        )
        dtype = "auto" if host is None else str(host.dtype).removeprefix("torch.")
        await announce(swarm, record, version=__version__, dtype=dtype, with_blocks=with_blocks)

    async def _stay(self, swarm: Swarm, model: StoredModel, host: Host) -> None:
        from swarm_app.bridge.records import ANNOUNCE_S, BLOCK_RECORDS_EVERY
        from swarm_app.bridge.swarm import SwarmUnavailable

        async def announcing() -> None:
            for turn in itertools.count():
                blocks_too = turn % BLOCK_RECORDS_EVERY == 0
                await self._announce(swarm, model, host.span, host, with_blocks=blocks_too)
                await asyncio.sleep(ANNOUNCE_S)

        async def telling() -> None:
            while True:
                self._changed.clear()
                self._tell(host)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SERVING_EVERY_S):
                        await self._changed.wait()
                await asyncio.sleep(0.05)

        self._pipe.send(Ready(_resident_bytes()))
        tasks = [asyncio.ensure_future(work) for work in (announcing(), telling(), swarm.ended())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            raise SwarmUnavailable("The swarm's network process has ended.")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

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
