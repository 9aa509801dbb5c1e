"""The routes about the swarm: founding, joining, leaving, invites, members. Routes and protocol.

Secrets (a link) go in bodies, never in an address; whoever has the node's token may ask for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from swarm_app.domain.errors import BadRequest
from swarm_app.localapi.membershipview import (
    AskingView,
    InviteView,
    LeftView,
    LinkMadeView,
    MemberView,
    NearbyView,
    SwarmInfoView,
)
from swarm_app.localapi.replies import json_reply
from swarm_app.localapi.view import JoinRequestView

MAX_TEXT = 1024


class Memberships(Protocol):
    """The node's membership, as the local API sees it. Methods raise HomeswarmError."""

    def swarms(self) -> list[SwarmInfoView]: ...
    async def create(self, name: str, model: str) -> SwarmInfoView: ...
    async def join(self, link: str) -> SwarmInfoView: ...
    async def leave(self) -> LeftView: ...
    async def rotate(self) -> SwarmInfoView: ...
    def invite(self, role: str, uses: int, lasts_s: float, person: str) -> LinkMadeView: ...
    def invites(self) -> list[InviteView]: ...
    def cancel(self, words: str) -> InviteView: ...
    def members(self) -> list[MemberView]: ...
    def remove(self, words: str) -> list[MemberView]: ...
    def rename(self, words: str, name: str, person: str | None) -> MemberView: ...
    def nearby(self) -> NearbyView: ...
    async def ask(self, where: str) -> AskingView: ...
    def answer(self, words: str, approve: bool, role: str) -> JoinRequestView: ...


def routes(memberships: Memberships) -> list[Route]:
    """All of them, for `swarm_app.localapi.server`."""

    async def swarms(request: Request) -> Response:
        return json_reply({"swarms": memberships.swarms()})

    async def create(request: Request) -> Response:
        body = await _body(request)
        return json_reply(await memberships.create(_text(body, "name"), _text(body, "model", "")), 201)

    async def join(request: Request) -> Response:
        return json_reply(await memberships.join(_text(await _body(request), "link")), 201)

    async def leave(request: Request) -> Response:
        return json_reply(await memberships.leave())

    async def rotate(request: Request) -> Response:
        return json_reply(await memberships.rotate())

    async def invites(request: Request) -> Response:
        return json_reply({"invites": memberships.invites()})

    async def invite(request: Request) -> Response:
        body = await _body(request)
        made = memberships.invite(
            _text(body, "role", "member"),
            _whole(body, "uses", 1),
            _whole(body, "expires_s", 24 * 3600),
            _text(body, "person", ""),
        )
        return json_reply(made, 201)

    async def cancel(request: Request) -> Response:
        return json_reply(memberships.cancel(_text(await _body(request), "invite")))

    async def members(request: Request) -> Response:
        return json_reply({"members": memberships.members()})

    async def remove(request: Request) -> Response:
        return json_reply({"removed": memberships.remove(_text(await _body(request), "who"))})

    async def rename(request: Request) -> Response:
        body = await _body(request)
        person = _text(body, "person", "") if "person" in body else None
        return json_reply(memberships.rename(_text(body, "who"), _text(body, "name", ""), person))

    async def nearby(request: Request) -> Response:
        return json_reply(memberships.nearby())

    async def ask(request: Request) -> Response:
        return json_reply(await memberships.ask(_text(await _body(request), "where")), 202)

    async def answer(request: Request) -> Response:
        body = await _body(request)
        approve = body.get("approve")
        if type(approve) is not bool:
            raise BadRequest("approve: this is true or false.", param="approve")
        who, role = _text(body, "request"), _text(body, "role", "member")
        return json_reply(memberships.answer(who, approve, role))

    return [
        Route("/api/swarms", swarms, methods=["GET"]),
        Route("/api/swarms", create, methods=["POST"]),
        Route("/api/swarms/join", join, methods=["POST"]),
        Route("/api/swarms/leave", leave, methods=["POST"]),
        Route("/api/swarms/rotate", rotate, methods=["POST"]),
        Route("/api/invites", invites, methods=["GET"]),
        Route("/api/invites", invite, methods=["POST"]),
        Route("/api/invites/cancel", cancel, methods=["POST"]),
        Route("/api/members", members, methods=["GET"]),
        Route("/api/members/remove", remove, methods=["POST"]),
        Route("/api/members/rename", rename, methods=["POST"]),
        Route("/api/nearby", nearby, methods=["GET"]),
        Route("/api/nearby/ask", ask, methods=["POST"]),
        Route("/api/nearby/answer", answer, methods=["POST"]),
    ]


async def _body(request: Request) -> Mapping[str, Any]:
    try:
        value = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadRequest("The body is not a JSON object.")
    return value


def _text(body: Mapping[str, Any], field: str, default: str | None = None) -> str:
    value = body.get(field, default)
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise BadRequest(f"{field}: this needs a text.", param=field)
    return value


def _whole(body: Mapping[str, Any], field: str, default: int) -> int:
    value = body.get(field, default)
    if type(value) is not int:
        raise BadRequest(f"{field}: this needs a whole number.", param=field)
    return value
