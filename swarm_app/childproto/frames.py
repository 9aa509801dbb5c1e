"""Messages as bytes: which may go in which direction, and the checks of whatever comes in."""

from __future__ import annotations

import dataclasses
import json
import struct
import types
import typing
from typing import Any, ClassVar

from swarm_app.childproto.answers import (
    Accepted,
    Cancel,
    Delta,
    Failed,
    Finished,
    Generate,
    Paused,
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
    PrepareBlocks,
    Prepared,
    PrepareEngine,
    Priority,
    Progress,
    Ready,
    Resume,
    Serving,
    Shutdown,
    StartBlocks,
    StartEngine,
    StartLocal,
    Surroundings,
    SwarmSeen,
)
from swarm_app.childproto.message import Message
from swarm_app.domain.errors import ProtocolViolation

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""A 1 MB paste with its JSON escapes fits several times over."""

_LENGTH = struct.Struct(">I")
HEADER_BYTES = _LENGTH.size

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
    if isinstance(value, (list, tuple)):
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
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise ProtocolViolation(f"{where} is not a list")
        item_hint = typing.get_args(hint)[0]  # tuples are of any length here
        return origin(_build(item_hint, item, f"{where}[]") for item in value)
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
