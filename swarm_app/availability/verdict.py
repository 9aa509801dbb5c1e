"""What to do about a step that is late: a straggler is told from a sleeper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from swarm_app.availability.constants import HOME_LAN, Constants
from swarm_app.availability.deadlines import StepLimits
from swarm_app.availability.health import Availability, PeerHealth, due_s
from swarm_app.availability.policy import Policy
from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.domain.said import in_words, say


class Verdict(StrEnum):
    WAIT = "wait"
    ASK = "ask"
    """Send an urgent heartbeat, and wait."""
    HEDGE = "hedge"
    """Start the replacement beside the peer, and take whichever answers first."""
    REROUTE = "reroute"
    """The peer is lost to this session: move."""


@dataclass(frozen=True, slots=True)
class LateStep:
    """A step that has not come back."""

    sent_s: float
    """When the peer had its input (monotonic)."""
    limits: StepLimits
    move_s: float | None = None
    """What moving costs: opening elsewhere, replaying the history, doing the step. None: nobody else can."""
    hedging: bool = False
    """The replacement has been started already."""
    lost_s: float = 0.0
    """What the session's earlier steps have lost with this peer (`Regret.lost_s`)."""

    @property
    def regretted(self) -> bool:
        """Whether a move before this step would have paid for itself already."""
        return self.move_s is not None and self.lost_s > self.move_s

    @property
    def deadline_s(self) -> float:
        """Seconds after it was sent from which the step is late."""
        early_s = self.limits.regretted_s
        return early_s if self.regretted and early_s is not None else self.limits.ask_s


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    again_in_s: float
    """Judge again after this, if nothing has arrived; above 0."""
    why: str = ""
    """For people; "" while the step is not late."""


_AT_LEAST_S = 0.005


def judge(
    health: PeerHealth, late: LateStep, now_s: float, own: SelfHealth, policy: Policy | None = None
) -> Judgement:
    """What to do now about `late`. `health` must have been ticked to `now_s`; `policy` None is the preset's.

    - Given up: reroute, whatever the policy. Asleep, left or joining again: the same once the step is late.
    - Silent (suspect): with `wait`, wait until the suspicion has run out; with `hedge`, start the replacement
      now; with `reroute`, move now.
    - Not heard since the step was sent, and over the deadline: ask.
    - Living and late: with `wait`, wait up to `step_limit_s`; otherwise hedge or move when the step is over
      its own limit by a share of what moving costs. Where the answer has lost a move's time with the peer
      already (`LateStep.lost_s`), the deadline comes earlier and is its limit, and its heartbeat is not
      waited for.
    - Asked, and over that limit before the heartbeat has told whether it lives: with `hedge` the replacement
      is started all the same, for it is right in both cases.

    Nobody is called slow for a time in which this computer itself was asleep or moving.
    """
    constants = own.constants
    policy = policy or constants.policy
    # What this computer slept through is not the peer's lateness.
    waited_s = now_s - max(late.sent_s, min(now_s, own.judges_from_s()))

    def wait(until_s: float, verdict: Verdict = Verdict.WAIT, why: str = "") -> Judgement:
        return Judgement(verdict, max(_AT_LEAST_S, min(until_s, constants.ask_again_s)), why)

    if health.state is Availability.UNREACHABLE:
        return Judgement(Verdict.REROUTE, constants.ask_again_s, health.reason)
    if health.state is Availability.SUSPECT:
        if late.move_s is not None and policy is Policy.REROUTE:
            return Judgement(Verdict.REROUTE, constants.ask_again_s, health.reason)
        if late.move_s is not None and policy is Policy.HEDGE and not late.hedging:
            return Judgement(Verdict.HEDGE, _AT_LEAST_S, health.reason)
        return wait(_until_due(health, now_s, own), _ask_again(health, late, now_s, own), health.reason)
    if health.state is not Availability.AVAILABLE:
        # It said farewell after its last step, or started anew: what was under way has its time.
        if now_s - late.sent_s < late.deadline_s:
            return wait(late.sent_s + late.deadline_s - now_s)
        why = "has started anew" if health.state is Availability.JOINING else health.reason
        return Judgement(Verdict.REROUTE, constants.ask_again_s, why)
    if not own.judges(now_s):
        return wait(constants.ask_again_s, _ask_again(health, late, now_s, own), own.why)
    if waited_s < late.deadline_s:
        return wait(late.deadline_s - waited_s)
    impatient = late.regretted and not late.hedging and policy is not Policy.WAIT
    straggler = _straggler(late, waited_s, own, policy)
    if _ask_again(health, late, now_s, own) is Verdict.ASK:
        why = f"is late by {in_words(waited_s - late.deadline_s)}"
        return wait(0.0 if impatient else straggler.again_in_s, Verdict.ASK, why)
    if impatient:
        verdict = Verdict.HEDGE if policy is Policy.HEDGE else Verdict.REROUTE
        return Judgement(verdict, _AT_LEAST_S, f"takes {in_words(waited_s)} for a step, again")
    if health.asked_s is not None and straggler.verdict is not Verdict.HEDGE:
        return wait(min(_until_due(health, now_s, own), straggler.again_in_s), why=straggler.why)
    return straggler


