"""The JSON shapes of ``/api/state`` and ``/api/events``, typed for both ends."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, get_args

from swarm_app.domain.said import ReasonParts


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
    standby: bool
    """Whether a second computer keeps up with each answer, so that a loss costs no replay."""
    standby_bytes: int
    """The memory that this takes, or would take, of other computers for each answer, at most."""
    memory_limit_bytes: NotRequired[int]
    """What the container or service that the node runs in may use, where that is less than the computer has;
    else 0."""
    processor_limit: NotRequired[int]
    """The same of processors."""


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
    """off, waiting, warm (loaded, and in no swarm yet), starting, listening, ready, restarting, down or
    stopping."""
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
    withdrawn: bool
    """Contributing is paused: nobody but this computer itself is served (see `ContributionView`)."""
    quiet: bool
    """The household has been told that nothing is served here now: paused, or about to sleep."""
    sessions: int
    cache_tokens_used: int
    cache_tokens: int
    steps: int


class ChildrenView(TypedDict):
    blocks: BlocksView
    engine: ChildView
    local: NotRequired[ChildView]
    """The local model's process; ``off`` while its memory is given back."""


class LocalView(TypedDict):
    """The model of this computer alone, which takes over when the household cannot answer."""

    model: str | None
    """Its name; None where there is none."""
    fallback: str
    """auto, ask or never."""
    prefer: str
    """swarm or local."""
    loaded_because: str
    """Why its memory is held; "" while it is not needed."""
    answers: int
    """Answers that it gives, or that wait for it."""
    tokens_per_s: float | None
    """Measured in decode; None before its first answer."""
    offers: NotRequired[list[OfferView]]
    """Answers that wait for a person's word whether it shall give them, the oldest first."""


class OfferView(TypedDict):
    """The household cannot answer, the local model could: ``POST /api/answers/ID/fallback`` decides."""

    request_id: str
    reason: str
    """A part of a sentence: "attic is asleep"."""
    why: list[ReasonParts]
    """`reason` in codes of `domain.said`."""
    remedy: str
    """What would bring the household back; "" where that is not known."""
    model: str
    at_token: int
    """Pieces of text of the answer that were there; 0: it has not begun."""
    until: float
    """Seconds since the epoch at which the offer runs out."""


class PeerView(TypedDict):
    peer_id: str
    name: str
    span: list[int]
    state: str
    """joining, available, suspect, unreachable, asleep or left."""
    since: float | None
    """When that began, in seconds since the epoch; None where it is not known."""
    on_route: bool
    avoided_until: float | None
    """In seconds since the epoch: until then new answers go to other computers where they can, because this
    one was lost, slow or full lately. None where it is not so."""
    reason: str
    """Why it is not on the route, or not available; of one that is available, what is wrong with it now."""
    why: list[ReasonParts]
    """`reason` in codes of `domain.said`."""
    compute_s: float | None
    round_trip_s: float | None
    cache_tokens_left: int | None
    power: str
    """mains or battery, as the peer says; "" where it does not know."""
    link: str
    """wire or wireless, as the peer says; "" where it does not know."""
    this_node: bool


class PeerChangeView(TypedDict):
    at: float
    """Seconds since the epoch."""
    peer_id: str
    name: str
    before: str
    """A peer's state, or "" where it was not known."""
    after: str
    """A peer's state, or "" where it was forgotten."""
    reason: str
    why: list[ReasonParts]
    """`reason` in codes of `domain.said`."""


class SwarmView(TypedDict):
    num_blocks: int
    seen: bool
    """False while there is no engine to look: peers, gaps and covered say nothing then."""
    peers: list[PeerView]
    gaps: list[list[int]]
    covered: bool
    doubt: str
    """Why this computer trusts its own judgement of others less for the moment; "" when it does not."""
    why_doubt: list[ReasonParts]
    changes: list[PeerChangeView]
    """What it came to think of them lately, the newest last."""


class HopView(TypedDict):
    peer: str
    name: str
    start: int
    end: int


class ProblemView(ComplaintView):
    about: str
    """What it is about: ``membership``, ``blocks``, ``engine``, ``local``, ``swarm``, ``peer``, ``power`` or
    ``profile``."""
    why: NotRequired[list[ReasonParts]]
    """The message in codes, where it names computers."""


class PauseView(TypedDict):
    """A pause of an answer: a silence that was felt, or a move to other computers. Seconds."""

    number: int
    """Counts the pauses since the node's start, from 1."""
    at: float
    """When it was over, in seconds since the epoch."""
    request_id: str
    """The answer's id without its ``chatcmpl-``."""
    cause: str
    peer: str
    name: str
    moved_to: list[str]
    """Names of the computers that took over; empty where the peer was waited for."""
    detect_s: float
    route_s: float
    replay_s: float
    total_s: float
    at_token: int
    """Tokens of the answer that were there."""
    text: str
    """The sentence for people."""
    load_s: NotRequired[float]
    """Of `route_s`, where the local model took over: until it was in memory."""
    words_may_differ: NotRequired[bool]
    """It went to computers that round otherwise: without the pause the words might have been others."""


