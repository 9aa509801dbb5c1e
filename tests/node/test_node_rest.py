"""Sleep, wake and withdrawal: what is said to whom, in tables and with a clock that is moved by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from swarm_app.childproto import (
    Announce,
    Drained,
    Goodnight,
    Listening,
    Message,
    Ready,
    Resume,
    SeenPeer,
    StartBlocks,
    Surroundings,
    SwarmSeen,
)
from swarm_app.domain.clock import ManualClock
from swarm_app.domain.pause import ASLEEP, PAUSED
from swarm_app.domain.span import Span
from swarm_app.node.children import Kind
from swarm_app.node.computer import LinkMove
from swarm_app.node.diary import sentence
from swarm_app.node.events import (
    ChildEnded,
    ChildReported,
    ChildStarted,
    ChildTold,
    ClockMoved,
    Event,
    GoodnightSaid,
    LeaseChanged,
    LinkMoved,
    LinkSeen,
    ServeAsked,
    SleepAnnounced,
    StayedAwake,
    StopAsked,
    SupplyChanged,
    WithdrawAsked,
    Woken,
)
from swarm_app.node.fold import apply
from swarm_app.node.plan import StartChild, TellChild, plan
from swarm_app.node.problems import problems
from swarm_app.node.rest import (
    MARGIN_S,
    STAYED_AWAKE_S,
    may_sleep,
    next_look_at,
    stayed_awake,
    wants_delay,
)
from swarm_app.node.state import ModelInfo, NodeInfo, Plan, State, first_state
from swarm_app.node.view import changed_sections, snapshot

DEADLINE_S = 5.0
"""logind's default."""

NIGHT_S = 8 * 3600.0


class Node:
    """A node of values: events go in, what the plan tells the children comes out."""

    def __init__(self, serve: bool = True, ready: bool = True, listen: str = "127.0.0.1") -> None:
        self.clock = ManualClock()
        wanted = Plan(Span(0, 8), serve, (), listen, 0, 64, 32, 0, ("b", "e"))
        self.state: State = first_state(
            NodeInfo("N1", "0", 1, 0.0, "/p"), ModelInfo("tiny", "ab" * 32, 8, "none", "/m"), wanted
        )
        if ready:
            for kind in (Kind.BLOCKS, Kind.ENGINE) if serve else (Kind.ENGINE,):
                self.start(kind)

    def start(self, kind: Kind) -> list[tuple[Kind, Message]]:
        self.happens(ChildStarted(kind, 7))
        self.says(kind, Listening(f"12D3KooW{kind}", []))
        return self.says(kind, Ready())

    def happens(self, *events: Event) -> list[tuple[Kind, Message]]:
        """What the children are told because of it."""
        for event in events:
            self.state = apply(self.state, event)
        told: list[tuple[Kind, Message]] = []
        while isinstance(action := plan(self.state, self.clock.monotonic()), TellChild):
            told.append((action.kind, action.message))
            self.state = apply(self.state, ChildTold(action.kind, action.message))
        return told

    def says(
        self, kind: Kind, message: Listening | Ready | Drained | SwarmSeen
    ) -> list[tuple[Kind, Message]]:
        return self.happens(ChildReported(kind, message, self.clock.monotonic()))

    def sleep_comes(self, deadline_s: float = DEADLINE_S) -> list[tuple[Kind, Message]]:
        return self.happens(SleepAnnounced(deadline_s, self.clock.monotonic()))

    def wakes(self, slept_s: float = NIGHT_S) -> list[tuple[Kind, Message]]:
        return self.happens(Woken(slept_s, "signal", self.clock.time()))

    def may_sleep(self) -> bool:
        return may_sleep(self.state, self.clock.monotonic())


OWN = ["12D3KooWengine"]
"""Whom paused blocks serve on."""

