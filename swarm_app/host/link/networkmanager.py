"""What NetworkManager knows beyond the kernel: the access point in use and whether traffic is paid for.

Interfaces: org.freedesktop.NetworkManager and its Device, Device.Wireless and AccessPoint, as
NetworkManager documents them. Where it does not run nothing is known, which is no fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from swarm_app.host.link.snapshot import AccessPoint
from swarm_app.host.systembus import RETRY_S, BusSignal, BusTrouble, Chores, SystemBus, stay_connected

SERVICE = "org.freedesktop.NetworkManager"
_PATH = "/org/freedesktop/NetworkManager"
_DEVICE = f"{SERVICE}.Device"
_WIRELESS = f"{SERVICE}.Device.Wireless"
_ACCESS_POINT = f"{SERVICE}.AccessPoint"
_ACTIVE = f"{SERVICE}.Connection.Active"
_PROPERTIES = "org.freedesktop.DBus.Properties"

_WIFI = 2
_ACTIVATED = 100
_METERED = {1: True, 2: False, 3: True, 4: False}
"""NMMetered: yes, no, guessed yes, guessed no; 0 is unknown."""

_MATTERS = {
    "ActiveAccessPoint",
    "ActiveConnection",
    "ActiveConnections",
    "Devices",
    "Metered",
    "State",
    "SpecificObject",
}
"""Of the properties that change; a scan or the signal's strength changes others every few seconds."""

_MAX_DEVICES = 32
_READ_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Wireless:
    """`access_points` by interface name, for those that are connected."""

    access_points: dict[str, AccessPoint] = field(default_factory=dict)
    metered: bool | None = None


class NetworkManager:
    """Follows NetworkManager; `known` is what it last said."""

    def __init__(self, retry_s: tuple[float, ...] = RETRY_S) -> None:
        self._retry_s = retry_s
        self.known = Wireless()
        self.there = False

    async def run(self, changed: Callable[[], None], asked: Callable[[], None]) -> None:
        """Call `changed` when `known` has changed, until cancelled; `asked` when the first try has ended."""

        def learned(known: Wireless, there: bool) -> None:
            before, self.known, self.there = self.known, known, there
            if before != known:
                changed()
            asked()

        def lost(_why: str) -> None:
            learned(Wireless(), False)

        await stay_connected(lambda bus: _Session(bus, learned), lost, self._retry_s)


class _Session:
    def __init__(self, bus: SystemBus, learned: Callable[[Wireless, bool], None]) -> None:
        self._bus = bus
        self._learned = learned
        self._chores = Chores()
        self._there = False
        self._reading = False
        self._again = False

    async def begin(self) -> None:
        bus = self._bus
        there = await bus.follow(SERVICE, self._said, self._owner)
        for interface in (SERVICE, _DEVICE, _WIRELESS, _ACTIVE):
            await bus.listen(SERVICE, interface=_PROPERTIES, member="PropertiesChanged", arg0=interface)
        await bus.listen(SERVICE, interface=_DEVICE, member="StateChanged")
        self._there = there
        if not there:
            self._learned(Wireless(), False)
            return
        try:
            await self._read()
        except BusTrouble:
            self._learned(Wireless(), True)
            self._read_soon()

    async def end(self) -> None:
        await self._chores.end()

    def _owner(self, there: bool) -> None:
        self._there = there
        if there:
            self._read_soon()
        else:
            self._learned(Wireless(), False)

    def _said(self, signal: BusSignal) -> None:
        match signal.body:
            case (str(), dict(values), list(names)) if signal.member == "PropertiesChanged":
                if _MATTERS & {*values, *names}:
                    self._read_soon()
            case _ if signal.member == "StateChanged":
                self._read_soon()

    def _read_soon(self) -> None:
        """One reading at a time, and one more when something was said meanwhile."""
        if self._reading:
            self._again = True
        else:
            self._reading = True
            self._chores.add(self._keep_reading())

    async def _keep_reading(self) -> None:
        try:
            self._again = True
            while self._again:
                self._again = False
                try:
                    await self._read()
                except BusTrouble:  # gone, or it has its name and not yet its objects
                    await asyncio.sleep(_READ_AGAIN_S)
                    self._again = self._there
        finally:
            self._reading = False

    async def _read(self) -> None:
        manager = await self._bus.properties(SERVICE, _PATH, SERVICE)
        (devices,) = await self._bus.call(SERVICE, _PATH, SERVICE, "GetDevices")
        found: dict[str, AccessPoint] = {}
        for path in devices[:_MAX_DEVICES] if isinstance(devices, list) else []:
            try:
                device = await self._bus.properties(SERVICE, path, _DEVICE)
                if device.get("DeviceType") != _WIFI or device.get("State") != _ACTIVATED:
                    continue
                if (point := await self._access_point(path, device)) is not None:
                    found[str(device.get("IpInterface") or device.get("Interface"))] = point
            except BusTrouble:
                continue  # unplugged between two calls
        self._learned(Wireless(found, _METERED.get(_number(manager.get("Metered")))), True)

    async def _access_point(self, path: str, device: dict[str, Any]) -> AccessPoint | None:
        point = (await self._bus.properties(SERVICE, path, _WIRELESS)).get("ActiveAccessPoint")
        if not _is_object(point) and _is_object(device.get("ActiveConnection")):
            connection = await self._bus.properties(SERVICE, str(device["ActiveConnection"]), _ACTIVE)
            point = connection.get("SpecificObject")
        if not _is_object(point):
            return None
        properties = await self._bus.properties(SERVICE, str(point), _ACCESS_POINT)
        ssid, bssid = properties.get("Ssid"), properties.get("HwAddress")
        if not isinstance(bssid, str):
            return None
        name = bytes(ssid).decode("utf-8", "replace") if isinstance(ssid, bytes | bytearray | list) else ""
        return AccessPoint(name, bssid.lower())


def _is_object(path: object) -> bool:
    return isinstance(path, str) and path not in ("", "/")


def _number(value: object) -> int:
    return value if type(value) is int else 0
