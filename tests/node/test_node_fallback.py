"""When the local model answers, and when it is in memory: tables over states, without processes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.childproto import LocalSeen, Ready, SeenPeer, SwarmSeen
from swarm_app.node.children import Child, Complaint, Kind, Phase
from swarm_app.node.events import (
    AnswersChanged,
    ChildEnded,
    ChildReported,
    ChildStarted,
    ChildStopping,
    LocalAnswers,
    LocalChosen,
    SwarmLeft,
)
from swarm_app.node.fallback import (
    SETTLED_S,
    Begin,
    Flight,
    Wishes,
    choose,
    expect,
    has_no_spare,
    leave,
    rehearse,
    why_loaded,
)
from swarm_app.node.fold import apply
from swarm_app.node.plan import StartChild, StopChild, plan
from swarm_app.node.state import LocalModel, ModelInfo, NodeInfo, Plan, State, first_state

MODEL = LocalModel("small", "/m/small.gguf")


def peer(name: str, start: int, end: int, state: str = "online", compute_s: float = 0.01) -> SeenPeer:
    return SeenPeer(f"id-{name}", name, start, end, state, state == "online", "", compute_s, 0.001, 100)


def fresh(**options: Any) -> State:
    """A node that chats; its engine is ready and sees nobody yet."""
    wanted = Plan(None, False, (), "127.0.0.1", 0, 64, 32, 0, ("b", "e"), **options)
    node = NodeInfo("N1", "0", 1, 0.0, "/p")
    state = first_state(node, ModelInfo("tiny", "ab" * 32, 8, "none", "/m"), wanted, local_model=MODEL)
    return apply(apply(state, ChildStarted(Kind.ENGINE, 7)), ChildReported(Kind.ENGINE, Ready(), 0.0))


def sees(state: State, *peers: SeenPeer, at: float = 0.0) -> State:
    return apply(state, ChildReported(Kind.ENGINE, SwarmSeen(8, list(peers)), at))


WHOLE = (peer("desk", 0, 4), peer("attic", 4, 8))
GONE = (peer("desk", 0, 4), peer("attic", 4, 8, "asleep"))
SPARE = (*WHOLE, peer("laptop", 0, 8))


def with_local(state: State, phase: Phase) -> State:
    return replace(state, local=Child(Kind.LOCAL, phase))


# ------------------------------------------------------------ who begins


@pytest.mark.parametrize(
    ("peers", "options", "wishes", "expected"),
    [
        (WHOLE, {}, Wishes(), Begin(False)),
        (GONE, {}, Wishes(), Begin(True, "attic is asleep")),
        ((), {}, Wishes(), Begin(True, "no other computer is there")),
        (GONE, {}, Wishes(fallback="never"), Begin(False)),
        (GONE, {"fallback": "never"}, Wishes(), Begin(False)),
        (GONE, {"fallback": "never"}, Wishes(fallback="ask"), Begin(True, "attic is asleep")),
        (WHOLE, {}, Wishes(prefer="local"), Begin(True, "asked for")),
        (WHOLE, {"prefer": "local"}, Wishes(), Begin(True, "asked for")),
        (WHOLE, {"prefer": "local"}, Wishes(prefer="swarm"), Begin(False)),
        (WHOLE, {"min_speed": 10.0}, Wishes(), Begin(False)),
    ],
)
def test_who_begins(
    peers: tuple[SeenPeer, ...], options: dict[str, Any], wishes: Wishes, expected: Begin
) -> None:
    assert choose(sees(fresh(**options), *peers), wishes, 0.0, 1.0) == expected


@pytest.mark.parametrize(
    ("peers", "told"),
    [
        ((peer("desk", 0, 4, "asleep"), peer("attic", 4, 8, "asleep")), "desk and attic are asleep"),
        (
            (
                peer("desk", 0, 4, "unreachable"),
                peer("attic", 0, 4, "left"),
                peer("cellar", 0, 8, "suspect"),
                peer("laptop", 0, 8, "unreachable"),
            ),
            "desk, cellar and laptop do not answer, attic has stopped",
        ),
        # Somebody else has the blocks of whoever is away: only those that are missing are named.
        (
            (peer("desk", 0, 4), peer("attic", 0, 4, "left"), peer("cellar", 4, 8, "left")),
            "cellar has stopped",
        ),
    ],
)
def test_who_is_missing_is_named(peers: tuple[SeenPeer, ...], told: str) -> None:
    assert choose(sees(fresh(), *peers), Wishes(), 0.0, 0.0) == Begin(True, told)


def test_a_household_below_the_floor_of_speed_is_not_asked() -> None:
    slow = sees(fresh(min_speed=10.0), peer("desk", 0, 4, compute_s=0.2), peer("attic", 4, 8, compute_s=0.2))
    begin = choose(slow, Wishes(), 0.0, 0.0)
    assert begin is not None
    assert begin.local
    assert begin.reason == "the household would give 2.5 tokens per second, less than 10"


def test_an_engine_that_starts_is_waited_for_a_moment_and_one_that_is_down_is_not() -> None:
    starting = apply(fresh(), ChildEnded(Kind.ENGINE, "signal SIGKILL", 0.0))
    assert choose(starting, Wishes(), 10.0, 12.4) is None
    again = "the process that runs this computer's chats is being started again: the engine process ended"
    assert choose(starting, Wishes(), 10.0, 12.6) == Begin(True, f"{again} (signal SIGKILL)")
    blind = fresh()  # ready, and has not looked yet
    assert choose(blind, Wishes(), 10.0, 10.1) is None
    down = replace(starting, engine=replace(starting.engine, phase=Phase.DOWN))
    begin = choose(down, Wishes(), 10.0, 10.0)
    assert begin is not None
    assert begin.reason.startswith("the process that runs this computer's chats is down: ")


def test_the_household_answers_again_once_it_has_settled() -> None:
    state = sees(fresh(), *GONE, at=0.0)
    full = apply(state, SwarmLeft("no room", 1.0, full=True))
    assert (full.left_swarm_at, full is state) == (None, False), (
        "the next question is the household's, and this is told"
    )
    state = apply(state, SwarmLeft("attic is asleep", 1.0))
    state = sees(state, *WHOLE, at=3.0)
    early = choose(state, Wishes(), 5.0, 5.0)
    assert early == Begin(True, "the household has been back for 2 s only")
    assert choose(state, Wishes(), 8.0, 3.0 + SETTLED_S) == Begin(False)
    # Silent without having been away, as far as anybody saw.
    silent = apply(sees(fresh(), *WHOLE, at=0.0), SwarmLeft("the household was silent for 2.5 s", 100.0))
    assert choose(silent, Wishes(), 104.0, 104.0) != Begin(False)
    assert choose(silent, Wishes(), 105.0, 105.0) == Begin(False)
    # Who never was left is asked at once.
    assert choose(sees(fresh(), *WHOLE, at=9.9), Wishes(), 10.0, 10.0) == Begin(False)


@given(st.lists(st.tuples(st.floats(0.1, 20.0), st.booleans()), min_size=1, max_size=40))
def test_it_never_goes_back_to_a_household_that_has_not_been_whole_for_long_enough(
    moments: list[tuple[float, bool]],
) -> None:
    """However it comes and goes, and whenever somebody asks."""
    state, now, whole_since = fresh(), 0.0, None
    left_at: float | None = None
    for passed_s, whole in moments:
        now += passed_s
        state = sees(state, *(WHOLE if whole else GONE), at=now)
        whole_since = (whole_since if whole_since is not None else now) if whole else None
        begin = choose(state, Wishes(), now, now)
        assert begin is not None
        if begin.lost:
            state, left_at = apply(state, SwarmLeft(begin.reason, now)), now
        if not begin.local:
            assert whole_since is not None
            assert left_at is None or now - max(whole_since, left_at) >= SETTLED_S


# ------------------------------------------------------------ leaving in the middle


def why(state: State, flight: Flight, now: float) -> str:
    found = leave(state, flight, now)
    return "" if found is None else found.text


def flight(last_text_at: float | None = 10.0, gap_s: float = 0.05) -> Flight:
    return Flight(9.0, last_text_at, (gap_s,) * 10)


@pytest.mark.parametrize(
    ("peers", "local", "now", "leaves"),
    [
        (WHOLE, Phase.READY, 12.4, ""),
        (WHOLE, Phase.READY, 12.6, "the household was silent for 2.6 s"),
        # It may come back yet, and nobody is there to go on.
        (WHOLE, Phase.OFF, 12.6, ""),
        (WHOLE, Phase.OFF, 17.6, "the household was silent for 7.6 s"),
        # Nobody has some blocks: at once where the local model is there, else when it is.
        (GONE, Phase.READY, 10.25, ""),
        (GONE, Phase.READY, 10.35, "attic is asleep"),
        (GONE, Phase.STARTING, 11.0, ""),
        (GONE, Phase.STARTING, 12.6, "attic is asleep"),
        ((peer("desk", 0, 4), peer("attic", 4, 8, "suspect")), Phase.READY, 10.4, "attic does not answer"),
        # Somebody else has them: recovery is under way.
        ((*GONE, peer("laptop", 4, 8)), Phase.READY, 12.4, ""),
    ],
)
def test_when_an_answer_leaves_the_household(
    peers: tuple[SeenPeer, ...], local: Phase, now: float, leaves: str
) -> None:
    assert why(with_local(sees(fresh(), *peers), local), flight(), now) == leaves


def test_a_slow_household_is_not_a_silent_one() -> None:
    state = with_local(sees(fresh(), *WHOLE), Phase.READY)
    assert why(state, flight(gap_s=2.0), 15.9) == ""
    assert why(state, flight(gap_s=2.0), 16.1) != ""
    # A long prompt is worked on before the first piece, however long that takes...
    assert why(state, Flight(0.0), 60.0) == ""
    # ... but not where somebody is missing.
    assert why(with_local(sees(fresh(), *GONE), Phase.READY), Flight(0.0), 0.4) == "attic is asleep"


def test_a_silence_is_used_while_it_lasts() -> None:
    state = with_local(sees(fresh(), *WHOLE), Phase.READY)
    assert [rehearse(state, flight(), at) for at in (10.1, 10.25)] == [False, True]
    assert not rehearse(with_local(state, Phase.OFF), flight(), 12.0)
    assert not rehearse(state, flight(gap_s=1.0), 12.0)
    assert [expect(state, flight(), at) for at in (10.3, 10.5)] == [False, True]
    assert not expect(state, flight(gap_s=1.0), 12.0)
    assert not expect(state, Flight(0.0), 60.0)
    # Before the first word only somebody's absence is a reason.
    assert expect(with_local(sees(fresh(), *GONE), Phase.OFF), Flight(0.0), 0.1)


def test_a_household_that_became_too_slow_is_left() -> None:
    state = with_local(sees(fresh(min_speed=5.0), *WHOLE), Phase.READY)
    assert why(state, flight(gap_s=0.1), 10.1) == ""
    assert why(state, flight(gap_s=0.5), 10.1) == "the household gave 2.0 tokens per second, less than 5"


# ------------------------------------------------------------ in memory or not


def chatting(state: State, at: float = 0.0) -> State:
    return apply(state, AnswersChanged(1, at))


@pytest.mark.parametrize(
    ("peers", "options", "why"),
    [
        (SPARE, {}, ""),
        (WHOLE, {}, "some blocks are on one computer alone"),
        (GONE, {}, "the household cannot answer"),
        ((*SPARE, peer("cellar", 0, 8, "suspect")), {}, "a computer of the household is in doubt"),
        (SPARE, {"keep_local": "always"}, "the option says so"),
        (GONE, {"fallback": "never"}, ""),
    ],
)
def test_why_the_local_model_is_in_memory_during_a_chat(
    peers: tuple[SeenPeer, ...], options: dict[str, Any], why: str
) -> None:
    assert why_loaded(chatting(sees(fresh(**options), *peers)), 0.0) == why


def test_only_other_computers_need_a_spare() -> None:
    assert has_no_spare(sees(fresh(), *WHOLE))
    assert not has_no_spare(sees(fresh(), *SPARE))
    alone = sees(fresh(), peer("here", 0, 8))
    assert has_no_spare(alone)
    assert not has_no_spare(replace(alone, blocks=replace(alone.blocks, peer_id="id-here")))


def test_it_is_loaded_in_use_and_freed_after_idling() -> None:
    state = sees(fresh(local_idle_s=60.0), *WHOLE)
    assert plan(state, 5.0) is None  # nobody chats
    state = chatting(state, 10.0)
    start = plan(state, 10.0)
    assert isinstance(start, StartChild)
    assert (start.kind, start.frame.warm_up) == (Kind.LOCAL, True)  # type: ignore[union-attr]
    state = apply(state, ChildStarted(Kind.LOCAL, 9))
    state = apply(state, ChildReported(Kind.LOCAL, Ready(5_000), 11.0))
    state = apply(state, ChildReported(Kind.LOCAL, LocalSeen("small", 6_000, 0, None), 11.0))
    assert state.local.memory_bytes == 6_000
    state = apply(state, AnswersChanged(0, 20.0))
    assert plan(state, 79.0) is None
    assert plan(state, 81.0) == StopChild(Kind.LOCAL)
    state = apply(state, ChildStopping(Kind.LOCAL))
    assert plan(state, 81.0) is None
    state = apply(state, ChildEnded(Kind.LOCAL, "exit code 0", 82.0))
    assert (state.local.phase, state.local.memory_bytes) == (Phase.OFF, 0)
    assert plan(state, 83.0) is None
    # A question that waits for it brings it back, without a rehearsal.
    state = apply(state, LocalAnswers(1, 90.0))
    start = plan(state, 90.0)
    assert isinstance(start, StartChild)
    assert not start.frame.warm_up  # type: ignore[union-attr]


def test_a_shortage_of_memory_is_told_at_once_and_a_crash_tried_more_often() -> None:
    """With the next question it is tried again: memory may be free by then."""
    state = apply(sees(fresh(), *GONE), LocalAnswers(1, 0.0))
    for code, phase in (("memory-short", Phase.DOWN), ("child-down", Phase.RESTARTING)):
        dying = apply(state, ChildStarted(Kind.LOCAL, 9))
        said = Complaint(code, "The local model small needs 5.3 GB of memory, and 2.1 GB are free.")
        dying = replace(dying, local=replace(dying.local, complaint=said))
        assert apply(dying, ChildEnded(Kind.LOCAL, "exit code 1", 1.0)).local.phase is phase


def test_another_choice_ends_the_loaded_model_between_two_answers() -> None:
    state = apply(sees(fresh(), *GONE), LocalAnswers(1, 0.0))
    state = apply(state, ChildStarted(Kind.LOCAL, 9))
    state = apply(state, ChildReported(Kind.LOCAL, Ready(5_000), 1.0))
    chosen = apply(state, LocalChosen(LocalModel("other", "/m/other.gguf")))
    assert plan(chosen, 1.0) is None  # the answer ends with the one that it has
    idle = apply(chosen, LocalAnswers(0, 2.0))
    assert plan(idle, 2.0) == StopChild(Kind.LOCAL)
    ended = apply(apply(idle, ChildStopping(Kind.LOCAL)), ChildEnded(Kind.LOCAL, "exit code 0", 3.0))
    start = plan(apply(ended, LocalAnswers(1, 3.0)), 3.0)
    assert isinstance(start, StartChild)
    assert start.frame.name == "other"


def test_a_bad_model_stays_down_and_another_choice_starts_anew() -> None:
    state = apply(sees(fresh(), *GONE), LocalAnswers(1, 0.0))
    state = apply(state, ChildStarted(Kind.LOCAL, 9))
    bad = replace(state.local, complaint=Complaint("model-unsupported", "Models of the family zzama ..."))
    state = apply(replace(state, local=bad), ChildEnded(Kind.LOCAL, "exit code 1", 1.0))
    assert state.local.phase is Phase.DOWN
    assert plan(state, 100.0) is None  # and no other model in its place
    state = apply(state, LocalChosen(LocalModel("other", "/m/other.gguf")))
    start = plan(state, 100.0)
    assert isinstance(start, StartChild)
    assert start.frame.name == "other"
