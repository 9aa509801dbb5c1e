"""Systems that tell of sleep by calling back on a thread of their own: macOS and Windows.

Both wait, for a while, until the callback returns (or answers) before they sleep. That is the delay
lease there: the callback returns when nobody holds one any more, or when the system's patience ends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Protocol

from swarm_app.host.power.contract import Hold, HoldRefused
from swarm_app.host.power.events import Reachable, Signal, Suspending


class Native(Protocol):
    """The calls into the system, and nothing more. Methods raise OSError where the system refuses."""

    def watch(self, hear: Callable[[Signal], None]) -> Callable[[], None]:
        """Subscribe; returns the function that ends it, after which `hear` is not called again.

        `hear` may be called on any thread. For Suspending it returns when the system may sleep.
        """
        ...

    def keep_awake(self, reason: str) -> Callable[[], None]:
        """Do not sleep of idleness until the returned function is called."""
        ...


class DelayGate:
    """Counts who asks for a delay; a thread can wait until nobody does."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._holders: set[object] = set()

    def add(self) -> Callable[[], None]:
        """One more; the returned function takes it back, once."""
        holder = object()
        with self._changed:
            self._holders.add(holder)

        def let_go() -> None:
            with self._changed:
                self._holders.discard(holder)
                self._changed.notify_all()

        return let_go

    def wait(self, timeout_s: float) -> bool:
        """True when nobody asks any more, False when `timeout_s` is over."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._holders, timeout_s)

    def open(self) -> None:
        """Send everybody home: the watcher ends."""
        with self._changed:
            self._holders.clear()
            self._changed.notify_all()


class ThreadedPower:
    """Implements `contract.PowerSource` over a `Native`, which is made by `load` when it is first needed."""

    def __init__(self, load: Callable[[], Native]) -> None:
        self._load = load
        self._native: Native | None = None
        self._gate = DelayGate()
        self._why_not = "The system has not been asked yet."

    async def run(self, tell: Callable[[Signal], None], note: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()

        def hear(signal: Signal) -> None:
            try:
                loop.call_soon_threadsafe(tell, signal)
            except RuntimeError:
                return  # the loop is closed: nobody is left who could say goodnight
            if isinstance(signal, Suspending):
                self._gate.wait(signal.deadline_s)

        try:
            native = self._load()
            end = native.watch(hear)
        except (OSError, AttributeError) as error:
            self._why_not = f"This system's power interface is not usable: {error}."
            note(f"Sleep is noticed only after the wake, by the clocks. {self._why_not}")
            await asyncio.Event().wait()
            return
        self._native = native
        note("")
        tell(Reachable())
        try:
            await asyncio.Event().wait()
        finally:
            self._native = None
            self._gate.open()
            end()

    async def hold(self, what: Hold, reason: str) -> Callable[[], None]:
        if self._native is None:
            raise HoldRefused(self._why_not)
        if what is Hold.DELAY_SLEEP:
            return self._gate.add()
        try:
            return self._native.keep_awake(reason)
        except OSError as error:
            raise HoldRefused(f"The system does not let Homeswarm {what.value}: {error}.") from None
