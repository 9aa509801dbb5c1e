"""The register: the membership that is in force, and what of it the disk has.

State owned: the profile's ``swarm.json``, whose form is in `belonging`. Callers: `swarm_app.node.registrar`
(what goes into it), `gossip` (where others are), `private` (what the disk has refused is tried again).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from swarm_app.config.paths import ProfileUnusable
from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import DiskFull
from swarm_app.node import belonging as swarmfile
from swarm_app.node.belonging import Belonging
from swarm_app.node.writing import Written


class Register:
    """`belonging` is None outside a swarm."""

    def __init__(self, file: Path, clock: Clock) -> None:
        self.belonging: Belonging | None = None
        self._file: Written[Belonging | None] = Written(file, _write, None, clock)
        self._watchers: list[Callable[[], None]] = []

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def refusal(self) -> str:
        """Why what was decided in the swarm is not on disk; "" where it is. Where the others were met does
        not count: it is learnt again."""
        if not self._file.refusal or _decided(self.belonging) == _decided(self._file.on_disk):
            return ""
        return self._file.refusal

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after each change from now on."""
        self._watchers.append(watcher)

    def tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()

    def read(self) -> None:
        """Take what the disk has, once. Raises SwarmFileDamaged."""
        if self.belonging is None:
            self.belonging = self._file.on_disk = swarmfile.read(self.path)

    def keep(self, belonging: Belonging) -> None:
        """It is obeyed from now on, whether the disk takes it or not."""
        self.belonging = belonging
        self.write()
        self.tell()

    def keep_safely(self, belonging: Belonging) -> None:
        """What must not be lost, before anything follows from it. Raises DiskFull."""
        try:
            self._file.must(belonging)
        except OSError as error:
            raise DiskFull(f"The swarm cannot be noted in {self.path}: {error.strerror}.") from None

    def note(self, **fields: Any) -> None:
        """Contacts or own addresses; nobody is told."""
        if self.belonging is not None:
            self.belonging = replace(self.belonging, **fields)
            self.write()

    def write(self, *, at_once: bool = False) -> None:
        """Try again what the disk has refused, now or when it is time."""
        self._file.put(self.belonging, at_once=at_once)

    def forget(self) -> None:
        """Out of the swarm; whoever calls this tells the watchers. Raises ProfileUnusable, and nothing is
        forgotten: at its next start the node would be in the swarm again."""
        try:
            self._file.must(None)
        except OSError as error:
            raise ProfileUnusable(
                f"The swarm cannot be forgotten: {self.path} cannot be deleted ({error.strerror}).",
                remedy="Let its folder be written to, and try again.",
            ) from None
        self.belonging = None


def _write(path: Path, belonging: Belonging | None) -> None:
    if belonging is None:
        path.unlink(missing_ok=True)
    else:
        swarmfile.write(path, belonging)


def _decided(belonging: Belonging | None) -> Belonging | None:
    return None if belonging is None else replace(belonging, contacts=(), own=())