BOTH_DOUBT = [(Kind.BLOCKS, Resume()), (Kind.ENGINE, Resume())]
BOTH_MOVED = [(Kind.BLOCKS, Resume(True)), (Kind.ENGINE, Resume(True))]


# ---------------------------------------------------------------- where others reach the blocks


def test_blocks_announce_only_where_the_node_is_reached_and_the_new_place_before_a_resume() -> None:
    """Scenario B2: what p2pd found (a container's bridge) is announced by nobody."""
    node = Node(ready=False, listen="0.0.0.0")
    action = plan(node.state, 0.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartBlocks)
    assert action.frame.announce_hosts == [], "nowhere, until the network is known"
    node.happens(ChildStarted(Kind.BLOCKS, 7))
    found = [f"/ip4/{host}/tcp/4444/p2p/Qm" for host in ("127.0.0.1", "172.17.0.1", "10.77.0.12")]
    assert node.says(Kind.BLOCKS, Listening("Qm", found)) == [(Kind.BLOCKS, Announce([]))]
    seen = LinkSeen(("10.77.0.12", "fd00::12"), None)
    assert node.happens(seen) == [(Kind.BLOCKS, Announce(["10.77.0.12"]))]
    assert node.happens(seen) == [], "once"
    view = snapshot(node.state, 0.0, 0.0)
    assert view["children"]["blocks"]["addresses"] == ["/ip4/10.77.0.12/tcp/4444/p2p/Qm"]
    node.says(Kind.BLOCKS, Ready())
    node.start(Kind.ENGINE)
    moved = LinkMove(0.0, ("address-added", "address-gone"), True, ("10.77.0.62",), ("10.77.0.12",))
    assert node.happens(LinkSeen(("10.77.0.62",), None), LinkMoved(moved)) == [
        (Kind.BLOCKS, Announce(["10.77.0.62"])),
        *BOTH_MOVED,
    ]
    # The engine announces nothing, but its node tells members where it is.
    node.says(Kind.ENGINE, Listening("QmE", [address.replace("/Qm", "/QmE") for address in found]))
    view = snapshot(node.state, 0.0, 0.0)
    assert view["children"]["engine"]["addresses"] == ["/ip4/10.77.0.62/tcp/4444/p2p/QmE"]
    # The next life is told again.
    node.happens(ChildEnded(Kind.BLOCKS, "exit code 1", 0.0), ChildStarted(Kind.BLOCKS, 8))
    assert node.says(Kind.BLOCKS, Listening("Qm", found)) == [(Kind.BLOCKS, Announce(["10.77.0.62"]))]


def test_the_household_is_shown_what_this_computer_runs_on() -> None:
    node = Node()
    assert node.happens(SupplyChanged(True, 0.5)) == [(Kind.BLOCKS, Surroundings("battery", ""))]
    assert node.happens(SupplyChanged(True, 0.4)) == [], "only what is another thing to others"
    assert node.happens(LinkSeen((), "home", None, True)) == [
        (Kind.BLOCKS, Surroundings("battery", "wireless"))
    ]
    # The next life is told again.
    node.happens(ChildEnded(Kind.BLOCKS, "exit code 1", 0.0), ChildStarted(Kind.BLOCKS, 8))
    node.says(Kind.BLOCKS, Listening("Qm", []))
    assert node.says(Kind.BLOCKS, Ready()) == [(Kind.BLOCKS, Surroundings("battery", "wireless"))]


@pytest.mark.parametrize("listen", ["127.0.0.1", "10.77.0.12", "100.64.0.5"])
def test_blocks_that_listen_at_one_address_announce_that(listen: str) -> None:
    """Also a VPN's, which is announced by nobody who did not ask for it."""
    node = Node(ready=False, listen=listen)
    action = plan(node.state, 0.0)
    assert isinstance(action, StartChild)
    assert isinstance(action.frame, StartBlocks)
    assert action.frame.announce_hosts is None
    node.happens(ChildStarted(Kind.BLOCKS, 7))
    assert node.says(Kind.BLOCKS, Listening("Qm", [f"/ip4/{listen}/tcp/4444/p2p/Qm"])) == []
    assert node.happens(LinkSeen(("10.77.0.12",), None)) == []
    view = snapshot(node.state, 0.0, 0.0)
    assert view["children"]["blocks"]["addresses"] == [f"/ip4/{listen}/tcp/4444/p2p/Qm"]


