"""The link's watcher: debounce, the poll under it, the end; over a source that a test plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from swarm_app.host.link import open_link_watcher
from swarm_app.host.link.contract import LinkChanged, LinkWatcher
from swarm_app.host.link.diff import LinkReason
from swarm_app.host.link.snapshot import LinkSnapshot
from swarm_app.host.link.watch import CoreLinkWatcher, Pace
from swarm_app.host.system import System
from tests.host.fakes import FakeLink
from tests.host.networks import card, network
from tests.host.waiting import until

pytestmark = pytest.mark.usefixtures("no_leaks")

BEFORE = network(card("eth0", "10.77.0.12/24"), v4="eth0")
BETWEEN = network(card("eth0"))
AFTER = network(card("eth0", "10.77.0.62/24"), v4="eth0")


class Rig:
    def __init__(self, pace: Pace) -> None:
        self.source = FakeLink(BEFORE)
        self.watcher = CoreLinkWatcher(self.source, pace)
        self.changes: list[LinkChanged] = []
        self.watcher.watch(self.changes.append)


async def started(pace: Pace) -> Rig:
    rig = Rig(pace)
    rig.watcher.start()
    await rig.watcher.settled()
    return rig


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    rig = await started(Pace(settle_s=0.05, longest_s=0.4, poll_s=60.0))
    yield rig
    await rig.watcher.close()


async def test_the_first_look_is_not_a_change(rig: Rig) -> None:
    assert rig.watcher.snapshot == BEFORE
    assert rig.watcher.notes == ()
    assert rig.changes == []


async def test_a_burst_is_one_change() -> None:
    """A renewed lease takes the address away and gives another: nobody is told of the moment between."""
    rig = await started(Pace(settle_s=0.5, longest_s=10.0, poll_s=60.0))
    rig.source.become(BETWEEN)
    await asyncio.sleep(0.02)
    rig.source.become(AFTER)
    await until(lambda: bool(rig.changes))
    (change,) = rig.changes
    assert (change.before, change.after) == (BEFORE, AFTER)
    assert change.delta.reasons == {LinkReason.ADDRESS_ADDED, LinkReason.ADDRESS_GONE}
    assert change.delta.rebind_needed
    await rig.watcher.close()


async def test_a_network_that_never_settles_is_looked_at_all_the_same(rig: Rig) -> None:
    rig.source.become(AFTER)

    async def stir() -> None:
        while True:
            rig.source.stir()
            await asyncio.sleep(0.01)

    stirring = asyncio.create_task(stir())
    await until(lambda: bool(rig.changes))
    stirring.cancel()
    await asyncio.wait({stirring})
    assert rig.changes[0].after == AFTER


async def test_after_a_wake_one_looks_at_once(rig: Rig) -> None:
    rig.source.become(AFTER, silently=True)
    assert await rig.watcher.check_now() == AFTER
    await until(lambda: len(rig.changes) == 1)


async def test_what_nobody_said_is_found_by_the_poll() -> None:
    rig = await started(Pace(settle_s=0.0, poll_s=0.05))
    rig.source.become(AFTER, silently=True)
    await until(lambda: len(rig.changes) == 1)
    looks = rig.source.looks
    await until(lambda: rig.source.looks > looks + 2)
    assert len(rig.changes) == 1
    await rig.watcher.close()


async def test_signals_that_change_nothing_tell_nothing(rig: Rig) -> None:
    looks = rig.source.looks
    rig.source.stir()
    await until(lambda: rig.source.looks > looks)
    await rig.watcher.check_now()
    assert rig.changes == []


async def test_the_end(rig: Rig) -> None:
    end = rig.watcher.watch(rig.changes.append)
    end()
    end()
    await rig.watcher.close()
    await rig.watcher.close()


async def test_a_source_that_breaks_leaves_the_poll() -> None:
    caught: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: caught.append(str(context["message"]))
    )

    class Broken(FakeLink):
        async def run(self, changed: object, note: object) -> None:
            raise KeyError("a bug of ours")

    source = Broken(BEFORE)
    watcher = CoreLinkWatcher(source, Pace(settle_s=0.0, poll_s=0.02))
    changes: list[LinkChanged] = []
    watcher.watch(changes.append)
    watcher.start()
    await watcher.settled()
    source.now = AFTER
    await until(lambda: len(changes) == 1)
    await watcher.close()
    assert caught == ["link source ended"]


async def test_a_look_that_fails_is_not_the_last_one() -> None:
    caught: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: caught.append(str(context["message"]))
    )

    class Broken(FakeLink):
        broken = False

        async def read(self) -> LinkSnapshot:
            snapshot = await super().read()
            if self.broken:
                raise KeyError("a bug of ours")
            return snapshot

    source = Broken(BEFORE)
    watcher = CoreLinkWatcher(source, Pace(settle_s=0.0, poll_s=0.005))
    changes: list[LinkChanged] = []
    watcher.watch(changes.append)
    watcher.start()
    await watcher.settled()
    source.broken, looks = True, source.looks
    await until(lambda: source.looks > looks + 3)
    source.broken, source.now = False, AFTER
    await until(lambda: len(changes) == 1)
    await watcher.close()
    assert caught == ["looking at the link failed and is tried again"]


async def test_a_system_without_a_file_of_its_own_is_polled() -> None:
    watcher: LinkWatcher = open_link_watcher(system=System.OTHER)
    watcher.start()
    await watcher.settled()
    assert watcher.snapshot != LinkSnapshot()
    assert len(watcher.notes) == 1
    await watcher.close()
