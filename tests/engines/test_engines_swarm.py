"""Sessions over a tiny real swarm: losses in mid-answer, full peers, nobody left."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path

import pytest
import torch

from swarm_app.availability.constants import HOME_LAN
from swarm_app.availability.policy import Policy
from swarm_app.blocks.attention import SpanCache
from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import Host
from swarm_app.blocks.span import SpanModule
from swarm_app.bridge.gate import Gate
from swarm_app.bridge.records import ANNOUNCE_S, ServerRecord, announce
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.errors import CacheFull, HomeswarmError, NoRoute, PeerLost, SwarmUnavailable
from swarm_app.domain.pause import Pause
from swarm_app.domain.span import Span
from swarm_app.engines.head import ClientParts
from swarm_app.engines.swarm import SwarmModel
from swarm_app.engines.view import View
from tests.families import NUM_BLOCKS, VOCAB_SIZE, make_model

MODEL_ID = "t1ny"
PROMPT = [int(t) for t in torch.randint(4, VOCAB_SIZE, (40,), generator=torch.Generator().manual_seed(5))]
NEW_TOKENS = 16


# A call that is cancelled as p2pd answers it: hivemind leaves the new stream to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <StreamWriter:ResourceWarning")


class Server:
    """One span served in this process, by a p2pd of its own."""

    def __init__(self, name: str, swarm: Swarm, host: Host, handler: TransformerConnectionHandler) -> None:
        self.name = name
        self.handler = handler
        self.swarm = swarm
        self.host = host
        self.announcing: asyncio.Task[None] | None = None

    async def keep_announcing(self, record: ServerRecord) -> None:
        """As a block process does: on a busy computer an entry runs out within one test."""
        while True:
            await asyncio.sleep(ANNOUNCE_S)
            with contextlib.suppress(Exception):  # its p2pd may be dead or frozen by then
                await announce(self.swarm, record, version="test", dtype="float32", with_blocks=False)

    def fall_silent(self) -> None:
        if self.announcing is not None:
            self.announcing.cancel()

    def kill(self) -> None:
        self.fall_silent()
        os.kill(self.swarm.p2p._child.pid, signal.SIGKILL)

    def freeze(self) -> None:
        os.kill(self.swarm.p2p._child.pid, signal.SIGSTOP)

    def crawl(self, step_s: float) -> None:
        """Take `step_s` longer for each step from now on."""
        step = self.host._step

        def slower(hidden: torch.Tensor, cache: SpanCache, as_steps: bool) -> tuple[torch.Tensor, float]:
            time.sleep(step_s)
            out, compute_s = step(hidden, cache, as_steps)
            return out, compute_s + step_s

        self.host._step = slower  # type: ignore[method-assign]

    def fed(self) -> list[int]:
        """From now on: the tokens of each step, in order."""
        step, steps = self.host._step, list[int]()

        def noted(hidden: torch.Tensor, cache: SpanCache, as_steps: bool) -> tuple[torch.Tensor, float]:
            steps.append(hidden.shape[1])
            return step(hidden, cache, as_steps)

        self.host._step = noted  # type: ignore[method-assign]
        return steps

    def say_goodnight(self) -> None:
        self.fall_silent()
        self.handler.leaving = "asleep"

    def thaw(self) -> None:
        os.kill(self.swarm.p2p._child.pid, signal.SIGCONT)


class Household:
    """Servers and one engine's model."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._model = make_model("llama")
        self.servers: dict[str, Server] = {}
        self.addresses: list[str] = []
        self.gate_of: Callable[[str], Gate | None] = lambda name: None
        """In a private swarm, the gate of the process of that name."""

    async def serve(
        self,
        name: str,
        span: Span,
        *,
        cache_tokens: int = 512,
        fast: bool = True,
        slow_s: float = 1.0,
        rounding: str = "",
    ) -> Server:
        """`slow_s`: seconds per block that it announces where it is not `fast`."""
        swarm = await Swarm.open(
            identity_path=self._folder / f"{name}.id", initial_peers=self.addresses, gate=self.gate_of(name)
        )
        self._stack.push_async_callback(swarm.close)
        module = SpanModule(
            self._model.config, span, lambda index: dict(self._model.model.layers[index].state_dict())
        )
        host = Host(
            module, name=name, cache_tokens=cache_tokens, compute=ComputeThread(1), on_change=lambda: None
        )
        self._stack.callback(host.close)
        handler = TransformerConnectionHandler(
            swarm, host, prefix=MODEL_ID, version="test", step_timeout_s=30.0
        )
        await handler.serve()
        record = ServerRecord(
            peer_id=swarm.peer_id,
            name=name,
            span=span,
            online=True,
            # The route prefers the fast ones, so that a test knows whom to kill.
            seconds_per_block=0.001 if fast else slow_s,
            cache_tokens_left=cache_tokens,
            quant="none",
            model_id=MODEL_ID,
            rounding=rounding,
        )
        assert await announce(swarm, record, version="test", dtype="float32", with_blocks=False)
        self.addresses += await swarm.addresses()
        server = Server(name, swarm, host, handler)
        server.announcing = asyncio.create_task(server.keep_announcing(record))
        self._stack.callback(server.fall_silent)
        self.servers[name] = server
        return server

    async def engine(self, policy: Policy = Policy.HEDGE, *, standby: bool = False) -> SwarmModel:
        client = await Swarm.open(
            identity_path=self._folder / "engine.id",
            initial_peers=self.addresses,
            serves=False,
            gate=self.gate_of("engine"),
        )
        tensors = {k: v for k, v in self._model.state_dict().items() if ".layers." not in k}
        parts = ClientParts(self._model.config, tensors, quantize_head=False)
        view = View(MODEL_ID, NUM_BLOCKS, dataclasses.replace(HOME_LAN, policy=policy))
        model = SwarmModel("tiny", parts, client, view, standby=standby)
        self._stack.push_async_callback(model.close)
        return model

    @torch.inference_mode()
    def undisturbed(self) -> list[int]:
        out = self._model.generate(
            torch.tensor([PROMPT]), max_new_tokens=NEW_TOKENS, do_sample=False, eos_token_id=None
        )
        return [int(token) for token in out[0, len(PROMPT) :]]


