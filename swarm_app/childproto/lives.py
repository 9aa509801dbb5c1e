"""The messages of a child's life: how it starts, what it is told while it runs, what it reports of itself and
of the swarm, and its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from swarm_app.childproto.message import Message
from swarm_app.domain.pause import ASLEEP
from swarm_app.domain.said import Reason

# ---------------------------------------------------------------- node -> child


@dataclass(frozen=True, slots=True)
class StartBlocks(Message):
    """First frame to a blocks child: serve blocks [span_start, span_end) of the model in `model_dir`.

    0 and 0 leave the choice to the child: what the swarm that it joins lacks most.
    """

    model_dir: str
    span_start: int
    span_end: int
    name: str
    """This computer's name for people."""
    identity_path: str
    """File of the libp2p key (0600, made when missing)."""
    initial_peers: list[str] = field(default_factory=list)
    """Multiaddresses to join by; empty founds a swarm."""
    listen_host: str = "127.0.0.1"
    listen_port: int = 0
    device: str = "cpu"
    announce_hosts: list[str] | None = None
    """IP addresses at which others reach this computer; None announces whatever the child listens on."""
    cache_tokens: int = 8192
    """Attention cache for all sessions together, in tokens (of every block of the span)."""
    threads: int = 0
    """Compute threads; 0 chooses."""
    session_idle_s: float = 30.0
    """A session without a step for this long gives its memory back."""
    swarm_id: str = ""
    """The private swarm: see BindingWanted. "" is an open one, which asks nobody who they are."""


@dataclass(frozen=True, slots=True)
class StartEngine(Message):
    """First frame to an engine child: run chats over the swarm."""

    model_dir: str
    name: str
    identity_path: str
    initial_peers: list[str] = field(default_factory=list)
    listen_host: str = "127.0.0.1"
    threads: int = 0
    context_tokens: int = 2048
    """Longest conversation, prompt and answer together, in tokens."""
    swarm_id: str = ""
    """As in StartBlocks."""
    policy: str = "hedge"
    """What is done about late peers: one of availability's policies."""
    preset: str = "home_lan"
    """One of availability's presets."""
    standby: bool = False
    """Each session has a second peer of each span that is fed its steps too."""
    local_peers: list[str] = field(default_factory=list)
    """Peers on this very computer, by id: that they answer proves nothing about its link."""


@dataclass(frozen=True, slots=True)
class PrepareBlocks(Message):
    """First frame to a blocks child of a node that is in no swarm yet: load what needs none. It listens
    nowhere and dials nobody until StartBlocks comes."""

    start: StartBlocks
    """As it will come, but for the swarm: who is in it, its id, and where this computer is reached."""


@dataclass(frozen=True, slots=True)
class PrepareEngine(Message):
    """The same to an engine child, until StartEngine comes."""

    start: StartEngine


@dataclass(frozen=True, slots=True)
class StartLocal(Message):
    """First frame to a local child: run chats on this computer alone, with the GGUF model in `path`."""

    path: str
    """The file; of a model in parts the first one."""
    name: str
    """The model's name for people and programs."""
    context_tokens: int = 2048
    threads: int = 0
    slots: int = 2
    """Answers at once; further ones wait their turn."""
    warm_up: bool = False
    """Run the model once before it counts as ready, so that its first answer begins at once."""
    check: bool = False
    """Look whether each weight is a number: for a file that has never been loaded here."""


@dataclass(frozen=True, slots=True)
class Goodnight(Message):
    """To a blocks child: this computer is about to sleep, or pauses contributing. Finish the steps, tell
    the sessions, take no new ones, withdraw the records, then say Drained; serve again after Resume."""

    cause: str = ASLEEP
    """What the others are told: one of domain.pause's farewells."""
    own: list[str] = field(default_factory=list)
    """Peers of this very computer, by id, which are served on."""


@dataclass(frozen=True, slots=True)
class Priority(Message):
    """To a blocks child: let other programs of this computer go first from the next step on, or no longer."""

    low: bool


@dataclass(frozen=True, slots=True)
class Announce(Message):
    """To a blocks child: others reach this computer at these IP addresses now, and at no other ones."""

    hosts: list[str]


@dataclass(frozen=True, slots=True)
class Surroundings(Message):
    """To a blocks child: what this computer runs on, for the household to see. "" where it is not known."""

    power: str = ""
    """``mains`` or ``battery``."""
    link: str = ""
    """``wire`` or ``wireless``."""


