"""The registrar and its disk: whatever it refuses, and whenever the node ends, a swarm keeps its key."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from swarm_app.domain.clock import ManualClock
from swarm_app.domain.errors import DiskFull
from swarm_app.membership.errors import SecretsUnusable
from swarm_app.membership.keys import swarm_id
from swarm_app.membership.vault import FileVault
from swarm_app.node import belonging as swarmfile
from swarm_app.node.keys import SWARM
from swarm_app.node.registrar import Registrar

Made = tuple["Vault", Callable[[], Registrar]]


class Vault(FileVault):
    """One that can be locked for the name of one key."""

    locked = ""

    def put(self, name: str, secret: bytes) -> None:
        if name == self.locked:
            raise SecretsUnusable("The keyring is locked.")
        super().put(name, secret)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    vault, clock = Vault(tmp_path / "secrets.json"), ManualClock()
    return vault, lambda: Registrar(tmp_path / "swarm.json", vault, clock)


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def key_of(registrar: Registrar) -> str:
    """The swarm whose key this device has."""
    assert registrar._keys.swarm is not None
    return swarm_id(registrar._keys.swarm.public)


async def test_a_swarm_that_cannot_be_noted_is_not_founded(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, registrar_of = made
    registrar = registrar_of()
    with monkeypatch.context() as patch:
        patch.setattr(swarmfile, "write", full)
        with pytest.raises(DiskFull, match="No space left"):
            await registrar.create("home", "desk", "model", "Model")
    assert (registrar.belonging, registrar.ready) == (None, False)
    await registrar.create("home", "desk", "model", "Model")
    assert registrar.ready


async def test_a_new_key_that_cannot_be_noted_leaves_the_old_one(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, registrar_of = made
    registrar = registrar_of()
    before = await registrar.create("home", "desk", "model", "Model")
    with monkeypatch.context() as patch:
        patch.setattr(swarmfile, "write", full)
        with pytest.raises(DiskFull):
            await registrar.rotate()
    assert registrar.belonging == before
    again = registrar_of()
    await again.open()
    assert key_of(again) == before.swarm_id
    await again.rotate()
    assert key_of(again) == again.inside().swarm_id != before.swarm_id


async def test_a_node_that_ends_before_the_new_key_is_in_its_place_finds_it(
    made: Made,
) -> None:
    vault, registrar_of = made
    registrar = registrar_of()
    await registrar.create("home", "desk", "model", "Model")
    vault.locked = SWARM
    await registrar.rotate()
    vault.locked = ""
    again = registrar_of()
    await again.open()
    assert key_of(again) == again.inside().swarm_id == registrar.inside().swarm_id
    await again.rotate()
    assert key_of(again) == again.inside().swarm_id != registrar.inside().swarm_id
    await again.forget()
    assert vault._read() == {}
