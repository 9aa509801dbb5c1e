"""All peers together: changes, whom to ask, who is usable, who is not and why."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.deadlines import StepLimits
from swarm_app.availability.events import (
    HeartbeatAnswered,
    HeartbeatMissed,
    HeartbeatSent,
    OpinionAnswered,
    OpinionAsked,
    Outpaced,
    PeerEvent,
    RecordExpired,
    RecordSeen,
    RecordState,
    SaidGoodbye,
    SaidGoodnight,
    StepDone,
    StreamReset,
)
from swarm_app.availability.health import Availability
from swarm_app.availability.household import Household
from swarm_app.availability.verdict import LateStep, Verdict

NAMES = ("attic", "desk", "laptop")


def household(*names: str, now_s: float = 0.0, **given: tuple[str, ...]) -> Household:
    """Peers whose ids are their names, online and heard at `now_s`."""
    found = Household(now_s, HOME_LAN, **given)
    for name in names or NAMES:
        found.apply(name, RecordSeen(RecordState.ONLINE, 12.0, name), now_s)
        found.apply(name, HeartbeatAnswered(0.002), now_s)
    found.take_changes()
    return found


def lose(found: Household, peer: str, now_s: float) -> float:
    """Let `peer` miss an urgent heartbeat sent at `now_s`; returns when it was given up."""
    found.apply(peer, HeartbeatSent(urgent=True), now_s)
    found.tick(now_s + 0.31)
    found.tick(now_s + 0.57)
    assert found.health(peer, now_s).state is Availability.UNREACHABLE
    return now_s + 0.57


def test_a_loss_in_an_answer_step_by_step() -> None:
    found = household()
    late = LateStep(10.0, StepLimits(0.2, 0.7), move_s=0.3)
    asked = found.judge("attic", late, 10.21)
    assert asked.verdict is Verdict.ASK
    found.apply("attic", HeartbeatSent(urgent=True), 10.21)
    # The session judges again when it was told to; nothing else has to tick.
    waiting = found.judge("attic", late, 10.22)
    assert waiting.verdict is Verdict.WAIT
    suspected_s = 10.22 + waiting.again_in_s
    assert suspected_s == pytest.approx(10.51)
    assert found.judge("attic", late, suspected_s).verdict is Verdict.HEDGE
    hedging = LateStep(10.0, StepLimits(0.2, 0.7), move_s=0.3, hedging=True)
    assert found.judge("attic", hedging, suspected_s).verdict is Verdict.ASK
    found.apply("attic", HeartbeatSent(urgent=True), suspected_s)
    again = found.judge("attic", hedging, suspected_s)
    lost = found.judge("attic", hedging, suspected_s + again.again_in_s + 0.01)
    assert lost.verdict is Verdict.REROUTE
    changes = [(change.before, change.after, change.reason) for change in found.take_changes()]
    assert changes == [
        (Availability.AVAILABLE, Availability.SUSPECT, "did not answer for 0.3 s"),
        (Availability.SUSPECT, Availability.UNREACHABLE, "did not answer for 0.6 s"),
    ]
    assert found.take_changes() == []
    assert found.usable(11.0) == {"desk", "laptop"}


def test_goodnight_is_immediate_and_the_wake_too() -> None:
    found = household()
    found.apply("laptop", SaidGoodnight(), 10.0)
    assert "laptop" not in found.usable(10.0)
    asleep = found.health("laptop", 10.0 + 3 * 3600)
    assert (asleep.state, asleep.reason, asleep.since_s) == (Availability.ASLEEP, "went to sleep", 10.0)
    found.apply("laptop", RecordSeen(RecordState.ONLINE, 9999.0, "laptop"), 9987.0)
    assert "laptop" in found.usable(9987.0)


def test_who_cannot_be_used_and_why() -> None:
    found = household("attic", "desk", "laptop", "phone", "tower", "den")
    found.apply("laptop", SaidGoodnight(), 100.0)
    found.apply("phone", SaidGoodbye(), 200.0)
    lost_s = lose(found, "attic", 300.0)
    found.apply("desk", HeartbeatAnswered(0.002), 301.0)
    found.apply("desk", StreamReset(), 310.0)
    found.apply("den", RecordSeen(RecordState.JOINING, 400.0, "den"), 311.0)
    told = {peer: health.reason for peer, health in found.peers.items() if peer not in found.usable(311.0)}
    assert told == {
        "attic": "did not answer for 0.6 s",
        "den": "starting",
        "desk": "broke off the connection",
        "laptop": "went to sleep",
        "phone": "said goodbye",
    }
    assert lost_s == pytest.approx(300.57)
    found.apply("attic", HeartbeatAnswered(0.002), 312.0)
    assert found.health("attic", 312.5).state is Availability.AVAILABLE
    assert "attic" not in found.usable(312.5)
    assert found.avoid_until_s() == {"attic": 314.0}
    assert found.usable(314.0) == {"attic", "tower"}


def test_a_nights_sleep_condemns_nobody() -> None:
    """Told or not, and whatever was on its way in the evening."""
    for signalled in (True, False):
        found = household()
        for peer in NAMES:
            found.apply(peer, HeartbeatSent(urgent=True), 10.0)
        found.next_tick_s(10.0)
        morning_s = 10.0 + 8 * 3600
        if signalled:
            found.woke(morning_s)
        found.tick(morning_s)
        assert found.usable(morning_s) == set(NAMES)
        assert "woke" in found.own.doubt(morning_s)
        # Everything that was on its way has failed, and the Wi-Fi is not back yet.
        for peer in NAMES:
            found.apply(peer, HeartbeatMissed(8 * 3600.0), morning_s)
            found.apply(peer, StreamReset(), morning_s)
            found.apply(peer, RecordExpired(), morning_s)
        assert set(found.to_ask(morning_s)) == set(NAMES)
        for tenths in range(50):
            now_s = morning_s + tenths / 10
            for peer in found.to_ask(now_s):
                found.apply(peer, HeartbeatSent(), now_s)
                found.apply(peer, HeartbeatMissed(0.001), now_s)
            found.tick(now_s)
        assert found.usable(now_s) == set(NAMES)
        assert [change for change in found.take_changes() if change.after is not Availability.AVAILABLE] == []
        # The link is back: one answer is enough to judge again, and attic is really gone.
        found.apply("desk", HeartbeatSent(), now_s)
        found.apply("desk", HeartbeatAnswered(0.01), now_s + 0.01)
        assert found.own.doubt(now_s + 0.01) == ""
        lose(found, "attic", now_s + 0.02)


def test_a_loss_just_before_the_wake_was_noticed_is_taken_back() -> None:
    found = household()
    lost_s = lose(found, "attic", 10.0)
    found.woke(lost_s + 1.0)
    assert found.usable(lost_s + 1.0) == set(NAMES)
    assert found.health("attic", lost_s).trust.losses == 0


def test_peers_on_this_computer_prove_nothing_about_its_link() -> None:
    found = household(local=("desk",))
    found.moved(10.0)
    found.apply("desk", HeartbeatAnswered(0.001), 10.1)
    found.apply("desk", StepDone(0.01), 10.2)
    assert not found.own.judges(10.2)
    found.apply("attic", HeartbeatAnswered(0.001), 10.3)
    assert found.own.judges(10.3)


def test_everybody_silent_at_once_is_rather_this_computer() -> None:
    found = household()
    for peer in NAMES:
        found.apply(peer, HeartbeatSent(urgent=True), 10.0)
    found.tick(10.31)
    # The second silence is a doubt already, which gives the third peer twice the time.
    assert found.own.score == 1
    assert "own connection" in found.own.doubt(10.31)
    found.tick(10.61)
    assert found.own.score == HOME_LAN.max_score
    # Three times the suspicion, and then given up without a mark.
    found.tick(10.31 + 3 * HOME_LAN.suspicion_min_s - 0.01)
    assert found.usable(11.05) == frozenset()
    assert all(health.state is Availability.SUSPECT for health in found.peers.values())
    found.tick(10.61 + 3 * HOME_LAN.suspicion_min_s + 0.01)
    assert all(health.state is Availability.UNREACHABLE for health in found.peers.values())
    for peer in NAMES:
        found.apply(peer, HeartbeatAnswered(0.002), 20.0)
    assert found.usable(20.0) == set(NAMES)


def test_this_process_being_late_stretches_the_timeouts() -> None:
    found = household(now_s=10.0)
    found.apply("attic", HeartbeatSent(urgent=True), 10.0)
    due_s = found.next_tick_s(10.0)
    assert due_s == pytest.approx(10.3)
    # It comes a second late: the answer may lie unread.
    found.tick(due_s + 1.0)
    assert found.health("attic", 12.0).state is Availability.AVAILABLE
    found.apply("attic", HeartbeatAnswered(1.05), due_s + 1.05)
    assert found.take_changes() == []
    assert "busy" in found.own.doubt(due_s + 1.0)


def test_whom_to_ask_and_when() -> None:
    found = household()
    assert found.to_ask(1.9) == []
    assert found.to_ask(2.0) == list(NAMES)
    found.apply("attic", StepDone(0.1), 1.5)
    assert found.to_ask(2.0) == ["desk", "laptop"]
    found.apply("desk", HeartbeatSent(), 2.0)
    found.apply("laptop", SaidGoodnight(), 2.0)
    assert found.to_ask(2.1) == []
    # A new peer is asked at once, one that broke off too.
    found.apply("phone", RecordSeen(RecordState.ONLINE, 12.0, "phone"), 2.1)
    found.apply("attic", StreamReset(), 2.1)
    assert found.to_ask(2.1) == ["attic", "phone"]


def test_in_doubt_about_itself_this_computer_asks_everybody_more_often() -> None:
    moved = household()
    moved.moved(10.0)
    blind = household(now_s=9.0)
    for peer in ("attic", "desk"):
        blind.apply(peer, HeartbeatMissed(0.5), 10.0)
    for found in (moved, blind):
        for peer in NAMES:
            found.apply(peer, HeartbeatSent(), 10.0)
        assert found.to_ask(10.4) == []
        assert found.to_ask(10.0 + HOME_LAN.ask_again_s) == list(NAMES)


def test_who_was_given_up_is_asked_with_backoff_and_anew_after_a_wake() -> None:
    found = household("attic")
    lost_s = lose(found, "attic", 10.0)
    asked: list[float] = []
    for tenths in range(300):
        now_s = lost_s + tenths / 10
        if found.to_ask(now_s):
            asked.append(round(now_s - 10.0, 1))
            found.apply("attic", HeartbeatSent(), now_s)
    between = [round(later - earlier, 1) for earlier, later in itertools.pairwise(asked)]
    assert between == [2.0, 4.0, 5.0, 5.0, 5.0, 5.0]
    found.moved(lost_s + 30)
    assert found.to_ask(lost_s + 30) == ["attic"]
    found.apply("attic", HeartbeatSent(), lost_s + 30)
    # It announces itself: it may just have come back.
    found.apply("attic", RecordSeen(RecordState.ONLINE, 99.0, "attic"), lost_s + 30.1)
    assert found.to_ask(lost_s + 30.1) == ["attic"]


def test_second_opinions_come_from_those_who_were_heard_last() -> None:
    found = household("attic", "desk", "laptop", "phone")
    found.apply("desk", StepDone(0.1), 8.0)
    found.apply("phone", StepDone(0.1), 9.0)
    assert found.to_consult("attic", 10.0) == []
    found.apply("attic", HeartbeatSent(urgent=True), 10.0)
    found.tick(10.31)
    assert found.to_consult("attic", 10.31) == ["phone", "desk"]
    found.apply("attic", OpinionAsked("phone"), 10.31)
    assert found.to_consult("attic", 10.31) == ["desk"]
    # A peer's word about itself is not a second opinion.
    found.apply("attic", OpinionAnswered("attic", alive=True), 10.32)
    assert found.own.score == 0
    found.apply("attic", OpinionAnswered("phone", alive=True), 10.33)
    assert found.own.score == 1


def test_a_confirmation_that_ends_a_suspicion_ends_it_at_once() -> None:
    found = household("attic", "desk")
    found.apply("attic", HeartbeatSent(urgent=True), 10.0)
    found.tick(10.31)
    found.apply("attic", OpinionAsked("desk"), 10.31)
    found.tick(10.7)
    assert found.health("attic", 10.7).state is Availability.SUSPECT
    health = found.apply("attic", OpinionAnswered("desk", alive=False), 10.7)
    assert health.state is Availability.UNREACHABLE


def test_a_heartbeat_is_kept_open_far_longer_than_its_timeout() -> None:
    found = household()
    assert found.heartbeat_wait_s("attic", 10.0) == pytest.approx(2.6)
    assert found.heartbeat_wait_s("nobody", 10.0) == pytest.approx(2.6)


def test_ghosts_are_forgotten_in_a_minute_and_sleepers_are_not() -> None:
    found = household()
    lose(found, "attic", 10.0)
    found.apply("laptop", SaidGoodnight(), 10.0)
    for peer in NAMES:
        found.apply(peer, RecordExpired(), 20.0)
    found.apply("desk", HeartbeatAnswered(0.002), 20.1)
    found.take_changes()
    found.tick(10.57 + HOME_LAN.forget_s + 0.1)
    assert set(found.peers) == {"desk", "laptop"}
    (change,) = found.take_changes()
    assert (change.name, change.before, change.after) == ("attic", Availability.UNREACHABLE, None)
    # What was still on its way does not call it back.
    for event in (HeartbeatMissed(2.6), HeartbeatSent(), StreamReset(), Outpaced()):
        found.apply("attic", event, 80.0)
    assert "attic" not in found.peers
    # It does: it answers after all.
    found.apply("attic", HeartbeatAnswered(9.0), 81.0)
    assert "attic" in found.peers
    found.tick(10.0 + HOME_LAN.forget_asleep_s + 1)
    assert "laptop" not in found.peers


def test_who_announces_itself_is_not_forgotten() -> None:
    found = household()
    lose(found, "attic", 10.0)
    found.tick(1000.0)
    assert "attic" in found.peers


moments = st.lists(
    st.tuples(
        st.floats(-0.5, 4),
        st.sampled_from(["tick", "woke", "moved", "late", "judge", "next", "event"]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(
            [
                RecordSeen(RecordState.ONLINE, 1.0, "x"),
                RecordSeen(RecordState.ONLINE, 9.0),
                RecordSeen(RecordState.JOINING, 5.0),
                RecordExpired(),
                HeartbeatSent(urgent=True),
                HeartbeatSent(),
                HeartbeatAnswered(0.1),
                HeartbeatMissed(0.5),
                StepDone(0.1),
                StreamReset(),
                SaidGoodnight(),
                SaidGoodbye(),
                Outpaced(),
                OpinionAsked("b"),
                OpinionAnswered("b", alive=True),
                OpinionAnswered("c", alive=False),
            ]
        ),
    ),
    max_size=60,
)


@given(moments)
def test_anything_in_any_order(happened: list[tuple[float, str, str, PeerEvent]]) -> None:
    """No error, the same again for the same input, and what is asked of it agrees with itself."""

    def play() -> tuple[object, ...]:
        found = Household(0.0, HOME_LAN, local=("c",))
        now_s = 0.0
        seen: list[object] = []
        for passed_s, what, peer, event in happened:
            now_s = max(0.0, now_s + passed_s)
            match what:
                case "tick":
                    found.tick(now_s)
                case "woke":
                    found.woke(now_s)
                case "moved":
                    found.moved(now_s)
                case "late":
                    found.timer_late(abs(passed_s), now_s)
                case "judge":
                    seen.append(found.judge(peer, LateStep(now_s - 1, StepLimits(0.2, 0.7), 0.3), now_s))
                case "next":
                    assert found.next_tick_s(now_s) >= now_s
                case _:
                    found.apply(peer, event, now_s)
            usable = found.usable(now_s)
            for peer, health in found.peers.items():
                avoided = now_s < found.avoid_until_s().get(peer, -math.inf)
                assert peer in usable or avoided or health.reason, "who cannot be used has a reason"
            if not found.own.judges(now_s):
                assert not any(
                    change.after is Availability.UNREACHABLE and change.at_s > found.own.disturbed_s
                    for change in found.take_changes()
                )
            seen.extend(found.take_changes())
        return (*seen, found.own, found.peers)

    assert play() == play()
