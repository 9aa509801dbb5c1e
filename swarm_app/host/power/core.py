"""One tested core: merges the system's signals with the clock watcher. Pure.

The same wake is seen by both, in either order, and is told once. A new sleep is always told, even
right after another: whatever was connected between them is stale again.
"""

from __future__ import annotations

import math

from swarm_app.host.power.clockwatch import TICK_S, Reading, compare
from swarm_app.host.power.events import (
    ClockStepped,
    How,
    OnBattery,
    OnMains,
    PowerEvent,
    Reachable,
    Resumed,
    Signal,
    SleepComing,
    Supply,
    SupplyRead,
    Suspending,
    Woke,
)

SAME_WAKE_S = 60.0
"""A system that says "awake" within this time after a wake that was told means that wake: a slow resume
says so tens of seconds late, and Windows says it twice."""

STALE_S = 5.0
"""A process that was frozen before it heard "about to sleep" hears it after the wake: within this time
after a wake that the clocks told, and before the system's "awake", it is about the sleep that is over."""

NEVER_SLEPT_S = 60.0
"""An announced sleep that has not come this long after its deadline is not coming; without this a node
whose bus died in between would stay withdrawn for ever."""

LEVEL_STEPS = 20
"""The battery's level is told when it crosses a twentieth."""


class PowerCore:
    """Feed it readings and signals; it answers with what to tell. Not bound to any clock or loop."""

    def __init__(self, first: Reading, tick_s: float = TICK_S) -> None:
        self._last = first
        self._tick_s = tick_s
        self._coming: tuple[float, float] | None = None
        """When a sleep was announced, by the running clock, and its deadline in seconds."""
        self._told_wake: float | None = None
        """When a wake was last told, by the running clock."""
        self._unheard = False
        """A wake was told and the system's "awake" for it has not been heard."""
        self.supply: Supply | None = None

    def tick(self, now: Reading) -> list[PowerEvent]:
        """The clocks at this moment; call at least every `tick_s`."""
        events = self._clocks(now, How.CLOCK)
        if self._coming is not None:
            since, deadline_s = self._coming
            if now.running_s - since > deadline_s + NEVER_SLEPT_S:
                events.append(self._woke(now, 0.0, How.CLOCK))
        return events

    def signal(self, signal: Signal, now: Reading) -> list[PowerEvent]:
        """What the system says, with the clocks at the moment of hearing it."""
        if isinstance(signal, Suspending):
            events = self._clocks(now, How.CLOCK)
            stale = self._unheard and self._told_within(STALE_S, now)
            if self._coming is None and not stale:
                self._coming = (now.running_s, signal.deadline_s)
                events.append(SleepComing(signal.deadline_s))
            return events
        if isinstance(signal, Resumed):
            events = self._clocks(now, How.SIGNAL)
            known = any(isinstance(event, Woke) for event in events) or self._told_within(SAME_WAKE_S, now)
            if self._coming is not None or not known:
                events.append(self._woke(now, 0.0, How.SIGNAL))
            self._unheard = False
            return events
        if isinstance(signal, SupplyRead):
            return self._supplied(signal.supply)
        assert isinstance(signal, Reachable)
        return []

    def _clocks(self, now: Reading, how: How) -> list[PowerEvent]:
        elapsed = compare(self._last, now, self._tick_s)
        self._last = now
        events: list[PowerEvent] = []
        if elapsed.slept_s:
            events.append(self._woke(now, elapsed.slept_s, how))
        elif elapsed.stalled_s:
            announced = how is How.SIGNAL and self._coming is not None
            events.append(self._woke(now, elapsed.stalled_s, How.SIGNAL if announced else How.STALL))
        if elapsed.stepped_s:
            events.append(ClockStepped(elapsed.stepped_s))
        return events

    def _woke(self, now: Reading, slept_s: float, how: How) -> Woke:
        self._coming = None
        self._told_wake = now.running_s
        self._unheard = True
        return Woke(slept_s, how)

    def _told_within(self, seconds: float, now: Reading) -> bool:
        return self._told_wake is not None and now.running_s - self._told_wake <= seconds

    def _supplied(self, supply: Supply) -> list[PowerEvent]:
        before, self.supply = self.supply, supply
        if (
            before is not None
            and before.on_battery == supply.on_battery
            and (not supply.on_battery or _step(before.level) == _step(supply.level))
        ):
            return []
        return [OnBattery(supply.level) if supply.on_battery else OnMains(supply.level)]


def _step(level: float | None) -> int | None:
    return None if level is None else math.ceil(level * LEVEL_STEPS)
