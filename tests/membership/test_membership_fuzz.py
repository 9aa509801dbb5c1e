"""A share of `make fuzz` in every test run, and lengths that lie."""

from __future__ import annotations

import tracemalloc

import pytest

from swarm_app.membership.errors import MembershipError
from tests.fuzzing import BOMBS, fuzz
from tests.membership.fuzz import readers


def test_no_broken_message_breaks_a_reader() -> None:
    fuzz(readers(), 600)


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_length_that_lies_costs_no_memory(bomb: bytes) -> None:
    known = readers()
    tracemalloc.start()
    try:
        for reader in known:
            for data in (bomb, bomb + b"\0" * 64, b"\x92\xa6member" + bomb, reader.message[:20] + bomb):
                try:
                    reader.read(data)
                except MembershipError:
                    continue
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 4 * 1024 * 1024
