"""The thread that computes lets others go first and no longer, between two calls."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from swarm_app.blocks import compute
from swarm_app.blocks.compute import ComputeThread
from swarm_app.host.priority import NICE


def test_whoever_made_it_computes_on_one_processor_whatever_it_takes() -> None:
    before = torch.get_num_threads()

    def caller() -> tuple[int, int]:
        # A thread that never computed: messages are unpacked long after the first choice of a number.
        thread = ComputeThread(2)
        asyncio.run(thread.run(torch.set_num_threads, 3))
        thread.close()
        torch.zeros(1_000_000).to(torch.bfloat16)
        return thread.threads, torch.get_num_threads()

    try:
        with ThreadPoolExecutor(1) as fresh:
            assert fresh.submit(caller).result() == (2, 1)
    finally:
        torch.set_num_threads(before)


async def test_priority_changes_between_two_calls_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    of_process: list[bool] = []
    monkeypatch.setattr(compute, "lower_this_process", of_process.append)
    before = torch.get_num_threads()
    base = os.getpriority(os.PRIO_PROCESS, 0)
    work, alone = threading.Lock(), []

    def call(number: int) -> tuple[int, int, int]:
        alone.append(work.acquire(blocking=False))
        time.sleep(0.01)
        work.release()
        nice = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        return number, nice, torch.get_num_threads()

    thread = ComputeThread(2)
    try:
        asked = []
        for number, low in enumerate([False, True, True, False, True, False]):
            thread.lower(low)
            assert thread.low is low
            asked += [asyncio.ensure_future(thread.run(call, number)) for _ in range(3)]
            await asyncio.sleep(0.005)  # some are in flight when the next change comes
        said = await asyncio.gather(*asked)
        # A number of threads that was chosen meanwhile is kept.
        await thread.run(torch.set_num_threads, 1)
        thread.lower(True)
        assert await thread.run(torch.get_num_threads) == 1
    finally:
        thread.close()
        torch.set_num_threads(before)
    gentle = max(NICE, base) if sys.platform == "linux" else base
    nices = [base, gentle, gentle, base, gentle, base]
    assert said == [(number, nices[number], 2) for number in range(6) for _ in range(3)]
    assert all(alone), "one at a time, whichever thread"
    assert of_process == [True, False, True, False, True]
