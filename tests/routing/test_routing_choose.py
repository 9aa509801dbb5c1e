"""Route choice against brute force, and what people are told when there is none."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.errors import BadRequest, CacheFull, NoRoute
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span
from swarm_app.routing.choose import choose_route, tokens_that_fit
from swarm_app.routing.cost import Costs, PeerOffer


def offer(
    name: str,
    start: int,
    end: int,
    compute_s: float | None = 0.001,
    trip_s: float | None = 0.002,
    left: int | None = None,
    *,
    state: str = "online",
    usable: bool = True,
    reason: str = "",
    rounding: str = "",
) -> PeerOffer:
    span = Span(start, end)
    return PeerOffer(f"Qm{name}", name, span, state, compute_s, trip_s, left, usable, reason, rounding)


def spans(route: Route) -> list[tuple[str, int, int]]:
    return [(hop.name, hop.span.start, hop.span.end) for hop in route.hops]


def every_route(offers: list[PeerOffer], num_blocks: int) -> Iterator[Route]:
    """All assignments of blocks to peers, neighbours on one peer joined to a hop."""
    holders = [[o for o in offers if block in o.span] for block in range(num_blocks)]
    for chosen in itertools.product(*holders):
        hops: list[Hop] = []
        for block, holder in enumerate(chosen):
            if hops and hops[-1].peer == holder.peer:
                hops[-1] = Hop(holder.peer, holder.name, Span(hops[-1].span.start, block + 1))
            else:
                hops.append(Hop(holder.peer, holder.name, Span(block, block + 1)))
        yield Route(tuple(hops))


NUM_BLOCKS = 5

some_offers = st.lists(
    st.tuples(
        st.tuples(st.integers(0, NUM_BLOCKS - 1), st.integers(1, NUM_BLOCKS)).map(
            lambda pair: (min(pair[0], NUM_BLOCKS - 1), max(pair[1], pair[0] + 1))
        ),
        st.one_of(st.none(), st.sampled_from([0.0005, 0.001, 0.004, 0.02])),
        st.one_of(st.none(), st.sampled_from([0.0, 0.001, 0.01, 0.1])),
        st.sampled_from(["online", "online", "online", "joining", "unreachable"]),
        st.sampled_from([True, True, True, False]),
        st.one_of(st.none(), st.integers(0, 100)),
    ),
    max_size=4,
).map(
    lambda rows: [
        offer(f"p{i}", start, end, compute, trip, left, state=state, usable=usable)
        for i, ((start, end), compute, trip, state, usable, left) in enumerate(rows)
    ]
)

ways = st.dictionaries(
    st.tuples(st.sampled_from(["Qmp0", "Qmp1", "Qmp2", "Qmp3"]), st.sampled_from(["Qmp0", "Qmp1", "Qmp2"])),
    st.sampled_from([0.0, 0.0001, 0.05]),
    max_size=4,
)


@given(some_offers, ways, st.integers(0, 100), st.sets(st.sampled_from(["Qmp0", "Qmp1"])))
def test_the_choice_is_the_best_of_all_routes(
    offers: list[PeerOffer], between_s: dict[tuple[str, str], float], max_tokens: int, avoided: set[str]
) -> None:
    costs = Costs.of(offers, between_s=between_s)
    may = [
        o
        for o in offers
        if o.usable
        and o.state == "online"
        and o.peer not in avoided
        and (o.cache_tokens_left is None or o.cache_tokens_left >= max_tokens)
    ]
    best = min((costs.route_ns(route) for route in every_route(may, NUM_BLOCKS)), default=None)
    avoid = {**dict.fromkeys(avoided, 10.0), "Qmp2": 5.0}  # the latter is over
    try:
        route = choose_route(
            offers, NUM_BLOCKS, max_tokens=max_tokens, costs=costs, avoided_until_s=avoid, now_s=5.0
        )
    except (NoRoute, CacheFull):
        assert best is None
        return
    assert costs.route_ns(route) == best
    assert route.num_blocks == NUM_BLOCKS
    assert all(first.peer != second.peer for first, second in itertools.pairwise(route.hops))
    for hop in route.hops:
        assert any(o.peer == hop.peer and o.span.covers(hop.span) for o in may)
    # Of equally fast ones, none has fewer hops.
    equals = [r for r in every_route(may, NUM_BLOCKS) if costs.route_ns(r) == best]
    assert len(route.hops) == min(len(r.hops) for r in equals)
    # H1: an older machine that helps out never makes it slower than one that holds everything.
    for o in may:
        if o.span == Span(0, NUM_BLOCKS):
            alone = Route((Hop(o.peer, o.name, o.span),))
            assert costs.predict(route) <= costs.predict(alone)


@given(some_offers, st.randoms(use_true_random=False))
def test_the_order_of_offers_does_not_matter(offers: list[PeerOffer], random: object) -> None:
    def chosen(given_offers: list[PeerOffer]) -> object:
        try:
            return choose_route(given_offers, NUM_BLOCKS)
        except NoRoute as error:
            return error.message

    assert chosen(offers) == chosen(offers[::-1])


@pytest.mark.parametrize(
    ("desk_s", "desk", "attic", "cellar", "chosen"),
    [
        # desk is the quickest; attic and cellar could stand in for each other.
        (0.00098, "a", "b", "b", "attic"),
        (0.00098, "a", "b", "", "desk"),  # cellar may round like either
        (0.00098, "a", "a", "b", "desk"),
        (0.00098, "a", "b", "c", "desk"),  # nobody has a stand-in: the quickest
        (0.00098, "", "", "", "desk"),
        (0.00080, "a", "b", "b", "desk"),  # words are not worth a fifth of the speed
    ],
)
def test_a_route_is_begun_where_a_loss_changes_no_word(
    desk_s: float, desk: str, attic: str, cellar: str, chosen: str
) -> None:
    offers = [
        offer("desk", 0, 30, desk_s, rounding=desk),
        offer("attic", 0, 30, 0.001, rounding=attic),
        offer("cellar", 0, 30, 0.0015, rounding=cellar),
    ]
    assert spans(choose_route(offers, 30)) == [(chosen, 0, 30)]


def test_only_the_blocks_with_a_stand_in_count() -> None:
    """Half of desk's blocks are nobody else's; for the others attic has cellar behind it, and desk nobody."""
    offers = [
        offer("desk", 0, 30, 0.00098, trip_s=0.0, rounding="a"),
        offer("attic", 15, 30, 0.001, trip_s=0.0, rounding="b"),
        offer("cellar", 15, 30, 0.0015, trip_s=0.0, rounding="b"),
    ]
    # Another hop costs 2 ms: more than a tenth of fifteen blocks.
    assert spans(choose_route(offers, 30)) == [("desk", 0, 30)]
    costs = Costs.of(offers, hop_overhead_s=0.0005)
    assert spans(choose_route(offers, 30, costs=costs)) == [("desk", 0, 15), ("attic", 15, 30)]


def test_a_straggler_is_left_out_and_a_fast_peer_takes_its_part() -> None:
    whole = offer("desk", 0, 30, compute_s=0.001)
    assert spans(choose_route([whole, offer("old", 0, 30, compute_s=0.02)], 30)) == [("desk", 0, 30)]
    fast = offer("games", 10, 20, compute_s=0.0001, trip_s=0.001)
    assert spans(choose_route([whole, fast], 30)) == [
        ("desk", 0, 10),
        ("games", 10, 20),
        ("desk", 20, 30),
    ]
    # Too far away to be worth two more hops.
    far = offer("cellar", 10, 20, compute_s=0.0001, trip_s=0.1)
    assert spans(choose_route([whole, far], 30)) == [("desk", 0, 30)]


def test_a_hop_may_start_and_end_anywhere_in_a_peers_span() -> None:
    offers = [offer("a", 0, 20, 0.001), offer("b", 10, 30, 0.002)]
    assert spans(choose_route(offers, 30)) == [("a", 0, 20), ("b", 20, 30)]
    offers = [offer("a", 0, 20, 0.002), offer("b", 10, 30, 0.001)]
    assert spans(choose_route(offers, 30)) == [("a", 0, 10), ("b", 10, 30)]


def test_a_peer_seen_twice_may_offer_two_spans() -> None:
    offers = [offer("a", 0, 10), offer("a", 20, 30), offer("b", 10, 20)]
    assert spans(choose_route(offers, 30)) == [("a", 0, 10), ("b", 10, 20), ("a", 20, 30)]


def test_known_ways_between_peers_are_used() -> None:
    offers = [
        offer("a", 0, 10, trip_s=0.02),
        offer("b", 10, 20, trip_s=0.02),
        offer("c", 10, 20, trip_s=0.02),
    ]
    costs = Costs.of(offers, between_s={("Qma", "Qmc"): 0.001})
    route = choose_route(offers, 20, costs=costs)
    assert spans(route) == [("a", 0, 10), ("c", 10, 20)]
    # 10 ms out, 1 ms across, 10 ms home; 20 blocks of 1 ms; two hops of 2 ms.
    assert costs.predict(route) == pytest.approx(0.045)
    # Unknown: through here.
    assert Costs.of(offers).predict(route) == pytest.approx(0.064)


def test_a_peer_nobody_has_timed_is_taken_for_a_usual_one() -> None:
    offers = [offer("a", 0, 10, 0.001), offer("b", 0, 10, None, None), offer("c", 0, 10, 0.003)]
    assert spans(choose_route(offers, 10)) == [("a", 0, 10)]
    offers = [offer("b", 0, 10, None, None), offer("c", 0, 5, 0.003)]
    assert spans(choose_route(offers, 10)) == [("b", 0, 10)]
    assert choose_route([offer("n", 0, 3, None, None)], 3).num_blocks == 3


def test_an_announced_negative_time_gains_nothing() -> None:
    costs = Costs.of([offer("a", 0, 10, -5.0, -1.0)])
    route = Route((Hop("Qma", "a", Span(0, 10)),))
    assert costs.predict(route) == pytest.approx(0.002)


def test_the_present_route_is_kept_until_another_is_clearly_faster() -> None:
    slow, fast = offer("a", 0, 10, 0.0020), offer("b", 0, 10, 0.0019)
    current = choose_route([slow], 10)
    assert choose_route([slow, fast], 10, current=current) == current
    assert spans(choose_route([slow, fast], 10)) == [("b", 0, 10)]
    faster = offer("b", 0, 10, 0.0010)
    assert spans(choose_route([slow, faster], 10, current=current)) == [("b", 0, 10)]
    assert choose_route([slow, faster], 10, current=current, keep_margin=0.9) == current


def test_the_present_route_is_left_when_it_is_no_longer_possible() -> None:
    gone, other = offer("a", 0, 10, 0.001), offer("b", 0, 10, 0.002)
    current = choose_route([gone], 10)
    away = offer("a", 0, 10, 0.001, state="unreachable")
    shrunk = offer("a", 0, 9, 0.001)
    full = offer("a", 0, 10, 0.001, left=5)
    for now in (away, shrunk, full):
        assert spans(choose_route([now, other], 10, current=current, max_tokens=6))[-1][0] == "b"
    avoided = choose_route([gone, other], 10, current=current, avoided_until_s={"Qma": 2.0}, now_s=1.0)
    assert spans(avoided) == [("b", 0, 10)]
    assert (
        choose_route([gone, other], 10, current=current, avoided_until_s={"Qma": 2.0}, now_s=2.0) == current
    )


@pytest.mark.parametrize(
    ("offers", "message"),
    [
        ([offer("a", 0, 10), offer("b", 20, 30)], "No computer holds blocks 10 to 19."),
        ([], "No computer holds blocks 0 to 29."),
        ([offer("a", 0, 7), offer("b", 8, 30)], "No computer holds block 7."),
        (
            [offer("a", 3, 7), offer("b", 8, 20)],
            "No computer holds blocks 0 to 2, 7 and 20 to 29.",
        ),
        (
            [offer("a", 0, 10), offer("b", 10, 30, state="asleep")],
            "No computer that can be used now holds blocks 10 to 29; not usable: b (asleep).",
        ),
        (
            [
                offer("a", 0, 20),
                offer("c", 10, 30, usable=False, reason="other model"),
                offer("b", 25, 30, state="joining"),
                offer("d", 0, 10, state="joining"),
            ],
            "No computer that can be used now holds blocks 20 to 29;"
            " not usable: b (joining), c (other model).",
        ),
    ],
)
def test_no_route_names_the_blocks_and_who_would_have_them(offers: list[PeerOffer], message: str) -> None:
    with pytest.raises(NoRoute) as caught:
        choose_route(offers, 30)
    assert caught.value.message == message
    assert caught.value.remedy


def test_an_avoided_peer_is_named_as_not_answering() -> None:
    with pytest.raises(NoRoute, match=r"not usable: a \(not answering\)"):
        choose_route([offer("a", 0, 3)], 3, avoided_until_s={"Qma": 9.0}, now_s=1.0)


def test_missing_room_alone_says_how_much_there_is() -> None:
    offers = [offer("a", 0, 10, left=500), offer("b", 10, 20, left=90), offer("c", 10, 20, left=120)]
    with pytest.raises(CacheFull) as caught:
        choose_route(offers, 20, max_tokens=200)
    assert "120" in caught.value.message
    assert "200" in caught.value.message
    assert choose_route(offers, 20, max_tokens=120).hops[1].name == "c"
    with pytest.raises(NoRoute):
        choose_route(offers, 21, max_tokens=200)


@given(some_offers)
def test_what_is_said_to_fit_does_fit_and_no_more(offers: list[PeerOffer]) -> None:
    willing = [o for o in offers if o.usable and o.state == "online"]
    fit = tokens_that_fit(willing, NUM_BLOCKS)
    try:
        choose_route(offers, NUM_BLOCKS, max_tokens=0)
    except NoRoute:
        assert fit == 0
        return
    if fit is None:
        choose_route(offers, NUM_BLOCKS, max_tokens=10**9)
        return
    choose_route(offers, NUM_BLOCKS, max_tokens=fit)
    with pytest.raises(CacheFull, match=str(fit)):
        choose_route(offers, NUM_BLOCKS, max_tokens=fit + 1)


def test_a_route_over_unknown_peers_has_no_cost() -> None:
    with pytest.raises(BadRequest):
        Costs.of([offer("a", 0, 1)]).predict(Route((Hop("Qmz", "z", Span(0, 1)),)))


def test_a_big_household_is_quick_to_route() -> None:
    offers = [offer(f"p{i:02}", i, i + 60, 0.001 + i / 1e5, 0.001) for i in range(20)]
    assert choose_route(offers, 79).num_blocks == 79
