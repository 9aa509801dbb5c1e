"""The messages between the node and its children.

Purpose: one definition of what crosses the pipes. State owned: none. Callers: `node` on one side,
`blocks` and `engines` on the other.

A frame is a 4-byte big-endian length and that many bytes of UTF-8 JSON: an object whose ``type``
names one of the classes below. The node writes to the child's standard input and reads its
standard output; standard error is for last words. Tensors never cross these pipes. A child whose
standard input ends shuts down: its node is gone.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import types
import typing
from dataclasses import dataclass, field
from typing import Any, ClassVar

from swarm_app.domain.errors import ProtocolViolation
from swarm_app.domain.pause import ASLEEP

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""A 1 MB paste with its JSON escapes fits several times over."""

_LENGTH = struct.Struct(">I")
HEADER_BYTES = _LENGTH.size


@dataclass(frozen=True, slots=True)
class Message:
    """Base of all messages."""


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


@dataclass(frozen=True, slots=True)
class PeerChange:
    """What an engine thinks of a peer is different now; `before` is ``""`` of a new one, `after` of one that
    is forgotten."""

    peer_id: str
    name: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class SwarmSeen(Message):
    """An engine's view of the swarm, sent on change and at least every 2 s."""

    num_blocks: int
    peers: list[SeenPeer]
    changes: list[PeerChange] = field(default_factory=list)
    """Since the last message, in order."""
    doubt: str = ""
    """Why this computer trusts its own judgement of others less; "" when it does not."""


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
class Timing:
    """Monotonic seconds; prefill and decode are never averaged together."""

    ttft_s: float
    """From the request to the first token."""
    decode_s: float
    """From the first token to the last."""
    itl_median_s: float
    itl_p95_s: float


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
class Pause:
    """A silence that was felt, or a move from one peer to another whether it was felt or not."""

    cause: str
    """One of domain.pause's causes."""
    peer_id: str
    name: str
    moved_to: list[str]
    """Names of the computers that took over, in order; empty where the peer was waited for."""
    detect_s: float
    """From the step's sending until the loss was known; of a takeover, from the last text to the decision."""
    route_s: float
    """Choosing the replacement and being admitted by it; of a takeover, ending the household's part, and
    until the local model was in memory."""
    replay_s: float
    """Feeding it the history; of a takeover, until the local model's first word."""
    total_s: float
    at_token: int
    """Tokens of the answer that were there."""
    text: str
    """The sentence for people."""
    load_s: float = 0.0
    """Of `route_s`: waiting for the local model to be in memory; 0 for all but a takeover."""
    words_may_differ: bool = False
    """It went to computers that round otherwise: without the pause the words might have been others."""


@dataclass(frozen=True, slots=True)
class Paused(Message):
    """Sent when a pause is over, at the token that ended it."""

    request_id: str
    pause: Pause


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


FROM_NODE: dict[str, type[Message]] = {
    cls.__name__: cls
    for cls in (
        PrepareBlocks,
        PrepareEngine,
        StartBlocks,
        StartEngine,
        StartLocal,
        Generate,
        Cancel,
        Goodnight,
        Priority,
        Announce,
        Surroundings,
        Resume,
        Membership,
        Shutdown,
    )
}
FROM_CHILD: dict[str, type[Message]] = {
    cls.__name__: cls
    for cls in (
        BindingWanted,
        MembersHeard,
        Listening,
        Progress,
        Prepared,
        Ready,
        Drained,
        Serving,
        SwarmSeen,
        LocalSeen,
        Accepted,
        Delta,
        Paused,
        Finished,
        Failed,
    )
}


class _Shape:
    """Resolved field types of a dataclass, kept because resolving them is slow."""

    cache: ClassVar[dict[type, dict[str, Any]]] = {}

    @classmethod
    def of(cls, kind: type) -> dict[str, Any]:
        if kind not in cls.cache:
            cls.cache[kind] = typing.get_type_hints(kind)
        return cls.cache[kind]


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _build(hint: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(value, dict):
            raise ProtocolViolation(f"{where} is not an object")
        hints = _Shape.of(hint)
        unknown = value.keys() - hints.keys()
        if unknown:
            raise ProtocolViolation(f"{where} has unknown fields: {', '.join(sorted(unknown))}")
        built = {key: _build(hints[key], item, f"{where}.{key}") for key, item in value.items()}
        try:
            return hint(**built)
        except TypeError:
            raise ProtocolViolation(f"{where} lacks a field") from None
    origin = typing.get_origin(hint)
    if origin is list:
        if not isinstance(value, list):
            raise ProtocolViolation(f"{where} is not a list")
        (item_hint,) = typing.get_args(hint)
        return [_build(item_hint, item, f"{where}[]") for item in value]
    if origin is types.UnionType:
        options = typing.get_args(hint)
        if value is None and type(None) in options:
            return None
        (only,) = [option for option in options if option is not type(None)]
        return _build(only, value, where)
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise ProtocolViolation(f"{where} is not {hint.__name__}")
    return value


def encode(message: Message) -> bytes:
    """One whole frame; raises ProtocolViolation when it is over MAX_FRAME_BYTES."""
    body = json.dumps(
        {"type": type(message).__name__, **_plain(message)}, ensure_ascii=True, allow_nan=False
    ).encode("ascii")
    if len(body) > MAX_FRAME_BYTES:
        raise ProtocolViolation(f"a message of {len(body)} bytes is over the limit")
    return _LENGTH.pack(len(body)) + body


def body_length(header: bytes) -> int:
    """The body's length from the 4 header bytes, checked before anything is read or allocated."""
    (length,) = _LENGTH.unpack(header)
    if length > MAX_FRAME_BYTES:
        raise ProtocolViolation(f"a frame of {length} bytes is over the limit")
    return int(length)


def decode(body: bytes, known: dict[str, type[Message]]) -> Message:
    """The message in a frame's body; `known` is FROM_NODE or FROM_CHILD."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise ProtocolViolation("a frame is not JSON") from None
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise ProtocolViolation("a frame is not a typed object")
    cls = known.get(value.pop("type"))
    if cls is None:
        raise ProtocolViolation("a frame has an unknown type")
    message = _build(cls, value, cls.__name__)
    assert isinstance(message, Message)
    return message
