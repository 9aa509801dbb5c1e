"""Processes of a private swarm: real p2pds behind gates, over a `TinySwarm` of the membership tests."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from swarm_app.bridge.gate import Gate
from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.clock import Clock, SystemClock
from swarm_app.membership.binding import Binding, bind
from swarm_app.membership.credentials import Credentials, Identity
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.memberlist import MemberList
from tests.membership.swarms import MODEL, Device, TinySwarm


class SkewedClock:
    """The computer's clock, that many seconds ahead."""

    def __init__(self, ahead_s: float) -> None:
        self.ahead_s = ahead_s

    def monotonic(self) -> float:
        return time.monotonic()

    def time(self) -> float:
        return time.time() + self.ahead_s


class Process:
    """One process of a device: its gate, and what its node would hear."""

    def __init__(self, tiny: TinySwarm, device: Device, clock: Clock | None = None) -> None:
        self.tiny = tiny
        self.device = device
        self.clock = clock or SystemClock()
        self.peer_id = ""
        self.heard: list[MemberList] = []
        self.identity = Identity(PrivateKey.generate(), self.clock)
        self.gate = Gate(self.identity, self.clock, bind=self.bind, heard=self.heard.append)

    async def bind(self, peer_id: str) -> Credentials:
        self.peer_id = peer_id
        return self.credentials()

    def binding(self) -> Binding:
        swarm_id, key = self.tiny.id, self.identity.process_key
        return bind(self.device.key, swarm_id, self.peer_id, key, self.clock.time())

    def credentials(self) -> Credentials:
        """As its node would send them now."""
        return Credentials(self.device.chain, self.binding(), self.tiny.members, MODEL)


@contextlib.asynccontextmanager
async def opened(
    folder: Path, process: Process, peers: Sequence[str] = (), *, serves: bool = True
) -> AsyncIterator[Swarm]:
    """The swarm as that process sees it."""
    swarm = await Swarm.open(
        identity_path=folder / f"{process.device.name}.id",
        initial_peers=peers,
        serves=serves,
        gate=process.gate,
    )
    try:
        yield swarm
    finally:
        await swarm.close()
