"""The time between a missed heartbeat and giving a peer up; it shrinks as others confirm."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from swarm_app.availability.selfhealth import SelfHealth


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One peer's, from the first missed heartbeat or broken connection on. Times are monotonic seconds."""

    since_s: float
    silent_from_s: float
    """What was sent then has had no answer."""
    why: str = ""
    """What raised it, for people, where it was not silence alone."""
    missed: bool = True
    """False while only a connection broke: without a missed heartbeat nobody is given up."""
    urgent: bool = False
    """An answer waits for the peer."""
    asked: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()
    vouched: frozenset[str] = frozenset()

    def asked_of(self, by: str) -> Suspicion:
        return replace(self, asked=self.asked | {by})

    def answered_by(self, by: str, alive: bool) -> Suspicion:
        """`by`'s latest word counts."""
        return replace(
            self,
            asked=self.asked | {by},
            confirmed=self.confirmed - {by} if alive else self.confirmed | {by},
            vouched=self.vouched | {by} if alive else self.vouched - {by},
        )

    def timeout_s(self, min_s: float, max_s: float, enough: int) -> float:
        """How long the suspicion lasts before own doubt scales it.

        Lifeguard's formula (Dadgar, Phillips, Currey 2018, section IV-B), with C confirmations of K hoped
        for:

            max(min, max - (max - min) * log(C + 1) / log(K + 1))

        so that the first confirmation shortens it most. K is how many were asked, at most `enough`; with
        K = 0 (a household of two, or nobody who can be asked) waiting for a second opinion is in vain, and it
        is the minimum. While somebody reaches the peer it is the maximum, whatever others say: the fault is
        on the way. A suspicion that no answer waits for has time, and takes the maximum too.
        """
        if self.vouched or not self.urgent:
            return max_s
        hoped = min(len(self.asked), enough)
        if hoped == 0:
            return min_s
        share = math.log(min(len(self.confirmed), hoped) + 1) / math.log(hoped + 1)
        return max(min_s, max_s - (max_s - min_s) * share)

    def ends_s(self, own: SelfHealth, now_s: float) -> float:
        """When it runs out, if nothing is heard: counted only from when this computer may judge."""
        constants = own.constants
        timeout_s = self.timeout_s(
            constants.suspicion_min_s, constants.suspicion_max_s, constants.enough_opinions
        )
        return max(self.since_s, own.judges_from_s()) + own.scale_s(timeout_s, now_s)