# ---------------------------------------------------------------- before a sleep


def test_before_a_sleep_the_blocks_say_goodnight_and_the_system_waits_for_that_alone() -> None:
    node = Node()
    assert wants_delay(node.state)
    assert node.sleep_comes() == [(Kind.BLOCKS, Goodnight(ASLEEP))]
    assert not node.may_sleep()
    node.says(Kind.BLOCKS, Drained(0))
    assert node.may_sleep()
    node.happens(GoodnightSaid())
    assert not node.may_sleep(), "it is said once"
    assert wants_delay(node.state), "the lease is asked for again after the wake"
    view = snapshot(node.state, 0.0, 0.0)
    assert view["power"]["sleep_coming"]
    assert view["children"]["blocks"]["quiet"]


@pytest.mark.parametrize("deadline_s", [0.0, 0.4, 1.5, 5.0, 30.0])
def test_blocks_that_hang_cost_no_more_than_the_systems_patience(deadline_s: float) -> None:
    node = Node()
    node.sleep_comes(deadline_s)
    began = node.clock.monotonic()
    due = next_look_at(node.state)
    assert due is not None
    assert began <= due <= began + deadline_s
    assert due == began if deadline_s == 0 else due < began + deadline_s
    assert due >= began + deadline_s - MARGIN_S
    node.clock.now = due
    assert node.may_sleep()


@pytest.mark.parametrize(
    "gone",
    [
        ChildEnded(Kind.BLOCKS, "signal SIGKILL", 0.0),
        ChildReported(Kind.BLOCKS, Drained(1), 0.0),
    ],
)
def test_nobody_is_waited_for_who_is_gone_or_has_no_more_time(gone: Event) -> None:
    node = Node()
    node.sleep_comes()
    node.happens(gone)
    assert node.may_sleep()


def test_a_node_that_only_chats_delays_nothing() -> None:
    node = Node(serve=False)
    assert not wants_delay(node.state)
    assert node.sleep_comes() == []
    assert node.may_sleep()


def test_blocks_that_become_ready_while_a_sleep_is_coming_are_quiet_at_once() -> None:
    node = Node(ready=False)
    node.happens(ChildStarted(Kind.BLOCKS, 7))
    assert node.sleep_comes() == []
    assert node.says(Kind.BLOCKS, Ready()) == [(Kind.BLOCKS, Goodnight(ASLEEP))]


# ---------------------------------------------------------------- after it


def test_after_a_night_both_children_doubt_and_serve_again() -> None:
    node = Node()
    node.sleep_comes()
    node.says(Kind.BLOCKS, Drained(0))
    node.happens(GoodnightSaid())
    assert node.wakes() == BOTH_DOUBT
    assert node.wakes(0.0) == BOTH_DOUBT, "each wake is doubted"
    view = snapshot(node.state, 0.0, 0.0)
    assert not view["power"]["sleep_coming"]
    assert not view["children"]["blocks"]["quiet"]
    # A wake without a sleep does not hide the night.
    assert view["power"]["last_sleep"] == {
        "slept_s": NIGHT_S,
        "how": "signal",
        "woke_at": node.clock.time(),
    }


def test_a_sleep_that_nobody_announced_is_doubted_too() -> None:
    assert Node().wakes(300.0) == BOTH_DOUBT


def test_a_drain_that_ends_after_the_wake_changes_nothing() -> None:
    node = Node()
    node.sleep_comes()
    node.wakes()
    node.says(Kind.BLOCKS, Drained(0))
    assert node.sleep_comes() == [(Kind.BLOCKS, Goodnight(ASLEEP))]
    assert not node.may_sleep(), "the second goodnight has not been said yet"


