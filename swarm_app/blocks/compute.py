"""The one thread of a block process that computes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import torch

from swarm_app.host.priority import lower_this_process, lower_this_thread

P = ParamSpec("P")
R = TypeVar("R")


class ComputeThread:
    """Runs calls one after the other, on `threads` processors (0: as many as PyTorch takes by itself).

    It alone computes on more than one. libgomp keeps a team of workers for each thread that ever opened a
    parallel region, and once the teams together outnumber the processors it lets workers sleep after every
    region (``gomp_throttled_spin_count`` of its ``wait.h``) instead of waiting for the next: waking one
    costs more than a small matrix, and a decode step of SmolLM2 then takes almost twice as long. So whoever
    makes this object computes on one processor from then on; what is heavy, loading included, is run here.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="compute")
        self.threads = self._pool.submit(_use_threads, threads).result()
        """The processors that it may take."""
        self.low = False
        """Whether it lets other programs of this computer go first."""
        _use_threads(1)

    async def run(self, call: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
        """What `call` returns or raises. A call that began goes on, whoever stops waiting."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: call(*args, **more))

    def lower(self, low: bool) -> None:
        """Let other programs go first from the next call on, or no longer. Returns at once.

        Another thread takes over: a thread's priority cannot be raised again without privileges, so one that
        goes back to normal is made by the caller's thread, which always was. It computes on as many
        processors, and only once the old one, with its team of workers, has ended.
        """
        if low is self.low:
            return
        self.low = low
        before = self._pool
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="compute")
        self._pool.submit(_take_over, before, low)
        lower_this_process(low)

    def close(self) -> None:
        """Let the call in flight finish, drop those that wait, and end the thread."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _take_over(before: ThreadPoolExecutor, low: bool) -> None:
    threads = before.submit(torch.get_num_threads).result()
    before.shutdown(wait=True)
    if low:
        lower_this_thread()
    _use_threads(threads)


def _use_threads(threads: int) -> int:
    if threads > 0:
        torch.set_num_threads(threads)
    # At its first parallel region a thread takes the number that was set last, by whichever thread, even
    # where it had set its own; asking settles it before that.
    return torch.get_num_threads()
