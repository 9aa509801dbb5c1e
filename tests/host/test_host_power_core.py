"""The clock comparison and the core that merges signals with it: nights in milliseconds."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.host.power.clockwatch import Elapsed, Reading, SystemClocks, compare
from swarm_app.host.power.core import NEVER_SLEPT_S, SAME_WAKE_S, PowerCore
from swarm_app.host.power.events import (
    ClockStepped,
    How,
    OnBattery,
    OnMains,
    PowerEvent,
    Reachable,
    Resumed,
    SleepComing,
    Supply,
    SupplyRead,
    Suspending,
    Woke,
)
from tests.host.fakes import FakeClocks

START = Reading(1000.0, 5000.0, 1_700_000_000.0)


@pytest.mark.parametrize(
    ("ran_s", "slept_s", "stepped_s", "expected"),
    [
        (1.0, 0.0, 0.0, Elapsed()),
        (1.3, 0.0, 0.0, Elapsed()),
        (1.0, 28800.0, 0.0, Elapsed(slept_s=28800.0)),
        (0.1, 2.0, 0.0, Elapsed(slept_s=2.0)),
        (1.0, 0.5, 0.0, Elapsed()),  # shorter than what breaks a connection
        (1.0, 0.0, 3600.0, Elapsed(stepped_s=3600.0)),  # an NTP step is not a sleep, however large
        (1.0, 0.0, -3600.0, Elapsed(stepped_s=-3600.0)),
        (1.0, 0.0, 0.0005, Elapsed()),  # NTP slews
        (1.0, 600.0, 10.0, Elapsed(slept_s=600.0, stepped_s=10.0)),  # both in one night
        (1.0, 600.0, 0.9, Elapsed(slept_s=600.0)),  # the hardware clock counts whole seconds
        (31.0, 0.0, 0.0, Elapsed(stalled_s=30.0)),  # stopped, or starved
        (4.0, 0.0, 0.0, Elapsed()),  # a busy computer
    ],
)
def test_the_clocks_tell_sleep_stall_and_step_apart(
    ran_s: float, slept_s: float, stepped_s: float, expected: Elapsed
) -> None:
    passed = ran_s + slept_s
    now = Reading(START.running_s + ran_s, START.total_s + passed, START.wall_s + passed + stepped_s)
    seen = compare(START, now)
    assert dataclasses.astuple(seen) == pytest.approx(dataclasses.astuple(expected), abs=1e-3)


class Night:
    """A core with clocks to play."""

    def __init__(self) -> None:
        self.clocks = FakeClocks()
        self.core = PowerCore(self.clocks.read())

    def tick(self) -> list[PowerEvent]:
        return self.core.tick(self.clocks.read())

    def run(self, seconds: int) -> list[PowerEvent]:
        """Awake for `seconds`, ticking."""
        events = []
        for _ in range(seconds):
            self.clocks.run(1.0)
            events += self.tick()
        return events

    def suspending(self, deadline_s: float = 5.0) -> list[PowerEvent]:
        return self.core.signal(Suspending(deadline_s), self.clocks.read())

    def resumed(self) -> list[PowerEvent]:
        return self.core.signal(Resumed(), self.clocks.read())


@pytest.fixture
def night() -> Night:
    return Night()


def test_an_uneventful_hour(night: Night) -> None:
    assert night.run(3600) == []


def test_the_signal_comes_first(night: Night) -> None:
    assert night.suspending() == [SleepComing(5.0)]
    night.clocks.sleep(28_800.0)
    assert night.resumed() == [Woke(28_800.0, How.SIGNAL)]
    assert night.run(5) == []


def test_the_clock_comes_first(night: Night) -> None:
    night.suspending()
    night.clocks.sleep(28_800.0)
    assert night.tick() == [Woke(28_800.0, How.CLOCK)]
    assert night.run(20) == []
    assert night.resumed() == []  # the same wake, heard late


def test_a_sleep_without_a_word(night: Night) -> None:
    night.clocks.sleep(600.0)
    assert night.run(1) == [Woke(600.0, How.CLOCK)]


def test_two_sleeps_in_a_row_are_two(night: Night) -> None:
    """A laptop that wakes for a moment in its bag: what was connected in between is stale again."""
    night.clocks.sleep(600.0)
    assert night.tick() == [Woke(600.0, How.CLOCK)]
    night.clocks.sleep(900.0)
    assert night.tick() == [Woke(900.0, How.CLOCK)]
    night.clocks.sleep(5.0)
    assert night.resumed() == [Woke(5.0, How.SIGNAL)]


def test_a_sleep_that_was_called_off(night: Night) -> None:
    night.suspending()
    night.run(2)
    assert night.resumed() == [Woke(0.0, How.SIGNAL)]


def test_a_sleep_that_never_came(night: Night) -> None:
    """The bus died after "about to sleep": the node must not stay withdrawn for ever."""
    night.suspending(5.0)
    assert night.run(int(5 + NEVER_SLEPT_S)) == []
    assert night.run(1) == [Woke(0.0, How.CLOCK)]
    assert night.run(600) == []


def test_said_twice_is_told_once(night: Night) -> None:
    assert night.suspending() == [SleepComing(5.0)]
    assert night.suspending() == []
    night.clocks.sleep(100.0)
    assert night.resumed() == [Woke(100.0, How.SIGNAL)]
    assert night.resumed() == []  # as Windows does


def test_a_goodnight_heard_after_the_night(night: Night) -> None:
    """Frozen before it could read the signal, the process finds both signals waiting at the wake."""
    night.clocks.sleep(28_800.0)
    assert night.suspending() == [Woke(28_800.0, How.CLOCK)]
    assert night.resumed() == []
    assert night.run(10) == []
    assert night.suspending() == [SleepComing(5.0)]  # the next one is believed


def test_a_wake_without_a_sleep_is_told_once(night: Night) -> None:
    assert night.resumed() == [Woke(0.0, How.SIGNAL)]
    night.run(int(SAME_WAKE_S) + 1)
    assert night.resumed() == [Woke(0.0, How.SIGNAL)]


def test_a_process_that_stood_still(night: Night) -> None:
    """SIGSTOP, a frozen cgroup, a paused virtual machine: the others saw this node die."""
    night.clocks.run(30.0)
    assert night.tick() == [Woke(29.0, How.STALL)]
    assert night.resumed() == []


def test_a_clock_that_was_set(night: Night) -> None:
    night.clocks.run(1.0)
    night.clocks.step(60.0)
    assert night.tick() == [ClockStepped(60.0)]
    night.clocks.run(1.0)
    night.clocks.step(-3600.0)
    assert night.tick() == [ClockStepped(-3600.0)]
    assert night.run(100) == []


def test_a_step_told_by_a_signal_s_reading(night: Night) -> None:
    night.clocks.step(10.0)
    assert night.suspending() == [ClockStepped(10.0), SleepComing(5.0)]


def test_the_battery() -> None:
    core = PowerCore(START)

    def read(on_battery: bool, level: float | None) -> list[PowerEvent]:
        return core.signal(SupplyRead(Supply(on_battery, level)), START)

    assert read(False, 1.0) == [OnMains(1.0)]
    assert read(False, 0.9) == []
    assert read(True, 0.9) == [OnBattery(0.9)]
    assert read(True, 0.88) == []
    assert read(True, 0.84) == [OnBattery(0.84)]
    assert read(True, None) == [OnBattery(None)]
    assert read(False, None) == [OnMains(None)]
    assert core.signal(Reachable(), START) == []


_STEPS = st.one_of(
    st.tuples(st.just("run"), st.floats(0.0, 3.0)),
    st.tuples(st.just("sleep"), st.floats(1.5, 100_000.0)),
    st.tuples(st.just("step"), st.floats(-1e6, 1e6)),
    st.tuples(st.sampled_from(["suspending", "resumed"]), st.just(0.0)),
)


@given(st.lists(_STEPS, max_size=40))
def test_every_sleep_is_told_once_whatever_else_happens(steps: list[tuple[str, float]]) -> None:
    night = Night()
    slept, told = 0.0, 0.0
    for what, amount in steps:
        if what == "run":
            night.clocks.run(amount)
        elif what == "sleep":
            night.clocks.sleep(amount)
            slept += amount
        elif what == "step":
            night.clocks.step(amount)
        events = {"suspending": night.suspending, "resumed": night.resumed}.get(what, night.tick)()
        told += sum(event.slept_s for event in events if isinstance(event, Woke))
        # Between two events of a sleep to come there is always a wake.
        assert [type(event) for event in events].count(SleepComing) <= 1
        assert all(event.slept_s >= 0 for event in events if isinstance(event, Woke))
    assert told == pytest.approx(slept, abs=1e-3)


@pytest.mark.skipif(sys.platform != "linux", reason="names Linux's clocks")
def test_the_system_s_clocks_are_the_kernel_s() -> None:
    reading = SystemClocks().read()
    now = time.clock_gettime(time.CLOCK_MONOTONIC), time.clock_gettime(time.CLOCK_BOOTTIME), time.time()
    assert dataclasses.astuple(reading) == pytest.approx(now, abs=1.0)
    # Nothing slept and nobody stood still between two readings.
    assert compare(reading, SystemClocks().read()) == Elapsed()


@pytest.mark.skipif(sys.platform != "linux", reason="time namespaces are Linux's")
def test_a_boot_clock_ahead_of_the_other_is_no_sleep() -> None:
    """A computer that has slept before: only what is gained between two readings counts."""
    program = (
        "from swarm_app.host.power.clockwatch import SystemClocks, compare\n"
        "clocks = SystemClocks(); a = clocks.read()\n"
        "print(a.total_s - a.running_s, compare(a, clocks.read()))"
    )
    run = ["unshare", "--time", "--boottime", "100000", sys.executable, "-c", program]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode and "unshare" in done.stderr:
        pytest.skip(f"no time namespaces here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    ahead, seen = done.stdout.split(" ", 1)
    assert float(ahead) > 90_000
    assert seen.strip() == "Elapsed(slept_s=0.0, stalled_s=0.0, stepped_s=0.0)"