def test_a_sleep_that_does_not_come_is_given_up() -> None:
    node = Node()
    node.sleep_comes()
    node.says(Kind.BLOCKS, Drained(0))
    node.happens(GoodnightSaid())
    due = next_look_at(node.state)
    assert due == node.clock.monotonic() + DEADLINE_S + STAYED_AWAKE_S
    node.clock.now = due - 0.01
    assert not stayed_awake(node.state, node.clock.monotonic())
    node.clock.now = due
    assert stayed_awake(node.state, node.clock.monotonic())
    # Nothing was lost: the blocks serve again, and the engine has nothing to doubt.
    assert node.happens(StayedAwake()) == [(Kind.BLOCKS, Resume())]
    assert next_look_at(node.state) is None


def test_a_child_that_started_after_the_wake_has_nothing_to_doubt() -> None:
    node = Node(ready=False)
    node.wakes()
    assert node.start(Kind.BLOCKS) == []
    assert node.start(Kind.ENGINE) == []


def test_a_child_that_was_starting_at_the_wake_is_told_when_it_is_ready() -> None:
    node = Node(ready=False)
    node.happens(ChildStarted(Kind.BLOCKS, 7))
    assert node.wakes() == []
    assert node.says(Kind.BLOCKS, Ready()) == [(Kind.BLOCKS, Resume())]


# ---------------------------------------------------------------- moves and clocks


@pytest.mark.parametrize(("rebind", "told"), [(True, BOTH_MOVED), (False, [])])
def test_another_network_is_doubted_where_connections_broke(
    rebind: bool, told: list[tuple[Kind, Message]]
) -> None:
    move = LinkMove(1000.0, ("address-added", "address-gone"), rebind, ("10.77.0.62",), ("10.77.0.12",))
    node = Node()
    before = node.state
    assert node.happens(LinkMoved(move)) == told
    assert node.happens() == [], "once"
    assert "link" in changed_sections(before, node.state)
    assert snapshot(node.state, 0.0, 0.0)["link"]["last_change"] == {
        "at": 1000.0,
        "reasons": ["address-added", "address-gone"],
        "rebind_needed": rebind,
        "added": ["10.77.0.62"],
        "gone": ["10.77.0.12"],
    }


def test_a_move_during_a_sleep_is_told_with_the_wake() -> None:
    node = Node()
    node.sleep_comes()
    assert node.happens(LinkMoved(LinkMove(0.0, ("went-offline",), True))) == []
    assert node.wakes() == BOTH_MOVED


@pytest.mark.parametrize(("by_s", "told"), [(-3600.0, BOTH_DOUBT), (1.5, BOTH_DOUBT), (0.6, []), (-0.6, [])])
def test_a_clock_that_was_set_makes_the_records_wrong(by_s: float, told: list[tuple[Kind, Message]]) -> None:
    assert Node().happens(ClockMoved(by_s)) == told


# ---------------------------------------------------------------- the owner


def test_an_owner_takes_the_blocks_back_and_gives_them_again() -> None:
    node = Node()
    assert node.happens(WithdrawAsked()) == [(Kind.BLOCKS, Goodnight(PAUSED, OWN))]
    assert node.happens(WithdrawAsked()) == []
    assert not wants_delay(node.state)
    assert snapshot(node.state, 0.0, 0.0)["children"]["blocks"]["withdrawn"]
    assert node.happens(ServeAsked()) == [(Kind.BLOCKS, Resume())]
    assert wants_delay(node.state)


