"""The swarm's logits are those of the whole model in transformers, for every family.

Each family: imported into a store, its blocks served by one, two and three servers over real p2pds in
this process, a prompt longer than the sliding window, then 64 greedy tokens.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
import torch
from transformers import DynamicCache, PreTrainedModel

from swarm_app.availability.deadlines import StepDeadline, StepLimits
from swarm_app.availability.verdict import Judgement, LateStep, Verdict
from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import Host
from swarm_app.blocks.span import SpanModule
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.errors import HomeswarmError
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span
from swarm_app.engines.head import ClientParts
from swarm_app.engines.legs import Measured, SessionPlan
from swarm_app.engines.session import RouteSession
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, StoredModel, no_progress
from tests.families import FAMILIES, HIDDEN_SIZE, VOCAB_SIZE, make_model, save_folder

PROMPT_TOKENS = 24
NEW_TOKENS = 64
MAX_DIFFERENCE = 1e-3
SPLITS = ([Span(0, 6)], [Span(0, 4), Span(4, 6)], [Span(0, 1), Span(1, 4), Span(4, 6)])


@torch.inference_mode()
def whole_model(model: PreTrainedModel, prompt: list[int]) -> tuple[list[int], list[torch.Tensor]]:
    """Greedy tokens of the whole model, and the logits that each was chosen by."""
    cache = DynamicCache(config=model.config)
    given, tokens, logits = prompt, [], []
    for _ in range(NEW_TOKENS):
        out = model(torch.tensor([given]), cache=cache, use_cache=True)
        logits.append(out.logits[0, -1])
        given = [int(logits[-1].argmax())]
        tokens += given
    return tokens, logits


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def swarms(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Swarm]]:
    """A caller and three servers, each a p2pd of its own that knows the others."""
    folder = tmp_path_factory.mktemp("swarm")
    async with contextlib.AsyncExitStack() as stack:
        opened: list[Swarm] = []
        addresses: list[str] = []
        for number in range(4):
            swarm = await Swarm.open(identity_path=folder / f"{number}.id", initial_peers=addresses)
            stack.push_async_callback(swarm.close)
            opened.append(swarm)
            addresses += await swarm.addresses()
        yield opened


@contextlib.asynccontextmanager
async def serving(stored: StoredModel, swarms: Sequence[Swarm], spans: list[Span]) -> AsyncIterator[Route]:
    """The route over servers of `spans`."""
    async with contextlib.AsyncExitStack() as stack:
        hops = []
        for swarm, span in zip(swarms, spans, strict=False):
            module = SpanModule(stored.config(), span, stored.block_tensors)
            host = Host(
                module, name="node", cache_tokens=256, compute=ComputeThread(1), on_change=lambda: None
            )
            stack.callback(host.close)
            handler = TransformerConnectionHandler(
                swarm, host, prefix=stored.model_id, version="test", step_timeout_s=30.0
            )
            await handler.serve()
            stack.push_async_callback(handler.stop)
            hops.append(Hop(swarm.peer_id, "node", span))
        yield Route(tuple(hops))


class PatientPeers:
    """A quiet swarm: every step is waited for, and nobody is ever replaced."""

    def reroute(self, hop: Hop, *, without: Collection[str] = ()) -> tuple[Hop, ...]:
        raise AssertionError(f"{hop} was lost in a quiet swarm")

    def lost(self, hop: Hop, error: HomeswarmError) -> None:
        raise AssertionError(f"{hop} was lost in a quiet swarm: {error}")

    def measured(self, step: Measured) -> None:
        # A pushed step may be done before the output of the one before it is here: no bound from total_s.
        assert step.compute_s > 0

    def deadline(self, hop: Hop) -> StepDeadline:
        return StepDeadline()

    def limits(self, deadline: StepDeadline, tokens: int) -> StepLimits:
        return StepLimits(ask_s=30.0, slow_s=60.0)

    def judge(self, peer: str, late: LateStep) -> Judgement:
        return Judgement(Verdict.WAIT, 1.0)

    def silent(self, peer: str) -> bool:
        return False

    def why_late(self, peer: str) -> str:
        raise AssertionError("nobody is late in a quiet swarm")

    def why_left(self, peer: str) -> str:
        raise AssertionError("nobody is left in a quiet swarm")

    def ask_others(self, hop: Hop) -> None:
        raise AssertionError("a step took longer than 30 s")

    def overslept(self, late_s: float) -> None:
        pass

    def others_s(self, hop: Hop) -> float | None:
        return None

    def ask(self, peer: str, waited_s: float | None = None) -> None:
        raise AssertionError("a step took longer than 30 s")

    def same_words(self, hop: Hop, others: Sequence[Hop]) -> bool:
        return True

    def can_move(self, hop: Hop) -> bool:
        return False


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("family", FAMILIES)
async def test_the_swarm_gives_the_whole_models_tokens(
    family: str, tmp_path: Path, swarms: list[Swarm]
) -> None:
    model = make_model(family)
    source = tmp_path / family.replace("_", "-")
    save_folder(family, source)
    stored = import_model(str(source), ModelStore(tmp_path / "store"), quant=Quant.NONE, progress=no_progress)
    torch.manual_seed(3)
    prompt = torch.randint(4, VOCAB_SIZE, (PROMPT_TOKENS,)).tolist()
    tokens, logits = whole_model(model, prompt)
    parts = ClientParts(stored.config(), stored.client_tensors(), quantize_head=False)
    client, *servers = swarms
    plan = SessionPlan(
        swarm=client,
        prefix=stored.model_id,
        hidden_size=HIDDEN_SIZE,
        max_tokens=PROMPT_TOKENS + NEW_TOKENS,
        peers=PatientPeers(),
    )
    for spans in SPLITS:
        async with serving(stored, servers, spans) as route:
            session = await RouteSession.open(plan, route)
            given = prompt
            for token, expected in zip(tokens, logits, strict=True):
                got = parts.logits(await session.step(parts.embed(given)))
                assert (got - expected).abs().max() < MAX_DIFFERENCE
                assert int(got.argmax()) == token
                given = [token]
            await session.close()
