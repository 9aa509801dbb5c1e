"""The span as the swarm sees it: admission of sessions, and their steps."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from swarm_app.blocks.attention import SpanCache
from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.rounding import fingerprint
from swarm_app.blocks.span import SpanModule
from swarm_app.blocks.threads import ThreadChoice
from swarm_app.domain.errors import BadRequest, CacheFull
from swarm_app.domain.span import Span

PROBE_STEPS = 8
"""Decode steps timed after loading, so that the first announcement carries a measured speed."""


class CacheBudget:
    """Who has how much of the attention cache. Counted in block-tokens: one token in one block."""

    def __init__(self, tokens: int, num_blocks: int) -> None:
        self.total = tokens * num_blocks
        self.num_blocks = num_blocks
        self._held: dict[int, int] = {}
        self._ids = itertools.count()

    @property
    def used(self) -> int:
        """Block-tokens held."""
        return sum(self._held.values())

    @property
    def sessions(self) -> int:
        return len(self._held)

    def tokens_left(self, blocks: int | None = None) -> int:
        """Tokens of one more session over `blocks` blocks (all of the span when None)."""
        return (self.total - self.used) // (blocks or self.num_blocks)

    def admit(self, tokens: int, blocks: int) -> int:
        """Take room for a session; returns its ticket. Raises CacheFull at once, saying what would fit."""
        left = self.tokens_left(blocks)
        if tokens > left:
            limit = self.total // blocks
            if tokens > limit:
                message = f"A session of {tokens} tokens can never fit here: the limit is {limit}."
            else:
                message = f"There is room for a session of {left} tokens now, not for {tokens}."
            raise CacheFull(
                message, remedy=f"Ask for at most {left} tokens, or wait for another answer to end."
            )
        ticket = next(self._ids)
        self._held[ticket] = tokens * blocks
        return ticket

    def release(self, ticket: int) -> None:
        """Give a session's room back; a second call does nothing."""
        self._held.pop(ticket, None)


