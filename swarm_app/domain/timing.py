"""The times between the pieces of an answer, summed up."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


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
