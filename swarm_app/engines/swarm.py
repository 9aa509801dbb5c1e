"""The swarm as a Model: who is there, which route, and answers opened on it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from swarm_app.bridge.records import EXPIRE_S, ServerRecord, read_roll
from swarm_app.bridge.swarm import Swarm, SwarmUnavailable
from swarm_app.childproto import Pause, SeenPeer, StartEngine, SwarmSeen
from swarm_app.domain.errors import CacheFull, HomeswarmError, Leaving, NoRoute, PeerLost, PeerRefused
from swarm_app.domain.pause import BROKEN, SILENT
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span
from swarm_app.engines.head import ClientParts
from swarm_app.engines.legs import Measured, SessionPlan
from swarm_app.engines.session import RouteSession
from swarm_app.models.manifest import Quant
from swarm_app.models.store import open_model
from swarm_app.routing.choose import choose_route
from swarm_app.routing.cost import ONLINE, PeerOffer

LOOK_S = 1.0
"""The roll is read this often."""

PING_S = 10.0
"""A peer's round trip is measured this often; new peers at once."""

AVOID_LOST_S = 10.0
AVOID_FULL_S = 2.0
"""A peer that was lost, or had no room, is not asked again for this long."""

OPEN_ATTEMPTS = 6

UNREACHABLE = "unreachable"


class View:
    """What is known of the swarm's peers: their records and what this computer measured itself."""

    def __init__(self, model_id: str, num_blocks: int) -> None:
        self.model_id = model_id
        self.num_blocks = num_blocks
        self.records: list[ServerRecord] = []
        self.round_trip_s: dict[str, float] = {}
        self.seconds_per_block: dict[str, float] = {}
        self.avoided_until_s: dict[str, float] = {}
        self.silent: set[str] = set()
        self._looked_at_s = -EXPIRE_S

    def looked(self, records: list[ServerRecord] | None, now_s: float) -> None:
        """Take what a look at the roll gave. Without an answer, what was seen last holds until it expires."""
        if records is not None:
            self.records = records
            self._looked_at_s = now_s
        elif now_s - self._looked_at_s > EXPIRE_S:
            self.records = []

    def offers(self) -> list[PeerOffer]:
        """The peers that serve this model, for the route choice."""
        return [self._offer(record) for record in self.records if record.model_id == self.model_id]

    def offers_for(self, span: Span) -> list[PeerOffer]:
        """The same, cut to `span` and counted from its start."""
        cut = []
        for record in self.records:
            part = record.span.overlap(span)
            if record.model_id == self.model_id and part is not None:
                shifted = Span(part.start - span.start, part.end - span.start)
                cut.append(self._offer(record, shifted))
        return cut

    def measured(self, step: Measured) -> None:
        """Take a decode step's timing into the slow averages."""
        per_block = step.compute_s / step.blocks
        known = self.seconds_per_block.get(step.peer)
        self.seconds_per_block[step.peer] = per_block if known is None else 0.9 * known + 0.1 * per_block

    def lost(self, hop: Hop, error: HomeswarmError) -> None:
        """Keep off a peer for a while after what it did."""
        for_s = AVOID_FULL_S if isinstance(error, CacheFull) else AVOID_LOST_S
        self.avoided_until_s[hop.peer] = time.monotonic() + for_s
        if isinstance(error, PeerLost) and error.cause in (SILENT, BROKEN):
            self.silent.add(hop.peer)

    def answered(self, peer: str, trip_s: float) -> None:
        """Take a measured round trip; a peer that was lost is back with it."""
        if peer in self.silent:
            self.silent.discard(peer)
            self.avoided_until_s.pop(peer, None)
        known = self.round_trip_s.get(peer)
        # Congestion only adds: a faster one counts at once, a slower one slowly.
        self.round_trip_s[peer] = trip_s if known is None else min(trip_s, 0.7 * known + 0.3 * trip_s)

    def _offer(self, record: ServerRecord, span: Span | None = None) -> PeerOffer:
        return PeerOffer(
            peer=record.peer_id,
            name=record.name,
            span=span or record.span,
            state=record.leaving or (ONLINE if record.online else "joining"),
            compute_s_per_block=self.seconds_per_block.get(record.peer_id, record.seconds_per_block),
            round_trip_s=self.round_trip_s.get(record.peer_id),
            usable=record.peer_id not in self.silent,
            reason="not answering" if record.peer_id in self.silent else "",
        )

    def seen(self) -> SwarmSeen:
        return SwarmSeen(self.num_blocks, [self._seen_peer(record) for record in self.records])

    def _seen_peer(self, record: ServerRecord) -> SeenPeer:
        offer = self._offer(record)
        reason = offer.reason
        if record.model_id != self.model_id:
            reason = "serves another model"
        elif record.span.end > self.num_blocks:
            reason = "announces blocks that the model does not have"
        per_block = offer.compute_s_per_block
        return SeenPeer(
            peer_id=record.peer_id,
            name=record.name,
            span_start=record.span.start,
            span_end=record.span.end,
            state=UNREACHABLE if record.peer_id in self.silent else offer.state,
            on_route=not reason,
            reason=reason,
            compute_s=None if per_block is None else per_block * len(record.span),
            round_trip_s=offer.round_trip_s,
            cache_tokens_left=record.cache_tokens_left,
        )


