"""The token loop: text, reasons, counts, cancellation, timing."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Sequence

import pytest
import torch

from swarm_app.childproto import (
    Accepted,
    ChatMessage,
    Delta,
    Finished,
    Generate,
    Message,
    RouteHop,
    Sampling,
    Segment,
)
from swarm_app.domain.clock import ManualClock
from swarm_app.domain.errors import BadRequest, CacheFull, ContextLengthExceeded, NoRoute, PeerLost
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span
from swarm_app.domain.timing import timing
from swarm_app.engines.contract import CutOff
from swarm_app.engines.generate import CLOSE_S, TextSide, answer
from tests.engines.scripted import (
    ScriptedDecoder,
    ScriptedModel,
    bytes_to_ids,
    chat_tokenizer,
    text_side,
)

HOPS = [RouteHop("Qm1", "desk", 0, 8)]


class Rig:
    def __init__(self, said: str | bytes, *, end: bool = True, context_tokens: int = 4096) -> None:
        self.text: TextSide = text_side(context_tokens)
        data = said.encode() if isinstance(said, str) else said
        ids = bytes_to_ids(data, self.text.prompts.backend)
        if end:
            ids += sorted(self.text.eos_ids)
        self.model = ScriptedModel(lambda prompt: ids, vocab_size=300)
        self.messages: list[Message] = []
        self.clock = ManualClock()

    async def emit(self, message: Message) -> None:
        self.messages.append(message)

    async def ask(
        self, sampling: Sampling | None = None, said: str = "Hi", *, trim: bool = False
    ) -> Finished:
        request = Generate("r1", [ChatMessage("user", said)], sampling or Sampling(), trim)
        return await answer(request, model=self.model, text=self.text, emit=self.emit, clock=self.clock)

    @property
    def shown(self) -> str:
        return "".join(m.text for m in self.messages if isinstance(m, Delta))


async def test_an_answer_from_acceptance_to_its_end() -> None:
    rig = Rig("né 漢 😀")
    finished = await rig.ask()
    accepted = rig.messages[0]
    assert isinstance(accepted, Accepted)
    assert accepted.route == HOPS
    assert accepted.prompt_tokens == finished.prompt_tokens > 10
    assert rig.shown == "né 漢 😀"
    assert rig.messages[-1] is finished
    assert finished.reason == "stop"
    assert finished.completion_tokens == len("né 漢 😀".encode())
    assert finished.segments == [Segment("swarm", "scripted", HOPS, finished.completion_tokens)]
    assert not rig.model.live
    assert rig.model.room == [4096]


@pytest.mark.parametrize(
    ("stop", "expected", "reason"),
    [
        (["DEFGHIJ"], "ABC", "stop"),
        (["DEX"], string.ascii_uppercase, "stop"),
        (["nope", "KLM"], "ABCDEFGHIJ", "stop"),
        (["Z"], string.ascii_uppercase[:-1], "stop"),
    ],
)
async def test_stop_strings_never_reach_the_user(stop: list[str], expected: str, reason: str) -> None:
    rig = Rig(string.ascii_uppercase)
    finished = await rig.ask(Sampling(stop=stop))
    assert rig.shown == expected
    assert finished.reason == reason


async def test_a_beginning_of_a_stop_at_the_limit_is_text() -> None:
    rig = Rig("ABCDE", end=False)
    finished = await rig.ask(Sampling(stop=["DEX"], max_tokens=5))
    assert rig.shown == "ABCDE"
    assert finished.reason == "length"
    assert rig.model.steps == 5


async def test_a_character_cut_by_the_limit_is_marked() -> None:
    rig = Rig("ab😀", end=False)
    await rig.ask(Sampling(max_tokens=4))
    assert rig.shown == "ab�"


async def test_a_model_going_in_circles_ends_at_the_context() -> None:
    rig = Rig("abc", end=False, context_tokens=200)
    finished = await rig.ask()
    assert finished.reason == "length"
    assert finished.prompt_tokens + finished.completion_tokens == 200
    assert rig.shown == ("abc" * 70)[: finished.completion_tokens]


@pytest.mark.parametrize(
    ("room", "asked", "said"),
    [
        (1024, None, 1024),
        (1023, None, 512),
        (511, None, 256),
        (256, None, 256),
        (255, None, None),
        (100, 20, 20),
        (500, 400, 400),
        (500, 600, None),  # what was asked for is not cut short
    ],
)
async def test_an_answer_without_a_limit_takes_the_room_there_is(
    room: int, asked: int | None, said: int | None
) -> None:
    prompt_tokens = (await Rig("abc").ask()).prompt_tokens
    rig = Rig("abc", end=False, context_tokens=prompt_tokens + 1024)
    rig.model.most = prompt_tokens + room
    if said is None:
        with pytest.raises(CacheFull):
            await rig.ask(Sampling(max_tokens=asked))
        return
    finished = await rig.ask(Sampling(max_tokens=asked))
    assert (finished.completion_tokens, finished.reason) == (said, "length")


async def test_each_token_is_fed_once_and_in_order() -> None:
    rig = Rig("xyz")
    opened: list[ScriptedDecoder] = []
    real_open = rig.model.open

    async def spying_open(max_tokens: int) -> ScriptedDecoder:
        opened.append(await real_open(max_tokens))
        return opened[-1]

    rig.model.open = spying_open  # type: ignore[method-assign]
    finished = await rig.ask()
    backend = rig.text.prompts.backend
    assert opened[0].fed[finished.prompt_tokens :] == bytes_to_ids(b"xyz", backend)


@pytest.mark.parametrize("at", [0, 1, 10, 500])
async def test_cancelling_keeps_the_text_and_frees_the_session(at: int) -> None:
    rig = Rig("0123456789" * 1000, end=False, context_tokens=9000)
    reached = asyncio.Event()

    async def pace(position: int) -> None:
        if position == at:
            reached.set()
            await asyncio.Event().wait()

    async def prefill() -> None:
        await pace(0)

    rig.model.pace = pace
    rig.model.prefill = prefill
    task = asyncio.ensure_future(rig.ask())
    await reached.wait()
    task.cancel()
    finished = await task
    assert finished.reason == "cancelled"
    assert rig.shown == ("0123456789" * 1000)[:at]
    assert finished.completion_tokens == at
    assert rig.model.steps == at + 1
    assert not rig.model.live
    assert (finished.timing is None) == (at == 0)


async def test_a_model_that_never_waits_can_be_cancelled() -> None:
    rig = Rig("ab", end=False, context_tokens=1_000_000)
    task = asyncio.ensure_future(rig.ask())
    real_emit = rig.emit

    async def emit(message: Message) -> None:
        await real_emit(message)
        if rig.shown:
            asyncio.get_running_loop().call_soon(task.cancel)

    rig.emit = emit  # type: ignore[method-assign]
    finished = await task
    assert finished.reason == "cancelled"
    assert finished.completion_tokens < 1000


async def test_held_back_text_is_kept_when_cancelled() -> None:
    rig = Rig("ABDE" + "-" * 100)
    reached = asyncio.Event()

    async def pace(position: int) -> None:
        if position == 4:
            reached.set()
            await asyncio.Event().wait()

    rig.model.pace = pace
    task = asyncio.ensure_future(rig.ask(Sampling(stop=["DEX"])))
    await reached.wait()
    assert rig.shown == "AB"
    task.cancel()
    await task
    assert rig.shown == "ABDE"


async def test_cancelling_while_a_session_is_opened_ends_without_a_segment() -> None:
    rig = Rig("x")
    opening = asyncio.Event()

    async def slow_open(max_tokens: int) -> ScriptedDecoder:
        opening.set()
        await asyncio.Event().wait()
        raise AssertionError

    rig.model.open = slow_open  # type: ignore[method-assign]
    task = asyncio.ensure_future(rig.ask())
    await opening.wait()
    task.cancel()
    finished = await task
    assert finished == Finished("r1", "cancelled", finished.prompt_tokens, 0, [], None)


async def test_a_closing_that_hangs_delays_the_end_by_a_second_at_most() -> None:
    rig = Rig("x")
    release = asyncio.Event()
    closed = asyncio.Event()

    async def slow_close(self: ScriptedDecoder) -> None:
        await release.wait()
        closed.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptedDecoder, "close", slow_close)
        started_s = asyncio.get_running_loop().time()
        finished = await rig.ask()
        assert asyncio.get_running_loop().time() - started_s < CLOSE_S + 1.0
    assert finished.reason == "stop"
    release.set()
    await asyncio.wait_for(closed.wait(), 5)


async def test_a_lost_peer_ends_the_answer_with_the_text_so_far() -> None:
    rig = Rig("ABDE" + "-" * 100)

    async def pace(position: int) -> None:
        if position == 4:
            raise PeerLost("Desk stopped answering.")

    rig.model.pace = pace
    with pytest.raises(CutOff) as cut:
        await rig.ask(Sampling(stop=["DEX"]))
    assert isinstance(cut.value.error, PeerLost)
    # Somebody may go on with it, and complete the stop string: its beginning is kept apart.
    assert (rig.shown, cut.value.held) == ("AB", "DE")
    assert (cut.value.so_far.completion_tokens, cut.value.so_far.segments[0].route[0].name) == (4, "desk")
    assert not rig.model.live
    assert not any(isinstance(message, Finished) for message in rig.messages)


async def test_refusals_come_before_anything_is_said() -> None:
    rig = Rig("x", context_tokens=256)
    with pytest.raises(ContextLengthExceeded):
        await rig.ask(said="y" * 1000)
    with pytest.raises(BadRequest):
        await rig.ask(Sampling(temperature=-1))

    async def no_route(max_tokens: int) -> ScriptedDecoder:
        raise NoRoute("No computer holds blocks 4 to 7.")

    rig.model.open = no_route  # type: ignore[method-assign]
    with pytest.raises(NoRoute):
        await rig.ask()
    assert rig.messages == []


async def test_a_reroute_starts_another_segment() -> None:
    rig = Rig("abcdef")
    other = Route((Hop("Qm2", "attic", Span(0, 8)),))
    real_step = ScriptedDecoder.step

    async def step(self: ScriptedDecoder, token_ids: Sequence[int]) -> torch.Tensor:
        logits = await real_step(self, token_ids)
        if self._position == 3:
            self.route = other
        return logits

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptedDecoder, "step", step)
        finished = await rig.ask()
    assert [(s.route[0].name, s.completion_tokens, s.reason) for s in finished.segments] == [
        ("desk", 2, "rerouted"),
        ("attic", 4, ""),
    ]


async def test_timing_counts_prefill_and_decode_apart() -> None:
    rig = Rig("abcd")
    delays_s = {0: 2.0, 1: 0.1, 2: 0.3, 3: 0.2, 4: 0.1}

    async def pace(position: int) -> None:
        rig.clock.advance(delays_s[position])

    async def prefill() -> None:
        await pace(0)

    rig.model.pace = pace
    rig.model.prefill = prefill
    finished = await rig.ask()
    assert finished.timing is not None
    assert finished.timing.ttft_s == pytest.approx(2.0)
    assert finished.timing.decode_s == pytest.approx(0.7)
    assert finished.timing.itl_median_s == pytest.approx(0.15)
    assert finished.timing.itl_p95_s == pytest.approx(0.3)


def test_timing_of_few_and_many_tokens() -> None:
    assert timing(0.0, []) is None
    one = timing(1.0, [3.0])
    assert one is not None
    assert (one.ttft_s, one.decode_s, one.itl_median_s, one.itl_p95_s) == (2.0, 0.0, 0.0, 0.0)
    steady = timing(0.0, [float(n) for n in range(101)])
    assert steady is not None
    assert (steady.itl_median_s, steady.itl_p95_s) == (1.0, 1.0)
    # 100 intervals of 1 to 100 s: 95 of them do not exceed 95.
    times_s = [0.0]
    for n in range(1, 101):
        times_s.append(times_s[-1] + n)
    rising = timing(0.0, times_s)
    assert rising is not None
    assert (rising.itl_median_s, rising.itl_p95_s) == (50.5, 95.0)


class Stored:
    """What TextSide.load asks of a stored model."""

    def tokenizer(self) -> object:
        return chat_tokenizer()

    def eos_token_ids(self) -> tuple[int, ...]:
        return (7,)


def test_an_answer_ends_at_any_of_the_models_ends() -> None:
    side = TextSide.load(Stored(), 100)  # type: ignore[arg-type]
    backend = side.prompts.backend
    # The configuration's, the tokenizer's own, and one that both forgot; not the beginning of a turn.
    assert side.eos_ids == {7, backend.token_to_id("<|im_end|>"), backend.token_to_id("<|endoftext|>")}
