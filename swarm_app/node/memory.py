"""Writes down whom the node knows and where it is reached, seldom.

State owned: the profile's ``peers.json``. Callers: `swarm_app.node.process`.
"""

from __future__ import annotations

from pathlib import Path

from swarm_app.config import peersfile
from swarm_app.config.peersfile import Remembered
from swarm_app.domain.clock import SystemClock
from swarm_app.node.state import State
from swarm_app.node.store import Store
from swarm_app.node.writing import Written

SETTLE_S = 2.0
"""A household that gathers changes several times within a moment."""

AT_MOST_EVERY_S = 30.0
"""A peer that flaps must not wear out anybody's disk."""


def worth_remembering(state: State, before: Remembered) -> Remembered:
    """What the file should hold now. The port stays while the blocks have no other."""
    return Remembered(state.blocks.port or before.port, state.known)


class Memory:
    """Keeps the file up to date until the node stops, and once more then."""

    def __init__(self, store: Store, path: Path, written: Remembered) -> None:
        self._store = store
        self._file = Written(path, peersfile.write, written, SystemClock())

    async def run(self) -> None:
        try:
            while not self._store.state.stopping:
                if worth_remembering(self._store.state, self._file.on_disk) == self._file.on_disk:
                    await self._store.next_change(None)
                    continue
                await self._pause(SETTLE_S)
                self._write()
                await self._pause(AT_MOST_EVERY_S)
        finally:
            self._write()

    async def _pause(self, seconds: float) -> None:
        await self._store.until(lambda state: state.stopping, seconds)

    def _write(self) -> None:
        # A full disk must not cost the node; it is tried again with the next round.
        self._file.put(worth_remembering(self._store.state, self._file.on_disk), at_once=True)
