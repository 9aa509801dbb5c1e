"""One question put to a node, and when each piece of its answer was heard.

The local API's own stream is read, as a chat window reads it. State owned: none. Callers: the faults.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from swarm_app.domain.errors import HomeswarmError
from swarm_app.domain.pause import Pause
from swarm_app.localapi.answers import Begun, Choice, Done, Paused, Switched, Text, Turn
from tests.household.node import Node

AROUND_S = 0.5


@dataclass
class Heard:
    """Times are monotonic seconds of the rig."""

    asked_s: float
    begun: Begun | None = None
    pieces: list[tuple[float, str]] = field(default_factory=list)
    """A token each, but where a token ends in the middle of a character."""
    switched: int | None = None
    """Pieces that there were when the local model took over."""
    told: list[tuple[float, Pause]] = field(default_factory=list)
    """Pauses, as they were told in the stream."""
    done: Done | None = None
    error: HomeswarmError | None = None
    ended_s: float = 0.0

    @property
    def text(self) -> str:
        return "".join(piece for _, piece in self.pieces)

    @property
    def pauses(self) -> list[Pause]:
        """Those of the finished answer, or what was told until it failed."""
        return list(self.done.pauses) if self.done else [pause for _, pause in self.told]

    @property
    def completion_tokens(self) -> int:
        return self.done.completion_tokens if self.done else len(self.pieces)

    @property
    def decode_s(self) -> float:
        """From the first piece to the last."""
        return self.pieces[-1][0] - self.pieces[0][0] if self.pieces else 0.0

    def gaps_s(self, since_s: float = 0.0) -> list[float]:
        """Silences between two pieces that ended after `since_s`; an answer's failure ends one too."""
        times = [at_s for at_s, _ in self.pieces]
        if self.error is not None:
            times.append(self.ended_s)
        return [after - before for before, after in itertools.pairwise(times) if after > since_s]

    def around(self, at_s: float) -> list[list[Any]]:
        """What was heard from AROUND_S before `at_s` to as much after the first pause ended, in its order."""
        told = [at for at, _ in self.told if at > at_s]
        until_s = AROUND_S + (told[0] if told else at_s)
        heard = [(at, "text") for at, _ in self.pieces] + [(at, pause.cause) for at, pause in self.told]
        return [[at - at_s, what] for at, what in sorted(heard) if at_s - AROUND_S < at < until_s]

    def unexplained_s(self) -> float:
        """The longest time in which nothing at all was heard: no text, no word about a pause, no error."""
        heard = sorted(
            [self.asked_s, self.ended_s, *(at for at, _ in self.pieces), *(at for at, _ in self.told)]
        )
        return max(after - before for before, after in itertools.pairwise(heard))


def ask(
    node: Node,
    turns: list[Turn],
    max_tokens: int,
    *,
    fallback: str = "",
    on_begun: Callable[[Begun], object] = lambda begun: None,
    on_piece: Callable[[int], object] = lambda count: None,
) -> Heard:
    """Ask greedily and listen to the end. The callbacks run between two pieces and must not wait.

    `on_piece` gets how many pieces there are. What the node says instead of an answer is in `error`.
    """
    with node.inside(), node.client() as client:
        heard = Heard(time.monotonic())
        try:
            for event in client.chat(turns, Choice(max_tokens=max_tokens, fallback=fallback)):
                now_s = time.monotonic()
                match event:
                    case Begun():
                        heard.begun = event
                        on_begun(event)
                    case Text(text):
                        heard.pieces.append((now_s, text))
                        on_piece(len(heard.pieces))
                    case Switched():
                        heard.switched = len(heard.pieces)
                    case Paused(pause):
                        heard.told.append((now_s, pause))
                    case Done():
                        heard.done = event
        except HomeswarmError as error:
            heard.error = error
        heard.ended_s = time.monotonic()
        return heard
