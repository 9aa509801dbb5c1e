"""The door: where other nodes come to join, to be certified anew, and to tell who belongs to the swarm.

It stands beside libp2p, in the node itself: it is open while no blocks are served, and who has no certificate
yet never gets near the processes that compute. Who only knows the address learns nothing: without a link or a
certificate there is no answer but a refusal that names nobody.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import HomeswarmError
from swarm_app.membership.admitting import swarm_of_ask
from swarm_app.membership.encoding import kind_of
from swarm_app.membership.errors import Malformed, MembershipError, NotAllowed, OtherSwarm
from swarm_app.membership.handshake import HELLO, HELLO_BYTES, PROOF_BYTES, Responder, swarm_of_hello
from swarm_app.membership.joining import ASK, ASK_BYTES, REQUEST_BYTES
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.nearby import KNOCK, MESSAGE_BYTES, Host, welcome
from swarm_app.membership.refusals import refuse
from swarm_app.membership.succession import SUCCESSION, SUCCESSION_BYTES, Succession
from swarm_app.node.doorway import Doorway, server_tls
from swarm_app.node.registrar import Registrar
from swarm_app.node.telling import TELLING_BYTES, Telling

log = logging.getLogger("homeswarm.node")

MAX_GUESTS = 32
"""Connections at once; more are closed at once."""
MAX_OF_ONE = 8
"""Of one address."""
TLS_S = 5.0
TALK_S = 15.0
"""A conversation at the door takes milliseconds."""
APPROVAL_S = 180.0
"""For a person to walk over and compare six digits."""
FIRST_BYTES = max(HELLO_BYTES, ASK_BYTES, SUCCESSION_BYTES)
RATE_S = 10.0
MAX_IN_RATE_S = 120
"""Conversations of one address within RATE_S."""


class Door:
    """A listening door. `told` is called with what a member tells, and returns what we tell it; `decide` asks
    a person about somebody nearby, and returns a link or raises NotAllowed."""

    def __init__(
        self,
        registrar: Registrar,
        clock: Clock,
        *,
        told: Callable[[bytes, Endpoint, Telling], Telling],
        endpoints: Callable[[], tuple[Endpoint, ...]],
        peers: Callable[[], tuple[str, ...]],
        on_news: Callable[[], None],
        decide: Callable[[Host], Awaitable[Link]],
    ) -> None:
        self._registrar = registrar
        self._clock = clock
        self._told = told
        self._endpoints = endpoints
        self._peers = peers
        self._on_news = on_news
        self._decide = decide
        self._server: asyncio.Server | None = None
        self._closed = False
        self._tls: ssl.SSLContext | None = None
        self._channel = b""
        self._guests: Counter[str] = Counter()
        self._lately: dict[str, list[float]] = {}
        self._talks: set[asyncio.Task[None]] = set()
        self._parting: set[asyncio.Task[None]] = set()

    async def open(self, host: str, port: int) -> int:
        """Listen; returns the port. A taken port is replaced by a free one. Raises OSError."""
        self._tls, self._channel = await asyncio.to_thread(server_tls)
        listener = _listener(host, port)
        self._server = await asyncio.start_server(self._come_in, sock=listener, backlog=MAX_GUESTS)
        return int(listener.getsockname()[1])

    async def close(self) -> None:
        """Stop listening; ends all conversations."""
        self._closed = True
        if self._server is not None:
            self._server.close()
        # Whoever was accepted at this very moment still has to be turned away.
        for _ in range(10):
            await asyncio.sleep(0)
        for talk in tuple(self._talks):
            talk.cancel()
        await asyncio.gather(*self._talks, *self._parting, return_exceptions=True)
        for _ in range(3):  # until the sockets are closed
            await asyncio.sleep(0)

    async def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = writer.get_extra_info("peername")[:2]
        doorway = Doorway(reader, writer, self._channel, Endpoint(host, port))
        if self._closed or not self._may_come(host):
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        self._guests[host] += 1
        try:
            async with asyncio.timeout(TALK_S) as limit:
                # Only now: who is one too many has not cost a TLS handshake.
                assert self._tls is not None
                await writer.start_tls(self._tls, ssl_handshake_timeout=TLS_S)
                await self._talk(doorway, limit)
        except (TimeoutError, OSError, ssl.SSLError):
            log.debug("a conversation at the door was not finished")
        except HomeswarmError as error:
            log.debug("a conversation at the door ended: %s", error.code)
        except asyncio.CancelledError:
            # The door closes. asyncio would report a cancelled conversation as an error.
            log.debug("a conversation at the door was broken off")
        finally:
            self._guests[host] -= 1
            self._talks.discard(task)
            self._parting.add(task)
            try:
                await doorway.close()
            finally:
                writer.transport.abort()  # where TLS was not finished, or the other side does not end it
                self._parting.discard(task)

    def _may_come(self, host: str) -> bool:
        now = time.monotonic()
        if len(self._lately) > 1024:
            self._lately = {one: times for one, times in self._lately.items() if times[-1] > now - RATE_S}
        lately = [at for at in self._lately.get(host, ()) if at > now - RATE_S]
        self._lately[host] = [*lately, now][-MAX_IN_RATE_S - 1 :]
        return (
            self._guests.total() < MAX_GUESTS
            and self._guests[host] < MAX_OF_ONE
            and len(lately) < MAX_IN_RATE_S
        )

    async def _talk(self, doorway: Doorway, limit: asyncio.Timeout) -> None:
        first = await doorway.receive(FIRST_BYTES)
        if kind_of(first) == KNOCK:  # people take their time
            limit.reschedule(asyncio.get_running_loop().time() + APPROVAL_S)
        talks: dict[str, Callable[[Doorway, bytes], Awaitable[None]]] = {
            HELLO: self._member,
            ASK: self._join,
            SUCCESSION: self._news,
            KNOCK: self._knock,
        }
        talk = talks.get(kind_of(first))
        try:
            if talk is None:
                raise Malformed("A message came that is no message of Homeswarm.")
            await talk(doorway, first)
        except MembershipError as error:
            await doorway.send(refuse(error))
        except HomeswarmError as error:
            # Why this computer cannot answer is its own matter.
            log.debug("nothing is said at the door now: %s", error.code)
            await doorway.send(
                refuse(NotAllowed("This computer cannot do that now.", remedy="Try again later."))
            )

    async def _member(self, doorway: Doorway, hello: bytes) -> None:
        registrar = self._registrar
        responder = Responder(registrar.party(), self._clock, channel=doorway.channel)
        try:
            challenge = responder.challenge(hello)
        except OtherSwarm:
            if not await self._tell_news(doorway, swarm_of_hello(hello)):
                raise
            return
        await doorway.send(challenge)
        verified, answer = responder.finish(await doorway.receive(PROOF_BYTES))
        await doorway.send(answer)
        registrar.heard(verified.members)
        telling = Telling.from_bytes(await doorway.receive(TELLING_BYTES))
        ours = self._told(verified.device_key, doorway.where, telling)
        await doorway.send(ours.to_bytes())

    async def _join(self, doorway: Doorway, ask: bytes) -> None:
        registrar = self._registrar
        admitter = registrar.admitter(doorway.channel)
        try:
            challenge = admitter.challenge(ask, registrar.inside().members)
        except OtherSwarm:
            if not await self._tell_news(doorway, swarm_of_ask(ask)):
                raise
            return
        await doorway.send(challenge)
        request = await doorway.receive(REQUEST_BYTES)
        admitted = registrar.admit(admitter, request, self._endpoints(), self._peers())
        await doorway.send(admitted.answer)
        log.info("swarm: %s was certified", admitted.name)

    async def _news(self, doorway: Doorway, first: bytes) -> None:
        """An owner that has replaced the swarm's key comes to say so."""
        if self._registrar.hear_news(Succession.from_bytes(first)):
            self._on_news()

    async def _knock(self, doorway: Doorway, knock: bytes) -> None:
        """Somebody nearby asks to join without a link: two people compare six digits."""
        registrar = self._registrar
        found = registrar.inside()
        if not registrar.role.invites:
            raise NotAllowed("This computer cannot let anybody in.")
        mine = found.members.get(found.device_key)
        name = mine.name if mine is not None else found.chain[0].name
        host = Host(found.members.current.about.swarm_name, name, channel=doorway.channel)
        await doorway.send(host.greet(knock))
        host.meet(await doorway.receive(MESSAGE_BYTES))
        await doorway.send(welcome(await self._decide(host)))

    async def _tell_news(self, doorway: Doorway, old_swarm_id: str) -> bool:
        """To a member with a certificate of the key before; False for members of other swarms."""
        news = self._registrar.news_for(old_swarm_id)
        for one in news:
            await doorway.send(one.to_bytes())
        return bool(news)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in dict.fromkeys((port, 0)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, wanted))
        except OSError:
            listener.close()
            if not wanted:
                raise
            continue
        return listener
    raise OSError("no port is free")
