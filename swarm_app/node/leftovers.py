"""What an earlier node of this profile has left behind when it was killed.

Children end by themselves when their node is gone. This is for those that could not: a process group is
written down while it lives and, if the next node of the profile finds a member of it, ended. A number alone
proves nothing, because process ids are used again: the start time of the group's leader goes with it, and
where the leader is gone, a member's session must bear the number and be as young as the record.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path

from swarm_app.config.paths import read_json, write_private
from swarm_app.node.children import Kind

_PROC = Path("/proc")


def record(path: Path, groups: Mapping[Kind, int]) -> None:
    """Write down the process groups that live now."""
    entries = [{"pid": pid, "started": _started(pid)} for pid in groups.values()]
    with contextlib.suppress(OSError):  # a full disk must not cost the children
        told = {"boot": _boot(), "folder": _folder(path), "groups": entries}
        write_private(path, json.dumps(told) + "\n")


def end_leftovers(path: Path) -> list[int]:
    """SIGKILL every recorded group that still runs; returns their ids. Where there is no /proc, nothing."""
    content = read_json(path, 65536)
    try:
        recorded = [(int(entry["pid"]), entry["started"]) for entry in content["groups"]]
        if not content["boot"] or content["boot"] != _boot():
            recorded = []  # process ids of another boot mean nothing
        if content["folder"] != _folder(path):
            recorded = []  # the profile was copied: these are the children of the other one's node
    except (ValueError, KeyError, TypeError):
        return []
    ended = [pid for pid, started in recorded if type(started) is int and _end_group(pid, started)]
    with contextlib.suppress(OSError):
        path.unlink()
    return ended


def _end_group(pid: int, started: int) -> bool:
    if pid <= 1:
        return False
    now = _started(pid)
    if now is None:
        # The leader is gone. Its number is not given away while the group has a member, and every child
        # leads a session of its own: a member is one of the session, of this user, not older than the leader.
        members = [_stat(int(entry.name)) for entry in _PROC.glob("[0-9]*")]
        if not any(m and m[0] != "Z" and m[1:3] == (pid, pid) and m[3] >= started for m in members):
            return False
    elif now != started:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
        return True
    return False


def _started(pid: int) -> int | None:
    """When a process started, in the kernel's ticks since boot; None when it is not there."""
    stat = _stat(pid)
    return None if stat is None or stat[0] == "Z" else stat[3]


def _folder(path: Path) -> list[int]:
    """What tells the folder of the record from a copy of it, wherever it is moved."""
    stat = path.parent.stat()
    return [stat.st_dev, stat.st_ino]


def _boot() -> str:
    """What tells this boot of the computer from all others; "" where the kernel does not say."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def _stat(pid: int) -> tuple[str, int, int, int] | None:
    """State letter, process group, session and start time from /proc/PID/stat (see proc(5))."""
    try:
        text = (_PROC / str(pid) / "stat").read_text("ascii", "replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return fields[0], int(fields[2]), int(fields[3]), int(fields[19])