@pytest.fixture(autouse=True)
def _what_hivemind_leaves() -> Iterator[None]:
    """What killed p2pds leave is found in the test that killed them, not in other tests."""
    yield
    gc.collect()


@pytest.fixture
async def household(tmp_path: Path) -> AsyncIterator[Household]:
    async with contextlib.AsyncExitStack() as stack:
        yield Household(tmp_path, stack)


async def answer(
    model: SwarmModel,
    disturb: Mapping[int, Callable[[], Awaitable[None] | None]] | None = None,
    pauses: list[Pause] | None = None,
) -> list[int]:
    """Greedy tokens; `disturb` maps a number of tokens to what is called then; `pauses` are collected."""
    decoder = await model.open(len(PROMPT) + NEW_TOKENS)
    try:
        tokens: list[int] = []
        given = PROMPT
        while len(tokens) < NEW_TOKENS:
            if disturb and (act := disturb.get(len(tokens))) is not None:
                waited = act()
                if waited is not None:
                    await waited
            async with asyncio.timeout(20):
                logits = await decoder.step(given)
            given = [int(logits.argmax())]
            tokens += given
            if pauses is not None:
                pauses += decoder.take_pauses()
        if pauses is not None:
            pauses += decoder.take_pauses(ended=True)
        return tokens
    finally:
        await decoder.close()


def everything_is_free(household: Household) -> bool:
    return all(server.host.budget.used == 0 for server in household.servers.values())


async def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.01)


async def until_free(household: Household) -> None:
    """No session is left behind."""
    await until(lambda: everything_is_free(household))


def states(model: SwarmModel) -> dict[str, tuple[str, bool]]:
    return {peer.name: (peer.state, peer.on_route) for peer in model.seen().peers}


