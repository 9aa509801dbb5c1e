"""The token loop: one request in, its answer's messages out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from swarm_app.childproto import (
    Accepted,
    Delta,
    Finished,
    Generate,
    Paused,
    RouteHop,
    Segment,
)
from swarm_app.domain.clock import Clock, SystemClock
from swarm_app.domain.errors import CacheFull, HomeswarmError
from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Route
from swarm_app.domain.timing import timing
from swarm_app.engines.answering import check_sampling
from swarm_app.engines.contract import CutOff, Decoder, Emit, Model
from swarm_app.engines.detokenize import Detokenizer, Vocabulary
from swarm_app.engines.prompt import ANSWER_ROOM_TOKENS, Prompt, PromptBuilder
from swarm_app.engines.sampling import Sampler
from swarm_app.engines.stops import StopFilter

if TYPE_CHECKING:
    from swarm_app.models.store import StoredModel

CLOSE_S = 1.0
"""An answer's end waits so long for the peers to hear of it; the closing itself goes on."""

CUT_CLOSE_S = 0.05
"""The same for one that was cut off: somebody waits to go on with it, and its peers may not even be there."""

REROUTED = "rerouted"
"""Why a segment ended, until it is known better."""

END_TOKENS = frozenset(
    ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<end_of_turn>", "<eos>", "</s>")
)
"""Special tokens that end an answer even where a model's configuration forgot to say so, as many
conversions do. Not gpt-oss' ``<|end|>``, which ends only a part of an answer."""


@dataclass(frozen=True, slots=True)
class TextSide:
    """What one model's text needs; shared by all its answers."""

    prompts: PromptBuilder
    vocabulary: Vocabulary
    eos_ids: frozenset[int]
    """Ids that end an answer; they are neither shown nor counted."""

    @classmethod
    def load(cls, stored: StoredModel, context_tokens: int) -> TextSide:
        """Read the tokenizer (takes a while: off the event loop). Raises the store's errors."""
        tokenizer = stored.tokenizer()
        prompts = PromptBuilder(tokenizer, context_tokens)
        eos_ids = set(stored.eos_token_ids())
        own = getattr(tokenizer, "eos_token_id", None)
        if isinstance(own, int):
            eos_ids.add(own)
        vocabulary = Vocabulary(prompts.backend)
        eos_ids |= {i for i in vocabulary.special if prompts.backend.id_to_token(i) in END_TOKENS}
        return cls(prompts, vocabulary, frozenset(eos_ids))


async def answer(
    request: Generate,
    *,
    model: Model,
    text: TextSide,
    emit: Emit,
    clock: Clock | None = None,
    engine: str = "swarm",
    started_s: float | None = None,
) -> Finished:
    """Run one request: Accepted, Deltas and Finished go to `emit`, and Finished is returned as well.

    `started_s` is when the request came (of `clock.monotonic`); TTFT counts from there. Cancelling the
    task ends the answer with reason ``cancelled`` and the text so far; the task then ends normally.
    Raises BadRequest, ContextLengthExceeded, and whatever the model raises (NoRoute, CacheFull,
    PeerLost, …), in a CutOff once the request was accepted, always with the session closed.
    """
    clock = clock or SystemClock()
    run = _Run(request, model, text, emit, clock, engine)
    run.started_s = clock.monotonic() if started_s is None else started_s
    try:
        try:
            reason = await run.generate()
        except BaseException:
            await _close(run.decoder, CUT_CLOSE_S)
            raise
        await _close(run.decoder, CLOSE_S)
    except asyncio.CancelledError:
        # The caller cancels one answer, not this coroutine's own end: what is left to do is short.
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        reason = "cancelled"
        await run.show(run.stops.finish())
    except HomeswarmError as error:
        if not run.accepted:
            raise
        raise CutOff(error, run.finished("failed"), run.stops.finish()) from error
    finished = run.finished(reason)
    await emit(finished)
    return finished


