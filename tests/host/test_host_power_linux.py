"""The real D-Bus code against python-dbusmock's logind and UPower on a private bus."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from swarm_app.host.power.events import How, OnBattery, OnMains, SleepComing, Supply, Woke
from swarm_app.host.power.linux import LinuxPower
from swarm_app.host.power.watch import CoreWatcher
from tests.host.fakes import FakeClocks, Heard
from tests.host.mockbus import LOGIND, UPOWER, MockBus
from tests.host.waiting import until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="logind and UPower are Linux's"),
    pytest.mark.usefixtures("no_leaks"),
]


@contextlib.asynccontextmanager
async def watching(clocks: FakeClocks | None = None) -> AsyncIterator[tuple[CoreWatcher, Heard]]:
    watcher = CoreWatcher(LinuxPower(retry_s=(0.05,)), clocks or FakeClocks(), tick_s=0.05)
    heard = Heard()
    watcher.watch(heard)
    watcher.start()
    try:
        async with asyncio.timeout(20):
            await watcher.settled()
        yield watcher, heard
    finally:
        await watcher.close()


async def until_inhibitors(bus: MockBus, expected: list[tuple[str, str, str, str]]) -> None:
    async def as_expected() -> bool:
        return await bus.inhibitors() == expected

    await until(as_expected)


async def test_a_night_with_goodnight_and_wake(power_bus: MockBus) -> None:
    clocks = FakeClocks()
    async with watching(clocks) as (watcher, heard):
        assert watcher.notes == ()
        assert await heard.next() == OnMains(None)
        lease = await watcher.delay_sleep("three chats are served")
        assert lease.held
        assert not lease.why_not
        ours = [("sleep", "Homeswarm", "three chats are served", "delay")]
        assert await power_bus.inhibitors() == ours

        await power_bus.prepare_for_sleep(True)
        assert await heard.next() == SleepComing(deadline_s=5.0)
        lease.let_sleep()
        await until_inhibitors(power_bus, [])

        clocks.sleep(8 * 3600.0)
        await power_bus.prepare_for_sleep(False)
        woke = await heard.next()
        assert isinstance(woke, Woke)
        assert woke.slept_s == pytest.approx(8 * 3600.0)
        await until_inhibitors(power_bus, ours)  # asked for again without a word
        await heard.nothing()  # one wake, seen by two, told once
    await until_inhibitors(power_bus, [])


async def test_without_a_lease_there_is_no_time(power_bus: MockBus) -> None:
    async with watching() as (_, heard):
        assert isinstance(await heard.next(), OnMains)
        await power_bus.prepare_for_sleep(True)
        assert await heard.next() == SleepComing(deadline_s=0.0)
        await power_bus.prepare_for_sleep(False)
        assert await heard.next() == Woke(0.0, How.SIGNAL)


async def test_logind_says_how_long_it_waits(power_bus: MockBus) -> None:
    await power_bus.add_property(
        LOGIND, "/org/freedesktop/login1", f"{LOGIND}.Manager", "InhibitDelayMaxUSec", "t", 12_000_000
    )
    async with watching() as (watcher, heard):
        with await watcher.delay_sleep("x"):
            assert isinstance(await heard.next(), OnMains)
            await power_bus.prepare_for_sleep(True)
            assert await heard.next() == SleepComing(deadline_s=12.0)


async def test_keep_awake_is_an_idle_lock_and_ends_with_its_block(power_bus: MockBus) -> None:
    async with watching() as (watcher, _):
        with await watcher.keep_awake("an answer is written") as lease:
            assert lease.held
            assert await power_bus.inhibitors() == [("idle", "Homeswarm", "an answer is written", "block")]
        await until_inhibitors(power_bus, [])


async def test_the_battery_is_told_by_its_steps(power_bus: MockBus) -> None:
    device = "/org/freedesktop/UPower/devices/DisplayDevice"
    await power_bus.call(
        UPOWER, "/org/freedesktop/UPower", "org.freedesktop.DBus.Mock.SetupDisplayDevice",
        "iiddddxxbsi", 2, 2, 81.0, 40.0, 50.0, 1.0, 3600, 0, True, "", 1,
    )  # fmt: skip
    async with watching() as (watcher, heard):
        assert await heard.next() == OnMains(0.81)
        await power_bus.set(UPOWER, "/org/freedesktop/UPower", UPOWER, "OnBattery", "b", True)
        assert await heard.next() == OnBattery(0.81)
        for level in (80.5, 79.0):
            await power_bus.set(UPOWER, device, f"{UPOWER}.Device", "Percentage", "d", level)
        assert await heard.next() == OnBattery(0.79)
        assert watcher.supply == Supply(True, 0.79)


async def test_a_bus_that_dies_and_comes_back(bus: MockBus) -> None:
    await bus.add("logind", LOGIND)
    async with watching() as (watcher, heard):
        lease = await watcher.delay_sleep("x")
        await bus.prepare_for_sleep(True)
        assert isinstance(await heard.next(), SleepComing)
        bus.stop()
        await until(lambda: bool(watcher.notes))
        assert "noticed only after the wake" in watcher.notes[0]
        refused = await watcher.delay_sleep("y")
        assert not refused.held
        assert refused.why_not
        bus.start()
        await bus.add("logind", LOGIND)
        # What logind said meanwhile is made up for, and the lease that was refused is granted.
        assert await heard.next(20) == Woke(0.0, How.SIGNAL)
        await until_inhibitors(bus, [("sleep", "Homeswarm", "y", "delay")])
        assert watcher.notes == ()
        lease.release()
        refused.release()


async def test_logind_that_restarts_is_found_again(bus: MockBus) -> None:
    async with watching() as (watcher, _):
        assert "No logind runs" in watcher.notes[0]
        lease = await watcher.delay_sleep("x")
        assert not lease.held
        await bus.add("logind", LOGIND)
        await until_inhibitors(bus, [("sleep", "Homeswarm", "x", "delay")])
        await until(lambda: lease.why_not == "")
        assert watcher.notes == ()


async def test_no_permission_is_told_and_sleep_is_still_heard(bus: MockBus) -> None:
    bus.stop()
    bus.start(deny="Inhibit")
    await bus.add("logind", LOGIND)
    async with watching() as (watcher, heard):
        lease = await watcher.delay_sleep("x")
        assert not lease.held
        assert lease.why_not.startswith("The system does not let Homeswarm delay a sleep.")
        await bus.prepare_for_sleep(True)
        assert await heard.next() == SleepComing(0.0)


async def test_closing_at_any_moment_leaves_nothing(power_bus: MockBus) -> None:
    """`no_leaks` looks afterwards; the moments are turns of the event loop."""
    for turns in (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89):
        watcher = CoreWatcher(LinuxPower(), FakeClocks(), tick_s=0.05)
        watcher.start()
        asking = asyncio.create_task(watcher.delay_sleep("x"))
        for _ in range(turns):
            await asyncio.sleep(0.0005)
        await watcher.close()
        lease = await asking
        assert not lease.held
    await until_inhibitors(power_bus, [])


DEAD = {
    "no socket": "unix:path=/nonexistent/bus",
    "nonsense": "no-transport",
    "unknown transport": "carrier:pigeon=1",
    "empty list": ";",
    "bad port": "tcp:host=127.0.0.1,port=x",
}


@pytest.mark.parametrize("address", DEAD.values(), ids=DEAD.keys())
async def test_a_dead_bus_leaves_the_clocks(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
    clocks = FakeClocks()
    async with watching(clocks) as (watcher, heard):
        (note,) = watcher.notes
        assert note.startswith("Sleep is noticed only after the wake, by the clocks")
        assert not (await watcher.delay_sleep("x")).held
        clocks.sleep(3600.0)
        assert await heard.next() == Woke(3600.0, How.CLOCK)


async def test_a_bus_that_never_answers(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket that accepts and says nothing holds up neither the start nor the clocks."""
    path = tmp_path_factory.mktemp("b") / "s"
    monkeypatch.setattr("swarm_app.host.systembus.CONNECT_S", 0.2)
    silent = await asyncio.start_unix_server(_keep_silent, path)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={path}")
    try:
        async with watching() as (watcher, _):
            assert "Nobody answers" in watcher.notes[0]
    finally:
        silent.close()
        await silent.wait_closed()


async def _keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


_CRASHES = """
import asyncio, os, signal, sys
from swarm_app.host.power import open_power_watcher

async def main() -> None:
    watcher = open_power_watcher()
    watcher.start()
    await watcher.settled()
    lease = await watcher.delay_sleep("a process that will be killed")
    print("held" if lease.held else lease.why_not, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_killed_process_leaves_no_inhibitor(power_bus: MockBus) -> None:
    root = Path(__file__).parents[2]
    process = subprocess.Popen(  # noqa: ASYNC220  (starting does not wait)
        [sys.executable, "-c", _CRASHES], stdout=subprocess.PIPE, cwd=root, env=dict(os.environ)
    )
    try:
        assert process.stdout is not None
        assert (await asyncio.to_thread(process.stdout.readline)).strip() == b"held"
        assert len(await power_bus.inhibitors()) == 1
        process.kill()
        await until_inhibitors(power_bus, [])
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
