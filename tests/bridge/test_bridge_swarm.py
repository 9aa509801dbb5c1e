"""A tiny real swarm in this process: p2pd, DHT, Petals' protocol, on loopback."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import torch

from swarm_app.blocks.host import Host
from swarm_app.blocks.span import SpanModule
from swarm_app.bridge.records import ServerRecord, announce, read_roll, withdraw
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.stream import SpanStream
from swarm_app.bridge.swarm import Swarm, parse_address
from swarm_app.domain.errors import BadRequest, CacheFull, PeerLost
from swarm_app.domain.span import Span
from tests.families import HIDDEN_SIZE, make_model

PREFIX = "m0del"
CACHE_TOKENS = 256


@pytest.fixture(scope="module")
def module() -> SpanModule:
    model = make_model("llama")
    return SpanModule(
        model.config, Span(1, 5), lambda index: dict(model.model.layers[index].state_dict())
    )


@contextlib.asynccontextmanager
async def serving(folder: Path, module: SpanModule, idle_s: float = 30.0) -> AsyncIterator[tuple[Swarm, Host]]:
    swarm = await Swarm.open(identity_path=folder / "server.id")
    host = Host(module, name="desk", cache_tokens=CACHE_TOKENS, threads=1, on_change=lambda: None)
    handler = TransformerConnectionHandler(
        swarm, host, prefix=PREFIX, version="test", step_timeout_s=idle_s
    )
    await handler.serve()
    try:
        yield swarm, host
    finally:
        await swarm.close()
        host.close()


@contextlib.asynccontextmanager
async def calling(folder: Path, server: Swarm) -> AsyncIterator[Swarm]:
    swarm = await Swarm.open(
        identity_path=folder / "client.id", initial_peers=await server.addresses(), serves=False
    )
    try:
        yield swarm
    finally:
        await swarm.close()


def stream_to(client: Swarm, server: Swarm, span: Span = Span(1, 5), max_tokens: int = 64) -> SpanStream:
    return SpanStream(
        client, server.peer_id, "desk", PREFIX, span, hidden_size=HIDDEN_SIZE, max_tokens=max_tokens
    )


async def test_a_session_gives_what_the_layers_give(tmp_path: Path, module: SpanModule) -> None:
    torch.manual_seed(1)
    hidden = torch.randn(1, 20, HIDDEN_SIZE)
    expected = module.step(hidden, module.new_cache(64))
    async with serving(tmp_path, module) as (server, host), calling(tmp_path, server) as client:
        stream = stream_to(client, server)
        await stream.open(5.0)
        assert host.budget.sessions == 1
        outputs = []
        for number, chunk in enumerate(torch.split(hidden, [16, 1, 1, 2], dim=1)):
            await stream.send(chunk, f"step {number}")
            output = await stream.receive(5.0)
            assert output.compute_s is not None
            assert output.compute_s > 0
            outputs.append(output.hidden)
        torch.testing.assert_close(torch.cat(outputs, dim=1), expected, atol=1e-5, rtol=1e-5)
        await stream.close()
        async with asyncio.timeout(5.0):
            while host.budget.sessions:
                await asyncio.sleep(0.01)
