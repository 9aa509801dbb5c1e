"""The legs of a session: one hop with its stream, and feeding a history to a new one.

What a leg was fed is kept just as it was cut into steps, because a replay has to leave the very cache
that was lost: prompts go again in the same chunks, single tokens in runs that the peer takes as if they
came one by one.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import torch

from swarm_app.availability.deadlines import StepDeadline, StepLimits
from swarm_app.availability.policy import Policy
from swarm_app.availability.verdict import Judgement, LateStep, Regret, Verdict
from swarm_app.bridge.stream import SpanStream, StepOutput
from swarm_app.domain.errors import HomeswarmError, PeerLost
from swarm_app.domain.pause import SILENT, Pause
from swarm_app.domain.route import Hop
from swarm_app.models.linears import PREFILL_ROWS

if TYPE_CHECKING:
    from swarm_app.bridge.swarm import Swarm
    from swarm_app.engines.spares import Spare

OPEN_TIMEOUT_S = 5.0
"""Admission on one peer; the memory is allocated in that time."""

SOLE_HOLDER_S = 2.0
"""A silent peer whose blocks nobody else has is waited for this long: giving it up earlier gains nothing, and
a busy computer may yet answer. "No route" is to be said within 3 s."""

SOLE_LIMIT_S = 2.5
"""Nor is it waited for longer than this while its heartbeats go unanswered, however much this computer doubts
itself: the doubt is for the sake of moving elsewhere too soon, and there is nowhere else."""

SOLE_LOOK_S = 0.1

HEDGE_LOOK_S = 0.02
"""While a replacement is being prepared beside a late peer, how often it is looked at."""

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


class Peers(Protocol):
    """What a session needs to know of peers and to tell of them."""

    def reroute(self, hop: Hop, *, without: Collection[str] = ()) -> tuple[Hop, ...]:
        """Who carries a hop's blocks now, in order, the peers `without` left out; rather those that compute
        the same bits than the fastest. Raises NoRoute."""
        ...

    def same_words(self, hop: Hop, others: Sequence[Hop]) -> bool:
        """Whether `others` in the place of `hop` compute the same bits, as far as is known."""
        ...

    def lost(self, hop: Hop, error: HomeswarmError) -> None:
        """Told of each loss, refusal and goodnight, before `reroute` is asked."""
        ...

    def measured(self, step: Measured) -> None:
        """Told of each decode step."""
        ...

    def deadline(self, hop: Hop) -> StepDeadline:
        """What a new session's steps over `hop` are measured by."""
        ...

    def limits(self, deadline: StepDeadline, tokens: int) -> StepLimits:
        """When a step of `tokens` tokens is late, with this computer's own doubt in it."""
        ...

    def judge(self, peer: str, late: LateStep) -> Judgement:
        """What to do about a step that has not come back."""
        ...

    def silent(self, peer: str) -> bool:
        """Whether the peer answers no heartbeat (as against one that lives and is slow)."""
        ...

    def why_late(self, peer: str) -> str:
        """SILENT, SLOW, or LATE while the heartbeat that tells is in flight."""
        ...

    def why_left(self, peer: str) -> str:
        """The same of a peer that was left as LATE, or the farewell that it said since."""
        ...

    def ask(self, peer: str, waited_s: float | None = None) -> None:
        """Send an urgent heartbeat; its answer, or none, comes into the next judgement. `waited_s`: for how
        long a step has been waited for, where one is late."""
        ...

    def ask_others(self, hop: Hop) -> None:
        """The same to those who would carry the hop's blocks without its peer: should it be lost, it is known
        by then who of them is there."""
        ...

    def overslept(self, late_s: float) -> None:
        """A timer of this process fired `late_s` late: answers may lie unread for as long."""
        ...

    def others_s(self, hop: Hop) -> float | None:
        """What a decode step over the hop's blocks is predicted to take without its peer, those left out that
        are on probation. None: nobody else could do it."""
        ...

    def can_move(self, hop: Hop) -> bool:
        """Whether somebody else could carry the hop's blocks."""
        ...


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What a session needs from the engine around it."""

    swarm: Swarm
    prefix: str
    hidden_size: int
    max_tokens: int
    peers: Peers
    paused: Callable[[Pause], None] = lambda pause: None
    """Told of each pause when it is over."""
    policy: Policy = Policy.HEDGE
    standby: bool = False
    """Every leg has a spare that is fed its steps too."""
    regret: Regret = field(default_factory=Regret)
    """What a new leg begins with."""


@dataclass(slots=True, eq=False)
class Leg:
    """One hop with its stream and everything it was fed, step by step, each [1, tokens, hidden_size]."""

    hop: Hop
    stream: SpanStream
    inputs: list[torch.Tensor] = field(default_factory=list)
    deadline: StepDeadline = field(default_factory=StepDeadline)
    regret: Regret = field(default_factory=Regret)
    """What staying with the peer has cost so far."""
    pace: float = 1.0
    """The latest decode step's time by the usual one's."""

    @property
    def tokens(self) -> int:
        """How many tokens it was fed."""
        return sum(step.shape[1] for step in self.inputs)


class LegFailed(Exception):
    """A hop failed among several: its place, the hop itself (its peer may differ after a reroute), why."""

    def __init__(self, index: int, hop: Hop, error: HomeswarmError) -> None:
        super().__init__(str(error))
        self.index = index
        self.hop = hop
        self.error = error


async def open_legs(plan: SessionPlan, hops: Sequence[Hop]) -> list[Leg]:
    """Be admitted by the peers of all `hops` at once.

    Raises LegFailed for the first that refuses; the others' refusals are told to `plan.peers`, and nothing
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
            deadline=plan.peers.deadline(hop),
            regret=plan.regret,
        )
        for hop in hops
    ]
    try:
        opened = await _settle([_open(plan, leg) for leg in legs])
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
            plan.peers.lost(failure.hop, failure.error)
        raise failures[0]
    return legs


