"""The node behind the local API: ties store, keeper and answers together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from swarm_app.childproto import Accepted, Failed, Finished, Message, Paused
from swarm_app.domain.errors import BadRequest, ChildDown
from swarm_app.localapi.answers import Choice, Turn
from swarm_app.localapi.host import ModelCard
from swarm_app.localapi.view import Section, StateView
from swarm_app.node.answers import AnswerReport
from swarm_app.node.children import Kind
from swarm_app.node.events import (
    BelongingChanged,
    ChildReported,
    Event,
    LocalChosen,
    PauseEnded,
    RetryAsked,
    RouteTaken,
    ServeAsked,
    StopAsked,
    WithdrawAsked,
)
from swarm_app.node.offers import Decision
from swarm_app.node.reasons import cut_off
from swarm_app.node.relay import Relay, RelayedAnswer
from swarm_app.node.state import Keeps, LocalModel, State
from swarm_app.node.store import Store
from swarm_app.node.view import changed_sections, snapshot


class NodeHost:
    """Implements `swarm_app.localapi.host.Host`. `to_engine` and `to_local` take messages to the children.

    `find_local` finds a local model by name and notes that it was chosen; raises ModelNotFound, DiskFull.
    `keep_choice` notes what the owner has just chosen about contributing, or says in the state why it cannot.
    """

    def __init__(
        self,
        store: Store,
        to_engine: Callable[[Message], None],
        to_local: Callable[[Message], None],
        find_local: Callable[[str], LocalModel],
        keep_choice: Callable[[], None],
    ) -> None:
        self._store = store
        self._find_local = find_local
        self._keep_choice = keep_choice
        self._relay = Relay(store, to_engine, to_local)
        store.watch(self._on_event)

    def _on_event(self, before: State, after: State, event: Event) -> None:
        if isinstance(event, BelongingChanged) and (why := cut_off(before, after)) is not None:
            self._relay.swarm.engine_lost(why)

    # ------------------------------------------------ for the local API

    def state(self) -> StateView:
        return snapshot(self._store.state, time.monotonic(), time.time())

    def watch(self, watcher: Callable[[frozenset[Section], str], None]) -> Callable[[], None]:
        def changed(before: State, after: State, event: Event) -> None:
            if sections := changed_sections(before, after):
                watcher(sections, _why(event))

        return self._store.watch(changed)

    def model(self) -> ModelCard | None:
        state = self._store.state
        if not state.model.there:
            return None
        return ModelCard(state.model.name, state.model.id, int(state.node.started_at))

    def local_model(self) -> str | None:
        model = self._store.state.local_model
        return None if model is None else model.name

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> RelayedAnswer:
        return self._relay.open(turns, choice, trim)

    def use_local(self, name: str) -> None:
        self._store.apply(LocalChosen(self._find_local(name)))

    def decide(self, request_id: str, decision: Decision) -> None:
        self._relay.offers.decide(request_id, decision)

    def retry(self, child: str) -> None:
        try:
            kind = Kind(child)
        except ValueError:
            raise BadRequest(
                f"There is no child {child[:40]!r}.", remedy="Name blocks, engine or local."
            ) from None
        self._store.apply(RetryAsked(kind))

    def withdraw(self, for_s: float | None = None) -> bool:
        return self._chosen(WithdrawAsked(None if for_s is None else time.time() + for_s))

    def serve(self) -> bool:
        return self._chosen(ServeAsked())

    def _chosen(self, choice: WithdrawAsked | ServeAsked) -> bool:
        self._serves_or_refuses()
        self._store.apply(choice)
        self._keep_choice()
        return all(one.what is not Keeps.CHOICE for one in self._store.state.unkept)

    def _serves_or_refuses(self) -> None:
        if not self._store.state.model.there:
            raise BadRequest(
                "This computer has no model to share: it only chats.",
                remedy="Import one with: homeswarm model import, and start the node again.",
            )
        if not self._store.state.plan.serve:
            raise BadRequest(
                "This node serves no blocks: it only chats.", remedy="Start it without --span none."
            )

    def stop(self, why: str) -> None:
        self._store.apply(StopAsked(why))
        stopping = ChildDown("The answer was cut off: the node is stopping.", remedy="")
        self._relay.swarm.engine_lost(stopping)
        self._relay.local.engine_lost(stopping)

    # ------------------------------------------------ for the keeper

    def engine_said(self, message: AnswerReport) -> None:
        why = self._store.state.belongs.complaint
        if isinstance(message, Failed) and message.code == "other-swarm" and why is not None:
            # The others have gone on under another key: the node knows more of that than its engine.
            message = replace(message, code=why.code, message=why.message, remedy=why.remedy)
        if isinstance(message, Accepted | Paused) and message.route:
            self._store.apply(RouteTaken(tuple(message.route)))
        if isinstance(message, Paused):
            self._store.apply(PauseEnded(message.request_id, message.pause, time.time()))
        elif isinstance(message, Finished) and message.segments and message.segments[-1].route:
            self._store.apply(RouteTaken(tuple(message.segments[-1].route)))
        self._relay.deliver(message)

    def engine_lost(self, error: ChildDown) -> None:
        self._relay.swarm.engine_lost(error)

    def local_lost(self, error: ChildDown) -> None:
        self._relay.local.engine_lost(error)


def _why(event: Event) -> str:
    """What happened, in one word: a child's report by what it reports."""
    named = event.report if isinstance(event, ChildReported) else event
    return type(named).__name__
