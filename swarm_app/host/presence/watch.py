"""The watcher that the node sees: asks a system's source every few seconds, tells what is different."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass

from swarm_app.host.presence.contract import PresenceSource, Reading

POLL_S = 5.0
"""A person who sits down is noticed within this time. Asking costs a millisecond of two processes."""

AWAY_S = 300.0
"""Somebody who touched nothing for five minutes does something else; whoever reads scrolls before that."""

PATIENCE_S = 10.0
"""A source that takes longer is not waited for: its answer counts when it comes."""

SILENT = "the system does not answer"


@dataclass(frozen=True, slots=True)
class Presence:
    """None is "cannot be known", with the reason as the end of a sentence."""

    active: bool | None = None
    """Somebody has touched this computer within the last `AWAY_S`."""
    full_screen: bool | None = None
    why_no_active: str = ""
    why_no_full_screen: str = ""


def presence_of(reading: Reading, away_s: float = AWAY_S) -> Presence:
    """What a reading means. Negative or broken numbers of a system are no knowledge."""
    idle_s = reading.idle_s
    if idle_s is None or math.isnan(idle_s) or idle_s < 0:
        return Presence(None, reading.full_screen, reading.why_no_idle or SILENT, reading.why_no_full_screen)
    return Presence(idle_s < away_s, reading.full_screen, "", reading.why_no_full_screen)


class PresenceWatcher:
    """`now` is what was last told; all unknown before the first reading, for no reason yet."""

    def __init__(
        self, source: PresenceSource, *, poll_s: float = POLL_S, patience_s: float = PATIENCE_S
    ) -> None:
        self._source = source
        self._poll_s = poll_s
        self._patience_s = patience_s
        self._watchers: list[Callable[[Presence], None]] = []
        self._task: asyncio.Task[None] | None = None
        self.now = Presence()

    def watch(self, callback: Callable[[Presence], None]) -> Callable[[], None]:
        """Call `callback` in the event loop for each difference; returns a function that ends it."""
        self._watchers.append(callback)

        def end() -> None:
            with contextlib.suppress(ValueError):
                self._watchers.remove(callback)

        return end

    def start(self) -> None:
        """Begin to ask, in the running event loop. Returns at once."""
        self._task = asyncio.get_running_loop().create_task(self._asking(), name="presence")
        self._task.add_done_callback(self._ended)

    async def close(self) -> None:
        """Stop asking. Safe to call twice."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        await self._source.close()

    async def _asking(self) -> None:
        while True:
            reading = asyncio.ensure_future(self._source.read())
            try:
                done, _ = await asyncio.wait({reading}, timeout=self._patience_s)
                if not done:
                    self._tell(Presence(None, None, SILENT, SILENT))
                    await asyncio.wait({reading})
                self._tell(presence_of(reading.result()))
            finally:
                reading.cancel()
                await asyncio.wait({reading})
            await asyncio.sleep(self._poll_s)

    def _tell(self, presence: Presence) -> None:
        if presence == self.now:
            return
        self.now = presence
        for callback in tuple(self._watchers):
            callback(presence)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            # Ours to repair: nothing from outside may get this far.
            asyncio.get_running_loop().call_exception_handler(
                {"message": "watching presence ended", "exception": error, "task": task}
            )
