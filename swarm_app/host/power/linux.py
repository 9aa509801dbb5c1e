"""Power on Linux: logind for sleep and leases, UPower for mains and battery, both on the system bus.

Interfaces: org.freedesktop.login1.Manager (PrepareForSleep, Inhibit; a delay lock waits at most
InhibitDelayMaxUSec, 5 s by default) and org.freedesktop.UPower, as systemd and UPower document them.
An inhibitor is a file descriptor: it is gone when it is closed, and so when the process dies.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from swarm_app.host.power.contract import Hold, HoldRefused
from swarm_app.host.power.events import Reachable, Resumed, Signal, Supply, SupplyRead, Suspending
from swarm_app.host.systembus import RETRY_S, BusSignal, BusTrouble, Chores, SystemBus, stay_connected

LOGIND = "org.freedesktop.login1"
_LOGIND_PATH = "/org/freedesktop/login1"
_MANAGER = "org.freedesktop.login1.Manager"
UPOWER = "org.freedesktop.UPower"
_UPOWER_PATH = "/org/freedesktop/UPower"
_DISPLAY_DEVICE = "/org/freedesktop/UPower/devices/DisplayDevice"
_DEVICE = "org.freedesktop.UPower.Device"
_PROPERTIES = "org.freedesktop.DBus.Properties"

DEFAULT_DELAY_S = 5.0
"""logind's InhibitDelayMaxSec where nothing else is configured."""

_HOLDS = {Hold.DELAY_SLEEP: ("sleep", "delay"), Hold.KEEP_AWAKE: ("idle", "block")}


class LinuxPower:
    """Implements `contract.PowerSource`."""

    def __init__(self, retry_s: tuple[float, ...] = RETRY_S) -> None:
        self._retry_s = retry_s
        self._bus: SystemBus | None = None
        self._why_not = "The system bus has not been reached yet."
        self._delay_s = DEFAULT_DELAY_S
        self.announced = False
        """A sleep was reported and no wake since; outlives a connection."""

    async def run(self, tell: Callable[[Signal], None], note: Callable[[str], None]) -> None:
        try:
            await stay_connected(
                lambda bus: _Session(self, bus, tell, note),
                lambda why: self._unreachable(why, note),
                self._retry_s,
            )
        finally:
            self._bus = None

    async def hold(self, what: Hold, reason: str) -> Callable[[], None]:
        if self._bus is None:
            raise HoldRefused(self._why_not)
        kind, mode = _HOLDS[what]
        try:
            (descriptor,) = await self._bus.call(
                LOGIND, _LOGIND_PATH, _MANAGER, "Inhibit", "ssss", [kind, "Homeswarm", reason, mode]
            )
        except BusTrouble as trouble:
            raise HoldRefused(f"The system does not let Homeswarm {what.value}. {trouble.why}") from None
        if not isinstance(descriptor, int):
            raise HoldRefused(f"The system does not let Homeswarm {what.value}: it answered something else.")
        return _Closing(descriptor)

    # ------------------------------------------------ for the session

    def logind_is_there(self, bus: SystemBus, delay_s: float) -> None:
        self._bus, self._delay_s = bus, delay_s

    def logind_is_missing(self) -> None:
        self._bus = None
        self._why_not = "No logind runs on this computer."

    @property
    def delay_s(self) -> float:
        return self._delay_s

    def _unreachable(self, why: str, note: Callable[[str], None]) -> None:
        self._bus, self._why_not = None, why
        note(without_logind(why))


def without_logind(why: str) -> str:
    """The sentence for status and doctor."""
    return (
        f"Sleep is noticed only after the wake, by the clocks, and cannot be delayed for a goodnight. {why}"
    )


class _Closing:
    """Closes a descriptor once, also when it is merely forgotten."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def __call__(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(descriptor)

    __del__ = __call__


class _Session:
    """One connection's life: what is followed on it, and what it means."""

    def __init__(
        self,
        source: LinuxPower,
        bus: SystemBus,
        tell: Callable[[Signal], None],
        note: Callable[[str], None],
    ) -> None:
        self._source = source
        self.bus = bus
        self._tell = tell
        self._note = note
        self._supply = Supply(on_battery=False)
        self._chores = Chores()

    async def begin(self) -> None:
        """Follow both services and read how things are. Raises BusTrouble."""
        bus = self.bus
        logind = await bus.follow(LOGIND, self._logind_said, self._logind_owner)
        upower = await bus.follow(UPOWER, self._upower_said, self._upower_owner)
        await bus.listen(LOGIND, interface=_MANAGER, member="PrepareForSleep")
        for path in (_UPOWER_PATH, _DISPLAY_DEVICE):
            await bus.listen(UPOWER, path=path, interface=_PROPERTIES, member="PropertiesChanged")
        if logind:
            await self._logind_here()
        else:
            self._logind_gone()
        if upower:
            await self._upower_here()

    # ------------------------------------------------ logind

    def _logind_owner(self, there: bool) -> None:
        if there:
            self._chores.add(self._logind_here())
        else:
            self._logind_gone()

    async def _logind_here(self) -> None:
        try:
            properties = await self.bus.properties(LOGIND, _LOGIND_PATH, _MANAGER)
        except BusTrouble as trouble:
            self._source.logind_is_missing()
            self._note(without_logind(trouble.why))
            return
        delay_us = properties.get("InhibitDelayMaxUSec")
        delay_s = delay_us / 1e6 if isinstance(delay_us, int) else DEFAULT_DELAY_S
        self._source.logind_is_there(self.bus, delay_s)
        self._note("")
        self._tell(Reachable())
        preparing = properties.get("PreparingForSleep") is True
        if preparing != self._source.announced:  # what was said while nobody listened
            self._sleep(preparing)

    def _logind_gone(self) -> None:
        self._source.logind_is_missing()
        self._note(without_logind("No logind runs on this computer."))

    def _logind_said(self, signal: BusSignal) -> None:
        if signal.interface == _MANAGER and signal.member == "PrepareForSleep":
            match signal.body:
                case (bool(coming),):
                    self._sleep(coming)

    def _sleep(self, coming: bool) -> None:
        self._source.announced = coming
        self._tell(Suspending(self._source.delay_s) if coming else Resumed())

    # ------------------------------------------------ UPower

    def _upower_owner(self, there: bool) -> None:
        if there:
            self._chores.add(self._upower_here())

    async def _upower_here(self) -> None:
        with contextlib.suppress(BusTrouble):
            self._take(await self.bus.properties(UPOWER, _UPOWER_PATH, UPOWER))
            self._take(await self.bus.properties(UPOWER, _DISPLAY_DEVICE, _DEVICE))
            self._tell(SupplyRead(self._supply))

    def _upower_said(self, signal: BusSignal) -> None:
        if signal.member == "PropertiesChanged":
            # The signal may name a property without its value: reading is the same for both.
            self._chores.add(self._upower_here())

    def _take(self, properties: dict[str, object]) -> None:
        on_battery, level = self._supply.on_battery, self._supply.level
        if isinstance(properties.get("OnBattery"), bool):
            on_battery = properties["OnBattery"] is True
        if "Percentage" in properties:
            percentage = properties["Percentage"]
            there = properties.get("IsPresent") is True and isinstance(percentage, float)
            level = min(max(float(str(percentage)) / 100, 0.0), 1.0) if there else None
        self._supply = Supply(on_battery, level)

    async def end(self) -> None:
        await self._chores.end()
