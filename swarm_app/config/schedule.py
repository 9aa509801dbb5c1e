"""Times of day as people write them: ``22:00-07:00``, ``mon-fri 18:00-23:00, sat-sun 00:00-24:00``.

Pure. A window that ends before it begins goes over midnight and belongs to the day on which it begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

ALWAYS = "always"
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MIN = 24 * 60
WEEK_MIN = 7 * DAY_MIN
MAX_WINDOWS = 16

_DAY = "|".join(DAYS)
_WINDOW = re.compile(
    rf"(?:({_DAY})(?:-({_DAY}))?\s+)?([0-9]{{1,2}}):([0-9]{{2}})\s*-\s*([0-9]{{1,2}}):([0-9]{{2}})"
)


@dataclass(frozen=True, slots=True)
class Schedule:
    """`windows` are half-open, in minutes since Monday 0:00 by the clock on the wall; none reaches past the
    week's end. No window at all means always."""

    windows: tuple[tuple[int, int], ...] = ()

    def open(self, at: datetime) -> bool:
        """Whether the local time `at` lies in a window."""
        return not self.windows or self._holds(_minute(at))

    def changes_at(self, at: datetime) -> datetime | None:
        """The next local time, in whole minutes, at which `open` is different; None where it never is."""
        now, minute = self.open(at), _minute(at)
        edges = sorted({(edge - minute - 1) % WEEK_MIN + 1 for window in self.windows for edge in window})
        for ahead in edges:
            if self._holds((minute + ahead) % WEEK_MIN) is not now:
                return at.replace(second=0, microsecond=0) + timedelta(minutes=ahead)
        return None

    def _holds(self, minute: int) -> bool:
        return any(start <= minute < end for start, end in self.windows)


ANY_TIME = Schedule()


def parse(text: str) -> Schedule:
    """A schedule; ``always`` has no windows. Raises ValueError with what is wrong, as a sentence's end."""
    words = text.strip().lower()
    if words == ALWAYS:
        return Schedule()
    parts = [part.strip() for part in words.split(",")]
    if len(parts) > MAX_WINDOWS:
        raise ValueError(f"at most {MAX_WINDOWS} times of day can be named.")
    windows: list[tuple[int, int]] = []
    for part in parts:
        windows += _window(part)
    return Schedule(tuple(sorted(set(windows))))


def _window(part: str) -> list[tuple[int, int]]:
    found = _WINDOW.fullmatch(part)
    if found is None:
        raise ValueError(f"{part[:40]!r} is not a time of day.")
    first, last, *numbers = found.groups()
    hours, minutes, to_hours, to_minutes = map(int, numbers)
    start, end = _of_day(hours, minutes), _of_day(to_hours, to_minutes)
    if start in (end, DAY_MIN):
        raise ValueError(f"{part[:40]!r} is no time at all.")
    if first is None:
        days = range(7)
    else:
        begin, stop = DAYS.index(first), DAYS.index(last or first)
        days = range(begin, begin + (stop - begin) % 7 + 1)
    length = (end - start) % DAY_MIN or DAY_MIN
    found_windows = []
    for day in days:
        since = (day % 7) * DAY_MIN + start
        until = since + length
        found_windows.append((since, min(until, WEEK_MIN)))
        if until > WEEK_MIN:
            found_windows.append((0, until - WEEK_MIN))
    return found_windows


def _of_day(hours: int, minutes: int) -> int:
    if hours > 24 or minutes > 59 or hours * 60 + minutes > DAY_MIN:
        raise ValueError(f"{hours}:{minutes:02} is not on the clock.")
    return hours * 60 + minutes


def _minute(at: datetime) -> int:
    return at.weekday() * DAY_MIN + at.hour * 60 + at.minute
