"""Children that prepare for a swarm which is still to come: when, in what order, and for how long."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from swarm_app.childproto import Listening, PrepareBlocks, Prepared, PrepareEngine, StartBlocks
from swarm_app.host.allowance import is_spare
from swarm_app.node.children import Kind, Phase
from swarm_app.node.events import (
    BelongingChanged,
    ChildEnded,
    ChildEntered,
    ChildNotStarted,
    ChildReported,
    ChildStarted,
    Event,
    StopAsked,
    SwarmExpected,
)
from swarm_app.node.plan import Action, PrepareChild, StartChild, StopChild, next_look_at, plan
from swarm_app.node.state import Belongs, Standing, State
from swarm_app.node.warmth import WARM_S
from tests.node.rig import rigged_node, until
from tests.node.test_node_fold import OURS, after, fresh

OUTSIDE = BelongingChanged(Belongs(Standing.OUTSIDE))
HOME = Belongs(Standing.MEMBER, swarm_id="s", swarm_name="home", role="member", members=2)
WARM: tuple[Event, ...] = (
    OUTSIDE,
    SwarmExpected(0.0),
    ChildStarted(Kind.BLOCKS, 7, warm=True),
    ChildStarted(Kind.ENGINE, 8, warm=True),
)


def phases(state: State) -> tuple[Phase, Phase]:
    return state.blocks.phase, state.engine.phase


def next_step(state: State, now: float = 1.0) -> Action | None:
    return plan(state, now)


def test_children_are_warm_while_a_swarm_may_come_and_go_on_when_it_does() -> None:
    state = after(fresh(), OUTSIDE)
    assert next_step(state) is None, "nobody expects a swarm"
    state = after(state, SwarmExpected(0.0))
    first = next_step(state)
    assert isinstance(first, PrepareChild)
    assert isinstance(first.frame, PrepareBlocks)
    assert (first.frame.start.span_start, first.frame.start.span_end) == (2, 5)
    state = after(state, ChildStarted(Kind.BLOCKS, 7, warm=True))
    second = next_step(state)
    assert isinstance(second, PrepareChild)
    assert isinstance(second.frame, PrepareEngine)
    state = after(
        state, ChildStarted(Kind.ENGINE, 8, warm=True), ChildReported(Kind.BLOCKS, Prepared(9), 0.5)
    )
    assert phases(state) == (Phase.WARM, Phase.WARM)
    assert (next_step(state), state.blocks.memory_bytes) == (None, 9)

    state = after(state, BelongingChanged(replace(HOME, standing=Standing.CHECKING)), BelongingChanged(HOME))
    start = next_step(state)
    assert isinstance(start, StartChild)
    assert isinstance(start.frame, StartBlocks)
    assert start.frame.swarm_id == "s"
    state = after(state, ChildEntered(Kind.BLOCKS))
    assert next_step(state) is None, "the engine joins through the blocks, and stays warm until then"
    state = after(state, ChildReported(Kind.BLOCKS, Listening("12D3KooWX", [OURS]), 0.6))
    assert isinstance(go_on := next_step(state), StartChild)
    assert go_on.kind is Kind.ENGINE
    state = after(state, ChildEntered(Kind.ENGINE))
    assert phases(state) == (Phase.LISTENING, Phase.STARTING)
    assert (state.blocks.pid, state.engine.pid) == (7, 8), "the very processes that were warm"


@pytest.mark.parametrize(
    ("belongs", "now", "stopped"),
    [
        (Belongs(Standing.OUTSIDE), WARM_S - 1, None),
        (Belongs(Standing.OUTSIDE), WARM_S, Kind.BLOCKS),
        (Belongs(Standing.CHECKING), 1.0, None),
        (Belongs(Standing.LOCKED, swarm_id="s"), 1.0, Kind.BLOCKS),
        (Belongs(Standing.REMOVED, swarm_id="s"), 1.0, Kind.BLOCKS),
        (Belongs(Standing.TWIN, swarm_id="s"), 1.0, Kind.BLOCKS),
        (replace(HOME, role="guest"), 1.0, Kind.BLOCKS),
    ],
)
def test_memory_is_given_back_when_no_swarm_comes(belongs: Belongs, now: float, stopped: Kind | None) -> None:
    state = after(fresh(), *WARM)
    assert next_look_at(state) == WARM_S
    state = after(state, BelongingChanged(belongs))
    action = next_step(state, now)
    if belongs.role == "guest":  # its engine goes on
        assert isinstance(action, StartChild | StopChild)
        state = after(state, ChildEntered(Kind.ENGINE))
        action = next_step(state, now)
    assert (action.kind if isinstance(action, StopChild) else None) is stopped


def test_one_that_dies_warm_is_tried_again_when_it_is_needed_and_not_before() -> None:
    died = ChildEnded(Kind.BLOCKS, "exit code 1", 1.0)
    state = after(fresh(), *WARM, died)
    assert state.blocks.phase is Phase.OFF
    assert next_step(state) is None
    refused = after(fresh(), *WARM[:2], ChildNotStarted(Kind.BLOCKS, "no memory", 1.0))
    assert refused.blocks.phase is Phase.OFF
    for one in (state, refused):
        inside = after(one, BelongingChanged(HOME))
        assert isinstance(again := next_step(inside), StartChild)
        assert again.kind is Kind.BLOCKS
    # In the very moment in which the swarm comes, it is an ordinary start.
    assert after(state, BelongingChanged(HOME)).blocks.phase is Phase.WAITING
    late = after(fresh(), *WARM, BelongingChanged(HOME), died)
    assert late.blocks.phase is Phase.WAITING


def test_a_node_that_only_chats_warms_its_engine_alone_and_stopping_ends_both() -> None:
    chats = after(fresh(serve=False), OUTSIDE, SwarmExpected(0.0))
    action = next_step(chats)
    assert isinstance(action, PrepareChild)
    assert action.kind is Kind.ENGINE
    assert phases(after(fresh(), *WARM, StopAsked("x"))) == (Phase.STOPPING, Phase.STOPPING)


def test_what_is_not_needed_yet_gets_a_share_of_the_free_memory_only() -> None:
    assert is_spare(250, 1000)
    assert not is_spare(251, 1000)


def test_a_node_prepares_before_it_founds_and_the_same_processes_serve(tmp_path: Path) -> None:
    starts = {kind: tmp_path / f"{kind}.starts" for kind in ("blocks", "engine")}
    with rigged_node(
        tmp_path,
        blocks={"starts": str(starts["blocks"])},
        engine={"starts": str(starts["engine"])},
        open=False,
        secrets="file",
        nearby="no",
    ) as node:
        warm = node.wait_for(
            lambda s: all(
                child["phase"] == "warm" and child["memory_bytes"] == 500
                for child in (s["children"]["blocks"], s["children"]["engine"])
            )
        )
        assert warm["membership"]["standing"] == "outside"
        for kind in starts:
            (first,) = starts[kind].read_text().splitlines()
            assert json.loads(first)["first"].startswith("Prepare")
        pids = [warm["children"]["blocks"]["pid"], warm["children"]["engine"]["pid"]]
        assert (warm["children"]["blocks"]["addresses"], warm["children"]["engine"]["addresses"]) == ([], [])
        with node.client() as client:
            client.membership.create("home")
        ready = node.wait_ready()
        assert [ready["children"]["blocks"]["pid"], ready["children"]["engine"]["pid"]] == pids
        for kind in starts:
            prepared, started = (json.loads(line) for line in starts[kind].read_text().splitlines())
            assert prepared["pid"] == started["pid"]
            assert f"swarm_id='{ready['membership']['swarm_id']}'" in started["first"]
        # Who leaves gives the memory back.
        with node.client() as client:
            client.membership.leave()
        gone = node.wait_for(lambda s: s["children"]["blocks"]["phase"] == "off")
        assert gone["membership"]["standing"] == "outside"
        until(lambda: node.state()["children"]["engine"]["phase"] == "off")
