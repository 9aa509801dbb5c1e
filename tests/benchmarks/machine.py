"""The computer that was measured, how busy others kept it, and the memory of processes."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

LIBRARIES = ("torch", "transformers", "petals", "hivemind")


@dataclass(frozen=True, slots=True)
class Machine:
    """What figures depend on."""

    cpu: str
    cores: int
    memory_bytes: int
    system: str
    python: str
    libraries: dict[str, str]
    taken: str
    """Date and time, UTC."""

    @classmethod
    def here(cls) -> Machine:
        return cls(
            cpu=_cpu(),
            cores=os.cpu_count() or 1,
            memory_bytes=psutil.virtual_memory().total,
            system=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            libraries={name: importlib.metadata.version(name) for name in LIBRARIES},
            taken=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        )


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    flags = next((line for line in lines if line.startswith("flags")), "").split()
    wide = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else ""
    return " ".join(filter(None, [names[0] if names else "unknown", wide]))


@dataclass(frozen=True, slots=True)
class Memory:
    """The most that one process has had in memory (VmHWM), mapped files included."""

    node: str
    """The node that it belongs to; empty for the process without a household."""
    role: str
    peak_bytes: int


def peak_bytes(pid: int | str) -> int:
    """VmHWM of a process ("self": of this one). Raises OSError when it is gone."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def role(command: Sequence[str]) -> str:
    """What a process of a household is, from its command line."""
    words = {Path(word).name for word in command}
    if "p2pd" in words:
        identity = next((word for word in command if word.startswith("-id=")), "")
        return f"p2pd of {Path(identity).stem}" if identity else "p2pd"
    for word, name in (("_blocks", "blocks"), ("_engine", "engine"), ("node", "node")):
        if word in words:
            return name
    return "other"


def spent_s(processes: Iterable[psutil.Process]) -> float:
    """Processor seconds, user and system, that these have used so far; those that are gone count nothing."""
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


class Others:
    """How many cores processes that are not ours keep busy. Ours: this one and those that are named."""

    def __init__(self, ours: Iterable[psutil.Process]) -> None:
        self._ours = [psutil.Process(), *ours]
        self._before = self._look()

    def cores(self) -> float:
        """Cores that others kept busy since the last call, or since this was made."""
        before, self._before = self._before, self._look()
        busy, own, passed = (now - then for now, then in zip(self._before, before, strict=True))
        return round(max(0.0, busy - own) / max(passed, 1e-3), 2)

    def _look(self) -> tuple[float, float, float]:
        times = psutil.cpu_times()
        own = spent_s(self._ours)
        total = sum(times)
        idle = times.idle + times.iowait + times.steal
        # guest time is counted in user time as well
        busy = total - idle - times.guest - times.guest_nice
        return busy, own, (total - times.guest - times.guest_nice) / (os.cpu_count() or 1)
