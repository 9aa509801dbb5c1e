"""What an engine makes of the roll: who can be used, who is away and why."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from swarm_app.availability.constants import HOME_LAN
from swarm_app.bridge.records import Roll, ServerRecord
from swarm_app.childproto import SeenPeer
from swarm_app.domain.errors import CacheFull, NoRoute, PeerLost
from swarm_app.domain.pause import ASLEEP, BROKEN, LEFT, PAUSED, SLOW
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.engines.legs import Measured
from swarm_app.engines.view import View
from swarm_app.routing.choose import choose_route

MODEL = "m" * 64
DESK = ServerRecord(
    peer_id="QmDesk",
    name="desk",
    span=Span(0, 4),
    online=True,
    seconds_per_block=0.001,
    cache_tokens_left=100,
    quant="int8",
    model_id=MODEL,
    addresses=("/ip4/127.0.0.1/tcp/1/p2p/QmDesk",),
    expires_s=10.0,
)
ATTIC = replace(DESK, peer_id="QmAttic", name="attic", span=Span(4, 8), addresses=())


def seen(view: View) -> dict[str, SeenPeer]:
    return {peer.name: peer for peer in view.seen().peers}


def view_of(*records: ServerRecord) -> View:
    view = View(MODEL, 8)
    view.looked(Roll(list(records)))
    return view


def test_peers_of_the_roll_are_offered() -> None:
    view = view_of(DESK, ATTIC)
    route = choose_route(view.offers(), 8)
    assert [hop.name for hop in route.hops] == ["desk", "attic"]
    assert {name: peer.state for name, peer in seen(view).items()} == {
        "desk": "available",
        "attic": "available",
    }


def test_who_rounds_otherwise() -> None:
    one, two = replace(DESK, rounding="a"), replace(ATTIC, rounding="b")
    unknown = replace(ATTIC, peer_id="QmOld", name="old")
    view = view_of(one, two, replace(two, peer_id="QmTwin", rounding="a"), unknown)
    assert view.otherwise("QmDesk") == {"QmAttic"}
    # Of one that does not say nothing is known, and nobody is shunned for it.
    assert view.otherwise("QmOld") == view.otherwise("QmNobody") == frozenset()


def test_another_model_is_shown_and_not_used() -> None:
    """Scenario D1: the same name and span, other weights: another manifest, so another id."""
    other = replace(ATTIC, peer_id="QmOther", name="nas", model_id="f" * 64)
    view = view_of(DESK, other)
    with pytest.raises(NoRoute, match=r"No computer holds blocks 4 to 7\."):
        choose_route(view.offers(), 8)
    assert not seen(view)["nas"].on_route
    assert seen(view)["nas"].reason == "serves another model"
    # Identical bytes give the same id, wherever they came from: such a peer is just used.
    assert choose_route(view_of(DESK, replace(other, model_id=MODEL)).offers(), 8).num_blocks == 8


def test_a_paused_peer_is_away_for_everybody_but_its_own_computer() -> None:
    paused = replace(
        DESK,
        online=False,
        leaving=PAUSED,
        seconds_per_block=None,
        cache_tokens_left=None,
        addresses=(),
        expires_s=14.0,
    )
    others = view_of(DESK, ATTIC)
    others.looked(Roll([paused, ATTIC]))
    assert (seen(others)["desk"].state, seen(others)["desk"].reason) == ("left", "paused contributing")
    own = View(MODEL, 8, local=["QmDesk"])
    own.looked(Roll([DESK, ATTIC]))
    own.looked(Roll([paused, ATTIC]))
    assert choose_route(own.offers(), 8).hops[0].name == "desk"
    mine = seen(own)["desk"]
    assert (mine.state, mine.compute_s, mine.addresses) == ("available", 0.004, list(DESK.addresses))
    # A sleep is one for its own computer too.
    own.looked(Roll([replace(paused, leaving=ASLEEP, expires_s=18.0), ATTIC]))
    assert seen(own)["desk"].state == "asleep"


def test_blocks_past_the_models_end_are_not_used() -> None:
    view = view_of(DESK, ATTIC, replace(ATTIC, peer_id="QmWide", name="wide", span=Span(2, 99)))
    assert not seen(view)["wide"].on_route
    assert all(offer.span.end <= 8 for offer in view.offers())


def test_a_starting_peer_is_waited_for() -> None:
    view = view_of(DESK, replace(ATTIC, online=False))
    with pytest.raises(NoRoute, match=r"attic \(starting\)"):
        choose_route(view.offers(), 8)
    view.looked(Roll([DESK, replace(ATTIC, expires_s=14.0)]))
    assert choose_route(view.offers(), 8).num_blocks == 8


@pytest.mark.parametrize("cause", [ASLEEP, LEFT])
def test_a_farewell_in_the_roll_is_told(cause: str) -> None:
    view = view_of(DESK, ATTIC)
    view.looked(Roll([DESK, replace(ATTIC, online=False, leaving=cause, expires_s=14.0)]))
    assert (seen(view)["attic"].state, seen(view)["attic"].on_route) == (cause, False)
    with pytest.raises(NoRoute, match="attic"):
        choose_route(view.offers(), 8)
    # Its entry runs out; the household remembers who is away.
    view.looked(Roll([DESK]))
    assert seen(view)["attic"].state == cause
    assert choose_route(view.offers(Span(0, 4)), 4).num_blocks == 4
    with pytest.raises(NoRoute):
        choose_route(view.offers(), 8)


def test_an_old_farewell_does_not_put_a_woken_peer_back_to_sleep() -> None:
    asleep = replace(ATTIC, online=False, leaving=ASLEEP, expires_s=14.0)
    view = view_of(DESK, ATTIC)
    view.looked(Roll([DESK, asleep]))
    view.looked(Roll([DESK, replace(ATTIC, expires_s=90.0)]))
    awake = seen(view)["attic"].state
    view.looked(Roll([DESK, asleep]))
    assert seen(view)["attic"].state == awake


@pytest.mark.parametrize(
    ("error", "usable"),
    [
        (PeerLost("x", cause=BROKEN), False),
        (PeerLost("x", cause=ASLEEP), False),
        (PeerLost("x", cause=SLOW), True),
        (CacheFull("x"), True),
    ],
)
def test_what_a_session_tells_of_a_peer(error: PeerLost | CacheFull, usable: bool) -> None:
    view = view_of(DESK, ATTIC)
    view.lost(Hop("QmAttic", "attic", Span(4, 8)), error)
    offer = next(offer for offer in view.offers() if offer.peer == "QmAttic")
    assert offer.usable is usable
    # Slow or full: possible, and not the first choice for a while.
    assert ("QmAttic" in view.household.avoid_until_s()) is usable


def test_a_slow_peer_is_told_avoided_and_measured_anew_when_it_gets_work_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = time.monotonic()
    view = view_of(DESK, ATTIC)
    view.measured(Measured("QmAttic", blocks=4, compute_s=4.0, total_s=4.0))
    view.late("QmAttic", 0.4)
    assert seen(view)["attic"].reason == "takes 0.4 s for a step"
    assert seen(view)["attic"].on_route
    view.lost(Hop("QmAttic", "attic", Span(4, 8)), PeerLost("x", cause=SLOW))
    avoided_s = seen(view)["attic"].avoided_s
    assert avoided_s == pytest.approx(HOME_LAN.outpaced_s, abs=1.0)
    speeds = [offer.compute_s_per_block for offer in view.offers()]
    assert speeds == [0.001, 1.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s + HOME_LAN.outpaced_s + 2.0)
    assert seen(view)["attic"].avoided_s is None
    assert [offer.compute_s_per_block for offer in view.offers()] == [0.001, None]
    # What it was counts no more, what it is does.
    view.measured(Measured("QmAttic", blocks=4, compute_s=0.008, total_s=0.01))
    assert [offer.compute_s_per_block for offer in view.offers()] == [0.001, 0.002]


def test_what_changed_is_told_once_with_the_reason() -> None:
    view = view_of(DESK, ATTIC)
    assert [(change.name, change.before, change.after) for change in view.seen().changes] == [
        *(("desk", "", "available"), ("attic", "", "available"))
    ]
    view.late("QmAttic", 0.4)  # a reason, and no other state
    view.lost(Hop("QmAttic", "attic", Span(4, 8)), PeerLost("x", cause=ASLEEP))
    (change,) = view.seen().changes
    assert (change.name, change.before, change.after) == ("attic", "available", "asleep")
    assert (change.reason, [one.code for one in change.why]) == ("went to sleep", ["asleep"])
    assert view.seen().changes == []


def test_own_doubt_is_told_until_somebody_else_answers() -> None:
    view = View(MODEL, 8, local=["QmDesk"])
    view.looked(Roll([DESK, ATTIC]))
    assert view.seen().doubt == ""
    view.household.woke(time.monotonic())
    assert view.seen().doubt == "this computer just woke up"
    # This computer's own blocks answer without any network.
    view.answered("QmDesk", 0.0, 0.0)
    assert view.seen().doubt == "this computer just woke up"
    view.answered("QmAttic", 0.0, 0.0)
    assert view.seen().doubt == ""


def test_without_an_answer_the_last_look_holds() -> None:
    view = view_of(DESK, ATTIC)
    assert view.looked(None) == []
    assert len(view.offers()) == 2


def test_computers_of_another_version_are_told_for_as_long_as_the_roll_has_them() -> None:
    view = View(MODEL, 8)
    view.looked(Roll([DESK], newer=("attic",), older=("den", "shed")))
    told = view.seen()
    assert (told.newer, told.older) == (["attic"], ["den", "shed"])
    view.looked(None)
    assert view.seen().newer == ["attic"], "a look without an answer says nothing"
    view.looked(Roll([DESK]))
    assert (view.seen().newer, view.seen().older) == ([], [])


def test_a_peer_that_moved_is_named() -> None:
    view = view_of(DESK, ATTIC)
    moved = replace(DESK, addresses=("/ip4/127.0.0.2/tcp/1/p2p/QmDesk",), expires_s=14.0)
    assert view.looked(Roll([moved, ATTIC])) == [moved]
    assert view.looked(Roll([moved, ATTIC])) == []
    assert seen(view)["desk"].addresses == list(moved.addresses)


def test_measurements_go_before_announcements() -> None:
    view = view_of(DESK, ATTIC)
    view.measured(Measured("QmDesk", blocks=4, compute_s=0.08, total_s=0.1))
    offers = {offer.name: offer.compute_s_per_block for offer in view.offers()}
    assert offers == {"desk": pytest.approx(0.02), "attic": 0.001}
    assert seen(view)["desk"].compute_s == pytest.approx(0.08)
    assert view.deadline(Hop("QmDesk", "desk", Span(0, 2))).announced_s == pytest.approx(0.04)


def test_round_trips_follow_slowly_upwards_and_at_once_downwards() -> None:
    view = view_of(DESK)
    for trip_s in (0.010, 0.020, 0.002):
        view.answered("QmDesk", trip_s, trip_s)
        known = seen(view)["desk"].round_trip_s
        assert known is not None
        assert known <= trip_s
    assert known == pytest.approx(0.002)
