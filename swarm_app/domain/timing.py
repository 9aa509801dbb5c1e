"""The times between the pieces of an answer, summed up."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """Monotonic seconds; prefill and decode are never averaged together."""

    ttft_s: float
    """From the request to the first token."""
    decode_s: float
    """From the first token to the last."""
    itl_median_s: float
    itl_p95_s: float


def timing(started_s: float, times_s: Sequence[float]) -> Timing | None:
    """Timing from the monotonic times at which tokens were chosen; None before the first."""
    if not times_s:
        return None
    median_s, p95_s = between(times_s)
    return Timing(
        ttft_s=times_s[0] - started_s,
        decode_s=times_s[-1] - times_s[0],
        itl_median_s=median_s,
        itl_p95_s=p95_s,
    )


def between(times_s: Sequence[float]) -> tuple[float, float]:
    """Median and p95 of the intervals between monotonic times; both 0 where there is none.

    The median is the middle interval (the mean of the two middle ones), p95 the nearest rank: the
    smallest interval that at least 95 of 100 do not exceed.
    """
    gaps_s = sorted(after - before for before, after in itertools.pairwise(times_s))
    if not gaps_s:
        return 0.0, 0.0
    count = len(gaps_s)
    return (gaps_s[(count - 1) // 2] + gaps_s[count // 2]) / 2, gaps_s[-(-count * 95 // 100) - 1]
