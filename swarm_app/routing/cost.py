"""What a decode step costs on a route.

A step crosses the hops in order and comes back: the way to the first peer, each hop's compute, the
ways between peers, the way home. Ways are one-way times. To and from this computer they are half the
measured round trip; between two peers they are half the sum of their round trips (as if through this
computer) unless somebody measured less. So a route whose hops are all called from here and a route
that pushes from peer to peer have the same formula, and the second is cheaper only where that is known.

All sums are whole nanoseconds: equal routes compare equal, whatever order their parts were added in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from swarm_app.domain.errors import BadRequest
from swarm_app.domain.route import Route
from swarm_app.domain.span import Span

HOP_OVERHEAD_S = 0.002
"""Cost of one more hop beyond its compute and its way: framing, queues, a hidden state's copies."""

COMPUTE_S_PER_BLOCK = 0.003
"""Assumed for a peer when no peer's speed is known: a 4096 x 11008 layer in bfloat16 on two cores
takes 4.9 ms, SmolLM2's in int8 under 1 ms."""

ROUND_TRIP_S = 0.010
"""Assumed for a peer when nobody's round trip is known: a household's wireless network on a normal day."""

ONLINE = "online"


@dataclass(frozen=True, slots=True)
class PeerOffer:
    """What a peer could carry, as seen from here.

    `compute_s_per_block` and `round_trip_s` are None where neither measured nor announced.
    `cache_tokens_left` is how long a new session may be; None where unknown, which counts as enough.
    `usable` False excludes the peer, and `reason` says why in words that fit into brackets ("other model").
    Peers with one `rounding` compute the same bits; "" where unknown, which counts as alike.
    """

    peer: str
    name: str
    span: Span
    state: str = ONLINE
    compute_s_per_block: float | None = None
    round_trip_s: float | None = None
    cache_tokens_left: int | None = None
    usable: bool = True
    reason: str = ""
    rounding: str = ""

    def rounds_like(self, other: PeerOffer) -> bool:
        return not self.rounding or not other.rounding or self.rounding == other.rounding


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one moment, in whole nanoseconds. Make it with `Costs.of`."""

    compute_ns: Mapping[str, int]
    """Per block."""
    way_ns: Mapping[str, int]
    """One way between this computer and the peer."""
    between_ns: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """One way from the first to the second, where measured."""
    hop_ns: int = round(HOP_OVERHEAD_S * 1e9)

    @classmethod
    def of(
        cls,
        offers: Sequence[PeerOffer],
        *,
        between_s: Mapping[tuple[str, str], float] | None = None,
        hop_overhead_s: float = HOP_OVERHEAD_S,
    ) -> Costs:
        """Costs of all offers; what is unknown of a peer is taken to be the median of the others.

        `between_s` holds measured one-way seconds from peer to peer. A peer nobody has timed is thus
        neither shunned nor preferred, and the first session on it gives the measurement.
        """
        compute = [o.compute_s_per_block for o in offers if o.compute_s_per_block is not None]
        trips = [o.round_trip_s for o in offers if o.round_trip_s is not None]
        usual_compute = _median(compute, COMPUTE_S_PER_BLOCK)
        usual_trip = _median(trips, ROUND_TRIP_S)
        return cls(
            compute_ns={o.peer: _ns(o.compute_s_per_block, usual_compute) for o in offers},
            way_ns={o.peer: _ns(o.round_trip_s, usual_trip) // 2 for o in offers},
            between_ns={pair: _ns(seconds, 0.0) for pair, seconds in (between_s or {}).items()},
            hop_ns=_ns(hop_overhead_s, 0.0),
        )

    def way(self, source: str | None, target: str | None) -> int:
        """One-way nanoseconds; None is this computer."""
        if source is None:
            return 0 if target is None else self.way_ns[target]
        if target is None:
            return self.way_ns[source]
        through_here = self.way_ns[source] + self.way_ns[target]
        return min(through_here, self.between_ns.get((source, target), through_here))

    def route_ns(self, route: Route) -> int:
        """Nanoseconds per decode step. Raises BadRequest for a peer that was not offered."""
        total = 0
        last: str | None = None
        for hop in route.hops:
            if hop.peer not in self.way_ns:
                raise BadRequest(f"The route names a computer that is not known here: {hop.name}.")
            total += self.way(last, hop.peer) + self.hop_ns + self.compute_ns[hop.peer] * len(hop.span)
            last = hop.peer
        return total + self.way(last, None)

    def predict(self, route: Route) -> float:
        """Seconds per decode step."""
        return self.route_ns(route) / 1e9


def _median(values: list[float], otherwise: float) -> float:
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2] if ordered else otherwise


def _ns(seconds: float | None, otherwise: float) -> int:
    # A peer's announcement is outside input: no negative time may make a route look free.
    return max(0, round((otherwise if seconds is None else seconds) * 1e9))