async def _open(plan: SessionPlan, leg: Leg) -> None:
    """Be admitted by one peer. A peer that is given up meanwhile is not waited for; raises PeerLost then."""
    peers, peer, asked_s = plan.peers, leg.hop.peer, time.monotonic()
    # Allocating may take long, so only silence counts: asked about like a step, and never called slow.
    limits = StepLimits(peers.limits(leg.deadline, 1).ask_s, OPEN_TIMEOUT_S)
    opening = asyncio.ensure_future(leg.stream.open(OPEN_TIMEOUT_S))
    wait_s = limits.ask_s
    try:
        while not (await asyncio.wait({opening}, timeout=wait_s))[0]:
            judgement = peers.judge(peer, LateStep(asked_s, limits))
            wait_s = _no_later(judgement.again_in_s, asked_s)
            if judgement.verdict is Verdict.ASK:
                peers.ask(peer)
            elif judgement.verdict is Verdict.REROUTE or _hopeless(peers, leg, asked_s):
                raise PeerLost(f"{leg.hop.name} does not answer.", cause=SILENT)
        await opening
    finally:
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)


def _hopeless(peers: Peers, leg: Leg, since_s: float) -> bool:
    """Whether a silent peer that nobody can stand in for has been waited for long enough."""
    if time.monotonic() - since_s < SOLE_LIMIT_S:
        return False
    return peers.silent(leg.hop.peer) and not peers.can_move(leg.hop)


def _no_later(wait_s: float, since_s: float) -> float:
    """As long as `wait_s`, but not beyond the moment at which `_hopeless` may say so."""
    left_s = since_s + SOLE_LIMIT_S - time.monotonic()
    return wait_s if left_s <= 0.0 else min(wait_s, left_s + 0.001)


def close_all(legs: Sequence[Leg]) -> asyncio.Future[list[None]]:
    """End the legs' sessions, with the call; their memory is free at once where the peer lives."""
    return asyncio.gather(*(leg.stream.close() for leg in legs))


class Overtaken(Exception):
    """The leg's spare was ready before the late step came back."""

    def __init__(self, cause: str, preparing_s: float) -> None:
        super().__init__(cause)
        self.cause = cause
        self.preparing_s = preparing_s
        """How long the spare was waited for."""


async def receive(
    plan: SessionPlan,
    leg: Leg,
    tokens: int,
    *,
    again: Callable[[], object] | None = None,
    prepare: Callable[[], Spare] | None = None,
) -> StepOutput:
    """Wait for a step of `tokens` tokens that the peer was sent just now.

    What is done when it is late is `availability.verdict`'s to say: a heartbeat is asked for (and `again`
    called: a push may have got lost), the peer is waited for, a spare is prepared beside it, or it is
    given up. Raises PeerLost, what the stream raises, and Overtaken once the spare of `prepare` is ready.
    """
    peers, peer, sent_s = plan.peers, leg.hop.peer, time.monotonic()
    limits = peers.limits(leg.deadline, tokens)
    # Without a loss so far, or with nobody to move to, the first judgement would only say so.
    early_s = limits.regretted_s if leg.regret.lost_s > 0.0 else None
    wait_s = limits.ask_s if early_s is None else early_s
    spare: Spare | None = None
    move_s: float | None = None
    prepared_s = sent_s
    while True:
        look_s = wait_s if spare is None else HEDGE_LOOK_S
        asleep_s = time.monotonic()
        try:
            output = await leg.stream.receive(look_s)
        except TimeoutError:
            peers.overslept(time.monotonic() - asleep_s - look_s)
        else:
            leg.deadline = leg.deadline.with_step(tokens, time.monotonic() - sent_s)
            return output
        if spare is not None and spare.ready:
            raise Overtaken(peers.why_late(peer), time.monotonic() - prepared_s)
        if spare is not None and spare.failed:
            spare, prepare = None, None
        if prepare is not None and move_s is None and peers.can_move(leg.hop):
            move_s = moving_s(leg)
        late = LateStep(
            sent_s, limits, move_s if prepare else None, spare is not None, lost_s=leg.regret.lost_s
        )
        judgement = peers.judge(peer, late)
        wait_s = _no_later(judgement.again_in_s, sent_s)
        if judgement.verdict is not Verdict.REROUTE and _hopeless(peers, leg, sent_s):
            raise PeerLost(f"{leg.hop.name} stopped answering.", cause=SILENT)
        match judgement.verdict:
            case Verdict.ASK:
                peers.ask(peer, time.monotonic() - sent_s)
                peers.ask_others(leg.hop)
                if again is not None:
                    again()
            case Verdict.HEDGE if prepare is not None:
                prepared_s = time.monotonic()
                spare = prepare()
            case Verdict.REROUTE:
                if spare is not None:
                    # It has been given up, and its replacement is on the way already.
                    await spare.settle()
                    continue
                waited_s = time.monotonic() - sent_s
                if waited_s < SOLE_HOLDER_S and not peers.can_move(leg.hop):
                    wait_s = min(wait_s, SOLE_LOOK_S)
                    continue
                raise PeerLost(f"{leg.hop.name} stopped answering.", cause=peers.why_late(peer))
            case _:
                continue


def moving_s(leg: Leg) -> float:
    """About what moving a leg costs: opening, and feeding its history at a tenth of a step a token."""
    usual_s = leg.deadline.decode.usual_s() or leg.deadline.announced_s or 0.05
    return 0.05 + leg.tokens * usual_s / 10


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
                output = await receive(plan, leg, run.shape[1])
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
