"""The engine process that runs this computer's chats over the swarm: what its engine is made of.

State owned: none beside the engine's. Callers: `swarm_app.__main__`.

Heavy imports wait until the pipe is taken: what a library prints while it is imported must not
come between the frames.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from swarm_app.childmembership import MembershipLine
from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import Finished, Generate, Listening, StartEngine, SwarmSeen
from swarm_app.domain.errors import BadRequest
from swarm_app.engines.contract import Emit, Engine, ProgressCallback
from swarm_app.engines.serving import CLEANUP_S, Preparer, serve

if TYPE_CHECKING:
    from swarm_app.engines.contract import Model
    from swarm_app.engines.generate import TextSide
    from swarm_app.engines.head import ClientParts

ModelFactory = Callable[[StartEngine, ProgressCallback], Awaitable["Model"]]
TextLoader = Callable[[StartEngine], "TextSide"]


def main() -> int:
    """Run the engine over the real swarm; the child's entry point. Does not return."""
    pipe = ChildPipe.over_stdio(end_grace_s=CLEANUP_S)
    line = MembershipLine(pipe.send)

    parts: asyncio.Future[ClientParts] | None = None

    async def prepare(start: StartEngine, progress: ProgressCallback) -> None:
        from swarm_app.engines.swarm import load_parts
        from swarm_app.host.allowance import has_spare
        from swarm_app.models.manifest import CLIENT_FILE
        from swarm_app.models.store import open_model as open_stored

        nonlocal parts
        if has_spare(open_stored(Path(start.model_dir)).manifest.entry(CLIENT_FILE).size) and parts is None:
            parts = asyncio.ensure_future(load_parts(start, progress))
            await parts

    async def open_model(start: StartEngine, progress: ProgressCallback) -> Model:
        from swarm_app.engines.swarm import load_parts, open_swarm_model

        nonlocal parts
        if parts is None:
            parts = asyncio.ensure_future(load_parts(start, progress))
        return await open_swarm_model(start, parts, line.gate(start.swarm_id))

    run(pipe, open_model, load_text, line, prepare)


def load_text(start: StartEngine) -> TextSide:
    """The text side of the model in `start.model_dir`."""
    from swarm_app.engines.generate import TextSide
    from swarm_app.models.store import open_model

    return TextSide.load(open_model(Path(start.model_dir)), start.context_tokens)


def run(
    pipe: ChildPipe,
    open_model: ModelFactory,
    text_loader: TextLoader,
    line: MembershipLine | None = None,
    prepare_model: Preparer | None = None,
) -> NoReturn:
    """Serve until told to stop or the node is gone, then end the process; `line` hears what comes of members.
    `prepare_model` loads what `open_model` will need, where the node is in no swarm yet.

    Status 0, or 1 when the engine could not start or broke. Ends without waiting for any library's threads.
    """

    text: asyncio.Future[TextSide] | None = None

    async def load(first: StartEngine, progress: ProgressCallback) -> TextSide:
        nonlocal text
        if text is None:
            if first.threads > 0:
                import torch

                torch.set_num_threads(first.threads)
            progress("tokenizer", 0, 1)
            text = asyncio.ensure_future(asyncio.to_thread(text_loader, first))
            await text
            progress("tokenizer", 1, 1)
        return await text

    async def prepare(first: StartEngine, progress: ProgressCallback) -> None:
        await load(first, progress)
        if prepare_model is not None:
            await prepare_model(first, progress)

    async def start(first: StartEngine, progress: ProgressCallback) -> Engine:
        loaded = await load(first, progress)
        return _SwarmEngine(await open_model(first, progress), loaded)

    serve(pipe, StartEngine, start, line, prepare)


class _SwarmEngine:
    """A model whose blocks are in the swarm, and its text side."""

    def __init__(self, model: Model, text: TextSide) -> None:
        self._model = model
        self._text = text

    def listening(self) -> Listening | None:
        peer_id = getattr(self._model, "peer_id", None)
        addresses = getattr(self._model, "addresses", None)
        if isinstance(peer_id, str) and isinstance(addresses, list):
            return Listening(peer_id, [str(address) for address in addresses])
        return None

    async def answer(self, request: Generate, emit: Emit, started_s: float) -> Finished:
        from swarm_app.engines.generate import answer

        if request.partial:
            raise BadRequest(
                "The swarm does not go on with a text that was begun elsewhere.", param="messages"
            )
        return await answer(request, model=self._model, text=self._text, emit=emit, started_s=started_s)

    def seen(self) -> SwarmSeen:
        return self._model.seen()

    async def resume(self, *, moved: bool) -> None:
        await self._model.resume(moved=moved)

    async def close(self) -> None:
        await self._model.close()
