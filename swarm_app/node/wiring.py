"""The node behind the local API: ties store, keeper and answers together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from swarm_app.childproto import Accepted, Finished, Message, Paused
from swarm_app.domain.errors import BadRequest, ChildDown
from swarm_app.localapi.answers import Choice, Turn
from swarm_app.localapi.host import ModelCard
from swarm_app.localapi.view import Section, StateView
from swarm_app.node.answers import AnswerReport, Answers, OpenAnswer
from swarm_app.node.events import (
    AnswersChanged,
    ChildReported,
    Event,
    PauseEnded,
    RetryAsked,
    RouteTaken,
    ServeAsked,
    StopAsked,
    WithdrawAsked,
)
from swarm_app.node.state import Child, Kind, Phase, State
from swarm_app.node.store import Store
from swarm_app.node.view import changed_sections, snapshot

ENGINE_WAIT_S = 5.0
"""A question that comes while the engine starts waits this long for it."""


class NodeHost:
    """Implements `swarm_app.localapi.host.Host`. `send` takes messages to the engine."""

    def __init__(self, store: Store, send: Callable[[Message], None]) -> None:
        self._store = store
        self._answers = Answers(send, lambda count: store.apply(AnswersChanged(count)))

    # ------------------------------------------------ for the local API

    def state(self) -> StateView:
        return snapshot(self._store.state, time.monotonic(), time.time())

    def watch(self, watcher: Callable[[frozenset[Section], str], None]) -> Callable[[], None]:
        def changed(before: State, after: State, event: Event) -> None:
            if sections := changed_sections(before, after):
                watcher(sections, _why(event))

        return self._store.watch(changed)

    def model(self) -> ModelCard:
        state = self._store.state
        return ModelCard(state.model.name, state.model.id, int(state.node.started_at))

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> OpenAnswer:
        if not await self._store.until(_engine_decided, ENGINE_WAIT_S) or not _ready(self._store.state):
            raise _not_ready(self._store.state)
        return self._answers.open(turns, choice, trim)

    def retry(self, child: str) -> None:
        try:
            kind = Kind(child)
        except ValueError:
            raise BadRequest(f"There is no child {child[:40]!r}.", remedy="Name blocks or engine.") from None
        self._store.apply(RetryAsked(kind))

    def withdraw(self) -> None:
        self._serves_or_refuses()
        self._store.apply(WithdrawAsked())

    def serve(self) -> None:
        self._serves_or_refuses()
        self._store.apply(ServeAsked())

    def _serves_or_refuses(self) -> None:
        if not self._store.state.plan.serve:
            raise BadRequest(
                "This node serves no blocks: it only chats.", remedy="Start it without --span none."
            )

    def stop(self, why: str) -> None:
        self._store.apply(StopAsked(why))
        self._answers.engine_lost(ChildDown("The answer was cut off: the node is stopping.", remedy=""))

    # ------------------------------------------------ for the keeper

    def engine_said(self, message: AnswerReport) -> None:
        if isinstance(message, Accepted):
            self._store.apply(RouteTaken(tuple(message.route)))
        elif isinstance(message, Paused):
            self._store.apply(PauseEnded(message.request_id, message.pause, time.time()))
        elif isinstance(message, Finished) and message.segments and message.segments[-1].route:
            self._store.apply(RouteTaken(tuple(message.segments[-1].route)))
        self._answers.deliver(message)

    def engine_lost(self, error: ChildDown) -> None:
        self._answers.engine_lost(error)


def _why(event: Event) -> str:
    """What happened, in one word: a child's report by what it reports."""
    named = event.report if isinstance(event, ChildReported) else event
    return type(named).__name__


def _ready(state: State) -> bool:
    return state.engine.phase is Phase.READY


def _engine_decided(state: State) -> bool:
    """True when waiting longer changes nothing."""
    return state.stopping or state.engine.phase in (Phase.READY, Phase.DOWN, Phase.OFF)


def _not_ready(state: State) -> ChildDown:
    engine: Child = state.engine
    if state.stopping:
        return ChildDown("The node is stopping.", remedy="Start it again with: homeswarm node")
    if engine.phase is Phase.DOWN:
        said = engine.complaint
        return ChildDown(
            f"The process that runs the chats is down. {said.message if said else ''}".strip(),
            remedy=(said.remedy if said else "") or ChildDown.default_remedy,
        )
    blocks = state.blocks
    if engine.phase is Phase.WAITING and blocks.phase is Phase.RESTARTING and blocks.complaint:
        return ChildDown(f"The process that serves blocks is being restarted. {blocks.complaint.message}")
    doing = f" ({engine.work.what} {engine.work.done} of {engine.work.total})" if engine.work else ""
    return ChildDown(
        f"The process that runs the chats is still starting{doing}.", remedy="Try again in a moment."
    )
