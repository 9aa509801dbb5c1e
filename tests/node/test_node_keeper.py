"""The keeper against real child processes, in this process, with its clock turned up."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from swarm_app.domain.errors import ChildDown
from swarm_app.domain.span import Span
from swarm_app.node import keeper as keeper_module
from swarm_app.node.children import Kind, Phase
from swarm_app.node.events import StopAsked
from swarm_app.node.keeper import Keeper, own_commands
from swarm_app.node.state import ModelInfo, NodeInfo, Plan, State, first_state
from swarm_app.node.store import Store
from tests.node.node_main import SCRIPT
from tests.node.rig import living_in_session


class Kept:
    def __init__(self, tmp_path: Path, engine: dict[str, Any]) -> None:
        wanted = Plan(Span(0, 8), False, (), "127.0.0.1", 0, 64, 32, 0, ("b", "e"))
        info = NodeInfo("N1", "0", os.getpid(), 0.0, str(tmp_path))
        self.store = Store(first_state(info, ModelInfo("tiny", "ab" * 32, 8, "none", "/m"), wanted))
        self.lost: list[ChildDown] = []
        self.groups: list[dict[Kind, int]] = []
        command = [sys.executable, SCRIPT, "engine", json.dumps(engine)]
        self.keeper = Keeper(
            self.store,
            {Kind.ENGINE: command},
            tmp_path,
            lambda message: None,
            self.lost.append,
            self.groups.append,
        )

    async def until(self, wanted: Callable[[State], bool]) -> State:
        assert await self.store.until(wanted, 20), self.store.state
        return self.store.state


@asynccontextmanager
async def kept(tmp_path: Path, **engine: Any) -> AsyncIterator[Kept]:
    made = Kept(tmp_path, engine)
    running = asyncio.create_task(made.keeper.run())
    try:
        yield made
    finally:
        made.store.apply(StopAsked("the test ends"))
        async with asyncio.timeout(20):
            await running
        assert made.store.state.engine.phase is Phase.OFF
        assert made.groups[-1] == {}


def ready(state: State) -> bool:
    return state.engine.phase is Phase.READY


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper_module, "TICK_S", 0.1)
    monkeypatch.setattr(keeper_module, "SILENCE_S", 4.0)


@pytest.mark.usefixtures("quick")
async def test_a_child_that_hangs_is_ended_and_restarted(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        state = await made.until(ready)
        first = state.engine.pid
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        state = await made.until(lambda s: s.engine.phase is Phase.RESTARTING)
        assert state.engine.complaint is not None
        assert "said nothing for 4 s" in state.engine.complaint.message
        assert [str(error) for error in made.lost] == [str(made.lost[0])]
        assert "said nothing" in made.lost[0].message
        state = await made.until(ready)
        assert state.engine.pid != first
        assert living_in_session(first) == []


@pytest.mark.usefixtures("quick")
async def test_a_child_that_reports_is_left_alone(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        await made.until(ready)
        # More than the silence that ends a child; this one reports every second.
        assert not await made.store.until(lambda s: not ready(s), 6.0)


async def test_a_message_for_an_engine_that_is_not_there(tmp_path: Path) -> None:
    made = Kept(tmp_path, {})
    with pytest.raises(ChildDown):
        made.keeper.send_to_engine(StopAsked("x"))  # type: ignore[arg-type]


async def test_a_program_that_is_missing_is_a_reason_and_no_crash(tmp_path: Path) -> None:
    made = Kept(tmp_path, {})
    made.keeper = Keeper(
        made.store,
        {Kind.ENGINE: [str(tmp_path / "nothing")]},
        tmp_path,
        lambda message: None,
        made.lost.append,
        made.groups.append,
    )
    running = asyncio.create_task(made.keeper.run())
    state = await made.until(lambda s: s.engine.phase is Phase.RESTARTING)
    assert state.engine.complaint is not None
    assert "could not be started" in state.engine.complaint.message
    made.store.apply(StopAsked("the test ends"))
    async with asyncio.timeout(5):
        await running


def test_the_children_are_this_very_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_commands()[Kind.BLOCKS] == [sys.executable, "-m", "swarm_app", "_blocks"]
    assert own_commands()[Kind.ENGINE] == [sys.executable, "-m", "swarm_app", "_engine"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_commands()[Kind.ENGINE] == [sys.executable, "_engine"]
