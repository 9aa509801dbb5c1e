"""Routes: the ordered spans that carry one answer."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.domain.span import Span


@dataclass(frozen=True, slots=True)
class Hop:
    """One span crossed in a step: the peer (libp2p id, base58), its name for people, the blocks."""

    peer: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Route:
    """Contiguous hops from block 0 to the last block."""

    hops: tuple[Hop, ...]

    def __post_init__(self) -> None:
        position = 0
        for hop in self.hops:
            if hop.span.start != position:
                raise ValueError(f"hop {hop} does not start at block {position}")
            position = hop.span.end

    @property
    def num_blocks(self) -> int:
        return self.hops[-1].span.end if self.hops else 0

    def __str__(self) -> str:
        return " -> ".join(f"{hop.name} [{hop.span})" for hop in self.hops)
