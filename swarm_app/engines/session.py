"""One answer's session along a route: its steps, and going on after a loss.

When a peer is lost, or says goodnight, the blocks it carried go to other peers, which are fed the hop's
history (see `legs`); the answer goes on with the tokens that an undisturbed run would have had.

A single token is pushed from peer to peer (Petals' `next_servers`), so that a step costs one way between
neighbours and not a round trip to us; every output also comes back here, for the history. A prompt
goes in chunks through our own hands, one chunk on each hop at a time.
"""

from __future__ import annotations

import asyncio
import functools
import time
import uuid
from collections.abc import Sequence

import torch

from swarm_app.availability.policy import Policy
from swarm_app.bridge.stream import StepOutput
from swarm_app.domain.errors import HomeswarmError, PeerLost
from swarm_app.domain.pause import FELT_S, REFUSED, SLOW, SLOW_COMPUTE, SLOW_LINK
from swarm_app.domain.route import Route
from swarm_app.engines.legs import (
    Leg,
    LegFailed,
    Measured,
    Overtaken,
    SessionPlan,
    close_all,
    moving_s,
    open_legs,
    receive,
    replay,
)
from swarm_app.engines.pauses import Pauses
from swarm_app.engines.spares import Spare, Spares

SLOW_FACTOR = 3.0
"""A felt step is a pause when it also took this many times the usual: a large model is slow every time."""

CHUNK_TOKENS = 128
"""Tokens of a prompt in one step; with several hops the peers work on different chunks at once."""

MAX_LOSSES = 8
"""Losses in one answer after which it ends in an error."""


