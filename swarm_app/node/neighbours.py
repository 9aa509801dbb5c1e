"""Computers in the same network: letting one in by a look and six digits, or asking to be let in.

State owned: what `nearby` announces or looks for, the requests that wait for a person here, and the one that
this computer has made. Callers: `swarm_app.node.private`, and for people `swarm_app.node.membershipapi`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

from swarm_app.domain.errors import BadRequest, HomeswarmError
from swarm_app.localapi.membershipview import AskingView, HouseholdView, NearbyView
from swarm_app.localapi.view import JoinRequestView
from swarm_app.membership.certificates import role_named
from swarm_app.membership.errors import NobodyAnswers, NotAllowed
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.nearby import MESSAGE_BYTES, Host, Seeker, read_welcome
from swarm_app.node.door import APPROVAL_S
from swarm_app.node.doorway import Doorway, dial
from swarm_app.node.nearby import Nearby
from swarm_app.node.state import JoinRequest, Standing
from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

LOOK_S = 2.0
"""What is announced or looked for follows the node's state after this long at most."""

ASK_S = 10.0
MAX_REQUESTS = 3


class Neighbours:
    """`hosts` and `endpoints`: where this computer listens, and where its door is. `welcome` makes a link for
    a role; `join` redeems one; `changed` is called when other requests wait than before."""

    def __init__(
        self,
        store: Store,
        *,
        hosts: Callable[[], list[str]],
        endpoints: Callable[[], tuple[Endpoint, ...]],
        welcome: Callable[[str], Link],
        join: Callable[[str], Awaitable[None]],
        changed: Callable[[], None],
    ) -> None:
        self._store = store
        self._hosts = hosts
        self._endpoints = endpoints
        self._welcome = welcome
        self._join = join
        self._changed = changed
        self._nearby: Nearby | None = None
        self._nearby_for: object = None
        self._requests: dict[str, tuple[JoinRequest, asyncio.Future[str]]] = {}
        self._asking: AskingView | None = None
        self._asks: asyncio.Task[None] | None = None

    @property
    def requests(self) -> tuple[JoinRequest, ...]:
        """Those who ask to join here, and wait for a person."""
        return tuple(request for request, _ in self._requests.values())

    # ------------------------------------------------ announcing and looking

    async def run(self) -> None:
        """Owners and admins announce the household, computers in no swarm look for one; until cancelled."""
        while True:
            await self._store.next_change(LOOK_S)
            belongs = self._store.state.belongs
            endpoints = self._endpoints()
            wanted: object = None
            if belongs.standing is Standing.MEMBER and belongs.role in ("owner", "admin"):
                wanted = (belongs.swarm_name, endpoints) if endpoints else None
            elif belongs.standing in (Standing.OUTSIDE, Standing.REMOVED):
                wanted = self._hosts()
            if wanted == self._nearby_for:
                continue
            await self._hush()
            self._nearby_for = wanted
            hosts = [where.host for where in endpoints] or self._hosts()
            if not wanted or not hosts:
                continue
            nearby = self._nearby = Nearby(hosts)
            try:
                if belongs.standing is Standing.MEMBER:
                    await nearby.announce(belongs.swarm_name, endpoints[0].port)
                else:
                    nearby.look()
            except OSError as error:
                log.info("nearby: the network does not let this computer ask who is there: %s", error)

    async def close(self) -> None:
        """End what was asked, announced and looked for."""
        if self._asks is not None:
            self._asks.cancel()
            await asyncio.gather(self._asks, return_exceptions=True)
        await self._hush()

    async def _hush(self) -> None:
        self._nearby_for = None
        if self._nearby is not None:
            await self._nearby.close()
            self._nearby = None

    # ------------------------------------------------ being asked

    async def decide(self, host: Host) -> Link:
        """Show who asks, and wait for a person. Raises NotAllowed."""
        if len(self._requests) >= MAX_REQUESTS:
            raise NotAllowed("Too many computers ask to join at once.", remedy="Try again in a few minutes.")
        request = JoinRequest(secrets.token_hex(4), host.name, host.digits)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._requests[request.request_id] = (request, answer)
        self._changed()
        try:
            role = await answer
        finally:
            del self._requests[request.request_id]
            self._changed()
        if not role:
            raise NotAllowed("The household did not let this computer in.", remedy="Ask a person there.")
        return self._welcome(role)

    def answer(self, words: str, approve: bool, role: str) -> JoinRequestView:
        """Decide about the request with that id or those digits. Raises BadRequest, NotAllowed."""
        chosen = role_named(role).value
        for request, answer in self._requests.values():
            if words.strip() in (request.request_id, request.digits) and not answer.done():
                answer.set_result(chosen if approve else "")
                return JoinRequestView(id=request.request_id, name=request.name, digits=request.digits)
        raise BadRequest(
            f"Nobody with {words[:40]!r} asks to join now.", remedy="See who does: homeswarm members requests"
        )

    # ------------------------------------------------ asking

    def seen(self) -> NearbyView:
        """The households around, and what became of asking one of them."""
        found = self._nearby.found if self._nearby is not None else ()
        return NearbyView(
            households=[HouseholdView(name=one.name, where=str(one.endpoint)) for one in found],
            asking=self._asking,
        )

    async def ask(self, where: str) -> AskingView:
        """Ask a household that was found nearby to be let in. Returns the digits to compare."""
        found = next(
            (
                one
                for one in (self._nearby.found if self._nearby else ())
                if where in (str(one.endpoint), one.name)
            ),
            None,
        )
        if found is None:
            raise BadRequest(
                f"No household {where[:80]!r} is seen nearby.", remedy="Look: homeswarm join --nearby"
            )
        if self._asks is not None:
            self._asks.cancel()
        doorway = await dial(found.endpoint)
        try:
            seeker = Seeker(self._store.state.node.name, channel=doorway.channel)
            async with asyncio.timeout(ASK_S):
                await doorway.send(seeker.knock())
                await doorway.send(seeker.reveal(await doorway.receive(MESSAGE_BYTES)))
        except TimeoutError:
            await doorway.close()
            raise NobodyAnswers(f"The computer at {found.endpoint} fell silent.") from None
        except BaseException:
            await doorway.close()
            raise
        self._asking = AskingView(
            household=seeker.swarm_name,
            by=seeker.host_name,
            digits=seeker.digits,
            state="waiting",
            message="",
            code="",
        )
        self._asks = asyncio.create_task(self._await_welcome(doorway, self._asking))
        return self._asking

    async def _await_welcome(self, doorway: Doorway, asking: AskingView) -> None:
        try:
            async with asyncio.timeout(APPROVAL_S):
                link = read_welcome(await doorway.receive(MESSAGE_BYTES))
            await self._join(link)
            asking["state"] = "joined"
        except TimeoutError:
            asking["state"], asking["message"] = "refused", "Nobody answered in three minutes."
        except HomeswarmError as error:
            asking["state"], asking["message"], asking["code"] = "refused", error.message, error.code
        finally:
            await doorway.close()
