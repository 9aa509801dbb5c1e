"""The registrar and its disk: whatever it refuses, and whenever the node ends, a swarm keeps its key."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from swarm_app.config.paths import ProfileUnusable
from swarm_app.domain.clock import ManualClock
from swarm_app.domain.errors import DiskFull
from swarm_app.membership.errors import SecretsUnusable
from swarm_app.membership.keys import swarm_id
from swarm_app.membership.links import Endpoint
from swarm_app.membership.vault import FileVault
from swarm_app.node import belonging as swarmfile
from swarm_app.node.keys import SWARM
from swarm_app.node.office import Office
from swarm_app.node.registrar import Registrar
from swarm_app.node.writing import RETRY_S

Made = tuple["Vault", Callable[[], Registrar]]


class Vault(FileVault):
    """One that can be locked for the name of one key."""

    locked = ""
    stuck = False
    """Nothing can be deleted from it."""

    def delete(self, name: str) -> None:
        if self.stuck:
            raise SecretsUnusable("The keyring is locked.")
        super().delete(name)

    def put(self, name: str, secret: bytes) -> None:
        if name == self.locked:
            raise SecretsUnusable("The keyring is locked.")
        super().put(name, secret)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def made(tmp_path: Path, clock: ManualClock) -> Made:
    vault = Vault(tmp_path / "secrets.json")
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


async def test_what_was_decided_holds_whether_the_disk_takes_it_or_not_and_is_tried_again(
    made: Made, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, registrar_of = made
    registrar = registrar_of()
    await registrar.create("home", "desk", "model", "Model")
    register, office = registrar.register, Office(registrar, clock)
    with monkeypatch.context() as patch:
        patch.setattr(swarmfile, "write", full)
        register.note(own=(Endpoint("10.77.0.12", 4711),))
        assert register.refusal == "", "where this computer is reached is learnt again"
        office.invite("member", 1, 3600.0, "", [])
        assert len(office.invites()) == 1
        assert register.refusal == "No space left on device"
    register.write()
    assert register.refusal, "a disk that has refused is left alone for a while"
    clock.advance(RETRY_S)
    register.write()
    assert register.refusal == ""
    again = registrar_of()
    await again.open()
    assert again.belonging == registrar.belonging
    assert len(Office(again, clock).invites()) == 1


async def test_a_swarm_that_cannot_be_forgotten_is_not_left_half(made: Made, tmp_path: Path) -> None:
    vault, registrar_of = made
    registrar = registrar_of()
    found = await registrar.create("home", "desk", "model", "Model")
    file, aside = registrar.register.path, tmp_path / "aside"
    file.rename(aside)
    file.mkdir()  # unlinking it fails, also for root
    with pytest.raises(ProfileUnusable, match="cannot be forgotten"):
        await registrar.forget()
    assert (registrar.belonging, registrar.ready) == (found, True)
    file.rmdir()
    aside.rename(file)
    vault.stuck = True
    assert await registrar.forget() == "The keyring is locked."
    assert (registrar.belonging, file.exists()) == (None, False)


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
