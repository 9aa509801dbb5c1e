"""One answer's session along a route: steps, their deadlines, and replay after a loss.

Every hop's inputs are kept. When a peer is lost, the blocks it carried go to other peers, which are fed
that history as their first step; the answer goes on with the tokens that an undisturbed run would have
had.

A single token is pushed from peer to peer (Petals' `next_servers`), so that a step costs one way between
neighbours and not a round trip to us; every output also comes back here, for the history. A prompt
goes in chunks through our own hands, one chunk on each hop at a time.
"""

from __future__ import annotations

import asyncio
import functools
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from swarm_app.bridge.stream import SpanStream, StepOutput
from swarm_app.domain.errors import HomeswarmError, PeerLost
from swarm_app.domain.route import Hop, Route

if TYPE_CHECKING:
    from swarm_app.bridge.swarm import Swarm

OPEN_TIMEOUT_S = 5.0
"""Admission on one peer; the memory is allocated in that time."""

STEP_PATIENCE_S = 1.0
STEP_FACTOR = 4.0
"""A decode step may take 1 s more than four times the usual before the peer is asked whether it lives."""

PROMPT_PATIENCE_S = 10.0
"""The same for a chunk of a prompt, whose usual time is not known."""

STEP_LIMIT_S = 300.0
"""A living peer that is still computing is waited for this long: a long prompt on an old computer."""

CHUNK_TOKENS = 128
"""Tokens of a prompt in one step; with several hops the peers work on different chunks at once."""

MAX_LOSSES = 8
"""Losses in one answer after which it ends in an error."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one decode step told of a peer."""

    peer: str
    blocks: int
    compute_s: float
    total_s: float
    """From sending to receiving; the compute included."""


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What a session needs from the engine around it."""

    swarm: Swarm
    prefix: str
    hidden_size: int
    max_tokens: int
    reroute: Callable[[Hop], tuple[Hop, ...]]
    """Who carries a lost hop's blocks now, in order. Raises NoRoute."""
    lost: Callable[[Hop, HomeswarmError], None]
    """Told of each loss and refusal, before `reroute` is asked."""
    measured: Callable[[Measured], None]


@dataclass(slots=True)
class _Leg:
    """One hop with its stream and everything it was fed."""

    hop: Hop
    stream: SpanStream
    inputs: list[torch.Tensor] = field(default_factory=list)
    usual_s: float = 0.0


