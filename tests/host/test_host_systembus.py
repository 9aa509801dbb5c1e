"""The connection to the system bus by itself: whom it believes, what it closes, how it ends."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator

import pytest

from swarm_app.host.systembus import BusSignal, BusTrouble, SystemBus
from tests.host.mockbus import LOGIND, MockBus
from tests.host.waiting import until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the system bus is Linux's"),
    pytest.mark.usefixtures("no_leaks"),
]

MANAGER = f"{LOGIND}.Manager"
ROOT = "/org/freedesktop/login1"


@pytest.fixture
async def connection(bus: MockBus) -> AsyncIterator[SystemBus]:
    await bus.add("logind", LOGIND)
    connection = await SystemBus.connect()
    yield connection
    await connection.close()
    await connection.close()


async def forge(bus: MockBus, to: str, descriptors: list[int]) -> None:
    """Send PrepareForSleep as anybody may, straight to one process."""
    from dbus_fast import Message, MessageType
    from dbus_fast.aio import MessageBus

    somebody = await MessageBus(bus_address=bus.address, negotiate_unix_fd=True).connect()
    await somebody.send(
        Message(
            message_type=MessageType.SIGNAL,
            destination=to,
            path=ROOT,
            interface=MANAGER,
            member="PrepareForSleep",
            signature="bh" if descriptors else "b",
            body=[True, 0] if descriptors else [True],
            unix_fds=descriptors,
        )
    )
    somebody.disconnect()
    await somebody.wait_for_disconnect()  # type: ignore[no-untyped-call]


async def test_a_signal_is_believed_of_the_service_alone(bus: MockBus, connection: SystemBus) -> None:
    heard: list[BusSignal] = []
    assert await connection.follow(LOGIND, heard.append, lambda _there: None)
    await connection.listen(LOGIND, interface=MANAGER, member="PrepareForSleep")
    reading, writing = os.pipe()
    try:
        await forge(bus, connection.unique_name, [])
        await forge(bus, connection.unique_name, [writing])
        os.close(writing)
        os.set_blocking(reading, False)

        def at_its_end() -> bool:
            try:
                return os.read(reading, 1) == b""
            except BlockingIOError:
                return False

        await until(at_its_end)  # when the copy that came with the forged signal is closed too
    finally:
        os.close(reading)
    await bus.prepare_for_sleep(True)
    await until(lambda: bool(heard))
    (signal,) = heard
    assert (signal.member, signal.body, signal.service) == ("PrepareForSleep", (True,), LOGIND)


async def test_comings_and_goings(bus: MockBus, connection: SystemBus) -> None:
    owners: list[bool] = []
    assert await connection.follow(LOGIND, lambda _signal: None, owners.append)
    await asyncio.to_thread(bus.remove, "logind")
    await until(lambda: owners == [False])
    with pytest.raises(BusTrouble):
        await connection.call(LOGIND, ROOT, MANAGER, "CanSuspend")
    await bus.add("logind", LOGIND)
    await until(lambda: owners == [False, True])
    assert await connection.call(LOGIND, ROOT, MANAGER, "CanSuspend") == ["yes"]


async def test_an_error_reply_is_a_sentence(connection: SystemBus) -> None:
    with pytest.raises(BusTrouble) as trouble:
        await connection.call(LOGIND, ROOT, MANAGER, "NoSuchThing")
    assert trouble.value.why.startswith(f"{LOGIND} answered: ")
    assert trouble.value.name == "org.freedesktop.DBus.Error.UnknownMethod"


async def test_a_service_that_hangs_costs_the_timeout_and_its_late_descriptor_is_closed(
    bus: MockBus, connection: SystemBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swarm_app.host.systembus.CALL_S", 0.2)
    mock = bus.process("logind")
    mock.send_signal(19)  # SIGSTOP
    try:
        with pytest.raises(BusTrouble, match="does not answer"):
            await connection.call(LOGIND, ROOT, MANAGER, "Inhibit", "ssss", ["sleep", "a", "b", "delay"])
    finally:
        mock.send_signal(18)  # SIGCONT

    async def nobody_holds_it() -> bool:
        return await bus.inhibitors() == []

    # The mock has answered by now; no_leaks sees that nothing of the answer stays.
    await until(nobody_holds_it)


async def test_a_bus_that_ends_fails_what_waits(bus: MockBus, connection: SystemBus) -> None:
    mock = bus.process("logind")
    mock.send_signal(19)
    waiting = asyncio.create_task(connection.call(LOGIND, ROOT, MANAGER, "CanSuspend"))
    await asyncio.sleep(0)
    mock.send_signal(18)
    await asyncio.to_thread(bus.stop)
    await connection.gone()
    with pytest.raises(BusTrouble):
        await connection.call(LOGIND, ROOT, MANAGER, "CanSuspend")
    await asyncio.wait({waiting})
    error = waiting.exception()
    assert error is None or isinstance(error, BusTrouble)
