"""The local engine's process.

State owned: none beside the engine's. Callers: `swarm_app.__main__`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from swarm_app.childpipe import ChildPipe
from swarm_app.childproto import StartLocal
from swarm_app.domain.errors import MemoryShort, ModelNotFound
from swarm_app.engines.contract import Engine, ProgressCallback
from swarm_app.engines.serving import CLEANUP_S, memory_bytes, serve


def main() -> int:
    """Run the local engine; the child's entry point. Does not return."""
    serve(ChildPipe.over_stdio(end_grace_s=CLEANUP_S), StartLocal, start)


async def start(first: StartLocal, progress: ProgressCallback) -> Engine:
    """Load the model. Raises ModelNotFound, ModelIncomplete, ModelUnsupported, ModelDamaged, MemoryShort."""
    return await asyncio.to_thread(_load, first, progress)


def _load(first: StartLocal, progress: ProgressCallback) -> Engine:
    from swarm_app.engines.local.engine import LocalEngine, slot_tokens
    from swarm_app.engines.local.llama import Llama, memory_needed
    from swarm_app.engines.local.wording import GgufWording
    from swarm_app.engines.prompt import Prompts
    from swarm_app.host.allowance import memory
    from swarm_app.models.ggufparts import find_parts

    path = Path(first.path)
    if not path.is_file():
        raise ModelNotFound(
            f"The local model {first.name} is not where it was: {path}.",
            remedy="Choose another with: homeswarm local use",
        )
    progress("reading the header", 0, 1)
    headers = find_parts(path)
    header = headers[0]
    family = header.text("general.architecture") or ""
    tokens = slot_tokens(first.context_tokens, header.integer(f"{family}.context_length"))
    needs = memory_needed(header, sum(part.size for part in headers), tokens * first.slots)
    check_memory(first.name, needs, memory().free)
    progress("loading the local model", 0, 1)
    llama = Llama(
        header.path,
        slot_tokens=tokens,
        slots=first.slots,
        threads=first.threads,
        warm_up=first.warm_up,
        check=first.check,
    )
    return LocalEngine(llama, Prompts(GgufWording(header, llama), tokens), first.name, memory_bytes)


def check_memory(name: str, needs: int, has: int) -> None:
    """Raises MemoryShort, in numbers, unless `needs` bytes fit into `has`."""
    if needs > has:
        raise MemoryShort(
            f"The local model {name} needs {needs / 1e9:.1f} GB of memory, and {has / 1e9:.1f} GB are free."
        )
