"""The one thread of a block process that computes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import torch

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
        torch.set_num_threads(1)

    async def run(self, call: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
        """What `call` returns or raises. A call that began goes on, whoever stops waiting."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: call(*args, **more))

    def close(self) -> None:
        """Let the call in flight finish, drop those that wait, and end the thread."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _use_threads(threads: int) -> int:
    if threads > 0:
        torch.set_num_threads(threads)
    # PyTorch takes a thread's number over from the process at its first parallel region; asking settles it
    # before the process's number changes.
    return torch.get_num_threads()
