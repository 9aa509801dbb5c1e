"""The node's children as values: which there are, and how it stands with one.

Times are monotonic seconds. A part of `swarm_app.node.state.State`, and changed with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from swarm_app.childproto import Surroundings


class Kind(StrEnum):
    """The children."""

    BLOCKS = "blocks"
    ENGINE = "engine"
    LOCAL = "local"
    """Runs the local model; only while that may be needed."""


class Phase(StrEnum):
    OFF = "off"
    """Not wanted on this node."""
    WAITING = "waiting"
    """Wanted; something else has to come first."""
    WARM = "warm"
    """The process runs and has loaded what it can, or does; there is no swarm for it yet."""
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


ALIVE = frozenset({Phase.WARM, Phase.STARTING, Phase.LISTENING, Phase.READY, Phase.STOPPING})


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
    port: int = 0
    """Where it was reached last, in this life or an earlier one: the others look for it there. 0: any."""
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
    quiet: bool = False
    """It was told goodnight, and not to resume since."""
    drained: int | None = None
    """After a goodnight, when it has said that it is done: the sessions that were left."""
    doubting: bool = False
    """This computer woke or moved, and the child has not been told yet."""
    moved: bool = False
    """While `doubting`: the network is another one."""
    goodnight: tuple[str, tuple[str, ...]] = ("", ())
    """While `quiet`: the cause that it was told, and the peers of this computer that it serves on."""
    low: bool = False
    """It was told to let other programs go first."""
    hosts: tuple[str, ...] | None = None
    """IP addresses that it was told to announce last; None before the first time."""
    surroundings: Surroundings = field(default_factory=Surroundings)
    """What it was told of power and link last."""

    @property
    def alive(self) -> bool:
        return self.phase in ALIVE
