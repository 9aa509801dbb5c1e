"""What control groups leave of a computer: trees of files as Linux shows them, and this computer's own."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from swarm_app.host.allowance import Memory, limited, memory, memory_under, processors_under
from swarm_app.host.controlgroups import Limits, limits

GB = 1_000_000_000
NONE_V1 = "9223372036854771712\n"
"""How version 1 writes that there is no limit, with pages of 4 KiB."""

V2 = "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = (
    "22 1 0:21 / /proc rw - proc proc rw\n"
    "32 31 0:29 {top} /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 {top} /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
    "36 31 0:33 {top} /sys/fs/cgroup/devices ro - cgroup cgroup rw,devices\n"
)


def v2(group: str, levels: dict[str, dict[str, str]], mounts: str = V2) -> dict[str, str]:
    """A tree of version 2: the files of each group by its folder."""
    tree = {"proc/self/cgroup": f"0::{group}\n", "proc/self/mountinfo": mounts}
    for folder, files in levels.items():
        for name, text in files.items():
            tree[f"sys/fs/cgroup/{folder}/{name}"] = text
    return tree


def v2_memory(most: str, used: int, inactive: int = 0, high: str = "max") -> dict[str, str]:
    return {
        "memory.max": f"{most}\n",
        "memory.high": f"{high}\n",
        "memory.current": f"{used}\n",
        "memory.stat": f"anon 7\nactive_file 99\ninactive_file {inactive}\nsomething else\n",
    }


def v1(path: str, top: str, folder: str, most: str, above: str = NONE_V1) -> dict[str, str]:
    """A tree of version 1: 2 GB in use, a half of which would be dropped; one and a half processors."""
    memory_folder, cpu = (
        Path("sys/fs/cgroup/memory") / folder,
        Path("sys/fs/cgroup/cpu,cpuacct") / folder,
    )
    return {
        "proc/self/cgroup": f"9:name=systemd:/\n5:devices:/\n4:memory:{path}\n2:cpu,cpuacct:{path}\n",
        "proc/self/mountinfo": V1.format(top=top),
        f"{memory_folder}/memory.limit_in_bytes": most,
        f"{memory_folder}/memory.usage_in_bytes": f"{2 * GB}\n",
        f"{memory_folder}/memory.stat": (
            f"inactive_file 5\nhierarchical_memory_limit {above}\ntotal_inactive_file {GB}\n"
        ),
        f"{cpu}/cpu.cfs_quota_us": "150000\n",
        f"{cpu}/cpu.cfs_period_us": "100000\n",
    }


SLICES = {
    "user.slice": v2_memory("max", 9 * GB),
    "user.slice/home.slice": v2_memory(str(8 * GB), 7 * GB, inactive=2 * GB) | {"cpu.max": "max 100000\n"},
    "user.slice/home.slice/node.service": v2_memory(str(6 * GB), GB) | {"cpu.max": "250000 100000\n"},
}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        pytest.param({}, Limits(), id="no Linux"),
        pytest.param(v2("/", {}), Limits(), id="nothing to be read"),
        pytest.param(
            v2("/", {".": v2_memory("max", GB) | {"cpu.max": "max 100000\n"}}), Limits(), id="no limit"
        ),
        pytest.param(
            v2("/", {".": v2_memory(str(4 * GB), 3 * GB, inactive=GB) | {"cpu.max": "200000 100000\n"}}),
            Limits(4 * GB, 2 * GB, 2.0),
            id="a container of version 2, which sees itself as the top",
        ),
        pytest.param(
            v2("/user.slice/home.slice/node.service", SLICES),
            Limits(6 * GB, 3 * GB, 2.5),  # the service may use less, its slice has less left
            id="systemd slices",
        ),
        pytest.param(
            v2("/a", {"a": v2_memory("max", GB, high=str(3 * GB))}),
            Limits(3 * GB, 2 * GB),
            id="a limit that slows down and does not kill",
        ),
        pytest.param(
            v2("/a", {"a": v2_memory(str(2 * GB), 5 * GB)}), Limits(2 * GB, 0), id="more in use than allowed"
        ),
        pytest.param(
            v2("/a", {"a": {"memory.max": f"{GB}\n"}}), Limits(GB, GB), id="what is in use cannot be read"
        ),
        pytest.param(
            v2("/a", {"a": {"memory.max": "a lot\n", "memory.current": "-1\n", "cpu.max": "0 0\n"}}),
            Limits(),
            id="nonsense",
        ),
        pytest.param(
            v2("/docker/7/../8", {".": v2_memory(str(GB), 0)}), Limits(GB, GB), id="outside what is mounted"
        ),
        pytest.param(
            v2("/pod/7", {".": v2_memory(str(GB), 0)}, V2.replace(" / /sys", " /pod/7 /sys")),
            Limits(GB, GB),
            id="a mount that shows one group",
        ),
        pytest.param(
            v2("/a", {}, V2.replace("/sys/fs/cgroup ", r"/sys/fs/cgroup/of\040all "))
            | {"sys/fs/cgroup/of all/a/memory.max": f"{GB}\n"},
            Limits(GB, GB),
            id="a folder with a space",
        ),
        pytest.param(
            v1("/docker/7", "/docker/7", ".", f"{4 * GB}\n"),
            Limits(4 * GB, 3 * GB, 1.5),
            id="a container of version 1",
        ),
        pytest.param(
            v1("/docker/7", "/", "docker/7", NONE_V1, above=f"{3 * GB}"),
            Limits(3 * GB, 2 * GB, 1.5),
            id="version 1, limited above what can be seen",
        ),
        pytest.param(
            v1("/docker/7", "/", "docker", f"{4 * GB}\n"), Limits(4 * GB, 3 * GB, 1.5), id="a group above"
        ),
        pytest.param(
            v1("/a", "/", "a", f"{4 * GB}\n")
            | {"proc/self/mountinfo": V1.format(top="/") + V2.replace("cgroup rw", "cgroup/unified rw")},
            Limits(4 * GB, 3 * GB, 1.5),
            id="both versions at once",
        ),
        pytest.param(
            {"proc/self/cgroup": "garbage\n::\n", "proc/self/mountinfo": "1 2\n - cgroup2\n\n - \n"},
            Limits(),
            id="garbage",
        ),
    ],
)
def test_the_tightest_group_counts(tmp_path: Path, tree: dict[str, str], expected: Limits) -> None:
    for name, text in tree.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert limits(tmp_path) == expected


def test_a_file_that_cannot_be_read_limits_nothing(tmp_path: Path) -> None:
    for name in ("proc/self/cgroup", "proc/self/mountinfo"):
        (tmp_path / name).mkdir(parents=True)  # reading it fails, also for root
    assert limits(tmp_path) == Limits()


@pytest.mark.parametrize(
    ("found", "expected", "is_limited"),
    [
        (Limits(), Memory(64, 30, 64), False),
        (Limits(memory_bytes=int(NONE_V1), free_bytes=int(NONE_V1) - 5), Memory(64, 30, 64), False),
        (Limits(memory_bytes=4, free_bytes=3), Memory(4, 3, 64), True),
        (Limits(memory_bytes=40, free_bytes=35), Memory(40, 30, 64), True),  # others have taken it
        (Limits(memory_bytes=4, free_bytes=0), Memory(4, 0, 64), True),
    ],
)
def test_memory_is_the_least_of_group_and_computer(found: Limits, expected: Memory, is_limited: bool) -> None:
    assert memory_under(found, 64, 30) == expected
    assert expected.is_limited is is_limited


@pytest.mark.parametrize(
    ("share", "expected"), [(None, 8), (0.1, 1), (1.4, 1), (1.5, 2), (2.2, 2), (4.0, 4), (64.0, 8)]
)
def test_a_share_of_the_processors_is_rounded(share: float | None, expected: int) -> None:
    assert processors_under(Limits(processors=share), 8) == expected


def test_this_computer_has_no_more_than_its_system_says() -> None:
    found, told = memory(), psutil.virtual_memory()
    assert 0 < found.free <= found.total <= found.computer == told.total
    counts = limited()
    assert counts.memory_bytes in (0, found.total)
    assert counts.processors < (os.cpu_count() or 1)
    assert bool(counts.memory_bytes) is found.is_limited


def test_an_affinity_mask_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3}, raising=False)
    assert limited().processors == 1
