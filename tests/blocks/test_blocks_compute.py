"""The thread that computes lets others go first and no longer, between two calls."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time

import pytest
import torch

from swarm_app.blocks import compute
from swarm_app.blocks.compute import ComputeThread
from swarm_app.host.priority import NICE


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
