"""Secret Services on a session bus of the test's own: gnome-keyring, or the stand-in where there is none.

Nothing here touches the keyring or the bus of whoever runs the tests: home, runtime folder and bus are the
test's. State owned: the bus and the service. Callers: tests of keys in the keyring.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.host.mockbus import missing_here

PASSWORD = b"the owner's password"
REPOSITORY = Path(__file__).parents[2]
_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""

KINDS = ("gnome-keyring", "stand-in")


class SecretService:
    """`kind` is one of KINDS. Start with `start`; `environment` is for whoever is to use it."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.kind = kind
        self.home = folder / "home"
        self.home.mkdir()
        self._runtime = folder / "run"
        self._runtime.mkdir(mode=0o700)
        self._socket = folder / "bus"
        self._config = folder / "bus.conf"
        self._bus: subprocess.Popen[bytes] | None = None
        self._service: subprocess.Popen[bytes] | None = None
        self.environment = {
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self._socket}",
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_RUNTIME_DIR": str(self._runtime),
            "DISPLAY": "",
        }

    def need(self) -> None:
        """Skip with the reason where this kind cannot be run here."""
        if shutil.which("dbus-daemon") is None:
            missing_here("There is no dbus-daemon on this computer", "dbus")
        if self.kind == "gnome-keyring" and shutil.which("gnome-keyring-daemon") is None:
            pytest.skip("gnome-keyring-daemon is not installed (Debian: gnome-keyring)")

    def start(self) -> None:
        """The bus, and the service on it, unlocked."""
        if self._bus is None:
            self._config.write_text(_CONFIG.format(socket=self._socket))
            self._bus = subprocess.Popen(
                ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={self._config}"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            _wait(self._socket.exists, "the private dbus-daemon")
        if self.kind == "stand-in":
            command = [sys.executable, "-m", "tests.membership.standin", str(self.home / "items.json")]
        else:
            command = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        self._service = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), **self.environment},
        )
        if self.kind == "gnome-keyring":
            assert self._service.stdin is not None
            self._service.stdin.write(PASSWORD)
            self._service.stdin.close()
        _wait(self._answers, self.kind)

    def end(self) -> None:
        """The service, as at the end of a login; what it keeps stays."""
        if self._service is not None:
            _end(self._service)
            self._service = None

    def stop(self) -> None:
        self.end()
        if self._bus is not None:
            _end(self._bus)
            self._bus = None

    def hang(self) -> None:
        """It answers nobody any more, and is still there."""
        assert self._service is not None
        self._service.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._service is not None
        self._service.send_signal(signal.SIGCONT)

    def lock(self) -> None:
        """As a screen lock, or its owner, does: over D-Bus."""
        import secretstorage

        with self._connection() as connection:
            collection = secretstorage.get_default_collection(connection)
            collection.lock()
            assert collection.is_locked()

    def _connection(self) -> Any:
        # On Linux alone.
        from jeepney.io.blocking import open_dbus_connection

        return open_dbus_connection(bus=self.environment["DBUS_SESSION_BUS_ADDRESS"])

    def _answers(self) -> bool:
        """Whether it is on the bus with an unlocked keyring."""
        import secretstorage

        with contextlib.suppress(OSError), self._connection() as connection:
            if secretstorage.check_service_availability(connection):
                return not secretstorage.get_default_collection(connection).is_locked()
        return False


def _wait(true: Callable[[], bool], what: str) -> None:
    deadline_s = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline_s, f"{what} did not start"
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGCONT)
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        process.stdin.close()