async def three_and_a_spare(
    household: Household, policy: Policy = Policy.HEDGE, *, standby: bool = False, slow_s: float = 1.0
) -> SwarmModel:
    await household.serve("desk", Span(0, 2))
    await household.serve("attic", Span(2, 4))
    await household.serve("laptop", Span(4, 6))
    await household.serve("spare", Span(1, 5), fast=False, slow_s=slow_s)
    return await household.engine(policy, standby=standby)


@pytest.mark.parametrize("at", [0, 1, 7])
async def test_a_killed_peer_costs_no_token(household: Household, at: int) -> None:
    model = await three_and_a_spare(household)
    decoder = await model.open(8)
    assert decoder.route is not None
    assert [hop.name for hop in decoder.route.hops] == ["desk", "attic", "laptop"]
    await decoder.close()
    tokens = await answer(model, {at: household.servers["attic"].kill})
    assert tokens == household.undisturbed()
    await until_free(household)
    await until(lambda: states(model)["attic"] == ("unreachable", False))
    assert states(model)["desk"] == ("available", True)


@pytest.mark.parametrize("linger_s", [0.0, 1.0])
async def test_a_frozen_peer_costs_no_token(household: Household, linger_s: float) -> None:
    """The answer goes on before the heartbeat tells a frozen peer from a slow one; which it was is told when
    it is known, and not claimed where the answer ends before."""
    model = await three_and_a_spare(household, slow_s=0.01)
    pauses: list[Pause] = []
    attic = household.servers["attic"]
    disturb = {5: attic.freeze, NEW_TOKENS - 1: lambda: asyncio.sleep(linger_s)}
    tokens = await answer(model, disturb, pauses)
    assert tokens == household.undisturbed()
    (pause,) = [pause for pause in pauses if pause.moved_to]
    assert (pause.name, pause.moved_to) == ("attic", ("spare",))
    assert pause.cause in (("silent",) if linger_s else ("silent", "late"))
    said = "stopped answering" if pause.cause == "silent" else "did not answer in time"
    assert pause.text.startswith(f"attic {said}; moved to spare")
    await until(lambda: states(model)["attic"] == ("unreachable", False))
    # Awake again it is taken for a peer that was away, not for a slow one.
    attic.thaw()
    await until(lambda: states(model)["attic"] == ("available", True))
    avoided_s = next(peer.avoided_s for peer in model.seen().peers if peer.name == "attic")
    assert avoided_s is None or avoided_s <= HOME_LAN.probation_s


@pytest.mark.parametrize("names", [["attic"], ["desk", "attic", "laptop"]])
async def test_a_goodnight_moves_the_answer_before_the_peer_is_gone(
    household: Household, names: list[str]
) -> None:
    model = await three_and_a_spare(household)
    await household.serve("cellar", Span(0, 6), fast=False)
    await until(lambda: len(model.seen().peers) == 5)
    pauses: list[Pause] = []
    moved = {5 + n: household.servers[name].say_goodnight for n, name in enumerate(names)}
    tokens = await answer(model, moved, pauses)
    assert tokens == household.undisturbed()
    assert sorted(pause.name for pause in pauses) == sorted(names)
    assert {pause.cause for pause in pauses} == {"asleep"}
    for pause in pauses:
        assert pause.text.startswith(f"{pause.name} went to sleep; moved to ")
        assert pause.detect_s == 0.0, "nobody waited for a peer that had said goodnight"
    await until_free(household)
    # And no new answer goes through a peer that is leaving.
    decoder = await model.open(8)
    assert decoder.route is not None
    assert not {hop.name for hop in decoder.route.hops} & set(names)
    await decoder.close()


async def test_a_pause_says_what_happened(household: Household) -> None:
    model = await three_and_a_spare(household)
    pauses: list[Pause] = []
    assert await answer(model, {6: household.servers["attic"].kill}, pauses) == household.undisturbed()
    (pause,) = pauses
    assert (pause.name, pause.moved_to, pause.at_token) == ("attic", ("spare",), 6)
    assert pause.cause in ("broken", "silent")
    assert pause.total_s == pytest.approx(pause.detect_s + pause.route_s + pause.replay_s, abs=0.01)
    assert pause.text.endswith(f"moved to spare in {pause.total_s:.1f} s")


