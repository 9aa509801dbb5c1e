"""The swarm as a Model: who is there, which route, and answers opened on it."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from swarm_app.availability.constants import PRESETS
from swarm_app.availability.deadlines import StepDeadline, StepLimits
from swarm_app.availability.events import OpinionAnswered, OpinionAsked
from swarm_app.availability.health import Availability
from swarm_app.availability.policy import Policy
from swarm_app.availability.verdict import Judgement, LateStep, Regret
from swarm_app.bridge.gate import Gate
from swarm_app.bridge.opinions import ask_opinion
from swarm_app.bridge.records import read_roll
from swarm_app.bridge.swarm import Swarm
from swarm_app.childproto import StartEngine, SwarmSeen
from swarm_app.domain.errors import CacheFull, HomeswarmError, NoRoute, PeerLost, SwarmUnavailable
from swarm_app.domain.pause import BROKEN, LATE, SILENT, SLOW, Pause
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span
from swarm_app.engines.head import ClientParts
from swarm_app.engines.legs import SOLE_HOLDER_S, SOLE_LOOK_S, LegFailed, Measured, SessionPlan
from swarm_app.engines.session import RouteSession
from swarm_app.engines.view import View
from swarm_app.models.manifest import Quant
from swarm_app.models.store import open_model
from swarm_app.routing.choose import choose_route
from swarm_app.routing.cost import Costs

OPINION_S = 1.0
"""A second opinion that takes longer is none."""

LOOK_S = 1.0
"""The roll is read this often."""


class SwarmModel:
    """Implements `engines.contract.Model`. Make it with `open_swarm_model`."""

    def __init__(
        self, name: str, parts: ClientParts, swarm: Swarm, view: View, *, standby: bool = False
    ) -> None:
        """What is done about late peers is in `view`'s constants; `standby`: see `SessionPlan`."""
        self.name = name
        self._standby = standby
        self.vocab_size = parts.vocab_size
        self.peer_id = swarm.peer_id
        self.addresses: list[str] = []
        self._parts = parts
        self._swarm = swarm
        self._view = view
        if swarm.gate is not None:
            view.barred = swarm.gate.barred
        self._decoders: set[SwarmDecoder] = set()
        self._heartbeats: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._keep_looking()),
            asyncio.create_task(self._keep_watch()),
        ]

    async def open(self, max_tokens: int) -> SwarmDecoder:
        """A session on the fastest route with room for `max_tokens`.

        Raises NoRoute, CacheFull, PeerRefused, PeerLost.
        """
        refused: dict[str, HomeswarmError] = {}
        patient_until_s = time.monotonic() + SOLE_HOLDER_S
        while True:
            try:
                route = self._choose(without=refused)
            except NoRoute:
                if refused:
                    # What the last peer said itself is nearer the truth than "nobody is there".
                    raise list(refused.values())[-1] from None
                if time.monotonic() > patient_until_s or not self._hopes():
                    self._say_why_alone()
                    raise
                await self._look()
                await asyncio.sleep(SOLE_LOOK_S)
                continue
            pauses: list[Pause] = []
            try:
                session = await RouteSession.open(self._plan(max_tokens, pauses.append), route)
            except LegFailed as failure:
                refused[failure.hop.peer] = failure.error
                continue
            decoder = SwarmDecoder(self._parts, session, pauses, self._decoders.discard)
            self._decoders.add(decoder)
            return decoder

    def _say_why_alone(self) -> None:
        """Raises why nobody is there for us, where that is our own standing in a private swarm."""
        gate = self._swarm.gate
        if gate is not None and (refusal := gate.last_refusal()) is not None:
            raise refusal from None

    def _hopes(self) -> bool:
        """Whether waiting a moment may give a route: somebody is silent, or nobody has been seen yet."""
        offers = self._view.offers()
        return not offers or any(self.silent(offer.peer) for offer in offers)

    def seen(self) -> SwarmSeen:
        """The present view. Raises SwarmUnavailable once p2pd is gone: the process starts anew then."""
        if not self._swarm.alive:
            raise SwarmUnavailable("The swarm's network process has ended.")
        return self._view.seen()

    async def resume(self, *, moved: bool) -> None:
        """This computer woke, or (`moved`) has another address: doubt oneself, look around anew."""
        now_s = time.monotonic()
        if moved:
            self._view.household.moved(now_s)
        else:
            self._view.household.woke(now_s)
        # The watch asks everybody at once, and again when the dials are done: one answer ends the doubt.
        self._woken.set()
        await self._swarm.rejoin()
        await self._look()
        self._woken.set()

    async def close(self) -> None:
        tasks = [*self._tasks, *self._heartbeats]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(decoder.close() for decoder in list(self._decoders)))
        await self._swarm.close()

    def _plan(self, max_tokens: int, paused: Callable[[Pause], None]) -> SessionPlan:
        return SessionPlan(
            swarm=self._swarm,
            prefix=self._view.model_id,
            hidden_size=self._parts.hidden_size,
            max_tokens=max_tokens,
            peers=self,
            paused=paused,
            policy=self._view.household.constants.policy,
            standby=self._standby,
            regret=Regret.of(self._view.household.constants),
        )

    def _choose(self, span: Span | None = None, without: Collection[str] = ()) -> Route:
        """The fastest route over `span` (all blocks when None), counted from its start. Raises NoRoute."""
        view, now_s = self._view, time.monotonic()
        offers = [offer for offer in view.offers(span) if offer.peer not in without]
        blocks = view.num_blocks if span is None else len(span)
        try:
            return choose_route(offers, blocks, avoided_until_s=view.household.avoid_until_s(), now_s=now_s)
        except NoRoute:
            # A probation is a preference: better a peer that was lost lately than no answer.
            return choose_route(offers, blocks)

    # ------------------------------------------------------------------ for sessions (legs.Peers)

    def reroute(self, hop: Hop, *, without: Collection[str] = ()) -> tuple[Hop, ...]:
        start = hop.span.start
        try:
            route = self._choose_alike(hop, without) or self._choose(hop.span, without)
        except NoRoute:
            self._say_why_alone()
            # Once more over all blocks, for an error that counts them as people do.
            self._choose(None, without)
            raise
        return tuple(Hop(h.peer, h.name, Span(h.span.start + start, h.span.end + start)) for h in route.hops)

    def _choose_alike(self, hop: Hop, without: Collection[str]) -> Route | None:
        """The fastest route over the hop's blocks by peers that round like its peer; None where there is
        none, or where nobody rounds otherwise."""
        otherwise = self._view.otherwise(hop.peer)
        if not otherwise:
            return None
        try:
            return self._choose(hop.span, otherwise.union(without))
        except (NoRoute, CacheFull):
            return None

    def same_words(self, hop: Hop, others: Sequence[Hop]) -> bool:
        return self._view.otherwise(hop.peer).isdisjoint(other.peer for other in others)

    def can_move(self, hop: Hop) -> bool:
        others = [offer for offer in self._view.offers(hop.span) if offer.peer != hop.peer]
        try:
            choose_route(others, len(hop.span))
        except NoRoute:
            return False
        return True

    def lost(self, hop: Hop, error: HomeswarmError) -> None:
        self._view.lost(hop, error)
        if isinstance(error, PeerLost) and error.cause == BROKEN:
            # Only a heartbeat settles what a broken connection makes one suspect.
            self.ask(hop.peer)

    def measured(self, step: Measured) -> None:
        self._view.measured(step)

    def deadline(self, hop: Hop) -> StepDeadline:
        return self._view.deadline(hop)

    def limits(self, deadline: StepDeadline, tokens: int) -> StepLimits:
        return deadline.limits(tokens, self._view.household.own, time.monotonic())

    def judge(self, peer: str, late: LateStep) -> Judgement:
        return self._view.judge(peer, late)

    def silent(self, peer: str) -> bool:
        health = self._view.household.health(peer, time.monotonic())
        return health.state in (Availability.SUSPECT, Availability.UNREACHABLE)

    def why_late(self, peer: str) -> str:
        if self.silent(peer):
            return SILENT
        return SLOW if self._view.household.health(peer, time.monotonic()).asked_s is None else LATE

    def why_left(self, peer: str) -> str:
        return self._view.why_left(peer)

    def overslept(self, late_s: float) -> None:
        self._view.household.overslept(late_s, time.monotonic())

    def others_s(self, hop: Hop) -> float | None:
        household, now_s = self._view.household, time.monotonic()
        others = [offer for offer in self._view.offers(hop.span) if offer.peer != hop.peer]
        try:
            route = choose_route(
                others, len(hop.span), avoided_until_s=household.avoid_until_s(), now_s=now_s
            )
        except NoRoute:
            return None
        return Costs.of(others).predict(route)

    def ask(self, peer: str, waited_s: float | None = None) -> None:
        if waited_s is not None:
            self._view.late(peer, waited_s)
        self._heartbeat(peer, urgent=True)
        # Let the watch look again at once: the heartbeat's own deadline is near.
        self._woken.set()

    def ask_others(self, hop: Hop) -> None:
        with contextlib.suppress(HomeswarmError):  # nobody, or nobody who may
            for other in self.reroute(hop, without={hop.peer}):
                if not self.silent(other.peer):
                    self._heartbeat(other.peer, urgent=True)
        self._woken.set()

    # ------------------------------------------------------------------ watching

    def _heartbeat(self, peer: str, *, urgent: bool) -> None:
        self._view.asked(peer, urgent=urgent)
        task = asyncio.create_task(self._ping(peer))
        self._heartbeats.add(task)
        task.add_done_callback(self._heartbeats.discard)

    async def _ping(self, peer: str) -> None:
        sent_s = time.monotonic()
        wait_s = self._view.household.heartbeat_wait_s(peer, sent_s)
        pong = await self._swarm.ping(peer, wait_s)
        waited_s = time.monotonic() - sent_s
        if pong is None:
            self._view.answered(peer, None, waited_s)
        else:
            self._view.answered(peer, pong.trip_s, waited_s, pong.run)
        if pong is None and await self._swarm.unstick(peer):
            self._heartbeat(peer, urgent=False)

    def _consult(self, suspect: str, by: str) -> None:
        household = self._view.household
        household.apply(suspect, OpinionAsked(by), time.monotonic())

        async def ask() -> None:
            alive = await ask_opinion(self._swarm, by, suspect, OPINION_S)
            if alive is not None:
                household.apply(suspect, OpinionAnswered(by, alive), time.monotonic())

        task = asyncio.create_task(ask())
        self._heartbeats.add(task)
        task.add_done_callback(self._heartbeats.discard)

    async def _keep_watch(self) -> None:
        household = self._view.household
        while True:
            now_s = household.tick(time.monotonic())
            for peer in household.to_ask(now_s):
                self._heartbeat(peer, urgent=False)
            for suspect in household.peers:
                for by in household.to_consult(suspect, now_s):
                    self._consult(suspect, by)
            self._woken.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, household.next_tick_s(now_s) - time.monotonic())):
                    await self._woken.wait()

    async def _keep_looking(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        # hivemind's look-up raises what the daemon and msgpack raise; the next one is in a second.
        with contextlib.suppress(Exception):
            for moved in self._view.looked(await read_roll(self._swarm)):
                await self._swarm.reconnect(moved.peer_id, moved.addresses)


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

    def take_pauses(self, *, ended: bool = False) -> list[Pause]:
        self._session.tell_why(ended=ended)
        taken = self._pauses[:]
        del self._pauses[: len(taken)]
        return taken

    async def close(self) -> None:
        self._closed(self)
        await self._session.close()


async def load_parts(start: StartEngine, progress: Callable[[str, int, int], None]) -> ClientParts:
    """The client's part of the model. Raises what the store raises for a damaged one."""
    model = open_model(Path(start.model_dir))
    progress("loading embeddings", 0, 1)

    def load() -> ClientParts:
        quantized = model.manifest.quant in (Quant.INT8, Quant.INT4)
        return ClientParts(model.config(), model.client_tensors(), quantize_head=quantized)

    # On a thread that ends: one that stayed would keep workers, and those of the head would sleep.
    with ThreadPoolExecutor(1, thread_name_prefix="load") as thread:
        parts = await asyncio.get_running_loop().run_in_executor(thread, load)
    progress("loading embeddings", 1, 1)
    return parts


async def open_swarm_model(
    start: StartEngine, loading: Awaitable[ClientParts], gate: Gate | None = None
) -> SwarmModel:
    """Join the swarm (a private one by its `gate`) with what `load_parts` gives.

    Raises what that raises, and SwarmUnavailable when p2pd does not start.
    """
    model = open_model(Path(start.model_dir))
    parts, swarm = await asyncio.gather(
        loading,
        Swarm.open(
            identity_path=Path(start.identity_path),
            initial_peers=start.initial_peers,
            listen_host=start.listen_host,
            serves=False,
            gate=gate,
        ),
    )
    constants = dataclasses.replace(PRESETS[start.preset], policy=Policy(start.policy))
    view = View(model.model_id, model.manifest.num_blocks, constants, local=start.local_peers)
    swarm_model = SwarmModel(model.name, parts, swarm, view, standby=start.standby)
    swarm_model.addresses = await swarm.addresses()
    return swarm_model
