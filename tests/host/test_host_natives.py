"""The macOS and Windows files as far as they can be tried elsewhere: translation, layouts, threads."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import threading
from collections.abc import AsyncIterator, Callable

import pytest

from swarm_app.host.link.macos import MacLink
from swarm_app.host.link.watch import CoreLinkWatcher, Pace
from swarm_app.host.link.windows import WindowsLink
from swarm_app.host.power import macos, windows
from swarm_app.host.power.contract import PowerSource
from swarm_app.host.power.events import How, Resumed, Signal, SleepComing, Suspending, Woke
from swarm_app.host.power.threaded import DelayGate, ThreadedPower
from swarm_app.host.power.watch import CoreWatcher
from tests.host.fakes import FakeClocks, Heard
from tests.host.waiting import until

pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.mark.parametrize(
    ("message", "signal", "answered"),
    [
        (0xE0000270, None, True),  # kIOMessageCanSystemSleep: not vetoed, that is the assertion's work
        (0xE0000280, Suspending(20.0), True),  # kIOMessageSystemWillSleep
        (0xE0000290, Resumed(), False),  # kIOMessageSystemWillNotSleep
        (0xE0000320, None, False),  # kIOMessageSystemWillPowerOn: too early for anything
        (0xE0000300, Resumed(), False),  # kIOMessageSystemHasPoweredOn
        (0xE0000000, None, False),
    ],
)
def test_macos_messages(message: int, signal: Signal | None, answered: bool) -> None:
    assert macos.translate(message) == signal
    assert macos.wants_answer(message) is answered


@pytest.mark.parametrize(
    ("kind", "signal"),
    [
        (0x04, Suspending(1.5)),  # PBT_APMSUSPEND
        (0x06, Resumed()),  # PBT_APMRESUMECRITICAL
        (0x07, Resumed()),  # PBT_APMRESUMESUSPEND
        (0x12, Resumed()),  # PBT_APMRESUMEAUTOMATIC
        (0x0A, None),  # PBT_APMPOWERSTATUSCHANGE
        (0x8013, None),  # PBT_POWERSETTINGCHANGE
    ],
)
def test_windows_broadcasts(kind: int, signal: Signal | None) -> None:
    assert windows.translate(kind) == signal


def test_windows_layouts_are_those_of_64_bits() -> None:
    assert ctypes.sizeof(ctypes.c_void_p) == 8
    assert ctypes.sizeof(windows.SubscribeParameters) == 16
    assert windows.SubscribeParameters.context.offset == 8
    assert ctypes.sizeof(windows.ReasonContext) == 32
    assert windows.ReasonContext.reason.offset == 8


@pytest.mark.parametrize("make", [macos.MacPower, windows.WindowsPower])
async def test_elsewhere_they_say_that_they_cannot(make: Callable[[], PowerSource]) -> None:
    """On the wrong system, or one too old, the clocks are left and the reason is told."""
    clocks, heard = FakeClocks(), Heard()
    watcher = CoreWatcher(make(), clocks, tick_s=0.01)
    watcher.watch(heard)
    watcher.start()
    await watcher.settled()
    assert watcher.notes[0].startswith("Sleep is noticed only after the wake, by the clocks.")
    assert not (await watcher.keep_awake("x")).held
    clocks.sleep(60.0)
    assert await heard.next() == Woke(60.0, How.CLOCK)
    await watcher.close()


class PlayedNative:
    """A system that calls back on a thread of its own, as macOS and Windows do."""

    def __init__(self) -> None:
        self._hear: Callable[[Signal], None] | None = None
        self.awake = 0
        self.slept = threading.Event()
        self.ended = False

    def watch(self, hear: Callable[[Signal], None]) -> Callable[[], None]:
        self._hear = hear

        def end() -> None:
            self.ended = True

        return end

    def keep_awake(self, reason: str) -> Callable[[], None]:
        if not reason:
            raise OSError("no reason, no request")
        self.awake += 1

        def let_go() -> None:
            self.awake -= 1

        return let_go

    def go_to_sleep(self) -> threading.Thread:
        """Tell, wait for the callback, sleep."""

        def fall() -> None:
            assert self._hear is not None
            self._hear(Suspending(20.0))
            self.slept.set()

        thread = threading.Thread(target=fall)
        thread.start()
        return thread

    def wake(self) -> None:
        assert self._hear is not None
        self._hear(Resumed())


class Threaded:
    def __init__(self) -> None:
        self.native = PlayedNative()
        self.clocks = FakeClocks()
        self.heard = Heard()
        self.watcher = CoreWatcher(ThreadedPower(lambda: self.native), self.clocks, tick_s=0.01)
        self.watcher.watch(self.heard)


@pytest.fixture
async def threaded() -> AsyncIterator[Threaded]:
    rig = Threaded()
    rig.watcher.start()
    await rig.watcher.settled()
    yield rig
    await rig.watcher.close()
    assert rig.native.ended
    assert rig.native.awake == 0


async def test_the_system_waits_until_goodnight_is_said(threaded: Threaded) -> None:
    lease = await threaded.watcher.delay_sleep("serving")
    thread = threaded.native.go_to_sleep()
    assert await threaded.heard.next() == SleepComing(20.0)
    assert not threaded.native.slept.is_set()
    lease.let_sleep()
    await asyncio.to_thread(thread.join, 10)
    assert threaded.native.slept.is_set()
    threaded.clocks.sleep(500.0)
    threaded.native.wake()
    woke = await threaded.heard.next()  # by the signal or by the clocks, whichever is first
    assert isinstance(woke, Woke)
    assert woke.slept_s == 500.0
    threaded.native.wake()  # Windows says it again when a person is there
    await threaded.heard.nothing()
    await until(lambda: lease.held)


async def test_without_a_lease_the_system_does_not_wait(threaded: Threaded) -> None:
    thread = threaded.native.go_to_sleep()
    await asyncio.to_thread(thread.join, 10)
    assert threaded.native.slept.is_set()
    assert await threaded.heard.next() == SleepComing(0.0)


async def test_a_node_that_ends_lets_the_system_sleep(threaded: Threaded) -> None:
    await threaded.watcher.delay_sleep("serving")
    thread = threaded.native.go_to_sleep()
    assert isinstance(await threaded.heard.next(), SleepComing)
    await threaded.watcher.close()
    await asyncio.to_thread(thread.join, 10)
    assert threaded.native.slept.is_set()


async def test_keep_awake_asks_the_system(threaded: Threaded) -> None:
    with await threaded.watcher.keep_awake("an answer") as lease:
        assert lease.held
        assert threaded.native.awake == 1
    assert threaded.native.awake == 0
    with await threaded.watcher.keep_awake("") as lease:
        assert "no reason, no request" in lease.why_not


def test_the_gate_opens_by_itself_in_time() -> None:
    gate = DelayGate()
    let_go = gate.add()
    assert not gate.wait(0.01)
    let_go()
    let_go()
    assert gate.wait(0.0)


async def test_macos_looks_when_the_routing_socket_speaks() -> None:
    ours, kernel = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    looks = 0

    class Counting(MacLink):
        async def read(self):  # type: ignore[no-untyped-def]
            nonlocal looks
            looks += 1
            return await super().read()

    watcher = CoreLinkWatcher(Counting(lambda: ours), Pace(settle_s=0.01, poll_s=60.0))
    watcher.start()
    with kernel:
        await watcher.settled()
        before = looks
        kernel.send(b"\x50\x00\x05\x0c")  # RTM_NEWADDR's beginning: its meaning is not read
        await until(lambda: looks > before)
        await watcher.close()
    assert watcher.notes == ()


async def test_windows_looks_when_the_helper_calls() -> None:
    moved: list[Callable[[], None]] = []

    class Played:
        def watch(self, told: Callable[[], None]) -> Callable[[], None]:
            moved.append(told)
            return moved.clear

    looks = 0

    class Counting(WindowsLink):
        async def read(self):  # type: ignore[no-untyped-def]
            nonlocal looks
            looks += 1
            return await super().read()

    watcher = CoreLinkWatcher(Counting(Played), Pace(settle_s=0.01, poll_s=60.0))
    watcher.start()
    await watcher.settled()
    before = looks
    await asyncio.to_thread(moved[0])  # on a thread of the system
    await until(lambda: looks > before)
    await watcher.close()
    assert moved == []


async def test_links_elsewhere_are_polled_and_say_so() -> None:
    def refuse() -> socket.socket:
        raise OSError("not on this system")

    for source in (MacLink(refuse), WindowsLink()):
        watcher = CoreLinkWatcher(source, Pace(poll_s=0.05))
        watcher.start()
        await watcher.settled()
        assert watcher.notes[0].startswith("Changes of the network are noticed late")
        assert any(item.name == "lo" for item in watcher.snapshot.interfaces)
        await watcher.close()
