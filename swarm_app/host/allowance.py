"""How much memory and how many processors of this computer are for this process, and how much memory is free.

A container or a service often has less than the computer: whoever plans by what the computer has is killed
by the kernel. Asked here and nowhere else.
Purpose: those numbers. State owned: none. Callers: `node` (limits), `blocks`, `engines` and `cli`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from swarm_app.host import controlgroups
from swarm_app.host.controlgroups import Limits

SPARE_SHARE = 0.25
"""Of the free memory, what may be filled on the mere chance that it is needed: a person works here."""

_ROOT = Path("/")


@dataclass(frozen=True, slots=True)
class Memory:
    """In bytes."""

    total: int
    """That this process may use, with everything that shares its limit."""
    free: int
    """Of it, what can be taken without anything being swapped or killed."""
    computer: int
    """What the computer has."""

    @property
    def is_limited(self) -> bool:
        return self.total < self.computer


@dataclass(frozen=True, slots=True)
class Limited:
    """What this process may use where that is less than the computer has, else 0."""

    memory_bytes: int = 0
    processors: int = 0


UNLIMITED = Limited()


def memory() -> Memory:
    """As it is now."""
    import psutil

    is_now = psutil.virtual_memory()
    return memory_under(controlgroups.limits(_ROOT), int(is_now.total), int(is_now.available))


def memory_under(limits: Limits, total: int, free: int) -> Memory:
    """The same of a computer with `total` bytes, of which `free` are free."""
    allowed = total if limits.memory_bytes is None else min(total, limits.memory_bytes)
    left = free if limits.free_bytes is None else min(free, limits.free_bytes)
    return Memory(allowed, max(0, min(allowed, left)), total)


def is_spare(needed_bytes: int, free_bytes: int) -> bool:
    """Whether `needed_bytes` are no more than what a chance is worth."""
    return needed_bytes <= SPARE_SHARE * free_bytes


def has_spare(needed_bytes: int) -> bool:
    """The same of what is free for this process now."""
    return is_spare(needed_bytes, memory().free)


def processors_under(limits: Limits, processors: int) -> int:
    """How many of `processors` the limits leave, at least one.

    A share of 1.5 counts as 2 and one of 1.4 as 1: with more threads than the share, the kernel stops all of
    them for the rest of each period; with fewer, that much of the share is idle.
    """
    if limits.processors is None:
        return processors
    return max(1, min(processors, int(limits.processors + 0.5)))


def limited() -> Limited:
    """Which limits count here. Takes a millisecond, and loads nothing heavy unless one does."""
    limits = controlgroups.limits(_ROOT)
    all_of_them = os.cpu_count() or 1
    processors = processors_under(limits, _allowed_processors(all_of_them))
    if processors < all_of_them:
        import psutil

        # Libraries that choose for themselves take one thread for each core, whatever it runs at once.
        processors = min(processors, psutil.cpu_count(logical=False) or processors)
    else:
        processors = 0
    computer = _computer_bytes()
    counts = limits.memory_bytes is not None and limits.memory_bytes < computer
    return Limited((limits.memory_bytes or 0) if counts else 0, processors)


def _allowed_processors(all_of_them: int) -> int:
    """By the affinity mask, which a cpuset of a container sets too."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return all_of_them


def _computer_bytes() -> int:
    """All memory of a Linux; 0 elsewhere, where nothing limits."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
