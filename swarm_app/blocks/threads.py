"""How many threads a decode step takes: measured all along, because a computer at home has other work too.

A parallel region ends when its slowest thread does. On an idle computer all processors are the fastest choice
for most models; beside one busy program, a step on all of them waits for the one that is shared, region after
region, and takes several times as long as on half of them.
"""

from __future__ import annotations

PROBE_AFTER = 32
"""Decode steps between two tries of another number of threads."""

PROBE_AFTER_AT_MOST = 256
"""A number that keeps losing is tried this rarely."""

BETTER = 0.9
"""Another number is taken when its step takes less than this share of the present one's time."""

WEIGHT = 0.3
"""Of the newest step in the running mean of the present choice: after two slow steps it looks elsewhere."""


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
        self._wait = dict.fromkeys(self.numbers, PROBE_AFTER)
        self._since = dict.fromkeys(self.numbers, 0)

    def next(self) -> int:
        """The number for the next decode step: the best known, or one whose turn it is to be tried."""
        for number in self.numbers:
            if number not in self._step_s:
                return number
        for number in self.numbers:
            if number != self.best and self._since[number] >= self._wait[number]:
                return number
        return self.best

    def took(self, number: int, step_s: float) -> None:
        """A decode step on `number` threads took `step_s` seconds (for the same work as all others)."""
        known = self._step_s.get(number)
        if number == self.best and known is not None:
            self._step_s[number] = (1 - WEIGHT) * known + WEIGHT * step_s
            for other in self.numbers:
                self._since[other] += 1
        else:
            # One look is enough: should it have been luck, the steps that follow correct it.
            self._step_s[number] = step_s
            self._since[number] = 0
        if len(self._step_s) < len(self.numbers):
            return
        best = min(self.numbers, key=self._step_s.__getitem__)
        if best != self.best and self._step_s[best] < BETTER * self._step_s[self.best]:
            self.best = best
            self._since = dict.fromkeys(self.numbers, 0)
            self._wait = dict.fromkeys(self.numbers, PROBE_AFTER)
        elif number != self.best:
            self._wait[number] = min(2 * self._wait[number], PROBE_AFTER_AT_MOST)