@dataclass(frozen=True, slots=True)
class Resume(Message):
    """After a wake, a change of the link (`moved`), or a sleep that did not come: doubt what is known of
    others, announce anew, serve again."""

    moved: bool = False


@dataclass(frozen=True, slots=True)
class Membership(Message):
    """What the child shows of itself and whom it believes from now on: the answer to BindingWanted, and again
    before that runs out and whenever the list of members changes."""

    credentials: str
    """Base64 of membership.credentials.Credentials; nothing in it is secret."""
    peers: list[str] = field(default_factory=list)
    """Multiaddresses of members' processes that the node has been told of: the child looks for those that it
    has not met. Two computers that started at the same moment would never hear of each other otherwise."""


@dataclass(frozen=True, slots=True)
class Shutdown(Message):
    pass


# ---------------------------------------------------------------- child -> node


@dataclass(frozen=True, slots=True)
class Listening(Message):
    """The child is reachable in the swarm, before its weights are loaded."""

    peer_id: str
    addresses: list[str]


@dataclass(frozen=True, slots=True)
class BindingWanted(Message):
    """First of all in a private swarm: the node shall bind this process to its device; it answers Membership.

    Until that has come the child answers nobody in the swarm and calls nobody.
    """

    peer_id: str
    """libp2p's, base58."""
    process_key: str
    """Public half of the key that the process has made for itself, in hex."""


@dataclass(frozen=True, slots=True)
class MembersHeard(Message):
    """Another computer showed a list of members that is new here; the node checks and spreads it."""

    members: str
    """Base64 of membership.members.MemberList."""


@dataclass(frozen=True, slots=True)
class Progress(Message):
    what: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Prepared(Message):
    """What a Prepare frame asked for is in memory, or does not fit into what a computer in no swarm gives."""

    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Ready(Message):
    """The child does its work now."""

    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Drained(Message):
    """After a Goodnight: the records are withdrawn and no session is left, or no more time was."""

    sessions: int


@dataclass(frozen=True, slots=True)
class Serving(Message):
    """A blocks child's state, sent on change and at least every 2 s."""

    sessions: int
    cache_tokens_used: int
    cache_tokens: int
    steps: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class LocalSeen(Message):
    """A local child's state, sent on change and at least every 2 s."""

    model: str
    memory_bytes: int
    answers: int
    tokens_per_s: float | None
    """Measured in decode over the latest answers; None before the first."""


@dataclass(frozen=True, slots=True)
class SeenPeer:
    """What an engine knows of a peer that serves blocks."""

    peer_id: str
    name: str
    span_start: int
    span_end: int
    state: str
    """``joining`` or ``online`` from the peer's own record; ``unreachable`` when it does not answer."""
    on_route: bool
    """False when the peer cannot be used; `reason` says why (for example another manifest)."""
    reason: str
    compute_s: float | None
    """Measured or announced seconds per decode step of the whole span."""
    round_trip_s: float | None
    cache_tokens_left: int | None
    since_s: float | None = None
    """Seconds that the present state has lasted."""
    addresses: list[str] = field(default_factory=list)
    """Multiaddresses that the peer announces."""
    avoided_s: float | None = None
    """New answers go to others for so long, where others can: it was lost or slow, or refused."""
    power: str = ""
    """``mains`` or ``battery``, by the peer's own record."""
    link: str = ""
    """``wire`` or ``wireless``, by the peer's own record."""
    why: list[Reason] = field(default_factory=list)
    """`reason` in codes."""


@dataclass(frozen=True, slots=True)
class PeerChange:
    """What an engine thinks of a peer is different now; `before` is ``""`` of a new one, `after` of one that
    is forgotten."""

    peer_id: str
    name: str
    before: str
    after: str
    reason: str
    why: list[Reason] = field(default_factory=list)
    """`reason` in codes."""


@dataclass(frozen=True, slots=True)
class SwarmSeen(Message):
    """An engine's view of the swarm, sent on change and at least every 2 s."""

    num_blocks: int
    peers: list[SeenPeer]
    changes: list[PeerChange] = field(default_factory=list)
    """Since the last message, in order."""
    doubt: str = ""
    """Why this computer trusts its own judgement of others less; "" when it does not."""
    why_doubt: list[Reason] = field(default_factory=list)
    """`doubt` in codes."""
    newer: list[str] = field(default_factory=list)
    """Names of computers that announce themselves as a later version of Homeswarm does, which cannot be read
    here."""
    older: list[str] = field(default_factory=list)
    """The same of an earlier version."""
