"""Waiting for what another process does, with an end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def until(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], timeout_s: float = 20.0
) -> None:
    """Return when `condition` holds; TimeoutError when it does not in time."""
    async with asyncio.timeout(timeout_s):
        while True:
            held = condition()
            if held if isinstance(held, bool) else await held:
                return
            await asyncio.sleep(0.01)
