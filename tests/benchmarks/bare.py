"""An engine without a node around it, to take a token's time apart.

It answers through a household that is up, as the engine process does, with a clock around the parts, and
walks single hops by themselves. ``python -m tests.benchmarks.bare MODEL_DIR`` answers the questions of
`worker.Worker`; each names the household by an address to join it by.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from swarm_app.bridge.records import read_roll
from swarm_app.bridge.stream import SpanStream, StepOutput
from swarm_app.bridge.swarm import Swarm
from swarm_app.childproto import Sampling, StartEngine
from swarm_app.domain.errors import NoRoute
from swarm_app.engines.contract import Decoder
from swarm_app.engines.head import ClientParts
from swarm_app.engines.sampling import Sampler
from swarm_app.engines.swarm import SwarmModel, load_parts, open_swarm_model
from swarm_app.models.store import StoredModel, open_model
from tests.benchmarks.results import PHASES
from tests.benchmarks.worker import answer_all, take_pipes

JOIN_S = 60.0
STEP_S = 60.0
LOOK_S = 0.2


class Clock:
    """Seconds spent in the parts since the last `take`; put around them by `install`."""

    def __init__(self) -> None:
        self.embed_s = self.head_s = self.compute_s = 0.0

    def take(self) -> tuple[float, float, float]:
        """(embed, head, compute) since the last call."""
        taken = self.embed_s, self.head_s, self.compute_s
        self.embed_s = self.head_s = self.compute_s = 0.0
        return taken

    def install(self) -> None:
        """Time every call of the client parts, and note the compute that peers report, in this process."""
        embed, logits, receive = ClientParts.embed, ClientParts.logits, SpanStream.receive

        def timed_embed(parts: ClientParts, *arguments: Any) -> torch.Tensor:
            began = time.perf_counter()
            try:
                return embed(parts, *arguments)
            finally:
                self.embed_s += time.perf_counter() - began

        def timed_logits(parts: ClientParts, *arguments: Any) -> torch.Tensor:
            began = time.perf_counter()
            try:
                return logits(parts, *arguments)
            finally:
                self.head_s += time.perf_counter() - began

        async def noted_receive(stream: SpanStream, timeout_s: float) -> StepOutput:
            output = await receive(stream, timeout_s)
            self.compute_s += output.compute_s or 0.0
            return output

        _put(ClientParts, embed=timed_embed, logits=timed_logits)
        _put(SpanStream, receive=noted_receive)


def _put(owner: type, **methods: object) -> None:
    for name, method in methods.items():
        setattr(owner, name, method)


class BareEngine:
    """Engines of one model in the households that were asked about."""

    def __init__(self, model: StoredModel, identities: Path) -> None:
        self._model = model
        self._identities = identities
        self._engines: dict[str, SwarmModel] = {}
        self._clock = Clock()
        self._clock.install()

    async def decode(self, join: str, ids: list[int], tokens: int) -> dict[str, Any]:
        """Milliseconds of each phase for each of `tokens` decode steps after the prompt `ids`."""
        decoder = await self._open(join, len(ids) + tokens)
        sampler = Sampler(Sampling())
        phases: dict[str, list[float]] = {phase: [] for phase in PHASES}
        try:
            token = sampler.choose(await decoder.step(ids))
            for _ in range(tokens):
                self._clock.take()
                began = time.perf_counter()
                logits = await decoder.step([token])
                stepped = time.perf_counter()
                token = sampler.choose(logits)
                chosen = time.perf_counter()
                embed_s, head_s, compute_s = self._clock.take()
                hops_s = stepped - began - embed_s - head_s - compute_s
                parts_s = (embed_s, compute_s, hops_s, head_s, chosen - stepped)
                for phase, part_s in zip(PHASES, parts_s, strict=True):
                    phases[phase].append(1000 * part_s)
        finally:
            await decoder.close()
        return {"phases_ms": phases}

    async def hop(self, join: str, width: int, steps: int) -> dict[str, Any]:
        """Milliseconds beyond the peer's compute: `steps` steps of `width` tokens on the first hop alone."""
        swarm = await Swarm.open(
            identity_path=self._identities / "hop.key", initial_peers=[join], serves=False
        )
        beyond_ms = []
        try:
            roll = await read_roll(swarm)
            assert roll is not None
            assert roll.servers, "the household announces nobody"
            first = roll.servers[0]
            hidden_size = self._model.manifest.hidden_size
            stream = SpanStream(
                swarm,
                first.peer_id,
                first.name,
                self._model.model_id,
                first.span,
                hidden_size=hidden_size,
                max_tokens=width * steps,
            )
            try:
                await stream.open(STEP_S)
                hidden = torch.randn(1, width, hidden_size).to(torch.bfloat16)
                for step in range(steps):
                    began = time.perf_counter()
                    stream.send(hidden, f"step {step}")
                    output = await stream.receive(STEP_S)
                    assert output.compute_s is not None
                    beyond_ms.append(1000 * (time.perf_counter() - began - output.compute_s))
            finally:
                await stream.close()
        finally:
            await swarm.close()
        return {"beyond_ms": beyond_ms}

    async def close(self) -> None:
        for engine in self._engines.values():
            await engine.close()

    async def _open(self, join: str, max_tokens: int) -> Decoder:
        if join not in self._engines:
            start = StartEngine(
                model_dir=str(self._model.dir),
                name="benchmark",
                identity_path=str(self._identities / f"{len(self._engines)}.key"),
                initial_peers=[join],
            )
            loading = load_parts(start, lambda what, done, total: None)
            self._engines[join] = await open_swarm_model(start, loading)
        async with asyncio.timeout(JOIN_S):
            while True:
                try:
                    return await self._engines[join].open(max_tokens)
                except NoRoute:  # as long as it has not seen all peers
                    await asyncio.sleep(LOOK_S)


async def _answer(model_dir: Path) -> None:
    pipes = take_pipes()
    with tempfile.TemporaryDirectory() as identities:
        engine = BareEngine(open_model(model_dir), Path(identities))

        async def reply(question: dict[str, Any]) -> dict[str, Any]:
            match question.pop("what"):
                case "decode":
                    return await engine.decode(**question)
                case _:
                    return await engine.hop(**question)

        try:
            await answer_all(pipes, reply)
        finally:
            await engine.close()


if __name__ == "__main__":
    asyncio.run(_answer(Path(sys.argv[1])))
