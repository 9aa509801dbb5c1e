"""The state of a running node and those who watch it. Only here is a new state put in an old one's place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from swarm_app.node.events import Event
from swarm_app.node.fold import apply
from swarm_app.node.state import State

Watcher = Callable[[State, State, Event], None]
"""Called with the state before, the state after and why; must not block and must not apply."""


class Store:
    """Holds one state; used from one event loop only."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._watchers: list[Watcher] = []
        self._changed = asyncio.Event()

    def apply(self, event: Event) -> None:
        """Fold an event in and tell the watchers, if it changed anything."""
        before = self.state
        after = apply(before, event)
        if after is before:
            return
        self.state = after
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        for watcher in tuple(self._watchers):
            watcher(before, after, event)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher` on every change from now on; returns what ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    async def until(self, wanted: Callable[[State], bool], timeout_s: float) -> bool:
        """Wait until the state is as wanted; False after `timeout_s` seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while not wanted(self.state):
            left = deadline - loop.time()
            if left <= 0:
                return False
            try:
                async with asyncio.timeout(left):
                    await self._changed.wait()
            except TimeoutError:
                continue
        return True

    async def next_change(self, timeout_s: float | None) -> None:
        """Wait for any change, or `timeout_s` seconds."""
        changed = self._changed
        try:
            async with asyncio.timeout(timeout_s):
                await changed.wait()
        except TimeoutError:
            return
