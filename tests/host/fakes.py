"""Fakes of what `swarm_app.host` watches; they pass the same contract tests as the real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from swarm_app.host.link.snapshot import LinkSnapshot
from swarm_app.host.power.clockwatch import Reading
from swarm_app.host.power.contract import Hold, HoldRefused
from swarm_app.host.power.events import PowerEvent, Reachable, Signal, Supply, SupplyRead
from swarm_app.host.presence.contract import Reading as PresenceReading


class FakeClocks:
    """Three clocks that move only when told to."""

    def __init__(self) -> None:
        self.running_s = 1000.0
        self.total_s = 5000.0
        self.wall_s = 1_700_000_000.0

    def read(self) -> Reading:
        return Reading(self.running_s, self.total_s, self.wall_s)

    def run(self, seconds: float) -> Reading:
        """The computer is awake for `seconds`."""
        self.running_s += seconds
        return self.sleep(seconds)

    def sleep(self, seconds: float) -> Reading:
        """The computer sleeps for `seconds`."""
        self.total_s += seconds
        self.wall_s += seconds
        return self.read()

    def step(self, seconds: float) -> Reading:
        """Somebody sets the wall clock."""
        self.wall_s += seconds
        return self.read()


class FakePower:
    """A `PowerSource` that a test plays."""

    def __init__(self) -> None:
        self.there = True
        """False: as on a computer whose power service is gone."""
        self.holding: list[tuple[Hold, str]] = []
        self._tell: Callable[[Signal], None] | None = None
        self._note: Callable[[str], None] | None = None

    async def run(self, tell: Callable[[Signal], None], note: Callable[[str], None]) -> None:
        self._tell, self._note = tell, note
        self.appear() if self.there else self.vanish()
        await asyncio.Event().wait()

    async def hold(self, what: Hold, reason: str) -> Callable[[], None]:
        await asyncio.sleep(0)
        if not self.there:
            raise HoldRefused("Nobody is there to ask.")
        asked = (what, reason)
        self.holding.append(asked)
        return lambda: self.holding.remove(asked)

    def say(self, signal: Signal) -> None:
        assert self._tell is not None
        self._tell(signal)

    def appear(self) -> None:
        assert self._note is not None
        self.there = True
        self._note("")
        self.say(Reachable())

    def vanish(self) -> None:
        assert self._note is not None
        self.there = False
        self._note("Nobody is there to ask.")

    def supply(self, supply: Supply) -> None:
        self.say(SupplyRead(supply))


class Heard:
    """Collects events and lets a test wait for them."""

    def __init__(self) -> None:
        self.events: list[PowerEvent] = []
        self._queue: asyncio.Queue[PowerEvent] = asyncio.Queue()

    def __call__(self, event: PowerEvent) -> None:
        self.events.append(event)
        self._queue.put_nowait(event)

    async def next(self, timeout_s: float = 10.0) -> PowerEvent:
        """The next event that was not taken yet."""
        async with asyncio.timeout(timeout_s):
            return await self._queue.get()

    async def nothing(self) -> None:
        """Whatever is under way in the loop has run, and no event has come of it."""
        for _ in range(10):
            await asyncio.sleep(0)
        assert self._queue.empty(), self._queue.get_nowait()


class FakeLink:
    """A `LinkSource` that a test plays."""

    def __init__(self, snapshot: LinkSnapshot | None = None) -> None:
        self.now = snapshot or LinkSnapshot()
        self.looks = 0
        self._changed: Callable[[], None] | None = None

    async def read(self) -> LinkSnapshot:
        self.looks += 1
        return self.now

    async def run(self, changed: Callable[[], None], note: Callable[[tuple[str, ...]], None]) -> None:
        self._changed = changed
        note(())
        changed()
        await asyncio.Event().wait()

    def become(self, snapshot: LinkSnapshot, *, silently: bool = False) -> None:
        """The network is another one; `silently`: the system does not say so."""
        self.now = snapshot
        if not silently:
            self.stir()

    def stir(self) -> None:
        """The system says that something moved."""
        assert self._changed is not None
        self._changed()


class FakePresence:
    """A `PresenceSource` that a test plays."""

    def __init__(self) -> None:
        self.now = PresenceReading()
        self.reads = 0
        self.closed = False
        self.answers = asyncio.Event()
        """While it is not set, nobody is answered."""
        self.answers.set()

    async def read(self) -> PresenceReading:
        self.reads += 1
        await self.answers.wait()
        return self.now

    async def close(self) -> None:
        self.closed = True
