"""The local model's part of an answer: all of it, or from where the household left off.

State owned: its requests to the local process. Callers: `swarm_app.node.relay`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from swarm_app.domain.errors import ChildDown, HomeswarmError, ModelNotFound, from_wire
from swarm_app.domain.pause import LOCAL, Pause, taken_over
from swarm_app.localapi.answers import Begun, Choice, Done, Segment, Switched, Text, Turn
from swarm_app.node import fallback
from swarm_app.node.answers import Answers, OpenAnswer
from swarm_app.node.children import Kind, Phase
from swarm_app.node.events import PauseEnded, RetryAsked
from swarm_app.node.given import Given
from swarm_app.node.reasons import Why
from swarm_app.node.state import State
from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

LOAD_WAIT_S = 120.0
"""For the local model to be loaded: gigabytes from a slow disk."""

REHEARSAL_S = 5.0
"""A rehearsal that takes longer is not waited for."""

TRIES = 2
"""A local model that crashes in an answer is tried once more."""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. `begun` is the beginning of the answer where the asker gave one."""

    request_id: str
    turns: Sequence[Turn]
    choice: Choice
    trim: bool
    begun: str = ""


@dataclass(frozen=True, slots=True)
class Takeover:
    """When the local model was called upon; monotonic seconds."""

    decided_at: float
    """It was known that the household cannot (go on)."""
    taken_at: float
    """The household's part had ended."""
    ready_at: float
    """The local model was in memory."""


class Locally:
    """The local model, at the service of one answer."""

    def __init__(self, store: Store, answers: Answers, question: Question, given: Given) -> None:
        self._store = store
        self._answers = answers
        self._question = question
        self._given = given
        self._leg: OpenAnswer | None = None
        self._rehearsal: OpenAnswer | None = None
        self._switched = False

    def close(self) -> None:
        """Whatever is under way is not wanted any more. Safe to call twice."""
        for leg in (self._leg, self._rehearsal):
            if leg is not None:
                leg.close()
        self._leg = self._rehearsal = None

    @property
    def _name(self) -> str:
        model = self._store.state.local_model
        return "" if model is None else model.name

    # ------------------------------------------------ in case it is needed

    def rehearse(self) -> None:
        """Let it read the conversation and the answer so far; what it would say is not used.

        llama.cpp keeps what it has read: going on behind it costs nothing then.
        """
        partial = self._given.text
        with contextlib.suppress(HomeswarmError):  # then the continuation has to read it itself
            self._rehearsal = self._answers.open(
                self._question.turns,
                replace(self._question.choice, max_tokens=1, temperature=0.0, stop=()),
                True,
                request_id=f"{self._question.request_id}-rehearsal",
                partial=partial,
                shown=len(partial),
            )

    async def _rehearsed(self) -> None:
        """A rehearsal that is under way does what the continuation would have to do first."""
        if self._rehearsal is None:
            return
        with contextlib.suppress(HomeswarmError, TimeoutError):
            async with asyncio.timeout(REHEARSAL_S):
                while not isinstance(await self._rehearsal.next(), Done):
                    pass
        self._rehearsal.close()
        self._rehearsal = None

    async def ready(self) -> None:
        """Wait until it is loaded. Raises why it cannot be."""
        state = self._store.state
        if state.local_model is None:
            raise ModelNotFound(
                "There is no local model on this computer.", remedy="Import one with: homeswarm local import"
            )
        if state.local.phase is Phase.DOWN:
            # Memory may be free by now, a file repaired; if not, the same is said again.
            self._store.apply(RetryAsked(Kind.LOCAL))
        await self._store.until(_decided, LOAD_WAIT_S)
        state = self._store.state
        if state.stopping:
            raise ChildDown("The node is stopping.", remedy="Start it again with: homeswarm node")
        if state.local.phase is Phase.READY:
            return
        said = state.local.complaint
        if said is None:
            raise ChildDown("The local model did not get ready in time.")
        raise from_wire(said.code, said.message, said.remedy)

    # ------------------------------------------------ the answer

    async def go_on(self, why: Why, takeover: Takeover) -> None:
        """Give the answer to its end, behind what there is of it. Raises what it fails with."""
        given = self._given
        before = len(given.shown)
        for attempt in range(TRIES):
            if attempt:
                await self.ready()
            try:
                await self._part(why, takeover, attempt)
                return
            except ChildDown as error:
                if attempt + 1 == TRIES or self._store.state.stopping:
                    raise
                log.info("local: %s Trying once more.", error.message)
                if count := len(given.shown) - before:
                    given.segments.append(Segment("local", self._name, (), count, why.text, why.remedy))

    async def _part(self, why: Why, takeover: Takeover, attempt: int) -> None:
        given, question = self._given, self._question
        limit = question.choice.max_tokens
        if limit is not None and given.tokens >= limit:
            given.show_held()
            given.finish("length", (), 0)
            return
        await self._rehearsed()
        shown = question.begun + given.text
        at_token = given.tokens
        leg = self._leg = self._answers.open(
            question.turns,
            replace(question.choice, max_tokens=None if limit is None else limit - at_token),
            question.trim or why.text != fallback.ASKED_FOR,
            request_id=f"{question.request_id}-local{attempt}",
            partial=shown + given.held,
            shown=len(shown),
        )
        silent_since = self._silent_since(why, attempt)
        while True:
            event = await leg.next()
            if silent_since is not None and isinstance(event, Text | Done):
                self._tell_pause(why, takeover, at_token, silent_since)
                silent_since = None
            match event:
                case Begun():
                    self._begun(event, why, at_token)
                case Text(text):
                    given.held = ""
                    given.show(text)
                case Done():
                    given.held = ""
                    parts = [replace(part, reason=why.text, remedy=why.remedy) for part in event.segments]
                    given.finish(event.reason, parts, event.prompt_tokens)
                    return
                case _:
                    continue

    def _silent_since(self, why: Why, attempt: int) -> float | None:
        """When the household was last heard, where it had begun; None where nothing was taken over."""
        given = self._given
        if attempt or why.text == fallback.ASKED_FOR or given.begun is None:
            return None
        return given.times_s[-1] if given.times_s else given.asked_at

    def _begun(self, begun: Begun, why: Why, at_token: int) -> None:
        given = self._given
        if given.begun is None:
            given.begin(replace(begun, engine="local", reason=why.text, remedy=why.remedy))
            return
        given.trimmed_messages = max(given.trimmed_messages, begun.trimmed_messages)
        if given.begun.engine == "swarm" and not self._switched:
            self._switched = True
            given.put(Switched(begun.model, why.text, at_token, begun.trimmed_messages, why.remedy))

    def _tell_pause(self, why: Why, takeover: Takeover, at_token: int, silent_since: float) -> None:
        now = time.monotonic()
        silent_s = now - silent_since
        told = Pause(
            cause=LOCAL,
            peer="",
            name="the household",
            moved_to=(self._name,),
            detect_s=max(0.0, takeover.decided_at - silent_since),
            route_s=takeover.ready_at - takeover.decided_at,
            replay_s=now - takeover.ready_at,
            total_s=silent_s,
            at_token=at_token,
            text=taken_over(why.text, self._name, silent_s),
            load_s=takeover.ready_at - takeover.taken_at,
        )
        self._store.apply(PauseEnded(self._question.request_id, told, time.time()))
        self._given.tell_pause(told)


def _decided(state: State) -> bool:
    return state.stopping or state.local.phase in (Phase.READY, Phase.DOWN)
