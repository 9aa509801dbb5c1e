"""When a step or a heartbeat is late."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.deadlines import StepDeadline, heartbeat_timeout_s
from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.availability.timings import KEEP, NO_TIMINGS, Timings

WELL = SelfHealth(HOME_LAN)


def timed(*samples: float) -> Timings:
    timings = NO_TIMINGS
    for sample in samples:
        timings = timings.with_sample(sample)
    return timings


@given(st.lists(st.floats(0, 100), min_size=1, max_size=80))
def test_what_is_usual_is_the_median_of_the_latest(samples: list[float]) -> None:
    timings = timed(*samples)
    latest = samples[-KEEP:]
    usual = statistics.median(latest)
    assert timings.usual_s() == pytest.approx(usual)
    mad = statistics.median(abs(sample - usual) for sample in latest)
    expected = max(3 * usual, usual + 6 * 1.4826 * mad)
    assert timings.limit_s(spread=6, slack=3) == pytest.approx(expected)


def test_outliers_hardly_move_the_limit() -> None:
    steady = [0.04 + 0.001 * (number % 5) for number in range(28)]
    calm = timed(*steady).limit_s(spread=6, slack=3)
    shaken = timed(*steady, 5.0, 9.0, 7.0, 30.0).limit_s(spread=6, slack=3)
    assert calm is not None
    assert shaken is not None
    assert shaken < 1.2 * calm


def test_a_clock_that_went_wrong_is_passed_over() -> None:
    assert timed(0.1).with_sample(-1).with_sample(math.nan).with_sample(math.inf) == timed(0.1)


@pytest.mark.parametrize(
    ("trips", "urgent", "timeout_s"),
    [
        ((), True, 0.8),  # the cap
        ((0.002,) * 9, True, 0.3),  # the floor
        ((0.1,) * 9, True, 0.4),  # four times the median
        ((0.1, 0.12, 0.14), True, 0.48),
        ((2.0,) * 9, True, 0.8),  # the cap again
        ((), False, 2.0),  # nothing waits for it
    ],
)
def test_heartbeat_timeouts(trips: tuple[float, ...], urgent: bool, timeout_s: float) -> None:
    assert heartbeat_timeout_s(timed(*trips), WELL, 0.0, urgent=urgent) == pytest.approx(timeout_s)


def test_own_doubt_and_lag_stretch_every_deadline() -> None:
    own = SelfHealth(HOME_LAN, score=1).timer_late(0.1, 0.0)
    assert heartbeat_timeout_s(timed(0.002), own, 0.0, urgent=True) == pytest.approx(0.8)
    limits = StepDeadline().with_step(1, 0.01).limits(1, own, 0.0)
    assert limits.ask_s == pytest.approx(2 * 0.2 + 0.2)
    assert limits.slow_s == pytest.approx(2 * (0.2 + HOME_LAN.straggler_s) + 0.2)


@pytest.mark.parametrize(
    ("took_s", "ask_s", "slow_s", "regretted_s"),
    [
        (0.01, 0.2, 0.3, 0.1),  # the floors
        (0.1, 0.2, 0.4, 0.2),  # twice the usual, and three times
        (0.15, 0.3, 0.55, 0.3),
        (0.9, 1.0, 2.8, 1.0),  # the cap bounds asking, not patience
    ],
)
def test_decode_deadlines(took_s: float, ask_s: float, slow_s: float, regretted_s: float) -> None:
    deadline = StepDeadline()
    for _ in range(5):
        deadline = deadline.with_step(1, took_s)
    limits = deadline.limits(1, WELL, 0.0)
    assert limits.ask_s == pytest.approx(ask_s)
    assert limits.slow_s == pytest.approx(slow_s)
    assert limits.regretted_s == pytest.approx(regretted_s)


def test_prefill_deadlines_grow_with_the_tokens_and_asking_stays_capped() -> None:
    deadline = StepDeadline().with_step(128, 1.28)
    assert deadline.expected_s(128, WELL) == pytest.approx(1.28)
    assert deadline.expected_s(512, WELL) == pytest.approx(5.12)
    limits = deadline.limits(512, WELL, 0.0)
    assert limits.ask_s == pytest.approx(HOME_LAN.step_cap_s)
    assert limits.slow_s == pytest.approx(3 * 5.12 + HOME_LAN.straggler_s)


def test_prefill_and_decode_are_never_averaged_together() -> None:
    deadline = StepDeadline().with_step(1, 0.05).with_step(100, 9.0)
    assert deadline.expected_s(1, WELL) == pytest.approx(0.05)
    assert deadline.expected_s(10, WELL) == pytest.approx(0.9)


def test_a_hop_nobody_has_timed_is_expected_to_do_what_it_announced() -> None:
    assert StepDeadline(announced_s=0.15).limits(1, WELL, 0.0).ask_s == pytest.approx(0.3)
    assert StepDeadline(announced_s=0.15).expected_s(20, WELL) == pytest.approx(3.0)
    assert StepDeadline().expected_s(1, WELL) == HOME_LAN.step_unknown_s


@given(
    st.lists(st.tuples(st.integers(1, 2048), st.floats(0, 1000)), max_size=50),
    st.integers(1, 4096),
    st.integers(0, 2),
)
def test_deadlines_stay_between_floor_and_cap(
    steps: list[tuple[int, float]], tokens: int, score: int
) -> None:
    deadline = StepDeadline()
    for step_tokens, took_s in steps:
        deadline = deadline.with_step(step_tokens, took_s)
    own = SelfHealth(HOME_LAN, score=score)
    limits = deadline.limits(tokens, own, 0.0)
    assert HOME_LAN.step_floor_s <= limits.ask_s / (1 + score) <= HOME_LAN.step_cap_s
    assert limits.regretted_s is not None
    assert HOME_LAN.regret_floor_s <= limits.regretted_s <= limits.ask_s <= limits.slow_s
