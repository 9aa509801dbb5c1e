"""A private system bus with python-dbusmock's logind, UPower and NetworkManager on it.

The real D-Bus code of `swarm_app.host` talks to it. dbusmock is Debian's and runs in the system's
Python; nothing here touches the computer's own bus.
"""

from __future__ import annotations

import asyncio
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ("dbus", "python3-dbusmock")
"""Debian packages that the tests of this folder need."""

_SYSTEM_PYTHON = "/usr/bin/python3"

LOGIND = "org.freedesktop.login1"
UPOWER = "org.freedesktop.UPower"
NETWORK_MANAGER = "org.freedesktop.NetworkManager"
_DBUS = "org.freedesktop.DBus"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_MOCK = "org.freedesktop.DBus.Mock"

_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_type="method_return"/>
    <allow send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="signal"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>{denied}
  </policy>
</busconfig>
"""


def missing_here(what: str, *packages: str) -> None:
    """Skip with the reason; in continuous integration, where it must not be missing, fail with it."""
    named = ", ".join(packages or PACKAGES)
    if os.environ.get("CI"):
        pytest.fail(f"{what}; continuous integration must run these tests: install {named}.")
    pytest.skip(f"{what} (Debian: {named})")


def need_dbusmock() -> None:
    """Skip or fail where the mock cannot run; see `missing_here`."""
    if shutil.which("dbus-daemon") is None:
        missing_here("There is no dbus-daemon on this computer")
    probe = [_SYSTEM_PYTHON, "-c", "import dbusmock"]
    if (
        not Path(_SYSTEM_PYTHON).exists()
        or subprocess.run(probe, capture_output=True, check=False).returncode
    ):
        missing_here("The system's Python has no dbusmock")


class MockBus:
    """Start with `start`, end with `stop`. `address` is for DBUS_SYSTEM_BUS_ADDRESS."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.socket = folder / "bus"
        self.address = f"unix:path={self.socket}"
        self._daemon: subprocess.Popen[bytes] | None = None
        self._mocks: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, *, deny: str = "") -> None:
        """`deny` names a method of logind that nobody may call, as a policy for guests would."""
        config = self._folder / "bus.conf"
        denied = f'<deny send_interface="{LOGIND}.Manager" send_member="{deny}"/>' if deny else ""
        config.write_text(_CONFIG.format(socket=self.socket, denied=denied))
        self.socket.unlink(missing_ok=True)
        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", "--print-address", f"--config-file={config}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        out = self._daemon.stdout
        assert out is not None
        ready, _, _ = select.select([out], [], [], 20)
        assert ready, "the private dbus-daemon did not start"
        assert out.readline().startswith(b"unix:path=")

    def stop(self) -> None:
        """End the mocks and the bus: every connection breaks."""
        for name in list(self._mocks):
            self.remove(name)
        if self._daemon is not None:
            _end(self._daemon)
            self._daemon = None

    async def add(self, template: str, service: str) -> None:
        """Put a mock service on the bus and wait until it has its name and its objects."""
        self._mocks[template] = subprocess.Popen(  # noqa: ASYNC220  (starting does not wait)
            [_SYSTEM_PYTHON, "-m", "dbusmock", "--template", template],
            env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address, "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while not await self._answers(service):
            assert self._mocks[template].poll() is None, f"the {template} mock ended"
            assert time.monotonic() < deadline, f"the {template} mock did not start"
            await asyncio.sleep(0.05)

    def remove(self, template: str) -> None:
        """End a mock service, as a crash would."""
        _end(self._mocks.pop(template))

    def process(self, template: str) -> subprocess.Popen[bytes]:
        """The process of a mock service."""
        return self._mocks[template]

    async def call(
        self, service: str, path: str, method: str, signature: str = "", *arguments: Any
    ) -> list[Any]:
        """Call a method, its interface included; the reply's values. AssertionError on an error reply."""
        from dbus_fast import Message, MessageType
        from dbus_fast.aio import MessageBus

        interface, _, member = method.rpartition(".")
        bus = await MessageBus(bus_address=self.address).connect()
        try:
            reply = await bus.call(
                Message(
                    destination=service,
                    path=path,
                    interface=interface,
                    member=member,
                    signature=signature,
                    body=list(arguments),
                )
            )
            assert reply is not None
            assert reply.message_type is MessageType.METHOD_RETURN, f"{reply.error_name}: {reply.body}"
            return list(reply.body)
        finally:
            bus.disconnect()
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]

    async def prepare_for_sleep(self, coming: bool) -> None:
        """What logind says before (True) and after (False) a sleep."""
        from dbus_fast import Variant

        said = [f"{LOGIND}.Manager", "PrepareForSleep", "b", [Variant("b", coming)]]
        await self.call(LOGIND, "/org/freedesktop/login1", f"{_MOCK}.EmitSignal", "sssav", *said)

    async def inhibitors(self) -> list[tuple[str, str, str, str]]:
        """Those that logind knows: what, who, why, mode."""
        (listed,) = await self.call(LOGIND, "/org/freedesktop/login1", f"{LOGIND}.Manager.ListInhibitors")
        return [(what, who, why, mode) for what, who, why, mode, _, _ in listed]

    async def set(self, service: str, path: str, interface: str, name: str, kind: str, value: object) -> None:
        """Set a property of D-Bus type `kind` of a mock service; it tells everybody of the change."""
        from dbus_fast import Variant

        variant = Variant(kind, value)
        await self.call(service, path, f"{_PROPERTIES}.Set", "ssv", interface, name, variant)

    async def add_property(
        self, service: str, path: str, interface: str, name: str, kind: str, value: object
    ) -> None:
        """Give a mock service a property that its template lacks; it tells nobody."""
        from dbus_fast import Variant

        variant = Variant(kind, value)
        await self.call(service, path, f"{_MOCK}.AddProperty", "ssv", interface, name, variant)

    async def _answers(self, service: str) -> bool:
        asked = f"{_DBUS}.GetNameOwner"
        try:
            await self.call(_DBUS, "/org/freedesktop/DBus", asked, "s", service)
        except AssertionError:
            return False
        return True


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
