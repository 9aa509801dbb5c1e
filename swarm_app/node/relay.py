"""Answers that outlive the household: begun by it or by the local model, and gone on with by that if need be.

Who gives what is decided in `swarm_app.node.fallback`; here it is carried out. Each part of an answer is a
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
from swarm_app.domain.errors import Busy, ChildDown, FallbackOffered, HomeswarmError
from swarm_app.localapi.answers import AnswerEvent, Begun, Choice, Done, Paused, Text, Turn
from swarm_app.node import fallback
from swarm_app.node.answers import MAX_ANSWERS, AnswerReport, Answers, OpenAnswer
from swarm_app.node.events import AnswersChanged, LocalAnswers, SwarmLeft
from swarm_app.node.fallback import Begin, Flight, Wishes
from swarm_app.node.given import Given
from swarm_app.node.locally import Locally, Question
from swarm_app.node.readiness import engine_decided, engine_not_ready, engine_ready
from swarm_app.node.state import Phase, State
from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

ENGINE_WAIT_S = 5.0
"""A question for the household alone, that comes while the engine starts, waits this long for it."""

LOOK_S = 0.05
"""How often a silent answer is thought about."""

CUT_S = 0.3
"""For the engine to say what there was of an answer that is taken from it."""

KEPT_GAPS = 32


class Relay:
    """All answers of one node. `to_engine` and `to_local` take messages to the children."""

    def __init__(
        self, store: Store, to_engine: Callable[[Message], None], to_local: Callable[[Message], None]
    ) -> None:
        self.store = store
        self.swarm = Answers(to_engine, lambda count: None)
        self.local = Answers(to_local, lambda count: None)
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
    """The household cannot go on with an answer; `error` is its own word, where it had one."""

    def __init__(self, reason: str, error: HomeswarmError | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.error = error

    def own_error(self) -> HomeswarmError:
        return self.error or ChildDown(f"The answer was cut off: {self.reason}.", remedy="")


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
        self._wishes = Wishes(choice.prefer, choice.fallback)
        self._given = Given()
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
        if begin.local and (begin.reason == fallback.ASKED_FOR or self._state.local_model is not None):
            if begin.reason != fallback.ASKED_FOR:
                self._offer_or_go(begin.reason)
            if begin.lost:
                self._store.apply(SwarmLeft(begin.reason, time.monotonic()))
            await self._by_local(begin.reason, None)
            return
        try:
            await self._by_swarm()
        except _Trouble as trouble:
            if self._state.stopping or self._state.local_model is None:
                self._given.show_held()
                raise trouble.own_error() from None
            self._offer_or_go(trouble.reason)
            self._store.apply(SwarmLeft(trouble.reason, time.monotonic()))
            await self._by_local(trouble.reason, trouble)

    @property
    def _state(self) -> State:
        return self._store.state

    async def _who_begins(self) -> Begin:
        asked_at = self._given.asked_at
        while (begin := fallback.choose(self._state, self._wishes, asked_at, time.monotonic())) is None:
            await self._store.next_change(LOOK_S)
        return begin

    def _offer_or_go(self, reason: str) -> None:
        """Raises FallbackOffered where a person wants to be asked first."""
        model = self._state.local_model
        if fallback.fallback_of(self._state, self._wishes) == "ask" and model is not None:
            self._given.show_held()
            raise FallbackOffered(
                f"The household cannot {'go on' if self._given.shown else 'answer'}: {reason}."
                f" {model.name} on this computer can."
            )

    async def _by_local(self, reason: str, trouble: _Trouble | None) -> None:
        self._relay.local_needed(self, True)
        try:
            await self._locally.ready()
        except HomeswarmError as error:
            self._given.show_held()
            if trouble is None:
                raise
            own = trouble.own_error()
            own.message = f"{own.message} Nor can the local model: {error.message}"
            own.remedy = own.remedy or error.remedy
            raise own from None
        await self._locally.go_on(reason)

    # ------------------------------------------------ by the household

    async def _by_swarm(self) -> None:
        """Give the answer, or raise _Trouble where the local model may go on with it."""
        store, given = self._store, self._given
        if not await store.until(engine_decided, ENGINE_WAIT_S) or not engine_ready(store.state):
            raise self._trouble(engine_not_ready(store.state))
        try:
            leg = self._relay.swarm.open(self._turns, self._choice, self._trim, request_id=self.request_id)
        except ChildDown as error:
            raise self._trouble(error) from None
        self._leg = leg
        flight = Flight(given.asked_at)
        silence = _Silence()
        while True:
            event = await self._heard(leg)
            now = time.monotonic()
            match event:
                case None:
                    await self._silent(leg, flight, silence, now)
                case Begun():
                    given.begin(event)
                    flight = replace(flight, route=tuple(hop.peer for hop in event.route))
                case Text(text):
                    if flight.last_text_at is not None:
                        gaps_s = (*flight.gaps_s, now - flight.last_text_at)[-KEPT_GAPS:]
                        flight = replace(flight, gaps_s=gaps_s)
                    flight = replace(flight, last_text_at=now)
                    given.show(text)
                case Paused(paused):
                    given.tell_pause(paused)
                case Done():
                    given.put(event)
                    return

    async def _silent(self, leg: OpenAnswer, flight: Flight, silence: _Silence, now: float) -> None:
        """Think about a silence; raises _Trouble where it has been too long."""
        state = self._state
        if fallback.fallback_of(state, self._wishes) == "never":
            return
        if state.local_model is None or state.local.phase is Phase.DOWN:
            return  # without anybody to go on, it is better waited for
        if reason := fallback.leave(state, flight, now):
            await self._take_from(leg)
            raise _Trouble(reason)
        if not silence.expected and fallback.expect(flight, now):
            silence.expected = True
            self._relay.local_needed(self, True)
        if not silence.rehearsed and fallback.rehearse(state, flight, now):
            silence.rehearsed = True  # once: a household that stumbles often must not pay each time
            self._locally.rehearse()

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
        never = fallback.fallback_of(state, self._wishes) == "never"
        if state.stopping or never or state.local_model is None or not fallback.helps(error):
            self._given.show_held()
            return error
        missing = error.code == "no-route" and not state.swarm.covered
        reason = fallback.who_is_missing(state) if missing else _as_reason(error)
        return _Trouble(reason, error)

    async def _take_from(self, leg: OpenAnswer) -> None:
        """End the household's part, and learn what there was of it."""
        given = self._given
        leg.cancel()
        try:
            async with asyncio.timeout(CUT_S):
                while True:
                    match await leg.next():
                        case Text(text):
                            # What was kept back as the possible beginning of a stop string. Whether it is
                            # one is for whoever goes on to find out.
                            given.held += text
                        case Done() as done:
                            given.pauses = list(done.pauses)
                            given.note(done.segments, done.prompt_tokens)
                            return
                        case _:
                            continue
        except TimeoutError:
            given.note((), 0)
        except HomeswarmError:
            given.note_cut(leg.cut)
        finally:
            self._leave_leg()


@dataclass(slots=True)
class _Silence:
    """What was done about the silences of one answer."""

    expected: bool = False
    rehearsed: bool = False


def _as_reason(error: HomeswarmError) -> str:
    """An error's sentence as a part of another one."""
    text = error.message.removeprefix("The answer was cut off. ").strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
