"""Answers that outlive the household: begun by it or by the local model, and gone on with by that if need be.

Who gives what is decided in `swarm_app.node.fallback`; here it is carried out. Each part of an answer is a
request of its own to its engine, so that nothing of one part can come out in another.

State owned: the answers in flight. Callers: `swarm_app.node.wiring`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from swarm_app.childproto import Failed, Message
from swarm_app.childproto import Pause as PauseReport
from swarm_app.domain.errors import Busy, ChildDown, FallbackOffered, HomeswarmError, ModelNotFound, from_wire
from swarm_app.domain.pause import LOCAL, taken_over
from swarm_app.domain.timing import between
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Pause,
    Paused,
    Segment,
    Switched,
    Text,
    Timing,
    Turn,
)
from swarm_app.node import fallback
from swarm_app.node.answers import MAX_ANSWERS, AnswerReport, Answers, OpenAnswer, pause, segments
from swarm_app.node.events import AnswersChanged, LocalAnswers, PauseEnded, RetryAsked, SwarmLeft
from swarm_app.node.fallback import Begin, Flight, Wishes
from swarm_app.node.state import Child, Kind, Phase, State
from swarm_app.node.store import Store

log = logging.getLogger("homeswarm.node")

ENGINE_WAIT_S = 5.0
"""A question for the household alone, that comes while the engine starts, waits this long for it."""

LOCAL_WAIT_S = 120.0
"""For the local model to be loaded: gigabytes from a slow disk."""

LOOK_S = 0.05
"""How often a silent answer is thought about."""

CUT_S = 0.3
"""For the engine to say what there was of an answer that is taken from it."""

REHEARSAL_S = 5.0
"""A rehearsal that takes longer is not waited for."""

KEPT_GAPS = 32

LOCAL_TRIES = 2
"""A local model that crashes in an answer is tried once more."""


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


class RelayedAnswer:
    """One answer (implements `swarm_app.localapi.answers.Answer`)."""

    def __init__(self, relay: Relay, turns: Sequence[Turn], choice: Choice, trim: bool) -> None:
        self.request_id = secrets.token_hex(8)
        self._relay = relay
        self._store = relay.store
        self._turns = list(turns)
        self._partial_turn = self._turns.pop().content if choice.continues else ""
        self._choice = choice
        self._trim = trim
        self._wishes = Wishes(choice.prefer, choice.fallback)
        self._events: asyncio.Queue[AnswerEvent | HomeswarmError] = asyncio.Queue()
        self._asked_at = time.monotonic()
        self._leg: OpenAnswer | None = None
        self._rehearsal: OpenAnswer | None = None
        self._begun: Begun | None = None
        self._switched = False
        self._shown: list[str] = []
        self._shown_before_local = 0
        self._times_s: list[float] = []
        self._held = ""
        """Text that was generated and may become a stop string: kept back, and gone on with."""
        self._prompt_tokens = 0
        self._trimmed_messages = 0
        self._segments: list[Segment] = []
        self._pauses: list[Pause] = []
        self._task = asyncio.get_running_loop().create_task(self._run())

    # ------------------------------------------------ for whoever asked

    async def next(self) -> AnswerEvent:
        event = await self._events.get()
        if isinstance(event, HomeswarmError):
            raise event
        return event

    def close(self) -> None:
        self._task.cancel()
        self._leave_leg()
        self._relay.ended(self)

    # ------------------------------------------------ how it comes about

    async def _run(self) -> None:
        try:
            await self._answer()
        except HomeswarmError as error:
            self._events.put_nowait(error)
        except Exception:
            log.exception("an answer ended by an error of our own")
            self._events.put_nowait(
                HomeswarmError("Something went wrong inside the node.", remedy="Its log has the details.")
            )
        finally:
            self._leave_leg()
            if self._rehearsal is not None:
                self._rehearsal.close()
            self._relay.ended(self)

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
                raise self._own_error(trouble) from None
            self._offer_or_go(trouble.reason)
            self._store.apply(SwarmLeft(trouble.reason, time.monotonic()))
            await self._by_local(trouble.reason, trouble)

    @property
    def _state(self) -> State:
        return self._store.state

    async def _who_begins(self) -> Begin:
        while (begin := fallback.choose(self._state, self._wishes, self._asked_at, time.monotonic())) is None:
            await self._store.next_change(LOOK_S)
        return begin

    def _offer_or_go(self, reason: str) -> None:
        """Raises FallbackOffered where a person wants to be asked first."""
        model = self._state.local_model
        if fallback.fallback_of(self._state, self._wishes) == "ask" and model is not None:
            self._show(self._held)
            raise FallbackOffered(
                f"The household cannot {'go on' if self._shown else 'answer'}: {reason}."
                f" {model.name} on this computer can."
            )

    def _own_error(self, trouble: _Trouble) -> HomeswarmError:
        self._show(self._held)
        return trouble.error or ChildDown(f"The answer was cut off: {trouble.reason}.")

    # ------------------------------------------------ by the household

    async def _by_swarm(self) -> None:
        """Give the answer, or raise _Trouble where the local model may go on with it."""
        store = self._store
        if not await store.until(engine_decided, ENGINE_WAIT_S) or not engine_ready(store.state):
            raise self._trouble(engine_not_ready(store.state))
        try:
            leg = self._relay.swarm.open(
                self._turns_with_partial(), self._choice, self._trim, request_id=self.request_id
            )
        except ChildDown as error:
            raise self._trouble(error) from None
        self._leg = leg
        flight = Flight(self._asked_at)
        rehearsed_at: float | None = None
        expected = False
        never = fallback.fallback_of(self._state, self._wishes) == "never"
        while True:
            event = await self._heard(leg, flight)
            now = time.monotonic()
            match event:
                case None:
                    state = self._state
                    # Without anybody to go on, it is better waited for.
                    may_leave = not (never or state.local_model is None or state.local.phase is Phase.DOWN)
                    if may_leave and (reason := fallback.leave(self._state, flight, now)):
                        await self._take_from(leg)
                        raise _Trouble(reason)
                    if may_leave and not expected and fallback.expect(self._state, flight, now):
                        expected = True
                        self._relay.local_needed(self, True)
                    if may_leave and rehearsed_at is None and fallback.rehearse(self._state, flight, now):
                        rehearsed_at = now  # once: a household that stumbles often must not pay each time
                        self._rehearse()
                case Begun():
                    self._begun = event
                    self._trimmed_messages = event.trimmed_messages
                    flight = replace(flight, route=tuple(hop.peer for hop in event.route))
                    self._events.put_nowait(event)
                case Text(text):
                    if flight.last_text_at is not None:
                        gaps_s = (*flight.gaps_s, now - flight.last_text_at)[-KEPT_GAPS:]
                        flight = replace(flight, gaps_s=gaps_s)
                    flight = replace(flight, last_text_at=now)
                    self._show(text)
                case Paused(paused):
                    self._pauses.append(paused)
                    self._events.put_nowait(event)
                case Done():
                    self._events.put_nowait(event)
                    return

    def _rehearse(self) -> None:
        """Let the local model read the conversation and the answer so far; what it would say is not used.

        llama.cpp keeps what it has read: going on behind it costs nothing then.
        """
        partial = "".join(self._shown)
        choice = replace(self._choice, max_tokens=1, temperature=0.0, stop=())
        with contextlib.suppress(HomeswarmError):  # then the continuation has to read it itself
            self._rehearsal = self._relay.local.open(
                self._turns,
                choice,
                True,
                request_id=f"{self.request_id}-rehearsal",
                partial=partial,
                shown=len(partial),
            )

    async def _rehearsal_over(self) -> None:
        """A rehearsal that is under way does what the continuation would have to do first."""
        if self._rehearsal is None:
            return
        rehearsal, self._rehearsal = self._rehearsal, None
        with contextlib.suppress(HomeswarmError, TimeoutError):
            async with asyncio.timeout(REHEARSAL_S):
                while not isinstance(await rehearsal.next(), Done):
                    pass
        rehearsal.close()

    async def _heard(self, leg: OpenAnswer, flight: Flight) -> AnswerEvent | None:
        """The next event, or None after a moment of silence. Raises _Trouble, or the household's error."""
        try:
            async with asyncio.timeout(LOOK_S):
                return await leg.next()
        except TimeoutError:
            return None
        except HomeswarmError as error:
            self._note_cut(leg.cut)
            raise self._trouble(error) from None

    def _trouble(self, error: HomeswarmError) -> Exception:
        """The error itself where the local model must not or cannot help."""
        state = self._state
        if state.stopping or not fallback.helps(error):
            self._show(self._held)
            return error
        if state.local_model is None or fallback.fallback_of(state, self._wishes) == "never":
            self._show(self._held)
            return error
        missing = error.code == "no-route" and not state.swarm.covered
        reason = fallback.who_is_missing(state) if missing else _as_reason(error)
        return _Trouble(reason, error)

    async def _take_from(self, leg: OpenAnswer) -> None:
        """End the household's part, and learn what there was of it."""
        leg.cancel()
        try:
            async with asyncio.timeout(CUT_S):
                while True:
                    match await leg.next():
                        case Text(text):
                            # What was kept back as the possible beginning of a stop string. Whether it is
                            # one is for whoever goes on to find out.
                            self._held += text
                        case Done() as done:
                            self._pauses = list(done.pauses)
                            self._note(done.segments, done.prompt_tokens)
                            return
                        case _:
                            continue
        except TimeoutError:
            self._note((), 0)
        except HomeswarmError:
            self._note_cut(leg.cut)
        finally:
            self._leave_leg()

    def _note_cut(self, cut: Failed | None) -> None:
        if cut is None or cut.so_far is None:
            self._note((), 0)
            return
        self._held += cut.held
        self._pauses = [pause(report) for report in cut.so_far.pauses]
        self._note(segments(cut.so_far), cut.so_far.prompt_tokens)

    def _note(self, parts: Sequence[Segment], prompt_tokens: int) -> None:
        """Keep what the household gave; where it did not say, a piece of text counts as a token."""
        begun = self._begun
        if not parts and self._shown and begun is not None:
            parts = (Segment("swarm", begun.model, begun.route, len(self._shown)),)
        self._segments += [part for part in parts if part.completion_tokens]
        self._prompt_tokens = prompt_tokens or (begun.prompt_tokens if begun is not None else 0)

    # ------------------------------------------------ by the local model

    async def _by_local(self, reason: str, trouble: _Trouble | None) -> None:
        self._relay.local_needed(self, True)
        self._shown_before_local = len(self._shown)
        for attempt in range(LOCAL_TRIES):
            try:
                await self._local_ready()
            except HomeswarmError as error:
                raise self._both(trouble, error) from None
            try:
                await self._local_part(reason, attempt)
                return
            except ChildDown as error:
                if attempt + 1 == LOCAL_TRIES or self._state.stopping:
                    raise
                log.info("local: %s Trying once more.", error.message)
                given = len(self._shown) - self._shown_before_local
                self._segments = [part for part in self._segments if part.engine != "local"]
                if given:
                    self._segments.append(Segment("local", self._local_name, (), given, reason))

    @property
    def _local_name(self) -> str:
        model = self._state.local_model
        return "" if model is None else model.name

    async def _local_ready(self) -> None:
        """Wait until the local model is loaded. Raises why it cannot be."""
        state = self._state
        if state.local_model is None:
            raise ModelNotFound(
                "There is no local model on this computer.", remedy="Import one with: homeswarm local import"
            )
        if state.local.phase is Phase.DOWN:
            # Memory may be free by now, a file repaired; if not, the same is said again.
            self._store.apply(RetryAsked(Kind.LOCAL))
        await self._store.until(_local_decided, LOCAL_WAIT_S)
        state = self._state
        if state.stopping:
            raise ChildDown("The node is stopping.", remedy="Start it again with: homeswarm node")
        if state.local.phase is Phase.READY:
            return
        said = state.local.complaint
        if said is None:
            raise ChildDown("The local model did not get ready in time.")
        raise from_wire(said.code, said.message, said.remedy)

    def _both(self, trouble: _Trouble | None, error: HomeswarmError) -> HomeswarmError:
        """The household's error, and why the local model does not help."""
        self._show(self._held)
        if trouble is None:
            return error
        own = trouble.error or ChildDown(f"The household cannot go on: {trouble.reason}.", remedy="")
        own.message = f"{own.message} Nor can the local model: {error.message}"
        own.remedy = own.remedy or error.remedy
        return own

    async def _local_part(self, reason: str, attempt: int) -> None:
        shown = self._partial_turn + "".join(self._shown)
        given = sum(part.completion_tokens for part in self._segments)
        limit = self._choice.max_tokens
        if limit is not None and given >= limit:
            self._finish("length", (), 0)
            return
        await self._rehearsal_over()
        leg = self._relay.local.open(
            self._turns,
            replace(self._choice, max_tokens=None if limit is None else limit - given),
            self._trim or reason != fallback.ASKED_FOR,
            request_id=f"{self.request_id}-local{attempt}",
            partial=shown + self._held,
            shown=len(shown),
        )
        self._leg = leg
        silent_since = self._silent_since(reason, attempt)
        while True:
            event = await leg.next()
            match event:
                case Begun():
                    self._local_begun(event, reason, given)
                case Text(text):
                    if silent_since is not None:
                        self._tell_pause(reason, given, time.monotonic() - silent_since)
                    silent_since = None
                    self._held = ""
                    self._show(text)
                case Done():
                    if silent_since is not None:
                        self._tell_pause(reason, given, time.monotonic() - silent_since)
                    self._held = ""
                    parts = [replace(part, reason=reason) for part in event.segments]
                    self._finish(event.reason, parts, event.prompt_tokens)
                    return
                case _:
                    continue

    def _silent_since(self, reason: str, attempt: int) -> float | None:
        """When the household was last heard, where it had begun; None where nothing was taken over."""
        if attempt or reason == fallback.ASKED_FOR or self._begun is None:
            return None
        return self._times_s[-1] if self._times_s else self._asked_at

    def _local_begun(self, begun: Begun, reason: str, given: int) -> None:
        self._trimmed_messages = max(self._trimmed_messages, begun.trimmed_messages)
        if self._begun is None:
            self._begun = replace(begun, engine="local", reason=reason)
            self._events.put_nowait(self._begun)
        elif self._begun.engine == "swarm" and not self._switched:
            self._switched = True
            self._events.put_nowait(Switched(begun.model, reason, given, begun.trimmed_messages))

    def _tell_pause(self, reason: str, at_token: int, silent_s: float) -> None:
        name = self._local_name
        report = PauseReport(
            cause=LOCAL,
            peer_id="",
            name="the household",
            moved_to=[name],
            detect_s=0.0,
            route_s=0.0,
            replay_s=0.0,
            total_s=silent_s,
            at_token=at_token,
            text=taken_over(reason, name, silent_s),
        )
        self._store.apply(PauseEnded(self.request_id, report, time.time()))
        told = pause(report)
        self._pauses.append(told)
        self._events.put_nowait(Paused(told))

    def _finish(self, reason: str, parts: Sequence[Segment], prompt_tokens: int) -> None:
        self._segments += parts
        times_s = self._times_s
        timing = None
        if times_s:
            median_s, p95_s = between(times_s)
            timing = Timing(times_s[0] - self._asked_at, times_s[-1] - times_s[0], median_s, p95_s)
        self._events.put_nowait(
            Done(
                reason,
                self._prompt_tokens or prompt_tokens,
                sum(part.completion_tokens for part in self._segments),
                tuple(self._segments),
                timing,
                self._trimmed_messages,
                tuple(self._pauses),
            )
        )

    # ------------------------------------------------ both

    def _turns_with_partial(self) -> list[Turn]:
        return (
            [*self._turns, Turn("assistant", self._partial_turn)] if self._choice.continues else self._turns
        )

    def _show(self, text: str) -> None:
        if text:
            self._shown.append(text)
            self._times_s.append(time.monotonic())
            self._events.put_nowait(Text(text))

    def _leave_leg(self) -> None:
        if self._leg is not None:
            self._leg.close()
            self._leg = None


def _as_reason(error: HomeswarmError) -> str:
    """An error's sentence as a part of another one."""
    text = error.message.removeprefix("The answer was cut off. ").strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _local_decided(state: State) -> bool:
    return state.stopping or state.local.phase in (Phase.READY, Phase.DOWN)


def engine_ready(state: State) -> bool:
    return state.engine.phase is Phase.READY


def engine_decided(state: State) -> bool:
    """True when waiting longer changes nothing."""
    return state.stopping or state.engine.phase in (Phase.READY, Phase.DOWN, Phase.OFF)


def engine_not_ready(state: State) -> ChildDown:
    """Why the household's engine cannot take a question."""
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
