"""Going after the programs of whoever uses this computer, and coming back without privileges.

Linux counts a thread's nice value, and lets nobody without privileges lower one again: so a thread that is
to be gentle makes itself so, and one that is not comes from a thread that never was (`blocks.compute` changes
threads). Where no control groups share out the processors, the kernel weighs whole sessions (sched(7),
autogroup); that weight may be set back. macOS and Windows have classes for a process, which may be left.
Purpose: the calls for that. State owned: none. Callers: `blocks`, in its own process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from pathlib import Path

from swarm_app.host.system import System, current_system

NICE = 10
"""Beside a busy program of the user's we get a tenth of a processor; an idle one all of it."""

_DARWIN_PROCESS = 4
_DARWIN_BACKGROUND = 0x1000
"""PRIO_DARWIN_PROCESS and PRIO_DARWIN_BG of sys/resource.h: efficient cores, less of disk and network."""

_NORMAL_CLASS = 0x20
_BELOW_NORMAL_CLASS = 0x4000
"""Of processthreadsapi.h."""


def lower_this_thread(system: System | None = None) -> bool:
    """Give the calling thread, and the threads that it makes from now on, the priority NICE for good; one
    that is lower already stays so.

    False where the system knows no priority of a thread.
    """
    if (system or current_system()) is not System.LINUX:
        return False
    thread = threading.get_native_id()
    try:
        # Linux: of a thread, not of the process, whatever the call's name says (setpriority(2), "C library/
        # kernel differences").
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))
    except OSError:
        return False
    return True


def lower_this_process(low: bool, system: System | None = None, autogroup: Path | None = None) -> bool:
    """Let this process go after others as far as the system takes that back, or with False come back.

    False where the system has nothing of the kind, or refuses.
    """
    system = system or current_system()
    if system is System.LINUX:
        return _weigh_session(low, autogroup or Path("/proc/self/autogroup"))
    if system is System.MACOS:
        with contextlib.suppress(OSError):
            os.setpriority(_DARWIN_PROCESS, 0, _DARWIN_BACKGROUND if low else 0)
            return True
    elif system is System.WINDOWS:
        with contextlib.suppress(OSError, AttributeError):
            kernel = ctypes.CDLL("kernel32.dll")
            kernel.GetCurrentProcess.restype = ctypes.c_void_p
            kernel.SetPriorityClass.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
            kind = _BELOW_NORMAL_CLASS if low else _NORMAL_CLASS
            return bool(kernel.SetPriorityClass(kernel.GetCurrentProcess(), kind))
    return False


def _weigh_session(low: bool, file: Path) -> bool:
    """The weight of this process's session. Whoever runs in it is meant: a child has one of its own."""
    if os.getsid(0) != os.getpid():
        return False  # somebody's terminal: not ours to slow down
    try:
        file.write_text(str(NICE if low else 0))
    except OSError:
        return False  # no such kernel, or another change a tenth of a second ago
    return True