@pytest.mark.parametrize("alike", [True, False])
async def test_an_answer_rather_goes_to_a_computer_that_rounds_alike(
    household: Household, alike: bool
) -> None:
    """The quicker spare is passed over for one with the same words; without such a one it is told."""
    await household.serve("desk", Span(0, 2), rounding="avx512")
    await household.serve("attic", Span(2, 6), rounding="avx512")
    await household.serve("other", Span(2, 6), fast=False, slow_s=0.01, rounding="neon")
    if alike:
        await household.serve("same", Span(2, 6), fast=False, slow_s=0.05, rounding="avx512")
    model = await household.engine()
    pauses: list[Pause] = []
    assert await answer(model, {6: household.servers["attic"].kill}, pauses) == household.undisturbed()
    (pause,) = pauses
    assert pause.moved_to == ("same" if alike else "other",)
    assert pause.words_may_differ is not alike
    assert pause.text.endswith("may choose other words") is not alike
    await until_free(household)


async def test_two_losses_in_one_answer(household: Household) -> None:
    model = await three_and_a_spare(household)
    await household.serve("cellar", Span(0, 6), fast=False)
    await until(lambda: len(model.seen().peers) == 5)
    tokens = await answer(model, {4: household.servers["desk"].kill, 9: household.servers["laptop"].kill})
    assert tokens == household.undisturbed()


@pytest.mark.parametrize(
    ("policy", "step_s"),
    [(Policy.WAIT, 0.3), (Policy.HEDGE, 0.3), (Policy.HEDGE, 0.7), (Policy.REROUTE, 0.3)],
)
async def test_a_peer_that_has_become_slow_is_left_by_policy(
    household: Household, policy: Policy, step_s: float
) -> None:
    """Scenario H1: slow at every step, or so slow that one is enough; never dead."""
    model = await three_and_a_spare(household, policy, slow_s=0.01)
    attic = household.servers["attic"]
    pauses: list[Pause] = []
    tokens = await answer(model, {4: lambda: attic.crawl(step_s)}, pauses)
    assert tokens == household.undisturbed()
    moves = [(pause.name, pause.cause, pause.moved_to) for pause in pauses if pause.moved_to]
    assert moves == ([] if policy is Policy.WAIT else [("attic", "slow", ("spare",))])
    await until_free(household)
    if policy is not Policy.WAIT:
        # It lives, and the next answer goes to others all the same.
        assert states(model)["attic"] == ("available", True)
        decoder = await model.open(8)
        assert decoder.route is not None
        assert "attic" not in [hop.name for hop in decoder.route.hops]
        await decoder.close()


async def test_with_a_standby_a_loss_costs_no_replay(household: Household) -> None:
    model = await three_and_a_spare(household, standby=True)
    spare = household.servers["spare"]
    fed = spare.fed()

    async def lose_attic() -> None:
        # It follows in the background, and on a busy computer later.
        await until(lambda: sum(fed) == len(PROMPT) + 7)
        fed.clear()
        household.servers["attic"].kill()

    pauses: list[Pause] = []
    tokens = await answer(model, {8: lose_attic}, pauses)
    assert tokens == household.undisturbed()
    (pause,) = [pause for pause in pauses if pause.name == "attic" and pause.moved_to]
    assert pause.moved_to == ("spare",)
    assert sum(fed) == NEW_TOKENS - 8, "what it had been fed before the loss was not fed again"
    await until_free(household)


async def test_a_standby_that_nobody_can_be_is_done_without(household: Household) -> None:
    await household.serve("desk", Span(0, 2))
    await household.serve("attic", Span(2, 6))
    model = await household.engine(standby=True)
    assert await answer(model) == household.undisturbed()
    await until_free(household)


