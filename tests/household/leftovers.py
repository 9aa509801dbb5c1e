"""Which processes belong to a household, whoever started them and whatever became of their parents.

Each household marks the environment of what it starts; children inherit the mark, and so do p2pd and
everything that outlives its parent. Nothing outside the household carries it.
"""

from __future__ import annotations

import os
import signal
import time
import uuid
from dataclasses import dataclass, field

import psutil

VARIABLE = "HOMESWARM_TEST_HOUSEHOLD"


@dataclass(frozen=True)
class Mark:
    """The mark of one household."""

    value: str = field(default_factory=lambda: uuid.uuid4().hex)

    def environment(self) -> dict[str, str]:
        return {VARIABLE: self.value}

    def processes(self) -> list[psutil.Process]:
        """All living processes that carry the mark; a zombie has ended and does not count."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                if process.environ().get(VARIABLE) == self.value:
                    found.append(process)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return found

    def wait_gone(self, timeout_s: float) -> list[str]:
        """Wait until no process is left; descriptions of those that still live after `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while (alive := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return [describe(process) for process in alive]

    def end_all(self) -> None:
        """Kill what is left, so that one failed test does not disturb the next."""
        for process in self.processes():
            try:
                process.send_signal(signal.SIGKILL)
            except psutil.NoSuchProcess:
                continue


def describe(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:160]} ({process.status()})"
    except psutil.Error:
        return f"{process.pid} (just gone)"