class Host:
    """Implements `bridge.service.SpanHost` over a loaded span. Used from one event loop."""

    def __init__(
        self,
        module: SpanModule,
        *,
        name: str,
        cache_tokens: int,
        compute: ComputeThread,
        on_change: Callable[[], None],
    ) -> None:
        self.span = module.span
        self.hidden_size = int(module.config.hidden_size)
        self.dtype = module.dtype
        self.name = name
        self.steps = 0
        self.idle = asyncio.Event()
        """Set while no session is open."""
        self.idle.set()
        self.seconds_per_block: float | None = None
        self.rounding = ""
        """Once `measure` is done: peers with the same one go on to the same words (see `blocks.rounding`)."""
        self.budget = CacheBudget(cache_tokens, len(module.span))
        self._module = module
        self._on_change = on_change
        self._thread = compute
        self._choice = ThreadChoice(compute.threads)
        self._threads = compute.threads

    def open(self, part: Span, max_tokens: int, batch: int) -> Session:
        """Admit a session over `part`; its memory is there before this returns. Raises CacheFull."""
        ticket = self.budget.admit(max_tokens * batch, len(part))
        try:
            cache = self._module.new_cache(max_tokens, batch, part)
        except RuntimeError:
            self.budget.release(ticket)
            # PyTorch's allocator says so with a RuntimeError; the budget was set too high.
            raise CacheFull("There is no memory left for another session.") from None
        self.idle.clear()
        self._on_change()
        return Session(self, cache, ticket, batch)

    def cache_tokens_left(self) -> int:
        return max(0, self.budget.tokens_left())

    def info(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "start_block": self.span.start,
            "end_block": self.span.end,
            "seconds_per_block": self.seconds_per_block,
        }

    async def measure(self) -> None:
        """Time a few decode steps of the span, with nobody else computing, and see how they round."""
        self.seconds_per_block = await self._thread.run(self._time_steps)
        self.rounding = await self._thread.run(fingerprint, self._module.device, self.dtype)

    def close(self) -> None:
        """Let a step in flight finish and end the compute thread."""
        self._thread.close()

    def _ended(self, ticket: int) -> None:
        self.budget.release(ticket)
        if not self.budget.sessions:
            self.idle.set()
        self._on_change()

    def _time_steps(self) -> float:
        medians = {}
        cache = self._module.new_cache((PROBE_STEPS + 2) * len(self._choice.numbers))
        hidden = torch.zeros(1, 1, self.hidden_size)
        for number in self._choice.numbers:
            self._use(number)
            taken = []
            for _ in range(PROBE_STEPS + 2):
                started = time.perf_counter()
                self._module.step(hidden, cache)
                taken.append(time.perf_counter() - started)
            # The least: others may be loading beside it.
            self._choice.probed(number, min(taken) / len(self.span))
            medians[number] = statistics.median(taken[2:])
        return min(medians.values()) / len(self.span)

    def _step(self, hidden: torch.Tensor, cache: SpanCache, as_steps: bool) -> tuple[torch.Tensor, float]:
        decodes = hidden.shape[0] * hidden.shape[1] == 1
        # A prefill is few large products: they gain from every processor, and wait for each other rarely.
        self._use(self._choice.next() if decodes else self._thread.threads)
        started = time.perf_counter()
        out = self._module.step(hidden, cache, as_steps=as_steps).cpu()
        compute_s = time.perf_counter() - started
        if decodes:
            self._choice.took(self._threads, compute_s / len(cache.windows))
        return out, compute_s

    def _use(self, threads: int) -> None:
        if threads != self._threads:
            torch.set_num_threads(threads)
            self._threads = threads

    async def _compute(
        self, hidden: torch.Tensor, cache: SpanCache, as_steps: bool
    ) -> tuple[torch.Tensor, float]:
        out, compute_s = await self._thread.run(self._step, hidden, cache, as_steps)
        self.steps += 1
        if hidden.shape[0] * hidden.shape[1] == 1:
            per_block = compute_s / len(cache.windows)
            known = self.seconds_per_block
            # A slow average: one slow step is not a slow computer.
            self.seconds_per_block = per_block if known is None else 0.95 * known + 0.05 * per_block
        return out, compute_s


class Session:
    """Implements `bridge.service.HostSession`: one caller's cache and its ticket."""

    def __init__(self, host: Host, cache: SpanCache, ticket: int, batch: int) -> None:
        self._host = host
        self._cache: SpanCache | None = cache
        self._ticket = ticket
        self._batch = batch
        self._computing: asyncio.Future[tuple[torch.Tensor, float]] | None = None

    async def step(self, hidden: torch.Tensor, *, as_steps: bool = False) -> tuple[torch.Tensor, float]:
        cache = self._cache
        if cache is None:
            raise BadRequest("This session is closed.")
        if hidden.shape[0] != self._batch:
            raise BadRequest(f"This session has a batch of {self._batch}, not {hidden.shape[0]}.")
        if cache.position + hidden.shape[1] > cache.max_tokens:
            raise BadRequest(
                f"This session has room for {cache.max_tokens} tokens, and {cache.position} are there:"
                f" {hidden.shape[1]} more do not fit."
            )
        self._computing = asyncio.ensure_future(self._host._compute(hidden, cache, as_steps))
        # Shielded: the thread works on this cache until it is done, whoever stopped waiting for it.
        return await asyncio.shield(self._computing)

    def reorder(self, indices: torch.Tensor) -> None:
        if self._cache is not None:
            self._cache.reorder(indices)

    def close(self) -> None:
        if self._cache is None:
            return
        self._cache = None
        if self._computing is not None and not self._computing.done():
            self._computing.add_done_callback(self._release)
        else:
            self._release(None)

    def _release(self, finished: asyncio.Future[Any] | None) -> None:
        if finished is not None and not finished.cancelled():
            finished.exception()  # looked at, so that nobody complains that it never was
        self._host._ended(self._ticket)