@dataclass(slots=True)
class _Run:
    """One answer in the making."""

    request: Generate
    model: Model
    text: TextSide
    emit: Emit
    clock: Clock
    engine: str
    started_s: float = 0.0
    decoder: Decoder | None = None
    accepted: bool = False
    prompt_tokens: int = 0
    tokens: int = 0
    stops: StopFilter = field(default_factory=lambda: StopFilter(()))
    times_s: list[float] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    segment_route: Route | None = None
    segment_start: int = 0

    async def generate(self) -> str:
        """The reason why the answer ended: ``stop`` or ``length``."""
        sampling = self.request.sampling
        check_sampling(sampling)
        # Off the loop: a pasted book takes a second to tokenize, and other answers go on meanwhile.
        prompt = await asyncio.to_thread(
            self.text.prompts.build,
            self.request.messages,
            max_tokens=sampling.max_tokens,
            trim=self.request.trim,
        )
        self.prompt_tokens = len(prompt.ids)
        sampler = Sampler(sampling, prompt.ids)
        self.stops = StopFilter([*sampling.stop, *prompt.stops])
        detokenizer = Detokenizer(self.text.vocabulary)
        decoder, room = await self._opened(prompt)
        self.decoder = decoder
        self.segment_route = decoder.route
        await self.emit(
            Accepted(
                self.request.request_id,
                self.prompt_tokens,
                prompt.trimmed_messages,
                route_hops(self.segment_route),
                self.model.name,
            )
        )
        self.accepted = True
        fed: Sequence[int] = prompt.ids
        while True:
            logits = await decoder.step(fed)
            pauses, route = decoder.take_pauses(), decoder.route
            for pause in pauses:
                self.pauses.append(pause)
                await self.emit(Paused(self.request.request_id, pause, route_hops(route)))
            if route != self.segment_route:
                self._end_segment(REROUTED)
                self.segment_route = route
            self._explain(pauses)
            token = sampler.choose(logits)
            self.times_s.append(self.clock.monotonic())
            if token in self.text.eos_ids:
                reason = "stop"
                break
            self.tokens += 1
            await self.show(self.stops.feed(detokenizer.feed(token)))
            if self.stops.stopped:
                return "stop"
            if self.tokens == room:
                reason = "length"
                break
            fed = (token,)
            # A decoder that never waits must not keep cancellations and other answers from their turn.
            await asyncio.sleep(0)
        await self.show(self.stops.feed(detokenizer.finish()))
        if self.stops.stopped:
            return "stop"
        await self.show(self.stops.finish())
        return reason

    async def _opened(self, prompt: Prompt) -> tuple[Decoder, int]:
        """A session, and the tokens of an answer that it has room for.

        An answer whose length nobody asked for takes a part where the household's memory is short: most end
        long before the context does.
        """
        room = prompt.max_new_tokens
        shortest = room if self.request.sampling.max_tokens is not None else min(room, ANSWER_ROOM_TOKENS)
        while True:
            try:
                return await self.model.open(len(prompt.ids) + room), room
            except CacheFull:
                if room == shortest:
                    raise
                room = max(shortest, room // 2)

    async def show(self, piece: str) -> None:
        if piece:
            await self.emit(Delta(self.request.request_id, piece))

    def _explain(self, pauses: Sequence[Pause]) -> None:
        """Why the latest segment ended, which may come out some steps later."""
        moves = [pause.text for pause in pauses if pause.moved_to]
        if moves and self.segments and self.segments[-1].reason == REROUTED:
            self.segments[-1] = replace(self.segments[-1], reason="; ".join(moves))

    def _end_segment(self, reason: str) -> None:
        """Close the present segment; `reason` says why another follows it."""
        count = self.tokens - self.segment_start
        if count or not reason:
            hops = route_hops(self.segment_route)
            self.segments.append(Segment(self.engine, self.model.name, hops, count, reason))
        self.segment_start = self.tokens

    def finished(self, reason: str) -> Finished:
        if self.decoder is not None:
            late = self.decoder.take_pauses(ended=True)
            self.pauses += late
            self._explain(late)
            self._end_segment("")
        return Finished(
            self.request.request_id,
            reason,
            self.prompt_tokens,
            self.tokens,
            self.segments,
            timing(self.started_s, self.times_s),
            self.pauses,
        )


def route_hops(route: Route | None) -> list[RouteHop]:
    """A route as it crosses the pipe; empty where there is none."""
    if route is None:
        return []
    return [RouteHop(hop.peer, hop.name, hop.span.start, hop.span.end) for hop in route.hops]


_closing: set[asyncio.Future[None]] = set()
"""Closings that outlast their answer; the loop itself holds tasks only weakly."""


async def _close(decoder: Decoder | None, wait_s: float) -> None:
    """Free the session, waiting for it no longer than `wait_s`. A failing peer cannot spoil a finished
    answer."""
    if decoder is None:
        return
    closing = asyncio.ensure_future(decoder.close())
    _closing.add(closing)
    closing.add_done_callback(_closed)
    await asyncio.wait({closing}, timeout=wait_s)


def _closed(closing: asyncio.Future[None]) -> None:
    _closing.discard(closing)
    if not closing.cancelled():
        closing.exception()  # looked at: a peer that is gone frees its session by itself
