"""What the node may ask of power, and what each system's file has to offer."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Protocol

from swarm_app.domain.errors import HomeswarmError
from swarm_app.host.power.events import PowerEvent, Signal, Supply


class Hold(enum.Enum):
    """What a lease asks of the system."""

    DELAY_SLEEP = "delay a sleep"
    """Wait a moment before sleeping, so that a goodnight can be said."""
    KEEP_AWAKE = "keep awake"
    """Do not sleep of idleness. A person who closes the lid is still obeyed."""


class HoldRefused(HomeswarmError):
    """The system has no such lease for us; the message says why."""

    code = "power-hold-refused"


class Lease(Protocol):
    """Something asked of the system. Ends by `release`, by leaving a `with` block, or with the process."""

    @property
    def held(self) -> bool:
        """True while the system has granted it. A lease that was refused is asked for again when the
        system's service comes (back), and after each wake."""
        ...

    @property
    def why_not(self) -> str:
        """One sentence while it is not held, "" while it is."""
        ...

    def let_sleep(self) -> None:
        """Goodnight is said: let go now, and ask again by itself after the wake."""
        ...

    def release(self) -> None:
        """Let go for good. Safe to call twice."""
        ...

    def __enter__(self) -> Lease: ...

    def __exit__(self, *exc: object) -> None: ...


class PowerWatcher(Protocol):
    """The node's view of power. Made by `swarm_app.host.power.open_power_watcher`."""

    @property
    def supply(self) -> Supply | None:
        """Mains or battery as last read; None while unknown."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What does not work here, one sentence each, for status and doctor. Empty when all does."""
        ...

    def watch(self, callback: Callable[[PowerEvent], None]) -> Callable[[], None]:
        """Call `callback` in the event loop for each event; returns a function that ends it."""
        ...

    def start(self) -> None:
        """Begin to watch, in the running event loop. Returns at once; the system is reached meanwhile."""
        ...

    async def settled(self) -> None:
        """Return when the first try to reach the system has ended, well or badly."""
        ...

    async def delay_sleep(self, reason: str) -> Lease:
        """Ask the system to wait for a goodnight before it sleeps. Never raises: look at `held`."""
        ...

    async def keep_awake(self, reason: str) -> Lease:
        """Ask the system not to sleep of idleness while something is worked on. Never raises."""
        ...

    async def close(self) -> None:
        """Stop watching and release every lease. Safe to call twice."""
        ...


class PowerSource(Protocol):
    """One system's file: dumb, reports what it hears. The core does the thinking."""

    async def run(self, tell: Callable[[Signal], None], note: Callable[[str], None]) -> None:
        """Report signals until cancelled. `note` takes what does not work, "" when it works (again).

        Reconnects by itself; calls `note` once at least before or at the first report.
        """
        ...

    async def hold(self, what: Hold, reason: str) -> Callable[[], None]:
        """Ask the system; returns the function that lets go (once). Raises HoldRefused."""
        ...
