"""The rig's own parts: what it says of a run, its network namespaces, its throttle, whole trees."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.household import namespaces
from tests.household.ledger import Run, distribution, p90, summary
from tests.household.namespaces import Lan, Namespace
from tests.household.report import said_below, table_lines
from tests.household.throttle import throttle
from tests.household.tree import Tree, lives


def test_the_distribution_has_every_value_and_the_ninth_of_ten_as_p90() -> None:
    values = [float(value) for value in (5, 1, 9, 3, 10, 2, 8, 4, 7, 6)]
    assert p90(values) == 9.0
    told = distribution([*values, None])
    assert told == {"median": 5.5, "p90": 9.0, "least": 1.0, "most": 10.0, "values": values}
    assert distribution([None]) is None


def test_the_summary_counts_what_went_wrong() -> None:
    good = Run("kill", "attic", 20, 0, pause_s=0.4, tokens_equal=True, finished_by="swarm", silent_s=0.4)
    bad = Run("kill", "attic", 20, 1, pause_s=6.0, finished_by="none", silent_s=6.0, cause="no-route")
    told = summary([good, bad])
    assert (told["runs"], told["tokens_equal"], told["hung"]) == (2, 1, 1)
    assert told["finished_by"] == {"none": 1, "swarm": 1}
    assert told["causes"] == {"-": 1, "no-route": 1}
    assert told["pause_s"]["values"] == [0.4, 6.0]
    assert "back_s" not in told, "nothing is told of what nobody measured"


@pytest.fixture
def lan() -> Iterator[Lan]:
    if reason := namespaces.why_not():
        pytest.skip(reason)
    with Lan(2) as lan:
        yield lan


def reaches(here: Namespace, address: str, port: int = 47000, *, patience_s: float = 20.0) -> bool:
    """Whether a datagram gets from `here` to the other side, which sends it back; tried for `patience_s`."""
    ask = (
        "import socket, time; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(0.2)\n"
        f"until = time.monotonic() + {patience_s}\n"
        "while time.monotonic() < until:\n"
        f"    try: s.sendto(b'there?', ('{address}', {port})); print(s.recv(99)); break\n"
        "    except OSError: time.sleep(0.02)"
    )
    done = subprocess.run([*here.prefix, sys.executable, "-c", ask], capture_output=True, check=False)
    return b"there?" in done.stdout


def test_a_node_of_a_lan_can_be_cut_and_moved_and_nothing_stays(lan: Lan) -> None:
    here, there = lan.nodes
    answer = (
        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('0.0.0.0', 47000))\n"
        "print('here', flush=True)\n"
        "while True: s.sendto(*s.recvfrom(99))"
    )
    echo = subprocess.Popen([*there.prefix, sys.executable, "-c", answer], stdout=subprocess.PIPE)
    try:
        assert echo.stdout is not None
        assert echo.stdout.readline() == b"here\n"
        assert reaches(here, there.address)
        old = there.address
        there.cut()
        assert not reaches(here, old, patience_s=0.5)
        there.move(111)
        there.join()
        assert there.address == "10.77.0.111"
        assert reaches(here, there.address)
        assert not reaches(here, old, patience_s=0.5)
    finally:
        echo.kill()
        echo.communicate()
    lan.__exit__(None, None, None)
    left = subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout
    assert here.name not in left
    assert there.name not in left


def test_a_throttled_tree_gets_a_small_share_and_all_of_it_again() -> None:
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        tree = Tree.of(busy.pid)
        force = throttle(tree, 0.05)
        try:
            assert used_share(busy.pid, 1.0) < 0.1, force.how
        finally:
            force.lift()
        deadline = time.monotonic() + 60.0
        # On a computer that others use too, more than its quota is all that can be asked for.
        while used_share(busy.pid, 0.5) < 0.12:
            assert time.monotonic() < deadline, "it does not get its processor back"
    finally:
        busy.kill()
        busy.wait()


def used_share(pid: int, seconds: float) -> float:
    process = psutil.Process(pid)
    before, began_s = sum(process.cpu_times()[:2]), time.monotonic()
    time.sleep(seconds)
    return float(sum(process.cpu_times()[:2]) - before) / (time.monotonic() - began_s)


def test_a_tree_is_stopped_and_ended_with_its_children(tmp_path: Path) -> None:
    started = tmp_path / "started"
    child = f"import pathlib, time; pathlib.Path({str(started)!r}).touch(); time.sleep(600)"
    root = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])",
        ]
    )
    try:
        deadline = time.monotonic() + 20.0
        while not started.exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        tree = Tree.of(root.pid)
        assert len(tree.pids) == 2
        tree.stop()
        while {process.status() for process in tree.processes} != {psutil.STATUS_STOPPED}:
            assert time.monotonic() < deadline, "it goes on"
            time.sleep(0.02)
        tree.go_on()
        tree.kill()
        assert tree.wait_gone(5.0) == []
        assert not any(map(lives, tree.processes))
        assert root.wait() == -signal.SIGKILL
    finally:
        root.kill()
        root.wait()


def test_the_report_tells_what_was_measured_and_what_was_not() -> None:
    good = Run("slow", "attic", 20, 0, pause_s=0.4, tokens_equal=True, finished_by="swarm", silent_s=0.4)
    good.decode_s, good.reference_s, good.next_s = 3.3, 3.0, 3.0
    documents: dict[str, dict[str, Any]] = {
        "slow": {"kind": "slow", "history": 0, "summary": summary([good])},
        "move": {"kind": "move", "skipped": "there is no ip command"},
        "kill": {"kind": "kill", "history": 0, "broken": "it did not come back"},
    }
    slow, move = table_lines(documents)[2:]
    assert slow.startswith("| slow | 1 | 0.40 (0.40) |")
    assert "1 of 1" in slow
    assert move.startswith("| move | skipped: there is no ip command |")
    assert len({line.count("|") for line in table_lines(documents)}) == 1
    below = "\n".join(said_below(documents))
    assert "took 1.10 (1.10) times" in below
    assert "`kill` broke off after 0 runs: it did not come back" in below