async def test_without_a_spare_the_blocks_are_named(household: Household) -> None:
    await household.serve("desk", Span(0, 2))
    await household.serve("attic", Span(2, 6))
    model = await household.engine()
    started = time.monotonic()
    with pytest.raises(HomeswarmError) as caught:
        await answer(model, {3: household.servers["attic"].kill})
    assert isinstance(caught.value, NoRoute)
    told = r"No computer that can be used now holds blocks 2 to 5; not usable: attic \((\w+ )+\w+\)\."
    assert re.match(told, str(caught.value))
    assert time.monotonic() - started < 5
    del household.servers["attic"]
    await until_free(household)


async def test_a_peer_that_is_back_is_used_again(household: Household) -> None:
    """A peer that dies and starts again with the same identity and address is no suspect for long."""
    desk = await household.serve("desk", Span(0, 6))
    model = await household.engine()
    decoder = await model.open(16)
    await decoder.step(PROMPT[:4])
    desk.freeze()
    with pytest.raises(NoRoute):
        await decoder.step([5])
    assert model.seen().peers[0].state == "unreachable"
    desk.thaw()
    await until(lambda: model.seen().peers[0].state == "available")
    await decoder.close()
    assert await answer(model) == household.undisturbed()


async def test_nobody_there(household: Household) -> None:
    await household.serve("desk", Span(0, 2))
    model = await household.engine()
    with pytest.raises(NoRoute, match=r"No computer holds blocks 2 to 5\."):
        await model.open(16)


async def test_a_full_peer_is_passed_by(household: Household) -> None:
    await household.serve("small", Span(0, 6), cache_tokens=32)
    await household.serve("roomy", Span(0, 6), fast=False)
    model = await household.engine()
    decoder = await model.open(100)
    assert decoder.route is not None
    assert [hop.name for hop in decoder.route.hops] == ["roomy"]
    await decoder.close()
    with pytest.raises(
        CacheFull, match=r"(roomy|small): A session of 9999 tokens can never fit here: the limit is (512|32)"
    ):
        await model.open(9999)
    await until_free(household)


async def test_cancelling_at_any_point_leaves_nothing(household: Household) -> None:
    """Scenario F2: 50 cancellations at random moments, in opening, prefill and decode."""
    await household.serve("desk", Span(0, 3))
    await household.serve("attic", Span(3, 6))
    model = await household.engine()
    expected = await answer(model)
    delays = torch.rand(50, generator=torch.Generator().manual_seed(9)) * 0.12
    for delay in delays.tolist():
        task = asyncio.ensure_future(answer(model))
        await asyncio.sleep(delay)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await until_free(household)
    assert await answer(model) == expected


@pytest.mark.parametrize("standby", [False, True])
async def test_a_cancelled_end_frees_the_peers_all_the_same(household: Household, standby: bool) -> None:
    """At every turn of the loop, the first included, in which nothing of the closing has begun yet."""
    await household.serve("desk", Span(0, 6))
    await household.serve("attic", Span(0, 6))
    model = await household.engine(standby=standby)
    for turns in range(6):
        decoder = await model.open(len(PROMPT) + 1)
        await decoder.step(PROMPT)
        ending = asyncio.ensure_future(decoder.close())
        for _ in range(turns):
            await asyncio.sleep(0)
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)
        await decoder.close()
        await until_free(household)


async def test_answers_at_once_do_not_mix(household: Household) -> None:
    await household.serve("desk", Span(0, 3))
    await household.serve("attic", Span(3, 6))
    model = await household.engine()
    expected = household.undisturbed()
    assert await asyncio.gather(*(answer(model) for _ in range(6))) == [expected] * 6
    await until_free(household)


async def test_an_engine_without_its_p2pd_says_so(household: Household) -> None:
    await household.serve("desk", Span(0, 6))
    model = await household.engine()
    os.kill(model._swarm.p2p._child.pid, signal.SIGKILL)
    await model._swarm.ended()
    with pytest.raises(SwarmUnavailable):
        model.seen()
    with pytest.raises((PeerLost, NoRoute)):
        await model.open(8)
