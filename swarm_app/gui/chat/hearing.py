"""The answer that is being given, as the node tells it: into the transcript and the offer above it.

State owned: the one stream that is followed. Nothing of a stream that was dropped arrives.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from swarm_app.gui.chat.notice import Offer
from swarm_app.gui.chat.transcript import Transcript
from swarm_app.gui.link import Follower, NodeLink
from swarm_app.localapi.chatclient import Followed


class Hearing(QObject):
    """`grown` (tokens that the model has read and given by now) while it is given, `done` when the answer has
    come to its end, `over` (the chat) when no more is told of it."""

    grown = Signal(int)
    done = Signal()
    over = Signal(str)

    def __init__(self, link: NodeLink, transcript: Transcript, offer: Offer, parent: QWidget) -> None:
        super().__init__(parent)
        self._link = link
        self._transcript = transcript
        self._offer = offer
        self._follower: Follower | None = None
        self._tokens = 0
        """0 until the answer has begun."""
        offer.decided.connect(self._decide)

    @property
    def is_on(self) -> bool:
        return self._follower is not None

    def follow(self, chat: str) -> None:
        """The answer of this chat, instead of another one's."""
        self.drop()
        self._tokens = 0
        self._follower = self._link.follow(chat, self._heard, lambda: self._over(chat))

    def drop(self) -> None:
        self._offer.withdraw()
        if self._follower is not None:
            self._follower.drop()
            self._follower = None

    def _over(self, chat: str) -> None:
        self._follower = None
        self._offer.withdraw()
        self.over.emit(chat)

    def _heard(self, events: list[Followed]) -> None:
        text: list[str] = []
        for event in events:
            if event.kind == "text":
                text.append(event.text)
                self._tokens += 1  # a piece of text is one, or all but
                continue
            if text:
                self._transcript.grow("".join(text))
                text.clear()
            self._note(event)
        if text:
            self._transcript.grow("".join(text))
        if self._tokens:
            self.grown.emit(self._tokens)

    def _note(self, event: Followed) -> None:
        about: dict[str, Any] = event.about or {}
        if event.message is not None:
            known = self._transcript.item_of(event.message["id"])
            if known is None:
                self._transcript.append(event.message)
            elif event.kind == "done" or known.view["text"] != event.message["text"]:
                self._transcript.set_message(event.message)
            if event.kind == "done":
                self._offer.withdraw()
                self.done.emit()
        elif event.pause is not None:
            self._transcript.add_pause(event.pause)
        elif event.kind == "offered":
            self._offer.offer(about)
        elif event.kind == "offer-over":
            self._offer.withdraw(str(about.get("request_id", "")))
        elif event.kind in ("begun", "switched"):
            if event.kind == "begun":
                self._tokens = int(about["prompt_tokens"]) + int(about.get("completion_tokens", 0))
            self._transcript.set_begun(about)

    def _decide(self, request: str, decision: Any) -> None:
        """What was decided meanwhile by itself is nothing to complain of: the offer goes either way."""

        def gone(_: object) -> None:
            self._offer.withdraw(request)

        self._link.call(lambda client: client.decide(request, decision), gone, gone)
