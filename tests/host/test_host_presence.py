"""Whether somebody is there: the core, Linux's buses and X server, the others as far as they can be tried."""

from __future__ import annotations

import asyncio
import math
import os
import select
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from swarm_app.host import priority
from swarm_app.host.presence import open_presence_watcher
from swarm_app.host.presence.contract import CannotKnow, Nowhere, PresenceSource, Reading
from swarm_app.host.presence.linux import NO_DISPLAY, WAYLAND, LinuxPresence
from swarm_app.host.presence.macos import MacPresence
from swarm_app.host.presence.watch import AWAY_S, BROKEN, SILENT, Presence, PresenceWatcher, presence_of
from swarm_app.host.presence.windows import TICKS, Native, WindowsPresence
from swarm_app.host.presence.x11 import X11, Screen
from swarm_app.host.system import System
from tests.host.fakes import FakePresence
from tests.host.mockbus import LOGIND, MockBus, missing_here
from tests.host.waiting import until

pytestmark = pytest.mark.usefixtures("no_leaks")

_SESSION = "org.freedesktop.login1.Session"


# ---------------------------------------------------------------- what every source does


class World(Protocol):
    @property
    def source(self) -> PresenceSource: ...

    async def is_idle(self, for_s: float) -> None: ...

    async def is_touched(self) -> None: ...

    async def falls_silent(self) -> None: ...


class FakeWorld:
    def __init__(self) -> None:
        self.source: FakePresence = FakePresence()

    async def is_idle(self, for_s: float) -> None:
        self.source.now = Reading(for_s, False)

    async def is_touched(self) -> None:
        self.source.now = Reading(0.0, False)

    async def falls_silent(self) -> None:
        self.source.now = Reading(why_no_idle="nobody is there to ask")


class LinuxWorld:
    """A computer without a display, on which somebody works in a terminal."""

    def __init__(self, bus: MockBus) -> None:
        self._bus = bus
        self.source: LinuxPresence = LinuxPresence({}, retry_s=0.0)
        self._path = "/org/freedesktop/login1/session/c1"

    async def logs_in(self, kind: str = "tty") -> None:
        added = ("org.freedesktop.DBus.Mock.AddSession", "ssusb", "c1", "seat0", 1000, "ada", True)
        await self._bus.call(LOGIND, "/org/freedesktop/login1", *added)
        await self.set("Type", "s", kind)

    async def set(self, name: str, kind: str, value: object) -> None:
        await self._bus.set(LOGIND, self._path, _SESSION, name, kind, value)

    async def is_idle(self, for_s: float) -> None:
        await self.set("IdleHint", "b", True)
        await self.set("IdleSinceHint", "t", int((time.time() - for_s) * 1e6))

    async def is_touched(self) -> None:
        await self.set("IdleHint", "b", False)

    async def falls_silent(self) -> None:
        await asyncio.to_thread(self._bus.remove, "logind")


@pytest.fixture
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of whoever runs this is not asked."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)


@pytest.fixture
async def linux(bus: MockBus, no_desktop: None) -> AsyncIterator[LinuxWorld]:
    await bus.add("logind", LOGIND)
    world = LinuxWorld(bus)
    yield world
    await world.source.close()


@pytest.fixture(params=["fake", "linux"])
async def world(request: pytest.FixtureRequest, no_desktop: None) -> World:
    if request.param == "fake":
        return FakeWorld()
    if sys.platform != "linux":
        pytest.skip("logind is Linux's")
    bus: MockBus = request.getfixturevalue("bus")
    await bus.add("logind", LOGIND)
    world = LinuxWorld(bus)
    await world.logs_in()
    return world


async def test_every_source_tells_idle_from_active_and_says_why_it_cannot(world: World) -> None:
    await world.is_touched()
    assert (await world.source.read()).idle_s == 0.0
    await world.is_idle(400.0)
    idle_s = (await world.source.read()).idle_s
    assert idle_s is not None
    assert 399.0 < idle_s < 420.0
    await world.falls_silent()
    silent = await world.source.read()
    assert silent.idle_s is None
    assert silent.why_no_idle
    assert not silent.why_no_idle.endswith(".")
    await world.source.close()


# ---------------------------------------------------------------- the core


