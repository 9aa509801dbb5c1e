"""The node's state: frozen values, changed only by `swarm_app.node.fold.apply`.

Times named ``_at`` are monotonic seconds, but for ``started_at``, which is seconds since the epoch.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from swarm_app.childproto import RouteHop, SeenPeer, Serving
from swarm_app.domain.span import Span, gaps


class Kind(StrEnum):
    """The two children."""

    BLOCKS = "blocks"
    ENGINE = "engine"


class Phase(StrEnum):
    OFF = "off"
    """Not wanted on this node."""
    WAITING = "waiting"
    """Wanted; something else has to come first."""
    STARTING = "starting"
    """The process runs and is not yet reachable."""
    LISTENING = "listening"
    """Reachable in the swarm, still loading."""
    READY = "ready"
    RESTARTING = "restarting"
    """It died and is started again at `retry_at`."""
    DOWN = "down"
    """It died too often, or of something that a restart cannot mend."""
    STOPPING = "stopping"


ALIVE = frozenset({Phase.STARTING, Phase.LISTENING, Phase.READY, Phase.STOPPING})


@dataclass(frozen=True, slots=True)
class NodeInfo:
    name: str
    version: str
    pid: int
    started_at: float
    profile: str


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The model that this node runs; `id` is its manifest's hash."""

    name: str
    id: str
    num_blocks: int
    quant: str
    folder: str


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error of domain.errors, kept."""

    code: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """What is being done and how far it is."""

    what: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Child:
    """One child process, alive or not."""

    kind: Kind
    phase: Phase
    pid: int | None = None
    ready_at: float | None = None
    peer_id: str = ""
    addresses: tuple[str, ...] = ()
    work: Work | None = None
    memory_bytes: int = 0
    restarts: int = 0
    short_lives: int = 0
    """Deaths since it last stayed ready for STABLE_S."""
    retry_at: float | None = None
    last_words: tuple[str, ...] = ()
    """The end of what it wrote to standard error, kept after its death until the next one."""
    complaint: Complaint | None = None
    """Why it is not there: the child's own words, or how it ended."""

    @property
    def alive(self) -> bool:
        return self.phase in ALIVE


@dataclass(frozen=True, slots=True)
class Swarm:
    """The engine's view of the peers; `seen` is False while there is no engine to look."""

    num_blocks: int = 0
    seen: bool = False
    peers: tuple[SeenPeer, ...] = ()

    @property
    def gaps(self) -> tuple[Span, ...]:
        """Blocks that no usable, online peer holds."""
        spans = [
            Span(peer.span_start, peer.span_end)
            for peer in self.peers
            if peer.on_route and peer.state == "online" and 0 <= peer.span_start < peer.span_end
        ]
        return tuple(gaps(spans, self.num_blocks)) if self.num_blocks else ()

    @property
    def covered(self) -> bool:
        return self.seen and self.num_blocks > 0 and not self.gaps


@dataclass(frozen=True, slots=True)
class Plan:
    """What the options ask of this node; never changes while it runs."""

    span: Span | None
    """The blocks to serve; None with `serve` means that the child chooses."""
    serve: bool
    join: tuple[str, ...]
    listen: str
    swarm_port: int
    cache_tokens: int
    context_tokens: int
    threads: int
    identities: tuple[str, str]
    """Files of the libp2p keys: the blocks child's, the engine child's."""


@dataclass(frozen=True, slots=True)
class State:
    node: NodeInfo
    model: ModelInfo
    plan: Plan
    blocks: Child
    engine: Child
    serving: Serving | None = None
    swarm: Swarm = Swarm()
    route: tuple[RouteHop, ...] = ()
    """The route of the latest answer."""
    answers: int = 0
    """Answers in flight."""
    stopping: bool = False

    def child(self, kind: Kind) -> Child:
        return self.blocks if kind is Kind.BLOCKS else self.engine


def first_state(node: NodeInfo, model: ModelInfo, plan: Plan) -> State:
    """A node before its children."""
    return State(
        node=node,
        model=model,
        plan=plan,
        blocks=Child(Kind.BLOCKS, Phase.WAITING if plan.serve else Phase.OFF),
        engine=Child(Kind.ENGINE, Phase.WAITING),
        swarm=Swarm(num_blocks=model.num_blocks),
    )
