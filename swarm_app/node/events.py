"""What can happen to a node. Past tense, frozen; `at` is monotonic seconds, ``_epoch`` wall-clock ones."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.childproto import (
    Announce,
    Drained,
    Goodnight,
    Listening,
    LocalSeen,
    Prepared,
    Priority,
    Progress,
    Ready,
    Resume,
    RouteHop,
    Serving,
    Surroundings,
    SwarmSeen,
)
from swarm_app.domain.pause import Pause
from swarm_app.node.children import Complaint, Kind
from swarm_app.node.computer import LinkMove, Seen
from swarm_app.node.politeness import Condition, Decision
from swarm_app.node.state import Belongs, Keeps, LocalModel, Offer


@dataclass(frozen=True, slots=True)
class ChildStarted:
    kind: Kind
    pid: int
    warm: bool = False
    """To prepare for a swarm that is still to come."""


@dataclass(frozen=True, slots=True)
class ChildEntered:
    """A warm child has been told its swarm."""

    kind: Kind


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
    report: Listening | Progress | Prepared | Ready | Drained | Serving | SwarmSeen | LocalSeen
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
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class ChatsChanged:
    """Something about the kept chats is different; `running`: those that are being answered."""

    running: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChatsPutAside:
    """The file with the chats was damaged: it lies at `path` now, and a new one is begun."""

    path: str


@dataclass(frozen=True, slots=True)
class WriteTried:
    """Something was to be kept over a restart; `refusal` is "" where the disk has it."""

    what: Keeps
    path: str
    refusal: str


@dataclass(frozen=True, slots=True)
class LocalAnswers:
    """The number of answers that the local model gives, or that wait for it."""

    answers: int
    at: float


@dataclass(frozen=True, slots=True)
class OffersChanged:
    """The offers of the local model that wait for a person's word."""

    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class SwarmLeft:
    """The local model took over from the household. `full`: that had no room for this one question, and may
    have it for the next."""

    reason: str
    at: float
    full: bool = False


@dataclass(frozen=True, slots=True)
class LocalChosen:
    """Another local model is to be used from now on, or the same anew."""

    model: LocalModel


@dataclass(frozen=True, slots=True)
class ChildStopping:
    """A child that is not needed any more has been told to end."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class RouteTaken:
    route: tuple[RouteHop, ...]


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """An answer goes on after a pause."""

    request_id: str
    pause: Pause
    over_epoch: float


@dataclass(frozen=True, slots=True)
class ChildTold:
    """A child has been told to sleep, to resume, how much to hurry, or where others reach it."""

    kind: Kind
    message: Announce | Goodnight | Priority | Resume | Surroundings


@dataclass(frozen=True, slots=True)
class SleepAnnounced:
    """The system will sleep, and waits `deadline_s` for our goodnight where we hold a lease."""

    deadline_s: float
    at: float


@dataclass(frozen=True, slots=True)
class GoodnightSaid:
    """The household knows, or there is no more time: the system may sleep."""


@dataclass(frozen=True, slots=True)
class StayedAwake:
    """The sleep that was announced has not come."""


@dataclass(frozen=True, slots=True)
class Woken:
    """The computer runs again; `slept_s` is 0.0 where it had not slept at all. `how` is a host.power How."""

    slept_s: float
    how: str
    woke_epoch: float


@dataclass(frozen=True, slots=True)
class ClockMoved:
    """The wall clock was set by somebody; `by_s` > 0 is forward."""

    by_s: float


@dataclass(frozen=True, slots=True)
class SupplyChanged:
    on_battery: bool
    level: float | None


@dataclass(frozen=True, slots=True)
class LeaseChanged:
    """Whether the system waits for our goodnight, and why not where it should."""

    held: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class WatchersNoted:
    """What the watchers cannot see here."""

    power: tuple[str, ...]
    link: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """How the network is now."""

    addresses: tuple[str, ...]
    network: str | None
    metered: bool | None = None
    wireless: bool | None = None


@dataclass(frozen=True, slots=True)
class LinkMoved:
    """The network is another one than before, and has settled."""

    move: LinkMove


@dataclass(frozen=True, slots=True)
class WithdrawAsked:
    """The owner takes the blocks back, until `until_epoch` or, with None, for good."""

    until_epoch: float | None = None


@dataclass(frozen=True, slots=True)
class ServeAsked:
    """The owner lets them be served again, whatever the rules say now."""


@dataclass(frozen=True, slots=True)
class ChoiceEnded:
    """What the owner chose holds no longer: its time is up, or it wins over nothing any more."""


@dataclass(frozen=True, slots=True)
class PersonSeen:
    """Somebody sits down or goes away, or a program fills the screen or does not any more."""

    seen: Seen


@dataclass(frozen=True, slots=True)
class ContributionDecided:
    """What the rules make of it all is another thing than before."""

    decision: Decision
    standing: frozenset[Condition]
    at: float


@dataclass(frozen=True, slots=True)
class RetryAsked:
    """A person wants a child that is down to be tried again."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class BelongingChanged:
    """This node's membership is another one, or is told of differently."""

    belongs: Belongs


@dataclass(frozen=True, slots=True)
class PeersTold:
    """A member has told where processes of the household are reached on libp2p; multiaddresses."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SwarmExpected:
    """This node may be in a swarm soon: it has just started, or is about to join one."""

    at: float


@dataclass(frozen=True, slots=True)
class StopAsked:
    why: str


Event = (
    ChildStarted
    | ChildEntered
    | ChildNotStarted
    | ChildReported
    | ChildComplained
    | ChildWrote
    | ChildEnded
    | AnswersChanged
    | LocalAnswers
    | OffersChanged
    | SwarmLeft
    | LocalChosen
    | ChildStopping
    | ChatsChanged
    | ChatsPutAside
    | WriteTried
    | RouteTaken
    | PauseEnded
    | ChildTold
    | SleepAnnounced
    | GoodnightSaid
    | StayedAwake
    | Woken
    | ClockMoved
    | SupplyChanged
    | LeaseChanged
    | WatchersNoted
    | LinkSeen
    | LinkMoved
    | WithdrawAsked
    | ServeAsked
    | ChoiceEnded
    | PersonSeen
    | ContributionDecided
    | RetryAsked
    | BelongingChanged
    | PeersTold
    | SwarmExpected
    | StopAsked
)
