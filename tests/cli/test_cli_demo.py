"""The demo: it answers, and whatever ends it leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from swarm_app.cli.nodes import StartedNode
from swarm_app.domain.errors import DiskFull
from tests.household.embedded import Embedded
from tests.household.leftovers import Mark

pytestmark = pytest.mark.timeout(300)

GONE_S = 10.0


@pytest.fixture
def mark() -> Iterator[Mark]:
    mark = Mark()
    yield mark
    left = mark.wait_gone(GONE_S)
    mark.end_all()
    assert left == [], "left behind"


def demo(
    mark: Mark, embedded: Embedded, profile: Path, *arguments: str, **environment: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "swarm_app", "demo"),
            *("--models", str(embedded.models), "--profile", str(profile), *arguments),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **mark.environment(), **environment},
    )


def wait_for_processes(mark: Mark, count: int, timeout_s: float = 60.0) -> None:
    deadline = time.monotonic() + timeout_s
    while len(mark.processes()) < count:
        assert time.monotonic() < deadline, f"never {count} processes"
        time.sleep(0.05)


def test_a_prompt_is_answered_with_its_route_and_times_then_everything_stops(
    mark: Mark, embedded: Embedded, tmp_path: Path
) -> None:
    """On an awkward computer: folders that are not ASCII, a locale that is, and a proxy that goes nowhere."""
    with tempfile.TemporaryDirectory() as short:
        folder = Path(short) / "Жанна Müller 田中"
        folder.mkdir()
        nowhere = "http://127.0.0.1:9"
        awkward = {"LC_ALL": "C", "TMPDIR": str(folder), "HTTP_PROXY": nowhere, "ALL_PROXY": nowhere}
        expect_the_answer(
            demo(mark, embedded, folder, "--prompt", "What is the capital of France?", **awkward)
        )
    assert mark.processes() == [], "all is gone when it returns"


def expect_the_answer(process: subprocess.Popen[str]) -> None:
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    assert "Paris" in out
    for part in (
        "desk [0:10)",
        "attic [10:20)",
        "laptop [20:30)",
        "TTFT",
        "tokens per second",
        "inter-token p95",
        "serve all 30 blocks",
    ):
        assert part in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_middle_stops_everything_first(
    number: signal.Signals, mark: Mark, embedded: Embedded, tmp_path: Path
) -> None:
    process = demo(mark, embedded, tmp_path, "--prompt", "hello")
    # The demo, three nodes, their first children and p2pd: in the middle of coming together.
    wait_for_processes(mark, 6)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "Traceback" not in err
    assert mark.processes() == [], "all is gone when it returns"


def test_nodes_end_when_the_demo_is_killed(mark: Mark, embedded: Embedded, tmp_path: Path) -> None:
    process = demo(mark, embedded, tmp_path, "--prompt", "hello")
    wait_for_processes(mark, 6)
    process.kill()
    process.communicate()
    assert mark.wait_gone(GONE_S) == []


def test_a_second_demo_in_the_same_place_says_why_it_cannot(
    mark: Mark, embedded: Embedded, tmp_path: Path
) -> None:
    first = demo(mark, embedded, tmp_path, "--nodes", "1")
    wait_for_processes(mark, 3)
    second = demo(mark, embedded, tmp_path, "--nodes", "1", "--prompt", "hello")
    _, err = second.communicate(timeout=60)
    assert second.returncode == 3, err
    assert "already running" in err
    assert "\0" not in err, "its own words, and nobody else's"
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)


def test_a_node_without_room_for_its_last_words_says_that_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swarm_app.config.paths.shutil.disk_usage", lambda folder: SimpleNamespace(free=0))
    monkeypatch.setattr(sys, "executable", "true")  # it ends and has written nothing
    node = StartedNode(tmp_path, "desk", [])
    node.process.wait(10)
    with pytest.raises(DiskFull, match="is full"):
        node.address()
    node.ask_to_stop()
