"""Swarms to try things on: devices, their certificates, and one list of members."""

from __future__ import annotations

from dataclasses import dataclass, replace

from swarm_app.domain.clock import ManualClock
from swarm_app.membership.binding import Binding, bind
from swarm_app.membership.certificates import Chain, Role, issue
from swarm_app.membership.handshake import Party
from swarm_app.membership.keys import PrivateKey, swarm_id
from swarm_app.membership.memberlist import About
from swarm_app.membership.members import Members
from swarm_app.membership.statements import Member

NOW_S = 1_800_000_000.0
MODEL = "a" * 64
ABOUT = About("home", MODEL, "tiny")


@dataclass
class Device:
    """A computer: its device key, its certificates, and a process of it that libp2p knows by `peer_id`."""

    name: str
    key: PrivateKey
    chain: Chain
    process: PrivateKey
    peer_id: str

    def binding(self, now_s: float = NOW_S) -> Binding:
        return bind(self.key, self.chain[0].swarm_id, self.peer_id, self.process.public, now_s)

    def party(self, members: Members, **changes: object) -> Party:
        party = Party(self.chain, self.process, self.binding(), members, MODEL)
        return replace(party, **changes)  # type: ignore[arg-type]


class TinySwarm:
    """A founder named desk, and whoever was added."""

    def __init__(self, now_s: float = NOW_S) -> None:
        self.clock = ManualClock(now_s)
        self.key = PrivateKey.generate()
        self.id = swarm_id(self.key.public)
        self.devices: dict[str, Device] = {}
        self.desk = self._device("desk", Role.OWNER, None)
        self.members = Members.founded(self.desk.chain, self.desk.key, about=ABOUT, person="Ada", now_s=now_s)

    def _device(self, name: str, role: Role, by: Device | None) -> Device:
        key = PrivateKey.generate()
        chain = issue(
            self.key if by is None else by.key,
            () if by is None else by.chain,
            swarm=self.id,
            device_key=key.public,
            name=name,
            role=role,
            now_s=self.clock.time(),
        )
        device = Device(name, key, chain, PrivateKey.generate(), f"12D3Koo{name}")
        self.devices[name] = device
        return device

    def add(self, name: str, role: Role = Role.MEMBER, by: Device | None = None, person: str = "") -> Device:
        """A device that is certified (by the swarm key, or by `by`) and in the list."""
        device = self._device(name, role, by)
        self.members = self.say(self.members, by or self.desk, self.entry(device, role, person))
        return device

    def stranger(self, name: str, role: Role = Role.MEMBER, by: Device | None = None) -> Device:
        """A device that is certified and in no list."""
        return self._device(name, role, by)

    def entry(self, device: Device, role: Role, person: str = "", *, removed: bool = False) -> Member:
        return Member(self.id, device.key.public, device.name, person, role, role, removed, 1, 0)

    def say(self, members: Members, by: Device, *said: Member) -> Members:
        return members.issue(by.key, by.chain, now_s=self.clock.time(), members=said)

    def remove(self, members: Members, by: Device, victim: Device) -> Members:
        entry = members.get(victim.key.public)
        assert entry is not None
        return self.say(members, by, replace(entry, removed=True))
