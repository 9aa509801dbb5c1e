"""What can happen to a computer's power and clocks. Frozen, past tense or imminent."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class How(enum.StrEnum):
    """How a wake was noticed."""

    SIGNAL = "signal"
    """The system said so."""
    CLOCK = "clock"
    """The clock that counts sleep has run ahead of the one that does not."""
    STALL = "stall"
    """This process did not run for a while although the system did: stopped, frozen or starved. To the
    other computers that looks the same as a sleep."""


@dataclass(frozen=True, slots=True)
class SleepComing:
    """The system is about to sleep.

    `deadline_s`: how long it waits for whoever holds a `delay_sleep` lease; 0.0 when nobody does.
    """

    deadline_s: float


@dataclass(frozen=True, slots=True)
class Woke:
    """The computer runs again after a sleep, or after one that was announced and did not come.

    `slept_s`: seconds asleep by the clocks (or stalled, for How.STALL); 0.0 when the clocks saw none.
    """

    slept_s: float
    how: How


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was set; `by_s` > 0 is forward. No time was slept for it."""

    by_s: float


@dataclass(frozen=True, slots=True)
class OnBattery:
    """Running on battery, or its charge fell to another step. `level` is 0.0 to 1.0, None if unknown."""

    level: float | None


@dataclass(frozen=True, slots=True)
class OnMains:
    """Running on mains. `level` is a battery's charge where there is one, 0.0 to 1.0."""

    level: float | None


PowerEvent = SleepComing | Woke | ClockStepped | OnBattery | OnMains


@dataclass(frozen=True, slots=True)
class Supply:
    """Where the power comes from. `on_battery` is False for a computer that has no battery."""

    on_battery: bool
    level: float | None = None


# ---------------------------------------------------------------- what a system's file reports


@dataclass(frozen=True, slots=True)
class Suspending:
    """The system says that it will sleep and waits `deadline_s` for lease holders."""

    deadline_s: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """The system says that it is awake."""


@dataclass(frozen=True, slots=True)
class SupplyRead:
    supply: Supply


@dataclass(frozen=True, slots=True)
class Reachable:
    """The system's power service can be spoken to from now on: leases can be had."""


Signal = Suspending | Resumed | SupplyRead | Reachable
