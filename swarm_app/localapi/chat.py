"""``POST /v1/chat/completions``: one answer, streamed or whole, which ends when its reader goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from swarm_app.domain.errors import HomeswarmError
from swarm_app.localapi.answers import (
    Answer,
    AnswerEvent,
    Begun,
    Done,
    Offered,
    OfferOver,
    Paused,
    Switched,
    Text,
)
from swarm_app.localapi.completions import Completion
from swarm_app.localapi.host import Host
from swarm_app.localapi.reader import while_reader_stays
from swarm_app.localapi.replies import UnknownModel, error_body, error_reply, json_reply, to_json
from swarm_app.localapi.sse import SSE_HEADERS, comment, data

if TYPE_CHECKING:
    from swarm_app.localapi.schema import ChatRequest

KEEP_ALIVE_S = 10.0
"""A stream without text, in a long prefill, sends a comment this often, so that nobody takes it for dead."""


class ChatReply:
    """The ASGI answer to one chat request."""

    def __init__(self, host: Host, request: ChatRequest) -> None:
        self._host = host
        self._request = request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await while_reader_stays(self._reply(scope, receive, send), receive)

    async def _reply(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, model, local = self._request, self._host.model(), self._host.local_model()
        known = [name for name in (model and model.name, model and model.id, local) if name]
        if request.model is not None and request.model not in known:
            runs = f"runs the model {known[0]!r}" if known else "has no model"
            error = UnknownModel(f"This node {runs}, not {request.model[:80]!r}.")
            await error_reply(error)(scope, receive, send)
            return
        own = known[0] if known else ""
        try:
            turns, choice = request.turns(), request.choice()
            if local is not None and request.model == local != (model and model.name) and not choice.prefer:
                choice = replace(choice, prefer="local")
            async with _closing(await self._host.answer(turns, choice, bool(request.trim))) as answer:
                begun = await answer.next()
                completion = Completion(
                    answer_id=answer.request_id,
                    created=int(time.time()),
                    model=begun.model if isinstance(begun, Begun) and begun.model else own,
                    with_usage=request.wants_usage,
                )
                if request.streams:
                    await _stream(send, answer, begun, completion)
                    return
                texts: list[str] = []
                event = begun
                while not isinstance(event, Done):
                    if isinstance(event, Text):
                        texts.append(event.text)
                    event = await answer.next()
                reply = json_reply(completion.whole("".join(texts), event))
        except HomeswarmError as error:
            reply = error_reply(error)
        await reply(scope, receive, send)


async def _stream(send: Send, answer: Answer, event: AnswerEvent, completion: Completion) -> None:
    """Send everything as server-sent events; an error after the first one is the last but ``[DONE]``."""
    await send({"type": "http.response.start", "status": 200, "headers": SSE_HEADERS})

    async def chunk(content: bytes, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": content, "more_body": more})

    try:
        while True:
            match event:
                case Begun():
                    await chunk(data(to_json(completion.first(event))))
                case Text(text):
                    await chunk(data(to_json(completion.piece(text))))
                case Switched():
                    await chunk(data(to_json(completion.switched(event))))
                case Offered():
                    await chunk(data(to_json(completion.offered(event))))
                case OfferOver():
                    await chunk(data(to_json(completion.offer_over(event))))
                case Paused(pause):
                    await chunk(data(to_json(completion.paused(pause))))
                case Done():
                    await chunk(b"".join(data(to_json(last)) for last in completion.last(event)))
                    break
            while True:
                try:
                    # Not wait_for: in Python 3.11 it forgets a cancellation that comes together with the
                    # result, and the reader that has gone would be answered to the end.
                    async with asyncio.timeout(KEEP_ALIVE_S):
                        event = await answer.next()
                    break
                except TimeoutError:
                    await chunk(comment("still working"))
    except HomeswarmError as error:
        await chunk(data(to_json(error_body(error))))
    await chunk(data(b"[DONE]"), more=False)


@asynccontextmanager
async def _closing(answer: Answer) -> AsyncIterator[Answer]:
    try:
        yield answer
    finally:
        answer.close()
