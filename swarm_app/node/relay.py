"""Answers that outlive the household: begun by it or by the local model, and gone on with by that if need be.

Who gives what is decided in `swarm_app.node.fallback`, and by a person where they are asked
(`swarm_app.node.consent`); here it is carried out. Each part of an answer is a
request of its own to its engine, so that nothing of one part can come out in another.

State owned: the answers in flight. Callers: `swarm_app.node.wiring`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from swarm_app.childproto import Message
from swarm_app.domain.errors import Busy, CacheFull, ChildDown, HomeswarmError
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Paused,
    Text,
    Turn,
)
from swarm_app.node import fallback
from swarm_app.node.answers import MAX_ANSWERS, AnswerReport, Answers, OpenAnswer
from swarm_app.node.children import Phase
from swarm_app.node.consent import Consent
from swarm_app.node.events import AnswersChanged, LocalAnswers, SwarmLeft
from swarm_app.node.fallback import Begin, Flight
from swarm_app.node.given import Given
from swarm_app.node.locally import Locally, Question, Takeover
from swarm_app.node.offers import Offers
from swarm_app.node.reasons import Why, not_ready, of_error, passes, why_not
from swarm_app.node.state import State
from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

ENGINE_WAIT_S = 5.0
"""A question for the household alone, that comes while the engine starts, waits this long for it."""

LOOK_S = 0.05
"""How often a silent answer is thought about."""

CUT_S = 0.3
"""For the engine to say what there was of an answer that is taken from it."""

KEPT_GAPS = 32

PARTS = 4
"""Requests to the local model that an answer may have open, or cancelled and not confirmed: a rehearsal that
took too long, and the answer itself; and as many of one that was given up a moment ago."""


class Relay:
    """All answers of one node. `to_engine` and `to_local` take messages to the children."""

    def __init__(
        self, store: Store, to_engine: Callable[[Message], None], to_local: Callable[[Message], None]
    ) -> None:
        self.store = store
        self.offers = Offers(store)
        self.swarm = Answers(to_engine)
        self.local = Answers(to_local, PARTS * MAX_ANSWERS)
        self._open: set[RelayedAnswer] = set()
        self._by_local: set[RelayedAnswer] = set()

    def open(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> RelayedAnswer:
        """Begin an answer; what comes of it is told by the answer itself. Raises Busy."""
        if len(self._open) >= MAX_ANSWERS:
            raise Busy(f"This computer already works on {MAX_ANSWERS} answers.")
        answer = RelayedAnswer(self, turns, choice, trim)
        self._open.add(answer)
        self._count()
        return answer

    def deliver(self, message: AnswerReport) -> None:
        """What an engine said; each request is known to one of them alone."""
        self.swarm.deliver(message)
        self.local.deliver(message)

    def ended(self, answer: RelayedAnswer) -> None:
        self._open.discard(answer)
        self.local_needed(answer, False)
        self._count()

    def local_needed(self, answer: RelayedAnswer, needed: bool) -> None:
        before = len(self._by_local)
        if needed:
            self._by_local.add(answer)
        else:
            self._by_local.discard(answer)
        if len(self._by_local) != before:
            self.store.apply(LocalAnswers(len(self._by_local), time.monotonic()))

    def _count(self) -> None:
        self.store.apply(AnswersChanged(len(self._open), time.monotonic()))


class _Trouble(Exception):
    """The household cannot go on with an answer; `error` is its own word, where it had one.

    `agreed`: a person has said already that the local model shall.
    """

    def __init__(self, why: Why, error: HomeswarmError | None = None, *, agreed: bool = False) -> None:
        super().__init__(why.text)
        self.why = why
        self.error = error
        self.agreed = agreed
        self.at = time.monotonic()
        """When that was known."""

    def own_error(self) -> HomeswarmError:
        return self.error or ChildDown(f"The answer was cut off: {self.why.text}.", remedy=self.why.remedy)


class RelayedAnswer:
    """One answer (implements `swarm_app.localapi.answers.Answer`)."""

    def __init__(self, relay: Relay, turns: Sequence[Turn], choice: Choice, trim: bool) -> None:
        self.request_id = secrets.token_hex(8)
        self._relay = relay
        self._store = relay.store
        before = turns[:-1] if choice.continues else turns
        begun = turns[-1].content if choice.continues else ""
        self._turns = turns
        self._choice = choice
        self._trim = trim
        self._given = Given()
        self._consent = Consent(
            relay.store,
            relay.offers,
            self.request_id,
            choice,
            self._given,
            lambda needed: relay.local_needed(self, needed),
        )
        question = Question(self.request_id, before, choice, trim, begun)
        self._locally = Locally(relay.store, relay.local, question, self._given)
        self._leg: OpenAnswer | None = None
        self._task = asyncio.get_running_loop().create_task(self._run())

    # ------------------------------------------------ for whoever asked

    async def next(self) -> AnswerEvent:
        return await self._given.next()

    def close(self) -> None:
        self._task.cancel()
        self._over()

    def _over(self) -> None:
        self._leave_leg()
        self._locally.close()
        self._consent.over("ended")
        self._relay.ended(self)

    def _leave_leg(self) -> None:
        if self._leg is not None:
            self._leg.close()
            self._leg = None

    # ------------------------------------------------ how it comes about

    async def _run(self) -> None:
        try:
            await self._answer()
        except HomeswarmError as error:
            self._consent.over("ended")
            self._given.show_held()
            self._given.put(error)
        except Exception:
            log.exception("an answer ended by an error of our own")
            self._given.put(
                HomeswarmError("Something went wrong inside the node.", remedy="Its log has the details.")
            )
        finally:
            self._over()

    async def _answer(self) -> None:
        begin = await self._who_begins()
        asked_for = begin.reason == fallback.ASKED_FOR
        why = Why(begin.reason, begin.remedy)
        has_local = self._state.local_model is not None
        if begin.local and (asked_for or (has_local and await self._consent.agreed(why, begins=True))):
            if begin.lost:
                self._store.apply(SwarmLeft(why.text, time.monotonic()))
            await self._by_local(why, None)
            return
        try:
            await self._by_swarm()
        except _Trouble as trouble:
            if self._state.stopping or self._state.local_model is None:
                raise trouble.own_error() from None
            if not trouble.agreed and not await self._consent.agreed(trouble.why):
                raise trouble.own_error() from None
            full = isinstance(trouble.error, CacheFull) and self._given.begun is None
            self._store.apply(SwarmLeft(trouble.why.text, time.monotonic(), full))
            await self._by_local(trouble.why, trouble)

    @property
    def _state(self) -> State:
        return self._store.state

    async def _who_begins(self) -> Begin:
        while (begin := self._consent.who_begins()) is None:
            await self._store.next_change(LOOK_S)
        return begin

    async def _by_local(self, why: Why, trouble: _Trouble | None) -> None:
        self._relay.local_needed(self, True)
        taken_at = time.monotonic()
        try:
            await self._locally.ready()
        except HomeswarmError as error:
            if trouble is None:
                raise
            own = trouble.own_error()
            own.message = f"{own.message} Nor can the local model: {error.message}"
            own.remedy = own.remedy or error.remedy
            raise own from None
        decided_at = None if trouble is None else trouble.at
        await self._locally.go_on(why, Takeover(decided_at or taken_at, taken_at, time.monotonic()))

    # ------------------------------------------------ by the household

    async def _by_swarm(self) -> None:
        """Give the answer, or raise _Trouble where the local model may go on with it."""
        store, given = self._store, self._given
        if not await store.until(_engine_decided, ENGINE_WAIT_S) or not _engine_ready(store.state):
            raise self._trouble(not_ready(store.state))
        try:
            leg = self._relay.swarm.open(self._turns, self._choice, self._trim, request_id=self.request_id)
        except HomeswarmError as error:
            raise self._trouble(error) from None
        self._leg = leg
        flight = Flight(given.asked_at)
        silence = _Silence()
        while True:
            event = await self._heard(leg)
            now = time.monotonic()
            match event:
                case None:
                    if await self._silent(leg, flight, silence, now):
                        return
                case Begun():
                    given.begin(event)
                case Text(text):
                    if flight.last_text_at is not None:
                        gaps_s = (*flight.gaps_s, now - flight.last_text_at)[-KEPT_GAPS:]
                        flight = replace(flight, gaps_s=gaps_s)
                    flight = replace(flight, last_text_at=now)
                    self._consent.over("household")
                    if silence.expected:
                        silence.expected = False
                        self._relay.local_needed(self, False)
                    given.show(text)
                case Paused(paused, route):
                    given.tell_pause(paused, route)
                case Done():
                    self._consent.over("ended")
                    given.put(event)
                    return

    async def _silent(self, leg: OpenAnswer, flight: Flight, silence: _Silence, now: float) -> bool:
        """Think about a silence; raises _Trouble where it has been too long. True when the answer has come to
        its end in that very moment."""
        state = self._state
        if self._consent.fallback == "never":
            return False
        if state.local_model is None or state.local.phase is Phase.DOWN:
            return False  # without anybody to go on, it is better waited for
        if self._consent.fallback == "ask" and self._choice.decides:
            why = fallback.leave(state, flight, now) or self._consent.asked
            if why is not None and self._consent.word(why) == "local":
                return await self._leave(leg, why, agreed=True)
        elif (why := fallback.leave(state, flight, now)) is not None:
            return await self._leave(leg, why)
        if not silence.expected and fallback.expect(state, flight, now):
            silence.expected = True
            self._relay.local_needed(self, True)
        if not silence.rehearsed and fallback.rehearse(state, flight, now):
            silence.rehearsed = True  # once: a household that stumbles often must not pay each time
            self._locally.rehearse()
        return False

    async def _leave(self, leg: OpenAnswer, why: Why, *, agreed: bool = False) -> bool:
        """Take the answer from the household and raise _Trouble; True when it had just come to its end."""
        trouble = _Trouble(why, agreed=agreed)
        if await self._take_from(leg):
            return True
        raise trouble

    async def _heard(self, leg: OpenAnswer) -> AnswerEvent | None:
        """The next event, or None after a moment of silence. Raises _Trouble, or the household's error."""
        try:
            async with asyncio.timeout(LOOK_S):
                return await leg.next()
        except TimeoutError:
            return None
        except HomeswarmError as error:
            self._given.note_cut(leg.cut)
            raise self._trouble(error) from None

    def _trouble(self, error: HomeswarmError) -> Exception:
        """The error itself where the local model must not or cannot help."""
        state = self._state
        if (
            state.stopping
            or self._consent.fallback == "never"
            or state.local_model is None
            or not fallback.helps(error)
        ):
            return error
        # What is seen of the household names who is missing; its own error only which blocks.
        seen = why_not(state) if error.code == "no-route" else None
        return _Trouble(seen or of_error(error), error)

    async def _take_from(self, leg: OpenAnswer) -> bool:
        """End the household's part, and learn what there was of it; True when it has just come to its end."""
        given = self._given
        pieces: list[str] = []
        leg.cancel()
        try:
            async with asyncio.timeout(CUT_S):
                while True:
                    match await leg.next():
                        case Begun() as begun:
                            given.begin(begun)
                        case Text(text):
                            pieces.append(text)
                        case Done(reason="cancelled") as done:
                            # What was kept back as the possible beginning of a stop string. Whether it is
                            # one is for whoever goes on to find out.
                            given.held += "".join(pieces)
                            given.pauses = list(done.pauses)
                            given.note(done.segments, done.prompt_tokens)
                            return False
                        case Done() as done:
                            given.show("".join(pieces))
                            given.put(done)
                            return True
                        case _:
                            continue
        except TimeoutError:
            given.held += "".join(pieces)
            given.note((), 0)
        except HomeswarmError:
            given.held += "".join(pieces)
            given.note_cut(leg.cut)
        finally:
            self._leave_leg()
        return False


@dataclass(slots=True)
class _Silence:
    """What was done about the silences of one answer."""

    expected: bool = False
    rehearsed: bool = False


def _engine_ready(state: State) -> bool:
    return state.engine.phase is Phase.READY


def _engine_decided(state: State) -> bool:
    """True when waiting longer changes nothing."""
    return state.stopping or not passes(state) or _engine_ready(state)
