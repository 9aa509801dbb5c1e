"""The node's state: frozen values, changed only by `swarm_app.node.fold.apply`.

Times named ``_at`` are monotonic seconds, but for ``started_at`` and names that end in ``_epoch``, which
are seconds since the epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from swarm_app.childproto import LocalSeen, PeerChange, RouteHop, SeenPeer, Serving
from swarm_app.config.choicefile import OwnChoice
from swarm_app.config.peersfile import KnownPeer
from swarm_app.domain.pause import Pause
from swarm_app.domain.span import Span, gaps
from swarm_app.host.allowance import UNLIMITED, Limited
from swarm_app.node.children import Child, Complaint, Kind, Phase
from swarm_app.node.computer import ComingSleep, Link, Power, Seen
from swarm_app.node.politeness import FREELY, NO_RULES, Condition, Decision, Rules, Stance, paused_by_owner

AVAILABLE = "available"
AWAY = frozenset({"unreachable", "asleep", "left"})
"""States of peers that are known and not there. The others: joining, available, suspect."""


@dataclass(frozen=True, slots=True)
class NodeInfo:
    name: str
    version: str
    pid: int
    started_at: float
    profile: str
    limited: Limited = UNLIMITED
    """What this node and its children may use, where that is less than the computer has."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The model that this node runs; `id` is its manifest's hash."""

    name: str
    id: str
    num_blocks: int
    quant: str
    folder: str
    cache_bytes_per_token: int = 0
    """Of attention cache, in all blocks together."""

    @property
    def there(self) -> bool:
        """Whether there is one: a computer that only uses its local model has none to share."""
        return bool(self.id)


NO_MODEL = ModelInfo("", "", 0, "", "")


@dataclass(frozen=True, slots=True)
class LocalModel:
    """The model of this computer alone; `path` is its GGUF file, of several parts the first one."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Swarm:
    """The engine's view of the peers; `seen` is False while there is no engine to look."""

    num_blocks: int = 0
    seen: bool = False
    peers: tuple[SeenPeer, ...] = ()
    seen_at: float = 0.0
    """What the peers' `since_s` counts back from."""
    doubt: str = ""
    """Why this computer trusts its own judgement of others less."""
    covered_at: float | None = None
    """Since when all blocks have been covered; None while they are not."""
    newer: tuple[str, ...] = ()
    """Names of computers that run a later version of Homeswarm, whose blocks cannot be used here."""
    older: tuple[str, ...] = ()
    """The same of an earlier version."""

    @property
    def gaps(self) -> tuple[Span, ...]:
        """Blocks that no usable, available peer holds."""
        spans = [
            Span(peer.span_start, peer.span_end)
            for peer in self.peers
            if peer.on_route and peer.state == AVAILABLE and 0 <= peer.span_start < peer.span_end
        ]
        return tuple(gaps(spans, self.num_blocks)) if self.num_blocks else ()

    @property
    def covered(self) -> bool:
        return self.seen and self.num_blocks > 0 and not self.gaps


@dataclass(frozen=True, slots=True)
class PauseRecord:
    """A pause of one answer; `number` counts from 1."""

    number: int
    over_epoch: float
    request_id: str
    pause: Pause


@dataclass(frozen=True, slots=True)
class ChatsSeen:
    """What windows must know of the kept chats to look again; the chats themselves are in the history."""

    revision: int = 0
    running: tuple[str, ...] = ()
    """Ids of those that are being answered."""
    put_aside: str = ""
    """Where their file lies now, if it was damaged when this node opened it."""


@dataclass(frozen=True, slots=True)
class PeerChangeRecord:
    changed_at: float
    change: PeerChange


class Standing(StrEnum):
    """How this node stands to a swarm."""

    OPEN = "open"
    """In an open swarm, which asks nobody who they are: on purpose, by ``--open``."""
    OUTSIDE = "outside"
    """In none."""
    CHECKING = "checking"
    """The membership and its keys are being read."""
    LOCKED = "locked"
    """In one, and the keys cannot be read now."""
    MEMBER = "member"
    REMOVED = "removed"
    TWIN = "twin"
    """Another computer runs with this one's identity, and was there first."""


RUNS = frozenset({Standing.OPEN, Standing.MEMBER})
"""In these the children may run."""


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """Somebody nearby asks to join."""

    request_id: str
    name: str
    digits: str
    """The six that both screens show."""


@dataclass(frozen=True, slots=True)
class ClockOff:
    """Clocks of the household differ by more than its computers put up with."""

    name: str
    """Of the computer whose clock is off; "" for this one."""
    offset_s: float
    """How far that clock is ahead of this computer's; or, where this one's is off, of the others'."""
    sure: bool
    """Further clocks say whose it is. Between two computers it may be either's."""
    others: tuple[str, ...] = ()
    """Where this computer's is off: those that agree with each other and not with it."""


@dataclass(frozen=True, slots=True)
class Overused:
    """An invite link let in more computers than it was made for: by owners or admins that were cut off from
    each other."""

    short_id: str
    """The beginning of the invite's id."""
    uses: int
    """That it was made for."""
    names: tuple[str, ...]
    """Of those whom it let in and who are there, in the order of the list."""


