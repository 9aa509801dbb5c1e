"""A node that gets a small share of one processor: a control group's limit, or stopping and going on.

State owned: the control group, or the thread that stops and goes on. Callers: the fault ``slow``.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from abc import ABC, abstractmethod
from pathlib import Path

from tests.household.tree import Tree

PERIOD_S = 0.1
"""The kernel's own default for a quota's period."""

_GROUPS = Path("/sys/fs/cgroup")
_numbers = itertools.count()


class Throttle(ABC):
    """In force from its making until `lift`."""

    how: str

    @abstractmethod
    def lift(self) -> None:
        """Give the whole processor back. Safe to call twice."""


class _Quota(Throttle):
    """CFS bandwidth control, of control groups version 1 or 2. Raises OSError where it is not allowed."""

    def __init__(self, tree: Tree, share: float) -> None:
        self._tree = tree
        second = (_GROUPS / "cgroup.controllers").exists()
        base = _GROUPS if second else _GROUPS / "cpu"
        self._back = base / "cgroup.procs"
        self._group = base / f"hs-rig-{os.getpid()}-{next(_numbers)}"
        period_us = int(PERIOD_S * 1e6)
        self._group.mkdir()
        try:
            if second:
                (self._group / "cpu.max").write_text(f"{int(share * period_us)} {period_us}")
            else:
                (self._group / "cpu.cfs_period_us").write_text(str(period_us))
                (self._group / "cpu.cfs_quota_us").write_text(str(int(share * period_us)))
            self._put(self._group / "cgroup.procs")
        except OSError:
            self.lift()
            raise
        self.how = f"control group, {share:.0%} of one processor"

    def _put(self, where: Path) -> None:
        for process in self._tree.living():
            with contextlib.suppress(ProcessLookupError):
                where.write_text(str(process.pid))

    def lift(self) -> None:
        if self._group.exists():
            # With children that were started meanwhile.
            for pid in (self._group / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    self._back.write_text(pid)
            self._group.rmdir()


class _DutyCycle(Throttle):
    """SIGSTOP and SIGCONT to all of the tree, in turns."""

    def __init__(self, tree: Tree, share: float) -> None:
        self._tree = tree
        self._share = share
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="duty cycle")
        self._thread.start()
        self.how = f"running {share:.0%} of the time"

    def _run(self) -> None:
        while not self._over.is_set():
            self._tree.stop()
            self._over.wait(PERIOD_S * (1 - self._share))
            self._tree.go_on()
            self._over.wait(PERIOD_S * self._share)

    def lift(self) -> None:
        self._over.set()
        self._thread.join()


def throttle(tree: Tree, share: float) -> Throttle:
    """Let `tree` have `share` of one processor, children that it starts included where the kernel does it."""
    try:
        return _Quota(tree, share)
    except OSError:
        return _DutyCycle(tree, share)
