"""Spares: replacements that are opened and fed beside a leg while its peer still works.

One is made when a peer says goodnight, when a step is late, when a peer is slow again and again, and, with
`SessionPlan.standby`, for every leg of an answer. The answer changes over to it between two steps, or in the
middle of one that does not come back; what the leg was fed since is fed to the spare then.
"""

from __future__ import annotations

import asyncio
import time

from swarm_app.domain.errors import HomeswarmError
from swarm_app.engines.legs import Leg, LegFailed, SessionPlan, close_all, open_legs, replay

AGAIN_S = 5.0
"""Where nobody could be a standby, it is looked for again after this."""


class Spare:
    """Legs over the blocks of `leg`, on other peers. Feeding begins at once; end it with `take` or `drop`.

    `cause` is why the answer is to change over to it: one of domain.pause's, or "" for a standby, which waits
    until its leg is lost.
    """

    def __init__(self, plan: SessionPlan, leg: Leg, cause: str) -> None:
        self.leg = leg
        self.cause = cause
        self._plan = plan
        self._legs: list[Leg] = []
        self._fed = 0
        self._feeding = asyncio.create_task(self._feed())

    @property
    def settled(self) -> bool:
        """Nothing is being opened or fed: it is `failed`, or has what its leg had when it was last told."""
        return self._feeding.done()

    @property
    def failed(self) -> bool:
        """Nobody else could carry the blocks; only `drop` is of use."""
        return self.settled and (self._feeding.cancelled() or self._feeding.exception() is not None)

    @property
    def failure(self) -> LegFailed | None:
        """Which of its peers failed, where it `failed` because of one."""
        error = self._feeding.exception() if self.failed and not self._feeding.cancelled() else None
        return error if isinstance(error, LegFailed) else None

    @property
    def ready(self) -> bool:
        """It has the leg's whole history."""
        return self.settled and not self.failed and self._fed == len(self.leg.inputs)

    def follow(self) -> None:
        """Begin to feed what the leg was fed since."""
        if self.settled and not self.failed and not self.ready:
            self._feeding = asyncio.create_task(self._feed())

    async def settle(self) -> None:
        """Wait until it is `settled`."""
        await asyncio.wait({self._feeding})

    async def take(self) -> list[Leg]:
        """The new legs, with the whole history. Raises LegFailed or NoRoute; drop it then."""
        await self._feeding
        await self._feed()
        return self._legs

    async def drop(self) -> None:
        """End its sessions, if it has any."""
        self._feeding.cancel()
        await asyncio.gather(self._feeding, return_exceptions=True)
        await close_all(self._legs)

    async def _feed(self) -> None:
        if not self._legs:
            hops = self._plan.peers.reroute(self.leg.hop, without={self.leg.hop.peer})
            self._legs = await open_legs(self._plan, hops)
        while self._fed < len(self.leg.inputs):
            steps = self.leg.inputs[self._fed :]
            await replay(self._plan, self._legs, steps)
            self._fed += len(steps)


class Spares:
    """The spares of one session, at most one for each of its legs."""

    def __init__(self, plan: SessionPlan) -> None:
        self._plan = plan
        self._spares: dict[Leg, Spare] = {}
        self._not_before_s: dict[Leg, float] = {}
        self._dropping: set[asyncio.Task[None]] = set()

    def of(self, leg: Leg) -> Spare | None:
        return self._spares.get(leg)

    def want(self, leg: Leg, cause: str) -> Spare:
        """The leg's spare, begun now where it has none, fed up to now; `cause` replaces that of a standby."""
        spare = self._spares.get(leg)
        if spare is None or spare.failed:
            self.drop(leg)
            spare = self._spares[leg] = Spare(self._plan, leg, cause)
        spare.cause = cause or spare.cause
        spare.follow()
        return spare

    def stand_by(self, legs: list[Leg]) -> None:
        """See that each of `legs` has a spare that follows it until there is a cause to change over."""
        now_s = time.monotonic()
        for leg in legs:
            spare = self._spares.get(leg)
            if spare is not None and spare.failed:
                self.drop(leg)
                self._not_before_s[leg] = now_s + AGAIN_S
            elif spare is not None:
                if not spare.cause:
                    spare.follow()
            elif now_s >= self._not_before_s.get(leg, now_s):
                self.want(leg, "")

    def drop(self, leg: Leg) -> None:
        """The leg needs none any more. Nobody waits for it."""
        spare = self._spares.pop(leg, None)
        self._not_before_s.pop(leg, None)
        if spare is not None:
            if spare.failure is not None:
                self._plan.peers.lost(spare.failure.hop, spare.failure.error)
            task = asyncio.create_task(spare.drop())
            self._dropping.add(task)
            task.add_done_callback(self._dropping.discard)

    async def take(self, leg: Leg) -> list[Leg] | None:
        """What its spare has become, fed with everything; None where there is none that can go on."""
        spare = self._spares.get(leg)
        if spare is None:
            return None
        try:
            fresh = await spare.take()
        except LegFailed as failure:
            self._plan.peers.lost(failure.hop, failure.error)
        except HomeswarmError:
            pass  # nobody has room; whoever asks will look again
        else:
            del self._spares[leg]
            return fresh
        self.drop(leg)
        return None

    async def close(self) -> None:
        """End all of them."""
        for leg in list(self._spares):
            self.drop(leg)
        await asyncio.gather(*self._dropping)
