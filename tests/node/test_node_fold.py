"""State, fold and plan: tables and properties, no process and no clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.childproto import (
    Drained,
    Goodnight,
    Listening,
    PeerChange,
    Progress,
    Ready,
    Resume,
    RouteHop,
    SeenPeer,
    Serving,
    StartBlocks,
    StartEngine,
    SwarmSeen,
)
from swarm_app.config.peersfile import KnownPeer
from swarm_app.domain.pause import Pause
from swarm_app.domain.said import Reason, reason_views, reasons_of, say
from swarm_app.domain.span import Span
from swarm_app.node.children import Complaint, Kind, Phase
from swarm_app.node.computer import LinkMove
from swarm_app.node.diary import sentence
from swarm_app.node.events import (
    AnswersChanged,
    BelongingChanged,
    ChatsChanged,
    ChatsPutAside,
    ChildComplained,
    ChildEnded,
    ChildEntered,
    ChildNotStarted,
    ChildReported,
    ChildStarted,
    ChildTold,
    ChildWrote,
    ClockMoved,
    Event,
    GoodnightSaid,
    LeaseChanged,
    LinkMoved,
    LinkSeen,
    PauseEnded,
    RetryAsked,
    RouteTaken,
    ServeAsked,
    SleepAnnounced,
    StayedAwake,
    StopAsked,
    SupplyChanged,
    SwarmExpected,
    WatchersNoted,
    WithdrawAsked,
    Woken,
    WriteTried,
)
from swarm_app.node.fold import LAST_WORDS_LINES, MAX_PAUSES, apply
from swarm_app.node.keeper import TICK_S, Silence
from swarm_app.node.lives import LAST_RETRY_S, MAX_PEER_CHANGES, MAX_SHORT_LIVES, STABLE_S
from swarm_app.node.plan import StartChild, TellChild, next_look_at, plan
from swarm_app.node.problems import problems
from swarm_app.node.rest import may_sleep, stayed_awake, wants_delay
from swarm_app.node.state import Belongs, Keeps, ModelInfo, NodeInfo, Plan, Standing, State, first_state
from swarm_app.node.view import changed_sections, snapshot

GUEST_ID = "12D3KooWGuestGuestGuestGuest"
GUEST = f"/ip4/10.77.0.11/tcp/31330/p2p/{GUEST_ID}"
OURS = "/ip4/10.77.0.12/tcp/4444/p2p/12D3KooWOurs"
ENGINES = "/ip4/10.77.0.12/tcp/5555/p2p/12D3KooWEngine"


def fresh(serve: bool = True, join: tuple[str, ...] = (), swarm_port: int = 0) -> State:
    wanted = Plan(Span(2, 5), serve, join, "127.0.0.1", swarm_port, 64, 32, 2, ("b.key", "e.key"))
    return first_state(
        NodeInfo("N1", "0.1.0", 1, 1000.0, "/p"), ModelInfo("tiny", "ab" * 32, 8, "none", "/m"), wanted
    )


def after(state: State, *events: Event) -> State:
    for event in events:
        state = apply(state, event)
    return state


def started(kind: Kind, address: str, pid: int = 7) -> list[Event]:
    return [ChildStarted(kind, pid), ChildReported(kind, Listening("12D3KooWX", [address]), 0.0)]


def peer(start: int, end: int, **fields: object) -> SeenPeer:
    seen = SeenPeer("12D3KooWX", "N1", start, end, "online", True, "", None, None, None)
    return replace(seen, **fields)  # type: ignore[arg-type]


# ---------------------------------------------------------------- plan


def test_blocks_start_first_and_the_engine_through_them() -> None:
    state = fresh(join=(GUEST,), swarm_port=31330)
    action = plan(state, 0.0)
    assert action == StartChild(
        Kind.BLOCKS,
        StartBlocks(
            model_dir="/m",
            span_start=2,
            span_end=5,
            name="N1",
            identity_path="b.key",
            initial_peers=[GUEST],
            listen_host="127.0.0.1",
            listen_port=31330,
            cache_tokens=64,
            threads=2,
        ),
    )
    state = after(state, ChildStarted(Kind.BLOCKS, 7))
    assert plan(state, 0.0) is None
    state = after(state, ChildReported(Kind.BLOCKS, Listening("12D3KooWX", [OURS]), 0.0))
    action = plan(state, 0.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartEngine)
    assert action.frame.initial_peers == [GUEST, OURS]
    assert action.frame.context_tokens == 32
    assert plan(after(state, ChildStarted(Kind.ENGINE, 8)), 0.0) is None


def test_span_auto_is_left_to_the_child() -> None:
    state = fresh()
    state = replace(state, plan=replace(state.plan, span=None))
    action = plan(state, 0.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartBlocks)
    assert (action.frame.span_start, action.frame.span_end) == (0, 0)


def test_without_blocks_the_engine_starts_at_once() -> None:
    action = plan(fresh(serve=False, join=(GUEST,)), 0.0)
    assert isinstance(action, StartChild)
    assert action.kind is Kind.ENGINE


def test_a_dead_child_is_due_only_after_its_backoff() -> None:
    state = after(fresh(), ChildStarted(Kind.BLOCKS, 7), ChildEnded(Kind.BLOCKS, "exit code 1", 100.0))
    assert next_look_at(state) == 100.5
    assert plan(state, 100.4) is None
    action = plan(state, 100.5)
    assert isinstance(action, StartChild)
    assert action.kind is Kind.BLOCKS


def test_an_engine_with_somebody_else_to_join_does_not_wait_for_broken_blocks() -> None:
    dead: list[Event] = [ChildStarted(Kind.BLOCKS, 7), ChildEnded(Kind.BLOCKS, "exit code 1", 100.0)]
    assert plan(after(fresh(), *dead), 100.0) is None
    action = plan(after(fresh(join=(GUEST,)), *dead), 100.0)
    assert isinstance(action, StartChild)
    assert action.kind is Kind.ENGINE


def test_blocks_come_back_to_their_port_and_their_swarm() -> None:
    state = after(
        fresh(),
        *started(Kind.BLOCKS, OURS),
        *started(Kind.ENGINE, ENGINES),
        ChildEnded(Kind.BLOCKS, "signal SIGKILL", 10.0),
    )
    action = plan(state, 11.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartBlocks)
    assert action.frame.listen_port == 4444
    assert action.frame.initial_peers == [ENGINES]
    # It dies before it listens: somebody else may have the port now.
    state = after(state, ChildStarted(Kind.BLOCKS, 9), ChildEnded(Kind.BLOCKS, "exit code 1", 12.0))
    action = plan(state, 20.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartBlocks)
    assert action.frame.listen_port == 0


def test_a_restart_joins_by_whom_the_node_knew_and_takes_its_port_again() -> None:
    known = (KnownPeer(GUEST_ID, "N2", (GUEST,)),)
    state = fresh()
    state = first_state(state.node, state.model, state.plan, known, 4444)
    action = plan(state, 0.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartBlocks)
    assert action.frame.initial_peers == [GUEST]
    assert action.frame.listen_port == 4444
    state = after(state, *started(Kind.BLOCKS, OURS))
    action = plan(state, 0.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartEngine)
    assert action.frame.initial_peers == [OURS, GUEST]
    # With somebody to join, the engine does not wait for blocks that keep dying.
    broken = after(state, ChildEnded(Kind.BLOCKS, "exit code 1", 0.0))
    assert isinstance(plan(broken, 0.0), StartChild)


def test_nothing_is_started_while_stopping() -> None:
    assert plan(after(fresh(), StopAsked("test")), 0.0) is None


# ---------------------------------------------------------------- lives and deaths


def die(state: State, at: float, ready_at: float | None = None) -> State:
    events: list[Event] = [ChildStarted(Kind.ENGINE, 7)]
    if ready_at is not None:
        events.append(ChildReported(Kind.ENGINE, Ready(), ready_at))
    return after(state, *events, ChildEnded(Kind.ENGINE, "exit code 1", at))


def test_backoff_doubles_and_ends_in_staying_down() -> None:
    state = fresh(serve=False)
    delays = []
    for life in range(MAX_SHORT_LIVES - 1):
        state = die(state, 100.0 * life)
        assert state.engine.phase is Phase.RESTARTING
        assert state.engine.retry_at is not None
        delays.append(state.engine.retry_at - 100.0 * life)
    assert delays == [0.5, 1, 2, 4]
    assert max(delays) <= LAST_RETRY_S
    state = die(state, 1000.0)
    assert state.engine.phase is Phase.DOWN
    assert state.engine.complaint is not None
    assert "5 times" in state.engine.complaint.message
    assert next_look_at(state) is None
    assert plan(state, 1e9) is None
    retried = after(state, RetryAsked(Kind.ENGINE))
    assert isinstance(plan(retried, 0.0), StartChild)
    assert retried.engine.short_lives == 0


def test_a_stable_life_forgives_earlier_deaths() -> None:
    state = fresh(serve=False)
    for _ in range(MAX_SHORT_LIVES - 1):
        state = die(state, 0.0)
    state = die(state, 1000.0 + STABLE_S, ready_at=1000.0)
    assert state.engine.phase is Phase.RESTARTING
    assert state.engine.retry_at == 1000.0 + STABLE_S + 0.5
    # A life that never became ready does not forgive, however long it took.
    for _ in range(MAX_SHORT_LIVES - 1):
        state = die(state, 1e6)
    assert state.engine.phase is Phase.DOWN


def test_an_unmendable_complaint_is_final_and_kept() -> None:
    complaint = Complaint("tokenizer-mismatch", "It does not fit.", "Import again.")
    state = after(
        fresh(serve=False),
        ChildStarted(Kind.ENGINE, 7),
        ChildComplained(Kind.ENGINE, complaint),
        ChildEnded(Kind.ENGINE, "exit code 1", 0.0),
    )
    assert state.engine.phase is Phase.DOWN
    assert state.engine.complaint == complaint


def test_a_program_that_cannot_be_started_counts_as_a_death() -> None:
    state = after(fresh(), ChildNotStarted(Kind.BLOCKS, "No such file.", 5.0))
    assert state.blocks.phase is Phase.RESTARTING
    assert state.blocks.complaint == Complaint("child-down", "No such file.")


def test_last_words_are_bounded_and_outlive_the_child() -> None:
    lines = tuple(f"line {number}" for number in range(3 * LAST_WORDS_LINES))
    state = after(fresh(), ChildStarted(Kind.BLOCKS, 7), ChildWrote(Kind.BLOCKS, lines))
    state = after(state, ChildEnded(Kind.BLOCKS, "exit code 1", 0.0), ChildStarted(Kind.BLOCKS, 8))
    assert state.blocks.last_words == lines[-LAST_WORDS_LINES:]


def test_what_only_a_living_child_knows_goes_with_it() -> None:
    state = after(
        fresh(),
        *started(Kind.BLOCKS, OURS),
        ChildReported(Kind.BLOCKS, Serving(1, 2, 64, 3, 10), 0.0),
        *started(Kind.ENGINE, ENGINES),
        ChildReported(Kind.ENGINE, SwarmSeen(8, [peer(0, 8)]), 0.0),
    )
    assert state.swarm.covered
    assert state.serving is not None
    state = after(
        state, ChildEnded(Kind.ENGINE, "exit code 1", 1.0), ChildEnded(Kind.BLOCKS, "exit code 1", 1.0)
    )
    assert not state.swarm.covered
    assert not state.swarm.seen
    assert state.serving is None
    assert state.blocks.pid is None
    assert snapshot(state, 0.0, 0.0)["children"]["blocks"]["addresses"] == []


# ---------------------------------------------------------------- what is seen


def test_only_available_peers_on_the_route_cover_blocks() -> None:
    seen = SwarmSeen(
        8,
        [
            peer(0, 3),
            peer(3, 5, state="joining"),
            peer(5, 8, on_route=False, reason="it has another manifest", name="N3"),
        ],
    )
    state = after(fresh(serve=False), ChildStarted(Kind.ENGINE, 7), ChildReported(Kind.ENGINE, seen, 0.0))
    view = snapshot(state, 0.0, 1001.5)
    assert view["swarm"]["gaps"] == [[3, 8]]
    assert not view["swarm"]["covered"]
    assert view["node"]["uptime_s"] == 1.5
    assert [(p["about"], p["code"]) for p in view["problems"]] == [
        ("swarm", "no-route"),
        ("peer", "peer-unusable"),
    ]
    assert view["problems"][0]["message"] == "No computer in the household serves blocks 3:8 now."
    assert view["problems"][1]["message"] == "N3 is not used: it has another manifest."


def saw(state: State, at: float, *peers: SeenPeer) -> State:
    return after(state, ChildReported(Kind.ENGINE, SwarmSeen(8, list(peers)), at))


def test_a_missing_peer_is_named_with_what_is_known_and_is_no_problem_while_others_cover() -> None:
    state = after(fresh(serve=False), ChildStarted(Kind.ENGINE, 7))
    asleep = peer(
        3, 8, state="asleep", on_route=False, reason="said goodnight", name="N3", peer_id="12D3KooWN3"
    )
    state = saw(state, 0.0, peer(0, 3), asleep)
    (gap,) = problems(state)
    assert gap.message == "No computer in the household serves blocks 3:8 now. Missing: N3 (asleep)."
    assert gap.remedy == "Wake or start N3."
    doubted = peer(2, 8, state="suspect", on_route=False, reason="late", peer_id="12D3KooWN4")
    starting = peer(2, 8, state="joining", on_route=False, reason="starting", peer_id="12D3KooWN5")
    state = saw(state, 1.0, peer(0, 8), asleep, doubted, starting)
    assert problems(state) == ()


def test_computers_of_another_version_are_named_with_what_to_update() -> None:
    state = after(fresh(serve=False), ChildStarted(Kind.ENGINE, 7))
    state = saw(state, 0.0, peer(0, 8))
    told = ChildReported(Kind.ENGINE, SwarmSeen(8, [peer(0, 8)], newer=["attic"], older=["den", "shed"]), 1.0)
    other = after(state, told)
    assert changed_sections(state, other) == {"swarm", "problems"}
    assert snapshot(other, 1.0, 1001.0)["problems"] == [
        {
            "about": "swarm",
            "code": "version-mismatch",
            "message": "attic runs a newer version of Homeswarm; what is served there cannot be used here.",
            "remedy": "Update Homeswarm on this computer.",
            "why": reason_views([Reason("newer-version", ["attic"])]),
        },
        {
            "about": "swarm",
            "code": "version-mismatch",
            "message": (
                "den and shed run an older version of Homeswarm; what is served there cannot be used here."
            ),
            "remedy": "Update Homeswarm on den and shed.",
            "why": reason_views([Reason("older-version", ["den", "shed"])]),
        },
    ]
    assert problems(saw(other, 2.0, peer(0, 8))) == ()


def test_what_would_be_lost_with_the_node_is_a_problem_until_the_disk_has_it() -> None:
    state = after(
        fresh(),
        WriteTried(Keeps.CHOICE, "/p/contribution.json", "Read-only file system"),
        WriteTried(Keeps.MEMBERSHIP, "/p/swarm.json", "No space left on device"),
        WriteTried(Keeps.KEYS, "", "The keyring is locked."),
        ChatsPutAside("/p/history.sqlite.1"),
    )
    assert [(one.about, one.code) for one in problems(state)] == [
        ("profile", "choice-not-kept"),
        ("profile", "membership-not-kept"),
        ("profile", "keys-kept"),
        ("profile", "history-put-aside"),
    ]
    assert problems(state)[1].message == (
        "Changes of the swarm are kept only until this node stops:"
        " /p/swarm.json cannot be written: No space left on device."
    )
    assert after(state, WriteTried(Keeps.KEYS, "", "The keyring is locked.")) is state
    kept = after(state, *(WriteTried(what, "", "") for what in Keeps))
    assert [one.code for one in problems(kept)] == ["history-put-aside"]
    assert after(kept, ChatsChanged(("1",))).chats.put_aside == "/p/history.sqlite.1"


def test_since_stands_still_while_a_state_lasts() -> None:
    state = after(fresh(serve=False), ChildStarted(Kind.ENGINE, 7))
    first = saw(state, 100.0, peer(0, 8, since_s=40.0))
    later = saw(first, 102.0, peer(0, 8, since_s=42.3))
    assert later is first
    # Seen 100 monotonic seconds = 1100 epoch seconds after the epoch of this made-up clock.
    assert snapshot(later, 110.0, 1110.0)["swarm"]["peers"][0]["since"] == 1060.0
    again = saw(later, 104.0, peer(0, 8, since_s=1.0))  # away and back between two looks
    assert snapshot(again, 110.0, 1110.0)["swarm"]["peers"][0]["since"] == 1103.0
    assert changed_sections(later, again) == {"swarm"}


def test_what_changed_is_kept_and_own_doubt_is_shown() -> None:
    state = after(fresh(serve=False), ChildStarted(Kind.ENGINE, 7))
    silent = say("silent", number=0.6)
    lost = PeerChange("12D3KooWX", "N1", "suspect", "unreachable", silent, reasons_of(silent))
    told = SwarmSeen(8, [peer(0, 8)], [lost], "this computer just woke up")
    first = after(state, ChildReported(Kind.ENGINE, told, 100.0))
    swarm = snapshot(first, 110.0, 1110.0)["swarm"]
    assert swarm["doubt"] == "this computer just woke up"
    assert swarm["changes"] == [
        {
            "at": 1100.0,
            "peer_id": "12D3KooWX",
            "name": "N1",
            "before": "suspect",
            "after": "unreachable",
            "reason": "did not answer for 0.6 s",
            "why": [{"code": "silent", "names": [], "number": 0.6, "least": None, "about": ""}],
        }
    ]
    # The same view again, with the same change: it happened twice.
    again = after(first, ChildReported(Kind.ENGINE, told, 101.0))
    assert len(snapshot(again, 110.0, 1110.0)["swarm"]["changes"]) == 2
    assert changed_sections(first, again) == {"swarm"}
    many = SwarmSeen(8, [peer(0, 8)], [lost] * 70)
    assert len(after(again, ChildReported(Kind.ENGINE, many, 102.0)).peer_changes) == MAX_PEER_CHANGES


def test_until_when_a_peer_is_avoided_stands_still_too() -> None:
    state = after(fresh(serve=False), ChildStarted(Kind.ENGINE, 7))
    first = saw(state, 100.0, peer(0, 8, avoided_s=30.0))
    assert saw(first, 102.0, peer(0, 8, avoided_s=28.3)) is first
    assert snapshot(first, 110.0, 1110.0)["swarm"]["peers"][0]["avoided_until"] == 1130.0
    over = saw(first, 131.0, peer(0, 8))
    assert snapshot(over, 131.0, 1131.0)["swarm"]["peers"][0]["avoided_until"] is None


@pytest.mark.parametrize(
    ("listen", "reached"),
    [
        ("0.0.0.0", ["10.77.0.12"]),
        ("::", ["10.77.0.12", "fd00::12"]),
        ("10.77.0.12", ["10.77.0.12"]),
        ("10.77.0.99", []),
        ("127.0.0.1", []),
    ],
)
def test_an_address_at_which_nobody_listens_is_not_shown(listen: str, reached: list[str]) -> None:
    state = after(fresh(), LinkSeen(("10.77.0.12", "fd00::12"), None))
    state = replace(state, plan=replace(state.plan, listen=listen))
    assert snapshot(state, 0.0, 0.0)["link"]["addresses"] == reached


# ---------------------------------------------------------------- pauses


def pause(text: str = "N1 went to sleep; moved to N2 in 0.4 s") -> Pause:
    return Pause("asleep", "12D3KooWX", "N1", ("N2",), 0.1, 0.2, 0.1, 0.4, 20, text)


def test_the_latest_pauses_are_kept_and_counted_on() -> None:
    state = fresh()
    for number in range(MAX_PAUSES + 7):
        before, state = state, after(state, PauseEnded(f"r{number}", pause(), 1000.0 + number))
        assert changed_sections(before, state) == {"pauses"}
    shown = snapshot(state, 0.0, 0.0)["pauses"]
    assert [entry["number"] for entry in shown] == list(range(8, MAX_PAUSES + 8))
    assert shown[-1] == {
        "number": MAX_PAUSES + 7,
        "at": 1000.0 + MAX_PAUSES + 6,
        "request_id": f"r{MAX_PAUSES + 6}",
        "cause": "asleep",
        "peer": "12D3KooWX",
        "name": "N1",
        "moved_to": ["N2"],
        "detect_s": 0.1,
        "route_s": 0.2,
        "replay_s": 0.1,
        "total_s": 0.4,
        "at_token": 20,
        "text": "N1 went to sleep; moved to N2 in 0.4 s",
        "load_s": 0.0,
        "words_may_differ": False,
    }
    told = sentence(before, state, PauseEnded("r", pause(), 0.0))
    assert told == "answer: N1 went to sleep; moved to N2 in 0.4 s"
    waited = replace(pause("N1 was slow"), moved_to=())
    assert sentence(before, state, PauseEnded("r", waited, 0.0)) is None
    assert (
        sentence(before, state, PauseEnded("r", replace(waited, total_s=1.0), 0.0)) == "answer: N1 was slow"
    )


def test_changed_sections_are_those_whose_view_differs() -> None:
    state = fresh()
    assert changed_sections(state, after(state, ChildStarted(Kind.BLOCKS, 7))) == {"children"}
    assert changed_sections(state, after(state, AnswersChanged(1))) == {"node"}
    route = (RouteHop("12D3KooWX", "N1", 0, 8),)
    assert changed_sections(state, after(state, RouteTaken(route))) == {"route"}


def test_nothing_new_is_no_change() -> None:
    seen = ChildReported(Kind.ENGINE, SwarmSeen(8, [peer(0, 8)]), 0.0)
    state = after(fresh(), ChildStarted(Kind.ENGINE, 7), seen)
    assert apply(state, seen) is state
    assert apply(state, AnswersChanged(0)) is state
    assert apply(state, RetryAsked(Kind.ENGINE)) is state


def test_silence_counts_waking_time_only() -> None:
    silence = Silence()
    silence.tick(0.0)
    assert silence.tick(TICK_S) == TICK_S
    # The computer slept for a night between two ticks.
    assert silence.tick(30_000.0) == 3 * TICK_S
    silence.heard()
    assert silence.tick(30_001.0) == TICK_S


kinds = st.sampled_from(list(Kind))
times = st.floats(0, 1e6)
spans = st.tuples(st.integers(-1, 9), st.integers(-1, 9))
reports = st.one_of(
    st.builds(Listening, st.just("12D3KooWX"), st.lists(st.sampled_from([OURS, ENGINES, "", "/tcp/"]))),
    st.builds(Progress, st.just("loading"), st.integers(0, 3), st.integers(0, 3)),
    st.builds(Ready, st.integers(0, 9)),
    st.builds(Drained, st.integers(0, 2)),
    st.builds(Serving, *[st.integers(0, 9)] * 5),
    st.builds(
        SwarmSeen,
        st.integers(0, 9),
        st.lists(
            st.builds(
                lambda s, state, used, since_s, addresses: peer(
                    s[0],
                    s[1],
                    state=state,
                    on_route=used,
                    reason="why",
                    since_s=since_s,
                    addresses=addresses,
                    peer_id=GUEST_ID,
                ),
                spans,
                st.sampled_from(["online", "joining", "suspect", "unreachable", "asleep", "?"]),
                st.booleans(),
                st.none() | times,
                st.lists(st.sampled_from([GUEST, OURS, "/ip4/x/tcp/1"]), max_size=2),
            ),
            max_size=3,
        ),
    ),
)
events = st.one_of(
    st.builds(ChildStarted, kinds, st.integers(2, 9), st.booleans()),
    st.builds(ChildEntered, kinds),
    st.builds(SwarmExpected, times),
    st.builds(
        BelongingChanged,
        st.builds(
            Belongs,
            st.sampled_from(Standing),
            st.sampled_from(["", "a", "b"]),
            role=st.sampled_from(["guest", "member"]),
        ),
    ),
    st.builds(ChildNotStarted, kinds, st.text(max_size=3), times),
    st.builds(ChildReported, kinds, reports, times),
    st.builds(ChildComplained, kinds, st.builds(Complaint, st.text(max_size=3), st.text(max_size=3))),
    st.builds(ChildWrote, kinds, st.lists(st.text(max_size=3), max_size=3).map(tuple)),
    st.builds(ChildEnded, kinds, st.text(max_size=3), times),
    st.builds(AnswersChanged, st.integers(0, 3)),
    st.builds(RouteTaken, st.just((RouteHop("12D3KooWX", "N1", 0, 8),))),
    st.builds(PauseEnded, st.text(max_size=3), st.just(pause()), times),
    st.builds(ChildTold, kinds, st.builds(Goodnight) | st.builds(Resume, st.booleans())),
    st.builds(SleepAnnounced, st.floats(0, 30), times),
    st.builds(GoodnightSaid),
    st.builds(StayedAwake),
    st.builds(Woken, st.floats(0, 1e5), st.sampled_from(["signal", "clock", "stall"]), times),
    st.builds(ClockMoved, st.floats(-1e4, 1e4)),
    st.builds(SupplyChanged, st.booleans(), st.none() | st.floats(0, 1)),
    st.builds(LeaseChanged, st.booleans(), st.text(max_size=3)),
    st.builds(WatchersNoted, st.just(("x",)) | st.just(()), st.just(())),
    st.builds(LinkSeen, st.just(("10.77.0.12",)) | st.just(()), st.none() | st.just("home")),
    st.builds(LinkMoved, st.builds(LinkMove, times, st.just(("address-gone",)), st.booleans())),
    st.builds(WithdrawAsked),
    st.builds(ServeAsked),
    st.builds(RetryAsked, kinds),
    st.builds(StopAsked, st.text(max_size=3)),
)


@given(st.lists(events, max_size=25), st.booleans(), times)
def test_any_history_leaves_a_state_that_can_be_shown_and_planned(
    history: list[Event], serve: bool, now: float
) -> None:
    state = fresh(serve=serve)
    for event in history:
        before, state = state, apply(state, event)
        sentence(before, state, event)
        assert (snapshot(before, 0, 0) == snapshot(state, 0, 0)) or changed_sections(before, state)
        action = plan(state, now)
        if state.stopping:
            assert action is None
        match action:
            case StartChild(kind, _):
                assert state.child(kind).phase in (Phase.WAITING, Phase.RESTARTING, Phase.WARM)
            case TellChild(kind, message):
                assert state.child(kind).phase is Phase.READY
                # Telling comes to an end.
                told = after(state, ChildTold(kind, message))
                second = plan(told, now)
                assert not isinstance(second, TellChild) or second.kind is not kind
        if may_sleep(state, now):
            assert not may_sleep(after(state, GoodnightSaid()), now)
        assert not stayed_awake(after(state, StayedAwake()), now)
        wants_delay(state)
        assert len(state.pauses) <= MAX_PAUSES
        for child in (state.blocks, state.engine):
            assert len(child.last_words) <= LAST_WORDS_LINES
            if child.phase is Phase.DOWN:
                assert child.complaint is not None
        problems(state)
