"""A whole node on a private system bus: battery, a metered network, a person, each by the system's word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from swarm_app.localapi.view import ContributionView, StateView
from tests.host.mockbus import LOGIND, NETWORK_MANAGER, UPOWER, MockBus, need_dbusmock
from tests.node.rig import RiggedNode, rigged_node, until

_SESSION = "/org/freedesktop/login1/session/c1"
GOODNIGHT = "Goodnight(cause='paused', own=['12D3KooWEngineEngineEngine'])"
RESUME = "Resume(moved=False)"


@pytest.fixture
async def bus(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MockBus]:
    need_dbusmock()
    mock = MockBus(tmp_path_factory.mktemp("b"))
    mock.start()
    try:
        await asyncio.gather(
            mock.add("logind", LOGIND),
            mock.add("upower", UPOWER),
            mock.add("networkmanager", NETWORK_MANAGER),
        )
        added = ("org.freedesktop.DBus.Mock.AddSession", "ssusb", "c1", "seat0", 1000, "ada", True)
        await mock.call(LOGIND, "/org/freedesktop/login1", *added)
        await person(mock, active=False)
        root = "/org/freedesktop/NetworkManager"
        await mock.add_property(NETWORK_MANAGER, root, NETWORK_MANAGER, "Metered", "u", 4)
        yield mock
    finally:
        mock.stop()


async def person(bus: MockBus, *, active: bool) -> None:
    """Somebody sits down, or has been away for ten minutes."""
    session = "org.freedesktop.login1.Session"
    await bus.set(LOGIND, _SESSION, session, "IdleSinceHint", "t", 1)
    await bus.set(LOGIND, _SESSION, session, "IdleHint", "b", not active)


async def metered(bus: MockBus, kind: int) -> None:
    root = "/org/freedesktop/NetworkManager"
    await bus.set(NETWORK_MANAGER, root, NETWORK_MANAGER, "Metered", "u", kind)


async def battery(bus: MockBus, on: bool) -> None:
    await bus.set(UPOWER, "/org/freedesktop/UPower", UPOWER, "OnBattery", "b", on)


async def comes(node: RiggedNode, wanted: Callable[[ContributionView], object]) -> ContributionView:
    def told(state: StateView) -> bool:
        return bool(wanted(state["contribution"]))

    return (await asyncio.to_thread(node.wait_for, told, 60.0))["contribution"]


async def test_each_condition_by_the_system_s_word(tmp_path: Path, bus: MockBus) -> None:
    log = tmp_path / "blocks.log"
    polite = {
        "when_active": "gentle",
        "when_full_screen": "pause",
        "on_battery": "pause",
        "on_metered": "pause",
    }
    environment = {
        "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
        # No desktop of whoever runs this.
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/session-bus",
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
        "XDG_SESSION_TYPE": "",
    }
    with rigged_node(tmp_path, blocks={"log": str(log)}, environment=environment, **polite) as node:
        await asyncio.to_thread(node.wait_ready)
        told = await comes(node, lambda told: None not in told["knows"].values())
        assert told["knows"] == {"full-screen": False, "battery": False, "metered": False, "active": False}
        assert (told["state"], told["sentence"], told["unknown"]) == ("contributing", "Contributing.", [])

        await person(bus, active=True)
        told = await comes(node, lambda told: told["state"] == "gentle")
        assert told["sentence"] == "Contributing gently: somebody uses this computer."

        await battery(bus, True)
        told = await comes(node, lambda told: told["state"] == "paused")
        assert told["sentence"] == "Paused: this computer runs on battery."
        await metered(bus, 1)
        told = await comes(node, lambda told: len(told["reasons"]) == 2)
        assert told["sentence"] == "Paused: this computer runs on battery and the network is paid by volume."
        await battery(bus, False)
        await metered(bus, 2)
        await comes(node, lambda told: told["state"] == "gentle")

        said = ["Priority(low=True)", GOODNIGHT, RESUME]
        await asyncio.to_thread(until, lambda: log.read_text().splitlines()[:3] == said)
        lines = [
            line.partition("contributing: ")[2] for line in node.log.splitlines() if "contributing:" in line
        ]
        assert lines[0] == "Contributing gently: somebody uses this computer."
        assert lines[-1] == lines[0]

        # A service that goes leaves nothing behind that would pause anybody.
        await asyncio.to_thread(bus.remove, "logind")
        told = await comes(node, lambda told: told["knows"]["active"] is None)
        assert told["state"] == "contributing"
        assert "cannot be known here" in told["unknown"][0]["text"]
        await asyncio.to_thread(node.stop)
