"""The JSON shapes of ``/api/state`` and ``/api/events``, typed for both ends."""

from __future__ import annotations

from typing import Literal, TypedDict


class NodeView(TypedDict):
    name: str
    version: str
    pid: int
    started_at: float
    """Seconds since the epoch."""
    uptime_s: float
    profile: str
    stopping: bool
    answers: int
    """Answers in flight."""


class ModelView(TypedDict):
    name: str
    id: str
    num_blocks: int
    quant: str


class WorkView(TypedDict):
    what: str
    done: int
    total: int


class ComplaintView(TypedDict):
    code: str
    message: str
    remedy: str


class ChildView(TypedDict):
    phase: str
    """off, waiting, starting, listening, ready, restarting, down or stopping."""
    pid: int | None
    peer_id: str
    addresses: list[str]
    work: WorkView | None
    memory_bytes: int
    restarts: int
    retry_in_s: float | None
    last_words: list[str]
    reason: ComplaintView | None


class BlocksView(ChildView):
    span: list[int] | None
    """[start, end), or None while the child has not chosen."""
    sessions: int
    cache_tokens_used: int
    cache_tokens: int
    steps: int


class ChildrenView(TypedDict):
    blocks: BlocksView
    engine: ChildView


class PeerView(TypedDict):
    peer_id: str
    name: str
    span: list[int]
    state: str
    on_route: bool
    reason: str
    compute_s: float | None
    round_trip_s: float | None
    cache_tokens_left: int | None
    this_node: bool


class SwarmView(TypedDict):
    num_blocks: int
    seen: bool
    """False while there is no engine to look: peers, gaps and covered say nothing then."""
    peers: list[PeerView]
    gaps: list[list[int]]
    covered: bool


class HopView(TypedDict):
    peer: str
    name: str
    start: int
    end: int


class ProblemView(ComplaintView):
    about: str
    """What it is about: ``blocks``, ``engine``, ``swarm`` or ``peer``."""


class StateView(TypedDict):
    node: NodeView
    model: ModelView
    children: ChildrenView
    swarm: SwarmView
    route: list[HopView]
    """The route of the latest answer."""
    problems: list[ProblemView]


Section = Literal["node", "model", "children", "swarm", "route", "problems"]
SECTIONS: tuple[Section, ...] = ("node", "model", "children", "swarm", "route", "problems")


class ChangeView(TypedDict):
    """A delta: the sections of the state that are different now, and what happened."""

    because: list[str]
    changed: dict[str, object]
