"""Limits that Linux sets to a group of processes: those of a container, of a service, of a systemd slice.

A process is in one control group of each hierarchy that is mounted, and every group above that one limits it
too. Both versions are read, because some systems have both at once: version 2 (``cgroup-v2.rst`` of the
kernel's admin guide) and version 1 (``cgroup-v1/memory.rst`` there, and ``scheduler/sched-bwc.rst``). Groups
above what is mounted cannot be seen, as from most containers: the container's own limit is the highest then.

Purpose: reading them. State owned: none. Callers: `swarm_app.host.allowance`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_MAX_BYTES = 256 * 1024
"""Of a file that is read: a computer with hundreds of containers has a long list of mounts."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The tightest of all groups; None where none limits."""

    memory_bytes: int | None = None
    """May be beyond all memory that there is: version 1 writes "no limit" as a number."""
    free_bytes: int | None = None
    """What the group with the least left may still take. Files that the kernel has read and would drop first
    (``inactive_file``) count as free; those in use do not."""
    processors: float | None = None
    """Seconds of processor time per second."""


@dataclass(frozen=True, slots=True)
class _Group:
    folder: Path
    unified: bool
    """Of version 2."""


def limits(root: Path = Path("/")) -> Limits:
    """Of this process. `root` holds ``proc`` and what is mounted. What cannot be read limits nothing."""
    memory: list[int] = []
    free: list[int] = []
    processors: list[float] = []
    for group in _groups(root):
        if (found := _memory(group)) is not None:
            memory.append(found[0])
            free.append(found[1])
        if (share := _processors(group)) is not None:
            processors.append(share)
    return Limits(min(memory, default=None), min(free, default=None), min(processors, default=None))


def _groups(root: Path) -> Iterator[_Group]:
    """The groups of this process and all above them, as far as they are mounted."""
    paths: dict[str, str] = {}
    for line in _lines(root / "proc/self/cgroup"):
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        # Version 2 names no controllers.
        paths |= dict.fromkeys(controllers.split(","), path)
    for line in _lines(root / "proc/self/mountinfo"):
        mount, _, about = line.partition(" - ")
        fields, (kind, _, options) = mount.split(" "), (about.split(" ") + [""] * 3)[:3]
        if len(fields) < 5 or kind not in ("cgroup", "cgroup2"):
            continue
        unified = kind == "cgroup2"
        names = {""} if unified else {"memory", "cpu"} & set(options.split(","))
        for path in {paths[name] for name in names if name in paths}:
            for folder in _levels(root / _unescaped(fields[4]).lstrip("/"), _unescaped(fields[3]), path):
                yield _Group(folder, unified)


def _levels(mounted: Path, top: str, path: str) -> list[Path]:
    """The folders of the group `path` and of those above it, where `mounted` shows the group `top`.

    A container may see itself under a path that is not mounted: then it is what is mounted.
    """
    group = PurePosixPath(path)
    parts = group.relative_to(top).parts if group.is_relative_to(top) else ()
    if ".." in parts:
        parts = ()
    return [mounted.joinpath(*parts[:depth]) for depth in range(len(parts), -1, -1)]


def _memory(group: _Group) -> tuple[int, int] | None:
    """The limit and what is left of it, in bytes; None where the group sets none."""
    folder = group.folder
    stat = _statistics(folder / "memory.stat")
    if group.unified:
        # Above "high" nothing is killed, but everything is slowed down until it is below again.
        limits = [_number(folder / "memory.max"), _number(folder / "memory.high")]
        used, inactive = _number(folder / "memory.current"), stat.get("inactive_file", 0)
    else:
        # The second is the least of all groups above, those that are not mounted included.
        limits = [_number(folder / "memory.limit_in_bytes"), stat.get("hierarchical_memory_limit")]
        used, inactive = _number(folder / "memory.usage_in_bytes"), stat.get("total_inactive_file", 0)
    set_ones = [limit for limit in limits if limit is not None]
    if not set_ones:
        return None
    limit = min(set_ones)
    return limit, max(0, limit - max(0, (used or 0) - inactive))


def _processors(group: _Group) -> float | None:
    if group.unified:
        words = (_read(group.folder / "cpu.max") or "").split()
        quota, period = [_whole(word) for word in words] if len(words) == 2 else (None, None)
    else:
        quota = _number(group.folder / "cpu.cfs_quota_us")
        period = _number(group.folder / "cpu.cfs_period_us")
    return quota / period if quota and period else None


def _statistics(file: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in _lines(file):
        name, _, value = line.partition(" ")
        if (number := _whole(value)) is not None:
            found[name] = number
    return found


def _number(file: Path) -> int | None:
    """The number in a file; None where there is none: it says "max" or -1, or cannot be read."""
    return _whole(_read(file) or "")


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if re.fullmatch(r"[0-9]{1,20}", text) else None


def _lines(file: Path) -> list[str]:
    return (_read(file) or "").splitlines()


def _read(file: Path) -> str | None:
    try:
        with file.open("rb") as opened:
            return opened.read(_MAX_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return None


def _unescaped(path: str) -> str:
    """A path as mountinfo writes it: proc(5), spaces and the like in octal."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)
