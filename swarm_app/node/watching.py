"""What this computer's power and network do, told to the store; and what is asked of the system.

State owned: the watchers and the leases. Callers: `swarm_app.node.process`. What follows from it all is
decided in `swarm_app.node.rest`; the keeper tells the children.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import assert_never

from swarm_app.host.link import open_link_watcher
from swarm_app.host.link.contract import LinkChanged, LinkWatcher
from swarm_app.host.link.reach import reachable_addresses
from swarm_app.host.link.snapshot import LinkSnapshot
from swarm_app.host.power import open_power_watcher
from swarm_app.host.power.contract import Lease, PowerWatcher
from swarm_app.host.power.events import (
    ClockStepped,
    OnBattery,
    OnMains,
    PowerEvent,
    SleepComing,
    Woke,
)
from swarm_app.host.presence import open_presence_watcher
from swarm_app.host.presence.watch import Presence, PresenceWatcher
from swarm_app.node import rest
from swarm_app.node.computer import LinkMove, Seen
from swarm_app.node.events import (
    ClockMoved,
    GoodnightSaid,
    LeaseChanged,
    LinkMoved,
    LinkSeen,
    PersonSeen,
    SleepAnnounced,
    StayedAwake,
    SupplyChanged,
    WatchersNoted,
    Woken,
)
from swarm_app.node.politeness import IGNORE
from swarm_app.node.state import State
from swarm_app.node.store import Store

LOOK_S = 1.0
"""Leases and notes change without an event; they are looked at this often."""


@dataclass(frozen=True, slots=True)
class Watchers:
    """What is watched; not started."""

    power: PowerWatcher
    link: LinkWatcher
    presence: PresenceWatcher | None = None


def own_watchers() -> Watchers:
    """Those of this computer. Reaches nothing yet."""
    return Watchers(open_power_watcher(), open_link_watcher(), open_presence_watcher())


class Watching:
    """Runs until the node stops. `watchers` are started and closed here."""

    def __init__(self, store: Store, watchers: Watchers) -> None:
        self._store = store
        self._power = watchers.power
        self._link = watchers.link
        self._presence = watchers.presence if _wants_presence(store.state) else None
        self._goodnight = _Hold(
            lambda: rest.wants_delay(store.state), lambda: self._power.delay_sleep(rest.REASON), self._tell
        )
        """The system waits for our goodnight before it sleeps."""
        self._awake = _Hold(
            lambda: rest.wants_awake(store.state), lambda: self._power.keep_awake(rest.WORKING), self._tell
        )
        self._looking: asyncio.Task[object] | None = None
        self._told: LinkSnapshot | None = None

    async def run(self) -> None:
        """Watch, and do what `rest` says, until the node stops; then give everything back."""
        ends = [self._power.watch(self._on_power), self._link.watch(self._on_link)]
        self._power.start()
        self._link.start()
        if self._presence is not None:
            ends.append(self._presence.watch(self._on_presence))
            self._presence.start()
        try:
            while not self._store.state.stopping:
                self._goodnight.keep()
                self._awake.keep()
                self._tell()
                due = rest.next_look_at(self._store.state)
                now = time.monotonic()
                await self._store.next_change(LOOK_S if due is None else max(0.0, min(LOOK_S, due - now)))
                self._rest()
        finally:
            for end in ends:
                end()
            if self._looking is not None:
                self._looking.cancel()
                await asyncio.gather(self._looking, return_exceptions=True)
            await self._goodnight.close()
            await self._awake.close()
            await asyncio.gather(self._power.close(), self._link.close())
            if self._presence is not None:
                await self._presence.close()

    # ------------------------------------------------ what the watchers say

    def _on_power(self, event: PowerEvent) -> None:
        match event:
            case SleepComing(deadline_s):
                self._store.apply(SleepAnnounced(deadline_s, time.monotonic()))
            case Woke(slept_s, how):
                self._store.apply(Woken(slept_s, how.value, time.time()))
                # The network after a wake is often another one, and its signals are late.
                if self._looking is None or self._looking.done():
                    self._looking = asyncio.ensure_future(self._link.check_now())
            case ClockStepped(by_s):
                self._store.apply(ClockMoved(by_s))
            case OnBattery(level):
                self._store.apply(SupplyChanged(True, level))
            case OnMains(level):
                self._store.apply(SupplyChanged(False, level))
            case _:
                assert_never(event)

    def _on_link(self, change: LinkChanged) -> None:
        self._tell()
        delta = change.delta
        self._store.apply(
            LinkMoved(
                LinkMove(
                    time.time(),
                    tuple(sorted(reason.value for reason in delta.reasons)),
                    delta.rebind_needed,
                    tuple(map(str, delta.added)),
                    tuple(map(str, delta.gone)),
                )
            )
        )

    def _on_presence(self, presence: Presence) -> None:
        self._store.apply(
            PersonSeen(
                Seen(
                    presence.active,
                    presence.full_screen,
                    presence.why_no_active,
                    presence.why_no_full_screen,
                )
            )
        )

    def _tell(self) -> None:
        """Whatever changes without an event; applying what is the same changes nothing."""
        snapshot = self._link.snapshot
        if snapshot is not self._told:
            self._told = snapshot
            point = snapshot.access_point
            addresses = tuple(map(str, reachable_addresses(snapshot)))
            name = None if point is None else point.ssid
            self._store.apply(LinkSeen(addresses, name, snapshot.metered, is_wireless(snapshot)))
        lease = self._goodnight.lease
        self._store.apply(
            LeaseChanged(lease is not None and lease.held, "" if lease is None else lease.why_not)
        )
        self._store.apply(WatchersNoted(self._power.notes, self._link.notes))

    # ------------------------------------------------ what is done

    def _rest(self) -> None:
        now = time.monotonic()
        if rest.may_sleep(self._store.state, now):
            if self._goodnight.lease is not None:
                self._goodnight.lease.let_sleep()
            self._store.apply(GoodnightSaid())
        if rest.stayed_awake(self._store.state, now):
            self._goodnight.let_go()  # this one waits for a wake that will not come; a new one is taken
            self._store.apply(StayedAwake())


def _wants_presence(state: State) -> bool:
    """Nobody is watched for nothing."""
    rules = state.plan.rules
    return state.plan.serve and (rules.when_active, rules.when_full_screen) != (IGNORE, IGNORE)


class _Hold:
    """One lease of the system's: asked for while it is wanted, given back when it is not."""

    def __init__(
        self,
        wanted: Callable[[], bool],
        ask: Callable[[], Awaitable[Lease]],
        granted: Callable[[], object],
    ) -> None:
        self.lease: Lease | None = None
        self._wanted = wanted
        self._ask = ask
        self._granted = granted
        self._asking: asyncio.Task[None] | None = None

    def keep(self) -> None:
        """Ask or give back, as it is wanted now."""
        if not self._wanted():
            self.let_go()
        elif self.lease is None and self._asking is None:
            self._asking = asyncio.ensure_future(self._take())
            self._asking.add_done_callback(self._asked)

    def let_go(self) -> None:
        lease, self.lease = self.lease, None
        if lease is not None:
            lease.release()

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        self.let_go()

    async def _take(self) -> None:
        lease = await self._ask()
        if self._wanted():
            self.lease = lease
            self._granted()
        else:
            lease.release()

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._asking = None
        if not task.cancelled() and (error := task.exception()) is not None:
            asyncio.get_running_loop().call_exception_handler(
                {"message": "asking for a lease of the system failed", "exception": error, "task": task}
            )


MakeWatchers = Callable[[], Watchers]


def is_wireless(snapshot: LinkSnapshot) -> bool | None:
    """Whether packets leave by radio; None where nothing leaves."""
    way = snapshot.default_v4 or snapshot.default_v6
    out = None if way is None else snapshot.interface(way.interface)
    return None if out is None else out.wireless