@dataclass(frozen=True, slots=True)
class Belongs:
    """What the rest of the node knows of its membership."""

    standing: Standing = Standing.OPEN
    swarm_id: str = ""
    swarm_name: str = ""
    role: str = ""
    device_id: str = ""
    founder: bool = False
    number: int = 0
    """Of the list of members in force."""
    members: int = 0
    door: tuple[str, ...] = ()
    """Where the door is, as ``host:port``."""
    complaint: Complaint | None = None
    requests: tuple[JoinRequest, ...] = ()
    clock: ClockOff | None = None
    overused: tuple[Overused, ...] = ()
    """Told to owners and admins alone."""
    other_versions: tuple[str, ...] = ()
    """Names of members whose nodes speak another version of the protocol."""

    @property
    def runs(self) -> bool:
        return self.standing in RUNS

    @property
    def hosts(self) -> bool:
        return self.runs and self.role != "guest"


class Keeps(StrEnum):
    """What a node keeps over a restart, as far as a person counts on it."""

    CHOICE = "choice"
    """What the owner chose about contributing."""
    MEMBERSHIP = "membership"
    """The swarm, and what was decided in it."""
    KEYS = "keys"
    """That the keys of a swarm which was left are gone."""


@dataclass(frozen=True, slots=True)
class Unkept:
    """Something that holds until the node stops only, because the disk (or the keyring) refuses it."""

    what: Keeps
    path: str
    """The file; "" for keys."""
    why: str
    """The system's words, or the keyring's sentence."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The household cannot answer, the local model could, and a person is asked whether it shall."""

    request_id: str
    reason: str
    remedy: str
    model: str
    at_token: int
    """Pieces of text that were there."""
    until_epoch: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """Whether this computer's blocks serve others now, and why."""

    decision: Decision = FREELY
    standing: frozenset[Condition] = frozenset()
    """What is the case for long enough to count, whatever the rules make of it."""
    paused_at: float | None = None
    """Since when it has been paused."""


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
    policy: str = "hedge"
    preset: str = "home_lan"
    standby: bool = False
    keep_awake: bool = False
    """Ask the system not to sleep of idleness while an answer is worked on."""
    fallback: str = "auto"
    prefer: str = "swarm"
    keep_local: str = "auto"
    """``always``, or ``auto``: while it may be needed (see `swarm_app.node.fallback`)."""
    takeover_s: float = 2.5
    """Silence of the household after which the local model takes over."""
    min_speed: float = 0.0
    """Tokens per second below which the household is too slow; 0: never."""
    local_idle_s: float = 300.0
    """Without a chat for this long, the local model's memory is given back."""
    rules: Rules = NO_RULES
    """When contributing pauses or becomes gentle."""
    free_after_s: float = 0.0
    """After a pause of this long the memory of the blocks is given back; 0: never."""


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
    pauses: tuple[PauseRecord, ...] = ()
    """The latest ones, the newest last."""
    contribution: Contribution = Contribution()
    choice: OwnChoice | None = None
    """What the owner last asked for, while it holds."""
    seen: Seen = field(default_factory=Seen)
    sleep: ComingSleep | None = None
    power: Power = field(default_factory=Power)
    link: Link = field(default_factory=Link)
    chats: ChatsSeen = ChatsSeen()
    peer_changes: tuple[PeerChangeRecord, ...] = ()
    """What the engine came to think of peers lately, the newest last."""
    belongs: Belongs = Belongs()
    known: tuple[KnownPeer, ...] = ()
    """Peers of the household to join by, the present ones first."""
    stopping: bool = False
    local: Child = field(default_factory=lambda: Child(Kind.LOCAL, Phase.OFF))
    local_model: LocalModel | None = None
    local_started: LocalModel | None = None
    """What its process was started with last."""
    local_seen: LocalSeen | None = None
    local_answers: int = 0
    """Answers that the local model gives, or that wait for it."""
    local_used_at: float | None = None
    """When the latest of those ended or began."""
    active_at: float | None = None
    """When an answer last began or ended, whoever gave it."""
    offers: tuple[Offer, ...] = ()
    """Of the local model, the oldest first."""
    left_swarm_at: float | None = None
    """When the local model last took over from the household."""
    unkept: tuple[Unkept, ...] = ()
    expects_at: float | None = None
    """When a swarm was last to be expected soon: this node started, or somebody lets it join one."""

    @property
    def withdrawn(self) -> bool:
        """Nothing is served to other computers: the owner says so, or the rules for their sake."""
        return self.contribution.decision.stance is Stance.PAUSED

    def child(self, kind: Kind) -> Child:
        return {Kind.BLOCKS: self.blocks, Kind.ENGINE: self.engine, Kind.LOCAL: self.local}[kind]

    def may_run(self, kind: Kind) -> bool:
        """Whether that child, of the swarm's two, is wanted and has a swarm to be in."""
        runs = self.belongs.runs if kind is Kind.ENGINE else self.plan.serve and self.belongs.hosts
        return runs and self.model.there


def first_state(
    node: NodeInfo,
    model: ModelInfo,
    plan: Plan,
    known: tuple[KnownPeer, ...] = (),
    port: int = 0,
    local_model: LocalModel | None = None,
    choice: OwnChoice | None = None,
) -> State:
    """A node before its children. `known` and `port`: whom it knew and where its blocks were reached when it
    last ran; `choice`: what its owner had chosen."""
    return State(
        node=node,
        model=model,
        plan=plan,
        blocks=Child(Kind.BLOCKS, Phase.WAITING if plan.serve else Phase.OFF, port=port),
        engine=Child(Kind.ENGINE, Phase.WAITING if model.there else Phase.OFF),
        swarm=Swarm(num_blocks=model.num_blocks),
        known=known,
        local_model=local_model,
        choice=choice,
        contribution=Contribution(
            paused_by_owner(choice.until_epoch) if choice is not None and choice.what == "pause" else FREELY
        ),
    )
