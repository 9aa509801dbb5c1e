"""How many threads a decode step takes: measured all along, because a computer at home has other work too.

A parallel region ends when its slowest thread does. On an idle computer all processors are the fastest choice
for most models; beside one busy program, a step on all of them waits for the one that is shared, region after
region, and takes several times as long as on half of them.
"""

from __future__ import annotations

import statistics
from collections import deque

TRY_AFTER = 12
"""Decode steps between two tries of another number of threads."""

TRY_AFTER_AT_MOST = 256
"""A number that keeps losing is tried this rarely."""

TRY_STEPS = 3
"""Steps that count of one try. The first step after a change does not: workers that slept are woken in it."""

HOPELESS = 2.0
"""A try ends early with a step that takes this many times the present choice's time."""

BETTER = 0.9
"""Another number is taken when its steps take less than this share of the present one's time."""

SLOWER = 2.5
"""Fewer threads are tried only while steps take this many times the quickest one on the present number: a
computer that does nothing else stays as it is, and pays for no tries. There medians of `LATEST` steps reach
twice the quickest (workers share a processor until the kernel has spread them); beside a busy program they
are three to four times."""

LATEST = 15
"""Steps of the present choice whose median counts: seven slow ones are nothing, after eight it looks on."""


class ThreadChoice:
    """Chooses among `most`, half of it, a quarter and so on down to 1. Pure: it is told the times."""

    def __init__(self, most: int) -> None:
        """Raises ValueError for less than one thread."""
        if most < 1:
            raise ValueError("a step takes at least one thread")
        self.numbers = [most]
        while self.numbers[-1] > 1:
            self.numbers.append(self.numbers[-1] // 2)
        self.best = most
        self._step_s: dict[int, float] = {}
        self._quickest_s: dict[int, float] = {}
        self._wait = dict.fromkeys(self.numbers, TRY_AFTER)
        self._since = dict.fromkeys(self.numbers, 0)
        self._last = 0
        """The number of the latest step."""
        self._tried: list[float] = []
        """Times of the try in progress."""
        self._latest: deque[float] = deque(maxlen=LATEST)
        """Times of the present choice, newest last."""

    def next(self) -> int:
        """The number for the next decode step: the best known, or one whose turn it is to be tried."""
        for number in self.numbers:
            if number not in self._step_s:
                return number
        for number in self.numbers:
            due = number != self.best and self._since[number] >= self._wait[number]
            if due and (number > self.best or self._slower()):
                return number
        return self.best

    def _slower(self) -> bool:
        return self._step_s[self.best] > SLOWER * self._quickest_s[self.best]

    def probed(self, number: int, step_s: float) -> None:
        """The least that a decode step on `number` threads took before there was anything to do."""
        self._step_s[number] = self._quickest_s[number] = step_s
        self._compare()

    def took(self, number: int, step_s: float) -> None:
        """A decode step on `number` threads took `step_s` seconds (for the same work as all others)."""
        self._quickest_s[number] = min(step_s, self._quickest_s.get(number, step_s))
        if number != self._last:
            self._last = number
            self._tried = []
            return
        best_s = self._step_s.get(self.best)
        if number == self.best and best_s is not None:
            self._latest = self._latest or deque([best_s], LATEST)
            self._latest.append(step_s)
            self._step_s[number] = statistics.median_low(self._latest)
            for other in self.numbers:
                self._since[other] += 1
            self._compare()
            return
        self._tried.append(step_s)
        hopeless = best_s is not None and step_s > HOPELESS * best_s
        if len(self._tried) == TRY_STEPS or hopeless:
            # The least of them: should it have been luck, the steps that follow correct it.
            self._step_s[number] = min(self._tried)
            self._since[number] = 0
            self._wait[number] = min(2 * self._wait[number], TRY_AFTER_AT_MOST)
            self._tried = []
            self._compare()

    def _compare(self) -> None:
        if len(self._step_s) < len(self.numbers):
            return
        best = min(self.numbers, key=self._step_s.__getitem__)
        if best != self.best and self._step_s[best] < BETTER * self._step_s[self.best]:
            self.best = best
            self._latest.clear()
            self._since = dict.fromkeys(self.numbers, 0)
            self._wait = dict.fromkeys(self.numbers, TRY_AFTER)
