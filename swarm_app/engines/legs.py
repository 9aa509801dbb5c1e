"""The legs of a session: one hop with its stream, and feeding a history to a new one.

What a leg was fed is kept just as it was cut into steps, because a replay has to leave the very cache
that was lost: prompts go again in the same chunks, single tokens in runs that the peer takes as if they
came one by one.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from swarm_app.bridge.stream import SpanStream, StepOutput
from swarm_app.domain.errors import HomeswarmError, PeerLost
from swarm_app.domain.pause import SILENT
from swarm_app.domain.route import Hop
from swarm_app.models.linears import PREFILL_ROWS

if TYPE_CHECKING:
    from swarm_app.bridge.swarm import Swarm
    from swarm_app.childproto import Pause

OPEN_TIMEOUT_S = 5.0
"""Admission on one peer; the memory is allocated in that time."""

PROMPT_PATIENCE_S = 10.0
"""A chunk of a prompt may take this long before the peer is asked whether it lives; its usual time is not
known."""

HEARTBEAT_S = 1.0
"""A peer that does not answer a heartbeat for this long is lost."""

STEP_LIMIT_S = 300.0
"""A living peer that is still computing is waited for this long: a long prompt on an old computer."""

RUN_TOKENS = PREFILL_ROWS - 1
"""Single tokens replayed in one step: as many as still go through the kernels of a decode step."""


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
    """Told of each loss, refusal and goodnight, before `reroute` is asked."""
    measured: Callable[[Measured], None]
    paused: Callable[[Pause], None] = lambda pause: None
    """Told of each pause when it is over."""


@dataclass(slots=True, eq=False)
class Leg:
    """One hop with its stream and everything it was fed, step by step, each [1, tokens, hidden_size]."""

    hop: Hop
    stream: SpanStream
    inputs: list[torch.Tensor] = field(default_factory=list)
    usual_s: float = 0.0
    """Slow average of its decode steps; 0 before the first."""


class LegFailed(Exception):
    """A hop failed among several: its place, the hop itself (its peer may differ after a reroute), why."""

    def __init__(self, index: int, hop: Hop, error: HomeswarmError) -> None:
        super().__init__(str(error))
        self.index = index
        self.hop = hop
        self.error = error


async def open_legs(plan: SessionPlan, hops: Sequence[Hop]) -> list[Leg]:
    """Be admitted by the peers of all `hops` at once.

    Raises LegFailed for the first that refuses; the others' refusals are told to `plan.lost`, and nothing
    stays open.
    """
    legs = [
        Leg(
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
        await close_all(legs)
        raise
    failures = [
        LegFailed(index, leg.hop, error)
        for index, (leg, error) in enumerate(zip(legs, opened, strict=True))
        if error is not None
    ]
    if failures:
        await close_all(legs)
        # The first one is told by whoever catches it.
        for failure in failures[1:]:
            plan.lost(failure.hop, failure.error)
        raise failures[0]
    return legs


async def close_all(legs: Sequence[Leg]) -> None:
    """End the legs' sessions; their memory is free at once where the peer lives."""
    await asyncio.gather(*(leg.stream.close() for leg in legs))


async def receive(
    plan: SessionPlan, leg: Leg, patience_s: float, again: Callable[[], object] | None = None
) -> StepOutput:
    """Wait for a step; a peer that is late is asked whether it lives, and waited for if it does.

    `again` is called when it lives: a push to it may have got lost. Raises PeerLost, and what the stream
    raises.
    """
    deadline = time.monotonic() + STEP_LIMIT_S
    while True:
        try:
            return await leg.stream.receive(patience_s)
        except TimeoutError:
            alive = await plan.swarm.ping(leg.hop.peer, HEARTBEAT_S) is not None
        if not alive or time.monotonic() > deadline:
            raise PeerLost(f"{leg.hop.name} stopped answering.", cause=SILENT)
        if again is not None:
            again()


async def replay(plan: SessionPlan, legs: Sequence[Leg], inputs: Sequence[torch.Tensor]) -> None:
    """Feed `inputs`, the steps of the hop that `legs` stand for, through them in order.

    Raises LegFailed naming the leg that failed.
    """
    steps = list(inputs)
    for index, leg in enumerate(legs):
        outputs: list[torch.Tensor] = []
        for run, single in _runs(steps):
            try:
                leg.stream.send(run, str(uuid.uuid4()), as_steps=single)
                output = await receive(plan, leg, PROMPT_PATIENCE_S)
            except HomeswarmError as error:
                raise LegFailed(index, leg.hop, error) from error
            outputs += torch.split(output.hidden, 1, dim=1) if single else [output.hidden]
        leg.inputs += steps
        steps = outputs


def _runs(steps: Sequence[torch.Tensor]) -> Iterator[tuple[torch.Tensor, bool]]:
    """The same tokens in fewer steps: chunks as they are, single tokens together (True)."""
    singles: list[torch.Tensor] = []
    for step in steps:
        if step.shape[1] == 1:
            singles.append(step)
        if singles and (step.shape[1] > 1 or len(singles) == RUN_TOKENS):
            yield torch.cat(singles, dim=1), True
            singles = []
        if step.shape[1] > 1:
            yield step, False
    if singles:
        yield torch.cat(singles, dim=1), True


async def _settle(calls: Sequence[Awaitable[None]]) -> list[HomeswarmError | None]:
    """What each call failed with; errors that are not ours are raised."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    told: list[HomeswarmError | None] = []
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, HomeswarmError):
            raise result
        told.append(result)
    return told
