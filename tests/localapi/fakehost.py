"""A node behind the local API that answers in this process: every answer repeats the last turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import httpx

from swarm_app.domain.errors import BadRequest, HomeswarmError, NoOffer
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.localapi import server
from swarm_app.localapi.answers import AnswerEvent, Begun, Choice, Done, Segment, Text, Turn
from swarm_app.localapi.host import ModelCard
from swarm_app.localapi.view import Section, StateView
from tests.localapi.views import quiet_view

TOKEN = "secret-of-this-test"
PORT = 4321
ROUTE = (Hop("12D3KooWOne", "N1", Span(0, 4)), Hop("12D3KooWTwo", "N2", Span(4, 8)))


class FakeAnswer:
    request_id = "request1"

    def __init__(self, events: list[AnswerEvent | HomeswarmError], hung: asyncio.Event | None = None) -> None:
        self.events = events
        self.hung = hung or asyncio.Event()
        self.closed = False
        self.sent = 0

    async def next(self) -> AnswerEvent:
        if self.sent == len(self.events):
            self.hung.set()
            await asyncio.Event().wait()  # an engine that hangs
        event = self.events[self.sent]
        self.sent += 1
        if isinstance(event, HomeswarmError):
            raise event
        return event

    def close(self) -> None:
        self.closed = True


class FakeHost:
    def __init__(self) -> None:
        self.asked: list[tuple[tuple[Turn, ...], Choice, bool]] = []
        self.answers: list[FakeAnswer] = []
        self.script: list[AnswerEvent | HomeswarmError] | None = None
        self.ready_made: FakeAnswer | None = None
        self.hung = asyncio.Event()
        self.local: str | None = None
        self.has_model = True
        self.refusal: HomeswarmError | None = None
        self.stopped: list[str] = []
        self.decided: list[str] = []
        self.watchers: list[Callable[[frozenset[Section], str], None]] = []
        self.view: StateView = quiet_view("N1", "tiny", 8)
        self.withdrawn: list[float | bool | None] = []
        """What was asked for: a pause of so many seconds or for good (None), or serving again (False)."""

    def state(self) -> StateView:
        return self.view

    def watch(self, watcher: Callable[[frozenset[Section], str], None]) -> Callable[[], None]:
        self.watchers.append(watcher)
        return lambda: self.watchers.remove(watcher)

    def model(self) -> ModelCard | None:
        return ModelCard("tiny", "ab" * 32, 1_796_000_000) if self.has_model else None

    def local_model(self) -> str | None:
        return self.local

    def use_local(self, name: str) -> None:
        self.local = name

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> FakeAnswer:
        if self.refusal is not None:
            raise self.refusal
        self.asked.append((tuple(turns), choice, trim))
        said = turns[-1].content
        segment = Segment("swarm", "tiny", ROUTE, len(said))
        script = self.script or [
            Begun(len(turns), 0, ROUTE),
            *(Text(letter) for letter in said),
            Done("stop", len(turns), len(said), (segment,), None),
        ]
        self.answers.append(self.ready_made or FakeAnswer(script, self.hung))
        return self.answers[-1]

    def decide(self, request_id: str, decision: str) -> None:
        if request_id != "request1":
            raise NoOffer("There is nothing to decide about this answer any more.")
        self.decided.append(decision)

    def retry(self, child: str) -> None:
        if child not in ("blocks", "engine"):
            raise BadRequest(f"There is no child {child!r}.")

    def withdraw(self, for_s: float | None = None) -> bool:
        self.withdrawn.append(for_s)
        return True

    def serve(self) -> bool:
        self.withdrawn.append(False)
        return True

    def stop(self, why: str) -> None:
        self.stopped.append(why)


def web(host: FakeHost, token: str = TOKEN, **headers: str) -> httpx.AsyncClient:
    """An HTTP client of the whole local API, without a socket."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=server.build(host, TOKEN, PORT)),
        base_url=f"http://127.0.0.1:{PORT}",
        headers={"Authorization": f"Bearer {token}", **headers},
    )
