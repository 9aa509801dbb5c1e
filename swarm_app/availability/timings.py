"""Recent durations, and what is usual among them, without minding outliers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

KEEP = 32
"""Samples kept: about a second of decoding, a minute of heartbeats. Old conditions are forgotten as fast."""

NORMAL = 1.4826
"""The MAD of a normal distribution times this is its standard deviation."""


@dataclass(frozen=True, slots=True)
class Timings:
    """The latest durations in seconds, oldest first."""

    samples: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.samples)

    def with_sample(self, seconds: float) -> Timings:
        """One more; what is negative or not a number came from a clock's mistake and is passed over."""
        if not (math.isfinite(seconds) and seconds >= 0):
            return self
        return Timings((*self.samples, seconds)[-KEEP:])

    def usual_s(self) -> float | None:
        """The median, or None without samples."""
        return _median(self.samples) if self.samples else None

    def limit_s(self, *, spread: float, slack: float) -> float | None:
        """What a healthy peer does not exceed: max(slack * median, median + spread * 1.4826 * MAD).

        MAD is the median distance from the median (Hampel 1974). None without samples.
        """
        if not self.samples:
            return None
        usual = _median(self.samples)
        distance = _median([abs(sample - usual) for sample in self.samples])
        return max(slack * usual, usual + spread * NORMAL * distance)


NO_TIMINGS = Timings()


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
