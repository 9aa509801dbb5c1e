"""An engine in a private swarm: somebody is removed in the middle of an answer; nobody lets us in."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from swarm_app.bridge.gate import Gate
from swarm_app.childproto import Pause
from swarm_app.domain.span import Span
from swarm_app.membership.certificates import Role
from swarm_app.membership.errors import ClockWrong
from tests.bridge.members import Process, SkewedClock
from tests.engines.test_engines_swarm import Household, answer, states, until
from tests.membership.swarms import TinySwarm


class Private:
    """A household whose every process is a device of a private swarm."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self.tiny = TinySwarm(time.time())
        self.processes: dict[str, Process] = {}
        self.clock_ahead_s = 0.0
        self.household = Household(folder, stack)
        self.household.gate_of = self._gate_of

    def _gate_of(self, name: str) -> Gate:
        device = self.tiny.devices.get(name) or self.tiny.add(name, Role.MEMBER)
        process = Process(self.tiny, device, SkewedClock(self.clock_ahead_s))
        self.processes[name] = process
        return process.gate


@pytest.fixture
async def private(tmp_path: Path) -> AsyncIterator[Private]:
    async with contextlib.AsyncExitStack() as stack:
        yield Private(tmp_path, stack)


async def test_a_computer_removed_in_mid_answer_costs_no_token(private: Private) -> None:
    household, tiny = private.household, private.tiny
    await household.serve("desk", Span(0, 6), fast=False)
    await household.serve("cellar", Span(0, 3))
    await household.serve("attic", Span(3, 6))
    model = await household.engine()

    def remove() -> None:
        tiny.members = tiny.remove(tiny.members, tiny.desk, tiny.devices["attic"])
        engine = private.processes["engine"]
        engine.gate.renew(engine.credentials())

    pauses: list[Pause] = []
    assert await answer(model, {5: remove}, pauses) == household.undisturbed()
    (pause,) = pauses
    assert (pause.name, pause.moved_to, pause.at_token) == ("attic", ["desk"], 5)
    attic = next(peer for peer in model.seen().peers if peer.name == "attic")
    assert not attic.on_route
    assert attic.reason == "attic was removed from the swarm"
    assert states(model)["desk"] == ("available", True)
    await until(lambda: household.servers["attic"].host.budget.used == 0)
    decoder = await model.open(8)
    assert decoder.route is not None
    assert "attic" not in [hop.name for hop in decoder.route.hops]
    await decoder.close()


async def test_an_answer_fails_by_the_name_of_the_refusal(private: Private) -> None:
    await private.household.serve("desk", Span(0, 6))
    private.clock_ahead_s = -10.0
    model = await private.household.engine()
    with pytest.raises(ClockWrong, match="10 s ahead of this computer's"):
        await model.open(8)
