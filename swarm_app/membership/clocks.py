"""Comparing two computers' clocks within a conversation. Messages carry milliseconds since the epoch."""

from __future__ import annotations

from swarm_app.domain.clock import Clock
from swarm_app.membership.errors import ClockWrong, Replayed

MAX_SKEW_S = 3.0
"""Clocks further apart than this are refused: hivemind's DHT takes no record from beyond it either."""

HANDSHAKE_S = 8.0
"""A conversation that takes longer is over: what it says about clocks would be too vague."""

MAX_CLOCK_MS = 2**48


class Asked:
    """The moment at which this side said what the other one answers with its clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._at_s = clock.monotonic()
        self._time_s = clock.time()

    @property
    def clock_ms(self) -> int:
        """For the message that is sent at this moment."""
        return int(self._time_s * 1000)

    @property
    def took_s(self) -> float:
        """Since then."""
        return self._clock.monotonic() - self._at_s

    def in_time(self, what: str, remedy: str | None = None) -> None:
        """Raises Replayed once the answer comes too late to say anything about clocks."""
        if self.took_s > HANDSHAKE_S:
            raise Replayed(f"{what} took too long.", remedy=remedy)

    def offset_s(self, their_clock_ms: int, name: str) -> float:
        """How far the other side's clock is ahead. Raises ClockWrong, in the name of `name`.

        What may have passed on the way is given the benefit of the doubt.
        """
        took_s = self.took_s
        offset_s = their_clock_ms / 1000 - (self._time_s + took_s / 2)
        if abs(offset_s) - took_s / 2 > MAX_SKEW_S:
            ahead = "ahead of" if offset_s > 0 else "behind"
            wrong = ClockWrong(f"The clock of {name} is {in_words(abs(offset_s))} {ahead} this computer's.")
            wrong.offset_s = offset_s
            raise wrong
        return offset_s


def in_words(seconds: float) -> str:
    """A time for people: "10 s", "1 h 2 min"."""
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{round(hours / 24)} days"
