"""Time as a parameter, so that a night's sleep is a millisecond of test."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """What pure code may know about time."""

    def monotonic(self) -> float:
        """Seconds that never go back; differences only."""
        ...

    def time(self) -> float:
        """Seconds since the epoch, as other computers see it."""
        ...


class SystemClock:
    """The computer's own clocks."""

    def monotonic(self) -> float:
        return time.monotonic()

    def time(self) -> float:
        return time.time()


class ManualClock:
    """A clock that moves only when told to; for tests and simulations."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
