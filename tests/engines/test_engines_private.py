"""An engine in a private swarm: somebody is removed in the middle of an answer; nobody lets us in."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from swarm_app.bridge import gate
from swarm_app.bridge.gate import Gate
from swarm_app.domain.pause import Pause
from swarm_app.domain.span import Span
from swarm_app.membership.certificates import Role
from swarm_app.membership.errors import ClockWrong, Expired, NotCertified, OtherSwarm
from tests.bridge.members import Process, SkewedClock
from tests.engines.test_engines_swarm import Household, answer, states, until
from tests.membership.swarms import TinySwarm


class Private:
    """A household whose every process is a device of a private swarm."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self.tiny = TinySwarm(time.time())
        self.processes: dict[str, Process] = {}
        self.clock_ahead_s = 0.0
        self.clocks: dict[str, SkewedClock] = {}
        self.household = Household(folder, stack)
        self.household.gate_of = self._gate_of

    def _gate_of(self, name: str) -> Gate:
        device = self.tiny.devices.get(name) or self.tiny.add(name, Role.MEMBER)
        process = Process(self.tiny, device, self.clocks.setdefault(name, SkewedClock(self.clock_ahead_s)))
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
    assert (pause.name, pause.moved_to, pause.at_token) == ("attic", ("desk",), 5)
    attic = next(peer for peer in model.seen().peers if peer.name == "attic")
    assert not attic.on_route
    assert attic.reason == "attic was removed from the swarm"
    assert states(model)["desk"] == ("available", True)
    await until(lambda: household.servers["attic"].host.budget.used == 0)
    decoder = await model.open(8)
    assert decoder.route is not None
    assert "attic" not in [hop.name for hop in decoder.route.hops]
    await decoder.close()


async def test_an_answer_that_its_own_certificate_does_not_outlive_ends_by_that_name(
    private: Private, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "SWEEP_S", 0.05)
    await private.household.serve("desk", Span(0, 6))
    model = await private.household.engine()

    async def a_season_passes() -> None:
        for clock in private.clocks.values():
            clock.ahead_s += 100 * 24 * 3600
        await until(lambda: private.processes["desk"].gate.verified(model.peer_id) is None)

    with pytest.raises(Expired, match="engine"):
        await answer(model, {5: a_season_passes})


async def test_an_answer_in_a_swarm_that_has_gone_on_without_us_says_so(private: Private) -> None:
    await private.household.serve("desk", Span(0, 6))
    model = await private.household.engine()
    desk = private.processes["desk"]

    async def rotate() -> None:
        """desk's process comes back in another swarm, under the same libp2p id."""
        other = TinySwarm(time.time())
        desk.tiny, desk.device = other, other.desk
        desk.gate.identity.credentials = desk.credentials()
        for key in list(desk.gate._peers):
            desk.gate._end(key, NotCertified("It has started anew."))

    with pytest.raises(OtherSwarm):
        await answer(model, {5: rotate})


async def test_an_answer_fails_by_the_name_of_the_refusal(private: Private) -> None:
    await private.household.serve("desk", Span(0, 6))
    private.clock_ahead_s = -10.0
    model = await private.household.engine()
    with pytest.raises(ClockWrong, match="10 s ahead of this computer's"):
        await model.open(8)
