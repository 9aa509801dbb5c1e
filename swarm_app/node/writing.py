"""A value that is to be in a file, whatever the disk says at the moment.

State owned: nothing but what was last written. Callers: whoever in the node keeps something over a restart
(`politely`, `register`, `memory`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from swarm_app.domain.clock import Clock

T = TypeVar("T")

RETRY_S = 15.0
"""How often what the disk has refused is tried again."""


class Written(Generic[T]):
    """The latest value is written at once; one that is refused again and again, until the disk takes it.

    `write` may raise OSError. `on_disk` is what the file holds now.
    """

    def __init__(self, path: Path, write: Callable[[Path, T], None], on_disk: T, clock: Clock) -> None:
        self.path = path
        self.on_disk = on_disk
        self.refusal = ""
        """Why the file lacks the latest value: the system's words, "" where it does not."""
        self._write = write
        self._clock = clock
        self._wanted = on_disk
        self._tried_at = clock.monotonic()

    def put(self, value: T, *, at_once: bool = False) -> None:
        """`value` is to be there; call it again and again. One that was refused a moment ago is not tried,
        unless `at_once`."""
        if value == self.on_disk:
            self._wanted, self.refusal = value, ""
            return
        waits = self.refusal and self._clock.monotonic() - self._tried_at < RETRY_S
        if value == self._wanted and waits and not at_once:
            return
        self._wanted = value
        try:
            self.must(value)
        except OSError as error:
            self._tried_at, self.refusal = self._clock.monotonic(), error.strerror or "the system refuses"

    def must(self, value: T) -> None:
        """Write `value` or raise OSError; then the file, and what is to be in it, stay as they are."""
        self._write(self.path, value)
        self.on_disk = self._wanted = value
        self.refusal = ""
