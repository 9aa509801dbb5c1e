"""NetworkManager's side, the real D-Bus code against python-dbusmock's NetworkManager."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from swarm_app.host.link.diff import LinkReason, diff
from swarm_app.host.link.linux import LinuxLink
from swarm_app.host.link.networkmanager import NetworkManager, Wireless
from swarm_app.host.link.snapshot import AccessPoint
from swarm_app.host.systembus import SystemBus
from tests.host.mockbus import NETWORK_MANAGER, MockBus
from tests.host.waiting import until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="NetworkManager is Linux's"),
    pytest.mark.usefixtures("no_leaks"),
]

ROOT = "/org/freedesktop/NetworkManager"
WIFI = f"{ROOT}/Devices/wifi"
MOCK = "org.freedesktop.DBus.Mock"
WIRELESS = f"{NETWORK_MANAGER}.Device.Wireless"


class Household:
    """A Wi-Fi card, two access points of one network, one of another."""

    def __init__(self, bus: MockBus) -> None:
        self.bus = bus
        self.points: dict[str, str] = {}

    async def call(self, path: str, method: str, signature: str, *arguments: object) -> list[object]:
        return await self.bus.call(NETWORK_MANAGER, path, f"{MOCK}.{method}", signature, *arguments)

    async def build(self) -> None:
        await self.bus.add("networkmanager", NETWORK_MANAGER)
        await self.call("/org/freedesktop", "AddWiFiDevice", "ssi", "wifi", "wlan0", 100)
        for name, ssid, bssid in (
            ("attic", "home", "AA:BB:CC:00:00:01"),
            ("cellar", "home", "AA:BB:CC:00:00:02"),
            ("cafe", "café", "AA:BB:CC:00:00:03"),
        ):
            (path,) = await self.call(
                "/org/freedesktop",
                "AddAccessPoint",
                "ssssuuuyu",
                WIFI,
                name,
                ssid,
                bssid,
                2,
                2425,
                5400,
                82,
                0x100,
            )
            self.points[name] = str(path)
        attic = self.points["attic"]
        await self.bus.add_property(NETWORK_MANAGER, WIFI, WIRELESS, "ActiveAccessPoint", "o", attic)
        await self.bus.add_property(NETWORK_MANAGER, ROOT, NETWORK_MANAGER, "Metered", "u", 4)

    async def roam(self, name: str) -> None:
        point = self.points[name] if name else "/"
        await self.bus.set(NETWORK_MANAGER, WIFI, WIRELESS, "ActiveAccessPoint", "o", point)


@pytest.fixture
async def household(bus: MockBus) -> Household:
    household = Household(bus)
    await household.build()
    return household


class Following:
    def __init__(self) -> None:
        self.manager = NetworkManager(retry_s=(0.05,))
        self.changes = 0
        self.asked = asyncio.Event()
        self.task = asyncio.create_task(self.manager.run(self._changed, self.asked.set))

    def _changed(self) -> None:
        self.changes += 1

    def on(self, ssid: str, bssid: str) -> bool:
        return self.manager.known.access_points == {"wlan0": AccessPoint(ssid, bssid)}


@pytest.fixture
async def following() -> AsyncIterator[Following]:
    following = Following()
    await following.asked.wait()
    yield following
    following.task.cancel()
    await asyncio.wait({following.task})


async def test_the_access_point_and_its_changes(household: Household) -> None:
    following = Following()
    await following.asked.wait()
    assert following.on("home", "aa:bb:cc:00:00:01")
    assert following.manager.known.metered is False
    await household.roam("cellar")
    await until(lambda: following.on("home", "aa:bb:cc:00:00:02"))
    await household.roam("cafe")
    await until(lambda: following.on("café", "aa:bb:cc:00:00:03"))
    await household.roam("")
    await until(lambda: following.manager.known.access_points == {})
    await household.bus.set(NETWORK_MANAGER, ROOT, NETWORK_MANAGER, "Metered", "u", 1)
    await until(lambda: following.manager.known.metered is True)
    assert following.changes == 5
    following.task.cancel()
    await asyncio.wait({following.task})


async def test_a_card_s_chatter_is_not_read(
    household: Household, following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strength, bit rate and scans change every few seconds, for as long as the computer runs."""
    read: list[str] = []
    properties = SystemBus.properties

    async def counted(self: SystemBus, service: str, path: str, interface: str) -> dict[str, Any]:
        read.append(interface)
        return await properties(self, service, path, interface)

    monkeypatch.setattr(SystemBus, "properties", counted)
    changes, point = following.changes, household.points["attic"]
    for value in (40, 50, 60):
        await household.bus.set(
            NETWORK_MANAGER, point, f"{NETWORK_MANAGER}.AccessPoint", "Strength", "y", value
        )
        await household.bus.set(NETWORK_MANAGER, WIFI, WIRELESS, "Bitrate", "u", value)
    await household.roam("cellar")
    await until(lambda: following.on("home", "aa:bb:cc:00:00:02"))
    assert following.changes == changes + 1
    assert len(read) == 4  # manager, card, its wireless part, access point: once, for the roaming


async def test_an_active_connection_names_it_where_the_card_does_not(bus: MockBus) -> None:
    household = Household(bus)
    await household.build()
    await household.roam("")
    (connection,) = await household.call(
        "/org/freedesktop", "AddWiFiConnection", "ssss", WIFI, "Mock_Con", "home", ""
    )
    await household.call(
        "/org/freedesktop",
        "AddActiveConnection",
        "assssu",
        [WIFI],
        connection,
        household.points["attic"],
        "Active",
        2,
    )
    following = Following()
    await following.asked.wait()
    assert following.on("home", "aa:bb:cc:00:00:01")
    following.task.cancel()
    await asyncio.wait({following.task})


async def test_it_goes_and_comes(household: Household, following: Following) -> None:
    await asyncio.to_thread(household.bus.remove, "networkmanager")
    await until(lambda: following.manager.known == Wireless())
    assert not following.manager.there
    await household.build()
    await household.roam("attic")
    await until(lambda: following.on("home", "aa:bb:cc:00:00:01"))


async def test_a_roam_is_in_the_snapshot_and_a_reason(household: Household) -> None:
    source, notes = LinuxLink(retry_s=(0.05,)), asyncio.Event()
    task = asyncio.create_task(source.run(lambda: None, lambda _notes: notes.set()))
    await notes.wait()
    before = await source.read()
    assert before.access_point == AccessPoint("home", "aa:bb:cc:00:00:01")
    await household.roam("cellar")

    async def roamed() -> bool:
        return (await source.read()).access_point != before.access_point

    await until(roamed)
    delta = diff(before, await source.read())
    assert delta.reasons == {LinkReason.ACCESS_POINT_CHANGED}
    assert not delta.rebind_needed
    task.cancel()
    await asyncio.wait({task})


async def test_without_a_bus_nothing_is_known_and_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    following = Following()
    await following.asked.wait()
    assert following.manager.known == Wireless()
    following.task.cancel()
    await asyncio.wait({following.task})
