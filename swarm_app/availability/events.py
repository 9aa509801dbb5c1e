"""What can happen to a peer, as seen from here. Past tense, frozen; the time of it is passed beside it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RecordState(StrEnum):
    """What a peer's own record says of it."""

    JOINING = "joining"
    ONLINE = "online"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class RecordSeen:
    """The peer's record was read. Reading the same announcement again changes nothing."""

    state: RecordState
    expires: float
    """When the record runs out, on the clock of the DHT: it grows with each announcement and is only
    compared."""
    name: str = ""
    """The computer's name for people."""


@dataclass(frozen=True, slots=True)
class RecordExpired:
    """The household's roll was read and the peer is no longer in it."""


@dataclass(frozen=True, slots=True)
class HeartbeatSent:
    """A heartbeat is on its way. `urgent`: an answer depends on the peer."""

    urgent: bool = False


@dataclass(frozen=True, slots=True)
class HeartbeatAnswered:
    """However late: a late answer is a sign of life, and teaches the next timeout."""

    round_trip_s: float
    run: str = ""
    """What tells one run of the peer's process from the next; "" where that is not known."""


@dataclass(frozen=True, slots=True)
class HeartbeatMissed:
    """A heartbeat failed for good: the peer could not be dialled, or the call gave up after `waited_s`.

    Silence alone needs no event: `tick` notices it.
    """

    waited_s: float


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step's output arrived, `took_s` after the peer had its input."""

    took_s: float


@dataclass(frozen=True, slots=True)
class StepLate:
    """A step is over its deadline; it has been waited for `waited_s`."""

    waited_s: float


@dataclass(frozen=True, slots=True)
class StreamReset:
    """A session's connection to the peer ended without a word."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The peer answered that it has no room, or will not do the work."""


@dataclass(frozen=True, slots=True)
class Outpaced:
    """A session left the peer because it was slow, not because it was silent."""


@dataclass(frozen=True, slots=True)
class LeftLate:
    """A session left the peer because it was late, while the heartbeat that tells a slow one from a silent
    one was still in flight."""


@dataclass(frozen=True, slots=True)
class SaidGoodnight:
    """The peer is about to sleep. `until_s`: when it said that it would be back, if it did (monotonic)."""

    until_s: float | None = None


@dataclass(frozen=True, slots=True)
class SaidGoodbye:
    """The peer is leaving; with `pauses` it stays on, and serves nobody but its own computer."""

    pauses: bool = False


@dataclass(frozen=True, slots=True)
class OpinionAsked:
    """Another peer, `by`, was asked whether it reaches this one."""

    by: str


@dataclass(frozen=True, slots=True)
class OpinionAnswered:
    """`by` says that it reaches the peer (`alive`), or that the peer does not answer it either."""

    by: str
    alive: bool


@dataclass(frozen=True, slots=True)
class AddressChanged:
    """The peer is to be found at another address now."""


PeerEvent = (
    RecordSeen
    | RecordExpired
    | HeartbeatSent
    | HeartbeatAnswered
    | HeartbeatMissed
    | StepDone
    | StepLate
    | StreamReset
    | Refused
    | Outpaced
    | LeftLate
    | SaidGoodnight
    | SaidGoodbye
    | OpinionAsked
    | OpinionAnswered
    | AddressChanged
)
