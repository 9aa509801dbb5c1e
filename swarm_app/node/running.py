"""An answer of a kept chat while it is given: how far it is, and everybody who follows it.

State owned: one answer's events. Callers: `swarm_app.node.chats`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

from swarm_app.domain.pause import Pause
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Done,
    Offered,
    OfferOver,
    Paused,
    Segment,
    Switched,
    Text,
)
from swarm_app.localapi.chats import Followed
from swarm_app.localapi.completions import (
    begun_view,
    offer_over_view,
    offer_view,
    pause_view,
    switched_view,
)
from swarm_app.node.chatviews import message_view
from swarm_app.node.history import MessageRecord


@dataclass(slots=True)
class Running:
    """`events` only grows: each follower reads it at its own pace."""

    message: MessageRecord
    """As it was put down, empty."""
    events: list[Followed] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    parts: list[Segment] = field(default_factory=list)
    """Who has given how much of it, the last one until now. A piece of text counts as a token, until an
    engine says how many there were."""
    begun: Begun | None = None
    switched: Switched | None = None
    offered: Offered | None = None
    """An offer that is open."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    """Gives the answer; None while its question is put down."""
    stopped: bool = False
    refused: bool = False
    """The disk has refused what there was of it."""

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def tokens(self) -> int:
        return sum(part.completion_tokens for part in self.parts)

    def record(self, state: str, about: dict[str, Any] | None = None) -> MessageRecord:
        """The message with what there is of it."""
        return replace(self.message, text=self.text, state=state, about=about or {}, attachments=())

    # ------------------------------------------------ as it comes

    def take(self, event: AnswerEvent) -> None:
        """Whatever comes of the answer before its end."""
        match event:
            case Begun():
                self.begun = event
                self.parts = [Segment(event.engine, event.model, event.route, 0, event.reason, event.remedy)]
                self.tell(("begun", begun_view(event)))
            case Switched():
                self.switched = event
                self._counted(event.at_token)
                self.parts.append(Segment("local", event.model, (), 0, event.reason, event.remedy))
                self.tell(("switched", switched_view(event)))
            case Offered():
                self.offered = event
                self.tell(("offered", offer_view(event)))
            case OfferOver():
                self.offered = None
                self.tell(("offer-over", offer_over_view(event)))
            case Text(text):
                self.texts.append(text)
                self._counted(self.tokens + 1)
                self.tell(("text", {"text": text}))
            case Paused(pause, route):
                self.pauses.append(pause)
                self._counted(pause.at_token)
                if route and self.parts and route != self.parts[-1].route:
                    self.parts.append(replace(self.parts[-1], route=route, completion_tokens=0))
                self.tell(("paused", pause_view(pause)))

    def tell(self, event: Followed) -> None:
        self.events.append(event)
        news, self.news = self.news, asyncio.Event()
        news.set()

    def _counted(self, tokens: int) -> None:
        """There are so many tokens of the answer; what is new of them is of the part that is being given."""
        if self.parts:
            last, before = self.parts[-1], self.tokens - self.parts[-1].completion_tokens
            self.parts[-1] = replace(last, completion_tokens=max(tokens - before, 0))

    def as_far(self, model: str) -> Done:
        """What there is of an answer that did not come to its end, once it has begun; `model` is the
        household's. Where nothing was given it names who was about to."""
        assert self.begun is not None
        begun = self.begun
        parts = [part for part in self.parts if part.completion_tokens] or self.parts[-1:]
        return Done(
            "cancelled",
            begun.prompt_tokens,
            self.tokens,
            tuple(replace(part, model=part.model or model) for part in parts),
            None,
            max(begun.trimmed_messages, self.switched.trimmed_messages if self.switched else 0),
            tuple(self.pauses),
        )

    # ------------------------------------------------ for whoever follows

    async def follow(self) -> AsyncIterator[Followed]:
        """What there is, in short where it has begun already, then each event up to ``done``."""
        sent = 0
        if len(self.events) > 1:
            sent = len(self.events)
            # Put together before anything is handed over: what comes meanwhile is told as an event.
            for event in self._in_short():
                yield event
            if self.events[sent - 1][0] == "done":
                return
        while True:
            while sent < len(self.events):
                event = self.events[sent]
                sent += 1
                yield event
                if event[0] == "done":
                    return
            await self.news.wait()

    def _in_short(self) -> list[Followed]:
        short: list[Followed] = [("message", message_view(self.record("running")))]
        if self.begun is not None:
            short.append(("begun", begun_view(self.begun) | {"completion_tokens": self.tokens}))
        short += [("paused", pause_view(pause)) for pause in self.pauses]
        if self.switched is not None:
            short.append(("switched", switched_view(self.switched)))
        if self.offered is not None:
            short.append(("offered", offer_view(self.offered)))
        if self.events[-1][0] == "done":
            short.append(self.events[-1])
        return short
