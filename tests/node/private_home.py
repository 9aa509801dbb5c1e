"""Nodes' private swarms in this process, on loopback: everything but children and local API."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from swarm_app.childproto import BindingWanted, Membership, Message
from swarm_app.domain.clock import SystemClock
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.vault import FileVault, Vault
from swarm_app.node.children import Kind
from swarm_app.node.events import BelongingChanged
from swarm_app.node.membershipapi import MembershipApi
from swarm_app.node.private import PrivateSwarm
from swarm_app.node.state import Belongs, ModelInfo, NodeInfo, Plan, Standing, State, first_state
from swarm_app.node.store import Store

MODEL = ModelInfo("tiny", "ab" * 32, 8, "none", "/m")
WAIT_S = 10.0


class SkewedClock(SystemClock):
    """The system's, wrong by some seconds."""

    def __init__(self, by_s: float = 0.0) -> None:
        self.by_s = by_s

    def time(self) -> float:
        return super().time() + self.by_s


class Home:
    """One node's membership; the folder stays between two lives."""

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        skew_s: float = 0.0,
        vault: Vault | None = None,
        nearby: bool = False,
        listen: str = "127.0.0.1",
    ) -> None:
        self._listen = listen
        self._nearby = nearby
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True, mode=0o700)
        self.name = name
        self.clock = SkewedClock(skew_s)
        self._vault = vault
        self.sent: list[tuple[Kind, Message]] = []
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        plan = Plan(
            span=None,
            serve=True,
            join=(),
            listen=self._listen,
            swarm_port=0,
            cache_tokens=16,
            context_tokens=16,
            threads=1,
            identities=("b", "e"),
        )
        info = NodeInfo(self.name, "0", 1, 0.0, str(self.folder))
        self.store = Store(first_state(info, MODEL, plan))
        self.store.apply(BelongingChanged(Belongs(standing=Standing.CHECKING)))
        self.private = PrivateSwarm(
            self.store,
            self._vault or FileVault(self.folder / "secrets.json"),
            self.clock,
            file=self.folder / "swarm.json",
            door_port=0,
            nearby=self._nearby,
            send=lambda kind, message: self.sent.append((kind, message)),
        )
        self.api = MembershipApi(self.store, self.private, self.clock)
        self._running = asyncio.create_task(self.private.run())
        await self.until(lambda state: state.belongs.standing is not Standing.CHECKING)

    async def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None

    async def again(self) -> None:
        await self.stop()
        await self.start()

    @property
    def belongs(self) -> Belongs:
        return self.store.state.belongs

    @property
    def port(self) -> int:
        return self.private.endpoints()[0].port

    def names(self) -> set[str]:
        """Of the present members."""
        return {one["name"] for one in self.api.members() if not one["removed"]}

    async def until(self, wanted: Callable[[State], object]) -> None:
        """AssertionError when the state is not as wanted within WAIT_S."""
        found = await self.store.until(lambda state: bool(wanted(state)), WAIT_S)
        assert found, self.belongs

    async def until_met(self, *others: Home) -> None:
        """It knows these nodes' doors and has their list of members, and they have its."""
        deadline = time.monotonic() + WAIT_S
        while not all(self._has_met(other) and other._has_met(self) for other in others):
            assert time.monotonic() < deadline, (self.private.registrar.belonging, self.belongs)
            await asyncio.sleep(0.01)

    def _has_met(self, other: Home) -> bool:
        mine, theirs = self.private.registrar.belonging, other.private.registrar.belonging
        assert mine is not None
        assert theirs is not None
        met = any(one.device_key == theirs.device_key and one.endpoints for one in mine.contacts)
        return met and mine.members.number == theirs.members.number

    async def until_members(self, *names: str) -> None:
        await self.until(lambda state: state.belongs.swarm_id and self.names() == set(names))

    async def join(self, by: Home, role: str = "member") -> None:
        await self.private.join(by.api.invite(role, 1, 3600, "")["link"])

    def child(self, kind: Kind) -> PrivateKey:
        """A child of ours that has asked for its certificate."""
        key = PrivateKey.generate()
        self.private.child_said(kind, BindingWanted(f"12D3Koo{self.name}", key.public.hex()))
        return key

    def memberships(self) -> list[str]:
        return [message.credentials for _, message in self.sent if isinstance(message, Membership)]

    def copy(self, name: str) -> Home:
        """Another computer with a copy of this one's profile."""
        twin = Home(self.folder.parent, name)
        shutil.copytree(self.folder, twin.folder, dirs_exist_ok=True)
        return twin
