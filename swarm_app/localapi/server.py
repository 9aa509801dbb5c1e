"""The routes of the local API.

``/v1/*`` speaks OpenAI's protocol: GET models, GET models/NAME, POST chat/completions. ``/api/*`` is ours:
GET health, GET state, GET events, POST shutdown, POST children/KIND/retry, POST local/NAME/use,
POST blocks/withdraw and POST blocks/serve (``kept`` in the reply: whether that holds over a restart),
POST answers/REQUEST/fallback, POST token (another one from now on),
the chats of `swarm_app.localapi.chats`, and the swarm of `swarm_app.localapi.memberships`.

Where the fallback is ``ask`` and the household cannot answer, or go on, the local model is offered to whoever
follows a kept chat, or streams with ``decides``: ``{"request_id", "reason", "remedy", "model", "at_token",
"until"}``. Open offers also stand in ``local.offers`` of the state, so that any window can show them.
``POST answers/REQUEST/fallback`` with ``{"decision": "local"}`` or ``{"decision": "wait"}`` decides; 404
``no-offer`` when there is nothing to decide any more. Then, and when the household goes on by itself, the
offer is over.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from swarm_app.domain.errors import BadRequest, DiskFull, HomeswarmError
from swarm_app.localapi.chat import ChatReply
from swarm_app.localapi.chats import Chats
from swarm_app.localapi.chats import routes as chat_routes
from swarm_app.localapi.feed import Feed
from swarm_app.localapi.guard import Guard
from swarm_app.localapi.host import Host, ModelCard
from swarm_app.localapi.memberships import Memberships
from swarm_app.localapi.memberships import routes as membership_routes
from swarm_app.localapi.replies import (
    MethodNotAllowed,
    NotFound,
    UnknownModel,
    error_reply,
    json_body,
    json_reply,
)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def build(
    host: Host,
    token: str,
    port: int,
    chats: Chats | None = None,
    memberships: Memberships | None = None,
    keep_token: Callable[[str], None] | None = None,
) -> ASGIApp:
    """The whole local API of one node; `port` is where it listens, for the checks of Host and Origin.

    Without `chats` the routes of ``/api/chats`` are left out, without `memberships` those of the swarm, and
    without `keep_token`, which writes a new token down (raises OSError), that for a new token.
    """
    routes = _Routes(host)

    async def renew_token(request: Request) -> Response:
        assert keep_token is not None
        renewed = new_token()
        try:
            keep_token(renewed)
        except OSError as error:
            raise DiskFull(
                f"The new token could not be written down: {error.strerror}. The old one still holds.",
                remedy="Free some space and try again.",
            ) from None
        guard.renew(renewed)
        return json_reply({"token": renewed})

    app = Starlette(
        routes=[
            Route("/v1/models", routes.models, methods=["GET"]),
            Route("/v1/models/{name:path}", routes.one_model, methods=["GET"]),
            Route("/v1/chat/completions", routes.chat, methods=["POST"]),
            Route("/api/health", routes.health, methods=["GET"]),
            Route("/api/state", routes.state, methods=["GET"]),
            Route("/api/events", routes.events, methods=["GET"]),
            Route("/api/shutdown", routes.shutdown, methods=["POST"]),
            Route("/api/children/{kind}/retry", routes.retry, methods=["POST"]),
            Route("/api/local/{name}/use", routes.use_local, methods=["POST"]),
            Route("/api/answers/{request}/fallback", routes.decide, methods=["POST"]),
            Route("/api/blocks/withdraw", routes.withdraw, methods=["POST"]),
            Route("/api/blocks/serve", routes.serve, methods=["POST"]),
            *([Route("/api/token", renew_token, methods=["POST"])] if keep_token is not None else ()),
            *(chat_routes(chats) if chats is not None else ()),
            *(membership_routes(memberships) if memberships is not None else ()),
        ],
        exception_handlers={HTTPException: _http_error, HomeswarmError: _our_error},
    )
    app.router.redirect_slashes = False
    guard = Guard(app, token, port)
    return guard


async def _our_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HomeswarmError)
    return error_reply(error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path[:200]
    if error.status_code == 405:
        reply = error_reply(MethodNotAllowed(f"{path} does not do {request.method}."))
        reply.headers.update(error.headers or {})
        return reply
    if error.status_code == 404:
        return error_reply(NotFound(f"There is no {path}."))
    return error_reply(BadRequest(f"The request cannot be understood: {error.detail}."))


class _Routes:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def health(self, request: Request) -> Response:
        return json_reply({"ok": True})

    async def state(self, request: Request) -> Response:
        return json_reply(self._host.state())

    async def events(self, request: Request) -> Feed:
        return Feed(self._host)

    async def shutdown(self, request: Request) -> Response:
        self._host.stop("asked over the local API")
        return json_reply({"stopping": True}, 202)

    async def retry(self, request: Request) -> Response:
        self._host.retry(request.path_params["kind"])
        return json_reply({"retrying": True}, 202)

    async def use_local(self, request: Request) -> Response:
        self._host.use_local(request.path_params["name"])
        return json_reply({"used": True}, 202)

    async def decide(self, request: Request) -> Response:
        from swarm_app.localapi.chatschema import DecisionBody, parse

        body = parse(DecisionBody, await request.body())
        self._host.decide(request.path_params["request"][:64], body.decision)
        return json_reply({"decided": body.decision}, 202)

    async def withdraw(self, request: Request) -> Response:
        kept = self._host.withdraw(_seconds(await request.body()))
        return json_reply({"withdrawn": True, "kept": kept}, 202)

    async def serve(self, request: Request) -> Response:
        kept = self._host.serve()
        return json_reply({"withdrawn": False, "kept": kept}, 202)

    async def models(self, request: Request) -> Response:
        return json_reply({"object": "list", "data": [_model(card) for card in self._cards()]})

    def _cards(self) -> list[ModelCard]:
        """The household's model where there is one, then the local one."""
        own, name = self._host.model(), self._host.local_model()
        cards = [] if own is None else [own]
        if name is not None and (own is None or name != own.name):
            created = int(self._host.state()["node"]["started_at"]) if own is None else own.created
            cards.append(ModelCard(name, "", created))
        return cards

    async def one_model(self, request: Request) -> Response:
        wanted = request.path_params["name"]
        for card in self._cards():
            if wanted and wanted in (card.name, card.id):
                return json_reply(_model(card))
        raise UnknownModel(f"This node does not run a model {wanted[:80]!r}.")

    async def chat(self, request: Request) -> ChatReply:
        # Imported here: the shapes of the request cost the node's start 70 ms.
        from swarm_app.localapi.schema import parse_chat

        return ChatReply(self._host, parse_chat(await json_body(request)))


MAX_PAUSE_S = 366 * 86_400.0


def _seconds(body: bytes) -> float | None:
    """``for_s`` of an optional JSON object. Raises BadRequest."""
    if not body:
        return None
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest("The request body is not valid JSON.") from None
    for_s = asked.get("for_s") if isinstance(asked, dict) else asked
    if isinstance(asked, dict) and for_s is None:
        return None
    # Written so that what is no number, NaN included, is refused.
    if isinstance(for_s, bool) or not isinstance(for_s, int | float) or not 0 < for_s <= MAX_PAUSE_S:
        raise BadRequest("for_s: this is a number of seconds, a year at most.", param="for_s")
    return float(for_s)


def _model(card: ModelCard) -> dict[str, object]:
    return {
        "id": card.name,
        "object": "model",
        "created": card.created,
        "owned_by": "homeswarm",
        "homeswarm": {"model_id": card.id} if card.id else {"engine": "local"},
    }