@pytest.mark.parametrize(
    ("reading", "presence"),
    [
        (Reading(0.0, False), Presence(True, False)),
        (Reading(AWAY_S - 0.1, True), Presence(True, True)),
        (Reading(AWAY_S, None, "", "w"), Presence(False, None, "", "w")),
        (Reading(math.inf, False), Presence(False, False)),
        (Reading(None, False, "w"), Presence(None, False, "w")),
        (Reading(-1.0, False), Presence(None, False, SILENT)),
        (Reading(math.nan, False), Presence(None, False, SILENT)),
    ],
)
def test_what_a_reading_means(reading: Reading, presence: Presence) -> None:
    assert presence_of(reading) == presence


async def test_the_watcher_tells_what_is_different_and_what_does_not_answer() -> None:
    source, told = FakePresence(), list[Presence]()
    source.now = Reading(1.0, False)
    watcher = PresenceWatcher(source, poll_s=0.001, patience_s=0.05)
    watcher.watch(told.append)
    watcher.start()
    await until(lambda: source.reads > 5)
    assert told == [Presence(True, False)]
    source.answers.clear()
    await until(lambda: len(told) == 2)
    assert told[-1] == Presence(None, None, SILENT, SILENT)
    source.now = Reading(1.0, True)
    source.answers.set()
    await until(lambda: watcher.now == Presence(True, True))
    source.answers.clear()
    await asyncio.sleep(0)
    await watcher.close()
    await watcher.close()
    assert source.closed


async def test_a_reading_that_fails_is_no_knowledge_and_not_the_last_one() -> None:
    caught: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: caught.append(f"{context['message']}: {context['exception']!r}")
    )

    class Broken(FakePresence):
        broken = False

        async def read(self) -> Reading:
            reading = await super().read()
            if self.broken:
                raise KeyError("a bug of ours")
            return reading

    source, told = Broken(), list[Presence]()
    source.now = Reading(1.0, True)
    watcher = PresenceWatcher(source, poll_s=0.001)

    def fail(_presence: Presence) -> None:
        raise ValueError("a listener's")

    watcher.watch(fail)
    watcher.watch(told.append)
    watcher.start()
    await until(lambda: told == [Presence(True, True)])
    source.broken, reads = True, source.reads
    await until(lambda: source.reads > reads + 5)
    assert told[1:] == [Presence(None, None, BROKEN, BROKEN)], "nobody is paused for good"
    source.broken = False
    await until(lambda: len(told) == 3)
    await watcher.close()
    assert told[-1] == Presence(True, True)
    assert [line for line in caught if "KeyError" in line] == [
        "presence failed and is tried again: KeyError('a bug of ours')"
    ]


# ---------------------------------------------------------------- Linux


async def test_a_locked_session_and_one_that_ends_are_nobody(linux: LinuxWorld) -> None:
    assert await linux.source.read() == Reading(math.inf, False), "nobody has logged in"
    await linux.logs_in()
    assert (await linux.source.read()).idle_s == 0.0
    await linux.set("LockedHint", "b", True)
    assert (await linux.source.read()).idle_s == math.inf
    await linux.set("LockedHint", "b", False)
    await linux.set("State", "s", "closing")
    assert (await linux.source.read()).idle_s == math.inf


async def test_a_desktop_that_never_says_idle_is_not_believed_to_be_active(linux: LinuxWorld) -> None:
    await linux.logs_in("wayland")
    first = await linux.source.read()
    assert (first.idle_s, first.full_screen) == (None, None)
    assert first.why_no_idle == "this desktop has not told yet when nobody uses it"
    assert first.why_no_full_screen == NO_DISPLAY
    await linux.is_idle(10.0)
    assert (await linux.source.read()).idle_s is not None
    await linux.is_touched()
    assert (await linux.source.read()).idle_s == 0.0