class ChatsView(TypedDict):
    """The kept chats themselves are at ``/api/chats``."""

    revision: int
    """Grows whenever a chat is different."""
    running: list[str]
    """Ids of the chats that are being answered."""


class SleepView(TypedDict):
    slept_s: float
    how: str
    """How it was noticed: ``signal``, ``clock``, or ``stall`` (the process stood still, not the system)."""
    woke_at: float
    """Seconds since the epoch."""


class JoinRequestView(TypedDict):
    """A computer nearby that asks to join."""

    id: str
    name: str
    digits: str
    """Six, which its screen must show as well before anybody approves."""


class ClockView(TypedDict):
    """Clocks in the household are further apart than its computers put up with."""

    name: str
    """Of the computer whose clock is off; "" where it is this one's."""
    this_computer: bool
    offset_s: float
    """How far that clock is ahead; negative: behind."""
    sure: bool
    """Further clocks say whose it is; between two computers it may be either's."""


class MembershipView(TypedDict):
    standing: str
    """open, outside, checking, locked, member, removed or twin."""
    swarm_id: str
    swarm_name: str
    role: str
    """owner, admin, member, guest, or "" outside a swarm."""
    device_id: str
    founder: bool
    """This computer holds the swarm's key."""
    number: int
    """Of the list of members in force."""
    members: int
    door: list[str]
    """Where other nodes join by this one, as host:port."""
    reason: ComplaintView | None
    requests: list[JoinRequestView]
    clock: ClockView | None
    """None while all clocks agree, as far as members were met."""


class PowerView(TypedDict):
    on_battery: bool | None
    """None while unknown."""
    level: float | None
    """Of a battery where there is one, 0.0 to 1.0."""
    sleep_coming: bool
    """The system has said that it will sleep in a moment."""
    delays_sleep: bool
    """The system waits for this node's goodnight before it sleeps."""
    last_sleep: SleepView | None
    notes: list[str]
    """What cannot be watched or asked for here, a sentence each."""


class ReasonView(TypedDict):
    code: str
    """active, full-screen, battery, metered, schedule or owner."""
    text: str
    """For people, without a full stop."""


class ContributionView(TypedDict):
    """Whether this computer serves others now, and why."""

    state: str
    """contributing, gentle (at lower priority), paused, or none: this node serves nothing at all."""
    by_owner: bool
    """The owner's own choice decides, and no rule."""
    reasons: list[ReasonView]
    """The strongest first. Where the owner's "contribute" wins over rules, those stand behind ``owner``."""
    until: float | None
    """When it ends by itself, where the clock alone decides that; seconds since the epoch."""
    sentence: str
    knows: dict[str, bool | None]
    """What is the case now, by code; None: cannot be known here."""
    unknown: list[ReasonView]
    """Why, for those that some rule is about."""
    freed: bool
    """The memory of the blocks has been given back; they are loaded anew when they are needed."""


class LinkChangeView(TypedDict):
    at: float
    """Seconds since the epoch."""
    reasons: list[str]
    """Words of host.link.diff.LinkReason, for example ``address-added``."""
    rebind_needed: bool
    added: list[str]
    gone: list[str]


class LinkView(TypedDict):
    addresses: list[str]
    """IP addresses under which housemates can reach this computer's blocks, best first; containers' and VPNs'
    are never among them. Empty where the node listens for this computer alone."""
    network: str | None
    """The name of the wireless network; None on a wire, and where the system does not say. The access
    point itself is not told: it shows where somebody lives, and states are pasted into reports."""
    last_change: LinkChangeView | None
    notes: list[str]


class StateView(TypedDict):
    node: NodeView
    model: ModelView
    children: ChildrenView
    swarm: SwarmView
    route: list[HopView]
    """The route of the latest answer."""
    pauses: list[PauseView]
    """The latest ones, the newest last."""
    chats: ChatsView
    membership: MembershipView
    power: PowerView
    link: LinkView
    local: NotRequired[LocalView]
    contribution: NotRequired[ContributionView]
    problems: list[ProblemView]


Section = Literal[
    "node",
    "model",
    "children",
    "swarm",
    "route",
    "pauses",
    "chats",
    "membership",
    "power",
    "link",
    "local",
    "contribution",
    "problems",
]
SECTIONS: tuple[Section, ...] = get_args(Section)


class ChangeView(TypedDict):
    """A delta: the sections of the state that are different now, and what happened."""

    because: list[str]
    changed: dict[str, object]
