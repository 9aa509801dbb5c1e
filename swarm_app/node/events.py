"""What can happen to a node. Past tense, frozen; `at` is monotonic seconds."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.childproto import Listening, Progress, Ready, RouteHop, Serving, SwarmSeen
from swarm_app.node.state import Complaint, Kind


@dataclass(frozen=True, slots=True)
class ChildStarted:
    kind: Kind
    pid: int


@dataclass(frozen=True, slots=True)
class ChildNotStarted:
    """The operating system refused to start the process."""

    kind: Kind
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class ChildReported:
    """The child said something about itself."""

    kind: Kind
    report: Listening | Progress | Ready | Serving | SwarmSeen
    at: float


@dataclass(frozen=True, slots=True)
class ChildComplained:
    """The child named the error that it ends of."""

    kind: Kind
    complaint: Complaint


@dataclass(frozen=True, slots=True)
class ChildWrote:
    """Lines on the child's standard error."""

    kind: Kind
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChildEnded:
    kind: Kind
    how: str
    """For people: ``exit code 3`` or ``signal SIGKILL``."""
    at: float


@dataclass(frozen=True, slots=True)
class AnswersChanged:
    """The number of answers in flight."""

    answers: int


@dataclass(frozen=True, slots=True)
class RouteTaken:
    route: tuple[RouteHop, ...]


@dataclass(frozen=True, slots=True)
class RetryAsked:
    """A person wants a child that is down to be tried again."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class StopAsked:
    why: str


Event = (
    ChildStarted
    | ChildNotStarted
    | ChildReported
    | ChildComplained
    | ChildWrote
    | ChildEnded
    | AnswersChanged
    | RouteTaken
    | RetryAsked
    | StopAsked
)
