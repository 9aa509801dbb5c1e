"""When a step or a heartbeat is late: limits from what the peer did lately, between a floor and a cap."""

from __future__ import annotations

from dataclasses import dataclass, replace

from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.availability.timings import NO_TIMINGS, Timings


def heartbeat_timeout_s(trips: Timings, own: SelfHealth, now_s: float, *, urgent: bool) -> float:
    """How long a heartbeat may take before the peer is suspect.

    clamp(max(slack * median, median + k * 1.4826 * MAD), floor, cap) over recent round trips, times
    1 + own score, plus own lag. Without samples the cap; a heartbeat that nothing waits for gets
    `heartbeat_idle_s` instead.
    """
    constants = own.constants
    if not urgent:
        return own.scale_s(constants.heartbeat_idle_s, now_s)
    limit_s = trips.limit_s(spread=constants.heartbeat_spread, slack=constants.heartbeat_slack)
    if limit_s is None:
        limit_s = constants.heartbeat_cap_s
    bounded_s = min(constants.heartbeat_cap_s, max(constants.heartbeat_floor_s, limit_s))
    return own.scale_s(bounded_s, now_s)


@dataclass(frozen=True, slots=True)
class StepLimits:
    """Seconds after a step's input was with the peer."""

    ask_s: float
    """The deadline: a heartbeat is sent then. Capped, because asking is cheap."""
    slow_s: float
    """A peer that lives is a straggler from here on. Not capped: a long prefill is not a fault."""
    regretted_s: float | None = None
    """The deadline of a peer with which the answer has lost a move's time already (`verdict.Regret`); None:
    `ask_s`."""


@dataclass(frozen=True, slots=True)
class StepDeadline:
    """What one hop of one session usually takes. Decode and prefill are never averaged together."""

    decode: Timings = NO_TIMINGS
    """Whole steps of one token."""
    prefill: Timings = NO_TIMINGS
    """Seconds per token of steps of several."""
    announced_s: float | None = None
    """Compute of one decode step through the hop's blocks, as the peer announced or another session measured
    it; used until the hop itself has been timed."""

    def with_step(self, tokens: int, took_s: float) -> StepDeadline:
        """A step of `tokens` tokens was done in `took_s`."""
        if tokens <= 1:
            return replace(self, decode=self.decode.with_sample(took_s))
        return replace(self, prefill=self.prefill.with_sample(took_s / tokens))

    def expected_s(self, tokens: int, own: SelfHealth) -> float:
        """The usual time of such a step.

        Several tokens cost at most as many single steps (they share the reading of the weights), which is
        what is taken until a prefill has been timed.
        """
        if tokens > 1:
            per_token_s = self.prefill.usual_s()
            return tokens * (self.expected_s(1, own) if per_token_s is None else per_token_s)
        usual_s = self.decode.usual_s()
        if usual_s is not None:
            return usual_s
        return own.constants.step_unknown_s if self.announced_s is None else self.announced_s

    def limits(self, tokens: int, own: SelfHealth, now_s: float) -> StepLimits:
        """The limits for a step of `tokens` tokens.

        With L(s) = n * max(s * median, median + k * 1.4826 * MAD), n tokens for a prefill and 1 for a decode
        step, or s * expected for want of samples:

            ask = clamp(L(ask_slack), floor, cap)
            slow = max(L(slow_slack), floor) + straggler
            regretted = max(L(ask_slack), regret_floor), if less than ask

        each times 1 + own score plus own lag.
        """
        constants = own.constants
        floor_s = constants.step_floor_s
        limit_s = self._limit_s(tokens, constants.ask_slack, own)
        ask_s = min(constants.step_cap_s, max(floor_s, limit_s))
        regretted_s = min(ask_s, max(constants.regret_floor_s, limit_s))
        slow_s = max(floor_s, self._limit_s(tokens, constants.slow_slack, own))
        return StepLimits(
            ask_s=own.scale_s(ask_s, now_s),
            slow_s=own.scale_s(slow_s + constants.straggler_s, now_s),
            regretted_s=own.scale_s(regretted_s, now_s),
        )

    def _limit_s(self, tokens: int, slack: float, own: SelfHealth) -> float:
        timings = self.prefill if tokens > 1 else self.decode
        limit_s = timings.limit_s(spread=own.constants.step_spread, slack=slack)
        if limit_s is None:
            return slack * self.expected_s(tokens, own)
        return limit_s * max(1, tokens)
