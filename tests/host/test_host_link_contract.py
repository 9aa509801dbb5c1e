"""What every link source does: the fake, and Linux's in a network namespace of the test's own.

In it: B1 (an address replaced, a link that is down for a while) and B2 (docker0 and its like).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Protocol

import pytest

from swarm_app.host.link.contract import LinkChanged, LinkSource
from swarm_app.host.link.diff import LinkReason
from swarm_app.host.link.linux import LinuxLink
from swarm_app.host.link.reach import reachable_addresses
from swarm_app.host.link.watch import CoreLinkWatcher, Pace
from tests.host.fakes import FakeLink
from tests.host.namespaces import Namespace, namespace
from tests.host.networks import card, network
from tests.host.waiting import until

PACE = Pace(settle_s=0.05, longest_s=0.5, poll_s=60.0)
"""So slow a poll that whatever is noticed was said."""


class World(Protocol):
    """A computer named 10.77.0.12 whose network a test can change."""

    @property
    def source(self) -> LinkSource: ...

    def run(self, work: Callable[[], Awaitable[None]]) -> None: ...

    async def move(self, old: str, new: str) -> None: ...

    async def cut(self) -> None: ...

    async def mend(self) -> None: ...

    async def add_docker(self) -> None: ...


class FakeWorld:
    def __init__(self, running: Callable[[Callable[[], Awaitable[None]]], None]) -> None:
        self.source: FakeLink = FakeLink(network(card("lan0", "10.77.0.12/24"), v4="lan0"))
        self._run = running
        self._address = "10.77.0.12/24"

    def run(self, work: Callable[[], Awaitable[None]]) -> None:
        self._run(work)

    async def move(self, old: str, new: str) -> None:
        self._address = new
        self.source.become(network(card("lan0", new), v4="lan0"))

    async def cut(self) -> None:
        self.source.become(network(card("lan0", self._address, up=False)))

    async def mend(self) -> None:
        self.source.become(network(card("lan0", self._address), v4="lan0"))

    async def add_docker(self) -> None:
        self.source.become(network(card("lan0", self._address), card("docker0", "172.17.0.1/16"), v4="lan0"))


class LinuxWorld:
    """A veth pair: `lan0` is the computer's card, `far0` the other end of the cable."""

    def __init__(self, space: Namespace) -> None:
        self.source: LinuxLink = LinuxLink(retry_s=(0.05,))
        self._space = space
        for command in (
            "link add lan0 type veth peer name far0",
            "addr add 10.77.0.12/24 dev lan0",
            "link set far0 up",
            "link set lan0 up",
            "route add default via 10.77.0.1",
        ):
            space.ip(command)

    def run(self, work: Callable[[], Awaitable[None]]) -> None:
        self._space.run(work)

    async def move(self, old: str, new: str) -> None:
        await self._space.change(
            f"addr del {old} dev lan0", f"addr add {new} dev lan0", "route replace default via 10.77.0.1"
        )

    async def cut(self) -> None:
        await self._space.change("link set far0 down")  # the cable is pulled: the address stays

    async def mend(self) -> None:
        await self._space.change("link set far0 up", "route replace default via 10.77.0.1")

    async def add_docker(self) -> None:
        for name, address in (
            ("docker0", "172.17.0.1/16"),
            ("virbr0", "192.168.122.1/24"),
            ("br-0a1b2c3d4e5f", "172.18.0.1/16"),
        ):
            await self._space.change(
                f"link add {name} type bridge", f"addr add {address} dev {name}", f"link set {name} up"
            )
        # With a container in it the bridge has a carrier, as on a computer that uses it.
        await self._space.change(
            "link add veth0a1b2c type veth peer name inside0",
            "link set veth0a1b2c master docker0",
            "link set inside0 up",
            "link set veth0a1b2c up",
            "link add tun9 type veth peer name tunnel0",  # by its name: not every kernel has dummies
            "addr add 10.8.0.2/24 dev tun9",
            "link set tunnel0 up",
            "link set tun9 up",
        )