@pytest.fixture
def desktop(bus: MockBus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """The private bus as the desktop's too; `serve(name, path, interface, method, type, code)` puts a service
    of one method on it."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.address)
    running: list[subprocess.Popen[bytes]] = []

    def serve(name: str, path: str, method: str, kind: str, code: str) -> None:
        program = (
            "import dbus, dbus.service, dbus.mainloop.glib, dbusmock.mockobject as m, sys\n"
            "from gi.repository import GLib\n"
            "dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)\n"
            "bus = dbus.bus.BusConnection(sys.argv[1])\n"
            "name = dbus.service.BusName(sys.argv[2], bus)\n"
            "served = m.DBusMockObject(name, sys.argv[3], sys.argv[2], {})\n"
            "served.AddMethod(sys.argv[2], sys.argv[4], '', sys.argv[5], sys.argv[6])\n"
            "print('ready', flush=True)\n"
            "GLib.MainLoop().run()\n"
        )
        process = subprocess.Popen(
            ["/usr/bin/python3", "-c", program, bus.address, name, path, method, kind, code],
            stdout=subprocess.PIPE,
        )
        running.append(process)
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 20)[0]
        assert process.stdout.readline() == b"ready\n"

    yield serve
    for process in running:
        process.terminate()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


async def test_gnome_is_asked_first(desktop: Callable[..., None]) -> None:
    mutter = ("org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "GetIdletime", "t")
    await asyncio.to_thread(desktop, *mutter, "ret = 7250")
    source = LinuxPresence({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"})
    assert await source.read() == Reading(7.25, None, "", WAYLAND)
    await source.close()


async def test_a_screen_saver_that_always_says_zero_is_not_believed(desktop: Callable[..., None]) -> None:
    saver = ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "GetSessionIdleTime", "u")
    counts = "import itertools; self.n = getattr(self, 'n', -1) + 1; ret = [0, 0, 3, 0][self.n]"
    await asyncio.to_thread(desktop, *saver, counts)
    source = LinuxPresence({"WAYLAND_DISPLAY": "wayland-0"})
    assert [(await source.read()).idle_s for _ in range(4)] == [None, None, 3.0, 0.0]
    await source.close()


async def test_without_any_bus_everything_is_unknown_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_desktop: None
) -> None:
    nowhere = f"unix:path={tmp_path}/none"
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", nowhere)
    source = LinuxPresence({})
    reading = await source.read()
    assert (reading.idle_s, reading.full_screen) == (None, None)
    assert reading.why_no_idle.startswith("there is no connection to the system bus at")
    assert await source.read() == reading, "it is not tried again at once"
    await source.close()


async def test_a_display_that_is_not_there_is_said_to_be_so() -> None:
    display = X11(":4711")
    with pytest.raises(CannotKnow, match="the display does not answer"):
        await display.look()
    await display.close()


@pytest.fixture
def display() -> Iterator[str]:
    """A virtual X server of its own."""
    if shutil.which("Xvfb") is None:
        missing_here("There is no virtual X server on this computer", "xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "320x240x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        assert select.select([read], [], [], 20)[0], "Xvfb did not start"
        yield ":" + os.read(read, 16).decode().strip()
    finally:
        os.close(read)
        server.terminate()
        server.wait(10)


async def test_an_x_server_tells_the_window_in_front_and_the_idle_time(display: str) -> None:
    import xcffib
    import xcffib.xproto

    source = LinuxPresence({"DISPLAY": display, "XDG_SESSION_TYPE": "x11"})
    reading = await source.read()
    assert reading.full_screen is None
    assert reading.why_no_full_screen == "the window manager does not tell which window is in front"
    assert reading.idle_s is not None
    assert 0.0 <= reading.idle_s < 60.0

    # The test is the window manager.
    connect: Any = xcffib.connect
    manager = connect(display=display)
    root = manager.get_setup().roots[0].root

    def atom(name: str) -> int:
        return int(manager.core.InternAtom(False, len(name), name).reply().atom)

    def put(window: int, name: str, kind: int, values: list[int]) -> None:
        manager.core.ChangeProperty(
            0, window, atom(name), kind, 32, len(values), values, is_checked=True
        ).check()

    window = manager.generate_id()
    manager.core.CreateWindow(24, window, root, 0, 0, 320, 240, 0, 1, 0, 0, [], is_checked=True).check()
    put(root, "_NET_ACTIVE_WINDOW", 33, [window])
    assert (await source.read()).full_screen is False
    put(window, "_NET_WM_STATE", 4, [atom("_NET_WM_STATE_ABOVE"), atom("_NET_WM_STATE_FULLSCREEN")])
    assert (await source.read()).full_screen is True
    manager.core.DestroyWindow(window, is_checked=True).check()
    assert (await source.read()).full_screen is False, "what is gone fills nothing"
    put(root, "_NET_ACTIVE_WINDOW", 33, [0])
    assert (await source.read()).full_screen is False
    manager.disconnect()
    await source.close()


async def test_a_display_that_hangs_hangs_nobody() -> None:
    looked: list[float] = []

    def ask() -> Screen:
        looked.append(0.0)
        return Screen(1.0, True)

    display = X11(":0", ask)
    assert await display.look() == Screen(1.0, True)
    asking = asyncio.ensure_future(display.look())
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert await display.look() == Screen(1.0, True)
    await display.close()


async def test_a_display_that_answers_nonsense_is_asked_again() -> None:
    answers: list[Screen | Exception] = [struct.error("4 bytes are too few"), Screen(1.0, True)]

    def ask() -> Screen:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    display = X11(":0", ask)
    with pytest.raises(struct.error):
        await display.look()
    async with asyncio.timeout(20):
        assert await display.look() == Screen(1.0, True)
    await display.close()


# ---------------------------------------------------------------- the others, played


class PlayedWindows:
    def __init__(self) -> None:
        self.now, self.last, self.shell = 100_000, 40_000, 5

    def ticks(self) -> tuple[int, int]:
        if self.now < 0:
            raise OSError("Windows does not tell the last input")
        return self.now, self.last

    def state(self) -> int:
        return self.shell


@pytest.mark.parametrize(
    ("now", "last", "shell", "reading"),
    [
        (100_000, 40_000, 5, Reading(60.0, False)),
        (1_000, TICKS - 1_000, 3, Reading(2.0, True)),  # the count has started over
        (5, 5, 2, Reading(0.0, True)),
        (5, 5, 4, Reading(0.0, True)),
        (5, 5, 6, Reading(0.0, False)),
        (5, 5, 99, Reading(0.0, None, "", "Windows answered 99")),
        (-1, 0, 5, Reading(None, False, "Windows does not tell the last input")),
    ],
)
async def test_windows(now: int, last: int, shell: int, reading: Reading) -> None:
    native = PlayedWindows()
    native.now, native.last, native.shell = now, last, shell

    def load() -> Native:
        return native

    assert await WindowsPresence(load).read() == reading


async def test_macos_tells_the_idle_time_and_never_the_full_screen() -> None:
    reading = await MacPresence(lambda: lambda: 12.5).read()
    assert (reading.idle_s, reading.full_screen) == (12.5, None)
    assert reading.why_no_full_screen


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there they can")
@pytest.mark.parametrize("make", [MacPresence, WindowsPresence, lambda: Nowhere("no way")])
async def test_elsewhere_they_say_that_they_cannot(make: Callable[[], PresenceSource]) -> None:
    source = make()
    reading = await source.read()
    assert (reading.idle_s, reading.full_screen) == (None, None)
    assert reading.why_no_idle
    assert reading.why_no_full_screen
    await source.close()


@pytest.mark.parametrize("system", list(System))
async def test_each_system_has_a_watcher(system: System) -> None:
    watcher = open_presence_watcher(system)
    assert watcher.now == Presence()
    await watcher.close()


# ---------------------------------------------------------------- going after others

_CHILD = """
import os, sys, threading, time
sys.path.insert(0, sys.argv[1])
from swarm_app.host.priority import NICE, lower_this_process, lower_this_thread
if os.getuid() == 0:
    import ctypes
    os.setpriority(os.PRIO_PROCESS, 0, 0)
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # readable for itself again, as after an exec
def nice(): return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
def weight():
    file = "/proc/self/autogroup"
    return open(file).read().split()[-1] if os.path.exists(file) else ""
seen = []
def work():
    if low: assert lower_this_thread()
    child = threading.Thread(target=lambda: seen.append(nice())); child.start(); child.join()
for low in (True, False):
    thread = threading.Thread(target=work); thread.start(); thread.join()
    told = lower_this_process(low)
    time.sleep(0.15)  # the kernel takes one change of a weight in a tenth of a second
    assert nice() == 0
    if weight(): assert told and weight() == str(NICE if low else 0), (told, weight())
assert seen == [NICE, 0], seen
print("fine")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
def test_a_thread_goes_after_others_and_the_next_one_does_not_without_privileges() -> None:
    """As somebody who is not root, and in a session of its own as a child has it."""
    here = str(Path(priority.__file__).parents[2])
    base = os.getpriority(os.PRIO_PROCESS, 0)
    if base and os.getuid():
        pytest.skip(f"this test itself runs at the nice value {base}")
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, here],
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("fine\n", "")


def test_a_session_of_somebody_else_is_not_slowed_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "autogroup"
    file.write_text("0")
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid() + 1)
    assert not priority.lower_this_process(True, System.LINUX, file)
    assert file.read_text() == "0"
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid())
    assert priority.lower_this_process(True, System.LINUX, file)
    assert file.read_text() == str(priority.NICE)
    assert not priority.lower_this_process(True, System.OTHER)
