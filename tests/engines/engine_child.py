"""An engine process whose model is scripted, for tests of the process: run with a scenario's name."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import TYPE_CHECKING

from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import StartEngine
from swarm_app.engines import process, serving

if TYPE_CHECKING:
    from swarm_app.engines.contract import ProgressCallback
    from swarm_app.engines.generate import TextSide
    from tests.engines.scripted import ScriptedModel


def freeze() -> None:
    """What a native call without end does to an event loop."""
    time.sleep(60)


def load_text(start: StartEngine) -> TextSide:
    from tests.engines.scripted import text_side

    print("a tokenizer's banner")
    return text_side(start.context_tokens)


async def open_model(start: StartEngine, progress: ProgressCallback) -> ScriptedModel:
    """Says the user's last letter over and over; the letter's own wishes are in `pace` and `prefill`."""
    from tests.engines.scripted import ScriptedModel, bytes_to_ids, text_side

    scenario = start.name
    if scenario == "broken":
        raise ValueError("secret words")
    if scenario == "stuck-start":
        await asyncio.Event().wait()
    backend = text_side().prompts.backend
    progress("joining", 1, 1)
    threading.Thread(target=progress, args=("joining from a thread", 1, 1)).start()

    def script(prompt: list[int]) -> list[int]:
        said = backend.decode(prompt, skip_special_tokens=True)
        letter = said.removesuffix("\nassistant\n").removesuffix("assistant\n").strip()[-1]
        if letter == "!":
            raise ValueError("secret words")
        return bytes_to_ids(letter.encode(), backend)

    async def pace(position: int) -> None:
        print("a library's line")
        if scenario == "renaming":
            model.peer_name = "attic"
        if scenario == "frozen" and position == 5:
            freeze()
        await asyncio.sleep(0.002)

    async def prefill() -> None:
        if scenario == "slow-prefill":
            await asyncio.Event().wait()

    model = ScriptedModel(script, vocab_size=300, pace=pace, prefill=prefill)
    if scenario == "renaming":
        serving.SEEN_EVERY_S = 3600.0
    if scenario == "lame-wake":
        model.peer_name = "gone"
    if scenario == "slow-goodbye":
        model.close_wait_s = 60.0
    return model


if __name__ == "__main__":
    sys.exit(process.run(ChildPipe.over_stdio(), open_model, load_text))
