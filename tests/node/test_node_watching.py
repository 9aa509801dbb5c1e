"""Power and network in a running node: real children that follow a script, a system that a test plays."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swarm_app.childproto import Serving
from swarm_app.domain.span import Span
from swarm_app.host.link.snapshot import AccessPoint, Address, Interface, LinkSnapshot, Medium
from swarm_app.host.link.watch import CoreLinkWatcher, Pace
from swarm_app.host.power.contract import Hold
from swarm_app.host.power.events import Resumed, Supply, Suspending
from swarm_app.host.power.watch import CoreWatcher
from swarm_app.node import rest
from swarm_app.node.children import Kind, Phase
from swarm_app.node.events import AnswersChanged, ServeAsked, StopAsked, WithdrawAsked
from swarm_app.node.keeper import Keeper
from swarm_app.node.problems import problems
from swarm_app.node.state import ModelInfo, NodeInfo, Plan, State, first_state
from swarm_app.node.store import Store
from swarm_app.node.view import snapshot
from swarm_app.node.watching import Watchers, Watching
from tests.host.fakes import FakeClocks, FakeLink, FakePower
from tests.node.node_main import SCRIPT

LEASE = (Hold.DELAY_SLEEP, rest.REASON)

PATIENCE_S = 20.0


def network(ip: str, point: AccessPoint | None = None) -> LinkSnapshot:
    there = Interface("wlan0", True, Medium.PHYSICAL, (Address(ipaddress.ip_address(ip), 24),), wireless=True)
    docker = Interface("docker0", True, Medium.BRIDGE, (Address(ipaddress.ip_address("172.17.0.1"), 16),))
    return LinkSnapshot((docker, there), access_point=point)


HOME = network("10.77.0.12", AccessPoint("our house", "aa:bb:cc:dd:ee:ff"))


class Watched:
    """A node without its local API, in this process."""

    def __init__(self, folder: Path, serve: bool, keep_awake: bool, blocks: dict[str, Any]) -> None:
        self.power, self.clocks, self.link = FakePower(), FakeClocks(), FakeLink(HOME)
        self.folder = folder
        wanted = Plan(Span(0, 8), serve, (), "0.0.0.0", 0, 64, 32, 0, ("b", "e"), keep_awake=keep_awake)
        info = NodeInfo("N1", "0", os.getpid(), 0.0, str(folder))
        self.store = Store(first_state(info, ModelInfo("tiny", "ab" * 32, 8, "none", "/m"), wanted))
        commands = {
            kind: [sys.executable, SCRIPT, kind.value, json.dumps({**told, "log": str(self.log(kind))})]
            for kind, told in ((Kind.BLOCKS, blocks), (Kind.ENGINE, {}))
        }
        self.keeper = Keeper(
            self.store, commands, folder, lambda message: None, lambda error: None, lambda groups: None
        )
        watchers = Watchers(
            CoreWatcher(self.power, self.clocks, tick_s=0.02),
            CoreLinkWatcher(self.link, Pace(settle_s=0.02, longest_s=0.1, poll_s=0.2)),
        )
        self.watching = Watching(self.store, watchers)

    def log(self, kind: Kind) -> Path:
        return self.folder / f"{kind.value}.log"

    def heard(self, kind: Kind) -> list[str]:
        """The messages that a child got, without those that come and go anyway."""
        return [line for line in self._log(kind) if not line.startswith("Announce")]

    def announced(self) -> list[str]:
        """Where the blocks were told that others reach them, in the order of it."""
        return [line for line in self._log(Kind.BLOCKS) if line.startswith("Announce")]

    def _log(self, kind: Kind) -> list[str]:
        log = self.log(kind)
        return log.read_text().splitlines() if log.exists() else []

    async def until(self, wanted: Callable[[State], object]) -> State:
        assert await self.store.until(lambda state: bool(wanted(state)), PATIENCE_S), self.store.state
        return self.store.state

    async def both_heard(self, word: str) -> None:
        await self.sees(
            lambda: (self.heard(Kind.BLOCKS)[-1:], self.heard(Kind.ENGINE)[-1:]) == ([word], [word])
        )

    async def sees(self, probe: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not probe():
            assert time.monotonic() < deadline, (
                self.heard(Kind.BLOCKS),
                self.heard(Kind.ENGINE),
                self.power.holding,
                self.store.state,
            )
            await asyncio.sleep(0.01)


@asynccontextmanager
async def watched(
    folder: Path, *, serve: bool = True, there: bool = True, keep_awake: bool = False, **blocks: Any
) -> AsyncIterator[Watched]:
    """Ready and, where it serves, delaying sleeps. Nothing of it is left at the end."""
    before = asyncio.all_tasks()
    made = Watched(folder, serve, keep_awake, blocks)
    made.power.there = there
    running = [asyncio.create_task(work) for work in (made.watching.run(), made.keeper.run())]
    try:
        await made.until(lambda state: state.engine.phase is Phase.READY)
        if serve:
            await made.until(lambda state: state.blocks.phase is Phase.READY)
        if serve and there:
            await made.until(lambda state: state.power.delays_sleep)
            assert made.power.holding == [LEASE]
        yield made
    finally:
        made.store.apply(StopAsked("the test ends"))
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*running)
        assert made.power.holding == []
        for _ in range(5):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == before


async def test_a_sleep_is_delayed_until_the_household_knows_and_the_wake_is_told_to_both(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path) as node:
        began = time.monotonic()
        node.power.say(Suspending(30.0))
        await node.until(lambda state: state.sleep is not None and state.sleep.let_go)
        assert time.monotonic() - began < 15, "it drained at once, and nobody waits for the deadline"
        assert node.power.holding == []
        assert node.heard(Kind.BLOCKS) == ["Goodnight(cause='asleep', own=[])"]
        assert node.heard(Kind.ENGINE) == []
        node.clocks.sleep(3600.0)
        node.power.say(Resumed())
        await node.both_heard("Resume(moved=False)")
        state = await node.until(lambda state: state.power.delays_sleep)
        assert node.power.holding == [LEASE]
        slept = snapshot(state, 0.0, 0.0)["power"]["last_sleep"]
        assert slept is not None
        assert slept["slept_s"] == pytest.approx(3600.0)


async def test_blocks_that_hang_do_not_hold_the_system_longer_than_it_waits(tmp_path: Path) -> None:
    async with watched(tmp_path, drains=False) as node:
        began = time.monotonic()
        node.power.say(Suspending(1.2))
        await node.sees(lambda: not node.power.holding)
        waited_s = time.monotonic() - began
        assert 0.8 < waited_s < 1.2, waited_s
        assert node.heard(Kind.BLOCKS) == ["Goodnight(cause='asleep', own=[])"]


async def test_blocks_that_are_killed_in_the_middle_of_it_do_not_either(tmp_path: Path) -> None:
    async with watched(tmp_path, drains=False) as node:
        node.power.say(Suspending(30.0))
        await node.sees(lambda: node.heard(Kind.BLOCKS))
        pid = node.store.state.blocks.pid
        assert pid is not None
        os.kill(pid, 9)
        await node.sees(lambda: not node.power.holding)


async def test_a_sleep_that_only_the_clocks_saw_is_noticed(tmp_path: Path) -> None:
    async with watched(tmp_path) as node:
        looks = node.link.looks
        node.clocks.sleep(7200.0)
        await node.both_heard("Resume(moved=False)")
        assert node.store.state.power.last_sleep is not None
        assert node.store.state.power.last_sleep.how == "clock"
        await node.sees(lambda: node.link.looks > looks)


async def test_a_sleep_that_does_not_come_ends_with_serving_and_a_new_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest, "STAYED_AWAKE_S", 0.3)
    async with watched(tmp_path) as node:
        node.power.say(Suspending(0.4))
        await node.sees(
            lambda: node.heard(Kind.BLOCKS) == ["Goodnight(cause='asleep', own=[])", "Resume(moved=False)"]
        )
        await node.sees(lambda: node.power.holding == [LEASE])
        assert node.heard(Kind.ENGINE) == []
        assert node.store.state.sleep is None


async def test_another_network_is_told_to_both_and_shown_without_what_nobody_can_reach(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path) as node:
        state = await node.until(lambda state: state.link.addresses)
        link = snapshot(state, 0.0, 0.0)["link"]
        assert (link["addresses"], link["network"]) == (["10.77.0.12"], "our house")
        assert "aa:bb:cc" not in json.dumps(link)
        home, away = "Announce(hosts=['10.77.0.12'])", "Announce(hosts=['10.77.0.62'])"
        await node.sees(lambda: node.announced() == [home])
        node.link.become(network("10.77.0.62"))
        await node.both_heard("Resume(moved=True)")
        assert node.announced() == [home, away]
        children = snapshot(node.store.state, 0.0, 0.0)["children"]
        assert all(where.startswith("/ip4/10.77.0.62/") for where in children["blocks"]["addresses"])
        link = snapshot(node.store.state, 0.0, 0.0)["link"]
        assert link["addresses"] == ["10.77.0.62"]
        assert link["last_change"] is not None
        assert link["last_change"]["reasons"] == ["address-added", "address-gone"]
        assert link["last_change"]["gone"] == ["10.77.0.12"]


async def test_an_answer_keeps_a_computer_awake_where_its_owner_wants_that(tmp_path: Path) -> None:
    awake = (Hold.KEEP_AWAKE, rest.WORKING)
    async with watched(tmp_path, keep_awake=True) as node:
        node.store.apply(AnswersChanged(1))
        await node.sees(lambda: node.power.holding == [LEASE, awake])
        node.store.apply(AnswersChanged(0))
        await node.sees(lambda: node.power.holding == [LEASE])
        # Work for others counts as well.
        serving = Serving(sessions=1, cache_tokens_used=8, cache_tokens=64, steps=1, memory_bytes=0)
        state = replace(node.store.state, serving=serving)
        assert rest.wants_awake(state)
        assert not rest.wants_awake(replace(state, plan=replace(state.plan, keep_awake=False)))


async def test_an_owner_who_takes_the_blocks_back_lets_the_computer_sleep_as_it_likes(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path) as node:
        node.store.apply(WithdrawAsked())
        await node.sees(lambda: node.power.holding == [])
        await node.sees(
            lambda: (
                node.heard(Kind.BLOCKS) == ["Goodnight(cause='paused', own=['12D3KooWEngineEngineEngine'])"]
            )
        )
        node.store.apply(ServeAsked())
        await node.sees(lambda: node.power.holding == [LEASE])
        await node.sees(lambda: node.heard(Kind.BLOCKS)[1:] == ["Resume(moved=False)"])


async def test_a_node_that_only_chats_delays_no_sleep_and_doubts_after_it(tmp_path: Path) -> None:
    async with watched(tmp_path, serve=False) as node:
        node.power.say(Suspending(30.0))
        await node.until(lambda state: state.sleep is not None and state.sleep.let_go)
        assert node.power.holding == []
        node.clocks.sleep(60.0)
        await node.sees(lambda: node.heard(Kind.ENGINE) == ["Resume(moved=False)"])


async def test_a_system_that_refuses_is_a_problem_on_a_laptop_and_mended_when_it_comes(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path, there=False) as node:
        state = await node.until(lambda state: state.power.notes and state.power.why_not)
        assert problems(state) == ()
        node.power.supply(Supply(on_battery=True, level=0.5))
        state = await node.until(lambda state: state.power.level is not None)
        assert [problem.about for problem in problems(state)] == ["power"]
        assert "Nobody is there to ask." in problems(state)[0].message
        node.power.appear()
        state = await node.until(lambda state: state.power.delays_sleep and not state.power.notes)
        assert problems(state) == ()
        assert node.power.holding == [LEASE]


async def test_stopping_in_the_middle_of_a_goodnight_leaves_nothing(tmp_path: Path) -> None:
    async with watched(tmp_path, drains=False) as node:
        node.power.say(Suspending(30.0))
        await node.sees(lambda: node.heard(Kind.BLOCKS))
