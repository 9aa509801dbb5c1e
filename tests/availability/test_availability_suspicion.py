"""The suspicion timer: Lifeguard's formula, own doubt, and who is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.availability.suspicion import Suspicion

MIN_S, MAX_S = 2.0, 30.0
BY = [f"peer{index}" for index in range(8)]


def suspicion(asked: int, confirmed: int = 0, vouched: int = 0, *, urgent: bool = True) -> Suspicion:
    found = Suspicion(100.0, 99.0, urgent=urgent)
    for by in BY[:asked]:
        found = found.asked_of(by)
    for by in BY[:confirmed]:
        found = found.answered_by(by, alive=False)
    for by in BY[confirmed : confirmed + vouched]:
        found = found.answered_by(by, alive=True)
    return found


@pytest.mark.parametrize(
    ("confirmed", "timeout_s"),
    # Worked out by hand: 30 - 28 * log(c + 1) / log(4).
    [(0, 30.0), (1, 16.0), (2, 7.8108), (3, 2.0), (4, 2.0)],
)
def test_it_shrinks_with_confirmations_as_the_paper_says(confirmed: int, timeout_s: float) -> None:
    assert suspicion(3, confirmed).timeout_s(MIN_S, MAX_S, 3) == pytest.approx(timeout_s, abs=1e-3)


def test_alone_in_a_household_of_two_nothing_is_waited_for() -> None:
    assert suspicion(0).timeout_s(MIN_S, MAX_S, 2) == MIN_S


def test_somebody_who_reaches_the_peer_outweighs_who_does_not() -> None:
    assert suspicion(3, confirmed=2, vouched=1).timeout_s(MIN_S, MAX_S, 2) == MAX_S
    changed = suspicion(1, vouched=1).answered_by(BY[0], alive=False)
    assert changed.timeout_s(MIN_S, MAX_S, 2) == MIN_S


def test_without_an_answer_that_waits_it_has_time() -> None:
    assert suspicion(2, confirmed=2, urgent=False).timeout_s(MIN_S, MAX_S, 2) == MAX_S


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 4), st.booleans())
def test_it_stays_between_its_limits_and_never_grows_with_a_confirmation(
    asked: int, confirmed: int, vouched: int, enough: int, urgent: bool
) -> None:
    confirmed = min(confirmed, asked)
    vouched = min(vouched, asked - confirmed)
    before = suspicion(asked, confirmed, vouched, urgent=urgent)
    timeout_s = before.timeout_s(MIN_S, MAX_S, enough)
    assert MIN_S <= timeout_s <= MAX_S
    unheard = sorted(before.asked - before.confirmed - before.vouched)
    if unheard:
        after = before.answered_by(unheard[0], alive=False)
        assert after.timeout_s(MIN_S, MAX_S, enough) <= timeout_s


def test_own_doubt_scales_it_and_a_wake_starts_it_anew() -> None:
    own = SelfHealth(HOME_LAN)
    assert suspicion(0).ends_s(own, 100.0) == pytest.approx(100.0 + HOME_LAN.suspicion_min_s)
    doubting = SelfHealth(HOME_LAN, score=2)
    assert suspicion(0).ends_s(doubting, 100.0) == pytest.approx(100.0 + 3 * HOME_LAN.suspicion_min_s)
    woken = own.woke(200.0)
    until_s = 200.0 + HOME_LAN.grace_s + HOME_LAN.suspicion_min_s
    assert suspicion(0).ends_s(woken, 200.0) == pytest.approx(until_s)
    proven = woken.answered(200.5, 200.6)
    assert suspicion(0).ends_s(proven, 200.6) == pytest.approx(200.6 + HOME_LAN.suspicion_min_s)
