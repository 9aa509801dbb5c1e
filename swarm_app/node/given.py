"""What an answer has given so far, whoever gave it, and the events that tell of it.

State owned: one answer's record. Callers: `swarm_app.node.relay` and what carries out its parts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from swarm_app.childproto import Failed
from swarm_app.domain.errors import HomeswarmError
from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Hop
from swarm_app.domain.timing import timing
from swarm_app.localapi.answers import AnswerEvent, Begun, Done, Paused, Segment, Text
from swarm_app.node.answers import segments


class Given:
    """One answer. What is put here is what its reader gets, in that order."""

    def __init__(self) -> None:
        self.asked_at = time.monotonic()
        self.begun: Begun | None = None
        self.shown: list[str] = []
        self.times_s: list[float] = []
        """When each piece of `shown` came, monotonic."""
        self.held = ""
        """Text that was generated and may become a stop string: kept back, and gone on with."""
        self.prompt_tokens = 0
        self.trimmed_messages = 0
        self.segments: list[Segment] = []
        self.pauses: list[Pause] = []
        self._events: asyncio.Queue[AnswerEvent | HomeswarmError] = asyncio.Queue()

    @property
    def text(self) -> str:
        return "".join(self.shown)

    @property
    def tokens(self) -> int:
        """Of the segments that are over."""
        return sum(part.completion_tokens for part in self.segments)

    async def next(self) -> AnswerEvent:
        event = await self._events.get()
        if isinstance(event, HomeswarmError):
            raise event
        return event

    def put(self, event: AnswerEvent | HomeswarmError) -> None:
        self._events.put_nowait(event)

    def begin(self, begun: Begun) -> None:
        self.begun = begun
        self.trimmed_messages = begun.trimmed_messages
        self.put(begun)

    def show(self, text: str) -> None:
        if text:
            self.shown.append(text)
            self.times_s.append(time.monotonic())
            self.put(Text(text))

    def show_held(self) -> None:
        """Nobody goes on: what was kept back is text after all."""
        held, self.held = self.held, ""
        self.show(held)

    def tell_pause(self, told: Pause, route: tuple[Hop, ...] = ()) -> None:
        self.pauses.append(told)
        self.put(Paused(told, route))

    def note(self, parts: Sequence[Segment], prompt_tokens: int) -> None:
        """Keep what the household gave; where it did not say, a piece of text counts as a token."""
        begun = self.begun
        if not parts and self.shown and begun is not None:
            parts = (Segment("swarm", begun.model, begun.route, len(self.shown)),)
        self.segments += [part for part in parts if part.completion_tokens]
        self.prompt_tokens = prompt_tokens or (begun.prompt_tokens if begun is not None else 0)

    def note_cut(self, cut: Failed | None) -> None:
        """The same of a household that failed."""
        if cut is None or cut.so_far is None:
            self.note((), 0)
            return
        self.held += cut.held
        self.pauses = list(cut.so_far.pauses)
        self.note(segments(cut.so_far), cut.so_far.prompt_tokens)

    def finish(self, reason: str, parts: Sequence[Segment], prompt_tokens: int) -> None:
        """End an answer to which the local model has given `parts`."""
        self.segments += parts
        self.put(
            Done(
                reason,
                self.prompt_tokens or prompt_tokens,
                self.tokens,
                tuple(self.segments),
                timing(self.asked_at, self.times_s),
                self.trimmed_messages,
                tuple(self.pauses),
            )
        )
