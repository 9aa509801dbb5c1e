"""What every power source does: the fake that other tests use, and Linux's over a private bus."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Protocol

import pytest

from swarm_app.host.power.contract import Hold, HoldRefused, PowerSource
from swarm_app.host.power.events import Reachable, Resumed, Signal, Suspending
from swarm_app.host.power.linux import LinuxPower
from tests.host.fakes import FakePower
from tests.host.mockbus import LOGIND, MockBus
from tests.host.waiting import until

pytestmark = pytest.mark.usefixtures("no_leaks")


class World(Protocol):
    """The system around a source."""

    @property
    def source(self) -> PowerSource: ...

    async def sleep_coming(self) -> None: ...

    async def awake(self) -> None: ...

    async def holds(self) -> int: ...

    async def service_goes(self) -> None: ...

    async def service_comes(self) -> None: ...


class FakeWorld:
    def __init__(self) -> None:
        self.source: FakePower = FakePower()

    async def sleep_coming(self) -> None:
        self.source.say(Suspending(5.0))

    async def awake(self) -> None:
        self.source.say(Resumed())

    async def holds(self) -> int:
        return len(self.source.holding)

    async def service_goes(self) -> None:
        self.source.vanish()

    async def service_comes(self) -> None:
        self.source.appear()


class LinuxWorld:
    def __init__(self, bus: MockBus) -> None:
        self._bus = bus
        self.source: LinuxPower = LinuxPower(retry_s=(0.05,))

    async def sleep_coming(self) -> None:
        await self._bus.prepare_for_sleep(True)

    async def awake(self) -> None:
        await self._bus.prepare_for_sleep(False)

    async def holds(self) -> int:
        return len(await self._bus.inhibitors())

    async def service_goes(self) -> None:
        await asyncio.to_thread(self._bus.remove, "logind")

    async def service_comes(self) -> None:
        await self._bus.add("logind", LOGIND)


@pytest.fixture(params=["fake", "linux"])
async def world(request: pytest.FixtureRequest) -> World:
    if request.param == "fake":
        return FakeWorld()
    if sys.platform != "linux":
        pytest.skip("logind is Linux's")
    bus: MockBus = request.getfixturevalue("bus")
    await bus.add("logind", LOGIND)
    return LinuxWorld(bus)


class Running:
    """A source that runs, and what it has said."""

    def __init__(self, source: PowerSource) -> None:
        self.signals: list[Signal] = []
        self.notes: list[str] = []
        self.task = asyncio.create_task(source.run(self.signals.append, self.notes.append))

    def said(self, kind: type[Signal]) -> int:
        return sum(isinstance(signal, kind) for signal in self.signals)


@pytest.fixture
async def running(world: World) -> AsyncIterator[Running]:
    run = Running(world.source)
    try:
        await until(lambda: run.said(Reachable) == 1)
        yield run
    finally:
        run.task.cancel()
        await asyncio.wait({run.task})


async def test_it_says_that_all_is_well(running: Running) -> None:
    assert running.notes == [""]


async def test_it_reports_each_sleep_and_wake(world: World, running: Running) -> None:
    for night in (1, 2):
        await world.sleep_coming()
        await until(lambda night=night: running.said(Suspending) == night)
        await world.awake()
        await until(lambda night=night: running.said(Resumed) == night)
    deadlines = [signal.deadline_s for signal in running.signals if isinstance(signal, Suspending)]
    assert deadlines == [5.0, 5.0]


async def test_what_is_held_is_let_go_once(world: World, running: Running) -> None:
    assert not running.task.done()
    delay = await world.source.hold(Hold.DELAY_SLEEP, "a")
    awake = await world.source.hold(Hold.KEEP_AWAKE, "b")
    assert await world.holds() == 2
    delay()

    async def one_is_left() -> bool:
        return await world.holds() == 1

    await until(one_is_left)
    awake()

    async def none_is_left() -> bool:
        return await world.holds() == 0

    await until(none_is_left)


async def test_a_service_that_goes_is_told_and_found_again(world: World, running: Running) -> None:
    await world.service_goes()
    await until(lambda: running.notes[-1] != "")
    with pytest.raises(HoldRefused) as refused:
        await world.source.hold(Hold.DELAY_SLEEP, "a")
    assert refused.value.message.endswith(".")
    await world.service_comes()
    await until(lambda: running.said(Reachable) == 2)
    assert running.notes[-1] == ""
    (await world.source.hold(Hold.DELAY_SLEEP, "a"))()


async def test_before_it_runs_nothing_can_be_held(world: World) -> None:
    if isinstance(world.source, FakePower):
        world.source.there = False
    with pytest.raises(HoldRefused):
        await world.source.hold(Hold.DELAY_SLEEP, "a")
