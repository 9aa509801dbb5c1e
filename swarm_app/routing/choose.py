"""Which route an answer takes: the one with the lowest predicted time per token.

A little slower is taken where a loss would then be made good by a peer that computes the same bits, and the
answer go on with the very words (docs/decisions/0017).

Any peer may carry any part of its span, so a block has as many candidates as peers hold it. The best
sequence of peers over the blocks is found block by block (Viterbi 1967): what it costs to have block b
done on peer p is known from block b-1 on every peer. N blocks and P peers take N * P * P steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from swarm_app.domain.errors import CacheFull, NoRoute
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span, gaps
from swarm_app.routing.cost import ONLINE, Costs, PeerOffer

KEEP_MARGIN = 0.1
"""A new route must be this much faster than the present one: measurements wobble, and moving costs a
replay."""

SAME_WORDS = 0.1
"""What it may cost, as a part of a block's compute, that another peer could go on with the same words."""


def choose_route(
    offers: Sequence[PeerOffer],
    num_blocks: int,
    *,
    max_tokens: int = 0,
    costs: Costs | None = None,
    avoided_until_s: Mapping[str, float] | None = None,
    now_s: float = 0.0,
    current: Route | None = None,
    keep_margin: float = KEEP_MARGIN,
) -> Route:
    """The fastest route over blocks 0 to `num_blocks`, for a session of `max_tokens` positions.

    `avoided_until_s` maps peers to the monotonic time until which they are not used; `now_s` is that
    clock's now. Where some peers for a block have a stand-in that rounds alike, others count as slower by
    `SAME_WORDS` there. Of equally fast routes the one with fewer hops is taken, then the one whose peers' ids
    sort first. `current` is kept while it is possible and no other is faster by `keep_margin` (a fraction).

    Raises NoRoute naming the blocks that nobody can carry; CacheFull, naming how many tokens would fit,
    when only room is missing.
    """
    costs = costs or Costs.of(offers)
    avoided = {peer for peer, until_s in (avoided_until_s or {}).items() if until_s > now_s}
    willing = [o for o in offers if o.usable and o.state == ONLINE and o.peer not in avoided]
    missing = gaps([o.span for o in willing], num_blocks)
    if missing:
        raise NoRoute(_no_route_message(missing, offers, willing))
    roomy = [o for o in willing if o.cache_tokens_left is None or o.cache_tokens_left >= max_tokens]
    if gaps([o.span for o in roomy], num_blocks):
        fit = tokens_that_fit(willing, num_blocks)
        raise CacheFull(
            f"The swarm has room for {fit} more tokens; this conversation and its answer need {max_tokens}.",
            remedy="Shorten the conversation, or wait until another answer is finished.",
        )
    best = _fastest(roomy, num_blocks, costs)
    if current is not None and best != current and _possible(current, roomy, num_blocks):
        present_ns = costs.route_ns(current)
        if costs.route_ns(best) >= present_ns * (1.0 - keep_margin):
            return current
    return best


def tokens_that_fit(offers: Sequence[PeerOffer], num_blocks: int) -> int | None:
    """The longest session that some route over `offers` could carry; None where unlimited.

    0 when a block has no peer.
    """
    fit: int | None = None
    for block in range(num_blocks):
        rooms = [o.cache_tokens_left for o in offers if block in o.span]
        if not rooms:
            return 0
        known = [room for room in rooms if room is not None]
        if len(known) == len(rooms):
            fit = max(known) if fit is None else min(fit, max(known))
    return None if fit is None else max(0, fit)


def _possible(route: Route, roomy: Sequence[PeerOffer], num_blocks: int) -> bool:
    held = {(o.peer, o.span) for o in roomy}
    return route.num_blocks == num_blocks and all(
        any(peer == hop.peer and span.covers(hop.span) for peer, span in held) for hop in route.hops
    )


_Path = tuple[int, int, tuple[tuple[str, int], ...]]
"""Nanoseconds, hops, and (peer, first block) of each hop: compared in this order."""


def _fastest(roomy: Sequence[PeerOffer], num_blocks: int, costs: Costs) -> Route:
    """Every block is covered by `roomy`."""
    names = {o.peer: o.name for o in roomy}
    reached: dict[str, _Path] = {}
    for block in range(num_blocks):
        here = [o for o in roomy if block in o.span]
        backed = {o.peer for o in here if any(p.peer != o.peer and p.rounds_like(o) for p in here)}
        after: dict[str, _Path] = {}
        for peer in sorted({o.peer for o in here}):
            compute_ns = costs.compute_ns[peer]
            if backed and peer not in backed:
                compute_ns = round(compute_ns * (1.0 + SAME_WORDS))
            options: list[_Path] = []
            if block == 0:
                options.append((costs.way(None, peer) + costs.hop_ns + compute_ns, 1, ((peer, 0),)))
            for last, (so_far_ns, hops, path) in reached.items():
                if last == peer:
                    options.append((so_far_ns + compute_ns, hops, path))
                else:
                    moved_ns = so_far_ns + costs.way(last, peer) + costs.hop_ns + compute_ns
                    options.append((moved_ns, hops + 1, (*path, (peer, block))))
            after[peer] = min(options)
        reached = after
    _, _, path = min(
        (so_far_ns + costs.way(last, None), hops, path) for last, (so_far_ns, hops, path) in reached.items()
    )
    ends = [start for _, start in path[1:]] + [num_blocks]
    return Route(
        tuple(Hop(peer, names[peer], Span(start, end)) for (peer, start), end in zip(path, ends, strict=True))
    )


def _no_route_message(
    missing: Sequence[Span], offers: Sequence[PeerOffer], willing: Sequence[PeerOffer]
) -> str:
    unwilling = {
        o.peer: f"{o.name} ({o.reason or _state_in_words(o)})"
        for o in offers
        if o not in willing and any(o.span.overlap(span) for span in missing)
    }
    blocks = _in_words(missing)
    if not unwilling:
        return f"No computer holds {blocks}."
    listed = ", ".join(sorted(unwilling.values()))
    return f"No computer that can be used now holds {blocks}; not usable: {listed}."


def _state_in_words(offer: PeerOffer) -> str:
    return "not answering" if offer.state == ONLINE else offer.state


def _in_words(spans: Sequence[Span]) -> str:
    """ "block 3", "blocks 3 to 9", "blocks 0 to 2 and 5"; the last block is named, not the one after it."""
    parts = [str(s.start) if len(s) == 1 else f"{s.start} to {s.end - 1}" for s in spans]
    plural = len(spans) > 1 or len(spans[0]) > 1
    listed = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return f"block{'s' if plural else ''} {listed}"
