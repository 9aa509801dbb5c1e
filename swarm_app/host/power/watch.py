"""The watcher that the node sees: a system's source, the clock watcher and the core, in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from swarm_app.host.background import Background, Listeners
from swarm_app.host.power.clockwatch import TICK_S, Clocks
from swarm_app.host.power.contract import Hold, HoldRefused, PowerSource
from swarm_app.host.power.core import PowerCore
from swarm_app.host.power.events import (
    PowerEvent,
    Reachable,
    Signal,
    Supply,
    SupplyRead,
    Suspending,
    Woke,
)

log = logging.getLogger("homeswarm.host")

SUPPLY_EVERY_S = 60.0
"""Where no service tells of the battery it is read this often."""

_NOT_ASKED = "The system has not been asked yet."


class SystemLease:
    """Implements `contract.Lease`. Made by the watcher alone."""

    def __init__(self, watcher: CoreWatcher, what: Hold, reason: str) -> None:
        self._watcher = watcher
        self.what = what
        self.reason = reason
        self._let_go: Callable[[], None] | None = None
        self._why_not = _NOT_ASKED
        self.wanted = True
        """False after release."""
        self.paused = False
        """True from `let_sleep` to the next wake."""

    @property
    def held(self) -> bool:
        return self._let_go is not None

    @property
    def why_not(self) -> str:
        return "" if self.held else self._why_not

    def granted(self, let_go: Callable[[], None]) -> None:
        """The system's answer. It may come when nobody wants it any more."""
        if not self.wanted or self.paused or self._let_go is not None:
            let_go()
        else:
            self._let_go = let_go

    def refused(self, why: str) -> None:
        self._why_not = why

    def let_sleep(self) -> None:
        self.paused = True
        self._drop("It was let go for a sleep and is asked for again after the wake.")

    def release(self) -> None:
        self.wanted = False
        self._drop("It was released.")
        self._watcher.forget(self)

    def _drop(self, why_not: str) -> None:
        let_go, self._let_go = self._let_go, None
        self._why_not = why_not
        if let_go is not None:
            let_go()

    def __enter__(self) -> SystemLease:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()


class CoreWatcher:
    """Implements `contract.PowerWatcher` over any source. `source` None: the clock watcher alone.

    `read_supply` reads the battery where the source does not tell of it; it runs in a thread.
    """

    def __init__(
        self,
        source: PowerSource | None,
        clocks: Clocks,
        *,
        no_source: str = "",
        read_supply: Callable[[], Supply | None] | None = None,
        tick_s: float = TICK_S,
    ) -> None:
        self._source = source
        self._clocks = clocks
        self._core = PowerCore(clocks.read(), tick_s)
        self._tick_s = tick_s
        self._read_supply = read_supply
        self._note = no_source if source is None else ""
        self._listeners: Listeners[PowerEvent] = Listeners()
        self._leases: list[SystemLease] = []
        self._source_tells_supply = False
        self._settled = asyncio.Event()
        self._background = Background(self._settled.set)
        self._closed = False

    @property
    def supply(self) -> Supply | None:
        return self._core.supply

    @property
    def notes(self) -> tuple[str, ...]:
        return (self._note,) if self._note else ()

    def watch(self, callback: Callable[[PowerEvent], None]) -> Callable[[], None]:
        return self._listeners.add(callback)

    def start(self) -> None:
        self._core = PowerCore(self._clocks.read(), self._tick_s)
        self._background.spawn(self._ticking(), "power clocks")
        if self._read_supply is not None:
            self._background.spawn(self._reading_supply(self._read_supply), "power supply")
        if self._source is None:
            self._settled.set()
        else:
            self._background.spawn(self._source.run(self._heard, self._noted), "power source")

    async def settled(self) -> None:
        await self._settled.wait()

    async def delay_sleep(self, reason: str) -> SystemLease:
        return await self._lease(Hold.DELAY_SLEEP, reason)

    async def keep_awake(self, reason: str) -> SystemLease:
        return await self._lease(Hold.KEEP_AWAKE, reason)

    def forget(self, lease: SystemLease) -> None:
        """For a lease that was released."""
        with contextlib.suppress(ValueError):
            self._leases.remove(lease)

    async def close(self) -> None:
        self._closed = True
        for lease in list(self._leases):
            lease.release()
        await self._background.close()
        self._settled.set()

    # ------------------------------------------------ inside

    async def _ticking(self) -> None:
        while True:
            await asyncio.sleep(self._tick_s)
            self._tell(self._core.tick(self._clocks.read()))

    async def _reading_supply(self, read: Callable[[], Supply | None]) -> None:
        await self._settled.wait()
        while True:
            if not self._source_tells_supply:
                try:
                    supply = await asyncio.to_thread(read)
                    self._background.succeeded("reading the battery")
                except Exception as error:  # noqa: BLE001 - one reading that fails is not the last one
                    supply = None
                    self._background.stumbled("reading the battery", error)
                if supply is not None and not self._source_tells_supply:
                    self._tell(self._core.signal(SupplyRead(supply), self._clocks.read()))
            await asyncio.sleep(SUPPLY_EVERY_S)

    def _noted(self, note: str) -> None:
        if note != self._note and note:
            log.info("%s", note)
        self._note = note
        self._settled.set()

    def _heard(self, signal: Signal) -> None:
        if isinstance(signal, SupplyRead):
            self._source_tells_supply = True
        elif isinstance(signal, Suspending) and not self._delaying:
            signal = Suspending(0.0)
        elif isinstance(signal, Reachable):
            self._ask_again()
        self._tell(self._core.signal(signal, self._clocks.read()))

    @property
    def _delaying(self) -> bool:
        return any(lease.what is Hold.DELAY_SLEEP and lease.held for lease in self._leases)

    def _tell(self, events: list[PowerEvent]) -> None:
        for event in events:
            if isinstance(event, Woke):
                for lease in self._leases:
                    lease.paused = False
                self._ask_again()
            self._listeners.tell(event)

    async def _lease(self, what: Hold, reason: str) -> SystemLease:
        lease = SystemLease(self, what, reason)
        if self._closed:
            lease.refused("Homeswarm is stopping.")
            lease.release()
            return lease
        self._leases.append(lease)
        if self._source is None:
            lease.refused(self._note or "This system cannot be asked to wait before it sleeps.")
        elif self._background.running:  # started
            try:
                await self._settled.wait()
                await self._ask(lease)
            except asyncio.CancelledError:
                lease.release()  # nobody else knows of it
                raise
        return lease

    def _ask_again(self) -> None:
        if self._source is None or self._closed:
            return
        for lease in self._leases:
            if lease.wanted and not lease.held and not lease.paused:
                self._background.spawn(self._ask(lease), "power lease")

    async def _ask(self, lease: SystemLease) -> None:
        assert self._source is not None
        try:
            let_go = await self._source.hold(lease.what, lease.reason)
        except HoldRefused as refused:
            lease.refused(refused.message)
        else:
            lease.granted(let_go)
