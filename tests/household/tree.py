"""The processes of one node as a whole: the node, its children, their p2pds.

A computer that sleeps, dies or starves does so with all of them. State owned: none. Callers:
`tests.household.node`, the faults.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Tree:
    """A root process and everything below it, as it was when `of` looked.

    Looking takes tens of milliseconds; a fault that has to be sudden looks first.
    """

    processes: tuple[psutil.Process, ...]

    @classmethod
    def of(cls, root_pid: int) -> Tree:
        """Empty where there is no such process."""
        try:
            root = psutil.Process(root_pid)
            return cls((root, *root.children(recursive=True)))
        except psutil.NoSuchProcess:
            return cls(())

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self.processes]

    def send(self, number: signal.Signals) -> None:
        """Signal every process of it that still lives, the root first: it must not mend what follows."""
        for pid in self.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        self.send(signal.SIGSTOP)

    def go_on(self) -> None:
        self.send(signal.SIGCONT)

    def kill(self) -> None:
        self.send(signal.SIGKILL)

    def living(self) -> list[psutil.Process]:
        return [process for process in self.processes if lives(process)]

    def wait_gone(self, timeout_s: float) -> list[psutil.Process]:
        """Those that still live after `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while (left := self.living()) and time.monotonic() < deadline:
            time.sleep(0.02)
        return left


def lives(process: psutil.Process) -> bool:
    """Whether it runs or is stopped: a zombie has ended."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
