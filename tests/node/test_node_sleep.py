"""A whole node process on a private system bus, on which logind says that the computer will sleep."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from swarm_app.node import rest
from tests.host.mockbus import LOGIND, MockBus, need_dbusmock
from tests.node.rig import RiggedNode, rigged_node, until


@pytest.fixture
async def bus(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MockBus]:
    need_dbusmock()
    folder = tmp_path_factory.mktemp("b")
    assert len(os.fsencode(folder)) < 90  # a Unix socket's path has at most 107 bytes
    mock = MockBus(folder)
    mock.start()
    try:
        await mock.add("logind", LOGIND)
        yield mock
    finally:
        mock.stop()


def heard(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


async def test_logind_waits_for_the_goodnight_of_a_node_and_for_no_more(tmp_path: Path, bus: MockBus) -> None:
    logs = {kind: tmp_path / f"{kind}.log" for kind in ("blocks", "engine")}
    with rigged_node(
        tmp_path,
        blocks={"log": str(logs["blocks"])},
        engine={"log": str(logs["engine"])},
        environment={"DBUS_SYSTEM_BUS_ADDRESS": bus.address},
    ) as node:
        await asyncio.to_thread(node.wait_for, lambda s: s["power"]["delays_sleep"])
        assert [entry[::2] for entry in await bus.inhibitors()] == [("sleep", rest.REASON)]
        assert node.state()["power"]["notes"] == []

        await bus.prepare_for_sleep(True)
        state = await asyncio.to_thread(
            node.wait_for, lambda s: s["power"]["sleep_coming"] and not s["power"]["delays_sleep"]
        )
        assert state["children"]["blocks"]["quiet"]
        assert heard(logs["blocks"]) == ["Goodnight(cause='asleep', own=[])"]
        assert await bus.inhibitors() == []

        await bus.prepare_for_sleep(False)
        await asyncio.to_thread(until, lambda: heard(logs["engine"]) == ["Resume(moved=False)"])
        assert heard(logs["blocks"])[1:] == ["Resume(moved=False)"]
        state = await asyncio.to_thread(node.wait_for, lambda s: s["power"]["delays_sleep"])
        assert not state["power"]["sleep_coming"]
        assert len(await bus.inhibitors()) == 1
        await asyncio.to_thread(_stop, node)
        assert await bus.inhibitors() == []


def _stop(node: RiggedNode) -> None:
    assert node.stop() == 0
