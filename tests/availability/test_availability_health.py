"""One peer's states: each transition by hand, and what holds for any sequence of events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.events import (
    AddressChanged,
    HeartbeatAnswered,
    HeartbeatMissed,
    HeartbeatSent,
    LeftLate,
    OpinionAnswered,
    OpinionAsked,
    Outpaced,
    PeerEvent,
    RecordExpired,
    RecordSeen,
    RecordState,
    Refused,
    SaidGoodbye,
    SaidGoodnight,
    StepDone,
    StepLate,
    StreamReset,
)
from swarm_app.availability.health import (
    Availability,
    PeerHealth,
    apply,
    due_s,
    new_peer,
    pardon,
    tick,
)
from swarm_app.availability.selfhealth import SelfHealth
from swarm_app.domain.said import in_words, reasons_of

JOINING, AVAILABLE, SUSPECT = Availability.JOINING, Availability.AVAILABLE, Availability.SUSPECT
UNREACHABLE, ASLEEP, LEFT = Availability.UNREACHABLE, Availability.ASLEEP, Availability.LEFT
WELL = SelfHealth(HOME_LAN)

Told = list[tuple[float, PeerEvent | None]]
"""(time, event); None is a tick."""


def told(*happened: tuple[float, PeerEvent | None], own: SelfHealth = WELL) -> PeerHealth:
    health = new_peer(0.0)
    for now_s, event in happened:
        health = tick(health, now_s, own) if event is None else apply(health, event, now_s, own)
    return health


def online(expires: float = 12.0) -> RecordSeen:
    return RecordSeen(RecordState.ONLINE, expires, "attic")


def joining(expires: float) -> RecordSeen:
    return RecordSeen(RecordState.JOINING, expires, "attic")


def offline(expires: float) -> RecordSeen:
    return RecordSeen(RecordState.OFFLINE, expires)


UP: Told = [(0.0, online())]
ASKED: Told = [*UP, (10.0, HeartbeatAnswered(0.002)), (20.0, HeartbeatSent(urgent=True))]
SUSPECTED: Told = [*ASKED, (20.31, None)]
LOST: Told = [*SUSPECTED, (20.57, None)]
IDLE: Told = [*UP, (20.0, HeartbeatSent())]
URGED: Told = [*ASKED[:2], (20.1, HeartbeatSent()), (21.0, HeartbeatSent(urgent=True))]
DEAF_JOINER: Told = [(1.0, joining(12)), (5.0, HeartbeatSent()), (7.1, None), (8.0, None)]
SLEEPS: Told = [*UP, (20.0, SaidGoodnight())]


@pytest.mark.parametrize(
    ("happened", "state", "reason", "since_s"),
    [
        ([], JOINING, "starting", 0.0),
        ([(1.0, joining(12))], JOINING, "starting", 0.0),
        ([(1.0, joining(12)), (5.0, online(16))], AVAILABLE, "", 5.0),
        (UP, AVAILABLE, "", 0.0),
        # Silence.
        ([*ASKED, (20.29, None)], AVAILABLE, "", 0.0),
        (SUSPECTED, SUSPECT, "did not answer for 0.3 s", 20.31),
        ([*SUSPECTED, (20.5, None)], SUSPECT, "did not answer for 0.3 s", 20.31),
        ([*SUSPECTED, (20.5, HeartbeatAnswered(0.5))], AVAILABLE, "", 20.5),
        ([*SUSPECTED, (20.5, StepDone(1.0))], AVAILABLE, "", 20.5),
        (LOST, UNREACHABLE, "did not answer for 0.6 s", 20.57),
        ([*LOST, (30.0, HeartbeatAnswered(0.002))], AVAILABLE, "", 30.0),
        ([*LOST, (30.0, StepDone(9.0))], AVAILABLE, "", 30.0),
        # A heartbeat that nothing waits for has 2 s, and then 0.6 s.
        ([*IDLE, (21.9, None)], AVAILABLE, "", 0.0),
        ([*IDLE, (22.0, None)], SUSPECT, "did not answer for 2.0 s", 22.0),
        ([*IDLE, (22.0, None), (22.5, None)], SUSPECT, "did not answer for 2.0 s", 22.0),
        ([*IDLE, (22.0, None), (22.7, None)], UNREACHABLE, "did not answer for 2.7 s", 22.7),
        # It becomes urgent while it is on its way: its time starts with the urgent one.
        ([*URGED, (21.2, None)], AVAILABLE, "", 0.0),
        ([*URGED, (21.4, None)], SUSPECT, "did not answer for 0.4 s", 21.4),
        # It fails at once: nobody listens there.
        ([*UP, (20.0, HeartbeatMissed(0.001))], SUSPECT, "cannot be reached", 20.0),
        # What was asked before the peer was last heard, or before it came back, says nothing any more.
        ([*UP, (20.0, StepDone(0.1)), (22.0, HeartbeatMissed(2.6))], AVAILABLE, "", 0.0),
        ([*SLEEPS, (90.0, online(102)), (91.0, HeartbeatMissed(2.6))], AVAILABLE, "", 90.0),
        # Not even a peer that starts may be silent.
        (DEAF_JOINER, UNREACHABLE, "did not answer for 3.0 s", 8.0),
        ([*DEAF_JOINER, (9.0, HeartbeatAnswered(0.1))], JOINING, "starting", 9.0),
        # Slow is not dead.
        ([*UP, (20.0, StepLate(1.2))], AVAILABLE, "takes 1.2 s for a step", 0.0),
        ([*UP, (20.0, StepLate(1.2)), (21.0, StepDone(2.2))], AVAILABLE, "", 0.0),
        ([*UP, *((20.0 + i, StepLate(i)) for i in range(200))], AVAILABLE, "takes 3 min for a step", 0.0),
        # A connection that breaks raises a suspicion; only silence decides it.
        ([*UP, (20.0, StreamReset())], SUSPECT, "broke off the connection", 20.0),
        ([*UP, (20.0, StreamReset()), (99.0, None)], SUSPECT, "broke off the connection", 20.0),
        ([*UP, (20.0, StreamReset()), (20.01, HeartbeatSent(True)), (20.02, HeartbeatAnswered(0.01))],
         AVAILABLE, "", 20.02),
        ([*UP, (20.0, StreamReset()), (20.01, HeartbeatSent(True)), (20.9, None)],
         UNREACHABLE, "broke off the connection and did not answer for 0.9 s", 20.9),
        ([*UP, (20.0, StreamReset()), (20.01, HeartbeatMissed(0.002)), (20.25, None)],
         UNREACHABLE, "broke off the connection and did not answer for 0.2 s", 20.25),
        # Farewells count at once, from every state.
        (SLEEPS, ASLEEP, "went to sleep", 20.0),
        ([*SUSPECTED, (20.4, SaidGoodnight())], ASLEEP, "went to sleep", 20.4),
        ([*LOST, (20.6, SaidGoodnight())], ASLEEP, "went to sleep", 20.6),
        ([*UP, (20.0, SaidGoodbye())], LEFT, "said goodbye", 20.0),
        ([*UP, (20.0, SaidGoodbye(pauses=True))], LEFT, "paused contributing", 20.0),
        ([*UP, (20.0, SaidGoodbye(pauses=True)), (24.0, offline(36))], LEFT, "paused contributing", 20.0),
        ([*UP, (20.0, offline(30))], LEFT, "stopped serving", 20.0),
        ([*SLEEPS, (21.0, offline(30))], ASLEEP, "went to sleep", 20.0),
        # While it drains it still answers, and old announcements of it arrive.
        ([*SLEEPS, (20.5, StepDone(0.1)), (20.6, HeartbeatAnswered(0.01)), (21.0, online(24))],
         ASLEEP, "went to sleep", 20.0),
        ([*SLEEPS, (90.0, HeartbeatAnswered(0.01))], ASLEEP, "went to sleep", 20.0),
        ([*SLEEPS, (21.0, online(24)), (40.0, online(24))], ASLEEP, "went to sleep", 20.0),
        # It is back with its next announcement.
        ([*SLEEPS, (9000.0, joining(9012))], JOINING, "starting", 9000.0),
        ([*SLEEPS, (9000.0, online(9012))], AVAILABLE, "", 9000.0),
        ([*UP, (20.0, SaidGoodbye()), (24.0, online(36))], AVAILABLE, "", 24.0),
        # It announces itself, which does not mean that it can be reached.
        ([*LOST, (21.0, online(32))], UNREACHABLE, "did not answer for 0.6 s", 20.57),
        ([*LOST, (26.0, online(32))], UNREACHABLE,
         "announces itself, but does not answer this computer", 20.57),
        ([*SUSPECTED, (20.4, online(32))], SUSPECT, "did not answer for 0.3 s", 20.31),
        # Killed and restarted.
        ([*LOST, (26.0, joining(38)), (30.0, online(42))], AVAILABLE, "", 30.0),
        ([*UP, (20.0, joining(32))], JOINING, "starting", 20.0),
        # It fell out of the roll: a heartbeat tells.
        ([*UP, (20.0, RecordExpired())], SUSPECT, "stopped announcing itself", 20.0),
        ([*UP, (20.0, RecordExpired()), (20.1, HeartbeatAnswered(0.01))], AVAILABLE, "", 20.1),
        ([*UP, (20.0, RecordExpired()), (20.1, HeartbeatSent()), (23.0, None)], UNREACHABLE,
         "stopped announcing itself and did not answer for 3.0 s", 23.0),
        ([*SLEEPS, (40.0, RecordExpired())], ASLEEP, "went to sleep", 20.0),
        # Another address.
        ([*SUSPECTED, (20.4, AddressChanged()), (25.0, None)], SUSPECT, "moved to another address", 20.31),
        ([*SUSPECTED, (20.4, AddressChanged()), (20.5, HeartbeatSent(True)), (21.2, None)], UNREACHABLE,
         "moved to another address and did not answer for 0.8 s", 21.2),
        ([*UP, (20.0, AddressChanged())], AVAILABLE, "", 0.0),
        # Work that it refused, or lost to a faster one.
        ([*UP, (20.0, Refused())], AVAILABLE, "", 0.0),
        ([*SUSPECTED, (20.4, Refused())], AVAILABLE, "", 20.4),
        ([*UP, (20.0, Outpaced())], AVAILABLE, "", 0.0),
    ],
)  # fmt: skip
def test_transitions(happened: Told, state: Availability, reason: str, since_s: float) -> None:
    health = told(*happened)
    assert (health.state, health.reason) == (state, reason)
    assert health.since_s == pytest.approx(since_s)


def test_second_opinions_decide_how_long_a_suspicion_lasts() -> None:
    asked: Told = [*SUSPECTED, (20.32, OpinionAsked("desk"))]
    # Nobody has said anything yet: the longer time.
    assert told(*asked, (20.89, None)).state is SUSPECT
    assert told(*asked, (20.95, None)).state is UNREACHABLE
    # The only one who was asked confirms: the shorter time, counted from the beginning.
    confirmed: Told = [*asked, (20.6, OpinionAnswered("desk", alive=False)), (20.6, None)]
    assert told(*confirmed).state is UNREACHABLE
    # It reaches the peer: the longer time, and another reason.
    vouched: Told = [*asked, (20.5, OpinionAnswered("desk", alive=True))]
    assert told(*vouched, (20.89, None)).state is SUSPECT
    lost = told(*vouched, (20.95, None))
    assert (lost.state, lost.reason) == (UNREACHABLE, "answers other computers, but not this one")


def test_opinions_about_a_peer_that_is_well_say_nothing() -> None:
    health = told(*UP, (1.0, OpinionAsked("desk")), (1.1, OpinionAnswered("desk", alive=False)), (9.0, None))
    assert health.state is AVAILABLE
    assert health.suspicion is None


def test_a_sleeper_may_say_when_it_is_back() -> None:
    assert told(*UP, (20.0, SaidGoodnight(until_s=999.0))).until_s == 999.0
    assert told(*UP, (20.0, SaidGoodnight(999.0)), (990.0, online(1000))).until_s is None


def test_a_loss_keeps_work_away_for_a_while_and_a_sleep_does_not() -> None:
    back = told(*LOST, (30.0, HeartbeatAnswered(0.002)))
    assert not back.usable(30.0 + HOME_LAN.probation_s - 0.01)
    assert back.usable(30.0 + HOME_LAN.probation_s)
    assert told(*SLEEPS, (9000.0, online(9012))).usable(9000.0)
    # Neither does the loss of a peer that was still starting.
    started = told(
        (1.0, joining(12)), (5.0, HeartbeatSent()), (8.0, None), (9.0, None), (10.0, online(22)),
        (10.1, HeartbeatAnswered(0.01)),
    )  # fmt: skip
    assert started.usable(10.1)


def test_a_doubt_during_the_probation_starts_it_anew() -> None:
    back = told(
        *LOST, (30.0, HeartbeatAnswered(0.002)), (31.0, StreamReset()), (31.5, HeartbeatAnswered(0.1))
    )
    assert not back.usable(31.5 + HOME_LAN.probation_s - 0.01)
    assert back.usable(31.5 + HOME_LAN.probation_s)


def test_an_idle_heartbeat_that_a_broken_connection_makes_urgent_starts_its_time_anew() -> None:
    asked: Told = [*ASKED[:2], (19.0, HeartbeatSent()), (20.0, StreamReset()), (20.01, HeartbeatSent(True))]
    assert told(*asked, (20.3, None)).state is SUSPECT
    assert told(*asked, (20.32, None)).state is UNREACHABLE


def test_a_peer_left_before_its_heartbeat_has_told_why_is_judged_when_it_does() -> None:
    left: Told = [*ASKED, (20.2, LeftLate())]
    # Until then nothing new goes to it, and nobody calls it anything.
    waiting = told(*left)
    assert (waiting.state, waiting.trust.losses, waiting.usable(20.25)) == (AVAILABLE, 0, False)
    # It answers: it was slow.
    slow = told(*left, (20.25, HeartbeatAnswered(0.25)))
    assert not slow.left_late
    assert not slow.usable(20.25 + HOME_LAN.outpaced_s - 0.01)
    assert slow.usable(20.25 + HOME_LAN.outpaced_s)
    assert slow.trust == told(*ASKED, (20.25, HeartbeatAnswered(0.25)), (20.25, Outpaced())).trust
    # It does not: it was away, and is taken back like anybody who was.
    gone: Told = [*left, (20.31, None), (20.57, None)]
    assert told(*gone).state is UNREACHABLE
    back = told(*gone, (30.0, HeartbeatAnswered(0.002)))
    assert back.usable(30.0 + HOME_LAN.probation_s)
    # Nor is it called slow for an answer that comes while it is suspected.
    assert told(*left, (20.31, None), (20.5, HeartbeatAnswered(0.5))).usable(20.2 + HOME_LAN.refused_s)
    # Where nothing is in flight it is known already.
    known = told(*UP, (20.0, LeftLate()))
    assert known.trust == told(*UP, (20.0, Outpaced())).trust
    assert told(*SUSPECTED, (20.4, LeftLate())).trust == told(*SUSPECTED).trust
    assert not pardon(waiting, 20.25, WELL.woke(20.25)).left_late


RUNS: Told = [*UP, (10.0, HeartbeatAnswered(0.002, "a"))]


def test_a_process_that_started_again_counts_only_once_it_has_announced_itself() -> None:
    """It answers heartbeats from its first second on, and an old record says that it serves."""
    again = HeartbeatAnswered(0.002, "b")
    for before in (RUNS, [*RUNS, (20.0, HeartbeatSent(urgent=True)), (20.31, None), (20.57, None)]):
        started = told(*before, (30.0, again), (30.1, online()))
        assert (started.state, started.reason) == (JOINING, "starting")
        assert started.trust.losses == 1
        assert told(*before, (30.0, again), (31.0, again)).state is JOINING
        assert told(*before, (30.0, again), (32.0, online(44))).state is AVAILABLE
        assert (
            told(*before, (30.0, again), (31.0, joining(43)), (32.0, again), (33.0, online(45))).state
            is AVAILABLE
        )
        # It renews what it says of itself while it loads; which run that is stays known.
        loads: Told = [*before, (30.0, again), (31.0, joining(43)), (35.0, joining(47)), (36.0, online(48))]
        assert (told(*loads).state, told(*loads).run) == (AVAILABLE, "b")
    # Of one that was lost before it was ever heard, nobody knows which run answers.
    assert told(*UP, (20.0, HeartbeatSent()), (22.0, None), (22.7, None), (30.0, again)).state is JOINING
    # Back after a farewell, of which only the newer record was seen: that was the new run's own word.
    for farewell in (SaidGoodbye(), SaidGoodnight()):
        back = told(*RUNS, (20.0, farewell), (26.0, online(38)), (26.1, again))
        assert (back.state, back.run) == (AVAILABLE, "b")
    # Told by its record before it was heard: no second start.
    assert told(*RUNS, (20.0, joining(32)), (25.0, online(37)), (26.0, again)).state is AVAILABLE
    # The same run, or one that does not tell, is nothing new.
    for same in ("a", ""):
        assert told(*RUNS, (20.0, HeartbeatAnswered(0.002, same))).state is AVAILABLE
    assert told(*SLEEPS[:1], (10.0, HeartbeatAnswered(0.1, "a")), SLEEPS[1], (21.0, again)).state is ASLEEP


def test_a_restart_without_a_word_is_a_loss() -> None:
    assert not told(*UP, (20.0, joining(32)), (25.0, online(37))).usable(25.5)
    assert told(*UP, (20.0, SaidGoodbye()), (24.0, joining(36)), (25.0, online(37))).usable(25.0)


def test_after_waking_what_was_on_its_way_judges_nobody() -> None:
    own = WELL.woke(30.0)
    asleep_with_it = told(*ASKED)
    assert tick(asleep_with_it, 30.0, own).state is AVAILABLE
    assert tick(asleep_with_it, 30.0 + HOME_LAN.grace_s, own).state is AVAILABLE
    assert apply(asleep_with_it, HeartbeatMissed(10.0), 30.1, own).state is AVAILABLE
    assert apply(asleep_with_it, StreamReset(), 30.1, own).state is AVAILABLE
    assert apply(asleep_with_it, RecordExpired(), 30.1, own).state is AVAILABLE
    proven = own.answered(30.2, 30.3)
    # Proven by another peer; this one has its time from there on.
    assert tick(asleep_with_it, 30.5, proven).state is AVAILABLE
    assert tick(asleep_with_it, 30.7, proven).state is SUSPECT
    # A night's round trip teaches nothing.
    assert apply(asleep_with_it, HeartbeatAnswered(10.2), 30.2, own).trips == asleep_with_it.trips


def test_a_wake_pardons_what_came_just_before_it_was_noticed() -> None:
    own = WELL.woke(22.0)
    for health in (told(*SUSPECTED), told(*LOST)):
        pardoned = pardon(health, 22.0, own)
        assert pardoned.state is AVAILABLE
        assert pardoned.trust.losses == 0
        assert pardoned.usable(22.0)
    assert pardon(told(*LOST), 99.0, WELL.woke(99.0)).state is UNREACHABLE
    assert pardon(told(*SLEEPS), 22.0, own).state is ASLEEP


def test_durations_as_people_say_them() -> None:
    said = [in_words(seconds) for seconds in (-1, 0.34, 9.94, 12.4, 119, 300, 7100, 7200, 100_000, 200_000)]
    assert said == ["0.0 s", "0.3 s", "9.9 s", "12 s", "119 s", "5 min", "118 min", "2 h", "28 h", "2 days"]


seconds = st.floats(0, 30)
states = st.sampled_from(list(RecordState))
people = st.sampled_from(["desk", "phone", "tower"])
events: st.SearchStrategy[PeerEvent] = st.one_of(
    st.builds(RecordSeen, states, st.floats(0, 100)),
    st.just(RecordExpired()),
    st.builds(HeartbeatSent, st.booleans()),
    st.builds(HeartbeatAnswered, seconds, st.sampled_from(["", "a", "b"])),
    st.builds(HeartbeatMissed, seconds),
    st.builds(StepDone, seconds),
    st.builds(StepLate, seconds),
    st.just(StreamReset()),
    st.just(Refused()),
    st.just(Outpaced()),
    st.just(LeftLate()),
    st.builds(SaidGoodnight, st.none() | seconds),
    st.just(SaidGoodbye()),
    st.builds(OpinionAsked, people),
    st.builds(OpinionAnswered, people, st.booleans()),
    st.just(AddressChanged()),
)
moments = st.lists(st.tuples(st.floats(-1, 5), st.none() | events), max_size=60)


@given(moments, st.sampled_from([WELL, replace(WELL, score=2), WELL.woke(20.0), WELL.timer_late(0.5, 3.0)]))
def test_total_deterministic_and_never_back_in_time(
    happened: list[tuple[float, PeerEvent | None]], own: SelfHealth
) -> None:
    health, now_s = new_peer(0.0), 0.0
    for passed_s, event in happened:
        now_s = max(0.0, now_s + passed_s)  # clocks of different calls may disagree a little
        before = health

        def step(
            before: PeerHealth = before, event: PeerEvent | None = event, now_s: float = now_s
        ) -> PeerHealth:
            return tick(before, now_s, own) if event is None else apply(before, event, now_s, own)

        health = step()
        assert health == step()
        assert health.at_s >= before.at_s
        assert before.since_s <= health.since_s <= health.at_s
        assert health.heard_s <= health.at_s
        assert (health.suspicion is not None) == (health.state is SUSPECT)
        assert health.asked_s is None or health.state in (JOINING, AVAILABLE, SUSPECT)
        assert health.state is AVAILABLE or health.reason
        assert bool(health.reason) == bool(reasons_of(health.reason)), "said in codes too"
        assert not health.usable(now_s) or health.state is AVAILABLE
        # Ticking at the time that was named changes something, and once is enough.
        due = due_s(health, health.at_s, own)
        if due is not None:
            later = tick(health, max(due, health.at_s), own)
            assert later.state in (SUSPECT, UNREACHABLE)
            assert tick(later, later.at_s, own) == later


@given(st.lists(st.tuples(st.floats(0, 0.25), st.sampled_from(["late", "tick", "done"])), max_size=80))
def test_a_peer_that_answers_each_heartbeat_in_time_is_never_given_up(
    between: list[tuple[float, str]],
) -> None:
    """Whatever the order of late steps, broken connections and ticks, and however long its steps take."""
    health = told(*UP, (0.1, HeartbeatAnswered(0.002)))
    now_s = 1.0
    sent_s: float | None = None
    for passed_s, what in between:
        # The answer arrives just before the floor of the timeout.
        if sent_s is not None and now_s + passed_s - sent_s >= 0.29:
            health = apply(health, HeartbeatAnswered(0.29), sent_s + 0.29, WELL)
            sent_s = None
        now_s += passed_s
        if what == "late":
            health = apply(health, StepLate(now_s), now_s, WELL)
            if sent_s is None:
                sent_s = now_s
                health = apply(health, HeartbeatSent(urgent=True), now_s, WELL)
        elif what == "done":
            health = apply(health, StreamReset(), now_s, WELL)
        health = tick(health, now_s, WELL)
        assert health.state in (AVAILABLE, SUSPECT)


@given(st.floats(0, 1), st.booleans(), st.lists(st.floats(0.001, 2.0), max_size=32))
def test_a_silent_peer_is_given_up_within_the_bound(
    first_s: float, consult: bool, trips: list[float]
) -> None:
    health = told(*UP)
    for number, trip_s in enumerate(trips):
        health = apply(health, HeartbeatAnswered(trip_s), 1.0 + number, WELL)
    asked_s = 100.0 + first_s
    health = apply(health, HeartbeatSent(urgent=True), asked_s, WELL)
    while health.state is not UNREACHABLE:
        due = due_s(health, health.at_s, WELL)
        assert due is not None
        health = tick(health, max(due, health.at_s), WELL)
        if consult and health.state is SUSPECT:
            health = apply(health, OpinionAsked("desk"), health.at_s, WELL)
    found_s = health.at_s - asked_s
    assert found_s <= HOME_LAN.heartbeat_cap_s + HOME_LAN.suspicion_max_s + 1e-6
    if not consult and not trips:
        assert found_s <= HOME_LAN.heartbeat_cap_s + HOME_LAN.suspicion_min_s + 1e-6
