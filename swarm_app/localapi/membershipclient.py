"""What the typed client does about the swarm: see `swarm_app.localapi.memberships`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from swarm_app.localapi.membershipview import (
    AskingView,
    InviteView,
    LeftView,
    LinkMadeView,
    MemberView,
    NearbyView,
    SwarmInfoView,
)
from swarm_app.localapi.view import JoinRequestView

SLOW_S = 60.0
"""A keyring may ask its owner something, and a join dials one address after the other."""


class MembershipClient:
    """Methods raise what the node refused with."""

    def __init__(self, call: Callable[..., dict[str, Any]]) -> None:
        self._call = call

    def swarms(self) -> list[SwarmInfoView]:
        return cast(list[SwarmInfoView], self._call("GET", "/api/swarms")["swarms"])

    def create(self, name: str, model: str = "") -> SwarmInfoView:
        body = {"name": name, "model": model}
        return cast(SwarmInfoView, self._call("POST", "/api/swarms", body=body, read_s=SLOW_S))

    def join(self, link: str) -> SwarmInfoView:
        body = {"link": link}
        return cast(SwarmInfoView, self._call("POST", "/api/swarms/join", body=body, read_s=SLOW_S))

    def leave(self) -> LeftView:
        return cast(LeftView, self._call("POST", "/api/swarms/leave", read_s=SLOW_S))

    def rotate(self) -> SwarmInfoView:
        return cast(SwarmInfoView, self._call("POST", "/api/swarms/rotate", read_s=SLOW_S))

    def invite(
        self, role: str = "member", uses: int = 1, expires_s: int = 24 * 3600, person: str = ""
    ) -> LinkMadeView:
        body = {"role": role, "uses": uses, "expires_s": expires_s, "person": person}
        return cast(LinkMadeView, self._call("POST", "/api/invites", body=body))

    def invites(self) -> list[InviteView]:
        return cast(list[InviteView], self._call("GET", "/api/invites")["invites"])

    def cancel(self, invite: str) -> InviteView:
        return cast(InviteView, self._call("POST", "/api/invites/cancel", body={"invite": invite}))

    def members(self) -> list[MemberView]:
        return cast(list[MemberView], self._call("GET", "/api/members")["members"])

    def remove(self, who: str) -> list[MemberView]:
        removed = self._call("POST", "/api/members/remove", body={"who": who})
        return cast(list[MemberView], removed["removed"])

    def nearby(self) -> NearbyView:
        return cast(NearbyView, self._call("GET", "/api/nearby"))

    def ask(self, where: str) -> AskingView:
        return cast(AskingView, self._call("POST", "/api/nearby/ask", body={"where": where}, read_s=SLOW_S))

    def answer(self, request: str, approve: bool, role: str = "member") -> JoinRequestView:
        body = {"request": request, "approve": approve, "role": role}
        return cast(JoinRequestView, self._call("POST", "/api/nearby/answer", body=body))

    def rename(self, who: str, name: str, person: str | None = None) -> MemberView:
        body = {"who": who, "name": name} | ({} if person is None else {"person": person})
        return cast(MemberView, self._call("POST", "/api/members/rename", body=body))
