"""A late step: wait, ask, hedge or reroute."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.deadlines import StepDeadline, StepLimits
from swarm_app.availability.events import (
    HeartbeatAnswered,
    HeartbeatMissed,
    HeartbeatSent,
    PeerEvent,
    RecordSeen,
    RecordState,
    SaidGoodbye,
    SaidGoodnight,
    StepDone,
    StreamReset,
)
from swarm_app.availability.health import PeerHealth, apply, new_peer, tick
from swarm_app.availability.policy import Policy
from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.availability.verdict import Judgement, LateStep, Regret, Verdict, judge

WELL = SelfHealth(HOME_LAN)
WAIT, HEDGE, REROUTE = Policy.WAIT, Policy.HEDGE, Policy.REROUTE
SENT_S = 100.0
LIMITS = StepLimits(ask_s=0.2, slow_s=0.7)
MOVE_S = 0.4


def peer(*events: tuple[float, PeerEvent], at_s: float) -> PeerHealth:
    """A peer that is online, was heard just before the step was sent, and had `events` since."""
    health = apply(new_peer(0.0), RecordSeen(RecordState.ONLINE, 12.0), 0.0, WELL)
    health = apply(health, HeartbeatAnswered(0.002), 50.0, WELL)
    for now_s, event in [(SENT_S - 0.01, StepDone(0.01)), *events]:
        health = apply(health, event, now_s, WELL)
    return tick(health, at_s, WELL)


def judged(
    *events: tuple[float, PeerEvent],
    at_s: float,
    policy: Policy = HEDGE,
    move_s: float | None = MOVE_S,
    hedging: bool = False,
    limits: StepLimits = LIMITS,
    lost_s: float = 0.0,
) -> Judgement:
    late = LateStep(SENT_S, limits, move_s, hedging, lost_s)
    return judge(peer(*events, at_s=at_s), late, at_s, WELL, policy)


ASK = (100.2, HeartbeatSent(urgent=True))
ALIVE = (100.21, HeartbeatAnswered(0.01))


@pytest.mark.parametrize("policy", list(Policy))
def test_in_time_and_just_over(policy: Policy) -> None:
    early = judged(at_s=100.05, policy=policy)
    assert (early.verdict, early.why) == (Verdict.WAIT, "")
    assert early.again_in_s == pytest.approx(0.15)
    assert judged(at_s=100.2001, policy=policy).verdict is Verdict.ASK
    # Once is enough while the heartbeat is on its way; then its timeout decides.
    waiting = judged(ASK, at_s=100.3, policy=policy)
    assert waiting.verdict is Verdict.WAIT
    assert waiting.again_in_s == pytest.approx(0.2)


EARLY = StepLimits(ask_s=0.2, slow_s=0.3)
"""With MOVE_S a hedge pays from 0.34 s on: before a heartbeat asked for at 0.2 s has to be there."""


def test_a_replacement_is_not_held_up_by_a_heartbeat_in_flight() -> None:
    asking = judged(at_s=100.21, limits=EARLY)
    assert asking.verdict is Verdict.ASK
    assert asking.again_in_s == pytest.approx(0.13)
    waiting = judged(ASK, at_s=100.3, limits=EARLY)
    assert waiting.verdict is Verdict.WAIT
    assert waiting.again_in_s == pytest.approx(0.04)
    assert judged(ASK, at_s=100.35, limits=EARLY).verdict is Verdict.HEDGE
    # Once; and then the heartbeat decides.
    hedging = judged(ASK, at_s=100.36, limits=EARLY, hedging=True)
    assert hedging.verdict is Verdict.WAIT
    assert hedging.again_in_s == pytest.approx(0.14)
    # What only a slow peer deserves, or nobody, waits for it.
    for but in ({"policy": REROUTE, "move_s": 0.1}, {"policy": WAIT}, {"move_s": None}):
        assert judged(ASK, at_s=100.45, limits=EARLY, **but).verdict is Verdict.WAIT


def test_a_heartbeat_that_nothing_waited_for_does_not_stand_in_for_an_urgent_one() -> None:
    assert judged((99.995, HeartbeatSent()), at_s=100.21).verdict is Verdict.ASK


def test_a_sign_of_life_since_the_step_was_sent_is_as_good_as_an_answer() -> None:
    limits = StepLimits(ask_s=1.0, slow_s=5.0)
    heard = judged((100.9, HeartbeatAnswered(0.01)), at_s=101.1, limits=limits)
    assert heard.verdict is Verdict.WAIT
    assert judged((100.2, HeartbeatAnswered(0.01)), at_s=101.1, limits=limits).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("policy", "verdict"), [(WAIT, Verdict.WAIT), (HEDGE, Verdict.HEDGE), (REROUTE, Verdict.REROUTE)]
)
def test_a_silent_peer_by_policy(policy: Policy, verdict: Verdict) -> None:
    asked_twice = (100.505, HeartbeatSent(urgent=True))
    suspected = judged(ASK, at_s=100.51, policy=policy)
    if policy is WAIT:
        assert suspected.verdict is Verdict.ASK  # once more, at once
        suspected = judged(ASK, (100.51, HeartbeatMissed(0.31)), (100.52, asked_twice[1]), at_s=100.53)
    else:
        assert suspected.verdict is verdict
    # With nobody to move to, nothing is gained by being early.
    assert judged(ASK, at_s=100.51, policy=policy, move_s=None).verdict is Verdict.ASK


def test_silence_ends_in_a_move_whatever_the_policy_and_even_with_nobody_to_move_to() -> None:
    for policy in Policy:
        for move_s in (MOVE_S, None):
            events = (ASK, (100.5, HeartbeatMissed(0.3)))
            lost = judged(*events, at_s=100.76, policy=policy, move_s=move_s)
            assert lost.verdict is Verdict.REROUTE
            assert lost.why == "did not answer for 0.6 s"


def test_a_hedge_is_started_once_and_then_waited_for() -> None:
    events = (ASK, (100.5, HeartbeatMissed(0.3)), (100.5, HeartbeatSent(urgent=True)))
    assert judged(*events, at_s=100.6).verdict is Verdict.HEDGE
    waiting = judged(*events, at_s=100.6, hedging=True)
    assert waiting.verdict is Verdict.WAIT
    assert waiting.again_in_s == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("policy", "after_s", "verdict"),
    [
        (WAIT, 200.0, Verdict.WAIT),
        (WAIT, 301.0, Verdict.REROUTE),
        (HEDGE, 0.73, Verdict.WAIT),
        (HEDGE, 0.75, Verdict.HEDGE),
        (REROUTE, 1.09, Verdict.WAIT),
        (REROUTE, 1.11, Verdict.REROUTE),
    ],
)
def test_a_straggler_that_answers_by_policy(policy: Policy, after_s: float, verdict: Verdict) -> None:
    at_s = SENT_S + after_s
    late = judged((at_s - 0.1, HeartbeatAnswered(0.01)), at_s=at_s, policy=policy)
    assert late.verdict is verdict
    assert late.why.startswith("takes ")


def test_a_straggler_is_waited_for_when_nobody_else_can() -> None:
    for policy in Policy:
        late = judged((149.9, HeartbeatAnswered(0.01)), at_s=150.0, policy=policy, move_s=None)
        assert late.verdict is Verdict.WAIT


@pytest.mark.parametrize(
    ("policy", "verdict"), [(WAIT, Verdict.WAIT), (HEDGE, Verdict.HEDGE), (REROUTE, Verdict.REROUTE)]
)
def test_a_peer_that_has_cost_a_move_already_is_left_at_its_next_late_step(
    policy: Policy, verdict: Verdict
) -> None:
    late = {"policy": policy, "lost_s": MOVE_S + 0.1}
    assert judged(at_s=100.19, **late).verdict is Verdict.WAIT  # type: ignore[arg-type]
    asked = judged(at_s=100.21, **late)  # type: ignore[arg-type]
    assert asked.verdict is Verdict.ASK
    assert (asked.again_in_s < 0.01) is (policy is not WAIT)
    again = judged((100.21, ASK[1]), at_s=100.22, **late)  # type: ignore[arg-type]
    assert again.verdict is verdict
    # Less than a move's time was lost, or nobody else could do it: a hiccup.
    for but in ({"lost_s": MOVE_S - 0.1}, {"move_s": None}, {"hedging": True}):
        calm = judged((100.21, ASK[1]), at_s=100.22, **{**late, **but})  # type: ignore[arg-type]
        assert calm.verdict is Verdict.WAIT


def test_its_late_step_is_late_earlier() -> None:
    limits = StepLimits(ask_s=0.2, slow_s=0.7, regretted_s=0.1)
    assert judged(at_s=100.11, limits=limits, lost_s=MOVE_S + 0.1).verdict is Verdict.ASK
    for but in ({"lost_s": MOVE_S - 0.1}, {"lost_s": MOVE_S + 0.1, "move_s": None}):
        calm = judged(at_s=100.11, limits=limits, **but)
        assert calm.verdict is Verdict.WAIT
        assert calm.again_in_s == pytest.approx(0.09)


def test_a_long_prefill_is_no_straggler() -> None:
    """512 tokens at 10 ms: the peer is asked every so often and left alone for three times the usual."""
    limits = StepDeadline().with_step(128, 1.28).limits(512, WELL, SENT_S)
    for after_s in (2.0, 9.0, 15.0):
        alive = (SENT_S + after_s - 0.1, HeartbeatAnswered(0.01))
        assert judged(alive, at_s=SENT_S + after_s, limits=limits).verdict is Verdict.WAIT
    assert judged((116.0, HeartbeatAnswered(0.01)), at_s=116.1, limits=limits).verdict is Verdict.HEDGE


@pytest.mark.parametrize("farewell", [SaidGoodnight(), SaidGoodbye(), RecordSeen(RecordState.JOINING, 99.0)])
def test_a_step_that_a_sleeper_was_finishing_has_its_time(farewell: PeerEvent) -> None:
    assert judged((100.05, farewell), at_s=100.1).verdict is Verdict.WAIT
    gone = judged((100.05, farewell), at_s=100.21, policy=WAIT)
    assert gone.verdict is Verdict.REROUTE
    assert gone.why in ("went to sleep", "said goodbye", "has started anew")
    # It is a word, not a judgement: this computer's own doubt has no part in it.
    health = peer((100.05, farewell), at_s=100.21)
    assert judge(health, LateStep(SENT_S, LIMITS), 100.21, WELL.woke(100.1)).verdict is Verdict.REROUTE


def test_a_broken_connection_hedges_and_asks() -> None:
    assert judged((100.05, StreamReset()), at_s=100.06).verdict is Verdict.HEDGE
    assert judged((100.05, StreamReset()), at_s=100.06, hedging=True).verdict is Verdict.ASK


def test_after_a_night_the_step_of_last_evening_is_nobodys_fault() -> None:
    own = WELL.woke(SENT_S + 30_000)
    now_s = SENT_S + 30_000
    late = LateStep(SENT_S, LIMITS, MOVE_S)
    health = replace(peer(at_s=SENT_S), asked_s=None)
    first = judge(health, late, now_s, own)
    assert first.verdict is Verdict.ASK
    assert "woke" in first.why
    asked = apply(health, HeartbeatSent(urgent=True), now_s, own)
    assert judge(asked, late, now_s + 0.01, own).verdict is Verdict.WAIT
    # Proven: the step has its ordinary time again, from now on.
    proven = own.answered(now_s, now_s + 0.02)
    heard = apply(asked, HeartbeatAnswered(0.02), now_s + 0.02, proven)
    assert judge(heard, late, now_s + 0.1, proven).verdict is Verdict.WAIT
    assert judge(heard, late, now_s + 0.3, proven).verdict is Verdict.WAIT
    assert judge(heard, late, now_s + 0.6, proven).verdict is Verdict.ASK


@given(
    st.floats(0, 400),
    st.sampled_from(list(Policy)),
    st.none() | st.floats(0, 10),
    st.booleans(),
    st.lists(st.tuples(st.floats(0, 400), st.sampled_from(["ask", "answer", "miss", "reset", "night"]))),
    st.sampled_from([WELL, replace(WELL, score=1), WELL.woke(150.0), WELL.timer_late(0.7, 100.0)]),
)
def test_every_verdict_makes_progress(
    after_s: float,
    policy: Policy,
    move_s: float | None,
    hedging: bool,
    happened: list[tuple[float, str]],
    own: SelfHealth,
) -> None:
    kinds: dict[str, PeerEvent] = {
        "ask": HeartbeatSent(urgent=True),
        "answer": HeartbeatAnswered(0.01),
        "miss": HeartbeatMissed(0.4),
        "reset": StreamReset(),
        "night": SaidGoodnight(),
    }
    now_s = SENT_S + after_s
    events = [(SENT_S + at, kinds[kind]) for at, kind in sorted(happened) if at <= after_s]
    health = tick(peer(*events, at_s=SENT_S), now_s, own)
    found = judge(health, LateStep(SENT_S, LIMITS, move_s, hedging), now_s, own, policy)
    assert 0 < found.again_in_s <= HOME_LAN.ask_again_s
    assert found.why or found.verdict is Verdict.WAIT
    if move_s is None or hedging or policy is not HEDGE:
        assert found.verdict is not Verdict.HEDGE
    # After asking, the next thing is not to ask again.
    if found.verdict is Verdict.ASK:
        asked = apply(health, HeartbeatSent(urgent=True), now_s, own)
        again = judge(asked, LateStep(SENT_S, LIMITS, move_s, hedging), now_s, own, policy)
        assert again.verdict is not Verdict.ASK


def test_regret_adds_up_for_a_slow_peer_and_not_for_noise() -> None:
    steady = Regret()
    for number in range(1000):
        steady = steady.with_step(0.011 if number % 2 else 0.009, 0.010)
    assert not steady.worth_moving(0.05)
    slow, steps = Regret(), 0
    while not slow.worth_moving(MOVE_S):
        slow = slow.with_step(0.3, 0.02)
        steps += 1
    assert steps == 3
    # A model whose steps take longer than that everywhere.
    assert Regret().with_step(1.9, 1.0).lost_s == 0.0
    assert Regret().with_step(2.5, 1.0).lost_s == pytest.approx(0.5)
    # Two usual steps later a hiccup is forgotten.
    assert Regret().with_step(0.25, 0.02).with_step(0.02, 0.02).with_step(0.02, 0.02).lost_s == 0.0
    assert not slow.worth_moving(None)
    assert slow.with_step(0.22, None).lost_s == 0.0


@given(st.floats(0.02, 2.0), st.floats(0.001, 0.01), st.floats(0.05, 2.0), st.integers(1, 400))
def test_regret_at_most_doubles_what_a_slow_peer_costs(
    slow_s: float, other_s: float, move_s: float, steps: int
) -> None:
    """Ski rental: against knowing from the start, and up to one step's granularity."""
    regret, spent_s, moved = Regret(margin=0.1, floor_s=0.0), 0.0, False
    for _ in range(steps):
        spent_s += other_s if moved else slow_s
        regret = regret.with_step(slow_s, other_s)
        if not moved and regret.worth_moving(move_s):
            moved, spent_s = True, spent_s + move_s
    best_s = min(steps * slow_s, move_s + steps * other_s)
    assert spent_s <= 2 * 1.1 * best_s + slow_s
