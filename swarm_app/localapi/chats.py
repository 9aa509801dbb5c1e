"""``/api/chats``: the conversations that the node keeps, and the answers that it gives in them.

An answer belongs to the node, not to who asked for it: it goes on when the window is gone, and everybody who
follows its chat gets all of it. Routes: GET and POST chats; GET, PATCH and DELETE chats/ID;
GET chats/ID/export; POST chats/ID/answers, /stop, /show; GET chats/ID/follow (server-sent events:
``message`` with the answer so far, then ``begun`` (who gives it, and to who comes later how many
``completion_tokens`` there are), ``text``, ``paused``, ``switched`` (the
local model goes on), ``offered`` and ``offer-over`` (see `swarm_app.localapi.server`), and ``done`` with the
whole message).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from swarm_app.domain.errors import BadRequest
from swarm_app.localapi.chatview import AskedView, ChatListView, ChatView, ConversationView
from swarm_app.localapi.reader import while_reader_stays
from swarm_app.localapi.replies import json_body, json_reply, to_json
from swarm_app.localapi.sse import SSE_HEADERS, comment, data

if TYPE_CHECKING:
    from swarm_app.localapi.chatschema import AskBody, Body, ChatBody

KEEP_ALIVE_S = 10.0
MAX_QUERY = 200
MAX_PAGE = 200

Followed = tuple[
    Literal["message", "begun", "text", "paused", "offered", "offer-over", "switched", "done"], Any
]


class Chats(Protocol):
    """The node's conversations, as the local API sees them. All raise NoSuchChat, DiskFull or
    HistoryUnusable."""

    async def list(self, query: str) -> ChatListView: ...

    async def create(self, body: ChatBody) -> ChatView: ...

    async def read(self, chat: str, before: int | None, limit: int) -> ConversationView: ...

    async def change(self, chat: str, body: ChatBody) -> ChatView: ...

    async def delete(self, chat: str) -> None: ...

    async def export(self, chat: str, form: str) -> str: ...

    async def ask(self, chat: str, body: AskBody) -> AskedView: ...

    async def stop(self, chat: str) -> None: ...

    async def show(self, chat: str, message: int) -> None: ...

    def follow(self, chat: str) -> AsyncIterator[Followed]:
        """What happens to the answer that is being given in a chat, to its end; nothing without one."""
        ...


def routes(chats: Chats) -> list[Route]:
    handlers = _Handlers(chats)
    one = "/api/chats/{chat}"
    return [
        Route("/api/chats", handlers.list, methods=["GET"]),
        Route("/api/chats", handlers.create, methods=["POST"]),
        Route(one, handlers.read, methods=["GET"]),
        Route(one, handlers.change, methods=["PATCH"]),
        Route(one, handlers.delete, methods=["DELETE"]),
        Route(f"{one}/export", handlers.export, methods=["GET"]),
        Route(f"{one}/answers", handlers.ask, methods=["POST"]),
        Route(f"{one}/stop", handlers.stop, methods=["POST"]),
        Route(f"{one}/show", handlers.show, methods=["POST"]),
        Route(f"{one}/follow", handlers.follow, methods=["GET"]),
    ]


class _Handlers:
    def __init__(self, chats: Chats) -> None:
        self._chats = chats

    async def list(self, request: Request) -> Response:
        return json_reply(await self._chats.list(request.query_params.get("query", "")[:MAX_QUERY]))

    async def create(self, request: Request) -> Response:
        from swarm_app.localapi.chatschema import ChatBody

        return json_reply(await self._chats.create(await _body(request, ChatBody)), 201)

    async def read(self, request: Request) -> Response:
        before = _number(request, "before")
        limit = min(_number(request, "limit") or MAX_PAGE, MAX_PAGE)
        return json_reply(await self._chats.read(_chat(request), before, limit))

    async def change(self, request: Request) -> Response:
        from swarm_app.localapi.chatschema import ChatBody

        return json_reply(await self._chats.change(_chat(request), await _body(request, ChatBody)))

    async def delete(self, request: Request) -> Response:
        await self._chats.delete(_chat(request))
        return json_reply({"deleted": True})

    async def export(self, request: Request) -> Response:
        form = request.query_params.get("format", "markdown")
        if form not in ("markdown", "json"):
            raise BadRequest("format: this is markdown or json.", param="format")
        return json_reply({"text": await self._chats.export(_chat(request), form)})

    async def ask(self, request: Request) -> Response:
        from swarm_app.localapi.chatschema import AskBody

        return json_reply(await self._chats.ask(_chat(request), await _body(request, AskBody)), 202)

    async def stop(self, request: Request) -> Response:
        await self._chats.stop(_chat(request))
        return json_reply({"stopped": True}, 202)

    async def show(self, request: Request) -> Response:
        from swarm_app.localapi.chatschema import ShowBody

        body = await _body(request, ShowBody)
        await self._chats.show(_chat(request), body.message)
        return json_reply({"shown": body.message})

    async def follow(self, request: Request) -> _Follow:
        return _Follow(self._chats.follow(_chat(request)))


class _Follow:
    """The ASGI answer to one follower; that it goes ends nothing but its own reading."""

    def __init__(self, events: AsyncIterator[Followed]) -> None:
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await while_reader_stays(self._send_all(send), receive)

    async def _send_all(self, send: Send) -> None:
        async def chunk(content: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": content, "more_body": more})

        await send({"type": "http.response.start", "status": 200, "headers": SSE_HEADERS})
        following = asyncio.ensure_future(anext(self._events))
        try:
            while True:
                done, _ = await asyncio.wait({following}, timeout=KEEP_ALIVE_S)
                if not done:
                    await chunk(comment("still working"))
                    continue
                try:
                    name, value = following.result()
                except StopAsyncIteration:
                    break
                await chunk(data(to_json(value), name))
                following = asyncio.ensure_future(anext(self._events))
        finally:
            following.cancel()
        await chunk(b"", more=False)


def _chat(request: Request) -> str:
    return str(request.path_params["chat"])[:64]


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadRequest(f"{name}: this is a whole number.", param=name)
    return int(text)


async def _body(request: Request, kind: type[Body]) -> Body:
    from swarm_app.localapi.chatschema import parse

    return parse(kind, await json_body(request))
