"""The pauses of one answer: what is told of each, and when.

A move away from a late peer is over before its heartbeat has said whether the peer is slow or silent. Such a
pause is kept until that is known, or until the answer ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from swarm_app.domain.pause import LATE, Pause, sentence
from swarm_app.domain.route import Hop


class Pauses:
    """`tell` hears of each pause once; `why_left` is asked what became of a late peer (`legs.Peers`)."""

    def __init__(self, tell: Callable[[Pause], None], why_left: Callable[[str], str]) -> None:
        self._tell = tell
        self._why_left = why_left
        self._undecided: list[Pause] = []

    def over(
        self,
        hop: Hop,
        cause: str,
        moved_to: Sequence[str],
        *,
        at_token: int,
        total_s: float,
        detect_s: float = 0.0,
        route_s: float = 0.0,
        replay_s: float = 0.0,
        words_may_differ: bool = False,
    ) -> None:
        """A pause at `hop` is over, or work has moved from there to the peers of the names in `moved_to`."""
        pause = Pause(
            cause=cause,
            peer=hop.peer,
            name=hop.name,
            moved_to=tuple(moved_to),
            detect_s=detect_s,
            route_s=route_s,
            replay_s=replay_s,
            total_s=total_s,
            at_token=at_token,
            text="",
            words_may_differ=words_may_differ,
        )
        if cause == LATE:
            self._undecided.append(pause)
        else:
            self._say(pause, cause)

    def settle(self, *, ended: bool) -> None:
        """Tell of those whose cause has come out since; of all that are left where the answer has `ended`."""
        waiting, self._undecided = self._undecided, []
        for pause in waiting:
            cause = self._why_left(pause.peer)
            if cause == LATE and not ended:
                self._undecided.append(pause)
            else:
                self._say(pause, cause)

    def _say(self, pause: Pause, cause: str) -> None:
        text = sentence(
            cause, pause.name, pause.moved_to, pause.total_s, words_may_differ=pause.words_may_differ
        )
        self._tell(replace(pause, cause=cause, text=text))