class SwarmModel:
    """Implements `engines.contract.Model`. Make it with `open_swarm_model`."""

    def __init__(self, name: str, parts: ClientParts, swarm: Swarm, view: View) -> None:
        self.name = name
        self.vocab_size = parts.vocab_size
        self.peer_id = swarm.peer_id
        self.addresses: list[str] = []
        self._parts = parts
        self._swarm = swarm
        self._view = view
        self._decoders: set[SwarmDecoder] = set()
        self._looking = asyncio.create_task(self._keep_looking())

    async def open(self, max_tokens: int) -> SwarmDecoder:
        """A session on the fastest route with room for `max_tokens`.

        Raises NoRoute, CacheFull, PeerRefused, PeerLost.
        """
        last: HomeswarmError | None = None
        for _ in range(OPEN_ATTEMPTS):
            try:
                route = self._choose(self._view.offers(), self._view.num_blocks)
            except NoRoute:
                # What a peer said itself is nearer the truth than "nobody is there".
                if last is not None:
                    raise last from None
                await self._look()
                route = self._choose(self._view.offers(), self._view.num_blocks)
            pauses: list[Pause] = []
            try:
                session = await RouteSession.open(self._plan(max_tokens, pauses.append), route)
            except (CacheFull, Leaving, PeerLost, PeerRefused) as error:
                last = error
                continue
            decoder = SwarmDecoder(self._parts, session, pauses, self._decoders.discard)
            self._decoders.add(decoder)
            return decoder
        raise last or NoRoute("No route through the swarm could be opened.")

    def seen(self) -> SwarmSeen:
        """The present view. Raises SwarmUnavailable once p2pd is gone: the process starts anew then."""
        if not self._swarm.alive:
            raise SwarmUnavailable("The swarm's network process has ended.")
        return self._view.seen()

    async def close(self) -> None:
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        await asyncio.gather(*(decoder.close() for decoder in list(self._decoders)))
        await self._swarm.close()

    def _plan(self, max_tokens: int, paused: Callable[[Pause], None]) -> SessionPlan:
        return SessionPlan(
            swarm=self._swarm,
            prefix=self._view.model_id,
            hidden_size=self._parts.hidden_size,
            max_tokens=max_tokens,
            reroute=self._reroute,
            lost=self._view.lost,
            measured=self._view.measured,
            paused=paused,
        )

    def _choose(self, offers: Sequence[PeerOffer], num_blocks: int) -> Route:
        return choose_route(
            offers, num_blocks, avoided_until_s=self._view.avoided_until_s, now_s=time.monotonic()
        )

    def _reroute(self, hop: Hop) -> tuple[Hop, ...]:
        start = hop.span.start
        try:
            route = self._choose(self._view.offers_for(hop.span), len(hop.span))
        except NoRoute:
            # Once more over all blocks, for an error that counts them as people do.
            self._choose(self._view.offers(), self._view.num_blocks)
            raise
        return tuple(Hop(h.peer, h.name, Span(h.span.start + start, h.span.end + start)) for h in route.hops)

    async def _keep_looking(self) -> None:
        pinged_at: dict[str, float] = {}
        while True:
            await self._look()
            now = time.monotonic()
            due = []
            for record in self._view.records:
                # A peer that was lost is asked at every look: it may be back already.
                every_s = LOOK_S if record.peer_id in self._view.silent else PING_S
                if record.online and now - pinged_at.get(record.peer_id, -PING_S) >= every_s:
                    pinged_at[record.peer_id] = now
                    due.append(record.peer_id)
            await asyncio.gather(*(self._ping(peer) for peer in due))
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        # hivemind's look-up raises what the daemon and msgpack raise; the next one is in a second.
        with contextlib.suppress(Exception):
            self._view.looked(await read_roll(self._swarm), time.monotonic())

    async def _ping(self, peer: str) -> None:
        trip_s = await self._swarm.ping(peer)
        if trip_s is None:
            self._view.silent.add(peer)
        else:
            self._view.answered(peer, trip_s)


class SwarmDecoder:
    """Implements `engines.contract.Decoder` over a route."""

    def __init__(
        self,
        parts: ClientParts,
        session: RouteSession,
        pauses: list[Pause],
        closed: Callable[[SwarmDecoder], None],
    ) -> None:
        self._parts = parts
        self._session = session
        self._pauses = pauses
        self._closed = closed

    @property
    def route(self) -> Route | None:
        return self._session.route

    async def step(self, token_ids: Sequence[int]) -> torch.Tensor:
        hidden = await self._session.step(self._parts.embed(token_ids))
        return self._parts.logits(hidden)

    def take_pauses(self) -> list[Pause]:
        taken = self._pauses[:]
        del self._pauses[: len(taken)]
        return taken

    async def close(self) -> None:
        self._closed(self)
        await self._session.close()


async def open_swarm_model(start: StartEngine, progress: Callable[[str, int, int], None]) -> SwarmModel:
    """Load the client's part of the model, join the swarm and look around once.

    Raises what the store raises for a damaged model, SwarmUnavailable when p2pd does not start.
    """
    model = open_model(Path(start.model_dir))
    progress("loading embeddings", 0, 1)

    def load() -> ClientParts:
        quantized = model.manifest.quant in (Quant.INT8, Quant.INT4)
        return ClientParts(model.config(), model.client_tensors(), quantize_head=quantized)

    parts, swarm = await asyncio.gather(
        asyncio.to_thread(load),
        Swarm.open(
            identity_path=Path(start.identity_path),
            initial_peers=start.initial_peers,
            listen_host=start.listen_host,
            serves=False,
        ),
    )
    progress("loading embeddings", 1, 1)
    swarm_model = SwarmModel(model.name, parts, swarm, View(model.model_id, model.manifest.num_blocks))
    swarm_model.addresses = await swarm.addresses()
    return swarm_model
