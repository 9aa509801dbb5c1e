"""Network namespaces for a household: one per node, joined by a bridge, 10.77.0.0/24.

The bridge is in a namespace of its own, so that nothing changes in this computer's network and several
households can stand side by side. Names carry the process id of whoever made them: what a killed rig has
left behind is removed by the next one.

Purpose: cut, move and rejoin a node's link. State owned: the namespaces. Callers: `tests.household`.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

_CLONE_NEWNET = 0x40000000
_PLACE = Path("/run/netns")
_PREFIX = "hs-rig"
_numbers = itertools.count()
FIRST_HOST = 11


class NotAllowed(Exception):
    """This computer does not let us make network namespaces; says why."""


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False, timeout=20)
    if done.returncode:
        raise NotAllowed(f"ip {' '.join(words)}: {done.stderr.strip()}")


def why_not() -> str:
    """Why namespaces cannot be made here, or "" where they can."""
    if shutil.which("ip") is None:
        return "there is no ip command (Debian: iproute2)"
    try:
        with Lan(1):
            return ""
    except NotAllowed as error:
        return f"network namespaces are not allowed here: {error}"


class Namespace:
    """One node's network: a loopback interface and ``lan0`` on the bridge."""

    def __init__(self, name: str, host: int) -> None:
        self.name = name
        self.host = host

    @property
    def address(self) -> str:
        return f"10.77.0.{self.host}"

    @property
    def prefix(self) -> tuple[str, ...]:
        """In front of a command, to run it here under the very process id that was started."""
        return ("ip", "netns", "exec", self.name)

    def cut(self) -> None:
        """The link goes down, as out of reach of the access point."""
        _ip("-n", self.name, "link", "set", "lan0", "down")

    def join(self) -> None:
        """The link comes up."""
        _ip("-n", self.name, "link", "set", "lan0", "up")

    def move(self, host: int) -> None:
        """Another address in place of the present one."""
        _ip("-n", self.name, "addr", "flush", "dev", "lan0")
        self.host = host
        _ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", "lan0")

    def swallow(self, address: str) -> None:
        """This IPv6 address looks like a neighbour's from here, and whatever goes there vanishes."""
        ours = f"{address.rpartition('::')[0]}::{self.host}/64"
        _ip("-n", self.name, "addr", "replace", ours, "dev", "lan0", "nodad")
        nobody = ("lladdr", "02:00:00:00:00:99", "dev", "lan0", "nud", "permanent")
        _ip("-n", self.name, "neigh", "replace", address, *nobody)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """This thread is in here; its sockets stay here even after it has left."""
        with _descriptor(Path("/proc/thread-self/ns/net")) as home, _descriptor(_PLACE / self.name) as here:
            _enter(here)
            try:
                yield
            finally:
                _enter(home)


class Lan:
    """Context manager: `nodes` namespaces on one bridge. Raises NotAllowed."""

    def __init__(self, nodes: int) -> None:
        number = next(_numbers)
        base = f"{_PREFIX}-{os.getpid()}-{number}"
        self._switch = f"{base}-lan"
        self.nodes = [Namespace(f"{base}-{index}", FIRST_HOST + index) for index in range(nodes)]
        self._made: list[str] = []

    def __enter__(self) -> Lan:
        remove_stale()
        try:
            self._make(self._switch)
            _ip("-n", self._switch, "link", "add", "br0", "type", "bridge")
            _ip("-n", self._switch, "link", "set", "br0", "up")
            for index, node in enumerate(self.nodes):
                self._make(node.name)
                _ip(
                    *("-n", self._switch, "link", "add", f"port{index}", "type", "veth"),
                    *("peer", "name", "lan0", "netns", node.name),
                )
                _ip("-n", self._switch, "link", "set", f"port{index}", "master", "br0", "up")
                _ip("-n", node.name, "addr", "add", f"{node.address}/24", "dev", "lan0")
                node.join()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def _make(self, name: str) -> None:
        _ip("netns", "add", name)
        self._made.append(name)
        _ip("-n", name, "link", "set", "lo", "up")

    def _remove(self) -> None:
        while self._made:
            _ip("netns", "del", self._made.pop())


def remove_stale() -> None:
    """Remove the namespaces of rigs that were killed."""
    for entry in _PLACE.glob(f"{_PREFIX}-*"):
        found = re.match(rf"{_PREFIX}-([0-9]+)-", entry.name)
        if found and not Path("/proc", found[1]).exists():
            _ip("netns", "del", entry.name)


@contextmanager
def _descriptor(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _enter(namespace: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace, _CLONE_NEWNET):
        raise NotAllowed(f"setns: {os.strerror(ctypes.get_errno())}")
