"""Requests in flight at one engine: each has its own queue, and only its own id reaches it.

State owned: the open requests. Callers: `swarm_app.node.relay`, with one for each engine, and `locally`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence

from swarm_app.childproto import (
    Accepted,
    Cancel,
    ChatMessage,
    Delta,
    Failed,
    Finished,
    Generate,
    Message,
    RouteHop,
    Sampling,
)
from swarm_app.childproto import Paused as PauseReported
from swarm_app.domain.errors import Busy, ChildDown, HomeswarmError, ProtocolViolation, from_wire
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Paused,
    Segment,
    Text,
    Turn,
)

AnswerReport = Accepted | Delta | PauseReported | Finished | Failed

MAX_ANSWERS = 8
"""At once, those included that are cancelled and not yet confirmed by the engine."""


class OpenAnswer:
    """One answer in flight (implements `swarm_app.localapi.answers.Answer`)."""

    def __init__(
        self,
        request_id: str,
        on_close: Callable[[OpenAnswer], None],
        on_cancel: Callable[[OpenAnswer], None] = lambda answer: None,
    ) -> None:
        self.request_id = request_id
        self.over = False
        self.trimmed_messages = 0
        self.cut: Failed | None = None
        """How it failed, once it has."""
        self._on_close = on_close
        self._on_cancel = on_cancel
        self._events: asyncio.Queue[AnswerEvent | HomeswarmError] = asyncio.Queue()

    async def next(self) -> AnswerEvent:
        event = await self._events.get()
        if isinstance(event, HomeswarmError):
            raise event
        return event

    def close(self) -> None:
        self._on_close(self)

    def cancel(self) -> None:
        """End it and go on listening: the end with what there was comes as the last event."""
        self._on_cancel(self)

    def put(self, event: AnswerEvent | HomeswarmError) -> None:
        if not self.over:
            self.over = isinstance(event, Done | HomeswarmError)
            self._events.put_nowait(event)


class Answers:
    """All requests to one engine; `send` takes messages to it."""

    def __init__(self, send: Callable[[Message], None], limit: int = MAX_ANSWERS) -> None:
        self._send = send
        self._limit = limit
        self._open: dict[str, OpenAnswer] = {}
        self._cancelled: set[str] = set()

    def open(
        self,
        turns: Sequence[Turn],
        choice: Choice,
        trim: bool,
        *,
        request_id: str = "",
        partial: str = "",
        shown: int = 0,
    ) -> OpenAnswer:
        """Send a request to the engine; `partial` and `shown` as in childproto.Generate.

        Raises Busy, ChildDown, or ProtocolViolation when it is too big.
        """
        if len(self._open) + len(self._cancelled) >= self._limit:
            raise Busy(f"This computer already works on {self._limit} answers.")
        answer = OpenAnswer(request_id or secrets.token_hex(8), self._close, self._cancel)
        self._send(
            Generate(
                request_id=answer.request_id,
                messages=[ChatMessage(turn.role, turn.content) for turn in turns],
                sampling=Sampling(
                    temperature=choice.temperature,
                    top_p=choice.top_p,
                    top_k=choice.top_k,
                    min_p=choice.min_p,
                    repetition_penalty=choice.repetition_penalty,
                    seed=choice.seed,
                    max_tokens=choice.max_tokens,
                    stop=list(choice.stop),
                ),
                trim=trim,
                partial=partial,
                shown=shown,
            )
        )
        self._open[answer.request_id] = answer
        return answer

    def deliver(self, message: AnswerReport) -> None:
        """Give what the engine said to the one request that it names; anything else is dropped."""
        assert message.request_id is not None
        if isinstance(message, Finished | Failed):
            self._cancelled.discard(message.request_id)
        answer = self._open.get(message.request_id)
        if answer is None or (isinstance(message, Delta) and not message.text):
            return
        if isinstance(message, Failed):
            answer.cut = message
        try:
            answer.put(_translated(message, answer))
        except HomeswarmError as error:  # for example a span that is none
            answer.put(ProtocolViolation(f"The engine broke the protocol: {error.message}"))
        if answer.over:
            self._forget(answer)

    def engine_lost(self, error: HomeswarmError) -> None:
        """End every answer with `error`: whatever the engine was doing is gone with it."""
        self._cancelled.clear()
        for answer in tuple(self._open.values()):
            answer.put(error)
            self._forget(answer)

    def _cancel(self, answer: OpenAnswer) -> None:
        if self._open.get(answer.request_id) is answer:
            with contextlib.suppress(ChildDown):  # then its end is on its way
                self._send(Cancel(answer.request_id))

    def _close(self, answer: OpenAnswer) -> None:
        if self._open.get(answer.request_id) is not answer:
            return
        self._forget(answer)
        self._cancelled.add(answer.request_id)
        try:
            self._send(Cancel(answer.request_id))
        except ChildDown:
            self._cancelled.discard(answer.request_id)

    def _forget(self, answer: OpenAnswer) -> None:
        del self._open[answer.request_id]


def _translated(message: AnswerReport, answer: OpenAnswer) -> AnswerEvent | HomeswarmError:
    match message:
        case Accepted():
            answer.trimmed_messages = message.trimmed_messages
            return Begun(message.prompt_tokens, message.trimmed_messages, hops(message.route), message.model)
        case Delta():
            return Text(message.text)
        case PauseReported():
            return Paused(message.pause, hops(message.route))
        case Finished():
            return Done(
                reason=message.reason,
                prompt_tokens=message.prompt_tokens,
                completion_tokens=message.completion_tokens,
                segments=segments(message),
                timing=message.timing,
                trimmed_messages=answer.trimmed_messages,
                pauses=tuple(message.pauses),
            )
        case Failed():
            return from_wire(message.code, message.message, message.remedy)


def segments(finished: Finished) -> tuple[Segment, ...]:
    """Who gave which part, in the local API's words."""
    return tuple(
        Segment(s.engine, s.model, hops(s.route), s.completion_tokens, s.reason) for s in finished.segments
    )


def hops(route: Sequence[RouteHop]) -> tuple[Hop, ...]:
    return tuple(Hop(hop.peer_id, hop.name, Span(hop.span_start, hop.span_end)) for hop in route)