class RouteSession:
    """Make it with `open`. One step at a time."""

    def __init__(self, plan: SessionPlan, legs: list[_Leg]) -> None:
        self._plan = plan
        self._legs = legs
        self._losses = 0

    @classmethod
    async def open(cls, plan: SessionPlan, route: Route) -> RouteSession:
        """Be admitted by every peer of `route` at once.

        Raises what the first refusing peer says (CacheFull, PeerRefused, PeerLost), with `lost` told;
        nothing stays open then.
        """
        session = cls(plan, [])
        try:
            session._legs = await session._open_legs(route.hops)
        except _LegFailed as failure:
            plan.lost(failure.hop, failure.error)
            raise failure.error from failure
        return session

    @property
    def route(self) -> Route:
        return Route(tuple(leg.hop for leg in self._legs))

    async def step(self, hidden: torch.Tensor) -> torch.Tensor:
        """Carry `hidden` [1, tokens, hidden_size] through all blocks; the last token's output [1, 1, h].

        Losses on the way are repaired. Raises NoRoute when nobody else holds a lost peer's blocks.
        """
        if hidden.shape[1] == 1:
            return await self._decode(hidden)
        return (await self._prefill(hidden))[:, -1:]

    async def close(self) -> None:
        """End every hop's session; their memory is free at once."""
        legs, self._legs = self._legs, []
        await asyncio.gather(*(leg.stream.close() for leg in legs))

    # ------------------------------------------------------------------ decode

    async def _decode(self, hidden: torch.Tensor) -> torch.Tensor:
        step_id = str(uuid.uuid4())
        index = 0
        pushed = False
        current = hidden
        began = time.monotonic()
        while index < len(self._legs):
            leg = self._legs[index]
            if not pushed:
                began = time.monotonic()
                pushed = self._start(index, current, step_id)
            try:
                output = await self._receive(
                    leg,
                    STEP_PATIENCE_S + STEP_FACTOR * leg.usual_s,
                    # A push that got lost: the peer lives and has nothing to do.
                    again=functools.partial(self._start, index, current, step_id),
                )
            except HomeswarmError as error:
                await self._replace(index, error)
                pushed = False
                continue
            now = time.monotonic()
            taken = now - began
            leg.usual_s = taken if leg.usual_s == 0 else 0.8 * leg.usual_s + 0.2 * taken
            if output.compute_s is not None:
                self._plan.measured(Measured(leg.hop.peer, len(leg.hop.span), output.compute_s, taken))
            leg.inputs.append(current)
            current = output.hidden
            began = now
            index += 1
        return current

    def _start(self, index: int, hidden: torch.Tensor, step_id: str) -> bool:
        """Send a step to one hop, to be pushed on to those after it; whether there are any."""
        then = [later.stream.target for later in self._legs[index + 1 :]]
        self._legs[index].stream.send(hidden, step_id, then)
        return bool(then)

    # ------------------------------------------------------------------ prefill

    async def _prefill(self, hidden: torch.Tensor) -> torch.Tensor:
        """Chunks through the hops, each hop on its own chunk; returns the last chunk's output.

        After a loss some hops are ahead of others. All of them then get new sessions and their own
        history from before this prompt, and the prompt starts again.
        """
        chunks = torch.split(hidden, CHUNK_TOKENS, dim=1)
        while True:
            kept = [len(leg.inputs) for leg in self._legs]
            try:
                return await self._flow(chunks)
            except _LegFailed as failure:
                lost = failure
            for leg, length in zip(self._legs, kept, strict=True):
                del leg.inputs[length:]
            while True:
                try:
                    await self._replace(lost.index, lost.error)
                    await self._reopen_all()
                    break
                except _LegFailed as failure:
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
                    output = await self._receive(leg, PROMPT_PATIENCE_S)
                except HomeswarmError as error:
                    raise _LegFailed(index, leg.hop, error) from error
                leg.inputs.append(given)
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

    async def _receive(
        self, leg: _Leg, patience_s: float, again: Callable[[], object] | None = None
    ) -> StepOutput:
        """Wait for a step; a peer that is late is asked whether it lives, and waited for if it does."""
        deadline = time.monotonic() + STEP_LIMIT_S
        while True:
            try:
                return await leg.stream.receive(patience_s)
            except TimeoutError:
                alive = await self._plan.swarm.ping(leg.hop.peer) is not None
            if not alive or time.monotonic() > deadline:
                raise PeerLost(f"{leg.hop.name} stopped answering.")
            if again is not None:
                again()

    async def _replace(self, index: int, error: HomeswarmError) -> None:
        """Give the blocks of a lost hop to others and feed them its history."""
        leg = self._legs[index]
        hop = leg.hop
        while True:
            self._losses += 1
            if self._losses > MAX_LOSSES:
                raise error
            self._plan.lost(hop, error)
            fresh: list[_Leg] = []
            try:
                fresh = await self._open_legs(self._plan.reroute(leg.hop))
                await self._replay(fresh, leg.inputs)
                break
            except _LegFailed as failure:
                await _close_all(fresh)
                hop, error = failure.hop, failure.error
        self._legs[index : index + 1] = fresh
        await leg.stream.close()

    async def _replay(self, fresh: Sequence[_Leg], inputs: Sequence[torch.Tensor]) -> None:
        if not inputs:
            return
        current = torch.cat([given.to(inputs[0].dtype) for given in inputs], dim=1)
        for index, leg in enumerate(fresh):
            outputs = []
            for chunk in torch.split(current, CHUNK_TOKENS, dim=1):
                try:
                    leg.stream.send(chunk, str(uuid.uuid4()))
                    outputs.append((await self._receive(leg, PROMPT_PATIENCE_S)).hidden)
                except HomeswarmError as error:
                    raise _LegFailed(index, leg.hop, error) from error
            leg.inputs.append(current)
            current = torch.cat(outputs, dim=1)

    async def _reopen_all(self) -> None:
        """New sessions on the same peers, fed the same history. Raises _LegFailed."""
        old = self._legs
        fresh = await self._open_legs([leg.hop for leg in old])
        try:
            for index, (leg, new) in enumerate(zip(old, fresh, strict=True)):
                try:
                    await self._replay([new], leg.inputs)
                except _LegFailed as failure:
                    raise _LegFailed(index, failure.hop, failure.error) from failure
        except BaseException:
            await _close_all(fresh)
            raise
        self._legs = fresh
        await _close_all(old)

    async def _open_legs(self, hops: Sequence[Hop]) -> list[_Leg]:
        plan = self._plan
        legs = [
            _Leg(
                hop,
                SpanStream(
                    plan.swarm,
                    hop.peer,
                    hop.name,
                    plan.prefix,
                    hop.span,
                    hidden_size=plan.hidden_size,
                    max_tokens=plan.max_tokens,
                ),
            )
            for hop in hops
        ]
        try:
            opened = await _settle([leg.stream.open(OPEN_TIMEOUT_S) for leg in legs])
        except BaseException:
            await _close_all(legs)
            raise
        failures = [
            _LegFailed(index, leg.hop, error)
            for index, (leg, error) in enumerate(zip(legs, opened, strict=True))
            if error is not None
        ]
        if failures:
            await _close_all(legs)
            # The first one is told by whoever catches it.
            for failure in failures[1:]:
                plan.lost(failure.hop, failure.error)
            raise failures[0]
        return legs


class _LegFailed(Exception):
    """A hop failed among several: its place, the hop itself (its peer may differ after a reroute), why."""

    def __init__(self, index: int, hop: Hop, error: HomeswarmError) -> None:
        super().__init__(str(error))
        self.index = index
        self.hop = hop
        self.error = error


async def _settle(calls: Sequence[Awaitable[None]]) -> list[HomeswarmError | None]:
    """What each call failed with; errors that are not ours are raised."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    told: list[HomeswarmError | None] = []
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, HomeswarmError):
            raise result
        told.append(result)
    return told


async def _close_all(legs: Sequence[_Leg]) -> None:
    await asyncio.gather(*(leg.stream.close() for leg in legs))
