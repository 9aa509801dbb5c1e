"""The watcher that the node sees: debounces a system's signals, polls slowly under them, tells deltas."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from swarm_app.host.background import Background, Listeners
from swarm_app.host.link.contract import LinkChanged, LinkSource
from swarm_app.host.link.diff import diff
from swarm_app.host.link.snapshot import LinkSnapshot


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait for what, in seconds."""

    settle_s: float = 0.25
    """After a signal: a lease's renewal or a roam is a burst of changes within some tens of milliseconds."""
    longest_s: float = 1.0
    """A network that goes on changing is looked at after this long all the same."""
    poll_s: float = 10.0
    """Looked at even without any signal: what a system forgets to say is late, not lost."""


class CoreLinkWatcher:
    """Implements `contract.LinkWatcher` over any source."""

    def __init__(self, source: LinkSource, pace: Pace | None = None) -> None:
        self._source = source
        self._pace = pace or Pace()
        self._snapshot = LinkSnapshot()
        self._notes: tuple[str, ...] = ()
        self._listeners: Listeners[LinkChanged] = Listeners()
        self._background = Background(self._release)
        self._moved = asyncio.Event()
        self._first = asyncio.Event()
        self._listening = asyncio.Event()
        self._looking = asyncio.Lock()

    @property
    def snapshot(self) -> LinkSnapshot:
        return self._snapshot

    @property
    def notes(self) -> tuple[str, ...]:
        return self._notes

    def watch(self, callback: Callable[[LinkChanged], None]) -> Callable[[], None]:
        return self._listeners.add(callback)

    def start(self) -> None:
        self._background.spawn(self._source.run(self._moved.set, self._noted), "link source")
        self._background.spawn(self._watching(), "link watcher")

    async def settled(self) -> None:
        await self._listening.wait()
        await self._first.wait()

    async def check_now(self) -> LinkSnapshot:
        await self._look()
        return self._snapshot

    async def close(self) -> None:
        await self._background.close()
        self._release()

    # ------------------------------------------------ inside

    def _release(self) -> None:
        """Nobody waits for a first look, or for signals, that will not come."""
        self._first.set()
        self._listening.set()

    def _noted(self, notes: tuple[str, ...]) -> None:
        self._notes = notes
        self._listening.set()

    async def _watching(self) -> None:
        while True:
            self._moved.clear()
            try:
                await self._look()
                self._background.succeeded("looking at the link")
            except Exception as error:  # noqa: BLE001 - one look that fails is not the last one
                self._release()
                self._background.stumbled("looking at the link", error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pace.poll_s):
                    await self._moved.wait()
                    await self._settle()

    async def _settle(self) -> None:
        """Return when nothing has moved for `settle_s`, or after `longest_s`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pace.longest_s):
                while self._moved.is_set():
                    self._moved.clear()
                    await asyncio.sleep(self._pace.settle_s)

    async def _look(self) -> None:
        async with self._looking:
            after = await self._source.read()
            before, self._snapshot = self._snapshot, after
        if not self._first.is_set():
            self._first.set()  # the first look is not a change
            return
        if delta := diff(before, after):
            self._listeners.tell(LinkChanged(before, after, delta))
