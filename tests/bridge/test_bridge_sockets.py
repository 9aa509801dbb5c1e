"""Nothing of a killed process's sockets stays, and nobody else's are touched."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from swarm_app.bridge.sockets import MAX_PATH_BYTES, socket_folder
from swarm_app.bridge.swarm import Swarm


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's; pytest's own are too long."""
    folder = Path(tempfile.mkdtemp(prefix="hs-"))
    yield folder
    shutil.rmtree(folder)


def left_by_the_dead(path: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as bound:
        bound.bind(os.fspath(path))


def test_only_what_nobody_listens_at_is_cleared(short: Path) -> None:
    folder = socket_folder(short / "engine.id")
    assert folder is not None
    assert folder.stat().st_mode & 0o777 == 0o700
    left_by_the_dead(folder / "p2pd-dead.sock")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as living:
        living.bind(os.fspath(folder / "p2pd-living.sock"))
        living.listen()
        assert socket_folder(short / "engine.id") == folder
        assert [path.name for path in folder.iterdir()] == ["p2pd-living.sock"]


def test_a_path_too_long_for_a_socket_is_left_to_hivemind(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * MAX_PATH_BYTES)
    deep.mkdir()
    assert socket_folder(deep / "engine.id") is None


def test_a_folder_that_cannot_be_made_is_no_error(short: Path) -> None:
    (short / "engine.id.run").write_text("in the way")
    assert socket_folder(short / "engine.id") is None


async def test_the_swarms_own_are_there_while_it_lives(short: Path) -> None:
    swarm = await Swarm.open(identity_path=short / "engine.id")
    try:
        assert any(name.startswith("p2pd-") for name in os.listdir(short / "engine.id.run"))
    finally:
        await swarm.close()
    assert os.listdir(short / "engine.id.run") == []
