"""Fixtures of the host's tests: a private system bus, and no file descriptor left behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.host.mockbus import LOGIND, UPOWER, MockBus, need_dbusmock


@pytest.fixture
def bus(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[MockBus]:
    """A private system bus without services; DBUS_SYSTEM_BUS_ADDRESS names it."""
    need_dbusmock()
    mock = MockBus(short_folder(tmp_path_factory))
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", mock.address)
    mock.start()
    try:
        yield mock
    finally:
        mock.stop()


@pytest.fixture
async def power_bus(bus: MockBus) -> MockBus:
    """The private bus with logind and UPower."""
    await asyncio.gather(bus.add("logind", LOGIND), bus.add("upower", UPOWER))
    return bus


def short_folder(factory: pytest.TempPathFactory) -> Path:
    """A Unix socket's path has at most 107 bytes."""
    folder = factory.mktemp("b")
    assert len(os.fsencode(folder)) < 90
    return folder


@pytest.fixture
async def no_leaks() -> AsyncIterator[None]:
    """Whoever uses this leaves no task and no file descriptor behind."""
    await asyncio.sleep(0)
    tasks, descriptors = len(asyncio.all_tasks()), open_descriptors()
    yield
    for _ in range(5):
        await asyncio.sleep(0)
    # A look that nobody waits for any more still ends in its own thread, and may have a socket open.
    await asyncio.get_running_loop().shutdown_default_executor()
    assert len(asyncio.all_tasks()) == tasks, asyncio.all_tasks()
    assert open_descriptors() == descriptors


def open_descriptors() -> set[tuple[str, str]]:
    """What this process has open: number and target."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            found.add((number, os.readlink(f"/proc/self/fd/{number}")))
        except FileNotFoundError:
            continue  # the listing's own
    return found
