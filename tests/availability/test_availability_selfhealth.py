"""This computer's doubt about itself: score, lag, and whom it judges after a wake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.selfhealth import SelfHealth

WELL = SelfHealth(HOME_LAN)


def test_one_peer_that_does_not_answer_is_no_doubt() -> None:
    own = WELL.missed("attic").missed("attic")
    assert own.score == 0
    assert not own.blind()


def test_several_at_once_are_and_an_answer_takes_it_back() -> None:
    own = WELL.missed("attic").missed("desk")
    assert own.score == 1
    assert own.blind()
    assert own.scale_s(0.3, 0.0) == pytest.approx(0.6)
    assert "own connection" in own.doubt(0.0)
    own = own.missed("laptop").missed("phone")
    assert own.score == HOME_LAN.max_score
    for _ in range(HOME_LAN.max_score):
        own = own.answered(1.0, 1.1)
    assert own.score == 0
    assert not own.blind()
    assert own.doubt(1.1) == ""


def test_an_answer_between_two_losses_means_that_the_link_is_well() -> None:
    own = WELL.missed("attic").answered(1.0, 1.1).missed("desk")
    assert own.score == 0


def test_another_peer_that_reaches_the_suspect_raises_it() -> None:
    assert WELL.contradicted().score == 1


def test_late_timers_are_added_twice_and_forgotten() -> None:
    own = WELL.timer_late(0.4, 10.0)
    assert own.scale_s(0.3, 10.0) == pytest.approx(0.3 + 0.8)
    assert own.scale_s(0.3, 10.0 + HOME_LAN.lag_half_life_s) == pytest.approx(0.3 + 0.4)
    assert own.scale_s(0.3, 1000.0) == pytest.approx(0.3)
    # A smaller lateness meanwhile does not lower the peak.
    assert own.timer_late(0.1, 11.0) == own
    assert "busy" in own.doubt(10.0)


def test_a_very_late_timer_was_a_sleep() -> None:
    own = WELL.timer_late(HOME_LAN.wake_gap_s + 0.1, 10.0)
    assert not own.judges(10.0)


@pytest.mark.parametrize("moved", [False, True])
def test_after_a_wake_or_a_move_nobody_is_judged_until_a_fresh_answer(moved: bool) -> None:
    own = WELL.moved(100.0) if moved else WELL.woke(100.0)
    assert ("network" if moved else "woke") in own.doubt(100.0)
    assert not own.judges(100.0 + HOME_LAN.grace_s - 0.01)
    # An answer that lay in a buffer all night proves nothing.
    stale = own.answered(99.0, 100.01)
    assert not stale.judges(100.01)
    proven = own.answered(100.2, 100.21)
    assert proven.judges(100.21)
    assert proven.judges_from_s() == 100.21
    # Without any answer it judges again after the grace: it may be that nobody is there.
    assert own.judges(100.0 + HOME_LAN.grace_s)


def test_a_second_wake_needs_a_second_proof() -> None:
    own = WELL.woke(100.0).answered(100.2, 100.3).woke(200.0)
    assert not own.judges(200.0)


@given(
    st.lists(
        st.tuples(st.sampled_from(["miss", "answer", "vouch", "late", "woke", "moved"]), st.floats(0, 5)),
        max_size=40,
    )
)
def test_score_and_scale_stay_in_their_bounds(steps: list[tuple[str, float]]) -> None:
    own, now_s = WELL, 0.0
    for number, (what, seconds) in enumerate(steps):
        now_s += seconds
        match what:
            case "miss":
                own = own.missed(f"peer{number % 5}")
            case "answer":
                own = own.answered(now_s - seconds, now_s)
            case "vouch":
                own = own.contradicted()
            case "late":
                own = own.timer_late(seconds, now_s)
            case "woke":
                own = own.woke(now_s)
            case _:
                own = own.moved(now_s)
        assert 0 <= own.score <= HOME_LAN.max_score
        longest_s = (1 + HOME_LAN.max_score) * 1.0 + 2 * HOME_LAN.wake_gap_s
        assert 1.0 <= own.scale_s(1.0, now_s) <= longest_s
        assert own.judges_from_s() <= max(own.disturbed_s + HOME_LAN.grace_s, now_s)
