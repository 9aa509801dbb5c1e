"""The clock watcher: tells a sleep from a clock step by comparing three clocks.

Always on, on every system, and all that is left where the system says nothing. Needed even where
it does: timers stand still during a sleep on Linux, so no timeout alone shows that a night has
passed, and a wall clock alone cannot tell a night from a correction by NTP.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from swarm_app.host.system import System, current_system

TICK_S = 1.0
"""How often the clocks are compared: a wake is noticed at most this long after it."""

SLEPT_S = 1.0
"""A shorter sleep breaks no connection. Far above what reading two clocks in turn can differ by."""

STALLED_S = 5.0
"""A process that did not run this long has missed heartbeats. Above what a busy computer's scheduler does."""

STEPPED_S = 0.5
"""NTP slews at most 0.5 ms per second, so this much within one tick is a step. A swarm refuses clocks
that differ by 3 s."""

STEPPED_AFTER_SLEEP_S = 2.0
"""After a sleep the wall clock comes from a hardware clock that counts whole seconds."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The clocks at one moment, in seconds from origins of their own."""

    running_s: float
    """Counts while the system runs, not while it sleeps."""
    total_s: float
    """Counts always."""
    wall_s: float
    """Seconds since the epoch; can be set."""


class Clocks(Protocol):
    def read(self) -> Reading: ...


class SystemClocks:
    """The clocks of this computer."""

    def __init__(self, system: System | None = None) -> None:
        self._running, self._total = _sources(system or current_system())

    def read(self) -> Reading:
        # Being held up between two reads would look like a sleep: what counts is the narrowest try.
        best: tuple[float, Reading] | None = None
        for _ in range(3):
            before = self._running()
            total, wall = self._total(), time.time()
            after = self._running()
            width = after - before
            if best is None or width < best[0]:
                best = (width, Reading((before + after) / 2, total, wall))
            if width < 0.001:
                break
        assert best is not None
        return best[1]


def _sources(system: System) -> tuple[Callable[[], float], Callable[[], float]]:
    """Functions that read the clock without and the clock with sleep, in seconds."""
    if system is System.LINUX:
        return (
            lambda: time.clock_gettime(time.CLOCK_MONOTONIC),
            lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
        )
    if system is System.MACOS:
        from swarm_app.host.power import macos

        return macos.running_clock, macos.total_clock
    if system is System.WINDOWS:
        from swarm_app.host.power import windows

        return windows.clocks()
    return time.monotonic, time.monotonic


@dataclass(frozen=True, slots=True)
class Elapsed:
    """What happened between two readings. Zero where nothing of the kind did."""

    slept_s: float = 0.0
    stalled_s: float = 0.0
    stepped_s: float = 0.0


def compare(before: Reading, now: Reading, tick_s: float = TICK_S) -> Elapsed:
    """What the clocks say happened between two readings that were meant to be at most `tick_s` apart.

    A sleep is what `total_s` gained on `running_s`; a step is what `wall_s` gained on `total_s`; a stall
    is what `running_s` gained on the plan. The three do not mix: a step is no sleep, however large.
    """
    ran = now.running_s - before.running_s
    passed = now.total_s - before.total_s
    slept = passed - ran
    slept = slept if slept >= SLEPT_S else 0.0
    late = ran - tick_s
    stalled = late if late >= STALLED_S else 0.0
    stepped = (now.wall_s - before.wall_s) - passed
    floor = STEPPED_AFTER_SLEEP_S if slept else STEPPED_S
    return Elapsed(slept, stalled, stepped if abs(stepped) >= floor else 0.0)
