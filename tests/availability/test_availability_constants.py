"""The presets keep the promises that their docstrings make."""

from __future__ import annotations

import ast
import dataclasses
import inspect

import pytest

from swarm_app.availability import constants as module
from swarm_app.availability.constants import HOME_LAN, OVER_INTERNET, PRESETS, TEST, Constants


def test_a_silent_loss_at_home_is_found_within_about_a_second() -> None:
    assert HOME_LAN.usual_detection_s() == pytest.approx(0.75)
    assert HOME_LAN.worst_detection_s() == pytest.approx(2.4)
    assert HOME_LAN.idle_detection_s() == pytest.approx(4.6)


def test_no_route_is_said_within_three_seconds_even_in_full_doubt() -> None:
    assert HOME_LAN.usual_detection_s() * (1 + HOME_LAN.max_score) < 3.0


def test_what_the_docstrings_of_the_other_presets_say() -> None:
    said = [
        (preset.usual_detection_s(), preset.worst_detection_s(), preset.idle_detection_s())
        for preset in (OVER_INTERNET, TEST)
    ]
    assert said == [pytest.approx((2.6, 9.0, 14.0)), pytest.approx((0.4, 1.1, 1.3))]


def test_own_doubt_stretches_the_bounds() -> None:
    assert HOME_LAN.worst_detection_s(score=1) == pytest.approx(2 * HOME_LAN.worst_detection_s())
    assert HOME_LAN.worst_detection_s(score=9) == HOME_LAN.worst_detection_s(score=HOME_LAN.max_score)
    assert HOME_LAN.worst_detection_s(late_s=0.5) == pytest.approx(HOME_LAN.worst_detection_s() + 3.0)
    # More than wake_gap_s is a sleep, not lag.
    assert HOME_LAN.idle_detection_s(late_s=99) == pytest.approx(4.6 + 4 * HOME_LAN.wake_gap_s)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_the_numbers_of_a_preset_agree_with_each_other(preset: Constants) -> None:
    assert preset.step_floor_s < preset.step_cap_s
    assert preset.heartbeat_floor_s < preset.heartbeat_cap_s <= preset.heartbeat_idle_s
    assert preset.suspicion_min_s < preset.suspicion_max_s
    # A second opinion can be in time.
    assert preset.suspicion_max_s > preset.heartbeat_floor_s
    # A heartbeat in an answer is not asked for again before it is overdue.
    assert preset.ask_again_s >= preset.heartbeat_floor_s
    assert preset.drain_s < preset.grace_s
    assert preset.probation_s < preset.forgive_s
    assert preset.forget_s < preset.forget_asleep_s
    assert preset.probation_s <= preset.outpaced_s <= preset.probation_cap_s
    # What counts as lost time is below what makes a step late, and both are below what is slow.
    assert preset.regret_floor_s < preset.step_floor_s
    assert 0 < preset.hedge_share <= preset.reroute_share <= 1


def test_an_idle_heartbeat_outlasts_a_dozing_radio() -> None:
    dozing_s = 3 * 0.1024
    assert dozing_s + 0.2 < HOME_LAN.heartbeat_floor_s + HOME_LAN.suspicion_min_s


def test_each_constant_says_why() -> None:
    body = ast.parse(inspect.getsource(module)).body
    (cls,) = [node for node in body if isinstance(node, ast.ClassDef)]
    unexplained = set()
    for field, after in zip(cls.body, cls.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if not told:
                unexplained.add(field.target.id)
    assert not unexplained
    assert len(dataclasses.fields(Constants)) > 30
