"""Coverage, and which span a newcomer takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.errors import BadRequest
from swarm_app.domain.span import Span
from swarm_app.routing.cost import PeerOffer
from swarm_app.routing.coverage import choose_span, coverage, strength, uncovered


def offer(
    name: str,
    start: int,
    end: int,
    compute_s: float | None = 0.001,
    state: str = "online",
    usable: bool = True,
) -> PeerOffer:
    return PeerOffer(f"Qm{name}", name, Span(start, end), state, compute_s, 0.001, None, usable)


def test_counts_and_gaps_are_of_those_who_serve_now() -> None:
    offers = [
        offer("a", 0, 4),
        offer("b", 2, 6),
        offer("c", 7, 99),
        offer("d", 0, 10, state="joining"),
        offer("e", 0, 10, usable=False),
    ]
    assert coverage(offers, 10) == [1, 1, 2, 2, 1, 1, 0, 1, 1, 1]
    assert uncovered(offers, 10) == [Span(6, 7)]
    assert uncovered([], 10) == [Span(0, 10)]


def test_strength_is_speed_added_up() -> None:
    offers = [offer("a", 0, 2, 0.5), offer("b", 1, 3, None), offer("c", 0, 9, state="unreachable")]
    assert strength(offers, 4, usual_s=0.25) == [2.0, 6.0, 4.0, 0.0]


@pytest.mark.parametrize(
    ("offers", "capacity", "expected"),
    [
        ([], 10, Span(0, 10)),
        ([offer("a", 0, 10)], 10, Span(10, 20)),
        ([offer("a", 0, 10, state="joining")], 10, Span(10, 20)),
        ([offer("a", 0, 10), offer("b", 10, 20)], 12, Span(18, 30)),
        ([offer("a", 0, 10), offer("b", 20, 30)], 10, Span(10, 20)),
        ([offer("a", 0, 10), offer("b", 20, 30)], 4, Span(10, 14)),
        # All covered: where it is slowest.
        ([offer("a", 0, 15, 0.001), offer("b", 15, 30, 0.01)], 10, Span(15, 25)),
        ([offer("a", 0, 30), offer("b", 0, 10), offer("c", 20, 30)], 10, Span(10, 20)),
        ([offer("a", 0, 30)], 99, Span(0, 30)),
        ([offer("a", 0, 10), offer("asleep", 10, 30, state="asleep")], 30, Span(0, 30)),
    ],
)
def test_a_newcomer_goes_where_it_is_needed(offers: list[PeerOffer], capacity: int, expected: Span) -> None:
    assert choose_span(offers, 30, capacity) == expected


def test_one_leaves_oneself_out_when_choosing_anew() -> None:
    offers = [offer("a", 0, 10), offer("me", 10, 20)]
    assert choose_span(offers, 20, 10, without="Qmme") == Span(10, 20)


def test_a_computer_without_room_is_told_so() -> None:
    with pytest.raises(BadRequest, match="no room"):
        choose_span([], 30, 0)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=12), st.integers(1, 24))
def test_newcomers_one_after_the_other_complete_the_swarm(capacities: list[int], num_blocks: int) -> None:
    offers: list[PeerOffer] = []
    for i, capacity in enumerate(capacities):
        before = sum(len(gap) for gap in uncovered(offers, num_blocks))
        span = choose_span(offers, num_blocks, capacity)
        assert len(span) == min(capacity, num_blocks)
        assert span.end <= num_blocks
        offers.append(offer(str(i), span.start, span.end))
        after = sum(len(gap) for gap in uncovered(offers, num_blocks))
        # No block that could have been covered was left for one that somebody holds.
        assert after == max(0, before - capacity)
