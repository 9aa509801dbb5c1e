"""When work goes back to a peer that was lost: hysteresis, so that an answer does not flap."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from swarm_app.availability.constants import Constants


@dataclass(frozen=True, slots=True)
class Trust:
    """One peer's. Times are monotonic seconds.

    In any time T, new work goes at most ``T / forgive_s + log2(forgive_s / probation_s) + 2`` times to a peer
    that is lost each time: losses beyond what was forgiven double the probation, and once a probation is as
    long as `forgive_s` one loss is forgiven and one is added per round.
    """

    losses: int = 0
    """Not yet forgiven at the latest loss."""
    given_up: bool = False
    """Lost and not back yet."""
    back_s: float = -math.inf
    """Back since the latest loss; what is forgiven counts from here."""
    avoid_until_s: float = -math.inf
    """No new work before this."""

    def lost(self, now_s: float, constants: Constants) -> Trust:
        """It was given up, or restarted, with work in its hands."""
        if self.given_up:
            return self
        return replace(self, losses=self.unforgiven(now_s, constants) + 1, given_up=True)

    def returned(self, now_s: float, constants: Constants) -> Trust:
        """It is available again; after a loss its probation begins."""
        if not self.given_up:
            return self
        until_s = now_s + self.probation_s(constants)
        return replace(self, given_up=False, back_s=now_s, avoid_until_s=max(self.avoid_until_s, until_s))

    def interrupted(self, now_s: float, constants: Constants) -> Trust:
        """It was suspected and cleared: a probation, which is to be passed without a doubt, starts anew."""
        on_probation = self.losses > 0 and self.back_s <= now_s < self.back_s + self.probation_s(constants)
        if self.given_up or not on_probation:
            return self
        until_s = now_s + self.probation_s(constants)
        return replace(self, back_s=now_s, avoid_until_s=max(self.avoid_until_s, until_s))

    def pardoned(self) -> Trust:
        """The loss was this computer's own fault."""
        return replace(self, losses=max(0, self.losses - 1), given_up=False) if self.given_up else self

    def refused(self, now_s: float, constants: Constants) -> Trust:
        return replace(self, avoid_until_s=max(self.avoid_until_s, now_s + constants.refused_s))

    def outpaced(self, now_s: float, constants: Constants) -> Trust:
        """Work left it because it was slow: a loss whose probation begins at once and is a longer one,
        outpaced * 2^(losses - 1), at most probation_cap."""
        if self.given_up:
            return self
        left = self.lost(now_s, constants).returned(now_s, constants)
        slow_s = min(constants.probation_cap_s, constants.outpaced_s * 2.0 ** min(left.losses - 1, 30))
        return replace(left, avoid_until_s=max(left.avoid_until_s, now_s + slow_s))

    def unforgiven(self, now_s: float, constants: Constants) -> int:
        """Losses that still count: one is forgiven for each `forgive_s` without another."""
        if self.losses == 0 or self.given_up:
            return self.losses
        forgiven = int(max(0.0, now_s - self.back_s) / constants.forgive_s)
        return max(0, self.losses - forgiven)

    def probation_s(self, constants: Constants) -> float:
        """probation * 2^(losses - 1), at most probation_cap; 0 without a loss."""
        if self.losses == 0:
            return 0.0
        return float(min(constants.probation_cap_s, constants.probation_s * 2.0 ** min(self.losses - 1, 30)))


NEW = Trust()
