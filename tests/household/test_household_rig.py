"""The rig itself: its marks find what is left behind, also what has lost its parents."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from swarm_app.domain.span import Span
from tests.household.household import even_spans
from tests.household.leftovers import Mark


def test_a_mark_finds_children_and_grandchildren_whose_parent_is_gone() -> None:
    mark = Mark()
    sleeper = "import time; time.sleep(60)"
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {sleeper!r}])",
        ],
        env={**os.environ, **mark.environment()},
    )
    parent.wait()
    try:
        (orphan,) = mark.processes()
        assert orphan.pid != parent.pid
        assert mark.wait_gone(0.1), "it sleeps for a minute"
    finally:
        mark.end_all()
    assert mark.wait_gone(5.0) == []


def test_marks_do_not_see_other_households() -> None:
    mine, other = Mark(), Mark()
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"], env={**os.environ, **other.environment()}
    )
    try:
        deadline = time.monotonic() + 5.0
        while not other.processes() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert [found.pid for found in other.processes()] == [process.pid]
        assert mine.processes() == []
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(("num_blocks", "parts"), [(30, 3), (7, 3), (1, 1), (16, 5)])
def test_even_spans_cover_all_blocks_and_differ_by_one_at_most(num_blocks: int, parts: int) -> None:
    spans = even_spans(num_blocks, parts)
    assert [block for span in spans for block in span.blocks] == list(range(num_blocks))
    assert max(map(len, spans)) - min(map(len, spans)) <= 1
    assert spans[0] == Span(0, len(spans[0]))
