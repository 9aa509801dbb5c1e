"""Bytes that are signed or come from the network: msgpack arrays, canonical and bounded.

Canonical: a value has exactly one encoding, and anything else is refused, so that a signature covers what
was read and two computers never read one message differently. Bounded: the length is checked before
anything is parsed, and every field has its own limit.

A message is an array whose first element is its kind, for example ``"certificate/1"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack

from swarm_app.membership.errors import Malformed

MAX_INT = 2**53
"""Every number fits a JSON reader as well."""

MAX_ITEMS = 1024
"""Elements of one array."""


def encode(kind: str, fields: Sequence[Any]) -> bytes:
    """One message of `kind`. Fields are int, bool, str, bytes, None, or lists of these."""
    packed = msgpack.packb([kind, *fields], use_bin_type=True)
    assert isinstance(packed, bytes)
    return packed


def decode(data: bytes, kind: str, max_bytes: int) -> Fields:
    """The fields of a message of `kind`; raises Malformed, whatever the bytes are."""
    if len(data) > max_bytes:
        raise Malformed(f"A message of {len(data)} bytes came where at most {max_bytes} are taken.")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            strict_map_key=True,
            max_array_len=MAX_ITEMS,
            max_map_len=0,
            max_ext_len=0,
            max_str_len=max_bytes,
            max_bin_len=max_bytes,
        )
        canonical = msgpack.packb(value, use_bin_type=True)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        raise Malformed("A message came that is no message of Homeswarm.") from None
    if not isinstance(value, list) or canonical != data:
        raise Malformed("A message came that is no message of Homeswarm.")
    if not value or value[0] != kind:
        raise Malformed(f"Another kind of message came where {kind} was expected.")
    return Fields(value[1:])


def kind_of(data: bytes) -> str:
    """The kind that a message says it is, or ""; checks nothing else. For choosing whom to give it to."""
    try:
        unpacker = msgpack.Unpacker(max_buffer_size=max(64, len(data)), raw=False, max_str_len=64)
        unpacker.feed(data[:80])
        unpacker.read_array_header()
        kind = unpacker.unpack()
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException):
        return ""
    return kind if isinstance(kind, str) else ""


class Fields:
    """The fields of a message, taken one after the other; each taker raises Malformed."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values
        self._next = 0

    def _take(self) -> Any:
        if self._next >= len(self._values):
            raise Malformed("A message lacks a field.")
        self._next += 1
        return self._values[self._next - 1]

    def integer(self, low: int = 0, high: int = MAX_INT) -> int:
        value = self._take()
        if type(value) is not int or not low <= value <= high:
            raise Malformed("A number in a message is out of its range.")
        return value

    def flag(self) -> bool:
        value = self._take()
        if type(value) is not bool:
            raise Malformed("A flag in a message is none.")
        return value

    def data(self, low: int, high: int | None = None) -> bytes:
        """Between `low` and `high` bytes; exactly `low` where `high` is left out."""
        value = self._take()
        if type(value) is not bytes or not low <= len(value) <= (low if high is None else high):
            raise Malformed("A key, signature or part of a message has the wrong length.")
        return value

    def text(self, most: int, *, empty: bool = False) -> str:
        """Printable text of at most `most` characters."""
        value = self._take()
        if type(value) is not str or len(value) > most or not value.isprintable():
            raise Malformed("A text in a message is too long or not printable.")
        if not (value or empty) or value != value.strip():
            raise Malformed("A text in a message is empty.")
        return value

    def items(self, most: int) -> list[Any]:
        value = self._take()
        if type(value) is not list or len(value) > most:
            raise Malformed("A list in a message is too long.")
        return value

    def rest(self, most: int) -> list[Any]:
        """All that is left, unchecked."""
        left = self._values[self._next :]
        if len(left) > most:
            raise Malformed("A list in a message is too long.")
        self._next = len(self._values)
        return left

    def end(self) -> None:
        """There must be nothing left: what nobody reads nobody should have signed."""
        if self._next != len(self._values):
            raise Malformed("A message has a field too many.")


def fields_of(value: Any) -> Fields:
    """The fields of an array inside a message; raises Malformed."""
    if type(value) is not list:
        raise Malformed("A part of a message is no list.")
    return Fields(value)
