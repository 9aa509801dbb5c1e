"""A loaded span in the swarm: announced, served, and taken back in good order."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from swarm_app import __version__
from swarm_app.bridge.records import ANNOUNCE_S, BLOCK_RECORDS_EVERY, ServerRecord, announce, withdraw
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.domain.pause import PAUSED
from swarm_app.domain.span import Span

if TYPE_CHECKING:
    from swarm_app.blocks.host import Host
    from swarm_app.bridge.swarm import Swarm
    from swarm_app.models.store import StoredModel

WITHDRAW_S = 1.0
"""Taking the records back may take this long; who misses it is told by the sessions, or finds out."""


class Presence:
    """What the swarm is told of this computer, from joining to leaving. One event loop."""

    def __init__(
        self,
        swarm: Swarm,
        model: StoredModel,
        span: Span,
        name: str,
        hosts: Sequence[str] | None = None,
    ) -> None:
        """`hosts`: IP addresses at which others reach this computer; None for wherever p2pd listens."""
        self._swarm = swarm
        self._model = model
        self._span = span
        self._name = name
        self._hosts = hosts
        self._host: Host | None = None
        self._handler: TransformerConnectionHandler | None = None
        self._power = self._link = ""
        self._again = asyncio.Event()
        self._leaving = ""
        self._own: frozenset[str] = frozenset()

    async def serve(self, host: Host, *, idle_s: float) -> None:
        """Take sessions from now on; `idle_s` is when an abandoned one gives its memory back."""
        handler = TransformerConnectionHandler(
            self._swarm, host, prefix=self._model.model_id, version=__version__, step_timeout_s=idle_s
        )
        handler.leaving, handler.own = self._leaving, self._own
        await handler.serve()
        self._host, self._handler = host, handler
        self._again.set()

    async def keep_announcing(self) -> None:
        """Joining until `serve`, then online, until leaving; for ever.

        A pause is renewed: it may be long, and our own engine needs to know that we are here.
        """
        for turn in itertools.count():
            self._again.clear()
            if self._leaving == PAUSED:
                await self._withdraw(with_blocks=turn % BLOCK_RECORDS_EVERY == 0)
            elif not self._leaving:
                online = self._host is not None
                await self._announce(with_blocks=online and turn % BLOCK_RECORDS_EVERY == 0)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ANNOUNCE_S):
                    await self._again.wait()

    async def leave(self, cause: str, patience_s: float, own: Collection[str] = ()) -> int:
        """Take no new session, tell the present ones with their next step, withdraw the records.

        `cause` is one of domain.pause's farewells; the peers in `own` are served on. Waits up to `patience_s`
        for the sessions to move; returns how many are left.
        """
        self._leaving = cause
        self._own = frozenset(own)
        if self._handler is not None:
            self._handler.leaving, self._handler.own = self._leaving, self._own
        with contextlib.suppress(Exception):
            async with asyncio.timeout(WITHDRAW_S):
                await self._withdraw()
        host = self._host
        if host is None:
            return 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await host.idle.wait()
        return host.budget.sessions

    async def _withdraw(self, *, with_blocks: bool = True) -> None:
        await withdraw(
            self._swarm, self._model.model_id, self._span, self._name, self._leaving, with_blocks=with_blocks
        )

    def reached_at(self, hosts: Sequence[str]) -> None:
        """Others reach this computer at these IP addresses from now on; announced at once."""
        self._hosts = list(hosts)
        self._again.set()

    def runs_on(self, power: str, link: str) -> None:
        """What the household is shown of this computer from the next announcement on."""
        self._power, self._link = power, link

    async def resume(self) -> None:
        """Serve again after a sleep, or a sleep that did not come; dial the others anew, announce at once."""
        self._leaving = ""
        if self._handler is not None:
            self._handler.leaving = ""
        self._again.set()
        await self._swarm.rejoin()

    async def _announce(self, *, with_blocks: bool) -> None:
        host = self._host
        record = ServerRecord(
            peer_id=self._swarm.peer_id,
            name=self._name,
            span=self._span,
            online=host is not None,
            seconds_per_block=None if host is None else host.seconds_per_block,
            cache_tokens_left=None if host is None else host.cache_tokens_left(),
            quant=str(self._model.manifest.quant),
            model_id=self._model.model_id,
            rounding="" if host is None else host.rounding,
            addresses=tuple(await self._swarm.addresses_at(self._hosts)),
            power=self._power,
            link=self._link,
        )
        dtype = "auto" if host is None else str(host.dtype).removeprefix("torch.")
        await announce(self._swarm, record, version=__version__, dtype=dtype, with_blocks=with_blocks)