def _until_due(health: PeerHealth, now_s: float, own: SelfHealth) -> float:
    due = due_s(health, now_s, own)
    return own.constants.ask_again_s if due is None else due - now_s


def _ask_again(health: PeerHealth, late: LateStep, now_s: float, own: SelfHealth) -> Verdict:
    """Ask, unless an urgent heartbeat is in flight, or the peer was heard since the step was sent."""
    constants = own.constants
    # A suspect is asked once more at once: a heartbeat of its own, in case the first one was lost on the way.
    since_s = late.sent_s if health.suspicion is None else max(late.sent_s, health.suspicion.since_s)
    asked_lately = now_s - health.last_asked_s < constants.ask_again_s
    if asked_lately and health.asked_urgently and health.last_asked_s >= since_s:
        return Verdict.WAIT
    heard_since = health.heard_s >= late.sent_s and now_s - health.heard_s < constants.ask_again_s
    return Verdict.WAIT if heard_since else Verdict.ASK


def _straggler(late: LateStep, waited_s: float, own: SelfHealth, policy: Policy) -> Judgement:
    """The peer lives, and is late."""
    constants = own.constants
    over_s = waited_s - late.limits.slow_s
    why = say("late", number=waited_s)
    if waited_s >= constants.step_limit_s:
        return Judgement(Verdict.REROUTE, constants.ask_again_s, why)
    share = {
        Policy.WAIT: None,
        Policy.HEDGE: constants.hedge_share,
        Policy.REROUTE: constants.reroute_share,
    }[policy]
    again_s = constants.step_limit_s - waited_s
    if share is not None and late.move_s is not None and not late.hedging:
        start_s = share * late.move_s
        if over_s >= start_s:
            verdict = Verdict.HEDGE if policy is Policy.HEDGE else Verdict.REROUTE
            return Judgement(verdict, _AT_LEAST_S, why)
        again_s = min(again_s, start_s - over_s)
    return Judgement(Verdict.WAIT, max(_AT_LEAST_S, min(again_s, constants.ask_again_s)), why)


@dataclass(frozen=True, slots=True)
class Regret:
    """How much a session has lost by staying with a peer that is slower than the best other one.

    A one-sided cumulative sum (Page 1954): max(0, sum + took - max(floor, (1 + margin) * other)). A steady
    peer's noise never adds up, and two usual steps make a hiccup forgotten; a slow one's excess adds up, and
    once it exceeds what moving costs, moving was worth it: then the whole loss is at most twice what was
    possible (the same ski rental as for one step).
    """

    lost_s: float = 0.0
    in_a_row: int = 0
    """The latest steps that lost time, one after another."""
    margin: float = HOME_LAN.regret_margin
    floor_s: float = HOME_LAN.regret_floor_s

    @classmethod
    def of(cls, constants: Constants) -> Regret:
        """None so far."""
        return cls(margin=constants.regret_margin, floor_s=constants.regret_floor_s)

    def with_step(self, took_s: float, other_s: float | None) -> Regret:
        """A decode step took `took_s`; the best other peer would need `other_s`. None: there is none."""
        if other_s is None:
            return replace(self, lost_s=0.0, in_a_row=0)
        excess_s = took_s - max(self.floor_s, (1 + self.margin) * other_s)
        in_a_row = self.in_a_row + 1 if excess_s > 0 else 0
        return replace(self, lost_s=max(0.0, self.lost_s + excess_s), in_a_row=in_a_row)

    def worth_moving(self, move_s: float | None) -> bool:
        """Whether a move that costs `move_s` would have paid for itself by now. None: there is nowhere to."""
        return move_s is not None and self.lost_s > move_s
