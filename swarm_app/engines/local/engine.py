"""Answers of the local model: a request in, its answer's messages out.

State owned: the answers in flight, and the measured speed. Callers: `swarm_app.engines.local.process`.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from swarm_app.childproto import (
    Accepted,
    Delta,
    Finished,
    Generate,
    Listening,
    LocalSeen,
    Sampling,
    Segment,
)
from swarm_app.domain.errors import ContextLengthExceeded, HomeswarmError, LocalFailed, ModelUnsupported
from swarm_app.domain.timing import timing
from swarm_app.engines.answering import check_sampling
from swarm_app.engines.contract import CutOff, Emit
from swarm_app.engines.local import seam
from swarm_app.engines.prompt import Prompt, Prompts
from swarm_app.engines.stops import StopFilter

HANG_S = 120.0
"""Without a token or any progress in a prompt, of any answer, llama.cpp hangs. A batch of a prompt is its
longest piece of work: for a large model on a slow computer, some ten seconds."""

STOOD_STILL_S = 5.0
"""`LocalEngine.seen` is asked every 0.2 s; a longer gap is the sleep of a computer, or a stopped process."""

MEMORY_STEP_BYTES = 1 << 20
"""Memory is told in steps of this: what wobbles below it is no news."""

Chunk = dict[str, Any]


class Backend(Protocol):
    """What answers need of `swarm_app.engines.local.llama.Llama`."""

    def complete(self, request: dict[str, Any], on_chunk: Callable[[Chunk], bool]) -> None: ...


class LocalEngine:
    """Implements `swarm_app.engines.contract.Engine`."""

    def __init__(
        self,
        backend: Backend,
        prompts: Prompts,
        name: str,
        memory_bytes: Callable[[], int],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backend = backend
        self._prompts = prompts
        self._name = name
        self._memory_bytes = memory_bytes
        self._monotonic = monotonic
        self._numbers = itertools.count()
        self._running: set[int] = set()
        self._sign_s = 0.0
        self._looked_s = 0.0
        self._tokens_per_s: float | None = None

    def listening(self) -> Listening | None:
        return None

    def seen(self) -> LocalSeen:
        """Raises LocalFailed when llama.cpp hangs: the process starts anew then."""
        now_s = self._monotonic()
        if now_s - self._looked_s > STOOD_STILL_S:
            self._sign_s = now_s  # the whole process stood still, not llama.cpp alone
        self._looked_s = now_s
        if self._running and now_s - self._sign_s > HANG_S:
            raise LocalFailed(f"The local model has given no sign of life for {HANG_S:.0f} s.")
        memory_bytes = self._memory_bytes() // MEMORY_STEP_BYTES * MEMORY_STEP_BYTES
        return LocalSeen(self._name, memory_bytes, len(self._running), self._tokens_per_s)

    async def resume(self, *, moved: bool) -> None:
        """Nothing here depends on others; the clock has jumped, though."""
        self.sign_of_life()

    async def close(self) -> None:
        """The process ends: so does everything."""

    def sign_of_life(self) -> None:
        self._sign_s = self._monotonic()

    async def answer(self, request: Generate, emit: Emit, started_s: float) -> Finished:
        """See `swarm_app.engines.contract.Engine`. An answer may be the continuation of `request.partial`."""
        number = next(self._numbers)
        check_sampling(request.sampling)
        if not self._running:
            self.sign_of_life()
        self._running.add(number)
        try:
            answer = _Answer(request, self._name, started_s)
            try:
                return await self._run(answer, emit)
            finally:
                answer.gone.set()
                self._learn(answer)
        finally:
            self._running.discard(number)

    async def _run(self, answer: _Answer, emit: Emit) -> Finished:
        try:
            reason = await self._generate(answer, emit)
        except asyncio.CancelledError:
            # The caller cancels one answer, not this coroutine's own end: what is left to do is short.
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()
            reason = "cancelled"
            await answer.show(emit, answer.stops.finish())
        except HomeswarmError as error:
            if not answer.accepted:
                raise
            raise CutOff(error, answer.finished("failed"), answer.stops.finish()) from error
        finished = answer.finished(reason)
        await emit(finished)
        return finished

    async def _generate(self, answer: _Answer, emit: Emit) -> str:
        """The reason why the answer ended: ``stop`` or ``length``."""
        request = answer.request
        kept, redone = seam.split(request.partial)
        try:
            return await self._attempt(answer, emit, kept, redone)
        except _SeamFailed:
            # This model cannot write the same again: it goes on behind the text as it is.
            return await self._attempt(answer, emit, request.partial, "")

    async def _attempt(self, answer: _Answer, emit: Emit, kept: str, redone: str) -> str:
        request = answer.request
        # Off the loop: a pasted book takes a while to tokenize.
        prompt = await asyncio.to_thread(
            self._prompts.build,
            request.messages,
            max_tokens=request.sampling.max_tokens,
            trim=request.trim,
            partial=kept,
        )
        await answer.accept(emit, prompt)
        if answer.stopped():
            return "stop"
        asked = in_llamas_words(request.sampling, prompt, redone, begins=_begins(request))
        counter = _Counter(seam.Redone(redone), prompt.max_new_tokens)
        loop = asyncio.get_running_loop()
        chunks: asyncio.Queue[Chunk | BaseException | None] = asyncio.Queue()
        gone = answer.gone

        def put(item: Chunk | BaseException | None) -> None:
            if not gone.is_set():
                loop.call_soon_threadsafe(chunks.put_nowait, item)

        def work() -> None:
            def heard(chunk: Chunk) -> bool:
                self.sign_of_life()
                put(chunk)
                return gone.is_set() or over.is_set()

            try:
                self._backend.complete(asked, heard)
                put(None)
            except BaseException as error:  # noqa: BLE001  (raised again where it is waited for)
                put(error)

        over = threading.Event()
        threading.Thread(target=work, name="answer", daemon=True).start()
        try:
            while True:
                chunk = await chunks.get()
                if chunk is None:
                    raise LocalFailed("llama.cpp ended the answer without a word.")
                if isinstance(chunk, BaseException):
                    raise chunk
                _check(chunk, bool(redone) and not counter.redone.over)
                new = counter.take(chunk)
                if counter.tokens > answer.tokens:
                    answer.times_s.append(time.monotonic())
                elif counter.tokens < answer.tokens:
                    answer.times_s.pop()
                answer.tokens = counter.tokens
                await answer.show(emit, answer.stops.feed(new))
                if answer.stopped():
                    return "stop"
                if counter.reason:
                    await answer.show(emit, answer.stops.finish())
                    return counter.reason
        finally:
            over.set()

    def _learn(self, answer: _Answer) -> None:
        if (took := timing(answer.started_s, answer.times_s)) is not None and took.decode_s > 0:
            self._tokens_per_s = (len(answer.times_s) - 1) / took.decode_s


class _SeamFailed(Exception):
    """The end of the text could not be written again."""


@dataclass(slots=True)
class _Answer:
    """One answer in the making."""

    request: Generate
    model: str
    started_s: float
    accepted: bool = False
    prompt_tokens: int = 0
    tokens: int = 0
    stops: StopFilter = field(default_factory=lambda: StopFilter(()))
    times_s: list[float] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)
    """Nobody listens any more."""

    async def accept(self, emit: Emit, prompt: Prompt) -> None:
        if self.accepted:
            return
        self.accepted = True
        self.prompt_tokens = len(prompt.ids)
        self.stops = StopFilter([*self.request.sampling.stop, *prompt.stops])
        shown = self.stops.feed(self.request.partial)
        await emit(
            Accepted(self.request.request_id, self.prompt_tokens, prompt.trimmed_messages, [], self.model)
        )
        # What the engine before had kept back and what is no stop string after all.
        await self.show(emit, shown[self.request.shown :])

    def stopped(self) -> bool:
        """A stop string was met."""
        return self.stops.stopped

    async def show(self, emit: Emit, piece: str) -> None:
        if piece:
            await emit(Delta(self.request.request_id, piece))

    def finished(self, reason: str) -> Finished:
        segments = [Segment("local", self.model, [], self.tokens)] if self.accepted else []
        return Finished(
            self.request.request_id,
            reason,
            self.prompt_tokens,
            self.tokens,
            segments,
            timing(self.started_s, self.times_s),
        )


class _Counter:
    """Text and number of the answer's own tokens, without what was written again."""

    def __init__(self, redone: seam.Redone, max_new_tokens: int) -> None:
        self.redone = redone
        self.tokens = 0
        self.reason = ""
        """``stop`` or ``length`` when the answer is over."""
        self._max_new_tokens = max_new_tokens
        self._before: int | None = None if not redone.over else 0
        """llama.cpp's count when the answer's own first token came, less that one."""

    def take(self, chunk: Chunk) -> str:
        """The new text of a chunk. Raises _SeamFailed where the text was not written again."""
        choice = (chunk.get("choices") or [{}])[0]
        count = int((chunk.get("timings") or {}).get("predicted_n") or 0)
        new = self.redone.feed(str(choice.get("text") or ""))
        if new is None:
            raise _SeamFailed
        finish = choice.get("finish_reason")
        if not self.redone.over:
            if finish is not None:
                raise _SeamFailed
            return ""
        if self._before is None:
            self._before = count - 1 if new else count
        self.tokens = max(self.tokens, count - self._before)
        if finish is not None:
            self.reason = "stop" if finish == "stop" else "length"
            if finish == "stop" and self.tokens:
                self.tokens -= 1  # the token that ends an answer is not one of it, and came with a chunk
        elif self.tokens > self._max_new_tokens:
            # What came without a text was no end but the beginning of a character: this one is not wanted.
            self.reason, self.tokens, new = "length", self._max_new_tokens, ""
        elif self.tokens == self._max_new_tokens and new:
            self.reason = "length"  # without a text it may be the end of the answer: the next chunk tells
        return new


