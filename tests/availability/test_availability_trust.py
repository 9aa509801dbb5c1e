"""Work returns to a peer that was lost, and does not flap."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.trust import NEW, Trust

FIRST_S = HOME_LAN.probation_s


def lost_and_back(trust: Trust, now_s: float) -> Trust:
    return trust.lost(now_s, HOME_LAN).returned(now_s, HOME_LAN)


def test_the_probation_doubles_with_each_loss_up_to_its_cap() -> None:
    trust, now_s = NEW, 0.0
    waits = []
    for _ in range(10):
        trust = lost_and_back(trust, now_s)
        waits.append(trust.avoid_until_s - now_s)
        now_s += 1.0  # lost again before anything could be forgiven
    assert waits == [min(FIRST_S * 2**count, HOME_LAN.probation_cap_s) for count in range(10)]


def test_staying_available_is_forgiven_one_loss_at_a_time() -> None:
    trust = lost_and_back(lost_and_back(NEW, 0.0), 1.0)
    assert trust.unforgiven(1.0 + HOME_LAN.forgive_s - 1, HOME_LAN) == 2
    assert trust.unforgiven(1.0 + HOME_LAN.forgive_s, HOME_LAN) == 1
    assert trust.unforgiven(1.0 + 9 * HOME_LAN.forgive_s, HOME_LAN) == 0
    later = lost_and_back(trust, 1.0 + 9 * HOME_LAN.forgive_s)
    assert later.losses == 1


def test_a_doubt_during_probation_starts_it_anew_and_afterwards_does_not() -> None:
    trust = lost_and_back(NEW, 0.0)
    assert trust.interrupted(1.0, HOME_LAN).avoid_until_s == 1.0 + FIRST_S
    assert trust.interrupted(1.0, HOME_LAN).losses == 1
    assert trust.interrupted(FIRST_S + 0.1, HOME_LAN) == trust
    assert NEW.interrupted(1.0, HOME_LAN) == NEW


def test_what_was_this_computers_own_fault_leaves_no_mark() -> None:
    trust = NEW.lost(0.0, HOME_LAN).pardoned()
    assert trust.returned(1.0, HOME_LAN) == trust
    assert trust.avoid_until_s == -math.inf
    # A pardon takes back a loss, not one that has been settled.
    settled = lost_and_back(NEW, 0.0)
    assert settled.pardoned() == settled


def test_refusals_and_slowness_keep_work_away_for_a_while() -> None:
    assert NEW.refused(5.0, HOME_LAN).avoid_until_s == 5.0 + HOME_LAN.refused_s
    slow = NEW.outpaced(5.0, HOME_LAN)
    assert slow.avoid_until_s == 5.0 + HOME_LAN.outpaced_s
    assert slow.outpaced(50.0, HOME_LAN).avoid_until_s == 50.0 + 2 * HOME_LAN.outpaced_s
    assert not slow.given_up
    gone = NEW.lost(5.0, HOME_LAN)
    assert gone.outpaced(6.0, HOME_LAN) == gone


@given(st.lists(st.floats(0, 400), max_size=120))
def test_no_flapping(stays: list[float]) -> None:
    """However a peer times its losses, work goes to it no more often than the docstring says.

    It is lost some time after each probation ends, and is back at once.
    """
    trust, now_s, losses = NEW, 0.0, 0
    for stay_s in stays:
        now_s = max(now_s, trust.avoid_until_s) + stay_s
        trust = lost_and_back(trust, now_s)
        losses += 1
    bound = now_s / HOME_LAN.forgive_s + math.log2(HOME_LAN.forgive_s / FIRST_S) + 2
    assert losses <= bound + 1  # the first loss comes before any probation


def test_the_most_eager_flapper_is_tried_a_few_times_in_an_hour() -> None:
    trust, now_s, losses = NEW, 0.0, 0
    while now_s < 3600:
        trust = lost_and_back(trust, now_s)
        now_s = trust.avoid_until_s
        losses += 1
    assert losses == pytest.approx(34, abs=4)