class RouteSession:
    """Make it with `open`. One step at a time."""

    def __init__(self, plan: SessionPlan, legs: list[Leg]) -> None:
        self._plan = plan
        self._legs = legs
        self._losses = 0
        self._tokens = 0
        self._spares = Spares(plan)
        self._unpushable: set[tuple[str, str]] = set()
        self._letting_go: set[asyncio.Future[list[None]]] = set()
        self._pauses = Pauses(plan.paused, plan.peers.why_left)

    @classmethod
    async def open(cls, plan: SessionPlan, route: Route) -> RouteSession:
        """Be admitted by every peer of `route` at once.

        Raises LegFailed for the first that refuses or does not answer, with `lost` told; nothing stays open
        then.
        """
        try:
            return cls(plan, await open_legs(plan, route.hops))
        except LegFailed as failure:
            plan.peers.lost(failure.hop, failure.error)
            raise

    @property
    def route(self) -> Route:
        return Route(tuple(leg.hop for leg in self._legs))

    async def step(self, hidden: torch.Tensor) -> torch.Tensor:
        """Carry `hidden` [1, tokens, hidden_size] through all blocks; the last token's output [1, 1, h].

        Losses on the way are repaired. Raises NoRoute when nobody else holds a lost peer's blocks.
        """
        await self._change_over()
        if hidden.shape[1] == 1:
            self._tokens += 1
            output = await self._decode(hidden)
            self._stand_by(self._legs)
            return output
        return (await self._prefill(hidden))[:, -1:]

    async def close(self) -> None:
        """End every hop's session; their memory is free at once. A cancelled wait ends them all the same."""
        legs, self._legs = self._legs, []
        await asyncio.shield(asyncio.gather(close_all(legs), self._spares.close(), *self._letting_go))

    def tell_why(self, *, ended: bool) -> None:
        """Tell of the moves whose cause has come out since; of all that are left where the answer `ended`."""
        self._pauses.settle(ended=ended)

    def _let_go(self, legs: Sequence[Leg]) -> None:
        """End sessions that are not needed any more. Nobody waits: a lost peer does not answer."""
        ending = close_all(legs)
        self._letting_go.add(ending)
        ending.add_done_callback(self._letting_go.discard)

    # ------------------------------------------------------------------ decode

    async def _decode(self, hidden: torch.Tensor) -> torch.Tensor:
        step_id = str(uuid.uuid4())
        index = pushed_to = 0
        current = hidden
        began = time.monotonic()
        while index < len(self._legs):
            leg = self._legs[index]
            if index >= pushed_to:
                began = time.monotonic()
                pushed_to = self._start(index, current, step_id)
            try:
                usual_s = leg.deadline.decode.usual_s()
                output = await receive(
                    self._plan,
                    leg,
                    1,
                    again=functools.partial(self._start_again, index, current, step_id),
                    prepare=functools.partial(self._spares.want, leg, ""),
                )
            except Overtaken as overtaken:
                await self._take_over(index, overtaken, began)
                pushed_to = index
                continue
            except HomeswarmError as error:
                await self._replace(index, error, began)
                pushed_to = index
                continue
            now = time.monotonic()
            self._stepped(leg, output, now - began, usual_s)
            leg.inputs.append(current)
            if output.goodnight:
                self._said_goodnight(leg, output.goodnight)
            current = output.hidden
            began = now
            index += 1
        return current

    def _start(self, index: int, hidden: torch.Tensor, step_id: str) -> int:
        """Send a step to one hop, to be pushed on from peer to peer; the first leg that it will not reach."""
        end = index + 1
        while end < len(self._legs) and self._pushes(self._legs[end - 1], self._legs[end]):
            end += 1
        then = [leg.stream.target for leg in self._legs[index + 1 : end]]
        self._legs[index].stream.send(hidden, step_id, then)
        return end

    def _pushes(self, leg: Leg, after: Leg) -> bool:
        # A peer cannot dial itself, and may carry two parts after a reroute.
        pair = (leg.hop.peer, after.hop.peer)
        return pair[0] != pair[1] and pair not in self._unpushable

    def _start_again(self, index: int, hidden: torch.Tensor, step_id: str) -> None:
        """The peer lives and owes us a step: if it was to get it by a push, that got lost.

        Sent by us now, and from now on: two peers that cannot reach each other will not at the next token.
        """
        if index:
            self._unpushable.add((self._legs[index - 1].hop.peer, self._legs[index].hop.peer))
        self._start(index, hidden, step_id)

    def _stepped(self, leg: Leg, output: StepOutput, taken_s: float, usual_s: float | None) -> None:
        if output.compute_s is not None:
            self._plan.peers.measured(Measured(leg.hop.peer, len(leg.hop.span), output.compute_s, taken_s))
        if taken_s > FELT_S and usual_s and taken_s > SLOW_FACTOR * usual_s:
            computed = output.compute_s is not None and output.compute_s > taken_s / 2
            cause = SLOW_COMPUTE if computed else SLOW_LINK
            self._pauses.over(leg.hop, cause, (), at_token=self._tokens, total_s=taken_s)
        leg.pace = taken_s / usual_s if usual_s else 1.0
        if leg.regret.lost_s > 0.0 or taken_s > leg.regret.floor_s:
            # What slows all of them down is no peer's own: this computer, or the network.
            paces = sorted(other.pace for other in self._legs if other is not leg)
            common = max(1.0, paces[(len(paces) - 1) // 2]) if paces else 1.0
            leg.regret = leg.regret.with_step(taken_s / common, self._plan.peers.others_s(leg.hop))

    # ------------------------------------------------------------------ prefill

    async def _prefill(self, hidden: torch.Tensor) -> torch.Tensor:
        """Chunks through the hops, each hop on its own chunk; returns the last chunk's output.

        After a loss some hops are ahead of others. All of them then get new sessions and their own
        history from before this prompt, and the prompt starts again.
        """
        chunks = torch.split(hidden, CHUNK_TOKENS, dim=1)
        while True:
            kept = [len(leg.inputs) for leg in self._legs]
            began = time.monotonic()
            try:
                return await self._flow(chunks)
            except LegFailed as failure:
                lost = failure
            for leg, length in zip(self._legs, kept, strict=True):
                self._spares.drop(leg)
                del leg.inputs[length:]
            while True:
                try:
                    await self._replace(lost.index, lost.error, began)
                    await self._reopen_all()
                    break
                except LegFailed as failure:
                    lost = failure

    async def _flow(self, chunks: Sequence[torch.Tensor]) -> torch.Tensor:
        queues: list[asyncio.Queue[torch.Tensor]] = [asyncio.Queue() for _ in range(len(self._legs) + 1)]
        for chunk in chunks:
            queues[0].put_nowait(chunk)

        async def carry(index: int) -> None:
            leg = self._legs[index]
            for _ in chunks:
                given = await queues[index].get()
                try:
                    leg.stream.send(given, str(uuid.uuid4()))
                    output = await receive(self._plan, leg, given.shape[1])
                except HomeswarmError as error:
                    raise LegFailed(index, leg.hop, error) from error
                leg.inputs.append(given)
                self._stand_by([leg])
                queues[index + 1].put_nowait(output.hidden)

        tasks = [asyncio.create_task(carry(index)) for index in range(len(self._legs))]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        last = queues[-1]
        while last.qsize() > 1:
            last.get_nowait()
        return last.get_nowait()

    # ------------------------------------------------------------------ losses

    async def _replace(self, index: int, error: HomeswarmError, began_s: float) -> None:
        """Give the blocks of a lost hop to its spare, or to others that are fed its history."""
        leg = self._legs[index]
        detected_s = opened_s = time.monotonic()
        hop, told = leg.hop, error
        while True:
            self._losses += 1
            if self._losses > MAX_LOSSES:
                raise told
            self._plan.peers.lost(hop, told)
            if (fresh := await self._spares.take(leg)) is not None:
                break
            fresh = []
            try:
                fresh = await open_legs(self._plan, self._plan.peers.reroute(leg.hop))
                opened_s = time.monotonic()
                await replay(self._plan, fresh, leg.inputs)
                break
            except LegFailed as failure:
                self._let_go(fresh)
                hop, told = failure.hop, failure.error
        self._changed_over(
            index,
            fresh,
            error.cause if isinstance(error, PeerLost) else REFUSED,
            detect_s=detected_s - began_s,
            route_s=opened_s - detected_s,
            replay_s=time.monotonic() - opened_s,
        )

    async def _take_over(self, index: int, overtaken: Overtaken, began_s: float) -> None:
        """The spare of a late peer is ready first: it goes on."""
        leg = self._legs[index]
        lost = PeerLost(f"{leg.hop.name} did not answer in time.", cause=overtaken.cause)
        fresh = await self._spares.take(leg)
        if fresh is None:
            await self._replace(index, lost, began_s)
            return
        self._plan.peers.lost(leg.hop, lost)
        replay_s = overtaken.preparing_s
        detect_s = max(0.0, time.monotonic() - began_s - replay_s)
        self._changed_over(index, fresh, overtaken.cause, detect_s=detect_s, replay_s=replay_s)

    def _changed_over(
        self,
        index: int,
        fresh: list[Leg],
        cause: str,
        *,
        detect_s: float = 0.0,
        route_s: float = 0.0,
        replay_s: float = 0.0,
    ) -> None:
        """`fresh` go on in the place of a leg, whose session is ended."""
        leg = self._legs[index]
        self._legs[index : index + 1] = fresh
        self._spares.drop(leg)
        self._pauses.over(
            leg.hop,
            cause,
            [new.hop.name for new in fresh],
            at_token=self._tokens,
            detect_s=detect_s,
            route_s=route_s,
            replay_s=replay_s,
            total_s=detect_s + route_s + replay_s,
            words_may_differ=not self._plan.peers.same_words(leg.hop, [new.hop for new in fresh]),
        )
        self._let_go([leg])

    async def _reopen_all(self) -> None:
        """New sessions on the same peers, fed the same history. Raises LegFailed."""
        old = self._legs
        fresh = await open_legs(self._plan, [leg.hop for leg in old])
        try:
            for index, (leg, new) in enumerate(zip(old, fresh, strict=True)):
                try:
                    await replay(self._plan, [new], leg.inputs)
                except LegFailed as failure:
                    raise LegFailed(index, failure.hop, failure.error) from failure
        except BaseException:
            await close_all(fresh)
            raise
        self._legs = fresh
        self._let_go(old)

    # ------------------------------------------------------------------ between two steps

    def _stand_by(self, legs: list[Leg]) -> None:
        """Let the standbys of `legs` have what these were fed; a prompt while it is still on its way."""
        if self._plan.standby:
            self._spares.stand_by(legs)

    def _said_goodnight(self, leg: Leg, cause: str) -> None:
        """Have the replacement opened and fed while the old peer still does our steps."""
        spare = self._spares.of(leg)
        if spare is None or spare.failed or spare.cause != cause:
            self._plan.peers.lost(leg.hop, PeerLost(f"{leg.hop.name} is leaving.", cause=cause))
            self._spares.want(leg, cause)

    async def _change_over(self) -> None:
        """Go on with the spares of peers that said goodnight or are slow, where they are ready."""
        for leg in list(self._legs):
            spare = self._spares.of(leg)
            if spare is None or not spare.cause:
                spare = self._spare_of_a_slow_peer(leg, spare)
            if spare is None or not spare.settled:
                continue
            if spare.failed:
                self._spares.drop(leg)  # nobody else has room: stay while the old peer lasts, then look again
                continue
            began_s = time.monotonic()
            fresh = await self._spares.take(leg)
            if fresh is None:
                continue
            if spare.cause == SLOW:
                self._plan.peers.lost(leg.hop, PeerLost(f"{leg.hop.name} is slow.", cause=SLOW))
            index = self._legs.index(leg)
            self._changed_over(index, fresh, spare.cause, replay_s=time.monotonic() - began_s)

    def _spare_of_a_slow_peer(self, leg: Leg, spare: Spare | None) -> Spare | None:
        """The spare to change over to because the peer is slow at step after step; None while it is not.

        It is prepared as soon as a move would have paid for itself, and dropped when the peer keeps up again.
        """
        regret, move_s = leg.regret, moving_s(leg)
        if self._plan.policy is not Policy.WAIT and regret.worth_moving(move_s):
            spare = spare or self._spares.want(leg, "")
            if regret.in_a_row > 1:
                spare.cause = SLOW
                return spare
        elif spare is not None and regret.lost_s == 0.0 and not self._plan.standby:
            self._spares.drop(leg)
        return None
