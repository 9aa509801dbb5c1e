"""This computer's doubt about itself: a laptop that just woke must not condemn the household.

The idea is Lifeguard's local health (Dadgar, Phillips, Currey 2018, "Lifeguard: Local Health Awareness for
More Accurate Failure Detection", section IV): a small score that evidence against oneself raises and answered
heartbeats lower, and that multiplies every timeout by 1 + score. Two things are added. The lateness of this
process's own timers is added to every timeout: an answer may lie unread for as long. And after a wake or a
move nobody is judged until a heartbeat, sent since then, has been answered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from swarm_app.availability.constants import HOME_LAN, Constants
from swarm_app.domain.said import say

NEVER = -math.inf

_NO_LAG_S = 0.001


@dataclass(frozen=True, slots=True)
class SelfHealth:
    """Times are monotonic seconds. Changed by returning another."""

    constants: Constants = HOME_LAN
    score: int = 0
    lag_peak_s: float = 0.0
    lag_at_s: float = NEVER
    disturbed_s: float = NEVER
    """The latest wake or move of this computer."""
    why: str = ""
    """What that was, for people: ``this computer just woke up``."""
    proven_s: float = NEVER
    """When this computer's link was first proven since."""
    missing: frozenset[str] = frozenset()
    """Peers that missed a heartbeat since anybody answered last."""

    def judges_from_s(self) -> float:
        """Evidence counts from here on: silence before it may have been this computer's own."""
        if self.proven_s >= self.disturbed_s:
            return self.proven_s
        return self.disturbed_s + self.constants.grace_s

    def judges(self, now_s: float) -> bool:
        """Whether this computer may find others guilty now."""
        return now_s >= self.judges_from_s()

    def blind(self) -> bool:
        """Several peers fell silent and nobody has answered since: rather this computer's own link."""
        return len(self.missing) > 1

    def doubt(self, now_s: float) -> str:
        """Why this computer trusts its own judgement less, for people; "" when it does not."""
        if not self.judges(now_s):
            return self.why
        if self.blind():
            return say("blind")
        if self.lag_s(now_s) > self.constants.heartbeat_floor_s:
            return say("busy-here")
        return ""

    def lag_s(self, now_s: float) -> float:
        """How late this process may be in reading an answer: twice its worst lateness, halving with time."""
        if self.lag_peak_s <= 0:
            return 0.0
        age_s = max(0.0, now_s - self.lag_at_s)
        left_s = self.lag_peak_s * 0.5 ** (age_s / self.constants.lag_half_life_s)
        return left_s if left_s > _NO_LAG_S else 0.0

    def scale_s(self, timeout_s: float, now_s: float) -> float:
        """`timeout_s` as this computer should apply it: timeout * (1 + score) + lag."""
        return timeout_s * (1 + self.score) + self.lag_s(now_s)

    # ------------------------------------------------------------------ what happened

    def woke(self, now_s: float) -> SelfHealth:
        return self._disturbed(say("just-woke"), now_s)

    def moved(self, now_s: float) -> SelfHealth:
        return self._disturbed(say("just-moved"), now_s)

    def timer_late(self, late_s: float, now_s: float) -> SelfHealth:
        """A timer of this process came `late_s` late; more than `wake_gap_s` was a sleep.

        Twice the lateness is taken: answers have lain unread for so long, and are still to be read now.
        """
        if late_s > self.constants.wake_gap_s:
            return self.woke(now_s)
        if 2 * late_s <= self.lag_s(now_s):
            return self
        return replace(self, lag_peak_s=2 * late_s, lag_at_s=now_s)

    def answered(self, sent_s: float, now_s: float) -> SelfHealth:
        """Another computer answered now what was sent at `sent_s`.

        An answer to something sent before a sleep may have waited in a buffer, and proves nothing.
        """
        if sent_s < self.disturbed_s:
            return self
        proven = self.proven_s >= self.disturbed_s
        if proven and self.score == 0 and not self.missing:
            return self  # as with nearly every step
        proven_s = self.proven_s if proven else now_s
        return replace(self, proven_s=proven_s, missing=frozenset(), score=max(0, self.score - 1))

    def missed(self, peer: str) -> SelfHealth:
        """A peer that was well did not answer. One is its own affair; several, and nobody in between, are a
        doubt."""
        others = self.missing - {peer}
        return replace(self, missing=others | {peer}, score=self._raised() if others else self.score)

    def contradicted(self) -> SelfHealth:
        """Another peer reaches the one that this computer suspects."""
        return replace(self, score=self._raised())

    def _raised(self) -> int:
        return min(self.constants.max_score, self.score + 1)

    def _disturbed(self, why: str, now_s: float) -> SelfHealth:
        return replace(self, disturbed_s=max(now_s, self.disturbed_s), why=why, missing=frozenset(), score=0)
