"""The messages of one answer: what the node asks of an engine, what that tells of it, and how it ends.

Every one carries the request's id; an engine works on many at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from swarm_app.childproto.message import Message
from swarm_app.domain.pause import Pause
from swarm_app.domain.timing import Timing


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are chosen. temperature 0 is greedy."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int | None = None
    """Longest answer in tokens; None: up to the context's end."""
    stop: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Generate(Message):
    request_id: str
    messages: list[ChatMessage]
    sampling: Sampling
    trim: bool = False
    """Drop the oldest turns when the conversation is too long, instead of refusing."""
    partial: str = ""
    """The beginning of the answer, which is to be gone on with. Only a local engine takes one."""
    shown: int = 0
    """Characters of `partial` that the reader has; the rest was kept back: it may become a stop string."""


@dataclass(frozen=True, slots=True)
class Cancel(Message):
    request_id: str


@dataclass(frozen=True, slots=True)
class RouteHop:
    peer_id: str
    name: str
    span_start: int
    span_end: int


@dataclass(frozen=True, slots=True)
class Accepted(Message):
    """The request is valid and has a session: text will follow."""

    request_id: str
    prompt_tokens: int
    trimmed_messages: int
    route: list[RouteHop]
    model: str = ""
    """Who answers: the model's name."""


@dataclass(frozen=True, slots=True)
class Delta(Message):
    request_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Segment:
    """Who gave a part of the answer."""

    engine: str
    """``swarm`` or ``local``."""
    model: str
    route: list[RouteHop]
    completion_tokens: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Paused(Message):
    """Sent when a pause is over, at the token that ended it."""

    request_id: str
    pause: Pause
    route: list[RouteHop] = field(default_factory=list)
    """By which the answer goes on; empty where nothing is known of it."""


@dataclass(frozen=True, slots=True)
class Finished(Message):
    request_id: str
    reason: str
    """``stop``, ``length`` or ``cancelled``."""
    prompt_tokens: int
    completion_tokens: int
    segments: list[Segment]
    timing: Timing | None
    pauses: list[Pause] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Failed(Message):
    """A request (or, without one, the child itself) ended in an error of domain.errors."""

    request_id: str | None
    code: str
    message: str
    remedy: str
    so_far: Finished | None = None
    """What there was of the answer, with the reason ``failed``; None where it had not begun."""
    held: str = ""
    """The end of that text, not sent before because it may become a stop string."""
