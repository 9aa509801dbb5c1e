"""An answer's reader may go at any moment; then the work for it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from starlette.types import Receive


async def while_reader_stays(work: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Run `work`; cancel it when the reader disconnects. Raises what `work` raises."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_until_disconnect(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        finished = working.done()
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)
    if finished:
        working.result()


async def _until_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
