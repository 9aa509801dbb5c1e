"""Network namespaces that a test makes for itself and removes again."""

from __future__ import annotations

import asyncio
import ctypes
import itertools
import os
import shutil
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.host.mockbus import missing_here

_CLONE_NEWNET = 0x40000000
_numbers = itertools.count()


class Namespace:
    """One namespace. `ip` runs the command in it; `run` runs a coroutine in it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ip(self, command: str) -> None:
        """For example ``addr add 10.0.0.1/24 dev lan0``."""
        done = subprocess.run(
            ["ip", "-n", self.name, *command.split()], capture_output=True, text=True, check=False, timeout=20
        )
        assert done.returncode == 0, f"ip {command}: {done.stderr}"

    async def change(self, *commands: str) -> None:
        """Several `ip` commands, off the event loop."""
        for command in commands:
            await asyncio.to_thread(self.ip, command)

    def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run to the end in an event loop of its own, on a thread that lives in the namespace."""
        failures: list[BaseException] = []

        async def whole() -> None:
            await work()

        def enter_and_run() -> None:
            try:
                descriptor = os.open(Path("/run/netns") / self.name, os.O_RDONLY)
                try:
                    libc = ctypes.CDLL(None, use_errno=True)
                    if libc.setns(descriptor, _CLONE_NEWNET):
                        raise OSError(ctypes.get_errno(), "setns")
                finally:
                    os.close(descriptor)
                asyncio.run(whole())
            except BaseException as error:  # noqa: BLE001  (raised again on the test's thread)
                failures.append(error)

        thread = threading.Thread(target=enter_and_run, name=f"in {self.name}")
        thread.start()
        thread.join(60)
        assert not thread.is_alive(), "the work in the namespace does not end"
        if failures:
            raise failures[0]


@contextmanager
def namespace() -> Iterator[Namespace]:
    """A fresh namespace with loopback up. Skips the test where none may be made."""
    if shutil.which("ip") is None:
        missing_here("There is no ip command on this computer", "iproute2")
    name = f"hs-host-{os.getpid()}-{next(_numbers)}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"network namespaces are not allowed here: {made.stderr.strip()}")
    try:
        space = Namespace(name)
        space.ip("link set lo up")
        yield space
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True, timeout=20)
