"""The messages between the node and its children.

Purpose: one definition of what crosses the pipes. State owned: none. Callers: `node` on one side,
`blocks` and `engines` on the other.

A frame is a 4-byte big-endian length and that many bytes of UTF-8 JSON: an object whose ``type``
names one of the classes here. The node writes to the child's standard input and reads its
standard output; standard error is for last words. Tensors never cross these pipes. A child whose
standard input ends shuts down: its node is gone.
"""

from __future__ import annotations

from swarm_app.childproto.answers import (
    Accepted,
    Cancel,
    ChatMessage,
    Delta,
    Failed,
    Finished,
    Generate,
    Paused,
    RouteHop,
    Sampling,
    Segment,
)
from swarm_app.childproto.frames import (
    FROM_CHILD,
    FROM_NODE,
    HEADER_BYTES,
    MAX_FRAME_BYTES,
    body_length,
    decode,
    encode,
)
from swarm_app.childproto.lives import (
    Announce,
    BindingWanted,
    Drained,
    Goodnight,
    Listening,
    LocalSeen,
    MembersHeard,
    Membership,
    PeerChange,
    PrepareBlocks,
    Prepared,
    PrepareEngine,
    Priority,
    Progress,
    Ready,
    Resume,
    SeenPeer,
    Serving,
    Shutdown,
    StartBlocks,
    StartEngine,
    StartLocal,
    Surroundings,
    SwarmSeen,
)
from swarm_app.childproto.message import Message

__all__ = [
    "FROM_CHILD",
    "FROM_NODE",
    "HEADER_BYTES",
    "MAX_FRAME_BYTES",
    "Accepted",
    "Announce",
    "BindingWanted",
    "Cancel",
    "ChatMessage",
    "Delta",
    "Drained",
    "Failed",
    "Finished",
    "Generate",
    "Goodnight",
    "Listening",
    "LocalSeen",
    "MembersHeard",
    "Membership",
    "Message",
    "Paused",
    "PeerChange",
    "PrepareBlocks",
    "PrepareEngine",
    "Prepared",
    "Priority",
    "Progress",
    "Ready",
    "Resume",
    "RouteHop",
    "Sampling",
    "SeenPeer",
    "Segment",
    "Serving",
    "Shutdown",
    "StartBlocks",
    "StartEngine",
    "StartLocal",
    "Surroundings",
    "SwarmSeen",
    "body_length",
    "decode",
    "encode",
]
