"""The part of the typed client that reads, changes and answers the kept chats."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

from swarm_app.domain.errors import ProtocolViolation
from swarm_app.localapi.chatview import AskedView, ChatRowView, ChatView, ConversationView, MessageView
from swarm_app.localapi.sse import ServerEvent, read_events

Call = Callable[..., dict[str, Any]]


class Stream(Protocol):
    def __call__(self, method: str, path: str) -> AbstractContextManager[Iterator[str]]: ...


FollowedKind = Literal["message", "begun", "text", "paused", "offered", "offer-over", "switched", "done"]


@dataclass(frozen=True, slots=True)
class Followed:
    """What happened to the answer: `message` is set at the beginning and at the end, `about` where it was
    begun or switched to the local model, where that was offered, and where that offer is over."""

    kind: FollowedKind
    text: str = ""
    message: MessageView | None = None
    pause: dict[str, Any] | None = None
    about: dict[str, Any] | None = None


class ChatsClient:
    """Methods raise what the node refused with (NoSuchChat, Busy, DiskFull …), or NodeNotRunning."""

    def __init__(self, call: Call, stream: Stream, parse: Callable[[str], dict[str, Any]]) -> None:
        self._call = call
        self._stream = stream
        self._parse = parse

    def list(self, query: str = "") -> list[ChatRowView]:
        """All chats, or those that have `query` in their title or messages; the latest first."""
        found = self._call("GET", "/api/chats", params={"query": query} if query else None)
        return cast("list[ChatRowView]", found["chats"])

    def create(self, title: str = "", system: str = "", sampling: dict[str, Any] | None = None) -> ChatView:
        body = {"title": title, "system": system, "sampling": sampling}
        return cast(ChatView, self._call("POST", "/api/chats", body=body))

    def read(self, chat: str, before: int | None = None, limit: int = 100) -> ConversationView:
        """The latest messages, or those before the message `before`; at most 200."""
        params: dict[str, Any] = {"limit": limit} | ({} if before is None else {"before": before})
        return cast(ConversationView, self._call("GET", f"/api/chats/{chat}", params=params))

    def change(
        self,
        chat: str,
        *,
        title: str | None = None,
        system: str | None = None,
        sampling: dict[str, Any] | None = None,
    ) -> ChatView:
        body = {"title": title, "system": system, "sampling": sampling}
        return cast(ChatView, self._call("PATCH", f"/api/chats/{chat}", body=body))

    def delete(self, chat: str) -> None:
        self._call("DELETE", f"/api/chats/{chat}")

    def export(self, chat: str, form: Literal["markdown", "json"]) -> str:
        return str(self._call("GET", f"/api/chats/{chat}/export", params={"format": form})["text"])

    def ask(
        self, chat: str, text: str, attachments: Sequence[tuple[str, str]] = (), *, edit: int | None = None
    ) -> AskedView:
        """Put a question, with files as (name, text), and begin to answer it; `edit`: in the place of that
        question. Returns at once: `follow` has the answer."""
        body = {
            "text": text,
            "attachments": [{"name": name, "text": content} for name, content in attachments],
            "edit": edit,
        }
        return cast(AskedView, self._call("POST", f"/api/chats/{chat}/answers", body=body))

    def regenerate(self, chat: str, answer: int) -> AskedView:
        """Begin another answer in the place of that one."""
        return cast(AskedView, self._call("POST", f"/api/chats/{chat}/answers", body={"regenerate": answer}))

    def stop(self, chat: str) -> None:
        """Stop the answer that is being given, if any; returns when it has stopped."""
        self._call("POST", f"/api/chats/{chat}/stop")

    def show(self, chat: str, message: int) -> None:
        """Show the branch of a message."""
        self._call("POST", f"/api/chats/{chat}/show", body={"message": message})

    def follow(self, chat: str) -> Generator[Followed, None, None]:
        """What happens to the answer that is being given, to its end; nothing where there is none."""
        with self._stream("GET", f"/api/chats/{chat}/follow") as lines:
            for event in read_events(lines):
                yield self._followed(event)

    def _followed(self, event: ServerEvent) -> Followed:
        value = self._parse(event.data)
        match event.event:
            case "message" | "done":
                return Followed(cast(FollowedKind, event.event), message=cast(MessageView, value))
            case "begun" | "offered" | "offer-over" | "switched":
                return Followed(cast(FollowedKind, event.event), about=value)
            case "text":
                return Followed("text", text=str(value["text"]))
            case "paused":
                return Followed("paused", pause=value)
        raise ProtocolViolation("The node sent a piece of an answer in an unknown form.")
