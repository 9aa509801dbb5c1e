"""Admission, the compute thread, and how many blocks fit."""

from __future__ import annotations

import asyncio

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.blocks.capacity import blocks_that_fit
from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import CacheBudget, Host
from swarm_app.blocks.span import SpanModule
from swarm_app.domain.errors import BadRequest, CacheFull
from swarm_app.domain.span import Span
from tests.families import HIDDEN_SIZE, make_model


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(1, 8), st.booleans())))
def test_the_budget_is_never_passed_and_always_given_back(
    requests: list[tuple[int, int, bool]],
) -> None:
    budget = CacheBudget(256, 8)
    held = []
    for tokens, blocks, ends in requests:
        left = budget.tokens_left(blocks)
        if tokens > left:
            limit = 256 * 8 // blocks
            told = f"the limit is {limit}" if tokens > limit else f"of {left} tokens now"
            with pytest.raises(CacheFull, match=told):
                budget.admit(tokens, blocks)
        else:
            held.append(budget.admit(tokens, blocks))
        assert budget.used <= budget.total
        if ends and held:
            budget.release(held.pop())
    for ticket in held:
        budget.release(ticket)
        budget.release(ticket)
    assert (budget.used, budget.sessions, budget.tokens_left()) == (0, 0, 256)


@pytest.mark.parametrize(
    ("block", "cache", "free", "expected"),
    [(100, 10, 1100, 10), (100, 10, 109, 0), (100, 10, 10**9, 30), (100, 10, -5, 0), (0, 0, 7, 7)],
)
def test_blocks_that_fit(block: int, cache: int, free: int, expected: int) -> None:
    assert blocks_that_fit(block, cache, free, 30) == expected


@pytest.fixture(scope="module")
def module() -> SpanModule:
    model = make_model("llama")
    return SpanModule(model.config, Span(1, 4), lambda index: dict(model.model.layers[index].state_dict()))


async def test_sessions_take_and_give_back_memory(module: SpanModule) -> None:
    changes = 0

    def changed() -> None:
        nonlocal changes
        changes += 1

    host = Host(module, name="desk", cache_tokens=64, compute=ComputeThread(1), on_change=changed)
    try:
        await host.measure()
        assert host.seconds_per_block is not None
        assert 0 < host.seconds_per_block < 5
        assert host.info()["name"] == "desk"
        session = host.open(Span(1, 4), 40, 1)
        part = host.open(Span(2, 3), 60, 1)
        assert (host.budget.sessions, host.cache_tokens_left()) == (2, 4)
        out, seconds = await session.step(torch.zeros(1, 3, HIDDEN_SIZE))
        assert out.shape == (1, 3, HIDDEN_SIZE)
        assert seconds > 0
        with pytest.raises(BadRequest, match="room for 40 tokens, and 3 are there: 38 more"):
            await session.step(torch.zeros(1, 38, HIDDEN_SIZE))
        with pytest.raises(BadRequest, match="batch of 1, not 2"):
            await session.step(torch.zeros(2, 1, HIDDEN_SIZE))
        part.close()
        part.close()
        with pytest.raises(BadRequest, match="closed"):
            await part.step(torch.zeros(1, 1, HIDDEN_SIZE))
        assert host.budget.sessions == 1
        session.close()
        assert (host.budget.used, changes) == (0, 4)
    finally:
        host.close()


async def test_a_step_in_flight_keeps_its_memory_until_it_is_done(module: SpanModule) -> None:
    host = Host(module, name="desk", cache_tokens=64, compute=ComputeThread(1), on_change=lambda: None)
    try:
        session = host.open(Span(1, 4), 64, 1)
        step = asyncio.ensure_future(session.step(torch.zeros(1, 60, HIDDEN_SIZE)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        step.cancel()
        session.close()
        assert host.budget.sessions == 1, "the thread still works on it"
        with pytest.raises(asyncio.CancelledError):
            await step
        await host.measure()  # goes through the same thread, so after the step
        await asyncio.sleep(0)
        assert host.budget.used == 0
    finally:
        host.close()


async def test_beam_indices_permute_the_batch(module: SpanModule) -> None:
    host = Host(module, name="desk", cache_tokens=64, compute=ComputeThread(1), on_change=lambda: None)
    try:
        torch.manual_seed(0)
        first, second = torch.randn(2, 4, HIDDEN_SIZE), torch.randn(2, 1, HIDDEN_SIZE)
        straight = host.open(Span(1, 4), 8, 2)
        await straight.step(first.flip(0))
        expected, _ = await straight.step(second)
        turned = host.open(Span(1, 4), 8, 2)
        await turned.step(first)
        turned.reorder(torch.tensor([1, 0]))
        got, _ = await turned.step(second)
        torch.testing.assert_close(got, expected)
    finally:
        host.close()