def test_withdrawn_blocks_stay_so_over_a_night_and_a_restart_of_their_process() -> None:
    node = Node()
    node.happens(WithdrawAsked())
    node.says(Kind.BLOCKS, Drained(0))
    assert node.sleep_comes() == []
    assert node.may_sleep(), "they are silent already"
    node.happens(GoodnightSaid())
    assert node.wakes() == [(Kind.ENGINE, Resume())]
    node.happens(ChildEnded(Kind.BLOCKS, "exit code 1", 0.0))
    assert node.start(Kind.BLOCKS) == [(Kind.BLOCKS, Goodnight(PAUSED, OWN))]
    node.happens(LinkMoved(LinkMove(0.0, ("address-added",), True)))
    # What they missed meanwhile comes with the word to serve.
    assert node.happens(ServeAsked()) == [(Kind.BLOCKS, Resume(True))]


def test_nothing_is_told_while_stopping() -> None:
    node = Node()
    node.happens(StopAsked("test"))
    assert node.sleep_comes() == []
    assert node.wakes() == []
    assert not wants_delay(node.state)


def test_withdrawn_blocks_that_are_missed_are_named_as_the_remedy() -> None:
    node = Node()
    node.happens(WithdrawAsked())
    node.says(
        Kind.ENGINE,
        SwarmSeen(8, [SeenPeer("12D3KooWblocks", "N1", 0, 8, "left", False, "gone", None, None, None)]),
    )
    (problem,) = problems(node.state)
    assert "homeswarm resume" in problem.remedy
    assert "Missing" not in problem.message, "this computer is not missing"


# ---------------------------------------------------------------- what a person hears


WHY_NOT = "There is no connection to the system bus."


@pytest.mark.parametrize(
    ("level", "held", "withdrawn", "told"),
    [
        (0.8, False, False, True),
        (None, False, False, False),  # no battery: it does not sleep unasked
        (0.8, True, False, False),
        (0.8, False, True, False),  # nothing is served: nobody is disturbed
    ],
)
def test_a_sleep_without_a_word_is_a_problem_only_where_it_would_happen_and_disturb(
    level: float | None, held: bool, withdrawn: bool, told: bool
) -> None:
    node = Node()
    node.happens(SupplyChanged(level is not None, level), LeaseChanged(held, "" if held else WHY_NOT))
    if withdrawn:
        node.happens(WithdrawAsked())
    found = [problem for problem in problems(node.state) if problem.about == "power"]
    assert bool(found) is told
    if told:
        assert WHY_NOT in found[0].message


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (SleepAnnounced(5.0, 0.0), "power: about to sleep; telling the household"),
        (Woken(28800.0, "clock", 0.0), "power: awake after 28800 s (noticed by its clocks)"),
        (Woken(0.0, "signal", 0.0), "power: awake"),
        (StayedAwake(), "power: the sleep has not come; serving again"),
        (ClockMoved(-3600.0), "clock: was set 3600.0 s back"),
        (LinkMoved(LinkMove(0.0, ("came-online",), True)), "network: came-online"),
        (WithdrawAsked(), "blocks: taken back by their owner"),
        (ServeAsked(), "blocks: served again"),
    ],
)
def test_the_diary_tells_it_in_a_line(event: Event, line: str) -> None:
    state = Node().state
    assert sentence(state, replace(state), event) == line


def test_the_diary_tells_who_goes_and_who_comes_back() -> None:
    def seen(state: str) -> SwarmSeen:
        away = SeenPeer("12D3KooWN2", "N2", 0, 8, state, state == "available", "", None, None, None)
        here = SeenPeer("12D3KooWN3", "N3", 0, 8, "available", True, "", None, None, None)
        return SwarmSeen(8, [away, here])

    node, lines = Node(), []
    for state in ("available", "suspect", "asleep", "available", "suspect", "unreachable", "joining"):
        before, event = node.state, ChildReported(Kind.ENGINE, seen(state), 0.0)
        node.happens(event)
        lines.append(sentence(before, node.state, event))
    assert lines[1:] == [
        None,
        "swarm: N2 is asleep",
        "swarm: N2 is available",
        None,
        "swarm: N2 is unreachable",
        None,
    ]
