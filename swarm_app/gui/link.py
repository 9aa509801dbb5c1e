"""The window's line to the node: calls and streams on threads of their own, results in the window's thread.

Nothing here blocks the window. A node that goes is noticed by the end of its event stream, and looked for
until it is back.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from swarm_app.config import apifile
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import HomeswarmError, NodeNotRunning
from swarm_app.localapi.chatclient import Followed
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import StateView

T = TypeVar("T")

logger = logging.getLogger(__name__)

LOOK_S = 0.3
"""Between two looks for a node that is not there."""

CALLERS = 3
"""So that a slow call keeps no other waiting."""


class NodeLink(QObject):
    """`state` is the node's latest, None while there is no node."""

    stateChanged = Signal(object)
    connected = Signal()
    lost = Signal(object)
    """The HomeswarmError that says why."""
    _deliver = Signal(object)

    def __init__(self, profile: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.profile = profile
        self._api_file = ProfilePaths.of(profile).api_file
        self.state: StateView | None = None
        self._line: _Line | None = None
        self._closing = threading.Event()
        self._look = threading.Event()
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._deliver.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        for work in (self._watch, *[self._call_all] * CALLERS):
            threading.Thread(target=work, name=f"link-{work.__name__}", daemon=True).start()

    def close(self) -> None:
        """Nothing is delivered after this."""
        self._closing.set()
        self._look.set()
        for _ in range(CALLERS):
            self._calls.put(None)

    @property
    def is_connected(self) -> bool:
        return self._line is not None

    def look_now(self) -> None:
        """Look for a node at once: one has been started."""
        self._look.set()

    # ------------------------------------------------ calls

    def call(
        self,
        work: Callable[[LocalClient], T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[HomeswarmError], None] | None = None,
    ) -> None:
        """Do `work` with the client on another thread; `done` or `failed` hear of it in this one."""

        def run() -> None:
            if self._closing.is_set():
                return
            try:
                with self.line() as client:
                    result = work(client)
            except Exception as caught:  # noqa: BLE001  (this thread serves later calls too)
                error = _told(caught)
                if failed is not None:
                    self.post(lambda: failed(error))
            else:
                if done is not None:
                    self.post(lambda: done(result))

        self._calls.put(run)

    def follow(
        self, chat: str, heard: Callable[[list[Followed]], None], over: Callable[[], None]
    ) -> Follower:
        """Hear of the answer that is being given in a chat, in bundles; `over` when no more will come."""
        return Follower(self, chat, heard, over)

    @contextlib.contextmanager
    def line(self) -> Iterator[LocalClient]:
        """The client, open until the block is left. Raises NodeNotRunning."""
        line = self._line
        if line is None or not line.take():
            raise NodeNotRunning("No node is running on this computer.")
        try:
            self._note_token(line.client)
            yield line.client
        finally:
            line.give()

    def _note_token(self, client: LocalClient) -> None:
        """Another program may have had the node take a new token; the events go on by the old one."""
        address = apifile.read(self._api_file)
        if address is not None and address.url == client.address.url and address != client.address:
            client.use_token(address.token)

    def post(self, call: Callable[[], None]) -> None:
        """Run `call` in the window's thread."""
        if not self._closing.is_set():
            self._deliver.emit(call)

    def _run(self, call: Callable[[], None]) -> None:
        if not self._closing.is_set():
            call()

    def _call_all(self) -> None:
        while (run := self._calls.get()) is not None:
            run()

    # ------------------------------------------------ state

    def _watch(self) -> None:
        told_lost = False
        while not self._closing.is_set():
            try:
                line = _Line(LocalClient.from_profile(self.profile))
                try:
                    told_lost = False
                    self._watch_one(line)
                finally:
                    line.give()
                raise NodeNotRunning("The node has stopped.")
            except Exception as caught:  # noqa: BLE001  (whatever it was, the node is looked for again)
                error = _told(caught)
                self._line = None
                if not told_lost:
                    told_lost = True
                    self.post(lambda error=error: self._gone(error))  # type: ignore[misc]
            self._look.wait(LOOK_S)
            self._look.clear()

    def _watch_one(self, line: _Line) -> None:
        self._line = line
        first = True
        for change in line.client.events():
            if self._closing.is_set():
                return
            state, begun = change.state, first
            first = False
            self.post(lambda s=state, b=begun: self._seen(s, b))  # type: ignore[misc]

    def _seen(self, state: StateView, begun: bool) -> None:
        self.state = state
        if begun:
            self.connected.emit()
        self.stateChanged.emit(state)

    def _gone(self, error: HomeswarmError) -> None:
        self.state = None
        self.lost.emit(error)


class _Line:
    """A client that several threads use. The last one closes it: a connection that is being made while its
    client is closed would stay open."""

    def __init__(self, client: LocalClient) -> None:
        self.client = client
        self._users = 1
        self._lock = threading.Lock()

    def take(self) -> bool:
        """One more user; False where it has been closed."""
        with self._lock:
            if self._users:
                self._users += 1
            return self._users > 0

    def give(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._users == 0
        if last:
            self.client.close()


def _told(caught: Exception) -> HomeswarmError:
    """What people are told of it; a fault of this program's own goes to its log as well."""
    if isinstance(caught, HomeswarmError):
        return caught
    logger.error("A call to the node failed", exc_info=caught)
    return HomeswarmError("Something went wrong inside Homeswarm. Its log has the details.")


class Follower:
    """One stream of an answer. After `drop` nothing is heard of it any more."""

    def __init__(
        self,
        link: NodeLink,
        chat: str,
        heard: Callable[[list[Followed]], None],
        over: Callable[[], None],
    ) -> None:
        self.chat = chat
        self._link = link
        self._heard = heard
        self._over = over
        self._dropped = False
        self._waiting: deque[Followed] = deque()
        self._lock = threading.Lock()
        threading.Thread(target=self._read, name="follow", daemon=True).start()

    def drop(self) -> None:
        self._dropped = True

    def _read(self) -> None:
        try:
            with self._link.line() as client:
                for event in client.chats.follow(self.chat):
                    if self._dropped:
                        return
                    self._note(event)
        except Exception as caught:  # noqa: BLE001  (the end is to be heard of, however it came)
            _told(caught)  # the link itself tells of a node that has gone
        self._link.post(self._end)

    def _note(self, event: Followed) -> None:
        with self._lock:
            first = not self._waiting
            self._waiting.append(event)
        if first:
            self._link.post(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            events = list(self._waiting)
            self._waiting.clear()
        if events and not self._dropped:
            self._heard(events)

    def _end(self) -> None:
        if not self._dropped:
            self._over()
