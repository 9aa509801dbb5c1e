"""A share of `make fuzz` in every test run: the door, what nodes tell each other, neighbours."""

from __future__ import annotations

from tests.fuzzing import fuzz
from tests.node.fuzz import readers


def test_no_broken_message_breaks_a_reader() -> None:
    fuzz(readers(), 200)
