"""A chat request and its answer as values: what the server asks of the node, what the client gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Hop
from swarm_app.domain.timing import Timing


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation; `role` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Choice:
    """How tokens are chosen. temperature 0 is greedy; max_tokens None goes to the end of the context."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    prefer: str = ""
    """Who is to answer: ``swarm`` or ``local``; "" leaves it to the node."""
    fallback: str = ""
    """Whether the local model may take over: ``auto``, ``ask`` or ``never``; "" leaves it to the node."""
    decides: bool = False
    """Whoever asks hears of an offer of the local model while the answer is open, and decides; without that
    an offer ends the answer, as FallbackOffered."""
    continues: bool = False
    """The last turn is the beginning of the answer; only the local model goes on with one."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The conversation fits and has a route; text will follow."""

    prompt_tokens: int
    trimmed_messages: int
    route: tuple[Hop, ...]
    model: str = ""
    """Who answers; "" is the model that the node runs with the household."""
    engine: str = "swarm"
    reason: str = ""
    """Why it is the local model."""
    remedy: str = ""
    """What a person can do so that the household answers again; "" where there is nothing to do."""


@dataclass(frozen=True, slots=True)
class Switched:
    """The local model goes on with the answer from here, in the middle of a sentence if need be."""

    model: str
    reason: str
    at_token: int
    """Tokens of the answer that were there."""
    trimmed_messages: int = 0
    """Of the conversation, the oldest that the local model did not get: its context is shorter."""
    remedy: str = ""
    """As in Begun."""


@dataclass(frozen=True, slots=True)
class Offered:
    """The household cannot answer, or go on; the local model could, once somebody says so."""

    request_id: str
    reason: str
    remedy: str
    model: str
    at_token: int
    """Pieces of text that were there."""
    until: float
    """Seconds since the epoch at which the offer runs out."""


@dataclass(frozen=True, slots=True)
class OfferOver:
    """Nothing is to be decided any more."""

    request_id: str
    how: str
    """``local`` or ``wait``: somebody decided so; ``household``: it goes on by itself; ``expired``; or
    ``ended``: the answer has."""


@dataclass(frozen=True, slots=True)
class Text:
    """The next piece of the answer, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Segment:
    """Who gave a part of the answer; `engine` is ``swarm`` or ``local``."""

    engine: str
    model: str
    route: tuple[Hop, ...]
    completion_tokens: int
    reason: str = ""
    remedy: str = ""
    """As in Begun."""


@dataclass(frozen=True, slots=True)
class Paused:
    """A pause is over; text goes on."""

    pause: Pause
    route: tuple[Hop, ...] = ()
    """By which it goes on; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Done:
    """The end of an answer; `reason` is ``stop``, ``length`` or ``cancelled``."""

    reason: str
    prompt_tokens: int
    completion_tokens: int
    segments: tuple[Segment, ...]
    timing: Timing | None
    trimmed_messages: int = 0
    pauses: tuple[Pause, ...] = ()
    """All of the answer's, those that were told as Paused included."""


AnswerEvent = Begun | Offered | OfferOver | Switched | Text | Paused | Done


class Answer(Protocol):
    """One answer in flight."""

    @property
    def request_id(self) -> str:
        """What the node's state and events call it."""
        ...

    async def next(self) -> AnswerEvent:
        """The next event; after Done nothing more comes. Raises a HomeswarmError when the answer fails.

        A cancelled call loses no event.
        """
        ...

    def close(self) -> None:
        """Free what the answer holds, on every peer; cancels it where it is not done. Safe to call twice."""
        ...
