"""Whether to contribute: in tables, as properties, and over time with a clock that is moved by hand."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.childproto import Drained, Goodnight, Listening, Priority, Ready, Resume, Surroundings
from swarm_app.config import choicefile, schedule
from swarm_app.config.choicefile import OwnChoice
from swarm_app.domain.clock import ManualClock
from swarm_app.domain.pause import ASLEEP, PAUSED
from swarm_app.domain.span import Span
from swarm_app.node.children import Kind, Phase
from swarm_app.node.computer import Seen
from swarm_app.node.diary import sentence as diary
from swarm_app.node.events import (
    AnswersChanged,
    ChildEnded,
    ChildReported,
    ChildStarted,
    ChildStopping,
    ChildTold,
    Event,
    LinkSeen,
    PersonSeen,
    ServeAsked,
    SleepAnnounced,
    SupplyChanged,
    WithdrawAsked,
    Woken,
)
from swarm_app.node.plan import StartChild, StopChild, TellChild, next_look_at, plan
from swarm_app.node.politely import Politely
from swarm_app.node.politeness import (
    Condition,
    Decision,
    Latch,
    Rules,
    Stance,
    decide,
    is_over,
    sentence,
    settle,
)
from swarm_app.node.problems import problems
from swarm_app.node.state import Keeps, ModelInfo, NodeInfo, Plan, State, first_state
from swarm_app.node.store import Store
from swarm_app.node.view import changed_sections, snapshot
from swarm_app.node.writing import RETRY_S

DEFAULTS = Rules("gentle", "pause", "pause", "pause")
EVENING = datetime(2026, 11, 30, 18, 0)
NOW = EVENING.timestamp()
NIGHTS = schedule.parse("22:00-07:00")
F, B, M, A = Condition.FULL_SCREEN, Condition.BATTERY, Condition.METERED, Condition.ACTIVE


# ---------------------------------------------------------------- what is decided


@pytest.mark.parametrize(
    ("rules", "standing", "choice", "stance", "reasons", "said"),
    [
        (DEFAULTS, {}, None, Stance.CONTRIBUTING, (), "Contributing."),
        (DEFAULTS, {A}, None, Stance.GENTLE, (A,), "Contributing gently: somebody uses this computer."),
        (DEFAULTS, {B}, None, Stance.PAUSED, (B,), "Paused: this computer runs on battery."),
        (DEFAULTS, {M, A}, None, Stance.PAUSED, (M,), "Paused: the network is paid by volume."),
        (
            DEFAULTS,
            {B, F},
            None,
            Stance.PAUSED,
            (F, B),
            "Paused: a program fills the screen and this computer runs on battery.",
        ),
        (Rules(), {F, B, M, A}, None, Stance.CONTRIBUTING, (), "Contributing."),
        (replace(DEFAULTS, when_active="pause"), {A}, None, Stance.PAUSED, (A,), None),
        (replace(DEFAULTS, on_battery="gentle"), {B, A}, None, Stance.GENTLE, (B, A), None),
        # The owner's word wins, both ways.
        (DEFAULTS, {}, OwnChoice("pause"), Stance.PAUSED, ("owner",), "Paused, as you asked."),
        (DEFAULTS, {B}, OwnChoice("pause", NOW + 1800), Stance.PAUSED, ("owner",), None),
        (
            DEFAULTS,
            {B, A},
            OwnChoice("contribute"),
            Stance.CONTRIBUTING,
            ("owner", B),
            "Contributing, as you asked, although this computer runs on battery.",
        ),
        # What it won over is gone, or its hour: it holds no longer.
        (DEFAULTS, {A}, OwnChoice("contribute"), Stance.GENTLE, (A,), None),
        (DEFAULTS, {A}, OwnChoice("pause", NOW), Stance.GENTLE, (A,), None),
        (
            replace(DEFAULTS, schedule=NIGHTS),
            {},
            None,
            Stance.PAUSED,
            ("schedule",),
            "Paused until 22:00: it is outside the times that you set.",
        ),
    ],
)
def test_what_stands_and_what_was_chosen_make_one_stance(
    rules: Rules,
    standing: set[Condition],
    choice: OwnChoice | None,
    stance: Stance,
    reasons: tuple[str, ...],
    said: str | None,
) -> None:
    decision = decide(rules, frozenset(standing), choice, EVENING, NOW)
    assert (decision.stance, decision.reasons) == (stance, reasons)
    assert decision.by_owner is ("owner" in reasons)
    if said is not None:
        assert sentence(decision, EVENING) == said


@pytest.mark.parametrize(
    ("until", "said"),
    [
        (datetime(2026, 11, 30, 19, 5), "Paused until 19:05, as you asked."),
        (datetime(2026, 12, 1, 7, 0), "Paused until tomorrow 07:00, as you asked."),
        (datetime(2026, 12, 4, 7, 0), "Paused until Friday 07:00, as you asked."),
        (datetime(2027, 1, 1, 7, 0), "Paused until 2027-01-01 07:00, as you asked."),
    ],
)
def test_until_when_is_said_as_people_say_it(until: datetime, said: str) -> None:
    assert sentence(Decision(Stance.PAUSED, ("owner",), until.timestamp(), True), EVENING) == said


def test_a_schedule_says_when_it_ends_also_while_it_is_open() -> None:
    night = datetime(2026, 11, 30, 23, 0)
    decision = decide(replace(DEFAULTS, schedule=NIGHTS), frozenset(), None, night, night.timestamp())
    assert decision.until_epoch == datetime(2026, 12, 1, 7, 0).timestamp()
    assert sentence(decision, night) == "Contributing until tomorrow 07:00."


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")  # works without a time zone database
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("now", "hours"),
    # The nights in which clocks go forward and back: 22:00 to 7:00 is eight hours long, and ten.
    [((2026, 3, 28, 22, 0), 8), ((2026, 10, 24, 22, 0), 10), ((2026, 6, 1, 22, 0), 9)],
)
def test_a_night_in_which_the_clock_is_set_ends_in_the_morning(
    berlin: None, now: tuple[int, int, int, int, int], hours: int
) -> None:
    local = datetime(*now)
    decision = decide(replace(DEFAULTS, schedule=NIGHTS), frozenset(), None, local, local.timestamp())
    assert decision.until_epoch == local.timestamp() + hours * 3600


_WORDS = st.sampled_from(["pause", "gentle", "ignore"])
_RULES = st.builds(Rules, _WORDS, _WORDS, _WORDS, _WORDS, st.sampled_from([schedule.ANY_TIME, NIGHTS]))
_STANDING = st.frozensets(st.sampled_from(Condition))
_CHOICES = st.one_of(
    st.none(),
    st.builds(OwnChoice, st.just("pause"), st.one_of(st.none(), st.floats(NOW - 1e6, NOW + 1e6))),
    st.just(OwnChoice("contribute")),
)
_TIMES = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1))


@given(_RULES, _STANDING, _CHOICES, _TIMES)
def test_whatever_is_the_case_the_decision_is_one_that_can_be_explained(
    rules: Rules, standing: frozenset[Condition], choice: OwnChoice | None, local: datetime
) -> None:
    now = local.timestamp()
    decision = decide(rules, standing, choice, local, now)
    over = is_over(choice, rules, standing, local, now)
    if choice is not None and not over:
        wanted = Stance.PAUSED if choice.what == "pause" else Stance.CONTRIBUTING
        assert decision.stance is wanted, "the owner's word wins"
    assert decision.by_owner is (choice is not None and not over)
    if decision.stance is not Stance.CONTRIBUTING:
        assert decision.reasons
    for code in set(decision.reasons) - {"owner", "schedule"}:
        assert Condition(code) in standing, "nobody is paused for what is not the case"
        assert rules.about(Condition(code)) != "ignore"
    if decision.until_epoch is not None:
        assert decision.until_epoch > now
    assert sentence(decision, local).endswith(".")
    assert decide(rules, standing, None if over else choice, local, now) == decision


# ---------------------------------------------------------------- over time


@given(st.lists(st.tuples(st.floats(0.0, 400.0), st.sampled_from([True, False, None])), max_size=40))
def test_a_condition_changes_only_after_it_was_so_for_long_enough(
    story: list[tuple[float, bool | None]],
) -> None:
    begin_s, end_s, now = 2.0, 20.0, 0.0
    latch, since, last = Latch(), 0.0, None
    for passed_s, is_seen in story:
        now += passed_s
        if (is_seen is True) is not (last is True):
            since = now
        last = is_seen
        before, latch = latch, settle(latch, is_seen, now, begin_s, end_s)
        if is_seen is None:
            assert not latch.stands, "what is not known pauses nobody"
        elif latch.stands is not before.stands:
            assert latch.stands is is_seen
            assert now - since >= (begin_s if is_seen else end_s)


class Node:
    """A node of values with its own decisions; its clock is moved by hand."""

    def __init__(
        self,
        folder: Path,
        rules: Rules = DEFAULTS,
        choice: OwnChoice | None = None,
        free_after_s: float = 1800.0,
    ) -> None:
        self.clock = ManualClock(NOW)
        wanted = Plan(
            Span(0, 8),
            True,
            (),
            "127.0.0.1",
            0,
            64,
            32,
            0,
            ("b", "e"),
            rules=rules,
            free_after_s=free_after_s,
        )
        state = first_state(
            NodeInfo("N1", "0", 1, 0.0, "/p"),
            ModelInfo("tiny", "ab" * 32, 8, "none", "/m"),
            wanted,
            choice=choice,
        )
        self.store = Store(state)
        self.lines: list[str] = []
        self.store.watch(lambda before, after, event: self._hear(diary(before, after, event)))
        self.file = folder / "contribution.json"
        self.politely = Politely(self.store, self.file, self.clock)
        self.told: list[object] = []
        self.happens(SupplyChanged(False, 0.9), LinkSeen(("10.77.0.12",), None, False))
        for kind in (Kind.BLOCKS, Kind.ENGINE):
            self.starts(kind)
        self.told.clear()
        self.lines.clear()

    def _hear(self, line: str | None) -> None:
        if line is not None:
            self.lines.append(line)

    @property
    def state(self) -> State:
        return self.store.state

    @property
    def decision(self) -> Decision:
        return self.state.contribution.decision

    def starts(self, kind: Kind) -> None:
        self.happens(ChildStarted(kind, 7))
        for report in (Listening(f"12D3KooW{kind}", []), Ready()):
            self.happens(ChildReported(kind, report, self.clock.monotonic()))

    def happens(self, *events: Event) -> list[object]:
        """What the children are told, started or ended because of it; not what this computer runs on."""
        told: list[object] = []
        for event in events or (None,):
            if event is not None:
                self.store.apply(event)
            self.politely.look()
            while (action := plan(self.state, self.clock.monotonic())) is not None:
                if isinstance(action, TellChild):
                    if not isinstance(action.message, Surroundings):
                        told.append(action.message)
                    self.store.apply(ChildTold(action.kind, action.message))
                elif isinstance(action, StopChild):
                    told.append(f"stop {action.kind}")
                    self.store.apply(ChildStopping(action.kind))
                else:
                    told.append(f"start {action.kind}")
                    break
        self.told += told
        return told

    def passes(self, seconds: float) -> list[object]:
        """Time, in steps of a second as the node looks."""
        told: list[object] = []
        while seconds > 0:
            self.clock.advance(min(1.0, seconds))
            seconds -= 1.0
            told += self.happens()
        return told


OWN = ["12D3KooWengine"]
GOODNIGHT, RESUME = Goodnight(PAUSED, OWN), Resume()


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


def test_on_battery_it_pauses_at_once_and_is_back_five_seconds_after_the_plug(node: Node) -> None:
    assert node.happens(SupplyChanged(True, 0.9)) == [GOODNIGHT]
    assert node.happens(SupplyChanged(False, 0.9)) == []
    assert node.passes(4) == []
    assert node.happens(SupplyChanged(True, 0.9)) == [], "a plug that is moved takes nobody away twice"
    assert node.passes(60) == []
    assert node.happens(SupplyChanged(False, 0.9)) == []
    assert node.passes(6) == [RESUME]
    assert node.lines == [
        "contributing: Paused: this computer runs on battery.",
        "contributing: Contributing.",
    ]


def test_a_metered_network_and_one_that_is_not_known_to_be(node: Node) -> None:
    assert node.happens(LinkSeen(("10.77.0.12",), None, True)) == [GOODNIGHT]
    assert node.happens(LinkSeen(("10.77.0.12",), None, None)) == [RESUME], "unknown pauses nobody"


def test_a_person_makes_it_gentle_and_a_film_makes_it_pause(node: Node) -> None:
    assert node.happens(PersonSeen(Seen(True, False))) == [Priority(True)]
    assert node.happens(PersonSeen(Seen(True, True))) == [], "a splash is none"
    assert node.passes(1) == []
    assert node.passes(2) == [GOODNIGHT]
    for _ in range(5):  # they look at their mail now and then
        node.happens(PersonSeen(Seen(True, False)))
        assert node.passes(15) == []
        node.happens(PersonSeen(Seen(True, True)))
        assert node.passes(60) == []
    node.happens(PersonSeen(Seen(True, False)))
    assert node.passes(21) == [RESUME], "gentle still"
    assert node.state.blocks.low
    node.happens(PersonSeen(Seen(False, False)))
    assert node.passes(59) == []
    assert node.passes(2) == [Priority(False)]


def test_whoever_touches_the_mouse_every_few_minutes_changes_nothing(tmp_path: Path) -> None:
    node = Node(tmp_path, replace(DEFAULTS, when_active="pause"), free_after_s=0.0)
    assert node.happens(PersonSeen(Seen(True, False))) == [GOODNIGHT]
    for _ in range(20):
        node.happens(PersonSeen(Seen(False, False)))  # away for five minutes, and then
        assert node.passes(50) == []
        node.happens(PersonSeen(Seen(True, False)))
        assert node.passes(300) == []
    assert len(node.lines) == 1


def test_while_the_person_waits_for_their_own_answer_nothing_is_slower(node: Node) -> None:
    node.happens(PersonSeen(Seen(True, False)))
    assert node.happens(AnswersChanged(1, NOW)) == [Priority(False)]
    assert node.decision.stance is Stance.GENTLE
    assert node.happens(AnswersChanged(0, NOW)) == [Priority(True)]


def test_a_choice_for_an_hour_holds_over_a_restart_and_ends_by_itself(node: Node, tmp_path: Path) -> None:
    assert node.happens(WithdrawAsked(NOW + 3600)) == [GOODNIGHT]
    assert json.loads(node.file.read_text()) == {"choice": "pause", "until": NOW + 3600}
    again = Node(tmp_path, choice=OwnChoice("pause", NOW + 3600))
    assert again.state.withdrawn
    assert again.state.blocks.quiet, "it is never seen to serve"
    assert again.happens(SupplyChanged(True, 0.9)) == []
    again.happens(SupplyChanged(False, 0.9))
    again.clock.advance(3599)
    assert again.happens() == ["stop blocks"], "half an hour has passed, too"
    again.happens(ChildEnded(Kind.BLOCKS, "exit code 0", again.clock.monotonic()))
    assert again.passes(1) == ["start blocks"]
    assert again.decision == Decision()
    assert not again.file.exists()


def test_the_owner_contributes_in_spite_of_the_battery_and_is_asked_again_next_time(node: Node) -> None:
    node.happens(SupplyChanged(True, 0.9))
    assert node.happens(ServeAsked()) == [RESUME]
    assert node.decision.reasons == ("owner", "battery")
    assert json.loads(node.file.read_text())["choice"] == "contribute"
    assert node.passes(3600) == []
    node.happens(SupplyChanged(False, 0.9))
    assert node.passes(6) == []
    assert node.state.choice is None
    assert node.happens(SupplyChanged(True, 0.9)) == [GOODNIGHT]


def test_contributing_where_nothing_is_in_the_way_is_no_choice(node: Node) -> None:
    assert node.happens(ServeAsked()) == []
    assert node.state.choice is None
    node.happens(WithdrawAsked())
    node.happens(ServeAsked())
    assert node.state.choice is None
    assert not node.file.exists()


def test_the_memory_is_given_back_after_a_long_pause_and_had_again_for_an_own_answer(node: Node) -> None:
    node.happens(WithdrawAsked())
    assert next_look_at(node.state) == NOW + 1800
    node.happens(AnswersChanged(1, NOW + 100), AnswersChanged(0, NOW + 100))
    assert next_look_at(node.state) == NOW + 1900, "it is used"
    node.clock.advance(1899)
    assert node.happens() == []
    node.clock.advance(1)
    assert node.happens() == ["stop blocks"]
    node.happens(ChildEnded(Kind.BLOCKS, "exit code 0", node.clock.monotonic()))
    assert node.state.blocks.phase is Phase.WAITING
    assert snapshot(node.state, node.clock.monotonic(), NOW)["contribution"]["freed"]
    assert node.happens() == []
    # The engine is not kept waiting by blocks that are not there on purpose.
    node.happens(ChildEnded(Kind.ENGINE, "exit code 1", node.clock.monotonic()))
    node.clock.advance(1)
    assert isinstance(plan(node.state, node.clock.monotonic()), StartChild)
    node.starts(Kind.ENGINE)
    assert node.happens(AnswersChanged(1, node.clock.monotonic())) == ["start blocks"]
    node.starts(Kind.BLOCKS)
    assert node.told[-1] == GOODNIGHT, "for this computer alone"


def test_after_a_night_a_pause_is_said_again_in_its_own_name(node: Node) -> None:
    assert node.happens(SleepAnnounced(5.0, NOW)) == [Goodnight(ASLEEP)]
    node.happens(ChildReported(Kind.BLOCKS, Drained(0), NOW))
    node.happens(SupplyChanged(True, 0.9))
    assert node.told[-1] == GOODNIGHT
    assert node.happens(Woken(60.0, "signal", NOW)) == [RESUME], "the engine's: blocks stay quiet"
    assert node.state.blocks.quiet


def test_an_engine_that_comes_later_is_served_too(tmp_path: Path) -> None:
    node = Node(tmp_path, choice=OwnChoice("pause"))
    assert node.state.blocks.goodnight == (PAUSED, tuple(OWN))
    node.happens(ChildEnded(Kind.ENGINE, "exit code 1", NOW), ChildStarted(Kind.ENGINE, 8))
    assert node.state.blocks.goodnight == (PAUSED, ())
    told = node.happens(ChildReported(Kind.ENGINE, Listening("12D3KooWother", []), NOW))
    assert told == [Goodnight(PAUSED, ["12D3KooWother"])]


# ---------------------------------------------------------------- what is shown


def test_what_is_shown_names_reasons_and_what_cannot_be_known(node: Node) -> None:
    before = node.state
    node.happens(PersonSeen(Seen(True, None, "", "no display to ask")))
    assert changed_sections(before, node.state) == {"contribution", "children"}
    told = snapshot(node.state, NOW, NOW)["contribution"]
    assert told == {
        "state": "gentle",
        "by_owner": False,
        "reasons": [{"code": "active", "text": "somebody uses this computer"}],
        "until": None,
        "sentence": "Contributing gently: somebody uses this computer.",
        "knows": {"full-screen": None, "battery": False, "metered": False, "active": True},
        "unknown": [
            {
                "code": "full-screen",
                "text": "Whether a program fills the screen cannot be known here: no display to ask.",
            }
        ],
        "freed": False,
    }


def test_what_no_rule_is_about_is_not_missed(tmp_path: Path) -> None:
    node = Node(tmp_path, Rules())
    node.happens(PersonSeen(Seen(None, None, "a", "b")))
    assert snapshot(node.state, NOW, NOW)["contribution"]["unknown"] == []


def test_a_choice_that_the_disk_refuses_holds_and_is_told_and_tried_again(tmp_path: Path) -> None:
    node = Node(tmp_path / "gone")
    assert node.happens(WithdrawAsked()) == [GOODNIGHT]
    (problem,) = [one for one in problems(node.state) if one.about == "profile"]
    assert (problem.code, problem.message) == (
        "choice-not-kept",
        "Your choice about contributing holds only until this node stops:"
        f" {node.file} cannot be written: No such file or directory.",
    )
    node.file.parent.mkdir()
    node.passes(RETRY_S - 1)
    assert not node.file.exists(), "a disk that has refused is left alone for a while"
    node.passes(2)
    assert choicefile.read(node.file) == OwnChoice("pause")
    assert list(node.state.unkept) == []
    node.file.unlink()
    node.file.mkdir()  # it can be neither replaced nor forgotten now
    node.happens(ServeAsked())
    assert [(one.what, one.path) for one in node.state.unkept] == [(Keeps.CHOICE, str(node.file))]
    # Another word is tried at once, whatever was refused before.
    node.file.rmdir()
    node.happens(WithdrawAsked(NOW + 3600))
    assert list(node.state.unkept) == []
