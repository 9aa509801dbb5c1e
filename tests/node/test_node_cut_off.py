"""Answers that this computer's own place in the swarm does not outlive: they end as what they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from swarm_app.localapi.answers import AnswerEvent, Begun, Done, Switched, Text, Turn
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.membershipview import NoSwarm
from swarm_app.membership.errors import RotationPending
from swarm_app.node.children import Complaint, Kind
from swarm_app.node.events import BelongingChanged, ChildStarted, StopAsked
from swarm_app.node.reasons import cut_off
from swarm_app.node.state import Belongs, Standing, State
from tests.node.rig import rigged_node
from tests.node.test_node_fold import after, fresh

HOME = Belongs(Standing.MEMBER, swarm_id="s", swarm_name="home", role="member", members=2)
REMOVED = Complaint("removed", "This computer was removed from the swarm home.", "Ask for a link.")
LOCKED = Complaint("secrets-unusable", "The keyring is locked.")


def answering(serve: bool = True) -> State:
    return after(fresh(serve=serve), BelongingChanged(HOME), ChildStarted(Kind.ENGINE, 8))


@pytest.mark.parametrize(
    ("belongs", "code", "said"),
    [
        (replace(HOME, standing=Standing.REMOVED, complaint=REMOVED), "removed", REMOVED.message),
        (replace(HOME, standing=Standing.LOCKED, complaint=LOCKED), "secrets-unusable", LOCKED.message),
        (Belongs(Standing.OUTSIDE), "no-swarm", "This computer has left the swarm home."),
        (
            replace(HOME, swarm_id="t"),
            "swarm-rotated",
            "The swarm home got a new key in the middle of the answer.",
        ),
        (replace(HOME, members=3), None, ""),
        (replace(HOME, role="guest"), None, ""),
        (replace(HOME, complaint=Complaint("certificate-expired", "It ran out.")), None, ""),
    ],
)
def test_what_ends_the_engine_is_what_its_answers_end_with(
    belongs: Belongs, code: str | None, said: str
) -> None:
    before = answering()
    now = after(before, BelongingChanged(belongs))
    error = cut_off(before, now)
    assert (error.code if error else None, error.message if error else "") == (code, said)


def test_a_node_that_stops_says_that() -> None:
    before = answering()
    assert cut_off(before, after(before, StopAsked("x"))) is None


ENDLESS = [Turn("user", "!" + json.dumps({"tokens": ["x"] * 4000, "delay_s": 0.01, "going_on": ["!"]}))]


def begun(client: LocalClient) -> Iterator[AnswerEvent]:
    answer = client.chat(ENDLESS)
    assert isinstance(next(answer), Begun)
    assert isinstance(next(answer), Text)
    return answer


PRIVATE = {"open": False, "secrets": "file", "nearby": "no"}


def test_a_new_key_and_leaving_end_an_answer_by_name(tmp_path: Path) -> None:
    with rigged_node(tmp_path, **PRIVATE) as node, node.client() as client:
        client.membership.create("home")
        node.wait_ready()
        answer = begun(client)
        client.membership.rotate()
        with pytest.raises(RotationPending, match="in the middle of the answer"):
            list(answer)
        node.wait_ready()
        answer = begun(client)
        client.membership.leave()
        with pytest.raises(NoSwarm, match="has left the swarm home"):
            list(answer)
        with pytest.raises(NoSwarm, match="in no household"):
            list(client.chat([Turn("user", "hi")]))


def test_the_local_model_goes_on_and_says_why(tmp_path: Path) -> None:
    with (
        rigged_node(tmp_path, local={}, fallback="auto", keep_local="always", **PRIVATE) as node,
        node.client() as client,
    ):
        client.membership.create("home")
        node.wait_ready()
        answer = begun(client)
        client.membership.leave()
        rest = list(answer)
        (switched,) = [event for event in rest if isinstance(event, Switched)]
        assert switched.reason == "this computer has left the swarm home"
        assert isinstance(rest[-1], Done)
