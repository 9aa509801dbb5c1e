"""Server-sent events: writing and reading (WHATWG HTML, section "Server-sent events")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SSE_HEADERS: list[tuple[bytes, bytes]] = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


def data(content: bytes, event: str = "") -> bytes:
    """One event; `content` has no line breaks (compact JSON has none)."""
    head = f"event: {event}\n".encode("ascii") if event else b""
    return head + b"data: " + content + b"\n\n"


def comment(text: str) -> bytes:
    """Something that readers pass over."""
    return f": {text}\n\n".encode("ascii")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    event: str
    data: str


def read_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """The events in a stream of lines without their ends; one that is cut off by the end is not one."""
    name = ""
    content: list[str] = []
    for line in lines:
        if not line:
            if content:
                yield ServerEvent(name or "message", "\n".join(content))
            name, content = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            content.append(value)
        elif field == "event":
            name = value
