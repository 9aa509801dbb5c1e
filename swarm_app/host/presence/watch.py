"""The watcher that the node sees: asks a system's source every few seconds, tells what is different."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from swarm_app.host.background import Background, Listeners
from swarm_app.host.presence.contract import PresenceSource, Reading

POLL_S = 5.0
"""A person who sits down is noticed within this time. Asking costs a millisecond of two processes."""

AWAY_S = 300.0
"""Somebody who touched nothing for five minutes does something else; whoever reads scrolls before that."""

PATIENCE_S = 10.0
"""A source that takes longer is not waited for: its answer counts when it comes."""

SILENT = "the system does not answer"
BROKEN = "Homeswarm met an error of its own in asking; its log has it"


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
        self._listeners: Listeners[Presence] = Listeners()
        self._background = Background()
        self.now = Presence()

    def watch(self, callback: Callable[[Presence], None]) -> Callable[[], None]:
        """Call `callback` in the event loop for each difference; returns a function that ends it."""
        return self._listeners.add(callback)

    def start(self) -> None:
        """Begin to ask, in the running event loop. Returns at once."""
        self._background.spawn(self._asking(), "presence")

    async def close(self) -> None:
        """Stop asking. Safe to call twice."""
        await self._background.close()
        await self._source.close()

    async def _asking(self) -> None:
        while True:
            try:
                self._tell(presence_of(await self._read()))
                self._background.succeeded("presence")
            except Exception as error:  # noqa: BLE001 - what was last seen must not stand for good
                self._tell(Presence(None, None, BROKEN, BROKEN))
                self._background.stumbled("presence", error)
            await asyncio.sleep(self._poll_s)

    async def _read(self) -> Reading:
        reading = asyncio.ensure_future(self._source.read())
        try:
            done, _ = await asyncio.wait({reading}, timeout=self._patience_s)
            if not done:
                self._tell(Presence(None, None, SILENT, SILENT))
                await asyncio.wait({reading})
            return reading.result()
        finally:
            reading.cancel()
            await asyncio.wait({reading})

    def _tell(self, presence: Presence) -> None:
        if presence == self.now:
            return
        self.now = presence
        self._listeners.tell(presence)