def _check(chunk: Chunk, at_seam: bool) -> None:
    error = chunk.get("error")
    if error is None:
        return
    if not isinstance(error, dict):
        error = {}
    if error.get("type") == "exceed_context_size_error":
        raise ContextLengthExceeded(
            f"The conversation is {error.get('n_prompt_tokens')} tokens long, but the context of the local"
            f" model holds {error.get('n_ctx')}.",
            param="messages",
        )
    if at_seam:
        raise _SeamFailed
    raise LocalFailed(f"llama.cpp could not answer: {str(error.get('message', ''))[:200]}.")


def _begins(request: Generate) -> bool:
    """Whether nothing was answered yet in the conversation."""
    return not request.partial and all(turn.role != "assistant" for turn in request.messages)


def in_llamas_words(sampling: Sampling, prompt: Prompt, redone: str, *, begins: bool) -> dict[str, Any]:
    """A completion request that chooses tokens as `swarm_app.engines.sampling` does, in the same order.

    A conversation that `begins` is read whole: after a prefix that llama.cpp remembers from somebody else's
    it multiplies the rest in other rows and rounds otherwise, and a question would be answered by what was
    asked before it.
    """
    asked: dict[str, Any] = {
        "prompt": prompt.ids,
        # A token is a byte at least.
        "n_predict": prompt.max_new_tokens + len(redone.encode()),
        "samplers": ["penalties", "temperature", "top_k", "top_p", "min_p"],
        "temperature": sampling.temperature,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "repeat_penalty": sampling.repetition_penalty,
        "repeat_last_n": len(prompt.ids) + prompt.max_new_tokens,
        "seed": -1 if sampling.seed is None else sampling.seed % 2**32,
        "cache_prompt": not begins,
        "timings_per_token": True,
        "return_progress": True,
    }
    if redone:
        asked["grammar"] = seam.grammar(redone)
    return asked


def slot_tokens(context_tokens: int, trained_tokens: int | None) -> int:
    """The context of one answer: what was asked for, as far as the model was trained for it."""
    if trained_tokens is not None and trained_tokens < 16:
        raise ModelUnsupported(f"The local model has a context of {trained_tokens} tokens only.")
    return context_tokens if trained_tokens is None else min(context_tokens, trained_tokens)