@pytest.fixture(params=["fake", "linux"])
def world(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus")  # no NetworkManager
    if request.param == "fake":

        async def whole(work: Callable[[], Awaitable[None]]) -> None:
            await work()

        yield FakeWorld(lambda work: asyncio.run(whole(work)))
        return
    if sys.platform != "linux":
        pytest.skip("netlink is Linux's")
    with namespace() as space:
        yield LinuxWorld(space)


class Watched:
    """A watcher over the world's source, in its event loop."""

    def __init__(self, world: World) -> None:
        self.watcher = CoreLinkWatcher(world.source, PACE)
        self.changes: list[LinkChanged] = []
        self.watcher.watch(self.changes.append)

    async def __aenter__(self) -> Watched:
        self.watcher.start()
        await self.watcher.settled()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.watcher.close()

    def addresses(self) -> list[str]:
        return [str(ip) for ip in reachable_addresses(self.watcher.snapshot)]

    def reasons(self) -> set[LinkReason]:
        return {reason for change in self.changes for reason in change.delta.reasons}


def test_how_things_are(world: World) -> None:
    async def work() -> None:
        async with Watched(world) as watched:
            assert watched.addresses() == ["10.77.0.12"]
            assert watched.watcher.notes == ()
            way = watched.watcher.snapshot.default_v4
            assert way is not None
            assert way.interface == "lan0"
            assert watched.changes == []

    world.run(work)


def test_what_happened_before_it_listened_is_looked_at(world: World) -> None:
    async def work() -> None:
        looks, listening = [], asyncio.Event()
        running = asyncio.create_task(
            world.source.run(lambda: looks.append(listening.is_set()), lambda _notes: listening.set())
        )
        await until(lambda: bool(looks) and listening.is_set())
        running.cancel()
        await asyncio.wait({running})

    world.run(work)


def test_an_address_is_replaced(world: World) -> None:
    async def work() -> None:
        async with Watched(world) as watched:
            await world.move("10.77.0.12/24", "10.77.0.62/24")
            await until(lambda: watched.addresses() == ["10.77.0.62"])
            await until(lambda: LinkReason.ADDRESS_ADDED in watched.reasons())
            gone = {str(ip) for change in watched.changes for ip in change.delta.gone}
            assert gone == {"10.77.0.12"}
            assert watched.changes[-1].delta.rebind_needed

    world.run(work)


def test_the_link_is_cut_moved_and_mended(world: World) -> None:
    """B1 as a whole: what comes back has another address than what went."""

    async def work() -> None:
        async with Watched(world) as watched:
            await world.cut()
            await until(lambda: watched.addresses() == [])
            await until(lambda: LinkReason.WENT_OFFLINE in watched.reasons())
            assert not watched.changes[-1].delta.rebind_needed
            watched.changes.clear()
            await world.mend()
            await until(lambda: watched.addresses() == ["10.77.0.12"])
            await until(lambda: LinkReason.CAME_ONLINE in watched.reasons())
            assert any(change.delta.rebind_needed for change in watched.changes)

    world.run(work)


def test_docker_and_its_like_change_nothing(world: World) -> None:
    async def work() -> None:
        async with Watched(world) as watched:
            await world.add_docker()
            await until(lambda: watched.watcher.snapshot.interface("docker0") is not None)
            snapshot = await watched.watcher.check_now()
            docker = snapshot.interface("docker0")
            assert docker is not None
            assert docker.up  # it would answer: what leaves it out is not its carrier
            assert watched.addresses() == ["10.77.0.12"]
            assert watched.changes == []

    world.run(work)


@pytest.mark.skipif(sys.platform != "linux", reason="netlink is Linux's")
def test_a_bridge_over_a_card_and_ipv6_are_seen_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    with namespace() as space:
        for command in (
            "link add lan0 type veth peer name far0",
            "link add br0 type bridge",
            "link set lan0 master br0",
            "link set far0 up",
            "link set lan0 up",
            "link set br0 up",
            "addr add 10.77.0.12/24 dev br0",
            "addr add fd00:77::12/64 dev br0 nodad",
            "-6 route add default via fd00:77::1 dev br0",
        ):
            space.ip(command)

        async def work() -> None:
            snapshot = await LinuxLink().read()
            port = snapshot.interface("lan0")
            assert port is not None
            assert port.bridge == "br0"
            assert snapshot.default_v4 is None
            assert snapshot.default_v6 is not None
            assert (snapshot.default_v6.interface, str(snapshot.default_v6.gateway)) == ("br0", "fd00:77::1")
            assert [str(ip) for ip in reachable_addresses(snapshot)] == ["10.77.0.12", "fd00:77::12"]

        space.run(work)
