"""How well the blocks are covered, and which span a new server should take.

The idea is that of Petals' block selection (Borzunov et al. 2023, section 3.2): a new server goes where
the swarm is weakest. Here coverage comes first: a household of few computers is useless with one block
missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from swarm_app.domain.errors import BadRequest
from swarm_app.domain.span import Span, gaps
from swarm_app.routing.cost import COMPUTE_S_PER_BLOCK, ONLINE, PeerOffer

JOINING = "joining"


def coverage(offers: Sequence[PeerOffer], num_blocks: int) -> list[int]:
    """How many peers serve each block now."""
    counts = [0] * num_blocks
    for offer in offers:
        if offer.usable and offer.state == ONLINE:
            for block in offer.span.blocks[: max(0, num_blocks - offer.span.start)]:
                counts[block] += 1
    return counts


def uncovered(offers: Sequence[PeerOffer], num_blocks: int) -> list[Span]:
    """Blocks that nobody serves now, as maximal spans in order."""
    return gaps([o.span for o in offers if o.usable and o.state == ONLINE], num_blocks)


def strength(
    offers: Sequence[PeerOffer], num_blocks: int, *, usual_s: float = COMPUTE_S_PER_BLOCK
) -> list[float]:
    """Blocks per second that each block gets, all its peers together; joining peers count as come.

    `usual_s` stands for peers of unknown speed (seconds per block).
    """
    total = [0.0] * num_blocks
    for offer in offers:
        if offer.usable and offer.state in (ONLINE, JOINING):
            known_s = offer.compute_s_per_block
            speed = 1.0 / max(1e-9, usual_s if known_s is None else known_s)
            for block in offer.span.blocks[: max(0, num_blocks - offer.span.start)]:
                total[block] += speed
    return total


def choose_span(
    offers: Sequence[PeerOffer],
    num_blocks: int,
    capacity_blocks: int,
    *,
    without: str | None = None,
    usual_s: float = COMPUTE_S_PER_BLOCK,
) -> Span:
    """The span of `capacity_blocks` (or all blocks, if fewer) that serves the swarm best.

    First the one with the most blocks that nobody has, then the one whose weakest blocks are weakest, then
    the one that starts first, so that everybody who sees the same swarm chooses the same. `without` leaves
    out a peer: oneself, when choosing anew. Raises BadRequest for a capacity below 1.
    """
    if capacity_blocks < 1:
        raise BadRequest(
            "This computer has no room for even one block of the model.",
            remedy="Free some memory or choose a smaller quantization.",
        )
    length = min(capacity_blocks, num_blocks)
    now = strength([o for o in offers if o.peer != without], num_blocks, usual_s=usual_s)

    def worth(start: int) -> tuple[int, list[float], int]:
        window = sorted(now[start : start + length])
        return (-window.count(0.0), window, start)

    start = min(range(num_blocks - length + 1), key=worth)
    return Span(start, start + length)
