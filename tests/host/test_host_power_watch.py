"""The watcher over a source that a test plays: leases, callbacks, the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from swarm_app.host.power import open_power_watcher, watch
from swarm_app.host.power.contract import Hold, PowerWatcher
from swarm_app.host.power.events import (
    How,
    OnBattery,
    PowerEvent,
    Resumed,
    Signal,
    SleepComing,
    Supply,
    Suspending,
    Woke,
)
from swarm_app.host.power.supply import read_supply
from swarm_app.host.power.watch import CoreWatcher
from swarm_app.host.system import System, current_system
from tests.host.fakes import FakeClocks, FakePower, Heard
from tests.host.waiting import until

pytestmark = pytest.mark.usefixtures("no_leaks")


class Rig:
    def __init__(self) -> None:
        self.clocks = FakeClocks()
        self.source = FakePower()
        self.watcher = CoreWatcher(self.source, self.clocks, tick_s=0.01)
        self.heard = Heard()
        self.watcher.watch(self.heard)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    rig = Rig()
    rig.watcher.start()
    await rig.watcher.settled()
    yield rig
    await rig.watcher.close()


async def test_a_lease_that_is_let_go_for_a_night_is_held_again_after_it(rig: Rig) -> None:
    lease = await rig.watcher.delay_sleep("serving")
    rig.source.say(Suspending(5.0))
    assert await rig.heard.next() == SleepComing(5.0)
    lease.let_sleep()
    assert rig.source.holding == []
    assert "after the wake" in lease.why_not
    rig.clocks.sleep(1000.0)
    rig.source.say(Resumed())
    assert await rig.heard.next() == Woke(1000.0, How.SIGNAL)
    await until(lambda: lease.held)
    assert rig.source.holding == [(Hold.DELAY_SLEEP, "serving")]


async def test_a_released_lease_stays_released(rig: Rig) -> None:
    lease = await rig.watcher.delay_sleep("serving")
    lease.release()
    lease.release()
    rig.clocks.sleep(1000.0)
    assert isinstance(await rig.heard.next(), Woke)
    await rig.heard.nothing()
    assert rig.source.holding == []
    assert not lease.held
    assert lease.why_not == "It was released."


async def test_keep_awake_gives_no_time_for_a_goodnight(rig: Rig) -> None:
    with await rig.watcher.keep_awake("an answer"):
        rig.source.say(Suspending(5.0))
        assert await rig.heard.next() == SleepComing(0.0)


async def test_a_lease_is_released_when_its_block_fails(rig: Rig) -> None:
    async def crash() -> None:
        with await rig.watcher.keep_awake("an answer"):
            assert len(rig.source.holding) == 1
            raise ValueError("crash")

    with pytest.raises(ValueError, match="crash"):
        await crash()
    assert rig.source.holding == []


async def test_a_lease_that_was_refused_is_granted_when_the_service_comes(rig: Rig) -> None:
    rig.source.vanish()
    lease = await rig.watcher.delay_sleep("serving")
    assert not lease.held
    assert lease.why_not == "Nobody is there to ask."
    assert list(rig.watcher.notes) == ["Nobody is there to ask."]
    rig.source.appear()
    await until(lambda: lease.held)
    assert lease.why_not == ""
    assert list(rig.watcher.notes) == []


async def test_an_answer_that_comes_after_the_release_is_given_back(rig: Rig) -> None:
    asked = asyncio.ensure_future(rig.watcher.delay_sleep("serving"))
    await asyncio.sleep(0)
    await rig.watcher.close()
    lease = await asked
    assert rig.source.holding == []
    assert not lease.held


async def test_whoever_stops_asking_holds_nothing(rig: Rig) -> None:
    asked = asyncio.ensure_future(rig.watcher.delay_sleep("serving"))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.wait({asked})
    rig.source.vanish()
    rig.source.appear()  # whatever is wanted is asked for now
    await rig.heard.nothing()
    assert rig.source.holding == []


async def test_closing_releases_everything_and_twice_is_fine(rig: Rig) -> None:
    await rig.watcher.delay_sleep("a")
    await rig.watcher.keep_awake("b")
    await rig.watcher.close()
    await rig.watcher.close()
    assert rig.source.holding == []
    late = await rig.watcher.delay_sleep("c")
    assert not late.held
    assert late.why_not


async def test_whoever_stops_watching_hears_nothing_more(rig: Rig) -> None:
    heard: list[PowerEvent] = []
    end = rig.watcher.watch(heard.append)
    rig.source.say(Suspending(1.0))
    end()  # between the event and its delivery
    end()
    assert isinstance(await rig.heard.next(), SleepComing)
    assert heard == []


async def test_a_callback_that_fails_harms_nobody_else(rig: Rig) -> None:
    caught: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: caught.append(repr(context.get("exception")))
    )

    def fail(_event: PowerEvent) -> None:
        raise ValueError("ours")

    rig.watcher.watch(fail)
    later = Heard()
    rig.watcher.watch(later)
    rig.clocks.sleep(100.0)
    assert isinstance(await later.next(), Woke)
    rig.clocks.sleep(200.0)
    assert isinstance(await later.next(), Woke)
    assert caught == ["ValueError('ours')"] * 2


async def test_a_battery_that_cannot_be_read_once_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SUPPLY_EVERY_S", 0.005)
    caught: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: caught.append(str(context["message"]))
    )
    readings: list[Supply | Exception] = [KeyError("a bug of ours"), Supply(True, 0.5)]

    def read() -> Supply:
        reading = readings[0] if len(readings) == 1 else readings.pop(0)
        if isinstance(reading, Exception):
            raise reading
        return reading

    watcher = CoreWatcher(None, FakeClocks(), read_supply=read, tick_s=0.01)
    watcher.start()
    await until(lambda: watcher.supply == Supply(True, 0.5))
    await watcher.close()
    assert caught == ["reading the battery failed and is tried again"]


async def test_a_source_that_breaks_leaves_the_clocks() -> None:
    caught: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: caught.append(str(context["message"]))
    )

    class Broken(FakePower):
        async def run(self, tell: Callable[[Signal], None], note: Callable[[str], None]) -> None:
            raise KeyError("a bug of ours")

    clocks, heard = FakeClocks(), Heard()
    watcher = CoreWatcher(Broken(), clocks, tick_s=0.01)
    watcher.watch(heard)
    watcher.start()
    await watcher.settled()
    clocks.sleep(50.0)
    assert isinstance(await heard.next(), Woke)
    await watcher.close()
    assert caught == ["power source ended"]


async def test_the_battery_is_read_where_no_service_tells() -> None:
    heard = Heard()
    watcher = CoreWatcher(None, FakeClocks(), read_supply=lambda: Supply(True, 0.5), no_source="Only clocks.")
    watcher.watch(heard)
    watcher.start()
    assert await heard.next() == OnBattery(0.5)
    assert watcher.supply == Supply(True, 0.5)
    assert watcher.notes == ("Only clocks.",)
    lease = await watcher.delay_sleep("x")
    assert (lease.held, lease.why_not) == (False, "Only clocks.")
    await watcher.close()


async def test_a_service_that_tells_of_the_battery_is_believed() -> None:
    source, heard = FakePower(), Heard()
    watcher = CoreWatcher(source, FakeClocks(), read_supply=lambda: Supply(False, None))
    watcher.watch(heard)
    watcher.start()
    await asyncio.sleep(0)  # the source runs, and says so before the first reading
    source.supply(Supply(True, 0.3))
    assert await heard.next() == OnBattery(0.3)
    await heard.nothing()
    await watcher.close()


def test_the_kernel_s_own_battery_can_be_read() -> None:
    supply = read_supply()
    assert supply is not None
    assert supply.level is None or 0.0 <= supply.level <= 1.0


async def test_a_system_without_a_file_of_its_own_has_the_clocks() -> None:
    clocks, heard = FakeClocks(), Heard()
    watcher: PowerWatcher = open_power_watcher(clocks, System.OTHER)
    watcher.watch(heard)
    watcher.start()
    await watcher.settled()
    assert watcher.notes == (
        "Sleep is noticed only after the wake, by the clocks: this system has no known signal.",
    )
    await watcher.close()


@pytest.mark.parametrize(
    ("platform", "system"),
    [
        ("linux", System.LINUX),
        ("darwin", System.MACOS),
        ("win32", System.WINDOWS),
        ("freebsd14", System.OTHER),
    ],
)
def test_systems_by_their_name(platform: str, system: System) -> None:
    assert current_system(platform) is system
